"""Pieces of the encoding that messages are joined from where building them field by field is too slow.

Tags are taken from the descriptors of the generated code, so that the schema stays the one source of numbers.
"""

from __future__ import annotations

from google.protobuf.descriptor import Descriptor

_LENGTH_DELIMITED = 2
BYTE: tuple[bytes, ...] = tuple(bytes((value,)) for value in range(256))


def varint_tag(message: Descriptor, field: str) -> bytes:
    """Give the tag of a numeric field."""
    return varint(message.fields_by_name[field].number << 3)


def bytes_tag(message: Descriptor, field: str) -> bytes:
    """Give the tag of a field of bytes, text or a message."""
    return varint(message.fields_by_name[field].number << 3 | _LENGTH_DELIMITED)


def varint(number: int) -> bytes:
    """Write a number of 0 or more in base 128.

    >>> varint(300).hex()
    'ac02'
    """
    if number < 0x80:
        return BYTE[number]
    if number < 0x4000:
        return BYTE[number & 0x7F | 0x80] + BYTE[number >> 7]
    return BYTE[number & 0x7F | 0x80] + varint(number >> 7)


def delimited(body: bytes) -> bytes:
    """Put a body behind its own length."""
    return varint(len(body)) + body
