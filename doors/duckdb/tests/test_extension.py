"""The extension of DuckDB. Every column is compared with `tagwise.columns`. `./x duckdb` builds the extension and runs the tests."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tagwise import columns

EXTENSION = os.environ["TAGWISE_DUCKDB"]
SAMPLES = Path(__file__).parents[3] / "docs/samples"
PREFIXES = {"certificates": "certificate", "crls": "crl", "requests": "request", "ocsp": "ocsp", "cms": "cms"}
PLACE = ["file", "entry", "offset", "line"]


def load(settings: str = "") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{EXTENSION}'; SET TimeZone = 'UTC'; {settings}")
    return connection


@pytest.fixture
def db() -> duckdb.DuckDBPyConnection:
    return load()


def der(name: str) -> bytes:
    _, _, block = (SAMPLES / name).read_text().partition("-----BEGIN ")
    return base64.b64decode(block.partition("-----\n")[2].partition("-----END ")[0])


def values(octets: bytes) -> Iterator[bytes]:
    """The SEQUENCEs of a file with one after the other."""
    start = 0
    while start < len(octets):
        first = octets[start + 1]
        more = first & 0x7F if first & 0x80 else 0
        length = int.from_bytes(octets[start + 2 : start + 2 + more], "big") if more else first
        end = start + 2 + more + length
        yield octets[start:end]
        start = end


def of_python(kind: str, data: list[bytes | None], names: list[str] | None, **options: Any) -> list[dict[str, Any]]:
    read = getattr(columns, kind)
    return pa.array(read(pa.array(data, pa.binary()), names, plain=True, **options)).to_pylist()


def of_duckdb(db: duckdb.DuckDBPyConnection, call: str, data: list[bytes | None]) -> list[Any]:
    table = pa.table({"id": range(len(data)), "der": pa.array(data, pa.binary())})
    db.register("input", table)
    return db.sql(f"SELECT {call} AS x FROM input ORDER BY id").to_arrow_table()["x"].to_pylist()


def corpora(pattern: str) -> list[Path]:
    paths = list(Path(os.environ["TAGWISE_CORPORA"]).glob(pattern))
    if not paths:
        pytest.skip(f"{pattern} is missing in the corpora")
    return paths


def ccadb() -> list[bytes]:
    (path,) = corpora("ccadb/certs.der")
    return list(values(path.read_bytes()))


def compare(db: duckdb.DuckDBPyConnection, kind: str, data: list[bytes | None]) -> None:
    """Compares the structure of all columns, and each column."""
    expected = of_python(kind, data, None)
    found = of_duckdb(db, f"{PREFIXES[kind]}(der)", data)
    assert len(found) == len(expected)
    for value, own, other in zip(data, found, expected):
        assert own == (None if value is None else other)
    for name in [*(field.name for field in columns.FIELDS[kind]), "error"]:
        found = of_duckdb(db, f"{PREFIXES[kind]}_{name}(der)", data)
        # Extensions in requests are checked only by the columns that contain them.
        expected = of_python(kind, data, [] if name == "error" else [name])
        assert found == [row[name] for row in expected], name


def test_every_column_of_ccadb(db: duckdb.DuckDBPyConnection) -> None:
    data = ccadb()
    assert of_duckdb(db, "certificate(der)", data) == of_python("certificates", data, None)


def test_each_function_of_malformed_certificates_and_others(db: duckdb.DuckDBPyConnection) -> None:
    data = ccadb()
    errors = of_python("certificates", data, [])
    malformed = [value for value, row in zip(data, errors) if row["error"] is not None]
    assert len(malformed) == 124
    compare(db, "certificates", [None, b"", b"\x30", b"\x30\x00", *malformed, *data[::40]])


@pytest.mark.parametrize(
    "kind, pattern, count",
    [
        ("crls", "pyca/x509/custom/crl_*.pem", 15),
        ("requests", "pyca/x509/requests/*.pem", 10),
        ("ocsp", "pyca/x509/ocsp/*.der", 5),
        ("cms", "asn1crypto/fixtures/cms-*.der", 5),
    ],
)
def test_each_function_of_other_kinds(db: duckdb.DuckDBPyConnection, kind: str, pattern: str, count: int) -> None:
    paths = sorted(corpora(pattern))
    assert len(paths) >= count
    data: list[bytes | None] = [path.read_bytes() for path in paths]
    assert sum(row["error"] is None for row in of_python(kind, data, [])) >= count // 2
    compare(db, kind, [*data, None, b"", b"\x30\x00"])


def test_more_rows_than_a_vector(db: duckdb.DuckDBPyConnection) -> None:
    leaf, root = der("leaf.pem"), der("root.pem")
    data = [leaf, root, None] * 3000
    expected = [row["san_dns"] for row in of_python("certificates", data, ["san_dns"])]
    assert of_duckdb(db, "certificate_san_dns(der)", data) == expected


def test_text_is_pem_or_base64(db: duckdb.DuckDBPyConnection) -> None:
    text = (SAMPLES / "leaf.pem").read_text()
    (expected,) = of_python("certificates", [der("leaf.pem")], ["subject"])
    for value in (text, text.encode(), base64.b64encode(der("leaf.pem")).decode()):
        assert db.execute("SELECT certificate_subject(?)", [value]).fetchall() == [(expected["subject"],)]
    assert db.execute("SELECT certificate_error('no certificate').kind").fetchall() == [("base64-length",)]


def test_null_is_null(db: duckdb.DuckDBPyConnection) -> None:
    assert db.execute("SELECT certificate(NULL::BLOB), certificate_lints(NULL::BLOB)").fetchall() == [(None, None)]
    assert of_duckdb(db, "certificate(der) IS NULL", [None, b"\x30\x00"]) == [True, False]


def test_files_have_the_rows_of_their_values(db: duckdb.DuckDBPyConnection) -> None:
    rows = db.sql(f"FROM certificates('{SAMPLES}/*.pem')").to_arrow_table().to_pylist()
    leaf = next(row for row in rows if row["file"].endswith("/leaf.pem"))
    before = (SAMPLES / "leaf.pem").read_text().partition("-----BEGIN ")[0]
    place = (None, len(before.encode()), before.count("\n") + 1)
    assert (leaf["entry"], leaf["offset"], leaf["line"]) == place
    (expected,) = of_python("certificates", [der("leaf.pem")], None)
    assert {name: value for name, value in leaf.items() if name not in PLACE} == expected


def test_files_of_ccadb_keep_malformed_rows(db: duckdb.DuckDBPyConnection) -> None:
    data = ccadb()
    path = Path(os.environ["TAGWISE_CORPORA"]) / "ccadb/certs.der"
    names = ["subject", "not_after", "san_dns", "lints"]
    rows = db.sql(f"SELECT {', '.join(names)}, error FROM certificates('{path}')").to_arrow_table().to_pylist()
    assert rows == of_python("certificates", data, names)
    partial = f"SELECT subject, error FROM certificates('{path}', partial := true)"
    assert db.sql(partial).to_arrow_table().to_pylist() == of_python("certificates", data, ["subject"], partial=True)
    allowed = f"SELECT count(error) FROM certificates('{path}', allow := ['negative-serial'])"
    expected = sum(row["error"] is not None for row in of_python("certificates", data, [], allow=["negative-serial"]))
    assert db.execute(allowed).fetchall() == [(expected,)] == [(123,)]
    assert db.execute(f"SELECT count(*) FROM certificates('{path}')").fetchall() == [(len(data),)]
    assert db.execute(f"SELECT 1 FROM certificates('{path}') LIMIT 3").fetchall() == [(1,)] * 3


def test_unreadable_parts_are_rows(db: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = (SAMPLES / "leaf.pem").read_text()
    leaf = text[text.index("-----BEGIN ") :]
    (tmp_path / "a.pem").write_text(leaf + "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n")
    (tmp_path / "b.pem").write_text("404: not found.\n")
    rows = db.execute(f"SELECT line, subject, error FROM certificates('{tmp_path}/*.pem')").fetchall()
    assert [(line, subject is None) for line, subject, _ in rows] == [(1, False), (rows[1][0], True), (None, True)]
    assert rows[0][2] is None and rows[1][0] is not None and rows[1][2]["message"]
    assert rows[2][2]["kind"] == "nothing-found"
    assert rows[2][2]["message"] == "no certificate, CRL, key or message found in this text"


def test_other_kinds_in_files(db: duckdb.DuckDBPyConnection) -> None:
    path = SAMPLES / "list.pem"
    rows = db.sql(f"SELECT * EXCLUDE (file, entry, \"offset\", line) FROM crls('{path}')").to_arrow_table().to_pylist()
    assert rows == of_python("crls", [der("list.pem")], None)
    for kind, pattern in [("requests", "pyca/x509/requests/*.pem"), ("ocsp", "pyca/x509/ocsp/resp-*.der")]:
        paths = corpora(pattern)
        query = f"SELECT count(*), count(DISTINCT file) FROM {kind}('{os.environ['TAGWISE_CORPORA']}/{pattern}')"
        assert db.execute(query).fetchall() == [(len(paths), len(paths))]


@pytest.mark.parametrize(
    "query, message",
    [
        ("FROM certificates('/nowhere/*.pem')", 'no file matches "/nowhere/*.pem"'),
        ("FROM certificates(NULL)", "expected a pattern"),
        ("FROM certificates('/dev/null')", "not a regular file"),
        ("FROM certificates('/dev/null', allow := ['no-such-rule'])", "no-such-rule"),
    ],
)
def test_errors_end_the_query(db: duckdb.DuckDBPyConnection, query: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message.replace("*", r"\*")):
        db.execute(query).fetchall()
    assert db.execute("SELECT 1").fetchall() == [(1,)]


def test_no_file_is_read_without_external_access() -> None:
    db = load("SET enable_external_access = false")
    with pytest.raises(duckdb.Error, match="access to files is disabled"):
        db.execute(f"FROM certificates('{SAMPLES}/leaf.pem')")
