"""Reads the columns of certificates with another library: `peers.py LIBRARY PROJECTION FILE COUNT`.

FILE has certificates in DER, one after the other. Prints the number of certificates, those that the library does not read, and the
processor time in seconds. The values are those of the columns of the same name; `all` also reads every extension.
"""

import hashlib
import sys
import time

from generate import values


def with_cryptography(projection):
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from cryptography.x509.oid import ExtensionOID

    def extension(certificate, oid):
        try:
            return certificate.extensions.get_extension_for_oid(oid).value
        except x509.ExtensionNotFound:
            return None

    def read(data):
        one = x509.load_der_x509_certificate(data)
        row = [
            format(one.serial_number, "x"),
            one.subject.rfc4514_string(),
            one.issuer.rfc4514_string(),
            one.not_valid_before_utc,
            one.not_valid_after_utc,
        ]
        if projection == "names":
            return row
        names = extension(one, ExtensionOID.SUBJECT_ALTERNATIVE_NAME)
        constraints = extension(one, ExtensionOID.BASIC_CONSTRAINTS)
        key = one.public_key()
        row += [
            None if names is None else names.get_values_for_type(x509.DNSName),
            "RSA" if isinstance(key, rsa.RSAPublicKey) else "EC" if isinstance(key, ec.EllipticCurvePublicKey) else None,
            getattr(key, "key_size", None),
            one.signature_algorithm_oid._name,
            constraints is not None and constraints.ca,
            hashlib.sha256(data).digest(),
        ]
        if projection == "all":
            row += [(each.oid.dotted_string, each.critical, each.value.public_bytes()) for each in one.extensions]
            row += [hashlib.sha1(data).digest(), len(data)]
            row.append(hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest())
        return row

    return read


def with_asn1crypto(projection):
    from asn1crypto import x509

    def read(data):
        one = x509.Certificate.load(data, strict=True)
        row = [
            format(one.serial_number, "x"),
            one.subject.human_friendly,
            one.issuer.human_friendly,
            one.not_valid_before,
            one.not_valid_after,
        ]
        if projection == "names":
            return row
        key = one.public_key
        constraints = one.basic_constraints_value
        row += [
            one.valid_domains,
            key.algorithm,
            key.bit_size,
            one.signature_algo,
            constraints is not None and constraints["ca"].native,
            hashlib.sha256(data).digest(),
        ]
        if projection == "all":
            extensions = one["tbs_certificate"]["extensions"]
            row += [(each["extn_id"].native, each["critical"].native, each["extn_value"].parsed.native) for each in extensions]
            row += [hashlib.sha1(data).digest(), len(data), hashlib.sha256(key.dump()).digest()]
        return row

    return read


def main():
    library, projection, path, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    read = {"cryptography": with_cryptography, "asn1crypto": with_asn1crypto}[library](projection)
    with open(path, "rb") as file:
        rows = [value for value, _ in zip(values(file.read()), range(count))]
    failed = 0
    start = time.process_time()
    for row in rows:
        try:
            read(row)
        except Exception:
            failed += 1
    print(f"{len(rows)}\t{failed}\t{time.process_time() - start:.3f}")


if __name__ == "__main__":
    main()
