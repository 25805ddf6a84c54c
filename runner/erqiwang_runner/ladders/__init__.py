"""Ladders that run for ever, as a chain of epochs: pure, without a database."""
