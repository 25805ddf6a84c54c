"""Odd records and illegal actions: nothing but the errors that are promised, and never a false yes."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from erqiwang.rules import (
    RULES_VERSION,
    Action,
    Bid,
    Bury,
    Card,
    Deal,
    NameTrump,
    Phase,
    Play,
    Record,
    RecordError,
    RuleViolation,
    State,
    Surrender,
    Trump,
    TurnKind,
    apply,
    get_profile,
    open_table,
    parse_cards,
    random_legal_action,
    read_profile,
    verify_record,
)
from naive import settle
from naive.auction import Auction
from naive.cards import GAMES, PROFILES, deck, holds, trumps_of
from naive.follow import legal_follow, legal_lead
from naive.player import play_random_table, random_deal
from naive.replay import replay

ODD: list[Any] = [
    *[None, True, False, 0, 1, -1, 2, 3, 4, 5, 54, 255, 10**30, -(10**30), 0.5, 1.0, -0.0, 1e308],
    *["", " ", "S", "SA", "SA SA", "SA SA SA", "sa", "ＳＡ", "♠A", "S10", "BJ BJ", "H5x2", "\x00", "🂡", "N"],
    *["1", "true", "zero", "redeal", "classic", "mobile", "qq", "x" * 10000, "SA " * 3000],
    *[[], [[]], [None], [0], [0, 0, 0, 0], [1, -1], ["SA"], [{}], {}, {"seat": 0}, {"seat": 0, "bid": None}],
]
FREE = {"id", "switches", "faults", "decisions", "charm", "rules_version"}
"""Keys with contents of their own; whatever is done to them must be read or refused, no more."""


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [at] if at else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += paths(item, (*at, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += paths(item, (*at, number))
    return found


def spoil(record: dict[str, Any], rng: Random) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A copy with one place changed, removed, doubled or added to."""
    changed = deepcopy(record)
    path = rng.choice(paths(changed))
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    what = rng.random()
    if what < 0.7:
        place[path[-1]] = deepcopy(rng.choice(ODD))
    elif what < 0.85:
        del place[path[-1]]
    elif isinstance(place, list):
        place.insert(path[-1], deepcopy(place[path[-1]]))
    else:
        place[rng.choice(["x", "", "seat", "bid", "名"])] = deepcopy(rng.choice(ODD))
    return path, changed


def is_naively_valid(record: dict[str, Any]) -> bool:
    """The naive replay is written for well-formed records: whatever it stumbles over is not one."""
    try:
        return not replay(record)
    except (TypeError, KeyError, IndexError, ValueError, AttributeError, AssertionError, StopIteration):
        return False


def is_accepted(text: str) -> bool:
    try:
        return verify_record(Record.from_json(text)) is None
    except RecordError:
        return False


def spoil_records(profile: str, rng: Random, records: int, each: int) -> None:
    for _ in range(records):
        record = play_random_table(profile, None, rng, pass_out="redeal", rules_version=RULES_VERSION)
        for _ in range(each):
            path, changed = spoil(record, rng)
            text = json.dumps(changed, allow_nan=True)
            accepted = is_accepted(text)
            free = path[0] in FREE or set(changed) - set(record)
            if accepted and not free:
                assert is_naively_valid(changed), f"{path}: {text}"


@pytest.mark.parametrize("profile", PROFILES)
def test_spoilt_records(profile: str) -> None:
    spoil_records(profile, Random(f"spoil {profile}"), records=8, each=40)


@pytest.mark.nightly
@pytest.mark.parametrize("profile", PROFILES)
def test_spoilt_records_at_large(profile: str) -> None:
    spoil_records(profile, Random(f"spoil more {profile}"), records=40, each=150)


def test_texts_that_are_no_records() -> None:
    texts = [
        *[
            "",
            " ",
            "null",
            "[]",
            "{}",
            "0",
            '"x"',
            "{",
            "[" * 100000,
            '{"format": 1}',
            "\ufeff{}",
            "NaN",
            "\x00",
        ],
        *["[" * 100000 + "]" * 100000, '{"a":' * 50000 + "1" + "}" * 50000, "9" * 10000, '"\\ud800"'],
    ]
    for text in texts:
        with pytest.raises(RecordError):
            Record.from_json(text)


def test_odd_texts_of_a_good_record() -> None:
    record = play_random_table("classic", None, Random(1), rules_version=RULES_VERSION)
    text = json.dumps(record)
    assert is_accepted(text)
    for bad in [
        text.replace('"room": 1', '"room": 1, "room": 2'),
        text.replace('"room": 1', '"room": 1, "room": 1'),
        text.replace('"room": 1', '"room": NaN'),
        text.replace('"room": 1', '"room": Infinity'),
        text.replace('"room": 1', '"room": 1e0'),
        text.replace('"room": 1', '"room": ' + "1" * 5000),
        text + "{}",
        text[:-1],
    ]:
        assert not is_accepted(bad), bad[:300]


def played_record(profile: str) -> dict[str, Any]:
    rng = Random(f"played {profile}")
    while True:
        record = play_random_table(profile, None, rng, rules_version=RULES_VERSION)
        if record["tricks"]:
            return record


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_comes_after_the_end(profile: str) -> None:
    record = played_record(profile)
    last = record["tricks"][-1]
    record["tricks"].append({"leader": last["winner"], "plays": [], "winner": last["winner"]})
    assert not is_accepted(json.dumps(record))


def test_a_passed_out_table_has_no_tricks() -> None:
    passes = [{"seat": seat, "bid": None} for seat in range(4)]
    deal = random_deal("classic", Random(1))
    deal.opener = 0
    record = play_random_table("classic", deal, Random(1), rules_version=RULES_VERSION) | {
        "auction": passes,
        **dict.fromkeys(["declarer", "bid", "trump", "buried"]),
        **{key: [0, 0, 0, 0] for key in ("play_scores", "bonus_scores", "scores")},
        "surrender": False,
        "tricks": [],
        "announcements": [],
        "kitty_multiplier": 0,
        "defender_points": 0,
        "next_opener": 1,
    }
    assert is_accepted(json.dumps(record))
    for tricks in [
        [{"leader": 0, "plays": [], "winner": 0}],
        [{"leader": 0, "plays": ["SA"], "winner": 0}],
    ]:
        assert not is_accepted(json.dumps(record | {"tricks": tricks}))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_ledger_of_zeros_may_be_left_out_and_written(profile: str) -> None:
    record = played_record(profile)
    seats = GAMES[profile].seats
    assert is_accepted(json.dumps(record))
    assert is_accepted(json.dumps(record | {"charm": []}))
    assert is_accepted(json.dumps(record | {"charm": [0] * seats}))
    for charm in [[0], [0] * (seats + 1), [-5] + [0] * (seats - 1)]:
        assert not is_accepted(json.dumps(record | {"charm": charm}))


@pytest.mark.parametrize("profile", PROFILES)
def test_charm_follows_from_the_faults(profile: str) -> None:
    def fault(seat: int, cause: str) -> dict[str, Any]:
        at = {"phase": "play", "trick": 1, "play": 0}
        return {"seat": seat, "cause": cause, "reason": None, "at": at, "detail": ""}

    record = played_record(profile)
    record["faults"] = [fault(1, "left"), fault(1, "left"), fault(0, "disconnected"), fault(2, "crashed")]
    charm = settle.charm(profile, {1})
    assert is_accepted(json.dumps(record | {"charm": charm}))
    assert is_accepted(json.dumps(record)) == (not any(charm))
    record["faults"] = [fault(GAMES[profile].seats, "left")]
    assert not is_accepted(json.dumps(record))


def test_text_that_no_message_can_hold() -> None:
    record = played_record("classic")
    assert is_accepted(json.dumps(record | {"id": "名\U0001f0a1"}))
    assert not is_accepted(json.dumps(record | {"id": "\ud800"}))
    for ms, fits in [(0, True), (2e6, True), (5e6, False), (-0.001, False), (True, False)]:
        decisions = [{"seat": 0, "ms": ms, "by": "bot"}]
        assert is_accepted(json.dumps(record | {"decisions": decisions})) == fits


# -------------------------------------------------------------------------------------------- illegal actions

NUMBERS = [-5, -1, 0, 1, 2, 3, 4, 5, 7, 80, 83, 100, 120, 125, 10**30, -(10**30)]


def odd_cards(state: State, seat: int, rng: Random) -> tuple[Card, ...]:
    """Some of the hand, some of the deck, too many, none."""
    hand = list(state.hand(seat)) if 0 <= seat < state.profile.seats else []
    style = rng.random()
    if style < 0.5 and hand:
        return tuple(rng.sample(hand, rng.randint(0, min(8, len(hand)))))
    if style < 0.7:
        return tuple(rng.choices(list(Card), k=rng.choice([1, 1, 2, 4, 8, 60])))
    if style < 0.9 and hand:
        card = rng.choice(hand)
        return (card,) * rng.choice([2, 3])
    return tuple(hand) if style < 0.95 else ()


def odd_action(state: State, seat: int, rng: Random) -> Action:
    kind = rng.randrange(6)
    if kind == 0:
        return Bid(rng.choice([None, *NUMBERS]))
    if kind == 1:
        return NameTrump(rng.choice(list(Trump)))
    if kind == 2:
        return Surrender()
    if kind == 3:
        return Bury(odd_cards(state, seat, rng))
    return Play(odd_cards(state, seat, rng))


def judge(state: State, seat: int, action: Action) -> bool:
    """Whether the naive rules allow the action."""
    turn, profile = state.turn, state.profile.slug
    if turn is None or turn.seat != seat:
        return False
    view = state.view(seat)
    if turn.kind is TurnKind.BID:
        auction = Auction(profile, view.opener)
        for call in view.auction:
            auction.call(call.bid)
        return isinstance(action, Bid) and (action.value is None or action.value in auction.bids())
    if turn.kind is TurnKind.NAME_TRUMP:
        return isinstance(action, NameTrump) and action.trump.letter in trumps_of(profile)
    hand = [str(card) for card in state.hand(seat)]
    if isinstance(action, Surrender):
        opening = turn.kind is TurnKind.BURY or not (view.tricks or view.current_plays)
        assert view.bid is not None
        return opening and settle.surrender_cost(profile, view.bid, {}) is not None
    if turn.kind is TurnKind.BURY:
        return (
            isinstance(action, Bury)
            and len(action.cards) == GAMES[profile].kitty
            and holds(hand, [str(card) for card in action.cards])
        )
    if not isinstance(action, Play):
        return False
    cards = [str(card) for card in action.cards]
    assert view.trump is not None
    if view.current_plays:
        lead = [str(card) for card in view.current_plays[0]]
        return bool(cards) and legal_follow(hand, lead, cards, view.trump.letter)
    others = [
        [str(card) for card in state.hand(other)] for other in range(state.profile.seats) if other != seat
    ]
    return legal_lead(hand, cards, view.trump.letter, others)


def abuse(profile: str, rng: Random, each: int) -> None:
    """A table on which every turn first meets a number of odd actions of odd seats."""
    deals = [deal_of(profile, rng) for _ in range(4)]
    state, _ = open_table(get_profile(profile), deals)
    while True:
        before = [state.hand(seat) for seat in range(state.profile.seats)]
        for _ in range(each):
            seat = state.turn.seat if state.turn and rng.random() < 0.8 else rng.choice(NUMBERS)
            action = odd_action(state, seat, rng)
            try:
                apply(state, seat, action)
                allowed = True
            except RuleViolation:
                allowed = False
            assert allowed == judge(state, seat, action), f"{profile} {state.at} {seat} {action}"
        assert before == [state.hand(seat) for seat in range(state.profile.seats)]
        if state.turn is None:
            assert state.phase is Phase.FINISHED
            return
        state, _ = apply(state, state.turn.seat, random_legal_action(state, rng.randrange))


def deal_of(profile: str, rng: Random) -> Deal:
    deal = random_deal(profile, rng, rng.choice([0.0, 0.9]))
    hands = tuple(parse_cards(" ".join(hand)) for hand in deal.hands)
    return Deal(hands, parse_cards(" ".join(deal.kitty)), deal.opener)


@pytest.mark.parametrize("profile", PROFILES)
def test_odd_actions(profile: str) -> None:
    rng = Random(f"abuse {profile}")
    for _ in range(5):
        abuse(profile, rng, each=4)


@pytest.mark.nightly
@pytest.mark.parametrize("profile", PROFILES)
def test_odd_actions_at_large(profile: str) -> None:
    rng = Random(f"abuse more {profile}")
    for _ in range(50):
        abuse(profile, rng, each=10)


@pytest.mark.parametrize("seat", [-1, 4, 10**30, -(10**30)])
def test_seats_that_do_not_exist(seat: int) -> None:
    state, _ = open_table(get_profile("classic"), [deal_of("classic", Random(2))])
    while state.turn is not None:
        for action in [Bid(80), Bid(None), NameTrump(Trump.SPADES), Bury(()), Surrender(), Play((Card.SA,))]:
            with pytest.raises(RuleViolation):
                apply(state, seat, action)
        action = Bid(0) if state.phase is Phase.AUCTION else random_legal_action(state, lambda n: n - 1)
        state, _ = apply(state, state.turn.seat, action)


def test_deals_that_do_not_fit() -> None:
    good = deal_of("classic", Random(1))
    rules = get_profile("classic")
    swapped = (good.hands[0][1:] + good.hands[0][:1], *good.hands[1:])
    open_table(rules, [Deal(swapped, good.kitty, 0)])
    for bad in [
        Deal(good.hands[:3], good.kitty, 0),
        Deal((good.hands[0][1:], *good.hands[1:]), good.kitty, 0),
        Deal(((*good.hands[0][1:], good.hands[0][-1]), *good.hands[1:]), good.kitty, 0),
        Deal((good.kitty, *good.hands[1:]), good.hands[0], 0),
        Deal(good.hands, good.kitty[1:], 0),
        Deal(good.hands, good.kitty, 4),
        Deal(good.hands, good.kitty, -1),
    ]:
        if sorted(card for hand in (*bad.hands, bad.kitty) for card in hand) == sorted(rules.deck):
            assert bad.opener not in range(4) or len(bad.kitty) != 8
        with pytest.raises(ValueError, match=r"\w"):
            open_table(rules, [bad])
    with pytest.raises(ValueError, match=r"\w"):
        open_table(rules, [])
    assert sorted(map(str, rules.deck)) == sorted(deck("classic"))


@pytest.mark.parametrize("number", [-(10**30), -1, 10**18, 10**30])
@pytest.mark.parametrize("key", ["bid_high", "bid_low", "hand_size", "kitty_size", "seats", "copies"])
def test_house_profiles_with_odd_numbers(key: str, number: int) -> None:
    with pytest.raises(ValueError, match="profile odd: "):
        read_profile(f'slug = "odd"\nbase = "classic"\n[rules]\n{key} = {number}\n')
