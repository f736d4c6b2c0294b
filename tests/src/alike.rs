//! Compares two tables of one type: a Rust type's and a compiled schema's. Differences are listed with their paths.
//!
//! The comparison covers shapes, components with their names, order, tags and presence, DEFAULTs, named numbers and bits,
//! markers, sizes, ranges and alphabets, and the contents of strings. Open types have a row for each identifier: rows that
//! both contain are compared, and rows that only the schema contains are listed. Type names are not compared.

use std::collections::BTreeSet;

use tagwise_codec::Writer;
use tagwise_codec::table::{
    Constraint, DefaultValue, Field, Fields, NamedNumber, Presence, Range, Schema, Shape, Tagging, Type, TypeRef,
};

/// A difference: the path, the Rust type's side, and the schema's side.
pub type Difference = (String, String, String);

/// The comparison of several types. Each pair of tables is compared only once, where it is first encountered.
#[derive(Debug)]
pub struct Comparison<'s> {
    schema: &'s Schema,
    seen: BTreeSet<(String, usize)>,
    /// The names of the Rust types encountered.
    pub met: BTreeSet<String>,
    /// The differences.
    pub differences: Vec<Difference>,
}

/// A type without its names and tags, with all that these say.
struct Peeled<'t> {
    tags: Vec<Tagging>,
    constraints: Vec<&'t Constraint>,
    base: &'t Type,
}

fn peel<'t>(ty: &'t Type, schema: Option<&'t Schema>, mut met: impl FnMut(&str)) -> Peeled<'t> {
    let mut peeled = Peeled { tags: Vec::new(), constraints: Vec::new(), base: ty };
    loop {
        met(&peeled.base.name);
        peeled.constraints.extend(peeled.base.constraints.iter());
        match &peeled.base.shape {
            Shape::Named(inner) => peeled.base = inner.get(schema).unwrap(),
            Shape::Tagged { tagging, inner } => {
                peeled.tags.push(*tagging);
                peeled.base = inner.get(schema).unwrap();
            }
            _ => return peeled,
        }
    }
}

impl<'s> Comparison<'s> {
    /// Creates an empty comparison. Indices refer to the given schema.
    #[must_use]
    pub const fn new(schema: &'s Schema) -> Self {
        Self { schema, seen: BTreeSet::new(), met: BTreeSet::new(), differences: Vec::new() }
    }

    fn differ(&mut self, path: &str, here: impl Into<String>, there: impl Into<String>) {
        let (here, there) = (here.into(), there.into());
        if here != there {
            self.differences.push((path.to_owned(), here, there));
        }
    }

    /// Compares a Rust type's table with a table of the schema.
    pub fn types(&mut self, path: &str, here: &Type, there: &Type) {
        self.with(path, here, there, (&[], &[]), (&[], &[]));
    }

    fn with(
        &mut self,
        path: &str,
        here: &Type,
        there: &Type,
        tags: (&[Tagging], &[Tagging]),
        constraints: (&[Constraint], &[Constraint]),
    ) {
        let mut met = Vec::new();
        let mut left = peel(here, None, |name| met.push(name.to_owned()));
        let mut right = peel(there, Some(self.schema), |_| {});
        let sign = signature(&met, left.base);
        self.met.extend(met);
        left.tags.splice(0..0, tags.0.iter().copied());
        right.tags.splice(0..0, tags.1.iter().copied());
        left.constraints.extend(constraints.0);
        right.constraints.extend(constraints.1);
        self.differ(&format!("{path} tags"), all_tags(&left.tags), all_tags(&right.tags));
        self.constraints(path, &left, &right);
        // Cycles end, and what many types have is told once.
        if self.seen.insert((sign, std::ptr::from_ref(right.base).addr())) {
            self.shapes(path, left.base, right.base);
        }
    }

    fn shapes(&mut self, path: &str, here: &Type, there: &Type) {
        match (&here.shape, &there.shape) {
            (Shape::Sequence(left), Shape::Sequence(right)) | (Shape::Set(left), Shape::Set(right)) => {
                self.fields(path, left, right);
            }
            (
                Shape::Choice { alternatives: left, extensible },
                Shape::Choice { alternatives: right, extensible: other },
            ) => {
                self.differ(&format!("{path} extensible"), extensible.to_string(), other.to_string());
                self.list(path, left, right);
            }
            (Shape::SequenceOf(left), Shape::SequenceOf(right)) | (Shape::SetOf(left), Shape::SetOf(right)) => {
                let (left, right) = (left.get(None).unwrap(), right.get(Some(self.schema)).unwrap());
                self.types(&format!("{path}[]"), left, right);
            }
            (Shape::Open { set: left, .. }, Shape::Open { set: right, .. }) => {
                let sets = left.and_then(|set| set.get(None)).zip(right.and_then(|set| set.get(Some(self.schema))));
                let Some((left, right)) = sets else { return };
                for object in right.objects.iter() {
                    let path = format!("{path}({})", object.name.trim());
                    match left.find(&object.key) {
                        Some(own) => {
                            let (own, other) = (own.ty.get(None).unwrap(), object.ty.get(Some(self.schema)).unwrap());
                            self.types(&path, own, other);
                        }
                        None => self.differ(&path, "-", "is there"),
                    }
                }
            }
            (left, right) => self.differ(path, kind(left), kind(right)),
        }
    }

    fn fields(&mut self, path: &str, left: &Fields, right: &Fields) {
        let marker = |fields: &Fields| fields.marker.map_or("none".to_owned(), |marker| format!("{marker:?}"));
        self.differ(&format!("{path} marker"), marker(left), marker(right));
        self.list(path, &left.list, &right.list);
    }

    fn list(&mut self, path: &str, left: &[Field], right: &[Field]) {
        self.differ(path, listed(left), listed(right));
        for field in left {
            let Some(other) = right.iter().find(|other| *other.name == *field.name) else { continue };
            self.field(&format!("{path}.{}", &*field.name), field, other);
        }
    }

    fn field(&mut self, path: &str, left: &Field, right: &Field) {
        self.differ(&format!("{path} presence"), presence(&left.presence), presence(&right.presence));
        let (here, there) = (left.ty.get(None).unwrap(), right.ty.get(Some(self.schema)).unwrap());
        self.with(path, here, there, (&left.tagging, &right.tagging), (&left.constraints, &right.constraints));
        let held = |field: &Field, ty: &Type, schema| {
            let own = field.constraints.iter().chain(peel(ty, schema, |_| {}).constraints).find_map(containing);
            field.containing.or(own)
        };
        let (inside, other) = (held(left, here, None), held(right, there, Some(self.schema)));
        match (inside, other) {
            (Some(inside), Some(other)) => {
                let (inside, other) = (inside.get(None).unwrap(), other.get(Some(self.schema)).unwrap());
                self.types(path, inside, other);
            }
            (inside, other) => {
                let whether = |held: Option<TypeRef>| if held.is_some() { "an encoding" } else { "octets" };
                self.differ(&format!("{path} holds"), whether(inside), whether(other));
            }
        }
    }

    fn constraints(&mut self, path: &str, left: &Peeled<'_>, right: &Peeled<'_>) {
        let (here, there) = (said(&left.constraints), said(&right.constraints));
        self.differ(&format!("{path} constraints"), here, there);
    }
}

/// What tells a Rust type's table from others. Not its address: the compiler may keep a table in several places, or in none.
fn signature(names: &[String], base: &Type) -> String {
    let inside = match &base.shape {
        Shape::Sequence(fields) | Shape::Set(fields) => listed(&fields.list),
        Shape::Choice { alternatives, .. } => listed(alternatives),
        Shape::SequenceOf(item) | Shape::SetOf(item) => item.get(None).unwrap().name.to_string(),
        _ => String::new(),
    };
    format!("{} {} {inside}", names.join("/"), kind(&base.shape))
}

fn listed(fields: &[Field]) -> String {
    fields.iter().map(|field| &*field.name).collect::<Vec<_>>().join(" ")
}

fn containing(constraint: &Constraint) -> Option<TypeRef> {
    match constraint {
        Constraint::Containing(ty) => Some(*ty),
        _ => None,
    }
}

fn all_tags(tags: &[Tagging]) -> String {
    let one = |tagging: &Tagging| {
        format!(
            "{:?} {} {}",
            tagging.tag.class(),
            tagging.tag.number(),
            if tagging.explicit { "EXPLICIT" } else { "IMPLICIT" }
        )
    };
    tags.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn presence(presence: &Presence) -> String {
    match presence {
        Presence::Required => "required".to_owned(),
        Presence::Optional => "OPTIONAL".to_owned(),
        Presence::Default(DefaultValue::Der(octets)) => format!("DEFAULT {:02X?}", &**octets),
        Presence::Default(DefaultValue::Write(write)) => {
            let mut buffer = [0; 256];
            let mut writer = Writer::new(&mut buffer);
            write(&mut writer).unwrap();
            format!("DEFAULT {:02X?}", writer.written())
        }
    }
}

/// What is said of sizes, values and characters; what is a condition of its own is known by its kind.
fn said(constraints: &[&Constraint]) -> String {
    let ranges = |ranges: &[Range]| {
        let end = |end: Option<i128>| end.map_or("*".to_owned(), |end| end.to_string());
        ranges.iter().map(|range| format!("{}..{}", end(range.min), end(range.max))).collect::<Vec<_>>().join(" | ")
    };
    let one = |constraint: &&Constraint| {
        Some(match constraint {
            Constraint::Size { ranges: list, extensible } => format!("SIZE ({}) {extensible}", ranges(list)),
            Constraint::Value { ranges: list, extensible } => format!("({}) {extensible}", ranges(list)),
            Constraint::Alphabet { ranges: list, extensible } => format!("FROM ({}) {extensible}", ranges(list)),
            Constraint::Values(values) => format!("{} values", values.len()),
            Constraint::Pattern(_) => "PATTERN".to_owned(),
            Constraint::WithComponents { .. } => "WITH COMPONENTS".to_owned(),
            Constraint::WithComponent(_) => "WITH COMPONENT".to_owned(),
            Constraint::AnyOf(_) => "|".to_owned(),
            Constraint::NoneOf(_) => "EXCEPT".to_owned(),
            Constraint::Check(_) => "in code".to_owned(),
            // What strings contain is compared itself; identifiers are those of the sets.
            _ => return None,
        })
    };
    let all: BTreeSet<String> = constraints.iter().filter_map(one).collect();
    all.into_iter().collect::<Vec<_>>().join(", ")
}

fn kind(shape: &Shape) -> String {
    let names = |list: &[NamedNumber]| {
        list.iter().map(|named| format!("{}({})", &*named.name, named.number)).collect::<Vec<_>>().join(" ")
    };
    match shape {
        Shape::Integer(list) => format!("INTEGER {}", names(list)).trim().to_owned(),
        Shape::Enumerated { items, extensible } => format!("ENUMERATED {} {extensible}", names(items)),
        Shape::BitString(list) => format!("BIT STRING {}", names(list)).trim().to_owned(),
        Shape::Sequence(_) => "SEQUENCE".to_owned(),
        Shape::Set(_) => "SET".to_owned(),
        Shape::SequenceOf(_) => "SEQUENCE OF".to_owned(),
        Shape::SetOf(_) => "SET OF".to_owned(),
        Shape::Choice { .. } => "CHOICE".to_owned(),
        Shape::Open { .. } => "open type".to_owned(),
        Shape::Presentation(_) => "presentation".to_owned(),
        other => format!("{other:?}"),
    }
}
