"""The migrations of the database, applied by `erqi db upgrade`."""
