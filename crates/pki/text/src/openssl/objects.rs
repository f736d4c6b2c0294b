//! OpenSSL's names of object identifiers.

use core::fmt::{self, Write};

use tagwise_codec::Oid;
pub(super) use tagwise_facts::openssl::{curve, lookup};

/// Returns whether OpenSSL accepts the bytes as an object identifier.
pub(super) fn is_object(oid: &[u8]) -> bool {
    Oid::from_content(oid).is_ok()
}

/// Writes an identifier's long name, or its dotted form (`i2a_ASN1_OBJECT`).
pub(super) fn long(oid: &[u8], out: &mut dyn Write) -> fmt::Result {
    match (lookup(oid), Oid::from_content(oid)) {
        (Some(object), _) => out.write_str(object.long),
        (None, Ok(oid)) => write!(out, "{oid}"),
        (None, Err(_)) => out.write_str("<INVALID>"),
    }
}
