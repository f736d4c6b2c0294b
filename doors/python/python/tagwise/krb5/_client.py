"""The Kerberos client: initial tickets, service tickets and passwords."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from tagwise import _native
from tagwise._errors import KerberosError
from tagwise._native import Credential, Principal
from tagwise.krb5._files import Config, CredentialCache, Keytab
from tagwise.krb5._numbers import Enctype

if TYPE_CHECKING:
    from tagwise import _kinds

Span = float | datetime.timedelta
Name = str | Principal
Types = Iterable[Enctype | int | str]
#: A function that is called with each message: the destination realm and the bytes of a request, or None and the bytes of a reply.
Trace = Callable[[str | None, bytes], object]


def seconds(span: Span | None) -> float | None:
    """Converts a time span to seconds."""
    return span.total_seconds() if isinstance(span, datetime.timedelta) else span


def der(value: _kinds.Encoded) -> bytes:
    """Returns a certificate or a CRL in DER, from bytes or an object of `tagwise.x509` or `cryptography`."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    own = getattr(value, "_der", None)
    if isinstance(own, bytes):
        return own
    from cryptography.hazmat.primitives.serialization import Encoding

    encodable: Any = value
    encoded: bytes = encodable.public_bytes(Encoding.DER)
    return encoded


def private(key: _kinds.PrivateKey) -> _native.PrivateKey:
    """Returns a key of `tagwise.keys`, converted from `cryptography` if necessary."""
    from tagwise.keys import PrivateKey
    from tagwise.x509._keys import private_key_info

    return key._key if isinstance(key, PrivateKey) else _native.PrivateKey.from_pkcs8(private_key_info(key))


def ders(values: Iterable[_kinds.Encoded]) -> list[bytes]:
    """Returns certificates or CRLs in DER."""
    return [der(value) for value in values]


class Client:
    """A client for the KDCs in a configuration.

    Calls block until a server answers or all have failed; other threads continue to run. An interrupt (Ctrl-C) ends a
    call. `timeout` is the maximum wait for a server, ten seconds by default. Over UDP, each server is tried up to
    `tries` times, three by default, for at most one second each. `trace` is called with each message. A rejected
    request raises a `KerberosError`, and an unreachable KDC a `KerberosConnectionError`.

    >>> client = Client(Config("[libdefaults]\\n default_realm = KRB.TEST\\n"))
    >>> client.kinit("alice", password="alicepw")
    Traceback (most recent call last):
    ...
    tagwise.KerberosConnectionError: no KDC found for the realm KRB.TEST
    """

    __slots__ = ("_config", "_patience", "_trace")

    def __init__(
        self,
        config: Config | None = None,
        *,
        trace: Trace | None = None,
        timeout: Span | None = None,
        tries: int | None = None,
    ) -> None:
        self._config = Config() if config is None else config
        self._trace = trace
        self._patience = (seconds(timeout), tries)

    @property
    def config(self) -> Config:
        """The configuration."""
        return self._config

    def kinit(
        self,
        principal: Name | None = None,
        *,
        password: str | bytes | bytearray | None = None,
        keytab: Keytab | None = None,
        certificate: _kinds.Encoded | None = None,
        key: _kinds.PrivateKey | None = None,
        chain: Iterable[_kinds.Encoded] = (),
        otp: str | bytes | bytearray | None = None,
        pin: str | bytes | bytearray | None = None,
        anonymous: bool = False,
        anchors: Iterable[_kinds.Encoded] = (),
        intermediates: Iterable[_kinds.Encoded] = (),
        crls: Iterable[_kinds.Encoded] = (),
        require_crls: bool = False,
        kdc_usage: str = "kpKDC",
        kdc_host_names: Sequence[str] = (),
        service: Name | None = None,
        lifetime: Span | None = None,
        renewable: Span | None = None,
        postdate: Span | None = None,
        forwardable: bool | None = None,
        proxiable: bool | None = None,
        canonicalize: bool | None = None,
        enctypes: Types | None = None,
        methods: Sequence[str] | None = None,
        armor: Credential | None = None,
        max_iterations: int = 0x0100_0000,
        min_iterations: int = 1,
        cache: CredentialCache | str | None = None,
    ) -> Credential:
        """Gets an initial ticket, and writes it to a cache if one is given, with the offset of the KDC's clock.

        The client authenticates with one of these: a password; a keytab (the default principal is that of its first
        entry); a certificate with a key of `tagwise.keys`, and `anchors` to verify the KDC; a one-time password
        (`otp`, sent in the FAST tunnel of `armor`); or nothing, with `anonymous`. Other settings come from the
        configuration.

        `methods` limits preauthentication to some of `spake`, `encrypted-challenge`, `encrypted-timestamp`, `otp`,
        `pkinit`. `armor` is a ticket that protects the exchange, which is then sent in a FAST tunnel. A KDC is
        rejected if it requires more than `max_iterations` or fewer than `min_iterations` to derive a key from the
        password.
        """
        proofs = (password, keytab, certificate, otp)
        if sum(proof is not None for proof in proofs) + anonymous != 1:
            raise TypeError("expected one of password, keytab, certificate, otp and anonymous")
        client = self._client(principal, keytab, anonymous)
        certified = trust = None
        if (certificate is None) != (key is None):
            raise TypeError("a certificate comes with its key")
        if certificate is not None and key is not None:
            certified = (private(key), der(certificate), ders(chain))
        if certificate is not None or anonymous:
            names = list(kdc_host_names)
            trust = (ders(anchors), ders(intermediates), kdc_usage, names, ders(crls), require_crls)
        asked = {
            "client": client,
            "service": service,
            "lifetime": seconds(lifetime),
            "renewable": seconds(renewable),
            "postdate": seconds(postdate),
            "forwardable": forwardable,
            "proxiable": proxiable,
            "canonicalize": canonicalize,
            "anonymous": anonymous,
            "enctypes": None if enctypes is None else list(enctypes),
            "methods": None if methods is None else list(methods),
            "armor": armor,
            "max_iterations": max_iterations,
            "min_iterations": min_iterations,
        }
        proof = {
            "password": password,
            "keytab": keytab,
            "otp": otp,
            "pin": pin,
            "certified": certified,
            "trust": trust,
        }
        got = _native.krb5_initial(self._config, asked, proof, self._trace, self._patience)
        if cache is not None:
            # A postdated ticket does not show the KDC's time.
            offset = _native.krb5_clock_of(self._config, got) if postdate is None else 0
            place = CredentialCache.of(cache, self._config)
            place.initialize(got.client, clock_offset=offset if abs(offset) < 1 << 31 else 0)
            place.store(got)
        return got

    def _client(self, principal: Name | None, keytab: Keytab | None, anonymous: bool) -> Name:
        if anonymous and (principal is None or (isinstance(principal, str) and principal.startswith("@"))):
            realm = principal[1:] if isinstance(principal, str) else self._config.default_realm
            if not realm:
                raise ValueError("no realm given, and no default realm configured")
            return Principal("WELLKNOWN/ANONYMOUS", realm=realm)
        if principal is not None:
            return principal
        if keytab is None:
            raise TypeError("expected a principal")
        if not len(keytab):
            raise ValueError("the keytab is empty")
        return keytab[0].principal

    def _cache(self, cache: CredentialCache | str | None) -> CredentialCache:
        return CredentialCache.of(cache, self._config)

    def _granting(self, cache: CredentialCache, realm: str | None) -> Credential:
        found = cache.granting(realm)
        if found is None:
            raise KerberosError(f"{cache.name}: no ticket-granting ticket that is valid now", None, "no-ticket")
        return found

    def service(self, name: Name, realm: str | None = None) -> Principal:
        """Returns the principal of a service. Its realm is the one in the name, or its host's according to
        `[domain_realm]`, or the given one."""
        return _native.krb5_service(self._config, name, realm)

    def get_service_ticket(
        self,
        service: Name,
        *,
        cache: CredentialCache | str | None = None,
        tgt: Credential | None = None,
        lifetime: Span | None = None,
        enctypes: Types | None = None,
        user_to_user: bytes | None = None,
        fast: bool = False,
        clock_offset: int = 0,
    ) -> Credential:
        """Gets a ticket for a service, from the cache or from a KDC. A new ticket is added to the cache.

        With `tgt` instead of a cache, a KDC is always contacted, and nothing is stored. `clock_offset` is then the number
        of seconds by which the KDC's clock is ahead; a cache contains its own. `user_to_user` is another
        user's ticket-granting ticket in DER; the service ticket is then encrypted with that ticket's session key.
        """
        place = None if tgt is not None else self._cache(cache)
        home = tgt.client.realm if tgt is not None else place.principal.realm if place is not None else None
        server = self.service(service, home)
        if place is not None and enctypes is None and user_to_user is None:
            found = place.find(server)
            if found is not None:
                return found
        if tgt is None and place is not None:
            tgt = self._granting(place, server.realm)
        assert tgt is not None
        got, referrals = self._ask(
            tgt,
            server,
            lifetime=lifetime,
            enctypes=enctypes,
            user_to_user=user_to_user,
            fast=fast,
            clock_offset=clock_offset if place is None else place.clock_offset,
        )
        if place is not None:
            # Tickets of other realms that were got on the way are worth keeping.
            for credential in [*referrals, got]:
                place.store(credential)
        return got

    def _ask(
        self,
        tgt: Credential,
        server: Principal,
        *,
        lifetime: Span | None = None,
        enctypes: Types | None = None,
        user_to_user: bytes | None = None,
        to_self: Name | None = None,
        evidence: bytes | None = None,
        fast: bool = False,
        forwarded: bool = False,
        renew: bool = False,
        validate: bool = False,
        clock_offset: int = 0,
    ) -> tuple[Credential, list[Credential]]:
        asked = {
            "lifetime": seconds(lifetime),
            "enctypes": None if enctypes is None else list(enctypes),
            "user_to_user": user_to_user,
            "to_self": to_self,
            "evidence": evidence,
            "fast": fast,
            "forwarded": forwarded,
            "renew": renew,
            "validate": validate,
            "clock_offset": clock_offset,
        }
        return _native.krb5_service_ticket(self._config, tgt, server, asked, self._trace, self._patience)

    def renew(self, tgt: Credential, *, validate: bool = False, clock_offset: int = 0) -> Credential:
        """Renews a ticket-granting ticket. With `validate`, validates a postdated one whose start time has passed.

        Here and in the following methods, `clock_offset` is the number of seconds by which the KDC's clock is ahead, such
        as that of the ticket's `CredentialCache`.
        """
        return self._ask(tgt, tgt.server, renew=not validate, validate=validate, clock_offset=clock_offset)[0]

    def forward(self, tgt: Credential, *, clock_offset: int = 0) -> Credential:
        """Gets a forwarded ticket-granting ticket, for delegation to another party."""
        realm = tgt.client.realm
        server = Principal(f"krbtgt/{realm}", realm=realm)
        return self._ask(tgt, server, forwarded=True, clock_offset=clock_offset)[0]

    def s4u2self(self, user: Name, *, tgt: Credential, clock_offset: int = 0) -> Credential:
        """Gets a user's ticket for the client itself (S4U2Self, MS-SFU). It is forwardable, as `s4u2proxy` requires,
        if `tgt` is."""
        return self._ask(tgt, tgt.client, to_self=user, clock_offset=clock_offset)[0]

    def s4u2proxy(
        self, service: Name, *, evidence: Credential, tgt: Credential, clock_offset: int = 0
    ) -> Credential:
        """Gets a ticket for another service, on behalf of the user in the `evidence` ticket (S4U2Proxy, MS-SFU)."""
        server = self.service(service, tgt.client.realm)
        return self._ask(tgt, server, evidence=evidence.ticket, clock_offset=clock_offset)[0]

    def change_password(
        self,
        principal: Name,
        password: str | bytes | bytearray,
        new_password: str | bytes | bytearray,
        *,
        target: Name | None = None,
        armor: Credential | None = None,
        max_iterations: int = 0x0100_0000,
        min_iterations: int = 1,
    ) -> None:
        """Changes the client's password, or another principal's with `target`. A rejected password raises
        `KerberosError` with code 4.

        The iteration limits are the same as in `kinit`.
        """
        if not new_password:
            raise ValueError("the new password is empty")
        iterations = (max_iterations, min_iterations)
        ticket = _native.krb5_password_ticket(
            self._config, principal, password, armor, iterations, self._trace, self._patience
        )
        who = None if target is None else Principal(str(target), realm=ticket.client.realm)
        code, name, text = _native.krb5_change_password(self._config, ticket, new_password, who, self._patience)
        if code:
            raise KerberosError(f"{name}: {text}" if text else name, code, name, text)

    def __repr__(self) -> str:
        return f"<Client({self._config!r})>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("clients are not pickled")


def kinit(principal: Name | None = None, *, config: Config | None = None, **asked: Any) -> Credential:
    """Gets an initial ticket, like `Client.kinit`."""
    return Client(config).kinit(principal, **asked)


def get_service_ticket(service: Name, *, config: Config | None = None, **asked: Any) -> Credential:
    """Gets a ticket for a service, like `Client.get_service_ticket`."""
    return Client(config).get_service_ticket(service, **asked)


def change_password(
    principal: Name,
    password: str | bytes | bytearray,
    new_password: str | bytes | bytearray,
    *,
    config: Config | None = None,
    **asked: Any,
) -> None:
    """Changes a password, like `Client.change_password`."""
    Client(config).change_password(principal, password, new_password, **asked)
