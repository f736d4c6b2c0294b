"""The client against MIT's KDC: tickets by all means, passwords, delegation, refusals."""

from __future__ import annotations

import base64
import contextlib
import datetime
import http.server
import pathlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator

import pytest
from tagwise import KerberosConnectionError, KerberosError, asn1, keys, krb5, x509

from . import radius
from .realm import Realm, missing, running


@pytest.fixture(scope="module")
def realm() -> Iterator[Realm]:
    yield from running()


def test_initial_tickets(realm: Realm) -> None:
    told: list[tuple[str | None, bytes]] = []
    client = krb5.Client(realm.config, trace=lambda to, message: told.append((to, message)))
    got = client.kinit("alice", password="alicepw", lifetime=datetime.timedelta(hours=1), forwardable=True)
    assert str(got.server) == "krbtgt/KRB.TEST@KRB.TEST" and str(got.client) == "alice@KRB.TEST"
    assert {"forwardable", "initial", "pre-authent"} <= set(got.flags)
    assert datetime.timedelta(minutes=59) < got.end_time - got.start_time <= datetime.timedelta(hours=1)
    # SPAKE: a request, what it needs, a challenge, its answer.
    assert [to for to, _ in told] == ["KRB.TEST", None] * 3
    assert krb5.summary(told[0][1]).startswith("AS-REQ") and krb5.summary(told[-1][1]).startswith("AS-REP")
    assert not any(b"alicepw" in message for _, message in told)
    for password in (b"alicepw", bytearray(b"alicepw")):
        got = client.kinit("alice@KRB.TEST", password=password, methods=["encrypted-timestamp"], lifetime=60)
        assert got.renew_till is None
    renewable = client.kinit("alice", password="alicepw", renewable=7200)
    assert renewable.renew_till is not None
    assert client.renew(renewable).client == renewable.client
    got = client.kinit("alice", password="alicepw", enctypes=["aes128-cts"])
    assert got.enctype is krb5.Enctype.AES128_CTS_HMAC_SHA1_96
    got = client.kinit("alice", password="alicepw", service="host/localhost")
    assert str(got.server) == "host/localhost@KRB.TEST"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_log_that_fails_does_not_end_an_exchange(realm: Realm) -> None:
    client = krb5.Client(realm.config, trace=lambda *_: 1 / 0)
    assert client.kinit("bob", password="bobpw").client.components == ["bob"]


def test_refusals(realm: Realm) -> None:
    with pytest.raises(KerberosError) as refused:
        realm.client.kinit("nobody", password="x")
    assert (refused.value.code, refused.value.name) == (6, "KDC_ERR_C_PRINCIPAL_UNKNOWN")
    with pytest.raises(KerberosError) as refused:
        realm.client.kinit("alice", password="wrong", methods=["encrypted-timestamp"])
    assert (refused.value.code, refused.value.name) == (24, "KDC_ERR_PREAUTH_FAILED")
    # Without preauthentication the reply does not open.
    with pytest.raises(KerberosError) as refused:
        realm.client.kinit("bob", password="wrong")
    assert (refused.value.code, refused.value.name) == (None, "integrity")
    with pytest.raises(KerberosError) as refused:
        realm.client.kinit("alice", password="alicepw", methods=["otp"])
    assert refused.value.name == "no-preauthentication"
    cache = realm.cache("carol")
    with pytest.raises(KerberosError) as refused:
        realm.client.get_service_ticket("host/nowhere.test", cache=cache)
    assert (refused.value.code, refused.value.name) == (7, "KDC_ERR_S_PRINCIPAL_UNKNOWN")


def test_keytabs_and_service_tickets(realm: Realm) -> None:
    keytab = krb5.Keytab()
    for entry in realm.keytab:
        if entry.principal.components == ["bob"] and entry.key is not None:
            keytab.add(entry.principal, entry.key, kvno=entry.kvno)
    cache = krb5.CredentialCache("MEMORY:bob", config=realm.config)
    realm.client.kinit(keytab=keytab, cache=cache)
    first = realm.client.get_service_ticket("host/localhost", cache=cache)
    assert len(cache.credentials) == 2
    # Out of the cache.
    assert realm.client.get_service_ticket("host/localhost", cache=cache).ticket == first.ticket
    tgt = cache.granting()
    assert tgt is not None
    other = realm.client.get_service_ticket("host/localhost", tgt=tgt, fast=True)
    assert other.ticket != first.ticket
    assert all(part.opened for part in krb5.decrypt(first.ticket, realm.keytab))
    [part] = krb5.decrypt(first.ticket, realm.keytab)
    assert part.content["cname"]["name"] == "bob"
    # MIT's klist reads what we wrote, and we what MIT's kvno adds.
    shared = realm.cache("carol")
    assert "krbtgt/KRB.TEST@KRB.TEST" in realm.run("klist", "-c", shared.name)
    realm.run("kvno", "-c", shared.name, "HTTP/front.test")
    assert shared.find("HTTP/front.test") is not None
    assert krb5.get_service_ticket("HTTP/front.test", cache=shared, config=realm.config).client == shared.principal
    cache.destroy()


def test_passwords(realm: Realm) -> None:
    with pytest.raises(KerberosError) as refused:
        realm.client.change_password("dave", "davepass1", "short")
    assert refused.value.code == 4 and refused.value.e_text
    krb5.change_password("dave", b"davepass1", bytearray(b"davepass2"), config=realm.config)
    assert krb5.kinit("dave", password="davepass2", config=realm.config).client.components == ["dave"]
    with pytest.raises(KerberosError):
        realm.client.kinit("dave", password="davepass1")


def test_other_names(realm: Realm) -> None:
    front = realm.keytab
    front.remove("bob@KRB.TEST")
    tgt = realm.client.kinit("HTTP/front.test", keytab=front, forwardable=True)
    mine = realm.client.s4u2self("alice", tgt=tgt)
    assert (str(mine.client), str(mine.server)) == ("alice@KRB.TEST", "HTTP/front.test@KRB.TEST")
    # The database of this realm lets nobody delegate to others.
    with pytest.raises(KerberosError) as refused:
        realm.client.s4u2proxy("host/localhost", evidence=mine, tgt=tgt)
    assert refused.value.code == 13
    forwarded = realm.client.forward(tgt)
    assert "forwarded" in forwarded.flags
    # User to user: the ticket is encrypted in the other one's session key.
    other = realm.client.kinit("alice", password="alicepw")
    mine = realm.client.kinit("carol", password="carolpw")
    got = realm.client.get_service_ticket("alice", tgt=mine, user_to_user=other.ticket)
    assert not krb5.decrypt(got.ticket, realm.keytab)[0].opened
    cache = realm.cache("alice")
    assert cache.granting() is not None


def test_armor(realm: Realm) -> None:
    armor = realm.client.kinit("bob", password="bobpw")
    got = realm.client.kinit("alice", password="alicepw", armor=armor, methods=["encrypted-challenge"])
    assert "pre-authent" in got.flags


def test_one_time_passwords(realm: Realm) -> None:
    if not list(pathlib.Path("/usr/lib").glob("*/krb5/plugins/preauth/otp.so")):
        missing("MIT's plugin for one-time passwords (Debian: krb5-otp)")
    armor = realm.client.kinit("bob", password="bobpw")
    with radius.running(realm.folder / "radius.sock", b"123456") as server:
        for value in ("123456", b"123456", bytearray(b"123456")):
            got = realm.client.kinit("otto", otp=value, armor=armor)
            assert got.client.components == ["otto"] and {"pre-authent", "enc-pa-rep"} <= set(got.flags)
        assert server.asked == [b"123456"] * 3
        assert realm.client.get_service_ticket("host/localhost", tgt=got).client == got.client
        with pytest.raises(KerberosError) as refused:
            realm.client.kinit("otto", otp="654321", armor=armor)
        assert (refused.value.code, refused.value.name) == (24, "KDC_ERR_PREAUTH_FAILED")
        asked = len(server.asked)
        # Outside of a tunnel, or where the caller does not want the method, the value is not sent.
        for unwanted in ({"armor": None}, {"armor": armor, "methods": ["encrypted-challenge"]}):
            with pytest.raises(KerberosError) as refused:
                realm.client.kinit("otto", otp="123456", **unwanted)  # type: ignore[arg-type]
            assert refused.value.name == "no-preauthentication"
        assert len(server.asked) == asked


def test_threads_run_meanwhile(realm: Realm) -> None:
    got: list[krb5.Credential] = []
    failures: list[BaseException] = []
    cache = realm.cache("carol")

    def work() -> None:
        try:
            got.append(realm.client.kinit("alice", password="alicepw"))
            got.append(realm.client.get_service_ticket("host/localhost", cache=cache))
        except BaseException as error:  # noqa: BLE001: it is told below
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(got) == 16


class Proxy(http.server.BaseHTTPRequestHandler):
    """A proxy of the KDC (MS-KKDCP)."""

    kdc = 0
    #: The seconds between two bytes of an answer.
    pause = 0.0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Content-Type"] == "application/kerberos"
        message = krb5.decode(body, type_name="KDC-PROXY-MESSAGE").content
        assert message["target_domain"] == "KRB.TEST" and message["kerb_message"]["kind"] in ("AS-REQ", "TGS-REQ")
        with socket.create_connection(("127.0.0.1", self.kdc)) as server, server.makefile("rb") as reader:
            # [0] EXPLICIT OCTET STRING, with the length in front that TCP has (MS-KKDCP §2.2.2).
            server.sendall(asn1.inspect(body).children[0].children[0].value)
            length = reader.read(4)
            reply = length + reader.read(int.from_bytes(length, "big"))
        answer = sequence(0x30, sequence(0xA0, sequence(4, reply)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if not self.pause:
            self.wfile.write(answer)
            return
        with contextlib.suppress(OSError):
            for at in range(len(answer)):
                self.wfile.write(answer[at : at + 1])
                time.sleep(self.pause)

    def log_message(self, format: str, *arguments: object) -> None: ...


def sequence(tag: int, content: bytes) -> bytes:
    """An encoding of DER."""
    size = len(content)
    long = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + (bytes([size]) if size < 128 else bytes([0x80 | len(long)]) + long) + content


def test_proxies(realm: Realm, tmp_path: pathlib.Path) -> None:
    key = keys.PrivateKey.generate("p-256")
    subject = x509.Name.from_rfc4514_string("CN=localhost")
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(END)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, "sha256")
    )
    (tmp_path / "proxy.pem").write_text(
        pem("CERTIFICATE", certificate.public_bytes("DER")) + pem("PRIVATE KEY", key.to_pkcs8()), encoding="ascii"
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "proxy.pem")
    Proxy.kdc = realm.kdc
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"https://localhost:{server.server_port}/KdcProxy"
        text = f"[libdefaults]\n default_realm = KRB.TEST\n[realms]\n KRB.TEST = {{\n  kdc = {url}\n"
        trusting = krb5.Client(krb5.Config(f"{text}  http_anchors = FILE:{tmp_path}/proxy.pem\n }}\n"))
        assert trusting.kinit("alice", password="alicepw").client.components == ["alice"]
        # Whoever is not vouched for is not asked.
        with pytest.raises(KerberosConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
            krb5.Client(krb5.Config(f"{text} }}\n")).kinit("alice", password="alicepw")
        # One that gives a byte now and then does not keep a client.
        Proxy.pause, begun = 0.1, time.monotonic()
        with pytest.raises(KerberosConnectionError, match="takes too long"):
            krb5.Client(trusting.config, timeout=1).kinit("alice", password="alicepw")
        assert time.monotonic() - begun < 5
    finally:
        Proxy.pause = 0.0
        server.shutdown()
        thread.join()
        server.server_close()


START, END = datetime.datetime(2020, 1, 1), datetime.datetime(2045, 1, 1)


def pem(label: str, der: bytes) -> str:
    """A block of PEM."""
    return f"-----BEGIN {label}-----\n{base64.encodebytes(der).decode()}-----END {label}-----\n"


PKINIT = """  pkinit_identity = FILE:{root}/kdc.pem,{root}/kdc.key
  pkinit_anchors = FILE:{root}/ca.pem
  pkinit_allow_upn = no
"""


def test_certificates(tmp_path: pathlib.Path) -> None:
    if not list(pathlib.Path("/usr/lib").glob("*/krb5/plugins/preauth/pkinit.so")):
        missing("MIT's plugin for certificates (Debian: krb5-pkinit)")

    def certified(name: str, principal: str | None, purpose: str | None, issuer: tuple | None) -> tuple:  # type: ignore[type-arg]
        key = keys.PrivateKey.generate("rsa-2048")
        subject = x509.Name.from_rfc4514_string(f"CN={name}")
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer[1].subject if issuer else subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(START)
            .not_valid_after(END)
            .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
            .add_extension(usage_of(issuer is None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )
        if issuer:
            identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[0].public_key())
            builder = builder.add_extension(identifier, critical=False)
        if principal is not None:
            names = x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.17"), alternative_name(principal))
            builder = builder.add_extension(names, critical=False)
        if purpose is not None:
            builder = builder.add_extension(x509.ExtendedKeyUsage([x509.ObjectIdentifier(purpose)]), critical=False)
        return key, builder.sign(issuer[0] if issuer else key, "sha256")

    ca = certified("Test CA", None, None, None)
    kdc = certified("KDC", "krbtgt/KRB.TEST@KRB.TEST", "1.3.6.1.5.2.3.5", ca)
    alice = certified("alice", "alice@KRB.TEST", "1.3.6.1.5.2.3.4", ca)
    for name, (key, certificate) in (("ca", ca), ("kdc", kdc)):
        (tmp_path / f"{name}.pem").write_text(pem("CERTIFICATE", certificate.public_bytes("DER")), encoding="ascii")
        (tmp_path / f"{name}.key").write_text(pem("PRIVATE KEY", key.to_pkcs8()), encoding="ascii")
    for realm in running(PKINIT.format(root=tmp_path), tmp_path):
        got = realm.client.kinit("alice", certificate=alice[1], key=alice[0], anchors=[ca[1]])
        assert got.client.components == ["alice"] and "pre-authent" in got.flags
        with pytest.raises(KerberosError) as refused:
            realm.client.kinit("alice", certificate=alice[1], key=alice[0], anchors=[alice[1]])
        assert refused.value.name == "kdc-certificate"
        with pytest.raises(TypeError):
            realm.client.kinit("alice", certificate=alice[1])
        anonymous(realm, ca[1], alice[1])


def anonymous(realm: Realm, ca: x509.Certificate, other: x509.Certificate) -> None:
    """Tickets of nobody (RFC 8062), whose KDC has to prove itself."""
    nobody = realm.client.kinit(anonymous=True, anchors=[ca])
    assert str(nobody.client) == "WELLKNOWN/ANONYMOUS@WELLKNOWN:ANONYMOUS" and "anonymous" in nobody.flags
    assert realm.client.get_service_ticket("host/localhost", tgt=nobody).client == nobody.client
    # They arm a tunnel, in which a password's owner is somebody.
    got = realm.client.kinit("alice", password="alicepw", armor=nobody, methods=["encrypted-challenge"])
    assert got.client.components == ["alice"] and "anonymous" not in got.flags
    for anchors in ([other], []):
        with pytest.raises(KerberosError) as refused:
            realm.client.kinit(anonymous=True, anchors=anchors)
        assert refused.value.name == "kdc-certificate"


def usage_of(ca: bool) -> x509.KeyUsage:
    """Signatures of certificates and CRLs for a CA; signatures and encryption of keys for others."""
    return x509.KeyUsage(True, False, not ca, False, False, ca, ca, False, False)


def alternative_name(text: str) -> bytes:
    """A subjectAltName with a principal: KRB5PrincipalName (RFC 4556 §3.2.2)."""

    def tlv(tag: int, *content: bytes) -> bytes:
        whole = b"".join(content)
        assert len(whole) < 128
        return bytes([tag, len(whole)]) + whole

    principal = krb5.Principal(text)
    kind = tlv(0xA0, tlv(2, bytes([principal.name_type])))
    name = tlv(0x30, kind, tlv(0xA1, tlv(0x30, *(tlv(0x1B, part.encode()) for part in principal.components))))
    value = tlv(0x30, tlv(0xA0, tlv(0x1B, principal.realm.encode())), tlv(0xA1, name))
    # otherName [0]: id-pkinit-san, [0] value
    return tlv(0x30, tlv(0xA0, tlv(6, bytes.fromhex("2b0601050202")), tlv(0xA0, value)))
