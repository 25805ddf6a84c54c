// The stream with the referee: join, answer turns, come back after a break, end with an honest exit code.

import grpc from "@grpc/grpc-js";
import { open } from "./dialing.js";
import { log } from "./log.js";
import { nameOf } from "./rules.js";

const EXIT = { goodbye: 0, usage: 64, refused: 65, unavailable: 69, failed: 70, interrupted: 130 };
const CONNECT_MS = 10_000;
const REJOIN_MS = 3_000;
const LOBBY_MS = 600_000;
const RETRY_MS = 100;
const LOBBY_RETRY_MS = 1_000;
const REFUSALS = [
  grpc.status.UNAUTHENTICATED,
  grpc.status.PERMISSION_DENIED,
  grpc.status.FAILED_PRECONDITION,
  grpc.status.INVALID_ARGUMENT,
  grpc.status.UNIMPLEMENTED,
];

/**
 * Play until the referee says goodbye; ends the process. `player` has `joined(joined)`, `tableOpened(opened)`,
 * `decide(turn)` giving an action, `tableOver(over)` and `matchOver(over)`.
 */
export function play(player) {
  const { ERQI_REFEREE: referee, ERQI_TOKEN: token } = process.env;
  const missing = Object.entries({ ERQI_REFEREE: referee, ERQI_TOKEN: token }).flatMap(([name, text]) => (text ? [] : [name]));
  if (missing.length > 0) end(EXIT.usage, `${missing.join(" and ")} not set: the platform starts a bot`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(EXIT.interrupted));
  let client;
  try {
    client = open(referee);
  } catch (error) {
    end(EXIT.usage, error.message);
  }
  new Session(client, referee, token, player).connect({ token }, CONNECT_MS);
}

class Session {
  constructor(client, referee, token, player) {
    this.client = client;
    this.referee = referee;
    this.token = token;
    this.player = player;
    this.isGuest = false; // came with an API token: waits in the lobby, plays match after match
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
    let wasTakenIn = false;
    const stream = this.client.play();
    stream.on("data", (response) => {
      wasTakenIn ||= ["joined", "waiting"].includes(response.response);
      this.receive(stream, response);
    });
    stream.on("error", () => {}); // the status below says it all
    stream.on("status", (status) => this.ended(status, identity, wasTakenIn, giveUp));
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
        if (!this.isGuest) break;
        this.returnToLobby(body);
        stream.write({ ready: {} });
        break;
      case "waiting":
        if (!this.isGuest) log(`in the lobby as ${body.name}: waiting for matches`);
        this.isGuest = true;
        break;
      case "goodbye":
        this.isOver = true;
        stream.end();
        break;
    }
  }

  /** The match is over, or lost: forget it. */
  returnToLobby(over) {
    this.resumeToken = "";
    attempt("at the end of a match", () => this.player.matchOver(over));
  }

  answer(turn) {
    const where = `at table ${turn.tableId}, turn ${turn.turnId}, hand ${[...turn.hand].map(nameOf).join(" ")}`;
    return { turnId: turn.turnId, action: attempt(where, () => this.player.decide(turn)) };
  }

  ended(status, identity, wasTakenIn, giveUp) {
    if (this.isOver) process.exit(EXIT.goodbye);
    const isRefused = REFUSALS.includes(status.code);
    if (isRefused && this.isGuest && identity.resumeToken) {
      this.returnToLobby(); // the match went on without the bot
      wasTakenIn = true;
    } else if (isRefused) end(EXIT.refused, `the referee refuses the bot: ${status.details}`);
    const mayPass = [grpc.status.UNAVAILABLE, ...(this.isGuest ? [grpc.status.RESOURCE_EXHAUSTED] : [])];
    const isWorthIt = wasTakenIn || (mayPass.includes(status.code) && Date.now() < giveUp);
    if (!isWorthIt) end(EXIT.unavailable, `the referee went away: ${status.details}`);
    const isInLobby = this.isGuest && !this.resumeToken;
    const next = this.resumeToken ? { resumeToken: this.resumeToken } : { token: this.token };
    const patience = wasTakenIn ? (isInLobby ? LOBBY_MS : REJOIN_MS) : giveUp - Date.now();
    setTimeout(() => this.connect(next, patience), isInLobby ? LOBBY_RETRY_MS : RETRY_MS);
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
