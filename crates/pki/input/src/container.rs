//! Container formats, and formats that are recognized but not read.

use std::borrow::Cow;

use crate::contents::{ContainerPart, Unpacked};
use crate::{CONTAINERS, ValueKind};
use tagwise_codec::RuleSet;

use crate::find::{Content, Found, InputItem, forms};
use crate::keystore::Stored;
use crate::problem::Problem;

/// Finds the items in the parts of an unpacked container.
pub(crate) fn contained(input: &[u8], unpacked: Unpacked, rules: RuleSet) -> Found<'static> {
    let form = unpacked.form;
    let mut items = Vec::new();
    for part in unpacked.parts {
        let ContainerPart { octets, entry, offset, line, failure } = part;
        if let Some((code, message)) = failure {
            let problem = Problem { line, ..Problem::of_container(code, message, offset) };
            items.push(InputItem {
                entry,
                line,
                offset,
                problem: Some(problem),
                ..InputItem::new(Content::Nothing, Cow::default())
            });
            continue;
        }
        for item in forms(&octets, rules).items {
            let (item, der) = item.split();
            // Where a value has a line, lines and offsets in what it decodes to lead nowhere.
            let (line, offset) = match (line, item.line) {
                (Some(line), _) => (Some(line), offset),
                (None, Some(inner)) => (Some(inner), item.offset),
                (None, None) => (None, offset.saturating_add(item.offset)),
            };
            items.push(InputItem { entry: entry.clone(), line, offset, der, ..item });
        }
    }
    if items.is_empty() {
        items.extend(foreign(input));
    }
    Found { form, items }
}

/// Recognizes an unsupported format, and returns an item that names it.
pub(crate) fn foreign(input: &[u8]) -> Option<InputItem<'static>> {
    let foreign = crate::foreign::recognise(input)?;
    let content = Content::Other(foreign.what.clone().into());
    Some(InputItem { foreign: Some(foreign), ..InputItem::new(content, Cow::default()) })
}

/// Returns items for a Java keystore, and the keys and certificates in it.
pub(crate) fn keystore(input: &[u8]) -> Vec<InputItem<'_>> {
    let mut items: Vec<InputItem<'_>> = foreign(input).into_iter().collect();
    if !CONTAINERS {
        return items;
    }
    match crate::keystore::entries(input) {
        Ok(entries) => {
            for stored in entries {
                let (content, range) = match stored {
                    Stored::Certificate(range) => (Content::Kind(ValueKind::Certificate), range),
                    Stored::PrivateKey(range) => (Content::Kind(ValueKind::EncryptedPrivateKey), range),
                    Stored::SecretKey(range) => {
                        // The object is opaque: its bytes are not a value of ASN.1.
                        let content = Content::Other("encrypted secret key (JCEKS)".into());
                        items.push(InputItem { offset: range.start, ..InputItem::new(content, Cow::default()) });
                        continue;
                    }
                };
                let der = Cow::Borrowed(input.get(range.clone()).unwrap_or_default());
                items.push(InputItem { offset: range.start, ..InputItem::new(content, der) });
            }
        }
        Err(at) => {
            let message = "cannot read this entry of the keystore".to_owned();
            let problem = Some(Problem::of_container("keystore", message, at));
            items.push(InputItem { offset: at, problem, ..InputItem::new(Content::Nothing, Cow::default()) });
        }
    }
    items
}
