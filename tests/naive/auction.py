"""The auction (R-06 to R-10)."""

from naive.cards import GAMES

Call = tuple[int, int | None]


class Auction:
    """Calls made so far, nothing else: everything is worked out from them each time."""

    def __init__(self, profile: str, opener: int) -> None:
        self.profile, self.opener = profile, opener
        self.calls: list[Call] = []

    @property
    def passed(self) -> set[int]:
        return {seat for seat, bid in self.calls if bid is None}

    @property
    def standing(self) -> Call | None:
        bids = [call for call in self.calls if call[1] is not None]
        return bids[-1] if bids else None

    @property
    def over(self) -> bool:
        seats = GAMES[self.profile].seats
        if self.standing is None:
            return len(self.passed) == seats
        return self.standing[1] == GAMES[self.profile].lowest or len(self.passed) == seats - 1

    @property
    def turn(self) -> int | None:
        if self.over:
            return None
        seats = GAMES[self.profile].seats
        if not self.calls:
            return self.opener
        last = self.calls[-1][0]
        return next((last + i) % seats for i in range(1, seats + 1) if (last + i) % seats not in self.passed)

    def bids(self) -> list[int]:
        """The bids that may be made now."""
        game = GAMES[self.profile]
        ceiling = game.highest if self.standing is None else (self.standing[1] or 0) - 5
        return [bid for bid in range(game.highest + 1) if bid % 5 == 0 and game.lowest <= bid <= ceiling]

    def call(self, bid: int | None) -> None:
        """Make the call of the seat whose turn it is; a pass of the opener of `mobile` is a bid of 100."""
        seat = self.turn
        assert seat is not None
        if bid is None and self.profile == "mobile" and not self.calls:
            bid = 100
        self.calls.append((seat, bid))
