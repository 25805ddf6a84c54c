"""What the environment may say, and what a child process reads of it."""

from __future__ import annotations

import pytest

from erqiwang_runner.clocks import VISIBILITY_S
from erqiwang_runner.errors import UsageError
from erqiwang_runner.settings import Settings


def read(**environ):
    return Settings.from_environment(None, environ)


def test_the_visibility_time_out_reaches_the_processes_of_a_run():
    assert read().visibility_s == VISIBILITY_S
    settings = read(ERQI_VISIBILITY_S="600")
    assert settings.visibility_s == 600
    assert read(**settings.to_environment()).visibility_s == 600


@pytest.mark.parametrize("text", ["59", "604801", "-1", "4h", "1e3", "٦٠٠", " 600"])
def test_an_impossible_visibility_time_out_is_refused(text):
    with pytest.raises(
        UsageError, match=r"ERQI_VISIBILITY_S: .* is no whole number of seconds from 60 to 604800"
    ):
        read(ERQI_VISIBILITY_S=text)


def test_a_worker_takes_the_time_out_from_its_environment():
    from erqiwang_runner.celery_app import make_app

    app = make_app("redis://", 600)
    assert app.conf.broker_transport_options["visibility_timeout"] == 600
    app.close()
