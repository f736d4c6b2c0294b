//! Text for values whose format depends on the component that contains them.

use tagwise_codec::OpenType as _;
use tagwise_codec::table::Field;
use tagwise_codec::value::{self, from_dotted};
use tagwise_pkix::ext::{ExtensionValue, IpAddress, IpSubnet};
use tagwise_pkix::oids;

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

/// Finds an identifier by its name, its short name, the name of its extension's type, or its dotted form. Paths select items of a list
/// by it.
///
/// ```
/// use tagwise_show::fields::identifier;
/// assert_eq!(identifier("subjectAltName"), identifier("2.5.29.17"));
/// assert!(identifier("nonesuch").is_none());
/// ```
#[must_use]
pub fn identifier(text: &str) -> Option<Vec<u8>> {
    let by_name = || oids::by_name(text).map(|info| info.oid.as_bytes().to_vec());
    let by_type = || {
        let objects = &ExtensionValue::set().objects;
        objects.iter().find(|object| object.name.eq_ignore_ascii_case(text)).map(|object| object.key.to_vec())
    };
    from_dotted(text).or_else(by_name).or_else(by_type)
}
