"""A tournament as a file: writing it, reading it, rating from it, and checking every claim in it."""
