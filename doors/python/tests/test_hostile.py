"""Arguments that are not what they seem, and answers that are those of `cryptography`."""

from __future__ import annotations

import datetime
import functools
import ipaddress
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography import x509 as theirs
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tagwise import x509
from tagwise.x509 import ocsp

from .ber import parse

KEY = ec.derive_private_key(5, ec.SECP256R1())
DAY = datetime.datetime(2026, 1, 1)


def name(package: Any) -> Any:
    return package.Name([package.NameAttribute(package.NameOID.COMMON_NAME, "a")])


def certificate_builder(serial_number: int = 1) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(name(x509)).issuer_name(name(x509)).public_key(KEY.public_key())
    return builder.serial_number(serial_number).not_valid_before(DAY).not_valid_after(DAY)


def revocation_list(package: Any, *numbers: int) -> Any:
    builder = package.CertificateRevocationListBuilder().issuer_name(name(package)).last_update(DAY).next_update(DAY)
    for number in numbers:
        entry = package.RevokedCertificateBuilder().serial_number(number).revocation_date(DAY).build()
        builder = builder.add_revoked_certificate(entry)
    return builder.sign(KEY, hashes.SHA256())


class Empty(int):
    def to_bytes(self, *args: Any, **kwargs: Any) -> bytes:
        return b""


class Long(int):
    def to_bytes(self, *args: Any, **kwargs: Any) -> bytes:
        return b"\x00\x00\x01"


class Small(int):
    def bit_length(self) -> int:
        return 0


class Huge(int):
    def bit_length(self) -> int:
        return 2**64 - 1


@pytest.mark.parametrize("kind", [Empty, Long, Small, Huge])
@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**63 - 1, 2**63, 2**64, 2**158])
def test_numbers_are_what_they_are_whatever_their_class_says(kind: type[int], number: int) -> None:
    odd = kind(number)
    assert x509.CRLNumber(odd).public_bytes() == x509.CRLNumber(number).public_bytes()
    constraints = x509.BasicConstraints(True, number).public_bytes()
    assert x509.BasicConstraints(True, odd).public_bytes() == constraints
    hashed = (b"a" * 20, b"b" * 20)
    request = ocsp.OCSPRequestBuilder().add_certificate_by_hash(*hashed, odd, "sha1").build()
    assert request.serial_number == number
    if number == 0:
        return
    assert certificate_builder(odd).sign(KEY, "sha256").serial_number == number
    found = revocation_list(x509, number).get_revoked_certificate_by_serial_number(odd)
    assert found is not None and found.serial_number == number
    assert revocation_list(x509, odd)[0].serial_number == number


def test_a_serial_number_that_hides_its_length_is_too_long() -> None:
    with pytest.raises(ValueError, match="159 bits"):
        x509.CertificateBuilder().serial_number(Small(2**159))


def written_numbers() -> list[int]:
    edges = [0, 1, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**55, 2**56, 2**63, 2**64, 2**127, 2**128]
    return [sign * edge + change for edge in edges for sign in (1, -1) for change in (-1, 0, 1)]


def test_integers_are_as_short_as_they_can_be() -> None:
    for number in written_numbers():
        value = x509.AuthorityKeyIdentifier(None, [x509.DNSName("a")], number).public_bytes()
        content = number.to_bytes((number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)
        assert value.endswith(bytes([0x82, len(content)]) + content), number


@pytest.mark.parametrize("text", ["192.0.2.1/24", "2001:db8::1/32"])
def test_an_interface_is_no_network_that_names_are_constrained_to(text: str) -> None:
    names = [x509.IPAddress(ipaddress.ip_interface(text))]
    with pytest.raises(TypeError, match="IPv4Network or IPv6Network"):
        x509.NameConstraints(names, None)
    with pytest.raises(TypeError, match="IPv4Network or IPv6Network"):
        x509.NameConstraints(None, names)


@pytest.mark.parametrize("index", ["a", None, 1.0, b"", object()])
def test_what_is_no_index_of_a_list_is_a_type_error(index: Any) -> None:
    with pytest.raises(TypeError):
        revocation_list(x509, 1)[index]


@pytest.mark.parametrize(
    "algorithm", [hashes.SHAKE128(1), hashes.SHAKE128(16), hashes.SHAKE256(32), hashes.SM3(), hashes.BLAKE2s(32)]
)
def test_fingerprints_by_any_hash(der: bytes, algorithm: hashes.HashAlgorithm) -> None:
    expected = theirs.load_der_x509_certificate(der).fingerprint(algorithm)
    assert x509.load_der_x509_certificate(der).fingerprint(algorithm) == expected


@pytest.mark.parametrize("algorithm", [hashes.SHA256, 1, None])
def test_a_class_is_no_hash(der: bytes, algorithm: Any) -> None:
    for package in (theirs, x509):
        with pytest.raises(TypeError, match="HashAlgorithm"):
            package.load_der_x509_certificate(der).fingerprint(algorithm)


def test_the_key_of_another_algorithm_did_not_sign() -> None:
    keys = (rsa.generate_private_key(65537, 2048), ed25519.Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP384R1()))
    for package in (theirs, x509):
        signed = revocation_list(package)
        assert signed.is_signature_valid(KEY.public_key()) is True
        assert [signed.is_signature_valid(key.public_key()) for key in keys] == [False] * 3
        for no_key in (1, None, KEY):
            with pytest.raises(TypeError):
                signed.is_signature_valid(no_key)


def test_signatures_by_algorithms_that_are_not_accepted_are_not_right() -> None:
    builder = theirs.CertificateSigningRequestBuilder().subject_name(name(theirs))
    der = builder.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.DER)
    sha256, sha1 = bytes.fromhex("06082a8648ce3d040302"), bytes.fromhex("06072a8648ce3d0401")
    assert der.count(sha256) == 1
    at = der.index(sha256)
    # ecdsa-with-SHA1 is a byte shorter, and so are both SEQUENCEs around it.
    changed = bytearray(der[:at] + sha1 + der[at + len(sha256) :])
    changed[at - 1] -= 1
    length = int.from_bytes(changed[2 : 2 + (changed[1] & 0x7F)], "big") - 1 if changed[1] & 0x80 else changed[1] - 1
    if changed[1] & 0x80:
        changed[2 : 2 + (changed[1] & 0x7F)] = length.to_bytes(changed[1] & 0x7F, "big")
    else:
        changed[1] = length
    for package in (theirs, x509):
        assert package.load_der_x509_csr(der).is_signature_valid is True
        assert package.load_der_x509_csr(bytes(changed)).is_signature_valid is False


def test_encodings_that_are_not_offered() -> None:
    raw = serialization.Encoding.Raw
    for package in (theirs, x509):
        request = package.CertificateSigningRequestBuilder().subject_name(name(package)).sign(KEY, hashes.SHA256())
        for value in (revocation_list(package), request):
            with pytest.raises(TypeError, match=r"Encoding\.DER or Encoding\.PEM"):
                value.public_bytes(raw)
    message = ocsp.OCSPResponseBuilder.build_unsuccessful(ocsp.OCSPResponseStatus.TRY_LATER)
    for encoding in (raw, serialization.Encoding.PEM, "PEM"):
        with pytest.raises(ValueError, match=r"Encoding\.DER"):
            message.public_bytes(encoding)


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview])
def test_signatures_in_any_buffer(buffer: Any) -> None:
    waiting = certificate_builder().to_be_signed(KEY.public_key(), "sha256")
    signature = KEY.sign(waiting.tbs_bytes, ec.ECDSA(hashes.SHA256()))
    assert waiting.attach(buffer(signature)).signature == signature


@pytest.mark.parametrize("key", [KEY, 1, None, "key"])
def test_what_is_no_public_key_signs_nothing(key: Any) -> None:
    request = x509.CertificateSigningRequestBuilder().subject_name(name(x509))
    for builder in (certificate_builder(), request):
        with pytest.raises(TypeError, match="public key"):
            builder.to_be_signed(key, "sha256")


class Equal(bytes):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def test_bytes_of_classes_of_their_own_are_bytes() -> None:
    builder = x509.CertificateSigningRequestBuilder().subject_name(name(x509))
    one, two = builder.sign(KEY, "sha256"), builder.sign(KEY, "sha384")
    encodings = [Equal(request.public_bytes("DER")) for request in (one, two)]
    first, second = map(x509.load_der_x509_csr, encodings)
    assert first != second
    assert (first, hash(first)) == (one, hash(one))
    assert type(first.public_bytes("DER")) is bytes


@pytest.mark.parametrize(
    ("oid", "text"),
    [(x509.NameOID.SERIAL_NUMBER, "a@b"), (x509.NameOID.SERIAL_NUMBER, "é"), (x509.NameOID.EMAIL_ADDRESS, "é@example.org")],
)
def test_characters_that_an_attribute_cannot_have_tell_their_place(oid: x509.ObjectIdentifier, text: str) -> None:
    attributes = [x509.NameAttribute(x509.NameOID.COMMON_NAME, "a"), x509.NameAttribute(oid, text)]
    with pytest.raises(x509.base.Asn1Error) as caught:
        x509.Name(attributes).public_bytes()
    assert caught.value.path.startswith("[1][0]") and "character" in caught.value.reason


def test_characters_that_an_attribute_of_a_request_cannot_have() -> None:
    builder = x509.CertificateSigningRequestBuilder().subject_name(name(x509))
    tag = x509.name._ASN1Type.PrintableString
    with pytest.raises(x509.base.Asn1Error, match="character"):
        builder.add_attribute(x509.ObjectIdentifier("1.2.3"), b"@", _tag=tag).sign(KEY, "sha256")


def test_text_has_no_place_in_an_octet_string() -> None:
    kind = x509.name._ASN1Type.OctetString
    with pytest.raises(ValueError, match="OCTET STRING"):
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a", kind)]).public_bytes()


def test_moments_are_asked_for_by_name(der: bytes) -> None:
    with pytest.raises(TypeError, match="datetime"):
        x509.load_der_x509_certificate(der).to_json(now=1)  # type: ignore[arg-type]  # pyright: ignore


def element(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8 or 1, "big")
    return bytes([tag]) + (length if len(content) < 128 else bytes([0x80 + len(length)]) + length) + content


ECDSA = bytes.fromhex("300a06082a8648ce3d040302")
ISSUER = bytes.fromhex("300c310a300806035504030c0161")
TIMES = bytes.fromhex("170d3236303130313030303030305a"), bytes.fromhex("170d3330303130313030303030305a")
ENTRY = element(0x30, b"\x02\x01\x01", TIMES[0])
REASON = bytes.fromhex("0603551d15")


def list_of(*entries: bytes) -> bytes:
    tbs = element(0x30, b"\x02\x01\x01", ECDSA, ISSUER, *TIMES, element(0x30, *entries))
    return element(0x30, tbs, ECDSA, b"\x03\x01\x00")


#: Entries that end before something is there, and the paths of that.
CUT_ENTRIES = [
    (element(0x30, b"\x02\x01\x05"), "revocationDate"),
    (element(0x30, b"\x02\x01\x05", TIMES[0], element(0x30)), "crlEntryExtensions"),
    (element(0x30, b"\x02\x01\x05", TIMES[0], element(0x30, element(0x30))), "crlEntryExtensions[0].extnID"),
    (element(0x30, b"\x02\x01\x05", TIMES[0], element(0x30, element(0x30, REASON))), "crlEntryExtensions[0].extnValue"),
]


@pytest.mark.parametrize(("entry", "path"), CUT_ENTRIES)
def test_what_an_entry_lacks_is_not_of_the_entry_after_it(entry: bytes, path: str) -> None:
    signed = x509.load_der_x509_crl(list_of(ENTRY, entry, ENTRY))
    with pytest.raises(x509.base.Asn1Error) as caught:
        signed[1]
    assert caught.value.path == f"tbsCertList.revokedCertificates[1].{path}"
    with pytest.raises(x509.base.Asn1Error) as checked:
        signed.check()
    assert str(caught.value) == str(checked.value)


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        (b"\x30\x00", ".userCertificate"),
        (b"\x30\x02\x02\x03" + b"\x01\x02\x03", ".userCertificate"),
        (b"\x30\x01\x02" + b"\x01\x05", ".userCertificate"),
    ],
)
def test_the_number_of_an_entry_does_not_reach_past_its_end(entry: bytes, path: str) -> None:
    signed = x509.load_der_x509_crl(list_of(ENTRY, entry, ENTRY))
    for asked in (len, list, lambda crl: crl.get_revoked_certificate_by_serial_number(1)):
        with pytest.raises(x509.base.Asn1Error) as caught:
            asked(signed)
        assert caught.value.path == f"tbsCertList.revokedCertificates[1]{path}"


#: Values of extensions that end before something is there, and the paths of that inside of them.
CUT_VALUES = [
    (x509.ExtensionOID.SUBJECT_ALTERNATIVE_NAME, "3000", ""),
    (x509.ExtensionOID.BASIC_CONSTRAINTS, "", ""),
    (x509.ExtensionOID.MS_CERTIFICATE_TEMPLATE, "300306012a", ".templateMajorVersion"),
    (x509.ExtensionOID.AUTHORITY_INFORMATION_ACCESS, "3005300306012a", "[0].accessLocation"),
]


@pytest.mark.parametrize(("oid", "value", "path"), CUT_VALUES)
def test_what_an_extension_lacks_is_not_of_what_follows(oid: x509.ObjectIdentifier, value: str, path: str) -> None:
    cut, other = x509.UnrecognizedExtension(oid, bytes.fromhex(value)), x509.OCSPNoCheck()
    for others in ([], [other]):
        builder = certificate_builder()
        request = x509.CertificateSigningRequestBuilder().subject_name(name(x509))
        for extension in (cut, *others):
            builder = builder.add_extension(extension, False)
            request = request.add_extension(extension, False)
        certificate = builder.sign(KEY, "sha256")
        with pytest.raises(x509.base.Asn1Error) as caught:
            certificate.extensions[0].value  # noqa: B018
        assert caught.value.path == f"tbsCertificate.extensions[0].extnValue{path}"
        with pytest.raises(x509.base.Asn1Error) as checked:
            certificate.check()
        assert str(caught.value) == str(checked.value)
        ((_, listed),) = certificate.extension_errors
        assert str(listed) == str(caught.value)
        with pytest.raises(x509.base.Asn1Error) as caught:
            request.sign(KEY, "sha256").extensions[0].value  # noqa: B018
        assert caught.value.path.startswith("certificationRequestInfo.attributes[0].values[0]")


def certificate_of(issuer: bytes, *extensions: bytes) -> bytes:
    key = KEY.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    fields = (b"\xa0\x03\x02\x01\x02", b"\x02\x01\x01", ECDSA, issuer, element(0x30, *TIMES), b"\x30\x00", key)
    tbs = element(0x30, *fields, *(element(0xA3, element(0x30, *extensions)) for _ in extensions[:1]))
    return element(0x30, tbs, ECDSA, b"\x03\x01\x00")


@pytest.mark.parametrize(
    ("issuer", "path"),
    [
        (bytes.fromhex("30023100"), "[0]"),
        (bytes.fromhex("300431023000"), "[0][0].type"),
        (bytes.fromhex("3009310730050603550403"), "[0][0].value"),
    ],
)
def test_what_a_name_lacks_is_not_of_what_follows(issuer: bytes, path: str) -> None:
    certificate = x509.load_der_x509_certificate(certificate_of(issuer))
    with pytest.raises(x509.base.Asn1Error) as caught:
        certificate.issuer  # noqa: B018
    with pytest.raises(x509.base.Asn1Error) as checked:
        certificate.check()
    assert (caught.value.path, caught.value.offset) == (f"tbsCertificate.issuer{path}", checked.value.offset)
    assert caught.value.path == checked.value.path


@pytest.mark.parametrize(("extension", "path"), [(element(0x30), "extnID"), (element(0x30, REASON), "extnValue")])
def test_what_the_frame_of_an_extension_lacks_is_its_own(extension: bytes, path: str) -> None:
    last = element(0x30, bytes.fromhex("06092b0601050507300105"), b"\x04\x02\x05\x00")
    for rest in ((), (last,)):
        certificate = x509.load_der_x509_certificate(certificate_of(ISSUER, extension, *rest))
        with pytest.raises(x509.base.Asn1Error) as caught:
            certificate.extensions  # noqa: B018
        assert caught.value.path == f"tbsCertificate.extensions[0].{path}"


class Signer:
    """A key of somebody else's."""

    def __init__(self, answer: Any, key: Any = None) -> None:
        self.answer = answer
        self.key = KEY.public_key() if key is None else key

    def public_key(self) -> Any:
        return self.key

    def sign(self, data: bytes, *algorithm: Any) -> Any:
        signature = KEY.sign(data, ec.ECDSA(hashes.SHA256()))
        return self.answer(signature)


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview, Equal])
def test_signers_answer_with_any_buffer(buffer: Any) -> None:
    signed = certificate_builder().sign(Signer(buffer), hashes.SHA256())
    signed.verify_directly_issued_by(signed)


def test_signers_that_answer_with_something_else() -> None:
    for answer in (lambda signature: signature.hex(), lambda signature: None, lambda signature: 5):
        with pytest.raises(TypeError):
            certificate_builder().sign(Signer(answer), hashes.SHA256())
    with pytest.raises(ZeroDivisionError):
        certificate_builder().sign(Signer(lambda signature: 1 // 0), hashes.SHA256())
    for key in (1, "key", KEY):
        with pytest.raises(TypeError, match="Key must be"):
            certificate_builder().sign(Signer(bytes, key), hashes.SHA256())


def test_signers_that_sign_something_else_in_between() -> None:
    def other(signature: bytes) -> bytes:
        certificate_builder(7).sign(KEY, hashes.SHA256())
        return signature

    signed = certificate_builder(6).sign(Signer(other), hashes.SHA256())
    assert signed.serial_number == 6
    signed.verify_directly_issued_by(signed)


def identifier(bits: int) -> bytes:
    """An OBJECT IDENTIFIER whose last arc has so many bits."""
    groups = [0x7F] * (bits // 7)
    return element(0x06, bytes([0x2A, *(group | 0x80 for group in groups[:-1]), groups[-1]]))


@pytest.mark.parametrize("bits", [140, 3_500, 35_000, 700_000])
def test_identifiers_of_any_size_in_every_place(bits: int) -> None:
    oid = identifier(bits)
    name = element(0x30, element(0x31, element(0x30, oid, b"\x0c\x01a")))
    names = element(0x30, element(0xA0, oid, element(0xA0, b"\x05\x00")), element(0x88, oid[-(bits // 7) - 1 :]), element(0xA4, name))
    value = element(0x04, names)
    extensions = element(0x30, bytes.fromhex("0603551d11"), value), element(0x30, oid, b"\x04\x00")
    wrong = element(0x30, bytes.fromhex("0603551d0f"), b"\x04\x00")
    certificate = x509.load_der_x509_certificate(certificate_of(name, *extensions))
    assert repr(certificate.extensions).count("name=Unknown OID") == 4
    assert "name=Unknown OID" in repr(list(certificate.issuer)[0])
    certificate.check()
    certificate = x509.load_der_x509_certificate(certificate_of(name, *extensions, wrong))
    assert [oid.dotted_string for oid, _ in certificate.extension_errors] == ["2.5.29.15"]


def test_long_identifiers_are_not_kept() -> None:
    kept = x509.oid._KNOWN, x509.oid._BY_CONTENT
    for bits in range(70_000, 70_700, 7):
        oid = identifier(bits)
        purposes = x509.UnrecognizedExtension(x509.ExtensionOID.EXTENDED_KEY_USAGE, element(0x30, oid))
        certificate = certificate_builder().add_extension(purposes, False).sign(KEY, "sha256")
        assert len(list(certificate.extension(x509.ExtendedKeyUsage).value)) == 1
    assert max(map(len, (*kept[0], *kept[1]))) <= 128


def nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in tree.children:
        yield from nodes(child)


def raised(ask: Callable[[], object]) -> x509.base.Asn1Error | None:
    try:
        ask()
    except x509.base.Asn1Error as error:
        return error
    except (ValueError, x509.InvalidVersion, x509.DuplicateExtension):
        pass
    return None


def asked(value: Any) -> Iterator[Callable[[], object]]:
    for part in ("subject", "issuer", "extensions"):
        if hasattr(type(value), part):
            yield functools.partial(getattr, value, part)
    if isinstance(value, x509.CertificateRevocationList):
        yield value.__len__
        yield lambda: [entry.extensions for entry in value]


def test_elements_without_content_are_wrong_by_the_same_path_however_they_are_met(der: bytes) -> None:
    wrong = 0
    signed = revocation_list(x509, 5, 6).public_bytes("DER")
    for load, encoding in ((x509.load_der_x509_certificate, der), (x509.load_der_x509_crl, signed)):
        for number in range(len(list(nodes(parse(encoding))))):
            tree = parse(encoding)
            node = list(nodes(tree))[number]
            node.content, node.children = b"", []
            try:
                value = load(tree.encode())
            except (ValueError, x509.InvalidVersion):
                continue
            checked = raised(value.check)
            for one in filter(None, map(raised, asked(value))):
                assert checked is not None
                if (one.code, one.offset) == (checked.code, checked.offset):
                    wrong += 1
                    assert str(one) == str(checked)
    assert wrong > 20
