//! RPKI signed objects: manifests (RFC 9286) and route origin authorizations (RFC 9582), both CMS content types.
//! This module does not check whether the certificates' resources cover the resources in the objects.
//!
//! ```
//! use tagwise_codec::Decode;
//! use tagwise_messages::rpki::RouteOriginAttestation;
//! // AS 64496 may announce 192.0.2.0/24.
//! let roa = RouteOriginAttestation::from_der(
//!     b"\x30\x15\x02\x03\x00\xFB\xF0\x30\x0E\x30\x0C\x04\x02\x00\x01\x30\x06\x30\x04\x03\x02\x00\xC0",
//! )?;
//! assert_eq!(roa.as_id, 64496);
//! # Ok::<(), tagwise_codec::Error>(())
//! ```

use tagwise_codec::{Fault, Reader};

pub use crate::r#gen::rpki_manifest::*;
pub use crate::r#gen::rpki_roa::*;
use tagwise_x509::profile;

/// Returns the number of bits in an address family's addresses, or `None` for an unsupported family.
#[must_use]
pub const fn address_bits(family: &[u8]) -> Option<u8> {
    match family {
        [0, 1] => Some(32),
        [0, 2] => Some(128),
        _ => None,
    }
}

/// Checks an address family (RFC 9582 §4.3.1, §4.3.2). It must be IPv4 or IPv6, and no prefix may be longer than the
/// family's addresses. maxLength must lie between the prefix length and the address length.
pub(crate) fn check_family(family: &RoaIpAddressFamily<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    let Some(bits) = address_bits(family.address_family.as_bytes()) else {
        return reader.deviate_profile(&profile::ROA_PREFIX, at);
    };
    let fits = |prefix: &RoaIpAddress<'_>| {
        let len = prefix.address.bit_len();
        len <= u64::from(bits) && prefix.max_length.is_none_or(|max| max <= bits && u64::from(max) >= len)
    };
    if !reader.is_deep() || family.addresses.iter().map_while(Result::ok).all(|prefix| fits(&prefix)) {
        Ok(())
    } else {
        reader.deviate_profile(&profile::ROA_PREFIX, at)
    }
}
