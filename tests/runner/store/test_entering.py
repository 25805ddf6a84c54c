"""Who may be entered where: bots of other machines only where there is a referee for them."""

from __future__ import annotations

import pytest

from erqiwang_runner.api_tokens import ApiTokens, Kind
from erqiwang_runner.contestants import remote
from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import contestants
from erqiwang_runner.store.entering import entry_of, version_of


def test_a_remote_bot_is_entered_only_with_its_token(database, tmp_path, monkeypatch):
    monkeypatch.setenv("ERQI_DATA", str(tmp_path / "elsewhere"))
    data = tmp_path / "data"
    ApiTokens.of(data).make("ann", Kind.BOT)
    ApiTokens.of(data).make("host", Kind.RUNNER)
    ann = remote("ann", ApiTokens.of(data).get("ann").sha256)
    found = entry_of(database, "remote:ann", {}, "classic", data)
    assert found.contestant == ann
    with pytest.raises(UsageError, match="has no token 'ann'"):
        entry_of(database, "remote:ann", {}, "classic")
    with pytest.raises(UsageError, match="is a runner's, not a bot's"):
        entry_of(database, "remote:host", {}, "classic", data)
    with pytest.raises(UsageError, match="has no options: its author starts it"):
        entry_of(database, "remote:ann", {"depth": "3"}, "classic", data)
    with database.write() as connection:
        contestants.find_or_add(connection, ann)
    # Known from another tournament it is as remote as before.
    assert entry_of(database, str(ann), {}, "classic", data).contestant == ann
    for read in (entry_of, version_of):
        with pytest.raises(UsageError, match="only erqi tournament create and erqi play"):
            read(database, str(ann), {}, "classic")
    ApiTokens.of(tmp_path / "elsewhere").make("ann", Kind.BOT)
    with pytest.raises(UsageError, match="only erqi tournament create and erqi play"):
        entry_of(database, "remote:ann", {}, "classic")
