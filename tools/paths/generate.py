"""Generated hierarchies: random graphs of CAs with constraints, policies, expiry and faults, the same for the same seed."""

import datetime
import random

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from cases import case

NOW = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)
DAY = datetime.timedelta(days=1)
SEED = 20261125
HOSTS = ["www.example.org", "mail.example.org", "www.example.com", "a.b.example.net"]
POLICIES = ["1.3.6.1.4.1.55738.666.1.1", "1.3.6.1.4.1.55738.666.1.2", "1.3.6.1.4.1.55738.666.1.3"]
ANY = "2.5.29.32.0"

# The order of the group of P-256 is a prime above 2^255: numbers below are keys.
KEYS = [ec.derive_private_key(1_000_003 * (number + 1), ec.SECP256R1()) for number in range(24)]


class Maker:
    def __init__(self, number):
        self.random = random.Random(SEED * 100_003 + number)
        self.serial = number * 1000 + 1

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def name(self, common):
        attributes = [x509.NameAttribute(NameOID.COUNTRY_NAME, "XX"), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Generated")]
        return x509.Name(attributes + [x509.NameAttribute(NameOID.COMMON_NAME, common)])

    def sign(self, subject, key, issuer, issuer_key, extensions, days=(-30, 365)):
        self.serial += 1
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        builder = builder.serial_number(self.serial).not_valid_before(NOW + days[0] * DAY).not_valid_after(NOW + days[1] * DAY)
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        # Deterministic, so that the same seed gives the same octets.
        certificate = builder.sign(issuer_key, hashes.SHA256(), ecdsa_deterministic=True)
        return certificate.public_bytes(serialization.Encoding.DER)

    def identifiers(self, key, issuer_key):
        own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key((KEYS[23] if self.chance(4) else issuer_key).public_key())
        return [(own, False), (above, False)]

    def subtree(self):
        pick = self.random.randrange(5)
        if pick < 3:
            return x509.DNSName(self.random.choice(["example.org", "example.com", "www.example.org", "net", ""]))
        if pick == 3:
            return x509.DirectoryName(x509.Name(list(self.name("x"))[: self.random.randrange(1, 3)]))
        return x509.RFC822Name("example.org")

    def ca(self, subject, key, issuer, issuer_key, depth):
        usage = dict.fromkeys(
            ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only",
             "decipher_only"], False)
        extensions = self.identifiers(key, issuer_key)
        if not self.chance(3):
            length = self.random.randrange(0, 3) if self.chance(20) else None
            is_ca = not self.chance(3)
            extensions.append((x509.BasicConstraints(is_ca, length if is_ca else None), True))
        if not self.chance(5):
            extensions.append((x509.KeyUsage(key_cert_sign=not self.chance(4), crl_sign=True, **usage), True))
        if self.chance(20):
            permitted = [self.subtree()] if self.chance(60) else None
            excluded = [self.subtree()] if self.chance(50) or not permitted else None
            extensions.append((x509.NameConstraints(permitted, excluded), not self.chance(5)))
        if self.chance(8):
            uses = self.random.choice([[ExtendedKeyUsageOID.SERVER_AUTH], [ExtendedKeyUsageOID.CLIENT_AUTH],
                                       [ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE]])
            extensions.append((x509.ExtendedKeyUsage(uses), False))
        extensions += self.policies(True)
        if self.chance(2):
            unknown = x509.UnrecognizedExtension(ObjectIdentifier("1.3.6.1.4.1.55738.666.2"), b"\x05\x00")
            extensions.append((unknown, self.chance(50)))
        days = self.random.choice([(-30, -1), (1, 365)]) if self.chance(4) else (-30, 365)
        signer = KEYS[22] if self.chance(2) else issuer_key
        return self.sign(subject, key, issuer, signer, extensions, days)

    def policies(self, is_ca):
        extensions = []
        if self.chance(25):
            listed = self.random.sample(POLICIES + [ANY], self.random.randrange(1, 3))
            listed = [x509.PolicyInformation(ObjectIdentifier(policy), None) for policy in listed]
            extensions.append((x509.CertificatePolicies(listed), False))
        if is_ca and self.chance(5):
            extensions.append((x509.PolicyConstraints(self.random.randrange(0, 2), None), True))
        if is_ca and self.chance(4):
            extensions.append((x509.InhibitAnyPolicy(self.random.randrange(0, 2)), True))
        return extensions

    def leaf(self, host, issuer, issuer_key):
        key = KEYS[21]
        usage = dict.fromkeys(
            ["content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
             "encipher_only", "decipher_only"], False)
        names = [x509.DNSName(host)]
        if self.chance(10):
            names.append(x509.RFC822Name(self.random.choice(["eva@example.org", "eva@example.com"])))
        extensions = self.identifiers(key, issuer_key) + [(x509.SubjectAlternativeName(names), False)]
        extensions.append((x509.KeyUsage(digital_signature=True, **usage), True))
        uses = [ExtendedKeyUsageOID.CLIENT_AUTH] if self.chance(4) else [ExtendedKeyUsageOID.SERVER_AUTH]
        extensions.append((x509.ExtendedKeyUsage(uses), False))
        extensions += self.policies(False)
        if self.chance(2):
            extensions.append((x509.UnrecognizedExtension(ObjectIdentifier("1.3.6.1.4.1.55738.666.2"), b"\x05\x00"), True))
        days = (-30, -1) if self.chance(4) else (-30, 90)
        return self.sign(self.name(host), key, issuer, issuer_key, extensions, days)

    def case(self, number):
        depth = self.random.choice([0, 1, 1, 2, 2, 2, 3, 4])
        root = (self.name("Root"), KEYS[0])
        constraints = [(x509.BasicConstraints(True, None), True),
                       (x509.KeyUsage(*[False] * 5, True, True, False, False), True),
                       (x509.SubjectKeyIdentifier.from_public_key(KEYS[0].public_key()), False)]
        roots = [self.sign(*root, *root, constraints, (-3000, 3000))]
        pool, above = [], [root]
        for level in range(depth):
            issuer, issuer_key = above[-1]
            # A CA that gives itself a new key, now and then.
            itself = level > 0 and self.chance(8)
            own = (issuer if itself else self.name(f"CA {level}"), KEYS[level + 1])
            pool.append(self.ca(*own, issuer, issuer_key, level))
            if self.chance(15):
                # The same CA again, perhaps by another issuer.
                other, other_key = self.random.choice(above)
                pool.append(self.ca(*own, other, other_key, level))
            if self.chance(5):
                # Somebody else of the same name.
                pool.append(self.ca(own[0], KEYS[20], issuer, issuer_key, level))
            above.append(own)
        host = self.random.choice(HOSTS)
        leaf = self.leaf(host, *above[-1])
        self.random.shuffle(pool)
        wanted = self.random.sample(POLICIES, self.random.randrange(1, 3)) if self.chance(10) else None
        expected_name = "other.example" if self.chance(3) else host
        return case(f"generated::{number}", "generated", None, leaf, pool, roots, time="2026-06-01T00:00:00Z",
                    name=["DNS", expected_name], policies=wanted, explicit=wanted is not None and self.chance(50))


def generated(count):
    return [Maker(number).case(number) for number in range(count)]
