from __future__ import annotations

import pytest

from erqiwang_runner.clocks import LEASE_MARGIN_S, VISIBILITY_S
from erqiwang_runner.coordinator import FORGOTTEN_S, Coordinator, time_limits
from erqiwang_runner.store import claims, schema, tournaments
from erqiwang_runner.store.states import TournamentState


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def coordinator(database, queue, clock):
    return Coordinator(database, queue, window=3, clock=clock)


def play(database, queue, worker, play_out) -> None:
    claim = claims.take(database, queue.matches.pop(0), worker)
    if claim is not None:
        for slot in claim.slots:
            claims.store_set(database, claim, play_out(claim, slot))
        claims.complete(database, claim)


def state(database, tournament) -> TournamentState:
    with database.read() as connection:
        return tournaments.get(connection, tournament.id).state


def test_it_brings_a_tournament_to_its_end(database, coordinator, queue, running, worker, play_out):
    tournament = running(boards=5, boards_per_match=1)
    coordinator.step()
    assert queue.matches == [1, 2, 3]
    while queue.matches:
        play(database, queue, worker, play_out)
        coordinator.step()
    assert state(database, tournament) is TournamentState.FINISHED


def test_a_match_is_queued_once(coordinator, queue, running):
    running(boards=3, boards_per_match=1)
    for _ in range(3):
        coordinator.step()
    assert queue.matches == [1, 2, 3]


def test_an_emptied_queue_is_filled_again(coordinator, queue, running):
    running(boards=3, boards_per_match=1)
    coordinator.step()
    queue.empty()
    coordinator.step()
    assert queue.matches == [1, 2, 3]


def test_a_single_lost_message_is_sent_again_after_a_while(coordinator, queue, clock, running):
    running(boards=3, boards_per_match=1)
    coordinator.step()
    queue.matches.clear()
    coordinator.step()
    assert queue.matches == []
    clock.now += FORGOTTEN_S + 1
    coordinator.step()
    assert queue.matches == [1, 2, 3]


def test_a_broker_that_is_down_is_waited_for(coordinator, queue, running):
    running(boards=3, boards_per_match=1)
    queue.is_down = True
    coordinator.step()
    queue.is_down = False
    coordinator.step()
    assert queue.matches == [1, 2, 3]


def test_doubled_messages_do_no_harm(database, coordinator, queue, running, worker, play_out):
    tournament = running(boards=4, boards_per_match=1)
    coordinator.step()
    queue.matches *= 3
    while queue.matches:
        play(database, queue, worker, play_out)
        coordinator.step()
    assert state(database, tournament) is TournamentState.FINISHED


def test_a_failed_match_is_queued_again(database, coordinator, queue, running, worker, play_out):
    tournament = running(boards=1, boards_per_match=1)
    coordinator.step()
    claims.fail(database, claims.take(database, queue.matches.pop(), worker), "void")
    coordinator.step()
    assert queue.matches == [1]
    play(database, queue, worker, play_out)
    coordinator.step()
    assert state(database, tournament) is TournamentState.FINISHED


def test_two_coordinators_at_once_do_no_harm(database, queue, clock, running, worker, play_out):
    tournament = running(boards=6, boards_per_match=1)
    pair = [Coordinator(database, queue, window=2, clock=clock) for _ in range(2)]
    while state(database, tournament) is not TournamentState.FINISHED:
        for coordinator in pair:
            coordinator.step()
        while queue.matches:
            play(database, queue, worker, play_out)
    with database.read() as connection:
        assert len(connection.execute(schema.table_results.select()).all()) == 24


def test_the_bounds_of_a_match_are_in_order(running):
    tournament = running(boards=10, boards_per_match=10, clock_class="slow")
    limits = time_limits(tournament)
    bound = tournament.conditions.clock.match_bound_s(tournament.conditions.profile, 10)
    lease = bound + LEASE_MARGIN_S
    assert bound < limits.soft_s < limits.hard_s < lease < VISIBILITY_S
