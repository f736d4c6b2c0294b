"""Messages of NGAP, and of RRC of NR and LTE, as JSON (JER): the set of modules, the type and the value."""


def ie(number, value, criticality="reject"):
    return {"id": number, "criticality": criticality, "value": value}


def ngap(kind, number, ies, criticality="reject"):
    """A message of NGAP (3GPP TS 38.413 §9.4)."""
    return {kind: {"procedureCode": number, "criticality": criticality, "value": {"protocolIEs": ies}}}


def nr(name, fields, rest=None):
    """A message of the downlink DCCH of NR (3GPP TS 38.331 §6.2.1)."""
    value = {"rrc-TransactionIdentifier": 1, "criticalExtensions": {rest or name: fields}}
    return {"message": {"c1": {name: value}}}


PLMN = "00F110"
TAC = "000001"
SLICES = [{"s-NSSAI": {"sST": "01"}}, {"s-NSSAI": {"sST": "02", "sD": "ABCDEF"}}]
GUAMI = {"pLMNIdentity": PLMN, "aMFRegionID": "CA", "aMFSetID": "0FC0", "aMFPointer": "04"}
LOCATION = {
    "userLocationInformationNR": {
        "nR-CGI": {"pLMNIdentity": PLMN, "nRCellIdentity": "0000000100"},
        "tAI": {"pLMNIdentity": PLMN, "tAC": TAC},
    }
}
ALGORITHMS = [{"value": "E000", "length": 16}] * 4
SECURITY = dict(
    zip(
        ["nRencryptionAlgorithms", "nRintegrityProtectionAlgorithms", "eUTRAencryptionAlgorithms", "eUTRAintegrityProtectionAlgorithms"],
        ALGORITHMS,
    )
)
#: The NAS message Registration Request, and an authentication request.
REGISTRATION = "7E004179000D0100F110000000000000000010022E04F0F0F0F0"
AUTHENTICATION = "7E005600020000217A1F3E6D6C9A5B4C0D1E2F3041526374201055667788990080001122334455667788"

CELL_GROUP = {
    "cellGroupId": 0,
    "rlc-BearerToAddModList": [
        {
            "logicalChannelIdentity": 1,
            "servedRadioBearer": {"srb-Identity": 1},
            "rlc-Config": {
                "am": {
                    "ul-AM-RLC": {
                        "sn-FieldLength": "size12",
                        "t-PollRetransmit": "ms45",
                        "pollPDU": "infinity",
                        "pollByte": "infinity",
                        "maxRetxThreshold": "t8",
                    },
                    "dl-AM-RLC": {"sn-FieldLength": "size12", "t-Reassembly": "ms35", "t-StatusProhibit": "ms0"},
                }
            },
        }
    ],
    "physicalCellGroupConfig": {"p-NR-FR1": 10, "pdsch-HARQ-ACK-Codebook": "dynamic"},
}

MESSAGES = [
    (
        "ngap",
        "NGAP-PDU",
        ngap(
            "initiatingMessage",
            21,
            [
                ie(27, {"globalGNB-ID": {"pLMNIdentity": PLMN, "gNB-ID": {"gNB-ID": {"value": "000004", "length": 22}}}}),
                ie(82, "gNB-1", "ignore"),
                ie(102, [{"tAC": TAC, "broadcastPLMNList": [{"pLMNIdentity": PLMN, "tAISliceSupportList": SLICES}]}]),
                ie(21, "v128", "ignore"),
            ],
        ),
    ),
    (
        "ngap",
        "NGAP-PDU",
        ngap(
            "successfulOutcome",
            21,
            [
                ie(1, "AMF"),
                ie(96, [{"gUAMI": GUAMI}]),
                ie(86, 255, "ignore"),
                ie(80, [{"pLMNIdentity": PLMN, "sliceSupportList": SLICES}]),
            ],
        ),
    ),
    (
        "ngap",
        "NGAP-PDU",
        ngap(
            "initiatingMessage",
            15,
            [
                ie(85, 1),
                ie(38, REGISTRATION),
                ie(121, LOCATION),
                ie(90, "mo-Signalling", "ignore"),
                ie(112, "requested", "ignore"),
            ],
            "ignore",
        ),
    ),
    (
        "ngap",
        "NGAP-PDU",
        ngap("initiatingMessage", 4, [ie(10, 4294967296), ie(85, 1), ie(38, AUTHENTICATION)], "ignore"),
    ),
    (
        "ngap",
        "NGAP-PDU",
        ngap(
            "initiatingMessage",
            14,
            [
                ie(10, 4294967296),
                ie(85, 1),
                ie(28, GUAMI),
                ie(0, [{"s-NSSAI": {"sST": "01"}}]),
                ie(119, SECURITY),
                ie(94, "5A" * 32),
                ie(117, "04" * 40, "ignore"),
                ie(38, AUTHENTICATION, "ignore"),
            ],
        ),
    ),
    (
        "nr-rrc",
        "DL-DCCH-Message",
        nr(
            "securityModeCommand",
            {"securityConfigSMC": {"securityAlgorithmConfig": {"cipheringAlgorithm": "nea2", "integrityProtAlgorithm": "nia2"}}},
        ),
    ),
    (
        "nr-rrc",
        "DL-DCCH-Message",
        nr(
            "ueCapabilityEnquiry",
            {
                "ue-CapabilityRAT-RequestList": [{"rat-Type": "nr"}, {"rat-Type": "eutra-nr"}],
                "ue-CapabilityEnquiryExt": {"containing": {"capabilityRequestFilterCommon": {"mrdc-Request": {"omitEN-DC": "true"}}}},
            },
        ),
    ),
    (
        "nr-rrc",
        "UL-DCCH-Message",
        nr(
            "ueCapabilityInformation",
            {"ue-CapabilityRAT-ContainerList": [{"rat-Type": "nr", "ue-CapabilityRAT-Container": "E1A00800"}]},
        ),
    ),
    (
        "nr-rrc",
        "DL-DCCH-Message",
        nr(
            "rrcReconfiguration",
            {
                "secondaryCellGroup": {"containing": CELL_GROUP},
                "nonCriticalExtension": {
                    "masterCellGroup": {"containing": CELL_GROUP},
                    "dedicatedNAS-MessageList": [REGISTRATION],
                    "dedicatedSystemInformationDelivery": {
                        "containing": {
                            "criticalExtensions": {
                                "systemInformation": {
                                    "sib-TypeAndInfo": [{"sib9": {"timeInfo": {"timeInfoUTC": 160000000000}}}]
                                }
                            }
                        }
                    },
                },
            },
        ),
    ),
    (
        "nr-rrc",
        "BCCH-BCH-Message",
        {
            "message": {
                "mib": {
                    "systemFrameNumber": "A8",
                    "subCarrierSpacingCommon": "scs30or120",
                    "ssb-SubcarrierOffset": 0,
                    "dmrs-TypeA-Position": "pos2",
                    "pdcch-ConfigSIB1": {"controlResourceSetZero": 11, "searchSpaceZero": 0},
                    "cellBarred": "notBarred",
                    "intraFreqReselection": "allowed",
                    "spare": "00",
                }
            }
        },
    ),
    (
        "lte-rrc",
        "DL-DCCH-Message",
        {
            "message": {
                "c1": {
                    "securityModeCommand": {
                        "rrc-TransactionIdentifier": 0,
                        "criticalExtensions": {
                            "c1": {
                                "securityModeCommand-r8": {
                                    "securityConfigSMC": {
                                        "securityAlgorithmConfig": {
                                            "cipheringAlgorithm": "eea2",
                                            "integrityProtAlgorithm": "eia2",
                                        }
                                    }
                                }
                            }
                        },
                    }
                }
            }
        },
    ),
    (
        "lte-rrc",
        "DL-DCCH-Message",
        {
            "message": {
                "c1": {
                    "ueCapabilityEnquiry": {
                        "rrc-TransactionIdentifier": 2,
                        "criticalExtensions": {
                            "c1": {"ueCapabilityEnquiry-r8": {"ue-CapabilityRequest": ["eutra", "utra", "geran-cs"]}}
                        },
                    }
                }
            }
        },
    ),
]
