"""Columns of certificates in the engines that people use. `./x columns` installs the engines; without one, its test
is skipped by others, and fails if TAGWISE_ENGINES is set."""

from __future__ import annotations

import datetime
import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tagwise import columns, x509

needed = importlib.import_module if "TAGWISE_ENGINES" in os.environ else pytest.importorskip
pa = needed("pyarrow")

SAMPLES = Path(__file__).parents[3] / "docs/samples"
LEAF, ROOT = (x509.load_pem_x509_certificate((SAMPLES / name).read_bytes()) for name in ("leaf.pem", "root.pem"))
FIELDS = ["subject", "san_dns", "not_after", "extensions", "is_ca", "spki_sha256"]
VALUES = [LEAF._der, None, b"\x30\x00", ROOT._der]


def check(rows: list[dict[str, Any] | None]) -> None:
    """Compares structures of FIELDS for VALUES with the certificates."""
    assert len(rows) == len(VALUES)
    for row, certificate in ((rows[0], LEAF), (rows[3], ROOT)):
        assert row is not None
        assert row["subject"] == certificate.subject.rfc4514_string()
        end: datetime.datetime = row["not_after"]
        if end.tzinfo is None:
            end = end.replace(tzinfo=datetime.timezone.utc)
        assert end == certificate.not_valid_after_utc
        assert row["is_ca"] is (certificate is ROOT)
        assert [one["id"] for one in row["extensions"]] == [one.oid.dotted_string for one in certificate.extensions]
        assert [bytes(one["value"]) for one in row["extensions"]] != []
        assert row["error"] is None
    names = LEAF.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert rows[0] is not None and list(rows[0]["san_dns"]) == names.get_values_for_type(x509.DNSName)
    assert rows[1] is None or all(value is None for value in rows[1].values())
    assert rows[2] is not None and rows[2]["subject"] is None
    assert (rows[2]["error"]["kind"], rows[2]["error"]["offset"]) == ("missing", 2)


def test_polars() -> None:
    pl = needed("polars")
    from tagwise.columns.polars import certificates

    frame = pl.DataFrame({"id": range(4), "der": VALUES})
    added = frame.with_columns(certificates("der", FIELDS).alias("x"))
    check(added["x"].to_list())
    lazy = pl.concat([frame.lazy(), frame.lazy()]).select(certificates(pl.col("der"), FIELDS).alias("x")).collect()
    check(lazy["x"].to_list()[:4])
    check(lazy["x"].to_list()[4:])
    plain = pl.DataFrame(columns.certificates(frame["der"], ["issuer", "spki"]))
    assert plain.shape == (4, 3)


def test_duckdb() -> None:
    duckdb = needed("duckdb")
    from tagwise.columns.duckdb import register

    connection = duckdb.connect()
    register(connection, "x509", FIELDS)
    table = pa.table({"id": range(4), "der": VALUES})
    connection.register("input", table)
    rows = connection.execute("SELECT x509(der) AS x FROM input ORDER BY id").fetchall()
    check([row[0] for row in rows])
    count = connection.execute("SELECT count(*) FROM input WHERE x509(der).is_ca").fetchone()
    assert count == (1,)


def test_datafusion() -> None:
    datafusion = needed("datafusion")
    from tagwise.columns.datafusion import function

    context = datafusion.SessionContext()
    context.register_udf(function("x509", FIELDS))
    context.register_record_batches("input", [pa.table({"id": range(4), "der": VALUES}).to_batches()])
    batches = context.sql("SELECT x509(der) AS x FROM input ORDER BY id").collect()
    check([row["x"] for batch in batches for row in batch.to_pylist()])


def test_daft() -> None:
    daft = needed("daft")
    from tagwise.columns.daft import certificates

    frame = daft.from_pydict({"id": list(range(4)), "der": VALUES})
    rows = frame.with_column("x", certificates(daft.col("der"), FIELDS)).sort("id").to_pydict()["x"]
    check(rows)


def test_ray() -> None:
    ray = needed("ray")
    data = needed("ray.data")
    from tagwise.columns.ray import certificates

    folder = str(Path(__file__).parents[1] / "python")
    environment = {"env_vars": {"PYTHONPATH": folder}}
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        dataset = data.from_arrow(pa.table({"id": range(4), "der": VALUES}))
        rows = dataset.map_batches(certificates("der", FIELDS, name="x"), batch_format="pyarrow").take_all()
        check([row["x"] for row in sorted(rows, key=lambda row: row["id"])])
    finally:
        ray.shutdown()


def frame_of(session: Any) -> Any:
    from pyspark.sql.types import BinaryType, LongType, StructType

    schema = StructType().add("id", LongType()).add("der", BinaryType())
    values = [(index, None if value is None else bytearray(value)) for index, value in enumerate(VALUES)]
    return session.createDataFrame(values, schema).repartition(2)


def check_spark(session: Any) -> None:
    from tagwise import spark

    frame = spark.certificates(frame_of(session), "der", FIELDS, name="x").orderBy("id")
    check([row["x"].asDict(recursive=True) for row in frame.collect()])
    frame.createOrReplaceTempView("certificates")
    (count,) = session.sql("SELECT count(*) AS n FROM certificates WHERE x.is_ca").collect()
    assert count["n"] == 1


# One process, and a standalone cluster with two workers.
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"])
def test_spark(master: str) -> None:
    sql = needed("pyspark.sql")
    needed("py4j")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.executorEnv.PYTHONPATH", str(Path(__file__).parents[1] / "python"))
    session = builder.config("spark.sql.session.timeZone", "UTC").config("spark.driver.host", "127.0.0.1").getOrCreate()
    try:
        check_spark(session)
    finally:
        session.stop()


def test_sail() -> None:
    sql = needed("pyspark.sql")
    pysail = needed("pysail.spark")
    server = pysail.SparkConnectServer()
    server.start()
    _, port = server.listening_address
    session = sql.SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    try:
        check_spark(session)
    finally:
        session.stop()
        server.stop()
