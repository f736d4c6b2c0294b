//! Generates random values from the tables. Most of them satisfy their constraints.

use tagwise_codec::table::{
    Constraint, DefaultValue, Field, Fields, NamedNumber, Object, ObjectSet, Presence, Schema, Shape, StringKind,
    Tagging, TimeKind, Type, TypeRef,
};
use tagwise_codec::{Tag, Writer};

use super::obey::{Obeyed, encoded_by};
use super::{Dice, Leaf, Order, Tree, element, universal};

/// Below this depth everything optional is left out.
const DEPTH: usize = 12;

/// Generates a value of a type whose references are constant. Three in four values satisfy the simple constraints: sizes,
/// ranges, alphabets, single values, and the presence of components. Patterns, exceptions and checks beyond the tables are
/// ignored.
#[must_use]
pub fn generate(ty: &'static Type, dice: &mut Dice) -> Tree {
    generate_in(ty, None, dice)
}

/// Generates a value of a type in a schema, like `generate`.
#[must_use]
pub fn generate_in(ty: &'static Type, schema: Option<&'static Schema>, dice: &mut Dice) -> Tree {
    let obedient = dice.below(4) > 0;
    let mut generator = Generator { dice, depth: 0, schema, obedient, obeyed: Obeyed::default() };
    generator.value(&Want { tags: &[], ty, over: None, containing: None }, &[], None)
}

/// What is wanted.
#[derive(Clone, Copy)]
struct Want<'t> {
    tags: &'t [Tagging],
    ty: &'static Type,
    /// The tag that an IMPLICIT one around put in the place of the next.
    over: Option<Tag>,
    containing: Option<TypeRef>,
}

/// Content that a component further in must have: its path from here, and the octets.
type Forced<'f> = (&'f str, &'f [u8]);

struct Generator<'d> {
    dice: &'d mut Dice,
    depth: usize,
    schema: Option<&'static Schema>,
    obedient: bool,
    /// The constraints that were met on the way to the value at hand.
    obeyed: Obeyed,
}

impl Generator<'_> {
    fn get(&self, reference: TypeRef) -> &'static Type {
        let schema = self.schema;
        reference.get(schema).unwrap_or_else(|| panic!("{reference:?} is of no schema"))
    }

    /// Adds constraints to those of the value at hand.
    fn meet(&mut self, constraints: &'static [Constraint]) {
        if self.obedient {
            Obeyed::flatten(constraints, self.schema, self.dice, &mut self.obeyed.list);
        }
    }

    /// The constraints of the value at hand, which is made now.
    fn obeyed(&mut self) -> Obeyed {
        std::mem::take(&mut self.obeyed)
    }

    fn value(&mut self, want: &Want<'_>, forced: &[Forced<'_>], selected: Option<&'static Type>) -> Tree {
        let mut want = *want;
        while let Some((tagging, rest)) = want.tags.split_first() {
            let tag = want.over.unwrap_or(tagging.tag);
            want.tags = rest;
            if tagging.explicit {
                want.over = None;
                return nest(tag, vec![self.value(&want, forced, selected)]);
            }
            want.over = Some(tag);
        }
        let Want { ty, over, .. } = want;
        let tag = |own: Tag| over.unwrap_or(own).formed_like(own);
        self.depth += 1;
        self.meet(&ty.constraints);
        // What says how it is encoded is octets like others.
        let inside = containing(&ty.constraints);
        want.containing = if encoded_by(&ty.constraints).is_some() { None } else { want.containing.or(inside) };
        let tree = match &ty.shape {
            Shape::Named(inner) => self.value(&Want { ty: self.get(*inner), ..want }, forced, selected),
            Shape::Tagged { tagging, inner } => {
                let tags = [*tagging];
                self.value(&Want { tags: &tags, ty: self.get(*inner), ..want }, forced, selected)
            }
            Shape::Choice { alternatives, .. } => {
                let obeyed = self.obeyed();
                let may: Vec<&'static Field> = alternatives.iter().filter(|field| obeyed.may(&field.name)).collect();
                let may = if may.is_empty() { alternatives.iter().collect() } else { may };
                let field = if self.depth > DEPTH { may[0] } else { *self.dice.pick(&may) };
                self.field(field, obeyed.line(&field.name), forced, selected)
            }
            Shape::Open { .. } => match selected {
                Some(ty) => self.value(&Want { ty, ..want }, &[], None),
                None => Tree::Fixed(vec![0x05, 0x00]),
            },
            Shape::Sequence(fields) | Shape::Presentation(fields) => {
                self.components(tag(ty.tag.unwrap()), Order::Kept, fields, forced)
            }
            Shape::Set(fields) => self.components(tag(Tag::SET), Order::Tags, fields, forced),
            Shape::SequenceOf(item) => self.items(tag(Tag::SEQUENCE), Order::Kept, *item, selected),
            Shape::SetOf(item) => self.items(tag(Tag::SET), Order::Encodings, *item, selected),
            shape => self.leaf(shape, over, want.containing, forced, selected),
        };
        self.depth -= 1;
        if ty.verbatim { Tree::Fixed(tree.to_der()) } else { tree }
    }

    /// A component, or an alternative; `line` is what WITH COMPONENTS says of it.
    fn field(
        &mut self,
        field: &'static Field,
        line: Option<&'static [Constraint]>,
        forced: &[Forced<'_>],
        selected: Option<&'static Type>,
    ) -> Tree {
        self.obeyed = Obeyed { containing: field.containing, ..Obeyed::default() };
        self.meet(&field.constraints);
        self.meet(line.unwrap_or_default());
        let inside = field.containing.or_else(|| containing(&field.constraints));
        let want = Want {
            tags: &field.tagging,
            ty: self.get(field.ty),
            over: None,
            containing: inside.filter(|_| encoded_by(&field.constraints).is_none()),
        };
        let tree = self.value(&want, forced, selected);
        self.obeyed = Obeyed::default();
        tree
    }

    fn items(&mut self, tag: Tag, order: Order, item: TypeRef, selected: Option<&'static Type>) -> Tree {
        let obeyed = self.obeyed();
        let count = if self.depth > DEPTH { 0 } else { self.dice.below(4) };
        let count = obeyed.len(self.dice).map_or(count, |len| len.min(5));
        let want = Want { tags: &[], ty: self.get(item), over: None, containing: None };
        let mut children = Vec::new();
        for _ in 0..count {
            self.obeyed = Obeyed::default();
            self.meet(obeyed.item());
            // Some are of no type that is selected.
            let selected = selected.filter(|_| self.dice.below(8) > 0);
            let tree = self.value(&want, &[], selected);
            children.push((tree.tag(), tree));
        }
        Tree::Nest { tag, order, children, defaults: Vec::new() }
    }

    fn components(&mut self, tag: Tag, order: Order, fields: &'static Fields, forced: &[Forced<'_>]) -> Tree {
        let obeyed = self.obeyed();
        let schema = self.schema;
        // Open types are selected first, whether what selects them comes before or, in a SET, behind them.
        let mut objects: Vec<Option<(&str, &'static Object)>> = Vec::new();
        for field in fields.list.iter() {
            let inside = field.containing.or_else(|| containing(&field.constraints));
            let open = [Some(field.ty), inside].into_iter().flatten().find_map(|ty| self.open(ty));
            let object = open.filter(|(set, _)| !set.objects.is_empty()).map(|(set, selector)| {
                let known = objects.iter().flatten().find(|(other, _)| *other == selector);
                known.copied().unwrap_or_else(|| (selector, self.dice.pick(&set.objects)))
            });
            objects.push(object);
        }
        let mut children = Vec::new();
        let mut defaults = Vec::new();
        for (field, object) in fields.list.iter().zip(&objects) {
            let selects = objects.iter().flatten().map(|(selector, object)| (*selector, &*object.key));
            let inner: Vec<Forced<'_>> = selects
                .chain(forced.iter().copied())
                .filter_map(|(path, key)| {
                    let rest = path.trim_start_matches('@').trim_start_matches('.').strip_prefix(&*field.name)?;
                    if rest.is_empty() { Some(("", key)) } else { rest.strip_prefix('.').map(|rest| (rest, key)) }
                })
                .collect();
            let wanted = !inner.is_empty() || (self.depth <= DEPTH && self.dice.below(3) > 0);
            let wanted = obeyed.present(&field.name).unwrap_or(wanted);
            let line = obeyed.line(&field.name);
            let selected = object.and_then(|(_, object)| object.ty.get(schema));
            match &field.presence {
                Presence::Required => {}
                Presence::Optional if !wanted => continue,
                Presence::Optional => {}
                Presence::Default(default) => {
                    let default = under(&field.tagging, default_of(default));
                    let tree = wanted.then(|| self.field(field, line, &inner, selected));
                    if let Some(tree) = tree.filter(|tree| tree.to_der() != default) {
                        children.push((rank(field, schema), tree));
                    } else {
                        defaults.push((children.len(), default));
                    }
                    continue;
                }
            }
            let tree = self.field(field, line, &inner, selected);
            children.push((rank(field, schema), tree));
        }
        Tree::Nest { tag, order, children, defaults }
    }

    /// What selects the open type that a type is, or that it is a list of.
    fn open(&self, ty: TypeRef) -> Option<(&'static ObjectSet, &'static str)> {
        let mut next = ty;
        for _ in 0..4 {
            match &self.get(next).shape {
                Shape::Open { set: Some(set), selector } => return Some((set.get(self.schema)?, &**selector)),
                Shape::Named(inner) | Shape::SetOf(inner) | Shape::SequenceOf(inner) => next = *inner,
                _ => return None,
            }
        }
        None
    }

    fn leaf(
        &mut self,
        shape: &Shape,
        over: Option<Tag>,
        containing: Option<TypeRef>,
        forced: &[Forced<'_>],
        selected: Option<&'static Type>,
    ) -> Tree {
        let (number, named) = number(shape);
        let own = universal(number);
        let tag = over.unwrap_or(own).formed_like(own);
        let mut leaf = Leaf { tag, number, named, content: Vec::new(), contained: None };
        let obeyed = self.obeyed();
        if let Some(containing) = containing.filter(|_| matches!(number, 3 | 4)) {
            let want = Want { tags: &[], ty: self.get(containing), over: None, containing: None };
            leaf.contained = Some(Box::new(self.value(&want, &[], selected)));
            leaf.content = if number == 3 { vec![0] } else { Vec::new() };
        } else if let Some((_, key)) = forced.first() {
            leaf.content = key.to_vec();
        } else if let Some((rules, ty)) = obeyed.encoded() {
            let want = Want { tags: &[], ty: self.get(ty), over: None, containing: None };
            let tree = self.value(&want, &[], None);
            leaf.content = if number == 3 { vec![0] } else { Vec::new() };
            leaf.content.extend(if rules == [0x51, 2, 0] { tree.to_cer() } else { tree.to_der() });
        } else {
            leaf.content = match obeyed.content(shape, self.dice) {
                Some(content) => content,
                None => self.content(shape, number, named),
            };
        }
        Tree::Leaf(leaf)
    }

    fn content(&mut self, shape: &Shape, number: u32, named: bool) -> Vec<u8> {
        let dice = &mut *self.dice;
        let len = match dice.below(40) {
            0 => 990 + dice.below(1200),
            1..10 => 0,
            _ => dice.below(40),
        };
        match number {
            1 => vec![*dice.pick(&[0x00, 0xFF])],
            2 => {
                let count = 1 + dice.below(9);
                minimal(dice.octets(count))
            }
            10 => match shape {
                Shape::Enumerated { items, .. } if !items.is_empty() => {
                    let items: &[NamedNumber] = items;
                    minimal(dice.pick(items).number.to_be_bytes().to_vec())
                }
                _ => vec![0],
            },
            3 if named => {
                let mut content = [vec![0], dice.octets(len % 4)].concat();
                while content.len() > 1 && content[content.len() - 1] == 0 {
                    content.pop();
                }
                if let [unused, .., last] = content.as_mut_slice() {
                    *unused = last.trailing_zeros() as u8;
                }
                content
            }
            3 => {
                let unused = if len == 0 { 0 } else { dice.below(8) as u8 };
                let mut content = [vec![unused], dice.octets(len)].concat();
                let last = content.len() - 1;
                if last > 0 {
                    content[last] &= 0xFF << unused;
                }
                content
            }
            5 => Vec::new(),
            6 => dice.pick(&[&[0x2A, 3][..], &[0x55, 0x1D, 0x11], &[0x2B, 0x81, 0x10, 0x00]]).to_vec(),
            9 => dice
                .pick(&[
                    &[][..],
                    &[0x40],
                    &[0x43],
                    &[0x80, 0x00, 0x01],
                    &[0xC0, 0xFB, 0x05],
                    &[0x80, 0xFE, 0x1F],
                    b"\x0315.E-1",
                    b"\x031.E+0",
                ])
                .to_vec(),
            13 => vec![8, 0x83, 3],
            14 => b"1985-04-12".to_vec(),
            18 => text(b"0123456789 ", len, dice),
            12 => "añ€𝄞 Z".chars().cycle().take(len).collect::<String>().into_bytes(),
            28 => (0..len).flat_map(|_| [0, 0, 0, b'a' + dice.below(26) as u8]).collect(),
            30 => (0..len).flat_map(|_| [dice.below(0xD8) as u8, dice.roll() as u8]).collect(),
            23 => dice.pick(&[&b"991231235900Z"[..], b"500101000001Z", b"260228120000Z"]).to_vec(),
            24 => dice.pick(&[&b"19991231235900Z"[..], b"20260228120000.5Z", b"19700101000000.123456789012Z"]).to_vec(),
            31 => b"19850412".to_vec(),
            32 => b"153657".to_vec(),
            33 => b"19851106210627".to_vec(),
            34 => b"2Y6M".to_vec(),
            35 => b"/ISO/Registration".to_vec(),
            36 => b"Registration/6".to_vec(),
            _ => text(b"ABCxyz0129", len, dice),
        }
    }
}

fn text(alphabet: &[u8], len: usize, dice: &mut Dice) -> Vec<u8> {
    (0..len).map(|_| *dice.pick(alphabet)).collect()
}

fn minimal(mut octets: Vec<u8>) -> Vec<u8> {
    while let [first, second, ..] = octets[..]
        && ((first == 0 && second < 0x80) || (first == 0xFF && second >= 0x80))
    {
        octets.remove(0);
    }
    octets
}

/// What CONTAINING says among constraints.
fn containing(constraints: &[Constraint]) -> Option<TypeRef> {
    constraints.iter().find_map(|constraint| match constraint {
        Constraint::Containing(ty) => Some(*ty),
        _ => None,
    })
}

fn nest(tag: Tag, children: Vec<Tree>) -> Tree {
    let children = children.into_iter().map(|tree| (tree.tag(), tree)).collect();
    Tree::Nest { tag: tag.constructed(), order: Order::Kept, children, defaults: Vec::new() }
}

/// What CER sorts a component by (X.690 §9.3).
fn rank(field: &Field, schema: Option<&'static Schema>) -> Tag {
    fn least(tags: &[Tagging], ty: TypeRef, schema: Option<&'static Schema>) -> Option<Tag> {
        let ty = ty.get(schema).unwrap();
        match (tags.first(), &ty.shape) {
            (Some(tagging), _) => Some(tagging.tag),
            (_, Shape::Tagged { tagging, .. }) => Some(tagging.tag),
            (_, Shape::Named(inner)) => least(&[], *inner, schema),
            (_, Shape::Choice { alternatives, .. }) => {
                let tags = alternatives.iter().filter_map(|field| least(&field.tagging, field.ty, schema));
                tags.min_by_key(|tag| (tag.class(), tag.number()))
            }
            _ => ty.tag,
        }
    }
    least(&field.tagging, field.ty, schema).unwrap_or(Tag::NULL)
}

fn default_of(default: &DefaultValue) -> Vec<u8> {
    match default {
        DefaultValue::Der(octets) => octets.to_vec(),
        DefaultValue::Write(write) => {
            let mut buffer = vec![0; 4096];
            let mut writer = Writer::new(&mut buffer);
            write(&mut writer).unwrap();
            writer.written().to_vec()
        }
    }
}

/// DER under the tags of a component.
fn under(tags: &[Tagging], mut der: Vec<u8>) -> Vec<u8> {
    for tagging in tags.iter().rev() {
        if tagging.explicit {
            der = element(tagging.tag.constructed(), &der);
        } else {
            let mut reader = tagwise_codec::Reader::new(&der).unwrap();
            let (inner, len) = reader.header().unwrap();
            der = element(tagging.tag.formed_like(inner), reader.take(len).unwrap());
        }
    }
    der
}

fn number(shape: &Shape) -> (u32, bool) {
    let number = match shape {
        Shape::Boolean => 1,
        Shape::Integer(_) => 2,
        Shape::BitString(names) => return (3, !names.is_empty()),
        Shape::OctetString => 4,
        Shape::Null => 5,
        Shape::ObjectIdentifier => 6,
        Shape::Real => 9,
        Shape::Enumerated { .. } => 10,
        Shape::RelativeOid => 13,
        Shape::OidIri => 35,
        Shape::RelativeOidIri => 36,
        Shape::String(StringKind::ObjectDescriptor) => 7,
        Shape::String(StringKind::Utf8) => 12,
        Shape::String(StringKind::Numeric) => 18,
        Shape::String(StringKind::Printable) => 19,
        Shape::String(StringKind::Teletex) => 20,
        Shape::String(StringKind::Videotex) => 21,
        Shape::String(StringKind::Ia5) => 22,
        Shape::String(StringKind::Graphic) => 25,
        Shape::String(StringKind::Visible) => 26,
        Shape::String(StringKind::General) => 27,
        Shape::String(StringKind::Universal) => 28,
        Shape::String(StringKind::Bmp) => 30,
        Shape::Time(TimeKind::Time) => 14,
        Shape::Time(TimeKind::Utc) => 23,
        Shape::Time(TimeKind::Generalized) => 24,
        Shape::Time(TimeKind::Date) => 31,
        Shape::Time(TimeKind::TimeOfDay) => 32,
        Shape::Time(TimeKind::DateTime) => 33,
        Shape::Time(TimeKind::Duration) => 34,
        shape => panic!("no leaf: {shape:?}"),
    };
    (number, false)
}
