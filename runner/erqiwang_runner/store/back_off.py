"""How long a failed match waits: the longer the more often it failed, and never as long as its neighbour."""

import hashlib
from typing import Final

FIRST_S: Final = 1.0
LONGEST_S: Final = 60.0
AT_ONCE: Final = 1
"""So many failures in a row are tried again at once: a worker died, and others wait for work."""


def wait_s(match_id: int, failures: int, *, many: bool = False) -> float:
    """Give the wait after so many failures in a row, in [½, 3/2] of 1, 2, 4, … s and at most 90 s.

    Where `many` attempts fail at the moment the first failure waits, too. The jitter comes from the match and
    the failure: two coordinators reckon the same.
    """
    doublings = failures - AT_ONCE - (0 if many else 1)
    if failures == 0 or doublings < 0:
        return 0.0
    digest = hashlib.sha256(f"{match_id}/{failures}".encode()).digest()
    jitter = 0.5 + int.from_bytes(digest[:4], "big") / (1 << 32)
    return jitter * min(LONGEST_S, FIRST_S * 2.0**doublings)
