"""Small readers that both sides of the comparison need: DER of parameters, and text for values."""


class Bad(Exception):
    """Octets that are not what was expected."""


def element(octets, at=0):
    """One element: its first identifier octet, its content, and where the next begins."""
    if len(octets) < at + 2:
        raise Bad("too short")
    tag = octets[at]
    if tag & 0x1F == 0x1F:
        # A number of several octets; nothing here looks at it.
        while octets[at + 1] & 0x80:
            at += 1
        at += 1
    length, start = octets[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(octets[start : start + count], "big")
        start += count
    if len(octets) < start + length:
        raise Bad("too short")
    return tag, octets[start : start + length], start + length


def elements(octets):
    """The elements in a content."""
    found, at = [], 0
    while at < len(octets):
        tag, content, at = element(octets, at)
        found.append((tag, content))
    return found


def oid(content):
    """The dotted form of an identifier's content octets."""
    arcs, value = [], 0
    for octet in content:
        value = value << 7 | octet & 0x7F
        if not octet & 0x80:
            arcs.append(value)
            value = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(str(arc) for arc in [first, arcs[0] - 40 * first, *arcs[1:]])


def integer(content):
    return int.from_bytes(content, "big", signed=True)


HASHES = {
    "1.2.840.113549.2.2": "md2",
    "1.2.840.113549.2.4": "md4",
    "1.2.840.113549.2.5": "md5",
    "1.3.14.3.2.26": "sha1",
    "2.16.840.1.101.3.4.2.4": "sha224",
    "2.16.840.1.101.3.4.2.1": "sha256",
    "2.16.840.1.101.3.4.2.2": "sha384",
    "2.16.840.1.101.3.4.2.3": "sha512",
    "2.16.840.1.101.3.4.2.7": "sha3-224",
    "2.16.840.1.101.3.4.2.8": "sha3-256",
    "2.16.840.1.101.3.4.2.9": "sha3-384",
    "2.16.840.1.101.3.4.2.10": "sha3-512",
}


def pss(parameters):
    """RSASSA-PSS-params (RFC 4055 §3.1): digest, digest of the mask, length of the salt."""
    values = {"hash": "sha1", "mgf_hash": "sha1", "salt_length": 20}
    tag, content, _ = element(parameters)
    if tag != 0x30:
        raise Bad("no SEQUENCE")
    for tag, content in elements(content):
        inner = element(content)[1]
        if tag == 0xA0:
            values["hash"] = HASHES.get(oid(element(inner)[1]), oid(element(inner)[1]))
        elif tag == 0xA1:
            mask = elements(inner)
            digest = oid(element(mask[1][1])[1])
            values["mgf_hash"] = HASHES.get(digest, digest)
        elif tag == 0xA2:
            values["salt_length"] = integer(inner)
    return values
