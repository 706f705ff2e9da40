"""Who may ask: the key, the Host header, forms of our own, and the policy on every answer."""

import httpx
import pytest

from headcount.errors import InputError, OptionError
from headcount.web.guard import FORM_HEADER, Keys, Place
from headcount.web.server import bound, serve

PAGES = ["/", "/calculators", "/calculators/gold", "/scripts", "/static/page.js", "/nowhere"]


@pytest.fixture
def stranger(shared_site):
    """A client without key and cookie."""
    with httpx.Client(base_url=shared_site.address, timeout=60) as client:
        yield client


@pytest.mark.parametrize("path", [*PAGES, "/api/studies", "/api/openapi.json", "/api/nowhere"])
def test_nothing_is_shown_without_the_key(stranger, path) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "key" in answer.text
    assert stranger.get(path, params={"key": "wrong"}).status_code == 401
    assert stranger.get(path, headers={"authorization": "Bearer wrong"}).status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_key_becomes_a_cookie_that_no_other_site_gets(shared_site, stranger) -> None:
    key = shared_site.serving.keys.key
    answer = stranger.get(
        "/calculators/gold", params={"accuracy": "0.9", "key": key}, follow_redirects=False
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == "/calculators/gold?accuracy=0.9"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert key not in cookie
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}",
     "127.0.0.1:{port}@evil.example", "127.0.0.1:{port}/x", "10.0.0.1:{port}", ""],
)  # fmt: skip
def test_a_forged_host_gets_nothing(shared_site, host) -> None:
    forged = host.format(port=shared_site.serving.place.port)
    answer = shared_site.client.get("/api/studies", headers={"host": forged})
    assert answer.status_code in (400, 421)
    assert "studies" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_the_names_of_this_machine_are_answered(shared_site, host) -> None:
    port = shared_site.serving.place.port
    answer = shared_site.client.get("/api/studies", headers={"host": f"{host}:{port}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/studies", "/studies/20260101-000000-00000000/delete"])
def test_a_form_of_another_site_does_nothing(shared_site, headers, path) -> None:
    with shared_site.browser() as client:
        answer = client.post(path, headers=headers, data=shared_site.form())
    assert answer.status_code == 403
    assert "another page" in answer.text


def test_a_form_without_our_token_does_nothing(shared_site, demo_files) -> None:
    id = shared_site.upload(demo_files[0])
    with shared_site.browser() as client:
        for data in ({"title": "x"}, {"form_token": "guess"}):
            assert client.post(f"/studies/{id}/delete", data=data).status_code == 403
            sent = client.post("/studies", data=data, files={"ratings": demo_files[0]})
            assert sent.status_code == 403
        assert client.delete(f"/api/studies/{id}").status_code == 403
        wrong = client.delete(f"/api/studies/{id}", headers={FORM_HEADER: "guess"})
        assert wrong.status_code == 403
        right = {FORM_HEADER: shared_site.serving.keys.form}
        assert client.delete(f"/api/studies/{id}", headers=right).status_code == 204
    assert shared_site.left_over() == []


@pytest.mark.parametrize("path", [*PAGES, "/api/studies"])
def test_every_answer_has_the_policy(shared_site, path) -> None:
    headers = shared_site.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers or "uvicorn" in headers["server"]


def test_large_and_odd_requests_are_refused(shared_site) -> None:
    much = shared_site.client.post("/api/studies/x/evaluate", content=b"x" * (2 << 20))
    assert much.status_code == 413
    piece = (b"x" * 65536 for _ in range(40))
    streamed = shared_site.client.post("/studies/x/delete", content=piece)
    assert streamed.status_code in (400, 413, 415)
    assert shared_site.client.request("BREW", "/").status_code == 405
    assert shared_site.client.get("/?q=" + "x" * 5000).status_code == 200


def test_places() -> None:
    here, everywhere = Place("127.0.0.1", 80), Place("0.0.0.0", 8731)
    assert here.is_called("localhost")
    assert not here.is_called("192.168.0.7")
    assert everywhere.is_called("192.168.0.7:8731")
    assert not everywhere.is_called("rebound.example:8731")
    assert everywhere.address == "http://127.0.0.1:8731"
    assert not everywhere.loopback
    assert Place("::1", 9).address == "http://[::1]:9"


def test_keys_differ_and_are_told_apart() -> None:
    one, other = Keys(), Keys()
    assert len({one.key, one.session, one.form, other.key, other.session}) == 5
    assert one.is_form(one.form)
    assert not one.is_form(other.form)
    assert not one.is_form(None)


def test_other_machines_need_an_explicit_word(tmp_path) -> None:
    with pytest.raises(OptionError, match="--expose"):
        serve(host="0.0.0.0", folder=tmp_path, open_browser=False)


def test_a_port_in_use_is_told() -> None:
    with bound("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(InputError, match="--port"):
            bound("127.0.0.1", taken.getsockname()[1])
