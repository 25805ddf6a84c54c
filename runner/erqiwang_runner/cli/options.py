"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Data: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", help="Data directory (default: ERQI_DATA, else ./erqi-data).", show_default=False),
]
WorkerCount: TypeAlias = Annotated[int, typer.Option("--workers", min=1, help="Worker processes.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
HouseFiles: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--profile", help="TOML file with the house profile of records.", show_default=False),
]
