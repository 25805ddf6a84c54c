// A complete bot: `player.js` decides, `session.js` speaks with the referee.

import { Player } from "./player.js";
import { play } from "./session.js";

play(new Player());
