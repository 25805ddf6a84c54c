import re
from dataclasses import replace
from pathlib import Path

import pytest

from erqiwang import SettingsError, options
from erqiwang.dialing import open_channel
from erqiwang.settings import Settings


def test_options_are_texts():
    assert options({"ERQI_OPTIONS": '{"depth": "3", "quick": true}'}) == {"depth": "3", "quick": "true"}
    assert options({}) == {}


@pytest.mark.parametrize("text", ["", "[]", "{", "3"])
def test_options_that_are_no_object_are_refused(text):
    with pytest.raises(SettingsError, match="ERQI_OPTIONS"):
        options({"ERQI_OPTIONS": text})


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({}, "ERQI_REFEREE and ERQI_TOKEN not set"),
        ({"ERQI_TOKEN": "t"}, "ERQI_REFEREE not set"),
        ({"ERQI_REFEREE": "r", "ERQI_TOKEN": ""}, "ERQI_TOKEN not set"),
    ],
)
def test_what_is_missing_is_named(environment, missing):
    with pytest.raises(SettingsError, match=missing):
        Settings.from_environment(environment)


NET = {"ERQI_REFEREE": "tls://example.org:7070", "ERQI_TOKEN": "t"}


def test_what_belongs_to_tls_is_read():
    settings = Settings.from_environment(
        {**NET, "ERQI_CA": "/ca.pem", "ERQI_CERT": "/c.pem", "ERQI_KEY": "/c.key", "ERQI_ALLOW_CLEAR": "1"}
    )
    assert (settings.ca, settings.certificate, settings.key) == (
        Path("/ca.pem"),
        Path("/c.pem"),
        Path("/c.key"),
    )
    assert settings.allow_clear
    assert Settings.from_environment(NET).ca is None
    assert not Settings.from_environment(NET).allow_clear
    with pytest.raises(SettingsError, match="ERQI_ALLOW_CLEAR must be 0 or 1, not 'yes'"):
        Settings.from_environment({**NET, "ERQI_ALLOW_CLEAR": "yes"})


@pytest.mark.parametrize("target", ["10.0.0.1:7070", "dns:///example.org:7070", "example.org:7070", "[::]:7"])
def test_a_token_does_not_travel_in_clear(target):
    with pytest.raises(
        SettingsError, match=f"ERQI_REFEREE={re.escape(target)} would send the token in clear"
    ):
        open_channel(Settings(referee=target, token="t"))
    open_channel(Settings(referee=target, token="t", allow_clear=True)).close()


@pytest.mark.parametrize(
    "target", ["unix:/tmp/x.sock", "localhost:7070", "127.0.0.1:7070", "ipv6:[::1]:7070"]
)
def test_on_its_own_machine_it_may(target):
    open_channel(Settings(referee=target, token="t")).close()


def test_files_of_tls_that_cannot_be_used_are_named(tmp_path):
    settings = Settings(referee="tls://localhost:1", token="t")
    with pytest.raises(SettingsError, match="ERQI_CA=/no: No such file"):
        open_channel(replace(settings, ca=Path("/no")))
    with pytest.raises(SettingsError, match="ERQI_CERT and ERQI_KEY go together"):
        open_channel(replace(settings, key=Path("/no")))
    (tmp_path / "ca").write_text("nothing")
    with pytest.raises(SettingsError, match="is no file in PEM form"):
        open_channel(replace(settings, ca=tmp_path / "ca"))
