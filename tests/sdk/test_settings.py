import pytest

from erqiwang import SettingsError, options
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
