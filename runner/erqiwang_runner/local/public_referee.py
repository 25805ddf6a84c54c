"""Play with bots that stay on their authors' machines: by a public referee that runs here already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from erqiwang_runner.errors import UsageError
from erqiwang_runner.referee_address import TLS, check
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


def find_referee(place: str, entries: Sequence[EntrySpec]) -> str:
    """Give the target of the referee with this socket folder or `tls://` address, "" for referees of our own.

    Raises UsageError if it cannot be dialled, or if there are remote bots and no referee for them to come to.
    """
    remote = [str(entry.contestant) for entry in entries if entry.contestant.remote_token_sha256 is not None]
    if not place:
        if remote:
            raise UsageError(
                f"{remote[0]} comes over the network: run `erqi referee --socket-dir DIR --listen …` "
                "and say --referee DIR"
            )
        return ""
    if place.startswith(TLS):
        check(place)
        return place
    socket = Path(place).absolute() / "match.sock"
    if not socket.is_socket():
        raise UsageError(f"--referee {place}: no referee runs there (there is no match.sock)")
    return f"unix:{socket}"


def sessions_needed(spec: TournamentSpec, workers: int) -> Iterator[str]:
    """Say how many processes of each remote bot have to wait in the lobby."""
    own = spec.set.tables * spec.set.columns // spec.set.entries
    for entry in spec.entries:
        if entry.contestant.remote_token_sha256 is not None:
            yield (
                f"{entry.contestant} plays with {own} processes a match, and {workers} matches run at once; "
                "its results are marked as remote (isolation class open)"
            )
