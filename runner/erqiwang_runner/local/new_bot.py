"""A folder with a bot to begin with."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from erqiwang_runner.contestants import HOUSE_BOTS
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local.bot_toml import NAME

_FILES: Final = {NAME: NAME, "bot.py": "bot.py.txt", "test_bot.py": "test_bot.py.txt"}
_WANTED: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def write_new_bot(folder: Path) -> tuple[str, ...]:
    """Write the folder and give the names of its files; raises UsageError if there is something already."""
    name = folder.name
    if not _WANTED.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a bot: a letter, then letters, digits, - and _")
    if name in HOUSE_BOTS:
        raise UsageError(f"{name} is the name of a bundled bot; choose another")
    if folder.exists():
        raise UsageError(f"{folder} exists already")
    values = {"name": name, "class_name": _class_name(name)}
    texts = {file: Template(_template(source)).substitute(values) for file, source in _FILES.items()}
    try:
        folder.mkdir(parents=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    return tuple(texts)


def _template(file: str) -> str:
    return (files("erqiwang_runner.local") / "template" / file).read_text(encoding="utf-8")


def _class_name(name: str) -> str:
    """Turn `my-bot` into `MyBot`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split("[-_]", name))
