"""`python -m bench [SUITE...]`: without names all but the long ones."""

from __future__ import annotations

import importlib
import sys

SUITES = ("rules", "referee", "ratings")
LONG_SUITES = ("tournament", "internet")


def main(names: list[str]) -> int:
    """Run the named suites."""
    known = (*SUITES, *LONG_SUITES)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"bench: no suite {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 64
    for name in names or SUITES:
        print(f"== {name}")
        importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
