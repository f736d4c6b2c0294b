"""Values of extensions between what the decoder has and the classes of the package. Nothing is parsed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tagwise import _native
from tagwise._errors import Asn1Error
from tagwise.x509 import _times
from tagwise.x509 import extensions as ext
from tagwise.x509.certificate_transparency import LogEntryType, SignedCertificateTimestamp
from tagwise.x509._extension import Known
from tagwise.x509.extensions import ReasonFlags
from tagwise.x509.general_name import (
    DNSName,
    RFC822Name,
    UniformResourceIdentifier,
    general_name_of,
    general_names_of,
    plain_general_name,
    plain_general_names,
    reject_network,
)
from tagwise.x509.name import Name, name_of, plain_step, step_of
from tagwise.x509.oid import CertificatePoliciesOID, ObjectIdentifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The bits of ReasonFlags (RFC 5280 §4.2.1.13), but for the one that is not used, and the numbers of CRLReason (§5.3.1).
_REASON_BITS = {
    ReasonFlags(name): number for name, number in _native.named_numbers("ReasonFlags") if name != "unused"
}
REASON_CODES = {ReasonFlags(name): number for name, number in _native.named_numbers("CRLReason")}
CODE_REASONS = {code: reason for reason, code in REASON_CODES.items()}

Bits = tuple[bytes, int]
#: Identifier, whether it is critical, value and its place. An extension whose frame is wrong has the error in the place of its value.
Placed = tuple[str, bool, "bytes | Asn1Error", int]


def _bit(bits: Bits, number: int) -> bool:
    octets = bits[0]
    return number // 8 < len(octets) and bool(octets[number // 8] & 0x80 >> number % 8)


def _bits(numbers: list[int]) -> Bits:
    octets = bytearray(2)
    for number in numbers:
        octets[number // 8] |= 0x80 >> number % 8
    return (bytes(octets), 0)


def _reasons_of(bits: Bits | None) -> frozenset[ReasonFlags] | None:
    if bits is None:
        return None
    return frozenset(reason for reason, number in _REASON_BITS.items() if _bit(bits, number))


def _plain_reasons(reasons: frozenset[ReasonFlags]) -> Bits:
    return _bits([_REASON_BITS[reason] for reason in reasons])


def _oid(dotted: str | None) -> ObjectIdentifier | None:
    return None if dotted is None else ObjectIdentifier._of(dotted)


def _present(**fields: Any) -> dict[str, Any]:
    """The fields that are there, by the names of ASN.1: `_` stands for `-`."""
    return {name: value for name, value in fields.items() if value is not None}


# ---- Reading ------------------------------------------------------------------------------------


def _authority_key_identifier(plain: dict[str, Any]) -> ext.AuthorityKeyIdentifier:
    issuer = plain.get("authorityCertIssuer")
    return ext.AuthorityKeyIdentifier(
        plain.get("keyIdentifier"),
        None if issuer is None else general_names_of(issuer),
        plain.get("authorityCertSerialNumber"),
    )


def _accesses(plain: list[dict[str, Any]]) -> list[ext.AccessDescription]:
    return [
        ext.AccessDescription(ObjectIdentifier._of(one["accessMethod"]), general_name_of(one["accessLocation"]))
        for one in plain
    ]


def _point_name(plain: tuple[str, Any] | None) -> tuple[Any, Any]:
    if plain is None:
        return (None, None)
    kind, value = plain
    return (general_names_of(value), None) if kind == "fullName" else (None, step_of(value))


def _points(plain: list[dict[str, Any]]) -> list[ext.DistributionPoint]:
    points = []
    for one in plain:
        issuer = one.get("cRLIssuer")
        full, relative = _point_name(one.get("distributionPoint"))
        points.append(
            ext.DistributionPoint(
                full,
                relative,
                _reasons_of(one.get("reasons")),
                None if issuer is None else general_names_of(issuer),
            )
        )
    return points


def _issuing_point(plain: dict[str, Any]) -> ext.IssuingDistributionPoint:
    full, relative = _point_name(plain.get("distributionPoint"))
    return ext.IssuingDistributionPoint(
        full,
        relative,
        plain["onlyContainsUserCerts"],
        plain["onlyContainsCACerts"],
        _reasons_of(plain.get("onlySomeReasons")),
        plain["indirectCRL"],
        plain["onlyContainsAttributeCerts"],
    )


def _qualifier(plain: dict[str, Any]) -> str | ext.UserNotice:
    value = plain["qualifier"]
    if plain["policyQualifierId"] == CertificatePoliciesOID.CPS_QUALIFIER.dotted_string:
        text: str = value
        return text
    if plain["policyQualifierId"] != CertificatePoliciesOID.CPS_USER_NOTICE.dotted_string:
        raise ValueError(f"policy qualifier {plain['policyQualifierId']} is not known")
    reference = value.get("noticeRef")
    text_of = value.get("explicitText")
    return ext.UserNotice(
        None if reference is None else ext.NoticeReference(reference["organization"][1], reference["noticeNumbers"]),
        None if text_of is None else text_of[1],
    )


def _policies(plain: list[dict[str, Any]]) -> ext.CertificatePolicies:
    policies = []
    for one in plain:
        qualifiers = one.get("policyQualifiers")
        policies.append(
            ext.PolicyInformation(
                ObjectIdentifier._of(one["policyIdentifier"]),
                None if qualifiers is None else [_qualifier(qualifier) for qualifier in qualifiers],
            )
        )
    return ext.CertificatePolicies(policies)


def _key_usage(bits: Bits) -> ext.KeyUsage:
    # Nine bits, of which those at the end may be left out.
    both = int.from_bytes((bits[0] + b"\0\0")[:2], "big")
    return ext.KeyUsage(
        both & 0x8000 != 0,
        both & 0x4000 != 0,
        both & 0x2000 != 0,
        both & 0x1000 != 0,
        both & 0x0800 != 0,
        both & 0x0400 != 0,
        both & 0x0200 != 0,
        both & 0x0100 != 0,
        both & 0x0080 != 0,
    )


def _subtrees(plain: list[dict[str, Any]] | None) -> Any:
    return None if plain is None else [general_name_of(one["base"]) for one in plain]


def _period(plain: dict[str, Any]) -> ext.PrivateKeyUsagePeriod:
    def moment(name: str) -> Any:
        return None if name not in plain else _times.naive(plain[name])

    return ext.PrivateKeyUsagePeriod(moment("notBefore"), moment("notAfter"))


def _naming_authority(plain: dict[str, Any] | None) -> ext.NamingAuthority | None:
    if plain is None:
        return None
    text = plain.get("namingAuthorityText")
    return ext.NamingAuthority(
        _oid(plain.get("namingAuthorityId")),
        plain.get("namingAuthorityUrl"),
        None if text is None else text[1],
    )


def _profession(plain: dict[str, Any]) -> ext.ProfessionInfo:
    oids = plain.get("professionOIDs")
    return ext.ProfessionInfo(
        _naming_authority(plain.get("namingAuthority")),
        [item[1] for item in plain["professionItems"]],
        None if oids is None else [ObjectIdentifier._of(oid) for oid in oids],
        plain.get("registrationNumber"),
        plain.get("addProfessionInfo"),
    )


def _admission(plain: dict[str, Any]) -> ext.Admission:
    authority = plain.get("admissionAuthority")
    return ext.Admission(
        None if authority is None else general_name_of(authority),
        _naming_authority(plain.get("namingAuthority")),
        [_profession(one) for one in plain["professionInfos"]],
    )


def _admissions(plain: dict[str, Any]) -> ext.Admissions:
    authority = plain.get("admissionAuthority")
    return ext.Admissions(
        None if authority is None else general_name_of(authority),
        [_admission(one) for one in plain["contentsOfAdmissions"]],
    )


def _features(plain: list[int]) -> ext.TLSFeature:
    return ext.TLSFeature([ext.TLSFeatureType(number) for number in plain])


def _template(plain: dict[str, Any]) -> ext.MSCertificateTemplate:
    return ext.MSCertificateTemplate(
        ObjectIdentifier._of(plain["templateID"]),
        plain.get("templateMajorVersion"),
        plain.get("templateMinorVersion"),
    )


_READERS: dict[type[ext.ExtensionType], Callable[[Any], ext.ExtensionType]] = {
    ext.AuthorityKeyIdentifier: _authority_key_identifier,
    ext.SubjectKeyIdentifier: ext.SubjectKeyIdentifier,
    ext.AuthorityInformationAccess: lambda plain: ext.AuthorityInformationAccess(_accesses(plain)),
    ext.SubjectInformationAccess: lambda plain: ext.SubjectInformationAccess(_accesses(plain)),
    ext.BasicConstraints: lambda plain: ext.BasicConstraints(plain["cA"], plain.get("pathLenConstraint")),
    ext.CRLDistributionPoints: lambda plain: ext.CRLDistributionPoints(_points(plain)),
    ext.FreshestCRL: lambda plain: ext.FreshestCRL(_points(plain)),
    ext.IssuingDistributionPoint: _issuing_point,
    ext.PolicyConstraints: lambda plain: ext.PolicyConstraints(
        plain.get("requireExplicitPolicy"), plain.get("inhibitPolicyMapping")
    ),
    ext.CertificatePolicies: _policies,
    ext.ExtendedKeyUsage: lambda plain: ext.ExtendedKeyUsage([ObjectIdentifier._of(oid) for oid in plain]),
    ext.OCSPNoCheck: lambda plain: ext.OCSPNoCheck(),
    ext.PrecertPoison: lambda plain: ext.PrecertPoison(),
    ext.TLSFeature: _features,
    ext.InhibitAnyPolicy: ext.InhibitAnyPolicy,
    ext.KeyUsage: _key_usage,
    ext.PrivateKeyUsagePeriod: _period,
    ext.NameConstraints: lambda plain: ext.NameConstraints(
        _subtrees(plain.get("permittedSubtrees")), _subtrees(plain.get("excludedSubtrees"))
    ),
    ext.SubjectAlternativeName: lambda plain: ext.SubjectAlternativeName(general_names_of(plain)),
    ext.IssuerAlternativeName: lambda plain: ext.IssuerAlternativeName(general_names_of(plain)),
    ext.CertificateIssuer: lambda plain: ext.CertificateIssuer(general_names_of(plain)),
    ext.CRLReason: lambda plain: ext.CRLReason(CODE_REASONS[plain]),
    ext.InvalidityDate: lambda plain: ext.InvalidityDate(_times.naive(plain)),
    ext.CRLNumber: ext.CRLNumber,
    ext.DeltaCRLIndicator: ext.DeltaCRLIndicator,
    ext.OCSPNonce: ext.OCSPNonce,
    ext.OCSPAcceptableResponses: lambda plain: ext.OCSPAcceptableResponses(
        [ObjectIdentifier._of(oid) for oid in plain]
    ),
    ext.MSCertificateTemplate: _template,
    ext.Admissions: _admissions,
}


def _by_oid(*kinds: type[ext.ExtensionType]) -> dict[str, type[ext.ExtensionType]]:
    return {kind.oid.dotted_string: kind for kind in kinds}


#: The kinds of certificates and requests.
CERTIFICATE = _by_oid(
    ext.AuthorityKeyIdentifier,
    ext.SubjectKeyIdentifier,
    ext.AuthorityInformationAccess,
    ext.SubjectInformationAccess,
    ext.BasicConstraints,
    ext.CRLDistributionPoints,
    ext.FreshestCRL,
    ext.PolicyConstraints,
    ext.CertificatePolicies,
    ext.ExtendedKeyUsage,
    ext.OCSPNoCheck,
    ext.PrecertPoison,
    ext.TLSFeature,
    ext.InhibitAnyPolicy,
    ext.KeyUsage,
    ext.PrivateKeyUsagePeriod,
    ext.NameConstraints,
    ext.SubjectAlternativeName,
    ext.IssuerAlternativeName,
    ext.MSCertificateTemplate,
    ext.Admissions,
)
CRL = _by_oid(
    ext.CRLNumber,
    ext.DeltaCRLIndicator,
    ext.IssuerAlternativeName,
    ext.AuthorityInformationAccess,
    ext.AuthorityKeyIdentifier,
    ext.IssuingDistributionPoint,
    ext.FreshestCRL,
)
#: The kinds of entries of lists, and of single responses, which may have the same (RFC 6960 §4.4.5).
ENTRY = _by_oid(ext.CRLReason, ext.InvalidityDate, ext.CertificateIssuer)
OCSP = _by_oid(ext.OCSPNonce, ext.OCSPAcceptableResponses)

_TIMESTAMPS: dict[str, tuple[type[ext.ExtensionType], LogEntryType]] = {
    ext.PrecertificateSignedCertificateTimestamps.oid.dotted_string: (
        ext.PrecertificateSignedCertificateTimestamps,
        LogEntryType.PRE_CERTIFICATE,
    ),
    ext.SignedCertificateTimestamps.oid.dotted_string: (
        ext.SignedCertificateTimestamps,
        LogEntryType.X509_CERTIFICATE,
    ),
}


def timestamps_of(der: bytes, entry_type: LogEntryType, allow: list[str]) -> list[SignedCertificateTimestamp]:
    return [SignedCertificateTimestamp(plain, entry_type) for plain in _native.read_scts(der, allow)]


def value_of(
    oid: str, der: bytes, kinds: dict[str, type[ext.ExtensionType]], timestamps: str | None, allow: list[str]
) -> ext.ExtensionType:
    """The value of an extension; of one that has no class in this place, its bytes."""
    if oid == timestamps:
        kind, entry_type = _TIMESTAMPS[oid]
        made: Any = kind
        result: ext.ExtensionType = made(timestamps_of(der, entry_type, allow))
        return result
    found = kinds.get(oid)
    if found is None:
        return ext.UnrecognizedExtension(ObjectIdentifier._of(oid), der)
    return _READERS[found](_native.decode_extension(oid, der, allow))


def of_certificate(oid: str, der: bytes) -> ext.ExtensionType:
    """The value of a certificate's extension, where no rule was tolerated."""
    return value_of(oid, der, CERTIFICATE, ext.PrecertificateSignedCertificateTimestamps.oid.dotted_string, [])


def of_entry(oid: str, der: bytes) -> ext.ExtensionType:
    """The value of the extension of a list's entry, where no rule was tolerated."""
    return value_of(oid, der, ENTRY, None, [])


def reject_duplicates(listed: list[Placed]) -> None:
    seen = set()
    for oid, *_ in listed:
        if oid in seen:
            raise ext.DuplicateExtension(f"Duplicate {oid} extension found", ObjectIdentifier._of(oid))
        seen.add(oid)


def extensions_of(
    listed: list[Placed],
    kinds: dict[str, type[ext.ExtensionType]],
    timestamps: str | None = None,
    path_at: Callable[[int], str] | None = None,
    allow: Sequence[str] = (),
) -> ext.Extensions:
    """The extensions of a list as it was read; `path_at` tells the path of a byte of the whole that they are in.

    An extension whose value cannot be read raises its error when the value is accessed.
    """
    allowed = list(allow)
    reject_duplicates(listed)
    read: list[ext.Extension[ext.ExtensionType]] = []
    for oid, critical, der, offset in listed:
        if isinstance(der, Exception):
            read.append(ext.unreadable(ObjectIdentifier._of(oid), critical, der, b""))
            continue
        try:
            value = value_of(oid, der, kinds, timestamps, allowed)
        except Asn1Error as error:
            if error.code.endswith("-exceeded"):
                # The budget of this moment is not a fault of the extension.
                raise
            placed = error if path_at is None else error.moved(offset, path_at, len(der))
            read.append(ext.unreadable(ObjectIdentifier._of(oid), critical, placed, der))
            continue
        except Exception as error:
            # What decodes and has no object here: kinds of names, qualifiers, reasons and moments without a class.
            read.append(ext.unreadable(ObjectIdentifier._of(oid), critical, error.with_traceback(None), der))
            continue
        extension: ext.Extension[ext.ExtensionType] = ext.Extension.__new__(ext.Extension)
        extension._oid = ObjectIdentifier._of(oid)
        extension._critical = critical
        extension._value = value
        read.append(extension)
    return ext.Extensions(read)


def name_at(der: bytes, offset: int, path_at: Callable[[int], str], allow: Sequence[str]) -> Name:
    """A name that stands in something."""
    try:
        plain = _native.decode("Name", der, list(allow))
        return name_of(plain)
    except Asn1Error as error:
        raise error.moved(offset, path_at, len(der)) from None


# ---- Writing ------------------------------------------------------------------------------------


def _plain_accesses(value: Any) -> list[dict[str, Any]]:
    return [
        {
            "accessMethod": one.access_method.dotted_string,
            "accessLocation": plain_general_name(reject_network(one.access_location)),
        }
        for one in value
    ]


def _plain_point_name(full_name: Any, relative_name: Any) -> tuple[str, Any] | None:
    if full_name is not None:
        return ("fullName", plain_general_names(full_name))
    if relative_name is not None:
        return ("nameRelativeToCRLIssuer", plain_step(relative_name))
    return None


def _plain_points(value: Any) -> list[dict[str, Any]]:
    return [
        _present(
            distributionPoint=_plain_point_name(point.full_name, point.relative_name),
            reasons=None if point.reasons is None else _plain_reasons(point.reasons),
            cRLIssuer=None if point.crl_issuer is None else plain_general_names(point.crl_issuer),
        )
        for point in value
    ]


def _plain_issuing_point(value: ext.IssuingDistributionPoint) -> dict[str, Any]:
    return _present(
        distributionPoint=_plain_point_name(value.full_name, value.relative_name),
        onlyContainsUserCerts=value.only_contains_user_certs or None,
        onlyContainsCACerts=value.only_contains_ca_certs or None,
        onlySomeReasons=None if value.only_some_reasons is None else _plain_reasons(value.only_some_reasons),
        indirectCRL=value.indirect_crl or None,
        onlyContainsAttributeCerts=value.only_contains_attribute_certs or None,
    )


def _plain_notice(notice: ext.UserNotice) -> dict[str, Any]:
    reference = notice.notice_reference
    return _present(
        noticeRef=None
        if reference is None
        else {
            "organization": ("utf8String", reference.organization),
            "noticeNumbers": reference.notice_numbers,
        },
        explicitText=None if notice.explicit_text is None else ("utf8String", notice.explicit_text),
    )


def _plain_qualifier(qualifier: str | ext.UserNotice) -> dict[str, Any]:
    if isinstance(qualifier, str):
        if not qualifier.isascii():
            raise ValueError("Qualifier must be an ASCII-string.")
        return {"policyQualifierId": CertificatePoliciesOID.CPS_QUALIFIER.dotted_string, "qualifier": qualifier}
    return {
        "policyQualifierId": CertificatePoliciesOID.CPS_USER_NOTICE.dotted_string,
        "qualifier": _plain_notice(qualifier),
    }


def _plain_policies(value: ext.CertificatePolicies) -> list[dict[str, Any]]:
    return [
        _present(
            policyIdentifier=policy.policy_identifier.dotted_string,
            policyQualifiers=None
            if policy.policy_qualifiers is None
            else [_plain_qualifier(qualifier) for qualifier in policy.policy_qualifiers],
        )
        for policy in value
    ]


def _plain_usage(value: ext.KeyUsage) -> Bits:
    return _bits([number for number, there in enumerate(value._values()) if there])


def _plain_subtrees(trees: Any) -> Any:
    return None if trees is None else [{"base": plain_general_name(name)} for name in trees]


def _plain_authority(authority: ext.NamingAuthority | None) -> dict[str, Any] | None:
    if authority is None:
        return None
    if authority.url is not None and not authority.url.isascii():
        raise ValueError("url value must be a valid IA5String")
    return _present(
        namingAuthorityId=None if authority.id is None else authority.id.dotted_string,
        namingAuthorityUrl=authority.url,
        namingAuthorityText=None if authority.text is None else ("utf8String", authority.text),
    )


def _plain_profession(info: ext.ProfessionInfo) -> dict[str, Any]:
    oids = info.profession_oids
    number = info.registration_number
    return _present(
        namingAuthority=_plain_authority(info.naming_authority),
        professionItems=[("utf8String", item) for item in info.profession_items],
        professionOIDs=None if oids is None else [oid.dotted_string for oid in oids],
        registrationNumber=number,
        addProfessionInfo=info.add_profession_info,
    )


def _plain_admissions(value: ext.Admissions) -> dict[str, Any]:
    return _present(
        admissionAuthority=None if value.authority is None else plain_general_name(reject_network(value.authority)),
        contentsOfAdmissions=[
            _present(
                admissionAuthority=None
                if one.admission_authority is None
                else plain_general_name(reject_network(one.admission_authority)),
                namingAuthority=_plain_authority(one.naming_authority),
                professionInfos=[_plain_profession(info) for info in one.profession_infos],
            )
            for one in value
        ],
    )


_WRITERS: dict[type[ext.ExtensionType], Callable[[Any], Any]] = {
    ext.AuthorityKeyIdentifier: lambda value: _present(
        keyIdentifier=value.key_identifier,
        authorityCertIssuer=None
        if value.authority_cert_issuer is None
        else plain_general_names(value.authority_cert_issuer),
        authorityCertSerialNumber=value.authority_cert_serial_number,
    ),
    ext.SubjectKeyIdentifier: lambda value: value.digest,
    ext.AuthorityInformationAccess: _plain_accesses,
    ext.SubjectInformationAccess: _plain_accesses,
    ext.BasicConstraints: lambda value: _present(cA=value.ca or None, pathLenConstraint=value.path_length),
    ext.CRLDistributionPoints: _plain_points,
    ext.FreshestCRL: _plain_points,
    ext.IssuingDistributionPoint: _plain_issuing_point,
    ext.PolicyConstraints: lambda value: _present(
        requireExplicitPolicy=value.require_explicit_policy, inhibitPolicyMapping=value.inhibit_policy_mapping
    ),
    ext.CertificatePolicies: _plain_policies,
    ext.ExtendedKeyUsage: lambda value: [oid.dotted_string for oid in value],
    ext.OCSPNoCheck: lambda value: None,
    ext.PrecertPoison: lambda value: None,
    ext.TLSFeature: lambda value: [feature.value for feature in value],
    ext.InhibitAnyPolicy: lambda value: value.skip_certs,
    ext.KeyUsage: _plain_usage,
    ext.PrivateKeyUsagePeriod: lambda value: _present(
        notBefore=None if value.not_before is None else _times.seconds(value.not_before),
        notAfter=None if value.not_after is None else _times.seconds(value.not_after),
    ),
    ext.NameConstraints: lambda value: _present(
        permittedSubtrees=_plain_subtrees(value.permitted_subtrees),
        excludedSubtrees=_plain_subtrees(value.excluded_subtrees),
    ),
    ext.SubjectAlternativeName: plain_general_names,
    ext.IssuerAlternativeName: plain_general_names,
    ext.CertificateIssuer: plain_general_names,
    ext.CRLReason: lambda value: REASON_CODES[value.reason],
    ext.InvalidityDate: lambda value: _times.seconds(value.invalidity_date),
    ext.CRLNumber: lambda value: value.crl_number,
    ext.DeltaCRLIndicator: lambda value: value.crl_number,
    ext.OCSPNonce: lambda value: value.nonce,
    ext.OCSPAcceptableResponses: lambda value: [oid.dotted_string for oid in value],
    ext.MSCertificateTemplate: lambda value: _present(
        templateID=value.template_id.dotted_string,
        templateMajorVersion=value.major_version,
        templateMinorVersion=value.minor_version,
    ),
    ext.Admissions: _plain_admissions,
}


#: The names of characters, by the number of their alternative (RFC 5280 §4.2.1.6).
_TEXTS: dict[type, int] = {RFC822Name: 1, DNSName: 2, UniformResourceIdentifier: 6}


def _written_names(value: Any) -> bytes | None:
    names = [(_TEXTS.get(type(name)), getattr(name, "_value", None)) for name in value._general_names]
    if not names or any(number is None or type(text) is not str or not text.isascii() for number, text in names):
        return None
    return _native.write_text_names(names)


def _written_key(value: ext.AuthorityKeyIdentifier) -> bytes | None:
    if value._authority_cert_issuer is not None or type(value._key_identifier) not in (bytes, type(None)):
        return None
    return _native.write_authority_key(value._key_identifier)


def _written_usage(value: ext.KeyUsage) -> bytes:
    bits = 0
    for there in value._values():
        bits = bits << 1 | bool(there)
    return _native.write_key_usage(bits << 7)


def _written_purposes(value: ext.ExtendedKeyUsage) -> bytes | None:
    return _native.write_identifiers([oid._dotted for oid in value._usages]) if value._usages else None


#: The usual kinds, written without the tables of their types, or nothing where a value is not as usual.
_QUICK: dict[type[ext.ExtensionType], Callable[[Any], bytes | None]] = {
    ext.SubjectKeyIdentifier: lambda value: (
        _native.write_subject_key(value._digest) if type(value._digest) is bytes else None
    ),
    ext.BasicConstraints: lambda value: _native.write_basic_constraints(value._ca, value._path_length),
    ext.KeyUsage: _written_usage,
    ext.AuthorityKeyIdentifier: _written_key,
    ext.ExtendedKeyUsage: _written_purposes,
    ext.SubjectAlternativeName: _written_names,
    ext.IssuerAlternativeName: _written_names,
}


def encode_extension_value(self: ext.ExtensionType) -> bytes:
    """The value of an extension in DER: the method of the classes of values."""
    quick = _QUICK.get(type(self))
    if quick is not None:
        written = quick(self)
        if written is not None:
            return written
    if isinstance(self, (ext.PrecertificateSignedCertificateTimestamps, ext.SignedCertificateTimestamps)):
        return _native.write_scts([sct._plain for sct in self])
    return encode_by_table(self)


def encode_by_table(value: ext.ExtensionType) -> bytes:
    """The same by the table of the value's type alone: tests hold the quick way to it."""
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise NotImplementedError(f"Extension not supported: {value.oid}")
    der = _native.encode_extension(value.oid.dotted_string, writer(value))
    if der is None:
        raise NotImplementedError(f"Extension not supported: {value.oid}")
    return der


setattr(Known, "public_bytes", encode_extension_value)


def plain_extensions(extensions: list[ext.Extension[ext.ExtensionType]]) -> list[tuple[str, bool, bytes]]:
    """Extensions as what is signed takes them."""
    return [(one._oid._dotted, one._critical, one._value.public_bytes()) for one in extensions]
