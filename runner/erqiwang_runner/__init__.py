"""The runner: schedule, ratings, store, workers and command line."""
