// The way to the referee: `tls://HOST:PORT` encrypted, any other target in clear and on this machine only.

import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";
import { botService } from "./schema.js";

const TLS = "tls://";
const HERE = /^(unix:|unix-abstract:|((dns:\/\/\/|dns:|ipv4:|ipv6:)?(localhost|127\.[\d.]+|\[::1\]):\d+$))/;
const OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
};

/** A client of the referee at a target; throws an Error of one line if it would give the token away. */
export function open(target) {
  const Client = botService();
  if (target.startsWith(TLS)) {
    return new Client(target.slice(TLS.length), credentials(), { ...OPTIONS, "grpc.keepalive_time_ms": 20_000 });
  }
  if (!HERE.test(target) && process.env.ERQI_ALLOW_CLEAR !== "1") {
    throw new Error(
      `ERQI_REFEREE=${target} would send the token in clear over the network: ` +
        `write ${TLS}HOST:PORT, or set ERQI_ALLOW_CLEAR=1 if everybody on the way is trusted`,
    );
  }
  return new Client(target, grpc.credentials.createInsecure(), OPTIONS);
}

function credentials() {
  const [ca, key, certificate] = ["ERQI_CA", "ERQI_KEY", "ERQI_CERT"].map(read);
  if (!key !== !certificate) throw new Error("ERQI_CERT and ERQI_KEY go together");
  return grpc.credentials.createSsl(ca, key, certificate);
}

function read(name) {
  const path = process.env[name];
  if (!path) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${name}=${path}: ${error.code}`);
  }
}
