"""One player's clock: when it runs, what a decision is charged, when patience ends.

The clock starts when the player goes from owing nothing to owing something and restarts at every accepted
answer. A decision is charged the time from its turn's writing, or from the previous accepted answer if that
came later; the decisions of one message share that time equally. All times are in seconds of the referee's
own time.
"""

from __future__ import annotations


class PlayerClock:
    """The clock of one player; who asks says what the time is."""

    __slots__ = ("_latency_s", "_limit_s", "_since", "charged_s")

    def __init__(self, limit_s: float, latency_s: float) -> None:
        self._limit_s = limit_s
        self._latency_s = latency_s
        self._since: float | None = None
        self.charged_s = 0.0
        """What the player was charged so far, at all its tables."""

    @property
    def is_running(self) -> bool:
        """Whether the player owes a decision."""
        return self._since is not None

    @property
    def since(self) -> float | None:
        """Since when the player is charged; None while it owes nothing."""
        return self._since

    def start(self, now: float) -> None:
        """Start, since the player owes something; a clock that runs already goes on."""
        if self._since is None:
            self._since = now

    def stop(self) -> None:
        """Stop, since the player owes nothing or cannot be blamed for the moment."""
        self._since = None

    def charge(self, written: float, now: float, decisions: int, *, still_owing: bool) -> float:
        """Accept the answers of one message and give what each of them is charged.

        `written` is when the oldest of their turns was sent. The clock restarts, or stops if nothing is owed.
        """
        since = written if self._since is None else max(written, self._since)
        self._since = now if still_owing else None
        seconds = max(0.0, now - since)
        self.charged_s += seconds
        return seconds / decisions

    def deadline(self, bank_s: float | None, owed: int) -> float | None:
        """Tell when the oldest open turn has taken too long, None while nothing is owed.

        `bank_s` is what its table's bank still holds, None without one; it is charged a share of the `owed`
        turns that are open, as if they were answered together.
        """
        if self._since is None:
            return None
        patience = self._limit_s if bank_s is None else min(self._limit_s, bank_s * owed)
        return self._since + patience + self._latency_s

    def is_bank_out(self, bank_s: float | None, owed: int) -> bool:
        """Whether it is the bank, and not the limit for one move, that ends patience first."""
        return bank_s is not None and bank_s * owed < self._limit_s
