"""Types of arguments, for type checkers. Not imported at run time."""

from __future__ import annotations

import os
from typing import Any, Protocol, Union

from typing_extensions import Buffer

__all__ = ["Buffer", "Encoded", "Encoding", "Hash", "Message", "PrivateKey", "Source", "Text"]

#: Bytes, or PEM text.
Text = Union[str, Buffer]
#: A message in DER or BER, or as PEM text.
Message = Union[str, Buffer]


class _Hash(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def digest_size(self) -> int: ...


#: A hash, given by its name (`sha256`) or as an object of `tagwise.keys` or `cryptography`.
Hash = Union[str, _Hash]


class _Encoding(Protocol):
    @property
    def name(self) -> str: ...


#: `DER` or `PEM`, or a member of `cryptography`'s `Encoding`.
Encoding = Union[str, _Encoding]


class PrivateKey(Protocol):
    """A private key of `tagwise.keys` or of `cryptography`, or an object that signs in the same way."""

    def public_key(self) -> Any: ...


class _Encodable(Protocol):
    def public_bytes(self, encoding: Any, /) -> bytes: ...


#: A certificate or a CRL: its DER, or an object of `tagwise.x509` or `cryptography`.
Encoded = Union[Buffer, _Encodable]


class _Reader(Protocol):
    def read(self, size: int, /) -> Any: ...


#: A path, a file object, or a buffer.
Source = Union[str, "os.PathLike[str]", _Reader, Buffer]
