"""Reads the toy of the certificate that is given, and makes it again."""

import json
import sys

from tagwise import x509

with open(sys.argv[1], "rb") as file:
    certificate = x509.load_der_x509_certificate(file.read())
toy = certificate.extensions.get_extension_for_class(x509.Toy).value
assert (toy.color, toy.wheels, toy.loud) == ("red", 4, False), toy
assert toy == x509.Toy("red", 4, False) and hash(toy) == hash(x509.Toy("red", 4, False))
assert toy.public_bytes().hex() == "3008" "0c03726564" "020104", toy.public_bytes().hex()
(shown,) = json.loads(certificate.to_json())["certificate"]["extensions"]
assert shown["oid"] == "2.999.7" and "red" in json.dumps(shown["value"]), shown
assert "rfc9999.1.critical" in [finding.lint for finding in certificate.lint()]
