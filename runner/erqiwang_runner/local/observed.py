"""Runs a bot and writes down how it went: `observed.py FOLDER COMMAND...`, with the standard library alone.

It stands between the launcher and the bot, keeps what the bot writes to standard output, and ends as the bot
ended. The report is a JSON file of its own in the folder.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

_KEPT_BYTES = 200


def main() -> None:
    """Run the command, report, and end as it ended."""
    folder, command = Path(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127)
    assert process.stdout is not None
    head, size = b"", 0
    while data := os.read(process.stdout.fileno(), 65536):
        head = (head + data)[:_KEPT_BYTES]
        size += len(data)
    code = process.wait()
    report = {
        "code": code,
        "stdout_bytes": size,
        "stdout": head.decode(errors="replace"),
        "peak_kib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
    }
    file = folder / f"{os.getpid()}.json"
    file.with_suffix(".new").write_text(json.dumps(report))
    file.with_suffix(".new").rename(file)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
