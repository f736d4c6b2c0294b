"""S/MIME (RFC 8551): mail with signed and encrypted CMS messages.

>>> import datetime
>>> from tagwise import cms, keys, smime, x509
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
>>> mail = smime.sign(smime.text("Dear Anna"), cms.Signer(key, certificate))
>>> smime.verify(mail).content
b'Content-Type: text/plain; charset="utf-8"\\r\\nContent-Transfer-Encoding: base64\\r\\n\\r\\nRGVhciBBbm5hDQo=\\r\\n'
>>> secret = smime.encrypt(smime.text("a secret"), [certificate])
>>> smime.decrypt(secret, key=key, certificate=certificate).content.splitlines()[-1]
b'YSBzZWNyZXQNCg=='

The signed or encrypted content is a MIME entity: headers, an empty line and a body, as written by the standard
library's `email`. It is returned unchanged, so that the library can parse it.

Line endings become CRLF, except in bodies with the transfer encoding `binary` (RFC 8551 §3.1.1).
"""

from __future__ import annotations

import email.header
import email.message
import email.policy
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise import _native, cms
from tagwise._errors import MessageError
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import Certificate, CertificateRevocationList
from tagwise.x509.oid import ExtendedKeyUsageOID

if TYPE_CHECKING:
    import datetime

    from tagwise import _kinds

    from tagwise.x509.oid import ObjectIdentifier

__all__ = ["Part", "decrypt", "encrypt", "parse", "sign", "text", "verify"]

#: The names of digests in the parameter `micalg` (RFC 8551 §3.5.3.2).
_MICALG = {"sha1": "sha-1", "sha224": "sha-224", "sha256": "sha-256", "sha384": "sha-384", "sha512": "sha-512"}


class Part(NamedTuple):
    """The CMS message in a mail."""

    #: `signed` for a detached signature (multipart/signed), `enveloped` for any other message: signed, encrypted or compressed.
    kind: str
    #: The CMS message in DER or BER.
    message: bytes
    #: The content covered by a detached signature: a MIME entity with CRLF line endings.
    content: bytes | None


def text(body: str, headers: Mapping[str, str] | None = None) -> bytes:
    """Creates a MIME entity with plain text in UTF-8."""
    made = email.message.EmailMessage(email.policy.SMTP)
    for name, value in (headers or {}).items():
        made[name] = value
    made.set_content(body, cte="base64")
    entity: bytes = made.as_bytes()
    return entity.replace(b"MIME-Version: 1.0\r\n", b"")


def _entity(entity: bytes | str | email.message.Message, clear: bool = False) -> bytes:
    if isinstance(entity, email.message.Message):
        for part in entity.walk():
            # The generators of the standard library change the line breaks in such a body.
            if str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "binary" and not part.is_multipart():
                raise ValueError("a part of the Message has the transfer encoding binary; expected base64, or the entity as bytes")
        octets = entity.as_bytes(policy=email.policy.SMTP)
    else:
        octets = entity.encode() if isinstance(entity, str) else as_bytes(entity)
    return _native.mail_entity(octets, clear)


def _header(headers: Mapping[str, str] | None) -> bytes:
    """Returns the header of a mail. Text that is not ASCII is encoded (RFC 2047)."""
    lines = []
    for name, value in (headers or {}).items():
        if not re.fullmatch(r"[!-9;-~]+", name) or re.search(r"[\r\n\0]", value):
            raise ValueError(f"malformed header {name!r}: expected a name and one line of text")
        if re.match(r"(content-|mime-version$)", name, re.IGNORECASE):
            raise ValueError(f"the header {name} describes the message, and is written by this function")
        if not value.isascii():
            made = email.message.EmailMessage(email.policy.SMTP)
            made[name] = value
            value = made.as_bytes().split(b"\r\n\r\n")[0].decode("ascii").partition(":")[2].strip()
        lines.append(f"{name}: {value}\r\n")
    return "".join(lines).encode("ascii")


def sign(
    entity: bytes | str | email.message.Message,
    signers: cms.Signer | Iterable[cms.Signer],
    *,
    clear: bool = True,
    headers: Mapping[str, str] | None = None,
    certificates: Iterable[Certificate] | None = None,
    crls: Iterable[CertificateRevocationList] = (),
) -> bytes:
    """Creates a signed mail. With `clear`, it is multipart/signed, which every mail program can display; otherwise
    application/pkcs7-mime. `headers` are the mail headers: From, To, Subject.

    With `clear`, bodies with the transfer encoding `binary` or `8bit` become base64 (RFC 8551 §3.1.2). Raises `ValueError` for
    other bytes that are not ASCII.
    """
    header = _header(headers)
    content = _entity(entity, clear)
    listed = [signers] if isinstance(signers, cms.Signer) else list(signers)
    message = cms.sign(content, listed, detached=clear, certificates=certificates, crls=crls)
    if not clear:
        return _native.mail_message(header, "signed-data", message)
    digests = [one.digest for one in cms.examine(message, content).signers]
    names = dict.fromkeys(_MICALG.get((name or "").lower().replace("-", ""), "unknown") for name in digests)
    return _native.mail_signed(header, content, message, ",".join(names))


def encrypt(
    entity: bytes | str | email.message.Message,
    recipients: Iterable[Certificate | cms.Recipient | cms.SharedKey | cms.Password],
    *,
    cipher: str = "aes-256-gcm",
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """Creates an encrypted mail. `cipher` is the same as in `cms.encrypt`."""
    header = _header(headers)
    message = cms.encrypt(_entity(entity), recipients, cipher=cipher)
    return _native.mail_message(header, "authEnveloped-data" if cipher.lower().endswith("gcm") else "enveloped-data", message)


def _messages(mail: bytes | str) -> tuple[list[tuple[Part, list[tuple[str, str]]]], int]:
    """Returns the messages of a mail with the headers around them, and the number of parts that are not in one."""
    found = _native.mail_messages(mail.encode() if isinstance(mail, str) else as_bytes(mail))
    if found is None:
        raise ValueError("no S/MIME message found: expected a mail header with a field Content-Type (RFC 8551 §3)")
    parts, others = found
    return [
        (Part("enveloped" if content is None else "signed", message, content), header) for message, content, header in parts
    ], others


def parse(mail: bytes | str) -> Part:
    """Finds the first CMS message in a mail: the signature and the signed part of multipart/signed, or an
    application/pkcs7-mime part. The rest of the mail is not examined; `verify` does that.

    Raises `ValueError` if there is none.
    """
    return _messages(mail)[0][0][0]


def verify(
    mail: bytes | str,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: cms.Trust | None = None,
    legacy: bool = False,
    allow_unsigned_parts: bool = False,
    allow_headers: bool = False,
    **limits: int,
) -> cms.Verified:
    """Verifies a signed mail, with the arguments of `cms.verify`. The result's `content` is the signed MIME entity.

    The mail must consist of one signed message. `allow_unsigned_parts` also accepts other parts, such as the footer of a
    mailing list; they are not in the result. The senders in the field From, or else the one in the field Sender, must be in the
    signer's certificate if it has mailboxes (RFC 8550 §3), and protected fields From and Subject must be the same outside (RFC
    9788). `allow_headers` accepts other headers, and so does a `purpose` other than emailProtection for the sender.

    Raises `MessageError` with the codes `unsigned-parts`, `sender` and `header-difference`.
    """
    parts, others = _messages(mail)
    if len(parts) > 1:
        raise MessageError(f"the mail has {len(parts)} S/MIME messages, expected 1", "unsigned-parts", clause="RFC 8551 §3", reason="several messages")
    part, header = parts[0]
    if others and not allow_unsigned_parts:
        text = f"{others} part{'s are' if others > 1 else ' is'} not signed; allow_unsigned_parts accepts that"
        raise MessageError(text, "unsigned-parts", clause="RFC 8551 §3", reason=text)
    found = cms.verify(
        part.message, part.content, certificates=certificates, at=at, purpose=purpose, trust=trust, legacy=legacy, **limits
    )
    if part.content is not None and not found.content:
        found._content = part.content
    if not allow_headers:
        is_mail = purpose is None or purpose == ExtendedKeyUsageOID.EMAIL_PROTECTION
        signers = [signer._certificate for signer in found.signers if signer._certificate is not None]
        findings, _ = _native.mail_verdict(header, found.content, signers if is_mail else None)
        for code, text in findings:
            raise MessageError(text, code, clause="RFC 8550 §3" if code == "sender" else "RFC 9788", reason=text)
    return found


def decrypt(
    mail: bytes | str,
    *,
    key: _kinds.PrivateKey | cms.Password | cms.SharedKey | cms.ContentKey,
    certificate: Certificate | None = None,
    **limits: Any,
) -> cms.Decrypted:
    """Decrypts an encrypted mail, with the arguments of `cms.decrypt`. The content is a MIME entity, which may be signed."""
    part = parse(mail)
    if part.kind == "signed":
        raise ValueError("the mail is signed and not encrypted; use smime.verify")
    return cms.decrypt(part.message, key=key, certificate=certificate, **limits)
