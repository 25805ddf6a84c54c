"""What bot authors and hosts test with.

`play_table` plays bots against each other in one process, with the real rule book and no network;
`python -m erqiwang.testing.bad HOW` is a player that misbehaves on purpose.
"""

from erqiwang.testing.table import play_board, play_table

__all__ = ["play_board", "play_table"]
