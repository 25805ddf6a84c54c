"""Parquet files, where pyarrow is installed: nothing else of the platform needs it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Final, Protocol, cast

from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.export.flat import FLAT_KINDS, columns_of, flat_rows
from erqiwang_runner.export.sinks import describe, part_of, put_in_place
from erqiwang_runner.local.game_lines import Fields

_ROWS_AT_ONCE: Final = 1000
_TEXTS: Final = frozenset(
    {
        *(
            "name",
            "version",
            "role",
            "artefact_hash",
            "command",
            "options",
            "cause",
            "reason",
            "detail",
            "log",
        ),
        *("state", "trump", "deal_hash", "moves_hash", "record"),
    }
)
_TRUTHS: Final = ("suspended", "bundled", "remote", "forfeit_")


class _Writer(Protocol):
    def write_table(self, table: object) -> None: ...

    def close(self) -> None: ...


class _Arrow(Protocol):
    """What is needed of `pyarrow`."""

    def schema(self, fields: list[tuple[str, object]]) -> object: ...

    def string(self) -> object: ...

    def int64(self) -> object: ...

    def float64(self) -> object: ...

    def bool_(self) -> object: ...

    @property
    def Table(self) -> _TableClass: ...


class _TableClass(Protocol):
    def from_pylist(self, rows: list[dict[str, object]], schema: object) -> object: ...


class _Parquet(Protocol):
    """What is needed of `pyarrow.parquet`."""

    def ParquetWriter(self, path: str, schema: object) -> _Writer: ...


class ParquetSink:
    """`tournament.json` and, for each kind of line, a Parquet file."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._arrow, self._parquet = _load()
        self._schemas: dict[str, object] = {}
        self._writers: dict[str, _Writer] = {}
        self._rows: dict[str, list[dict[str, object]]] = {name: [] for name in FLAT_KINDS}

    def write(self, fields: Fields) -> None:
        """Take a line."""
        if fields["kind"] == "tournament":
            header, seats = describe(fields)
            part_of(self._directory / "tournament.json").write_text(header)
            for name in FLAT_KINDS:
                self._open(name, seats)
        for name, row in flat_rows(fields):
            self._rows[name].append(row)
            if len(self._rows[name]) >= _ROWS_AT_ONCE:
                self._flush(name)

    def close(self) -> tuple[Path, ...]:
        """Finish."""
        for name, writer in self._writers.items():
            self._flush(name)
            writer.close()
        names = ["tournament.json", *(f"{name}.parquet" for name in self._writers)]
        return put_in_place(self._directory, names)

    def _open(self, name: str, seats: int) -> None:
        columns = [(column, self._type_of(column)) for column in columns_of(name, seats)]
        path = part_of(self._directory / f"{name}.parquet")
        self._schemas[name] = self._arrow.schema(columns)
        self._writers[name] = self._parquet.ParquetWriter(str(path), self._schemas[name])

    def _flush(self, name: str) -> None:
        table = self._arrow.Table.from_pylist(self._rows[name], schema=self._schemas[name])
        self._writers[name].write_table(table)
        self._rows[name].clear()

    def _type_of(self, column: str) -> object:
        if column in _TEXTS:
            return self._arrow.string()
        if column.startswith(_TRUTHS):
            return self._arrow.bool_()
        return self._arrow.float64() if column.startswith("ms_") else self._arrow.int64()


def _load() -> tuple[_Arrow, _Parquet]:
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UnavailableError("Parquet needs pyarrow: pip install pyarrow") from None
    return cast(_Arrow, arrow), cast(_Parquet, parquet)
