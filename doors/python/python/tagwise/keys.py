"""Keys of the embedded backend: generates and reads keys, and signs and verifies with them, without any other package.

>>> from tagwise import keys
>>> key = keys.PrivateKey.generate("ed25519")
>>> signature = key.sign(b"message")
>>> key.public_key().verify(signature, b"message")
>>> key.public_key().verify(signature, b"another")
Traceback (most recent call last):
...
tagwise.x509.exceptions.InvalidSignature
"""

from __future__ import annotations

from tagwise import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tagwise import _kinds
    from tagwise._dsa import DsaParameterNumbers, DsaPrivateNumbers, DsaPublicNumbers

__all__ = [
    "DsaParameterNumbers",
    "DsaPrivateKey",
    "DsaPrivateNumbers",
    "DsaPublicNumbers",
    "Hash",
    "PrivateKey",
    "PublicKey",
    "load_ssh_private_key",
    "load_ssh_public_key",
    "read",
]


def password_bytes(password: str | bytes | None) -> bytes | None:
    """Returns a password as bytes; text is encoded as UTF-8."""
    if password is None or isinstance(password, bytes):
        return password
    if isinstance(password, str):
        return password.encode()
    return memoryview(password).tobytes()


#: The names of the supported hashes.
HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512")


class Hash:
    """A hash by its name, for use without `cryptography`."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        """The name of the hash, such as `sha256`."""
        return self._name

    @property
    def digest_size(self) -> int:
        """The size of the hash, in bytes."""
        # Its import takes longer than that of the rest of this module.
        import hashlib

        return hashlib.new(self._name.replace("sha3-", "sha3_"), usedforsecurity=False).digest_size

    def __eq__(self, other: object) -> bool:
        return self._name == other._name if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._name)

    def __repr__(self) -> str:
        return f"<Hash({self._name})>"


class PublicKey:
    """A public key."""

    __slots__ = ("_info",)

    def __init__(self, public_key_info: bytes) -> None:
        _native.kind_of_key(public_key_info)
        self._info = public_key_info

    @property
    def public_key_info(self) -> bytes:
        """The SubjectPublicKeyInfo in DER."""
        return self._info

    @property
    def kind(self) -> str:
        """The kind of the key, as in `PrivateKey.generate`."""
        return _native.kind_of_key(self._info)

    def dsa_numbers(self) -> DsaPublicNumbers:
        """Returns the numbers of a DSA key."""
        from tagwise import asn1
        from tagwise._dsa import DsaParameterNumbers, DsaPublicNumbers

        if self.kind != "dsa":
            raise TypeError(f"the key is not a DSA key, but {self.kind}")
        plain = _native.decode("SubjectPublicKeyInfo", self._info)
        p, q, g = asn1.of(list[int]).decode(plain["algorithm"]["parameters"])
        y: int = asn1.of(int).decode(plain["subjectPublicKey"][0])
        return DsaPublicNumbers(y, DsaParameterNumbers(p, q, g))

    def verify(self, signature: bytes, data: bytes, algorithm: _kinds.Hash | None = None) -> None:
        """Verifies a signature. `algorithm` is the hash or its name, if the key supports several."""
        from tagwise.x509 import _sign

        identifier = _sign.identifier_of(self._info, algorithm)
        oid = _native.decode("AlgorithmIdentifier", identifier)["algorithm"]
        _sign.check(self._info, oid, identifier, signature, data)

    def __eq__(self, other: object) -> bool:
        return self._info == other._info if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._info)

    def __repr__(self) -> str:
        return f"<PublicKey({self.kind})>"

    def __reduce__(self) -> tuple[type[PublicKey], tuple[bytes]]:
        return (PublicKey, (self._info,))


class PrivateKey:
    """A private key. It cannot be pickled, and its `repr` does not show the secret."""

    __slots__ = ("_key",)

    def __init__(self, key: _native.PrivateKey) -> None:
        self._key = key

    @classmethod
    def generate(cls, kind: str) -> PrivateKey:
        """Generates a key: `p-256`, `p-384`, `p-521`, `rsa-3072`, `ed25519`, `ml-dsa-44`, `ml-dsa-65`, `ml-dsa-87` …"""
        return cls(_native.PrivateKey.generate(kind))

    @classmethod
    def from_pkcs8(cls, data: _kinds.Buffer) -> PrivateKey:
        """Reads a key from an unencrypted PKCS #8 structure in DER."""
        return cls(_native.PrivateKey.from_pkcs8(data))

    @classmethod
    def from_der(cls, data: _kinds.Buffer, password: str | bytes | None = None, *, max_iterations: int = 10_000_000) -> PrivateKey:
        """Reads a key in DER: PKCS #8, which may be encrypted with a password (RFC 5958 §3), PKCS #1 or SEC 1.

        Raises `TypeError` if the key is encrypted and no password is given, or vice versa, like `cryptography`.
        """
        return cls(_native.PrivateKey.from_der(data, password_bytes(password), max_iterations))

    @classmethod
    def from_pem(
        cls, data: str | bytes, password: str | bytes | None = None, *, max_iterations: int = 10_000_000
    ) -> PrivateKey:
        """Reads the first private key in a PEM text, which may be encrypted with a password: `PRIVATE KEY`,
        `ENCRYPTED PRIVATE KEY`, `RSA PRIVATE KEY` or `EC PRIVATE KEY`. The last two may be encrypted in
        OpenSSL's traditional format (`DEK-Info`, RFC 1421 §4.6.1.3). Deviations in the PEM itself are
        tolerated, as with `allow=["pem"]` elsewhere.

        Raises `TypeError` if the key is encrypted and no password is given, or vice versa, like `cryptography`.
        Raises `MessageError` with the code `integrity` for a wrong password, and `unsupported` for an unsupported
        cipher.

        >>> key = PrivateKey.generate("ed25519")
        >>> text = key.to_pem("a passphrase", iterations=1000)
        >>> text.splitlines()[0], PrivateKey.from_pem(text, "a passphrase").public_key() == key.public_key()
        ('-----BEGIN ENCRYPTED PRIVATE KEY-----', True)
        """
        text = data.encode() if isinstance(data, str) else data
        return cls(_native.PrivateKey.from_pem(text, password_bytes(password), max_iterations))

    def to_pem(self, password: str | bytes | None = None, *, iterations: int = 600_000) -> str:
        """Encodes the key as PKCS #8 in PEM. With a password, it is encrypted with AES-256 and PBKDF2."""
        return _pem_of(self.to_pkcs8(), password, iterations)

    def to_pkcs8(self) -> bytes:
        """Encodes the key as an unencrypted PKCS #8 structure in DER."""
        return self._key.to_pkcs8()

    @property
    def kind(self) -> str:
        """The kind of the key, as in `generate`."""
        return self._key.kind

    def public_key(self) -> PublicKey:
        """Returns the public key."""
        return PublicKey(self._key.public_key_info)

    def sign(self, data: bytes, algorithm: _kinds.Hash | None = None) -> bytes:
        """Signs bytes. `algorithm` is the hash or its name, if the key supports several."""
        from tagwise.x509 import _sign

        return self.sign_as(_sign.identifier_of(self._key.public_key_info, algorithm), data)

    def sign_as(self, identifier: bytes, data: bytes) -> bytes:
        """Signs bytes with the algorithm of an AlgorithmIdentifier in DER."""
        return self._key.sign(identifier, data)

    def __repr__(self) -> str:
        return f"<PrivateKey({self.kind})>"

    def __reduce__(self) -> str:
        raise TypeError("private keys are not pickled; to_pkcs8 writes one")


class DsaPrivateKey:
    """A DSA private key, which `read` returns. It can be inspected and converted, but it does not sign: FIPS 186-5 withdrew DSA."""

    __slots__ = ("_key",)

    def __init__(self, key: tuple[bytes, bytes, int]) -> None:
        self._key = key

    @property
    def kind(self) -> str:
        """The kind of the key: `dsa`."""
        return "dsa"

    @property
    def key_size(self) -> int:
        """The size of p, in bits."""
        return self.private_numbers().public_numbers.parameter_numbers.p.bit_length()

    def public_key(self) -> PublicKey:
        """Returns the public key, which verifies signatures."""
        return PublicKey(self._key[0])

    def private_numbers(self) -> DsaPrivateNumbers:
        """Returns the numbers of the key."""
        from tagwise._dsa import DsaPrivateNumbers

        return DsaPrivateNumbers(self._key[2], self.public_key().dsa_numbers())

    def to_pkcs8(self) -> bytes:
        """Encodes the key as an unencrypted PKCS #8 structure in DER."""
        return self._key[1]

    def to_pem(self, password: str | bytes | None = None, *, iterations: int = 600_000) -> str:
        """Encodes the key as PKCS #8 in PEM. With a password, it is encrypted with AES-256 and PBKDF2."""
        return _pem_of(self._key[1], password, iterations)

    def sign(self, data: bytes, algorithm: _kinds.Hash | None = None) -> bytes:
        """Raises `UnsupportedAlgorithm`."""
        from tagwise.x509 import _keys

        raise _keys.unsupported("the embedded backend has no signatures with DSA keys")

    def __repr__(self) -> str:
        return "<DsaPrivateKey>"

    def __reduce__(self) -> str:
        raise TypeError("private keys are not pickled; to_pkcs8 writes one")


def _pem_of(pkcs8: bytes, password: str | bytes | None, iterations: int) -> str:
    """Returns a PKCS #8 structure in PEM, encrypted if there is a password."""
    from tagwise import pem

    secret = password_bytes(password)
    if secret is None:
        return pem.encode(pem.LABELS["private-key"][0], pkcs8)
    return pem.encode(pem.LABELS["encrypted-private-key"][0], _native.encrypted_key(pkcs8, secret, iterations))


def read(
    data: str | bytes | _kinds.Buffer,
    password: str | bytes | None = None,
    *,
    name: str | None = None,
    max_iterations: int = 10_000_000,
) -> PrivateKey | DsaPrivateKey | PublicKey:
    """Reads the key of a file in any format: PEM and DER (PKCS #8, PKCS #1, SEC 1, SubjectPublicKeyInfo, certificates), OpenSSH
    (also certificates), JWK, Java keystores, PVK, key blobs of Microsoft, and DNSSEC. A DSA private key is a `DsaPrivateKey`. `name` selects one of several keys by its
    alias, comment or key identifier.

    Raises `TypeError` if the key is encrypted and no password is given, or vice versa, like `cryptography`. Raises `MessageError`
    if the file has no key, or several.

    >>> read("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA eva").kind
    'ed25519'
    """
    octets = data.encode() if isinstance(data, str) else data
    if _native.has_public_key(octets, name):
        if password is not None:
            raise TypeError("a password was given, but the key is not encrypted")
        return PublicKey(_native.public_key_of(octets, name))
    secret = password_bytes(password)
    try:
        return PrivateKey(_native.PrivateKey.from_any(octets, secret, name, max_iterations))
    except ValueError:
        found = _native.dsa_key(octets, secret, name, max_iterations)
        if found is None:
            raise
        return DsaPrivateKey(found)


def load_ssh_private_key(
    data: bytes, password: bytes | None = None, backend: object = None
) -> PrivateKey | DsaPrivateKey:
    """Reads an OpenSSH private key, like the function of `cryptography`. `backend` is ignored."""
    key = read(data, password)
    if isinstance(key, PublicKey):
        raise ValueError("the file has a public key, expected a private key")
    return key


def load_ssh_public_key(data: bytes, backend: object = None) -> PublicKey:
    """Reads an SSH public key on one line, like the function of `cryptography`. `backend` is ignored."""
    key = read(data)
    if not isinstance(key, PublicKey):
        raise ValueError("the file has a private key, expected a public key")
    return key


def __getattr__(name: str) -> object:
    # Their module imports `typing`, which takes longer than the rest.
    if name in ("DsaParameterNumbers", "DsaPrivateNumbers", "DsaPublicNumbers"):
        from tagwise import _dsa

        return getattr(_dsa, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
