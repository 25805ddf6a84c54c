"""The rule book against other Python game engines: random playouts, decisions per CPU second, in one process.

Every round gives each contestant one short slice, beginning with another one each time, so that a machine
that changes its speed changes it for all; the figures to quote are the medians of the rounds' ratios. Peers
that are not installed are named and left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median, quantiles

from erqiwang import deals
from erqiwang.rules import (
    PROFILES,
    Deal,
    Record,
    apply,
    get_profile,
    open_table,
    random_legal_action,
    record_of,
    verify_record,
)

# Plays one game (number n) and returns the decisions made.
Playout = Callable[[int], int]

GOALS = {"open_spiel hearts": 1.0, "rlcard doudizhu, bare": 10.0}


KEY = deals.master_key("bench")


def dealt(slug: str, n: int) -> Deal:
    """The n-th deal of the benchmark, the same in every run."""
    return deals.deal_board(get_profile(slug), deals.board_seed(KEY, n))


def erqiwang_playout(slug: str) -> Playout:
    """A whole table of a profile: deal, auction, bury, tricks, announcements, events, settlement."""
    profile = get_profile(slug)
    bits = random.Random(7).getrandbits

    def below(n: int) -> int:
        return bits(24) * n >> 24

    def play(n: int) -> int:
        state, _ = open_table(profile, (dealt(slug, n),))
        decisions = 0
        while (turn := state.turn) is not None:
            state, _ = apply(state, turn.seat, random_legal_action(state, below))
            decisions += 1
        return decisions

    return play


def erqiwang_records(count: int) -> list[Record]:
    """Records of random tables, for the replay figure."""
    profile = get_profile("classic")
    draw = random.Random(8).random
    records = []
    for n in range(count):
        state, _ = open_table(profile, (dealt("classic", n),))
        while (turn := state.turn) is not None:
            state, _ = apply(state, turn.seat, random_legal_action(state, lambda n: int(draw() * n)))
        records.append(record_of(state))
    return records


def replay_playout() -> Playout:
    """Verification of a record: every play is judged and every score computed again."""
    texts = [record.to_json() for record in erqiwang_records(60)]

    def play(n: int) -> int:
        record = Record.from_json(texts[n % len(texts)])
        if (difference := verify_record(record)) is not None:
            raise AssertionError(difference)
        return len(record.auction) + sum(len(trick.plays) for trick in record.tricks) + 2

    return play


def open_spiel_playout(name: str) -> Playout:
    """A random game of OpenSpiel, chance nodes included."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(n: int) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def rlcard_playout() -> Playout:
    """A random game of RLCard's Dou Dizhu, without its feature encoding."""
    from rlcard.games.doudizhu import Game

    game = Game()

    def play(n: int) -> int:
        state, _ = game.init_game()
        decisions = 0
        while not game.is_over():
            state, _ = game.step(random.choice(state["actions"]))
            decisions += 1
        return decisions

    return play


def rate(play: Playout, start: int, seconds: float) -> tuple[float, int]:
    """Decisions per CPU second over a slice of time, and the number of the next game."""
    began = time.process_time()
    decisions, n = 0, start
    while (spent := time.process_time() - began) < seconds:
        decisions += play(n)
        n += 1
    return decisions / spent, n


def contestants() -> dict[str, Playout]:
    """Everything that can be measured here, by name."""
    playouts = {f"erqiwang {slug}": erqiwang_playout(slug) for slug in PROFILES}
    playouts["erqiwang classic, verify a record"] = replay_playout()
    for name, make in (
        ("open_spiel hearts", lambda: open_spiel_playout("hearts")),
        ("open_spiel spades", lambda: open_spiel_playout("spades")),
        ("rlcard doudizhu, bare", rlcard_playout),
    ):
        try:
            playouts[name] = make()
        except ImportError as absent:
            print(f"{name}: left out, {absent}")
    return playouts


def measure(playouts: dict[str, Playout], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Rates by contestant and round; one round more, the first, warms up."""
    rates: dict[str, list[float]] = {name: [] for name in playouts}
    games = dict.fromkeys(playouts, 0)
    names = list(playouts)
    for first in range(rounds + 1):
        for name in names[first % len(names) :] + names[: first % len(names)]:
            measured, games[name] = rate(playouts[name], games[name], seconds)
            rates[name].append(measured)
    return {name: values[1:] for name, values in rates.items()}


def main(rounds: int = 40, seconds: float = 0.06) -> None:
    """Measure and print medians, and those of the ratios to `erqiwang classic` with their quartiles."""
    rates = measure(contestants(), rounds, seconds)
    ours = rates["erqiwang classic"]
    print(f"{'random playouts':36} {'decisions/s':>12} {'erqiwang / it':>14} {'quartiles':>13} {'goal':>6}")
    for name, values in rates.items():
        ratios = [own / other for own, other in zip(ours, values, strict=True)]
        low, _, high = quantiles(ratios)
        goal = f"{GOALS[name]:.0f}" if name in GOALS else ""
        spread = f"{low:.2f}-{high:.2f}"
        print(f"{name:36} {median(values):12.0f} {median(ratios):14.2f} {spread:>13} {goal:>6}")
