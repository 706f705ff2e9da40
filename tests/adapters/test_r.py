"""The page for R runs, where R and reticulate are."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters" / "r.md"


def test_the_page_runs_in_r(tmp_path: Path) -> None:
    if not shutil.which("Rscript"):
        pytest.skip("R is not installed")
    asked = "cat(all(sapply(c('reticulate', 'jsonlite'), requireNamespace, quietly = TRUE)))"
    there = subprocess.run(
        ["Rscript", "-e", asked], capture_output=True, text=True, timeout=120, check=False
    )
    if there.stdout.strip() != "TRUE":
        pytest.skip("R has no reticulate or no jsonlite (Debian: r-cran-…)")
    pytest.importorskip("pandas", reason="data frames of R come as those of pandas")
    code = "\n".join(re.findall(r"```r\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    (tmp_path / "page.R").write_text(code, encoding="utf-8")
    done = subprocess.run(
        ["Rscript", "page.R"],
        cwd=tmp_path,
        env=os.environ | {"RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"llm_judge: worth \d", done.stdout)
    assert (tmp_path / "report.html").exists()
