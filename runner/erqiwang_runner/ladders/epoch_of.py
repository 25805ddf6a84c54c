"""What makes a tournament an epoch of a ladder."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpochOf:
    """Epoch `number` of a `ladder`, from 0 on.

    `chain` is the published end x_L of the hash chain that the secrets of its epochs come from, in hex, and
    `link` says how many times the secret of this epoch must be hashed to give it; both are None and 0 for
    deals from a seed text.
    """

    ladder: str
    number: int
    chain: str | None = None
    link: int = 0
