"""Parts of values that only their senders know."""

from __future__ import annotations

from typing import NamedTuple


class Unknown(NamedTuple):
    """A part of unknown type in an encoding in PER or OER: an extension addition, an alternative, the value of an open type or, in
    PER, an item of an ENUMERATED.

    It is encoded again by the same rules, but cannot be converted to others.

    >>> from tagwise import asn1
    >>> old = asn1.compile_text("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ... } END")["T"]
    >>> new = asn1.compile_text("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ..., b NULL } END")["T"]
    >>> data = new.encode({"a": True, "b": None}, rules="uper")
    >>> old.decode(data, rules="uper")
    {'a': True, '$additions': [Unknown(rules='uper', number=1, data=None), Unknown(rules='uper', number=0, data=b'\\x00')]}
    >>> old.encode(old.decode(data, rules="uper"), rules="uper") == data
    True
    """

    #: The encoding rules: `uper`, `aper`, `oer` or `xer`. Other variants have the same name.
    rules: str
    #: The number of an extension addition, alternative or item, from 0. In OER, the number of an alternative is that of its tag, with
    #: the class in the bits 30 and 31. None for the value of an open type.
    number: int | None
    #: The encoding, which is empty for an item of an ENUMERATED. None in the entry whose `number` is the count of additions in the sender's version of the type.
    data: bytes | None
