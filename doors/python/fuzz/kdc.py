"""A KDC in the same process that answers like a proxy over HTTPS, with replies that its caller controls."""

from __future__ import annotations

import datetime
import pathlib
from collections.abc import Callable
from typing import Any

from tagwise import asn1, krb5
from tagwise.krb5 import _https

SCHEMAS = pathlib.Path(__file__).resolve().parents[3] / "schemas" / "krb5"
TYPES = asn1.compile(str(SCHEMAS / "KerberosV5Spec2.asn1"))
ENCTYPE = krb5.Enctype.AES128_CTS_HMAC_SHA1_96

CONFIG = krb5.Config("""[libdefaults]
 default_realm = KRB.TEST
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
[realms]
 KRB.TEST = {
  kdc = https://kdc.invalid/KdcProxy
  kpasswd_server = https://kdc.invalid/KdcProxy
 }
""")
CLIENT = krb5.Client(CONFIG)

#: The keys of alice, of the ticket-granting service, of a service, and of sessions.
KEYS = {name: krb5.Key(ENCTYPE, bytes([number]) * 16) for number, name in enumerate(("alice", "krbtgt", "host", "session"), 1)}
KEYTAB = krb5.Keytab()
for owner, key in (("alice", "alice"), ("krbtgt/KRB.TEST", "krbtgt"), ("host/localhost", "host")):
    KEYTAB.add(f"{owner}@KRB.TEST", KEYS[key], kvno=1)
ALICE = krb5.Keytab()
ALICE.add("alice@KRB.TEST", KEYS["alice"], kvno=1)

Change = Callable[[str, bytes], bytes]


def of(name: str) -> asn1.Type:
    return TYPES[f"KerberosV5Spec2.{name}"]


def sealed(key: krb5.Key, usage: int, content: bytes) -> dict[str, Any]:
    """An EncryptedData."""
    return {"etype": int(key.enctype), "cipher": key.encrypt(usage, content)}


class Kdc:
    """Answers requests. `change` is called with the name and bytes of each part before it is encrypted or sent, and
    returns the bytes to use."""

    def __init__(self, change: Change = lambda part, octets: octets) -> None:
        self.change = change
        self.now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

    def __enter__(self) -> Kdc:
        self._post, _https.post = _https.post, self.post
        return self

    def __exit__(self, *error: object) -> None:
        _https.post = self._post

    def post(self, url: str, body: bytes, *rest: Any) -> bytes:
        """Returns a proxy's reply to a message that was posted to it."""
        message = asn1.inspect(body).children[0].children[0].value[4:]
        answer = self.answer(message)
        framed = len(answer).to_bytes(4, "big") + answer
        return self.change("proxy", PROXY["Message"].encode({"kerb-message": framed}))

    def answer(self, message: bytes) -> bytes:
        kind = {0x6A: "AS-REQ", 0x6C: "TGS-REQ"}.get(message[0])
        if kind is None:
            return self.change("reply", b"\0\6\0\1\0\0")
        request = of(kind).decode(message, rules="BER")
        body = request["req-body"]
        server = body["sname"]
        owner = "krbtgt" if server["name-string"][0] == "krbtgt" else "host"
        session = KEYS["session"]
        times = {"authtime": self.seconds(0), "endtime": self.seconds(36_000)}
        names = {"crealm": "KRB.TEST", "cname": {"name-type": 1, "name-string": ["alice"]}}
        held = {"keytype": int(session.enctype), "keyvalue": session.secret}
        flags = (b"\x40\x40\0\0", 0)
        ticket_part = {"flags": flags, "key": held, **names, "transited": {"tr-type": 1, "contents": b""}, **times}
        encrypted = self.change("EncTicketPart", of("EncTicketPart").encode(ticket_part))
        ticket = {"tkt-vno": 5, "realm": "KRB.TEST", "sname": server, "enc-part": sealed(KEYS[owner], 2, encrypted)}
        part = {"key": held, "last-req": [], "nonce": body["nonce"], "flags": flags, **times, "srealm": "KRB.TEST", "sname": server}
        if kind == "AS-REQ":
            name, number, key, usage = "EncASRepPart", 11, KEYS["alice"], 3
        else:
            name, number = "EncTGSRepPart", 13
            key, usage = self.of_request(request)
        content = self.change(name, of(name).encode(part))
        reply = {"pvno": 5, "msg-type": number, **names, "ticket": ticket, "enc-part": sealed(key, usage, content)}
        return self.change("reply", of("AS-REP" if number == 11 else "TGS-REP").encode(reply))

    @staticmethod
    def of_request(request: dict[str, Any]) -> tuple[krb5.Key, int]:
        """Returns the key for the reply to a service ticket request, and its key usage number. The key is the authenticator's
    subkey if there is one, otherwise the session key."""
        [made] = [one["padata-value"] for one in request["padata"] if one["padata-type"] == 1]
        sent = of("AP-REQ").decode(made, rules="BER")
        plain = KEYS["session"].decrypt(7, sent["authenticator"]["cipher"])
        subkey = of("Authenticator").decode(plain, rules="BER").get("subkey")
        return (KEYS["session"], 8) if subkey is None else (krb5.Key(subkey["keytype"], subkey["keyvalue"]), 9)

    def seconds(self, later: int) -> int:
        return int(self.now.timestamp()) + later


PROXY = asn1.compile_text("""
M DEFINITIONS EXPLICIT TAGS ::= BEGIN
  Message ::= SEQUENCE { kerb-message [0] OCTET STRING, target-domain [1] GeneralString OPTIONAL }
END
""")
