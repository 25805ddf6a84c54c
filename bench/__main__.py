"""`python -m bench [rules] [referee] [ratings] [tournament] [internet]`: everything when nothing is named."""

from __future__ import annotations

import importlib
import sys

SUITES = ("rules", "referee", "ratings", "tournament", "internet")


def main(names: list[str]) -> int:
    """Run the named suites."""
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        print(f"bench: no suite {unknown[0]!r}; there are: {', '.join(SUITES)}", file=sys.stderr)
        return 64
    for name in names or SUITES:
        print(f"== {name}")
        importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
