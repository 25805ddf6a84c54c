"""`erqi verify` over a directory: each file that was tampered with is named with place, rule and ruling."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from erqiwang.rules import Bid, PassOut, Record, apply, fallback, get_profile, open_table, record_of
from erqiwang_runner.cli.__main__ import run
from naive.tamper import TAMPERS, tamper
from strategies import deal_at_random, finished_at_random

PROFILES = ("classic", "mobile", "jiangxi", "jiangxi-3p", "qq")
SEEDS = range(5)
UNREADABLE = {"unknown key", "key gone"}
"""What a record of this format cannot hold at all: bad input, not a difference."""

SAID = {
    "held back": r"tricks\[\d+\]\.plays\[\d\]: seat \d plays .*: \w+, .*\(R-6\d\)",
    "revoke": r"tricks\[\d+\]\.plays\[\d\]: seat \d plays .*\(R-\d+\)",
    "mixed lead": r"tricks\[\d+\]\.plays\[0\]: seat \d plays .*\(R-\d+\)",
    "side throw": r"tricks\[\d+\]\.plays\[0\]: seat \d plays .*\(R-\d+\)",
    "trump throw": r"tricks\[\d+\]\.plays\[0\]: seat \d plays .*\(R-30\)",
    "winner": r"tricks\[\d+\]\.winner: recorded \d, but seat \d won .*\(R-69\)",
    "leader": r"tricks\[\d+\]\.leader: recorded \d, but seat \d leads \((R-12|R-69)\)",
    "points": r"defender_points: recorded -?\d+, but it is \d+ \(R-40\)",
    "multiplier": r"kitty_multiplier: recorded -?\d+, but it is \d+ \(R-39\)",
    "scores": r"play_scores: recorded .* do not sum to zero \(R-42\)",
    "bonus": r"bonus_scores: recorded .*\(R-52\)",
    "next opener": r"next_opener: recorded \d, but it is \d \(R-05\)",
    "announcement gone": r"announcements\[\d+\]: .*\(R-32\)",
    "announcement extra": r"announcements\[\d+\]: .*\(R-32\)",
    "declarer": r"declarer: recorded \d, but seat \d bid lowest \(R-08\)",
    "never held": r"seat \d (plays|buries) .*",
    "deal swapped": r"seat \d|recorded",
}
"""What must be said of some kinds; every kind names the field at least."""


def dealt_again():
    """A table whose first two deals everybody passed."""
    profile = get_profile("classic")
    deals = [deal_at_random(profile, Random(seed)) for seed in range(4)]
    state, _ = open_table(profile, deals, pass_out=PassOut.REDEAL)
    for _ in range(2 * profile.seats):
        state, _ = apply(state, state.turn.seat, Bid(None))
    state, _ = apply(state, state.turn.seat, Bid(100))
    while (turn := state.turn) is not None:
        state, _ = apply(state, turn.seat, fallback(state))
    return state


@pytest.fixture(scope="module")
def records():
    tables = [
        finished_at_random(get_profile(name), Random(f"{name} {seed}")) for name in PROFILES for seed in SEEDS
    ]
    tables.append(dealt_again())
    return [{"switches": {}, **json.loads(record_of(table).to_json())} for table in tables]


@pytest.mark.parametrize("kind", TAMPERS)
def test_each_tampered_file_is_reported_and_no_other(kind, records, tmp_path, capsys):
    wrong, places = set(), Random(kind)
    for number, record in enumerate(records):
        changed = tamper(record, places, kind) if len(wrong) < 2 else None
        name = f"{number:02}.json"
        (tmp_path / name).write_text(json.dumps(record if changed is None else changed[1]))
        if changed is not None:
            wrong.add(name)
    if not wrong:
        pytest.fail(f"no record has a place for {kind!r}")
    code = run(["verify", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["records"] == len(records)
    found = {each["record"].rpartition("/")[2]: each["difference"] for each in told["differences"]}
    unread = {each["record"].rpartition("/")[2] for each in told["unreadable"]}
    assert found.keys() | unread == wrong
    if kind in UNREADABLE:
        assert (code, unread) == (65, wrong)
        return
    assert code == (1 if found else 65)
    for text in found.values():
        assert re.search(SAID.get(kind, r"^[a-z_\[\]\d.]+: "), text), text


def test_right_records_end_with_0(records, tmp_path, capsys):
    for number, record in enumerate(records):
        assert Record.from_json(json.dumps(record))
        (tmp_path / f"{number}.json").write_text(json.dumps(record))
    assert run(["verify", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{len(records)} records, 0 differ\n"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"{", b"[]", b'{"format": "erqiwang.record/2"}'])
def test_what_cannot_be_read_does_not_hide_the_others(content, records, tmp_path, capsys):
    (tmp_path / "a.json").write_bytes(content)
    (tmp_path / "b.json").write_text(json.dumps(records[0]))
    assert run(["verify", str(tmp_path)]) == 65
    told = capsys.readouterr()
    assert "a.json" in told.err
    assert told.out == "2 records, 0 differ, 1 not readable\n"
    changed = tamper(records[0], Random(0), "scores")
    assert changed is not None
    (tmp_path / "c.json").write_text(json.dumps(changed[1]))
    assert run(["verify", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert f"{tmp_path / 'c.json'}: " in told.out
    assert "a.json" in told.err
