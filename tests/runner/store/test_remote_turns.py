"""A bot of another machine plays one match at a time, in whatever tournament."""

from __future__ import annotations

import pytest

from erqiwang_runner.contestants import remote, starter
from erqiwang_runner.store import claims, planning, remote_turns, tournaments
from erqiwang_runner.store.extension import extend
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

ANN, BEN = remote("ann", "aa" * 32), remote("ben", "bb" * 32)
REFEREE = "tls://referee.example:7070"


@pytest.fixture
def begin(database):
    def begin(name, *bots, referee=REFEREE):
        spec = TournamentSpec(
            name=name,
            seed_text=name,
            entries=tuple(EntrySpec(bot) for bot in bots),
            boards=3,
            boards_per_match=1,
            set_type="pair22",
            referee=referee,
        )
        with database.write() as connection:
            number = tournaments.create(connection, spec)
            tournaments.start(connection, number)
            row = tournaments.get(connection, number)
        extend(database, row, 9)
        return row

    return begin


def test_matches_of_one_remote_bot_come_one_after_the_other(database, begin, worker):
    lowest, random = starter("lowest"), starter("random")
    ours, anns = begin("ours", lowest, random, referee=""), begin("anns", ANN, lowest)
    both, bens = begin("both", ANN, BEN), begin("bens", BEN, random)
    assert [len(planning.waiting(database, row.id)) for row in (ours, anns, both, bens)] == [3, 1, 1, 1]
    ((match, _),) = planning.waiting(database, anns.id)
    claim = claims.take(database, match, worker)
    assert claim is not None
    assert claim.conditions.referee == REFEREE
    assert [entry.contestant for entry in claim.group] == [ANN, lowest]
    assert [len(planning.waiting(database, row.id)) for row in (ours, anns, both, bens)] == [3, 0, 0, 1]
    # Whoever has its message all the same leaves it to others.
    planning.note_enqueued(database, [match + 1], 1.0)
    assert claims.take(database, match + 1, worker) is None
    claims.fail(database, claim, "the test ends it")
    planning.reopen(database, anns, now=10.0**10)
    assert [(number, sent) for number, sent in planning.waiting(database, anns.id)] == [(match, None)]
    ((other, _),) = planning.waiting(database, both.id)
    assert claims.take(database, other, worker) is not None
    assert [len(planning.waiting(database, row.id)) for row in (anns, bens)] == [0, 0]
    assert len({number for number, _ in planning.waiting(database, ours.id)}) == 3


def test_trouble_with_a_referee_is_noted_once_and_goes(database, begin):
    row = begin("anns", ANN, starter("lowest"))
    ((match, _),) = planning.waiting(database, row.id)
    assert remote_turns.referee_of(database, match) == REFEREE
    for trouble in ("it is away", "it is away", None):
        remote_turns.note_trouble(database, match, trouble)
        with database.read() as connection:
            assert tournaments.get(connection, row.id).trouble == trouble
    # A match without a remote bot is played there, too, and all of them wait.
    others = begin("others", starter("lowest"), starter("random"))
    queue = planning.waiting(database, others.id)
    assert len(queue) == 3
    remote_turns.note_trouble(database, queue[0][0], "it is away")
    assert planning.waiting(database, others.id) == queue[:1]
    remote_turns.note_trouble(database, queue[0][0], None)
    assert planning.waiting(database, others.id) == queue
    assert remote_turns.referee_of(database, 99) == ""
    remote_turns.note_trouble(database, 99, "nobody's")
