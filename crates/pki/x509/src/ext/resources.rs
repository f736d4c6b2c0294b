//! IP addresses and AS numbers of a certificate (RFC 3779). Path validation compares them.

use tagwise_codec::{Fault, FaultKind, Reader, Rule};

pub use crate::r#gen::resources::{
    AsIdOrRange, AsIdentifierChoice, AsIdentifiers, AsRange, IpAddrBlocks, IpAddressChoice, IpAddressFamily,
    IpAddressOrRange, IpAddressRange,
};

impl IpAddressFamily<'_> {
    /// Returns the address family: 1 is IPv4, 2 is IPv6.
    #[must_use]
    pub fn afi(&self) -> Option<u16> {
        self.address_family.as_bytes().first_chunk().map(|afi| u16::from_be_bytes(*afi))
    }
}

/// Checks that at least one of the two components is present (RFC 6268 §9).
pub(crate) fn check_identifiers(
    identifiers: &AsIdentifiers<'_>,
    reader: &Reader<'_, '_>,
    at: usize,
) -> Result<(), Fault> {
    if identifiers.asnum.is_some() || identifiers.rdi.is_some() {
        Ok(())
    } else {
        reader.deviate(&Rule::VALUE, FaultKind::Value, at)
    }
}
