//! The ASN.1 types in generated code, as constant tables.

use std::collections::HashMap;
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use tagwise::codec::pattern::Pattern;
use tagwise::codec::table::{
    Bound, ComponentConstraint, Constraint, DefaultValue, Field, Fields, Interval, List, Marker, NamedNumber, Object,
    ObjectSet, Presence, Range, Schema, SetRef, Shape, StringKind, Tagging, Text, TimeKind, Type, TypeRef,
};
use tagwise::codec::value::Dynamic;
use tagwise::codec::{CharacterString, Class, EmbeddedPdv, External, Tag};

use crate::bytes::{self, tagwise_bytes, terminated};
use crate::error::Problem;

use super::foreign;

/// The kind of an ASN.1 type in generated code.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum tagwise_layout_shape {
    Boolean = 1,
    Integer = 2,
    BitString = 3,
    OctetString = 4,
    Null = 5,
    ObjectIdentifier = 6,
    ObjectDescriptor = 7,
    /// EXTERNAL, EMBEDDED PDV or CHARACTER STRING, distinguished by its tag.
    Presentation = 8,
    Real = 9,
    Enumerated = 10,
    Utf8String = 12,
    RelativeOid = 13,
    Time = 14,
    Sequence = 16,
    Set = 17,
    NumericString = 18,
    PrintableString = 19,
    TeletexString = 20,
    VideotexString = 21,
    Ia5String = 22,
    UtcTime = 23,
    GeneralizedTime = 24,
    GraphicString = 25,
    VisibleString = 26,
    GeneralString = 27,
    UniversalString = 28,
    BmpString = 30,
    Date = 31,
    TimeOfDay = 32,
    DateTime = 33,
    Duration = 34,
    OidIri = 35,
    RelativeOidIri = 36,
    SequenceOf = 64,
    SetOf = 65,
    Choice = 66,
    Open = 67,
    /// A type with an additional tag.
    Tagged = 68,
    /// A reference to another type under a new name.
    Named = 69,
}

/// The kind of a constraint in generated code.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_layout_rule {
    /// The value ranges of an INTEGER, with `text` such as `1..5|7..`.
    Value = 1,
    /// A SIZE constraint, with ranges like those of `Value`.
    Size = 2,
    /// A FROM constraint, with ranges of code points.
    Alphabet = 3,
    /// The value ranges of a REAL or a large INTEGER, each with two bounds as parts.
    Between = 4,
    /// A bound of a range, with its content in `bytes`. `text` is `<` if the bound itself is excluded.
    Bound = 5,
    /// The bound MIN or MAX.
    Unbounded = 6,
    /// Permitted single values, each with an encoding.
    Values = 7,
    /// The encoding of a single value.
    Single = 8,
    /// A PATTERN constraint.
    Pattern = 9,
    /// A SETTINGS constraint.
    Settings = 10,
    /// A CONTAINING constraint.
    Containing = 11,
    /// An ENCODED BY constraint, with the content bytes of the object identifier.
    EncodedBy = 12,
    /// A WITH COMPONENTS constraint. `extensible` is true if the list begins with `...`.
    WithComponents = 13,
    /// A component in WITH COMPONENTS. `text` is its name, and `reference` is 0 for ABSENT or 1 for PRESENT.
    Component = 14,
    /// A WITH COMPONENT constraint.
    WithComponent = 15,
    /// The constraints of another type (contained subtype).
    Includes = 16,
    /// An INTERSECTION of constraints.
    AllOf = 17,
    /// A UNION of constraints.
    AnyOf = 18,
    /// An EXCEPT clause.
    NoneOf = 19,
    /// An extension marker. The parts are the constraints before it, combined into one, and those after it.
    Extensible = 20,
    /// A table constraint without a selector.
    Table = 21,
    /// A component relation constraint. `text` is the selector.
    Relation = 22,
    /// A CONSTRAINED BY constraint.
    User = 23,
}

/// A tag.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_tag {
    /// The tag number.
    number: u32,
    /// The class and form, as the three highest bits of an identifier octet. Any other bit means that there is no tag.
    form: u8,
    /// True if the tag is EXPLICIT.
    is_explicit: bool,
}

/// A constraint.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_constraint {
    /// The kind of constraint, a value of enum tagwise_layout_rule.
    rule: u32,
    /// True if an extension marker allows other values.
    extensible: bool,
    /// The index of the type or object set to which the constraint refers.
    reference: u32,
    /// The text of the constraint, or NULL.
    text: *const c_char,
    /// The bytes of the constraint, if any.
    bytes: tagwise_bytes,
    /// The parts of the constraint.
    parts: *const Self,
    /// The number of parts.
    count: usize,
}

/// A named number, or an item of an ENUMERATED.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_number {
    /// Its name.
    name: *const c_char,
    /// The number.
    number: i64,
}

/// A component or alternative of a type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_field {
    /// The component's name.
    name: *const c_char,
    /// The index of the component's type.
    r#type: u32,
    /// True if the component is OPTIONAL or has a DEFAULT.
    optional: bool,
    /// The encoding of the DEFAULT value, if there is one.
    value: tagwise_bytes,
    /// The number of the extension addition group; -1 if there is none.
    group: i32,
    /// The component's tags, outermost first.
    tags: *const tagwise_layout_tag,
    /// The number of tags.
    tag_count: usize,
    /// The component's constraints.
    constraints: *const tagwise_layout_constraint,
    /// The number of constraints.
    constraint_count: usize,
}

/// An ASN.1 type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_type {
    /// The type's name.
    name: *const c_char,
    /// The kind of type, a value of enum tagwise_layout_shape.
    shape: u32,
    /// The outermost tag of the type's encodings.
    tag: tagwise_layout_tag,
    /// The tag that a tagged type adds.
    tagging: tagwise_layout_tag,
    /// The index of the type of the items, of the referenced or tagged type, or of the object set; UINT32_MAX if there is none.
    inner: u32,
    /// True if a CHOICE or ENUMERATED has an extension marker.
    extensible: bool,
    /// The index of the first extension addition; UINT32_MAX if there is no extension marker.
    additions: u32,
    /// The index of the first component after the extension additions.
    root: u32,
    /// The type's components or alternatives.
    fields: *const tagwise_layout_field,
    /// The number of components or alternatives.
    count: usize,
    /// The type's named numbers.
    numbers: *const tagwise_layout_number,
    /// The number of named numbers.
    number_count: usize,
    /// The type's constraints.
    constraints: *const tagwise_layout_constraint,
    /// The number of constraints.
    constraint_count: usize,
    /// The path to the component that selects the type of an open type; NULL if there is none.
    selector: *const c_char,
}

/// An information object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_object {
    /// The object's name.
    name: *const c_char,
    /// The content of the component that selects the object.
    key: tagwise_bytes,
    /// The index of the object's type.
    r#type: u32,
}

/// An information object set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_set {
    /// The set's name.
    name: *const c_char,
    /// The set's objects.
    objects: *const tagwise_layout_object,
    /// The number of objects.
    count: usize,
    /// True if the set has an extension marker, so that other objects are allowed.
    extensible: bool,
}

/// The types of generated code.
#[repr(C)]
#[derive(Debug)]
pub struct tagwise_layout_module {
    /// The types.
    types: *const tagwise_layout_type,
    /// The number of types.
    type_count: usize,
    /// The object sets.
    sets: *const tagwise_layout_set,
    /// The number of object sets.
    set_count: usize,
    /// The library's own state. Initialize it to NULL.
    state: *mut c_void,
}

// SAFETY: But for `state`, which is only used as an atomic, a module is constant.
unsafe impl Sync for tagwise_layout_module {}

/// The library's representation of the types.
pub(super) struct Tables {
    pub(super) schema: Schema,
    /// For each object of each set, the index of its type among the set's distinct types.
    members: Vec<Vec<usize>>,
}

impl Tables {
    /// Returns the type at an index.
    pub(super) fn ty(&self, index: u32) -> Result<Dynamic<'_>, Problem> {
        let ty = self.schema.types.get(index as usize).ok_or_else(|| foreign("a type is missing"))?;
        Ok(Dynamic::new(ty).schema(&self.schema))
    }

    /// Returns the index of an object's type among the distinct types of its set.
    pub(super) fn member(&self, set: &ObjectSet, object: usize) -> Option<usize> {
        let number = self.schema.sets.iter().position(|known| std::ptr::eq(known, set))?;
        self.members.get(number)?.get(object).copied()
    }
}

impl tagwise_layout_module {
    fn state(&self) -> &AtomicPtr<c_void> {
        let state = std::ptr::from_ref(&self.state).cast_mut();
        // SAFETY: `state` is aligned, is not moved (a generated module is static), and nothing else uses it.
        unsafe { AtomicPtr::from_ptr(state) }
    }

    /// Returns the library's representation of the types, which is built on first use.
    pub(super) fn tables(&self) -> Result<Arc<Tables>, Problem> {
        let state = self.state();
        let mut found = state.load(Ordering::Acquire);
        if found.is_null() {
            let made = Arc::into_raw(Arc::new(self.build()?)).cast_mut().cast::<c_void>();
            match state.compare_exchange(std::ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => found = made,
                Err(other) => {
                    // SAFETY: `made` came out of `into_raw` above, and nobody else has it.
                    drop(unsafe { Arc::from_raw(made.cast_const().cast::<Tables>()) });
                    found = other;
                }
            }
        }
        let held = found.cast_const().cast::<Tables>();
        // SAFETY: What is in `state` came out of `into_raw`, and the count that this stands for is given back only when nothing runs.
        unsafe {
            Arc::increment_strong_count(held);
            Ok(Arc::from_raw(held))
        }
    }

    fn build(&self) -> Result<Tables, Problem> {
        let types: Vec<Type> = map(self.types, self.type_count, ty)?;
        let sets = map(self.sets, self.set_count, |set| {
            let objects = map(set.objects, set.count, |object| {
                let key = List::from(object.key.get()?.to_vec());
                Ok(Object { name: text(object.name)?, key, ty: TypeRef::Index(object.r#type) })
            })?;
            Ok(ObjectSet { name: text(set.name)?, objects: List::from(objects), extensible: set.extensible })
        })?;
        let members = sets.iter().map(distinct).collect();
        Ok(Tables { schema: Schema { types: List::from(types), sets: List::from(sets) }, members })
    }
}

/// Returns, for each object, the index of its type among the distinct types.
fn distinct(set: &ObjectSet) -> Vec<usize> {
    let mut met: HashMap<u32, usize> = HashMap::new();
    let numbers = set.objects.iter().map(|object| {
        let TypeRef::Index(index) = object.ty else { return usize::MAX };
        let next = met.len();
        *met.entry(index).or_insert(next)
    });
    numbers.collect()
}

/// Converts each entry of a table.
fn map<T: Copy, R>(
    first: *const T,
    count: usize,
    convert: impl Fn(&T) -> Result<R, Problem>,
) -> Result<Vec<R>, Problem> {
    bytes::List::new(first, count).get()?.iter().map(convert).collect()
}

fn text(text: *const c_char) -> Result<Text, Problem> {
    Ok(Text::from(terminated(text, "a name")?.to_owned()))
}

fn tag(tag: &tagwise_layout_tag) -> Option<Tag> {
    (tag.form & 0x1F == 0).then(|| Tag::new(Class::from_octet(tag.form), tag.number, tag.form & 0x20 != 0))
}

fn tagging(one: &tagwise_layout_tag) -> Result<Tagging, Problem> {
    Ok(Tagging { tag: tag(one).ok_or_else(|| foreign("a tag is missing"))?, explicit: one.is_explicit })
}

fn field(one: &tagwise_layout_field) -> Result<Field, Problem> {
    let value = one.value.get()?;
    let presence = match (one.optional, value) {
        (false, _) => Presence::Required,
        (true, []) => Presence::Optional,
        (true, value) => Presence::Default(DefaultValue::Der(List::from(value.to_vec()))),
    };
    Ok(Field {
        name: text(one.name)?,
        tagging: List::from(map(one.tags, one.tag_count, tagging)?),
        presence,
        group: u16::try_from(one.group).ok(),
        constraints: constraints(one.constraints, one.constraint_count)?,
        ..Field::new("", TypeRef::Index(one.r#type))
    })
}

fn ty(one: &tagwise_layout_type) -> Result<Type, Problem> {
    use tagwise_layout_shape as shape;
    let wanted = |kind: shape| one.shape == kind as u32;
    let inner = || match one.inner {
        u32::MAX => Err(foreign("a type is missing")),
        index => Ok(TypeRef::Index(index)),
    };
    let fields = || map(one.fields, one.count, field).map(List::from);
    let components = || {
        let marker = (one.additions != u32::MAX).then_some(Marker { start: one.additions, end: one.root });
        Ok::<_, Problem>(Fields { list: fields()?, marker })
    };
    let numbers = || {
        let number = |one: &tagwise_layout_number| Ok(NamedNumber { name: text(one.name)?, number: one.number });
        map(one.numbers, one.number_count, number).map(List::from)
    };
    let made = match () {
        () if wanted(shape::Integer) => Shape::Integer(numbers()?),
        () if wanted(shape::BitString) => Shape::BitString(numbers()?),
        () if wanted(shape::Enumerated) => Shape::Enumerated { items: numbers()?, extensible: one.extensible },
        () if wanted(shape::Presentation) => Shape::Named(match one.tag.number {
            8 => TypeRef::of::<External<'static>>(),
            11 => TypeRef::of::<EmbeddedPdv<'static>>(),
            29 => TypeRef::of::<CharacterString<'static>>(),
            _ => return Err(foreign("a type has an unknown tag")),
        }),
        () if wanted(shape::Sequence) => Shape::Sequence(components()?),
        () if wanted(shape::Set) => Shape::Set(components()?),
        () if wanted(shape::SequenceOf) => Shape::SequenceOf(inner()?),
        () if wanted(shape::SetOf) => Shape::SetOf(inner()?),
        () if wanted(shape::Choice) => Shape::Choice { alternatives: fields()?, extensible: one.extensible },
        () if wanted(shape::Tagged) => Shape::Tagged { tagging: tagging(&one.tagging)?, inner: inner()? },
        () if wanted(shape::Named) => Shape::Named(inner()?),
        () if wanted(shape::Open) => {
            let set = (one.inner != u32::MAX).then_some(SetRef::Index(one.inner));
            let selector = if one.selector.is_null() { Text::Const("") } else { text(one.selector)? };
            Shape::Open { set, selector }
        }
        () => leaf(one.shape).ok_or_else(|| foreign("a type has an unknown kind"))?,
    };
    let constraints = constraints(one.constraints, one.constraint_count)?;
    Ok(Type { name: text(one.name)?, constraints, ..Type::new("", tag(&one.tag), made) })
}

/// Returns a type that has no components or other details, by its shape number.
fn leaf(shape: u32) -> Option<Shape> {
    Some(match shape {
        1 => Shape::Boolean,
        4 => Shape::OctetString,
        5 => Shape::Null,
        6 => Shape::ObjectIdentifier,
        7 => Shape::String(StringKind::ObjectDescriptor),
        9 => Shape::Real,
        12 => Shape::String(StringKind::Utf8),
        13 => Shape::RelativeOid,
        14 => Shape::Time(TimeKind::Time),
        18 => Shape::String(StringKind::Numeric),
        19 => Shape::String(StringKind::Printable),
        20 => Shape::String(StringKind::Teletex),
        21 => Shape::String(StringKind::Videotex),
        22 => Shape::String(StringKind::Ia5),
        23 => Shape::Time(TimeKind::Utc),
        24 => Shape::Time(TimeKind::Generalized),
        25 => Shape::String(StringKind::Graphic),
        26 => Shape::String(StringKind::Visible),
        27 => Shape::String(StringKind::General),
        28 => Shape::String(StringKind::Universal),
        30 => Shape::String(StringKind::Bmp),
        31 => Shape::Time(TimeKind::Date),
        32 => Shape::Time(TimeKind::TimeOfDay),
        33 => Shape::Time(TimeKind::DateTime),
        34 => Shape::Time(TimeKind::Duration),
        35 => Shape::OidIri,
        36 => Shape::RelativeOidIri,
        _ => return None,
    })
}

fn constraints(first: *const tagwise_layout_constraint, count: usize) -> Result<List<Constraint>, Problem> {
    map(first, count, constraint).map(List::from)
}

/// Parses ranges such as `1..5|7..`.
fn ranges(text: &str) -> Result<List<Range>, Problem> {
    let bound = |text: &str| match text {
        "" => Ok(None),
        number => number.parse().map(Some).map_err(|_| foreign("a bound is not a number")),
    };
    let range = |text: &str| {
        let (min, max) = text.split_once("..").ok_or_else(|| foreign("a range has no bounds"))?;
        Ok(Range { min: bound(min)?, max: bound(max)? })
    };
    let list = text.split('|').filter(|text| !text.is_empty()).map(range).collect::<Result<Vec<_>, Problem>>();
    list.map(List::from)
}

/// Converts a bound of a range, or returns `None` for MIN and MAX.
fn bound(one: &tagwise_layout_constraint) -> Result<Option<Bound>, Problem> {
    if one.rule == tagwise_layout_rule::Unbounded as u32 {
        return Ok(None);
    }
    let open = !one.text.is_null() && terminated(one.text, "a bound")? == "<";
    Ok(Some(Bound { content: List::from(one.bytes.get()?.to_vec()), open }))
}

// Recursion follows the constraints in generated code, not the input.
fn constraint(one: &tagwise_layout_constraint) -> Result<Constraint, Problem> {
    use tagwise_layout_rule as rule;
    let wanted = |kind: rule| one.rule == kind as u32;
    let extensible = one.extensible;
    let words = || terminated(one.text, "a constraint");
    let octets = |one: &tagwise_layout_constraint| Ok(List::from(one.bytes.get()?.to_vec()));
    let parts = || constraints(one.parts, one.count);
    Ok(match () {
        () if wanted(rule::Value) => Constraint::Value { ranges: ranges(words()?)?, extensible },
        () if wanted(rule::Size) => Constraint::Size { ranges: ranges(words()?)?, extensible },
        () if wanted(rule::Alphabet) => Constraint::Alphabet { ranges: ranges(words()?)?, extensible },
        () if wanted(rule::Between) => {
            let bounds = map(one.parts, one.count, bound)?;
            let mut bounds = bounds.into_iter();
            let mut ranges = Vec::new();
            while let (Some(min), Some(max)) = (bounds.next(), bounds.next()) {
                ranges.push(Interval { min, max });
            }
            Constraint::Between { ranges: List::from(ranges), extensible }
        }
        () if wanted(rule::Values) => Constraint::Values(List::from(map(one.parts, one.count, octets)?)),
        () if wanted(rule::Pattern) => {
            Constraint::Pattern(Pattern::new(words()?).map_err(|error| foreign(&error.to_string()))?)
        }
        () if wanted(rule::Settings) => Constraint::Settings(text(one.text)?),
        () if wanted(rule::Containing) => Constraint::Containing(TypeRef::Index(one.reference)),
        () if wanted(rule::EncodedBy) => Constraint::EncodedBy(octets(one)?),
        () if wanted(rule::WithComponents) => {
            let component = |one: &tagwise_layout_constraint| {
                let present = match one.reference {
                    0 => Some(false),
                    1 => Some(true),
                    _ => None,
                };
                let constraints = constraints(one.parts, one.count)?;
                Ok(ComponentConstraint { name: text(one.text)?, present, constraints })
            };
            let components = List::from(map(one.parts, one.count, component)?);
            Constraint::WithComponents { components, partial: extensible }
        }
        () if wanted(rule::WithComponent) => Constraint::WithComponent(parts()?),
        () if wanted(rule::Includes) => Constraint::Includes(TypeRef::Index(one.reference)),
        () if wanted(rule::AllOf) => Constraint::AllOf(parts()?),
        () if wanted(rule::AnyOf) => Constraint::AnyOf(parts()?),
        () if wanted(rule::NoneOf) => Constraint::NoneOf(parts()?),
        () if wanted(rule::Extensible) => {
            let mut both = map(one.parts, one.count, |one| constraints(one.parts, one.count))?.into_iter();
            let root = both.next().unwrap_or(List::EMPTY);
            Constraint::Extensible { root, additions: both.next().unwrap_or(List::EMPTY) }
        }
        () if wanted(rule::Table) => Constraint::Table(SetRef::Index(one.reference)),
        () if wanted(rule::Relation) => {
            Constraint::Relation { set: SetRef::Index(one.reference), selector: text(one.text)? }
        }
        () if wanted(rule::User) => Constraint::User(text(one.text)?),
        () => return Err(foreign("a constraint has an unknown kind")),
    })
}

/// Frees the library's representation of generated types, which is built on first use. Call it after the last decoding, or
/// before unloading the library. No other function of the generated code may be running. The next call builds the
/// representation again. Decoded values remain valid. For generated code.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_module_unload(module: Option<&tagwise_layout_module>) {
    guard!({
        if let Some(module) = module {
            let found = module.state().swap(std::ptr::null_mut(), Ordering::AcqRel);
            if !found.is_null() {
                // SAFETY: What is in `state` came out of `into_raw`, and the count that this stands for is given back once: it was taken out.
                drop(unsafe { Arc::from_raw(found.cast_const().cast::<Tables>()) });
            }
        }
    })
}
