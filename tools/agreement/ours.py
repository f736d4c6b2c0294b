"""What `tagwise show --json` says of certificates, requests, CRLs and OCSP responses, in the form that is compared.

An error that stands in the place of a value is said as `!` and its code.
"""

import ipaddress

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import ObjectIdentifier

from values import HASHES, Bad, element, elements, integer, oid, pss

# The digest that a signature algorithm names: RFC 3279 §2.2, RFC 4055 §5, RFC 5758 §3, RFC 8702; none for RFC 8410, RFC 9881.
DIGESTS = {
    "1.2.840.113549.1.1.2": "md2",
    "1.2.840.113549.1.1.3": "md4",
    "1.2.840.113549.1.1.4": "md5",
    "1.2.840.113549.1.1.5": "sha1",
    "1.3.14.3.2.29": "sha1",
    "1.2.840.113549.1.1.14": "sha224",
    "1.2.840.113549.1.1.11": "sha256",
    "1.2.840.113549.1.1.12": "sha384",
    "1.2.840.113549.1.1.13": "sha512",
    "1.2.840.10045.4.1": "sha1",
    "1.2.840.10045.4.3.1": "sha224",
    "1.2.840.10045.4.3.2": "sha256",
    "1.2.840.10045.4.3.3": "sha384",
    "1.2.840.10045.4.3.4": "sha512",
    "1.2.840.10040.4.3": "sha1",
    "2.16.840.1.101.3.4.3.1": "sha224",
    "2.16.840.1.101.3.4.3.2": "sha256",
    "1.3.101.112": None,
    "1.3.101.113": None,
    "2.16.840.1.101.3.4.3.17": None,
    "2.16.840.1.101.3.4.3.18": None,
    "2.16.840.1.101.3.4.3.19": None,
    # GOST R 34.10-2001 and 2012 with their own digests (RFC 4491 §2.2, RFC 9215 §3), which have no names there.
    "1.2.643.2.2.3": None,
    "1.2.643.7.1.1.3.2": None,
    "1.2.643.7.1.1.3.3": None,
}
RSASSA_PSS = "1.2.840.113549.1.1.10"

# What the tags are called there.
STRINGS = {
    "TeletexString": "T61String",
    "BIT STRING": "BitString",
    "OCTET STRING": "OctetString",
}


class Typed:
    """A value that only we take apart."""

    def __init__(self, value):
        self.value = value


class Text:
    """Characters, of which they have the octets."""

    def __init__(self, characters):
        self.characters = characters

    def holds(self, octets):
        """Whether the octets are the characters in one of the encodings that string types have."""
        return any(self.characters.encode(form, "replace") == octets for form in ("utf-8", "utf-16-be", "latin-1"))


class Half:
    """An ordinate of which the encoding has the parity only."""

    def __init__(self, parity):
        self.parity = parity


def wrong(value):
    return f"!{value['error']['code']}"


def is_wrong(value):
    return isinstance(value, dict) and isinstance(value.get("error"), dict)


def listed(items, each):
    return [wrong(item) if is_wrong(item) else item if is_problem(item) else each(item) for item in items]


def is_problem(item):
    return isinstance(item, dict) and {"code", "clause", "message"} <= item.keys()


def number(value):
    if value is None:
        return None
    octets = bytes.fromhex(value["hex"])
    return int.from_bytes(octets, "big", signed=bool(value.get("negative")))


def moment(value):
    return None if value is None else value["unix"]


def attribute(one):
    text = one["value"]
    if text is None:
        text = element(bytes.fromhex(one["der"]))[1].hex()
    return {
        "type": one["type"]["oid"],
        "string_type": STRINGS.get(one["string_type"], one["string_type"]),
        "value": text,
    }


def rdn(one):
    return wrong(one) if is_wrong(one) else listed(one, attribute)


def name(whole):
    return [rdn(item) for item in whole["rdns"]]


def address(text):
    """Networks as prefixes, where they are."""
    if "/" not in text:
        return text
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        return text


def general_name(one):
    kind = one["type"]
    if kind == "directory":
        return {"type": kind, "rdns": name(one)}
    if kind == "registered-id":
        return {"type": kind, "value": one["value"]["oid"]}
    if kind == "ip":
        return {"type": kind, "value": address(one["value"])}
    if kind == "other":
        value = one.get("der") or Typed(one.get("value"))
        return {"type": kind, "type_id": one["type_id"]["oid"], "der": wrong(one) if is_wrong(one) else value}
    return {"type": kind, "value": one.get("value")}


def names(list_of):
    return None if list_of is None else listed(list_of, general_name)


def place(point):
    relative = point.get("relative_name")
    return {
        "full_name": names(point.get("full_name")),
        "relative_name": relative and listed(relative["attributes"], attribute),
    }


def reasons(flags):
    return None if flags is None else sorted(flags)


def distribution_point(point):
    return {
        **place(point),
        "reasons": reasons(point.get("reasons")),
        "crl_issuer": names(point.get("crl_issuer")),
    }


def qualifier(one):
    if "uri" in one:
        return {"uri": one["uri"]}
    if "der" in one:
        return Typed(one["der"])
    numbers = one.get("notice_numbers")
    return {
        "organization": one.get("organization"),
        "notice_numbers": None if numbers is None else [number(item) for item in numbers],
        "text": one.get("text"),
    }


def policy(one):
    found = one.get("qualifiers")
    return {
        "policy": one["policy"]["oid"],
        "qualifiers": None if found is None else listed(found, qualifier),
    }


def access(one):
    return {"method": one["method"]["oid"], "location": general_name(one["location"])}


def timestamp(one):
    if "log_id" not in one:
        return Typed(one)
    return {
        "version": one["version"],
        "log_id": one["log_id"],
        "timestamp_ms": one["timestamp_ms"],
        "algorithm": " ".join(reversed(one["algorithm"].split("-"))),
        "extensions": one.get("extensions", ""),
        "signature": one["signature"],
    }


def authority_key(value):
    return {
        "key_id": value.get("key_id"),
        "issuer": names(value.get("issuer")),
        "serial_number": number(value.get("serial_number")),
    }


def numbers(*keys):
    return lambda value: {key: number(value.get(key)) for key in keys}


def issuing_point(value):
    flags = ["only_user_certs", "only_ca_certs", "only_attribute_certs", "indirect_crl"]
    return {
        **place(value),
        **{key: value[key] for key in flags},
        "only_some_reasons": reasons(value.get("only_some_reasons")),
    }


def template(value):
    minor = value.get("minor_version")
    return {"template": value["template"]["oid"], "major_version": value["major_version"], "minor_version": minor}


def octets(value):
    """The content of an extension that is one OCTET STRING and shown as its octets."""
    return element(bytes.fromhex(value))[1].hex()


VALUES = {
    "2.5.29.35": authority_key,
    "2.5.29.14": lambda value: value,
    "2.5.29.15": lambda value: value,
    "2.5.29.16": lambda value: {key: moment(value.get(key)) for key in ("not_before", "not_after")},
    "2.5.29.32": lambda value: listed(value, policy),
    "2.5.29.36": numbers("require_explicit_policy", "inhibit_policy_mapping"),
    "2.5.29.54": numbers("skip_certs"),
    "2.5.29.17": names,
    "2.5.29.18": names,
    "2.5.29.29": names,
    "2.5.29.19": lambda value: {"ca": value["ca"], "path_len": number(value.get("path_len"))},
    "2.5.29.30": lambda value: {key: names(value.get(key)) for key in ("permitted", "excluded")},
    "2.5.29.37": lambda value: [item["oid"] for item in value],
    "2.5.29.31": lambda value: listed(value, distribution_point),
    "2.5.29.46": lambda value: listed(value, distribution_point),
    "2.5.29.28": issuing_point,
    "1.3.6.1.5.5.7.1.1": lambda value: listed(value, access),
    "1.3.6.1.5.5.7.1.11": lambda value: listed(value, access),
    "1.3.6.1.4.1.11129.2.4.2": lambda value: listed(value, timestamp),
    "1.3.6.1.4.1.11129.2.4.5": lambda value: listed(value, timestamp),
    "1.3.6.1.4.1.11129.2.4.3": lambda value: "present",
    "1.3.6.1.5.5.7.48.1.5": lambda value: "present",
    "1.3.6.1.5.5.7.1.24": lambda value: [number(item["number"]) for item in value],
    "1.3.6.1.4.1.311.21.7": template,
    "2.5.29.20": number,
    "2.5.29.27": lambda value: number(value["base_crl"]),
    "2.5.29.21": lambda value: value,
    "2.5.29.24": moment,
}
# Known there, and octets here.
OF_OCTETS = {
    "1.3.6.1.5.5.7.48.1.2": octets,
    "1.3.6.1.5.5.7.48.1.4": lambda value: [
        oid(content) for _, content in elements(element(bytes.fromhex(value))[1])
    ],
}


def extension(one):
    if "oid" not in one:
        return wrong(one) if is_wrong(one) else "!no extension"
    if is_wrong(one):
        value = wrong(one)
    elif "value" in one and one["oid"] in OF_OCTETS:
        # Octets, or a list of identifiers.
        value = [item["oid"] for item in one["value"]] if isinstance(one["value"], list) else one["value"]
    elif "value" in one:
        known = VALUES.get(one["oid"])
        value = known(one["value"]) if known else Typed(one["value"])
    else:
        value = OF_OCTETS.get(one["oid"], lambda value: value)(one["der"])
    return {"oid": one["oid"], "critical": one["critical"], "value": value}


def extensions(list_of):
    return [extension(one) for one in list_of or []]


def curve_name(identifier):
    try:
        return ec.get_curve_for_oid(ObjectIdentifier(identifier)).name
    except LookupError:
        return identifier


def rsa(octets):
    modulus, exponent = elements(element(octets)[1])
    modulus = integer(modulus[1])
    return {"kind": "RSA", "bits": modulus.bit_length(), "modulus": f"{modulus:x}", "exponent": integer(exponent[1])}


def public_key(key):
    if "modulus" in key:
        modulus = int(key["modulus"], 16)
        return {"kind": "RSA", "bits": key["bits"], "modulus": f"{modulus:x}", "exponent": number(key["exponent"])}
    if "point" in key:
        point = bytes.fromhex(key["point"])
        size = len(point) // 2 if point[0] == 4 else len(point) - 1
        y = int.from_bytes(point[1 + size :], "big") if point[0] == 4 else Half(point[0] & 1)
        curve = curve_name(key["curve"]["oid"])
        return {"kind": "EC", "curve": curve, "x": int.from_bytes(point[1 : 1 + size], "big"), "y": y}
    raw, identifier = bytes.fromhex(key["key"]), key["algorithm"]["oid"]
    parameters = key["algorithm"].get("parameters")
    try:
        if identifier == RSASSA_PSS or identifier == "1.2.840.113549.1.1.1":
            return rsa(raw)
        if identifier == "1.2.840.10040.4.1" and parameters:
            p, q, g = (integer(content) for _, content in elements(element(bytes.fromhex(parameters["der"]))[1]))
            return {"kind": "DSA", "p": p, "q": q, "g": g, "y": integer(element(raw)[1])}
    except Bad as bad:
        return f"!{bad}"
    return {"kind": "raw", "key": raw.hex()}


def signature(of):
    algorithm = of["signature"]["algorithm"]
    identifier = algorithm["oid"]
    if identifier == RSASSA_PSS and "parameters" in algorithm:
        parameters = pss(bytes.fromhex(algorithm["parameters"]["der"]))
    elif identifier in DIGESTS:
        parameters = {"hash": DIGESTS[identifier]}
    else:
        parameters = "no digest is known"
    return {"algorithm": identifier, "parameters": parameters, "signature": of["signature"]["hex"]}


def certificate(one):
    return {
        "version": one["version"],
        "serial_number": number(one["serial_number"]),
        "subject": name(one["subject"]),
        "issuer": name(one["issuer"]),
        "not_before": moment(one["validity"]["not_before"]),
        "not_after": moment(one["validity"]["not_after"]),
        "public_key_algorithm": one["public_key"]["algorithm"]["oid"],
        "public_key": public_key(one["public_key"]),
        "extensions": extensions(one.get("extensions")),
        **signature(one),
    }


def revoked(entry):
    return {
        "serial_number": number(entry["serial_number"]),
        "revocation_date": moment(entry["revocation_date"]),
        "extensions": extensions(entry.get("extensions")),
    }


def crl(one):
    return {
        "issuer": name(one["issuer"]),
        "this_update": moment(one["this_update"]),
        "next_update": moment(one["next_update"]),
        "extensions": extensions(one.get("extensions")),
        "entries": listed(one["entries"], revoked),
        **signature(one),
    }


EXTENSION_REQUEST = {"1.2.840.113549.1.9.14", "1.3.6.1.4.1.311.2.1.14"}


def request_attribute(one):
    identifier = one["type"]["oid"]
    if "hidden" in one or identifier in EXTENSION_REQUEST:
        return {"type": identifier, "string_type": Typed(None), "value": Typed(None)}
    if len(one["values"]) != 1:
        return {"type": identifier, "values": len(one["values"])}
    value = one["values"][0]
    if isinstance(value, str):
        return {"type": identifier, "string_type": Typed(None), "value": Text(value)}
    if is_problem(value):
        return {"type": identifier, "value": f"!{value['code']}"}
    tag, content, _ = element(bytes.fromhex(value["der"]))
    return {"type": identifier, "string_type": tag & 0x1F, "value": content.hex()}


def request(one):
    requested = []
    for item in one["attributes"]:
        if item.get("type", {}).get("oid") in EXTENSION_REQUEST:
            # A value that is no list of extensions is shown as an element.
            values = [value if isinstance(value, list) else [value] for value in item["values"]]
            requested = [found for value in values for found in extensions(value)]
    return {
        "subject": name(one["subject"]),
        "public_key_algorithm": one["public_key"]["algorithm"]["oid"],
        "public_key": public_key(one["public_key"]),
        "attributes": listed(one["attributes"], request_attribute),
        "extensions": requested,
        **signature(one),
    }


def identifier(one):
    digest = one["hash_algorithm"]["oid"]
    return {
        "serial_number": number(one["serial_number"]),
        "hash_algorithm": HASHES.get(digest, digest),
        "issuer_name_hash": one["issuer_name_hash"],
        "issuer_key_hash": one["issuer_key_hash"],
    }


def single(one):
    return {
        "status": one["cert_status"],
        **identifier(one),
        "revoked_at": moment(one.get("revoked_at")),
        "reason": one.get("reason"),
        "this_update": moment(one["this_update"]),
        "next_update": moment(one.get("next_update")),
    }


def single_extensions(responses):
    """They give those of the first where there is one only."""
    if len(responses) > 1:
        return Typed([extensions(one.get("extensions")) for one in responses])
    return extensions(responses[0].get("extensions"))


STATUSES = {
    "malformedRequest": "malformed_request",
    "internalError": "internal_error",
    "tryLater": "try_later",
    "sigRequired": "sig_required",
}


def response(one):
    status = {"status": STATUSES.get(one["status"], one["status"])}
    if "responses" not in one:
        return status
    by = one["responder"]
    return {
        **status,
        "responder_name": name(by) if "rdns" in by else None,
        "responder_key_hash": by.get("key_hash"),
        "produced_at": moment(one["produced_at"]),
        "responses": listed(one["responses"], single),
        "single_extensions": single_extensions(one["responses"]),
        "extensions": extensions(one.get("extensions")),
        "certificates": listed(one.get("certificates", []), certificate),
        **signature(one),
    }


def ocsp_request(one):
    first = identifier(one["requests"][0])
    if len(one["requests"]) > 1:
        first = {key: f"{len(one['requests'])} requests" for key in first}
    return {**first, "extensions": extensions(one.get("extensions"))}


READERS = {
    "certificate": ("certificate", certificate),
    "crl": ("crl", crl),
    "certification-request": ("message", request),
    "ocsp-response": ("message", response),
    "ocsp-request": ("message", ocsp_request),
}


def read(kind, item):
    """What we say, or the first error where not even the frame could be read."""
    key, reader = READERS[kind]
    if key not in item:
        return f"!{item['errors'][0]['code']}"
    return reader(item[key])
