"""What is needed of matplotlib, and how all pictures look; the same data give the same file."""

from __future__ import annotations

import importlib
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol, cast

from erqiwang_runner.errors import UnavailableError, UsageError

FORMATS: Final = ("svg", "png")
INK: Final = "#1b1b1b"
ACCENT: Final = "#1f5fa8"
SOFT: Final = "#9aa3ad"
COLOURS: Final = ("#1f5fa8", "#c2571a", "#2f8a4c", "#8c3f97", "#8a6d12", "#107f8c", "#a8324a", "#5b5b5b")
LINES: Final = ("-", "--", ":", "-.")
"""Styles of lines, for when the colours are used up."""

_LETTER: Final = 0.085
_TITLE_LETTER: Final = 0.115
_DPI: Final = 144
_STYLE: Final = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": SOFT,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "text.color": INK,
    # The same file for the same data, and text that can be searched.
    "svg.hashsalt": "erqiwang",
    "svg.fonttype": "none",
}


class Axes(Protocol):
    """The part of matplotlib's axes that is used here."""

    def plot(self, x: Sequence[float], y: Sequence[float], **style: object) -> object:
        """Draw a line."""
        ...

    def errorbar(self, x: Sequence[float], y: Sequence[float], **style: object) -> object:
        """Draw points with errors."""
        ...

    def fill_between(
        self, x: Sequence[float], low: Sequence[float], high: Sequence[float], **style: object
    ) -> object:
        """Draw a band."""
        ...

    def axhline(self, y: float, **style: object) -> object:
        """Draw a line across."""
        ...

    def axvline(self, x: float, **style: object) -> object:
        """Draw a line from top to bottom."""
        ...

    def imshow(self, values: Sequence[Sequence[float]], **style: object) -> object:
        """Draw coloured cells."""
        ...

    def text(self, x: float, y: float, text: str, **style: object) -> object:
        """Write."""
        ...

    def set_anchor(self, anchor: str) -> object:
        """Say where in its room a plot of fixed proportions lies."""
        ...

    def set_title(self, label: str) -> object:
        """Write the title."""
        ...

    def set_xlabel(self, label: str) -> object:
        """Name the x axis."""
        ...

    def set_ylabel(self, label: str) -> object:
        """Name the y axis."""
        ...

    def set_xticks(self, ticks: Sequence[float], labels: Sequence[str], **style: object) -> object:
        """Label the x axis."""
        ...

    def set_yticks(self, ticks: Sequence[float], labels: Sequence[str], **style: object) -> object:
        """Label the y axis."""
        ...

    def set_xlim(self, left: float, right: float) -> object:
        """Limit the x axis."""
        ...

    def set_ylim(self, bottom: float, top: float) -> object:
        """Limit the y axis."""
        ...

    def legend(self, **style: object) -> object:
        """Draw the legend."""
        ...


class _Figure(Protocol):
    def subplots(self) -> Axes: ...

    def savefig(self, path: Path, **options: object) -> None: ...


class _Matplotlib(Protocol):
    def rc_context(self, settings: dict[str, object]) -> AbstractRc: ...


class AbstractRc(Protocol):
    """A block with settings of matplotlib."""

    def __enter__(self) -> object: ...

    def __exit__(self, *error: object) -> object: ...


class _FigureModule(Protocol):
    def Figure(self, figsize: tuple[float, float], layout: str) -> _Figure: ...


def width_of(texts: Iterable[str]) -> float:
    """Give the inches that the longest of some labels takes at most."""
    return _LETTER * max(map(len, texts), default=0)


def plot_width(least: float, title: str) -> float:
    """Give the inches of a plot without its labels: its title stands above it and must not be cut off."""
    return max(least, _TITLE_LETTER * len(title))


@contextmanager
def picture(files: Sequence[Path], width: float, height: float) -> Generator[Axes]:
    """Give axes to draw on, and write the files at the end of the block; raises UnavailableError.

    Width and height are inches. No window system and no global state of matplotlib is touched.
    """
    matplotlib, figures = check(files)
    with matplotlib.rc_context({**_STYLE}):
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        yield figure.subplots()
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            metadata: dict[str, str | None] = {"Date": None} if file.suffix == ".svg" else {"Software": None}
            figure.savefig(file, dpi=_DPI, metadata=metadata)


def check(files: Iterable[Path]) -> tuple[_Matplotlib, _FigureModule]:
    """Refuse what cannot be drawn before anything is played for it; gives what draws.

    Raises UsageError for files of other formats and UnavailableError without matplotlib.
    """
    for file in files:
        if file.suffix.removeprefix(".") not in FORMATS:
            raise UsageError(f"{file} is no picture that can be drawn; there are .svg and .png")
    return _load()


def _load() -> tuple[_Matplotlib, _FigureModule]:
    try:
        matplotlib = importlib.import_module("matplotlib")
        figures = importlib.import_module("matplotlib.figure")
    except ModuleNotFoundError:
        raise UnavailableError("plots need matplotlib: pip install 'erqiwang[plots]'") from None
    return cast(_Matplotlib, matplotlib), cast(_FigureModule, figures)
