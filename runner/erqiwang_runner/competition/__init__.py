"""Competitions: a calendar of phases, submissions of authors, and the tournaments that decide."""
