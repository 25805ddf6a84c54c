// The published schema, read at start: no generated code.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const FILE = "erqiwang/v1/bot_service.proto";
// A copy beside this file goes first, then the repository that this folder is part of.
const PLACES = ["proto", "../../../proto"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

/** The client class of the bots' service. */
export function botService() {
  const root = [process.env.ERQI_PROTO, ...PLACES].find((folder) => folder && existsSync(`${folder}/${FILE}`));
  if (!root) throw new Error(`no ${FILE} in ${PLACES.join(" or ")}: copy the folder proto there, or set ERQI_PROTO`);
  // Turn ids are 64 bits wide: as text they survive; a number of JavaScript would round them one day.
  const definition = loadSync(FILE, { includeDirs: [root], longs: String, enums: String, defaults: true, oneofs: true });
  return grpc.loadPackageDefinition(definition).erqiwang.v1.BotService;
}
