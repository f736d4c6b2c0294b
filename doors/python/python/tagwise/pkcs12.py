"""PKCS #12 (RFC 7292, RFC 9579): keys, certificates and CRLs in one password-protected file.

>>> from tagwise import keys, pkcs12
>>> key = keys.PrivateKey.generate("p-256")
>>> file = pkcs12.dump([pkcs12.Item.of(key, name="mine")], "a passphrase")
>>> bundle = pkcs12.load(file, "a passphrase")
>>> bundle.key.public_key() == key.public_key(), bundle.items[0].name
(True, 'mine')
>>> pkcs12.load(file, "another")
Traceback (most recent call last):
...
tagwise.MessageError: wrong MAC: the password is wrong, or the file was modified (RFC 7292 §5.2)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tagwise import _native, keys
from tagwise._errors import MessageError
from tagwise.x509 import _keys
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import Certificate, CertificateRevocationList

if TYPE_CHECKING:
    from tagwise import _kinds

__all__ = ["Bundle", "Item", "dump", "dump_key_and_certificates", "load", "load_key_and_certificates"]

#: The layouts in which files can be written.
_LAYOUTS = ("modern", "pbmac1", "legacy-windows", "java-truststore", "plain")


class Item:
    """An item in a file: a private key, a certificate or a CRL, with its names in the file."""

    __slots__ = ("_data", "_key_id", "_kind", "_name")

    def __init__(self, kind: str, data: bytes, name: str | None = None, key_id: bytes | None = None) -> None:
        self._kind = kind
        self._data = data
        self._name = name
        self._key_id = key_id

    @classmethod
    def of(cls, value: object, *, name: str | None = None, key_id: bytes | None = None) -> Item:
        """Creates an item from a `Certificate`, a `CertificateRevocationList`, or a private key of `tagwise.keys` or
        `cryptography`."""
        if isinstance(value, Certificate):
            return cls("certificate", value._der, name, key_id)
        if isinstance(value, CertificateRevocationList):
            return cls("crl", value._der, name, key_id)
        if isinstance(value, keys.PrivateKey):
            return cls("private-key", value.to_pkcs8(), name, key_id)
        if hasattr(value, "private_bytes"):
            return cls("private-key", _keys.private_key_info(value), name, key_id)
        raise TypeError("an item is a Certificate, a CertificateRevocationList or a private key")

    @property
    def kind(self) -> str:
        """`certificate`, `crl`, `private-key`, `encrypted-private-key`, `attribute-certificate`, `secret`, `encrypted` or `other`."""
        return self._kind

    @property
    def data(self) -> bytes:
        """The item's bytes. A private key is an unencrypted PKCS #8 structure."""
        return self._data

    @property
    def name(self) -> str | None:
        """The friendly name (friendlyName), or Java's alias."""
        return self._name

    @property
    def key_id(self) -> bytes | None:
        """The identifier that links a key to its certificate."""
        return self._key_id

    @property
    def value(self) -> Certificate | CertificateRevocationList | keys.PrivateKey | None:
        """The certificate, the CRL or the key, or None for other kinds."""
        if self._kind == "certificate":
            return Certificate(self._data)
        if self._kind == "crl":
            return CertificateRevocationList(self._data)
        if self._kind == "private-key":
            return keys.PrivateKey.from_pkcs8(self._data)
        return None

    def __repr__(self) -> str:
        # Keys do not print their bytes.
        return f"<Item(kind={self._kind!r}, name={self._name!r}, {len(self._data)} bytes)>"

    def __reduce__(self) -> str:
        raise TypeError("items may be private keys, which are not pickled")


class Bundle:
    """An opened PKCS #12 file."""

    def __init__(self, items: list[Item], integrity: str) -> None:
        self._items = items
        self._integrity = integrity

    @property
    def items(self) -> list[Item]:
        """All items in the file, in order."""
        return self._items

    @property
    def integrity(self) -> str:
        """`verified` if the MAC is valid, `absent` if there is none, `signed` if the file has a signature, which is not verified."""
        return self._integrity

    @property
    def key(self) -> keys.PrivateKey | None:
        """The first private key. Raises `MessageError` if there is none and part of the file could not be decrypted."""
        for item in self._items:
            if item.kind == "private-key":
                return keys.PrivateKey.from_pkcs8(item.data)
        if any(item.kind in ("encrypted-private-key", "encrypted") for item in self._items):
            text = "a part of the file is under another password, or its encryption is not supported, so that no private key is known"
            raise MessageError(text, "integrity", clause="RFC 7292 §4.2.2", reason=text)
        return None

    @property
    def certificates(self) -> list[Certificate]:
        """All certificates."""
        return [Certificate(item.data) for item in self._items if item.kind == "certificate"]

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the first private key, or the first certificate if there is no key."""
        key, certificates = self.key, self.certificates
        if key is None:
            return certificates[0] if certificates else None
        info = key.public_key().public_key_info
        return next((one for one in certificates if one._public_key_info == info), None)

    def __repr__(self) -> str:
        return f"<Bundle({self._items})>"


def _text(password: str | bytes | None) -> str | None:
    """Returns a password as text; bytes are decoded as UTF-8."""
    if password is None or isinstance(password, str):
        return password
    return as_bytes(password).decode()


def load_key_and_certificates(
    data: _kinds.Buffer, password: str | bytes | None, *, allow_no_mac: bool = False
) -> tuple[keys.PrivateKey | None, Certificate | None, list[Certificate]]:
    """Returns the private key in a file, its certificate, and the other certificates. The name and the result are the
    same as in `cryptography`. Unlike there, a file without a MAC is rejected unless that is allowed.

    >>> from tagwise import keys, pkcs12
    >>> file = pkcs12.dump([pkcs12.Item.of(keys.PrivateKey.generate("p-256"))], "a passphrase")
    >>> key, certificate, others = pkcs12.load_key_and_certificates(file, b"a passphrase")
    >>> key, certificate, others
    (<PrivateKey(ecdsa-p256)>, None, [])
    """
    bundle = load(data, password, allow_no_mac=allow_no_mac)
    own = bundle.certificate if bundle.key is not None else None
    return bundle.key, own, [one for one in bundle.certificates if one != own]


def load(
    data: _kinds.Buffer,
    password: str | bytes | None,
    *,
    allow_no_mac: bool = False,
    max_iterations: int = 10_000_000,
    max_memory: int = 256 << 20,
) -> Bundle:
    """Opens a file. Its MAC is verified. A file without a MAC is rejected unless that is allowed. None means no
    password, which differs from an empty password. If one of the two does not work, the other is also tried, because
    programs confuse them."""
    items, integrity = _native.pkcs12_open(data, _text(password), max_iterations, max_memory)
    if integrity != "verified" and not allow_no_mac:
        text = "the file has no MAC, so its integrity cannot be checked"
        if integrity == "signed":
            text = "the file is signed instead of protected with a MAC; the signature is not verified"
        raise MessageError(text, "integrity", clause="RFC 7292 §4", reason=text)
    return Bundle([Item(*item) for item in items], integrity)


def dump(
    items: Iterable[Item], password: str | bytes | None, *, layout: str | None = None, iterations: int | None = None
) -> bytes:
    """Creates a file with the given items and layout: `modern`, `pbmac1` (RFC 9579), `legacy-windows` (weak, for old
    systems) or `java-truststore`. Without a password, the layout is `plain`, which offers no protection and must be
    requested explicitly."""
    chosen = "modern" if layout is None else layout
    if chosen not in _LAYOUTS:
        raise ValueError(f"unknown layout `{chosen}`; expected one of {', '.join(_LAYOUTS)}")
    listed = [(item.kind, item.data, item.name, item.key_id) for item in items]
    return _native.pkcs12_write(listed, _text(password), chosen, iterations)


def dump_key_and_certificates(
    name: str | None,
    key: _kinds.PrivateKey,
    certificate: Certificate,
    cas: Iterable[Certificate] = (),
    password: str | bytes | None = None,
    *,
    layout: str | None = None,
    iterations: int | None = None,
) -> bytes:
    """Creates a file with a key, its certificate and the issuing certificates. Key and certificate are linked."""
    info = _keys.public_key_info(key.public_key())
    if certificate._public_key_info != info:
        raise ValueError("the certificate is not of the private key")
    tie = hashlib.sha1(certificate._der, usedforsecurity=False).digest()
    items = [Item.of(key, name=name, key_id=tie), Item.of(certificate, name=name, key_id=tie)]
    items += [Item.of(ca) for ca in cas]
    return dump(items, password, layout=layout, iterations=iterations)
