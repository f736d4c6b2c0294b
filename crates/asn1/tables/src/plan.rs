//! Converts model types to layouts for encodings without tags.

use std::collections::HashMap;
use std::sync::Arc;

use tagwise_per::plan;
use tagwise_per::plan::{
    Addition, Bounds, Characters, Choice, Contents, Enumeration, Layout, Plan, RealForm, Sized, Structure, Wide,
};
use tagwise_schema::model::{self, Component, Constraints, Fields, Outer, Shape, StringKind, Tag, TagClass, TypeId};
use tagwise_schema::{Int, Model};

use crate::settings;

/// Builds the layouts of all types of a model.
pub(crate) fn build(model: &Model) -> Plan {
    let mut build = Build { model, shared: HashMap::new(), more: Vec::new() };
    let count = model.types.len() as u32;
    let mut layouts: Vec<Layout> = (0..count).map(|index| build.layout(TypeId(index))).collect();
    layouts.append(&mut build.more);
    Plan { layouts }
}

/// Returns the indices of components in the order of their tags (X.680 §8.6).
pub(crate) fn tag_order(model: &Model, fields: &Fields) -> Vec<u32> {
    let build = Build { model, shared: HashMap::new(), more: Vec::new() };
    let mut order: Vec<u32> = (0..fields.list.len() as u32).collect();
    order.sort_by_key(|index| fields.list.get(*index as usize).and_then(|field| build.tag(field.ty)));
    order
}

struct Build<'m> {
    model: &'m Model,
    /// The layouts that do not depend on constraints, by the address of the underlying type's shape.
    shared: HashMap<*const Shape, Layout>,
    /// Layouts behind those of the types.
    more: Vec<Layout>,
}

impl Build<'_> {
    fn layout(&mut self, id: TypeId) -> Layout {
        let (Some(ty), Some(base)) = (self.model.ty(id), self.model.base(id)) else {
            return Layout::Unsupported("an unresolved type");
        };
        let visible = &ty.visible;
        let Some(value) = bounds(visible.value.as_ref()) else {
            return visible.value.as_ref().map_or(Layout::Integer(Bounds::default()), wide);
        };
        // No string is as long as these bounds.
        let size = bounds(visible.size.as_ref()).unwrap_or_default();
        let size = Bounds { min: Some(size.min.unwrap_or(0)), ..size };
        match &base.shape {
            Shape::Boolean => Layout::Boolean,
            Shape::Null => Layout::Null,
            Shape::Integer(_) => Layout::Integer(value),
            Shape::BitString(names) => {
                Layout::BitString(Sized { size, contents: self.contents(id), named: !names.is_empty() })
            }
            Shape::OctetString => Layout::OctetString(Sized { size, contents: self.contents(id), named: false }),
            Shape::String(kind) => match repertoire(*kind) {
                Some((all, width)) => {
                    let alphabet = match &visible.alphabet {
                        Some(ranges) => ranges.iter().map(|range| (range.first, range.last)).collect(),
                        None => all,
                    };
                    Layout::Characters(Arc::new(Characters { size, alphabet: alphabet.into(), width }))
                }
                None => Layout::Octets,
            },
            Shape::Time(model::TimeKind::Utc | model::TimeKind::Generalized) => {
                let size = Bounds { min: Some(0), ..Bounds::default() };
                Layout::TimeText(Arc::new(Characters { size, alphabet: vec![(0x20, 0x7E)].into(), width: 1 }))
            }
            Shape::Time(model::TimeKind::Date) => Layout::Time { date: true, time: false },
            Shape::Time(model::TimeKind::TimeOfDay) => Layout::Time { date: false, time: true },
            Shape::Time(model::TimeKind::DateTime) => Layout::Time { date: true, time: true },
            Shape::Time(model::TimeKind::Duration) => Layout::Duration,
            Shape::Time(_) => settings::form(&ty.effective).map_or_else(Layout::Unsupported, Layout::TimeForm),
            Shape::Real => Layout::Real(real(&ty.effective)),
            Shape::ObjectIdentifier | Shape::RelativeOid | Shape::OidIri | Shape::RelativeOidIri => Layout::Octets,
            Shape::External => self.external(),
            // A constraint may fix the identification, which is then not encoded (X.691 §28.1, §31.1).
            Shape::EmbeddedPdv | Shape::CharacterString if !ty.effective.components.is_empty() => {
                Layout::Unsupported("EMBEDDED PDV and CHARACTER STRING with constrained components")
            }
            Shape::EmbeddedPdv | Shape::CharacterString => self.presentation(),
            Shape::SequenceOf(item) => Layout::List { item: item.ty.0, size, is_set: false },
            Shape::SetOf(item) => Layout::List { item: item.ty.0, size, is_set: true },
            Shape::Open(open) => match open.fixed {
                Some(fixed) => Layout::Same(fixed.0),
                None => Layout::Open,
            },
            shape => {
                let key: *const Shape = shape;
                if let Some(known) = self.shared.get(&key) {
                    return known.clone();
                }
                let made = match shape {
                    Shape::Enumerated(enumeration) => enumerated(enumeration),
                    Shape::Sequence(fields) => Layout::Structure(Arc::new(self.structure(fields, false))),
                    // The associated SEQUENCE (X.681 Annex C).
                    Shape::InstanceOf { fields, .. } => Layout::Structure(Arc::new(self.structure(fields, false))),
                    Shape::Set(fields) => Layout::Structure(Arc::new(self.structure(fields, true))),
                    Shape::Choice(fields) => Layout::Choice(Arc::new(self.choice(fields))),
                    _ => Layout::Unsupported("an unknown kind of type"),
                };
                self.shared.insert(key, made.clone());
                made
            }
        }
    }

    /// EXTERNAL: the SEQUENCE of X.691 §29.
    fn external(&mut self) -> Layout {
        let any = Bounds { min: Some(0), ..Bounds::default() };
        let sized = Sized { size: any, ..Sized::default() };
        let first = (self.model.types.len() + self.more.len()) as u32;
        self.more.extend([
            Layout::Octets,
            Layout::Integer(Bounds::default()),
            Layout::Octets,
            Layout::Open,
            Layout::OctetString(sized),
            Layout::BitString(sized),
            Layout::Choice(Arc::new(Choice {
                fields: vec![first + 3, first + 4, first + 5],
                tags: (0..3).map(|number| vec![plan::Tag { class: 2, number }]).collect(),
                root: vec![0, 1, 2],
                ..Choice::default()
            })),
        ]);
        Layout::Structure(Arc::new(Structure {
            fields: vec![first, first + 1, first + 2, first + 6],
            root: vec![0, 1, 2, 3],
            ..Structure::default()
        }))
    }

    /// EMBEDDED PDV and CHARACTER STRING: the SEQUENCE of X.680 §36.5 and §44.5 without its data-value-descriptor, which is always
    /// absent (X.691 §28.3, §31.3).
    fn presentation(&mut self) -> Layout {
        let any = Sized { size: Bounds { min: Some(0), ..Bounds::default() }, ..Sized::default() };
        let first = (self.model.types.len() + self.more.len()) as u32;
        let pair = |one: u32, other: u32| {
            let fields = vec![first + one, first + other];
            Layout::Structure(Arc::new(Structure { fields, root: vec![0, 1], ..Structure::default() }))
        };
        self.more.extend([
            Layout::Octets,
            Layout::Integer(Bounds::default()),
            Layout::Null,
            Layout::OctetString(any),
            pair(0, 0),
            pair(1, 0),
            Layout::Choice(Arc::new(Choice {
                fields: [4, 0, 1, 5, 0, 2].map(|place| first + place).to_vec(),
                tags: (0..6).map(|number| vec![plan::Tag { class: 2, number }]).collect(),
                root: (0..6).collect(),
                ..Choice::default()
            })),
        ]);
        pair(6, 3)
    }

    fn contents(&self, id: TypeId) -> Option<Contents> {
        let contents = self.model.ty(id)?.effective.contents.as_ref()?;
        let ty = contents.ty?;
        // {joint-iso-itu-t asn1(1) ber-derived(2) distinguished-encoding(1)}; contents under other rules stay bytes.
        let der = [2, 1, 2, 1].map(Int::from);
        match &contents.encoded_by {
            None => Some(Contents { ty: ty.0, is_der: false }),
            Some(arcs) if *arcs == der => Some(Contents { ty: ty.0, is_der: true }),
            Some(_) => None,
        }
    }

    fn structure(&self, fields: &Fields, is_set: bool) -> Structure {
        let count = fields.list.len();
        let (start, end) = fields.marker.map_or((count, count), |marker| (marker.start, marker.end));
        let mut root: Vec<u32> =
            (0..count).filter(|index| !(start..end).contains(index)).map(|one| one as u32).collect();
        if is_set {
            // X.691 §21.1.
            root.sort_by_key(|index| fields.list.get(*index as usize).and_then(|field| self.tag(field.ty)));
        }
        let mut additions: Vec<Addition> = Vec::new();
        let mut last = None;
        for (index, field) in fields.list.iter().enumerate().take(end).skip(start) {
            match (field.group, additions.last_mut()) {
                (Some(_), Some(Addition::Group(list))) if field.group == last => list.push(index as u32),
                (Some(_), _) => additions.push(Addition::Group(vec![index as u32])),
                (None, _) => additions.push(Addition::One(index as u32)),
            }
            last = field.group;
        }
        let fields_of = fields.list.iter().map(|field| field.ty.0).collect();
        Structure { fields: fields_of, root, additions, extensible: fields.marker.is_some() }
    }

    fn choice(&self, fields: &Fields) -> Choice {
        let count = fields.list.len();
        let (start, end) = fields.marker.map_or((count, count), |marker| (marker.start, marker.end));
        let mut root: Vec<u32> =
            (0..count).filter(|index| !(start..end).contains(index)).map(|one| one as u32).collect();
        root.sort_by_key(|index| fields.list.get(*index as usize).and_then(|field| self.tag(field.ty)));
        Choice {
            fields: fields.list.iter().map(|field| field.ty.0).collect(),
            tags: fields.list.iter().map(|field| self.first_tags(field.ty)).collect(),
            untagged: (0..count as u32).filter(|index| self.is_untagged(fields, *index)).collect(),
            root,
            additions: (start..end).map(|index| index as u32).collect(),
            extensible: fields.marker.is_some(),
        }
    }

    fn is_untagged(&self, fields: &Fields, index: u32) -> bool {
        let ty = fields.list.get(index as usize).and_then(|field| self.model.ty(field.ty));
        ty.is_some_and(|ty| matches!(ty.outer, Outer::Choice { .. }))
    }

    fn first_tags(&self, id: TypeId) -> Vec<plan::Tag> {
        let tag = |tag: &Tag| {
            let class = match tag.class {
                TagClass::Universal => 0,
                TagClass::Application => 1,
                TagClass::Context => 2,
                TagClass::Private => 3,
            };
            plan::Tag { class, number: tag.number }
        };
        match self.model.ty(id).map(|ty| &ty.outer) {
            Some(Outer::Tag(one)) => vec![tag(one)],
            Some(Outer::Choice { tags, .. }) => tags.iter().map(tag).collect(),
            _ => Vec::new(),
        }
    }

    /// The tag that a type is ordered by: of an untagged CHOICE, the least of its root alternatives (X.691 §23.4, X.680 §8.6).
    fn tag(&self, id: TypeId) -> Option<Tag> {
        let mut open = vec![id];
        let mut seen = Vec::new();
        let mut least: Option<Tag> = None;
        while let Some(id) = open.pop() {
            let ty = self.model.ty(id)?;
            let tag = match (&ty.outer, ty.tags.first()) {
                (_, Some(tagging)) => Some(tagging.tag),
                (Outer::Tag(tag), None) => Some(*tag),
                (_, None) => None,
            };
            match (tag, self.model.base(id).map(|base| &base.shape)) {
                (Some(tag), _) => least = Some(least.map_or(tag, |least| least.min(tag))),
                (None, Some(Shape::Choice(fields))) if !seen.contains(&id) => {
                    seen.push(id);
                    let (start, end) =
                        fields.marker.map_or((usize::MAX, usize::MAX), |marker| (marker.start, marker.end));
                    let root = fields.list.iter().enumerate().filter(|(index, _)| !(start..end).contains(index));
                    open.extend(root.map(|(_, field)| field.ty));
                }
                _ => {}
            }
        }
        least
    }
}

/// The form of a REAL in OER: that of IEEE 754 if the base is 2, and the mantissa and the exponent are within its limits (X.696
/// §12.2, §12.3).
fn real(constraints: &Constraints) -> RealForm {
    // Extensible constraints are not visible (X.696 §8.2).
    let components = constraints.components.iter().filter(|_| !constraints.extensible);
    let list: Vec<&Component> = components.flat_map(|components| &components.list).collect();
    let within = |name: &str, (least, most): (i64, i64)| {
        list.iter().filter(|component| component.name == name).any(|component| {
            let value = component.inner.constraints.value.as_ref().filter(|bounds| !bounds.extensible);
            let ends = value.and_then(|bounds| bounds.min()?.to_i64().zip(bounds.max()?.to_i64()));
            ends.is_some_and(|(min, max)| least <= min && max <= most)
        })
    };
    let fits = |mantissa: i64, exponent| {
        within("base", (2, 2)) && within("mantissa", (-mantissa, mantissa)) && within("exponent", exponent)
    };
    if fits((1 << 24) - 1, (-149, 104)) {
        RealForm::Binary32
    } else if fits((1 << 53) - 1, (-1074, 971)) {
        RealForm::Binary64
    } else {
        RealForm::Content
    }
}

/// Converts bounds; `None` if they exceed 128 bits.
fn bounds(bounds: Option<&model::Bounds>) -> Option<Bounds> {
    let Some(bounds) = bounds.filter(|bounds| !bounds.ranges.is_empty()) else { return Some(Bounds::default()) };
    let number = |end: Option<&Int>| end.map_or(Some(None), |end| end.to_i128().map(Some));
    Some(Bounds { min: number(bounds.min())?, max: number(bounds.max())?, extensible: bounds.extensible })
}

/// Bounds beyond 128 bits.
fn wide(bounds: &model::Bounds) -> Layout {
    let end = |end: Option<&Int>| end.map(Int::to_be_bytes);
    let (min, max) = (end(bounds.min()), end(bounds.max()));
    Layout::WideInteger(Arc::new(Wide { min, max, extensible: bounds.extensible }))
}

fn enumerated(enumeration: &model::Enumeration) -> Layout {
    let numbers: Vec<i64> = enumeration.items.iter().filter_map(|item| item.number.to_i64()).collect();
    if numbers.len() != enumeration.items.len() {
        return Layout::Unsupported("an ENUMERATED with numbers beyond 64 bits");
    }
    let (root, additions) = numbers.split_at(enumeration.root.min(numbers.len()));
    let mut root = root.to_vec();
    root.sort_unstable();
    Layout::Enumerated(Arc::new(Enumeration {
        root,
        additions: additions.to_vec(),
        extensible: enumeration.extensible,
    }))
}

/// The characters of a known-multiplier string type, and the size of one in content bytes.
fn repertoire(kind: StringKind) -> Option<(Vec<(u32, u32)>, u8)> {
    let range = |first: char, last: char| (u32::from(first), u32::from(last));
    Some(match kind {
        StringKind::Numeric => (vec![range(' ', ' '), range('0', '9')], 1),
        StringKind::Printable => {
            let marks = [range(' ', ' '), range('\'', ')'), range('+', ':'), range('=', '='), range('?', '?')];
            (marks.into_iter().chain([range('A', 'Z'), range('a', 'z')]).collect(), 1)
        }
        StringKind::Visible => (vec![(0x20, 0x7E)], 1),
        StringKind::Ia5 => (vec![(0, 0x7F)], 1),
        StringKind::Bmp => (vec![(0, 0xFFFF)], 2),
        StringKind::Universal => (vec![(0, 0xFFFF_FFFF)], 4),
        _ => return None,
    })
}
