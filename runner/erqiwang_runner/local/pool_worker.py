"""A worker process of the local pool: `python -m … PIPE DIRECTORY PARENT`."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from erqiwang_runner.errors import RunnerError
from erqiwang_runner.launcher.death_signal import die_with_parent
from erqiwang_runner.local.pool_messages import MatchFailed, MatchPlayed, PoolMessage, SetPlayed
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.stage import Stage


def main() -> None:
    """Play claims until the pipe closes."""
    descriptor, directory, parent = int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    # The pool ends us: a terminal's Ctrl-C is none of our business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave = _Leave()
    signal.signal(signal.SIGTERM, leave)
    die_with_parent(parent, signal.SIGTERM)
    pipe: Connection[PoolMessage, MatchClaim] = Connection(descriptor)
    stage = Stage(directory)
    try:
        while True:
            pipe.send(_play(pipe.recv(), stage, pipe))
    except (EOFError, ConnectionError):
        pass
    finally:
        leave.is_asked = True
        stage.close()


def _play(
    claim: MatchClaim, stage: Stage, pipe: Connection[PoolMessage, MatchClaim]
) -> MatchPlayed | MatchFailed:
    # It imports gRPC, which must not be there before the launcher is.
    from erqiwang_runner.match_runner import MatchRun

    run = MatchRun(claim, stage, lambda played: pipe.send(SetPlayed(played)), follow=pipe.send)
    try:
        faults = run.play()
    except RunnerError as error:
        return MatchFailed(claim, str(error), run.faults(), run.said())
    except Exception as error:
        return MatchFailed(claim, f"{type(error).__name__}: {error}", run.faults(), run.said())
    return MatchPlayed(claim, faults, run.said(), run.start_times_s())


class _Leave:
    """Raises SystemExit in the main thread, once."""

    def __init__(self) -> None:
        self.is_asked = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if not self.is_asked:
            self.is_asked = True
            sys.exit(0)


if __name__ == "__main__":
    main()
