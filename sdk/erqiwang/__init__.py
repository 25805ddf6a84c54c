"""The published SDK of erqiwang."""
