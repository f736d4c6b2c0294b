"""Charging records of 3GPP TS 32.298: classes that `tagwise compile --lang python` makes, with asn1tools as a witness of both ways."""

from __future__ import annotations

import io
import pathlib
import random
from collections.abc import Iterator
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from tagwise import Asn1Error, asn1, generated

from . import charging
from .test_generated import generate

#: Number of records by chance: enough that nothing of the module is left out.
COUNT = 400
SEED = 32298


@pytest.fixture(scope="module")
def gprs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return generate(tmp_path_factory.mktemp("charging"), "gprs", charging.MODULE)


@pytest.fixture(scope="module")
def peer() -> Any:
    return charging.compiled("ber")


@pytest.fixture(scope="module")
def strict_peer() -> Any:
    return charging.compiled("der")


@pytest.fixture(scope="module")
def made() -> list[tuple[str, dict[str, Any]]]:
    records, left_out = charging.records(COUNT, SEED)
    assert not left_out
    return records


def compare(peer: Any, ours: Any, theirs: Any, path: str) -> int:
    """Holds a value to that of asn1tools, and gives the number of values without parts."""
    if isinstance(ours, generated.Structure):
        assert getattr(ours, "additions", ()) == (), path
        count = 0
        assert set(theirs) <= {name for _, name, _ in ours._members}, path
        for attribute, name, conversion in ours._members:
            value, place = getattr(ours, attribute), f"{path}.{name}"
            if name in theirs:
                count += compare(peer, value, theirs[name], place)
            elif conversion is generated.PRESENT or name == "significance":
                # A NULL that is not there; FALSE by DEFAULT.
                assert value is False, place
            else:
                assert value == (64 if name == "pDPAddressPrefixLength" else None), place
        return count
    if isinstance(ours, IntEnum):
        assert isinstance(theirs, str) and ours.name == theirs.replace("-", "_"), path
    elif isinstance(ours, tuple) and isinstance(ours[0], str):
        assert ours[0] == theirs[0], path
        return compare(peer, ours[1], theirs[1], f"{path}.{ours[0]}")
    elif isinstance(ours, tuple):
        octets, unused = ours
        assert (octets, 8 * len(octets) - unused) == theirs, path
    elif isinstance(ours, list):
        assert len(ours) == len(theirs), path
        return sum(compare(peer, one, other, f"{path}[]") for one, other in zip(ours, theirs))
    elif isinstance(theirs, tuple):
        # The information of an extension: its encoding here, a choice of types there.
        assert ours == peer.encode("Information", theirs), path
    elif theirs is None:
        assert ours is True, path
    else:
        assert type(ours) is type(theirs) and ours == theirs, path
    return 1


def built(module: ModuleType, peer: Any, types: dict[str, Any], ty: dict[str, Any], theirs: Any, name: str = "") -> Any:
    """The value of the module for one of asn1tools, by the tree that asn1tools has of the module."""
    kind = ty["type"]
    if kind == "Information":
        return peer.encode("Information", theirs)
    if kind in types:
        return built(module, peer, types, types[kind], theirs, kind)
    members = {member["name"]: member for member in filter(None, ty.get("members", []))}
    if kind in ("SEQUENCE", "SET"):
        made = {key: built(module, peer, types, members[key], value) for key, value in theirs.items()}
        return getattr(module, name.replace("-", "_"))(**{key.replace("-", "_"): value for key, value in made.items()})
    if kind == "CHOICE":
        return theirs[0], built(module, peer, types, members[theirs[0]], theirs[1])
    if kind in ("SEQUENCE OF", "SET OF"):
        return [built(module, peer, types, ty["element"], one) for one in theirs]
    if kind == "ENUMERATED":
        return getattr(module, name.replace("-", "_"))[theirs.replace("-", "_")]
    if kind == "BIT STRING":
        return theirs[0], 8 * len(theirs[0]) - theirs[1]
    return True if kind == "NULL" else theirs


def test_what_asn1tools_writes(gprs: ModuleType, peer: Any, strict_peer: Any, made: list[Any]) -> None:
    codec, values, reordered = gprs.GPRSRecord_codec, 0, 0
    for number, record in enumerate(made):
        data = bytes(peer.encode("GPRSRecord", record))
        read = codec.decode(data, rules="BER")
        values += compare(peer, read, record, f"[{number}]")
        if len(record[1].get("recordExtensions", ())) > 1:
            # A SET OF is read in the order of DER.
            turned = (record[0], {**record[1], "recordExtensions": record[1]["recordExtensions"][::-1]})
            assert codec.decode(peer.encode("GPRSRecord", turned), rules="BER") == read
            reordered += 1
        # Written again, it is what asn1tools reads, and what it writes by DER.
        der = codec.encode(read)
        assert peer.decode("GPRSRecord", der) == peer.decode("GPRSRecord", data)
        assert der == bytes(strict_peer.encode("GPRSRecord", record)), number
    assert values > 30 * COUNT and reordered > COUNT // 10


def test_what_asn1tools_reads(gprs: ModuleType, peer: Any, strict_peer: Any, made: list[Any]) -> None:
    codec = gprs.GPRSRecord_codec
    (tree,) = charging.asn1tools.parse_string(charging.text()).values()
    types = tree["types"]
    for record in made:
        own = built(gprs, peer, types, types["GPRSRecord"], record, "GPRSRecord")
        plain = peer.decode("GPRSRecord", peer.encode("GPRSRecord", record))
        for rules in ("DER", "CER", "BER"):
            data = codec.encode(own, rules=rules)
            # CER has an order of its own in a SET OF, of the encodings by CER.
            assert charging.ordered(strict_peer, peer.decode("GPRSRecord", data)) == plain
            assert codec.decode(data, rules=rules) == own


def test_other_forms_of_ber(gprs: ModuleType, peer: Any, made: list[Any]) -> None:
    source, codec, segmented = random.Random(SEED), gprs.GPRSRecord_codec, 0
    ty = asn1.type_of(codec)
    for number, record in enumerate(made):
        plain = bytes(peer.encode("GPRSRecord", record))
        elements = [one for one in ty.inspect(plain, rules="BER").walk() if isinstance(one.value, bytes) and one.header]
        strings = {one.offset for one in elements if one.offset is not None and not one.path.endswith(".information")}
        loose = charging.loosened(plain, source, strings)
        assert peer.decode("GPRSRecord", loose) == peer.decode("GPRSRecord", plain)
        read = codec.decode(loose, rules="BER")
        compare(peer, read, record, f"[{number}]")
        assert codec.encode(read) == codec.encode(codec.decode(plain, rules="BER"))
        inside = ty.inspect(loose, rules="BER")
        segmented += sum(one.header.tag.constructed for one in inside.walk() if isinstance(one.value, bytes) and one.header)
        assert [one.path for one in inside.walk()] == [one.path for one in ty.inspect(plain, rules="BER").walk()]
        with pytest.raises(Asn1Error):
            codec.decode(loose)
    assert segmented > COUNT


def values(events: Iterator[asn1.Event]) -> list[tuple[str, Any]]:
    """Paths and values of events; strings in pieces are joined."""
    found: list[tuple[str, Any]] = []
    for event in events:
        if event.kind == "value":
            found.append((event.path, event.value))
        elif event.kind == "chunk":
            if found and found[-1][0] == event.path:
                event = event._replace(value=found.pop()[1] + event.value)
            found.append((event.path, event.value))
    return found


def test_events(gprs: ModuleType, peer: Any, made: list[Any]) -> None:
    source, ty = random.Random(SEED), asn1.type_of(gprs.GPRSRecord_codec)
    for record in made[:100]:
        plain = bytes(peer.encode("GPRSRecord", record))
        loose = charging.loosened(plain, source)
        # Values by DEFAULT are not in the encoding, and lists of nothing are no values.
        leaves = [(one.path, one.value) for one in ty.inspect(plain, rules="BER").walk() if one.header and not one.children]
        told = values(ty.events(io.BytesIO(loose), rules="BER"))
        assert [one for one in told if ".information" not in one[0]] == [
            one for one in leaves if ".information" not in one[0] and one[1] not in ([], {})
        ]


@pytest.fixture(scope="module")
def file(peer: Any, made: list[Any]) -> tuple[bytes, list[int]]:
    """A file as a gateway sends it, in many forms of BER, and where its records begin."""
    source, whole, offsets = random.Random(SEED), b"", []
    for record in made:
        offsets.append(len(whole))
        whole += charging.loosened(bytes(peer.encode("GPRSRecord", record)), source)
    return whole, offsets


def test_files(gprs: ModuleType, peer: Any, made: list[Any], file: tuple[bytes, list[int]], tmp_path: pathlib.Path) -> None:
    whole, offsets = file
    (tmp_path / "records").write_bytes(whole)
    codec = gprs.GPRSRecord_codec
    for source in (tmp_path / "records", whole, io.BytesIO(whole)):
        read = list(codec.records(source, rules="BER"))
        assert [offset for offset, _ in read] == offsets
        for (_, ours), theirs in zip(read, made):
            compare(peer, ours, theirs, "")
    # As values of the type, one at a time.
    first = next(asn1.type_of(codec).records(whole, rules="BER"))
    assert first == (0, asn1.type_of(codec).decode(whole[: offsets[1]], rules="BER"))
    assert list(codec.records(b"")) == []


def test_a_damaged_record(gprs: ModuleType, made: list[Any], file: tuple[bytes, list[int]]) -> None:
    whole, offsets = file
    codec, middle = gprs.GPRSRecord_codec, len(made) // 2
    # A time stamp that is a byte too short, in a record of its own.
    ty = asn1.type_of(codec)
    good = codec.decode(whole[offsets[middle] : offsets[middle + 1]], rules="BER")
    encoded = codec.encode(good)
    name = "eventTimeStamp" if good[0] in ("sgsnSMORecord", "sgsnSMTRecord") else "recordOpeningTime"
    place = ty.inspect(encoded)[f"{good[0]}.{name}"]
    assert place.offset is not None and encoded[place.offset + 1] == 9
    bad = bytearray(encoded)
    # Another record's end is where it was: a string of no length is put where the byte was.
    bad[place.offset + 1] = 7
    bad[place.offset + 9 : place.offset + 11] = b"\xdf\0"
    data = whole[: offsets[middle]] + bytes(bad) + whole[offsets[middle + 1] :]
    at = offsets[middle]

    # It is told with the path and the byte of the file, and what is behind it is read.
    told: list[tuple[int, bytes, Exception]] = []
    read = list(codec.records(io.BytesIO(data), rules="BER", damaged=lambda *one: told.append(one)))
    assert len(read) == len(made) - 1
    [(offset, octets, error)] = told
    assert (offset, octets) == (at, bytes(bad)) and isinstance(error, Asn1Error)
    assert error.path.startswith(f"[{middle}].{good[0]}") and error.offset is not None
    assert at <= error.offset < at + len(bad)
    # By default it is raised, after the records before it.
    before = []
    with pytest.raises(Asn1Error) as raised:
        for one in codec.records(data, rules="BER"):
            before.append(one)
    assert len(before) == middle and raised.value.offset == error.offset
    # Of a record whose length is wrong, the next one's beginning is not known: that is raised in any case.
    told.clear()
    cut = data[: at + len(bad) - 1]
    with pytest.raises(Asn1Error) as raised:
        list(codec.records(cut, rules="BER", damaged=lambda *one: told.append(one)))
    assert not told and raised.value.code == "truncated" and raised.value.offset == len(cut)
    # Nor is a record held that is longer than the limit.
    with pytest.raises(Asn1Error) as raised:
        list(codec.records(b"\xbf\x4e\x84\x7f\xff\xff\xff", rules="BER", limit=1000))
    assert raised.value.offset == 0
