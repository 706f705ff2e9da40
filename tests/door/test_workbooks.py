"""Workbooks as people keep them: long ids, titles, hidden sheets, formulas nobody worked out."""

import io
import zipfile
from pathlib import Path

import pytest
from tests.door.containers import workbook

from headcount import Ratings
from headcount.errors import InputError

COLUMNS = {
    "item": [f"i{k // 3}" for k in range(30)],
    "rater": [f"r{k % 3}" for k in range(30)],
    "label": ["no" if k % 4 else "yes" for k in range(30)],
}


def _book(folder: Path, *changes: tuple[str, str]) -> Path:
    """A workbook with texts of its sheet changed."""

    def changed(text: bytes) -> bytes:
        for old, new in changes:
            assert old.encode() in text
            text = text.replace(old.encode(), new.encode())
        return text

    path = folder / "table.xlsx"
    path.write_bytes(workbook(COLUMNS, changed))
    return path


def _inline(text: str) -> str:
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def test_long_whole_numbers_stay_what_they_are(tmp_path: Path) -> None:
    ids = [(_inline(f"i{k}"), f"<c><v>{10**17 + k}</v></c>") for k in range(10)]
    ratings = Ratings.read(_book(tmp_path, *ids))
    assert ratings.item_counts().items.tolist() == [str(10**17 + k) for k in range(10)]
    labels = (
        (_inline("no"), f"<c><v>{10**17}</v></c>"),
        (_inline("yes"), f"<c><v>{10**17 + 1}</v></c>"),
    )
    assert Ratings.read(_book(tmp_path, *labels)).labels.names == (str(10**17), str(10**17 + 1))
    rounded = [(_inline(f"i{k}"), "<c><v>1.2345678901234568E+17</v></c>") for k in range(10)]
    with pytest.raises(InputError, match=r"more than 15 digits .* which workbooks round"):
        Ratings.read(_book(tmp_path, *rounded))


def test_a_title_above_the_header_is_left_out_and_told(tmp_path: Path) -> None:
    title = ("<sheetData>", f"<sheetData><row>{_inline('Spring 2024')}</row><row></row>")
    ratings = Ratings.read(_book(tmp_path, title))
    assert ratings.n_ratings == 30
    assert any("above the header ('Spring 2024' …)" in note for note in ratings.notes)


def test_a_header_in_two_rows_is_said_to_be_one(tmp_path: Path) -> None:
    first = f"<row>{_inline('id')}<c/>{_inline('Rater A')}</row>"
    second = f"<row>{_inline('item')}{_inline('rater')}{_inline('label')}</row>"
    with pytest.raises(InputError, match="header stands in two rows, 1 and 2"):
        Ratings.read(_book(tmp_path, (second, first + second)))


def test_formulas_without_their_results_are_no_missing_labels(tmp_path: Path) -> None:
    formula = (_inline("yes"), "<c><f>A1</f><v></v></c>")
    with pytest.raises(InputError, match=r"8 cells of the sheet 's' hold a formula without"):
        Ratings.read(_book(tmp_path, formula))
    blank = (_inline("yes"), '<c t="str"><f>A1</f><v></v></c>')  # a result with nothing in it
    assert Ratings.read(_book(tmp_path, blank)).n_missing == 8
    done = (_inline("yes"), '<c t="str"><f>A1</f><v>maybe</v></c>')
    assert Ratings.read(_book(tmp_path, done)).labels.names == ("maybe", "no")


def test_a_hidden_sheet_is_read_only_if_it_is_named(tmp_path: Path) -> None:
    old = {name: values[:4] for name, values in COLUMNS.items()}
    with zipfile.ZipFile(io.BytesIO(workbook(COLUMNS))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    with zipfile.ZipFile(io.BytesIO(workbook(old))) as archive:
        parts["xl/old.xml"] = archive.read("xl/s.xml").decode()
    hidden = '<sheet name="old" sheetId="2" state="hidden" r:id="r2"/>'
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace("<sheets>", f"<sheets>{hidden}")
    links, kinds = "xl/_rels/workbook.xml.rels", "[Content_Types].xml"
    link = parts[links][parts[links].index("<Relationship Id") : parts[links].rindex("</Rel")]
    more = link.replace('"r1"', '"r2"').replace("s.xml", "old.xml")
    parts[links] = parts[links].replace(link, link + more)
    kind = parts[kinds][parts[kinds].rindex("<Override") : parts[kinds].rindex("</Types")]
    parts[kinds] = parts[kinds].replace(kind, kind + kind.replace("s.xml", "old.xml"))
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    ratings = Ratings.read(path)
    assert ratings.n_ratings == 30
    assert any("'s' was read, not 'old' (hidden)" in note for note in ratings.notes)
    assert Ratings.read(path, sheet="old").n_ratings == 4
