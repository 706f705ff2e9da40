"""Build the wheel and the source distribution, and try both as a stranger would: `make package`.

Each is installed into a clean environment of every Python there is from 3.11 to 3.14, and asked for
its version and for the demo in an empty folder. A version that is not on this machine is named; for
it, it is asked whether every dependency has a wheel.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run(*words: str | Path, folder: Path = ROOT) -> str:
    """What a command prints; where it fails, all it said and an end."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=CLEAN,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def interpreter(version: str) -> Path | None:
    """A Python of this version: from pyenv, on the path, or that of uv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places: list[Path] = sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)
    on_path, uv = shutil.which(f"python{version}"), shutil.which("uv")
    places += [Path(on_path)] if on_path else []
    if uv:
        asked = [uv, "python", "find", "--no-python-downloads", version]
        found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        places += [Path(found)] if found else []
    return next((place for place in places if _is(place, version)), None)


def _is(python: Path, version: str) -> bool:
    """Whether it starts and is that version: a shim may stand for nothing."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


def build(into: Path) -> list[Path]:
    """The wheel, and the source distribution that it was made from."""
    run(sys.executable, "-m", "build", "--outdir", into)
    return sorted(into.glob("headcount-*"))


def tried(python: Path, artefact: Path) -> Iterator[str]:
    """Install it where nothing else is, then ask what a newcomer would."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        run(python, "-m", "venv", home / "env")
        binaries = home / "env" / "bin"
        run(binaries / "python", "-m", "pip", "install", "--quiet", artefact, folder=home)
        empty = home / "empty"
        empty.mkdir()
        yield run(binaries / "headcount", "--version", folder=empty).strip()
        yield run(binaries / "python", "-m", "headcount", "--version", folder=empty).strip()
        said = run(binaries / "headcount", "demo", folder=empty)
        report = empty / "headcount-demo" / "report.html"
        if not report.is_file():
            sys.exit(f"the demo wrote no report:\n{said}")
        yield next(line for line in said.splitlines() if " is worth " in line)


def has_wheels(wheel: Path, version: str) -> bool:
    """Whether pip would find every dependency ready for a Python that is not here."""
    with tempfile.TemporaryDirectory() as target:
        asked = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--target", target]
        asked += ["--python-version", version, "--only-binary", ":all:", str(wheel)]
        return subprocess.run(asked, capture_output=True, env=CLEAN, check=False).returncode == 0


def main() -> None:
    """Build, then try each on each Python, and say what was and what could not be."""
    with tempfile.TemporaryDirectory() as folder:
        made = build(Path(folder))
        wheel = next(each for each in made if each.suffix == ".whl")
        for artefact in made:
            print(f"built {artefact.name}, {artefact.stat().st_size / 1024:,.0f} kB")
        absent = 0
        for version in VERSIONS:
            python = interpreter(version)
            if python is None:
                absent += 1
                ready = "have wheels" if has_wheels(wheel, version) else "have no wheels"
                print(f"{version}: not on this machine; its dependencies {ready} for it")
                continue
            for artefact in made:
                started = time.perf_counter()
                *versions, verdict = tried(python, artefact)
                took = time.perf_counter() - started
                print(f"{version}: {artefact.name}: {versions[0]}, {verdict} [{took:.0f} s]")
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        shutil.copytree(folder, ROOT / "dist")
    if absent == len(VERSIONS):
        sys.exit("no Python from 3.11 to 3.14 was found")


if __name__ == "__main__":
    main()
