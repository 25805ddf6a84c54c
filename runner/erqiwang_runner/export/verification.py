"""Checking an export from itself alone: what agrees, what differs, and what cannot be known from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from erqiwang.rules import RULES_VERSION
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.agreement import first_difference
from erqiwang_runner.export.coverage import Coverage
from erqiwang_runner.export.deal_source import DealSource, deal_source
from erqiwang_runner.export.exported_test import ExportedTest
from erqiwang_runner.export.pairings import Pairings, has_schedule
from erqiwang_runner.export.place import games_file, read_games
from erqiwang_runner.export.played_slots import PlayedSlots
from erqiwang_runner.export.table_check import TableCheck
from erqiwang_runner.local.game_lines import Fields, integer, read_line
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.pool_key import UNRATED
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object

STANDINGS: Final = "standings.json"

_NOTHING: Final[Fields] = MappingProxyType({})

ALWAYS_OPEN: Final = (
    "that the bots were the programs that their hashes name",
    "which seat forfeited and how long a decision took: the referee's word",
)
"""What no file can prove."""


@dataclass(slots=True)
class Verification:
    """What was found; `differences` are complete sentences, in the order of the file."""

    checked: list[str] = field(default_factory=list[str])
    unchecked: list[str] = field(default_factory=list[str])
    differences: list[str] = field(default_factory=list[str])

    @property
    def exit_code(self) -> ExitCode:
        """0 if everything that could be checked agrees, else 1."""
        return ExitCode.NO if self.differences else ExitCode.YES

    def to_object(self) -> dict[str, object]:
        """Give the JSON form."""
        return {
            "format": "erqiwang.verification/1",
            "agrees": not self.differences,
            "checked": self.checked,
            "not_checked": self.unchecked,
            "differences": self.differences,
        }

    def lines(self) -> Iterator[str]:
        """Say it to a person: the first difference in full, the others as a number."""
        yield from (f"checked: {each}" for each in self.checked)
        yield from (f"not checked: {each}" for each in self.unchecked)
        if self.differences:
            yield f"the first of {len(self.differences)} differences: {self.differences[0]}"
        else:
            yield "everything agrees"


def verify_export(path: Path) -> Verification:
    """Check an export; raises BadInputError if it cannot be read."""
    file = games_file(path)
    return _Verifier(file).verify()


class _Verifier:
    """One pass over the lines, then the ratings."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._found = Verification()
        self._tables = self._records = 0

    def verify(self) -> Verification:
        numbered = self._numbered()
        number, first = next(numbered, (1, _NOTHING))
        try:
            header = GamesHeader.read(first)
            source = deal_source(header)
            check = TableCheck.of(header, source.key)
        except (ValueError, LookupError) as error:
            raise self._bad(number, error) from None
        coverage, played = Coverage(check.set_type.tables), PlayedSlots()
        self._found.differences += source.differences
        for number, fields in numbered:
            try:
                self._take(number, fields, check, coverage)
                played.take(fields)
            except (ValueError, LookupError) as error:
                raise self._bad(number, error) from None
        self._whole(header, check, coverage)
        self._pool(header, check)
        self._sum_up(header, source)
        try:
            self._decide(header, played)
        except (ValueError, LookupError) as error:
            raise self._bad(1, error) from None
        self._rate()
        return self._found

    def _take(self, number: int, fields: Fields, check: TableCheck, coverage: Coverage) -> None:
        match fields.get("kind"):
            case "table":
                self._tables += 1
                self._records += fields.get("record") is not None
                self._note(number, _table_name(fields), coverage.take_table(fields))
                self._note(number, _table_name(fields), check.differences(fields))
            case "slot":
                self._note(number, "board", coverage.take_slot(fields))
            case "fault":
                pass
            case kind:
                raise ValueError(f"no such kind of line: {kind!r}")

    def _note(self, number: int, what: str, differences: Iterator[str]) -> None:
        self._found.differences += [f"line {number}, {what}: {each}" for each in differences]

    def _whole(self, header: GamesHeader, check: TableCheck, coverage: Coverage) -> None:
        fields = header.fields
        finished = fields.get("state") == "finished"
        self._found.differences += coverage.differences(check.plan, is_finished=finished)
        if "tables" in fields and integer(fields, "tables") != self._tables:
            promised = integer(fields, "tables")
            self._found.differences.append(
                f"the first line promises {promised} tables, but {self._tables} are there"
            )
        self._found.checked.append(
            f"{coverage.played} board sets have all their tables, and no deal was played twice"
        )
        if check.plan is not None and finished:
            why = "not needed after the verdict" if fields.get("regression") else "given up"
            void = f", {coverage.void} {why}" * bool(coverage.void)
            again = f", {coverage.again} of them once more for others' faults" * bool(coverage.again)
            boards = check.plan.board_sets - coverage.void
            self._found.checked.append(
                f"the plan of {check.plan.board_sets} boards is complete: {boards} played{again}{void}"
            )
        else:
            self._found.unchecked.append("that nothing is left out: the play is not said to be finished")

    def _pool(self, header: GamesHeader, check: TableCheck) -> None:
        """Hold the rating pool and the isolation class against the conditions that they stand for."""
        told = header.tournament()
        claimed = header.fields.get("isolation", told.isolation.value)
        if claimed != told.isolation.value:
            self._found.differences.append(
                f"isolation: {claimed!r}, but with these bots it is {told.isolation.value!r}"
            )
        if check.house is not None and dict(check.house.switches) != check.switches:
            self._found.differences.append("definition: its rules are not those whose hash the switches have")
        if not told.pool.startswith(UNRATED) and told.pool != check.pool(header):
            self._found.differences.append(f"pool: {told.pool}, but its conditions are {check.pool(header)}")

    def _sum_up(self, header: GamesHeader, source: DealSource) -> None:
        found = self._found
        found.checked.append(f"the seating of {self._tables} tables")
        if source.key is None:
            found.unchecked.append(f"the deals: {source.how}")
        else:
            found.checked.append(f"the deals, made again from {source.how}")
        if self._records:
            found.checked.append(f"{self._records} records: played again, scored again, hashed again")
        if self._records < self._tables:
            missing = self._tables - self._records
            found.unchecked.append(f"the play of {missing} tables: their records are not in the file")
        if (played := header.fields.get("rules_version")) != RULES_VERSION:
            found.unchecked.append(f"rules {played}: these are {RULES_VERSION}, which may judge otherwise")
        found.unchecked += ALWAYS_OPEN

    def _decide(self, header: GamesHeader, played: PlayedSlots) -> None:
        """Decide again who meets, who is replaced by whom, and what a regression test says."""
        if self._found.differences:
            self._found.unchecked.append("the pairings: what they rest on differs already")
        elif has_schedule(header.fields):
            pairings = Pairings.of(header, played)
            if differences := list(pairings.differences()):
                self._found.differences += differences
            else:
                self._found.checked.append(pairings.said)
            self._judge(header, played)
        elif "groups" in header.fields:
            self._found.unchecked.append("how the groups were chosen: the file does not say it")

    def _judge(self, header: GamesHeader, played: PlayedSlots) -> None:
        test = ExportedTest.of(header.fields, header.tournament())
        if test is None:
            return
        given_up = frozenset(slot.n for (slot, _), state in played.states.items() if state == "void")
        report = test.report(list(read_games(self._file).board_sets()), given_up)
        asked = f"the answer to {test.test.question.value} with delta {test.delta:g}"
        if not report.is_decided:
            self._found.unchecked.append(f"{asked}: the boards leave it open")
        elif difference := test.difference(report):
            self._found.differences.append(f"{asked}: {difference}")
        else:
            self._found.checked.append(f"{asked}, judged again: {'; '.join(list(report.lines())[:1])}")

    def _rate(self) -> None:
        """Rate again, from the scores that were just checked."""
        if self._found.differences:
            self._found.unchecked.append("the ratings: what they rest on differs already")
            return
        rated = to_object(read_standings(read_games(self._file)))
        claimed = self._file.parent / STANDINGS
        if not claimed.exists():
            self._found.unchecked.append(f"ratings: there is no {STANDINGS} beside the file to compare with")
            return
        try:
            standings: object = json.loads(claimed.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadInputError(f"{claimed}: {error}") from None
        if difference := first_difference(rated, standings):
            self._found.differences.append(f"{STANDINGS}: {difference}")
        else:
            self._found.checked.append(f"the ratings, computed again: those of {STANDINGS}")

    def _numbered(self) -> Iterator[tuple[int, Fields]]:
        try:
            with self._file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    try:
                        yield number, read_line(line)
                    except ValueError as error:
                        raise self._bad(number, error) from None
        except OSError as error:
            raise BadInputError(f"{self._file}: {error.strerror}") from None

    def _bad(self, number: int, error: Exception) -> BadInputError:
        return BadInputError(f"{self._file}:{number}: {error.args[0] if error.args else error}")


def _table_name(fields: Fields) -> str:
    return "table " + "/".join(
        str(fields.get(name)) for name in ("epoch", "group", "n", "generation", "table")
    )
