"""The tables. SQL is the truth: everything else may be lost and is made again from here.

Results are keyed by (tournament, epoch, group, n, generation, table), whatever match or attempt produced
them: the unique key makes a double impossible. Blobs live in tables of their own.
"""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    true,
)

from erqiwang_runner.store.competition_schema import competition_steps as competition_steps
from erqiwang_runner.store.competition_schema import competition_tournaments as competition_tournaments
from erqiwang_runner.store.competition_schema import competitions as competitions
from erqiwang_runner.store.competition_schema import submissions as submissions
from erqiwang_runner.store.ladder_schema import ladder_chains as ladder_chains
from erqiwang_runner.store.ladder_schema import ladder_epochs as ladder_epochs
from erqiwang_runner.store.ladder_schema import ladder_members as ladder_members
from erqiwang_runner.store.ladder_schema import ladder_ratings as ladder_ratings
from erqiwang_runner.store.ladder_schema import ladders as ladders
from erqiwang_runner.store.ladder_schema import notices as notices
from erqiwang_runner.store.metadata import metadata as metadata
from erqiwang_runner.store.operation_schema import deliveries as deliveries
from erqiwang_runner.store.operation_schema import prunings as prunings
from erqiwang_runner.store.operation_schema import retention as retention
from erqiwang_runner.store.operation_schema import usages as usages
from erqiwang_runner.store.operation_schema import webhooks as webhooks

contestants: Final = Table(
    "contestants",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("version", String(64), nullable=False),
    Column("artefact_hash", String(64), nullable=False),
    Column("command", JSON, nullable=False),
    Column("bundled", Boolean, nullable=False),
    Column("traits", JSON, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("retired_at", Float),
    UniqueConstraint("name", "version"),
)

artefacts: Final = Table(
    "artefacts",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("archive", LargeBinary, nullable=False),
    Column("created_at", Float, nullable=False),
)

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("state", String(16), nullable=False),
    Column("mode", String(16), nullable=False),
    Column("seed_text", Text),
    Column("profile", String(64), nullable=False),
    Column("switches", JSON, nullable=False),
    Column("room", Integer, nullable=False),
    Column("pass_out", String(8), nullable=False),
    Column("set_type", String(16), nullable=False),
    Column("boards", Integer, nullable=False),
    Column("boards_per_match", Integer, nullable=False),
    Column("clock_class", String(8), nullable=False),
    Column("fault_policy", String(16), nullable=False),
    Column("sandbox_level", String(16), nullable=False),
    Column("look_back", Integer, nullable=False),
    Column("rules_version", String(16), nullable=False),
    Column("planned_stints", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("started_at", Float),
    Column("finished_at", Float),
    Column("format", String(16), nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("rounds", JSON, nullable=False),
    Column("group_count", Integer, nullable=False),
    Column("lap", Integer, nullable=False),
    Column("round_look_back", Integer, nullable=False),
    Column("settled", Integer, nullable=False),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column("definition", JSON(none_as_null=True)),
    Column("referee", Text, nullable=False, server_default=""),
    Column("trouble", Text),
    Column("rated", Boolean, nullable=False, server_default=true()),
)

regression_tests: Final = Table(
    "regression_tests",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False, index=True),
    Column("question", String(16), nullable=False),
    Column("delta", Float, nullable=False),
    Column("max_sets", Integer, nullable=False),
    Column("new", Text, nullable=False),
    Column("old", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("judged", Integer, nullable=False),
    Column("decided_by", Integer),
    Column("report", JSON),
)

commitments: Final = Table(
    "commitments",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    Column("manifest", Text, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("entropy_source", Text),
    Column("entropy", Text),
    Column("secret", String(64)),
    Column("committed_at", Float, nullable=False),
    Column("entropy_at", Float),
    Column("revealed_at", Float),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("contestant_id", Integer, ForeignKey("contestants.id"), nullable=False),
    Column("options", JSON, nullable=False),
    Column("role", String(16), nullable=False),
    Column("suspended", Boolean, nullable=False),
    Column("fault_count", JSON),
    Column("suspended_at", Integer),
)

groups: Final = Table(
    "groups",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("group_no", Integer, primary_key=True, autoincrement=False),
    Column("entries", JSON, nullable=False),
)

matches: Final = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("group_no", Integer, nullable=False),
    Column("first_n", Integer, nullable=False),
    Column("end_n", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("fence", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("idle_attempts", Integer, nullable=False),
    Column("lease_owner", Text),
    Column("lease_expires_at", Float),
    Column("heartbeat_at", Float),
    Column("enqueued_at", Float),
    Column("finished_at", Float),
    Column("generation", Integer, nullable=False),
    Column("entries", JSON, nullable=False),
    UniqueConstraint("tournament_id", "epoch", "group_no", "first_n", "generation"),
    Index(None, "tournament_id", "state"),
)

SLOT_KEY: Final = ("tournament_id", "epoch", "group_no", "n", "generation")

slots: Final = Table(
    "slots",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("group_no", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("deal_index", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text),
    Column("match_id", Integer, ForeignKey("matches.id"), nullable=False, index=True),
    Column("finished_at", Float),
    Column("position", Integer, nullable=False),
    UniqueConstraint("tournament_id", "epoch", "deal_index"),
    Index(None, "tournament_id", "state"),
    Index(None, "tournament_id", "position"),
)

slot_seeds: Final = Table(
    "slot_seeds",
    metadata,
    Column("tournament_id", Integer, primary_key=True, autoincrement=False),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("group_no", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("seats", Integer, nullable=False),
    Column("board_seed", LargeBinary, nullable=False),
    Column("bot_seeds", LargeBinary, nullable=False),
    ForeignKeyConstraint(SLOT_KEY, [f"slots.{each}" for each in SLOT_KEY]),
)

attempts: Final = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("worker", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("sandbox_level", String(16), nullable=False),
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("outcome", String(16), nullable=False),
    Column("reason", Text),
    Column("sets_stored", Integer, nullable=False),
    UniqueConstraint("match_id", "number"),
)

table_results: Final = Table(
    "table_results",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("group_no", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("table_no", Integer, nullable=False),
    Column("entries", JSON, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("scores", JSON, nullable=False),
    Column("forfeits", JSON, nullable=False),
    Column("declarer", Integer),
    Column("bid", Integer),
    Column("trump", String(1)),
    Column("decisions", Integer, nullable=False),
    Column("moves_hash", String(64), nullable=False),
    Column("deal_hash", String(64), nullable=False),
    Column("attempt_id", Integer, ForeignKey("attempts.id"), nullable=False),
    Column("worker", Text, nullable=False),
    Column("sandbox_level", String(16), nullable=False),
    Column("stored_at", Float, nullable=False),
    UniqueConstraint(*SLOT_KEY, "table_no"),
    ForeignKeyConstraint(SLOT_KEY, [f"slots.{each}" for each in SLOT_KEY]),
)

records: Final = Table(
    "records",
    metadata,
    Column("table_result_id", Integer, ForeignKey("table_results.id"), primary_key=True),
    Column("record", LargeBinary, nullable=False),
)

faults: Final = Table(
    "faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), nullable=False, index=True),
    Column("attempt_id", Integer, ForeignKey("attempts.id"), nullable=False),
    Column("entry", Integer, nullable=False),
    Column("cause", String(24), nullable=False),
    Column("reason", String(32)),
    Column("detail", Text, nullable=False),
    Column("epoch", Integer),
    Column("group_no", Integer),
    Column("n", Integer),
    Column("generation", Integer),
    Column("table_no", Integer),
    Column("counted", Boolean, nullable=False),
    Column("log", Text),
    Column("happened_at", Float, nullable=False),
)

player_logs: Final = Table(
    "player_logs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("contestant_id", Integer, ForeignKey("contestants.id"), nullable=False, index=True),
    Column("attempt_id", Integer, ForeignKey("attempts.id"), nullable=False),
    Column("entry", Integer, nullable=False),
    Column("table_no", Integer, nullable=False),
    Column("column_no", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("stored_at", Float, nullable=False),
)

ratings: Final = Table(
    "ratings",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("pool", String(64), nullable=False),
    Column("rating", Float),
    Column("standard_error", Float),
    Column("boards", Integer, nullable=False),
    Column("computed_at", Float, nullable=False),
)

installation: Final = Table(
    "installation",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("package_version", String(64), nullable=False),
    Column("rules_version", String(16), nullable=False),
)

looks: Final = Table(
    "looks",
    metadata,
    Column("attempt_id", Integer, primary_key=True, autoincrement=False),
)

quarantines: Final = Table(
    "quarantines",
    metadata,
    Column("host", String(255), primary_key=True),
    Column("until", Float, nullable=False),
    Column("times", Integer, nullable=False),
    Column("reason", Text, nullable=False),
)
