"""Files whose names have signs in them that the engine would take for patterns."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import headcount as hc


@pytest.mark.parametrize(
    "names", [["r[1].parquet"], ["r[1].parquet", "r{2}.parquet", "r*?.parquet"]]
)
def test_one_or_several_files_with_glob_signs_in_their_names(
    names: list[str], tmp_path: Path
) -> None:
    for k, name in enumerate(names):
        said = {"item": [f"i{k}"] * 2, "rater": ["ann", "ben"], "label": ["no", "yes"]}
        pq.write_table(pa.table(said), tmp_path / name)
    assert hc.Ratings.read(tmp_path).n_items == len(names)
