"""Runs migrations inside the transaction that the caller opened."""

from alembic import context

from erqiwang_runner.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot alter most of a table: alembic copies it.
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
