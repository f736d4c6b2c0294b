"""The chapters on moving from other libraries: what stands before and after in their tables runs, and gives the same."""

from __future__ import annotations

import ast
import datetime
import pathlib
import pickle
import re
from typing import Any

import pytest

import tagwise.x509.ocsp
from tagwise import x509

from .conftest import ROOM

DOCS = pathlib.Path(__file__).parents[3] / "docs" / "src"
#: Pages, and the rows whose two columns were compared.
PAGES = {"python-from-cryptography.md": 10, "python-from-pyasn1.md": 14, "python-from-asn1crypto.md": 22}

CODE = re.compile(r"`([^`]+)`")


def given() -> dict[str, Any]:
    """The names that both columns find."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding

    pem = (ROOM / "cryptography.io.pem").read_bytes()
    der = x509.load_pem_x509_certificate(pem).public_bytes("DER")
    return {
        "der": der,
        "view": memoryview(bytearray(der)),
        "text": pem,
        "many": [der, der],
        "crl_der": x509.load_pem_x509_crl((ROOM / "custom" / "crl_all_reasons.pem").read_bytes()).public_bytes("DER"),
        "p7b": (ROOM.parent / "pkcs7" / "amazon-roots.p7b").read_bytes(),
        "response": (ROOM / "ocsp" / "resp-sha256.der").read_bytes(),
        "hashes": hashes,
        "Encoding": Encoding,
        "pickle": pickle,
    }


def plain(value: Any) -> Any:
    """A value that two libraries can have in common."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    assert value is None or type(value) in (bytes, str, int, bool), f"{value!r} cannot be compared: a row has to give something plain"
    return value


def run(code: str, names: dict[str, Any]) -> tuple[bool, Any]:
    """Runs code; if it is an expression, true and its value."""
    tree = ast.parse(code)
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        return True, plain(eval(code, names))
    exec(code, names)
    return False, None


def first_code(cell: str) -> str | None:
    found = CODE.search(cell)
    return found and found[1].replace("\\|", "|")


@pytest.mark.parametrize("page", list(PAGES))
def test_before_and_after(page: str) -> None:
    before, after = given(), given()
    which, block, compared, listed = before, None, 0, False
    for line in (DOCS / page).read_text().splitlines():
        listed = line.startswith("|") and (listed or line.startswith("| Before "))
        if block is not None:
            if line == "```":
                exec("\n".join(block), which)
                block = None
            else:
                block.append(line)
        elif line in ("Before:", "After:"):
            which = before if line == "Before:" else after
        elif line.startswith("```"):
            assert line == "```python", line
            block = []
        elif listed and not line.startswith(("|---", "| Before ")):
            old, new = (first_code(cell) for cell in line.strip("|").split(" | ", 1))
            expected = run(old, before) if old else None
            actual = run(new, after) if new else None
            assert expected is None or actual is None or expected == actual, line
            if old is None and actual is not None:
                # What the other library does not have gives something.
                assert actual[1], line
            compared += bool(expected and actual and expected[0])
    assert compared == PAGES[page]


def public(module: Any) -> set[str]:
    """Names that a module says are public, else those without an underscore that are its own."""
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "").startswith(module.__name__)
    ]
    return {name for name in names if not name.startswith("_")}


def test_what_cryptography_lacks_is_listed() -> None:
    import cryptography.x509
    import cryptography.x509.ocsp
    import cryptography.x509.verification

    lacking = set()
    for ours, theirs in (
        (x509, cryptography.x509),
        (x509.ocsp, cryptography.x509.ocsp),
        (x509.verification, cryptography.x509.verification),
    ):
        for name in public(ours):
            mine, other = getattr(ours, name), getattr(theirs, name, None)
            if other is None:
                lacking.add(name)
            elif isinstance(mine, type) and isinstance(other, type):
                lacking |= {one for one in dir(mine) if not one.startswith("_") and not hasattr(other, one)}
    text = (DOCS / "python-from-cryptography.md").read_text()
    table = text.partition("| Name | Of |")[2].partition("\n\n")[0]
    listed = {name for row in table.splitlines()[2:] for name in CODE.findall(row.split("|")[1])}
    assert listed == lacking
