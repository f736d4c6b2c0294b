//! Converts model types to tables.
//!
//! Model types keep their numbers. Inner types of tagged types are numbered after them. DEFAULTs and single values must
//! be DER, which requires tables, so tables are first built without them and then rebuilt until nothing changes.

use std::cell::RefCell;
use std::collections::HashMap;

use tagwise_codec::table::{
    self, DefaultValue, Field, Fields, List, Marker, NamedNumber, ObjectSet, Presence, Shape, StringKind, Tagging,
    Text, TimeKind, Type, TypeRef,
};
use tagwise_codec::value::Dynamic;
use tagwise_codec::{CharacterString, Class, EmbeddedPdv, External, Tag};
use tagwise_schema::model::{self, Outer, SetId, TagClass, TypeId, Value};
use tagwise_schema::{Model, Span};

use crate::constraint::On;
use crate::json::json;
use crate::{Problem, Unchecked, What};

/// The tables of a model, and the constraints that they do not enforce.
pub(crate) struct Built {
    pub(crate) tables: table::Schema,
    pub(crate) unchecked: Vec<Unchecked>,
    /// The tables whose constraints are in `unchecked`, each with an index in it.
    pub(crate) places: Vec<(u32, u32)>,
    /// The tables of types without their tags, by type and by whether constraints are included.
    pub(crate) bare: HashMap<(TypeId, bool), u32>,
}

/// A value that must be converted to DER.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The table of the value's type.
    pub(crate) table: u32,
    /// True if the value is compared with values of the type. It is then encoded without names and IMPLICIT tags.
    pub(crate) single: bool,
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// The maximum number of rounds for building tables. Three nested DEFAULTs require four rounds.
const ROUNDS: usize = 8;

/// Builds the tables of a model.
pub(crate) fn build(model: &Model) -> Result<Built, Vec<Problem>> {
    let mut encodings = Vec::new();
    for _ in 0..ROUNDS {
        let mut build = Build::new(model, encodings);
        build.run();
        if let Some(span) = build.meter.exceeded {
            let message = format!("the tables of this schema would exceed {} bytes", model.allowance());
            return Err(vec![Problem { is_limit: true, ..problem(model, message, span) }]);
        }
        let Build { types, sets, pending, problems, unchecked, places, bare, encodings: before, .. } = build;
        let tables = table::Schema { types: List::from(types), sets: List::from(sets) };
        let (mut after, mut failures) = (Vec::new(), problems);
        for one in &pending {
            match encode(&tables, one) {
                Ok(der) => after.push(Some(der)),
                Err(message) => {
                    after.push(None);
                    failures.push(problem(model, message, one.span));
                }
            }
        }
        if after == before {
            return if failures.is_empty() { Ok(Built { tables, unchecked, places, bare }) } else { Err(failures) };
        }
        encodings = after;
    }
    Err(vec![problem(model, "DEFAULT values depend on each other".to_owned(), Span::default())])
}

fn problem(model: &Model, message: String, span: Span) -> Problem {
    let place = match model.sources.get(span.file as usize) {
        Some(source) => {
            let (line, column) = source.position(span.start as usize);
            format!("{}:{line}:{column}", source.name())
        }
        None => String::new(),
    };
    Problem { message, span, place, is_limit: false }
}

/// Returns the DER of a value of a type, for comparisons.
pub(crate) fn single_value(tables: &table::Schema, ty: u32, value: &Value) -> Result<Vec<u8>, String> {
    encode(tables, &Pending { table: ty, single: true, value: value.clone(), span: Span::default() })
}

/// Returns the DER of a value of a type, without its first `tags` tags.
pub(crate) fn untagged_value(tables: &table::Schema, ty: u32, tags: usize, value: &Value) -> Result<Vec<u8>, String> {
    let mut table = ty;
    for _ in 0..tags {
        match tables.types.get(table as usize).map(|ty| &ty.shape) {
            Some(Shape::Tagged { inner: TypeRef::Index(inner), .. }) => table = *inner,
            _ => return Err("the type has fewer tags".to_owned()),
        }
    }
    encode(tables, &Pending { table, single: false, value: value.clone(), span: Span::default() })
}

/// Returns the DER of a value.
// Recursion follows open types in values of schemas, whose depth the compiler limits.
fn encode(tables: &table::Schema, pending: &Pending) -> Result<Vec<u8>, String> {
    let mut table = tables.types.get(pending.table as usize);
    // As many names as there are types, at most.
    for _ in 0..tables.types.len() {
        match table.map(|ty| &ty.shape) {
            Some(Shape::Named(inner) | Shape::Tagged { inner, tagging: Tagging { explicit: false, .. } })
                if pending.single =>
            {
                table = inner.get(Some(tables))
            }
            _ => break,
        }
    }
    if pending.single
        && let Some(Shape::Tagged { inner, .. }) = table.map(|ty| &ty.shape)
    {
        table = inner.get(Some(tables));
    }
    let ty = table.ok_or("a type is missing")?;
    let dynamic = Dynamic::new(ty).schema(tables);
    let element = |ty: TypeId, value: &Value| {
        encode(tables, &Pending { table: ty.0, single: false, value: value.clone(), span: pending.span })
    };
    let json = json(&pending.value, &element)?;
    let value = tagwise_jer::from_str(&dynamic, &json).map_err(|error| error.to_string())?;
    dynamic.encode(&value).map_err(|error| error.to_string())
}

/// Creates an element with a universal class and a single-byte tag.
pub(crate) fn definite(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut octets = vec![tag];
    match content.len() {
        len @ 0..0x80 => octets.push(len as u8),
        len => {
            let digits: Vec<u8> = len.to_be_bytes().into_iter().skip_while(|octet| *octet == 0).collect();
            octets.push(0x80 | digits.len() as u8);
            octets.extend(digits);
        }
    }
    octets.extend(content);
    octets
}

/// Returns the enclosing type of each anonymous type, or `None` for a type that occurs in several.
fn parents(model: &Model) -> HashMap<TypeId, Option<TypeId>> {
    let mut parents: HashMap<TypeId, Option<TypeId>> = HashMap::new();
    for (index, ty) in model.types.iter().enumerate() {
        let parent = TypeId(index as u32);
        let mut add = |child: TypeId| {
            if model.ty(child).is_some_and(|ty| ty.name.is_none()) {
                let known = parents.entry(child).or_insert(Some(parent));
                if *known != Some(parent) {
                    *known = None;
                }
            }
        };
        match &ty.shape {
            model::Shape::Sequence(fields) | model::Shape::Set(fields) | model::Shape::Choice(fields) => {
                fields.list.iter().for_each(|field| add(field.ty));
            }
            model::Shape::InstanceOf { fields, .. } => fields.list.iter().for_each(|field| add(field.ty)),
            model::Shape::SequenceOf(item) | model::Shape::SetOf(item) => add(item.ty),
            _ => {}
        }
        ty.constraints.contents.iter().filter_map(|contents| contents.ty).for_each(&mut add);
    }
    parents
}

/// The key of an object set in the tables: the set, its selecting fields, and the selected field.
type SetKey = (SetId, Vec<Vec<String>>, Vec<String>);

/// The key of a relation's object set: the set, and the table that encodes its values.
pub(crate) type RelationKey = (SetKey, u32);

/// Tables that are being built.
pub(crate) struct Build<'m> {
    pub(crate) model: &'m Model,
    types: Vec<Type>,
    pub(crate) sets: Vec<ObjectSet>,
    pub(crate) set_of: HashMap<SetKey, u32>,
    /// The sets that were created for relations.
    pub(crate) relations: HashMap<RelationKey, u32>,
    /// The parents of anonymous types.
    pub(crate) parents: HashMap<TypeId, Option<TypeId>>,
    /// The tables of types without their tags, by type and by whether constraints are included.
    bare: HashMap<(TypeId, bool), u32>,
    /// Cached answers to whether a referenced type's encodings are constructed.
    are_constructed: RefCell<HashMap<TypeId, bool>>,
    pending: Vec<Pending>,
    /// The encodings of the pending values in the last round, in order.
    encodings: Vec<Option<Vec<u8>>>,
    problems: Vec<Problem>,
    unchecked: Vec<Unchecked>,
    /// The constraints already listed in `unchecked`, with their indices.
    known_unchecked: HashMap<(What, Span), u32>,
    places: Vec<(u32, u32)>,
    /// The table that is being built.
    current: u32,
    pub(crate) meter: Meter,
}

/// The schema's remaining allowance for its tables.
pub(crate) struct Meter {
    left: u64,
    /// The position at which the allowance was exceeded.
    exceeded: Option<Span>,
}

impl Meter {
    /// Counts bytes of tables. Nothing more is created once the allowance is exhausted.
    pub(crate) fn spend(&mut self, bytes: usize, span: Span) -> bool {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => self.left = left,
            None => {
                self.left = 0;
                self.exceeded.get_or_insert(span);
            }
        }
        self.exceeded.is_none()
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.exceeded.is_some()
    }
}

/// The type of a component. The component itself contains the tags.
pub(crate) struct ComponentType {
    pub(crate) table: u32,
    tagging: Vec<Tagging>,
    /// The type whose constraints are applied to the component.
    constrained: Option<TypeId>,
}

impl<'m> Build<'m> {
    fn new(model: &'m Model, encodings: Vec<Option<Vec<u8>>>) -> Self {
        let empty = || Type::new("", None, Shape::Null);
        Self {
            model,
            types: model.types.iter().map(|_| empty()).collect(),
            sets: Vec::new(),
            set_of: HashMap::new(),
            parents: parents(model),
            bare: HashMap::new(),
            are_constructed: RefCell::default(),
            pending: Vec::new(),
            encodings,
            problems: Vec::new(),
            unchecked: Vec::new(),
            known_unchecked: HashMap::new(),
            places: Vec::new(),
            current: 0,
            meter: Meter { left: model.allowance(), exceeded: None },
            relations: HashMap::new(),
        }
    }

    fn run(&mut self) {
        for index in 0..self.model.types.len() {
            if self.meter.is_spent() {
                return;
            }
            self.current = index as u32;
            let ty = self.whole(TypeId(index as u32));
            if let Some(slot) = self.types.get_mut(index) {
                *slot = ty;
            }
        }
    }

    pub(crate) fn unchecked(&mut self, what: What, span: Span) {
        let text = self.model.text(span);
        let next = self.unchecked.len() as u32;
        let index = *self.known_unchecked.entry((what, span)).or_insert(next);
        if index == next && self.meter.spend(text.len(), span) {
            self.unchecked.push(Unchecked { what, text: text.to_owned(), span });
        }
        let place = (self.current, index);
        if self.places.last() != Some(&place) && self.meter.spend(size_of_val(&place), span) {
            self.places.push(place);
        }
    }

    /// Records a value to encode, and returns its DER if the last round produced it.
    pub(crate) fn encoded(&mut self, pending: Pending) -> Option<Vec<u8>> {
        let made = self.encodings.get(self.pending.len()).cloned().flatten();
        self.pending.push(pending);
        made
    }

    fn add(&mut self, ty: Type) -> u32 {
        self.meter.spend(size_of::<Type>() + ty.name.len(), Span::default());
        self.types.push(ty);
        (self.types.len() - 1) as u32
    }

    /// Adds a copy of a type with one more constraint, and returns its index.
    pub(crate) fn narrowed(&mut self, table: u32, constraint: table::Constraint) -> u32 {
        let ty = Type::new("", None, Shape::Named(TypeRef::Index(table)));
        self.add(ty.constrained(List::from(vec![constraint])))
    }

    /// Creates the table of a type with its tags.
    fn whole(&mut self, id: TypeId) -> Type {
        let Some(ty) = self.model.ty(id) else { return Type::new("", None, Shape::Null) };
        let Some((first, rest)) = ty.tags.split_first() else { return self.untagged(id, true) };
        let mut inner = self.bare(id, true);
        let name = self.name(id);
        for (index, tag) in rest.iter().enumerate().rev() {
            // The outermost is `first`, so there is one more in front.
            let tagged = self.tagged(id, index + 1, tag, inner, &name);
            inner = self.add(tagged);
        }
        self.tagged(id, 0, first, inner, &name)
    }

    fn tagged(&self, id: TypeId, depth: usize, tag: &model::Tagging, inner: u32, name: &str) -> Type {
        let tagging = tagging(tag);
        let tag = if self.constructed(id, depth) { tagging.tag.constructed() } else { tagging.tag };
        let shape = Shape::Tagged { tagging, inner: TypeRef::Index(inner) };
        Type { name: Text::from(name.to_owned()), ..Type::new("", Some(tag), shape) }
    }

    /// Returns the table of a type without its tags. It has its own index if the type has tags.
    fn bare(&mut self, id: TypeId, constrained: bool) -> u32 {
        let ty = self.model.ty(id);
        let plain = |constrained: bool| constrained || ty.is_none_or(|ty| ty.constraints.is_empty());
        if ty.is_some_and(|ty| ty.tags.is_empty()) && plain(constrained) {
            return id.0;
        }
        if let Some(index) = self.bare.get(&(id, constrained)) {
            return *index;
        }
        // Its place is known before what it is made of, which may refer to it.
        let index = self.add(Type::new("", None, Shape::Null));
        self.bare.insert((id, constrained), index);
        let outer = std::mem::replace(&mut self.current, index);
        let ty = self.untagged(id, constrained);
        self.current = outer;
        if let Some(slot) = self.types.get_mut(index as usize) {
            *slot = ty;
        }
        index
    }

    /// Returns the name of a type, or the name of the nearest type that it refers to.
    fn name(&self, id: TypeId) -> String {
        let mut next = self.model.ty(id);
        // No chain of references is longer.
        for _ in 0..self.model.types.len() {
            let Some(ty) = next else { break };
            if let Some(name) = &ty.name {
                return name.name.clone();
            }
            match &ty.shape {
                model::Shape::Reference(target) | model::Shape::FixedField { ty: target, .. } => {
                    next = self.model.ty(*target);
                }
                model::Shape::Choice(_) => return "CHOICE".to_owned(),
                model::Shape::Open(_) => return "open type".to_owned(),
                shape => return universal(shape).map(|tag| tag.to_string()).unwrap_or_default(),
            }
        }
        String::new()
    }

    /// Returns whether encodings under the tag at `depth` of a type's tags are constructed.
    fn constructed(&self, id: TypeId, depth: usize) -> bool {
        // Types that refer to each other in a row ask the same of those behind them.
        let mut path = Vec::new();
        let is_constructed = self.constructed_along(id, depth, &mut path);
        let mut known = self.are_constructed.borrow_mut();
        known.extend(path.into_iter().map(|id| (id, is_constructed)));
        is_constructed
    }

    fn constructed_along(&self, id: TypeId, depth: usize, path: &mut Vec<TypeId>) -> bool {
        let (mut next, mut depth) = (self.model.ty(id), depth);
        for _ in 0..self.model.types.len() {
            let Some(ty) = next else { break };
            if ty.tags.iter().skip(depth).any(|tag| tag.explicit) {
                return true;
            }
            match &ty.shape {
                model::Shape::Reference(target) | model::Shape::FixedField { ty: target, .. } => {
                    if let Some(known) = self.are_constructed.borrow().get(target) {
                        return *known;
                    }
                    path.push(*target);
                    (next, depth) = (self.model.ty(*target), 0);
                }
                // Tags on these are EXPLICIT.
                model::Shape::Choice(_) | model::Shape::Open(_) => return true,
                shape => return universal(shape).is_some_and(Tag::is_constructed),
            }
        }
        false
    }

    fn untagged(&mut self, id: TypeId, constrained: bool) -> Type {
        let Some(ty) = self.model.ty(id) else { return Type::new("", None, Shape::Null) };
        let own = match &ty.shape {
            model::Shape::Reference(target) | model::Shape::FixedField { ty: target, .. } => self.outer(*target),
            shape => universal(shape),
        };
        let constrained = constrained && !ty.constraints.is_empty();
        let mut shape = self.shape(id, &ty.shape, ty.span);
        let mut constraints = Vec::new();
        if constrained {
            let table = match &shape {
                Shape::Named(TypeRef::Index(target)) => *target,
                _ => self.bare(id, false),
            };
            constraints = self.constraints(&self.model.stated(id), On { ty: id, table });
            // Single values are read as the type that is constrained, which must not hold them to themselves.
            if !constraints.is_empty() {
                shape = Shape::Named(TypeRef::Index(table));
            }
        }
        let ty = Type::new("", own, shape).constrained(List::from(constraints));
        Type { name: Text::from(self.name(id)), ..ty }
    }

    /// Returns the outermost tag of a type, including its own tags.
    fn outer(&self, id: TypeId) -> Option<Tag> {
        match &self.model.ty(id)?.outer {
            Outer::Tag(tag) if self.constructed(id, 0) => Some(plain(*tag).constructed()),
            Outer::Tag(tag) => Some(plain(*tag)),
            _ => None,
        }
    }

    fn shape(&mut self, id: TypeId, shape: &'m model::Shape, span: Span) -> Shape {
        match shape {
            model::Shape::Boolean => Shape::Boolean,
            model::Shape::Integer(names) => Shape::Integer(named(names)),
            model::Shape::Enumerated(enumeration) => {
                let items = named(&enumeration.items);
                if items.len() != enumeration.items.len() {
                    let message = "an item of this ENUMERATED has a number that exceeds 64 bits".to_owned();
                    self.problems.push(problem(self.model, message, span));
                }
                Shape::Enumerated { items, extensible: enumeration.extensible }
            }
            model::Shape::Real => Shape::Real,
            model::Shape::BitString(names) => Shape::BitString(named(names)),
            model::Shape::OctetString => Shape::OctetString,
            model::Shape::Null => Shape::Null,
            model::Shape::ObjectIdentifier => Shape::ObjectIdentifier,
            model::Shape::RelativeOid => Shape::RelativeOid,
            model::Shape::OidIri => Shape::OidIri,
            model::Shape::RelativeOidIri => Shape::RelativeOidIri,
            model::Shape::String(kind) => Shape::String(string(*kind)),
            model::Shape::Time(kind) => Shape::Time(time(*kind)),
            model::Shape::External => Shape::Named(TypeRef::of::<External<'static>>()),
            model::Shape::EmbeddedPdv => Shape::Named(TypeRef::of::<EmbeddedPdv<'static>>()),
            model::Shape::CharacterString => Shape::Named(TypeRef::of::<CharacterString<'static>>()),
            model::Shape::Sequence(fields) => Shape::Sequence(self.fields(fields)),
            model::Shape::InstanceOf { fields, .. } => Shape::Sequence(self.fields(fields)),
            model::Shape::Set(fields) => Shape::Set(self.fields(fields)),
            model::Shape::SequenceOf(item) => Shape::SequenceOf(TypeRef::Index(item.ty.0)),
            model::Shape::SetOf(item) => Shape::SetOf(TypeRef::Index(item.ty.0)),
            model::Shape::Choice(fields) => {
                let extensible = fields.marker.is_some();
                Shape::Choice { alternatives: self.fields(fields).list, extensible }
            }
            model::Shape::Open(open) => self.open(id, open),
            model::Shape::Reference(target) | model::Shape::FixedField { ty: target, .. } => {
                Shape::Named(TypeRef::Index(target.0))
            }
            _ => {
                self.problems.push(problem(self.model, "no tables for this type".to_owned(), span));
                Shape::Null
            }
        }
    }

    fn fields(&mut self, fields: &'m model::Fields) -> Fields {
        let mut list: Vec<Field> = fields.list.iter().map(|field| self.field(field)).collect();
        let marker = fields.marker.map(|marker| Marker { start: marker.start as u32, end: marker.end as u32 });
        // Values of the versions before an addition do not have it; those of a group come together or not at all.
        let added = fields.marker.and_then(|marker| list.get_mut(marker.start..marker.end)).unwrap_or_default();
        for field in added.iter_mut().filter(|field| field.group.is_none()) {
            if matches!(field.presence, Presence::Required) {
                field.presence = Presence::Optional;
            }
        }
        Fields { list: List::from(list), marker }
    }

    fn field(&mut self, field: &'m model::Field) -> Field {
        self.meter.spend(size_of::<Field>() + field.name.len(), field.span);
        let ComponentType { table, tagging, constrained } = self.component_type(field.ty);
        let constraints = match constrained {
            Some(id) => self.constraints(&self.model.stated(id), On { ty: field.ty, table }),
            None => Vec::new(),
        };
        let presence = match &field.presence {
            model::Presence::Required => Presence::Required,
            model::Presence::Optional => Presence::Optional,
            model::Presence::Default(default) => {
                let pending = Pending { table, single: false, value: default.value.clone(), span: default.span };
                match self.encoded(pending) {
                    Some(der) => Presence::Default(DefaultValue::Der(List::from(der))),
                    None => Presence::Optional,
                }
            }
        };
        let made = Field::new("", TypeRef::Index(table))
            .tagged(List::from(tagging))
            .presence(presence)
            .constrained(List::from(constraints));
        let group = field.group.map(|group| u16::try_from(group).unwrap_or(u16::MAX));
        Field { name: Text::from(field.name.clone()), group, ..made }
    }

    /// Returns the type of a component. As in the derive, the component contains the tags and constraints that are
    /// written there.
    pub(crate) fn component_type(&mut self, id: TypeId) -> ComponentType {
        let Some(ty) = self.model.ty(id).filter(|ty| ty.name.is_none()) else {
            return ComponentType { table: id.0, tagging: Vec::new(), constrained: None };
        };
        let tagging = ty.tags.iter().map(tagging).collect();
        let table = match &ty.shape {
            model::Shape::Reference(target) | model::Shape::FixedField { ty: target, .. } => target.0,
            _ => self.bare(id, false),
        };
        ComponentType { table, tagging, constrained: Some(id) }
    }
}

fn plain(tag: model::Tag) -> Tag {
    let class = match tag.class {
        TagClass::Universal => Class::Universal,
        TagClass::Application => Class::Application,
        TagClass::Context => Class::Context,
        TagClass::Private => Class::Private,
    };
    Tag::new(class, tag.number, false)
}

fn tagging(tagging: &model::Tagging) -> Tagging {
    Tagging { tag: plain(tagging.tag), explicit: tagging.explicit }
}

/// Converts named numbers to the table's form.
fn named(names: &[model::NamedNumber]) -> List<NamedNumber> {
    let one = |name: &model::NamedNumber| {
        Some(NamedNumber { name: Text::from(name.name.clone()), number: name.number.to_i64()? })
    };
    List::from(names.iter().filter_map(one).collect::<Vec<_>>())
}

/// Returns the tag of a built-in type.
fn universal(shape: &model::Shape) -> Option<Tag> {
    Some(match shape {
        model::Shape::Boolean => Tag::BOOLEAN,
        model::Shape::Integer(_) => Tag::INTEGER,
        model::Shape::Enumerated(_) => Tag::ENUMERATED,
        model::Shape::Real => Tag::REAL,
        model::Shape::BitString(_) => Tag::BIT_STRING,
        model::Shape::OctetString => Tag::OCTET_STRING,
        model::Shape::Null => Tag::NULL,
        model::Shape::ObjectIdentifier => Tag::OBJECT_IDENTIFIER,
        model::Shape::RelativeOid => Tag::RELATIVE_OID,
        model::Shape::OidIri => Tag::OID_IRI,
        model::Shape::RelativeOidIri => Tag::RELATIVE_OID_IRI,
        model::Shape::External | model::Shape::InstanceOf { .. } => Tag::EXTERNAL,
        model::Shape::EmbeddedPdv => Tag::EMBEDDED_PDV,
        model::Shape::CharacterString => Tag::CHARACTER_STRING,
        model::Shape::Sequence(_) | model::Shape::SequenceOf(_) => Tag::SEQUENCE,
        model::Shape::Set(_) | model::Shape::SetOf(_) => Tag::SET,
        model::Shape::String(kind) => match kind {
            model::StringKind::Utf8 => Tag::UTF8_STRING,
            model::StringKind::Numeric => Tag::NUMERIC_STRING,
            model::StringKind::Printable => Tag::PRINTABLE_STRING,
            model::StringKind::Teletex => Tag::TELETEX_STRING,
            model::StringKind::Videotex => Tag::VIDEOTEX_STRING,
            model::StringKind::Ia5 => Tag::IA5_STRING,
            model::StringKind::Graphic => Tag::GRAPHIC_STRING,
            model::StringKind::Visible => Tag::VISIBLE_STRING,
            model::StringKind::General => Tag::GENERAL_STRING,
            model::StringKind::Universal => Tag::UNIVERSAL_STRING,
            model::StringKind::Bmp => Tag::BMP_STRING,
            model::StringKind::ObjectDescriptor => Tag::OBJECT_DESCRIPTOR,
        },
        model::Shape::Time(kind) => match kind {
            model::TimeKind::Utc => Tag::UTC_TIME,
            model::TimeKind::Generalized => Tag::GENERALIZED_TIME,
            model::TimeKind::Time => Tag::TIME,
            model::TimeKind::Date => Tag::DATE,
            model::TimeKind::TimeOfDay => Tag::TIME_OF_DAY,
            model::TimeKind::DateTime => Tag::DATE_TIME,
            model::TimeKind::Duration => Tag::DURATION,
        },
        _ => return None,
    })
}

const fn string(kind: model::StringKind) -> StringKind {
    match kind {
        model::StringKind::Utf8 => StringKind::Utf8,
        model::StringKind::Numeric => StringKind::Numeric,
        model::StringKind::Printable => StringKind::Printable,
        model::StringKind::Teletex => StringKind::Teletex,
        model::StringKind::Videotex => StringKind::Videotex,
        model::StringKind::Ia5 => StringKind::Ia5,
        model::StringKind::Graphic => StringKind::Graphic,
        model::StringKind::Visible => StringKind::Visible,
        model::StringKind::General => StringKind::General,
        model::StringKind::Universal => StringKind::Universal,
        model::StringKind::Bmp => StringKind::Bmp,
        model::StringKind::ObjectDescriptor => StringKind::ObjectDescriptor,
    }
}

const fn time(kind: model::TimeKind) -> TimeKind {
    match kind {
        model::TimeKind::Utc => TimeKind::Utc,
        model::TimeKind::Generalized => TimeKind::Generalized,
        model::TimeKind::Time => TimeKind::Time,
        model::TimeKind::Date => TimeKind::Date,
        model::TimeKind::TimeOfDay => TimeKind::TimeOfDay,
        model::TimeKind::DateTime => TimeKind::DateTime,
        model::TimeKind::Duration => TimeKind::Duration,
    }
}
