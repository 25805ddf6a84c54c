"""The tasks of the queue: decode, call, nothing else."""

import os
from functools import cache
from typing import Any

from celery.signals import worker_process_init, worker_process_shutdown  # pyright: ignore[reportMissingTypeStubs]

from erqiwang_runner.celery_app import PLAY_MATCH, app
from erqiwang_runner.launcher.death_signal import die_with_parent
from erqiwang_runner.settings import Settings
from erqiwang_runner.worker_child import WORKER_PID, WorkerChild


@app.task(name=PLAY_MATCH)
def play_match(match_id: int) -> None:
    """Play what is unfinished of a match, if nobody else does."""
    _child().play(match_id)


@cache
def _child() -> WorkerChild:
    """Give what this process, a child of the worker, keeps between its matches."""
    return WorkerChild(Settings.from_environment())


@worker_process_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _begin(**_: Any) -> None:
    die_with_parent(int(os.environ[WORKER_PID]))
    # The launcher must be there before anything imports gRPC.
    _child()


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _end(**_: Any) -> None:
    _child().close()
