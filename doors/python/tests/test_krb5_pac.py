"""PACs: those of MIT's KDC, whose keys are here, and those that are made here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tagwise import Asn1Error, MessageError, krb5
from tagwise.krb5 import Key, Pac

from .realm import Realm, running


@pytest.fixture(scope="module")
def realm() -> Iterator[Realm]:
    yield from running()


def opened(realm: Realm, ticket: bytes) -> bytes:
    """The decrypted part of a ticket."""
    [part] = krb5.decrypt(ticket, realm.keytab)
    assert part.der is not None
    return part.der


def keys(realm: Realm, service: str, pac: Pac) -> tuple[Key, Key]:
    """The keys of a service and of the KDC that a PAC is signed with, by the types of its checksums."""
    kinds = {buffer.type: int.from_bytes(buffer.data[:4], "little", signed=True) for buffer in pac.buffers}
    # Checksums of MIT's AES and Camellia types (RFC 3962, 8009, 6803).
    enctypes = {15: 17, 16: 18, 19: 19, 20: 20, 17: 25, 18: 26}
    found = [realm.keytab.find(name, enctypes[kinds[kind]]) for name, kind in ((service, 6), ("krbtgt/KRB.TEST@KRB.TEST", 7))]
    assert found[0] is not None and found[1] is not None
    return found[0], found[1]


def test_pacs_of_mit(realm: Realm) -> None:
    tgt = realm.client.kinit("alice", password="alicepw")
    ticket = realm.client.get_service_ticket("host/localhost", tgt=tgt)
    part = opened(realm, ticket.ticket)
    pac = Pac.of_ticket(part)
    assert pac is not None and part.find(pac.to_bytes()) > 0
    server, kdc = keys(realm, "host/localhost@KRB.TEST", pac)
    # Which signatures there are is for the KDC's version: over the whole since MIT's 1.21.
    full = {"full"} if any(buffer.type == 19 for buffer in pac.buffers) else set()
    assert pac.verify(server=server) == {"server"}
    assert pac.verify(kdc=kdc) == {"kdc", "ticket"} | full
    assert pac.verify(server=server, kdc=kdc) == {"server", "kdc", "ticket"} | full
    # Without the ticket its signature is not looked at.
    alone = Pac(pac.to_bytes())
    assert alone == pac and hash(alone) == hash(pac) and alone.verify(kdc=kdc) == {"kdc"} | full
    [client] = [buffer for buffer in pac.buffers if buffer.type == 10]
    assert client.name == "client name and ticket information" and "alice".encode("utf-16-le") in client.data
    assert pac.content == krb5.decode(pac.to_bytes()).content
    # Another's key confirms nothing.
    for wrong in ({"server": kdc}, {"kdc": server}, {"server": Key.generate("aes256-cts")}):
        with pytest.raises(MessageError) as refused:
            pac.verify(**wrong)
        assert refused.value.code == "integrity"
    with pytest.raises(TypeError):
        pac.verify()


def test_damage(realm: Realm) -> None:
    tgt = realm.client.kinit("alice", password="alicepw")
    part = opened(realm, realm.client.get_service_ticket("host/localhost", tgt=tgt).ticket)
    pac = Pac.of_ticket(part)
    assert pac is not None
    server, kdc = keys(realm, "host/localhost@KRB.TEST", pac)
    whole = pac.to_bytes()
    refused = 0
    # One bit of every byte: the service's signature is over all of them but for the KDC's signature.
    at = next(int.from_bytes(whole[8 + 16 * number + 8 :][:8], "little") for number in range(64) if whole[8 + 16 * number] == 7)
    for number in range(len(whole)):
        damaged = whole[:number] + bytes([whole[number] ^ 0x10]) + whole[number + 1 :]
        try:
            confirmed = Pac(damaged).verify(server=server)
        except Asn1Error:
            refused += 1
        else:
            assert confirmed == {"server"} and at + 4 <= number < at + 4 + 16, number
    assert refused >= len(whole) - 16
    # The ticket around it is another one: the KDC's signature over it does not hold.
    moved = part.replace(b"alice", b"carol", 1)
    assert moved != part
    other = Pac.of_ticket(moved)
    assert other == pac and other is not None and other.verify(server=server) == {"server"}
    with pytest.raises(MessageError) as wrong:
        other.verify(kdc=kdc)
    assert wrong.value.code == "integrity"


@pytest.mark.parametrize("enctype", list(krb5.Enctype))
def test_made_here(enctype: krb5.Enctype) -> None:
    server, kdc = (Key.from_password(enctype, name, salt="KRB.TESTname") for name in ("server", "kdc"))
    buffers = [(17, bytes.fromhex("0200000001000000")), (18, b"\1\1\0\0\0\0\0\5\x12\0\0\0"), (99, b"")]
    pac = Pac.sign(buffers, server=server, kdc=kdc)
    assert [(one.type, one.data) for one in pac.buffers[:3]] == buffers and pac.buffers[2].name is None
    assert pac.verify(server=server, kdc=kdc) == {"server", "kdc", "full"}
    with pytest.raises(MessageError):
        pac.verify(server=kdc)
    with pytest.raises(MessageError):
        pac.verify(kdc=server)


def test_what_is_none() -> None:
    for octets in (b"", b"\1\0\0\0\0\0\0\0", bytes(64), b"\xff" * 64):
        with pytest.raises(Asn1Error) as refused:
            Pac(octets).verify(server=Key.generate("aes256-cts"))
        assert refused.value.code in ("malformed", "integrity")
    with pytest.raises(Asn1Error):
        Pac.of_ticket(b"no ticket")
