"""`python -m erqiwang_referee`: one referee process."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys

from erqiwang_referee.errors import SettingsError
from erqiwang_referee.server import serve
from erqiwang_referee.settings import Settings

EXIT_USAGE = 64


def main() -> int:
    """Read the settings and serve; gives the exit code."""
    try:
        settings = Settings.read(sys.argv[1:], os.environ)
        logging.basicConfig(
            stream=sys.stderr,
            level=settings.log_level,
            format="%(asctime)s %(levelname)s %(name)s %(message)s",
        )
        _quieten_collector()
        asyncio.run(serve(settings))
    except SettingsError as error:
        print(f"erqiwang_referee: {error}", file=sys.stderr)
        return EXIT_USAGE
    return 0


def _quieten_collector() -> None:
    """Collect garbage seldom: tables in flight are many objects and no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


if __name__ == "__main__":
    sys.exit(main())
