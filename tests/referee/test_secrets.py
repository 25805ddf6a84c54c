"""Tokens stay where they belong: in no log, in no command line, in no environment but their owner's."""

import asyncio
import base64
from pathlib import Path


def of_process(pid: int, what: str) -> bytes:
    return Path(f"/proc/{pid}/{what}").read_bytes()


def test_a_match_leaves_no_token_behind(service) -> None:
    referee = service.referee()  # its log has the level DEBUG
    resume_tokens: list[str] = []

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(4, move_limit_ms=20_000)) as runner:
            bots = {
                number: service.start_player(runner, number, f"erqiwang.bots.{name}")
                for number, name in ((1, "lowest"), (2, "counter"), (3, "random"))
            }
            player = service.Player(runner, 0)
            await player.join()
            for _ in range(2):
                resume_tokens.append(player.joined.resume_token)
                turns = await player.next_turns()
                await player.reconnect()
            assert turns
            resume_tokens.append(player.joined.resume_token)
            secrets = [token.encode() for token in [*runner.tokens, *resume_tokens]]
            seen = [of_process(referee.process.pid, what) for what in ("cmdline", "environ")]
            for number, process in bots.items():
                seen.append(of_process(process.pid, "cmdline"))
                environment = of_process(process.pid, "environ")
                assert runner.tokens[number].encode() in environment
                others = [secret for secret in secrets if secret != runner.tokens[number].encode()]
                assert not [secret for secret in others if secret in environment]
            await asyncio.gather(runner.finish(), player.play())
            for process in bots.values():
                assert await asyncio.to_thread(process.wait) == 0
            await player.close()
            seen += [path.read_bytes() for path in referee.folder.iterdir() if path.is_file()]
            hashes = [digest for each in runner.spec.players for digest in forms_of(each.token_sha256)]
            for secret in [*secrets, *hashes]:
                assert not [text for text in seen if secret in text]

    service.run(scenario())
    assert len(set(resume_tokens)) == 3
    log = referee.log.read_bytes()
    assert b"match finished" in log
    assert not [token for token in resume_tokens if token.encode() in log]


def forms_of(digest: bytes) -> list[bytes]:
    """A digest as a log might show it."""
    return [digest, digest.hex().encode(), base64.b64encode(digest)]
