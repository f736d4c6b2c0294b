//! Events with element names from a type's table.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use std::io::Read;

use super::error::{Error, Flaw};
use super::event::{Chunk, Event, Header};
use super::events::{Events, Step};
use super::open::is_string;
use super::order::Held;
use super::{Rules, Settings};
use crate::engine::Tables;
use crate::engine::canonical::least_tag;
use crate::engine::components::{Expect, Inside, Met, Segment};
use crate::engine::selector::{Key, Selector};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Registered;
use crate::table::{Field, Schema, SetRef, Shape, Type};
use crate::tag::{Class, Tag};

/// The description of an element in a type's table.
#[derive(Clone, Copy, Debug)]
pub struct StreamPlace<'p> {
    /// The element's path (`tbsCertList.revokedCertificates[3].userCertificate`), in the syntax of error paths. An
    /// EXPLICIT tag and its component share a path. The outermost value has an empty path, and unknown elements have
    /// the path of their container.
    pub path: &'p str,
    /// The component's name. `None` for list items and elements that are not components.
    pub name: Option<&'p str>,
    /// The component's type. `None` for an EXPLICIT tag or if the type is unknown.
    pub ty: Option<&'p Type>,
    /// True if the element is a SEQUENCE OF or SET OF.
    pub list: bool,
    /// True if the type allows the tag here. The other fields describe the expected element even if another one was
    /// found.
    pub described: bool,
    /// True if the element or an enclosing one is marked `secret`.
    pub secret: bool,
    /// The path including CHOICE alternatives (`thisUpdate.utcTime`). The same as `path` if there are none.
    pub inner: &'p str,
    /// The innermost CHOICE alternative: its name and type. An EXPLICIT tag has no type.
    pub alternative: Option<(&'p str, Option<&'p Type>)>,
}

/// [`Events`] with the [`StreamPlace`] of each element in a value of a known type.
///
/// An element that the type does not allow is an error, and so is a missing component, as for decoders of whole values. The type
/// also supplies names and, under DER and CER, the order of SETs and SET OFs. The content of primitive elements and constraints are
/// not checked against the type. An extension addition of a later version has its container's path and is not described. The
/// content of an OCTET STRING is not parsed.
///
/// An open type is selected by a preceding component. In a SET, DER may require the selector to come after the open type
/// (X.690 §10.3). A stream does not look ahead, so the value then has no names and no order check. No other component, such
/// as one of the same name in an enclosing type, is used instead. Slice readers do look ahead.
///
/// ```
/// use tagwise_codec::stream::{Event, NamedEvents};
/// use tagwise_codec::{SeqOf, Typed};
/// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
/// let mut events = NamedEvents::new(&input[..], SeqOf::<u8>::ty());
/// let mut paths = Vec::new();
/// while let Some((event, place)) = events.next()? {
///     if let Event::Start(_) = event {
///         paths.push(place.path.to_owned());
///     }
/// }
/// assert_eq!(paths, ["", "[0]", "[1]"]);
/// # Ok::<(), tagwise_codec::stream::Error>(())
/// ```
#[derive(Debug)]
pub struct NamedEvents<'s, R> {
    events: Events<R>,
    names: Names<'s>,
}

impl<'s, R: Read> NamedEvents<'s, R> {
    /// Creates a reader for one DER value of a type, with the default settings.
    pub fn new(input: R, ty: &'s Type) -> Self {
        Self::with(input, Settings::der(), ty)
    }

    /// Creates a reader with the given settings. If there are several values, all have this type.
    pub fn with(input: R, settings: Settings, ty: &'s Type) -> Self {
        let tables = Tables::default();
        Self { events: Events::with(input, settings), names: Names::new(ty, tables) }
    }

    /// Sets the schema that resolves the type's references by index.
    #[must_use]
    pub fn schema(mut self, schema: &'s Schema) -> Self {
        self.names.tables.schema = Some(schema);
        self
    }

    /// Registers additional open types.
    #[must_use]
    pub fn register(mut self, registered: &'s [Registered]) -> Self {
        self.names.tables.registered = registered;
        self
    }

    /// Returns the next event and its place.
    ///
    /// # Errors
    /// Returns the same errors as [`Events::next`], with a path.
    #[expect(clippy::should_implement_trait, reason = "events borrow the buffer, so this is no Iterator")]
    pub fn next(&mut self) -> Result<Option<(Event<'_>, StreamPlace<'_>)>, Error> {
        let step = match self.events.step() {
            Ok(Some(step)) => step,
            Ok(None) => return Ok(None),
            Err(error) => return Err(error.below(self.names.open_path())),
        };
        let event = match step {
            Step::Start(start) => {
                let event = Event::Start(start);
                self.names.meet(&event);
                if let Some(fault) = self.names.misfit.take() {
                    // As for decoders of whole values: a byte of something secret is not shown.
                    let is_told = matches!(fault.kind(), FaultKind::UnexpectedTag | FaultKind::ChoiceUnknown);
                    let found = (is_told && !self.names.is_secret()).then_some(start.tag);
                    return Err(self.refused(fault, start.offset, found, String::from(self.names.open_path())));
                }
                self.order(&start)?;
                if start.tag.class() != Class::Universal && !start.segment {
                    self.string(&start)?;
                }
                return Ok(Some((event, self.names.place())));
            }
            Step::End(end) => {
                if let Some(lacking) = self.names.lacking() {
                    // End-of-contents bytes are not content.
                    let at = if end.indefinite { end.end.saturating_sub(2) } else { end.end };
                    let fault = Fault::new(FaultKind::Missing, 0);
                    let mut path = String::from(self.names.inner_path());
                    if let Some(field) = lacking {
                        append(&mut path, &field.name);
                    }
                    return Err(self.refused(fault, at, None, path));
                }
                Event::End(end)
            }
            Step::Chunk { count, left } => {
                let offset = self.events.source.offset();
                Event::Chunk(Chunk { offset, octets: self.events.source.take(count), left })
            }
        };
        self.names.meet(&event);
        Ok(Some((event, self.names.place())))
    }

    /// Returns an error against the type. Nothing is read any more.
    fn refused(&mut self, fault: Fault, offset: u64, found: Option<Tag>, path: String) -> Error {
        // Later calls return an error, too.
        let _ = self.events.malformed(Flaw { detail: fault.detail(), ..Flaw::new(fault.kind(), offset) });
        Error::item(crate::Error::of_element(fault, found), offset).below(&path)
    }

    /// Checks the order of an element in its SET, and prepares to check the order of its content.
    fn order(&mut self, start: &Header) -> Result<(), Error> {
        let rules = self.events.settings().rules();
        if rules == Rules::Ber {
            return Ok(());
        }
        if let Some(kind) = self.names.disorder(start.tag, rules) {
            let error = self.events.malformed(Flaw::new(kind, start.offset));
            return Err(error.below(self.names.open_path()));
        }
        match self.names.levels.last().map(|level| level.sorted) {
            // X.690 §11.6.
            Some(Sorted::Encodings) => self.events.hold_order(Some(Held::Encodings)),
            Some(Sorted::Tags { .. } | Sorted::Not) => self.events.hold_order(None),
            Some(Sorted::Unknown) | None => {}
        }
        Ok(())
    }

    /// Checks the form of an element that is a string by its type but not by its tag. Such an element contains segments.
    fn string(&mut self, start: &Header) -> Result<(), Error> {
        let Some(tag) = self.names.base().and_then(|ty| ty.tag).filter(|tag| is_string(*tag)) else { return Ok(()) };
        let tag = if start.tag.is_constructed() { tag.constructed() } else { tag };
        match self.events.hold_string(start, tag) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.below(self.names.open_path())),
        }
    }

    /// Skips the rest of the innermost open element: see [`Events::skip`].
    ///
    /// # Errors
    /// Returns the same errors as [`Events::skip`], with a path.
    pub fn skip(&mut self) -> Result<(), Error> {
        match self.events.skip() {
            Ok(()) => {
                self.names.close();
                Ok(())
            }
            Err(error) => Err(error.below(self.names.open_path())),
        }
    }

    /// Returns the rest of the innermost open constructed element without decoding it. Its end is the next event.
    ///
    /// ```
    /// use tagwise_codec::stream::{Event, NamedEvents};
    /// use tagwise_codec::{SeqOf, Typed};
    /// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
    /// let mut events = NamedEvents::new(&input[..], SeqOf::<u8>::ty());
    /// events.next()?;
    /// assert_eq!(events.rest()?, input[2..]);
    /// assert!(matches!(events.next()?, Some((Event::End(_), _))));
    /// # Ok::<(), tagwise_codec::stream::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if an element's end cannot be found, or if the rest is longer than [`Settings::item`].
    pub fn rest(&mut self) -> Result<Vec<u8>, Error> {
        let limit = self.events.settings().item;
        let at = self.events.offset();
        self.names.pass();
        let mut octets = Vec::new();
        loop {
            let found = self.events.next_element().map_err(|error| error.below(self.names.open_path()))?;
            let Some((_, element)) = found else { return Ok(octets) };
            if octets.len().saturating_add(element.len()) > limit {
                let error = self.events.malformed(Flaw::new(FaultKind::TooLongToHold, at));
                return Err(error.below(self.names.open_path()));
            }
            octets.extend_from_slice(element);
        }
    }

    /// Returns whether the type of the innermost open element is a BIT STRING.
    pub(super) fn is_bits(&self) -> bool {
        matches!(self.names.base().map(|ty| &ty.shape), Some(Shape::BitString(_)))
    }

    /// Returns whether the innermost open element is the EXPLICIT tag of its type. The value is the element inside,
    /// which has the same path.
    #[must_use]
    pub fn is_wrapped(&self) -> bool {
        matches!(self.names.base().map(|ty| &ty.shape), Some(Shape::Tagged { .. }))
    }

    /// Returns the event reader, which continues without names.
    pub fn into_events(self) -> Events<R> {
        self.events
    }

    /// Returns the underlying events, without names.
    pub const fn events(&self) -> &Events<R> {
        &self.events
    }
}

/// The maximum number of nested types without an element between them.
const LAYERS: usize = 64;
/// The maximum size of the content of a selecting component, in bytes.
const KEY: usize = 64;

/// An open element.
#[derive(Debug)]
struct Level<'s> {
    /// The element's content. `None` if it is unknown.
    inside: Option<Inside<'s>>,
    /// Lengths of the path to the element, and of the path to its content.
    path: usize,
    path_inside: usize,
    /// The start of the content.
    content: u64,
    name: Option<&'s str>,
    ty: Option<&'s Type>,
    alternative: Option<(&'s str, Option<&'s Type>)>,
    list: bool,
    described: bool,
    secret: bool,
    /// True if elements of the content were not met.
    passed: bool,
    /// The order of the content.
    sorted: Sorted,
    /// The tag by which CER sorts the element in a SET, if it is not its own.
    rank: Option<Tag>,
    /// The content of the short components encountered in the element, by path. These components select open types.
    keys: Vec<(String, Vec<u8>)>,
}

/// The order of an element's content.
#[derive(Clone, Copy, Debug)]
enum Sorted {
    /// The order is unknown, because there is no type.
    Unknown,
    /// No order is required.
    Not,
    /// Ascending encodings: a SET OF.
    Encodings,
    /// Ascending tags: a SET, with the tag by which its last component was sorted.
    Tags { last: Option<Tag> },
}

#[derive(Debug)]
struct Names<'s> {
    tables: Tables<'s>,
    root: &'s Type,
    path: String,
    /// The open levels. The outermost one is not an element, but contains the values.
    levels: Vec<Level<'s>>,
    /// The element that has just ended, while its end is the current event.
    ended: Option<Level<'s>>,
    /// The reason why the element that was opened last is not one of its type.
    misfit: Option<Fault>,
}

impl<'s> Names<'s> {
    fn new(root: &'s Type, tables: Tables<'s>) -> Self {
        Self {
            tables,
            root,
            path: String::new(),
            levels: Vec::from([Level::outermost(root)]),
            ended: None,
            misfit: None,
        }
    }

    fn meet(&mut self, event: &Event<'_>) {
        self.ended = None;
        match event {
            Event::Start(start) => self.open(start),
            Event::Chunk(chunk) if chunk.left == 0 && chunk.octets.len() <= KEY => self.remember(chunk),
            Event::Chunk(_) => {}
            Event::End(_) => self.close(),
        }
    }

    /// Finds the fault in the place of the element that was opened last, in a SET (X.690 §9.3, §10.3).
    fn disorder(&mut self, tag: Tag, rules: Rules) -> Option<FaultKind> {
        let [.., outer, inner] = self.levels.as_mut_slice() else { return None };
        let Sorted::Tags { last } = &mut outer.sorted else { return None };
        // In CER an untagged CHOICE stands where the smallest of its tags would.
        let this = if rules == Rules::Cer { inner.rank.unwrap_or(tag) } else { tag };
        let rank = |tag: Tag| (tag.class(), tag.number());
        match last.replace(this) {
            Some(last) if last.same(this) => Some(FaultKind::SetDuplicate),
            Some(last) if rank(last) > rank(this) => Some(FaultKind::SetOrder),
            _ => None,
        }
    }

    fn close(&mut self) {
        if self.levels.len() > 1
            && let Some(mut ended) = self.levels.pop()
        {
            if let (Some(name), Some(outer)) = (ended.name, self.levels.last_mut()) {
                for (path, key) in ended.keys.drain(..) {
                    outer.keep([name, ".", &path].concat(), key);
                }
            }
            self.path.truncate(ended.path_inside);
            self.ended = Some(ended);
        }
        if let [outermost] = self.levels.as_mut_slice() {
            *outermost = Level::outermost(self.root);
        }
    }

    /// Returns the underlying type of the innermost open element, with named types and IMPLICIT tags resolved.
    fn base(&self) -> Option<&'s Type> {
        let level = self.levels.last()?;
        let mut ty = level.alternative.map_or(level.ty, |(_, ty)| ty)?;
        for _ in 0..LAYERS {
            match &ty.shape {
                Shape::Named(inner) => ty = inner.get(self.tables.schema)?,
                Shape::Tagged { tagging, inner } if !tagging.explicit => ty = inner.get(self.tables.schema)?,
                _ => break,
            }
        }
        Some(ty)
    }

    /// Returns the path to the innermost open element.
    fn open_path(&self) -> &str {
        let known = self.levels.last().map_or(0, |level| level.path);
        self.path.get(..known).unwrap_or_default()
    }

    /// Returns the path to the content of the innermost open element.
    fn inner_path(&self) -> &str {
        let known = self.levels.last().map_or(0, |level| level.path_inside);
        self.path.get(..known).unwrap_or_default()
    }

    fn is_secret(&self) -> bool {
        self.levels.last().is_some_and(|level| level.secret)
    }

    /// Notes that the rest of the innermost open element is read without names.
    fn pass(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.passed = true;
        }
    }

    /// Returns the component that is missing if the innermost open element ends here: see [`Inside::lacking`].
    fn lacking(&self) -> Option<Option<&'s Field>> {
        let level = self.levels.last().filter(|level| !level.passed)?;
        level.inside.as_ref()?.lacking()
    }

    fn place(&self) -> StreamPlace<'_> {
        let Some(level) = self.ended.as_ref().or(self.levels.last()) else { return StreamPlace::UNKNOWN };
        StreamPlace {
            path: self.path.get(..level.path).unwrap_or_default(),
            name: level.name,
            ty: level.ty,
            list: level.list,
            described: level.described,
            secret: level.secret,
            inner: self.path.get(..level.path_inside).unwrap_or_default(),
            alternative: level.alternative,
        }
    }

    /// Stores the content of a component whose name occurs in a selector.
    fn remember(&mut self, chunk: &Chunk<'_>) {
        if let [.., outer, Level { name: Some(name), content, .. }] = self.levels.as_mut_slice()
            && *content == chunk.offset
            && outer.inside.as_ref().is_some_and(Inside::is_named)
        {
            outer.keep(String::from(*name), chunk.octets.to_vec());
        }
    }

    fn open(&mut self, start: &Header) {
        let Some(outer) = self.levels.last_mut() else { return };
        self.path.truncate(outer.path_inside);
        let (outer_name, secret) = (outer.name, outer.secret);
        let (outer_path, outer_inside, inside_known) = (outer.path, outer.path_inside, outer.inside.is_some());
        let (tag, tables) = (start.tag, self.tables);
        let is_again = outer.inside.as_ref().is_some_and(|inside| inside.repeats(tag, tables));
        let met = outer.inside.as_mut().and_then(|inside| inside.meet(Some(tag), tables));
        let surplus = outer.inside.as_ref().filter(|_| met.is_none()).and_then(|inside| inside.surplus(tag, tables));
        self.misfit = match &met {
            _ if is_again => Some(Fault::new(FaultKind::SetDuplicate, 0)),
            Some(Met { fits: false, expect, .. }) => misfit(*expect, tables),
            _ => surplus.map(|kind| Fault::new(kind, 0)),
        };
        let unknown = |path| Level {
            inside: None,
            path,
            path_inside: path,
            content: start.content(),
            name: None,
            ty: None,
            alternative: None,
            list: false,
            described: false,
            secret,
            passed: false,
            sorted: Sorted::Unknown,
            rank: None,
            keys: Vec::new(),
        };
        let Some(Met { segment, field, expect, fits }) = met else {
            // What is in something of no known structure belongs to it; so do segments to their string.
            let path = if inside_known { outer_inside } else { outer_path };
            return self.levels.push(Level { path_inside: outer_inside, ..unknown(path) });
        };
        let name = match segment {
            Some(Segment::Component(name) | Segment::Alternative(name)) => {
                self.name(name);
                Some(name)
            }
            Some(Segment::Item(index)) => {
                // Writing to a String does not fail.
                let _ = write!(self.path, "[{index}]");
                None
            }
            // Under an explicit tag.
            None => outer_name,
        };
        let mut level = Level {
            name,
            described: fits,
            secret: secret || field.is_some_and(|field| field.secret),
            rank: field.and_then(|field| least_tag(self.tables, field)),
            ..unknown(self.path.len())
        };
        if fits {
            let wrong = self.resolve(expect, start.tag, &mut level);
            self.misfit = self.misfit.take().or(wrong);
        }
        level.path_inside = self.path.len();
        self.levels.push(level);
    }

    fn name(&mut self, name: &str) {
        append(&mut self.path, name);
    }

    /// Resolves the tags, named types and CHOICEs of a type down to its content. Returns the error if the element
    /// is primitive and must be constructed, or the other way round.
    fn resolve(&mut self, mut expect: Expect<'s>, tag: Tag, level: &mut Level<'s>) -> Option<Fault> {
        for _ in 0..LAYERS {
            if let Some((tagging, rest)) = expect.tags.split_first() {
                expect.tags = rest;
                if tagging.explicit {
                    level.inside = Some(Inside::one(expect));
                    return constructed(tag);
                }
                continue;
            }
            let ty = expect.ty?;
            level.secret |= ty.secret;
            match &ty.shape {
                Shape::Named(inner) => {
                    level.meets(ty);
                    expect.ty = inner.get(self.tables.schema);
                    continue;
                }
                Shape::Tagged { tagging, inner } => {
                    expect.ty = inner.get(self.tables.schema);
                    if tagging.explicit {
                        level.inside = Some(Inside::one(expect));
                        return constructed(tag);
                    }
                    level.meets(ty);
                    continue;
                }
                Shape::Choice { alternatives, .. } => {
                    level.meets(ty);
                    let tables = self.tables;
                    let alternative = alternatives.iter().find(|field| tables.starts(field, tag))?;
                    level.secret |= alternative.secret;
                    level.alternative = Some((&alternative.name, None));
                    self.name(&alternative.name);
                    expect = Expect::component(alternative, tables);
                    continue;
                }
                Shape::Open { set: Some(set), selector } => {
                    let selected = self.select(set, selector)?;
                    expect = Expect::of(selected);
                    continue;
                }
                Shape::Sequence(fields) | Shape::Presentation(fields) => {
                    level.sorted = Sorted::Not;
                    level.inside = Some(Inside::components(fields, false));
                }
                Shape::Set(fields) => {
                    level.sorted = Sorted::Tags { last: None };
                    level.inside = Some(Inside::components(fields, true));
                }
                Shape::SequenceOf(item) | Shape::SetOf(item) => {
                    level.list = true;
                    level.sorted = if matches!(&ty.shape, Shape::SetOf(_)) { Sorted::Encodings } else { Sorted::Not };
                    level.inside = Some(Inside::items(*item));
                }
                _ => {}
            }
            level.meets(ty);
            return match level.inside {
                Some(_) => constructed(tag),
                None => primitive(ty, tag),
            };
        }
        None
    }

    /// Returns the type that a preceding component selects, or several components together.
    fn select(&self, set: &'s SetRef, selector: &'s str) -> Option<&'s Type> {
        let set = set.get(self.tables.schema)?;
        let mut paths = Selector::all(selector);
        let first = paths.next()?;
        if paths.next().is_none() {
            return self.tables.find(set, self.key(first)?);
        }
        let mut key = Key::default();
        for path in Selector::all(selector) {
            key.push(self.key(path)?);
        }
        self.tables.find(set, &key.into_octets())
    }

    fn key(&self, selector: Selector<'_>) -> Option<&[u8]> {
        let has = |level: &Level<'s>, name: &str| level.inside.as_ref().is_some_and(|inside| inside.has(name));
        let named = |level: &&Level<'s>| level.inside.as_ref().is_some_and(Inside::is_named);
        let level = selector.start(self.levels.iter().rev().filter(named), |level, name| has(level, name))?;
        let path = selector.names().collect::<Vec<_>>().join(".");
        level.keys.iter().find(|(name, _)| *name == path).map(|(_, key)| &**key)
    }
}

impl<'s> Level<'s> {
    fn outermost(root: &'s Type) -> Self {
        Self {
            inside: Some(Inside::one(Expect::of(root))),
            path: 0,
            path_inside: 0,
            content: 0,
            name: None,
            ty: None,
            alternative: None,
            list: false,
            described: true,
            secret: false,
            passed: false,
            sorted: Sorted::Unknown,
            rank: None,
            keys: Vec::new(),
        }
    }

    /// Records a type of the element. The first one is the component's type, and the first one after a CHOICE is its
    /// alternative's type.
    fn meets(&mut self, ty: &'s Type) {
        self.ty = self.ty.or(Some(ty));
        if let Some((_, of)) = &mut self.alternative {
            *of = of.or(Some(ty));
        }
    }

    fn keep(&mut self, path: String, key: Vec<u8>) {
        match self.keys.iter_mut().find(|(kept, _)| *kept == path) {
            Some((_, kept)) => *kept = key,
            None => self.keys.push((path, key)),
        }
    }
}

/// Appends a component's name to a path.
fn append(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

/// The error in an element whose tag is not one of the expected element, or `None` if it may be an alternative of a later version
/// (X.680 §7.1).
fn misfit<'s>(expect: Expect<'s>, tables: Tables<'s>) -> Option<Fault> {
    match tables.choice(expect) {
        Some(true) => None,
        Some(false) => Some(Fault::new(FaultKind::ChoiceUnknown, 0)),
        None => {
            let tag = outermost_tag(expect, tables).map_or(0, Tag::first_octet);
            Some(Fault::new(FaultKind::UnexpectedTag, 0).with_detail(tag))
        }
    }
}

/// The outermost tag of an expected element. A CHOICE has none.
fn outermost_tag(expect: Expect<'_>, tables: Tables<'_>) -> Option<Tag> {
    let mut ty = expect.ty;
    if let Some(outermost) = expect.tags.first() {
        return Some(outermost.tag);
    }
    for _ in 0..LAYERS {
        match &ty?.shape {
            Shape::Named(inner) => ty = inner.get(tables.schema),
            Shape::Tagged { tagging, .. } => return Some(tagging.tag),
            _ => return ty?.tag,
        }
    }
    None
}

/// The error in a primitive element that must be constructed.
fn constructed(tag: Tag) -> Option<Fault> {
    let fault = Fault::new(FaultKind::ConstructedExpected, 0).with_detail(tag.constructed().first_octet());
    (!tag.is_constructed()).then_some(fault)
}

/// The error in a constructed element whose type has primitive encodings only.
fn primitive(ty: &Type, tag: Tag) -> Option<Fault> {
    let own = ty.tag.filter(|own| own.class() == Class::Universal && !own.is_constructed() && !is_string(*own))?;
    let fault = Fault::new(FaultKind::PrimitiveExpected, 0).with_detail(own.first_octet());
    tag.is_constructed().then_some(fault)
}

impl StreamPlace<'_> {
    const UNKNOWN: Self = Self {
        path: "",
        name: None,
        ty: None,
        list: false,
        described: false,
        secret: false,
        inner: "",
        alternative: None,
    };
}
