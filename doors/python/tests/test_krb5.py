"""Kerberos without a KDC: published vectors, keytabs and caches, captured messages, what is damaged."""

from __future__ import annotations

import datetime
import gc
import json
import os
import pathlib
import pickle
import random
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from tagwise import Asn1Error, KerberosConnectionError, KerberosError, MessageError, _native, keys, krb5, pem
from tagwise.krb5 import ChecksumType, CredentialCache, Enctype, Key, Keytab, KeyUsage, Principal

from .test_generated import ROOT

CORPORA = pathlib.Path(os.environ.get("TAGWISE_CORPORA", ROOT.parent / "shared" / "corpora"))
CAPTURES = CORPORA / "kerberos" / "captures"
REFERENCES = CORPORA / "kerberos" / "mit-asn1" / "expected.json"
VECTORS = ROOT / "crates" / "kerberos" / "krb5" / "tests" / "vectors" / "crypto.tsv"
REGISTERS = ROOT / "crates" / "kerberos" / "krb5" / "tests" / "register"


def rows(path: pathlib.Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def octets(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def test_vectors() -> None:
    counts: dict[str, int] = {}
    for row in rows(VECTORS):
        what, number, usage, key, data, expected = row[0], int(row[1]), int(row[2]), *map(octets, row[3:6])
        counts[what] = counts.get(what, 0) + 1
        if what == "password":
            made = Key.from_password(number, data, salt=expected, parameters=octets(row[6]))
            assert made.secret == key
        elif what == "decrypt":
            plain = Key(number, key).decrypt(usage, expected)
            assert plain[: len(data)] == data and not plain[len(data) :].strip(b"\0")
            again = Key(number, key).encrypt(usage, data)
            assert len(again) == len(expected) and Key(number, key).decrypt(usage, again)[: len(data)] == data
            for at in range(len(expected)):
                damaged = expected[:at] + bytes([expected[at] ^ 1]) + expected[at + 1 :]
                with pytest.raises(MessageError):
                    Key(number, key).decrypt(usage, damaged)
        elif what == "checksum" and number in list(Enctype):
            kind = int(row[6])
            Key(number, key).verify_checksum(usage, data, expected, kind)
            if kind == Enctype(number).checksum_type:
                assert Key(number, key).checksum(usage, data) == expected
            with pytest.raises(MessageError) as refused:
                Key(number, key).verify_checksum(usage + 1, data, expected, kind)
            assert refused.value.code == "integrity"
        elif what == "checksum":
            assert ChecksumType(int(row[6])).unkeyed(data) == expected
        elif what == "prf":
            assert Key(number, key).prf(data) == expected
        elif what == "cf2":
            one, other = (Key.from_password(number, text, salt=text) for text in ("key1", "key2"))
            assert one.combine(other, b"a", b"b").secret == key
        else:
            # Derivation of keys from keys is not offered by itself.
            assert what == "derive"
    assert sum(counts.values()) == 123 and min(counts.values()) >= 4, counts


def test_numbers_are_those_of_the_library() -> None:
    names = {number: name for number, name, *_ in _native.krb5_enctypes()}
    assert {one.value: one.text for one in Enctype} == names
    assert {one.name.lower().replace("_", "-"): one.value for one in Enctype} == {
        name: number for number, name in names.items()
    }
    assert {one.value: one.text for one in ChecksumType} == dict(_native.krb5_checksum_types())
    text = (ROOT / "crates/kerberos/krb5/src/crypto/usage.rs").read_text(encoding="utf-8")
    constants = dict(line.strip().split(" = ") for line in text.splitlines() if " = " in line and line.strip()[0].isupper())
    assert {one.name: one.value for one in KeyUsage} == {
        name: int(rest.split(",")[0]) for name, rest in constants.items()
    }
    assert [one.name for one in Enctype if one.is_legacy] == ["DES3_CBC_SHA1_KD", "RC4_HMAC"]
    assert (Enctype.AES256_CTS_HMAC_SHA1_96.key_size, Enctype.parse("AES256-SHA2")) == (32, 20)


def test_keys_keep_their_secrets() -> None:
    key = Key.generate(Enctype.AES256_CTS_HMAC_SHA1_96)
    assert key.secret.hex() not in repr(key) and len(key.secret) == 32
    with pytest.raises(TypeError):
        pickle.dumps(key)
    assert key == Key(18, key.secret) and key != Key.generate(18)
    assert Key.from_seed(16, bytes(21)).secret != bytes(24)
    with pytest.raises(MessageError) as refused:
        Key(18, b"short")
    assert refused.value.code == "length"
    for wrong in (99, -1):
        with pytest.raises(ValueError, match="unknown encryption type"):
            Key.generate(wrong)
    # Work that parameters ask for is bounded.
    with pytest.raises(MessageError) as refused:
        Key.from_password(18, "x", salt="y", parameters=struct.pack(">I", 2**30))
    assert refused.value.code == "limit"
    for password in ("pass", b"pass", bytearray(b"pass"), memoryview(b"pass")):
        assert Key.from_password(17, password, salt=b"s") == Key.from_password(17, "pass", salt="s")
    assert len(key.prf(b"x", 100)) == 100
    with pytest.raises(ValueError):
        key.prf(b"x", 2**40)


def test_principals() -> None:
    web = Principal(r"HTTP/web\/1.test@KRB.TEST")
    assert web.components == ["HTTP", "web/1.test"] and web.realm == "KRB.TEST"
    assert str(web) == r"HTTP/web\/1.test@KRB.TEST" and pickle.loads(pickle.dumps(web)) == web
    # Pickles keep the type of the name, and text what is not shown as it is.
    own = krb5.Principal("a\x7f/b@c\u202e", realm="KRB.TEST", enterprise=True)
    again = pickle.loads(pickle.dumps(own))
    assert (again, again.name_type, again.components) == (own, 10, ["a\x7f/b@c\u202e"])
    assert str(own) == r"a\u{7f}\/b\@c\u{202e}@KRB.TEST" and krb5.Principal(str(own)) == own
    assert hash(Principal("a@B")) == hash(Principal("a", realm="B")) and Principal("a@B") != Principal("b@B")
    assert Principal("user@mail.test", realm="KRB.TEST", enterprise=True).components == ["user@mail.test"]
    assert Principal("alice@KRB.TEST").salt == b"KRB.TESTalice"
    for wrong in ("alice", "a@b@c", "a\\", "a@b/c"):
        with pytest.raises(ValueError):
            Principal(wrong)


def test_keytabs(tmp_path: pathlib.Path) -> None:
    keytab = Keytab()
    keytab.add_password("host/a.test@KRB.TEST", "secret", enctypes=[17, "aes256-cts"], kvno=3)
    keytab.add("host/a.test@KRB.TEST", Key(17, bytes(16)), kvno=4, timestamp=1_700_000_000)
    assert [(entry.kvno, int(entry.enctype)) for entry in keytab] == [(3, 17), (3, 18), (4, 17)]
    assert keytab[2].timestamp == datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
    again = Keytab(keytab.to_bytes())
    assert list(again) == list(keytab) and again.to_bytes() == keytab.to_bytes()
    # What has the same principal, version and type replaces.
    keytab.add("host/a.test@KRB.TEST", Key(17, bytes(range(16))), kvno=4)
    assert len(keytab) == 3 and keytab.find("host/a.test@KRB.TEST", 17, 4) == Key(17, bytes(range(16)))
    # Found by time: the newest is the one that was written last.
    assert keytab.find(Principal("host/a.test@KRB.TEST"), 26) is None
    other = Keytab()
    other.add_password("b@KRB.TEST", b"x", enctypes=["aes128-sha2"])
    other.merge(keytab)
    other.merge(keytab)
    assert len(other) == 4 and other[0].principal == Principal("b@KRB.TEST")
    assert other.remove("host/a.test@KRB.TEST", kvno=3) == 2 and other.remove("c@KRB.TEST") == 0
    path = tmp_path / "a.keytab"
    path.write_bytes(b"old")
    keytab.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and list(Keytab.load(path)) == list(keytab)
    assert [one.name for one in tmp_path.iterdir()] == ["a.keytab"]
    for entry in keytab:
        assert entry.secret.hex() not in repr(entry) and repr(entry.secret) not in repr(entry)
    with pytest.raises(FileNotFoundError):
        Keytab.load(tmp_path / "none")
    with pytest.raises(TypeError):
        pickle.dumps(keytab)
    with pytest.raises(Asn1Error) as malformed:
        Keytab(b"\5\2\0\0\0\x20\0\1")
    assert malformed.value.code == "malformed" and malformed.value.offset is not None


@pytest.mark.parametrize("kind", ["FILE", "DIR", "MEMORY"])
def test_caches(kind: str, tmp_path: pathlib.Path) -> None:
    config = krb5.Config("[libdefaults]\n default_realm = KRB.TEST\n")
    name = {"FILE": f"FILE:{tmp_path}/cc", "DIR": f"DIR:{tmp_path}/all", "MEMORY": "MEMORY:test"}[kind]
    (tmp_path / "all").mkdir()
    cache = CredentialCache(name, config=config)
    with pytest.raises(FileNotFoundError):
        cache.credentials  # noqa: B018
    cache.initialize("alice@KRB.TEST")
    assert str(cache.principal) == "alice@KRB.TEST" and list(cache) == [] and cache.find("host/a") is None
    assert cache.granting() is None
    copy = CredentialCache.from_bytes(cache.to_bytes())
    assert copy.to_bytes() == cache.to_bytes() and copy.name.startswith("MEMORY:")
    assert pickle.loads(pickle.dumps(cache)).principal == cache.principal
    copy.destroy()
    if kind == "DIR":
        second = CredentialCache.unused(name, config=config)
        second.initialize("bob@KRB.TEST")
        assert len(CredentialCache.collection(name, config=config)) == 2
        second.switch()
        assert str(CredentialCache(name, config=config).principal) == "bob@KRB.TEST"
        second.destroy()
    cache.destroy()
    assert not CredentialCache.collection(cache.name, config=config)
    with pytest.raises(ValueError, match="not a type of credential cache"):
        CredentialCache("SMOKE:a", config=config)


def test_configurations(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part").write_text("[realms]\n B.TEST = {\n  kdc = b.test\n }\n", encoding="utf-8")
    path = tmp_path / "krb5.conf"
    text = "[libdefaults]\n default_realm = A.TEST\n default_ccache_name = FILE:/run/cc_%{null}1\n[domain_realm]\n .a.test = A.TEST\n"
    path.write_text(f"include {tmp_path}/part\n{text}", encoding="utf-8")
    config = krb5.Config(path=path)
    assert (config.default_realm, config.kdcs("B.TEST")) == ("A.TEST", ["b.test"])
    assert config.realm_of_host("www.a.test") == "A.TEST"
    assert config.to_dict()["realms"] == {"B.TEST": [{"kdc": ["b.test"]}]}
    monkeypatch.setenv("KRB5_CONFIG", str(path))
    monkeypatch.delenv("KRB5CCNAME", raising=False)
    assert krb5.Config().cache_name() == "FILE:/run/cc_1"
    monkeypatch.setenv("KRB5CCNAME", "MEMORY:env")
    assert krb5.Config().cache_name() == "MEMORY:env" and CredentialCache().name == "MEMORY:env"
    monkeypatch.setenv("KRB5_KTNAME", "FILE:/run/k")
    assert krb5.Config().keytab_path() == "/run/k"
    with pytest.raises(ValueError, match="line 1"):
        krb5.Config("nothing")
    # A text includes no files.
    with pytest.raises(ValueError):
        krb5.Config(f"include {tmp_path}/part\n")
    with pytest.raises(OSError):
        krb5.Config(path=tmp_path / "none")


def test_captured_messages_open_as_the_registers_say() -> None:
    keytab = Keytab.load(CAPTURES / "keys" / "all.keytab")
    [block] = pem.blocks((CAPTURES / "keys" / "client.key").read_bytes())
    opener = krb5.Opener(keytab, private_keys=[keys.PrivateKey.from_pkcs8(block.data)])
    counts: dict[str, int] = {}
    closed = []
    for path in sorted((CAPTURES / "raw").glob("*.bin")):
        data = path.read_bytes()
        shown = krb5.decode(data)
        assert shown.json() == json.dumps(json.loads(shown.json()), separators=(",", ":"), ensure_ascii=False)
        assert "bytes" in krb5.summary(data)
        for part in opener.open(data):
            if part.opened:
                counts[part.type] = counts.get(part.type, 0) + 1
                assert part.der is not None and repr(part.der) not in repr(part)
                assert part.content is not None, part
            else:
                closed.append((path.stem, part.path, part.key))
    assert [[name, str(count)] for name, count in sorted(counts.items())] == rows(REGISTERS / "captures-opened.tsv")[1:]
    assert [list(row) for row in closed] == [row[:3] for row in rows(REGISTERS / "captures-closed.tsv")[1:]]


def hidden(value: Any) -> int:
    """How many secrets are left out."""
    if isinstance(value, dict):
        return sum(map(hidden, value.values())) + (value.get("hidden") is True)
    return sum(map(hidden, value)) if isinstance(value, list) else 0


def test_what_is_secret_is_shown_on_demand() -> None:
    keytab = Keytab.load(CAPTURES / "keys" / "all.keytab")
    name = next((CAPTURES / "raw").glob("*as-enctimestamp-s2c-AS-REP.bin"))
    messages = [path.read_bytes() for path in sorted((CAPTURES / "raw").glob("*as-enctimestamp-*.bin"))]
    assert krb5.decode(name.read_bytes()).kind == "AS-REP"
    parts = {part.path: part for part in krb5.decrypt(messages, keytab)}
    ticket = parts["ticket.enc-part"]
    assert hidden(ticket.content) == 1 and ticket.content["key"]["keyvalue"] == {"hidden": True}
    told = {part.path: part for part in krb5.decrypt(messages, keytab, show_keys=True)}["ticket.enc-part"]
    assert hidden(told.content) == 0 and len(told.content["key"]["keyvalue"]) in (16, 32)
    assert isinstance(told.content["endtime"], datetime.datetime)
    assert krb5.decode(ticket.der, type_name="EncTicketPart").content == ticket.content
    assert krb5.decode(keytab.to_bytes()).content["entries"][0]["key"] == {"hidden": True}
    secret = krb5.decode(keytab.to_bytes(), show_keys=True).content["entries"][0]["key"]
    assert secret == keytab[0].secret


def test_captured_caches_round_trip() -> None:
    paths = [path for path in sorted((CAPTURES / "ccache").iterdir()) if path.is_file()]
    tickets = 0
    for path in paths:
        data = path.read_bytes()
        cache = CredentialCache.from_bytes(data)
        assert cache.to_bytes() == data, path.name
        for credential in cache:
            tickets += 1
            assert credential.client.realm and credential.session_key is not None
            assert credential.session_key.secret.hex() not in repr(credential)
            assert credential.to_dict()["server"] == str(credential.server)
            with pytest.raises(TypeError):
                pickle.dumps(credential)
        content = krb5.decode(data).content
        assert len(content["tickets"]) == len(cache.credentials)
        # Tickets open with the realm's keys, or in the session keys of others.
        cache.destroy()
    assert len(paths) > 40 and tickets > 40, (len(paths), tickets)
    opened = krb5.decrypt((CAPTURES / "ccache" / "tgs-host").read_bytes(), Keytab.load(CAPTURES / "keys" / "all.keytab"))
    assert opened and all(part.opened for part in opened)


def test_reference_encodings_decode_by_their_types() -> None:
    cases = json.loads(REFERENCES.read_text(encoding="utf-8"))["cases"]
    by_name = {"encode_krb5_authenticator": "Authenticator", "encode_krb5_ticket": "Ticket", "encode_krb5_as_req": "AS-REQ"}
    found = 0
    for case in cases:
        if case["name"] in by_name:
            found += 1
            name = by_name[case["name"]]
            assert krb5.decode(bytes.fromhex(case["hex"]), type_name=name, show_keys=True).content
    assert found >= 3
    with pytest.raises(ValueError, match="unknown type"):
        krb5.decode(b"\x30\x00", type_name="Nothing")
    with pytest.raises(Asn1Error) as refused:
        krb5.decode(b"\x30\x01", type_name="Ticket")
    assert refused.value.offset is not None


def capture(messages: list[bytes]) -> bytes:
    """A pcap of datagrams to port 88 over IPv4, without link layer."""
    file = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    for message in messages:
        udp = struct.pack(">HHHH", 40000, 88, 8 + len(message), 0) + message
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
        file += struct.pack("<IIII", 1_700_000_000, 0, len(ip + udp), len(ip + udp)) + ip + udp
    return file


def test_captures_of_traffic(tmp_path: pathlib.Path) -> None:
    paths = sorted((CAPTURES / "raw").glob("*as-enctimestamp-*.bin"))
    messages = [path.read_bytes() for path in paths]
    file = capture(messages)
    found = krb5.dissect(file)
    assert [one.data for one in found.messages] == messages and not any(one.parts for one in found.messages)
    assert (found.unread_packets, found.broken_streams) == (0, 0)
    first = found.messages[0]
    assert (first.packet, first.source, first.destination, first.tcp) == (1, "10.0.0.1:40000", "10.0.0.2:88", False)
    assert first.time == datetime.datetime.fromtimestamp(1_700_000_000, datetime.timezone.utc)
    assert first.summary.startswith("AS-REQ")
    (tmp_path / "a.pcap").write_bytes(file)
    keytab = Keytab.load(CAPTURES / "keys" / "all.keytab")
    opened = krb5.dissect(tmp_path / "a.pcap", keytab)
    assert any(part.path == "ticket.enc-part" and part.opened for one in opened.messages for part in one.parts)
    assert not krb5.dissect(file, ports=[749]).messages
    for cut in range(0, len(file), 97):
        try:
            krb5.dissect(file[:cut], keytab)
        except ValueError:
            pass


def test_damage_raises_exceptions_and_nothing_else() -> None:
    random_of = random.Random(5)
    keytab = Keytab.load(CAPTURES / "keys" / "all.keytab")
    inputs = [path.read_bytes() for path in sorted((CAPTURES / "raw").glob("*.bin"))[::7]]
    inputs += [path.read_bytes() for path in sorted((CAPTURES / "ccache").iterdir())[::5] if path.is_file()]
    inputs += [keytab.to_bytes()]
    refused = 0
    for data in inputs:
        for _ in range(60):
            damaged = bytearray(data)
            for _ in range(random_of.randint(1, 4)):
                damaged[random_of.randrange(len(damaged))] = random_of.randrange(256)
            del damaged[random_of.randint(len(damaged) // 2, len(damaged)) :]
            octets_ = bytes(damaged)
            for call in (
                krb5.decode,
                krb5.summary,
                krb5.Opener(keytab).open,
                Keytab,
                lambda data: CredentialCache.from_bytes(data).destroy(),
            ):
                try:
                    call(octets_)
                except ValueError:
                    refused += 1
    assert refused > 1000


def test_threads_share_a_keytab() -> None:
    keytab = Keytab()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for at in range(50):
                keytab.add(f"u{number}@A", Key(17, bytes(16)), kvno=at + 1)
                assert keytab.find(f"u{number}@A", 17, at + 1) is not None
                list(keytab)
                keytab.to_bytes()
        except BaseException as error:  # noqa: BLE001: it is told below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(keytab) == 400


def test_clients_without_a_kdc() -> None:
    config = krb5.Config("[libdefaults]\n default_realm = A.TEST\n dns_lookup_kdc = false\n[realms]\n A.TEST = {\n  kdc = 127.0.0.1:1\n }\n")
    client = krb5.Client(config)
    with pytest.raises(KerberosConnectionError) as unreached:
        client.kinit("alice", password="x")
    assert isinstance(unreached.value, ConnectionError) and unreached.value.code is None
    assert pickle.loads(pickle.dumps(unreached.value)).name == "network"
    with pytest.raises(TypeError, match="expected one of"):
        client.kinit("alice")
    with pytest.raises(TypeError, match="expected one of"):
        client.kinit("alice", password="x", keytab=Keytab())
    with pytest.raises(ValueError, match="empty"):
        client.kinit(keytab=Keytab())
    with pytest.raises(ValueError, match="unknown preauthentication method"):
        client.kinit("alice", password="x", methods=["smoke"])
    with pytest.raises(ValueError):
        client.kinit("alice", password="x", lifetime=-1)
    with pytest.raises(ValueError):
        client.kinit("alice", password="x", lifetime=float("nan"))
    with pytest.raises(ValueError, match="empty"):
        client.change_password("alice", "a", "")
    cache = CredentialCache("MEMORY:no-ticket")
    cache.initialize("alice@A.TEST")
    with pytest.raises(KerberosError) as missing:
        client.get_service_ticket("host/a", cache=cache)
    assert missing.value.name == "no-ticket"
    cache.destroy()
    assert str(client.service("host/www.b.test", "B.TEST")) == "host/www.b.test@B.TEST"


class Silent:
    """A KDC that takes requests and never answers."""

    def __enter__(self) -> krb5.Config:
        self.datagrams, self.streams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket()
        self.streams.bind(("127.0.0.1", 0))
        self.streams.listen(8)
        port = self.streams.getsockname()[1]
        self.datagrams.bind(("127.0.0.1", port))
        return krb5.Config(f"[libdefaults]\n default_realm = A.TEST\n[realms]\n A.TEST = {{\n  kdc = 127.0.0.1:{port}\n }}\n")

    def __exit__(self, *_: object) -> None:
        self.datagrams.close()
        self.streams.close()


def test_a_kdc_that_does_not_answer() -> None:
    with Silent() as config:
        begun = time.monotonic()
        messages: list[str | None] = []
        client = krb5.Client(config, timeout=0.2, tries=1, trace=lambda realm, _: messages.append(realm))
        with pytest.raises(KerberosConnectionError):
            client.kinit("alice", password="x")
        assert time.monotonic() - begun < 5 and messages == ["A.TEST"]
        for wrong in ({"timeout": 0}, {"timeout": -1}, {"timeout": float("nan")}):
            with pytest.raises(ValueError):
                krb5.Client(config, **wrong).kinit("alice", password="x")


def test_an_interrupt_ends_the_wait() -> None:
    # Where the tests run in the background, interrupts are ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupted()
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted() -> None:
    with Silent() as config:
        begun = time.monotonic()
        threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
        with pytest.raises(KeyboardInterrupt):
            krb5.Client(config).kinit("alice", password="x")
        assert time.monotonic() - begun < 5


#: A program that is interrupted while a proxy does not answer, and ends at once.
INTERRUPTED = """
import os, signal, threading
from tagwise import krb5
signal.signal(signal.SIGINT, signal.default_int_handler)
config = krb5.Config('[libdefaults]\\n default_realm = A.TEST\\n[realms]\\n A.TEST = {{\\n kdc = {kdc}\\n }}\\n')
# The process is interrupted, as by a key: a signal that a thread raises is its own, and does not end another one's wait for a socket.
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    krb5.Client(config, trace=print).kinit("alice", password="x")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("scheme", ["", "https://"])
def test_an_interrupted_program_ends(scheme: str) -> None:
    with Silent() as config:
        text = INTERRUPTED.format(kdc=scheme + config.kdcs("A.TEST")[0])
        begun = time.monotonic()
        ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
        assert ended.returncode == 0 and ended.stdout.endswith("interrupted\n") and not ended.stderr, ended.stderr
        assert time.monotonic() - begun < 8


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), ValueError("a full disk")])
def test_what_a_log_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def log(realm: str | None, message: bytes) -> None:
        assert threading.current_thread() is threading.main_thread()
        raise error

    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    with Silent() as config:
        expected = KerberosConnectionError if isinstance(error, Exception) else type(error)
        with pytest.raises(expected):
            krb5.Client(config, trace=log, timeout=0.1, tries=1).kinit("alice", password="x")
    assert [one.exc_value for one in seen] == ([error] if isinstance(error, Exception) else [])


def test_other_threads_wait_as_well() -> None:
    failures: list[BaseException] = []

    def wait(config: krb5.Config) -> None:
        try:
            krb5.Client(config, timeout=0.1, tries=1).kinit("alice", password="x")
        except BaseException as error:
            failures.append(error)

    with Silent() as config:
        threads = [threading.Thread(target=wait, args=(config,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    assert [type(error) for error in failures] == [KerberosConnectionError] * 4


def test_a_cache_of_its_own_is_gone_with_it() -> None:
    cache = CredentialCache("MEMORY:kept")
    cache.initialize("alice@A.TEST")
    own = CredentialCache.from_bytes(cache.to_bytes())
    name = own.name
    assert str(CredentialCache(name).principal) == "alice@A.TEST"
    own.own()
    del own
    gc.collect()
    with pytest.raises(FileNotFoundError):
        CredentialCache(name).credentials
    assert cache.credentials == []
    cache.destroy()


def test_clocks_of_acceptors() -> None:
    assert krb5.Config("[libdefaults]\n clockskew = 42\n").clock_skew == 42
    assert krb5.Config("").clock_skew == 300


def cache_file(owner: str, server: str, key: Key, end: int, offset: int) -> bytes:
    """A cache of version 4 with one ticket, and the KDC's clock offset in its header."""

    def counted(data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + data

    def principal(name: str) -> bytes:
        text, _, realm = name.partition("@")
        parts = text.split("/")
        return struct.pack(">II", 1, len(parts)) + b"".join(counted(part.encode()) for part in [realm, *parts])

    header = struct.pack(">HHii", 1, 8, offset, 0)
    times = struct.pack(">IIII", end - 36000, end - 36000, end, 0)
    # Ticket ::= [APPLICATION 1] SEQUENCE { tkt-vno 5, realm "A", sname { 1, {"a"} }, enc-part { 18, "x" } }
    ticket = bytes.fromhex(
        "612a 3028 a003020105 a1031b0141 a20e300ca003020101a10530031b0161 a30c300aa003020112a203040178"
    )
    credential = principal(owner) + principal(server) + struct.pack(">H", int(key.enctype)) + counted(key.secret)
    credential += times + b"\0" + struct.pack(">III", 0, 0, 0) + counted(ticket) + counted(b"")
    return b"\5\4" + struct.pack(">H", len(header)) + header + principal(owner) + credential


def test_clock_offset_of_caches_and_contexts() -> None:
    from tagwise import gss

    # This host's clock is an hour ahead of the KDC's, and by this clock, the ticket has expired ten minutes ago.
    now, offset = int(time.time()), -3600
    key = Key(18, bytes(range(32)))
    data = cache_file("alice@A.TEST", "host/a.test@A.TEST", key, now - 600, offset)
    config = krb5.Config("[libdefaults]\n default_realm = A.TEST\n")
    cache = CredentialCache.from_bytes(data, config=config)
    assert cache.to_bytes() == data and cache.clock_offset == offset
    found = cache.find("host/a.test")
    assert found is not None and int(found.end_time.timestamp()) == now - 600
    # The configuration may disable the correction.
    plain = CredentialCache(cache.name, config=krb5.Config("[libdefaults]\n kdc_timesync = 0\n"))
    assert plain.clock_offset == 0 and plain.find("host/a.test") is None

    creds = gss.Credentials(usage="initiate", cache=cache, client=krb5.Client(config))
    assert creds.clock_offset == offset
    context = gss.SecurityContext(name=gss.Name("host/a.test@A.TEST", gss.NameType.kerberos_principal), creds=creds, flags=0)
    token = context.step()
    assert token is not None
    request = krb5.decode(token[token.index(b"\x01\x00\x6e") + 2 :]).content
    authenticator = krb5.decode(key.decrypt(KeyUsage.AP_REQ_AUTHENTICATOR, request["authenticator"]["cipher"])).content
    assert abs(authenticator["ctime"].timestamp() - (now + offset)) <= 60
    assert context.complete and 2940 <= context.lifetime <= 3000

    cache.initialize("bob@A.TEST", clock_offset=7)
    assert cache.clock_offset == 7
    cache.initialize("bob@A.TEST")
    assert cache.clock_offset == 0
    cache.destroy()
