"""Columns of certificates, through Arrow's PyCapsule interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tagwise import columns, x509

SAMPLES = Path(__file__).parents[3] / "docs/samples"
LEAF = (SAMPLES / "leaf.pem").read_bytes()
ROOT = (SAMPLES / "root.pem").read_bytes()
LIST = (SAMPLES / "list.pem").read_bytes()


def der(text: bytes) -> bytes:
    return x509.load_pem_x509_certificate(text)._der


def test_values() -> None:
    result = columns.certificates([der(LEAF), LEAF.decode(), None, b"\x30\x00"], ["subject", "der"])
    assert len(result) == 4
    # The result is itself a table, which can be read again.
    again = columns.certificates(result, ["serial"], column="der")
    assert isinstance(again, columns.ColumnArray) and len(again) == 4


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="unknown column \"subjct\", expected one of version, serial"):
        columns.certificates([], ["subjct"])
    with pytest.raises(ValueError, match="duplicate column"):
        columns.certificates([], ["serial", "serial"])
    with pytest.raises(TypeError, match="one value"):
        columns.certificates(der(LEAF))
    with pytest.raises(TypeError, match="sequence of names"):
        columns.certificates([], "serial")
    with pytest.raises(TypeError, match="named columns"):
        columns.certificates([], ["serial"], column="der")
    with pytest.raises(TypeError):
        columns.certificates([1])
    with pytest.raises(ValueError):
        columns.certificates([], allow=["no-such-rule"])
    table = columns.certificates([], ["subject", "der"])
    with pytest.raises(ValueError, match="several columns"):
        columns.certificates(table)
    with pytest.raises(ValueError, match='no column "x"'):
        columns.certificates(table, column="x")
    with pytest.raises(TypeError, match="expected binary or text"):
        columns.certificates(columns.certificates([], ["size"]), column="size")


def test_consumed_capsules() -> None:
    from tagwise._native import ColumnKernel

    kernel = ColumnKernel("certificates", ["serial"], [], False, False, False)
    source = columns.certificates([der(LEAF)], ["der"])
    assert isinstance(source, columns.ColumnArray)
    schema, array = source.__arrow_c_array__()
    assert len(kernel.array(schema, array, "der")) == 1
    with pytest.raises(ValueError, match="already consumed"):
        kernel.array(schema, array, "der")
    stream = source.__arrow_c_stream__()
    kernel.stream(stream, "der")
    with pytest.raises(ValueError, match="released"):
        kernel.stream(stream, "der")
    with pytest.raises(ValueError):
        kernel.array(array, schema, "der")


def test_fields() -> None:
    assert set(columns.FIELDS) == {"certificates", "crls", "requests", "ocsp", "cms", "log_entries"}
    names = [field.name for field in columns.FIELDS["certificates"]]
    assert names[:3] == ["version", "serial", "subject"]
    assert all(field.about and field.type for kind in columns.FIELDS.values() for field in kind)


def rows(result: Any) -> list[dict[str, Any]]:
    pa = pytest.importorskip("pyarrow")
    found: list[dict[str, Any]] = pa.table(result).to_pylist()
    return found


def test_certificates_as_rows() -> None:
    one, other, none, malformed = rows(columns.certificates([der(LEAF), LEAF.decode(), None, b"\x30\x00"]))
    certificate = x509.load_pem_x509_certificate(LEAF)
    assert one == other
    assert one["serial"] == f"{certificate.serial_number:x}".zfill(len(one["serial"]))
    assert one["subject"] == certificate.subject.rfc4514_string()
    assert one["not_after"] == certificate.not_valid_after_utc
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert one["san_dns"] == names.get_values_for_type(x509.DNSName)
    assert [extension["id"] for extension in one["extensions"]] == [
        extension.oid.dotted_string for extension in certificate.extensions
    ]
    assert one["error"] is None and one["der"] == certificate._der
    assert set(none.values()) == {None}
    assert {value for name, value in malformed.items() if name != "error"} == {None}
    error = malformed["error"]
    assert (error["kind"], error["path"], error["offset"]) == ("missing", "tbsCertificate", 2)


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_tables_and_streams(kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    values = pa.chunked_array([[der(LEAF), None], [], [b"\x30\x00", der(ROOT)]], type=getattr(pa, kind)())
    table = pa.table({"id": [1, 2, 3, 4], "der": values})
    whole = rows(columns.certificates(values.combine_chunks(), ["subject", "spki", "issuer"]))
    assert len({row["subject"] for row in whole}) == 3
    for data, column in ((values, None), (table, "der"), (table.to_reader(), "der"), (table.to_batches()[0], "der")):
        result = columns.certificates(data, ["subject", "spki", "issuer"], column=column)
        read = rows(result)
        assert read == whole[: len(read)] and len(read) in (2, 4)
    with pytest.raises(ValueError, match="no column"):
        pa.table(columns.certificates(table, ["subject"], column="x"))


def test_lists_of_a_crl() -> None:
    (crl,) = rows(columns.crls([LIST.decode()]))
    read = x509.load_pem_x509_crl(LIST)
    assert [entry["serial"].lstrip("0") for entry in crl["entries"]] == [f"{entry.serial_number:x}" for entry in read]
    assert [entry["revoked_at"] for entry in crl["entries"]] == [entry.revocation_date_utc for entry in read]


def test_slices() -> None:
    pa = pytest.importorskip("pyarrow")
    array = pa.array([b"x", der(LEAF), der(ROOT), None])
    assert rows(columns.certificates(array.slice(1, 2))) == rows(columns.certificates([der(LEAF), der(ROOT)]))
