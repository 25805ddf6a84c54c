"""A tournament in a database that was played without processes, and its export."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace

import pytest

from erqiwang.deals import deal_hash, deals_of_board
from erqiwang.rules import Bid, FaultCause, PassOut, TurnKind, apply, fallback, open_table, record_of
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.liveness import process_name
from erqiwang_runner.match_claim import Worker
from erqiwang_runner.played import FaultNote, PlayedSet, PlayedTable
from erqiwang_runner.results import FaultPolicy, TableResult
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import claims, commitments, planning, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.replacement import replace_disturbed
from erqiwang_runner.tournament_spec import DealsMode, EntrySpec, TournamentSpec

BOARDS = 4
WORKER = Worker(process_name(), process_name(), "here", "none")


def table_record(conditions, slot, table):
    """The opener bids the most, and everybody plays the fallback."""
    deals = deals_of_board(conditions.profile, slot.board_seed, PassOut.ZERO)
    state, _ = open_table(conditions.profile, deals)
    while (turn := state.turn) is not None:
        action = fallback(state)
        if turn.kind is TurnKind.BID and turn.seat == table:
            action = Bid(max(bid for bid in state.view(turn.seat).legal_bids() if bid is not None))
        state, _ = apply(state, turn.seat, action)
    place = slot.slot
    name = f"{conditions.name}/{place.epoch}/{place.group}/{place.n}/{slot.generation}/{table}"
    return record_of(state, id=name)


def play_set(claim, slot, forfeiter=None):
    conditions = claim.conditions
    tables = []
    for number, row in enumerate(conditions.set_type.square(slot.slot.n)):
        record = table_record(conditions, slot, number)
        entries = tuple(claim.group[conditions.set_type.place(column)].number for column in row)
        result = TableResult(
            *(slot.slot.epoch, slot.slot.group, slot.slot.n, slot.generation, number),
            entries,
            row,
            record.scores,
            record.declarer,
            tuple(number == 0 and entry == forfeiter for entry in entries),
        )
        hashed = deal_hash(conditions.profile, slot.board_seed).hex()
        tables.append(PlayedTable(result, record, hashed))
    faults = ()
    if forfeiter is not None:
        note = FaultNote(forfeiter, FaultCause.CRASHED, None, "gone", (slot.slot, slot.generation), 0, "bye")
        faults = (note, replace(note, cause=FaultCause.TIMED_OUT_MOVE, table=1, log=None))
    return PlayedSet(slot.slot, slot.generation, tuple(tables), faults)


def make_spec(name, mode, **more):
    bots = [Contestant(f"bot{k % 3}", "1", ("true",), f"{k % 3:064}", bundled=True) for k in range(4)]
    seed = "seed" if mode is DealsMode.SEEDED else ""
    entries = tuple(EntrySpec(bot) for bot in bots)
    return TournamentSpec(
        name=name, seed_text=seed, entries=entries, boards=BOARDS, boards_per_match=2, mode=mode, **more
    )


def play_out(database, name, secrets, *, forfeiter=None, matches=2):
    """Play a started tournament; whoever forfeits does so on board 1."""
    with database.read() as connection:
        row = tournaments.find(connection, name)
    extend(database, row, 8, secrets)
    for match_id, _ in planning.waiting(database, row.id)[:matches]:
        claim = claims.take(database, match_id, WORKER)
        for slot in claim.slots:
            spoiler = forfeiter if slot.slot.n == 1 else None
            claims.store_set(database, claim, play_set(claim, slot, spoiler))
        claims.complete(database, claim, (FaultNote(2, FaultCause.LEFT, None, "early", None),))
    replace_disturbed(database, row, secrets)
    planning.finish_if_complete(database, row, secrets)


@pytest.fixture(scope="session")
def play_board():
    """Play a board set of a claim; who is named forfeits its first table."""
    return play_set


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """Data directories: `seeded` with forfeits, `committed`, both played to the end, and `unplayed`."""
    root = tmp_path_factory.mktemp("export-data")
    for name, mode, source in (
        ("seeded", DealsMode.SEEDED, ""),
        ("committed", DealsMode.COMMITTED, "the beacon"),
        ("unplayed", DealsMode.COMMITTED, "the beacon"),
    ):
        data = root / name
        data.mkdir()
        with closing(Database(f"sqlite:///{data / 'erqi.sqlite3'}")) as database:
            upgrade(database)
            secrets = SecretFile(data)
            # A table that somebody left counts as it was played, and so needs no replacement.
            policy = FaultPolicy.AUTOPLAY if name == "seeded" else FaultPolicy.FORFEIT
            spec = make_spec(name, mode, entropy_source=source, fault_policy=policy)
            with database.write() as connection:
                key = tournaments.create(connection, spec)
                if source:
                    commitments.commit(connection, key, spec, secrets)
                if source and name != "unplayed":
                    row = tournaments.get(connection, key)
                    commitments.give_entropy(connection, row, b"public")
            if name != "unplayed":
                with database.write() as connection:
                    tournaments.start(connection, key)
                play_out(database, name, secrets, forfeiter=0 if name == "seeded" else None)
    return root


@pytest.fixture
def data_of(template, tmp_path):
    """A copy of a data directory, by name."""

    def copy(name):
        target = tmp_path / f"data-{name}"
        if not target.exists():
            shutil.copytree(template / name, target)
        return target

    return copy


@pytest.fixture
def export_of(data_of, tmp_path, capsys):
    """The folder with the export of a tournament."""

    def export(name, *more):
        out = tmp_path / f"export-{name}"
        assert run(["--data", str(data_of(name)), "tournament", "export", "--out", str(out), *more]) == 0
        capsys.readouterr()
        return out

    return export


@pytest.fixture
def change():
    """Change the lines of an export: `edit` is given the list of objects."""

    def apply_edit(folder, edit):
        file = folder / "games.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        changed = edit(lines) or lines
        file.write_text("".join(json.dumps(line) + "\n" for line in changed))

    return apply_edit
