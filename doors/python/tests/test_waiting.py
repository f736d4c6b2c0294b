"""Names and lists of extensions that are made when something looks at them; names are written natively as by the tables of their types."""

from __future__ import annotations

import copy
import datetime
import pickle
import random
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tagwise import Asn1Error, _native, keys, x509
from tagwise.x509.name import attribute_of

from .conftest import ROOM
from .test_mutations import ALLOWED, damaged


#: ecdsa-with-SHA256.
IDENTIFIER = bytes.fromhex("300a06082a8648ce3d040302")


def outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (TypeError, *ALLOWED) as error:
        # The general way tells the path, too.
        return ValueError if type(error) is Asn1Error else type(error)


def values() -> Iterator[x509.Certificate | x509.CertificateRevocationList]:
    source = random.Random(4711)
    for found in x509.scan(ROOM):
        value = found.value
        if isinstance(value, (x509.Certificate, x509.CertificateRevocationList)):
            yield value
            der = value.public_bytes("DER")
            for _ in range(10):
                try:
                    yield type(value)(damaged(der, source))
                except ALLOWED:
                    continue


def test_names_written() -> None:
    texts = 0
    for value in values():
        name = outcome(lambda value=value: value.issuer)  # type: ignore[misc]
        if isinstance(name, x509.Name):
            # By its encoding, by each of its objects, and by all of them at once.
            by_encoding = name.rfc4514_string()
            by_objects = ",".join(step.rfc4514_string() for step in reversed(name.rdns))
            assert by_encoding == by_objects == name.rfc4514_string(), name
            texts += by_objects != ""
            plain = [[(one.oid.dotted_string, one._type.value, one.value) for one in step] for step in name.rdns]
            quick = outcome(name._encoded)
            assert quick is None or quick == outcome(lambda plain=plain: _native.encode("Name", plain))  # type: ignore[misc]
    assert texts > 1000, texts


def test_odd_names_written() -> None:
    written = 0
    for kind in x509.name._ASN1Type:
        for text in ("", "a", "*", "ü", "€", "𝄞", "1", "a b", "_"):
            plain = [[("2.5.4.3", kind.value, text)]]
            attribute = outcome(lambda plain=plain: attribute_of(*plain[0]))  # type: ignore[misc]
            if isinstance(attribute, type):
                continue
            quick = outcome(x509.Name([attribute])._encoded)
            assert quick is None or quick == outcome(lambda plain=plain: _native.encode("Name", plain)), plain  # type: ignore[misc]
            written += isinstance(quick, bytes)
    assert written > 20


def test_other_names_of_known_types() -> None:
    """The value of an OtherName is its encoding, whether its type is known (RFC 4556 §3.2.2, Microsoft's UPN) or not."""
    principal = bytes.fromhex("3015a0031b0152a10e300ca003020101a10530031b0161")
    upn = bytes.fromhex("0c0161")
    for oid, der in [("1.3.6.1.5.2.2", principal), ("1.3.6.1.4.1.311.20.2.3", upn), ("1.2.3.4", upn)]:
        name = x509.OtherName(x509.ObjectIdentifier(oid), der)
        value = x509.SubjectAlternativeName([x509.DNSName("a.test"), name])
        encoded = value.public_bytes()
        assert der in encoded
        builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([])).add_extension(value, critical=False)
        request = builder.sign(keys.PrivateKey.generate("ed25519"), None)
        read = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        assert read == value and list(read)[1].value == der
    with pytest.raises(Asn1Error):
        x509.SubjectAlternativeName([x509.OtherName(x509.ObjectIdentifier("1.3.6.1.5.2.2"), upn)]).public_bytes()


def a_certificate() -> x509.Certificate:
    """One whose names and extensions are plain, read anew."""
    der = next(one for one in values() if isinstance(one, x509.Certificate) and one.subject._untouched and len(one.extensions) > 2)
    return x509.load_der_x509_certificate(der.public_bytes("DER"))


def test_names_wait_for_their_attributes() -> None:
    certificate = a_certificate()
    name, again = certificate.subject, a_certificate().subject
    der = name.public_bytes()
    assert name._untouched == der and certificate.subject is name
    assert pickle.loads(pickle.dumps(again)) == copy.copy(again) == copy.deepcopy(again) == name
    assert name._untouched is None and name.public_bytes() == der and hash(name) == hash(again)
    assert x509.Name.from_bytes(der) == name and weakref.ref(name)() is name
    # The list is a copy.
    name.rdns.clear()
    assert len(name.rdns) > 1 and name.public_bytes() == der

    class Named(x509.Name):
        pass

    named = Named([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    named.note = "kept"  # type: ignore[attr-defined]
    assert isinstance(named, x509.Name) and len(named) == 1
    with pytest.raises(AttributeError):
        x509.Name.__new__(x509.Name).rdns  # noqa: B018


def test_extensions_wait_for_their_items() -> None:
    first, second = a_certificate().extensions, a_certificate().extensions
    assert list(first) == list(second) and len(first) > 2 and first[0] is first[0]
    for other in (pickle.loads(pickle.dumps(first)), copy.copy(first), copy.deepcopy(first)):
        assert type(other) is x509.Extensions and list(other) == list(second) and repr(other) == repr(second)
    assert weakref.ref(first)() is first and list(x509.Extensions(first)) == list(second)
    with pytest.raises(AttributeError):
        len(x509.Extensions.__new__(x509.Extensions))


def test_entries_in_a_row() -> None:
    """Entries that are added at once are those that the chain of builders makes."""
    moments = [datetime.datetime(1999, 1, 2), datetime.datetime(2051, 1, 1, tzinfo=datetime.timezone.utc)]
    pairs = [(number, moments[number % 2]) for number in (1, 127, 128, (1 << 159) - 1)]
    built = [x509.RevokedCertificateBuilder().serial_number(number).revocation_date(time).build() for number, time in pairs]
    bare = x509.CertificateRevocationListBuilder().issuer_name(x509.Name([])).last_update(moments[0]).next_update(moments[1])
    chain = bare
    for entry in built:
        chain = chain.add_revoked_certificate(entry)
    for given in (pairs, built, [pairs[0], built[1], *pairs[2:]], iter(pairs)):
        assert bare.add_revoked_certificates(given)._tbs(IDENTIFIER) == chain._tbs(IDENTIFIER)
    for wrong, error in (((0, moments[0]), ValueError), ((1 << 159, moments[0]), ValueError), (("1", moments[0]), TypeError), ((1,), TypeError), (5, TypeError)):
        with pytest.raises(error):
            bare.add_revoked_certificates([wrong])  # type: ignore[list-item]
    with pytest.raises(ValueError):
        bare.add_revoked_certificates([(1, datetime.datetime(1949, 1, 1))])
