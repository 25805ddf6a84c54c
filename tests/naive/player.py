"""A player that knows the rules and nothing else: it makes random legal decisions for every seat."""

from random import Random

from naive.auction import Auction, Call
from naive.cards import GAMES, deck, pairs, trumps_of
from naive.follow import best, legal_follow, legal_lead, of_suit
from naive.order import eff, level, pairs_of, shape, tractors
from naive.settle import surrender_cost
from naive.table import Deal, Options, Record, Table, play_table, run_auction
from naive.throw import is_throw, played_instead


def random_deal(profile: str, rng: Random, lopsided: float = 0.0) -> Deal:
    """Shuffled cards; `lopsided` (0 to 1) sends that share of the constant trumps to the first seats."""
    game, cards = GAMES[profile], deck(profile)
    rng.shuffle(cards)
    if lopsided:
        strong = [card for card in cards if eff(card, "S") == "T" and rng.random() < lopsided]
        rest = list(cards)
        for card in strong:
            rest.remove(card)
        cards = strong + rest
    hands = [sorted(cards[seat * game.hand : (seat + 1) * game.hand]) for seat in range(game.seats)]
    turn = rng.randrange(game.seats)
    hands = hands[turn:] + hands[:turn]
    return Deal(hands, cards[game.seats * game.hand :], rng.randrange(game.seats))


class RandomDecider:
    """Random legal decisions; temper is drawn once for a table so that tables differ from one another."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.eager = rng.choice([0.02, 0.3, 0.7])
        self.yields = rng.choice([0.0, 0.0, 0.3])
        self.bulk = rng.random()
        self.buries = rng.choice(["any", "side", "trump"])

    def auction(self, options: Options, opener: int, number: int) -> list[Call]:
        return run_auction(options, opener, self._call)

    def _call(self, auction: Auction) -> int | None:
        bids = auction.bids()
        if not bids or self.rng.random() > self.eager:
            return None
        return self.rng.choice([bids[-1], self.rng.choice(bids), bids[max(0, len(bids) - 3)]])

    def name_trump(self, table: Table) -> str:
        return self.rng.choice(trumps_of(table.profile))

    def surrenders(self, table: Table, moment: str) -> bool:
        allowed = surrender_cost(table.profile, table.bid, table.options.switches) is not None
        return allowed and self.rng.random() < self.yields

    def bury(self, table: Table) -> list[str]:
        hand = list(table.hands[table.declarer])
        self.rng.shuffle(hand)
        if self.buries != "any":
            trump_first = self.buries == "trump"
            hand.sort(key=lambda card: (eff(card, table.trump) == "T") != trump_first)
        return hand[: GAMES[table.profile].kitty]

    def play(self, table: Table) -> list[str]:
        if not table.plays:
            return self.lead(table)
        return random_follow(table.hands[table.turn], table.plays[0], table.trump, self.rng)

    def lead(self, table: Table) -> list[str]:
        hand, trump, others = table.hands[table.turn], table.trump, table.others(table.turn)
        if table.options.switches.get("throw_rule") == "max_now" and self.rng.random() < 0.5:
            throw = random_throw(hand, trump, self.rng)
            if is_throw(throw, trump):
                return played_instead(throw, others, trump)
        return random_lead(hand, trump, others, self.rng, self.bulk)


def random_throw(hand: list[str], trump: str, rng: Random) -> list[str]:
    """Some trumps, often the highest; perhaps no throw at all."""
    mine = of_suit(hand, "T", trump)
    rng.shuffle(mine)
    if rng.random() < 0.7:
        mine.sort(key=lambda card: level(card, trump), reverse=True)
    return mine[: rng.choice([2, 3, 4, len(mine)])]


def random_lead(hand: list[str], trump: str, others: list[list[str]], rng: Random, bulk: float) -> list[str]:
    """A legal lead; with probability `bulk` of several cards if there are any such."""
    mine = of_suit(hand, "T", trump)
    if len(mine) > 1 and not any(of_suit(other, "T", trump) for other in others) and rng.random() < 0.5:
        throw = rng.sample(mine, rng.randint(2, len(mine)))
        if legal_lead(hand, throw, trump, others):
            return throw
    many = [[card, card] for card in pairs(hand)]
    for suit in sorted({eff(card, trump) for card in hand}):
        chains = tractors(of_suit(hand, suit, trump), trump)
        many += [[card for card in chain for _ in range(2)] for chain in chains]
    if many and rng.random() < bulk:
        longest = max(len(unit) for unit in many)
        return rng.choice([unit for unit in many if len(unit) == longest or rng.random() < 0.5] or many)
    return [rng.choice(hand)]


def random_follow(hand: list[str], lead: list[str], trump: str, rng: Random) -> list[str]:
    """A legal follow."""
    suit = eff(lead[0], trump)
    mine = of_suit(hand, suit, trump)
    if len(mine) <= len(lead):
        rest = [card for card in hand if eff(card, trump) != suit]
        play = mine + rng.sample(rest, len(lead) - len(mine))
    else:
        play = _owed(mine, lead, trump, rng)
    assert legal_follow(hand, lead, play, trump)
    return play


def _owed(mine: list[str], lead: list[str], trump: str, rng: Random) -> list[str]:
    for _ in range(3):
        play = rng.sample(mine, len(lead))
        if legal_follow(mine, lead, play, trump):
            return play
    what = shape(lead, trump)
    assert what is not None
    wanted, play, rest = best(mine, pairs_of(what), trump), [], list(mine)
    for done, length in enumerate(wanted):
        units = [[card] for card in pairs(rest)] if length == 1 else tractors(rest, trump)
        units = [unit for unit in units if len(unit) == length]
        rng.shuffle(units)
        # Only a unit whose loss still leaves the rest of the list.
        for unit in units:
            left = list(rest)
            for card in [*unit, *unit]:
                left.remove(card)
            budget = pairs_of(what) - sum(wanted[: done + 1])
            if [length, *best(left, budget, trump)] >= wanted[done:]:
                break
        play += [*unit, *unit]
        rest = left
    play += rng.sample(rest, len(lead) - len(play))
    return play


def play_random_table(
    profile: str,
    deal: Deal | None,
    rng: Random,
    *,
    redeals: list[Deal] | None = None,
    room: int = 1,
    pass_out: str = "zero",
    switches: dict[str, str] | None = None,
    rules_version: str = "1.0.0",
) -> Record:
    """A complete valid record; the cards are dealt at random where none are given."""
    first = deal or random_deal(profile, rng, rng.choice([0.0, 0.0, 0.5, 0.9]))
    more = redeals or [random_deal(profile, rng) for _ in range(3)]
    options = Options(profile, switches or {}, room, pass_out, rules_version)
    return play_table(options, [first, *more], RandomDecider(rng))
