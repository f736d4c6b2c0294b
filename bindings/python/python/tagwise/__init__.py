"""ASN.1 and PKI: certificates, revocation lists, requests and OCSP, on a strict decoder written in Rust.

`tagwise.x509` has the names of `cryptography.x509`; docs/src/python.md says what differs.
"""

from tagwise import asn1, cms, keys, lint, pem, pkcs12, tsp, x509
from tagwise._errors import Asn1Error, MessageError

__all__ = ["Asn1Error", "MessageError", "asn1", "cms", "keys", "lint", "pem", "pkcs12", "tsp", "x509"]
