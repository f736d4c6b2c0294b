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
"""

from __future__ import annotations

import base64
import binascii
import email.message
import email.parser
import email.policy
import os
import quopri
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise import cms
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import Certificate, CertificateRevocationList

if TYPE_CHECKING:
    import datetime

    from tagwise import _kinds

    from tagwise.x509.oid import ObjectIdentifier

__all__ = ["Part", "decrypt", "encrypt", "parse", "sign", "text", "verify"]

#: The MIME types of parts that contain a message (RFC 8551 §3.2), and their unregistered predecessors.
_MESSAGES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature")
#: The names of digests in the parameter `micalg` (RFC 8551 §3.5.3.2).
_MICALG = {"sha1": "sha-1", "sha224": "sha-224", "sha256": "sha-256", "sha384": "sha-384", "sha512": "sha-512"}
#: The maximum number of parts of a mail to examine, and their maximum nesting depth.
_PARTS, _DEPTH = 1000, 16


class Part(NamedTuple):
    """The CMS message in a mail."""

    #: `signed` for a detached signature (multipart/signed), `enveloped` for any other message: signed, encrypted or compressed.
    kind: str
    #: The CMS message in DER or BER.
    message: bytes
    #: The content covered by a detached signature: a MIME entity with CRLF line endings.
    content: bytes | None


def _canonical(entity: bytes) -> bytes:
    """Returns an entity with CRLF line endings (RFC 8551 §3.1.1)."""
    return re.sub(rb"\r\n|\r|\n", b"\r\n", entity)


def text(body: str, headers: Mapping[str, str] | None = None) -> bytes:
    """Creates a MIME entity with plain text in UTF-8."""
    made = email.message.EmailMessage(email.policy.SMTP)
    for name, value in (headers or {}).items():
        made[name] = value
    made.set_content(body, cte="base64")
    entity: bytes = made.as_bytes()
    return entity.replace(b"MIME-Version: 1.0\r\n", b"")


def _entity(entity: bytes | str | email.message.Message) -> bytes:
    if isinstance(entity, email.message.Message):
        return _canonical(entity.as_bytes(policy=email.policy.SMTP))
    return _canonical(entity.encode() if isinstance(entity, str) else as_bytes(entity))


def _wrapped(headers: Mapping[str, str] | None, fields: list[str], body: bytes) -> bytes:
    """Creates a mail from headers, MIME fields and a body."""
    lines = []
    for name, value in (headers or {}).items():
        if not re.fullmatch(r"[!-9;-~]+", name) or re.search(r"[\r\n\0]", value):
            raise ValueError(f"malformed header {name!r}: expected a name and one line of text")
        lines.append(f"{name}: {value}")
    head = "\r\n".join([*lines, "MIME-Version: 1.0", *fields])
    return head.encode() + b"\r\n\r\n" + body


def _lines(der: bytes) -> bytes:
    return b"\r\n".join(base64.encodebytes(der).splitlines()) + b"\r\n"


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
    application/pkcs7-mime. `headers` are the mail headers: From, To, Subject."""
    content = _entity(entity)
    listed = [signers] if isinstance(signers, cms.Signer) else list(signers)
    message = cms.sign(content, listed, detached=clear, certificates=certificates, crls=crls)
    if not clear:
        return _message(headers, "signed-data", message)
    digests = [one.digest for one in cms.examine(message, content).signers]
    names = dict.fromkeys(_MICALG.get((name or "").lower().replace("-", ""), "unknown") for name in digests)
    while (boundary := "----" + os.urandom(16).hex().upper()).encode() in content:
        pass
    fields = [
        f'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg={",".join(names)};',
        f'\tboundary="{boundary}"',
    ]
    signature = (
        b'Content-Type: application/pkcs7-signature; name="smime.p7s"\r\nContent-Transfer-Encoding: base64\r\n'
        b'Content-Disposition: attachment; filename="smime.p7s"\r\n\r\n' + _lines(message)
    )
    mark = b"--" + boundary.encode()
    body = b"This is an S/MIME signed message.\r\n\r\n" + mark + b"\r\n" + content + b"\r\n" + mark + b"\r\n" + signature + mark + b"--\r\n"
    return _wrapped(headers, fields, body)


def _message(headers: Mapping[str, str] | None, kind: str, message: bytes) -> bytes:
    fields = [
        f'Content-Type: application/pkcs7-mime; smime-type={kind}; name="smime.p7m"',
        "Content-Transfer-Encoding: base64",
        'Content-Disposition: attachment; filename="smime.p7m"',
    ]
    return _wrapped(headers, fields, _lines(message))


def encrypt(
    entity: bytes | str | email.message.Message,
    recipients: Iterable[Certificate | cms.Recipient | cms.SharedKey | cms.Password],
    *,
    cipher: str = "aes-256-gcm",
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """Creates an encrypted mail. `cipher` is the same as in `cms.encrypt`."""
    message = cms.encrypt(_entity(entity), recipients, cipher=cipher)
    return _message(headers, "authEnveloped-data" if cipher.lower().endswith("gcm") else "enveloped-data", message)


class _Raw(NamedTuple):
    """A MIME entity: its fields, its body, and its complete bytes."""

    fields: email.message.Message
    body: bytes
    whole: bytes


def _raw(entity: bytes) -> _Raw:
    """Parses an entity but keeps its body unchanged, because signatures cover the bytes."""
    match = re.search(rb"\r\n\r\n|\n\r?\n|\r\r", entity)
    starts_empty = re.match(rb"\r\n|\r|\n", entity)
    if starts_empty is not None:
        head, body = b"", entity[starts_empty.end() :]
    elif match is None:
        head, body = entity, b""
    else:
        head, body = entity[: match.start()], entity[match.end() :]
    return _Raw(email.parser.BytesHeaderParser(policy=email.policy.compat32).parsebytes(head + b"\n\n"), body, entity)


def _decoded(raw: _Raw) -> bytes:
    """Removes the transfer encoding from a body (RFC 2045 §6)."""
    encoding = str(raw.fields.get("Content-Transfer-Encoding", "7bit")).split(";")[0].strip().lower()
    if encoding == "base64":
        try:
            return binascii.a2b_base64(re.sub(rb"[^A-Za-z0-9+/=]", b"", raw.body))
        except binascii.Error as error:
            raise ValueError(f"malformed base64 in a part of the mail: {error}") from None
    if encoding == "quoted-printable":
        return quopri.decodestring(raw.body)
    return raw.body


def _parts(raw: _Raw) -> list[bytes]:
    """Returns the parts of a multipart body, byte for byte. The line break before a boundary belongs to the boundary
    (RFC 2046 §5.1.1)."""
    boundary = raw.fields.get_boundary()
    if not boundary:
        raise ValueError("malformed mail: multipart without a boundary (RFC 2046 §5.1.1)")
    mark = re.compile(rb"(?:^|\r\n|\r|\n)--" + re.escape(boundary.encode("utf-8", "surrogateescape")) + rb"(--)?[ \t]*(?=\r\n|\r|\n|$)")
    found: list[bytes] = []
    start: int | None = None
    for one in mark.finditer(raw.body):
        if start is not None:
            found.append(raw.body[start : one.start()])
        if one.group(1) is not None or len(found) >= _PARTS:
            return found
        line = re.compile(rb"\r\n|\r|\n").match(raw.body, one.end())
        start = one.end() if line is None else line.end()
    if start is not None:
        found.append(raw.body[start:])
    return found


def parse(mail: bytes | str) -> Part:
    """Finds the first CMS message in a mail: the signature and the signed part of multipart/signed, or an
    application/pkcs7-mime part.

    Raises `ValueError` if there is none.
    """
    data = mail.encode() if isinstance(mail, str) else as_bytes(mail)
    # An envelope line of a mailbox file is not part of the mail.
    if data.startswith(b"From "):
        data = data.partition(b"\n")[2]
    waiting = [(data, 0)]
    seen = 0
    while waiting:
        entity, depth = waiting.pop(0)
        seen += 1
        if seen > _PARTS or depth > _DEPTH:
            raise ValueError(f"the mail has more than {_PARTS} parts, or is nested more than {_DEPTH} deep")
        raw = _raw(entity)
        kind = raw.fields.get_content_type()
        name = (raw.fields.get_filename() or "").lower()
        if kind == "multipart/signed" and str(raw.fields.get_param("protocol") or "").lower() in ("", *_SIGNATURES):
            parts = _parts(raw)
            if len(parts) < 2:
                raise ValueError(f"malformed mail: multipart/signed has {len(parts)} parts, expected 2 (RFC 1847 §2.1)")
            return Part("signed", _decoded(_raw(parts[1])), _canonical(parts[0]))
        if kind in _MESSAGES or (kind == "application/octet-stream" and name.endswith((".p7m", ".p7z"))):
            return Part("enveloped", _decoded(raw), None)
        if raw.fields.get_content_maintype() == "multipart":
            waiting += [(part, depth + 1) for part in _parts(raw)]
        elif kind == "message/rfc822":
            waiting.append((_decoded(raw), depth + 1))
    raise ValueError("no S/MIME message found: expected multipart/signed or application/pkcs7-mime (RFC 8551 §3)")


def verify(
    mail: bytes | str,
    *,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    purpose: ObjectIdentifier | None = None,
    trust: cms.Trust | None = None,
    legacy: bool = False,
    **limits: int,
) -> cms.Verified:
    """Verifies a signed mail, with the arguments of `cms.verify`. The result's `content` is the signed MIME entity."""
    part = parse(mail)
    found = cms.verify(
        part.message, part.content, certificates=certificates, at=at, purpose=purpose, trust=trust, legacy=legacy, **limits
    )
    if part.content is not None and not found.content:
        found._content = part.content
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
