"""`erqi tournament verify`: an export checked from itself alone."""

import json
from pathlib import Path

from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.verification import verify_export


def run_verify_export(path: Path, *, as_json: bool) -> ExitCode:
    """Print what agrees, what cannot be known, and the first difference."""
    found = verify_export(path)
    print(json.dumps(found.to_object(), indent=2) if as_json else "\n".join(found.lines()))
    return found.exit_code
