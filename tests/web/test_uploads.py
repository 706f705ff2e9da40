"""Uploads: streamed to disk, bounded in every way, and nothing left of what is refused."""

import concurrent.futures
import gzip
import http.client
import io
import zipfile

import httpx
import pytest

from headcount.web.looking import look
from headcount.web.record import Input

RATINGS = b"item,rater,label\n" + b"".join(
    f"{item},{rater},{'yes' if (item + rater) % 3 else 'no'}\n".encode()
    for item in range(30)
    for rater in range(4)
)


def uploaded(site, *files, **more):
    parts = dict(zip(("ratings", "predictions"), files, strict=False))
    return site.client.post("/api/studies", files=parts, **more)


def test_names_are_never_paths(shared_site) -> None:
    for name in (
        "../../../tmp/evil.csv",
        "..\\..\\evil.csv",
        "/etc/passwd",
        "C:\\Windows\\evil.csv",
        "a\x00b.csv",
        "..",
        ".hidden",
        "NUL.csv",
        "x" * 5000 + ".csv",
        "日本語 — Befunde.csv",
        "<script>alert(1)</script>.csv",
    ):
        answer = uploaded(shared_site, (name, RATINGS))
        assert answer.status_code in (201, 400), (name, answer.text)
        if answer.status_code == 201:
            id = answer.json()["id"]
            shared_site.client.post(f"/api/studies/{id}/cancel")
            shared_site.wait(id)
            assert "<script>alert" not in shared_site.client.get(f"/studies/{id}").text
            assert shared_site.client.delete(f"/api/studies/{id}").status_code == 204
    kept = {path.name for path in shared_site.folder.iterdir()}
    assert kept == {"inputs", "studies", "incoming", "work", "index.sqlite", "in-use"}
    assert list((shared_site.folder / "inputs").iterdir()) == []
    assert shared_site.left_over() == []


@pytest.mark.parametrize(
    "name", ["../../x.csv", "a/b\\c.csv", "", ".", "..", "   ", "con", "x" * 999]
)
def test_links_are_harmless(name) -> None:
    link = Input(name, "", 0).link
    assert link == link.strip(" .")
    assert 0 < len(link.encode()) < 250
    assert not set(link) & set('/\\:*?"<>|\0')


@pytest.mark.parametrize(
    "path",
    [
        "/studies/..%2f..%2fetc",
        "/api/studies/../../etc/passwd",
        "/studies/%2e%2e/report",
        "/static/..%2f..%2fpyproject.toml",
        "/static/page.js%00",
        "/api/studies/x/files/result",
    ],
)
def test_paths_lead_nowhere_else(shared_site, path) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", shared_site.serving.place.port)
    connection.request("GET", path, headers={"authorization": "Bearer secret-key"})
    answer = connection.getresponse()
    assert answer.status in (400, 404, 422)
    assert b"root:" not in answer.read()
    connection.close()


def test_the_same_file_is_kept_once(site) -> None:
    first, second = (uploaded(site, ("a.csv", RATINGS)).json()["id"] for _ in range(2))
    for id in (first, second):
        site.client.post(f"/api/studies/{id}/cancel")
        site.wait(id)
    assert len(list((site.folder / "inputs").iterdir())) == 1
    site.client.delete(f"/api/studies/{first}")
    assert len(list((site.folder / "inputs").iterdir())) == 1
    site.client.delete(f"/api/studies/{second}")
    assert list((site.folder / "inputs").iterdir()) == []


def test_a_file_over_the_limit_is_refused_in_a_sentence(shared_site) -> None:
    answer = uploaded(shared_site, ("big.csv", b"x" * (9 << 20)))
    assert answer.status_code == 413
    assert "at most 8 MB" in answer.json()["error"]
    assert shared_site.left_over() == []


def test_a_stream_over_the_limit_is_cut_off(shared_site) -> None:
    def body():
        yield b'--b\r\nContent-Disposition: form-data; name="ratings"; filename="x.csv"\r\n\r\n'
        for _ in range(300):
            yield b"y" * 65536

    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = shared_site.client.post("/api/studies", content=body(), headers=headers)
    assert answer.status_code == 413
    assert "at most 8 MB" in answer.json()["error"]
    assert shared_site.left_over() == []


HEAD = b'--b\r\nContent-Disposition: form-data; name="ratings"; filename="x.csv"\r\n\r\n'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"--b--\r\n",
        HEAD + b"item,label\n",
        HEAD.replace(b'name="ratings"; ', b"") + b"x\r\n--b--\r\n",
        (HEAD + b"x\r\n" + HEAD + b"y\r\n").replace(b"ratings", b"gold") + b"--b--\r\n",
        HEAD.replace(b"ratings", b"other") + b"x\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nt\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="t"\r\n\r\n'
        + b"x" * 70000
        + b"\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name="t"\r\n\r\nx\r\n' * 30 + b"--b--\r\n",
        b"--b\r\n" + b"X" * 9000 + b": y\r\n\r\nx\r\n--b--\r\n",
        HEAD + b"\r\n--b--\r\n",
    ],
)
def test_damaged_forms_are_refused_and_nothing_is_left(shared_site, body) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = shared_site.client.post("/api/studies", content=body, headers=headers)
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"].endswith(".")
    assert shared_site.left_over() == []


def test_an_upload_that_is_broken_off_leaves_nothing(site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.serving.place.port)
    connection.putrequest("POST", "/api/studies")
    connection.putheader("authorization", "Bearer secret-key")
    connection.putheader("content-type", "multipart/form-data; boundary=b")
    connection.putheader("content-length", "1000000")
    connection.endheaders()
    connection.send(HEAD + b"item,rater,label\n" * 1000)
    connection.close()
    for _ in range(200):
        if not site.left_over() and site.client.get("/api/studies").status_code == 200:
            break
    assert site.left_over() == []


def test_a_hundred_uploads_at_once(site) -> None:
    def send(number: int) -> tuple[int, str]:
        with httpx.Client(base_url=site.address, timeout=60) as client:
            answer = client.post(
                "/api/studies",
                files={"ratings": (f"{number}.csv", RATINGS + b"x" * number)},
                headers={"authorization": "Bearer secret-key"},
            )
        return answer.status_code, answer.text

    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(send, range(100)))
    assert {status for status, _ in answers} <= {201, 429}
    for status, text in answers:
        if status == 429:
            assert "try again" in text or "waiting already" in text
    for each in site.client.get("/api/studies", params={"limit": 500}).json()["studies"]:
        site.client.post(f"/api/studies/{each['id']}/cancel")
        site.wait(each["id"])
        assert site.client.delete(f"/api/studies/{each['id']}").status_code == 204
    assert site.left_over() == []
    assert list((site.folder / "inputs").iterdir()) == []


def _workbook_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (100 << 20))
    return packed.getvalue()


HOSTILE = {
    "bomb.csv.gz": gzip.compress(b"\0" * (100 << 20)),
    "bomb.xlsx": _workbook_bomb(),
    "bomb.eval": _workbook_bomb(),
    "cut.csv.gz": gzip.compress(RATINGS)[:-9],
    "broken.parquet": b"PAR1" + b"x" * 100 + b"PAR1",
    "broken.xlsx": b"PK\x03\x04" + b"x" * 100,
    "deep.json": b"[" * 100_000,
    "empty.csv": b"\n",
    "picture.png": b"\x89PNG\r\n\x1a\n" + b"x" * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_and_broken_files_are_refused_in_a_sentence(name, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(HOSTILE[name])
    for predictions in (None, name):
        seen = look({"ratings": name, "predictions": predictions, "gold": None}, {})
        assert not seen["understood"]
        assert seen["sentence"].startswith(name)
        assert seen["sentence"].endswith(".")
        assert seen["ratings"]["columns"] == []


def test_a_bomb_is_refused_and_nothing_is_left(shared_site) -> None:
    id = shared_site.upload(("bomb.csv.gz", HOSTILE["bomb.csv.gz"]))
    assert "500 times its size" in shared_site.understood(id)["sentence"]
    page = shared_site.client.get(f"/studies/{id}")
    assert page.status_code == 200
    assert "Not sure yet" in page.text
    shared_site.client.delete(f"/api/studies/{id}")
    assert shared_site.left_over() == []
    assert list((shared_site.folder / "inputs").iterdir()) == []
