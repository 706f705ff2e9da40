"""Small files as people have them: a sheet with readers and a model."""

import io
import random
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def workbook(rows: Sequence[Sequence[object]], sheet: str = "Befunde") -> bytes:
    """An .xlsx file with one sheet."""

    def cell(value: object) -> str:
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'

    body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>"
        ),
        "xl/workbook.xml": (
            f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>'
            f'<sheet name="{escape(sheet)}" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            "</Relationships>"
        ),
        "xl/worksheets/sheet1.xml": f"<worksheet {_MAIN}><sheetData>{body}</sheetData></worksheet>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def readers_and_a_model(cases: int = 80, *, seed: int = 5) -> bytes:
    """Four readers and a model on cases of patients, as a radiologist keeps them in Excel."""
    rng = random.Random(seed)
    rows: list[list[object]] = [
        ["case", "Reader 1", "Reader 2", "Reader 3", "Reader 4", "AI model", "Age"]
    ]
    for case in range(1, cases + 1):
        share = rng.choice((0.05, 0.2, 0.6, 0.95))
        said = ["nodule" if rng.random() < share else "clear" for _ in range(4)]
        model = "nodule" if rng.random() < 0.1 + 0.8 * share else "clear"
        rows.append([f"P{case:03d}", *said, model, rng.randint(30, 90)])
    return workbook(rows)
