//! The content of the pages.

use std::collections::{BTreeMap, BTreeSet};

use tagwise_codec::text::hex::Hex;
use tagwise_schema::model::{Alphabet, Bounds, Real, StringKind, Tagging, TimeKind, Value};

use super::{Block, Inline, Page};
use crate::emit::rust::text::{quoted, visible};
use crate::emit::rust::values::dotted;
use crate::emit::{Meter, TooLarge};
use crate::lower::plan::{
    Body, Builtin, Component, Content, Held, ItemId, Number, Plan, PlanItem, Presence, Repr, Role, Wrapper,
};

type Cell = Vec<Inline>;

struct Writer<'p> {
    plan: &'p Plan<'p>,
    /// The items that refer to each item.
    users: BTreeMap<ItemId, BTreeSet<ItemId>>,
}

/// Creates all pages with their names: one per module, and `index`.
pub(super) fn pages(plan: &Plan<'_>) -> Result<Vec<(String, Page)>, TooLarge> {
    let mut meter = Meter::new(plan.model.allowance());
    let mut users: BTreeMap<ItemId, BTreeSet<ItemId>> = BTreeMap::new();
    for (index, item) in plan.items.iter().enumerate() {
        for target in crate::lower::mentions(item) {
            users.entry(target).or_default().insert(ItemId(index as u32));
        }
    }
    let writer = Writer { plan, users };
    let mut pages = Vec::new();
    let mut rows = Vec::new();
    for module in plan.modules.iter().filter(|module| module.emitted) {
        let mut blocks = Vec::new();
        let known = plan.model.module(module.id);
        let oid = known.and_then(|known| known.oid.as_ref()).map(|oid| dotted(oid));
        if let Some(oid) = &oid {
            blocks.push(Block::Paragraph(vec![Inline::Text("Identifier ".to_owned()), Inline::Code(oid.clone())]));
        }
        let mut constants = Vec::new();
        for content in &module.contents {
            match content {
                Content::Item(id) => {
                    let before = blocks.len();
                    writer.item(*id, &mut blocks);
                    meter.spend(&blocks.get(before..))?;
                }
                Content::Constant(constant) => {
                    let value = code(&value_text(&constant.value));
                    let row = vec![code(&constant.name), writer.repr(&constant.repr), value];
                    meter.spend(&row)?;
                    constants.push(row);
                }
            }
        }
        if !constants.is_empty() {
            blocks.push(Block::Heading { text: "Values".to_owned(), anchor: "values".to_owned() });
            blocks.push(Block::Table { head: vec!["Name", "Type", "Value"], rows: constants });
        }
        let page = module.ident.clone();
        let link = Inline::Link { text: module.name.clone(), page: page.clone(), anchor: String::new() };
        rows.push(vec![vec![link], oid.map_or_else(Vec::new, |oid| code(&oid))]);
        pages.push((page, Page { title: module.name.clone(), blocks }));
    }
    let table = Block::Table { head: vec!["Module", "Identifier"], rows };
    pages.push(("index".to_owned(), Page { title: "Modules".to_owned(), blocks: vec![table] }));
    Ok(pages)
}

fn code(text: &str) -> Cell {
    vec![Inline::Code(visible(text))]
}

fn plain(text: impl Into<String>) -> Inline {
    Inline::Text(text.into())
}

impl Writer<'_> {
    fn item(&self, id: ItemId, blocks: &mut Vec<Block>) {
        let Some(item) = self.plan.item(id).filter(|item| item.emitted) else { return };
        let model = self.plan.model;
        blocks.push(Block::Heading { text: item.name.clone(), anchor: item.ident.clone() });
        blocks.push(Block::Code(quoted(model, item.span)));
        let mut about = vec![plain(kind(item))];
        if let Some(tag) = &item.tag {
            about.push(plain(", tag "));
            about.push(Inline::Code(tag_text(tag)));
        }
        about.push(plain(format!(", line {}.", self.plan.line(item.span))));
        blocks.push(Block::Paragraph(about));
        self.body(item, blocks);
        let users: Vec<&ItemId> = self.users.get(&id).into_iter().flatten().collect();
        if !users.is_empty() {
            let mut list = vec![plain("Used in ")];
            for (index, user) in users.iter().enumerate() {
                if index > 0 {
                    list.push(plain(", "));
                }
                list.push(self.link(**user));
            }
            list.push(plain("."));
            blocks.push(Block::Paragraph(list));
        }
    }

    fn body(&self, item: &PlanItem, blocks: &mut Vec<Block>) {
        match &item.body {
            Body::Pending => {}
            Body::Alias(repr) => {
                blocks.push(Block::Paragraph([vec![plain("Alias for ")], self.repr(repr), vec![plain(".")]].concat()));
            }
            Body::Newtype(held) => blocks.push(Block::Paragraph(self.held(held))),
            Body::NamedNumbers(held, numbers) => {
                blocks.push(Block::Paragraph(self.held(held)));
                blocks.push(named("Number", numbers));
            }
            Body::NamedBits(bits) => blocks.push(named("Bit", bits)),
            Body::Enumerated(enumerated) => {
                blocks.push(named("Number", &enumerated.items));
                if enumerated.unknown.is_some() {
                    blocks.push(extensible());
                }
            }
            Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
                let rows = list.iter().map(|component| self.component(component)).collect();
                if !list.is_empty() {
                    blocks.push(Block::Table { head: vec!["Component", "Tag", "Type", "Presence"], rows });
                }
            }
            Body::Choice(choice) => {
                let rows = choice.alternatives.iter().map(|alternative| {
                    vec![code(&alternative.name), tag_cell(&alternative.held), self.held(&alternative.held)]
                });
                blocks.push(Block::Table { head: vec!["Alternative", "Tag", "Type"], rows: rows.collect() });
                if choice.unknown.is_some() {
                    blocks.push(extensible());
                }
            }
            Body::OpenType(open) => {
                let rows = open
                    .rows
                    .iter()
                    .map(|row| vec![code(&row.name), code(&value_text(&row.key)), self.repr(&row.repr)]);
                blocks.push(Block::Table { head: vec!["Object", "Selected by", "Type"], rows: rows.collect() });
            }
        }
    }

    fn component(&self, component: &Component) -> Vec<Cell> {
        match &component.role {
            Role::Extensions => vec![code("..."), Vec::new(), vec![plain("additions by later versions")], Vec::new()],
            Role::Group(id, number) => {
                vec![code(&format!("[[{number}: ]]")), Vec::new(), vec![self.link(*id)], vec![plain("all or none")]]
            }
            Role::Value { held, presence, .. } => {
                let presence = match presence {
                    Presence::Required => Vec::new(),
                    Presence::Optional => code("OPTIONAL"),
                    Presence::Default(value, ..) => code(&format!("DEFAULT {}", value_text(value))),
                };
                vec![code(&component.name), tag_cell(held), self.held(held), presence]
            }
        }
    }

    /// Formats a type with its tags and constraints.
    fn held(&self, held: &Held) -> Cell {
        let mut cell = self.repr(&held.repr);
        match held.wrapper {
            Some(Wrapper::OctetString) => cell.insert(0, plain("OCTET STRING containing ")),
            Some(Wrapper::BitString) => cell.insert(0, plain("BIT STRING containing ")),
            None => {}
        }
        let mut constraint = |text: String| {
            cell.push(plain(" "));
            cell.push(Inline::Code(text));
        };
        if let Some(size) = &held.size {
            constraint(format!("SIZE ({})", bounds(size)));
        }
        if let Some(range) = &held.range {
            constraint(format!("({})", bounds(range)));
        }
        if let Some(alphabet) = &held.alphabet {
            constraint(format!("FROM ({})", characters(alphabet)));
        }
        if let Some(path) = &held.defined_by {
            cell.push(plain(format!(", selected by {}", path.join("."))));
        }
        cell
    }

    fn repr(&self, repr: &Repr) -> Cell {
        match repr {
            Repr::Item(id) | Repr::Open(id, _) => vec![self.link(*id)],
            Repr::Foreign(path) => code(path),
            Repr::Builtin(builtin) => vec![plain(builtin_name(*builtin))],
            Repr::OpenList(id, set) => vec![plain(if *set { "SET OF " } else { "SEQUENCE OF " }), self.link(*id)],
            Repr::SequenceOf(inner) => [vec![plain("SEQUENCE OF ")], self.repr(inner)].concat(),
            Repr::SetOf(inner) => [vec![plain("SET OF ")], self.repr(inner)].concat(),
            Repr::Raw(inner) | Repr::Captured(inner) | Repr::Boxed(inner) => self.repr(inner),
        }
    }

    fn link(&self, id: ItemId) -> Inline {
        let Some(item) = self.plan.item(id) else { return plain("?") };
        let page = self.plan.modules.get(item.module.0 as usize).filter(|module| module.emitted);
        match page {
            Some(module) if item.emitted => {
                Inline::Link { text: item.name.clone(), page: module.ident.clone(), anchor: item.ident.clone() }
            }
            _ => plain(item.name.clone()),
        }
    }
}

fn extensible() -> Block {
    Block::Paragraph(vec![plain("Later versions may add to it.")])
}

fn named(head: &'static str, numbers: &[Number]) -> Block {
    let rows = numbers.iter().map(|number| vec![code(&number.named.name), code(&number.named.number.to_string())]);
    Block::Table { head: vec!["Name", head], rows: rows.collect() }
}

fn tag_cell(held: &Held) -> Cell {
    held.tag.as_ref().map_or_else(Vec::new, |tag| code(&tag_text(tag)))
}

fn tag_text(tag: &Tagging) -> String {
    format!("{} {}", tag.tag, if tag.explicit { "EXPLICIT" } else { "IMPLICIT" })
}

const fn kind(item: &PlanItem) -> &'static str {
    match &item.body {
        Body::Pending | Body::Alias(_) | Body::Newtype(_) => "Type",
        Body::NamedNumbers(..) => "INTEGER with named numbers",
        Body::NamedBits(_) => "BIT STRING with named bits",
        Body::Sequence(_) => "SEQUENCE",
        Body::Set(_) => "SET",
        Body::Group(_) => "Extension addition group",
        Body::Choice(_) => "CHOICE",
        Body::Enumerated(enumerated) if enumerated.integer => "INTEGER of the named numbers only",
        Body::Enumerated(_) => "ENUMERATED",
        Body::OpenType(_) => "Object set",
    }
}

fn bounds(bounds: &Bounds) -> String {
    let mut parts: Vec<String> = bounds
        .ranges
        .iter()
        .map(|range| match (&range.min, &range.max) {
            (Some(min), Some(max)) if min == max => min.to_string(),
            (min, max) => {
                let end = |end: &Option<tagwise_schema::Int>, none: &str| {
                    end.as_ref().map_or_else(|| none.to_owned(), ToString::to_string)
                };
                format!("{}..{}", end(min, "MIN"), end(max, "MAX"))
            }
        })
        .collect();
    if parts.len() > 1 {
        parts = vec![parts.join(" | ")];
    }
    if bounds.extensible {
        parts.push("...".to_owned());
    }
    parts.join(", ")
}

fn characters(alphabet: &Alphabet) -> String {
    let one = |code: u32| match char::from_u32(code) {
        Some(character) if !character.is_control() => format!("\"{character}\""),
        _ => format!("U+{code:04X}"),
    };
    let parts = alphabet.ranges.iter().map(|range| {
        if range.first == range.last { one(range.first) } else { format!("{}..{}", one(range.first), one(range.last)) }
    });
    parts.collect::<Vec<_>>().join(" | ")
}

const fn builtin_name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Boolean => "BOOLEAN",
        Builtin::Integer | Builtin::Native(_) => "INTEGER",
        Builtin::Enumerated => "ENUMERATED",
        Builtin::Real => "REAL",
        Builtin::BitString | Builtin::NamedBits => "BIT STRING",
        Builtin::OctetString => "OCTET STRING",
        Builtin::Null => "NULL",
        Builtin::ObjectIdentifier => "OBJECT IDENTIFIER",
        Builtin::RelativeOid => "RELATIVE-OID",
        Builtin::OidIri => "OID-IRI",
        Builtin::RelativeOidIri => "RELATIVE-OID-IRI",
        Builtin::External => "EXTERNAL",
        Builtin::EmbeddedPdv => "EMBEDDED PDV",
        Builtin::CharacterString => "CHARACTER STRING",
        Builtin::Any => "any type",
        Builtin::Time(kind) => match kind {
            TimeKind::Utc => "UTCTime",
            TimeKind::Generalized => "GeneralizedTime",
            TimeKind::Time => "TIME",
            TimeKind::Date => "DATE",
            TimeKind::TimeOfDay => "TIME-OF-DAY",
            TimeKind::DateTime => "DATE-TIME",
            TimeKind::Duration => "DURATION",
        },
        Builtin::String(kind) => match kind {
            StringKind::Utf8 => "UTF8String",
            StringKind::Numeric => "NumericString",
            StringKind::Printable => "PrintableString",
            StringKind::Teletex => "TeletexString",
            StringKind::Videotex => "VideotexString",
            StringKind::Ia5 => "IA5String",
            StringKind::Graphic => "GraphicString",
            StringKind::Visible => "VisibleString",
            StringKind::General => "GeneralString",
            StringKind::Universal => "UniversalString",
            StringKind::Bmp => "BMPString",
            StringKind::ObjectDescriptor => "ObjectDescriptor",
        },
    }
}

/// The maximum displayed length of a value, in characters.
const SHOWN: usize = 1024;

/// Formats a value in X.680 notation. Deeply nested or long values are truncated.
pub(crate) fn value_text(value: &Value) -> String {
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    match value {
        Value::Boolean(true) => "TRUE".to_owned(),
        Value::Boolean(false) => "FALSE".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Enumerated(named) => named.name.clone(),
        Value::Real(real) => match real {
            Real::Number { mantissa, base, exponent } => {
                format!("{{ mantissa {mantissa}, base {base}, exponent {exponent} }}")
            }
            Real::MinusZero => "-0".to_owned(),
            Real::PlusInfinity => "PLUS-INFINITY".to_owned(),
            Real::MinusInfinity => "MINUS-INFINITY".to_owned(),
            Real::NotANumber => "NOT-A-NUMBER".to_owned(),
        },
        Value::BitString(bits) => {
            let bit = |index: usize| bits.octets.get(index / 8).is_some_and(|octet| octet & (0x80 >> (index % 8)) != 0);
            let text: String = (0..bits.len.min(SHOWN)).map(|index| if bit(index) { '1' } else { '0' }).collect();
            format!("'{text}{}'B", cut(bits.len > SHOWN))
        }
        Value::OctetString(octets) => {
            let shown = octets.get(..SHOWN / 2).unwrap_or(octets);
            format!("'{:X}{}'H", Hex(shown), cut(octets.len() > shown.len()))
        }
        Value::Null => "NULL".to_owned(),
        Value::ObjectIdentifier(arcs) | Value::RelativeOid(arcs) => dotted(arcs),
        Value::Iri(text) | Value::String(text) | Value::Time(text) => {
            let shown: String = text.chars().take(SHOWN).collect();
            format!("\"{shown}{}\"", cut(shown.len() < text.len()))
        }
        Value::Sequence(list) if list.is_empty() => "{}".to_owned(),
        Value::SequenceOf(list) if list.is_empty() => "{}".to_owned(),
        Value::Choice(name, _) => format!("{name} : …"),
        _ => "{ … }".to_owned(),
    }
}
