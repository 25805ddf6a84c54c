"""A full disk ends the platform with one line, and nothing that was stored is lost."""

from __future__ import annotations

import pytest

from erqiwang_runner import supervisor
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.settings import Settings
from erqiwang_runner.supervisor import Supervisor


def test_a_full_disk_stops_the_platform(tmp_path, monkeypatch, require):
    require("redis-server")
    settings = Settings.from_environment(tmp_path / "data")
    monkeypatch.setattr(supervisor, "ROOM_BYTES", 1 << 62)
    with Supervisor(settings, 0) as platform, pytest.raises(UnavailableError, match="the disk is full"):
        platform.tick()
    monkeypatch.undo()
    with Supervisor(settings, 0) as platform:
        platform.tick()
