"""External keys, hashes and paddings: those of `cryptography`, if installed, and objects that sign like its keys.

Nothing here is needed for decoding or encoding. `cryptography` is imported when one of its objects is requested.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from tagwise import _native, keys
from tagwise.x509 import exceptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


#: Modules that have been imported, because importing a module again takes time.
_MODULES: dict[str, ModuleType] = {}


def _module(name: str) -> ModuleType:
    """Returns a module of `cryptography`."""
    module = _MODULES.get(name)
    if module is not None:
        return module
    try:
        module = importlib.import_module("cryptography." + name)
    except ImportError:
        raise exceptions.NotInstalled(
            "this needs the package `cryptography`, which is not installed"
        ) from None
    _MODULES[name] = module
    return module


def hashes() -> Any:
    return _module("hazmat.primitives.hashes")


def padding() -> Any:
    return _module("hazmat.primitives.asymmetric.padding")


def hash_named(name: str) -> Any:
    """Returns the hash with the given class name, from `cryptography` if installed."""
    try:
        return getattr(hashes(), name)()
    except exceptions.NotInstalled:
        return keys.Hash(name.lower().replace("_", "-"))


def hash_name(algorithm: Any) -> str | None:
    """Returns the name of a hash, which may be given as the name itself."""
    if isinstance(algorithm, str):
        return algorithm.lower() if algorithm.lower() in keys.HASHES else None
    name = getattr(algorithm, "name", None)
    return name if isinstance(name, str) and hasattr(algorithm, "digest_size") else None


def hash_size(algorithm: Any) -> int:
    """Returns the size of a hash, in bytes."""
    size: int = keys.Hash(algorithm).digest_size if isinstance(algorithm, str) else algorithm.digest_size
    return size


def unsupported(message: str, reason: str | None = None) -> Exception:
    """Returns the exception for an unsupported algorithm. If `cryptography` is in use, it is `cryptography`'s."""
    module = sys.modules.get("cryptography.exceptions")
    if module is None:
        return exceptions.UnsupportedAlgorithm(message)
    code = None if reason is None else getattr(module._Reasons, reason, None)
    error: Exception = module.UnsupportedAlgorithm(message, code)
    return error


def invalid_signature() -> Exception:
    """Returns the exception for an invalid signature. If `cryptography` is in use, it is `cryptography`'s."""
    module = sys.modules.get("cryptography.exceptions")
    error: Exception = exceptions.InvalidSignature() if module is None else module.InvalidSignature()
    return error


def deprecation() -> type[Warning]:
    """Returns the warning class for deprecations."""
    module = sys.modules.get("cryptography.utils")
    if module is None:
        return DeprecationWarning
    category: type[Warning] = module.CryptographyDeprecationWarning
    return category


def digest(algorithm: Any, data: bytes) -> bytes:
    """Computes the hash of bytes. The algorithm is a name, or an object with a `name`."""
    # Its import takes longer than that of the rest of this module.
    import hashlib

    name = algorithm if isinstance(algorithm, str) else getattr(algorithm, "name", None)
    if not isinstance(name, str) or isinstance(algorithm, type):
        raise TypeError("Expected instance of hashes.HashAlgorithm.")
    name = name.lower()
    # These have no length of their own.
    if name in ("shake128", "shake256") and not isinstance(algorithm, str):
        extendable: Any = hashlib.new(name.replace("shake", "shake_"), data, usedforsecurity=False)
        hashed: bytes = extendable.digest(algorithm.digest_size)
        return hashed
    for known in (name, name.replace("-", "_"), name.replace("-", "")):
        if known in hashlib.algorithms_available and not known.startswith("shake"):
            return hashlib.new(known, data, usedforsecurity=False).digest()
    raise unsupported(f"{name} is not a supported hash on this backend.", "UNSUPPORTED_HASH")


def public_key(public_key_info: bytes) -> Any:
    """Returns a public key as an object of `cryptography`, or of `tagwise.keys` if that is not installed."""
    try:
        serialization = _module("hazmat.primitives.serialization")
    except exceptions.NotInstalled:
        return keys.PublicKey(public_key_info)
    return serialization.load_der_public_key(public_key_info)


#: The encoding and format for public keys in DER, after they are first requested.
_DER: list[tuple[Any, Any]] = []


def public_key_info(key: Any) -> bytes:
    """Returns the SubjectPublicKeyInfo of a public key of any origin."""
    if isinstance(key, bytes):
        return key
    if isinstance(key, keys.PublicKey):
        return key.public_key_info
    if not _DER:
        serialization = _module("hazmat.primitives.serialization")
        _DER.append((serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))
    encoding, form = _DER[0]
    der: bytes = key.public_bytes(encoding, form)
    return der


def private_key_info(key: Any) -> bytes:
    """Returns the unencrypted PKCS #8 structure of a private key of `cryptography`."""
    serialization = _module("hazmat.primitives.serialization")
    der: bytes = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return der


def key_identifier(key: Any) -> bytes:
    """Computes the SHA-1 hash of a key's bits (RFC 5280 §4.2.1.2, method 1)."""
    plain = _native.decode("SubjectPublicKeyInfo", public_key_info(key))
    import hashlib

    return hashlib.sha1(plain["subjectPublicKey"][0], usedforsecurity=False).digest()


def encoding_named(encoding: Any) -> str:
    """Returns the name of an encoding (PEM or DER), given as a name or as an object of `cryptography`."""
    if encoding in ("PEM", "DER"):
        return str(encoding)
    kind: Any = type(encoding)
    if kind.__name__ != "Encoding":
        raise TypeError("encoding must be an item from the Encoding enum")
    if encoding == kind.PEM:
        return "PEM"
    if encoding == kind.DER:
        return "DER"
    raise TypeError("encoding must be Encoding.DER or Encoding.PEM")
