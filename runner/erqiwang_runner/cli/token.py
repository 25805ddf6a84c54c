"""`erqi token`: who may come to a public referee."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="Tokens of remote bots and of runners, for a public referee (erqi referee --tokens).",
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="Name of the token: whose it is.")]


@app.command("new")
def new(
    context: typer.Context,
    name: Name,
    runner: Annotated[
        bool, typer.Option("--runner", help="For a runner, which has matches played, not for a bot.")
    ] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Make a token and print its secret: only now, for only its hash is kept."""
    from erqiwang_runner.api_tokens import ApiTokens, Kind
    from erqiwang_runner.settings import Settings

    tokens = ApiTokens.of(Settings.from_environment(data or context.obj).data)
    kind = Kind.RUNNER if runner else Kind.BOT
    secret = tokens.make(name, kind)
    if as_json:
        print(json.dumps({"name": name, "kind": kind, "token": secret, "file": str(tokens.path)}))
        return 0
    print(secret)
    typer.echo(f"token {name} ({kind}): shown this once; its hash is in {tokens.path}", err=True)
    return 0


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """Show the tokens: names, kinds and hashes, no secrets."""
    from erqiwang_runner.api_tokens import ApiTokens
    from erqiwang_runner.settings import Settings

    found = ApiTokens.of(Settings.from_environment(data or context.obj).data).all()
    if as_json:
        print(json.dumps([asdict(token) for token in found]))
        return 0
    for token in found:
        print(f"{token.name:20} {token.kind:6} {token.created}  sha256 {token.sha256[:16]}…")
    if not found:
        print("there is no token yet: erqi token new NAME")
    return 0


@app.command("revoke")
def revoke(context: typer.Context, name: Name, data: Data = None) -> int:
    """Take a token back: a referee that reads the file lets nobody in by it any more."""
    from erqiwang_runner.api_tokens import ApiTokens
    from erqiwang_runner.settings import Settings

    tokens = ApiTokens.of(Settings.from_environment(data or context.obj).data)
    tokens.revoke(name)
    print(f"token {name} is revoked")
    return 0
