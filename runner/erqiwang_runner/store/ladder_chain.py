r"""The hash chain of a ladder's secrets: committed to once, used backwards, an epoch at a time.

x_(j+1) = SHA256("e27w/chain/1\0" ‖ x_j), and x_L is published before the first epoch. Epoch e uses x_(L-1-e)
and reveals it at its end: hashed e + 1 times it gives x_L, so that nobody could choose it later. The next
chain is committed to when the last epoch of this one opens.
"""

import secrets
import time

from sqlalchemy import Connection, insert, select

from erqiwang.deals import CHAIN_LENGTH, SEED_BYTES, chain_link, epoch_secret
from erqiwang_runner.ladders.epoch_of import EpochOf
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import schema
from erqiwang_runner.store.ladders import LadderRow


def begin(
    connection: Connection,
    ladder: LadderRow,
    first_epoch: int,
    file: SecretFile,
    length: int = CHAIN_LENGTH,
) -> str:
    """Choose a chain for `length` epochs, keep its beginning in the file and give its end, in hex."""
    start = secrets.token_bytes(SEED_BYTES)
    tip = chain_link(start, length).hex()
    file.add(tip, start)
    connection.execute(
        insert(schema.ladder_chains).values(
            ladder_id=ladder.id, first_epoch=first_epoch, length=length, tip=tip, committed_at=time.time()
        )
    )
    return tip


def take(connection: Connection, ladder: LadderRow, epoch: int, file: SecretFile) -> tuple[EpochOf, bytes]:
    """Give the place of an epoch in its chain and its secret; in its last epoch the next chain begins."""
    table = schema.ladder_chains
    row = connection.execute(
        select(table)
        .where(table.c.ladder_id == ladder.id, table.c.first_epoch <= epoch)
        .order_by(table.c.first_epoch.desc())
        .limit(1)
    ).one()
    index = epoch - row.first_epoch
    secret = epoch_secret(file.get(row.tip), index, row.length)
    if index == row.length - 1:
        begin(connection, ladder, epoch + 1, file, row.length)
    return EpochOf(ladder.name, epoch, row.tip, index + 1), secret


def tips(connection: Connection, ladder: LadderRow) -> list[tuple[int, str]]:
    """List the published ends of the chains with the epochs that they begin at."""
    table = schema.ladder_chains
    rows = connection.execute(select(table).filter_by(ladder_id=ladder.id).order_by(table.c.first_epoch))
    return [(row.first_epoch, row.tip) for row in rows]
