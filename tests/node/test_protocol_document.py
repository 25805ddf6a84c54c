"""docs/protocol.md shows messages as they are, and names the referee's own limits."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from google.protobuf.json_format import ParseDict

from erqiwang.rules import parse_cards
from erqiwang.v1 import bot_service_pb2, faults_pb2
from erqiwang_referee.settings import Limits

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
CARDS = {"hand", "bury", "play", "kitty", "cards", "buried", "owed"}


def with_bytes(value: object, key: str = "") -> object:
    """Cards by their names become what protobuf's JSON form has instead."""
    if isinstance(value, dict):
        return {name: with_bytes(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [with_bytes(item, key) for item in value]
    if key in CARDS and isinstance(value, str):
        return base64.b64encode(bytes(parse_cards(value))).decode()
    return value


def test_there_is_a_conversation() -> None:
    kinds = [next(iter(json.loads(message))) for message in MESSAGES]
    assert kinds[:3] == ["join", "joined", "tablesOpened"]
    assert kinds[-2:] == ["matchOver", "goodbye"]
    assert {"turns", "decisions", "rejections", "tablesOver"} <= set(kinds)


@pytest.mark.parametrize("message", MESSAGES, ids=range(len(MESSAGES)))
def test_every_message_is_one_of_the_schema(message: str) -> None:
    content = with_bytes(json.loads(message))
    assert isinstance(content, dict)
    is_request = set(content) <= {"join", "decisions", "leave"}
    ParseDict(content, bot_service_pb2.PlayRequest() if is_request else bot_service_pb2.PlayResponse())


def test_limits_are_those_of_the_referee() -> None:
    defaults = {field.name: getattr(Limits(), field.name) for field in fields(Limits)}
    named = dict(re.findall(r"`([a-z_]+)`(?: \||) \(?(\d+)", TEXT))
    shown = {name: int(number) for name, number in named.items() if name in defaults}
    assert len(shown) >= 9
    assert shown == {name: defaults[name] for name in shown}


def test_every_cause_is_explained() -> None:
    causes = {name.removeprefix("FAULT_CAUSE_").lower() for name in faults_pb2.FaultCause.keys()[1:]}
    assert {cause for cause in causes if f"`{cause}`" not in TEXT} == set()
