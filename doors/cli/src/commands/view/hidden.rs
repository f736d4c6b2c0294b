//! The bytes that the page does not show: those of private keys, passwords and other secrets.

use std::ops::Range;

use serde_json::{Value as Json, json};
use tagwise_codec::value::{Data, Dynamic, Value};
use tagwise_codec::{Options, RuleSet};
use tagwise_input::secret::{is_public, is_secret, is_secret_label, names_secret};
use tagwise_input::{Content, InputItem, ValueKind};

use crate::shared::rules::every;

/// Secret ranges of a value's bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// All bytes: a key, a key store, or a value whose secrets cannot be separated from the rest.
    Whole,
    /// These bytes, perhaps none.
    Parts(Vec<Range<usize>>),
}

impl Hidden {
    /// Finds the secrets in a value.
    pub(super) fn of(item: &InputItem<'_>, rules: RuleSet) -> Self {
        if item.label.as_deref().is_some_and(is_secret_label) {
            return Self::Whole;
        }
        let kind = match item.content {
            Content::Kind(kind) => kind,
            Content::C509 | Content::Trust => return Self::Parts(Vec::new()),
            // Formats that are recognized but not decoded may be key stores.
            Content::Other(_) | Content::Nothing if item.foreign.is_some() || is_secret(&item.der) => {
                return Self::Whole;
            }
            Content::Other(_) | Content::Nothing => return Self::Parts(Vec::new()),
        };
        match kind {
            ValueKind::PrivateKey
            | ValueKind::EncryptedPrivateKey
            | ValueKind::RsaPrivateKey
            | ValueKind::EcPrivateKey
            | ValueKind::Pkcs12 => return Self::Whole,
            _ => {}
        }
        match ranges(kind, &item.der, rules).or_else(|| ranges(kind, &item.der, every())) {
            // An identifier of a secret beside which none was decoded.
            Some(found) if found.is_empty() && names_secret(&item.der) => Self::Whole,
            Some(found) => Self::Parts(found),
            // In damaged bytes, a secret cannot be separated from the rest.
            None if is_public(kind, &item.der) => Self::Parts(Vec::new()),
            None => Self::Whole,
        }
    }

    /// Overwrites the secrets with zeros.
    pub(super) fn blank(&self, octets: &mut [u8]) {
        match self {
            Self::Whole => octets.fill(0),
            Self::Parts(parts) => {
                for part in parts {
                    if let Some(secret) = octets.get_mut(part.clone()) {
                        secret.fill(0);
                    }
                }
            }
        }
    }

    /// Removes the texts that the tree gives to byte strings of the value: in key stores, they contain keys.
    pub(super) fn strip(&self, rows: &mut [tagwise_show::outline::Row]) {
        if *self == Self::Whole {
            for row in rows.iter_mut().filter(|row| matches!(&*row.ty, "OCTET STRING" | "ANY")) {
                row.text = None;
            }
        }
    }

    /// The ranges in JSON: the first byte and the one after the last.
    pub(super) fn document(&self, size: usize) -> Json {
        match self {
            Self::Whole => json!([[0, size]]),
            Self::Parts(parts) => parts.iter().map(|part| json!([part.start, part.end])).collect(),
        }
    }
}

/// Returns the ranges of the secret components of a value, or `None` if it is malformed.
fn ranges(kind: ValueKind, der: &[u8], rules: RuleSet) -> Option<Vec<Range<usize>>> {
    let dynamic = Dynamic::new(kind.ty()).options(Options::der().rules(rules));
    let read = dynamic.decode(der).ok()?;
    let mut found = Vec::new();
    let mut stack = vec![(&read.value, false)];
    while let Some((value, is_secret)) = stack.pop() {
        if is_secret || value.is_secret() {
            found.extend(range(value));
            continue;
        }
        match value.data() {
            Data::Components(components) => {
                stack.extend(components.iter().filter_map(|(field, value)| Some((value?, field.secret))));
            }
            Data::Items(items) => stack.extend(items.iter().map(|item| (item, false))),
            Data::Alternative(chosen) => stack.push((chosen.value(), chosen.field().secret)),
            Data::Containing(inner) => stack.push((inner, false)),
            _ => {}
        }
    }
    Some(found)
}

fn range(value: &Value<'_>) -> Option<Range<usize>> {
    let size = value.as_bytes()?.len();
    Some(value.offset()..value.offset().saturating_add(size))
}
