"""The fuzz target's calls into `tagwise.krb5` and `tagwise.gss`: arbitrary messages and files, KDC replies, and tokens."""

from __future__ import annotations

import itertools
import os
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import kdc
from attempts import attempt
from tagwise import gss, krb5
from tagwise.krb5 import Enctype, Key, Pac, Principal

CORPORA = pathlib.Path(os.environ.get("TAGWISE_CORPORA", pathlib.Path(__file__).resolve().parents[4] / "shared" / "corpora"))
HOST = gss.Name("host@localhost", gss.NameType.hostbased_service)
#: Names of types that `decode` may be asked for.
TYPES = ("EncTicketPart", "EncKDCRepPart", "AP-REQ", "Authenticator", "KRB-CRED", "PA-DATA", "KRB-ERROR", "KDC-PROXY-MESSAGE", "x")
#: One key of every type.
KEYS = [Key.from_password(one, "a password", salt="KRB.TESTalice") for one in Enctype]


def first(data: bytes) -> int:
    """Returns the first byte, which selects a variant."""
    return data[0] if data else 0


def messages(data: bytes, allow: list[str]) -> None:
    krb5.summary(data)
    attempt(lambda: krb5.decode(data, show_keys=True).json())
    attempt(lambda: krb5.decode(data[1:], type_name=TYPES[first(data) % len(TYPES)]).content)
    attempt(lambda: krb5.decrypt(data, kdc.KEYTAB, show_keys=True))
    attempt(lambda: krb5.decrypt([data[: len(data) // 2], data[len(data) // 2 :]], kdc.KEYTAB))
    attempt(lambda: krb5.dissect(data, kdc.KEYTAB))


def pieces(data: bytes) -> list[bytes]:
    """Splits data into messages with two-byte length prefixes."""
    found = []
    while len(data) >= 2 and len(found) < 8:
        size = int.from_bytes(data[:2], "big")
        found.append(data[2 : 2 + size])
        data = data[2 + size :]
    return found


def exchanges(data: bytes, allow: list[str]) -> None:
    """Passes the messages of an exchange to an opener, one after the other."""
    opener = krb5.Opener(kdc.KEYTAB, caches=[CACHE])
    for message in pieces(data):
        attempt(opener.open, message)


def keytabs(data: bytes, allow: list[str]) -> None:
    keytab = krb5.Keytab(data)
    written = keytab.to_bytes()
    assert krb5.Keytab(written).to_bytes() == written
    for entry in keytab:
        assert entry.principal is not None and repr(entry)
        attempt(lambda entry=entry: keytab.find(entry.principal, entry.enctype))
    merged = krb5.Keytab(written)
    merged.merge(keytab)
    if len(keytab):
        merged.remove(keytab[0].principal)
    assert len(merged) <= 2 * len(keytab)


def caches(data: bytes, allow: list[str]) -> None:
    cache = krb5.CredentialCache.from_bytes(data, "MEMORY:fuzz", config=kdc.CONFIG)
    written = cache.to_bytes()
    again = krb5.CredentialCache.from_bytes(written, "MEMORY:again", config=kdc.CONFIG)
    assert again.to_bytes() == written and again.principal == cache.principal
    for one in cache:
        assert isinstance(one.to_dict(), dict) and repr(one)
        attempt(lambda one=one: (one.session_key, one.flags, one.end_time, one.renew_till, one.ticket_enctype))
        attempt(cache.find, one.server)
        attempt(lambda one=one: krb5.decrypt(one.ticket, kdc.KEYTAB))
    attempt(cache.granting)


def configs(data: bytes, allow: list[str]) -> None:
    config = krb5.Config(data.decode("utf-8", "replace"))
    config.to_dict()
    for realm in filter(None, (config.default_realm, "KRB.TEST")):
        attempt(config.kdcs, realm)
    attempt(config.realm_of_host, "www.example.com")
    attempt(config.cache_name)
    attempt(config.keytab_path)
    config.texts(["realms", "KRB.TEST", "kdc"])


def names(data: bytes, allow: list[str]) -> None:
    text = data.decode("utf-8", "replace")
    for enterprise in (False, True):
        principal = attempt(lambda enterprise=enterprise: Principal(text, realm="KRB.TEST", enterprise=enterprise))
        if principal is not None:
            assert enterprise or Principal(str(principal)) == principal
            assert pickle.loads(pickle.dumps(principal)) == principal and isinstance(principal.salt, bytes)
    for kind in gss.NameType:
        name = attempt(gss.Name, text, kind)
        if name is not None:
            attempt(lambda name=name: name.principal(realm="KRB.TEST"))


def cryptography(data: bytes, allow: list[str]) -> None:
    key, rest = KEYS[first(data) % len(KEYS)], data[1:]
    usage = int.from_bytes(rest[:1], "big")
    attempt(key.decrypt, usage, rest)
    assert key.decrypt(usage, key.encrypt(usage, rest))[: len(rest)] == rest
    key.verify_checksum(usage, rest, key.checksum(usage, rest))
    attempt(key.verify_checksum, usage, rest[20:], rest[:20], int.from_bytes(rest[:2], "big", signed=True))
    attempt(key.prf, rest, int.from_bytes(rest[:2], "big"))
    attempt(lambda: key.combine(KEYS[len(rest) % len(KEYS)], rest[:8], rest[8:]))
    for make in (Key, Key.from_seed):
        attempt(make, key.enctype, rest)
        attempt(make, usage, rest)
    half = len(rest) // 2
    attempt(
        lambda: Key.from_password(
            key.enctype, rest[:half], salt=rest[half:], parameters=rest[:4] if usage & 1 else None, max_iterations=5000
        )
    )
    attempt(krb5.n_fold, rest, usage)


def pacs(data: bytes, allow: list[str]) -> None:
    found = attempt(lambda: Pac.of_ticket(data))
    pac = found or Pac(data)
    assert bytes(Pac(pac.to_bytes())) == bytes(pac)
    attempt(lambda: pac.content)
    for key in KEYS[:3]:
        attempt(lambda key=key: pac.verify(server=key))
        attempt(lambda key=key: pac.verify(kdc=key))
    parts = [(buffer.type, buffer.data) for buffer in pac.buffers if buffer.type not in (6, 7, 19)]
    made = attempt(lambda: Pac.sign(parts, server=KEYS[0], kdc=KEYS[1]))
    if made is not None and len({kind for kind, _ in parts}) == len(parts):
        assert {"server", "kdc", "full"} <= made.verify(server=KEYS[0], kdc=KEYS[1])


def replies(data: bytes, allow: list[str]) -> None:
    """Processes a KDC's reply: arbitrary bytes, or a correctly encrypted reply with one arbitrary part."""
    parts = ("proxy", "reply", "EncASRepPart", "EncTGSRepPart", "EncTicketPart")
    number, rest = first(data), data[1:]
    chosen, ask = parts[number % len(parts)], number // len(parts) % 4
    # The first answer is the one that is changed, or the second, where there is one.
    count = itertools.count()

    def change(part: str, octets: bytes) -> bytes:
        return rest if part == chosen and next(count) == number // 20 % 2 else octets

    with kdc.Kdc(change):
        if ask == 0:
            attempt(lambda: kdc.CLIENT.kinit(keytab=kdc.ALICE))
        elif ask == 1:
            attempt(lambda: kdc.CLIENT.get_service_ticket("host/localhost", tgt=TGT))
        elif ask == 2:
            attempt(lambda: kdc.CLIENT.renew(TGT))
            attempt(lambda: kdc.CLIENT.s4u2self("carol", tgt=TGT))
        else:
            attempt(lambda: kdc.CLIENT.kinit("alice", anonymous=True))
            attempt(lambda: kdc.CLIENT.kinit("alice", password="x", methods=["encrypted-timestamp", "spake"]))


def initiator(mech: gss.MechType = gss.MechType.kerberos) -> gss.SecurityContext:
    return gss.SecurityContext(name=HOST, creds=gss.Credentials(usage="initiate", cache=CACHE, client=kdc.CLIENT), mech=mech)


def acceptor() -> gss.SecurityContext:
    return gss.SecurityContext(creds=gss.Credentials(usage="accept", keytab=kdc.KEYTAB, client=kdc.CLIENT), usage="accept")


def tokens(data: bytes, allow: list[str]) -> None:
    """Passes tokens to new contexts on both sides, one after the other."""
    for mech in gss.MechType:
        one = initiator(mech)
        one.step()
        attempt(one.step, data)
    sides = [acceptor(), initiator(gss.MechType.spnego)]
    sides[1].step()
    for token in pieces(data):
        for side in sides:
            attempt(side.step, token)
    attempt(acceptor().step, data)


def sealed(data: bytes, allow: list[str]) -> None:
    """Passes message tokens to established contexts, and imports arbitrary exported contexts."""
    one, other = (gss.SecurityContext(exported) for exported in PAIR)
    for side in (one, other):
        attempt(side.unwrap, data)
        attempt(side.verify_signature, data[:9], data[9:])
        attempt(side.decrypt, data)
    assert other.unwrap(one.wrap(data, bool(first(data) & 1)).message).message == data
    again = attempt(gss.SecurityContext, data)
    if again is not None:
        attempt(again.unwrap, data)
        attempt(lambda: again.wrap(data[:100], True))
        attempt(lambda: (str(again.initiator_name), again.lifetime, again.actual_flags))


def established() -> tuple[krb5.CredentialCache, krb5.Credential, tuple[bytes, bytes], list[bytes]]:
    """Returns a cache with tickets, the first ticket, both sides of a context as written by `export`, and the
    context's tokens."""
    with kdc.Kdc():
        cache = krb5.CredentialCache("MEMORY:alice", config=kdc.CONFIG)
        tgt = kdc.CLIENT.kinit(keytab=kdc.ALICE, cache=cache)
        kdc.CLIENT.get_service_ticket("host/localhost", cache=cache)
    global CACHE
    CACHE = cache
    sent = []
    for mech in gss.MechType:
        one, other = initiator(mech), acceptor()
        token = one.step()
        while token is not None:
            sent.append(token)
            one, other, token = other, one, other.step(token)
    assert one.complete and other.complete
    sent += [one.wrap(b"a message", True).message, one.wrap(b"a message", False).message]
    return cache, tgt, (one.export(), other.export()), sent


CALLS: tuple[Callable[[bytes, list[str]], None], ...] = (
    messages,
    exchanges,
    keytabs,
    caches,
    configs,
    names,
    cryptography,
    pacs,
    replies,
    tokens,
    sealed,
)

CACHE: Any
CACHE, TGT, PAIR, SENT = established()


def framed(parts: list[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts)


def recorded() -> list[tuple[str, bytes]]:
    """Returns the parts of recorded KDC replies, before encryption."""
    told: list[tuple[str, bytes]] = []

    def change(part: str, octets: bytes) -> bytes:
        told.append((part, octets))
        return octets

    with kdc.Kdc(change):
        tgt = kdc.CLIENT.kinit(keytab=kdc.ALICE)
        kdc.CLIENT.get_service_ticket("host/localhost", tgt=tgt)
    return told


def seeds() -> list[list[bytes]]:
    """Returns inputs for each of the calls."""
    raw = sorted((CORPORA / "kerberos" / "captures" / "raw").glob("*.bin"))
    captured = [file.read_bytes() for file in raw][::4]
    parts = recorded()
    chosen = {"proxy": 0, "reply": 1, "EncASRepPart": 2, "EncTGSRepPart": 3, "EncTicketPart": 4}
    pac = Pac.sign([(17, bytes.fromhex("0200000001000000")), (10, bytes(12) + b"a\0")], server=KEYS[0], kdc=KEYS[1])
    numbers = range(len(KEYS))
    return [
        [*captured, *SENT, TGT.ticket, kdc.KEYTAB.to_bytes(), CACHE.to_bytes(), pac.to_bytes()],
        [framed(captured[at : at + 4]) for at in range(0, len(captured), 4)] or [framed([TGT.ticket])],
        [kdc.KEYTAB.to_bytes(), b"\5\2"],
        [CACHE.to_bytes(), b"\5\4\0\0"],
        [b"[libdefaults]\n default_realm = A\n[realms]\n A = {\n  kdc = b:88\n  kdc = https://c/\n }\n[domain_realm]\n .c = A\n"],
        [b"a\\/b/c\\@d@KRB.TEST", b"host@www.example.com", b"HTTP/www.example.com"],
        [bytes([number]) + KEYS[number].encrypt(1, b"what is said") for number in numbers],
        [pac.to_bytes(), *(octets for part, octets in parts if part == "EncTicketPart")],
        [bytes([chosen[part] + 5 * ask]) + octets for part, octets in parts for ask in range(4)],
        [*SENT, framed(SENT[:2])],
        [*SENT, *PAIR],
    ]
