"""Settings are checked at start, and the message says what would do."""

import re
from pathlib import Path

import pytest

from erqiwang_referee.errors import SettingsError
from erqiwang_referee.settings import Limits, Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "s"
    path.mkdir(mode=0o700)
    return path


def test_defaults(folder: Path) -> None:
    settings = Settings.read(["--socket-dir", str(folder)], {})
    assert settings.socket_dir == folder
    assert not settings.network.is_open
    assert not settings.reflection
    assert settings.metrics is None
    assert settings.limits == Limits()


def test_the_environment_sets_limits_and_the_level(folder: Path) -> None:
    environment = {"ERQI_REFEREE_GRACE_MS": "250", "ERQI_LOG_LEVEL": "debug"}
    settings = Settings.read(["--socket-dir", str(folder), "--listen", "localhost:7070"], environment)
    assert settings.limits.grace_ms == 250
    assert settings.log_level == "DEBUG"
    assert settings.network.players == "localhost:7070"
    assert settings.network.is_open


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        (["--listen", "nowhere"], {}, "--listen must be HOST:PORT, not 'nowhere'"),
        (["--listen", "host:99999"], {}, "--listen must be HOST:PORT"),
        (["--colour"], {}, "unrecognized arguments: --colour"),
        ([], {"ERQI_LOG_LEVEL": "LOUD"}, "ERQI_LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR"),
        ([], {"ERQI_REFEREE_TICK_MS": "soon"}, "ERQI_REFEREE_TICK_MS must be a whole number, not 'soon'"),
        ([], {"ERQI_REFEREE_TICK_MS": "0"}, "ERQI_REFEREE_TICK_MS must be at least 1"),
    ],
)
def test_what_cannot_be_is_refused(
    folder: Path, arguments: list[str], environment: dict[str, str], text: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(text)):
        Settings.read(["--socket-dir", str(folder), *arguments], environment)


def test_the_socket_folder_must_be_private(folder: Path) -> None:
    folder.chmod(0o755)
    with pytest.raises(SettingsError, match="its mode must be 0700"):
        Settings.read(["--socket-dir", str(folder)], {})


def test_the_socket_folder_must_be_there_and_short(folder: Path) -> None:
    with pytest.raises(SettingsError, match="is no folder"):
        Settings.read(["--socket-dir", str(folder / "missing")], {})
    deep = folder / ("d" * 90)
    deep.mkdir(mode=0o700)
    with pytest.raises(SettingsError, match="is longer than"):
        Settings.read(["--socket-dir", str(deep)], {})
