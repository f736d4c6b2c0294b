"""Values of extensions: what is read is written again, and is what the constructors make; each class takes one description."""

from __future__ import annotations

import datetime
import ipaddress
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

import tagwise
from tagwise import _native, x509
from tagwise._data import Part
from tagwise.x509.extensions import DESCRIBED
from tagwise.x509.general_name import GeneralName

from .conftest import ROOM
from .test_mutations import ALLOWED, damaged

OID = x509.ObjectIdentifier
NAME = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
#: SEQUENCE { SET { SEQUENCE { commonName, UTF8String "a" } } }
NAME_DER = "300c310a300806035504030c0161"
MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5)
#: GeneralizedTime 20260102030405Z, without its tag
MOMENT_DER = "0f32303236303130323033303430355a"
FLAGS = [False] * 9

#: Values, and their encodings by hand.
WRITTEN: list[tuple[x509.ExtensionType, str]] = [
    (x509.SubjectKeyIdentifier(b""), "0400"),
    (x509.SubjectKeyIdentifier(b"\1\2"), "04020102"),
    (x509.AuthorityKeyIdentifier(None, None, None), "3000"),
    (x509.AuthorityKeyIdentifier(b"\1", None, None), "3003800101"),
    (x509.AuthorityKeyIdentifier(b"\1", [x509.DNSName("a")], 5), "300b" "800101" "a103820161" "820105"),
    (x509.BasicConstraints(False, None), "3000"),
    (x509.BasicConstraints(True, None), "30030101ff"),
    (x509.BasicConstraints(True, 0), "30060101ff020100"),
    (x509.BasicConstraints(True, 1 << 64), "300e0101ff0209010000000000000000"),
    (x509.KeyUsage(*FLAGS), "030100"),
    (x509.KeyUsage(*[True] * 9), "030307ff80"),
    (x509.KeyUsage(True, *[False] * 3, True, *[False] * 3, True), "0303078880"),
    (x509.KeyUsage(*[False] * 5, True, True, False, False), "03020106"),
    (x509.ExtendedKeyUsage([OID("1.2.3"), OID("2.999.1")]), "3009" "06022a03" "0603883701"),
    (x509.SubjectAlternativeName([x509.DNSName("a"), x509.RFC822Name("a@b"), x509.UniformResourceIdentifier("u:")]),
     "300c" "820161" "8103614062" "8602753a"),
    (x509.SubjectAlternativeName([x509.RegisteredID(OID("1.2.3")), x509.IPAddress(ipaddress.ip_address("1.2.3.4"))]),
     "300a" "88022a03" "870401020304"),
    (x509.SubjectAlternativeName([x509.OtherName(OID("1.2.3"), b"\x05\0")]), "300a" "a008" "06022a03" "a0020500"),
    (x509.IssuerAlternativeName([x509.DirectoryName(NAME)]), "3010" "a40e" + NAME_DER),
    (x509.CertificateIssuer([x509.DNSName("a")]), "3003820161"),
    (x509.NameConstraints([x509.IPAddress(ipaddress.ip_network("10.0.0.0/8"))], [x509.DNSName("a")]),
     "3015" "a00c" "300a" "87080a000000ff000000" "a105" "3003820161"),
    (x509.AuthorityInformationAccess([x509.AccessDescription(OID("1.2.3"), x509.DNSName("a"))]), "3009" "3007" "06022a03" "820161"),
    (x509.SubjectInformationAccess([x509.AccessDescription(OID("1.2.3"), x509.DNSName("a"))]), "3009" "3007" "06022a03" "820161"),
    (x509.CRLDistributionPoints([x509.DistributionPoint([x509.DNSName("a")], None, None, None)]), "3009" "3007" "a005a003820161"),
    (x509.FreshestCRL([x509.DistributionPoint(None, x509.RelativeDistinguishedName([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")]), None, None)]),
     "3010" "300e" "a00c" "a10a" "300806035504030c0161"),
    (x509.CRLDistributionPoints([x509.DistributionPoint(None, None, frozenset([x509.ReasonFlags.key_compromise]), [x509.DNSName("a")])]),
     "300b" "3009" "81020640" "a203820161"),
    (x509.IssuingDistributionPoint([x509.DNSName("a")], None, True, False, frozenset([x509.ReasonFlags.ca_compromise]), True, False),
     "3011" "a005a003820161" "8101ff" "83020520" "8401ff"),
    (x509.PolicyConstraints(0, 1), "3006" "800100" "810101"),
    (x509.InhibitAnyPolicy(3), "020103"),
    (x509.CertificatePolicies([x509.PolicyInformation(OID("1.2.3"), None)]), "3006" "3004" "06022a03"),
    (x509.CertificatePolicies([x509.PolicyInformation(OID("1.2.3"), ["u:", x509.UserNotice(x509.NoticeReference("o", [1, 2]), "t")])]),
     "3036" "3034" "06022a03" "302e"
     "300e" "06082b06010505070201" "1602753a"
     "301c" "06082b06010505070202" "3010" "300b" "0c016f" "3006" "020101" "020102" "0c0174"),
    (x509.TLSFeature([x509.TLSFeatureType.status_request, x509.TLSFeatureType.status_request_v2]), "3006" "020105" "020111"),
    (x509.OCSPNoCheck(), "0500"),
    (x509.PrecertPoison(), "0500"),
    (x509.PrivateKeyUsagePeriod(MOMENT, None), "3011" "80" + MOMENT_DER),
    (x509.MSCertificateTemplate(OID("1.2.3"), 1, None), "3007" "06022a03" "020101"),
    (x509.CRLNumber(128), "02020080"),
    (x509.DeltaCRLIndicator(0), "020100"),
    (x509.CRLReason(x509.ReasonFlags.remove_from_crl), "0a0108"),
    (x509.InvalidityDate(MOMENT), "18" + MOMENT_DER),
    (x509.OCSPNonce(b"\0" * 16), "0410" + "00" * 16),
    (x509.OCSPAcceptableResponses([OID("1.2.3")]), "3004" "06022a03"),
    (x509.Admissions(x509.DNSName("a"), [x509.Admission(x509.DNSName("b"), x509.NamingAuthority(OID("1.2.3"), "u", "t"),
        [x509.ProfessionInfo(None, ["p"], [OID("1.2.4")], "1", b"\1")])]),
     "302f" "820161" "302a" "3028" "a003820162" "a10c" "300a" "06022a03" "160175" "0c0174" "3013"
     "3011" "3003" "0c0170" "3004" "06022a04" "130131" "040101"),
]


@pytest.mark.parametrize(("value", "der"), WRITTEN, ids=lambda one: type(one).__name__ if not isinstance(one, str) else "")
def test_values_by_hand(value: x509.ExtensionType, der: str) -> None:
    assert value.public_bytes().hex() == der
    (read,) = _native.extensions_of([(value.oid.dotted_string, False, bytes.fromhex(der), 0)], type(value)._places, None, [])
    assert read.value == value and repr(read.value) == repr(value) and type(read.value) is type(value)
    assert vars(read.value).keys() == vars(value).keys()


def test_all_classes_are_written_by_hand() -> None:
    kinds = {kind for kind in DESCRIBED if issubclass(kind, x509.ExtensionType)}
    timestamps = {x509.PrecertificateSignedCertificateTimestamps, x509.SignedCertificateTimestamps}
    assert kinds - timestamps == {type(value) for value, _ in WRITTEN}


def test_fields_have_documentation() -> None:
    names = 0
    for kind in DESCRIBED:
        for name, value in vars(kind).items():
            if isinstance(value, Part):
                assert value.__doc__ and value.__doc__.endswith("."), (kind, name)
                names += 1
        assert getattr(x509, kind.__name__) is kind and kind.__name__ in x509.__all__
    assert names > 60


def test_wrong_values_are_not_written() -> None:
    names = x509.SubjectAlternativeName([x509.DNSName("a")])
    names._general_names.append(x509.IPAddress(ipaddress.ip_network("10.0.0.0/8")))
    not_ascii = x509.SubjectAlternativeName([x509.DNSName._init_without_validation("\xfc")])
    qualifier = x509.CertificatePolicies([x509.PolicyInformation(OID("1.2.3"), ["\xfc"])])
    empty: list[x509.ExtensionType] = [x509.SubjectAlternativeName([]), x509.ExtendedKeyUsage([]), x509.CertificatePolicies([])]
    for value in (names, not_ascii, qualifier, *empty):
        with pytest.raises(ValueError):
            value.public_bytes()

    class Own(GeneralName):
        value = ""

    with pytest.raises(ValueError, match="Unsupported GeneralName type"):
        x509.SubjectAlternativeName([Own()]).public_bytes()


def test_subclasses_are_written_as_their_bases() -> None:
    class Own(x509.BasicConstraints):
        pass

    assert Own(True, 0).public_bytes().hex() == "30060101ff020100"


def test_a_budget_is_no_fault_of_an_extension() -> None:
    der = x509.SubjectAlternativeName([x509.DNSName("a"), x509.DNSName("b")]).public_bytes()
    (waiting,) = _native.extensions_of([("2.5.29.17", False, der, 0)], x509._extension.CERTIFICATE, None, [])
    with tagwise.budget(elements=1):
        assert "unreadable" in repr(waiting)
        with pytest.raises(tagwise.Asn1Error):
            waiting.value  # noqa: B018
        with pytest.raises(tagwise.Asn1Error):
            _native.extensions_of([("2.5.29.17", False, der, 0)], x509._extension.CERTIFICATE, None, [])
    assert waiting.error is None and len(waiting.value) == 2


def lists() -> list[tuple[x509.Extensions, list[Any]]]:
    """The extensions of certificates, CRLs and entries, good and damaged, and the rows that they are made of."""
    source, found = random.Random(4711), []

    def add(value: Any, listed: Any) -> None:
        try:
            found.append((value.extensions, listed(value)))
        except ALLOWED:
            pass

    for one in x509.scan(ROOM):
        if not isinstance(one.value, (x509.Certificate, x509.CertificateRevocationList)):
            continue
        der = one.value.public_bytes("DER")
        for number in range(11):
            try:
                value: Any = type(one.value)(damaged(der, source) if number else der)
                entries = list(value)[:50] if isinstance(value, x509.CertificateRevocationList) else []
            except ALLOWED:
                continue
            add(value, lambda value: value._extensions)
            for entry in entries:
                add(entry, lambda entry: entry._triples)
    return found


def test_what_is_read_is_written_and_is_what_constructors_make() -> None:
    kinds: dict[type, int] = {}
    unreadable = 0
    for extensions, rows in lists():
        for extension, (dotted, _, der, _) in zip(extensions, rows):
            assert extension.oid.dotted_string == dotted
            if extension.error is not None:
                unreadable += 1
                continue
            value: Any = extension.value
            kinds[type(value)] = kinds.get(type(value), 0) + 1
            if type(value) in DESCRIBED:
                made = type(value)(**{name: getattr(value, "_" + name) for name in value._fields})
                assert made == value and repr(made) == repr(value) and vars(made).keys() == vars(value).keys()
            written = value.public_bytes()
            if written != der and type(value) in DESCRIBED:
                # Strings of other types, which are written as UTF8String, subtrees with a minimum, bits without a name.
                assert isinstance(value, CHANGING), (value, der.hex())
                (again,) = _native.extensions_of([(dotted, False, written, 0)], type(value)._places, None, [])
                assert again.value == value
    assert unreadable > 50 and sum(kinds.values()) > 5000 and len(kinds) >= 20, (unreadable, kinds)


def test_the_table_engine_reads_the_same() -> None:
    """Strict DER is read where it stands; with a rule that is about something else, the table engine reads it. Both say the same."""

    def told(oid: str, der: bytes, allow: list[str]) -> object:
        (read,) = _native.extensions_of([(oid, False, der, 0)], x509._extension.CERTIFICATE, None, allow)
        error = read.error
        if error is None:
            return read.value
        return (type(error), str(error), getattr(error, "offset", None))

    seen: dict[str, set[bytes]] = {}
    for _, rows in lists():
        for oid, _, der, _ in rows:
            if isinstance(der, bytes) and der:
                seen.setdefault(oid, set()).add(der)
    source, values = random.Random(815), 0
    for oid, ders in seen.items():
        for der in sorted(ders)[:60]:
            for changed in (der, *(damaged(der, source) for _ in range(15))):
                quick, slow = told(oid, changed, []), told(oid, changed, ["negative-serial"])
                assert quick == slow and repr(quick) == repr(slow), (oid, changed.hex())
                assert type(quick) is type(slow)
                values += not isinstance(quick, tuple)
    assert values > 2500 and len(seen) > 25, (values, len(seen))


CHANGING = (
    *(x509.CertificatePolicies, x509.NameConstraints, x509.Admissions, x509.KeyUsage),
    *(x509.CRLDistributionPoints, x509.FreshestCRL, x509.IssuingDistributionPoint),
)

CONTRIBUTING = pathlib.Path(__file__).parents[3] / "CONTRIBUTING.md"

USE = '''
import datetime, json
from tagwise import keys, x509
value = x509.CABFOrganizationIdentifier("VAT", "DE", None, "1")
assert value.public_bytes().hex() == "300c" "1303564154" "13024445" "0c0131", value.public_bytes().hex()
name, key = x509.Name([]), keys.PrivateKey.generate("ed25519")
start, end = datetime.datetime(2026, 1, 1), datetime.datetime(2027, 1, 1)
builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(1).public_key(key.public_key())
certificate = builder.not_valid_before(start).not_valid_after(end).add_extension(value, False).sign(key, None)
read = certificate.extensions.get_extension_for_class(x509.CABFOrganizationIdentifier).value
assert read == value and hash(read) == hash(value) and read.scheme == "VAT" and read.state is None
assert repr(read) == "<CABFOrganizationIdentifier(scheme='VAT', country='DE', state=None, reference='1')>", repr(read)
(shown,) = [one for one in json.loads(certificate.to_json())["certificate"]["extensions"] if one["oid"] == "2.23.140.3.1"]
assert "VAT" in json.dumps(shown)
'''


def test_an_extension_is_one_description(tmp_path: pathlib.Path) -> None:
    package = tmp_path / "tagwise"
    shutil.copytree(pathlib.Path(tagwise.__file__).parent, package)
    file = package / "x509" / "_extensions_policy.py"
    # An extension whose type the decoder has, and for which the package has no class.
    (toy,) = re.findall(r"```python\n(class CABF.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.DOTALL)
    file.write_text(f"{file.read_text(encoding='utf-8')}\n\n{toy}", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", USE], env=environment, cwd=tmp_path, check=True)
