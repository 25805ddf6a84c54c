// The smallest complete bot: it lets the referee's fallback play every turn, but opens the bidding.
import grpc from "@grpc/grpc-js";
import { botService } from "./schema.js";

const { ERQI_REFEREE: referee, ERQI_TOKEN: token } = process.env;
if (!referee || !token) fail(64, "ERQI_REFEREE or ERQI_TOKEN is not set");

const client = new (botService())(referee, grpc.credentials.createInsecure());

client.waitForReady(Date.now() + 10_000, (error) => {
  if (error) fail(69, `no referee answers at ${referee}`);
  let isOver = false;
  const stream = client.play();
  stream.on("error", () => {});
  stream.on("status", ({ code, details }) => (isOver ? process.exit(0) : fail(69, `status ${code}: ${details}`)));
  stream.on("data", ({ turns, goodbye }) => {
    if (turns) stream.write({ decisions: { decisions: turns.turns.map(decide) } });
    if (goodbye) {
      isOver = true;
      stream.end();
    }
  });
  stream.write({ join: { token, protocolVersion: 1, client: "fallback-node/1" } });
});

function decide({ turnId, kind, events }) {
  const opens = kind === "TURN_KIND_BID" && events.at(-1)?.dealt; // a turn to bid, and nobody bid before
  return { turnId, action: opens ? { bid: 100 } : { useFallback: true } };
}

function fail(code, line) {
  process.stderr.write(`fallback: ${line}\n`);
  process.exit(code);
}
