"""The example of a record is right, and the table of its keys is complete."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from erqiwang.deals import deals_of_board
from erqiwang.rules import (
    Bid,
    DecidedBy,
    DecisionTime,
    Fault,
    FaultCause,
    Finished,
    PassOut,
    Record,
    Surrender,
    apply,
    get_profile,
    open_table,
    random_legal_action,
    record_from_object,
    record_of,
    record_to_object,
    replay,
    verify_record,
)

CHAPTER = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").partition("## 9. ")[2]
EXAMPLE = re.findall(r"```json\n(.*?)```", CHAPTER, re.S)[0]


def keys_of(value: object, path: str = "") -> Iterator[str]:
    """Every key below a value, with the path that leads to it."""
    if isinstance(value, dict):
        for key, below in value.items():
            name = f"{path}.{key}" if path else key
            yield name
            if name != "switches":
                yield from keys_of(below, name)
    if isinstance(value, list):
        for item in value:
            yield from keys_of(item, f"{path}[]")


def fullest_record() -> Record:
    """A table that was dealt twice and has faults, charm, a switch, and reports of trumps."""
    profile = get_profile("jiangxi", {"bonus_pool": "dealt"})
    state, _ = open_table(
        profile, deals_of_board(profile, bytes(32), PassOut.REDEAL), pass_out=PassOut.REDEAL
    )
    for _ in range(profile.seats):
        state, _ = apply(state, state.turn.seat, Bid(None))
    state, _ = apply(state, state.turn.seat, Bid(80))
    below = Random(1).randrange
    faults = []
    while not isinstance(state, Finished):
        if not faults and state.turn.kind.name == "PLAY":
            faults.append(Fault(state.turn.seat, FaultCause.LEFT, None, state.at, "left"))
        action = random_legal_action(state, below)
        if not isinstance(action, Surrender):
            state, _ = apply(state, state.turn.seat, action)
    return record_of(state, id="x", faults=faults, decisions=[DecisionTime(0, 1.5, DecidedBy.BOT)])


def test_the_example_is_a_right_record() -> None:
    record = Record.from_json(EXAMPLE)
    assert verify_record(record) is None
    assert replay(record) == record
    assert record_to_object(record) == json.loads(EXAMPLE)


def test_the_text_below_the_example_says_what_it_holds() -> None:
    record = Record.from_json(EXAMPLE)
    assert (record.declarer, record.bid, str(record.trump)) == (3, 40, "S")
    assert [str(cards[0]) for cards in record.tricks[-1].plays] == ["H6", "SJ", "CQ", "C2"]
    assert (record.defender_points, record.kitty_multiplier, record.tricks[-1].winner) == (55, 1, 1)


def test_every_key_is_in_the_table() -> None:
    keys, _, causes = CHAPTER.partition("<!-- table: causes -->")
    assert re.findall(r"^\| `(\w+)` \|", causes, re.M) == [cause.name.lower() for cause in FaultCause]
    listed = re.findall(r"^\| `([\w.\[\]]+)` \|", keys, re.M)
    assert len(listed) == len(set(listed))
    record = fullest_record()
    assert verify_record(record) is None
    assert any(entry.trumps for entry in record.announcements)
    assert set(keys_of(record_to_object(record))) == set(listed)
    assert record_from_object(record_to_object(record)) == record


def test_keys_that_are_called_optional_are() -> None:
    whole = record_to_object(fullest_record())
    for key in whole:
        without = {name: value for name, value in whole.items() if name != key}
        row = re.search(rf"^\| `{key}` \| ([^|]*)\|", CHAPTER, re.M)
        assert row is not None
        try:
            record_from_object(without)
        except ValueError:
            assert "optional" not in row[1], key
        else:
            assert "optional" in row[1], key
