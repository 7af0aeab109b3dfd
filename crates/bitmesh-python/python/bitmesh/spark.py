"""Collections on a cluster: the rows of ``bitmesh scan``, computed by Spark.

The bulk call of the package is the body of the job, so every worker needs this
package and pyarrow, and nothing else::

    import pyspark.sql.functions as F
    from pyspark.sql import SparkSession

    import bitmesh.spark

    spark = SparkSession.builder.getOrCreate()
    games = spark.read.parquet("positions.parquet").withColumn("file", F.col("_metadata.file_name"))
    rows = bitmesh.spark.certify(games, "fen", source="file", keep=["game_id"])
    rows.where("dead").write.parquet("dead.parquet")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence

from ._bitmesh import COLUMNS, certify_many, prove_many
from ._errors import ArgumentError, BulkError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = ["certify", "prove", "schema"]

_POSITION = "bitmesh:position"
_SOURCE = "bitmesh:source"
_LINE = "bitmesh:line"


def schema() -> StructType:
    """The columns of ``bitmesh scan`` as a schema of Spark."""
    from pyspark.sql import types

    special = {
        "line": types.LongType(),
        "game": types.LongType(),
        "ply": types.IntegerType(),
        "active_components": types.IntegerType(),
        "persistent_components": types.IntegerType(),
        "barrier": types.ArrayType(types.StringType(), containsNull=False),
        "frozen": types.ArrayType(types.StringType(), containsNull=False),
        "exact_sum": types.BooleanType(),
        "unwinnable_white": types.BooleanType(),
        "unwinnable_black": types.BooleanType(),
        "dead": types.BooleanType(),
    }
    fields = [
        types.StructField(name, special.get(name, types.StringType()), nullable=name != "source")
        for name in COLUMNS
    ]
    return types.StructType(fields)


def certify(
    df: DataFrame,
    column: str = "fen",
    *,
    source: Optional[str] = None,
    line: Optional[str] = None,
    keep: Sequence[str] = (),
    threads: int = 1,
) -> DataFrame:
    """Evaluate the positions of a column: one row of ``bitmesh scan`` for each row of ``df``.

    ``column`` holds FEN texts, placements or EPDs; anything else, and null, is a row with
    an error. ``source`` and ``line`` name columns of ``df`` for the columns of the same
    names (of Parquet files, ``_metadata.file_name`` and ``_metadata.row_index`` + 1);
    without them the source is empty and the line null, because Spark does not tell where
    a row came from. ``keep`` names columns of ``df`` that come first in the
    result, for instance a key. ``threads`` is per task: Spark runs one on each core.

    Raises ``BulkError`` when the column is not text, and ``ArgumentError``
    when a kept column has the name of a column of the rows.
    """
    return _evaluate(df, column, source, line, keep, certify_many, {"threads": threads})


def prove(
    df: DataFrame,
    column: str = "fen",
    *,
    source: Optional[str] = None,
    line: Optional[str] = None,
    keep: Sequence[str] = (),
    threads: int = 1,
    nodes: int = 100_000,
) -> DataFrame:
    """The same rows as :func:`certify`, with layer 3 from checked certificates.

    ``nodes`` is that of ``bitmesh.prove_many``: with 0 a position takes microseconds,
    otherwise up to a tenth of a second.
    """
    return _evaluate(df, column, source, line, keep, prove_many, {"threads": threads, "nodes": nodes})


def _evaluate(
    df: DataFrame,
    column: str,
    source: Optional[str],
    line: Optional[str],
    keep: Sequence[str],
    bulk: Callable[..., Any],
    options: Dict[str, int],
) -> DataFrame:
    from pyspark.sql import functions, types

    taken = [name for name in keep if name in COLUMNS]
    if taken:
        message = f"keep: columns of the rows cannot be kept too: {', '.join(taken)}"
        raise ArgumentError(message, "argument/kept-column", "keep")
    position = df.select(functions.col(column)).schema[0].dataType
    if not isinstance(position, (types.StringType, types.BinaryType, types.NullType)):
        # Spark would make texts of anything, and every row an error.
        raise BulkError(f"column {column} holds {position.simpleString()}, not text", "bulk/no-text", "column")
    columns = [functions.col(name) for name in keep]
    columns.append(functions.col(column).cast("string").alias(_POSITION))
    if source is not None:
        text = functions.col(source).cast("string")
        columns.append(functions.coalesce(text, functions.lit("")).alias(_SOURCE))
    if line is not None:
        columns.append(functions.col(line).cast("long").alias(_LINE))
    selected = df.select(*columns)
    fields: List[types.StructField] = [selected.schema[name] for name in keep] + schema().fields
    return selected.mapInArrow(_rows(list(keep), bulk.__name__, options), types.StructType(fields))


def _rows(
    keep: List[str], bulk: str, options: Dict[str, int]
) -> Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    def rows(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        import bitmesh

        for batch in batches:
            names = batch.schema.names
            given = {name: batch.column(index) for index, name in enumerate(names)}
            found = pyarrow.record_batch(getattr(bitmesh, bulk)(given[_POSITION], **options))
            result = [(name, given[name]) for name in keep]
            for name, values in zip(found.schema.names, found.columns):
                if name == "source" and _SOURCE in given:
                    values = given[_SOURCE]
                elif name == "line":
                    values = given.get(_LINE, pyarrow.nulls(len(values), pyarrow.int64()))
                result.append((name, values))
            yield pyarrow.RecordBatch.from_arrays(
                [values for _, values in result], names=[name for name, _ in result]
            )

    return rows
