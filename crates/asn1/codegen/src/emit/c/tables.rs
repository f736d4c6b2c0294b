//! The ASN.1 types of a schema as constant tables in C.

use std::collections::HashMap;
use std::fmt::Write as _;

use tagwise_codec::Tag;
use tagwise_codec::table::{
    Bound, Constraint, DefaultValue, Field, NamedNumber, ObjectSet, Presence, Range, Schema, SetRef, Shape, StringKind,
    Tagging, TimeKind, Type, TypeRef,
};

use super::text::pieces;
use crate::emit::TooLarge;

/// The maximum size of a text written as a literal. C99 requires compilers to support 4095 characters (§5.2.4.1).
const LITERAL: usize = 1000;

/// The initializer for a missing tag.
const NONE: &str = "{0, 1, false}";

/// The definitions of arrays, without duplicates.
pub(super) struct Tables {
    pub(super) text: String,
    names: HashMap<String, String>,
    counts: HashMap<&'static str, usize>,
    allowance: u64,
}

impl Tables {
    /// Writes the types and object sets of a schema, for the module with the name `base`.
    ///
    /// # Errors
    /// Returns an error if the text would exceed the allowance.
    pub(super) fn new(schema: &Schema, base: &str, allowance: u64) -> Result<Self, TooLarge> {
        let (names, counts) = (HashMap::new(), HashMap::new());
        let mut tables = Self { text: String::new(), names, counts, allowance };
        let mut rows = Vec::new();
        for ty in schema.types.iter() {
            let row = tables.ty(ty);
            rows.push(row);
            tables.within(0)?;
        }
        let (types, count) = tables.array("type", rows);
        let mut rows = Vec::new();
        for set in schema.sets.iter() {
            let row = tables.set(set);
            rows.push(row);
            tables.within(0)?;
        }
        let (sets, set_count) = tables.array("set", rows);
        let _ = writeln!(
            tables.text,
            "static struct tagwise_layout_module {base}_module = {{{types}, {count}, {sets}, {set_count}, NULL}};\n"
        );
        tables.within(0)?;
        Ok(tables)
    }

    fn within(&self, more: usize) -> Result<(), TooLarge> {
        let length = self.text.len() + more;
        if length as u64 > self.allowance { Err(TooLarge { allowance: self.allowance }) } else { Ok(()) }
    }

    /// Defines an array, unless one with the same content exists. Returns its name and length.
    fn array(&mut self, kind: &'static str, rows: Vec<String>) -> (String, usize) {
        let count = rows.len();
        if rows.is_empty() {
            return ("NULL".to_owned(), 0);
        }
        let rows: String = rows.iter().map(|row| format!("    {row},\n")).collect();
        let ty = format!("struct tagwise_layout_{kind}");
        (self.define(kind, &ty, format!("{{\n{rows}}}")), count)
    }

    fn define(&mut self, kind: &'static str, ty: &str, content: String) -> String {
        let content = format!("[] = {content};\n\n");
        if let Some(name) = self.names.get(&content) {
            return name.clone();
        }
        let count = self.counts.entry(kind).or_default();
        let name = format!("{kind}_{count}");
        *count += 1;
        let _ = write!(self.text, "static const {ty} {name}{content}");
        self.names.insert(content, name.clone());
        name
    }

    /// Defines a NUL-terminated text.
    fn words(&mut self, text: &str) -> String {
        if text.len() <= LITERAL {
            let pieces = pieces(text);
            return if pieces.is_empty() { "\"\"".to_owned() } else { pieces.join(" ") };
        }
        let bytes = text.bytes().chain([0]);
        let rows: Vec<String> = bytes.map(|byte| format!("'\\{byte:03o}'")).collect();
        self.define("text", "char", format!("{{{}}}", rows.join(", ")))
    }

    fn bytes(&mut self, bytes: &[u8]) -> String {
        if bytes.is_empty() {
            return "{NULL, 0}".to_owned();
        }
        let rows: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
        let name = self.define("bytes", "uint8_t", format!("{{{}}}", rows.join(", ")));
        format!("{{{name}, sizeof {name}}}")
    }

    fn ty(&mut self, ty: &Type) -> String {
        let (mut inner, mut extensible, mut tagged) = (None, false, NONE.to_owned());
        let (mut fields, mut marker, mut numbers, mut selector) = (Vec::new(), None, &[][..], None);
        let shape = match &ty.shape {
            Shape::Boolean => "BOOLEAN",
            Shape::Integer(list) => {
                numbers = list;
                "INTEGER"
            }
            Shape::Enumerated { items, extensible: open } => {
                (numbers, extensible) = (items, *open);
                "ENUMERATED"
            }
            Shape::BitString(list) => {
                numbers = list;
                "BIT_STRING"
            }
            Shape::Real => "REAL",
            Shape::OctetString => "OCTET_STRING",
            Shape::Null => "NULL",
            Shape::ObjectIdentifier => "OBJECT_IDENTIFIER",
            Shape::RelativeOid => "RELATIVE_OID",
            Shape::OidIri => "OID_IRI",
            Shape::RelativeOidIri => "RELATIVE_OID_IRI",
            Shape::String(kind) => string(*kind),
            Shape::Time(kind) => time(*kind),
            Shape::Presentation(_) => "PRESENTATION",
            Shape::Sequence(list) | Shape::Set(list) => {
                fields = self.fields(&list.list);
                marker = list.marker;
                if matches!(ty.shape, Shape::Set(_)) { "SET" } else { "SEQUENCE" }
            }
            Shape::SequenceOf(item) => {
                inner = index(item);
                "SEQUENCE_OF"
            }
            Shape::SetOf(item) => {
                inner = index(item);
                "SET_OF"
            }
            Shape::Choice { alternatives, extensible: open } => {
                fields = self.fields(alternatives);
                extensible = *open;
                "CHOICE"
            }
            Shape::Open { set, selector: path } => {
                inner = set.as_ref().and_then(set_index);
                selector = Some(&**path);
                "OPEN"
            }
            Shape::Tagged { tagging: one, inner: ty } => {
                (inner, tagged) = (index(ty), tagging(one));
                "TAGGED"
            }
            // The types that are tables of the codec, by their tags.
            Shape::Named(TypeRef::Const(_)) => "PRESENTATION",
            Shape::Named(ty) => {
                inner = index(ty);
                "NAMED"
            }
        };
        let tag = ty.tag.map_or(NONE.to_owned(), |tag| self::tag(tag, false));
        let inner = inner.map_or("UINT32_MAX".to_owned(), |inner| inner.to_string());
        let (additions, root) = marker.map_or(("UINT32_MAX".to_owned(), 0), |one| (one.start.to_string(), one.end));
        let name = self.words(&ty.name);
        let (fields, count) = self.array("field", fields);
        let numbers = numbers.iter().map(|one| self.number(one)).collect();
        let (numbers, number_count) = self.array("number", numbers);
        let (rules, rule_count) = self.constraints(&ty.constraints);
        let selector = selector.map_or("NULL".to_owned(), |path| self.words(path));
        format!(
            "{{{name}, TAGWISE_LAYOUT_SHAPE_{shape}, {tag}, {tagged}, {inner}, {extensible}, {additions}, {root}, {fields}, {count}, \
             {numbers}, {number_count}, {rules}, {rule_count}, {selector}}}"
        )
    }

    fn number(&mut self, one: &NamedNumber) -> String {
        let name = self.words(&one.name);
        // The least number has no literal.
        match one.number {
            i64::MIN => format!("{{{name}, INT64_MIN}}"),
            number => format!("{{{name}, INT64_C({number})}}"),
        }
    }

    fn fields(&mut self, list: &[Field]) -> Vec<String> {
        list.iter().map(|field| self.field(field)).collect()
    }

    fn field(&mut self, field: &Field) -> String {
        let name = self.words(&field.name);
        let ty = index(&field.ty).unwrap_or(u32::MAX);
        let optional = !matches!(field.presence, Presence::Required);
        let value = match &field.presence {
            Presence::Default(DefaultValue::Der(octets)) => self.bytes(octets),
            // Compiled schemas have no functions.
            _ => "{NULL, 0}".to_owned(),
        };
        let group = field.group.map_or(-1, i32::from);
        let (tags, tag_count) = self.array("tag", field.tagging.iter().map(tagging).collect());
        let (rules, rule_count) = self.constraints(&field.constraints);
        format!("{{{name}, {ty}, {optional}, {value}, {group}, {tags}, {tag_count}, {rules}, {rule_count}}}")
    }

    fn set(&mut self, set: &ObjectSet) -> String {
        let name = self.words(&set.name);
        let mut objects = Vec::new();
        for object in set.objects.iter() {
            let (name, key) = (self.words(&object.name), self.bytes(&object.key));
            objects.push(format!("{{{name}, {key}, {}}}", index(&object.ty).unwrap_or(u32::MAX)));
        }
        let (objects, count) = self.array("object", objects);
        format!("{{{name}, {objects}, {count}, {}}}", set.extensible)
    }

    fn constraints(&mut self, list: &[Constraint]) -> (String, usize) {
        let rows = list.iter().filter_map(|one| self.constraint(one)).collect();
        self.array("constraint", rows)
    }

    // Recursion follows the constraints of the schema, whose depth the compiler limits.
    fn constraint(&mut self, one: &Constraint) -> Option<String> {
        Some(match one {
            Constraint::Value { ranges, extensible } => self.rule("VALUE", *extensible, Some(&self::ranges(ranges))),
            Constraint::Size { ranges, extensible } => self.rule("SIZE", *extensible, Some(&self::ranges(ranges))),
            Constraint::Alphabet { ranges, extensible } => {
                self.rule("ALPHABET", *extensible, Some(&self::ranges(ranges)))
            }
            Constraint::Between { ranges, extensible } => {
                let bounds = ranges.iter().flat_map(|range| [&range.min, &range.max]);
                let parts = bounds.map(|bound| self.bound(bound.as_ref())).collect();
                self.parts("BETWEEN", *extensible, None, parts)
            }
            Constraint::Values(values) => {
                let parts = values.iter().map(|value| self.octets("SINGLE", None, value)).collect();
                self.parts("VALUES", false, None, parts)
            }
            Constraint::Pattern(pattern) => self.rule("PATTERN", false, Some(pattern.as_str())),
            Constraint::Settings(settings) => self.rule("SETTINGS", false, Some(settings)),
            Constraint::Containing(ty) => reference("CONTAINING", index(ty), "NULL"),
            Constraint::EncodedBy(oid) => self.octets("ENCODED_BY", None, oid),
            Constraint::WithComponents { components, partial } => {
                let mut parts = Vec::new();
                for one in components.iter() {
                    let name = self.words(&one.name);
                    let present = one.present.map_or("UINT32_MAX", |present| if present { "1" } else { "0" });
                    let (rules, count) = self.constraints(&one.constraints);
                    parts.push(row("COMPONENT", false, present, &name, "{NULL, 0}", (&rules, count)));
                }
                self.parts("WITH_COMPONENTS", *partial, None, parts)
            }
            Constraint::WithComponent(list) => self.list("WITH_COMPONENT", list),
            Constraint::Includes(ty) => reference("INCLUDES", index(ty), "NULL"),
            Constraint::AllOf(list) => self.list("ALL_OF", list),
            Constraint::AnyOf(list) => self.list("ANY_OF", list),
            Constraint::NoneOf(list) => self.list("NONE_OF", list),
            Constraint::Extensible { root, additions } => {
                let parts = vec![self.list("ALL_OF", root), self.list("ALL_OF", additions)];
                self.parts("EXTENSIBLE", false, None, parts)
            }
            Constraint::Table(set) => reference("TABLE", set_index(set), "NULL"),
            Constraint::Relation { set, selector } => {
                let selector = self.words(selector);
                reference("RELATION", set_index(set), &selector)
            }
            Constraint::User(text) => self.rule("USER", false, Some(text)),
            // Compiled schemas have no functions.
            Constraint::Check(_) => return None,
        })
    }

    fn bound(&mut self, bound: Option<&Bound>) -> String {
        match bound {
            Some(bound) => self.octets("BOUND", bound.open.then_some("<"), &bound.content),
            None => self.rule("UNBOUNDED", false, None),
        }
    }

    fn list(&mut self, rule: &str, list: &[Constraint]) -> String {
        let (parts, count) = self.constraints(list);
        row(rule, false, "0", "NULL", "{NULL, 0}", (&parts, count))
    }

    fn parts(&mut self, rule: &str, extensible: bool, text: Option<&str>, parts: Vec<String>) -> String {
        let (parts, count) = self.array("constraint", parts);
        let text = text.map_or("NULL".to_owned(), |text| self.words(text));
        row(rule, extensible, "0", &text, "{NULL, 0}", (&parts, count))
    }

    fn rule(&mut self, rule: &str, extensible: bool, text: Option<&str>) -> String {
        self.parts(rule, extensible, text, Vec::new())
    }

    fn octets(&mut self, rule: &str, text: Option<&str>, octets: &[u8]) -> String {
        let text = text.map_or("NULL".to_owned(), |text| self.words(text));
        let octets = self.bytes(octets);
        row(rule, false, "0", &text, &octets, ("NULL", 0))
    }
}

/// Formats a row of a constraint table.
fn row(
    rule: &str,
    extensible: bool,
    reference: &str,
    text: &str,
    bytes: &str,
    (parts, count): (&str, usize),
) -> String {
    format!("{{TAGWISE_LAYOUT_RULE_{rule}, {extensible}, {reference}, {text}, {bytes}, {parts}, {count}}}")
}

fn reference(rule: &str, index: Option<u32>, text: &str) -> String {
    row(rule, false, &index.unwrap_or(u32::MAX).to_string(), text, "{NULL, 0}", ("NULL", 0))
}

/// Returns the index by which a compiled schema refers to a type.
const fn index(ty: &TypeRef) -> Option<u32> {
    match ty {
        TypeRef::Index(index) => Some(*index),
        TypeRef::Const(_) => None,
    }
}

const fn set_index(set: &SetRef) -> Option<u32> {
    match set {
        SetRef::Index(index) => Some(*index),
        SetRef::Const(_) => None,
    }
}

fn tagging(one: &Tagging) -> String {
    tag(one.tag, one.explicit)
}

fn tag(tag: Tag, explicit: bool) -> String {
    let form = if tag.is_constructed() { 0x20 } else { 0 };
    format!("{{{}, 0x{:02X}, {explicit}}}", tag.number(), (tag.class() as u8) << 6 | form)
}

/// Formats ranges, such as `1..5|7..`.
fn ranges(ranges: &[Range]) -> String {
    let bound = |bound: Option<i128>| bound.map(|bound| bound.to_string()).unwrap_or_default();
    let ranges = ranges.iter().map(|range| format!("{}..{}", bound(range.min), bound(range.max)));
    ranges.collect::<Vec<_>>().join("|")
}

const fn string(kind: StringKind) -> &'static str {
    match kind {
        StringKind::Utf8 => "UTF8_STRING",
        StringKind::Numeric => "NUMERIC_STRING",
        StringKind::Printable => "PRINTABLE_STRING",
        StringKind::Teletex => "TELETEX_STRING",
        StringKind::Videotex => "VIDEOTEX_STRING",
        StringKind::Ia5 => "IA5_STRING",
        StringKind::Graphic => "GRAPHIC_STRING",
        StringKind::Visible => "VISIBLE_STRING",
        StringKind::General => "GENERAL_STRING",
        StringKind::Universal => "UNIVERSAL_STRING",
        StringKind::Bmp => "BMP_STRING",
        StringKind::ObjectDescriptor => "OBJECT_DESCRIPTOR",
    }
}

const fn time(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Utc => "UTC_TIME",
        TimeKind::Generalized => "GENERALIZED_TIME",
        TimeKind::Time => "TIME",
        TimeKind::Date => "DATE",
        TimeKind::TimeOfDay => "TIME_OF_DAY",
        TimeKind::DateTime => "DATE_TIME",
        TimeKind::Duration => "DURATION",
    }
}
