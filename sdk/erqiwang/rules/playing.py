"""The phase of the tricks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from erqiwang.rules.action import Action, Play, Surrender
from erqiwang.rules.announcement import all_others_void, announce
from erqiwang.rules.card import Card
from erqiwang.rules.choice import SURRENDER_ONE_IN
from erqiwang.rules.contract import Contract
from erqiwang.rules.event import Announced, Buried, Event, Played, Surrendered, TrickWon, TrumpNamed
from erqiwang.rules.fault import FaultPoint
from erqiwang.rules.finished import Finished, finish_played, finish_surrendered
from erqiwang.rules.follow import verify_follow
from erqiwang.rules.lead import verify_lead
from erqiwang.rules.order import NO_FACE, Order
from erqiwang.rules.position import Position, random_follow, random_lead
from erqiwang.rules.profile import Profile, ThrowRule
from erqiwang.rules.record import Announcement, Trick
from erqiwang.rules.settlement import captured_points, kitty_multiplier
from erqiwang.rules.shape import Shape, ShapeKind, shape_of
from erqiwang.rules.surrendering import verify_surrender
from erqiwang.rules.throwing import beaten_unit
from erqiwang.rules.turn import Phase, Turn, TurnKind
from erqiwang.rules.view import SeatView
from erqiwang.rules.violation import Reason, RuleViolation

Hands: TypeAlias = tuple[tuple[int, int], ...]
"""For each seat the types it holds and the types it holds twice."""


@dataclass(frozen=True, slots=True)
class Game:
    """What stays the same while the tricks of a table are played."""

    contract: Contract
    order: Order
    buried: tuple[Card, ...]
    seats: int
    declarer: int
    void_reports: int
    tractor_owed: bool
    may_always_throw: bool


def game_of(contract: Contract, order: Order, buried: tuple[Card, ...]) -> Game:
    """Return the game that begins when the declarer has buried."""
    profile = contract.table.profile
    return Game(
        contract,
        order,
        buried,
        profile.seats,
        contract.declarer,
        profile.void_reports,
        profile.tractor_owed,
        profile.throw_rule is ThrowRule.MAX_NOW,
    )


class Playing(NamedTuple):
    """Tricks are being played. Immutable, as every state; a tuple because one is made for every play.

    `hands` are in the bits of the order. `turn` says who is to lead or follow; the declarer may still
    surrender before the first lead (R-33). The fields from `plays` to `points` belong to the current trick:
    the plays so far, the shape of the lead, the strength and the seat of the winning play, the card points.
    """

    game: Game
    hands: Hands
    turn: Turn
    plays: tuple[tuple[Card, ...], ...] = ()
    lead: Shape | None = None
    strength: int = 0
    winner: int = 0
    points: int = 0
    announcements: tuple[Announcement, ...] = ()
    tricks: tuple[Trick, ...] = ()
    defender_points: int = 0

    @property
    def phase(self) -> Phase:
        """The phase, for every state alike."""
        return Phase.PLAY

    @property
    def profile(self) -> Profile:
        """The profile of the table."""
        return self.game.contract.table.profile

    @property
    def seat(self) -> int:
        """The seat in turn."""
        return self.turn.seat

    @property
    def may_surrender(self) -> bool:
        """Whether the declarer may surrender instead of the first lead (R-33, R-34)."""
        return self.turn.may_surrender

    @property
    def at(self) -> FaultPoint:
        """Where in the table it is."""
        return FaultPoint(Phase.PLAY, len(self.tricks), len(self.plays))

    @property
    def leader(self) -> int:
        """The seat that leads the current trick."""
        return (self.seat - len(self.plays)) % self.game.seats

    @property
    def void_seats(self) -> tuple[int, ...]:
        """The seats that were announced void of trump."""
        return self.announcements[-1].void_seats if self.announcements else ()

    @property
    def may_throw(self) -> bool:
        """Whether a lead may be a throw of trumps now (R-30)."""
        game, announcements = self.game, self.announcements
        if game.may_always_throw or not announcements:
            return game.may_always_throw
        return all_others_void(announcements[-1].void_seats, self.turn.seat, game.seats)

    @property
    def choice(self) -> Position:
        """The decision of the seat in turn."""
        game, hands, turn, _, lead, _, _, _, _, _, _ = self
        once, twice = hands[turn.seat]
        fields = (game.order, once, twice, lead, lead is None and self.may_throw, game.tractor_owed)
        return _new(Position, fields)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's cards, ascending by number."""
        return tuple(sorted(self.game.order.cards_of(*self.hands[seat])))

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see."""
        game = self.game
        view = game.contract.view(seat)
        view.observe(TrumpNamed(game.order.trump))
        if seat == game.declarer:
            view.bury(game.buried)
        view.observe(Buried())
        last = self.announcements[-1] if self.announcements else None
        view.resume(
            self.hand(seat), self.seat, self.tricks, self.plays, self.lead, last, self.defender_points
        )
        return view

    def random_action(self, below: Callable[[int], int]) -> Play | Surrender:
        """Return some legal action."""
        game, hands, turn, _, lead, _, _, _, announcements, _, _ = self
        once, twice = hands[turn.seat]
        if lead is not None:
            if lead.size == 1:
                legal = once & lead.mask or once
                for _ in range(below(legal.bit_count())):
                    legal &= legal - 1  # without its lowest card
                return game.order.plays[legal & -legal]
            return random_follow(game.order, once, twice, lead, game.tractor_owed, below)
        if turn.may_surrender and not below(SURRENDER_ONE_IN):
            return Surrender()
        may_throw = self.may_throw if announcements else game.may_always_throw
        return random_lead(game.order, once, twice, may_throw, below)

    def act(self, seat: int, action: Action) -> tuple[Playing | Finished, tuple[Event, ...]]:
        """Return the state after an action and what it made public; raise `RuleViolation`."""
        game, hands, turn, plays, lead, strength, winner, points, announcements, tricks, captured = self
        if seat != turn.seat or type(action) is not Play:
            return self._act_otherwise(seat, action)
        order, cards = game.order, action.cards
        once, twice = hands[seat]
        if len(cards) == 1 and (lead is None or lead.size == 1):
            # The usual play, judged here without a call; one that is wrong is judged again, for the reason.
            played, reached, worth, shape = order.faces.get(cards[0], NO_FACE)
            if not played & once or not (lead is None or played & lead.mask or not once & lead.mask):
                self._refuse(cards)
            if lead is None:
                lead, strength, winner = shape, reached, seat
            elif reached > strength and played & lead.contest:
                strength, winner = reached, seat
            left = (once, twice ^ played) if twice & played else (once ^ played, twice)
            points += worth
            events = _PLAYED[seat][cards[0]]
        else:
            lead, played, doubled, reached, instead = self._judge(cards)
            if instead:
                state, events = self.act(seat, Play(instead))
                return state, (Played(seat, instead, cards), *events[1:])
            if reached > strength or not plays:
                strength, winner = reached, seat
            left = once & ~played | twice & played & ~doubled, twice & ~played
            points += order.points(played, doubled)
            events = (Played(seat, cards),)
        after = [*hands]
        after[seat] = left
        hands = tuple(after)
        plays += (cards,)
        if played & order.trumps and left[0] and (announcements or not left[0] & order.trumps):
            report = _report(game, hands, seat, announcements, len(tricks), len(plays))
            if report is not None:
                announcements += (report,)
                events += (Announced(report.void_seats, report.trumps),)
        if len(plays) < game.seats:
            turn = _TURNS[(seat + 1) % game.seats]
            now = game, hands, turn, plays, lead, strength, winner, points, announcements, tricks, captured
            return _new(Playing, now), events
        tricks += (_new(Trick, ((seat + 1) % game.seats, plays, winner)),)
        events += (_TRICK_WON[winner][points],)
        if winner != game.declarer:
            captured += points
        if not left[0]:
            return _finish(game, tricks, announcements, captured, events)
        now = game, hands, _TURNS[winner], (), None, 0, 0, 0, announcements, tricks, captured
        return _new(Playing, now), events

    def _judge(self, cards: tuple[Card, ...]) -> tuple[Shape, int, int, int, tuple[Card, ...]]:
        """Judge any play of the seat in turn; raise `RuleViolation`.

        Return the shape of the lead, the types and the pairs played, their strength, and for a throw that
        another hand beats the cards that are led instead.
        """
        game, lead = self.game, self.lead
        order, (once, twice) = game.order, self.hands[self.turn.seat]
        if lead is None:
            may_throw = len(cards) > 1 and self.may_throw
            lead, played, doubled = verify_lead(order, once, twice, may_throw, cards)
            is_doubtful = game.may_always_throw and lead.kind is ShapeKind.THROW
            instead = self._beaten_unit(played, doubled) if is_doubtful else ()
            return lead, played, doubled, lead.strength, instead
        played, doubled = verify_follow(order, once, twice, lead, game.tractor_owed, cards)
        return lead, played, doubled, strength_of(order, lead, played, doubled), ()

    def _refuse(self, cards: tuple[Card, ...]) -> NoReturn:
        """Say why a play of the seat in turn is illegal."""
        violation = self.choice.violation(cards)
        assert violation is not None
        raise violation

    def _act_otherwise(self, seat: int, action: Action) -> tuple[Finished, tuple[Event, ...]]:
        """Surrender, or refuse what is neither that nor a play of the seat in turn."""
        contract = self.game.contract
        if isinstance(action, Surrender):
            verify_surrender(contract, seat, self.turn)
            game = self.game
            finished = finish_surrendered(contract, game.order.trump, game.buried, self.announcements)
            return finished, (Surrendered(), finished.settled)
        if not isinstance(action, Play):
            raise RuleViolation(Reason.WRONG_PHASE, "the table waits for cards to be played")
        raise RuleViolation(Reason.OUT_OF_TURN, f"seat {self.seat} is to play")

    def _beaten_unit(self, led: int, doubled: int) -> tuple[Card, ...]:
        """Return the unit of a throw that must be led instead, if another hand beats any (`throw_rule`)."""
        order = self.game.order
        others = [hand for seat, hand in enumerate(self.hands) if seat != self.seat]
        return order.cards_of(*beaten_unit(order, led, doubled, others))


_TURNS = tuple(Turn(seat, TurnKind.PLAY, False) for seat in range(4))


# Events that almost every play needs, made once.
_PLAYED: tuple[dict[Card, tuple[Event, ...]], ...] = tuple(
    {card: (Played(seat, (card,)),) for card in Card} for seat in range(4)
)
_TRICK_WON = tuple({points: TrickWon(seat, points) for points in range(0, 201, 5)} for seat in range(4))


# Quicker than the class itself, which would be called for every play.
_new = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def strength_of(order: Order, lead: Shape, played: int, doubled: int) -> int:
    """Return the strength of a play of several cards, 0 if it cannot win (R-68, R-69)."""
    if not lead.pairs or played != doubled or played & ~lead.contest:
        return 0
    shape = shape_of(order, played, doubled)
    return 0 if shape is None else shape.strength


def start_of_play(
    contract: Contract, order: Order, buried: tuple[Card, ...], hands: Hands
) -> tuple[Playing, tuple[Event, ...]]:
    """Begin the tricks; the declarer leads, void seats are announced first (R-32)."""
    game = game_of(contract, order, buried)
    playing = Playing(game, hands, Turn(contract.declarer, TurnKind.PLAY, contract.may_surrender))
    if all(once & order.trumps for once, _ in hands):
        return playing, ()
    report = announce(hands, order.trumps, game.void_reports, 0, 0)
    return playing._replace(announcements=(report,)), (Announced(report.void_seats, report.trumps),)


def _report(
    game: Game, hands: Hands, seat: int, announcements: tuple[Announcement, ...], trick: int, play: int
) -> Announcement | None:
    """Return what is announced after a seat played trumps, if anything changed (R-32)."""
    void = announcements[-1].void_seats if announcements else ()
    trumps = game.order.trumps
    if hands[seat][0] & trumps and len(void) < game.void_reports:
        return None
    return announce(hands, trumps, game.void_reports, trick, play)


def _finish(
    game: Game,
    tricks: tuple[Trick, ...],
    announcements: tuple[Announcement, ...],
    points: int,
    events: tuple[Event, ...],
) -> tuple[Finished, tuple[Event, ...]]:
    """Count the kitty and settle (R-37 to R-40)."""
    last = tricks[-1]
    winning = last.plays[(last.winner - last.leader) % game.seats]
    profile = game.contract.table.profile
    multiplier = kitty_multiplier(profile, game.order, winning, last.winner != game.declarer)
    points += captured_points(multiplier, game.buried)
    finished = finish_played(
        game.contract, game.order.trump, game.buried, tricks, announcements, points, multiplier
    )
    return finished, (*events, finished.settled)
