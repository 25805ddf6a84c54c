"""Play with bots that stay on their authors' machines: by a public referee that runs already."""

from __future__ import annotations

from collections.abc import Iterator

from erqiwang_runner.referee_address import check, target_of
from erqiwang_runner.tournament_spec import TournamentSpec


def find_referee(place: str) -> str:
    """Give the target of a referee that this process is to dial, "" for referees of our own.

    Raises UsageError if there is none at `place`, or if it cannot be dialled from here.
    """
    target = target_of(place)
    check(target)
    return target


def sessions_needed(spec: TournamentSpec, workers: int) -> Iterator[str]:
    """Say how many processes of each remote bot have to wait in the lobby."""
    own = spec.set.tables * spec.set.columns // spec.set.entries
    for bot in spec.remote:
        yield (
            f"{bot} plays with {own} processes a match, and {workers} matches run at once; "
            "its results are marked as remote (isolation class open)"
        )
