"""Kerberos numbers and their names."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from tagwise import _native

if TYPE_CHECKING:
    from tagwise import _kinds


class Enctype(enum.IntEnum):
    """Encryption types (RFC 3961, RFC 3962, RFC 4757, RFC 6803, RFC 8009)."""

    DES3_CBC_SHA1_KD = 16
    AES128_CTS_HMAC_SHA1_96 = 17
    AES256_CTS_HMAC_SHA1_96 = 18
    AES128_CTS_HMAC_SHA256_128 = 19
    AES256_CTS_HMAC_SHA384_192 = 20
    RC4_HMAC = 23
    CAMELLIA128_CTS_CMAC = 25
    CAMELLIA256_CTS_CMAC = 26

    @classmethod
    def parse(cls, name: str) -> Enctype:
        """Returns the type for a name or an alias, as used in configurations.

        >>> Enctype.parse("aes256-cts")
        <Enctype.AES256_CTS_HMAC_SHA1_96: 18>
        """
        return cls(_native.krb5_enctype(name))

    def _row(self) -> tuple[int, str, bool, int, int]:
        return next(row for row in _native.krb5_enctypes() if row[0] == self.value)

    @property
    def text(self) -> str:
        """The registered name, such as `aes256-cts-hmac-sha1-96`."""
        return self._row()[1]

    @property
    def is_legacy(self) -> bool:
        """True for deprecated types (RFC 8429), which are used only if a caller names them."""
        return self._row()[2]

    @property
    def key_size(self) -> int:
        """The size of a key, in bytes."""
        return self._row()[3]

    @property
    def checksum_type(self) -> ChecksumType:
        """The mandatory checksum type."""
        return ChecksumType(self._row()[4])


class ChecksumType(enum.IntEnum):
    """Checksum types (RFC 3961 §6, RFC 3962, RFC 4757, RFC 6803, RFC 8009)."""

    RSA_MD5 = 7
    HMAC_SHA1_DES3_KD = 12
    SHA1 = 14
    HMAC_SHA1_96_AES128 = 15
    HMAC_SHA1_96_AES256 = 16
    CMAC_CAMELLIA128 = 17
    CMAC_CAMELLIA256 = 18
    HMAC_SHA256_128_AES128 = 19
    HMAC_SHA384_192_AES256 = 20
    HMAC_MD5 = -138
    MD5_HMAC = -137

    @property
    def text(self) -> str:
        """The registered name, such as `hmac-sha1-96-aes256`."""
        return dict(_native.krb5_checksum_types())[self.value]

    def unkeyed(self, data: _kinds.Buffer) -> bytes:
        """Computes the checksum of data for a type without a key, which protects only against accidental changes.

        >>> ChecksumType.RSA_MD5.unkeyed(b"").hex()
        'd41d8cd98f00b204e9800998ecf8427e'
        """
        return _native.krb5_unkeyed(self.value, data)


def n_fold(data: _kinds.Buffer, length: int) -> bytes:
    """Computes n-fold (RFC 3961 §5.1): stretches or folds bytes so that each bit of the input contributes about equally.

    >>> n_fold(b"012345", 8).hex()
    'be072631276b1955'
    """
    return _native.krb5_n_fold(data, length)


class KeyUsage(enum.IntEnum):
    """Key usage numbers (RFC 4120 §7.5.1 and later standards)."""

    PA_ENC_TIMESTAMP = 1
    TICKET = 2
    AS_REP = 3
    TGS_REQ_AUTH_DATA_SESSION = 4
    TGS_REQ_AUTH_DATA_SUBKEY = 5
    TGS_REQ_CHECKSUM = 6
    TGS_REQ_AUTHENTICATOR = 7
    TGS_REP_SESSION = 8
    TGS_REP_SUBKEY = 9
    AP_REQ_CHECKSUM = 10
    AP_REQ_AUTHENTICATOR = 11
    AP_REP = 12
    KRB_PRIV = 13
    KRB_CRED = 14
    KRB_SAFE = 15
    PA_FOR_USER = 17
    AD_KDC_ISSUED = 19
    GSS_ACCEPTOR_SEAL = 22
    GSS_ACCEPTOR_SIGN = 23
    GSS_INITIATOR_SEAL = 24
    GSS_INITIATOR_SIGN = 25
    PA_S4U_X509_USER_REQUEST = 26
    PA_S4U_X509_USER_REPLY = 27
    PA_PKINIT_KX = 44
    PA_OTP_REQUEST = 45
    FAST_REQ_CHECKSUM = 50
    FAST_ENC = 51
    FAST_REP = 52
    FAST_FINISHED = 53
    ENC_CHALLENGE_CLIENT = 54
    ENC_CHALLENGE_KDC = 55
    AS_REQ_CHECKSUM = 56
    CAMMAC = 64
    SPAKE = 65
