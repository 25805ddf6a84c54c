"""A contestant is immutable: whatever its play depends on is part of its hash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import erqiwang.bots


def hash_of_counter(packages: Path) -> str:
    code = "from erqiwang_runner.contestants import starter; print(starter('counter').artefact_hash)"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(packages)!r}); {code}"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_a_starter_with_a_changed_companion_is_another_contestant(tmp_path: Path) -> None:
    source = Path(erqiwang.bots.__file__).parents[1]
    shutil.copytree(source, tmp_path / "erqiwang", ignore=shutil.ignore_patterns("__pycache__"))
    before = hash_of_counter(tmp_path)
    companion = tmp_path / "erqiwang" / "bots" / "valuation.py"
    companion.write_text(companion.read_text() + "\n# changed\n")
    assert hash_of_counter(tmp_path) != before
    assert hash_of_counter(source.parent) == before
