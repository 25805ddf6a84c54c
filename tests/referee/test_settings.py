"""Settings are checked at start, and the message says what would do."""

import hashlib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from erqiwang_referee.errors import SettingsError
from erqiwang_referee.settings import Limits, Settings
from erqiwang_referee.tokens import Kind, TokenFile


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
        (["--listen", "0.0.0.0:7070"], {}, "--listen 0.0.0.0:7070: tokens would be sent in clear"),
        (["--runner-listen", "10.0.0.1:1"], {}, "--runner-listen 10.0.0.1:1: tokens would be sent in clear"),
        (["--runner-listen", "localhost:1"], {}, "--runner-listen needs --tokens"),
        (["--tls-key", "k"], {}, "--tls-cert and --tls-key go together"),
        (["--tls-cert", "/no", "--tls-key", "/no"], {}, "--tls-cert /no: No such file or directory"),
        (["--client-ca", "/no"], {}, "--client-ca needs --tls-cert and --tls-key"),
        (["--tokens", "/no"], {}, "--tokens /no: No such file or directory"),
        (["--metrics", "here"], {}, "--metrics must be HOST:PORT, not 'here'"),
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


def test_a_network_in_clear_must_be_asked_for(folder: Path) -> None:
    arguments = ["--socket-dir", str(folder), "--listen", "0.0.0.0:7070", "--allow-clear"]
    assert Settings.read(arguments, {}).network.players == "0.0.0.0:7070"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is no JSON"),
        ("[]", "is not of the format erqiwang.tokens/1"),
        ('{"format": "erqiwang.tokens/1", "tokens": [3]}', "token 1: must be an object"),
        (
            '{"format": "erqiwang.tokens/1", "tokens": [{"name": "a", "kind": "king"}]}',
            "token 1: must have a name",
        ),
        (
            '{"format": "erqiwang.tokens/1", "tokens": [{"name": "a", "kind": "bot", "sha256": "xy"}]}',
            "token 1: sha256 must be 64 hexadecimal digits",
        ),
    ],
)
def test_a_token_file_that_cannot_be_used_is_refused(tmp_path: Path, content: str, text: str) -> None:
    path = tmp_path / "tokens.json"
    path.touch(0o600)
    path.write_text(content)
    with pytest.raises(SettingsError, match=re.escape(text)):
        TokenFile(path)


def test_a_token_file_must_be_private_and_stay_so(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    path.touch(0o600)
    digest = hashlib.sha256(b"secret").hexdigest()
    listed = f'[{{"name": "ann", "kind": "bot", "sha256": "{digest}"}}]'
    path.write_text(f'{{"format": "erqiwang.tokens/1", "tokens": {listed}}}')
    tokens = TokenFile(path)
    assert tokens.find("secret", Kind.BOT) is not None
    path.chmod(0o644)
    assert tokens.find("secret", Kind.BOT) is None
    with pytest.raises(SettingsError, match="may be read by others: chmod 600 it"):
        TokenFile(path)
    path.chmod(0o600)
    assert tokens.find("secret", Kind.BOT) is not None


def test_files_of_tls_must_be_what_they_say(folder: Path, require: Callable[[str], str]) -> None:
    def make(name: str) -> list[str]:
        files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        command = [
            require("openssl"),
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
        ]
        subprocess.run([*command, "-noenc", "-subj", "/CN=x", *files], check=True, capture_output=True)
        (folder / f"{name}.key").chmod(0o600)
        return ["--tls-cert", str(folder / f"{name}.pem"), "--tls-key", str(folder / f"{name}.key")]

    def refusal(*arguments: str) -> str:
        with pytest.raises(SettingsError) as caught:
            Settings.read(["--socket-dir", str(folder), "--listen", "0.0.0.0:0", *arguments], {})
        return str(caught.value)

    one, other = make("one"), make("other")
    settings = Settings.read(["--socket-dir", str(folder), "--listen", "0.0.0.0:0", *one], {})
    assert settings.network.tls is not None
    assert "key values mismatch" in refusal(*one[:2], *other[2:])
    assert "holds no certificate in PEM form" in refusal(*one, "--client-ca", one[3])
    (folder / "one.key").chmod(0o640)
    assert "may be read by others: chmod 600 it" in refusal(*one)
