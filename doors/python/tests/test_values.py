"""Values at the edges of their types: times, strings, equality, names as text."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import pytest
from cryptography import x509 as theirs

from tagwise import Asn1Error, _native, asn1, keys, x509
from tagwise.x509 import ocsp

from .ber import parse
from .test_leniency import answered, crl_tree

YEAR_0 = b"00000101000000Z"


def with_times(tree: Any, content: bytes) -> bytes:
    """The same with all times in it changed."""

    def change(node: Any) -> None:
        if node.tag in (0x17, 0x18):
            node.tag, node.content = 0x18, content
        for child in node.children:
            change(child)

    change(tree)
    encoded: bytes = tree.encode()
    return encoded


def test_the_year_0_in_a_certificate(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(with_times(parse(der), YEAR_0))
    for name in ("not_valid_before_utc", "not_valid_after_utc", "not_valid_before", "not_valid_after"):
        with pytest.raises(ValueError, match="years 1 to 9999"), pytest.warns() if "utc" not in name else nothing():
            getattr(certificate, name)
    certificate.lint()
    certificate.to_json()


def nothing() -> Any:
    import contextlib

    return contextlib.nullcontext()


def test_the_year_0_in_a_list() -> None:
    crl = x509.load_der_x509_crl(with_times(crl_tree(), YEAR_0))
    for ask in (
        lambda: crl.last_update_utc,
        lambda: crl.next_update_utc,
        lambda: crl[0].revocation_date_utc,
    ):
        with pytest.raises(ValueError, match="years 1 to 9999"):
            ask()


def test_the_year_0_in_a_response() -> None:
    tree = parse(answered()[1])
    basic = tree[1][0][1].open()
    with_times(basic[0], YEAR_0)
    response = ocsp.load_der_ocsp_response(tree.encode())
    for name in ("produced_at_utc", "this_update_utc"):
        with pytest.raises(ValueError, match="years 1 to 9999"):
            getattr(response, name)


def test_a_log_with_a_time_of_its_own() -> None:
    plain = (0, bytes(32), 2**64 - 1, b"", 4, 3, b"")
    sct = x509.certificate_transparency.SignedCertificateTimestamp(
        plain, x509.certificate_transparency.LogEntryType.X509_CERTIFICATE
    )
    with pytest.raises(ValueError, match="years 1 to 9999"):
        sct.timestamp


def test_moments_that_utc_does_not_have() -> None:
    early = datetime.datetime(1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=14)))
    late = datetime.datetime(9999, 12, 31, 23, tzinfo=datetime.timezone(datetime.timedelta(hours=-14)))
    for moment in (early, late):
        with pytest.raises(ValueError):
            x509.InvalidityDate(moment).public_bytes()
        with pytest.raises(ValueError):
            x509.CertificateBuilder().not_valid_before(moment)
        with pytest.raises(ValueError):
            x509.verification.PolicyBuilder().time(moment)
    for year in (1, 9999):
        value = x509.InvalidityDate(datetime.datetime(year, 1, 1))
        assert value.public_bytes() == b"\x18\x0f" + f"{year:04}0101000000Z".encode()


def attribute(text: str, kind: Any) -> x509.NameAttribute[str]:
    return x509.NameAttribute(x509.NameOID.COMMON_NAME, text, kind)


def test_teletex_strings_are_latin_1() -> None:
    from tagwise.x509.name import _ASN1Type

    name = x509.Name([attribute("Müller", _ASN1Type.T61String)])
    der = name.public_bytes()
    assert der.endswith(b"\x14\x06M\xfcller")
    assert x509.Name.from_bytes(der) == name
    with pytest.raises(ValueError, match="Latin-1"):
        x509.Name([attribute("Łódź", _ASN1Type.T61String)]).public_bytes()
    with pytest.raises(ValueError):
        x509.Name([attribute("𝄞", _ASN1Type.BMPString)]).public_bytes()
    teletex = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= TeletexString B ::= BMPString END")
    assert teletex["T"].encode("ü") == b"\x14\x01\xfc" and teletex["T"].decode(b"\x14\x01\xfc") == "ü"
    for name_of, text in (("T", "Ł"), ("B", "𝄞")):
        with pytest.raises(ValueError):
            teletex[name_of].encode(text)


def test_bits_in_an_attribute_that_has_text(der: bytes) -> None:
    """What is wrong in an encoding is a ValueError, whatever a constructor says of the same."""
    name = x509.Name([attribute("a", None)]).public_bytes()
    bits = name.replace(b"\x0c\x01a", b"\x03\x01\x00")
    assert bits != name
    with pytest.raises(ValueError, match="BIT STRING"):
        x509.Name.from_bytes(bits)
    tree = parse(der)
    common = tree[0][5].children[-1][0][1]
    common.tag, common.content = 0x03, b"\x00a"
    with pytest.raises(ValueError, match="BIT STRING"):
        x509.load_der_x509_certificate(tree.encode()).subject  # noqa: B018


def test_deterministic_signatures_of_own_keys() -> None:
    key = keys.PrivateKey.generate("p-256")
    builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([]))
    with pytest.raises(Exception, match="RFC 6979") as caught:
        builder.sign(key, "sha256", ecdsa_deterministic=True)
    assert type(caught.value).__name__ == "UnsupportedAlgorithm"
    assert builder.sign(key, "sha256", ecdsa_deterministic=False).is_signature_valid
    with pytest.raises(TypeError):
        builder.sign(keys.PrivateKey.generate("ed25519"), None, ecdsa_deterministic=True)


class Own(x509.DNSName):
    """A class of the user's."""


def test_equality_is_of_one_class() -> None:
    names = [x509.DNSName("a.example")]
    pairs = [
        (x509.GeneralNames(names), x509.SubjectAlternativeName(names)),
        (x509.SubjectAlternativeName(names), x509.IssuerAlternativeName(names)),
        (x509.CRLNumber(1), x509.DeltaCRLIndicator(1)),
        (x509.DNSName("a.example"), Own("a.example")),
        (x509.DNSName("a.example"), x509.UniformResourceIdentifier("a.example")),
        (x509.OCSPNoCheck(), x509.PrecertPoison()),
    ]
    for one, other in pairs:
        assert one != other and other != one
        assert one.__eq__(other) is NotImplemented and other.__eq__(one) is NotImplemented
        assert one == one and hash(one) == hash(one)
        assert len({one, other}) == 2
    key = keys.PrivateKey.generate("p-256").public_key()
    for value in (key, keys.Hash("sha256"), x509.KeyUsage(*[False] * 9), x509.Name([]), x509.ObjectIdentifier("1.2")):
        assert value.__eq__(object()) is NotImplemented and value != object()

    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

    assert key == Anything() and x509.DNSName("a") == Anything()


@pytest.mark.parametrize("tag", ["12", "13", "1e", "14", "16"])
def test_encodings_in_names_keep_their_type(tag: str) -> None:
    content = b"\0A\0b" if tag == "1e" else b"Ab"
    value = bytes([int(tag, 16), len(content)]) + content
    if tag == "12":
        value = b"\x12\x0212"
    text = f"CN=#{value.hex()},O=Plain\\, text\\#+OU=#1302616f,C=DE"
    name = x509.Name.from_rfc4514_string(text)
    der = name.public_bytes()
    assert value in der and b"\x13\x02ao" in der and b"\x0c\x0cPlain, text#" in der
    assert x509.Name.from_bytes(der) == name
    # As in `cryptography`, the attributes of a step are in the order of the text.
    assert [one.value for one in name.rdns[1]] == ["Plain, text#", "ao"]
    assert name.rdns[0] == x509.Name.from_rfc4514_string("C=DE").rdns[0]


def test_encodings_in_names_that_are_no_text() -> None:
    for text in ("CN=#04024869", "CN=#0500", "CN=#30", "CN=#zz", "CN=#"):
        with pytest.raises(ValueError):
            x509.Name.from_rfc4514_string(text)
    assert len(x509.Name.from_rfc4514_string("")) == 0


@pytest.mark.parametrize(
    "text", ["CN=a\\\\,O=b", "CN=a\\,b+O=c\\+d,C=DE", "CN=\\#a,O=\\ b\\ ", "CN=a\\20,O=\\2c", "CN==,O=a=b", "OU=,O=x"]
)
def test_names_as_cryptography_reads_them(text: str) -> None:
    ours = x509.Name.from_rfc4514_string(text)
    other = theirs.Name.from_rfc4514_string(text)
    assert ours.rfc4514_string() == other.rfc4514_string()
    assert ours.public_bytes() == other.public_bytes()


def test_fractions_of_seconds() -> None:
    module = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= GeneralizedTime END")
    kind = module["T"]
    for text, value in (
        ("20260101000000.5Z", datetime.datetime(2026, 1, 1, 0, 0, 0, 500_000, tzinfo=datetime.timezone.utc)),
        ("20260101000000.000000001Z", decimal.Decimal("1767225600.000000001")),
        ("19691231235959.25Z", datetime.datetime(1969, 12, 31, 23, 59, 59, 250_000, tzinfo=datetime.timezone.utc)),
        ("20260101000000Z", datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)),
    ):
        der = b"\x18" + bytes([len(text)]) + text.encode()
        read = kind.decode(der)
        assert read == value and type(read) is type(value)
        assert kind.encode(value) == der
    with decimal.localcontext() as context:
        context.prec = 3
        assert kind.decode(b"\x18\x1a20260101000000.0000000005Z") == decimal.Decimal("1767225600.0000000005")
        assert kind.encode(decimal.Decimal("1767225600.5")) == b"\x18\x1120260101000000.5Z"
    for wrong in (decimal.Decimal("NaN"), decimal.Decimal("1e30"), 2**70):
        with pytest.raises((ValueError, OverflowError)) as caught:
            kind.encode(wrong)
        assert isinstance(caught.value, ValueError)
    with pytest.raises(TypeError):
        kind.encode(0.5)


def test_fractions_in_extensions_that_are_tolerated() -> None:
    der = b"\x18\x1120260101000000.5Z"
    read = _native.decode_extension("2.5.29.24", der, ["fractional-time"])
    assert read == decimal.Decimal("1767225600.5")


def test_local_times() -> None:
    # X.680 §46.3 b: BER permits them, and nobody knows their moment.
    ty = asn1.compile_text("M DEFINITIONS ::= BEGIN G ::= GeneralizedTime L ::= SEQUENCE OF G END")
    for text in ("20260101000000", "20260101000000.5"):
        inner = bytes([24, len(text)]) + text.encode()
        value, deviations = ty["G"].decode(inner, rules="BER"), ty["G"].inspect(inner, rules="BER")
        assert value == text and deviations.value == text
        listed = bytes([0x30, len(inner)]) + inner
        assert ty["L"].decode(listed, rules="BER") == [text]
        assert [one.value for one in ty["L"].events(listed, rules="BER") if one.kind == "value"] == [text]
        assert [value for _, value in ty["L"].items(listed, "", rules="BER")] == [text]
        assert ty["G"].decode(inner, allow=["time-form"]) == text
        for refused in (lambda: ty["G"].decode(inner), lambda: ty["G"].encode(text)):
            with pytest.raises(Asn1Error):
                refused()
    assert ty["G"].decode(b"\x18\x0a2026010100", rules="BER") == "2026010100"


def test_values_of_other_types() -> None:
    text = "M DEFINITIONS ::= BEGIN N ::= NULL L ::= SEQUENCE OF UTF8String S ::= SET OF UTF8String G ::= GeneralizedTime U ::= UTCTime END"
    types = asn1.compile_text(text)
    for name, values in {
        "N": (False, 0, "", (), 1),
        "L": ("ab", b"ab", 5),
        "S": ("ab",),
        "G": (True, False, 1.5),
        "U": (True, 1.5),
    }.items():
        for value in values:
            with pytest.raises((TypeError, ValueError)):
                types[name].encode(value)
    assert types["N"].encode(None) == types["N"].encode(True) == b"\x05\x00"
    assert types["L"].encode(["a", "b"]).hex() == "30060c01610c0162"
