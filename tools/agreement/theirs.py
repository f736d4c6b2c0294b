"""What PyCA cryptography says of certificates, requests, CRLs and OCSP responses, in the form that is compared.

Whatever raises is said as `!` and the exception, in the place where it was asked for.
"""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, padding, rsa, x448, x25519
from cryptography.x509 import ocsp

REASONS = {
    "unspecified": "unspecified",
    "key_compromise": "keyCompromise",
    "ca_compromise": "cACompromise",
    "affiliation_changed": "affiliationChanged",
    "superseded": "superseded",
    "cessation_of_operation": "cessationOfOperation",
    "certificate_hold": "certificateHold",
    "privilege_withdrawn": "privilegeWithdrawn",
    "aa_compromise": "aACompromise",
    "remove_from_crl": "removeFromCRL",
}


def said(ask):
    """What is said, or what was raised."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 what it raises is what it says
        text = " ".join(str(error).split())
        return f"!{type(error).__name__}: {text}"


def tree(**asked):
    """An object of what each question gives."""
    return {key: said(ask) for key, ask in asked.items()}


def moment(time):
    return None if time is None else int(time.replace(tzinfo=datetime.timezone.utc).timestamp())


def hexed(octets):
    return None if octets is None else octets.hex()


def oid(identifier):
    return identifier.dotted_string


def attribute(one):
    value = one.value.hex() if isinstance(one.value, bytes) else one.value
    return {"type": oid(one.oid), "string_type": one._type.name, "value": value}


def rdn(one):
    return [attribute(item) for item in one._attributes]


def name(whole):
    return [rdn(item) for item in whole.rdns]


def general_name(one):
    match one:
        case x509.RFC822Name():
            return {"type": "email", "value": one.value}
        case x509.DNSName():
            return {"type": "dns", "value": one.value}
        case x509.UniformResourceIdentifier():
            return {"type": "uri", "value": one.value}
        case x509.DirectoryName():
            return {"type": "directory", "rdns": name(one.value)}
        case x509.RegisteredID():
            return {"type": "registered-id", "value": oid(one.value)}
        case x509.IPAddress():
            return {"type": "ip", "value": str(one.value)}
        case x509.OtherName():
            return {"type": "other", "type_id": oid(one.type_id), "der": one.value.hex()}
    raise TypeError(type(one).__name__)


def names(list_of):
    return None if list_of is None else [general_name(item) for item in list_of]


def reasons(flags):
    return None if flags is None else sorted(REASONS[flag.name] for flag in flags)


def place(point):
    relative = None if point.relative_name is None else rdn(point.relative_name)
    return {"full_name": names(point.full_name), "relative_name": relative}


def distribution_point(point):
    return {**place(point), "reasons": reasons(point.reasons), "crl_issuer": names(point.crl_issuer)}


def qualifier(one):
    if isinstance(one, str):
        return {"uri": one}
    reference = one.notice_reference
    return {
        "organization": reference and reference.organization,
        "notice_numbers": reference and list(reference.notice_numbers),
        "text": one.explicit_text,
    }


def policy(one):
    listed = one.policy_qualifiers
    return {
        "policy": oid(one.policy_identifier),
        "qualifiers": None if listed is None else [qualifier(item) for item in listed],
    }


def access(one):
    return {"method": oid(one.access_method), "location": general_name(one.access_location)}


def usage(bits):
    words = {
        "digitalSignature": bits.digital_signature,
        "nonRepudiation": bits.content_commitment,
        "keyEncipherment": bits.key_encipherment,
        "dataEncipherment": bits.data_encipherment,
        "keyAgreement": bits.key_agreement,
        "keyCertSign": bits.key_cert_sign,
        "cRLSign": bits.crl_sign,
        "encipherOnly": bits.key_agreement and bits.encipher_only,
        "decipherOnly": bits.key_agreement and bits.decipher_only,
    }
    return [word for word, is_set in words.items() if is_set]


def timestamp(one):
    milliseconds = (one.timestamp - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)
    digest = one.signature_hash_algorithm.name
    return {
        "version": one.version.value + 1,
        "log_id": one.log_id.hex(),
        "timestamp_ms": milliseconds,
        "algorithm": f"{digest} {one.signature_algorithm.name.lower()}",
        "extensions": one.extension_bytes.hex(),
        "signature": one.signature.hex(),
    }


def extension_value(value):
    match value:
        case x509.AuthorityKeyIdentifier():
            return {
                "key_id": hexed(value.key_identifier),
                "issuer": names(value.authority_cert_issuer),
                "serial_number": value.authority_cert_serial_number,
            }
        case x509.SubjectKeyIdentifier():
            return value.digest.hex()
        case x509.KeyUsage():
            return usage(value)
        case x509.PrivateKeyUsagePeriod():
            return {"not_before": moment(value.not_before), "not_after": moment(value.not_after)}
        case x509.CertificatePolicies():
            return [policy(item) for item in value]
        case x509.PolicyConstraints():
            return {
                "require_explicit_policy": value.require_explicit_policy,
                "inhibit_policy_mapping": value.inhibit_policy_mapping,
            }
        case x509.InhibitAnyPolicy():
            return {"skip_certs": value.skip_certs}
        case x509.SubjectAlternativeName() | x509.IssuerAlternativeName() | x509.CertificateIssuer():
            return names(value)
        case x509.BasicConstraints():
            return {"ca": value.ca, "path_len": value.path_length}
        case x509.NameConstraints():
            return {"permitted": names(value.permitted_subtrees), "excluded": names(value.excluded_subtrees)}
        case x509.ExtendedKeyUsage():
            return [oid(item) for item in value]
        case x509.CRLDistributionPoints() | x509.FreshestCRL():
            return [distribution_point(item) for item in value]
        case x509.IssuingDistributionPoint():
            return {
                **place(value),
                "only_user_certs": value.only_contains_user_certs,
                "only_ca_certs": value.only_contains_ca_certs,
                "only_attribute_certs": value.only_contains_attribute_certs,
                "indirect_crl": value.indirect_crl,
                "only_some_reasons": reasons(value.only_some_reasons),
            }
        case x509.AuthorityInformationAccess() | x509.SubjectInformationAccess():
            return [access(item) for item in value]
        case x509.PrecertificateSignedCertificateTimestamps() | x509.SignedCertificateTimestamps():
            return [timestamp(item) for item in value]
        case x509.PrecertPoison() | x509.OCSPNoCheck():
            return "present"
        case x509.TLSFeature():
            return [item.value for item in value]
        case x509.MSCertificateTemplate():
            return {
                "template": oid(value.template_id),
                "major_version": value.major_version,
                "minor_version": value.minor_version,
            }
        case x509.CRLNumber():
            return value.crl_number
        case x509.DeltaCRLIndicator():
            return value.crl_number
        case x509.CRLReason():
            return REASONS[value.reason.name]
        case x509.InvalidityDate():
            return moment(value.invalidity_date)
        case x509.OCSPNonce():
            return value.nonce.hex()
        case x509.OCSPAcceptableResponses():
            return [oid(item) for item in value]
        case x509.UnrecognizedExtension():
            return Octets(value.value)
    # Known to them and left as octets by us, or the other way round.
    return Octets(value.public_bytes())


class Octets:
    """A value that they do not take apart."""

    def __init__(self, octets):
        self.hex = octets.hex()


def extension(one):
    return {"oid": oid(one.oid), "critical": one.critical, "value": extension_value(one.value)}


def extensions(list_of):
    return [extension(one) for one in list_of]


def public_key(key):
    match key:
        case rsa.RSAPublicKey():
            numbers = key.public_numbers()
            return {"kind": "RSA", "bits": key.key_size, "modulus": f"{numbers.n:x}", "exponent": numbers.e}
        case dsa.DSAPublicKey():
            numbers = key.public_numbers()
            of = numbers.parameter_numbers
            return {"kind": "DSA", "p": of.p, "q": of.q, "g": of.g, "y": numbers.y}
        case ec.EllipticCurvePublicKey():
            numbers = key.public_numbers()
            return {"kind": "EC", "curve": key.curve.name, "x": numbers.x, "y": numbers.y}
        case ed25519.Ed25519PublicKey() | ed448.Ed448PublicKey() | x25519.X25519PublicKey() | x448.X448PublicKey():
            return {"kind": "raw", "key": key.public_bytes_raw().hex()}
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return {"kind": "raw", "key": raw.hex()}


def signature_parameters(of):
    """What the signature is made with, beyond its identifier."""
    # OCSP responses have the digest only.
    parameters = getattr(of, "signature_algorithm_parameters", None)
    if isinstance(parameters, padding.PSS):
        return {
            "hash": of.signature_hash_algorithm.name,
            "mgf_hash": parameters._mgf._algorithm.name,
            "salt_length": parameters._salt_length,
        }
    digest = said(lambda: of.signature_hash_algorithm)
    if isinstance(digest, str):
        return digest
    return {"hash": digest and digest.name}


def signature(of):
    return tree(
        algorithm=lambda: oid(of.signature_algorithm_oid),
        parameters=lambda: signature_parameters(of),
        signature=lambda: of.signature.hex(),
    )


def certificate(der):
    one = x509.load_der_x509_certificate(der)
    return {
        **tree(
            version=lambda: one.version.value + 1,
            serial_number=lambda: one.serial_number,
            subject=lambda: name(one.subject),
            issuer=lambda: name(one.issuer),
            not_before=lambda: moment(one.not_valid_before_utc),
            not_after=lambda: moment(one.not_valid_after_utc),
            public_key_algorithm=lambda: oid(one.public_key_algorithm_oid),
            public_key=lambda: public_key(one.public_key()),
            extensions=lambda: extensions(one.extensions),
        ),
        **signature(one),
    }


def revoked(entry):
    return tree(
        serial_number=lambda: entry.serial_number,
        revocation_date=lambda: moment(entry.revocation_date_utc),
        extensions=lambda: extensions(entry.extensions),
    )


def crl(der):
    one = x509.load_der_x509_crl(der)
    return {
        **tree(
            issuer=lambda: name(one.issuer),
            this_update=lambda: moment(one.last_update_utc),
            next_update=lambda: moment(one.next_update_utc),
            extensions=lambda: extensions(one.extensions),
            entries=lambda: [revoked(entry) for entry in one],
        ),
        **signature(one),
    }


def request(der):
    one = x509.load_der_x509_csr(der)
    return {
        **tree(
            subject=lambda: name(one.subject),
            public_key_algorithm=lambda: oid(one.public_key_algorithm_oid),
            public_key=lambda: public_key(one.public_key()),
            attributes=lambda: [
                {"type": oid(item.oid), "string_type": item._type, "value": item.value.hex()} for item in one.attributes
            ],
            extensions=lambda: extensions(one.extensions),
        ),
        **signature(one),
    }


def single(one):
    return tree(
        status=lambda: one.certificate_status.name.lower(),
        serial_number=lambda: one.serial_number,
        hash_algorithm=lambda: one.hash_algorithm.name,
        issuer_name_hash=lambda: one.issuer_name_hash.hex(),
        issuer_key_hash=lambda: one.issuer_key_hash.hex(),
        revoked_at=lambda: moment(one.revocation_time_utc),
        reason=lambda: one.revocation_reason and REASONS[one.revocation_reason.name],
        this_update=lambda: moment(one.this_update_utc),
        next_update=lambda: moment(one.next_update_utc),
    )


def response(der):
    one = ocsp.load_der_ocsp_response(der)
    status = {"status": one.response_status.name.lower()}
    if one.response_status is not ocsp.OCSPResponseStatus.SUCCESSFUL:
        return status
    said_more = tree(
        responder_name=lambda: one.responder_name and name(one.responder_name),
        responder_key_hash=lambda: hexed(one.responder_key_hash),
        produced_at=lambda: moment(one.produced_at_utc),
        responses=lambda: [single(item) for item in one.responses],
        single_extensions=lambda: len(list(one.responses)) > 1 or extensions(one.single_extensions),
        extensions=lambda: extensions(one.extensions),
        certificates=lambda: [certificate(item.public_bytes(serialization.Encoding.DER)) for item in one.certificates],
    )
    return {**status, **said_more, **signature(one)}


def ocsp_request(der):
    one = ocsp.load_der_ocsp_request(der)
    return tree(
        serial_number=lambda: one.serial_number,
        hash_algorithm=lambda: one.hash_algorithm.name,
        issuer_name_hash=lambda: one.issuer_name_hash.hex(),
        issuer_key_hash=lambda: one.issuer_key_hash.hex(),
        extensions=lambda: extensions(one.extensions),
    )


READERS = {
    "certificate": certificate,
    "crl": crl,
    "certification-request": request,
    "ocsp-response": response,
    "ocsp-request": ocsp_request,
}


def read(kind, der):
    """What they say, or what loading raised."""
    return said(lambda: READERS[kind](der))

