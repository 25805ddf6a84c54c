"""The phases of the declarer: trump is named, then cards are buried (R-11 to R-15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from erqiwang.rules.action import Action, Bury, NameTrump, Surrender
from erqiwang.rules.card import Card
from erqiwang.rules.choice import SURRENDER_ONE_IN, BuryChoice, TrumpChoice
from erqiwang.rules.contract import Contract
from erqiwang.rules.event import Buried, Event, Surrendered, TrumpNamed
from erqiwang.rules.fault import FaultPoint
from erqiwang.rules.finished import Finished, finish_surrendered
from erqiwang.rules.order import Order, order_for
from erqiwang.rules.playing import Hands, Playing, start_of_play
from erqiwang.rules.profile import Profile
from erqiwang.rules.surrendering import verify_surrender
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import Phase, Turn, TurnKind
from erqiwang.rules.view import SeatView
from erqiwang.rules.violation import Reason, RuleViolation


@dataclass(frozen=True, slots=True)
class Naming:
    """The declarer has the kitty in hand and is to name trump."""

    contract: Contract

    @property
    def phase(self) -> Phase:
        """The phase, for every state alike."""
        return Phase.TRUMP

    @property
    def profile(self) -> Profile:
        """The profile of the table."""
        return self.contract.table.profile

    @property
    def turn(self) -> Turn:
        """The declarer's turn."""
        return Turn(self.contract.declarer, TurnKind.NAME_TRUMP, False)

    @property
    def at(self) -> FaultPoint:
        """Where in the table it is."""
        return FaultPoint(Phase.TRUMP)

    @property
    def may_surrender(self) -> bool:
        """Not before trump is named (R-33)."""
        return False

    @property
    def choice(self) -> TrumpChoice:
        """The decision of the declarer."""
        return TrumpChoice(self.profile, self.contract.declarer_cards)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's cards, ascending by number."""
        return tuple(sorted(self.contract.hands[seat]))

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see."""
        return self.contract.view(seat)

    def random_action(self, below: Callable[[int], int]) -> NameTrump:
        """Return some legal action."""
        return self.choice.random(below)

    def act(self, seat: int, action: Action) -> tuple[Burying, tuple[Event, ...]]:
        """Return the state after trump is named; raise `RuleViolation`."""
        if isinstance(action, Surrender):
            detail = "surrender begins when trump is named"
            raise RuleViolation(Reason.SURRENDER_NOT_ALLOWED, detail, ruling="R-33")
        if not isinstance(action, NameTrump):
            detail = "the table waits for the declarer to name trump"
            raise RuleViolation(Reason.WRONG_PHASE, detail, ruling="R-12")
        if seat != self.contract.declarer:
            detail = f"seat {self.contract.declarer} is to name trump"
            raise RuleViolation(Reason.OUT_OF_TURN, detail, ruling="R-12")
        self.choice.verify(action.trump)
        contract = self.contract
        order = order_for(self.profile, action.trump)
        hands = tuple(map(order.masks, contract.hands))
        return Burying(contract, order, hands), (TrumpNamed(action.trump),)


@dataclass(frozen=True, slots=True)
class Burying:
    """Trump is named; the declarer is to bury, or may surrender where the bid allows it."""

    contract: Contract
    order: Order
    """The order of the cards under the named trump."""
    hands: Hands

    @property
    def phase(self) -> Phase:
        """The phase, for every state alike."""
        return Phase.BURY

    @property
    def profile(self) -> Profile:
        """The profile of the table."""
        return self.contract.table.profile

    @property
    def turn(self) -> Turn:
        """The declarer's turn."""
        return Turn(self.contract.declarer, TurnKind.BURY, self.contract.may_surrender)

    @property
    def at(self) -> FaultPoint:
        """Where in the table it is."""
        return FaultPoint(Phase.BURY)

    @property
    def may_surrender(self) -> bool:
        """Whether the bid allows surrender instead of burying (R-33, R-34)."""
        return self.contract.may_surrender

    @property
    def choice(self) -> BuryChoice:
        """The decision of the declarer."""
        once, twice = self.hands[self.contract.declarer]
        return BuryChoice(self.order, once, twice, self.profile.kitty_size)

    @property
    def trump(self) -> Trump:
        """The named trump."""
        return self.order.trump

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's cards, ascending by number."""
        return tuple(sorted(self.contract.hands[seat]))

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see."""
        view = self.contract.view(seat)
        view.observe(TrumpNamed(self.trump))
        return view

    def random_action(self, below: Callable[[int], int]) -> Bury | Surrender:
        """Return some legal action."""
        if self.may_surrender and not below(SURRENDER_ONE_IN):
            return Surrender()
        return self.choice.random(below)

    def act(self, seat: int, action: Action) -> tuple[Playing | Finished, tuple[Event, ...]]:
        """Return the state after cards are buried, or after a surrender; raise `RuleViolation`."""
        contract = self.contract
        if isinstance(action, Surrender):
            verify_surrender(contract, seat, self.turn)
            finished = finish_surrendered(contract, self.trump, None)
            return finished, (Surrendered(), finished.settled)
        if not isinstance(action, Bury):
            raise RuleViolation(Reason.WRONG_PHASE, "the table waits for the declarer to bury", ruling="R-12")
        if seat != contract.declarer:
            raise RuleViolation(Reason.OUT_OF_TURN, f"seat {contract.declarer} is to bury", ruling="R-12")
        left = self.choice.verify(action.cards)
        hands = (*self.hands[:seat], left, *self.hands[seat + 1 :])
        playing, events = start_of_play(contract, self.order, action.cards, hands)
        return playing, (Buried(), *events)
