"""Secrets on disk, in the open and sealed."""

from __future__ import annotations

import stat
import subprocess
from dataclasses import replace

import pytest

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.errors import UnavailableError, UsageError
from erqiwang_runner.sealed import PREFIX, seal, unseal
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.workers import Workers

KEY = "a long key for the tests"
SECRET = bytes(range(32))
COMMITMENT = "c0" * 32


def test_a_sealed_secret_is_not_in_the_file_and_opens_with_its_key(tmp_path):
    file = SecretFile(tmp_path, KEY)
    file.add(COMMITMENT, SECRET)
    text = file.path.read_text()
    assert text.startswith(f"{COMMITMENT} {PREFIX}")
    assert SECRET.hex() not in text
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert file.get(COMMITMENT) == SECRET
    assert KEY not in repr(file)


@pytest.mark.parametrize(
    ("key", "said"),
    [("", "the secret is sealed: set ERQI_SECRET_KEY"), (KEY + "!", "does not open"), ("short", "too short")],
)
def test_without_its_key_a_secret_stays_shut(key, said, tmp_path):
    SecretFile(tmp_path, KEY).add(COMMITMENT, SECRET)
    with pytest.raises((UnavailableError, UsageError), match=said):
        SecretFile(tmp_path, key).get(COMMITMENT)


def test_a_short_key_seals_nothing(tmp_path):
    with pytest.raises(UsageError, match="16 characters at least"):
        SecretFile(tmp_path, "short").add(COMMITMENT, SECRET)
    assert not SecretFile(tmp_path).path.exists()


def test_secrets_from_before_the_key_are_read(tmp_path):
    SecretFile(tmp_path).add(COMMITMENT, SECRET)
    SecretFile(tmp_path, KEY).add("d1" * 32, SECRET[::-1])
    file = SecretFile(tmp_path, KEY)
    assert file.get(COMMITMENT) == SECRET
    assert file.get("d1" * 32) == SECRET[::-1]


def test_a_secret_cannot_be_passed_off_as_anothers():
    sealed = seal(SECRET, KEY, COMMITMENT)
    assert unseal(sealed, KEY, COMMITMENT) == SECRET
    with pytest.raises(UnavailableError, match="does not open"):
        unseal(sealed, KEY, "d1" * 32)
    damaged = sealed[:-4] + ("AAAA" if not sealed.endswith("AAAA") else "BBBB")
    with pytest.raises(UnavailableError, match="does not open"):
        unseal(damaged, KEY, COMMITMENT)
    with pytest.raises(UnavailableError, match="does not open"):
        unseal(f"{PREFIX}?", KEY, COMMITMENT)


def test_each_sealing_is_another():
    assert seal(SECRET, KEY, COMMITMENT) != seal(SECRET, KEY, COMMITMENT)


def test_the_key_is_read_from_the_environment_and_passed_to_nobody(tmp_path):
    settings = Settings.from_environment(tmp_path, {"ERQI_SECRET_KEY": KEY})
    assert SecretFile.of(settings).key == KEY
    assert KEY not in repr(settings)
    assert KEY not in str(settings.to_environment())


def test_a_command_makes_and_shows_nothing_without_the_key(tmp_path, monkeypatch, capsys):
    def erqi(*words, key=""):
        monkeypatch.setenv("ERQI_SECRET_KEY", key)
        code = run(["--data", str(tmp_path), "tournament", *words])
        return code, capsys.readouterr().err

    entries = [word for bot in ("random", "lowest", "cautious", "counter") for word in ("--entry", bot)]
    code, said = erqi("create", "t", *entries, "--deals", "committed", key="short")
    assert (code, said) == (64, "erqi: ERQI_SECRET_KEY is too short: 16 characters at least\n")
    assert erqi("create", "t", *entries, "--deals", "committed", key=KEY)[0] == 0
    assert erqi("start", "t")[0] == 0
    code, said = erqi("cancel", "t")
    assert code == 69
    assert "set ERQI_SECRET_KEY" in said
    assert erqi("cancel", "t", key=KEY)[0] == 0


def test_workers_are_not_given_the_key(tmp_path, monkeypatch):
    monkeypatch.setenv("ERQI_SECRET_KEY", KEY)
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda words, **more: started.append(more["env"]))
    settings = Settings.from_environment(tmp_path)
    Workers(replace(settings, run_directory=tmp_path, redis_url="redis://x"), 1).start()
    (environment,) = started
    assert "ERQI_DATA" in environment
    assert KEY not in environment.values()
