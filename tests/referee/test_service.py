"""The referee as a process: real streams, real processes, real misbehaviour."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys

import grpc
import grpc.aio
import pytest

from erqiwang.rules import verify_record
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2
from erqiwang.v1.bot_service_pb2_grpc import BotServiceStub

COMPLETED = match_service_pb2.MATCH_OUTCOME_COMPLETED
VOID = match_service_pb2.MATCH_OUTCOME_VOID


def assert_sound(runner) -> None:
    assert runner.finished is not None
    assert runner.finished.outcome == COMPLETED, runner.finished.detail
    assert sorted(runner.records) == list(range(len(runner.spec.tables)))
    for record in runner.records.values():
        assert verify_record(record) is None
        assert sum(record.scores) == 0


async def play_match(service, runner) -> list:
    """All players are decent."""
    players = [service.Player(runner, number) for number in range(len(runner.tokens))]
    await asyncio.gather(*[player.join() for player in players])
    _, *played = await asyncio.gather(runner.finish(), *[player.play() for player in players])
    await asyncio.gather(*[player.close() for player in players])
    return played


async def end_of(process: subprocess.Popen[bytes]) -> int:
    return await asyncio.get_running_loop().run_in_executor(None, process.wait)


def test_a_match_of_sixteen_players_and_its_traces(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(3, companies=4)) as runner:
            assert len(set(runner.addresses)) == 16
            assert len(referee.sockets()) == 18
            players = await play_match(service, runner)
        assert_sound(runner)
        assert sorted(runner.joined) == list(range(16))
        assert runner.faults == []
        for player in players:
            assert player.match_over.tables == 3
            assert player.goodbye == "the match is over"

    service.run(scenario())
    assert referee.end() == 0
    assert referee.sockets() == []
    log = referee.log.read_text()
    assert "match finished match='stage' outcome=completed" in log
    assert "secret" not in log


def test_starter_bots_play_in_processes_of_their_own(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(6, move_limit_ms=20_000)) as runner:
            names = ["random", "lowest", "cautious", "counter"]
            processes = [
                service.start_player(runner, number, f"erqiwang.bots.{name}")
                for number, name in enumerate(names)
            ]
            await runner.finish()
            assert [await end_of(process) for process in processes] == [0, 0, 0, 0]
        assert_sound(runner)
        assert runner.faults == []

    service.run(scenario())


def test_the_same_match_again_gives_the_same_records(service) -> None:
    referee = service.referee()

    async def played() -> list[object]:
        async with service.Runner(referee, service.spec(4)) as runner:
            await play_match(service, runner)
        records = [json.loads(runner.records[table].to_json()) for table in range(4)]
        for record in records:
            for decision in record["decisions"]:
                del decision["ms"]
        return records

    async def scenario() -> None:
        assert await played() == await played()

    service.run(scenario())


def test_matches_leave_no_descriptor_and_no_socket(service) -> None:
    referee = service.referee()

    async def match() -> None:
        async with service.Runner(referee, service.spec(1)) as runner:
            await play_match(service, runner)
        assert_sound(runner)

    async def scenario() -> None:
        fresh = referee.descriptors()
        for _ in range(6):
            await match()
        await settle(referee, 2)
        # Six matches open thirty connections; gRPC itself may keep one or two descriptors from its first.
        while referee.descriptors() > fresh + 2:
            await asyncio.sleep(0.01)

    service.run(scenario())


async def settle(referee, sockets: int) -> None:
    """Wait until the referee has seen the end of the last call."""
    while len(referee.sockets()) > sockets:
        await asyncio.sleep(0.01)


def test_two_matches_at_once_do_not_meet(service) -> None:
    referee = service.referee()

    async def match(tables: int) -> None:
        async with service.Runner(referee, service.spec(tables)) as runner:
            await play_match(service, runner)
        assert_sound(runner)

    async def scenario() -> None:
        await asyncio.gather(match(2), match(5))

    service.run(scenario())


# Who comes in.


async def refusal(address: str, *requests: bot.PlayRequest) -> grpc.StatusCode:
    async with grpc.aio.insecure_channel(address) as channel:
        call = BotServiceStub(channel).Play()
        for request in requests:
            await call.write(request)
        with contextlib.suppress(grpc.aio.AioRpcError):
            while isinstance(await call.read(), bot.PlayResponse):
                pass
        return await call.code()


def test_who_may_not_join_is_told_why(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(1)) as runner:
            address, token = runner.addresses[0], runner.tokens[0]
            wrong = bot.PlayRequest(join=bot.Join(token="wrong", protocol_version=1))
            version = bot.PlayRequest(join=bot.Join(token=token, protocol_version=7))
            rules = bot.PlayRequest(join=bot.Join(token=token, protocol_version=1, rules_version="99.0"))
            returns = bot.PlayRequest(join=bot.Join(resume_token="x", protocol_version=1))
            nothing = bot.PlayRequest(decisions=bot.Decisions())
            assert await refusal(address, wrong) is grpc.StatusCode.UNAUTHENTICATED
            assert await refusal(address, returns) is grpc.StatusCode.UNAUTHENTICATED
            assert await refusal(address, version) is grpc.StatusCode.FAILED_PRECONDITION
            assert await refusal(address, rules) is grpc.StatusCode.FAILED_PRECONDITION
            assert await refusal(address, nothing) is grpc.StatusCode.INVALID_ARGUMENT
            player = await service.Player(runner, 0).join(client="test/1")
            assert player.joined.profile == "classic"
            again = bot.PlayRequest(join=bot.Join(token=token, protocol_version=1))
            assert await refusal(address, again) is grpc.StatusCode.UNAUTHENTICATED
            assert await refusal(runner.addresses[1], again) is grpc.StatusCode.UNAUTHENTICATED
            await player.close()

    service.run(scenario())


def test_a_silent_stream_is_ended(service) -> None:
    referee = service.referee(ERQI_REFEREE_FIRST_MESSAGE_MS="50")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(1)) as runner:
            assert await refusal(runner.addresses[0]) is grpc.StatusCode.INVALID_ARGUMENT

    service.run(scenario())


def test_a_broken_stream_can_be_taken_up_again(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(2)) as runner:
            players = [service.Player(runner, number) for number in range(4)]
            await asyncio.gather(*[player.join() for player in players])
            others = [asyncio.create_task(player.play()) for player in players[:3]]
            player = players[3]
            first = await player.next_turns()
            token = player.joined.resume_token
            await player.reconnect()
            assert player.joined.resume_token not in ("", token)
            again = await player.next_turns()
            assert {turn.turn_id for turn in first} <= {turn.turn_id for turn in again}
            assert again[0].events[0].HasField("dealt")
            await player.answer(again)
            await asyncio.gather(runner.finish(), player.play(), *others)
            await asyncio.gather(*[one.close() for one in players])
        assert_sound(runner)
        assert runner.faults == []

    service.run(scenario())


# The runner.


def test_a_spec_that_cannot_be_played_is_refused(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        spec = service.spec(1)
        spec.profile = "bridge"
        async with service.Runner(referee, spec) as runner:
            assert await runner.call.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert "no such profile: 'bridge'" in await runner.call.details()

    service.run(scenario())


def test_losing_the_runner_ends_the_match_and_tells_the_players(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(2)) as runner:
            players = [service.Player(runner, number) for number in range(4)]
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(*[player.next_turns() for player in players[:2]])
            runner.call.cancel()
            for player in players:
                assert await player.status() is grpc.StatusCode.OK
                assert player.match_over.aborted
                assert player.goodbye
                await player.close()
        await settle(referee, 2)
        async with service.Runner(referee, service.spec(1)) as runner:
            await play_match(service, runner)
        assert_sound(runner)

    service.run(scenario())


def test_a_killed_runner_ends_the_match(service) -> None:
    referee = service.referee()
    script = (
        "import grpc, sys, time\n"
        "from erqiwang.v1 import match_service_pb2 as m\n"
        "from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub\n"
        "spec = m.MatchSpec.FromString(sys.stdin.buffer.read())\n"
        "def requests():\n"
        "    yield m.RunMatchRequest(spec=spec)\n"
        "    time.sleep(3600)\n"
        "channel = grpc.insecure_channel(sys.argv[1])\n"
        "for response in MatchServiceStub(channel).RunMatch(requests()):\n"
        "    print(*response.match_opened.addresses, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, referee.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(service.spec(1).SerializeToString())
    process.stdin.close()
    assert process.stdout.readline()
    assert len(referee.sockets()) == 6
    process.kill()
    process.wait()
    process.stdout.close()
    service.run(settle(referee, 2))


def test_wrong_settings_end_with_the_usage_code() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "erqiwang_referee", "--socket-dir", "/nowhere"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 64
    assert done.stderr == b"erqiwang_referee: --socket-dir /nowhere is no folder\n"
    assert done.stdout == b""


# Players that misbehave, in processes of their own.

SESSION_FAULTS = {
    "crash": "CRASHED",
    "exit0": "LEFT",
    "leaves": "LEFT",
    "flood": "FLOODED",
    "joins_twice": "PROTOCOL",
    "never_joins": "NEVER_JOINED",
}
TABLE_FAULTS = {"illegal": "ILLEGAL", "malformed": "MALFORMED", "garbage": "MALFORMED"}
TIME_FAULTS = ("hang", "slow", "deaf")


@pytest.mark.parametrize("how", SESSION_FAULTS)
def test_a_player_that_goes_wrong_harms_only_itself(service, how: str) -> None:
    spec = service.spec(2, move_limit_ms=20_000)
    if how == "never_joins":
        spec.clock.start_limit_ms = 3000
    runner = play_with_one_that(how, service, service.referee(), spec)
    assert runner.faults == [(3, None, SESSION_FAULTS[how])]
    assert runner.forfeits == {0: [3], 1: [2]}


@pytest.mark.parametrize("how", TABLE_FAULTS)
def test_a_player_that_plays_wrong_forfeits_the_table(service, how: str) -> None:
    runner = play_with_one_that(how, service, service.referee(), service.spec(2, move_limit_ms=20_000))
    assert sorted(runner.faults) == [(3, table, TABLE_FAULTS[how]) for table in (0, 1)]
    assert runner.forfeits == {0: [3], 1: [2]}


@pytest.mark.parametrize("how", TIME_FAULTS)
def test_a_player_that_takes_too_long_forfeits_the_table(service, how: str) -> None:
    referee = service.referee(ERQI_REFEREE_TIMEOUTS="1")
    runner = play_with_one_that(how, service, referee, service.spec(1, move_limit_ms=500))
    assert runner.faults == [(3, 0, "TIMED_OUT_MOVE")] * 2
    assert runner.forfeits == {0: [3]}


def play_with_one_that(how: str, service, referee, spec):
    """Play a match with one player of the bad kit; the others must not notice."""

    async def scenario() -> None:
        async with runner:
            process = service.start_player(runner, 3, "erqiwang.testing.bad", how, "--after", "3")
            launcher = asyncio.create_task(tell_of_end(runner, process))
            players = [service.Player(runner, number) for number in range(3)]
            await asyncio.gather(*[player.join() for player in players])
            others = [asyncio.create_task(player.play()) for player in players]
            await runner.finish()
            launcher.cancel()
            for player in await asyncio.gather(*others):
                assert len(player.over) == len(spec.tables)
                assert player.match_over.tables == len(spec.tables)
                assert player.goodbye
                await player.close()
        assert_sound(runner)

    runner = service.Runner(referee, spec)
    service.run(scenario())
    return runner


async def tell_of_end(runner, process: subprocess.Popen[bytes]) -> None:
    """What a launcher does: say how a player ended."""
    while (code := process.poll()) is None:
        await asyncio.sleep(0.01)
    await runner.exited(3, **({"signal": -code} if code < 0 else {"code": code}))


def test_a_player_that_is_stopped_is_late_and_not_in_the_way(service) -> None:
    referee = service.referee(ERQI_REFEREE_TIMEOUTS="1")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(1, move_limit_ms=500)) as runner:
            process = service.start_player(runner, 3, "erqiwang.testing.bad", "hang", "--after", "1000")
            players = [service.Player(runner, number) for number in range(3)]
            while 3 not in runner.joined:
                await runner.wait_for("player_joined")
            process.send_signal(signal.SIGSTOP)
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            process.kill()
            process.wait()
            await asyncio.gather(*[player.close() for player in players])
        assert_sound(runner)
        assert {cause for _, _, cause in runner.faults} == {"TIMED_OUT_MOVE"}
        assert runner.forfeits == {0: [3]}

    service.run(scenario())
