"""`erqi plot`: pictures of an export."""

from collections.abc import Iterator
from pathlib import Path

from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.exported_test import ExportedTest
from erqiwang_runner.export.place import read_games
from erqiwang_runner.local.games_log import GamesLog
from erqiwang_runner.plots.canvas import FORMATS
from erqiwang_runner.plots.history import draw_history, rating_history
from erqiwang_runner.plots.llr import draw_llr
from erqiwang_runner.plots.standings import draw_crosstable, draw_elo
from erqiwang_runner.regress.plan import question_of
from erqiwang_runner.regression import RegressionTest
from erqiwang_runner.results import Entry, EntryRole
from erqiwang_runner.sequential import DEFAULT_DELTA, Hypotheses, Question
from erqiwang_runner.standings import read_standings


def run_plot(path: Path, out: Path, kinds: tuple[str, ...]) -> ExitCode:
    """Draw what an export shows; print the files."""
    for kind in kinds:
        if kind not in FORMATS:
            raise UsageError(f"no format {kind!r}; there are {', '.join(FORMATS)}")
    log = read_games(path)
    for name in _draw(log, out, kinds):
        print(name)
    return ExitCode.YES


def _draw(log: GamesLog, out: Path, kinds: tuple[str, ...]) -> Iterator[Path]:
    found = read_standings(log)
    title = found.tournament.id
    for number, table in enumerate(found.tables):
        suffix = "" if found.is_connected else f"-{number + 1}"
        draw_elo(table, title, *(elo := _files(out, f"elo{suffix}", kinds)))
        draw_crosstable(table, title, *(crosstable := _files(out, f"crosstable{suffix}", kinds)))
        yield from (*elo, *crosstable)
    entries, boards = log.entries(), list(log.board_sets())
    if fits := rating_history(found.tournament, entries, boards):
        draw_history(fits, entries, title, *(history := _files(out, "history", kinds)))
        yield from history
    rated = [entry for entry in entries if entry.role is not EntryRole.FILLER]
    if len(rated) == 2 and boards:
        new, old = rated
        title = f"{new.bot} against {old.bot}"
        draw_llr(_test_of(log, rated), boards, title, *(llr := _files(out, "llr", kinds)))
        yield from llr


def _test_of(log: GamesLog, rated: list[Entry]) -> RegressionTest:
    """Give the test that an export holds, or ask of its two bots what `erqi regress` asked or would ask."""
    tournament = log.tournament()
    try:
        exported = ExportedTest.of(log.header.fields, tournament)
    except ValueError as error:
        raise BadInputError(f"{log.path}:1: {error}") from None
    if exported is not None:
        return exported.test
    question, delta = question_of(log.path.parent) or (Question.GAIN, DEFAULT_DELTA)
    new, old = rated
    hypotheses = Hypotheses.asking(question, delta)
    return RegressionTest(new.id, old.id, tournament.forfeit_points, question, hypotheses)


def _files(out: Path, name: str, kinds: tuple[str, ...]) -> list[Path]:
    return [out / f"{name}.{kind}" for kind in kinds]
