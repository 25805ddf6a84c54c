"""What tests of the SDK share."""

import shutil
import subprocess
import sys
import tempfile

import pytest


@pytest.fixture
def folder():
    """A folder whose path is short enough for a socket."""
    path = tempfile.mkdtemp(prefix="erqi-", dir="/tmp")
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def referee_target():
    """The private target of a referee process."""
    folder = tempfile.mkdtemp(prefix="erqi-", dir="/tmp")
    process = subprocess.Popen(
        [sys.executable, "-m", "erqiwang_referee", "--socket-dir", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    ready = process.stdout.readline()
    yield ready.removeprefix("ready ").strip()
    process.stdin.close()
    process.wait(timeout=30)
    process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)
