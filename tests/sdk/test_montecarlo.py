"""The parts of `montecarlo`: what it imagines is possible, and is played out by the rule book."""

from collections import Counter
from dataclasses import dataclass, field

import pytest

from erqiwang.bots.counter import CounterBot
from erqiwang.bots.lowest import LowestBot
from erqiwang.bots.montecarlo import MontecarloBot
from erqiwang.bots.open_table import OpenTable
from erqiwang.bots.patience import Patience
from erqiwang.bots.playout import Playout
from erqiwang.bots.random import RandomBot
from erqiwang.bots.reading import Reading, standing_of
from erqiwang.bots.trials import best_of
from erqiwang.bots.worlds import Worlds
from erqiwang.chance import TableRandom
from erqiwang.deals import board_seed, deals_of_board, master_key
from erqiwang.deciding import decide
from erqiwang.rules import (
    PROFILES,
    PassOut,
    Play,
    Playing,
    apply,
    get_profile,
    open_table,
    record_of,
    verify_record,
)
from erqiwang.testing import play_board
from erqiwang.testing.strength import measure

CLASSIC = get_profile("classic")


def quick():
    return MontecarloBot(samples=1)


def positions(profile, seed, bots):
    """Play a board, with a fresh bot for every decision, and yield every state of its play."""
    deals = deals_of_board(profile, board_seed(master_key(seed), 0), PassOut.ZERO)
    state, _ = open_table(profile, deals)
    while state.turn is not None:
        if isinstance(state, Playing):
            yield state
        bot = bots[state.turn.seat]()
        bot.random = TableRandom(bytes([len(seed), state.turn.seat] * 16))
        state, _ = apply(state, state.turn.seat, decide(bot, state.view(state.turn.seat)))


@dataclass(slots=True)
class Witnessed(OpenTable):
    """A table that keeps the hands as they were after each trick."""

    hands: list[tuple[list[int], list[int]]] = field(default_factory=list)

    def next_trick(self):
        self.hands.append((self.once[:], self.twice[:]))
        OpenTable.next_trick(self)


def opened(state):
    """Lay all hands of a state open."""
    game = state.game
    winner = (state.winner - state.leader) % game.seats
    return Witnessed(
        [once for once, _ in state.hands],
        [twice for _, twice in state.hands],
        game.order.masks(game.buried),
        state.seat,
        state.defender_points,
        len(state.plays),
        state.lead,
        state.strength,
        state.winner,
        game.order.masks(state.plays[winner]) if state.plays else (0, 0),
        state.points,
    )


def played_by(order, before, after, seat):
    cards = Counter(order.cards_of(before[0][seat], before[1][seat]))
    return tuple((cards - Counter(order.cards_of(after[0][seat], after[1][seat]))).elements())


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_tables_are_played_out_as_the_rule_book_plays_them(slug):
    profile = get_profile(slug)
    for number, begun in enumerate(positions(profile, slug, [LowestBot] * profile.seats)):
        if number % 7:
            continue
        table, order = opened(begun), begun.game.order
        play = order.masks(begun.choice.fallback().cards)
        points = Playout(profile, order, begun.game.declarer).points_after(table, play)
        state, before = begun, ([once for once, _ in begun.hands], [twice for _, twice in begun.hands])
        nothing = [0] * profile.seats
        for after in (*table.hands, (nothing, nothing)):
            for _ in range(profile.seats - len(state.plays)):
                cards = played_by(order, before, after, state.seat)
                state, _ = apply(state, state.seat, Play(cards))
            before = after
        assert state.settled.defender_points == points


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_what_it_imagines_is_possible(slug):
    profile = get_profile(slug)
    chance = TableRandom(bytes(32))
    bots = [CounterBot if seat % 2 else RandomBot for seat in range(profile.seats)]
    seen = 0
    for state in positions(profile, slug, bots):
        view = state.view(state.seat)
        reading = Reading.of(view)
        reading.read()
        worlds = Worlds(reading, standing_of(reading), lambda: chance.below(1 << 30) / (1 << 30))
        for _ in range(2):
            check_world(view, reading, worlds.draw(), state)
        seen += 1
    assert seen >= profile.hand_size


def check_world(view, reading, world, state):
    order, seats = reading.order, view.profile.seats
    hands = [order.cards_of(world.once[seat], world.twice[seat]) for seat in range(seats)]
    everywhere = Counter(order.cards_of(*world.buried)) + Counter(view.cards_seen)
    for hand in hands:
        everywhere += Counter(hand)
    assert everywhere == Counter(view.profile.deck)
    assert sorted(hands[view.seat]) == sorted(view.hand)
    assert [len(hand) for hand in hands] == [len(state.hand(seat)) for seat in range(seats)]
    for seat in view.void_seats:
        assert not world.once[seat] & order.trumps
    for report in view.trump_reports:
        trumps = world.once[report.seat] & order.trumps, world.twice[report.seat] & order.trumps
        assert len(order.cards_of(*trumps)) == min(report.count, len(hands[report.seat]))
        assert report.pair or not trumps[1]
    for seat in range(seats):
        if seat != view.seat:
            assert not world.once[seat] & reading.void[seat]
            assert not world.twice[seat] & reading.unpaired[seat]


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_it_plays_every_profile_by_the_rules(slug):
    profile = get_profile(slug)
    finished = play_board([quick] * profile.seats, 1, profile=profile, seed=slug)
    assert finished.tricks
    assert verify_record(record_of(finished)) is None


def test_it_decides_the_same_way_again():
    first, second = (play_board([quick, CounterBot, quick, CounterBot], 3) for _ in range(2))
    assert record_of(first) == record_of(second)


def test_trials_find_what_ends_best_whatever_was_thought_of_it():
    worlds = iter(range(1000))
    options = {"good": 0.0, "lucky": 1.0, "liked": 3.0}
    outcomes = {"good": 5.0, "lucky": 0.0, "liked": 1.0}
    found = best_of(options, lambda: next(worlds), lambda _, option: outcomes[option], 3, lambda: False)
    assert found == "good"
    assert next(worlds) == 6  # two rounds of three worlds


def test_without_time_it_does_as_it_thought_at_first():
    options = {"good": 0.0, "liked": 3.0}
    assert best_of(options, lambda: 0, lambda _, option: options[option], 3, lambda: True) == "liked"


def test_patience_ends_with_the_work_of_a_decision_and_of_a_table(monkeypatch):
    work = [0.0]
    monkeypatch.setattr("erqiwang.bots.patience.time.thread_time", lambda: work[0])
    patience = Patience(CLASSIC)
    for taken, is_over in ((0.4, False), (0.6, True), (0.3, False), (0.1, True)):
        # 1.375 s for the table, where the strictest bank has 1.68 s
        patience.begin()
        work[0] += taken
        assert patience.is_over() is is_over
        patience.end()


@pytest.mark.nightly
def test_it_is_stronger_than_counter():
    bots = {"m": MontecarloBot, "c": CounterBot, "m2": MontecarloBot, "c2": CounterBot}
    points = {strength.name: strength for strength in measure(bots, 240)}
    lead = points["m"].points + points["m2"].points
    assert lead > 3 * (points["m"].error + points["m2"].error)
