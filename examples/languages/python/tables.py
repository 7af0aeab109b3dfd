"""With pandas, Polars and DuckDB: how many positions of a collection are dead, from the Parquet file of a scan."""

from __future__ import annotations

import sys
from typing import Dict

import bitmesh
import duckdb
import pandas
import polars


def count_dead(collection: str, rows: str) -> Dict[str, int]:
    """Scans the collection into a Parquet file, and asks each library about it."""
    bitmesh.scan(collection).write_parquet(rows)
    frame = pandas.read_parquet(rows)
    # A row with an error has no claims: a missing value counts as not proved.
    with_pandas = int((frame["dead"] == True).sum())  # noqa: E712
    with_polars = polars.scan_parquet(rows).filter(polars.col("dead")).collect().height
    found = duckdb.execute("select count(*) from read_parquet(?) where dead", [rows]).fetchone()
    assert found is not None
    return {"pandas": with_pandas, "polars": with_polars, "duckdb": int(found[0])}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: tables.py COLLECTION ROWS.parquet")
    for name, dead in count_dead(sys.argv[1], sys.argv[2]).items():
        print(f"{name}: {dead} dead")
