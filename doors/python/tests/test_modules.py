"""The modules of published protocols that the package includes."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

from tagwise import _native, asn1, x509
from tagwise.asn1 import modules

SCHEMAS = pathlib.Path(__file__).parents[3] / "schemas"


def test_ldap() -> None:
    kind = modules.ldap["LDAPMessage"]
    bind = bytes.fromhex("300c020101600702010304008000")
    value = kind.decode(bind)
    assert value == {"messageID": 1, "protocolOp": ("bindRequest", {"version": 3, "name": b"", "authentication": ("simple", b"")})}
    assert kind.encode(value) == bind
    assert modules.ldap is modules.ldap


@pytest.mark.parametrize(
    ("name", "der"),
    [
        # A get-next of sysDescr, its response, and a trap, as net-snmp sends them.
        ("SNMPv1.Message", "302602010004067075626c6963a11902047fffffff020100020100300b300906052b060102010500"),
        ("SNMPv1.Message", "302902010004067075626c6963a41c06082b06010401bf08034004c0000201020106020101430203e83000"),
        ("SNMPv2c.Message", "302602010104067075626c6963a51902047fffffff02010002010a300b300906052b060102010500"),
    ],
)
def test_snmp(name: str, der: str) -> None:
    kind = modules.snmp[name]
    data = bytes.fromhex(der)
    value = kind.decode(data, rules="BER")
    assert value["community"] == b"public" and kind.encode(value) == data


def test_snmp_of_each_version() -> None:
    for wrong, other in (("SNMPv1.Message", 1), ("SNMPv2c.Message", 0)):
        data = bytes.fromhex(f"302602010{other}04067075626c6963a11902047fffffff020100020100300b300906052b060102010500")
        with pytest.raises(ValueError):
            modules.snmp[wrong].decode(data)
    assert "SNMPv3Message" in {name.split(".")[1] for name in modules.snmp}


def test_pkix(der: bytes) -> None:
    certificate = modules.pkix["Certificate"].decode(der)
    assert certificate["tbsCertificate"]["serialNumber"] == x509.load_der_x509_certificate(der).serial_number
    assert modules.pkix["Certificate"].encode(certificate) == der
    assert modules.krb5["KDC-REQ-BODY"].name == "KDC-REQ-BODY"


def test_every_module_of_the_repository_is_included() -> None:
    files = sorted(SCHEMAS.glob("*/*.asn1"))
    if not files:
        pytest.skip("the repository's modules are not there")
    texts = {file.read_text(encoding="utf-8") for file in files}
    assert set(_native.module_texts("pkix")) | set(_native.module_texts("krb5")) == texts


def test_nothing_is_compiled_before_it_is_accessed() -> None:
    code = "import tagwise.asn1.modules as m; assert 'ldap' in dir(m) and 'ldap' not in vars(m); m.ldap; assert 'pkix' not in vars(m)"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="expected one of krb5, ldap, pkix, snmp"):
        modules.radius  # type: ignore[attr-defined]  # noqa: B018
    assert isinstance(modules.ldap, asn1.Modules)
