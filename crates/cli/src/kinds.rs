//! The types that values of a file are known to have: by name, by what they hold, by their label in PEM.

use std::collections::BTreeSet;

use tagwise_codec::table::{Field, Type, Typed};
use tagwise_codec::{OpenType, value};
use tagwise_pkix::ext::{ExtensionValue, GeneralNames, IpAddress, IpSubnet};
use tagwise_pkix::{Certificate, CertificateList, Extensions, Name, cms, rpki, tsp};

use crate::input::{self, Content};
use crate::model::message::{Message, known};

/// Types that are no file of their own, but stand in one.
const PARTS: &[fn() -> &'static Type] = &[
    cms::SignedData::ty,
    cms::EnvelopedData::ty,
    cms::SignerInfo::ty,
    tsp::TstInfo::ty,
    rpki::Manifest::ty,
    rpki::RouteOriginAttestation::ty,
    Name::ty,
    Extensions::ty,
    GeneralNames::ty,
];

/// The types of whole files, and parts of them; extensions come after these, and what `show` knows besides.
fn all() -> impl Iterator<Item = &'static Type> {
    let certificates = [Certificate::ty(), CertificateList::ty()];
    certificates.into_iter().chain(Message::ALL.iter().map(|message| message.ty())).chain(PARTS.iter().map(|ty| ty()))
}

/// All types by name, each once: the names of `--type`.
fn catalogue() -> impl Iterator<Item = (&'static str, &'static Type)> {
    let extensions =
        ExtensionValue::set().objects.iter().filter_map(|object| Some((&*object.name, object.ty.get(None)?)));
    let named = |ty: &'static Type| (&*ty.name, ty);
    let mut seen = BTreeSet::new();
    all()
        .map(named)
        .chain(extensions)
        .chain(known::types().map(named))
        .filter(move |(name, _)| seen.insert(name.to_ascii_lowercase()))
}

/// The type of that name.
pub(crate) fn named(name: &str) -> Option<&'static Type> {
    catalogue().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, ty)| ty)
}

/// The names that there are.
pub(crate) fn names() -> Vec<&'static str> {
    catalogue().map(|(name, _)| name).collect()
}

/// The type of what octets hold, found by looking.
pub(crate) fn of(octets: &[u8]) -> Option<&'static Type> {
    of_content(&input::content(octets))
}

/// The type of what was found.
pub(crate) fn of_content(content: &Content) -> Option<&'static Type> {
    match content {
        Content::Certificate => Some(Certificate::ty()),
        Content::Crl => Some(CertificateList::ty()),
        Content::Message(what) => Some(what.ty()),
        Content::C509 | Content::Trust | Content::Other(_) | Content::Nothing => None,
    }
}

/// The label of a type in PEM.
pub(crate) fn label(ty: &Type) -> Option<&'static str> {
    match &*ty.name {
        "Certificate" => Some("CERTIFICATE"),
        "CertificateList" => Some("X509 CRL"),
        name => Message::ALL.iter().find(|message| *message.ty().name == *name)?.label(),
    }
}

/// The text of a value by the component or alternative that it is: addresses as people write them.
pub(crate) fn field_text(field: &Field, value: &value::Value<'_>) -> Option<String> {
    address(&field.name, value)
}

/// The text of an address in a general name: `192.0.2.1`, `2001:db8::/32`.
pub(crate) fn address(name: &str, value: &value::Value<'_>) -> Option<String> {
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

/// Whether a value is secret, or has a part that is.
pub(crate) fn holds_secret(value: &value::Value<'_>) -> bool {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        if value.is_secret() {
            return true;
        }
        match value.data() {
            value::Data::Components(components) => {
                for (field, value) in components.iter() {
                    let Some(value) = value else { continue };
                    if field.secret {
                        return true;
                    }
                    stack.push(value);
                }
            }
            value::Data::Items(items) => stack.extend(items),
            value::Data::Alternative(chosen) => stack.push(chosen.value()),
            value::Data::Containing(inner) => stack.push(inner),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
