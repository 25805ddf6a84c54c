"""What bot authors and hosts test with.

`play_table` plays bots against each other in one process, with the real rule book and no network;
`deal_around` makes a deal with given cards in given hands;
`python -m erqiwang.testing.bad HOW` is a player that misbehaves on purpose.
"""

from erqiwang.testing.dealing import deal_around
from erqiwang.testing.table import play_board, play_table

__all__ = ["deal_around", "play_board", "play_table"]
