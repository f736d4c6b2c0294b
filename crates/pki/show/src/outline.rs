//! The components of a value, each with its position, for viewers that show the bytes beside the values.

use tagwise_codec::value::{Data, Dynamic, Print};
use tagwise_codec::{Error, Options, RuleSet};
use tagwise_input::{ValueKind, secret};

use crate::diff::walk;
use crate::fields::field_text;
use crate::oid_name;
use crate::tree::{Record, Value as Tree};

/// The maximum number of characters of a value's text.
const BUDGET: usize = 4096;
/// The maximum number of bytes of a value in its text.
const OCTETS: usize = 64;

/// A component of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The nesting depth. The value itself has depth 0, and components follow the value that contains them.
    pub depth: usize,
    /// The component's name, or its index in brackets. Empty for the value itself.
    pub name: String,
    /// The name of the type.
    pub ty: String,
    /// The offset of the encoding.
    pub offset: usize,
    /// The size of the encoding, if it has one.
    pub size: Option<usize>,
    /// The value as text, for values without components and for names. `None` for secrets. It may be untrusted.
    pub text: Option<String>,
}

/// Returns at most `limit` components of a value, in the order of their encodings.
///
/// ```
/// use tagwise_codec::RuleSet;
/// use tagwise_input::ValueKind;
/// use tagwise_show::outline::outline;
/// let key = [&[0x30, 42, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 3, 33, 0][..], &[0; 32]].concat();
/// let rows = outline(ValueKind::PublicKey, &key, RuleSet::NONE, 100).unwrap();
/// assert_eq!((rows[2].name.as_str(), rows[2].offset, rows[2].size), ("algorithm", 4, Some(5)));
/// ```
///
/// # Errors
/// Returns an error if the value is malformed.
pub fn outline(kind: ValueKind, der: &[u8], rules: RuleSet, limit: usize) -> Result<Vec<Row>, Error> {
    let dynamic = Dynamic::new(kind.ty()).options(Options::der().rules(rules));
    let read = dynamic.decode(der)?;
    let types = dynamic.types();
    let print = Print::new(types).oid_names(&oid_name).field_texts(&field_text).budget(BUDGET).octets(OCTETS);
    let mut rows = Vec::new();
    // An item of the stack is a value with its depth, name, text and whether it is secret.
    let mut stack = vec![(&read.value, 0_usize, String::new(), None, false)];
    while let Some((value, depth, name, text, is_secret)) = stack.pop() {
        if rows.len() >= limit {
            break;
        }
        let is_secret = is_secret || value.is_secret();
        let below = depth.saturating_add(1);
        let before = stack.len();
        match value.data() {
            Data::Components(components) => {
                for (field, value) in components.iter() {
                    let Some(value) = value else { continue };
                    let text = field_text(field, value);
                    stack.push((value, below, field.name.to_string(), text, is_secret || field.secret));
                }
            }
            Data::Items(items) => {
                let named = items.iter().enumerate();
                stack.extend(named.map(|(index, item)| (item, below, format!("[{index}]"), None, is_secret)));
            }
            Data::Alternative(chosen) => {
                let field = chosen.field();
                let text = field_text(field, chosen.value());
                stack.push((chosen.value(), below, field.name.to_string(), text, is_secret || field.secret));
            }
            Data::Containing(inner) => stack.push((inner, below, "containing".to_owned(), None, is_secret)),
            // Without components.
            _ => {}
        }
        // The first component is visited first.
        if let Some(children) = stack.get_mut(before..) {
            children.reverse();
        }
        let is_leaf = stack.len() == before;
        let text = text.or_else(|| walk::name(value)).or_else(|| is_leaf.then(|| print.line(value)).flatten());
        rows.push(Row {
            depth,
            name,
            ty: value.ty().name.to_string(),
            offset: value.offset(),
            size: value.as_bytes().map(<[u8]>::len),
            text: text.filter(|_| !(is_secret || is_leaf && secret::holds_secret(value))),
        });
    }
    Ok(rows)
}

/// Returns rows as a JSON array.
#[must_use]
pub fn document(rows: &[Row]) -> Tree<'_> {
    Tree::List(rows.iter().map(record).collect())
}

fn record(row: &Row) -> Tree<'_> {
    Record::default()
        .with("depth", Tree::number(row.depth))
        .with("name", Tree::text(&row.name))
        .with("type", Tree::text(&row.ty))
        .with("offset", Tree::number(row.offset))
        .with("size", row.size.map_or(Tree::Null, Tree::number))
        .with("text", row.text.as_ref().map_or(Tree::Null, Tree::text))
        .into()
}
