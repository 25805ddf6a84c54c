"""What may never be in the repository, and what the distribution may hold."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_requirements_name_no_index() -> None:
    files = [path for path in tracked_files() if path.name.startswith("requirements")]
    assert len(files) >= 3
    for path in files:
        text = path.read_text()
        assert "://" not in text, path
        assert "--hash=sha256:" in text, path


def test_no_lock_file_with_addresses() -> None:
    assert [
        path.name for path in tracked_files() if path.name in {"uv.lock", "poetry.lock", "package-lock.json"}
    ] == []


def test_no_path_of_a_machine() -> None:
    home = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/[\w.-]+")
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked_files()
        if path.suffix in {".py", ".md", ".toml", ".sh", ".yml", ".yaml", ".json", ".proto"}
        or path.name in {"Makefile", "run"}
        for match in home.finditer(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("extra", ["play", "server", "embedded", "dev"])
def test_extras_exist(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert extra in project["optional-dependencies"]
    assert [line.split(">")[0] for line in project["dependencies"]] == ["grpcio", "protobuf"]


def test_wheel_brings_exactly_three_packages(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    import zipfile

    names = {name.split("/")[0] for name in zipfile.ZipFile(path).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {
        "erqiwang",
        "erqiwang_referee",
        "erqiwang_runner",
    }
