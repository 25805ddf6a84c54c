"""A worker process: `python -m erqiwang_runner.worker PARENT NUMBER`, started by the supervisor."""

import os
import sys

from erqiwang_runner.launcher.death_signal import die_with_parent
from erqiwang_runner.worker_child import WORKER_PID


def main() -> None:
    """Run a Celery worker with one child."""
    parent, number = sys.argv[1:]
    die_with_parent(int(parent))
    os.environ[WORKER_PID] = str(os.getpid())

    from erqiwang_runner.celery_app import app

    app.worker_main(
        [
            "worker",
            "--pool=prefork",
            "--concurrency=1",
            f"--hostname=erqi-{number}-{os.getpid()}@%h",
            "--loglevel=INFO",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )


if __name__ == "__main__":
    main()
