from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select, update

from erqiwang_runner.errors import PlanMismatchError, UsageError
from erqiwang_runner.store import claims, planning, schema, tournaments
from erqiwang_runner.store.back_off import wait_s
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState, TournamentState
from erqiwang_runner.store.tournaments import Progress

LONG_S = 1_000.0
"""Longer than any failed match waits."""


def progress(database, tournament) -> Progress:
    with database.read() as connection:
        return tournaments.progress(connection, tournament)


def state(database, tournament) -> TournamentState:
    with database.read() as connection:
        return tournaments.get(connection, tournament.id).state


def column(database, column) -> list[object]:
    with database.read() as connection:
        return list(connection.scalars(select(column)))


def play_everything(database, tournament, worker, play_out) -> None:
    while not planning.finish_if_complete(database, tournament):
        planning.reopen(database, tournament)
        extend(database, tournament, 2)
        for match_id, _ in planning.waiting(database, tournament.id):
            claim = claims.take(database, match_id, worker)
            for slot in claim.slots:
                claims.store_set(database, claim, play_out(claim, slot))
            claims.complete(database, claim)


def test_two_coordinators_plan_each_match_once(database, running):
    tournament = running(boards=12, boards_per_match=1, entries=5)
    with ThreadPoolExecutor(4) as pool:
        planned = sum(pool.map(lambda _: extend(database, tournament, 100), range(4)))
    assert planned == tournament.plan.stints == 60
    indices = column(database, schema.slots.c.deal_index)
    assert sorted(indices) == list(range(60))


def test_the_window_bounds_what_is_planned_ahead(database, running, worker, play_out):
    tournament = running(boards=12, boards_per_match=1)
    assert extend(database, tournament, 3) == 3
    assert extend(database, tournament, 3) == 0
    claim = claims.take(database, 1, worker)
    claims.store_set(database, claim, play_out(claim, claim.slots[0]))
    claims.complete(database, claim)
    assert extend(database, tournament, 3) == 1


def test_a_tournament_ends_with_exactly_the_planned_sets(database, running, worker, play_out):
    tournament = running(boards=7, boards_per_match=3)
    play_everything(database, tournament, worker, play_out)
    assert progress(database, tournament) == Progress(7, 7, 0)
    assert state(database, tournament) is TournamentState.FINISHED
    assert column(database, select(func.count()).select_from(schema.table_results).scalar_subquery()) == [28]


def test_planned_that_is_neither_played_nor_explained_is_our_bug(database, running):
    tournament = running()
    extend(database, tournament, 10)
    with database.write() as connection:
        connection.execute(update(schema.matches).values(state=MatchState.FINISHED.value))
    with pytest.raises(PlanMismatchError, match="6 board sets planned, but 0 played and 0 explained"):
        planning.finish_if_complete(database, tournament)


def test_attempts_without_progress_are_capped_and_explained(database, running, worker):
    tournament = running(boards=3)
    extend(database, tournament, 10)
    for attempt in range(planning.IDLE_ATTEMPTS):
        claim = claims.take(database, 1, worker)
        claims.fail(database, claim, f"the referee fell over, {attempt}")
        planning.reopen(database, tournament, now=time.time() + LONG_S)
    assert claims.take(database, 1, worker) is None
    assert planning.finish_if_complete(database, tournament)
    assert progress(database, tournament) == Progress(3, 0, 3)
    assert set(column(database, schema.slots.c.reason)) == {
        "given up after 5 attempts; the last: the referee fell over, 4"
    }
    assert column(database, schema.slot_seeds.c.n) == []


def test_progress_resets_the_cap(database, running, worker, play_out):
    tournament = running(boards=3)
    extend(database, tournament, 10)
    for _ in range(planning.IDLE_ATTEMPTS - 1):
        claims.fail(database, claims.take(database, 1, worker), "void")
        planning.reopen(database, tournament, now=time.time() + LONG_S)
    claim = claims.take(database, 1, worker)
    claims.store_set(database, claim, play_out(claim, claim.slots[0]))
    claims.fail(database, claim, "void")
    planning.reopen(database, tournament)
    assert len(claims.take(database, 1, worker).slots) == 2


@pytest.mark.parametrize(("run_is_dead", "outcome", "idle"), [(False, "lost", 1), (True, "interrupted", 0)])
def test_a_dead_worker_loses_its_match_at_once(
    database, running, worker, dead_name, run_is_dead, outcome, idle
):
    tournament = running()
    extend(database, tournament, 10)
    dead = claims.Worker(dead_name, dead_name if run_is_dead else worker.run, "here", "none")
    assert claims.take(database, 1, dead) is not None
    assert planning.reclaim(database, tournament.id, time.time()) == 1
    assert planning.reclaim(database, tournament.id, time.time()) == 0
    assert column(database, schema.attempts.c.outcome) == [AttemptOutcome(outcome).value]
    assert sum(column(database, schema.matches.c.idle_attempts)) == idle
    planning.reopen(database, tournament)
    assert claims.take(database, 1, worker) is not None


def test_bundled_bots_meet_the_same_deal_again(database, running, worker):
    tournament = running()
    extend(database, tournament, 1)
    first = claims.take(database, 1, worker)
    claims.fail(database, first, "void")
    planning.reopen(database, tournament)
    assert claims.take(database, 1, worker).slots == first.slots


def test_foreign_bots_get_a_new_deal_in_the_same_slot(database, running, worker, play_out):
    tournament = running(bundled=False)
    extend(database, tournament, 1)
    first = claims.take(database, 1, worker)
    claims.store_set(database, first, play_out(first, first.slots[0]))
    claims.fail(database, first, "void")
    planning.reopen(database, tournament)
    second = claims.take(database, 1, worker)
    assert [(slot.slot, slot.generation) for slot in second.slots] == [
        (slot.slot, 1) for slot in first.slots[1:]
    ]
    assert {s.board_seed for s in second.slots}.isdisjoint({s.board_seed for s in first.slots})
    for slot in second.slots:
        claims.store_set(database, second, play_out(second, slot))
    claims.complete(database, second)
    play_everything(database, tournament, worker, play_out)
    assert progress(database, tournament) == Progress(6, 6, 0)
    indices = column(database, schema.slots.c.deal_index)
    assert sorted(indices) == [*range(6), 6 + 1, 6 + 2]
    assert column(database, schema.slots.c.state).count(SlotState.REPLACED.value) == 2


def test_a_worker_that_died_after_its_last_set_leaves_nothing_to_play(database, running, dead_name, play_out):
    tournament = running(boards=3)
    extend(database, tournament, 1)
    claim = claims.take(database, 1, claims.Worker(dead_name, dead_name, "here", "none"))
    for slot in claim.slots:
        claims.store_set(database, claim, play_out(claim, slot))
    planning.reclaim(database, tournament.id, time.time())
    planning.reopen(database, tournament)
    assert planning.waiting(database, tournament.id) == []
    assert planning.finish_if_complete(database, tournament)


def test_names_are_unique_and_changed_bots_need_a_new_version(database, make_spec):
    with database.write() as connection:
        tournaments.create(connection, make_spec(bundled=False))
    with database.write() as connection, pytest.raises(UsageError, match="already"):
        tournaments.create(connection, make_spec(bundled=False))
    changed = make_spec("u", bundled=False)
    bot = changed.entries[0].contestant
    object.__setattr__(bot, "artefact_hash", "f" * 64)
    with database.write() as connection, pytest.raises(UsageError, match="new version"):
        tournaments.create(connection, changed)


def test_a_match_that_fails_again_and_again_waits(database, running, worker):
    tournament = running(boards=1, boards_per_match=1)
    extend(database, tournament, 1)
    claims.fail(database, claims.take(database, 1, worker), "void")
    assert planning.reopen(database, tournament) == 1
    claims.fail(database, claims.take(database, 1, worker), "void")
    assert planning.reopen(database, tournament) == 0
    assert claims.take(database, 1, worker) is None
    assert planning.reopen(database, tournament, now=time.time() + 2.0) == 1


@pytest.mark.parametrize(
    ("failures", "many", "least"), [(1, False, 0), (1, True, 0.5), (2, False, 0.5), (5, False, 4)]
)
def test_waits_double_and_differ(failures, many, least):
    waits = [wait_s(match, failures, many=many) for match in range(200)]
    assert least <= min(waits) <= max(waits) <= 3 * least
    assert len(set(waits)) == (200 if least else 1)
    assert waits == [wait_s(match, failures, many=many) for match in range(200)]
    assert max(wait_s(match, 40) for match in range(200)) <= 90
