"""`--show`: what is told of a table while it is played."""

from __future__ import annotations

import subprocess
import sys
import threading
from itertools import pairwise

from erqiwang.deals import board_seed, deals_of_board, master_key
from erqiwang.rules import Bid, Dealt, PassOut, apply, fallback, get_profile, open_table, record_of
from erqiwang_runner.local.live_tables import LiveTables
from erqiwang_runner.played import PlayedSet, PlayedTable, TableNews
from erqiwang_runner.results import Slot, TableResult

NAMES = {0: "ann", 1: "ben", 2: "cat", 3: "\x1bdan"}
SEATED = (3, 2, 1, 0)

# Decides only after the test has seen what came before.
GATED = """
import sys, time
from pathlib import Path
from erqiwang import run
from erqiwang.bots.lowest import LowestBot


class Gated(LowestBot):
    def play(self, view):
        while len(view.tricks) == 2 and not Path(sys.argv[1]).exists():
            time.sleep(0.01)
        return super().play(view)


run(Gated)
"""


def board(n):
    """Play a board by the fallback, but that the first seat bids; give its news one by one, and its set."""
    profile = get_profile("classic")
    deals = deals_of_board(profile, board_seed(master_key("live"), n), PassOut.ZERO)
    state, events = open_table(profile, deals)
    slot = Slot(0, 0, n)
    news = [TableNews(slot, SEATED, events, deals[:1])]
    while (turn := state.turn) is not None:
        action = fallback(state)
        if len(news) == 1:
            action = Bid(100)
        state, events = apply(state, turn.seat, action)
        news.append(TableNews(slot, SEATED, events, ()))
    record = record_of(state)
    result = TableResult(0, 0, n, 0, 0, SEATED, (0, 1, 2, 3), record.scores, record.declarer, (False,) * 4)
    return news, PlayedSet(slot, 0, (PlayedTable(result, record, ""),))


def test_one_table_after_the_other_however_they_are_mixed():
    said = []
    live = LiveTables(said.append, NAMES)
    (first, first_set), (second, second_set), (third, third_set) = (board(n) for n in (0, 1, 2))
    live.take(first[0])
    for news in (*second, *third):
        live.take(news)
    live.finish(second_set)
    assert "board 1" not in "".join(said)
    for news in first[1:9]:
        before = len("".join(said))
        live.take(news)
        assert len("".join(said)) > before, "each event is told when it comes"
    for news in first[9:]:
        live.take(news)
    live.finish(first_set)
    live.finish(third_set)
    text = "".join(said)
    places = [text.index(f"board {n}, table 0\n") for n in (0, 1, 2)]
    assert places == sorted(places)
    for played, (start, end) in zip(
        (first_set, second_set, third_set), pairwise([*places, len(text)]), strict=True
    ):
        (table,) = played.tables
        part = text[start:end]
        assert part.count("board ") == 1
        assert f"scores {' '.join(f'{score:+d}' for score in table.record.scores)}" in part
        for number, trick in enumerate(table.record.tricks, 1):
            (line,) = [line for line in part.splitlines() if line.startswith(f"  {number:2}. ")]
            plays = line.partition(". ")[2].partition("  -> ")[0].split(" | ")
            seats = len(trick.plays)
            assert plays == [
                f"{(trick.leader + place) % seats} {' '.join(map(str, cards))}"
                for place, cards in enumerate(trick.plays)
            ]
            assert f"  -> {trick.winner} (" in line
    assert "seat 0 \\x1bdan: " in text
    assert "\x1b" not in text


def test_a_table_that_begins_again_says_so_and_a_set_without_news_is_shown_whole():
    said = []
    live = LiveTables(said.append, NAMES)
    news, played = board(0)
    assert isinstance(news[0].events[0], Dealt)
    middle = next(
        at for at in range(len(news)) if [type(event).__name__ for event in news[at].events] == ["Played"]
    )
    for each in (*news[: middle + 1], *news):
        live.take(each)
    live.finish(played)
    assert "".join(said).count("the match failed and begins again") == 1
    other = board(1)[1]
    live.finish(other)
    text = "".join(said)
    assert text.count("board 1, table 0") == 1
    assert " 1. " in text.partition("board 1")[2]


def test_a_play_is_seen_before_it_ends(tmp_path):
    (tmp_path / "gated.py").write_text(GATED)
    gate = tmp_path / "gate"
    bot = f"{sys.executable} {tmp_path / 'gated.py'} {gate}"
    words = [
        "play",
        bot,
        "lowest",
        "--boards",
        "1",
        "--clock",
        "slow",
        "--show",
        "--seed",
        "s",
        "--workers",
        "1",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "erqiwang_runner.cli", *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    guard = threading.Timer(300, process.kill)
    guard.start()
    seen = []
    with process.stderr as lines:
        for line in lines:
            seen.append(line)
            if line.startswith("   2. "):
                assert "->" in line
                gate.touch()
    assert process.wait() == 0, "".join(seen)
    guard.cancel()
    assert gate.exists(), "".join(seen)
    assert any(line.startswith("  scores ") for line in seen)
    assert "board 0, table 0\n" in seen
