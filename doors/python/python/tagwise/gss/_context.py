"""GSS-API security contexts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from tagwise import _native
from tagwise.gss._credentials import Credentials
from tagwise.gss._names import ALL_FLAGS, DEFAULT_FLAGS, ChannelBindings, MechType, Name, RequirementFlag
from tagwise.gss.exceptions import BadMICError, MissingContextError, TokenOutOfSequenceError, of_status
from tagwise.krb5 import CredentialCache

if TYPE_CHECKING:
    from tagwise import _kinds


class WrapResult(NamedTuple):
    """A wrapped message token."""

    message: bytes
    encrypted: bool


class UnwrapResult(NamedTuple):
    """An unwrapped message. `qop` is always 0, because RFC 4121 defines no other value."""

    message: bytes
    encrypted: bool
    qop: int


#: GSS_S_GAP_TOKEN and GSS_S_UNSEQ_TOKEN, by the position in the sequence that the native module returns.
_PLACES = {1: (16, "a message before this one is missing"), 2: (8, "the message comes late")}


class SecurityContext:
    """A security context between two parties. An initiator passes the target service as `name`; an acceptor omits it.

    Pass the peer's tokens to `step` until `complete`, and send what it returns. The default of `mech` is Kerberos; the
    alternative is `MechType.spnego`. An acceptor accepts both. A failed context cannot be used any more. `base` is a
    context written by `export`.

    An acceptor with `channel_bindings` requires initiators to have the same ones. With
    `bindings_optional`, it also accepts initiators that send none, unless they state that they support bindings
    ([MS-KILE] §3.2.5.8). `actual_flags` contains `channel_bound` only if the bindings match.

    >>> from tagwise.krb5 import Keytab
    >>> context = SecurityContext(creds=Credentials(usage="accept", keytab=Keytab()), usage="accept")
    >>> context.complete
    False
    >>> context.step(b"no token")
    Traceback (most recent call last):
    ...
    tagwise.gss.exceptions.InvalidTokenError: the token does not decode: the length exceeds the enclosing element, at byte 1 (X.690 §8.1.3)
    """

    __slots__ = ("_delegated", "_initiates", "_mech", "_native", "_unwrap", "_wrap")

    def __init__(
        self,
        base: bytes | None = None,
        *,
        name: Name | None = None,
        creds: Credentials | None = None,
        usage: str | None = None,
        flags: int | None = None,
        mech: MechType | None = None,
        channel_bindings: ChannelBindings | None = None,
        bindings_optional: bool = False,
    ) -> None:
        self._mech = mech or MechType.kerberos
        self._delegated: Credentials | None = None
        bound = None if channel_bindings is None else channel_bindings._given()
        if bindings_optional and (bound is None or base is not None or usage == "initiate" or name is not None):
            raise TypeError("bindings_optional is for acceptors with channel_bindings")
        if base is not None:
            self._native = _native.GssContext.import_(base)
            self._initiates = self._native.initiates
        elif usage == "accept" or (usage is None and name is None):
            if name is not None:
                raise TypeError("an acceptor has no name; its credentials may have one")
            creds = creds or Credentials(usage="accept")
            if creds.usage == "initiate":
                raise TypeError("these credentials are for initiating contexts")
            self._native = _native.GssContext.accept(creds._accepted_keys(), creds.accepted_service(), bound, bindings_optional, creds.clock_skew)
            self._initiates = False
        elif usage in ("initiate", None):
            if name is None:
                raise TypeError("an initiator needs the name of a service")
            creds = creds or Credentials(usage="initiate")
            wanted = DEFAULT_FLAGS if flags is None else RequirementFlag(flags) & ~RequirementFlag.channel_bound
            ticket = creds.ticket(name)
            delegate = creds.forwarded() if RequirementFlag.delegate_to_peer in wanted else None
            negotiate = self._mech is MechType.spnego
            self._native = _native.GssContext.initiate(
                ticket, int(wanted), bound, delegate, negotiate, creds.clock_offset
            )
            self._initiates = True
        else:
            raise ValueError(f"expected initiate or accept, found {usage}")
        self._wrap = self._native.wrap
        self._unwrap = self._native.unwrap

    def step(self, token: bytes | None = None) -> bytes | None:
        """Processes the peer's token (None in the initiator's first step) and returns the token to send, or None."""
        # An initiator that is given an empty token begins, as with `gssapi`.
        return self._native.step(token or None)

    @property
    def complete(self) -> bool:
        """True once the context is established."""
        return self._native.complete

    @property
    def locally_initiated(self) -> bool:
        """True for the initiator."""
        return self._initiates

    @property
    def mech(self) -> MechType:
        """The requested mechanism."""
        return self._mech

    def _facts(self) -> tuple[_native.Principal, _native.Principal, int, int]:
        facts = self._native.facts
        if facts is None:
            raise MissingContextError("the context is not established", 8 << 16)
        return facts

    @property
    def initiator_name(self) -> Name:
        """The name of the initiator."""
        return Name(self._facts()[0])

    @property
    def target_name(self) -> Name:
        """The name of the service."""
        return Name(self._facts()[1])

    @property
    def actual_flags(self) -> RequirementFlag:
        """The negotiated flags."""
        return RequirementFlag(self._facts()[2] & int(ALL_FLAGS))

    @property
    def lifetime(self) -> int:
        """Seconds until the ticket expires."""
        return max(0, self._facts()[3] - int(time.time()) - self._native.clock_offset)

    @property
    def delegated_creds(self) -> Credentials | None:
        """The credentials that the initiator delegated to an acceptor, in an in-memory cache; None if there are none.
        The cache is removed together with them."""
        if self._delegated is None:
            delegated = self._native.delegated
            if not delegated:
                return None
            cache = CredentialCache.from_bytes(_native.gss_cache_of(delegated))
            cache.own()
            self._delegated = Credentials(usage="initiate", cache=cache)
        return self._delegated

    def wrap(self, message: _kinds.Buffer, encrypt: bool) -> WrapResult:
        """Wraps a message in a token, encrypted or with only a checksum."""
        return WrapResult(self._wrap(message, encrypt), encrypt)

    def unwrap(self, message: _kinds.Buffer) -> UnwrapResult:
        """Unwraps the message in a token. A duplicate is rejected, and so is an out-of-order message if sequencing
        was requested."""
        data, encrypted, place = self._unwrap(message)
        result = UnwrapResult(data, encrypted, 0)
        if place:
            self._check_place(place, result)
        return result

    def _check_place(self, place: int, result: object) -> None:
        if RequirementFlag.out_of_sequence_detection in self.actual_flags:
            status, text = _PLACES[place]
            error = of_status(text, status)
            if isinstance(error, TokenOutOfSequenceError):
                error.result = result
            raise error

    def encrypt(self, message: _kinds.Buffer) -> bytes:
        """Wraps a message in an encrypted token."""
        return self._wrap(message, True)

    def decrypt(self, message: _kinds.Buffer) -> bytes:
        """Unwraps the message in a token, which must be encrypted."""
        result = self.unwrap(message)
        if not result.encrypted:
            raise BadMICError("the message is not encrypted", 6 << 16)
        return result.message

    def get_signature(self, message: _kinds.Buffer) -> bytes:
        """Creates a detached signature (MIC) for a message."""
        return self._native.mic(message)

    def verify_signature(self, message: _kinds.Buffer, mic: _kinds.Buffer) -> int:
        """Verifies the signature (MIC) of a message. Returns 0, the only quality of protection."""
        place = self._native.verify_mic(message, mic)
        if place:
            self._check_place(place, 0)
        return 0

    def get_wrap_size_limit(self, desired_output_size: int, encrypted: bool = True) -> int:
        """Returns the length of the longest message whose token does not exceed the given size."""
        ends = self._native.ends(encrypted)
        if ends is None:
            raise MissingContextError("the context is not established", 8 << 16)
        return max(0, desired_output_size - sum(ends))

    def export(self) -> bytes:
        """Exports the context, including its key, for another process of the same version, and ends it in this
        process."""
        return self._native.export()

    def __repr__(self) -> str:
        side = "initiate" if self._initiates else "accept"
        return f"<SecurityContext({side}, {'complete' if self.complete else 'not complete'})>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("contexts are not pickled; export writes one")
