// The smallest complete bot: it lets the referee's fallback play every turn, but opens the bidding.
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { ERQI_REFEREE: referee, ERQI_TOKEN: token } = process.env;
if (!referee || !token) fail(64, "ERQI_REFEREE or ERQI_TOKEN is not set");

const proto = process.env.ERQI_PROTO ?? fileURLToPath(new URL("../../../proto", import.meta.url));
const options = { includeDirs: [proto], longs: String, defaults: true, oneofs: true };
const { erqiwang } = grpc.loadPackageDefinition(loadSync("erqiwang/v1/bot_service.proto", options));
const client = new erqiwang.v1.BotService(referee, grpc.credentials.createInsecure());

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
  const opens = kind === 1 && events.at(-1)?.dealt; // a turn to bid, and nobody bid before
  return { turnId, action: opens ? { bid: 100 } : { useFallback: true } };
}

function fail(code, line) {
  process.stderr.write(`fallback: ${line}\n`);
  process.exit(code);
}
