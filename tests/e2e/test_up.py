from __future__ import annotations

import json
import signal
import sys

from erqiwang_runner.run_lock import running_redis

PATIENCE_S = 240.0
BOT = "from erqiwang import run; from erqiwang.bots.lowest import LowestBot; run(LowestBot)"


def test_a_running_platform_plays_tournaments_of_other_commands(erqi):
    """A bot of the user takes part; a second platform is refused; a stop leaves nothing."""
    run, home = erqi.run, erqi.home
    up = erqi.start("up", "--workers", "1")
    assert "1 workers" in up.stdout.readline()
    assert run("up")[0] == 69
    mine = f"mine={sys.executable} -c '{BOT}'"
    entries = [word for entry in ("lowest", mine) for word in ("--entry", entry)]
    code, _, err = run("tournament", "create", "cup", *entries, "--boards", "3", "--set-type", "pair22")
    assert code == 0, err
    code, out, err = run("tournament", "run", "cup")
    assert (code, err) == (0, "")
    assert "watching it" in out
    assert "3 of 3 board sets played" in out
    assert running_redis(home.data) is not None

    up.send_signal(signal.SIGTERM)
    _, err = up.communicate(timeout=PATIENCE_S)
    assert (up.returncode, err) == (0, "")
    assert home.processes() == []
    assert home.leftovers() == []
    assert running_redis(home.data) is None

    status = json.loads(run("tournament", "status", "--json")[1])
    assert (status["state"], status["played"], status["attempts"]) == ("finished", 3, {"completed": 1})
    assert "mine@" in run("standings", "cup")[1]
