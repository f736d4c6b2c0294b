//! Finds the path of the component at an offset, using only the tables.
//!
//! The walk is lenient, because its input is usually malformed. It is iterative and linear in the offset. It descends
//! into strings that contain an encoding, and into open types with a known selector.
//!
//! Paths join ASN.1 component names with dots (`tbsCertificate.validity.notAfter`) and index SEQUENCE OF and SET OF
//! elements from 0 (`extensions[2].extnValue`). Tags, wrapping OCTET STRINGs and open type selection add nothing. The
//! name of a CHOICE alternative is added only to paths into a constructed alternative: `issuer.rdnSequence[0]`, but
//! `validity.notAfter` for both UTCTime and GeneralizedTime. The outermost value has the empty path.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::engine::components::{Expect, Inside, Segment, Tables, component};
use crate::engine::lenient::{Element, Lenient};
use crate::engine::limit::{Measured, describe};
use crate::engine::selector::{Key, Selector};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Budget;
use crate::rule::Rule;
use crate::table::{Constraint, Field, Range, SetRef, Shape, Type};

/// The component that contains an offset, as described by the tables.
#[derive(Debug, Default)]
pub(crate) struct FaultPlace {
    /// The path to the innermost component.
    pub(crate) path: String,
    /// The profile rules of all types on the path.
    pub(crate) rules: Vec<&'static Rule>,
    /// True if something on the path is marked `secret`.
    pub(crate) secret: bool,
    /// True if the tables describe the element at the offset. False if its tag is wrong or if no element is expected.
    pub(crate) described: bool,
    /// The number that violates a constraint, and the allowed range. Never set for secrets.
    pub(crate) limit: Option<String>,
}

/// Returns the path of the component of `ty` that contains the byte at `offset`, headers included.
///
/// The input may be malformed. The path extends as far as the structure can be recognized. It is empty for bytes outside any
/// component.
///
/// ```
/// use tagwise_codec::{Decode, SeqOf, Typed, path_at};
/// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
/// assert_eq!(path_at(SeqOf::<u8>::ty(), &input, 6), "[1]");
/// ```
#[must_use]
pub fn path_at(ty: &'static Type, input: &[u8], offset: usize) -> String {
    locate(Tables::default(), ty, input, Aim::Element, None, offset).path
}

/// Like [`path_at`], for tables that may have been built at run time.
#[cfg(feature = "dynamic")]
pub(crate) fn path_in<'s>(tables: Tables<'s>, ty: &'s Type, input: &[u8], offset: usize) -> String {
    locate(tables, ty, input, Aim::Element, None, offset).path
}

/// Finds the location of a fault at `offset` in `input`.
pub(crate) fn place<'s>(tables: Tables<'s>, ty: &'s Type, input: &[u8], fault: Fault, offset: usize) -> FaultPlace {
    let aim = Aim::at(fault);
    let place = locate(tables, ty, input, aim, Measured::by(fault.kind()), offset);
    match aim {
        // Whatever made the check, no type on the way says that it does.
        Aim::Checked(_) if !place.described => locate(tables, ty, input, Aim::Element, None, offset),
        _ => place,
    }
}

/// Returns whether bytes around an offset may be secret. This is the case if the offset is in a value marked `secret`,
/// or if a neighbor at any level may be or contain such a value. In a malformed encoding, a wrong length can shift data
/// anywhere.
pub(crate) fn may_be_secret(ty: &Type, input: &[u8], offset: usize) -> bool {
    let mut walk = Walk::new(Tables::default(), ty, input, Aim::Element, None);
    walk.down(Aim::Element, offset);
    walk.trail.secret || walk.levels_hold_secrets()
}

/// The position in an element that an offset refers to. The same offset can be the end of one element and the start of the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// A byte of an element, often its first.
    Element,
    /// A position in an element's content, including its end, but never an identifier.
    Content,
    /// The end of a constructed value, where something is missing.
    End,
    /// The start of an element or of its content, if its value failed a check.
    Checked(Check),
}

/// A check of a whole value that its type's or component's table declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Size,
    Value,
    /// A profile rule, by its bit.
    Rule(u8),
}

impl Check {
    fn among(self, constraints: &[Constraint]) -> bool {
        constraints.iter().any(|constraint| match (self, constraint) {
            (
                Self::Size,
                Constraint::Size { .. }
                | Constraint::WithComponents { .. }
                | Constraint::WithComponent(_)
                | Constraint::AllOf(_)
                | Constraint::AnyOf(_)
                | Constraint::Includes(_)
                | Constraint::Relation { .. },
            ) => true,
            (Self::Size, _) | (Self::Rule(_), _) => false,
            (
                Self::Value,
                Constraint::Size { .. } | Constraint::Containing(_) | Constraint::EncodedBy(_) | Constraint::Check(_),
            ) => false,
            (Self::Value, _) => true,
        })
    }
}

impl Aim {
    fn at(fault: Fault) -> Self {
        match fault.kind() {
            FaultKind::Size => Self::Checked(Check::Size),
            FaultKind::Value => Self::Checked(Check::Value),
            FaultKind::Profile => Self::Checked(Check::Rule(fault.detail())),
            FaultKind::Missing | FaultKind::Truncated => Self::End,
            FaultKind::DepthExceeded
            | FaultKind::BooleanLength
            | FaultKind::BooleanValue
            | FaultKind::IntegerEmpty
            | FaultKind::IntegerPadded
            | FaultKind::IntegerRange
            | FaultKind::EnumeratedUnknown
            | FaultKind::NullLength
            | FaultKind::BitStringEmpty
            | FaultKind::BitStringUnused
            | FaultKind::BitStringPadding
            | FaultKind::NamedBitsTrailing
            | FaultKind::OidEmpty
            | FaultKind::OidPadded
            | FaultKind::OidTruncated
            | FaultKind::RealFormat
            | FaultKind::RealNotCanonical
            | FaultKind::StringAlphabet
            | FaultKind::Utf8Invalid
            | FaultKind::StringLength
            | FaultKind::TimeSyntax
            | FaultKind::TimeForm
            | FaultKind::TimeMonth
            | FaultKind::TimeDay
            | FaultKind::TimeHour
            | FaultKind::TimeMinute
            | FaultKind::TimeSecond
            | FaultKind::IsoTime
            | FaultKind::Iri
            | FaultKind::Inconsistent => Self::Content,
            _ => Self::Element,
        }
    }

    /// Returns whether `offset` belongs to `element`, if it does not belong to any element that ends earlier.
    fn within(self, offset: usize, element: &Element) -> bool {
        match self {
            Self::Element => offset < element.end || (element.cut && offset == element.end),
            Self::Content | Self::End | Self::Checked(_) => offset <= element.end,
        }
    }

    /// Returns whether `offset` belongs to a part of an element whose content starts at `content`, rather than to the element
    /// as a whole.
    fn inside(self, offset: usize, content: usize) -> bool {
        match self {
            Self::Element | Self::End | Self::Checked(_) => offset >= content,
            Self::Content => offset > content,
        }
    }
}

/// The path collected during the descent.
#[derive(Debug, Default)]
struct Trail<'s> {
    segments: Vec<Segment<'s>>,
    /// The number of segments that lead to the innermost open value.
    entered: usize,
    rules: Vec<&'static Rule>,
    secret: bool,
    /// The check to locate, and whether it applies to the last element.
    check: Option<Check>,
    held: bool,
    /// The quantity in the error, and the limits of the last element, whose shape is known when the descent ends.
    measured: Option<Measured>,
    limits: Vec<&'s [Range]>,
    shape: Option<&'s Shape>,
}

/// The lengths to which a trail can be reset.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    segments: usize,
    rules: usize,
    secret: bool,
}

impl<'s> Trail<'s> {
    fn mark(&self) -> Mark {
        Mark { segments: self.segments.len(), rules: self.rules.len(), secret: self.secret }
    }

    fn back_to(&mut self, mark: Mark) {
        self.segments.truncate(mark.segments);
        self.entered = mark.segments;
        self.rules.truncate(mark.rules);
        self.secret = mark.secret;
    }

    fn note(&mut self, ty: &'s Type) {
        self.note_limits(&ty.constraints);
        self.shape = Some(&ty.shape);
        self.rules.extend(ty.rules.iter());
        self.secret |= ty.secret;
        self.held |= match self.check {
            Some(Check::Rule(id)) => ty.rules.iter().any(|rule| rule.id() == id),
            Some(check) => check.among(&ty.constraints),
            None => false,
        };
    }

    fn enter(&mut self, segment: Segment<'s>, field: &'s Field) {
        self.segments.push(segment);
        self.note_field(field);
    }

    fn note_field(&mut self, field: &'s Field) {
        self.note_limits(&field.constraints);
        self.secret |= field.secret;
        self.held |= self.check.is_some_and(|check| check.among(&field.constraints));
    }

    fn note_limits(&mut self, constraints: &'s [Constraint]) {
        if let Some(measured) = self.measured {
            self.limits.extend(constraints.iter().filter_map(|constraint| measured.ranges(constraint)));
        }
    }

    /// Clears the checks for the previous element.
    fn next(&mut self) {
        self.held = false;
        self.limits.clear();
        self.shape = None;
    }

    fn path(&self) -> String {
        // The alternative that a value is, is not named; one that the path goes into is.
        let named = self.segments.iter().rposition(|segment| !matches!(segment, Segment::Alternative(_)));
        let shown = named.map_or(0, |last| last + 1).max(self.entered);
        let mut path = String::with_capacity(USUAL_LEVELS * 10);
        for segment in self.segments.iter().take(shown) {
            match segment {
                Segment::Component(name) | Segment::Alternative(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Segment::Item(index) => {
                    // Writing to a String does not fail.
                    let _ = write!(path, "[{index}]");
                }
            }
        }
        path
    }
}

/// One open value on the way down.
#[derive(Debug)]
struct Level<'s> {
    inside: Inside<'s>,
    start: usize,
    pos: usize,
    end: usize,
    mark: Mark,
}

/// Content of an element.
enum Content<'s> {
    /// No named elements.
    Leaf,
    /// Elements, starting at a position.
    Elements(Inside<'s>, usize),
    /// The encoding of another type, starting at a position.
    Contained(&'s Type, usize),
    /// An open type that another component selects. The element itself has the selected type.
    Selected { set: &'s SetRef, selector: &'s str },
}

/// The maximum number of nested types without an element between them.
const LAYERS: usize = 64;
/// The maximum number of levels to descend: a reader's budget, with room for contained encodings.
const LEVELS: usize = 2 * Budget::MAX_DEPTH as usize;

/// Usual number of levels. Memory for this many is allocated at once.
const USUAL_LEVELS: usize = 8;

struct Walk<'s, 'i> {
    tables: Tables<'s>,
    lenient: Lenient<'i>,
    trail: Trail<'s>,
    levels: Vec<Level<'s>>,
    /// The element at which the descent ended.
    last: Option<Element>,
}

fn locate<'s>(
    tables: Tables<'s>,
    ty: &'s Type,
    input: &[u8],
    aim: Aim,
    measured: Option<Measured>,
    offset: usize,
) -> FaultPlace {
    let mut walk = Walk::new(tables, ty, input, aim, measured);
    let described = walk.down(aim, offset);
    let limit = if described && !walk.trail.secret { walk.limit() } else { None };
    FaultPlace { path: walk.trail.path(), secret: walk.trail.secret, rules: walk.trail.rules, described, limit }
}

impl<'s, 'i> Walk<'s, 'i> {
    fn new(tables: Tables<'s>, ty: &'s Type, input: &'i [u8], aim: Aim, measured: Option<Measured>) -> Self {
        let check = if let Aim::Checked(check) = aim { Some(check) } else { None };
        let root = Inside::one(Expect::of(ty));
        let mut levels = Vec::with_capacity(USUAL_LEVELS);
        levels.push(Level { inside: root, start: 0, pos: 0, end: input.len(), mark: Mark::default() });
        let trail = Trail { check, measured, segments: Vec::with_capacity(USUAL_LEVELS), ..Trail::default() };
        Self { tables, lenient: Lenient::new(input), trail, levels, last: None }
    }

    /// Describes the last element's quantity and its limits.
    fn limit(&mut self) -> Option<String> {
        let (measured, shape, element) = (self.trail.measured?, self.trail.shape?, self.last?);
        let content = self.lenient.octets(element.content, element.content_end);
        let lenient = &mut self.lenient;
        let is_list = matches!(shape, Shape::SequenceOf(_) | Shape::SetOf(_));
        let items = || {
            let (mut count, mut pos) = (0, element.content);
            while let Some(item) = lenient.element(pos, element.content_end, element.content_end) {
                count += 1;
                pos = item.end;
            }
            count
        };
        describe(measured, shape, content, || is_list.then(items), &self.trail.limits)
    }

    /// Returns whether a value next to the path, or at its end, may be secret.
    fn levels_hold_secrets(&self) -> bool {
        let mut further = self.levels.iter().skip(1);
        self.levels.iter().any(|level| level.inside.may_hold_secrets(further.next().is_some(), self.tables))
    }
}

impl<'s, 'i> Walk<'s, 'i> {
    /// Descends to the offset. Returns whether the tables describe the element there.
    fn down(&mut self, aim: Aim, offset: usize) -> bool {
        loop {
            let count = self.levels.len();
            let Some(level) = self.levels.last_mut() else { return false };
            let Some(element) = self.lenient.element(level.pos, level.end, offset) else {
                return self.at_end(aim, offset);
            };
            level.pos = element.end;
            if !aim.within(offset, &element) {
                level.inside.pass(element.tag, self.tables);
                continue;
            }
            let met = level.inside.meet(element.tag, self.tables);
            let Some(met) = met else { return false };
            if let Some(segment) = met.segment {
                self.trail.segments.push(segment);
            }
            self.trail.next();
            self.last = Some(element);
            if let Some(field) = met.field {
                self.trail.note_field(field);
            }
            let content = self.open(met.expect, &element);
            if self.trail.held && (offset == element.start || offset == element.content) {
                return true;
            }
            if !met.fits || element.cut {
                return met.fits;
            }
            match content {
                Content::Elements(inside, start) if aim.inside(offset, start) && count < LEVELS => {
                    let mark = self.trail.mark();
                    self.trail.entered = mark.segments;
                    self.levels.push(Level { inside, start, pos: start, end: element.content_end, mark });
                }
                _ if aim == Aim::End => return self.at_end(aim, offset),
                // What is held to the check would have been met on the way here.
                _ => return !matches!(aim, Aim::Checked(_)),
            }
        }
    }

    /// Handles an offset at the end of open values: it refers to the innermost one that lacks a component.
    fn at_end(&mut self, aim: Aim, offset: usize) -> bool {
        self.last = None;
        let innermost = self.levels.last().map(|level| level.mark);
        if aim == Aim::End {
            while let Some(level) = self.levels.pop() {
                if level.end != offset {
                    continue;
                }
                if let Some(lacking) = level.inside.lacking() {
                    self.trail.back_to(level.mark);
                    if let Some(field) = lacking {
                        self.trail.enter(Segment::Component(&field.name), field);
                        if let Some(ty) = field.ty.get(self.tables.schema) {
                            self.trail.note(ty);
                        }
                    }
                    return false;
                }
            }
        }
        self.trail.back_to(innermost.unwrap_or_default());
        aim == Aim::Content
    }

    /// Finds the content of an element, and the names of the alternatives on the way to it.
    fn open(&mut self, mut expect: Expect<'s>, element: &Element) -> Content<'s> {
        for _ in 0..LAYERS {
            match layers(self.tables, &mut expect, element, &mut self.trail) {
                Content::Selected { set, selector } => match self.select(set, selector) {
                    Some(ty) => expect = Expect::of(ty),
                    None => return Content::Leaf,
                },
                Content::Contained(mut inner, start) => {
                    if let Shape::Open { set: Some(set), selector } = &inner.shape {
                        // What nothing selects need not be an encoding.
                        let Some(selected) = self.select(set, selector) else { return Content::Leaf };
                        inner = selected;
                    }
                    return Content::Elements(Inside::one(Expect::of(inner)), start);
                }
                content => return content,
            }
        }
        Content::Leaf
    }

    /// Returns the type that a selector selects by one component, or by several together.
    fn select(&mut self, set: &'s SetRef, selector: &'s str) -> Option<&'s Type> {
        let set = set.get(self.tables.schema)?;
        let mut paths = Selector::all(selector);
        let first = paths.next()?;
        if paths.next().is_none() {
            let key = self.key(first)?;
            return self.tables.find(set, key);
        }
        let mut key = Key::default();
        for path in Selector::all(selector) {
            key.push(self.key(path)?);
        }
        self.tables.find(set, &key.into_octets())
    }

    /// Returns the content bytes of a selecting component.
    fn key(&mut self, selector: Selector<'s>) -> Option<&'i [u8]> {
        let around = self.levels.iter().rev().filter(|level| level.inside.is_named());
        let level = selector.start(around, |level, name| level.inside.has(name))?;
        let whole = (level.start, level.end);
        let inside = level.inside.afresh();
        let (start, end) = content_of(&mut self.lenient, self.tables, inside, whole, selector)?;
        Some(self.lenient.octets(start, end))
    }
}

/// Returns the content range of a component, given its path. `whole` is the content range of the value that the path
/// starts in.
pub(crate) fn content_of<'s>(
    lenient: &mut Lenient<'_>,
    tables: Tables<'s>,
    mut inside: Inside<'s>,
    whole: (usize, usize),
    selector: Selector<'_>,
) -> Option<(usize, usize)> {
    let mut names = selector.names();
    let mut name = names.next()?;
    let (mut start, mut end) = whole;
    for _ in 0..LAYERS {
        let (mut expect, element) = component(lenient, tables, &mut inside, start, end, name)?;
        // What leads to the selecting component is not on the path.
        match layers(tables, &mut expect, &element, &mut Trail::default()) {
            Content::Leaf => return Some((element.content, element.content_end)),
            Content::Elements(within, first) => {
                if within.is_named() {
                    name = names.next()?;
                }
                (inside, start, end) = (within, first, element.content_end);
            }
            Content::Selected { .. } | Content::Contained(..) => return None,
        }
    }
    None
}

/// Resolves the tags, named types and CHOICEs of a type down to its content.
fn layers<'s>(tables: Tables<'s>, expect: &mut Expect<'s>, element: &Element, trail: &mut Trail<'s>) -> Content<'s> {
    for _ in 0..LAYERS {
        if let Some((tagging, rest)) = expect.tags.split_first() {
            expect.tags = rest;
            if tagging.explicit {
                return Content::Elements(Inside::one(*expect), element.content);
            }
            // An IMPLICIT tag stands in the place of the next one.
            continue;
        }
        let Some(ty) = expect.ty else { return Content::Leaf };
        trail.note(ty);
        expect.containing = expect.containing.or_else(|| Constraint::containing(&ty.constraints));
        let inside = match &ty.shape {
            Shape::Named(inner) => {
                expect.ty = inner.get(tables.schema);
                continue;
            }
            Shape::Tagged { tagging, inner } => {
                expect.ty = inner.get(tables.schema);
                if tagging.explicit {
                    return Content::Elements(Inside::one(*expect), element.content);
                }
                continue;
            }
            Shape::Choice { alternatives, .. } => {
                let fits = |alternative: &&Field| element.tag.is_some_and(|tag| tables.starts(alternative, tag));
                let Some(alternative) = alternatives.iter().find(fits) else { return Content::Leaf };
                trail.enter(Segment::Alternative(&alternative.name), alternative);
                *expect = Expect::component(alternative, tables);
                continue;
            }
            Shape::Open { set: Some(set), selector } => return Content::Selected { set, selector },
            Shape::Sequence(fields) | Shape::Presentation(fields) => Inside::components(fields, false),
            Shape::Set(fields) => Inside::components(fields, true),
            Shape::SequenceOf(item) | Shape::SetOf(item) => Inside::items(*item),
            // In BER a string may be constructed; what it contains is then in pieces.
            Shape::OctetString | Shape::BitString(_) if element.tag.is_none_or(|tag| !tag.is_constructed()) => {
                let Some(inner) = expect.containing.and_then(|inner| inner.get(tables.schema)) else {
                    return Content::Leaf;
                };
                // The count of unused bits stands before the content of a BIT STRING.
                let skipped = usize::from(matches!(ty.shape, Shape::BitString(_)));
                return Content::Contained(inner, element.content + skipped);
            }
            _ => return Content::Leaf,
        };
        return Content::Elements(inside, element.content);
    }
    Content::Leaf
}
