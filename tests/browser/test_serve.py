"""`headcount serve` in a real browser: the whole way for every kind of file, by mouse and keys."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FileChooser, Page, expect
from tests.browser.conftest import Opened, _note
from tests.web.sheets import readers_and_a_model
from tests.web.site import Site, running

from headcount.simulate import make

PATIENCE = 60_000
QUICK = "10"
# A look at files may wait for a processor: five seconds, the default, are not always enough.
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("serve") / "studies") as found:
        yield found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Demo files, a sheet of readers, and a broken file."""
    folder = tmp_path_factory.mktemp("files")
    make("comments", seed=3, items=80).write(folder)
    (folder / "Befunde 2024.xlsx").write_bytes(readers_and_a_model())
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    return folder


@dataclass
class Visitor:
    """A browser with the key, and all that went wrong or went out."""

    context: BrowserContext
    site: Site
    opened: list[Opened] = field(default_factory=list)

    def open(self, path: str = "/") -> Opened:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        opened = Opened(page)
        page.on("console", lambda message: _note(opened, message))
        page.on("pageerror", lambda error: opened.problems.append(f"error: {error}"))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("dialog", lambda dialog: opened.problems.append(f"dialog: {dialog.message}"))
        if not self.opened:
            page.goto(self.site.serving.address)
        page.goto(self.site.address + path)
        self.opened.append(opened)
        return opened

    def check(self) -> None:
        """Nothing was complained of, and nobody else was asked."""
        for opened in self.opened:
            assert opened.problems == []
            stray = [url for url in opened.requests if not _ours(url, self.site.address)]
            assert stray == []


def _ours(url: str, address: str) -> bool:
    return url.startswith((f"{address}/", "data:", "blob:"))


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """A visitor: `visit(width=390, color_scheme="dark")`."""
    visitors = []

    def arrive(*, width: int = 1100, **more) -> Visitor:
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        visitors.append(Visitor(context, site))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()


def upload(page: Page, ratings: Path, predictions: Path | None = None) -> str:
    """Upload files on the first page and wait until they were looked at; the study's id."""
    page.set_input_files("#ratings", ratings)
    if predictions is not None:
        page.set_input_files("#predictions", predictions)
    page.click("text=Look at the files")
    page.wait_for_selector("text=How the files were understood")
    return page.url.split("/")[-1].split("?")[0]


def evaluate(page: Page) -> None:
    """Evaluate with few samples and wait for the verdict."""
    page.click("text=Show the options")
    page.fill("#option-n_bootstrap", QUICK)
    page.click("text=Evaluate with these")
    page.wait_for_selector("text=The verdict")


def test_the_whole_way_for_the_demo_files(visit, site, files) -> None:
    visitor = visit()
    opened = visitor.open()
    page = opened.page
    assert opened.accessibility() == []
    id = upload(page, files / "ratings.csv", files / "predictions.csv")
    expect(page.locator("#ratings-0")).to_have_value("item")
    assert opened.accessibility() == []
    evaluate(page)
    assert opened.accessibility() == []
    result = json.loads((site.folder / "studies" / id / "result.json").read_text("utf-8"))
    best = max(result["classifiers"], key=lambda each: each["worth"]["value"] or 0)
    assert best["name"] in page.inner_text(".verdict >> nth=0")
    command = page.inner_text(".command code")
    assert command == (
        "headcount --no-settings evaluate ratings.csv predictions.csv "
        f"--n-bootstrap {QUICK} --output report.html"
    )
    with page.expect_download() as saved:
        page.click("text=Everything (JSON)")
    assert json.loads(saved.value.path().read_text("utf-8")) == result
    page.click("text=Open the report")
    page.wait_for_selector("h1.finding")
    assert best["name"] in page.inner_text("h1.finding")
    row = page.locator("table.first tr", has_text=best["name"]).first
    assert f"{best['worth']['value']:.1f}" in (row.text_content() or "")
    page.go_back()
    expect(page.locator("#verdict-title")).to_be_visible()
    visitor.check()


def test_an_excel_sheet_with_readers_and_a_model(visit, files) -> None:
    visitor = visit()
    opened = visitor.open()
    page = opened.page
    upload(page, files / "Befunde 2024.xlsx")
    # Readers and a model are told apart by their names, and the roles are chosen already.
    page.wait_for_selector("text=What was seen")
    roles = {name: page.input_value(f"label:text-is('{name}') >> xpath=../..//select")
             for name in ("case", "Reader 1", "AI model", "Age")}  # fmt: skip
    assert roles == {
        "case": "item", "Reader 1": "rater_column", "AI model": "classifier", "Age": "",
    }  # fmt: skip
    assert opened.accessibility() == []
    # A wrong role: the age as a reader. It is told, and corrected.
    age = page.locator("label:text-is('Age') >> xpath=../..//select")
    age.select_option("rater_column")
    page.click("text=Read it this way")
    page.wait_for_selector(".flash")
    assert "'AI model'" not in page.inner_text("text=with the raters >> nth=0")
    assert "'Age'" in page.inner_text("text=with the raters >> nth=0")
    page.locator("label:text-is('Age') >> xpath=../..//select").select_option("")
    expect(page.locator("[data-evaluate]")).to_be_hidden()  # first it must be read that way
    page.click("text=Read it this way")
    page.wait_for_selector("text=What was seen")
    expect(page.locator("[data-evaluate]")).to_be_visible()
    evaluate(page)
    assert "AI model" in page.inner_text(".verdict")
    command = page.inner_text(".command code")
    assert "--raters 'Reader 1' --raters 'Reader 2'" in command
    assert "--classifiers 'AI model'" in command
    visitor.check()


def test_a_file_a_reader_and_right_answers_apart(visit, tmp_path) -> None:
    make("fallible", seed=5, cases=60, labels=2, raters=3, accuracy=(0.8,)).write(tmp_path)
    rows = [line.split(",") for line in (tmp_path / "ratings.csv").read_text("utf-8").split()[1:]]
    people = sorted({reader for _, reader, _ in rows})
    for person in people:
        lines = [f"{case},{label}" for case, reader, label in rows if reader == person]
        (tmp_path / f"{person}.csv").write_text("\n".join(["item,label", *lines]), "utf-8")
    (tmp_path / "truth.csv").rename(tmp_path / "biopsy.csv")
    visitor = visit()
    opened = visitor.open()
    page = opened.page
    page.set_input_files("#ratings", [tmp_path / f"{person}.csv" for person in people])
    page.set_input_files("#predictions", tmp_path / "predictions.csv")
    page.set_input_files("#gold", tmp_path / "biopsy.csv")
    page.click("text=Look at the files")
    expect(page.locator("[role=alert]")).to_contain_text("no column names the rater")
    assert page.input_value("#reading-rater_from") == "file"
    assert opened.accessibility() == []
    page.click("text=Read it this way")
    page.wait_for_selector("text=What was seen")
    assert "biopsy.csv has the right answer of 60 items" in page.inner_text(".remarks")
    evaluate(page)
    command = page.inner_text(".command code")
    assert "evaluate 'ratings/*' predictions.csv " in command
    assert "--rater-from file --gold biopsy.csv" in command
    visitor.check()


def test_an_export_of_label_studio(visit, shared_data) -> None:
    visitor = visit()
    opened = visitor.open()
    page = opened.page
    upload(page, shared_data("exports") / "labelstudio-json" / "labelstudio_output.json")
    expect(page.locator("[role=alert]")).to_contain_text("several questions")
    page.select_option("#reading-question", "humor")
    page.click("text=Read it this way")
    page.wait_for_selector("text=What was seen")
    assert "An export of Label Studio" in page.inner_text("main")
    assert opened.accessibility() == []
    evaluate(page)
    assert "--question humor" in page.inner_text(".command code")
    visitor.check()


def test_a_broken_file_is_refused_and_deleted(visit, files) -> None:
    visitor = visit()
    page = visitor.open().page
    upload(page, files / "broken.xlsx")
    expect(page.locator("[role=alert]")).to_contain_text("broken.xlsx is not a readable workbook")
    page.click("text=Rename or delete this study")
    page.get_by_role("link", name="Delete this study").click()
    page.get_by_role("button", name="Delete it").click()
    page.wait_for_url("**/")
    assert "broken.xlsx" not in page.inner_text("main")
    visitor.check()


def test_cancelled_in_the_middle_in_one_tab_and_seen_in_another(visit, site, files) -> None:
    visitor = visit()
    page = visitor.open().page
    id = upload(page, files / "ratings.csv", files / "predictions.csv")
    other = visitor.open(f"/studies/{id}").page
    page.click("text=Show the options")
    page.fill("#option-n_bootstrap", "20000")
    page.click("text=Evaluate with these")
    page.wait_for_selector("progress[value]")
    assert page.inner_text("[data-step]") not in ("", "starting")
    # The other tab still shows the form; what it sends is told what is going on.
    other.click("[data-evaluate]")
    expect(other.locator("[role=alert]")).to_contain_text("being worked on")
    other.goto(f"{site.address}/studies/{id}")
    other.wait_for_selector("[data-watch]")
    other.click("text=Cancel")
    other.wait_for_selector("text=This was cancelled")
    page.wait_for_selector("text=This was cancelled")
    assert site.study(id)["state"] == "cancelled"
    assert [url for url in visitor.opened[0].problems if "409" not in url] == []


def test_a_form_from_before_is_not_taken_for_another_look(visit, files) -> None:
    visitor = visit()
    page = visitor.open().page
    id = upload(page, files / "Befunde 2024.xlsx")
    stale = visitor.open(f"/studies/{id}").page
    # In the other tab the files are swapped for something else: here, read in another way.
    stale.evaluate("document.querySelector('[name=seen]').value = 'older'")
    stale.click("text=Read it this way")
    expect(stale.locator(".flash")).to_contain_text("in another tab")
    visitor.check()


def test_back_and_forward(visit, files) -> None:
    visitor = visit()
    page = visitor.open().page
    upload(page, files / "Befunde 2024.xlsx")
    page.click("text=Calculators")
    page.go_back()
    page.wait_for_selector("text=How the files were understood")
    page.click("text=Read it this way")
    page.wait_for_selector("text=What was seen")
    page.go_back()
    page.go_forward()
    page.wait_for_selector("text=What was seen")
    visitor.check()


def test_by_the_keyboard_alone(visit, files) -> None:
    visitor = visit()
    page = visitor.open().page

    def reach(selector: str) -> None:
        wanted = page.locator(selector)
        for _ in range(200):
            if wanted.evaluate("element => element === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    # Listened for from the start: the browser is told of it without an answer, and may be late.
    choosers: list[FileChooser] = []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    page.wait_for_timeout(500)
    for name, file in (("ratings", "ratings.csv"), ("predictions", "predictions.csv")):
        reach(f"#{name}")
        page.keyboard.press("Space")
        for _ in range(100):
            if choosers:
                break
            page.wait_for_timeout(50)
        choosers.pop().set_files(files / file)
    reach("#title")
    page.keyboard.type("Typed")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=How the files were understood")
    reach("summary:has-text('Show the options')")
    page.keyboard.press("Enter")
    reach("#option-n_bootstrap")
    page.keyboard.press("Control+A")
    page.keyboard.type(QUICK)
    reach("button:has-text('Evaluate with these')")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The verdict")
    assert page.inner_text("h1") == "Typed"
    reach("a:has-text('Open the report')")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1.finding")
    visitor.check()


@pytest.fixture(scope="module")
def finished(site: Site, files: Path) -> tuple[str, str]:
    """Two finished studies of the demo files, the second held against the first."""
    demo = [(name, (files / name).read_bytes()) for name in ("ratings.csv", "predictions.csv")]
    first = site.upload(*demo, title="Last week", evaluate={"n_bootstrap": 10})
    second = site.upload(*demo, title="This week")
    gates = {"require": ["agree>=baseline-1%", "fine_tuned:agree>=99%"], "baseline": first}
    wish = {"options": {"n_bootstrap": 10, "seed": 1}, **gates}
    answer = site.client.post(f"/api/studies/{second}/evaluate", json=wish)
    assert answer.status_code == 202, answer.text
    assert site.wait(second)["state"] == "done"
    return first, second


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1100])
def test_every_page_at_every_width_and_scheme(visit, site, files, finished, width, scheme) -> None:
    known = site.client.get("/api/studies", params={"search": "Befunde"}).json()["studies"]
    if not known:
        site.upload(("Befunde 2024.xlsx", (files / "Befunde 2024.xlsx").read_bytes()))
        known = site.client.get("/api/studies", params={"search": "Befunde"}).json()["studies"]
    visitor = visit(width=width, color_scheme=scheme)
    opened = visitor.open()
    first, second = finished
    ready = f"/studies/{known[-1]['id']}"
    pages = ["/", "/?q=nothing", "/calculators", "/calculators/gold", "/calculators/compare",
             "/scripts", ready, f"{ready}/delete", f"/studies/{second}",
             f"/compare?first={first}&second={second}", "/nowhere"]  # fmt: skip
    for path in pages:
        opened.page.goto(site.address + path)
        if path.startswith("/calculators/"):
            opened.page.wait_for_selector(".chart[data-drawn=yes] svg")
        assert opened.sideways() <= 0, path
        assert opened.accessibility() == [], path
    assert [each for each in opened.problems if "404" not in each] == []


def test_a_calculator_follows_its_sliders_and_its_address(visit) -> None:
    visitor = visit()
    page = visitor.open("/calculators/compare").page
    page.wait_for_selector(".chart[data-drawn=yes] svg")
    before = page.inner_text("#answer .lead")
    page.focus("#margin-slider")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "before => document.querySelector('#answer .lead').innerText !== before", arg=before
    )
    after = page.inner_text("#answer .lead")
    assert page.input_value("#margin") == "0.053"
    assert "margin=0.053" in page.url
    page.reload()
    assert page.inner_text("#answer .lead") == after
    assert len(page.query_selector_all("#answer figure")) == 2
    # Fields of another form are put away, and count no more.
    page.select_option("#form", "chances of one item")
    expect(page.locator("#margin")).to_be_hidden()
    page.fill("#step", "0.22,0.19")
    expect(page.locator("#answer .lead")).to_contain_text("Label 1,264 items")
    page.fill("#step", "nonsense")
    expect(page.locator("#answer [role=alert]")).to_contain_text("two numbers")
    visitor.check()


def test_files_are_dropped_where_they_belong(visit) -> None:
    visitor = visit()
    page = visitor.open().page
    transfer = page.evaluate_handle(
        """(names) => {
            const held = new DataTransfer();
            for (const name of names) held.items.add(new File(["item,a\\n1,x\\n"], name));
            return held;
        }""",
        ["predictions.csv", "people.csv", "gold.csv", "more people.csv"],
    )
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": transfer})
    names = page.evaluate(
        "['ratings', 'predictions', 'gold'].map("
        "id => [...document.getElementById(id).files].map(file => file.name).join())"
    )
    assert names == ["people.csv,more people.csv", "predictions.csv", "gold.csv"]
    big = page.evaluate_handle(
        """() => {
            const held = new DataTransfer();
            held.items.add(new File([new Uint8Array(9 << 20)], "big.csv"));
            return held;
        }"""
    )
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": big})
    page.click("text=Look at the files")
    expect(page.locator("[data-upload-problem]")).to_contain_text("larger than 8 MB")
    visitor.check()


@pytest.mark.parametrize("elsewhere", ["http://127.0.0.1:1", "http://evil.example"])
def test_another_page_in_the_same_browser_gets_nothing(visit, site, elsewhere) -> None:
    id = site.upload(("kept.csv", b"item,rater,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"))
    visitor = visit()
    visitor.open()  # this browser has the cookie now
    page = visitor.context.new_page()
    address = f"{site.address}/studies/{id}/delete"
    form = f'<form method="post" action="{address}"><button>A prize!</button></form>'
    page.route(f"{elsewhere}/", lambda route: route.fulfill(body=form, content_type="text/html"))
    page.goto(f"{elsewhere}/")
    fetched = page.evaluate(
        """async (address) => {
            const asked = {credentials: "include"};
            try { return await (await fetch(address, asked)).text(); } catch { return "nothing"; }
        }""",
        f"{site.address}/api/studies",
    )
    assert fetched == "nothing"
    with page.expect_response(address) as answered:
        page.click("button")
    assert answered.value.status in (401, 403)
    assert site.study(id)["state"] == "ready"


def test_without_scripts(visit, files) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.open().page
    upload(page, files / "ratings.csv", files / "predictions.csv")
    evaluate(page)
    assert re.search(r"is worth", page.inner_text(".verdicts"))
    page.goto(f"{visitor.site.address}/calculators/gold?accuracy=0.9")
    assert "right in about 90" in page.inner_text("#answer .lead")
    visitor.check()


def test_requirements_beside_an_earlier_study(visit, site, files, finished) -> None:
    visitor = visit(width=390)
    opened = visitor.open()
    page = opened.page
    id = upload(page, files / "ratings.csv", files / "predictions.csv")
    page.click("text=Require something of the classifiers")
    page.fill("#require", "at least three")
    page.click("text=Evaluate against these")
    expect(page.locator("[role=alert]")).to_contain_text("'at least three' cannot be read")
    page.go_back()
    assert page.input_value("#require") == "at least three"
    page.fill("#require", "agree>=baseline-1%\nfine_tuned:agree>=99%")
    page.select_option("#baseline", finished[0])
    assert opened.accessibility() == []
    page.click("text=Evaluate against these")
    page.wait_for_selector("text=What was required")
    expect(page.locator("[data-met]")).to_have_text("1 of 2 requirements is not met.")
    assert page.locator(".gates .state").all_inner_texts() == ["met", "not met"]
    expect(page.locator("text=Last week").first).to_be_visible()
    assert "--baseline baseline.json" in page.inner_text(".command code")
    assert opened.accessibility() == []
    assert opened.sideways() <= 0
    assert site.study(id)["gates"]["met"] is False
    assert [each for each in opened.problems if "422" not in each] == []
