"""CMS (RFC 5652): signs, verifies, encrypts and decrypts messages.

>>> import datetime
>>> from tagwise import cms, keys, x509
>>> key = keys.PrivateKey.generate("p-256")
>>> name = x509.Name.from_rfc4514_string("CN=Eva")
>>> certificate = (
...     x509.CertificateBuilder()
...     .subject_name(name)
...     .issuer_name(name)
...     .public_key(key.public_key())
...     .serial_number(1)
...     .not_valid_before(datetime.datetime(2026, 1, 1))
...     .not_valid_after(datetime.datetime(2046, 1, 1))
...     .sign(key, "sha256")
... )
>>> message = cms.sign(b"Dear Anna", cms.Signer(key, certificate))
>>> verified = cms.verify(message)
>>> verified.content, verified.signers[0].certificate == certificate
(b'Dear Anna', True)
>>> encrypted = cms.encrypt(b"a secret", [certificate])
>>> cms.decrypt(encrypted, key=key, certificate=certificate).content
b'a secret'

`verify` raises an exception unless every signature is valid and there are no objections to the signers' certificates.
Paths to trusted certificates are validated only if `trust` is given. `examine` reports all of this, and raises an
exception only for malformed messages.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from tagwise import _native, keys
from tagwise._data import Data
from tagwise._errors import MessageError
from tagwise._trust import Trust, ders
from tagwise.x509 import _keys, _sign, _times
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import Certificate, CertificateRevocationList, load_der_x509_certificate
from tagwise.x509.oid import ObjectIdentifier

if TYPE_CHECKING:
    from tagwise import _kinds

__all__ = [
    "DATA",
    "ContentKey",
    "Decrypted",
    "Password",
    "Recipient",
    "SharedKey",
    "Signer",
    "Trust",
    "Verified",
    "VerifiedSigner",
    "decrypt",
    "encrypt",
    "encrypt_with_key",
    "examine",
    "examine_stream",
    "load_certificates",
    "sign",
    "sign_stream",
    "verify",
    "verify_stream",
]

#: The content type of arbitrary bytes.
DATA = ObjectIdentifier(_native.oid_by_name("id-data"))

#: The default signing time, which is the current time.
_NOW: Any = object()


class Reader(Protocol):
    """A readable file."""

    def read(self, size: int, /) -> Any:
        """Reads at most `size` bytes, and none at the end."""


class Writer(Protocol):
    """A writable file."""

    def write(self, data: bytes, /) -> Any:
        """Writes bytes and returns the number of bytes written, or None."""


class Signer:
    """A key and its certificate, with the signature settings.

    The key is a `tagwise.keys.PrivateKey`, a key of `cryptography`, or any object that signs in the same way. `hash`
    is the digest, as a name or an object of `cryptography`; the default depends on the key. The signing time defaults
    to now; None omits it.
    """

    def __init__(
        self,
        key: _kinds.PrivateKey,
        certificate: Certificate,
        *,
        hash: _kinds.Hash | None = None,
        signing_time: datetime.datetime | None = _NOW,
        by_key_identifier: bool = False,
        rsa_padding: object = None,
    ) -> None:
        if not isinstance(certificate, Certificate):
            raise TypeError("certificate must be a Certificate")
        self.key = key
        self.certificate = certificate
        self.hash = hash
        self.signing_time = signing_time
        self.by_key_identifier = by_key_identifier
        self.rsa_padding = rsa_padding

    def _given(self) -> tuple[Any, bytes, bytes, bytes, bool, str | None, int | None]:
        key, info, algorithm, name = _signing_key(self.key, self.hash, self.rsa_padding)
        moment = datetime.datetime.now(datetime.timezone.utc) if self.signing_time is _NOW else self.signing_time
        time = None if moment is None else _times.seconds(moment)
        return (key, info, algorithm, self.certificate._der, self.by_key_identifier, name, time)


#: The default digests of key types that support several.
_USUAL = {"ecdsa-p384": "sha384", "ecdsa-p521": "sha512"}


def _signing_key(key: Any, hash: Any, rsa_padding: Any) -> tuple[Any, bytes, bytes, str | None]:
    """Returns the arguments for signing messages: the key or a signing function, its public key, the algorithm and the digest."""
    kind = _sign.key_kind(key)
    info = _keys.public_key_info(key.public_key())
    if kind in ("rsa", "ec", "dsa"):
        chosen = _USUAL.get(_native.kind_of_key(info), "sha256") if hash is None else hash
        algorithm, name = _sign.algorithm_for(key, chosen, rsa_padding), _keys.hash_name(chosen)
    else:
        chosen, algorithm = None, _sign.algorithm_for(key, None, None)
        name = None if hash is None else _keys.hash_name(hash)
    if isinstance(key, keys.PrivateKey):
        return key._key, info, algorithm, name

    def sign(data: bytes) -> bytes:
        return _sign.sign(key, chosen, rsa_padding, None, data)

    return sign, info, algorithm, name


def _signers(signers: Signer | Iterable[Signer]) -> list[Signer]:
    return [signers] if isinstance(signers, Signer) else list(signers)


def _certificates(given: Iterable[Certificate] | None, signers: list[Signer]) -> list[bytes]:
    chosen = [signer.certificate for signer in signers] if given is None else given
    return list(dict.fromkeys(ders(chosen)))


def sign(
    content: _kinds.Buffer,
    signers: Signer | Iterable[Signer],
    *,
    detached: bool = False,
    certificates: Iterable[Certificate] | None = None,
    crls: Iterable[CertificateRevocationList] = (),
    content_type: ObjectIdentifier = DATA,
) -> bytes:
    """Creates a signed message in DER. `detached` omits the content. By default, the message includes the signers'
    certificates."""
    listed = _signers(signers)
    message = _native.cms_sign(
        content,
        [signer._given() for signer in listed],
        content_type.dotted_string,
        detached,
        _certificates(certificates, listed),
        ders(crls, CertificateRevocationList),
    )
    assert message is not None
    return message


def sign_stream(
    source: Reader,
    target: Writer,
    signers: Signer | Iterable[Signer],
    *,
    detached: bool = False,
    certificates: Iterable[Certificate] | None = None,
    crls: Iterable[CertificateRevocationList] = (),
    content_type: ObjectIdentifier = DATA,
) -> None:
    """Signs content of any size while copying it. The message is BER with indefinite lengths or, if detached, DER."""
    listed = _signers(signers)
    _native.cms_sign(
        source,
        [signer._given() for signer in listed],
        content_type.dotted_string,
        detached,
        _certificates(certificates, listed),
        ders(crls, CertificateRevocationList),
        target,
    )


class VerifiedSigner(Data):
    """A signer of a message."""

    __slots__ = ("_at", "_at_from", "_certificate", "_digest", "_error", "_info", "_objections", "_path", "_scheme", "_time", "_trust_error")
    _fields = ("certificate", "scheme", "digest", "signing_time", "error", "at", "objections")

    def __init__(self, plain: tuple[Any, ...]) -> None:
        info, certificate, scheme, digest, time, wrong, at, at_from, objections = plain
        self._info: bytes = info
        self._certificate = None if certificate is None else certificate
        self._scheme: str | None = scheme
        self._digest: str | None = digest
        self._time: int | None = time
        self._error: tuple[str, str, str] | None = wrong
        self._at: int = at
        self._at_from: str = at_from
        self._objections: tuple[str, ...] = tuple(objections)
        self._path: list[Certificate] | None = None
        self._trust_error: MessageError | None = None

    @property
    def _signing_time(self) -> int | None:
        return self._time

    @property
    def certificate(self) -> Certificate | None:
        """The certificate that the signer names, if available."""
        return None if self._certificate is None else load_der_x509_certificate(self._certificate)

    @property
    def signer_info(self) -> bytes:
        """The SignerInfo in DER."""
        return self._info

    @property
    def scheme(self) -> str | None:
        """The name of the signature algorithm, such as `ECDSA-SHA256`."""
        return self._scheme

    @property
    def digest(self) -> str | None:
        """The content's digest algorithm, such as `SHA-256`."""
        return self._digest

    @property
    def signing_time(self) -> datetime.datetime | None:
        """The signing time in UTC, as claimed by the signer."""
        return None if self._time is None else _times.utc(self._time)

    @property
    def error(self) -> MessageError | None:
        """The error in the signature, or None if it is valid."""
        if self._error is None:
            return None
        code, text, clause = self._error
        return MessageError(text, code, clause=clause, reason=text)

    @property
    def at(self) -> datetime.datetime:
        """The time at which the certificate is checked."""
        return _times.utc(self._at)

    @property
    def at_from(self) -> str:
        """The source of the time `at`: `given` or `clock`."""
        return self._at_from

    @property
    def objections(self) -> tuple[str, ...]:
        """Objections to the certificate, such as an expired validity period or a key usage that does not allow signing."""
        return self._objections

    @property
    def path(self) -> list[Certificate] | None:
        """The path from the signer's certificate to a trusted one, or None if trust was not requested or no path was found."""
        return self._path

    @property
    def trust_error(self) -> MessageError | None:
        """The reason why the signer is not trusted, or None if it is trusted or trust was not requested."""
        return self._trust_error

    @property
    def is_good(self) -> bool:
        """True if the signature is valid, there are no objections, and the signer is trusted if that was requested."""
        return self._error is None and not self._objections and self._trust_error is None


def readable(ders: Iterable[bytes]) -> list[Certificate]:
    """Returns the certificates that can be decoded."""
    found = []
    for der in ders:
        try:
            found.append(load_der_x509_certificate(der))
        except ValueError:
            continue
    return found


class Verified:
    """An examined signed message."""

    def __init__(self, plain: tuple[str, bytes, list[bytes], list[bytes], list[bytes], list[str], list[Any]]) -> None:
        kind, content, certificates, crls, ocsp_responses, unused, signers = plain
        self._kind = kind
        self._content = content
        self._certificates = certificates
        self._crls = crls
        self._ocsp_responses = ocsp_responses
        self._unused = unused
        self._signers = [VerifiedSigner(signer) for signer in signers]

    @property
    def content_type(self) -> ObjectIdentifier:
        """The content type."""
        return ObjectIdentifier(self._kind)

    @property
    def content(self) -> bytes:
        """The content. It is empty if it was written to a file instead."""
        return self._content

    @property
    def certificates(self) -> list[Certificate]:
        """The certificates in the message, except those that cannot be decoded."""
        return readable(self._certificates)

    @property
    def crls(self) -> list[bytes]:
        """The CRLs in the message and in its signers' attributes, unchanged."""
        return self._crls

    @property
    def ocsp_responses(self) -> list[bytes]:
        """The OCSP responses in the message (RFC 5940 §2.1) and in its signers' attributes."""
        return self._ocsp_responses

    @property
    def unused_revocation(self) -> list[str]:
        """The names of formats of revocation information that is in the message but not read, such as `id-ri-scvp`."""
        return self._unused

    @property
    def signers(self) -> list[VerifiedSigner]:
        """The signers, in message order."""
        return self._signers

    @property
    def is_good(self) -> bool:
        """True if there is a signer, and every signer is good."""
        return bool(self._signers) and all(signer.is_good for signer in self._signers)

    def _judge(self, trust: Trust, others: list[bytes], legacy: bool) -> None:
        """Checks the trust in each signer with a valid signature. A signer without a certificate is not trusted."""
        for signer in self._signers:
            if signer._certificate is None:
                text = "the signer is not trusted: its certificate is missing"
                signer._trust_error = MessageError(text, "untrusted", clause="RFC 5652 §5.3", reason="no certificate")
                continue
            try:
                beside, evidence = [*self._certificates, *others], (self._crls, self._ocsp_responses)
                signer._path = trust._path(signer._certificate, signer._at, None, beside, evidence, legacy)
            except MessageError as error:
                signer._trust_error = error
            except ValueError as error:
                signer._trust_error = MessageError(f"the signer is not trusted: {error}", "untrusted", reason=str(error))

    def _demanded(self) -> Verified:
        if not self._signers:
            raise MessageError("the message has no signer", "no-signer", clause="RFC 5652 §5.1", reason="no signer")
        for signer in self._signers:
            error = signer.error
            if error is not None:
                raise error
            if signer.trust_error is not None:
                raise signer.trust_error
            if signer.objections:
                text = "; ".join(signer.objections)
                raise MessageError(text, "objection", clause="RFC 5280 §4", reason=text)
        return self


def unarmored(message: _kinds.Message) -> Any:
    """Returns a message in DER or BER, decoded from PEM if necessary."""
    octets = message.encode() if isinstance(message, str) else message
    if not isinstance(octets, (bytes, bytearray, memoryview)):
        return octets
    whole = bytes(octets)
    if whole[:1] == b"\x30" or b"-----BEGIN " not in whole:
        return whole
    blocks = _blocks(whole)
    messages = [block[1] for block in blocks if block[2] == "cms"]
    if len(messages) == 1:
        return messages[0]
    if messages:
        raise ValueError(f"the PEM text has {len(messages)} messages, expected 1")
    found = ", ".join(sorted({block[0] for block in blocks})) or "no block"
    raise ValueError(f"the PEM text holds no message: {found}, expected {', '.join(_native.pem_labels()['cms'])}")


def _blocks(text: bytes) -> list[tuple[str, bytes, str | None]]:
    """Returns the blocks of a PEM text. Raises the error of the first malformed one."""
    blocks = []
    for block in _native.read_pem(text):
        if isinstance(block, Exception):
            raise block
        blocks.append(block)
    return blocks


def load_certificates(data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> list[Certificate]:
    """Returns the certificates of a signed message or a certificate bundle (`.p7b`, `.p7c`), in DER, BER or PEM.
    Nothing is verified."""
    whole = data if isinstance(data, bytes) else memoryview(data).tobytes()
    if whole.startswith(b"\x30"):
        messages = [whole]
    else:
        messages = [block[1] for block in _blocks(whole) if block[2] == "cms"]
        if not messages:
            raise ValueError("expected DER, BER, or PEM with a block CMS or PKCS7")
    return [Certificate(der, allow=allow) for message in messages for der in _native.cms_certificates(message)]


#: The limits of a verification: the number of signatures, the content size in memory, the size of an element, and the size of all
#: elements.
_Limits = tuple[int, int, int, int]


def _examined(
    message: Any,
    content: Any,
    certificates: Iterable[Certificate],
    at: datetime.datetime | None,
    purpose: ObjectIdentifier | None,
    legacy: bool,
    limits: _Limits,
    target: Writer | None = None,
    trust: Trust | None = None,
) -> Verified:
    if trust is not None and not isinstance(trust, Trust):
        raise TypeError("trust must be a Trust")
    others = list(certificates)
    plain = _native.cms_verify(
        message if target is not None else unarmored(message),
        content,
        ders(others),
        None if at is None else _times.seconds(at),
        None if purpose is None else purpose.dotted_string,
        legacy,
        limits,
        target,
    )
    verified = Verified(plain)
    if trust is not None:
        verified._judge(trust, ders(others), legacy)
    return verified


def examine(
    message: _kinds.Message,
    content: _kinds.Buffer | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_signatures: int = 256,
    max_held: int = 64 << 20,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Verified:
    """Examines a signed message in BER, DER or PEM. Pass `content` if the message does not contain it. The result
    lists the problems with each signer.

    `certificates` are further candidates for the signers' certificates, which are checked at the time `at`, now by
    default. `purpose` is the required extended key usage. `legacy` also accepts SHA-1. With `trust`, each signer's
    path is validated.

    At most `max_signatures` are verified. Content that is signed without attributes is held in memory, up to
    `max_held` bytes. All other elements are limited to `max_total` bytes in total and `max_element` bytes each.
    """
    limits = (max_signatures, max_held, max_element, max_total)
    return _examined(message, content, certificates, at, purpose, legacy, limits, None, trust)


def verify(
    message: _kinds.Message,
    content: _kinds.Buffer | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_signatures: int = 256,
    max_held: int = 64 << 20,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Verified:
    """Verifies a signed message. Like `examine`, but raises `MessageError` unless there is a signer, every signature
    is valid, and there are no objections to the signers' certificates. With `trust`, each signer must have a
    path to a trusted certificate; without it, trust is not checked.

    >>> cms.verify(message, trust=cms.Trust([certificate], purpose=None)).signers[0].path  # doctest: +SKIP
    [<Certificate(subject=<Name(CN=Eva)>, ...)>]
    """
    limits = (max_signatures, max_held, max_element, max_total)
    return _examined(message, content, certificates, at, purpose, legacy, limits, None, trust)._demanded()


def examine_stream(
    source: Reader,
    target: Writer,
    content: Reader | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_signatures: int = 256,
    max_held: int = 64 << 20,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Verified:
    """Examines a message of any size. The content is written while it is read, before its signatures are verified."""
    limits = (max_signatures, max_held, max_element, max_total)
    return _examined(source, content, certificates, at, purpose, legacy, limits, target, trust)


def verify_stream(
    source: Reader,
    target: Writer,
    content: Reader | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_signatures: int = 256,
    max_held: int = 64 << 20,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Verified:
    """Verifies a message of any size. Do not use the written content until this returns."""
    limits = (max_signatures, max_held, max_element, max_total)
    return _examined(source, content, certificates, at, purpose, legacy, limits, target, trust)._demanded()


# ---- Encryption ---------------------------------------------------------------------------------


class Recipient:
    """A recipient with a certificate, which the message identifies in the given way. RSA uses the padding `oaep` or `pkcs1`."""

    def __init__(
        self, certificate: Certificate, *, by_key_identifier: bool = False, transport: str = "oaep"
    ) -> None:
        if not isinstance(certificate, Certificate):
            raise TypeError("certificate must be a Certificate")
        self._given = ("certificate", certificate._der, b"", transport, by_key_identifier, 0)


class SharedKey:
    """A recipient with a previously distributed key-encryption key of 16, 24 or 32 bytes, and the key's identifier."""

    def __init__(self, key: bytes, identifier: bytes | None = None) -> None:
        self._key = as_bytes(key)
        self._identifier = identifier
        self._given = ("shared-key", self._key, identifier or b"", "", False, 0)

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys are not pickled")


class Password:
    """A recipient with a password: text, which is encoded as UTF-8, or bytes."""

    def __init__(self, password: str | bytes, *, iterations: int = 600_000) -> None:
        self._password = password.encode() if isinstance(password, str) else as_bytes(password)
        self._given = ("password", self._password, b"", "", False, iterations)

    def __reduce__(self) -> NoReturn:
        raise TypeError("passwords are not pickled")


class ContentKey:
    """The content-encryption key of encrypted data (RFC 5652 §8)."""

    def __init__(self, key: bytes) -> None:
        self._key = as_bytes(key)

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys are not pickled")


def encrypt(
    content: _kinds.Buffer,
    recipients: Iterable[Certificate | Recipient | SharedKey | Password],
    *,
    cipher: str = "aes-256-gcm",
    content_type: ObjectIdentifier = DATA,
) -> bytes:
    """Encrypts a message in DER for recipients. GCM ciphers produce authenticated-enveloped data. CBC ciphers produce
    enveloped data, which does not detect changes."""
    listed = [Recipient(one) if isinstance(one, Certificate) else one for one in recipients]
    for one in listed:
        if not isinstance(one, (Recipient, SharedKey, Password)):
            raise TypeError("a recipient is a Certificate, Recipient, SharedKey or Password")
        if isinstance(one, SharedKey) and one._identifier is None:
            raise ValueError("the shared key of a recipient has an identifier")
    return _native.cms_encrypt(content, [one._given for one in listed], cipher, content_type.dotted_string)


def encrypt_with_key(
    content: _kinds.Buffer, key: bytes, *, cipher: str = "aes-256-cbc", content_type: ObjectIdentifier = DATA
) -> bytes:
    """Creates encrypted data in DER (RFC 5652 §8), with the recipient's existing key."""
    return _native.cms_encrypt_with_key(content, key, cipher, content_type.dotted_string)


class Decrypted(NamedTuple):
    """A decrypted message."""

    content: bytes
    #: True if the content is authenticated. Enveloped data is never authenticated, although some damage to it is detected.
    authenticated: bool
    content_type: ObjectIdentifier
    #: The authenticated attributes: a SET OF in DER.
    attributes: bytes | None


def _unlocking(key: object, certificate: Certificate | None) -> tuple[str, Any, bytes | None]:
    if isinstance(key, Password):
        return ("password", key._password, None)
    if isinstance(key, SharedKey):
        return ("shared-key", key._key, key._identifier)
    if isinstance(key, ContentKey):
        return ("content-key", key._key, None)
    der = None if certificate is None else certificate._der
    if isinstance(key, keys.PrivateKey):
        return ("private-key", key._key, der)
    if not hasattr(key, "private_bytes"):
        raise TypeError("key must be a private key, Password, SharedKey or ContentKey")
    return ("private-key", keys.PrivateKey.from_pkcs8(_keys.private_key_info(key))._key, der)


def decrypt(
    message: _kinds.Message,
    *,
    key: _kinds.PrivateKey | Password | SharedKey | ContentKey,
    certificate: Certificate | None = None,
    content: _kinds.Buffer | None = None,
    max_attempts: int = 16,
    max_iterations: int = 10_000_000,
    max_content: int = 1 << 30,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Decrypted:
    """Decrypts a message in BER, DER or PEM. Pass its encrypted content if the message does not contain it.

    `key` is a private key, of `tagwise.keys` or of `cryptography`, a `Password`, a `SharedKey` or a `ContentKey`.
    If the certificate of a private key is given, its recipient is found by name. Nothing is returned before the
    authentication tag is verified.

    At most `max_attempts` recipients are tried, with at most `max_iterations` password-based key derivation iterations
    in total. The decrypted content is limited to about `max_content` bytes. Besides the content, at most `max_total`
    bytes are held in memory, and no element of more than `max_element` bytes.
    """
    kind, secret, extra = _unlocking(key, certificate)
    content_type, plain, authenticated, attributes = _native.cms_decrypt(
        unarmored(message), content, kind, secret, extra, (max_attempts, max_iterations, max_content), (max_element, max_total)
    )
    return Decrypted(plain, authenticated, ObjectIdentifier(content_type), attributes)
