// The stream with the referee: join, answer turns, come back after a break, end with an honest exit code.

import grpc from "@grpc/grpc-js";
import { log } from "./log.js";
import { nameOf } from "./rules.js";
import { botService } from "./schema.js";

const EXIT = { goodbye: 0, usage: 64, refused: 65, unavailable: 69, failed: 70, interrupted: 130 };
const CONNECT_MS = 10_000;
const REJOIN_MS = 3_000;
const RETRY_MS = 100;
const REFUSALS = [
  grpc.status.UNAUTHENTICATED,
  grpc.status.PERMISSION_DENIED,
  grpc.status.FAILED_PRECONDITION,
  grpc.status.INVALID_ARGUMENT,
  grpc.status.UNIMPLEMENTED,
];

/**
 * Play until the referee says goodbye; ends the process. `player` has `joined(joined)`, `tableOpened(opened)`,
 * `decide(turn)` giving an action, and `tableOver(over)`.
 */
export function play(player) {
  const { ERQI_REFEREE: referee, ERQI_TOKEN: token } = process.env;
  const missing = Object.entries({ ERQI_REFEREE: referee, ERQI_TOKEN: token }).flatMap(([name, text]) => (text ? [] : [name]));
  if (missing.length > 0) end(EXIT.usage, `${missing.join(" and ")} not set: the platform starts a bot`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(EXIT.interrupted));
  const client = new (botService())(referee, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1000,
  });
  new Session(client, referee, player).connect({ token }, CONNECT_MS);
}

class Session {
  constructor(client, referee, player) {
    this.client = client;
    this.referee = referee;
    this.player = player;
    this.resumeToken = "";
    this.isOver = false;
  }

  /** Open a stream once the referee is there. */
  connect(identity, patienceMs) {
    const giveUp = Date.now() + patienceMs;
    this.client.waitForReady(giveUp, (error) => {
      if (error) end(EXIT.unavailable, `the referee at ${this.referee} ${this.resumeToken ? "went away" : "does not answer"}`);
      this.open(identity, giveUp);
    });
  }

  open(identity, giveUp) {
    let wasJoined = false;
    const stream = this.client.play();
    stream.on("data", (response) => {
      wasJoined ||= response.response === "joined";
      this.receive(stream, response);
    });
    stream.on("error", () => {}); // the status below says it all
    stream.on("status", (status) => this.ended(status, identity, wasJoined, giveUp));
    stream.write({ join: { ...identity, protocolVersion: 1, client: "erqiwang-node/1" } });
  }

  receive(stream, response) {
    const body = response[response.response];
    switch (response.response) {
      case "joined":
        this.resumeToken = body.resumeToken;
        attempt("at the join", () => this.player.joined(body));
        break;
      case "tablesOpened":
        for (const table of body.tables) attempt("when a table opened", () => this.player.tableOpened(table));
        break;
      case "turns":
        stream.write({ decisions: { decisions: body.turns.map((turn) => this.answer(turn)) } });
        break;
      case "rejections":
        for (const rejection of body.rejections) log(rejectionLine(rejection));
        break;
      case "tablesOver":
        for (const table of body.tables) attempt("when a table was over", () => this.player.tableOver(table));
        break;
      case "matchOver":
        log(`match over: ${body.tables} tables, ${body.points} points${body.aborted ? ", broken off" : ""}`);
        break;
      case "goodbye":
        this.isOver = true;
        stream.end();
        break;
    }
  }

  answer(turn) {
    const where = `at table ${turn.tableId}, turn ${turn.turnId}, hand ${[...turn.hand].map(nameOf).join(" ")}`;
    return { turnId: turn.turnId, action: attempt(where, () => this.player.decide(turn)) };
  }

  ended(status, identity, wasJoined, giveUp) {
    if (this.isOver) process.exit(EXIT.goodbye);
    if (REFUSALS.includes(status.code)) end(EXIT.refused, `the referee refuses the bot: ${status.details}`);
    const isWorthIt = wasJoined || (status.code === grpc.status.UNAVAILABLE && Date.now() < giveUp);
    if (!isWorthIt) end(EXIT.unavailable, `the referee went away: ${status.details}`);
    const next = wasJoined ? { resumeToken: this.resumeToken } : identity;
    setTimeout(() => this.connect(next, wasJoined ? REJOIN_MS : giveUp - Date.now()), RETRY_MS);
  }
}

function rejectionLine({ turnId, cause, reason, detail, owed }) {
  const cards = owed.length > 0 ? ` [owed: ${[...owed].map(nameOf).join(" ")}]` : "";
  return `turn ${turnId} not applied: ${cause} ${reason} ${detail}${cards}`;
}

/** Do something of the bot's; whatever it throws ends the process and says where. */
function attempt(where, action) {
  try {
    return action();
  } catch (error) {
    return end(EXIT.failed, `${error.stack}\nbot: failed ${where}`);
  }
}

function end(code, line) {
  log(line);
  process.exit(code);
}
