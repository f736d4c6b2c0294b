//! Constraints on IP addresses: an address and a mask (RFC 5280 §4.2.1.10).

use core::net::IpAddr;

use tagwise_pkix::ext::IpSubnet;

/// Parses the base of a subtree: a subnet. With `strict`, its mask must be a prefix (RFC 4632).
pub(super) fn base(subnet: IpSubnet<'_>, strict: bool) -> Option<IpSubnet<'_>> {
    let usable = subnet.addr().is_some() && (!strict || subnet.prefix_len().is_some());
    usable.then_some(subnet)
}

/// Returns whether an address lies within a subnet of the same IP version.
pub(super) fn is_within(address: IpAddr, subnet: &IpSubnet<'_>) -> bool {
    subnet.contains(address)
}
