"""Keytabs, credential caches and `krb5.conf`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, overload

from tagwise import _native

if TYPE_CHECKING:
    from tagwise import _kinds

Path = str | os.PathLike[str]


class Config(_native.Krb5Config):
    """A `krb5.conf`: from a text, from a file (`path`), or by default from `KRB5_CONFIG` or `/etc/krb5.conf`.

    >>> config = Config("[libdefaults]\\n default_realm = KRB.TEST\\n[realms]\\n KRB.TEST = {\\n  kdc = 127.0.0.1:88\\n }\\n")
    >>> config.default_realm, config.kdcs("KRB.TEST")
    ('KRB.TEST', ['127.0.0.1:88'])
    >>> config.texts(["realms", "KRB.TEST", "kdc"])
    ['127.0.0.1:88']
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Config(default_realm={self.default_realm!r})>"


class Keytab(_native.Krb5Keytab):
    """A keytab, with the keys of services and users. It is empty, or created from the bytes of a file.

    >>> keytab = Keytab()
    >>> keytab.add_password("host/www.test@KRB.TEST", "secret", kvno=2, enctypes=["aes256-cts", "aes128-cts"])
    >>> len(keytab), [entry.enctype.text for entry in keytab]
    (2, ['aes256-cts-hmac-sha1-96', 'aes128-cts-hmac-sha1-96'])
    >>> keytab.find("host/www.test@KRB.TEST", "aes128-cts")
    <Key(aes128-cts-hmac-sha1-96)>
    >>> keytab.remove(enctype=17), len(Keytab(keytab.to_bytes()))
    (1, 1)
    """

    __slots__ = ()

    @classmethod
    def load(cls, path: Path | None = None, *, config: Config | None = None) -> Keytab:
        """Reads a keytab file. Without a path, reads `KRB5_KTNAME`, the configuration's keytab, or `/etc/krb5.keytab`."""
        if path is None:
            path = (config or Config()).keytab_path()
        with open(path, "rb") as file:
            return cls(file.read())

    def save(self, path: Path) -> None:
        """Writes a file that only its owner can read, atomically replacing an existing file."""
        replace(os.fspath(path), self.to_bytes())

    def __iter__(self) -> Iterator[_native.KeytabEntry]:
        return iter(self.entries)

    @overload
    def __getitem__(self, index: int) -> _native.KeytabEntry: ...

    @overload
    def __getitem__(self, index: slice) -> list[_native.KeytabEntry]: ...

    def __getitem__(self, index: int | slice) -> _native.KeytabEntry | list[_native.KeytabEntry]:
        return self.entries[index]

    def __reduce__(self) -> str:
        raise TypeError("keytabs are not pickled; to_bytes writes one")


def replace(path: str, data: bytes) -> None:
    """Writes a file that only its owner can read, atomically replacing an existing file."""
    import tempfile

    # What is written through a link is the file that it leads to.
    path = os.path.realpath(path)
    # Of such a file nobody else reads anything, from its beginning.
    handle, name = tempfile.mkstemp(prefix=".", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


class CredentialCache(_native.Krb5Cache):
    """The location of a credential cache: `FILE:path`, `DIR:folder`, `MEMORY:name`, `KCM:`.

    A name without a type is a file name. Without a name, the user's cache is used: `KRB5CCNAME`, the configuration's,
    or `/tmp/krb5cc_UID`. The cache does not need to exist until it is read.

    >>> cache = CredentialCache("MEMORY:example")
    >>> cache.initialize("alice@KRB.TEST")
    >>> str(cache.principal), list(cache)
    ('alice@KRB.TEST', [])
    >>> cache.destroy()
    >>> cache.credentials
    Traceback (most recent call last):
    ...
    FileNotFoundError: MEMORY:example: no such credential cache
    """

    __slots__ = ()

    def __new__(cls, name: str | None = None, *, config: Config | None = None) -> CredentialCache:
        return super().__new__(cls, name, config or Config())

    @classmethod
    def of(cls, cache: CredentialCache | str | None, config: Config | None = None) -> CredentialCache:
        """Returns the cache for an argument that may be its name."""
        return cache if isinstance(cache, CredentialCache) else cls(cache, config=config)

    @classmethod
    def collection(cls, name: str | None = None, *, config: Config | None = None) -> list[CredentialCache]:
        """Returns the non-empty caches of a collection (`DIR:folder`, `KCM:`), with the primary one first."""
        config = config or Config()
        return [cls(one, config=config) for one in _native.krb5_caches(name, config)]

    @classmethod
    def unused(cls, collection: str, *, config: Config | None = None) -> CredentialCache:
        """Returns an unused cache in a collection."""
        config = config or Config()
        return cls(_native.krb5_unused_cache(collection, config), config=config)

    @classmethod
    def from_bytes(cls, data: _kinds.Buffer, name: str | None = None, *, config: Config | None = None) -> CredentialCache:
        """Creates a cache with the content of a file. Without a name, it is held in this process's memory."""
        if name is None:
            import secrets

            name = "MEMORY:" + secrets.token_hex(16)
        cache = cls(name, config=config)
        cache.load_bytes(data)
        return cache

    def __iter__(self) -> Iterator[_native.Credential]:
        return iter(self.credentials)

    def __reduce__(self) -> tuple[type[CredentialCache], tuple[str]]:
        return (type(self), (self.name,))
