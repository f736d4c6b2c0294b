"""Signature algorithms, and signing and verification with keys of any origin."""

from __future__ import annotations

from tagwise import _native, keys
from tagwise.x509 import _keys, exceptions
from tagwise.x509.oid import HashAlgorithmOID, PublicKeyAlgorithmOID, SignatureAlgorithmOID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_S = SignatureAlgorithmOID
_P = PublicKeyAlgorithmOID
_H = HashAlgorithmOID
NULL = b"\x05\x00"
_MGF1 = _native.oid_by_name("id-mgf1")

#: The types of signature keys, by their public key algorithm.
_KINDS = {
    _P.RSAES_PKCS1_v1_5.dotted_string: "rsa",
    _P.RSASSA_PSS.dotted_string: "rsa",
    _P.DSA.dotted_string: "dsa",
    _P.EC_PUBLIC_KEY.dotted_string: "ec",
    _P.ED25519.dotted_string: "ed25519",
    _P.ED448.dotted_string: "ed448",
    _P.ML_DSA_44.dotted_string: "ml-dsa-44",
    _P.ML_DSA_65.dotted_string: "ml-dsa-65",
    _P.ML_DSA_87.dotted_string: "ml-dsa-87",
}
#: The key types that do not use a hash. Their key algorithm is also the signature algorithm.
_PURE = {kind: oid for oid, kind in _KINDS.items() if kind not in ("rsa", "dsa", "ec")}

_NAMES = tuple(name for name in keys.HASHES if name != "sha1")
_RSA = (
    _S.RSA_WITH_SHA224,
    _S.RSA_WITH_SHA256,
    _S.RSA_WITH_SHA384,
    _S.RSA_WITH_SHA512,
    _S.RSA_WITH_SHA3_224,
    _S.RSA_WITH_SHA3_256,
    _S.RSA_WITH_SHA3_384,
    _S.RSA_WITH_SHA3_512,
)
_ECDSA = (
    _S.ECDSA_WITH_SHA224,
    _S.ECDSA_WITH_SHA256,
    _S.ECDSA_WITH_SHA384,
    _S.ECDSA_WITH_SHA512,
    _S.ECDSA_WITH_SHA3_224,
    _S.ECDSA_WITH_SHA3_256,
    _S.ECDSA_WITH_SHA3_384,
    _S.ECDSA_WITH_SHA3_512,
)
_DSA = (_S.DSA_WITH_SHA224, _S.DSA_WITH_SHA256, _S.DSA_WITH_SHA384, _S.DSA_WITH_SHA512)


def _by_hash(oids: tuple[Any, ...]) -> dict[str, str]:
    return {name: oid.dotted_string for name, oid in zip(_NAMES, oids)}


#: The signature algorithms, by key type and hash.
_ALGORITHMS = {"rsa": _by_hash(_RSA), "ec": _by_hash(_ECDSA), "dsa": _by_hash(_DSA)}

#: The key types and hashes, by signature algorithm. Also contains algorithms that are only verified.
_READ: dict[str, tuple[str, str | None]] = {
    oid: (kind, name) for kind, names in _ALGORITHMS.items() for name, oid in names.items()
}
_READ.update(
    {
        _S.RSA_WITH_MD5.dotted_string: ("rsa", "md5"),
        _S.RSA_WITH_SHA1.dotted_string: ("rsa", "sha1"),
        _S._RSA_WITH_SHA1.dotted_string: ("rsa", "sha1"),
        _S.ECDSA_WITH_SHA1.dotted_string: ("ec", "sha1"),
        _S.DSA_WITH_SHA1.dotted_string: ("dsa", "sha1"),
        _S.GOSTR3411_94_WITH_3410_2001.dotted_string: ("gost", None),
        _S.GOSTR3410_2012_WITH_3411_2012_256.dotted_string: ("gost", None),
        _S.GOSTR3410_2012_WITH_3411_2012_512.dotted_string: ("gost", None),
        _S.UNSIGNED.dotted_string: ("unsigned", None),
    }
)
_READ.update({oid: (kind, None) for kind, oid in _PURE.items()})

#: The identifiers of hashes, in the order of their names.
_HASH_OIDS = (
    _H.SHA1,
    _H.SHA224,
    _H.SHA256,
    _H.SHA384,
    _H.SHA512,
    _H.SHA3_224_NIST,
    _H.SHA3_256_NIST,
    _H.SHA3_384_NIST,
    _H.SHA3_512_NIST,
)
HASH_OIDS = {name: oid.dotted_string for name, oid in zip(keys.HASHES, _HASH_OIDS)}
_HASHES = {oid: name for name, oid in HASH_OIDS.items()}

PSS = _S.RSASSA_PSS.dotted_string
NO_SIGNATURE = _S.UNSIGNED.dotted_string


def hash_class(name: str) -> Any:
    """Returns the hash class with the given `cryptography` name."""
    return _keys.hash_named(name.upper().replace("-", "_"))


def hash_by_oid(oid: str) -> Any:
    name = _HASHES.get(oid)
    if name is None:
        raise _keys.unsupported(f"Signature algorithm OID: {oid} not recognized")
    return hash_class(name)


def _pss(algorithm: bytes) -> dict[str, Any]:
    """Returns the parameters of RSASSA-PSS. Encoded DEFAULT values are accepted (RFC 4055 §3.1), although DER does
    not allow them."""
    parameters = _native.decode("AlgorithmIdentifier", algorithm, ["pss-parameters"]).get("parameters")
    if parameters is None:
        raise ValueError("Invalid RSA PSS parameters")
    plain: dict[str, Any] = _native.decode("RSASSA-PSS-params", parameters, ["default-encoded"])
    return plain


#: The hashes of signature algorithms whose identifier determines them, by dotted form.
KNOWN_HASHES: dict[str, Any] = {}


def hash_of(oid: str, algorithm: bytes) -> Any:
    """Returns the hash of a signature, or None if it has none."""
    if oid == PSS:
        return hash_by_oid(_pss(algorithm)["hashAlgorithm"]["algorithm"])
    found = _READ.get(oid)
    if found is None:
        raise _keys.unsupported(f"Signature algorithm OID: {oid} not recognized")
    if found[1] is None:
        return None
    made = hash_class(found[1])
    # Of `cryptography`, once that is installed.
    if not isinstance(made, keys.Hash):
        KNOWN_HASHES[oid] = made
    return made


def parameters_of(oid: str, algorithm: bytes) -> Any:
    """Returns the additional argument for a key of `cryptography`: the padding, the ECDSA object, or None."""
    if oid == PSS:
        plain = _pss(algorithm)
        mask = plain["maskGenAlgorithm"]
        if mask["algorithm"] != _MGF1:
            raise ValueError(f"Unsupported mask generation OID: {mask['algorithm']}")
        inner = _native.decode("AlgorithmIdentifier", mask["parameters"])
        padding = _keys.padding()
        return padding.PSS(padding.MGF1(hash_by_oid(inner["algorithm"])), plain["saltLength"])
    kind, name = _READ.get(oid, ("", None))
    if kind == "rsa":
        return _keys.padding().PKCS1v15()
    if kind == "ec" and name is not None:
        return _keys._module("hazmat.primitives.asymmetric.ec").ECDSA(hash_class(name))
    return None


def kind_of(public_key_info: bytes) -> str | None:
    """Returns the type of a public key, or None if it cannot verify signatures."""
    plain = _native.decode("SubjectPublicKeyInfo", public_key_info)
    return _KINDS.get(plain["algorithm"]["algorithm"])


_NO_KEY = "Key must be an rsa, dsa, ec, ed25519, ed448, ml-dsa-44, ml-dsa-65, or ml-dsa-87 private key."
_NO_PUBLIC_KEY = _NO_KEY.replace("private", "public")


#: The key types by class, for classes whose objects all have the same type: those of `cryptography`.
_BY_CLASS: dict[type, str] = {}


def key_kind(private_key: Any) -> str:
    """Returns the kind of a private key."""
    known = _BY_CLASS.get(type(private_key))
    if known is not None:
        return known
    if not hasattr(private_key, "sign") or not hasattr(private_key, "public_key"):
        raise TypeError(_NO_KEY)
    kind = kind_of(given_key(private_key.public_key()))
    if kind is None:
        raise TypeError(_NO_KEY)
    if type(private_key).__module__.startswith("cryptography.hazmat.bindings."):
        _BY_CLASS[type(private_key)] = kind
    return kind


def _hash_name(algorithm: Any) -> str:
    name = _keys.hash_name(algorithm)
    if name is None:
        raise TypeError("Algorithm must be a registered hash algorithm.")
    if name not in _NAMES:
        raise _keys.unsupported(f'Hash algorithm "{name}" not supported for signatures')
    return name


#: Encoded algorithm identifiers. There is at most one for each algorithm, with and without NULL.
_ENCODED: dict[tuple[str, bool], bytes] = {}


def _identifier(oid: str, parameters: bytes | None = None) -> bytes:
    is_usual = parameters is None or parameters == NULL
    known = _ENCODED.get((oid, parameters is None)) if is_usual else None
    if known is not None:
        return known
    plain: dict[str, Any] = {"algorithm": oid}
    if parameters is not None:
        plain["parameters"] = parameters
    encoded = _native.encode("AlgorithmIdentifier", plain)
    if is_usual:
        _ENCODED[(oid, parameters is None)] = encoded
    return encoded


def check_options(private_key: Any, rsa_padding: Any, ecdsa_deterministic: bool | None) -> None:
    """Rejects options that do not apply to the kind of key."""
    if rsa_padding is not None:
        _check_padding(rsa_padding, key_kind(private_key))
    if ecdsa_deterministic is not None and key_kind(private_key) != "ec":
        raise TypeError("Deterministic ECDSA is only supported for EC keys")
    if ecdsa_deterministic and isinstance(private_key, keys.PrivateKey):
        raise _keys.unsupported("the embedded backend has no deterministic ECDSA (RFC 6979)")


def algorithm_for(private_key: Any, algorithm: Any, rsa_padding: Any) -> bytes:
    """Returns the AlgorithmIdentifier for signatures with a private key."""
    kind = key_kind(private_key)
    name = None if algorithm is None else _hash_name(algorithm)
    if isinstance(private_key, keys.PrivateKey) and rsa_padding is not None:
        raise TypeError("rsa_padding goes with keys of cryptography")
    if rsa_padding is not None and isinstance(rsa_padding, _keys.padding().PSS):
        return _pss_identifier(private_key, name, algorithm, rsa_padding)
    return _plain_identifier(kind, name)


def _pss_identifier(key: Any, name: str | None, algorithm: Any, rsa_padding: Any) -> bytes:
    """Returns the AlgorithmIdentifier for RSASSA-PSS signatures. The key size determines the maximum salt length."""
    if name is None:
        raise TypeError("Algorithm must be a registered hash algorithm, not None.")
    algorithm = hash_class(name) if isinstance(algorithm, str) else algorithm
    mask = _hash_name(rsa_padding._mgf._algorithm)
    parameters = _native.encode(
        "RSASSA-PSS-params",
        {
            "hashAlgorithm": {"algorithm": HASH_OIDS[name], "parameters": NULL},
            "maskGenAlgorithm": {"algorithm": _MGF1, "parameters": _identifier(HASH_OIDS[mask], NULL)},
            "saltLength": _salt_length(key, algorithm, rsa_padding),
        },
    )
    return _identifier(PSS, parameters)


def identifier_of(public_key_info: bytes, algorithm: Any, rsa_padding: Any = None) -> bytes:
    """Returns the AlgorithmIdentifier for signatures with the given key, hash and, for RSA, padding."""
    kind = kind_of(public_key_info)
    if kind is None:
        raise TypeError(_NO_PUBLIC_KEY)
    name = None if algorithm is None else _hash_name(algorithm)
    if rsa_padding is not None:
        _check_padding(rsa_padding, kind)
        if isinstance(rsa_padding, _keys.padding().PSS):
            return _pss_identifier(_keys.public_key(public_key_info), name, algorithm, rsa_padding)
    return _plain_identifier(kind, name)


def _check_padding(rsa_padding: Any, kind: str) -> None:
    padding = _keys.padding()
    if not isinstance(rsa_padding, (padding.PSS, padding.PKCS1v15)):
        raise TypeError("Padding must be PSS or PKCS1v15")
    if kind != "rsa":
        raise TypeError("Padding is only supported for RSA keys")


def _plain_identifier(kind: str, name: str | None) -> bytes:
    if kind in _PURE:
        if name is not None:
            which = "ed25519 or ed448" if kind.startswith("ed") else "ml-dsa-44, ml-dsa-65, or ml-dsa-87"
            raise ValueError(f"Algorithm must be None when signing via {which}")
        return _identifier(_PURE[kind])
    if name is None:
        raise TypeError("Algorithm must be a registered hash algorithm, not None.")
    oid = _ALGORITHMS[kind].get(name)
    if oid is None:
        raise _keys.unsupported(f'Hash algorithm "{name}" not supported for {kind.upper()} signatures')
    return _identifier(oid, NULL if kind == "rsa" else None)


def _salt_length(private_key: Any, algorithm: Any, rsa_padding: Any) -> int:
    padding = _keys.padding()
    length = rsa_padding._salt_length
    if isinstance(length, type(padding.PSS.MAX_LENGTH)):
        longest: int = padding.calculate_max_pss_salt_length(private_key, algorithm)
        return longest
    if isinstance(length, type(padding.PSS.DIGEST_LENGTH)):
        size: int = algorithm.digest_size
        return size
    if isinstance(length, int):
        return length
    raise TypeError("salt_length must be an int, MaxLength, or DigestLength.")


def sign(private_key: Any, algorithm: Any, rsa_padding: Any, ecdsa_deterministic: bool | None, data: bytes) -> bytes:
    """Signs bytes with a key of `cryptography`, or with an object that signs like its keys."""
    if isinstance(private_key, keys.PrivateKey):
        return private_key.sign_as(algorithm_for(private_key, algorithm, rsa_padding), data)
    kind = key_kind(private_key)
    signature: bytes
    if isinstance(algorithm, str):
        algorithm = hash_class(algorithm)
    if kind in _PURE:
        signature = private_key.sign(data)
    elif kind == "ec":
        ec = _keys._module("hazmat.primitives.asymmetric.ec")
        signature = private_key.sign(data, ec.ECDSA(algorithm, bool(ecdsa_deterministic)))
    elif kind == "rsa":
        padding = _keys.padding().PKCS1v15() if rsa_padding is None else rsa_padding
        signature = private_key.sign(data, padding, algorithm)
    else:
        signature = private_key.sign(data, algorithm)
    return signature if type(signature) is bytes else memoryview(signature).tobytes()


def given_key(public_key: Any) -> bytes:
    """Returns the SubjectPublicKeyInfo of a public key of any origin."""
    if not isinstance(public_key, (bytes, keys.PublicKey)) and not hasattr(public_key, "public_bytes"):
        raise TypeError(_NO_PUBLIC_KEY)
    return _keys.public_key_info(public_key)


def _checked_key(public_key: Any) -> tuple[bytes, str]:
    info = given_key(public_key)
    kind = kind_of(info)
    if kind is None:
        raise TypeError(_NO_PUBLIC_KEY)
    return (info, kind)


def is_right(public_key: Any, oid: str, algorithm: bytes, signature: bytes, data: bytes) -> bool:
    """Returns whether a signature is valid for a key. Returns False if the algorithm is unknown or does not match the key.

    Raises an exception if the object is not a signature key, or if the algorithm requires a package that is not
    installed.
    """
    _checked_key(public_key)
    try:
        check(public_key, oid, algorithm, signature, data)
    except exceptions.NotInstalled:
        raise
    except Exception:
        return False
    return True


def check(public_key: Any, oid: str, algorithm: bytes, signature: bytes, data: bytes) -> None:
    """Verifies a signature with the embedded backend or, if that does not support the algorithm, with `cryptography`."""
    info, kind = _checked_key(public_key)
    wanted = "rsa" if oid == PSS else _READ.get(oid, ("", None))[0]
    if wanted not in ("rsa", "ec", "dsa", *_PURE) or (_READ.get(oid, ("", ""))[1] in ("md5", "sha1")):
        raise ValueError("Unsupported signature algorithm")
    if wanted != kind:
        raise ValueError("Signature algorithm does not match issuer key type")
    outcome = _native.check_signature(info, algorithm, data, signature)
    if outcome == "right":
        return
    if outcome == "unsupported":
        _check_elsewhere(public_key, info, kind, oid, algorithm, signature, data)
        return
    raise _keys.invalid_signature()


def _check_elsewhere(
    public_key: Any, info: bytes, kind: str, oid: str, algorithm: bytes, signature: bytes, data: bytes
) -> None:
    key = _keys.public_key(info) if isinstance(public_key, (bytes, keys.PublicKey)) else public_key
    if isinstance(key, keys.PublicKey):
        raise _keys.unsupported(f"the embedded backend has no signatures of the algorithm {oid}")
    if kind in _PURE:
        key.verify(signature, data)
    elif kind == "rsa":
        key.verify(signature, data, parameters_of(oid, algorithm), hash_of(oid, algorithm))
    elif kind == "ec":
        key.verify(signature, data, parameters_of(oid, algorithm))
    else:
        key.verify(signature, data, hash_of(oid, algorithm))
