"""Events reach addresses that fail, hang and come back, and hold nothing up."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sqlalchemy import select, update

from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import UsageError
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import events, life_cycle, schema, tournaments, webhooks
from erqiwang_runner.store.events import EventKind
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.webhook.courier import Courier
from erqiwang_runner.webhook.post import DeliveryError, post

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SECRET = bytes(range(32))


class Receiver(ThreadingHTTPServer):
    """Answers with the status it is told, and keeps what came."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 200
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.location = ""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/erqi?to=me"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.came.append((self.path, dict(self.headers), body))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def trickling():
    """An address that answers a byte now and then, and never a whole line."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        stop = threading.Event()

        def serve():
            taken, _ = listening.accept()
            with closing(taken):
                while not stop.wait(0.02):
                    try:
                        taken.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        stop.set()
        thread.join()


class Clock:
    now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def secrets(tmp_path):
    file = SecretFile(tmp_path)
    file.add("webhook-1", SECRET)
    return file


@pytest.fixture
def courier(database, secrets, clock):
    return Courier(database, secrets, clock=clock, limit_s=0.5)


@pytest.fixture
def add(database):
    def add_webhook(url, secret_name="webhook-1"):
        with database.write() as connection:
            return webhooks.add(connection, url, secret_name)

    return add_webhook


@pytest.fixture
def happen(database, clock):
    def emit(count=1, kind=EventKind.TOURNAMENT_STARTED):
        with database.write() as connection:
            for number in range(count):
                events.emit(connection, kind, tournament=f"t{number}")
            connection.execute(
                update(schema.deliveries)
                .values(due_at=clock(), happened_at=clock())
                .where(schema.deliveries.c.tries == 0)
            )

    return emit


def hooks(database):
    with database.read() as connection:
        return webhooks.every(connection)


def test_an_event_arrives_signed_with_its_id(receiver, database, courier, add, happen):
    add(receiver.url)
    happen()
    assert courier.deliver() == 1
    ((path, headers, body),) = receiver.came
    assert path == "/erqi?to=me"
    event = json.loads(body)
    assert (event["kind"], event["data"]) == ("tournament.started", {"tournament": "t0"})
    assert headers["Erqi-Event"] == "tournament.started"
    assert headers["Erqi-Event-Id"] == event["id"]
    signed = b"1800000000." + body
    digest = hmac.new(SECRET.hex().encode(), signed, hashlib.sha256).hexdigest()
    assert headers["Erqi-Signature"] == f"t=1800000000,v1={digest}"
    assert courier.deliver() == 0
    (hook,) = hooks(database)
    assert (hook.delivered, hook.waiting, hook.failed, hook.error) == (1, 0, 0, "")


@ON_SQLITE
def test_what_was_rolled_back_did_not_happen(database, add, make_spec):
    add("http://127.0.0.1:9/")

    def fail():
        with database.write() as connection:
            tournaments.start(connection, tournaments.create(connection, make_spec()))
            assert [each.kind for each in webhooks.due(connection, 2e9)] == ["tournament.started"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert hooks(database)[0].waiting == 0


@ON_SQLITE
def test_an_address_that_fails_is_tried_again_later_and_the_id_stays(
    receiver, database, courier, add, happen, clock
):
    add(receiver.url)
    receiver.status = 503
    happen()
    assert courier.deliver() == 0
    assert courier.deliver() == 0
    assert len(receiver.came) == 1
    assert hooks(database)[0].error == "answered 503"
    for tries in range(2, 6):
        clock.now += 1.5 * 5 * 2**tries
        courier.deliver()
        assert len(receiver.came) == tries
    receiver.status = 204
    clock.now += 3600
    assert courier.deliver() == 1
    assert len({headers["Erqi-Event-Id"] for _, headers, _ in receiver.came}) == 1
    assert (hooks(database)[0].delivered, hooks(database)[0].error) == (1, "")


@ON_SQLITE
def test_what_never_arrives_is_given_up_and_seen(receiver, database, courier, add, happen, clock):
    add(receiver.url)
    receiver.status = 500
    happen()
    courier.deliver()
    clock.now += webhooks.GIVE_UP_S
    courier.deliver()
    (hook,) = hooks(database)
    assert (hook.waiting, hook.failed, hook.error) == (0, 1, "answered 500")
    clock.now += webhooks.GIVE_UP_S
    assert courier.deliver() == 0
    assert len(receiver.came) == 2
    with database.write() as connection:
        assert webhooks.forget(connection, clock.now) == 0
        assert webhooks.forget(connection, clock.now + 31 * 86_400) == 1


@ON_SQLITE
def test_a_failing_address_does_not_keep_others_waiting(receiver, courier, add, happen):
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        # Connections are taken by the system and never answered.
        add(f"http://127.0.0.1:{silent.getsockname()[1]}/")
        add(receiver.url)
        happen(3)
        assert courier.deliver() == 3
    assert [json.loads(body)["data"]["tournament"] for _, _, body in receiver.came] == ["t0", "t1", "t2"]


def test_an_answer_that_trickles_in_is_cut_off():
    with trickling() as url, pytest.raises(DeliveryError, match=r"no answer within 0\.3 s"):
        post(url, b"{}", {}, 0.3)


def test_an_address_that_nobody_serves_is_a_failure():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
    with pytest.raises(DeliveryError, match="Connection refused"):
        post(url, b"{}", {}, 5.0)


def test_a_certificate_that_nobody_vouches_for_is_a_failure(receiver, certificates, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.path("server.pem"), certificates.path("server.key"))
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    url = receiver.url.replace("http:", "https:")
    with pytest.raises(DeliveryError, match="certificate verify failed"):
        post(url, b"{}", {}, 5.0)
    assert receiver.came == []
    monkeypatch.setenv("SSL_CERT_FILE", certificates.path("authority.pem"))
    assert post(url, b"{}", {}, 5.0) == 200


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(receiver, status):
    receiver.status, receiver.location = status, receiver.url
    with pytest.raises(DeliveryError, match=f"answered {status}: redirects are not followed"):
        post(receiver.url, b"{}", {}, 5.0)
    assert len(receiver.came) == 1


@ON_SQLITE
def test_two_couriers_send_an_event_once(receiver, database, secrets, clock, add, happen):
    add(receiver.url)
    happen(8)
    pair = [Courier(database, secrets, clock=clock) for _ in range(2)]
    threads = [threading.Thread(target=each.deliver) for each in pair]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(receiver.came) == 8


@ON_SQLITE
def test_an_event_whose_courier_died_is_sent_by_the_next(receiver, database, courier, add, happen, clock):
    add(receiver.url)
    happen()
    with database.write() as connection:
        (claimed,) = webhooks.due(connection, clock.now)
        assert webhooks.claim(connection, claimed, clock.now)
        assert not webhooks.claim(connection, claimed, clock.now)
    assert courier.deliver() == 0
    clock.now += webhooks.LEASE_S
    assert courier.deliver() == 1


@ON_SQLITE
def test_a_missing_secret_is_said(receiver, database, courier, add, happen):
    add(receiver.url, "webhook-2")
    happen()
    assert courier.deliver() == 0
    assert receiver.came == []
    assert "its secret is not in" in hooks(database)[0].error


@ON_SQLITE
def test_the_coordinator_tells_of_a_tournament(
    receiver, database, secrets, queue, season, add, running, clock
):
    add(receiver.url)
    tournament = running(boards=2, boards_per_match=1)
    coordinator = Coordinator(database, queue, secrets=secrets)
    while season.row(tournament.name).state is TournamentState.RUNNING:
        coordinator.step()
        while queue.matches:
            season.play_match(queue.matches.pop(), lambda _entry, _slot: False)
    coordinator.step()
    for _ in range(3):
        coordinator.join()
        coordinator.step()
    coordinator.join()
    kinds = [headers["Erqi-Event"] for _, headers, _ in receiver.came]
    assert kinds == ["tournament.started", "tournament.finished"]


@ON_SQLITE
def test_states_of_a_tournament_are_told_once(database, add, running):
    add("http://127.0.0.1:9/")
    tournament = running()
    with database.write() as connection:
        tournaments.start(connection, tournament.id)
        for _ in range(2):
            life_cycle.pause(connection, tournament.name)
        for _ in range(2):
            life_cycle.cancel(connection, tournament.name)
    with database.read() as connection:
        kinds = connection.scalars(select(schema.deliveries.c.kind).order_by(schema.deliveries.c.id)).all()
    assert kinds == ["tournament.started", "tournament.paused", "tournament.cancelled"]


@ON_SQLITE
def test_a_webhook_is_there_once_and_goes_with_what_waits_for_it(database, add, happen):
    add("http://127.0.0.1:9/")
    happen(3)
    with pytest.raises(UsageError, match="there is a webhook for http://127"):
        add("http://127.0.0.1:9/")
    with database.write() as connection:
        assert webhooks.remove(connection, "1").waiting == 3
        with pytest.raises(UsageError, match="there is no webhook '1'"):
            webhooks.remove(connection, "1")
        events.emit(connection, EventKind.TOURNAMENT_STARTED, tournament="t")
        assert webhooks.due(connection, 2e9) == []


def test_waits_grow_to_an_hour_and_differ_between_events():
    waits = [webhooks.wait_s("e", tries) for tries in range(1, 30)]
    for tries, wait in enumerate(waits, 1):
        nominal = min(3600, 5 * 2 ** (tries - 1))
        assert nominal / 2 <= wait <= nominal * 1.5
    assert len({webhooks.wait_s(f"e{number}", 1) for number in range(50)}) == 50
