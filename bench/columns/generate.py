"""Generates certificates for measurements: `generate.py CERTS COUNT OUTPUT`.

CERTS has certificates in DER, one after the other, such as those of CCADB. They are repeated until there are COUNT. In each copy, the
serial number and the ends of the common names of subject and issuer are replaced by random values of the same lengths. So columns of
names do not repeat more often than in reality, and all other fields keep their real distribution. Signatures are not valid.
"""

import random
import sys

# id-at-commonName (X.520), as an encoded OBJECT IDENTIFIER.
COMMON_NAME = bytes.fromhex("0603550403")
# UTF8String and PrintableString.
TEXTS = (0x0C, 0x13)


def header(data, start):
    """Returns the start and end of the contents of an element."""
    first = data[start + 1]
    more = first & 0x7F if first & 0x80 else 0
    length = int.from_bytes(data[start + 2 : start + 2 + more], "big") if more else first
    begin = start + 2 + more
    return begin, begin + length


def values(data):
    start = 0
    while start < len(data):
        _, end = header(data, start)
        yield data[start:end]
        start = end


def places(certificate):
    """Returns the range of the serial number, and those of the ends of the common names of issuer and subject."""
    position, _ = header(certificate, header(certificate, 0)[0])
    if certificate[position] == 0xA0:
        position = header(certificate, position)[1]
    serial = header(certificate, position)
    names = []
    # signature, issuer, validity, subject.
    position = header(certificate, serial[1])[1]
    for is_name in (True, False, True):
        begin, end = header(certificate, position)
        found = certificate.rfind(COMMON_NAME, begin, end) if is_name else -1
        if found >= 0 and certificate[found + 5] in TEXTS:
            first, last = header(certificate, found + 5)
            first = max(first, last - 8)
            if certificate[first:last].isascii():
                names.append((first, last))
        position = end
    return serial, names


def main():
    path, count, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path, "rb") as file:
        originals = [(value, *places(value)) for value in values(file.read())]
    chance = random.Random(1)
    digits = b"0123456789abcdef"
    with open(output, "wb") as file:
        for index in range(count):
            value, (begin, end), names = originals[index % len(originals)]
            if index >= len(originals):
                copy = bytearray(value)
                if value[begin] < 0x80 and end - begin > 1:
                    # The first bits stay, so that the number remains positive and has no superfluous zeros.
                    copy[begin + 1 : end] = chance.randbytes(end - begin - 1)
                    if value[begin] == 0:
                        copy[begin + 1] |= 0x80
                for first, last in names:
                    copy[first:last] = bytes(chance.choices(digits, k=last - first))
                value = copy
            file.write(value)


if __name__ == "__main__":
    main()
