"""The store: tournaments, plan, claims and results as rows of SQLite or PostgreSQL."""
