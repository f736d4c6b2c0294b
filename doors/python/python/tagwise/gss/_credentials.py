"""Credentials: the tickets in a cache for initiators, and the keys in a keytab for acceptors."""

from __future__ import annotations

import datetime
import os
from typing import NoReturn

from tagwise._native import Credential, Principal
from tagwise.gss._names import Name
from tagwise.gss.exceptions import MissingCredentialsError
from tagwise.krb5 import Client, CredentialCache, KerberosError, Keytab


class Credentials:
    """The tickets or keys for a context.

    `usage` is `initiate`, `accept` or `both`. Initiators use a credential cache, by default the user's. Acceptors use
    a keytab, by default `/etc/krb5.keytab`. `store` specifies both as in `gssapi`: `{"ccache": ...,
    "keytab": ...}`.

    >>> from tagwise.krb5 import Keytab
    >>> keytab = Keytab()
    >>> keytab.add_password("HTTP/www.example.com@EXAMPLE.COM", "secret")
    >>> Credentials(usage="accept", keytab=keytab)
    <Credentials(accept)>
    """

    __slots__ = ("_accepting", "_cache", "_client", "_keytab", "_name", "_usage")

    def __init__(
        self,
        name: Name | None = None,
        *,
        usage: str = "both",
        cache: CredentialCache | str | None = None,
        keytab: Keytab | str | os.PathLike[str] | None = None,
        store: dict[str, str] | None = None,
        client: Client | None = None,
    ) -> None:
        if usage not in ("initiate", "accept", "both"):
            raise ValueError(f"expected initiate, accept or both, found {usage}")
        for key, value in (store or {}).items():
            if key == "ccache":
                cache = value
            elif key == "keytab":
                keytab = value
            else:
                raise ValueError(f"unknown store `{key}`: expected ccache or keytab")
        self._client = client or Client()
        self._name = name
        self._usage = usage
        self._cache = cache
        # `FILE:` is the only type of keytabs, and what a path is taken for.
        self._keytab = keytab.removeprefix("FILE:") if isinstance(keytab, str) else keytab
        self._accepting: Keytab | None = None

    @classmethod
    def of_ticket_cache(cls, cache: CredentialCache, client: Client | None = None) -> Credentials:
        """Creates initiator credentials from a credential cache."""
        return cls(usage="initiate", cache=cache, client=client)

    @property
    def usage(self) -> str:
        """`initiate`, `accept` or `both`."""
        return self._usage

    @property
    def cache(self) -> CredentialCache:
        """The initiator's credential cache."""
        return CredentialCache.of(self._cache, self._client.config)

    @property
    def keytab(self) -> Keytab:
        """The acceptor's keytab."""
        if isinstance(self._keytab, Keytab):
            return self._keytab
        try:
            return Keytab.load(self._keytab, config=self._client.config)
        except FileNotFoundError as error:
            raise MissingCredentialsError(str(error), 7 << 16) from error

    @property
    def clock_skew(self) -> float:
        """The tolerated clock difference to initiators, in seconds: the configuration's `clockskew`, or else five minutes."""
        return self._client.config.clock_skew

    def _accepted_keys(self) -> Keytab:
        """Returns the keytab for one context. The file is read again. If it is unchanged, keys derived for other contexts are
        reused."""
        keytab = self.keytab
        if keytab is not self._keytab:
            if self._accepting is not None:
                keytab.keep_ready(self._accepting)
            self._accepting = keytab
        return keytab

    @property
    def name(self) -> Name:
        """The owner's name: the given one, or otherwise the cache's principal."""
        if self._name is not None:
            return self._name
        try:
            return Name(self.cache.principal)
        except FileNotFoundError as error:
            raise MissingCredentialsError(str(error), 7 << 16) from error

    @property
    def clock_offset(self) -> int:
        """The seconds by which the KDC's clock is ahead of this host's, from the initiator's credential cache. Contexts and
        requests for tickets use it."""
        try:
            return self.cache.clock_offset
        except FileNotFoundError as error:
            raise MissingCredentialsError(str(error), 7 << 16) from error

    def _granting(self) -> Credential | None:
        try:
            return self.cache.granting()
        except FileNotFoundError as error:
            raise MissingCredentialsError(str(error), 7 << 16) from error

    @property
    def lifetime(self) -> int:
        """Seconds until the ticket-granting ticket expires."""
        tgt = self._granting()
        if tgt is None:
            return 0
        left = tgt.end_time - datetime.datetime.now(datetime.timezone.utc)
        return max(0, int(left.total_seconds()) - self.clock_offset)

    def ticket(self, service: Name) -> Credential:
        """Returns a ticket for a service, from the cache or from a KDC."""
        if self._usage == "accept":
            raise MissingCredentialsError("these credentials are for accepting contexts", 7 << 16)
        try:
            cache = self.cache
            owner = cache.principal
            if self._name is not None and self._name.principal(self._client, realm=owner.realm) != owner:
                raise MissingCredentialsError(f"{cache.name}: its tickets are {owner}'s, not {self._name}'s", 7 << 16)
            server = service.principal(self._client, realm=owner.realm)
            return self._client.get_service_ticket(server, cache=cache)
        except FileNotFoundError as error:
            raise MissingCredentialsError(str(error), 7 << 16) from error
        except KerberosError as error:
            raise MissingCredentialsError(str(error), 7 << 16, error.code) from error

    def forwarded(self) -> Credential | None:
        """Returns a forwarded ticket-granting ticket, or None if the ticket in the cache is not forwardable."""
        tgt = self._granting()
        if tgt is None or "forwardable" not in tgt.flags:
            return None
        try:
            return self._client.forward(tgt, clock_offset=self.clock_offset)
        except KerberosError as error:
            raise MissingCredentialsError(str(error), 7 << 16, error.code) from error

    def accepted_service(self) -> Principal | None:
        """Returns the service that tickets must be for, or None for any service in the keytab."""
        return None if self._name is None else self._name.principal(self._client)

    def __repr__(self) -> str:
        return f"<Credentials({self._usage})>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("credentials cannot be pickled; use a CredentialCache")
