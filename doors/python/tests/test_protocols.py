"""Protocols whose modules `tagwise compile --lang python` turns into classes: messages that others sent are read, written and compared."""

from __future__ import annotations

import importlib
import os
import pathlib
import re
import sys
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from tagwise import asn1, generated

from .test_generated import ROOT, generate

MODULES = pathlib.Path(__file__).with_name("modules")
CORPORA = pathlib.Path(os.environ.get("TAGWISE_CORPORA", ROOT.parent / "shared" / "corpora"))

#: What ldap3 2.9.1 sends for a bind, a search in pages, an addition, a modification, a new name, a comparison, "Who am I?", a deletion and
#: the end.
LDAP = """
302c0201016027020103041a636e3d61646d696e2c64633d6578616d706c652c64633d6f72678006736563726574
3081b802010263818d041164633d6578616d706c652c64633d6f72670a01020a010302010a020100010100a05da315040b6f626a656374436c617373040670
6572736f6ea11ea4140402636e300e800345766181034d656982026572a20687046d61696ca509040361676504023330a919810e6361736545786163744d61
7463688202636e8303457661300a0402636e04046d61696ca02330210416312e322e3834302e3131333535362e312e342e333139040730050201050400

304e02010368490418636e3d4576612c64633d6578616d706c652c64633d6f7267302d300d0402736e310704054d65696572301c040b6f626a656374436c61
7373310d0406706572736f6e0403746f70
3041020104663c0418636e3d4576612c64633d6578616d706c652c64633d6f72673020301e0a0102301904046d61696c3111040f657661406578616d706c65
2e6f7267
302a0201056c250418636e3d4576612c64633d6578616d706c652c64633d6f72670406636e3d4577610101ff
302c0201066e270418636e3d4577612c64633d6578616d706c652c64633d6f7267300b0402736e04054d65696572
301e02010777198017312e332e362e312e342e312e343230332e312e31312e33
301d0201084a18636e3d4577612c64633d6578616d706c652c64633d6f7267
30050201094200
"""


def messages(stream: bytes) -> list[bytes]:
    """The messages of a connection, one after the other."""
    found = []
    while stream:
        root = asn1.inspect(stream[: 2 + stream[1]] if stream[1] < 0x80 else stream[: 3 + stream[2]], rules="BER")
        assert root.end is not None
        found.append(stream[: root.end])
        stream = stream[root.end :]
    return found


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("protocols")


def test_ldap(room: pathlib.Path) -> None:
    ldap = generate(room, "ldap", MODULES / "ldap.asn1")
    sent = messages(bytes.fromhex(LDAP))
    read = [ldap.LDAPMessage.decode(one, rules="BER") for one in sent]
    assert [one.messageID for one in read] == list(range(1, 10))
    assert [one.protocolOp[0] for one in read] == [
        "bindRequest", "searchRequest", "addRequest", "modifyRequest", "modDNRequest", "compareRequest", "extendedReq", "delRequest",
        "unbindRequest",
    ]  # fmt: skip
    # What ldap3 sends is DER, but for what is FALSE by DEFAULT and for the order of values in a SET.
    assert [one.encode() == octets for one, octets in zip(read, sent)] == [number not in (1, 2) for number in range(9)]
    assert [ldap.LDAPMessage.decode(one.encode()) for one in read[:1] + read[3:]] == read[:1] + read[3:]
    bind = read[0].protocolOp[1]
    assert (bind.version, bind.name, bind.authentication) == (3, b"cn=admin,dc=example,dc=org", ("simple", b"secret"))
    search = read[1].protocolOp[1]
    assert search.scope is ldap.SearchRequest_scope.wholeSubtree and search.sizeLimit == 10
    kind, parts = search.filter
    # A SET OF has no order: what is read of BER has that of DER.
    assert kind == "and" and [name for name, _ in parts] == ["or", "equalityMatch", "greaterOrEqual", "extensibleMatch"]
    (substrings,) = (part for name, part in parts[0][1] if name == "substrings")
    assert substrings.substrings == [("initial", b"Eva"), ("any", b"Mei"), ("final", b"er")]
    assert parts[3][1].dnAttributes is False
    (control,) = read[1].controls
    assert control.controlType == b"1.2.840.113556.1.4.319" and control.criticality is False
    # A server's answer, and what is wrong with one.
    done = ldap.LDAPMessage(
        messageID=2,
        protocolOp=(
            "searchResDone",
            ldap.LDAPResult(resultCode=ldap.LDAPResult_resultCode.noSuchObject, matchedDN=b"", diagnosticMessage=b"gone"),
        ),
    )
    assert done.encode().hex() == "3010020102650b0a0120040004" + "04676f6e65"
    assert asn1.to_json(done) == asn1.to_json(ldap.LDAPMessage.decode(done.encode()))
    with pytest.raises(ValueError) as caught:
        ldap.LDAPMessage.decode(sent[0].replace(b"\x02\x01\x03", b"\x02\x01\x80", 1))
    assert caught.value.path == "protocolOp.bindRequest.version"  # type: ignore[attr-defined]


#: What pysnmp 7.1.30 sends to set five variables: the search for the engine, and, once it was answered, the request.
SNMP = """
303d020103301002031064c5020300ffe30401040201030410300e0400020100020100040004000400301404000400a30e020400d7064e02010002010030
00
3081a9020103301002031064c6020300ffe3040104020103041b301904088000000001020304020101020164040365766104000400307504088000000001
0203040400a367020400d7064d0201000201003059300d06082b060102010109000201fb301506082b06010201010a004609008000000000000000301006
082b06010201010b004004c0000201300d06082b06010201010c00430164301006082b06010201010d00040474657874
"""


def test_snmpv3(room: pathlib.Path) -> None:
    snmp = generate(room, "snmpv3", MODULES / "snmpv3.asn1")
    sent = messages(bytes.fromhex(SNMP))
    search, request = (snmp.SNMPv3Message.decode(one, rules="BER") for one in sent)
    assert search.msgGlobalData.msgSecurityModel == 3 and search.msgData[1].contextEngineID == b""
    usm = snmp.UsmSecurityParameters.decode(request.msgSecurityParameters)
    assert (usm.msgUserName, usm.msgAuthoritativeEngineTime, usm.msgAuthoritativeEngineID.hex()) == (b"eva", 100, "8000000001020304")
    kind, scoped = request.msgData
    assert kind == "plaintext" and scoped.data[0] == "set-request"
    assert [one.data for one in scoped.data[1].variable_bindings] == [
        ("value", ("simple", ("integer-value", -5))),
        ("value", ("application-wide", ("big-counter-value", 2**63))),
        ("value", ("application-wide", ("ipAddress-value", bytes([192, 0, 2, 1])))),
        ("value", ("application-wide", ("timeticks-value", 100))),
        ("value", ("simple", ("string-value", b"text"))),
    ]
    assert request.encode() == sent[1] and search.encode() == sent[0]
    # An agent's answer to the search: a report with its engine.
    report = snmp.PDU(
        request_id=scoped.data[1].request_id,
        error_status=0,
        error_index=0,
        variable_bindings=[
            snmp.VarBind(name="1.3.6.1.6.3.15.1.1.4.0", data=("value", ("application-wide", ("counter-value", 1))))
        ],
    )
    answer = snmp.SNMPv3Message(
        msgVersion=3,
        msgGlobalData=request.msgGlobalData,
        msgSecurityParameters=usm.encode(),
        msgData=("plaintext", snmp.ScopedPDU(contextEngineID=b"", contextName=b"", data=("report", report))),
    )
    assert snmp.SNMPv3Message.decode(answer.encode()) == answer
    with pytest.raises(ValueError, match="msgMaxSize"):
        request.msgGlobalData.msgMaxSize = 483
        request.encode()


def test_gprs_charging_records(room: pathlib.Path) -> None:
    gprs = generate(room, "gprs", MODULES / "gprs.asn1")
    # A record of an S-GW in BER: of indefinite length, its components in the order of TS 32.298, the last one of a later version.
    body = [
        "800154", "83086210100000000010", "a4068004c0000201", "85021267", "a6068004c6336401", "8708696e7465726e6574", "8802f121",
        "a908a0068004cb007105", "8b0101", "ac193017" + "83020800" + "8403010000" + "850102" + "86092601021530452b0100",
        "8d092601021500002b0100", "8e020e10", "8f0100", "910105", "9206" + "73677731" + "3233", "97020800", "9b0362f210",
        "9e0106", "bf23030a0105", "bf8a5003800101",
    ]  # fmt: skip
    record = bytes.fromhex("bf4e80" + "".join(body) + "0000")
    kind, read = gprs.GPRSRecord_codec.decode(record, rules="BER")
    assert kind == "sGWRecord" and read.recordType == 84 and read.servedIMSI == bytes.fromhex("6210100000000010")
    assert read.s_GWAddress == ("iPBinaryAddress", ("iPBinV4Address", bytes([192, 0, 2, 1]))) and read.accessPointNameNI == "internet"
    assert read.servedPDPPDNAddress == ("iPAddress", ("iPBinaryAddress", ("iPBinV4Address", bytes([203, 0, 113, 5]))))
    (volume,) = read.listOfTrafficVolumes
    assert (volume.dataVolumeGPRSUplink, volume.dataVolumeGPRSDownlink) == (2048, 65536)
    assert volume.changeCondition is gprs.ChangeCondition.recordClosure and read.dynamicAddressFlag is True
    assert read.servingNodeType == [gprs.ServingNodeType.mME] and read.duration == 3600
    der = gprs.GPRSRecord_codec.encode((kind, read))
    assert gprs.GPRSRecord_codec.decode(der) == (kind, read)
    root = asn1.type_of(gprs.GPRSRecord_codec).inspect(record, rules="BER")
    time = root["sGWRecord.listOfTrafficVolumes[0].changeTime"]
    assert time.offset is not None and record[time.offset : time.end].hex() == "86092601021530452b0100"
    assert root["sGWRecord"].indefinite and root["sGWRecord"].ber and not time.ber


def captured(name: str) -> list[bytes]:
    """Messages of Signalling System No. 7 in public captures (`gsm_map_with_ussd_string.pcap`, `camel.pcap` and `camel2.pcap` of
    Wireshark's samples), which the source distribution of pycrate has for its own tests."""
    room = os.environ.get("TAGWISE_PYCRATE")
    if room is None:
        pytest.skip("the source of pycrate is not here: TAGWISE_PYCRATE says where; ./x python fetches it")
    sys.path.append(room)
    text = (pathlib.Path(room) / "test" / "test_asn1rt.py").read_text(encoding="utf-8")
    match = re.search(rf"^{name} = tuple\(map\(unhexlify, \((.*?)\)\)\)", text, re.MULTILINE | re.DOTALL)
    assert match is not None
    return [bytes.fromhex(one) for one in re.findall("'([0-9a-f]+)'", match[1])]


def loaded(module: ModuleType, name: str, value: Any) -> Any:
    """A value of an open type as the module has it."""
    name = name.replace("-", "_")
    found = getattr(module, f"{name}_codec", None)
    if found is None:
        return getattr(module, name).from_value(value)
    return value if found._conversion is None else found._conversion.load(value)


def agrees(module: ModuleType, ours: Any, theirs: Any) -> None:
    """Holds a value to the one that pycrate reads, by its own modules of the whole standard."""
    if isinstance(ours, generated.Structure):
        names = {name: getattr(ours, attribute) for attribute, name, _ in ours._members}
        assert set(theirs) <= set(names) and getattr(ours, "additions", ()) == ()
        for name, value in names.items():
            if name in theirs:
                agrees(module, value, theirs[name])
            else:
                # Absent, or its DEFAULT value.
                assert value is None or value is False or name in ("miscCallInfo", "partyToCharge", "legActive")
    elif isinstance(ours, IntEnum):
        assert ours.name == theirs.replace("-", "_")
    elif isinstance(ours, tuple) and isinstance(theirs, bytes):
        # pycrate leaves the octets that a string contains.
        result = ours[0] == "timeDurationChargingResult"
        codec = module.CAMEL_CallResult_codec if result else module.CAMEL_AChBillingChargingCharacteristics_codec
        assert codec.encode(ours) == theirs
    elif isinstance(ours, tuple) and isinstance(ours[0], str):
        assert ours[0] == theirs[0]
        agrees(module, ours[1], theirs[1])
    elif isinstance(ours, tuple):
        octets, unused = ours
        assert (int.from_bytes(octets, "big") >> unused, len(octets) * 8 - unused) == theirs
    elif isinstance(ours, list):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            agrees(module, one, other)
    else:
        # A NULL that is there.
        assert ours == theirs or (ours is True and theirs == 0)


def arguments(message: Any) -> list[tuple[str, Any, Any]]:
    """The components of a message of TCAP: kind, code, and argument or parameter."""
    found = []
    for kind, part in message[1].components or []:
        code = part.opcode if kind == "invoke" else part.errcode
        found.append((kind, code[1], part.argument if kind == "invoke" else part.parameter))
    return found


def dialogues(module: ModuleType) -> list[asn1.Defines]:
    """An EXTERNAL holds the dialogue, in which others hold what the users of the dialogue say."""
    types = {module.dialogue_as_id: asn1.type_of(module.DialoguePDU_codec)}
    if hasattr(module, "map_DialogueAS"):
        types[module.map_DialogueAS] = asn1.type_of(module.MAP_DialoguePDU_codec)
    return [asn1.Defines("**.direct-reference", "encoding.single-ASN1-type", types)]


@pytest.mark.parametrize("name", ["map", "cap"])
def test_signalling(room: pathlib.Path, name: str) -> None:
    sent = captured(f"pkts_tcap_{name}")
    module = generate(room, name, MODULES / "tcap.asn1", MODULES / f"{name}.asn1")
    codec = getattr(module, f"{name.upper()}_Message_codec")
    ty = asn1.type_of(codec)
    theirs = importlib.import_module(f"pycrate_asn1dir.TCAP_{name.upper()}")
    assert theirs is not None
    known = importlib.import_module("pycrate_asn1rt.glob").GLOBAL.MOD
    if name == "map":
        other = known["TCAP-MAP-Messages"]["TCAP-MAP-Message"]
    else:
        other = known["CAP-gsmSSF-gsmSCF-pkgs-contracts-acs"]["GenericSSF-gsmSCF-PDUs"]
    codes = []
    for octets in sent:
        message = codec.decode(octets, rules="BER")
        other.from_ber(octets)
        kind, value = other.get_val()
        assert message[0] == kind
        assert len(message[1].components) == len(value["components"])
        for (what, code, argument), (_, (their_kind, part)) in zip(arguments(message), value["components"]):
            codes.append(code)
            assert what == their_kind and part["opcode" if what == "invoke" else "errcode"] == ("local", code)
            held = part.get("argument" if what == "invoke" else "parameter")
            assert (argument is None) == (held is None)
            if held is not None:
                agrees(module, loaded(module, held[0], argument), held[1])
        # What encodes is the same message in DER. Those that are none have DEFAULT values, which DER leaves out, and nothing else.
        der = codec.encode(message)
        assert codec.decode(der) == message and ty.encode(ty.decode(der)) == der
        encoded_defaults = ty.deviations(octets, allow=["default-encoded"])
        assert (der == octets) == (not encoded_defaults)
        # The dialogue, and what is in it, in elements and in events.
        root = ty.inspect(octets, rules="BER", defines=dialogues(module))
        if message[1].dialoguePortion is None:
            continue
        whole = root[f"{kind}.dialoguePortion"].value
        asked = whole["encoding"][1][1]["application-context-name"]
        assert asked == ".".join(map(str, value["dialoguePortion"]["encoding"][1][1][1]["application-context-name"]))
        events = [event for event in ty.events(octets, rules="BER", defines=dialogues(module)) if event.kind == "value"]
        (dialogue,) = [event.value for event in events if event.path.endswith("single-ASN1-type")]
        assert dialogue == whole["encoding"][1]
        if "user-information" in dialogue[1]:
            (said,) = dialogue[1]["user-information"]
            destination = bytes.fromhex("9656051124006913f6")
            assert said["encoding"] == ("single-ASN1-type", ("map-open", {"destinationReference": destination}))
    assert sorted(codes) == sorted({"map": [59, 2, 67, 34, 23, 7], "cap": [0, 23, 35, 31, 24, 36, 24, 22, 0, 23, 20, 24, 22]}[name])


@pytest.fixture(scope="module")
def cms(room: pathlib.Path) -> ModuleType:
    return generate(room, "cms", *sorted((ROOT / "schemas").glob("*/*.asn1")))


@pytest.mark.parametrize(
    "name",
    [
        "rfc3852.ContentInfoTestCase",
        "rfc2634.SignedMessageTestCase.signed_message",
        "rfc4056.PSSSignedDataTestCase",
        "rfc3370.EnvelopedDataTestCase.env_data",
        "rfc5035.SignedMessageTestCase.signed_message",
        "rfc4073.ContentCollectionTestCase",
    ],
)
def test_cms(cms: ModuleType, name: str) -> None:
    found = list((CORPORA / "rfc-samples").glob(f"{name}*.der"))
    if not found:
        pytest.skip("the samples of the RFCs are not here")
    der = found[0].read_bytes()
    message = cms.ContentInfo.decode(der)
    assert message.encode() == der
    kind, content = message.contentType, message.content
    if kind == cms.id_signedData:
        content = cms.SignedData.from_value(content)
        assert content.version in (1, 3) and content.signerInfos[0].signature
    elements = asn1.type_of(cms.ContentInfo).inspect(der)
    assert elements.value == message.to_value() and elements["contentType"].value == kind
    for element in elements.walk():
        if element.header is not None:
            assert der[element.header.offset] & 0x3F in (element.header.tag.number | element.header.tag.constructed << 5, 0x3F, 0x1F)
            assert not element.ber
