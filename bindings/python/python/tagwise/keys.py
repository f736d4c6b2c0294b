"""Keys of the embedded backend: made, read, signed with, without any other package.

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
    from typing import Any

__all__ = ["Hash", "PrivateKey", "PublicKey"]

#: The names of hashes.
HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512")


class Hash:
    """A hash by its name, where `cryptography`'s are not there."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def digest_size(self) -> int:
        """The bytes of a hash."""
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
        """The kind of the key, as `PrivateKey.generate` takes it."""
        return _native.kind_of_key(self._info)

    def verify(self, signature: bytes, data: bytes, algorithm: Any = None) -> None:
        """Checks a signature; `algorithm` is the hash, or its name, where the kind of key leaves it open."""
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
    """A private key. It is not pickled, and does not print its secret."""

    __slots__ = ("_key",)

    def __init__(self, key: _native.PrivateKey) -> None:
        self._key = key

    @classmethod
    def generate(cls, kind: str) -> PrivateKey:
        """A new key: `p-256`, `p-384`, `p-521`, `rsa-3072`, `ed25519`, `ml-dsa-44`, `ml-dsa-65`, `ml-dsa-87` …"""
        return cls(_native.PrivateKey.generate(kind))

    @classmethod
    def from_pkcs8(cls, data: Any) -> PrivateKey:
        """A key from a PKCS #8 structure in DER that is not encrypted."""
        return cls(_native.PrivateKey.from_pkcs8(data))

    def to_pkcs8(self) -> bytes:
        """The key as a PKCS #8 structure in DER that is not encrypted."""
        return self._key.to_pkcs8()

    @property
    def kind(self) -> str:
        """The kind of the key, as `generate` takes it."""
        return self._key.kind

    def public_key(self) -> PublicKey:
        return PublicKey(self._key.public_key_info)

    def sign(self, data: bytes, algorithm: Any = None) -> bytes:
        """The signature of bytes; `algorithm` is the hash, or its name, where the kind of key leaves it open."""
        from tagwise.x509 import _sign

        return self.sign_as(_sign.identifier_of(self._key.public_key_info, algorithm), data)

    def sign_as(self, identifier: bytes, data: bytes) -> bytes:
        """The signature of bytes by an AlgorithmIdentifier in DER."""
        return self._key.sign(identifier, data)

    def __repr__(self) -> str:
        return f"<PrivateKey({self.kind})>"

    def __reduce__(self) -> str:
        raise TypeError("private keys are not pickled; to_pkcs8 writes one")
