"""Leads and follows of the rule book against the naive rules, by enumeration, at ugly hands."""

from random import Random

import pytest

from erqiwang.rules import (
    Announced,
    BidMade,
    Buried,
    Dealt,
    KittyShown,
    Played,
    Reason,
    SeatView,
    Trump,
    TrumpNamed,
    get_profile,
    open_view,
    parse_cards,
)
from naive.cards import GAMES, deck, holds, selections, trumps_of
from naive.follow import best, follows_by_worth, legal_follow, legal_follows, legal_leads, of_suit
from naive.hands import suits_of, ugly_follow
from naive.order import eff, pairs_of, shape

CONTRACTS = [(profile, trump) for profile in GAMES for trump in trumps_of(profile)]

DOUBLE = [contract for contract in CONTRACTS if GAMES[contract[0]].copies == 2]

Plays = list[list[str]]


def view_of(
    profile: str,
    trump: str,
    hand: list[str],
    lead: list[str] | None,
    void: list[int],
    switches: dict[str, str] | None = None,
) -> SeatView:
    """What seat 1 sees when it is to follow seat 0's lead, or to lead as declarer."""
    declarer = 1 if lead is None else 0
    view = open_view(get_profile(profile, switches or {}), 1)
    view.observe(Dealt(declarer, 0))
    view.hold(parse_cards(" ".join(deck(profile)[: GAMES[profile].hand])))
    view.observe(BidMade(declarer, 80 if GAMES[profile].highest > 80 else 50))
    for other in range(GAMES[profile].seats):
        if other != declarer:
            view.observe(BidMade(other, None))
    kitty = parse_cards(" ".join(deck(profile)[-GAMES[profile].kitty :]))
    view.observe(KittyShown(declarer, 80 if GAMES[profile].highest > 80 else 50, kitty))
    view.observe(TrumpNamed(Trump.parse(trump[0])))
    if declarer == 1:
        view.bury(kitty)
    view.observe(Buried())
    view.hold(parse_cards(" ".join(hand)))
    if void:
        view.observe(Announced(tuple(void), ()))
    if lead is not None:
        view.observe(Played(0, parse_cards(" ".join(lead))))
    return view


def enumerated(view: SeatView) -> Plays:
    return [sorted(str(card) for card in play) for play in view.legal_plays()]


def assert_same(view: SeatView, expected: Plays, where: str) -> None:
    plays = enumerated(view)
    assert sorted(plays) == sorted(expected), where
    assert view.count_legal_plays() == len(expected), where


def why_not(hand: list[str], lead: list[str], play: list[str], trump: str) -> Reason:
    """The reason for which a follow of cards that are held, in the right number, is refused."""
    mine = of_suit(hand, eff(lead[0], trump), trump)
    given = of_suit(play, eff(lead[0], trump), trump)
    if len(given) < min(len(lead), len(mine)):
        return Reason.SUIT_NOT_EXHAUSTED
    what = shape(lead, trump)
    assert what is not None
    owed, shown = best(mine, pairs_of(what), trump), best(given, pairs_of(what), trump)
    missing = next(size for number, size in enumerate(owed) if shown[number : number + 1] != [size])
    return Reason.TRACTOR_OWED if missing > 1 else Reason.PAIR_OWED


def check_follow(profile: str, trump: str, rng: Random, spare: int) -> None:
    hand, lead = ugly_follow(profile, trump, rng, spare)
    where = f"{profile} {trump}: {' '.join(lead)} followed from {' '.join(hand)}"
    expected = legal_follows(hand, lead, trump)
    assert expected == follows_by_worth(hand, lead, trump), where
    view = view_of(profile, trump, hand, lead, [])
    assert_same(view, expected, where)
    for _ in range(5):
        play = sorted(rng.sample(hand, len(lead)))
        violation = view.violation(parse_cards(" ".join(play)))
        assert (violation is None) == (play in expected), f"{where}: {play}"
        assert view.is_legal(parse_cards(" ".join(play))) == (play in expected)
        if violation is not None:
            assert violation.reason is why_not(hand, lead, play, trump), f"{where}: {play}"
            owed = [str(card) for card in violation.owed]
            assert any(holds(legal, owed) for legal in expected), f"{where}: {play} {owed}"


def check_lead(profile: str, trump: str, rng: Random, size: int) -> None:
    cards = deck(profile)
    style = rng.random()
    if style < 0.4:
        cards = of_suit(cards, "T", trump)
    elif style < 0.7:
        cards = of_suit(cards, rng.choice(suits_of(trump)[1:]), trump) + of_suit(cards, "T", trump)
    hand = sorted(rng.sample(cards, min(size, len(cards))))
    seats = [seat for seat in range(GAMES[profile].seats) if seat != 1]
    void = sorted(rng.sample(seats, rng.choice([0, len(seats), len(seats), len(seats) - 1])))
    others = [[] if seat in void else ["BJ"] for seat in seats]
    where = f"{profile} {trump}: lead from {' '.join(hand)}, void {void}"
    expected = legal_leads(hand, trump, others)
    view = view_of(profile, trump, hand, None, void)
    assert_same(view, expected, where)
    for size_ in range(1, min(4, len(hand)) + 1):
        play = sorted(rng.sample(hand, size_))
        violation = view.violation(parse_cards(" ".join(play)))
        assert (violation is None) == (play in expected), f"{where}: {play}"
        if violation is not None:
            suits = {eff(card, trump) for card in play}
            mixed = Reason.MIXED_SUIT_LEAD if len(suits) > 1 else Reason.SIDE_SUIT_THROW
            reason = Reason.THROW_NOT_ALLOWED if suits == {"T"} else mixed
            assert violation.reason is reason, f"{where}: {play}"


@pytest.mark.parametrize(("profile", "trump"), DOUBLE)
def test_follows(profile: str, trump: str) -> None:
    rng = Random(f"follows {profile} {trump}")
    for _ in range(40):
        check_follow(profile, trump, rng, spare=3)


@pytest.mark.nightly
@pytest.mark.parametrize(("profile", "trump"), DOUBLE)
def test_follows_at_large(profile: str, trump: str) -> None:
    rng = Random(f"many follows {profile} {trump}")
    for _ in range(800):
        check_follow(profile, trump, rng, spare=5)


@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_leads(profile: str, trump: str) -> None:
    rng = Random(f"leads {profile} {trump}")
    for number in range(18):
        check_lead(profile, trump, rng, size=1 + number % 9)


@pytest.mark.nightly
@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_leads_at_large(profile: str, trump: str) -> None:
    rng = Random(f"many leads {profile} {trump}")
    for number in range(250):
        check_lead(profile, trump, rng, size=1 + number % 11)


@pytest.mark.parametrize("trump", trumps_of("classic-1deck"))
def test_single_follows_of_one_deck(trump: str) -> None:
    rng = Random(trump)
    for _ in range(100):
        cards = rng.sample(deck("classic-1deck"), 9)
        hand, lead = sorted(cards[:8]), cards[8:]
        expected = [[card] for card in hand if legal_follow(hand, lead, [card], trump)]
        assert_same(view_of("classic-1deck", trump, hand, lead, []), expected, f"{trump} {lead} {hand}")


SWITCHES = [
    ("N", {"short_tractor_follow": "pairs"}),
    ("S", {"short_tractor_follow": "pairs"}),
    ("N jokers", {"nt_tractors": "jokers"}),
    ("N none", {"nt_tractors": "none"}),
    ("N jokers", {"nt_tractors": "jokers", "short_tractor_follow": "pairs"}),
]


def check_switched(profile: str, trump: str, switches: dict[str, str], rng: Random) -> None:
    hand, lead = ugly_follow(profile, trump, rng)
    expected = legal_follows(hand, lead, trump, switches.get("short_tractor_follow", "must"))
    where = f"{profile} {trump} {switches}: {' '.join(lead)} followed from {' '.join(hand)}"
    view = view_of(profile, trump, hand, lead, [], switches)
    assert_same(view, expected, where)
    for _ in range(3):
        play = sorted(rng.sample(hand, len(lead)))
        assert view.is_legal(parse_cards(" ".join(play))) == (play in expected), f"{where}: {play}"
    small = sorted(rng.sample(hand, min(8, len(hand))))
    expected = legal_leads(small, trump, [["BJ"]])
    assert_same(view_of(profile, trump, small, None, [], switches), expected, where)


@pytest.mark.parametrize(("trump", "switches"), SWITCHES)
@pytest.mark.parametrize("profile", ["classic", "jiangxi-92"])
def test_switches(profile: str, trump: str, switches: dict[str, str]) -> None:
    rng = Random(f"switches {profile} {trump} {switches}")
    for _ in range(30):
        check_switched(profile, trump, switches, rng)


@pytest.mark.nightly
@pytest.mark.parametrize(("trump", "switches"), SWITCHES)
@pytest.mark.parametrize("profile", ["classic", "jiangxi-92"])
def test_switches_at_large(profile: str, trump: str, switches: dict[str, str]) -> None:
    rng = Random(f"many switches {profile} {trump} {switches}")
    for _ in range(500):
        check_switched(profile, trump, switches, rng)


def test_selections_are_the_different_ones() -> None:
    assert selections(["SA", "SA", "SK"], 2) == [["SA", "SA"], ["SA", "SK"]]
