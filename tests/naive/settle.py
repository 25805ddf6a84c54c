"""What a deal is worth: multipliers, tiers, surrender, kitty and bonus, one profile after the other."""

from naive.cards import GAMES, JOKERS, SUITS, pairs
from naive.follow import of_suit
from naive.order import decompose, eff, pairs_of, shape

JIANGXI = ("jiangxi", "jiangxi-92", "jiangxi-3p")
CLASSIC = ("classic", "tongchengle")


def bid_multiplier(profile: str, bid: int) -> int:
    """叫分倍数."""
    bands = {
        "classic": [(85, 1), (45, 2), (5, 4), (0, 8)],
        "tongchengle": [(85, 1), (45, 2), (5, 4), (0, 8)],
        "classic-1deck": [(45, 1), (25, 2), (5, 4), (0, 8)],
        "mobile": [(75, 1), (45, 2), (5, 3), (0, 4)],
        "jiangxi": [(85, 1), (45, 2), (5, 4)],
        "jiangxi-92": [(85, 1), (45, 2), (5, 4)],
        "jiangxi-3p": [(85, 1), (45, 2), (5, 4)],
        "qq": [(85, 1), (45, 2), (5, 3), (0, 4)],
    }
    # Below the last floor there is no bid; tampered records get there all the same.
    return next((value for floor, value in bands[profile] if bid >= floor), bands[profile][-1][1])


def made(bid: int, points: int) -> bool:
    """R-45."""
    return points < bid or (bid == 0 and points == 0)


def tier(profile: str, bid: int, points: int, switches: dict[str, str]) -> int:
    """档: how many steps the result is worth (R-41, R-43, R-44, R-46 to R-49)."""
    steps = abs(points - bid) // (20 if profile == "classic-1deck" else 40) + 1
    shut_out, small = 3 if points == 0 else 0, 15 if profile == "classic-1deck" else 30
    if profile == "qq":
        return steps
    if profile in JIANGXI:
        if made(bid, points):
            return shut_out or (2 if points <= 30 else 1)
        return 1 if points - bid < 40 else 2 if points - bid < 80 else 3
    if not made(bid, points):
        return steps
    if profile == "mobile":
        return _mobile_tier(bid, points, switches)
    if switches.get("win_tier_000") == "formula":
        return steps
    return max(steps, shut_out or (2 if points <= small else 1))


def _mobile_tier(bid: int, points: int, switches: dict[str, str]) -> int:
    if points == 0:
        return 3
    if bid <= 40 and points <= bid / 2:
        return int(switches.get("special_001", "3"))
    if bid >= 75:
        return 2 if points < 40 else 1
    if points <= bid / 2:
        return 2
    return 2 if (bid, points) == (70, 40) and switches.get("cell_70_40_001") != "normal" else 1


def play_scores(
    profile: str, declarer: int, bid: int, points: int, room: int = 1, switches: dict[str, str] | None = None
) -> list[int]:
    """The result of play by seat."""
    unit = bid_multiplier(profile, bid) * tier(profile, bid, points, switches or {}) * room
    return spread(profile, declarer, unit if made(bid, points) else -unit)


def spread(profile: str, seat: int, unit: int) -> list[int]:
    """`unit` from every other seat to this one."""
    seats = GAMES[profile].seats
    return [unit * (seats - 1) if other == seat else -unit for other in range(seats)]


def surrender_cost(profile: str, bid: int, switches: dict[str, str]) -> int | None:
    """What each defender gets (R-34, R-35); None if it is not allowed."""
    if profile in JIANGXI:
        normal = {"jiangxi": 85, "jiangxi-92": 75, "jiangxi-3p": 70}[profile]
        return 1 if bid >= normal else 2 if bid >= 45 else 3
    floors = {"classic": 85, "tongchengle": 85, "classic-1deck": 45, "mobile": 75}
    if switches.get("surrender_004", "false") != "false":
        floors["qq"] = 85
    return 1 if profile in floors and bid >= floors[profile] else None


def needs_trump(profile: str, switches: dict[str, str]) -> bool:
    """R-37, with the switches of the two silent documents."""
    switch = {"mobile": "kitty_trump_001", "qq": "kitty_trump_004"}.get(profile, "")
    return switches.get(switch, "true") == "true"


def kitty_multiplier(
    profile: str, by_defender: bool, play: list[str], trump: str, switches: dict[str, str]
) -> int:
    """R-37 to R-39b: 0 if the kitty is not captured."""
    if not by_defender:
        return 0
    if eff(play[0], trump) != "T" and needs_trump(profile, switches):
        return 0
    unit = shape(decompose(play, trump)[0], trump)
    assert unit is not None
    doubles = pairs_of(unit)
    if profile == "mobile":
        return 1
    if profile in JIANGXI:
        return [2, 4, 8][min(doubles, 2)]
    return 2**doubles


def next_opener(profile: str, declarer: int, won: bool) -> int:
    """R-05, R-36."""
    return declarer if won else (declarer + 1) % GAMES[profile].seats


# ---------------------------------------------------------------------------------------------------- 冲关


def bonus(
    profile: str,
    pool: list[str],
    own_bids: list[int],
    trump: str,
    surrendered: bool,
    switches: dict[str, str] | None = None,
) -> int:
    """What every other seat pays the holder of the pool (R-50 to R-59); `surrendered`: he did himself."""
    jokers = sum(card in JOKERS for card in pool)
    if trump == "N" or jokers < 3 or not own_bids:
        return 0
    if profile in JIANGXI and min(own_bids) > (80 if jokers == 3 else 75):
        return 0
    if surrendered:
        return 1 if jokers == 3 else 3
    if profile in JIANGXI:
        return _jiangxi_bonus(pool, trump, jokers)
    if profile == "mobile":
        return _mobile_bonus(pool, trump, jokers, switches or {})
    first = 1 if jokers == 3 else 3
    return first + _links(pool, trump)


def _kinds(pool: list[str], trump: str) -> tuple[bool, int, bool, int]:
    """正7 pair, number of 负7 pairs, 正2 pair, number of 负2 pairs."""
    have = pairs(pool)
    others = [suit for suit in SUITS if suit != trump]
    return (
        trump + "7" in have,
        sum(suit + "7" in have for suit in others),
        trump + "2" in have,
        sum(suit + "2" in have for suit in others),
    )


def _links(pool: list[str], trump: str) -> int:
    """Length of the chain 正7, 负7, 正2, 负2 up to the first missing link."""
    links = 0
    for there in _kinds(pool, trump):
        if not there:
            break
        links += 1
    return links


def _jiangxi_bonus(pool: list[str], trump: str, jokers: int) -> int:
    right7, off7, right2, off2 = _kinds(pool, trump)
    value = 1 if jokers == 3 else 3
    if right7:
        value += 1 + off7
        if off7 and right2:
            value += 1 + off2
    for rank in ("2", "7"):
        cards = [card for card in pool if card not in JOKERS and card[1] == rank]
        if len(cards) == 6:
            value += 2 if len(pairs(cards)) == 3 else 1
        elif len(cards) > 6:
            value += len(cards) - 4
    return value


def _mobile_bonus(pool: list[str], trump: str, jokers: int, switches: dict[str, str]) -> int:
    right7, off7, right2, off2 = _kinds(pool, trump)
    a, b, c, d = right7, off7 >= 1, right2, off2 >= 1
    if switches.get("bonus_001_extra") == "kinds":
        return _mobile_bonus_by_kinds(jokers, right7, off7, right2, off2)
    trump_pairs = len([card for card in pairs(of_suit(pool, "T", trump)) if card not in JOKERS])
    side_pairs = len([card for card in pairs(pool) if eff(card, trump) != "T"])
    everything = a and b and c and d and trump_pairs - 4 >= 3 and side_pairs >= 3
    rows = [
        (True, 1, 3),
        (a, 2, 4),
        (a and b, 3, 5),
        (a and b and c, 4, 6),
        (a and b and trump_pairs - 2 >= 2, 4, 5),
        (a and b and c and d, 5, 7),
        (a and b and c and trump_pairs - 3 >= 2, 5, 6),
        (everything, 9, 10),
    ]
    return max(three if jokers == 3 else four for satisfied, three, four in rows if satisfied)


def _mobile_bonus_by_kinds(jokers: int, right7: bool, off7: int, right2: bool, off2: int) -> int:
    """The other reading: 主牌2对 is a second 负7 pair, the last row asks for all eight kinds of pairs."""
    links = 0 if not right7 else 1 if not off7 else 2 if not right2 else 3 if not off2 else 4
    values = [links + (1 if jokers == 3 else 3)]
    if right7 and off7 >= 2:
        with_two = right2
        values.append({3: 4, 4: 5}[jokers] + with_two)
    if right7 and off7 == 3 and right2 and off2 == 3:
        values.append({3: 9, 4: 10}[jokers])
    return max(values)


# -------------------------------------------------------------------------------------------------- conduct


def charm(profile: str, left: set[int]) -> list[int]:
    """R-73: only the documents of `jiangxi` keep the ledger."""
    return [-5 if profile in JIANGXI and seat in left else 0 for seat in range(GAMES[profile].seats)]


LEVELS = [
    (0, "庶民"),
    (75, "秀才"),
    (150, "九品芝官"),
    (225, "八品县丞"),
    (450, "七品知县"),
    (800, "六品通判"),
    (1325, "五品知州"),
    (2100, "四品知府"),
    (2875, "三品侍郎"),
    (4000, "二品巡抚"),
    (6575, "一品总督"),
    (10300, "宰相"),
    (16500, "郡王"),
    (23500, "亲王"),
    (35750, "皇帝"),
    (53500, "准提道人"),
    (85750, "接引道人"),
    (135000, "通天教主"),
    (217500, "元始天尊"),
    (335500, "太上老君"),
    (527550, "菩提祖师"),
    (858500, "斗战圣佛"),
    (1495000, "如来佛祖"),
    (4695000, "万佛至尊"),
    (9999999, "二七王神"),
]


def level_of(score: int) -> tuple[int, str]:
    """R-75: number and name of the level of a cumulative score."""
    reached = [(number, name) for number, (floor, name) in enumerate(LEVELS, start=1) if score >= floor]
    return reached[-1] if reached else (1, LEVELS[0][1])
