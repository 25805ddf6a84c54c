"""`erqi token`: secrets are shown once, hashes are kept, and the referee reads the very file."""

import hashlib
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from erqiwang_referee import tokens as referee_tokens
from erqiwang_runner.api_tokens import ApiTokens, Kind
from erqiwang_runner.cli.__main__ import run


def test_a_token_is_shown_once_and_only_its_hash_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["token", "new", "ann", "--data", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    secret = out.strip()
    assert secret.startswith("erqi_bot_")
    assert err == f"token ann (bot): shown this once; its hash is in {tmp_path}/tokens.json\n"
    kept = (tmp_path / "tokens.json").read_text()
    assert secret not in kept
    assert hashlib.sha256(secret.encode()).hexdigest() in kept
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
    assert run(["token", "list", "--json", "--data", str(tmp_path)]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["kind"]) == ("ann", "bot")


def test_the_referee_reads_what_the_command_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = {}
    for name, more in (("ann", []), ("host", ["--runner"])):
        assert run(["token", "new", name, "--json", *more, "--data", str(tmp_path)]) == 0
        secrets[name] = json.loads(capsys.readouterr().out)["token"]
    known = referee_tokens.TokenFile(tmp_path / "tokens.json")
    found = known.find(secrets["ann"], referee_tokens.Kind.BOT)
    assert found is not None
    assert found.name == "ann"
    assert known.find(secrets["ann"], referee_tokens.Kind.RUNNER) is None
    assert known.find(secrets["host"], referee_tokens.Kind.RUNNER) is not None
    assert known.find(secrets["host"], referee_tokens.Kind.BOT) is None
    assert known.find("", referee_tokens.Kind.BOT) is None
    assert run(["token", "revoke", "ann", "--data", str(tmp_path)]) == 0
    assert known.find(secrets["ann"], referee_tokens.Kind.BOT) is None


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["new", "ann"], "has a token 'ann': revoke it first"),
        (["new", "../ann"], "name '../ann': letters, digits"),
        (["revoke", "ben"], "has no token 'ben'; make one with: erqi token new ben"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], text: str
) -> None:
    ApiTokens.of(tmp_path).make("ann", Kind.BOT)
    before = (tmp_path / "tokens.json").read_bytes()
    assert run(["token", *args, "--data", str(tmp_path)]) == 64
    err = capsys.readouterr().err
    assert text in err
    assert err.count("\n") == 1
    assert (tmp_path / "tokens.json").read_bytes() == before


def test_a_file_that_others_may_read_or_that_is_broken_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tokens.json"
    ApiTokens.of(tmp_path).make("ann", Kind.BOT)
    path.chmod(0o644)
    assert run(["token", "list", "--data", str(tmp_path)]) == 64
    assert "chmod 600 it" in capsys.readouterr().err
    path.chmod(0o600)
    for content in ("{", "[]", '{"format": "erqiwang.tokens/2", "tokens": []}'):
        path.write_text(content)
        assert run(["token", "list", "--data", str(tmp_path)]) == 65
    path.write_text('{"format": "erqiwang.tokens/1", "tokens": [{"name": "ann", "kind": "king"}]}')
    assert run(["token", "list", "--data", str(tmp_path)]) == 65
    assert "token 1: must have the texts name, kind" in capsys.readouterr().err


def test_tokens_made_at_once_are_all_kept(tmp_path: Path) -> None:
    tokens = ApiTokens.of(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        secrets = list(pool.map(lambda number: tokens.make(f"bot-{number}", Kind.BOT), range(12)))
    assert len(set(secrets)) == 12
    assert sorted(token.name for token in tokens.all()) == sorted(f"bot-{number}" for number in range(12))
