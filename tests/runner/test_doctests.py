"""The examples in the runner's docstrings are true."""

import doctest
import importlib
from pathlib import Path

import pytest

import erqiwang_runner

ROOT = Path(erqiwang_runner.__file__).parent
MODULES = sorted(
    ".".join(("erqiwang_runner", *path.relative_to(ROOT).with_suffix("").parts))
    for path in ROOT.rglob("*.py")
    if "    >>> " in path.read_text()
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
