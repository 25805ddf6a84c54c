"""Telling other programs what happens: events by HTTP, signed, delivered at least once."""
