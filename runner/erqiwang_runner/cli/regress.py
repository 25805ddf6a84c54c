"""`erqi regress`."""


def regress() -> int:
    """Test."""
    return 0
