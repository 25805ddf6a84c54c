import subprocess
import sys

import pytest

import erqiwang


def test_every_public_name_is_there():
    for name in erqiwang.__all__:
        assert getattr(erqiwang, name) is not None


def test_the_list_of_public_names_is_complete_and_sorted():
    assert list(erqiwang.__all__) == sorted(erqiwang.__all__)
    assert set(erqiwang.__all__) <= set(dir(erqiwang))
    assert set(erqiwang.__all__) == {name for names in erqiwang._MODULES.values() for name in names}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Bott'"):
        _ = erqiwang.Bott


@pytest.mark.parametrize(
    "module", ["erqiwang", "erqiwang.rules", "erqiwang.bot", "erqiwang.deals", "erqiwang.testing"]
)
def test_no_network_library_is_loaded_by(module):
    code = (
        f"import sys, {module}; print([name for name in ('grpc', 'google.protobuf') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_bot_and_the_rules_are_reached_without_the_network_library():
    code = "import sys; from erqiwang import Bot, Card, SeatView; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
