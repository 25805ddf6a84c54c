"""Edits: one field of a finished record is changed."""

from copy import deepcopy
from random import Random
from typing import Any

from naive.cards import parse, show
from naive.cheats import Edit
from naive.table import Record


def _trick(record: Record, rng: Random) -> dict[str, Any] | None:
    return rng.choice(record["tricks"]) if record["tricks"] else None


def _another_seat(record: Record, seat: int, rng: Random) -> int:
    return rng.choice([other for other in range(len(record["hands"])) if other != seat])


def winner(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None:
        return None
    trick["winner"] = _another_seat(record, trick["winner"], rng)
    return record


def leader(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None:
        return None
    trick["leader"] = _another_seat(record, trick["leader"], rng)
    return record


def plays_turned(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None or len(set(trick["plays"])) == 1:
        return None
    trick["plays"] = trick["plays"][1:] + trick["plays"][:1]
    return record


def number(key: str, steps: list[int]) -> Edit:
    def edit(record: Record, rng: Random) -> Record:
        record[key] += rng.choice(steps)
        return record

    return edit


def scores(record: Record, rng: Random) -> Record:
    seat = rng.randrange(len(record["hands"]))
    change = rng.choice([-3, -1, 1, 2])
    for key in ("play_scores", "scores"):
        record[key][seat] += change
    return record


def scores_balanced(record: Record, rng: Random) -> Record:
    one = rng.randrange(len(record["hands"]))
    other = _another_seat(record, one, rng)
    key = rng.choice(["play_scores", "bonus_scores"])
    for name in (key, "scores"):
        record[name][one] += 1
        record[name][other] -= 1
    return record


def scores_doubled(record: Record, rng: Random) -> Record | None:
    if not any(record["play_scores"]):
        return None
    record["play_scores"] = [2 * score for score in record["play_scores"]]
    record["scores"] = [a + b for a, b in zip(record["play_scores"], record["bonus_scores"], strict=True)]
    return record


def bonus(record: Record, rng: Random) -> Record:
    holder, seats = rng.randrange(len(record["hands"])), len(record["hands"])
    record["bonus_scores"] = [
        score + (seats - 1 if seat == holder else -1) for seat, score in enumerate(record["bonus_scores"])
    ]
    record["scores"] = [a + b for a, b in zip(record["play_scores"], record["bonus_scores"], strict=True)]
    return record


def seat_field(key: str) -> Edit:
    def edit(record: Record, rng: Random) -> Record | None:
        if record[key] is None:
            return None
        record[key] = _another_seat(record, record[key], rng)
        return record

    return edit


def announcement_gone(record: Record, rng: Random) -> Record | None:
    if not record["announcements"]:
        return None
    record["announcements"].remove(rng.choice(record["announcements"]))
    return record


def announcement_false(record: Record, rng: Random) -> Record | None:
    told = [entry for announced in record["announcements"] for entry in announced["trumps"]]
    if not told:
        return None
    entry = rng.choice(told)
    if rng.random() < 0.5:
        entry["count"] += rng.choice([-1, 1])
    else:
        entry["pair"] = not entry["pair"]
    return record


def announcement_void(record: Record, rng: Random) -> Record | None:
    if not record["announcements"]:
        return None
    announced = rng.choice(record["announcements"])
    if rng.random() < 0.5:
        announced["void"].pop()
    else:
        missing = [seat for seat in range(len(record["hands"])) if seat not in announced["void"]]
        if not missing:
            return None
        announced["void"] = sorted([*announced["void"], rng.choice(missing)])
    return record


def announcement_place(record: Record, rng: Random) -> Record | None:
    if not record["announcements"]:
        return None
    rng.choice(record["announcements"])[rng.choice(["after_trick", "after_play"])] += 1
    return record


def announcement_extra(record: Record, rng: Random) -> Record | None:
    """The report that would follow the last play, were the last trick announced too."""
    if not record["tricks"]:
        return None
    seats = len(record["hands"])
    record["announcements"].append(
        {
            "after_trick": len(record["tricks"]) - 1,
            "after_play": seats,
            "void": list(range(seats)),
            "trumps": [],
        }
    )
    return record


def card_twice(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None:
        return None
    one, other = rng.sample(range(len(trick["plays"])), 2)
    first, second = parse(trick["plays"][one]), parse(trick["plays"][other])
    if sorted(first) == sorted(second):
        return None
    trick["plays"][one] = trick["plays"][other]
    return record


def never_held(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None:
        return None
    place = rng.randrange(len(trick["plays"]))
    seat = (trick["leader"] + place) % len(record["hands"])
    foreign = sorted(set(parse(record["kitty"])) - set(parse(record["hands"][seat])))
    if not foreign or seat == record["declarer"]:
        return None
    cards = parse(trick["plays"][place])
    cards[rng.randrange(len(cards))] = rng.choice(foreign)
    trick["plays"][place] = show(cards)
    return record


def trick_gone(record: Record, rng: Random) -> Record | None:
    if not record["tricks"]:
        return None
    record["tricks"].pop(rng.choice([-1, 0, rng.randrange(len(record["tricks"]))]))
    return record


def trick_twice(record: Record, rng: Random) -> Record | None:
    if not record["tricks"]:
        return None
    record["tricks"].append(deepcopy(rng.choice(record["tricks"])))
    return record


def play_gone(record: Record, rng: Random) -> Record | None:
    trick = _trick(record, rng)
    if trick is None:
        return None
    trick["plays"].pop()
    return record


def deal_swapped(record: Record, rng: Random) -> Record | None:
    """Two hands exchange a card: still a deal of the deck, but somebody now plays what he was not dealt."""
    one, other = rng.sample(range(len(record["hands"])), 2)
    first, second = parse(record["hands"][one]), parse(record["hands"][other])
    swap = [(a, b) for a in set(first) - set(second) for b in set(second) - set(first)]
    if not swap or not record["tricks"]:
        return None
    a, b = rng.choice(sorted(swap))
    first[first.index(a)], second[second.index(b)] = b, a
    record["hands"][one], record["hands"][other] = show(first), show(second)
    return record


def deal_short(record: Record, rng: Random) -> Record:
    seat = rng.randrange(len(record["hands"]))
    record["hands"][seat] = show(parse(record["hands"][seat])[1:])
    return record


def deal_copied(record: Record, rng: Random) -> Record | None:
    seat = rng.randrange(len(record["hands"]))
    cards = parse(record["hands"][seat])
    if cards[0] == cards[-1]:
        return None
    record["hands"][seat] = show([*cards[1:], cards[-1]])
    return record


def buried_changed(record: Record, rng: Random) -> Record | None:
    if not record["buried"] or not record["tricks"]:
        return None
    buried, kept = parse(record["buried"]), parse(record["hands"][record["declarer"]])
    others = sorted(set(kept) - set(buried))
    if not others:
        return None
    buried[rng.randrange(len(buried))] = rng.choice(others)
    record["buried"] = show(buried)
    return record


def surrender_flag(record: Record, rng: Random) -> Record | None:
    if record["declarer"] is None:
        return None
    record["surrender"] = not record["surrender"]
    return record


def trump_changed(record: Record, rng: Random) -> Record | None:
    if record["trump"] is None:
        return None
    record["trump"] = rng.choice([trump for trump in "SHCDN" if trump != record["trump"]])
    return record


def bid_changed(record: Record, rng: Random) -> Record | None:
    if record["bid"] is None:
        return None
    record["bid"] += rng.choice([-5, 5])
    return record


def call_changed(record: Record, rng: Random) -> Record | None:
    """Somebody is said to have bid who passed, or to have passed who bid."""
    place = rng.randrange(len(record["auction"]))
    call = record["auction"][place]
    call["bid"] = None if call["bid"] is not None else 80
    return record


def automatic_bid(record: Record, rng: Random) -> Record | None:
    """The opener of `mobile` is said to have passed."""
    if record["profile"] != "mobile" or record["auction"][0]["bid"] != 100:
        return None
    record["auction"][0]["bid"] = None
    return record


def unknown_key(record: Record, rng: Random) -> Record:
    record["comment"] = "hello"
    return record


def key_gone(record: Record, rng: Random) -> Record:
    record.pop(rng.choice(["opener", "hands", "kitty", "auction", "tricks", "scores", "trump"]))
    return record


def room(record: Record, rng: Random) -> Record | None:
    if record["profile"] == "qq" and not any(record["play_scores"]):
        return None
    record["room"] += rng.choice([1, 9])
    return record


def opener_changed(record: Record, rng: Random) -> Record:
    record["opener"] = _another_seat(record, record["opener"], rng)
    return record


def redeal_opener(record: Record, rng: Random) -> Record | None:
    if not record["redeals"]:
        return None
    deal = rng.choice(record["redeals"])
    deal["opener"] = _another_seat(record, deal["opener"], rng)
    return record


def redeal_gone(record: Record, rng: Random) -> Record | None:
    """Under redeal a passed-out table has three deals before it; under zero none."""
    if not record["redeals"]:
        return None
    if record["declarer"] is None:
        record["redeals"].pop()
    else:
        record["pass_out"] = "zero"
    return record


def charm(record: Record, rng: Random) -> Record:
    record["charm"] = [0] * len(record["hands"])
    record["charm"][rng.randrange(len(record["hands"]))] = -5
    return record


def card_moved(record: Record, rng: Random) -> Record | None:
    """A seat plays one card too few in one trick and one too many in another."""
    if len(record["tricks"]) < 2:
        return None
    seat = rng.randrange(len(record["hands"]))
    one, other = rng.sample(record["tricks"], 2)
    first, second = ((seat - trick["leader"]) % len(record["hands"]) for trick in (one, other))
    cards = parse(one["plays"][first])
    moved = cards.pop(rng.randrange(len(cards)))
    one["plays"][first] = show(cards)
    other["plays"][second] += " " + moved
    return record


def bury_short(record: Record, rng: Random) -> Record | None:
    if not record["buried"]:
        return None
    record["buried"] = show(parse(record["buried"])[1:])
    return record
