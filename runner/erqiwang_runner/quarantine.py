"""Whether a host spoils matches more often than its peers: a statistic with a known rate of false alarms.

Of N attempts of all hosts K were bad; host h made n of them and x were bad. If bad attempts strike hosts
without regard, X is hypergeometric, whatever the common rate is, and ::

    P(X ≥ x) = Σ_{i ≥ x} C(K, i) C(N - K, n - i) / C(N, n)

A host stands out if that is below α / (number of hosts). So one look at any number of equal hosts raises a
false alarm with a probability of at most α; looks are made every `LOOK_EVERY` attempts only, so a hundred
thousand attempts see at most half a false alarm. A host alone has no peers and is never quarantined.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Final

ALPHA: Final = 1e-4
"""Probability that one look at equal hosts raises an alarm, at most."""

LOOK_EVERY: Final = 20
"""Ended attempts between two looks."""

WINDOW: Final = 400
"""Latest attempts that a look regards."""

ONE_TROUBLE_S: Final = 60.0
"""Bad attempts of a host that ended so close together are one: matches that a power cut took together."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An ended attempt: where, when, and whether it was bad."""

    host: str
    ended_at: float
    is_bad: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """The attempts of a host, and how many of them were bad."""

    bad: int
    tried: int


def tallies_of(attempts: Iterable[Tried]) -> dict[str, Tally]:
    """Count attempts by host; troubles that belong together count once."""
    found: dict[str, Tally] = {}
    last_bad: dict[str, float] = {}
    for each in sorted(attempts, key=lambda each: (each.ended_at, each.host)):
        if each.is_bad and each.ended_at - last_bad.get(each.host, float("-inf")) < ONE_TROUBLE_S:
            continue
        if each.is_bad:
            last_bad[each.host] = each.ended_at
        before = found.get(each.host, Tally(0, 0))
        found[each.host] = Tally(before.bad + each.is_bad, before.tried + 1)
    return found


def standing_out(tallies: Mapping[str, Tally], alpha: float = ALPHA) -> dict[str, float]:
    """Give the hosts that stand out, with the probability of as many bad attempts by chance.

    >>> tallies = {"a": Tally(12, 40), "b": Tally(1, 200), "c": Tally(0, 160)}
    >>> list(standing_out(tallies))
    ['a']
    """
    bad = sum(each.bad for each in tallies.values())
    tried = sum(each.tried for each in tallies.values())
    if len(tallies) < 2:
        return {}
    chances = {host: tail(tried, bad, each.tried, each.bad) for host, each in sorted(tallies.items())}
    return {host: chance for host, chance in chances.items() if chance < alpha / len(tallies)}


def tail(total: int, bad: int, drawn: int, least: int) -> float:
    """Give the probability that of `drawn` attempts at least `least` are among the `bad` ones of `total`."""
    most = min(bad, drawn)
    ways = sum(comb(bad, each) * comb(total - bad, drawn - each) for each in range(least, most + 1))
    return ways / comb(total, drawn)
