"""Text from files and players on a terminal."""


def plain(text: str) -> str:
    r"""Return a line whose control characters are spelled out: a record must not steer who reads it.

    >>> plain(f"seat 1 {chr(27)}[2J")
    'seat 1 \\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
