"""The vectors of the rules hold in the naive implementation too."""

import pytest

from naive.auction import Auction
from naive.cards import GAMES, deck, parse, points
from naive.follow import follows_by_worth, legal_follow, legal_follows, legal_lead
from naive.order import decompose, level, shape
from naive.settle import (
    bonus,
    charm,
    kitty_multiplier,
    level_of,
    made,
    next_opener,
    play_scores,
    spread,
    surrender_cost,
)
from naive.trick import report, winner

SETTLEMENTS = [
    ("S01", "classic tongchengle qq", 80, {80: (-6, 2)}),
    ("S02", "classic tongchengle qq", 80, {120: (-12, 4)}),
    ("S03", "classic tongchengle qq", 80, {180: (-18, 6)}),
    ("S04", "classic tongchengle qq", 80, {200: (-24, 8)}),
    ("S05", "classic tongchengle qq", 80, {75: (6, -2)}),
    ("S06", "classic tongchengle qq", 80, {35: (12, -4)}),
    ("S07", "classic tongchengle qq", 80, {0: (18, -6)}),
    ("S08", "classic tongchengle", 40, {40: (-12, 4), 80: (-24, 8), 140: (-36, 12), 160: (-48, 16)}),
    ("ST", "qq", 40, {40: (-9, 3), 80: (-18, 6), 140: (-27, 9), 160: (-36, 12)}),
    ("S11", "qq", 40, {35: (9, -3), 5: (9, -3), 0: (18, -6)}),
    ("S14", "classic", 80, {160: (-18, 6)}),
    ("S15", "classic", 120, {115: (3, -1)}),
    ("S17", "classic", 0, {0: (72, -24), 5: (-24, 8), 40: (-48, 16)}),
    ("S18", "qq", 0, {0: (12, -4), 5: (-12, 4), 40: (-24, 8)}),
    ("S20", "mobile", 70, {70: (-4, 2), 110: (-8, 4), 150: (-12, 6), 190: (-16, 8)}),
    ("S21", "mobile", 70, {65: (4, -2)}),
    ("S22", "mobile", 70, {40: (8, -4)}),
    ("S23", "mobile", 70, {0: (12, -6)}),
    ("S24", "mobile", 70, {45: (4, -2), 35: (8, -4)}),
    ("S26", "mobile", 65, {35: (4, -2), 30: (8, -4)}),
    ("S27", "mobile", 40, {25: (6, -3), 20: (18, -9), 0: (18, -9)}),
    ("S29", "jiangxi", 80, {75: (6, -2), 30: (12, -4), 0: (18, -6)}),
    ("S30", "jiangxi", 80, {35: (6, -2)}),
    ("S32", "jiangxi", 40, {0: (36, -12), 200: (-36, 12)}),
    ("S33", "jiangxi-3p", 70, {65: (4, -2), 70: (-4, 2), 110: (-8, 4)}),
    ("S35", "classic-1deck", 40, {40: (-6, 2), 60: (-12, 4), 35: (6, -2), 15: (12, -4), 0: (18, -6)}),
    ("C-3", "classic", 80, {150: (-12, 4)}),
    ("C-5", "classic", 40, {0: (36, -12)}),
    ("6.2", "classic", 30, {25: (24, -8)}),
    ("6.2", "classic", 120, {0: (12, -4), 30: (9, -3), 35: (9, -3), 40: (9, -3), 80: (6, -2), 85: (3, -1)}),
    ("R-45", "mobile", 0, {0: (24, -12)}),
    ("K07", "jiangxi", 80, {110: (-6, 2), 150: (-12, 4), 230: (-18, 6)}),
    ("K08", "mobile", 70, {80: (-4, 2)}),
]


@pytest.mark.parametrize(("number", "profiles", "bid", "results"), SETTLEMENTS)
def test_settlement(number: str, profiles: str, bid: int, results: dict[int, tuple[int, int]]) -> None:
    for profile in profiles.split():
        for total, (declarer, defender) in results.items():
            others = [defender] * (GAMES[profile].seats - 1)
            assert play_scores(profile, 0, bid, total) == [declarer, *others], (number, profile, total)


def test_settlement_with_room() -> None:
    assert play_scores("qq", 0, 80, 180, room=10) == [-180, 60, 60, 60]


SURRENDERS = [
    ("classic", {85: 1, 80: None, 120: 1, 0: None}),
    ("mobile", {75: 1, 70: None}),
    ("jiangxi", {85: 1, 80: 2, 45: 2, 40: 3, 5: 3}),
    ("jiangxi-92", {75: 1, 70: 2, 45: 2, 40: 3}),
    ("jiangxi-3p", {70: 1, 65: 2, 40: 3}),
    ("qq", {120: None}),
    ("classic-1deck", {45: 1, 40: None}),
]


@pytest.mark.parametrize(("profile", "costs"), SURRENDERS)
def test_surrender(profile: str, costs: dict[int, int | None]) -> None:
    for bid, cost in costs.items():
        assert surrender_cost(profile, bid, {}) == cost


KITTY = [
    ("K01", "classic", "S9", True, 1),
    ("K02", "classic", "S9x2", True, 2),
    ("K04", "classic", "S9x2 STx2 SJx2", True, 8),
    ("K05", "classic", "HA", True, 0),
    ("K05", "classic", "S9", False, 0),
    ("K07", "jiangxi", "S9", True, 2),
    ("K07", "jiangxi", "S9x2", True, 4),
    ("K07", "jiangxi", "S9x2 STx2", True, 8),
    ("K07", "jiangxi", "S9x2 STx2 SJx2", True, 8),
    ("K08", "mobile", "S9x2", True, 1),
    ("K10", "classic", "BJ H7x2 S5", True, 2),
    ("K11", "classic", "HA", True, 0),
]


@pytest.mark.parametrize(("number", "profile", "cards", "by_defender", "expected"), KITTY)
def test_kitty(number: str, profile: str, cards: str, by_defender: bool, expected: int) -> None:
    assert kitty_multiplier(profile, by_defender, parse(cards), "S", {}) == expected, number


TRACTORS = [
    (
        "S",
        "H5x2 H6x2; H6x2 H8x2; HKx2 HAx2; SAx2 H2x2; SKx2 SAx2; H7x2 S7x2; H2x2 S2x2; S2x2 H7x2; LJx2 BJx2",
        True,
    ),
    ("S", "S7x2 LJx2; H5x2 H6x2 H8x2; SAx2 C2x2 S2x2 D7x2 S7x2 LJx2 BJx2", True),
    ("S", "H6x2 H7x2; S6x2 S7x2; H2x2 H3x2; HAx2 H2x2; SAx2 S2x2; H7x2 LJx2; H7x2 D7x2; H2x2 D2x2", False),
    ("S", "SAx2 H2x2 D2x2; H7 D7; HAx2 H3x2; H5x2 H8x2", False),
    ("N", "H7x2 S7x2; C2x2 D2x2; SAx2 C2x2", False),
    ("N", "LJx2 BJx2; D7x2 LJx2; S2x2 H7x2; C2x2 D7x2 LJx2 BJx2; S6x2 S8x2", True),
]


@pytest.mark.parametrize(("trump", "groups", "expected"), TRACTORS)
def test_tractors(trump: str, groups: str, expected: bool) -> None:
    for group in groups.split(";"):
        what = shape(parse(group), trump)
        assert (what is not None and what[0] == "tractor") == expected, group


FOLLOWS = [
    ("F01", "H5x2 H6x2", "H8x2 H9x2 HK D3", "H8x2 H9x2", True),
    ("F02", "H5x2 H6x2", "H8x2 H9x2 HK D3", "H8x2 H9 HK", False),
    ("F03", "H5x2 H6x2", "H8x2 HQx2 HK D3", "H8x2 HQx2", True),
    ("F04", "H5x2 H6x2", "H8x2 HQx2 HK D3", "H8x2 HQ HK", False),
    ("F05", "H9x2 HTx2 HJx2", "H5x2 H6x2 HQx2 HK", "H5x2 H6x2 HQx2", True),
    ("F06", "H9x2 HTx2 HJx2", "H5x2 H6x2 HQx2 HK", "H5x2 H6x2 HQ HK", False),
    ("F09", "H9x2 HTx2 HJx2", "H5x2 H8x2 HQ HK HA", "H5x2 H8x2 HQ HK", True),
    ("F10", "H9x2 HTx2 HJx2", "H5x2 H8x2 HQ HK HA", "H5x2 H8 HQ HK HA", False),
    ("F11", "HKx2", "H5x2 H6x2 HA", "H5x2", True),
    ("F12", "HKx2", "H5x2 H6x2 HA", "H5 HA", False),
    ("F13", "HKx2", "HA S5 D3", "HA D3", True),
    ("F14", "HKx2", "HA S5 D3", "S5 D3", False),
    ("F15", "HKx2", "S5x2 D3", "S5 D3", True),
    ("F16", "H5x2 H6x2", "H4 H8 HK HA D3", "H4 H8 HK HA", True),
    ("F17", "H5x2 H6x2", "H8x2 H9 D3 C4", "H8x2 H9 C4", True),
    ("F18", "H5x2 H6x2", "H8x2 H9 D3 C4", "H8x2 D3 C4", False),
    ("F19", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "H7x2 S7x2", True),
    ("F19", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "D7x2 S7x2", True),
    ("F20", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "H7x2 D7x2", False),
    ("F23", "H5", "H7 D3 C4", "C4", True),
    ("F24", "H5", "H7 H9 D3", "H7", False),
    ("F25", "S5", "H2 D3 C4", "D3", False),
    ("F29", "H5x2 H6x2", "H8x2 H9x2 HTx2 HK", "H9x2 HTx2", True),
    ("F30", "H5x2 H6x2", "H8x2 H9x2 HTx2 HK", "H8x2 HTx2", False),
]


@pytest.mark.parametrize(("number", "lead", "hand", "play", "expected"), FOLLOWS)
def test_following(number: str, lead: str, hand: str, play: str, expected: bool) -> None:
    cards, led = parse(hand), parse(lead)
    assert legal_follow(cards, led, parse(play), "S") == expected, number
    assert (sorted(parse(play)) in follows_by_worth(cards, led, "S")) == expected, number
    assert legal_follows(cards, led, "S") == follows_by_worth(cards, led, "S"), number


WINNERS = [
    ("W01", "HA; HK; S5; H7", 3),
    ("W02", "H7; D7; S3; C7", 0),
    ("W04", "H5x2 H6x2; S8x2 S9x2; SQx2 SKx2; H8x2 H9x2", 2),
    ("W05", "H5x2 H6x2; H8x2 H9x2; STx2 SKx2; D3 D4 D5 D6", 1),
    ("W07", "H9; D2; C2; H3", 1),
    ("W08", "S8x2 S9x2; H2x2 S2x2; SAx2 D2x2; H3 H4 H5 H6", 1),
    ("W10", "H5x2 H6x2; S8x2 SQx2; H7x2 D7x2; C2x2 S2x2", 3),
    ("W11", "H6x2 H8x2; H9x2 HTx2; S6x2 H7x2; D3 D4 D5 D6", 1),
]


@pytest.mark.parametrize(("number", "plays", "expected"), WINNERS)
def test_winner(number: str, plays: str, expected: int) -> None:
    assert winner([parse(play) for play in plays.split(";")], "S") == expected, number


def test_leads() -> None:
    void = [["D3"], ["D4"], ["D5"]]
    hand = parse("HAx2 HQx2 HK BJ H7x2 S5")
    for cards in ["HA HK", "HAx2 HQx2", "HAx2 HK"]:
        assert not legal_lead(hand, parse(cards), "S", [["S3"], ["D3"], ["D4"]])
        assert not legal_lead(hand, parse(cards), "S", void)
    throw = parse("BJ H7x2 S5")
    assert legal_lead(hand, throw, "S", void)
    assert legal_lead(hand, throw, "S", void[:2])
    assert not legal_lead(hand, throw, "S", [["D3"], ["D4"], ["S3"]])
    assert winner([throw, ["D3"] * 4, ["D4"] * 4, ["BJ"] * 4], "S") == 0


def test_announcements() -> None:
    hands = [parse("S5x2 H3"), parse("HA"), parse("H7 D7"), parse("C5")]
    both = [{"seat": 0, "count": 2, "pair": True}, {"seat": 2, "count": 2, "pair": False}]
    assert report(hands, "S") == {"void": [1, 3], "trumps": both}
    assert report([hands[0], hands[1], hands[2], hands[2]], "S") == {"void": [1], "trumps": []}
    assert report(hands[:3], "S") == {"void": [1], "trumps": both}


def test_auction() -> None:
    auction = Auction("classic", 0)
    assert [bid in auction.bids() for bid in (125, 83, 120, 0)] == [False, False, True, True]
    auction.call(0)
    assert auction.over
    auction = Auction("classic", 0)
    auction.call(100)
    auction.call(None)
    assert 97 not in auction.bids()
    assert 95 in auction.bids()
    for bid in (95, 90, 85):  # seats 2, 3, 0; seat 1 is out
        auction.call(bid)
    assert auction.turn == 2
    for profile in ("classic", "jiangxi", "tongchengle", "qq"):
        auction = Auction(profile, 2)
        for _ in range(4):
            assert not auction.over
            auction.call(None)
        assert auction.over
        assert auction.standing is None
    auction = Auction("mobile", 1)
    auction.call(None)
    assert auction.calls == [(1, 100)]
    assert max(auction.bids()) == 95
    assert 5 in Auction("jiangxi", 0).bids()
    assert 0 not in Auction("jiangxi", 0).bids()


def test_order() -> None:
    assert next_opener("classic", 2, won=True) == 2
    assert next_opener("classic", 2, won=False) == 3
    assert next_opener("mobile", 2, won=False) == 0


BONUS = [
    ("B01", "qq jiangxi", "BJx2 LJ S7x2", [80], False, 2),
    ("B02", "qq", "BJx2 LJ S7x2", [], False, 0),
    ("B04", "qq", "BJx2 LJ H7x2 S2x2", [80], False, 1),
    ("B07", "classic", "BJ LJx2 S7x2 D7x2 S2x2 C2x2", [100, 80], False, 5),
    ("B08", "jiangxi", "BJ LJx2 S7x2 H7x2 D7x2", [80], False, 6),
    ("B10", "jiangxi", "BJx2 LJx2", [80], False, 0),
    ("B10", "jiangxi", "BJx2 LJx2", [100, 75], False, 3),
    ("B11", "jiangxi", "BJ LJx2 S7x2 H7x2 D7 C7", [80], False, 4),
    ("B14", "jiangxi", "BJx2 LJx2 S7x2", [80], True, 0),
    ("B14", "jiangxi", "BJx2 LJx2 S7x2", [75], True, 3),
    ("B16", "mobile", "BJx2 LJx2 S7x2 H7x2 SAx2 SKx2", [75], False, 5),
    ("B17", "mobile", "BJ LJx2 S7x2 H7x2 SAx2 SKx2", [75], False, 4),
    ("B19", "mobile", "BJ LJx2 S7x2", [75], False, 2),
    ("B20", "classic", "BJ LJx2", [75], False, 1),
]


@pytest.mark.parametrize(("number", "profiles", "pool", "bids", "surrendered", "expected"), BONUS)
def test_bonus(
    number: str, profiles: str, pool: str, bids: list[int], surrendered: bool, expected: int
) -> None:
    for profile in profiles.split():
        assert bonus(profile, parse(pool), bids, "S", surrendered) == expected, (number, profile)


def test_bonus_without_trump_suit() -> None:
    assert bonus("jiangxi", parse("BJ LJx2 S7x2"), [80], "N", False) == 0


def test_bonus_is_paid_by_everybody_else() -> None:
    assert spread("qq", 0, 2) == [6, -2, -2, -2]
    both = [a + b for a, b in zip(play_scores("qq", 0, 80, 75), spread("qq", 0, 2), strict=True)]
    assert both == [12, -4, -4, -4]
    lost = [a + b for a, b in zip(spread("mobile", 0, -1), spread("mobile", 1, 2), strict=True)]
    assert lost == [-4, 5, -1]


JIANGXI_ROWS = [
    ("", 1, 3),
    ("S7x2", 2, 4),
    ("S7x2 H7x2", 3, 5),
    ("S7x2 H7x2 S2x2", 4, 6),
    ("S7x2 H7x2 S2x2 D2x2", 5, 7),
]


@pytest.mark.parametrize(("pool", "three", "four"), JIANGXI_ROWS)
def test_jiangxi_rows_without_extra(pool: str, three: int, four: int) -> None:
    assert bonus("jiangxi", parse("BJ LJx2 " + pool), [5], "S", False) == three
    assert bonus("jiangxi", parse("BJx2 LJx2 " + pool), [5], "S", False) == four


def test_jiangxi_rows_with_several_off_suit_pairs() -> None:
    """Rows of the table, and the extra for six and eight 7s beside them."""
    extra = {2: 2, 3: 4}
    for pairs, without in [("H7x2 D7x2", 4), ("H7x2 D7x2 C7x2", 5)]:
        paid = without + extra[len(pairs.split())]
        assert bonus("jiangxi", parse("BJ LJx2 S7x2 " + pairs), [80], "S", False) == paid
        more = bonus("jiangxi", parse("BJ LJx2 S7x2 S2x2 " + pairs), [80], "S", False)
        assert more == paid + 1


def test_made() -> None:
    assert made(0, 0)
    assert not made(80, 80)
    assert made(80, 79)


def test_levels_and_charm() -> None:
    assert [level_of(score)[0] for score in (149, 150, -10, 9999999)] == [2, 3, 1, 25]
    assert charm("jiangxi", {2}) == [0, 0, -5, 0]
    assert charm("classic", {2}) == [0, 0, 0, 0]


def test_decks() -> None:
    for profile, game in GAMES.items():
        cards = deck(profile)
        assert len(cards) == game.seats * game.hand + game.kitty
        assert points(cards) == 100 * game.copies


def test_levels_of_the_ladder() -> None:
    order = [
        "S3",
        "S4",
        "S5",
        "S6",
        "S8",
        "S9",
        "ST",
        "SJ",
        "SQ",
        "SK",
        "SA",
        "H2",
        "S2",
        "D7",
        "S7",
        "LJ",
        "BJ",
    ]
    assert [level(card, "S") for card in order] == list(range(len(order)))
    assert [level(card, "N") for card in ["H2", "S2", "D7", "S7", "LJ", "BJ"]] == [0, 0, 1, 1, 2, 3]


def test_decomposition() -> None:
    units = decompose(parse("BJ H7x2 D7x2 S2x2 S5 S8x2"), "S")
    assert units == [["S2", "S2", "H7", "H7"], ["D7", "D7"], ["S8", "S8"], ["BJ"], ["S5"]]
