"""Modules that `tagwise compile --lang python` writes: one that is checked in, and those of published protocols."""

from __future__ import annotations

import datetime
import importlib.util
import os
import pathlib
import subprocess
import sys
from decimal import Decimal
from types import ModuleType

import pytest
from tagwise import asn1

from .generated import sample

ROOT = pathlib.Path(__file__).parents[3]


def everything() -> sample.Everything:
    return sample.Everything(
        colour=sample.Colour.blue,
        shade=5,
        flags=(b"\x40", 6),
        class_=sample.id_sample,
        octets=b"\x01\x02",
        inside=sample.Label(text="inside"),
        id=sample.id_label,
        value={"text": "open"},
    )


def test_values_come_back() -> None:
    made = everything()
    der = made.encode()
    read = sample.Everything.decode(der)
    assert read.encode() == der
    assert read.colour is sample.Colour.blue and read.shade == 5 and read.flag is False
    assert read.inside == sample.Label(text="inside", colour=sample.Colour.green)
    assert read.numbers is None and read.later is None and read.time is None
    # As the types at run time have it.
    text = ROOT / "doors/c/tests/schema/sample.asn1"
    assert asn1.compile(str(text))["Everything"].encode(made.to_value()) == der


def test_numbers_and_trees() -> None:
    numbers = sample.Numbers(tiny=-3, byte=255, long=-(2**31), unsigned=2**64 - 1, any=2**70)
    assert sample.Numbers.decode(numbers.encode()) == numbers
    tree = sample.Tree(
        name="root",
        left=sample.Tree(name="left", leaves=[("number", 7), ("nothing", None), ("text", "words")]),
        leaves=[("tree", sample.Tree(name="leaf", leaves=[]))],
    )
    read = sample.Tree.decode(tree.encode())
    assert read == tree
    assert sample.Leaf_codec.decode(sample.Leaf_codec.encode(("number", 9))) == ("number", 9)
    assert sample.Shade_codec.decode(b"\x0a\x01\x07") == 7
    assert sample.Colour_codec.decode(b"\x0a\x01\x07") is sample.Colour.blue


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(ValueError, match="tiny"):
        sample.Numbers(tiny=4, byte=0, long=0, unsigned=0, any=0).encode()
    with pytest.raises(ValueError, match="byte"):
        sample.Everything.decode(everything().encode()[:-1])
    with pytest.raises(TypeError):
        sample.Label()  # type: ignore[call-arg]


def generate(tmp_path: pathlib.Path, name: str, *files: pathlib.Path) -> ModuleType:
    command = pathlib.Path(os.environ.get("TAGWISE_COMMAND", ROOT / "target" / "debug" / "tagwise"))
    if not command.exists():
        pytest.skip("the command is not built")
    subprocess.run([command, "compile", "--lang", "python", "--name", name, "-o", tmp_path, *files], check=True)
    spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_numbers_and_times(tmp_path: pathlib.Path) -> None:
    kinds = generate(tmp_path, "kinds_generated", pathlib.Path(__file__).with_name("modules") / "kinds.asn1")
    made = kinds.Kinds(
        real=Decimal("0.1"), float_=0.5, datetime_=datetime.date(2026, 1, 2), time=datetime.time(3, 4, 5),
        both=datetime.datetime(2026, 1, 2, 3, 4, 5), span="P1D", iso="2026-W01", rel="8571.3", iri="/ISO", additions_=7,
        ext=kinds.Kinds_ext(direct_reference="1.2", encoding=("octet-aligned", b"x")), additions=(b"\x9f\x20\x00",),
    )  # fmt: skip
    assert kinds.Kinds.decode(made.encode()) == made
    assert kinds.Dates_codec.decode(kinds.Dates_codec.encode([made.datetime_])) == [made.datetime_]
    assert kinds.Ratio_codec.decode(kinds.Ratio_codec.encode((3, 2, 2000))) == (3, 2, 2000)
    # A later version of what has no components yet.
    assert kinds.Empty.decode(b"\x30\x02\x80\x00").encode() == b"\x30\x02\x80\x00"


def test_defaults(tmp_path: pathlib.Path) -> None:
    module = generate(tmp_path, "defaults_generated", pathlib.Path(__file__).with_name("modules") / "defaults.asn1")
    made = module.Defaults()
    assert made.encode() == b"0\0" and module.Defaults.decode(b"0\0") == made
    assert made.colour is module.Colour.green and made.numbers == [1, 2]
    assert made.colours == [module.Colour.red, module.Colour.green] and made.none == []
    utc = datetime.timezone.utc
    assert made.utc == datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=utc)
    assert made.at == datetime.datetime(2026, 1, 2, 3, 4, 5, 250000, tzinfo=utc)
    # Every object has a list of its own.
    made.numbers.append(3)
    assert module.Defaults().numbers == [1, 2]
    assert module.Defaults.decode(made.encode()).numbers == [1, 2, 3]
    # What is no plain value stays absent in an object, and has its value after decoding.
    others = module.Others()
    assert others.fine is None and others.pair is None and others.encode() == b"0\0"
    read = module.Others.decode(b"0\0")
    assert read.fine == Decimal("1767323045.1234567") and read.pair == module.Others_pair(a=1)


def test_times_are_moments(tmp_path: pathlib.Path) -> None:
    text = tmp_path / "m.asn1"
    text.write_text("M DEFINITIONS ::= BEGIN T ::= SEQUENCE { utc UTCTime, at GeneralizedTime } U ::= SEQUENCE OF UTCTime END")
    module = generate(tmp_path, "times_generated", text)
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    der = bytes.fromhex("3020170d3236303130323033303430355a180f32303236303130323033303430355a")
    read = module.T.decode(der)
    assert read == module.T(utc=moment, at=moment) and read.encode() == der
    assert module.U_codec.decode(module.U_codec.encode([moment])) == [moment]


def test_ldap(tmp_path: pathlib.Path) -> None:
    ldap = generate(tmp_path, "ldap_generated", ROOT / "doors/c/examples/ldap.asn1")
    # A simple bind of RFC 4511 §4.2 by an empty name, as clients send it.
    bind = bytes.fromhex("300c020101600702010304008000")
    message = ldap.LDAPMessage.decode(bind)
    kind, request = message.protocolOp
    assert kind == "bindRequest" and request.version == 3 and request.authentication == ("simple", b"")
    assert message.encode() == bind


def test_kerberos(tmp_path: pathlib.Path) -> None:
    krb5 = generate(tmp_path, "krb5_generated", ROOT / "schemas/krb5/KerberosV5Spec2.asn1")
    error = bytes.fromhex(
        "7e5b3059a003020105a10302011ea411180f32303236313132313130303030305aa50402020309a603020119a90d1b0b"
        "4558414d504c452e434f4daa20301ea003020102a11730151b066b72627467741b0b4558414d504c452e434f4d"
    )
    read = krb5.KRB_ERROR.decode(error)
    assert read.error_code == 25 and read.realm == "EXAMPLE.COM" and read.sname.name_string[0] == "krbtgt"
    assert read.encode() == error
