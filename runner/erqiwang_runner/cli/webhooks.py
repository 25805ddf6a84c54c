"""What the commands of `erqi webhook` do."""

from __future__ import annotations

import json
import re
import secrets
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.competition.calendar import iso
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import webhooks
from erqiwang_runner.store.events import EventKind, body_of
from erqiwang_runner.store.webhooks import Delivery, Webhook
from erqiwang_runner.webhook.courier import secret_of, send
from erqiwang_runner.webhook.post import DeliveryError

_SECRET: Final = re.compile(r"[0-9a-f]{64}")


def add(data: Path | None, url: str, secret_file: Path | None, *, as_json: bool) -> ExitCode:
    """Add a webhook; a secret that was made here is printed, once."""
    settings = Settings.from_environment(data)
    secret = secrets.token_bytes(32) if secret_file is None else _read_secret(secret_file)
    name = f"webhook-{secrets.token_hex(8)}"
    with closing(open_database(settings)) as database, database.write() as connection:
        number = webhooks.add(connection, url, name)
        SecretFile.of(settings).add(name, secret)
    made = None if secret_file is not None else secret.hex()
    if as_json:
        print(json.dumps({"id": number, "url": url, "secret": made}))
    else:
        print(f"webhook {number}: every event from now on goes to {url}")
        if made is not None:
            print(f"secret, shown this once: {made}")
    return ExitCode.YES


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """List the webhooks."""
    with closing(open_database(Settings.from_environment(data))) as database, database.read() as connection:
        found = webhooks.every(connection)
    if as_json:
        print(json.dumps([_to_object(each) for each in found]))
    else:
        print(
            "\n".join(_line(each) for each in found) or "there is no webhook; `erqi webhook add URL` adds one"
        )
    return ExitCode.YES


def remove(data: Path | None, which: str, *, as_json: bool) -> ExitCode:
    """Remove a webhook."""
    with closing(open_database(Settings.from_environment(data))) as database, database.write() as connection:
        found = webhooks.remove(connection, which)
    print(json.dumps(_to_object(found)) if as_json else f"nothing more goes to {found.url}")
    return ExitCode.YES


def send_test(data: Path | None, which: str, *, as_json: bool) -> ExitCode:
    """Send an event at once, beside the outbox."""
    settings = Settings.from_environment(data)
    with closing(open_database(settings)) as database, database.read() as connection:
        hook = webhooks.find(connection, which)
    now = time.time()
    event_id, body = body_of(EventKind.WEBHOOK_TEST, now)
    delivery = Delivery(
        id=0,
        webhook_id=hook.id,
        url=hook.url,
        secret_name=hook.secret_name,
        event_id=event_id,
        kind=EventKind.WEBHOOK_TEST.value,
        body=body,
        tries=0,
        due_at=now,
        happened_at=now,
    )
    status, error = 0, ""
    try:
        status = send(delivery, secret_of(SecretFile.of(settings), hook.secret_name), now)
    except DeliveryError as failed:
        error = str(failed)
    if as_json:
        print(json.dumps({"id": hook.id, "url": hook.url, "status": status or None, "error": error or None}))
    else:
        print(f"{hook.url}: {error or f'answered {status}'}")
    return ExitCode.NO if error else ExitCode.YES


def _read_secret(file: Path) -> bytes:
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        text = ""
    if not _SECRET.fullmatch(text):
        raise BadInputError(f"{file}: a secret is 64 digits of 0-9 a-f, such as `openssl rand -hex 32` makes")
    return bytes.fromhex(text)


def _to_object(hook: Webhook) -> dict[str, object]:
    return {
        "id": hook.id,
        "url": hook.url,
        "added_at": iso(hook.added_at),
        "delivered": hook.delivered,
        "waiting": hook.waiting,
        "failed": hook.failed,
        "error": hook.error or None,
    }


def _line(hook: Webhook) -> str:
    error = f"; the latest error: {hook.error}" if hook.error else ""
    return (
        f"{hook.id:>3}  {hook.url}  {hook.delivered} delivered, {hook.waiting} waiting, "
        f"{hook.failed} given up{error}"
    )
