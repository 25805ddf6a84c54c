"""Names that a person would take for one another."""

from typing import Final

_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_SAME: Final = str.maketrans("01358i|", "olesbll", "._- ")


def likeness(name: str) -> str:
    """Reduce a name to its looks: equal for names that are easily mistaken for one another.

    Case, separators, digits that look like letters, and pairs of letters that look like one do not count.

    >>> likeness("Deep-Blue") == likeness("deepb1ue")
    True
    >>> likeness("counter") == likeness("c0unter.")
    True
    >>> likeness("turn") == likeness("tum")
    True
    >>> likeness("alpha") == likeness("beta")
    False
    """
    looks = name.casefold().translate(_SAME)
    for pair, single in _PAIRS:
        looks = looks.replace(pair, single)
    return looks
