//! Types by name: whole files, their parts, extensions, and types identified by object identifiers.

use std::collections::BTreeSet;

use tagwise_codec::OpenType;
use tagwise_codec::table::{Type, Typed};
use tagwise_pkix::ext::{ExtensionValue, GeneralNames};
use tagwise_pkix::{Extensions, Name, cms, rpki, tsp};

use super::known;
use super::table::ValueKind;

/// Types of structures that occur inside files.
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

/// Iterates over all types by name, without duplicates: of files, their parts, extensions, and other identified values.
fn catalogue() -> impl Iterator<Item = (&'static str, &'static Type)> {
    let extensions =
        ExtensionValue::set().objects.iter().filter_map(|object| Some((&*object.name, object.ty.get(None)?)));
    let named = |ty: &'static Type| (&*ty.name, ty);
    let mut seen = BTreeSet::new();
    let whole = ValueKind::ALL.iter().map(|kind| kind.ty()).chain(PARTS.iter().map(|ty| ty()));
    whole
        .map(named)
        .chain(extensions)
        .chain(known::types().map(named))
        .filter(move |(name, _)| seen.insert(name.to_ascii_lowercase()))
}

/// Returns the type with the given name, ignoring case.
///
/// ```
/// assert_eq!(&*tagwise_input::names::find("certificate").unwrap().name, "Certificate");
/// assert!(tagwise_input::names::find("nothing").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Type> {
    catalogue().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, ty)| ty)
}

/// Returns the names of all types that [`find`] recognizes.
#[must_use]
pub fn all() -> Vec<&'static str> {
    catalogue().map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests;
