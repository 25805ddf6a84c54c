"""The command `erqi`."""
