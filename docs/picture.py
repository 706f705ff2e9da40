"""The picture of the report in README.md: `python docs/picture.py`, after `make test` once.

It opens the report of `headcount demo` in the Chromium of the browser tests.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

TARGET = Path(__file__).parent / "images" / "report.png"


def main() -> None:
    """Make the demo in a folder of its own and photograph its report."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "headcount", "demo", "-o", folder], check=True)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1180, "height": 1000})
        page.goto((Path(folder) / "report.html").as_uri())
        page.wait_for_selector("#rows tr")
        page.screenshot(path=TARGET)
        browser.close()
    print(f"{TARGET}: {TARGET.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
