"""Write promised_keys.json: what a reader of results may rely on under this first number.

Run once for each first number of the schema's version: python tests/results/freeze_promised_keys.py
"""

import json
from importlib import resources
from pathlib import Path

from headcount.results.schema import MAJOR

if __name__ == "__main__":
    shipped = resources.files("headcount.results").joinpath("results.schema.json")
    schema = json.loads(shipped.read_text(encoding="utf-8"))
    keys = {name: each["required"] for name, each in schema["$defs"].items()}
    target = Path(__file__).parent / "promised_keys.json"
    target.write_text(json.dumps({"major": MAJOR, "keys": keys}, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {target}")
