"""Contexts: both sides ours, ours with MIT's, negotiation, order, damage, threads."""

from __future__ import annotations

import datetime
import gc
import os
import pathlib
import pickle
import random
import threading
from collections.abc import Iterator

import pytest
from tagwise import Asn1Error, gss, krb5
from tagwise.gss import ChannelBindings, Credentials, MechType, Name, NameType, RequirementFlag, SecurityContext
from tagwise.gss import exceptions as errors
from tagwise.krb5 import CredentialCache

from .realm import Peer, Realm, running

HOST = Name("host@localhost", NameType.hostbased_service)
PRINCIPAL = "host/localhost@KRB.TEST"
MESSAGES = (b"", b"x", bytes(range(256)), os.urandom(70_000))


@pytest.fixture(scope="module")
def realm() -> Iterator[Realm]:
    for one in running():
        one.cache("alice", forwardable=True)
        yield one


def mine(realm: Realm) -> Credentials:
    """Credentials of alice's."""
    return Credentials(usage="initiate", cache=f"FILE:{realm.folder}/alice.cc", client=realm.client)


def ours(realm: Realm) -> Credentials:
    """Credentials of the services."""
    return Credentials(usage="accept", keytab=realm.keytab, client=realm.client)


def pair(realm: Realm, mech: MechType = MechType.kerberos, **asked: object) -> tuple[SecurityContext, SecurityContext]:
    """A context, both sides of it."""
    one = SecurityContext(name=HOST, creds=mine(realm), usage="initiate", mech=mech, **asked)  # type: ignore[arg-type]
    other = SecurityContext(creds=ours(realm), usage="accept")
    token = one.step()
    while token is not None:
        token = other.step(token)
        if token is not None:
            token = one.step(token)
    assert one.complete and other.complete
    return one, other


def test_a_keytab_that_is_written_anew_is_noticed(realm: Realm, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "keytab"
    creds = Credentials(usage="accept", keytab=path, client=realm.client)
    other = krb5.Keytab()
    for entry in realm.keytab:
        assert entry.key is not None
        wrong = krb5.Key(entry.key.enctype, bytes(len(entry.secret) - 1) + b"x")
        other.add(entry.principal, wrong, kvno=entry.kvno)
    held = krb5.Keytab(realm.keytab.to_bytes())
    for keytab, is_right in ((realm.keytab, True), (realm.keytab, True), (other, False), (realm.keytab, True)):
        keytab.save(path)
        held.remove()
        held.merge(keytab)
        for accepting in (creds, Credentials(usage="accept", keytab=held, client=realm.client)):
            token = SecurityContext(name=HOST, creds=mine(realm), usage="initiate").step()
            acceptor = SecurityContext(creds=accepting, usage="accept")
            if is_right:
                acceptor.step(token)
                assert acceptor.complete
            else:
                with pytest.raises(errors.GSSError):
                    acceptor.step(token)


def exchange(one: SecurityContext, other: SecurityContext) -> None:
    """Messages, sealed and signed."""
    for message in MESSAGES:
        for encrypt in (True, False):
            token = one.wrap(message, encrypt)
            assert token.encrypted is encrypt and (encrypt or message in token.message)
            assert other.unwrap(token.message) == (message, encrypt, 0)
        assert other.verify_signature(message, one.get_signature(message)) == 0


@pytest.mark.parametrize("mech", list(MechType))
def test_both_sides(realm: Realm, mech: MechType) -> None:
    one, other = pair(realm, mech)
    exchange(one, other)
    exchange(other, one)
    assert other.decrypt(one.encrypt(bytearray(b"text"))) == b"text"
    with pytest.raises(errors.BadMICError):
        other.decrypt(one.wrap(b"text", False).message)
    assert str(one.initiator_name) == str(other.initiator_name) == "alice@KRB.TEST"
    assert str(other.target_name) == PRINCIPAL and (one.locally_initiated, other.locally_initiated) == (True, False)
    flags = RequirementFlag.mutual_authentication | RequirementFlag.confidentiality | RequirementFlag.integrity
    assert flags in one.actual_flags and one.actual_flags == other.actual_flags
    assert 0 < one.lifetime <= 36_000 and one.mech is mech
    assert other.delegated_creds is None
    size = one.get_wrap_size_limit(1000, True)
    assert len(one.wrap(bytes(size), True).message) == 1000


def test_without_mutual_authentication(realm: Realm) -> None:
    one = SecurityContext(name=HOST, creds=mine(realm), flags=RequirementFlag.integrity)
    token = one.step()
    assert one.complete and token is not None
    other = SecurityContext(creds=ours(realm))
    assert other.step(token) is None and other.complete
    exchange(one, other)
    exchange(other, one)


@pytest.mark.parametrize("mech", ["krb5", "spnego"])
def test_ours_initiates_and_mits_accepts(realm: Realm, mech: str) -> None:
    peer = Peer(realm)
    bound = ChannelBindings(application_data=b"tls-unique:1")
    peer.must("accept", b"tls-unique:1".hex())
    chosen = {"krb5": MechType.kerberos, "spnego": MechType.spnego}[mech]
    context = SecurityContext(name=HOST, creds=mine(realm), mech=chosen, channel_bindings=bound)
    token = context.step()
    while token is not None:
        answer, state = peer.must("step", token.hex()).split(" ")
        token = context.step(bytes.fromhex(answer)) if answer else None
    assert context.complete and state == "done"
    talk(context, peer)
    assert peer.must("names") == f"alice@KRB.TEST {PRINCIPAL}"
    peer.close()


@pytest.mark.parametrize("mech", ["krb5", "spnego"])
def test_mits_initiates_and_ours_accepts(realm: Realm, mech: str) -> None:
    peer = Peer(realm, mine(realm).cache)
    bound = ChannelBindings(application_data=b"tls-unique:1")
    context = SecurityContext(creds=ours(realm), usage="accept", channel_bindings=bound)
    # Mutual authentication, order, encryption, integrity, and delegation.
    token = bytes.fromhex(peer.must("initiate", PRINCIPAL, mech, str(0x3F), b"tls-unique:1".hex()))
    while True:
        answer = context.step(token)
        if answer is None:
            break
        told, state = peer.must("step", answer.hex()).split(" ")
        if not told:
            break
        token = bytes.fromhex(told)
    assert context.complete and state == "done"
    talk(context, peer)
    delegated = context.delegated_creds
    assert delegated is not None and str(delegated.name) == "alice@KRB.TEST"
    tgt = delegated.cache.granting()
    assert tgt is not None and "forwarded" in tgt.flags
    # It is good for tickets in alice's name.
    again = Credentials(usage="initiate", cache=delegated.cache, client=realm.client)
    assert str(again.ticket(Name("HTTP/front.test@KRB.TEST")).client) == "alice@KRB.TEST"
    peer.close()


def talk(context: SecurityContext, peer: Peer) -> None:
    """Messages with MIT's side, both ways."""
    for message in MESSAGES[:3]:
        for sealed in (True, False):
            told = peer.must("unwrap", context.wrap(message, sealed).message.hex())
            assert told == message.hex() + (" sealed" if sealed else " signed")
            token = bytes.fromhex(peer.must("wrap", "1" if sealed else "0", message.hex()))
            assert context.unwrap(token) == (message, sealed, 0)
        assert peer.must("verify", message.hex(), context.get_signature(message).hex()) == "ok"
        context.verify_signature(message, bytes.fromhex(peer.must("mic", message.hex())))
    assert peer.ask("unwrap", context.wrap(b"text", True).message[:-1].hex()).startswith("!")


def test_bindings_have_to_agree(realm: Realm) -> None:
    for theirs in (None, ChannelBindings(application_data=b"b"), ChannelBindings(2, b"\x7f\0\0\1", 2, b"\x7f\0\0\1", b"a")):
        one = SecurityContext(name=HOST, creds=mine(realm), channel_bindings=theirs)
        other = SecurityContext(creds=ours(realm), channel_bindings=ChannelBindings(application_data=b"a"))
        with pytest.raises(errors.BadChannelBindingsError) as refused:
            other.step(one.step())
        assert refused.value.maj_code == 4 << 16
        with pytest.raises(errors.MissingContextError):
            other.step(b"x")


def test_bindings_where_the_initiator_supports_them(realm: Realm) -> None:
    """MIT's and Windows' acceptors accept initiators without bindings, unless these are required ([MS-KILE] §3.4.5)."""
    own = ChannelBindings(application_data=b"a")
    for theirs, is_bound in ((None, False), (own, True)):
        one = SecurityContext(name=HOST, creds=mine(realm), channel_bindings=theirs)
        other = SecurityContext(creds=ours(realm), channel_bindings=own, bindings_optional=True)
        one.step(other.step(one.step()))
        assert other.complete and (RequirementFlag.channel_bound in other.actual_flags) is is_bound
        assert RequirementFlag.channel_bound not in one.actual_flags
    one = SecurityContext(name=HOST, creds=mine(realm), channel_bindings=ChannelBindings(application_data=b"b"))
    with pytest.raises(errors.BadChannelBindingsError):
        SecurityContext(creds=ours(realm), channel_bindings=own, bindings_optional=True).step(one.step())
    # The initiator cannot claim it.
    one = SecurityContext(name=HOST, creds=mine(realm), flags=RequirementFlag.mutual_authentication | RequirementFlag.channel_bound)
    other = SecurityContext(creds=ours(realm), channel_bindings=own, bindings_optional=True)
    other.step(one.step())
    assert other.complete and RequirementFlag.channel_bound not in other.actual_flags
    for wrong in (
        {"creds": ours(realm)},
        {"name": HOST, "creds": mine(realm), "channel_bindings": own},
        {"usage": "initiate", "channel_bindings": own},
    ):
        with pytest.raises(TypeError, match="for acceptors with channel_bindings"):
            SecurityContext(bindings_optional=True, **wrong)  # type: ignore[arg-type]


def test_order_and_replays(realm: Realm) -> None:
    one, other = pair(realm)
    first, second, third = (one.wrap(bytes([at]), True).message for at in range(3))
    assert other.unwrap(first).message == b"\0"
    with pytest.raises(errors.DuplicateTokenError):
        other.unwrap(first)
    with pytest.raises(errors.TokenTooEarlyError) as refused:
        other.unwrap(third)
    assert refused.value.result == (b"\2", True, 0) and isinstance(refused.value, errors.TokenOutOfSequenceError)
    with pytest.raises(errors.TokenTooLateError):
        other.unwrap(second)
    # Nobody asked for order.
    one, other = pair(realm, flags=RequirementFlag.mutual_authentication)
    first, second = (one.wrap(bytes([at]), True).message for at in range(2))
    assert (other.unwrap(second).message, other.unwrap(first).message) == (b"\1", b"\0")
    # An authenticator is accepted once.
    token = SecurityContext(name=HOST, creds=mine(realm)).step()
    SecurityContext(creds=ours(realm)).step(token)
    with pytest.raises(errors.DuplicateTokenError):
        SecurityContext(creds=ours(realm)).step(token)


def test_contexts_move(realm: Realm) -> None:
    one, other = pair(realm)
    exported = one.export()
    assert not one.complete
    with pytest.raises(errors.MissingContextError):
        one.wrap(b"x", True)
    moved = SecurityContext(exported)
    assert moved.complete and moved.locally_initiated
    exchange(moved, other)
    there = SecurityContext(other.export())
    assert not there.locally_initiated
    exchange(there, moved)
    for cut in range(len(exported)):
        with pytest.raises(errors.GSSError):
            SecurityContext(exported[:cut])
    with pytest.raises(TypeError):
        pickle.dumps(moved)
    with pytest.raises(errors.GSSError):
        SecurityContext(creds=ours(realm)).export()


def test_who_may_and_who_may_not(realm: Realm, tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.MissingCredentialsError):
        SecurityContext(name=HOST, creds=Credentials(usage="initiate", cache=f"FILE:{tmp_path}/none", client=realm.client))
    with pytest.raises(errors.MissingCredentialsError) as refused:
        SecurityContext(name=Name("no@where.test", NameType.hostbased_service), creds=mine(realm))
    assert refused.value.peer_code == 7
    with pytest.raises(errors.MissingCredentialsError):
        SecurityContext(creds=Credentials(usage="accept", keytab=tmp_path / "none", client=realm.client))
    # No key of the service.
    with pytest.raises(errors.MissingCredentialsError):
        SecurityContext(creds=Credentials(usage="accept", keytab=krb5.Keytab())).step(
            SecurityContext(name=HOST, creds=mine(realm)).step()
        )
    # Another service than the one that is accepted.
    front = Credentials(Name("HTTP/front.test@KRB.TEST"), usage="accept", keytab=realm.keytab, client=realm.client)
    with pytest.raises(errors.GSSError, match="different service"):
        SecurityContext(creds=front).step(SecurityContext(name=HOST, creds=mine(realm)).step())
    bob = Credentials(Name("bob@KRB.TEST"), usage="initiate", cache=mine(realm).cache, client=realm.client)
    with pytest.raises(errors.MissingCredentialsError, match="not bob"):
        bob.ticket(HOST)
    with pytest.raises(TypeError):
        SecurityContext(usage="initiate")
    with pytest.raises(TypeError):
        SecurityContext(name=HOST, usage="accept")
    with pytest.raises(ValueError):
        SecurityContext(name=HOST, usage="smoke")
    store = {"ccache": f"FILE:{realm.folder}/alice.cc", "keytab": f"FILE:{realm.folder}/all.keytab"}
    both = Credentials(usage="both", store=store, client=realm.client)
    assert len(both.keytab) and str(both.name) == "alice@KRB.TEST" and both.lifetime > 0
    typed = Credentials(usage="accept", keytab=f"FILE:{realm.folder}/all.keytab", client=realm.client)
    assert len(typed.keytab) == len(both.keytab)
    with pytest.raises(errors.MissingCredentialsError):
        _ = Credentials(usage="initiate", cache=f"FILE:{tmp_path}/none", client=realm.client).lifetime
    assert str(HOST.canonicalize(client=realm.client)) == PRINCIPAL
    with pytest.raises(errors.BadNameError):
        Name("@localhost", NameType.hostbased_service)


def test_delegation(realm: Realm) -> None:
    flags = RequirementFlag(0x3F)
    one, other = pair(realm, flags=flags)
    assert RequirementFlag.delegate_to_peer in one.actual_flags
    delegated = other.delegated_creds
    assert delegated is not None and "forwarded" in delegated.cache.credentials[0].flags
    # It is one cache however often it is asked for, and is not kept in memory for ever.
    assert other.delegated_creds is delegated
    name = delegated.cache.name
    del delegated, other
    gc.collect()
    with pytest.raises(FileNotFoundError):
        CredentialCache(name).principal
    # A ticket that may not be forwarded is not; the flags tell.
    realm.client.kinit("bob", password="bobpw", forwardable=False, cache=f"FILE:{realm.folder}/bob.cc")
    bob = Credentials(usage="initiate", cache=f"FILE:{realm.folder}/bob.cc", client=realm.client)
    context = SecurityContext(name=HOST, creds=bob, flags=flags)
    accepted = SecurityContext(creds=ours(realm))
    context.step(accepted.step(context.step()))
    assert RequirementFlag.delegate_to_peer not in context.actual_flags and accepted.delegated_creds is None


def test_damage_has_its_place(realm: Realm) -> None:
    with pytest.raises(errors.InvalidTokenError) as refused:
        SecurityContext(creds=ours(realm)).step(b"no token")
    cause = refused.value.__cause__
    assert isinstance(cause, Asn1Error) and cause.offset == 1 and cause.clause == "X.690 §8.1.3"


def damaged(data: bytes, random_of: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random_of.randint(1, 3)):
        changed[random_of.randrange(len(changed))] ^= 1 << random_of.randrange(8)
    if random_of.random() < 0.3:
        del changed[random_of.randrange(len(changed)) :]
    return bytes(changed)


def test_damage_is_refused(realm: Realm) -> None:
    random_of = random.Random(7)
    one, other = pair(realm)
    for encrypt in (True, False):
        token = one.wrap(b"message" * 20, encrypt).message
        for _ in range(300):
            changed = damaged(token, random_of)
            if changed != token:
                with pytest.raises(gss.GSSError):
                    other.unwrap(changed)
        assert other.unwrap(token).message == b"message" * 20
    mic = one.get_signature(b"text")
    for _ in range(100):
        changed = damaged(mic, random_of)
        if changed != mic:
            with pytest.raises(gss.GSSError):
                other.verify_signature(b"text", changed)
    with pytest.raises(errors.BadMICError):
        other.verify_signature(b"texT", mic)
    for mech in MechType:
        first = SecurityContext(name=HOST, creds=mine(realm), mech=mech).step()
        assert first is not None
        accepted = 0
        for _ in range(150):
            changed = damaged(first, random_of)
            context = SecurityContext(creds=ours(realm))
            try:
                context.step(changed)
                accepted += 1
            except gss.GSSError:
                assert not context.complete
        # Some bits of the frame are not signed: flags that are passed over, and hints of a negotiation.
        assert accepted < 40


def test_threads_share_a_context(realm: Realm) -> None:
    one, other = pair(realm, flags=RequirementFlag.mutual_authentication | RequirementFlag.confidentiality)
    failures: list[BaseException] = []
    seen: list[bytes] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        try:
            for at in range(40):
                message = f"{number}:{at}".encode() * 500
                with lock:
                    token = one.wrap(message, True).message
                    got = other.unwrap(token).message
                assert got == message
                one.get_signature(message)
                seen.append(got)
        except BaseException as error:  # noqa: BLE001: it is told below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(set(seen)) == 320


def test_nothing_secret_is_printed(realm: Realm) -> None:
    one, other = pair(realm)
    for value in (one, other, mine(realm), ours(realm), *mine(realm).cache.credentials):
        text = repr(value)
        for entry in realm.keytab:
            assert entry.secret.hex() not in text
        for credential in mine(realm).cache:
            assert credential.session_key is not None and credential.session_key.secret.hex() not in text
    assert datetime.datetime.now(datetime.timezone.utc) < mine(realm).cache.credentials[0].end_time
