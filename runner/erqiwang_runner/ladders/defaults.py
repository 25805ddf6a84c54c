"""What a ladder is if nothing else is said."""

from typing import Final

EPOCH_SETS: Final = 600
"""Board sets of an epoch, about."""

VALIDATION_BOARDS: Final = 6
VALIDATION_HOURS: Final = 24.0
