//! The types that values of a file are known to have: by name, by what they hold, by their label in PEM.

use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{OpenType, value};
use tagwise_pkix::ext::{ExtensionValue, GeneralNames};
use tagwise_pkix::{Certificate, CertificateList, Extensions, Name, cms, rpki, tsp};

use crate::input::{self, Content};
use crate::model::message::Message;

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

/// The types of whole files, and parts of them; extensions come after these.
fn all() -> impl Iterator<Item = &'static Type> {
    let certificates = [Certificate::ty(), CertificateList::ty()];
    certificates.into_iter().chain(Message::ALL.iter().map(|message| message.ty())).chain(PARTS.iter().map(|ty| ty()))
}

/// The type of that name.
pub(crate) fn named(name: &str) -> Option<&'static Type> {
    let known = all().find(|ty| ty.name.eq_ignore_ascii_case(name));
    let set = ExtensionValue::set();
    let extension = || set.objects.iter().find(|object| object.name.eq_ignore_ascii_case(name))?.ty.get(None);
    known.or_else(extension)
}

/// The names that there are.
pub(crate) fn names() -> Vec<&'static str> {
    let extensions = ExtensionValue::set().objects.iter().map(|object| &*object.name);
    let mut names: Vec<&str> = all().map(|ty| &*ty.name).chain(extensions).collect();
    names.dedup();
    names
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
        Content::C509 | Content::Other(_) | Content::Nothing => None,
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
