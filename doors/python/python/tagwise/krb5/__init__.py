"""Kerberos: messages, cryptography, keytabs and credential caches, and a client, without MIT's or Heimdal's libraries.

>>> from tagwise import krb5
>>> keytab = krb5.Keytab()
>>> keytab.add_password("alice@KRB.TEST", "alicepw", enctypes=[krb5.Enctype.AES256_CTS_HMAC_SHA1_96])
>>> krb5.decode(keytab.to_bytes()).content["entries"][0]["principal"]
'alice@KRB.TEST'

`Client` gets tickets from KDCs, and `tagwise.gss` establishes contexts with them. See docs/src/python-kerberos.md for
a guide.
"""

from __future__ import annotations

from tagwise._errors import KerberosConnectionError, KerberosError
from tagwise._native import Credential, Key, KeytabEntry, Principal
from tagwise.krb5._client import Client, change_password, get_service_ticket, kinit
from tagwise.krb5._decode import Decoded, Dissection, Message, Opener, Part, decode, decrypt, dissect, summary
from tagwise.krb5._files import Config, CredentialCache, Keytab
from tagwise.krb5._numbers import ChecksumType, Enctype, KeyUsage, n_fold
from tagwise.krb5._pac import Pac, PacBuffer

__all__ = [
    "ChecksumType",
    "Client",
    "Config",
    "Credential",
    "CredentialCache",
    "Decoded",
    "Dissection",
    "Enctype",
    "KerberosConnectionError",
    "KerberosError",
    "Key",
    "KeyUsage",
    "Keytab",
    "KeytabEntry",
    "Message",
    "Opener",
    "Pac",
    "PacBuffer",
    "Part",
    "Principal",
    "change_password",
    "decode",
    "decrypt",
    "dissect",
    "get_service_ticket",
    "kinit",
    "n_fold",
    "summary",
]
