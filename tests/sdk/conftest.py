"""What tests of the SDK share."""

import shutil
import tempfile

import pytest


@pytest.fixture
def folder():
    """A folder whose path is short enough for a socket."""
    path = tempfile.mkdtemp(prefix="erqi-", dir="/tmp")
    yield path
    shutil.rmtree(path)
