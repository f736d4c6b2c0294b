//! Text for values whose format depends on the component that contains them.

use tagwise_codec::table::Field;
use tagwise_codec::value;
use tagwise_pkix::ext::{IpAddress, IpSubnet};

/// Formats a value whose text depends on its component or alternative, such as an IP address.
#[must_use]
pub fn field_text(field: &Field, value: &value::Value<'_>) -> Option<String> {
    address(&field.name, value)
}

/// Formats an IP address in a general name: `192.0.2.1`, `2001:db8::/32`.
#[must_use]
pub fn address(name: &str, value: &value::Value<'_>) -> Option<String> {
    let octets = value.content().filter(|_| name == "iPAddress")?;
    if let Ok(octets) = octets.try_into() {
        return Some(IpAddress::v4(octets).to_string());
    }
    if let Ok(octets) = octets.try_into() {
        return Some(IpAddress::v6(octets).to_string());
    }
    // With a mask, where names are constrained.
    if let Ok(octets) = octets.try_into() {
        return Some(IpSubnet::v4(octets).to_string());
    }
    octets.try_into().ok().map(|octets| IpSubnet::v6(octets).to_string())
}
