//! The walk over BER that records the tape: one pass with an explicit stack, guided by the tables.

use alloc::vec::Vec;

use crate::any::Any;
use crate::decode::Decode;
use crate::engine::canonical::frame::{Done, Frame, Given, MaybeString, Ordered, Sorting, Within};
use crate::engine::canonical::header::{Header, is_end_of_contents};
use crate::engine::canonical::join::Joining;
use crate::engine::canonical::leaf::{Leaf, LeafContent};
use crate::engine::canonical::resolve::{Content, Contents, Keys, Plan, component, least_tag, resolve, universal};
use crate::engine::canonical::segments::SEGMENT;
use crate::engine::canonical::tape::{Node, Order, Tape};
use crate::engine::canonical::{Residue, Target, Task, Uncovered};
use crate::engine::components::{Expect, Inside, Tables};
use crate::engine::lenient::Lenient;
use crate::engine::locate::content_of;
use crate::engine::selector::{Key, Selector};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::{Budget, Session};
use crate::rule::Rule;
use crate::table::{Field, Presence, SetRef, Type};
use crate::tag::{Class, Tag};
use crate::writer::header_len;

pub(super) struct Walk<'s, 'i, 'o> {
    pub(super) tables: Tables<'s>,
    pub(super) target: Target,
    pub(super) strict: bool,
    pub(super) input: &'i [u8],
    pub(super) session: &'o Session<'o>,
    pub(super) depth: usize,
    pub(super) frames: Vec<Frame<'s>>,
    pub(super) tape: Tape,
    keys: Keys<'s>,
    pub(super) residue: Vec<Residue>,
    /// The string whose segments are being read.
    pub(super) joining: Option<Joining<'s>>,
    /// True if a joined string contains an encoding, which must then be converted in another round.
    pub(super) again: bool,
    pub(super) pos: usize,
    /// Buffer for comparisons with default values.
    pub(super) scratch: Vec<u8>,
    pub(super) defaults: u8,
}

impl<'s, 'i, 'o> Walk<'s, 'i, 'o> {
    pub(super) fn new(task: &Task<'s>, input: &'i [u8], session: &'o Session<'o>) -> Self {
        let depth = session.options().budget_in_force().depth.min(Budget::MAX_DEPTH);
        let header = Header { at: 0, tag: Tag::SEQUENCE, content: 0, end: Some(input.len()) };
        let within = match task.expect {
            Some(expect) => Within::Typed(Inside::one(expect)),
            None => Within::Untyped { listed: false, string: MaybeString::No },
        };
        let root = Frame {
            within,
            header,
            limit: input.len(),
            node: 0,
            len: 0,
            changed: false,
            ordered: Ordered::new(Sorting::Kept),
            field: None,
            keys: 0,
            level: 0,
            open: false,
            bits: false,
            noted: 0,
            residue: 0,
        };
        Self {
            tables: task.tables,
            target: task.target,
            strict: task.strict,
            input,
            session,
            depth: usize::from(depth),
            frames: Vec::from([root]),
            tape: Tape::default(),
            keys: Keys::default(),
            residue: Vec::new(),
            joining: None,
            again: false,
            pos: 0,
            scratch: Vec::new(),
            defaults: task.defaults,
        }
    }

    /// Walks the whole input, which is one element.
    pub(super) fn run(&mut self) -> Result<(), Fault> {
        self.element()?;
        while self.frames.len() > 1 {
            match self.step() {
                Ok(()) => {}
                Err(fault) => self.give_up(fault)?,
            }
        }
        if self.pos < self.input.len() {
            self.deviate(&Rule::TRAILING_DATA, FaultKind::TrailingData, self.pos)?;
            if let Ok(header) = Header::read(self.input, self.pos, self.input.len(), None) {
                self.list(self.pos, header.tag, Uncovered::Unknown);
            }
            self.tape.copy(self.pos..self.input.len());
            if let Some(root) = self.frames.last_mut() {
                root.len += (self.input.len() - self.pos) as u64;
            }
        }
        Ok(())
    }

    /// Returns whether the output equals the input, and the output's length.
    pub(super) fn outcome(&self) -> (bool, u64) {
        self.frames.first().map_or((true, 0), |root| (!root.changed, root.len))
    }

    pub(super) fn deviate(&self, rule: &'static Rule, kind: FaultKind, offset: usize) -> Result<(), Fault> {
        if self.session.tolerate(rule, offset) { Ok(()) } else { Err(Fault::new(kind, offset)) }
    }

    pub(super) fn list(&mut self, offset: usize, tag: Tag, why: Uncovered) {
        self.residue.push(Residue { offset, tag, why });
    }

    /// Processes one element, or the end of the innermost open value.
    fn step(&mut self) -> Result<(), Fault> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        match frame.header.end {
            Some(end) if self.pos == end => return self.close(),
            Some(_) => {}
            None if is_end_of_contents(self.input, self.pos, frame.limit) => {
                self.pos += 2;
                return self.close();
            }
            None if self.pos >= frame.limit => return Err(Fault::new(FaultKind::Truncated, frame.limit)),
            None => {}
        }
        self.element()
    }

    /// Keeps a string's bytes unchanged, if permitted, because its content turned out not to be an encoding.
    #[cold]
    fn give_up(&mut self, fault: Fault) -> Result<(), Fault> {
        let contained = |frame: &Frame<'_>| frame.open && matches!(frame.within, Within::Contained(_));
        let Some(index) = self.frames.iter().rposition(contained) else { return Err(fault) };
        if !self.session.allows(&Rule::OPEN_TYPE) {
            return Err(fault);
        }
        self.frames.truncate(index + 1);
        let Some(frame) = self.frames.pop() else { return Err(fault) };
        self.session.forget_after(frame.noted);
        self.session.tolerate(&Rule::OPEN_TYPE, fault.offset());
        self.residue.truncate(frame.residue);
        self.list(frame.header.at, frame.header.tag, Uncovered::Unknown);
        self.joining = None;
        self.keys.forget_after(frame.keys);
        self.tape.nodes.truncate(frame.node);
        self.pos = frame.header.end.unwrap_or(self.pos);
        self.kept(&frame.header, frame.field)
    }

    fn element(&mut self) -> Result<(), Fault> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let header = Header::read(self.input, self.pos, frame.limit, Some(self.session))?;
        self.session.spend_elements(1, header.at)?;
        let (open, level) = (frame.open, frame.level);
        let outermost = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let met = match &mut frame.within {
            Within::Segments => return self.segment(header),
            Within::Untyped { listed, string } => {
                let (listed, _) = (*listed, string.meet(header.tag));
                let given = Given { field: None, open };
                return match universal(header.tag) {
                    Some(plan) => self.plan(header, plan, given, listed),
                    None => self.unknown(header, given, listed, false),
                };
            }
            Within::Typed(inside) => {
                let named = inside.is_named();
                inside.meet(Some(header.tag), self.tables).map(|met| (met, named))
            }
            Within::Contained(inside) => match inside.meet(Some(header.tag), self.tables) {
                Some(met) => Some((met, false)),
                None => return Err(Fault::new(FaultKind::TrailingData, header.at)),
            },
        };
        // An alternative of a later version (X.680 §7.1) is no other type.
        let later = outermost && met.as_ref().is_some_and(|(met, _)| self.tables.takes_later_alternatives(met.expect));
        let expected = met.as_ref().and_then(|(met, _)| met.expect.tag()).map_or(0, Tag::first_octet);
        let Some((met, named)) = met.filter(|(met, _)| met.fits) else {
            if outermost && !later {
                return Err(Fault::new(FaultKind::UnexpectedTag, header.at).with_detail(expected));
            }
            return self.unknown(header, Given { field: None, open }, false, true);
        };
        if let (true, Some(field)) = (named, met.field) {
            self.keys.meet(level, &field.name);
        }
        let expect = match met.field {
            Some(field) => component(field, self.tables),
            None => met.expect,
        };
        let tables = self.tables;
        let (plan, opened) = resolve(tables, expect, header.tag, |set, selector| self.select(set, selector));
        self.plan(header, plan, Given { field: met.field, open: open || opened }, false)
    }

    fn plan(&mut self, header: Header, plan: Plan<'s>, given: Given<'s>, listed: bool) -> Result<(), Fault> {
        match plan {
            Plan::Leaf(leaf, contents) => self.leaf(header, leaf, contents, given),
            Plan::Inside(inside, order) => {
                if !header.tag.is_constructed() {
                    return Err(Fault::new(FaultKind::ConstructedExpected, header.at)
                        .with_detail(header.tag.constructed().first_octet()));
                }
                let sorting = order.map_or(Sorting::Kept, Sorting::By);
                self.enter(header, Within::Typed(inside), sorting, given)
            }
            Plan::Verbatim => self.verbatim(&header, given),
            Plan::Unknown => self.unknown(header, given, listed, true),
        }
    }

    /// Returns the type that a selector selects by one component, or by several together.
    fn select(&mut self, set: &'s SetRef, selector: &'s str) -> Option<&'s Type> {
        let set = set.get(self.tables.schema)?;
        let mut paths = Selector::all(selector);
        let first = paths.next()?;
        if paths.next().is_none() {
            let key = self.key_of(first)?;
            return self.tables.find(set, self.octets(key));
        }
        let mut key = Key::default();
        for path in Selector::all(selector) {
            let content = self.key_of(path)?;
            key.push(self.octets(content));
        }
        self.tables.find(set, &key.into_octets())
    }

    fn octets(&self, content: Content) -> &[u8] {
        match content {
            Content::Input { start, len } => {
                let rest = self.input.get(start as usize..).unwrap_or_default();
                rest.get(..len as usize).unwrap_or_default()
            }
            Content::Made { at, len } => self.tape.made(at, len),
        }
    }

    /// Returns the content of a selecting component. In a SET, the component may come later. It is then searched for once among
    /// the SET's elements.
    fn key_of(&mut self, selector: Selector<'s>) -> Option<Content> {
        let named =
            |(_, frame): &(usize, &Frame<'s>)| matches!(&frame.within, Within::Typed(inside) if inside.is_named());
        let around = self.frames.iter().enumerate().rev().filter(named);
        let has = |(_, frame): &(usize, &Frame<'s>), name: &str| matches!(&frame.within, Within::Typed(inside) if inside.has(name));
        let (index, frame) = selector.start(around, has)?;
        let (keys, level) = (frame.keys, frame.level);
        let first = selector.names().next()?;
        if let Within::Typed(inside @ Inside::Components { set: true, .. }) = &frame.within
            && !self.keys.has(keys, level, first)
        {
            let whole = (frame.header.content, frame.header.end.unwrap_or(frame.limit));
            let mut lenient = Lenient::new(self.input);
            let found = content_of(&mut lenient, self.tables, inside.afresh(), whole, selector);
            // Inputs are at most u32::MAX octets.
            let content = found.map(|(start, end)| Content::Input { start: start as u32, len: (end - start) as u32 });
            let count = self.keys.foresee(keys, level, selector.names(), content);
            for frame in self.frames.iter_mut().skip(index + 1) {
                frame.keys += count;
            }
        }
        self.keys.find(keys, level, selector)
    }

    /// Processes an element that neither a schema nor its own tag describes. In a value with a schema, the element is listed in
    /// the residue. Without a schema, only possible strings are.
    fn unknown(&mut self, header: Header, given: Given<'s>, listed: bool, list: bool) -> Result<(), Fault> {
        let universal = universal(header.tag);
        if list && !listed && !is_plain(header.tag) {
            self.list(header.at, header.tag, Uncovered::Unknown);
        }
        let listed = listed || list;
        if let Some(plan) = universal {
            return self.plan(header, plan, given, listed);
        }
        let structure = matches!(header.tag.class(), Class::Universal) && matches!(header.tag.number(), 16 | 17);
        if !header.tag.is_constructed() {
            if structure {
                return Err(Fault::new(FaultKind::ConstructedExpected, header.at)
                    .with_detail(header.tag.constructed().first_octet()));
            }
            self.pos = header.end.unwrap_or(header.content);
            if !listed && self.target == Target::Cer && self.pos - header.content > SEGMENT {
                self.list(header.at, header.tag, Uncovered::MaybeString);
            }
            return self.kept(&header, given.field);
        }
        let string = if structure || listed { MaybeString::No } else { MaybeString::Yes };
        let sorting = if structure && header.tag.number() == 17 { Sorting::Unknown } else { Sorting::Kept };
        self.enter(header, Within::Untyped { listed, string }, sorting, given)
    }

    /// Processes a value of a `verbatim` type, whose bytes are kept.
    fn verbatim(&mut self, header: &Header, given: Given<'s>) -> Result<(), Fault> {
        let limit = self.frames.last().map_or(self.input.len(), |frame| frame.limit);
        let end = header.element_end(self.input, limit)?;
        let octets = self.input.get(header.at..end).unwrap_or_default();
        let canonical = match self.target {
            Target::Der => Any::from_der(octets).is_ok(),
            Target::Cer => header.is_canonical(Target::Cer),
        };
        if !canonical {
            self.list(header.at, header.tag, Uncovered::Verbatim);
        }
        self.pos = end;
        self.done(Done {
            at: header.at,
            end,
            tag: header.tag,
            node: self.tape.nodes.len(),
            len: (end - header.at) as u64,
            changed: false,
            field: given.field,
        })
    }

    fn leaf(&mut self, header: Header, leaf: Leaf, contents: Contents<'s>, given: Given<'s>) -> Result<(), Fault> {
        let Some(end) = header.end.filter(|_| !header.tag.is_constructed()) else {
            if leaf.is_segmented() {
                return self.join(header, leaf, contents, given);
            }
            let detail = header.tag.first_octet() & !0x20;
            return Err(Fault::new(FaultKind::PrimitiveExpected, header.at).with_detail(detail));
        };
        let content = self.input.get(header.content..end).unwrap_or_default();
        match contents {
            Contents::Plain => {}
            Contents::Unknown => self.list(header.at, header.tag, Uncovered::Unknown),
            // X.682 §11: an encoding fills a BIT STRING to its last octet.
            Contents::Of(_) if leaf.is_bits() && content.first() != Some(&0) => {}
            Contents::Of(ty) => {
                let expect = Expect { tags: &[], ty: Some(ty), containing: None };
                self.enter(header, Within::Contained(Inside::one(expect)), Sorting::Kept, given)?;
                if leaf.is_bits() {
                    self.tape.copy(header.content..header.content + 1);
                    self.pos = header.content + 1;
                    if let Some(frame) = self.frames.last_mut() {
                        frame.len += 1;
                        frame.bits = true;
                    }
                }
                return Ok(());
            }
        }
        self.pos = end;
        let mut form = None;
        if !leaf.is_canonical(content) {
            let noted = self.session.noted();
            match leaf.normal(content, header.content, self.session) {
                Ok(LeafContent::Made(octets)) => form = Some(octets).filter(|octets| *octets != content),
                Ok(LeafContent::None) => self.list(header.at, header.tag, Uncovered::Formless),
                Err(fault) if given.open && self.session.allows(&Rule::OPEN_TYPE) => {
                    self.session.forget_after(noted);
                    self.session.tolerate(&Rule::OPEN_TYPE, fault.offset());
                    self.list(header.at, header.tag, Uncovered::Unknown);
                }
                Err(fault) => return Err(fault),
            }
        }
        let long = self.target == Target::Cer && leaf.is_segmented();
        let Some(octets) = form else {
            if long && content.len() > SEGMENT {
                if self.strict {
                    return Err(Fault::new(FaultKind::SegmentSize, header.length_at()));
                }
                let initial = usize::from(leaf.is_bits());
                let piece =
                    Node::Copy { start: (header.content + initial) as u32, len: (content.len() - initial) as u32 };
                return self.split(header, end, leaf, content.first().copied(), [piece], given);
            }
            self.key(Content::Input { start: header.content as u32, len: content.len() as u32 });
            return self.kept(&header, given.field);
        };
        let at = self.tape.made.len() as u32;
        self.key(Content::Made { at, len: octets.len() as u32 });
        if long && octets.len() > SEGMENT {
            self.tape.made.extend_from_slice(&octets);
            let initial = u32::from(leaf.is_bits());
            let (source, len) = (header.content as u32, octets.len() as u32 - initial);
            let piece = Node::Made { at: at + initial, len, source, span: 1 };
            return self.split(header, end, leaf, octets.first().copied(), [piece], given);
        }
        let node = self.header(header.tag, octets.len(), &header);
        // A number may select a type, and is kept in one piece for that.
        let same = if matches!(leaf.number, 2 | 10) { 0 } else { common_prefix(content, &octets) };
        if same > 0 {
            self.tape.copy(header.content..header.content + same);
        }
        self.tape.make(octets.get(same..).unwrap_or_default(), header.content + same..end);
        self.done(Done {
            at: header.at,
            end,
            tag: header.tag,
            node,
            len: (header_len(header.tag, octets.len()) + octets.len()) as u64,
            changed: true,
            field: given.field,
        })
    }

    /// Records primitive content as the value of the last component encountered.
    fn key(&mut self, content: Content) {
        let keyed =
            |frame: &Frame<'_>| matches!(&frame.within, Within::Typed(Inside::Components { .. } | Inside::One { .. }));
        if self.frames.last().is_some_and(keyed) {
            self.keys.fill(content);
        }
    }

    /// Adds a header to the tape and returns its index.
    pub(super) fn header(&mut self, tag: Tag, len: usize, header: &Header) -> usize {
        let node = self.tape.nodes.len();
        self.tape.nodes.push(header_node(tag, Some(len as u32), header));
        node
    }

    /// Writes a string in segments.
    pub(super) fn split(
        &mut self,
        header: Header,
        end: usize,
        leaf: Leaf,
        unused: Option<u8>,
        pieces: impl IntoIterator<Item = Node>,
        given: Given<'s>,
    ) -> Result<(), Fault> {
        let node = self.tape.nodes.len();
        let unused = unused.filter(|_| leaf.is_bits()).unwrap_or_default();
        let len = self.tape.segment(&header, end, leaf, unused, pieces);
        let tag = header.tag.constructed();
        self.done(Done { at: header.at, end, tag, node, len, changed: true, field: given.field })
    }

    /// Processes a primitive element whose content is kept.
    fn kept(&mut self, header: &Header, field: Option<&'s Field>) -> Result<(), Fault> {
        let changed = !header.is_canonical(self.target);
        let end = header.end.unwrap_or(header.content);
        let len = end - header.content;
        let mut node = self.tape.nodes.len();
        if changed {
            node = self.header(header.tag, len, header);
            self.tape.copy(header.content..end);
        }
        let total = (header_len(header.tag, len) + len) as u64;
        self.done(Done { at: header.at, end, tag: header.tag, node, len: total, changed, field })
    }

    fn enter(&mut self, header: Header, within: Within<'s>, sorting: Sorting, given: Given<'s>) -> Result<(), Fault> {
        if self.frames.len() > self.depth {
            return Err(Fault::new(FaultKind::DepthExceeded, header.content));
        }
        if self.strict && !header.is_canonical(self.target) {
            // A length that is too long was refused before.
            let kind = if header.end.is_none() { FaultKind::LengthIndefinite } else { FaultKind::IndefiniteExpected };
            return Err(Fault::new(kind, header.length_at()));
        }
        let outer = self.frames.last();
        let limit = header.end.or(outer.map(|outer| outer.limit)).unwrap_or(self.input.len());
        let named = |outer: &Frame<'_>| matches!(&outer.within, Within::Typed(inside) if inside.is_named());
        let level = outer.map_or(0, |outer| outer.level + usize::from(named(outer)));
        let node = self.header(header.tag, 0, &header);
        if sorting != Sorting::Kept {
            self.tape.nodes.push(Node::Unsorted);
        }
        self.pos = header.content;
        self.frames.push(Frame {
            within,
            header,
            limit,
            node,
            len: 0,
            changed: false,
            ordered: Ordered::new(sorting),
            field: given.field,
            keys: self.keys.len(),
            level,
            open: given.open,
            bits: false,
            noted: self.session.noted(),
            residue: self.residue.len(),
        });
        Ok(())
    }

    /// Enters a segmented string, whose elements keep their order.
    pub(super) fn enter_segments(&mut self, header: Header, given: Given<'s>) -> Result<(), Fault> {
        self.enter(header, Within::Segments, Sorting::Kept, given)
    }

    /// Closes the innermost open value, which ends at the cursor.
    fn close(&mut self) -> Result<(), Fault> {
        if matches!(self.frames.last(), Some(Frame { within: Within::Segments, .. })) {
            return self.close_segments();
        }
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let mut changed = frame.changed || !frame.header.is_canonical(self.target);
        let ordered = &mut frame.ordered;
        let sort = match ordered.sorting {
            Sorting::By(Order::Tags | Order::Ranks(_)) => !ordered.by_tags,
            Sorting::By(Order::Encodings) => ordered.unsure || !ordered.by_encodings,
            Sorting::Kept | Sorting::Unknown => false,
        };
        match ordered.sorting {
            Sorting::By(order) if sort => {
                let ranks = core::mem::take(&mut ordered.ranks);
                let order = if ranks.is_empty() { order } else { self.tape.rank(ranks) };
                self.tape.nodes.push(Node::Sort(order));
                changed = true;
            }
            // Whatever it is, its tags are in order; of encodings that change, the order is seen when they are written.
            Sorting::Unknown if ordered.unsure && ordered.by_tags && ordered.by_encodings => {
                self.tape.nodes.push(Node::Look { source: frame.header.at as u32 });
            }
            Sorting::Kept => {}
            // What was marked for sorting stays.
            Sorting::By(_) | Sorting::Unknown => {
                if let Some(node) = self.tape.nodes.get_mut(frame.node + 1) {
                    *node = Node::Copy { start: 0, len: 0 };
                }
            }
        }
        if ordered.sorting == Sorting::Unknown
            && (ordered.unsure || !ordered.by_tags || !ordered.by_encodings)
            && !matches!(frame.within, Within::Untyped { listed: true, .. })
        {
            self.list(frame.header.at, frame.header.tag, Uncovered::Order);
        }
        if matches!(frame.within, Within::Untyped { string: MaybeString::Yes | MaybeString::Of(_), .. }) {
            self.list(frame.header.at, frame.header.tag, Uncovered::MaybeString);
        }
        if self.target == Target::Cer && frame.len > SEGMENT as u64 && !frame.header.tag.is_constructed() {
            return self.split_contained(frame);
        }
        let len = self.finish(&frame)?;
        let in_list = |outer: &Frame<'_>| !matches!(&outer.within, Within::Typed(inside) if !matches!(inside, Inside::Items { .. }));
        if self.frames.last().is_some_and(in_list) {
            self.keys.forget_after(frame.keys);
        }
        self.done(Done {
            at: frame.header.at,
            end: self.pos,
            tag: frame.header.tag,
            node: frame.node,
            len,
            changed,
            field: frame.field,
        })
    }

    /// Writes the deferred header of an open value, and its end. Returns the total size.
    fn finish(&mut self, frame: &Frame<'s>) -> Result<u64, Fault> {
        let Ok(len) = u32::try_from(frame.len) else {
            return Err(Fault::new(FaultKind::OutputExceeded, frame.header.at));
        };
        let tag = frame.header.tag;
        let indefinite = self.target == Target::Cer && tag.is_constructed();
        if let Some(node) = self.tape.nodes.get_mut(frame.node) {
            *node = header_node(tag, (!indefinite).then_some(len), &frame.header);
        }
        if indefinite {
            let end = frame.header.end.unwrap_or(self.pos.saturating_sub(2));
            self.tape.nodes.push(Node::End { source: end as u32 });
            return Ok(frame.len + tag.encoded_len() as u64 + 3);
        }
        Ok(frame.len + header_len(tag, len as usize) as u64)
    }

    /// Finishes an element. It is omitted if it has its default value, and copied if nothing in it changed.
    pub(super) fn done(&mut self, done: Done<'s>) -> Result<(), Fault> {
        if let Some(field) = done.field
            && let Presence::Default(default) = &field.presence
            && self.is_default(&done, field, default)?
        {
            self.deviate(&Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, done.at)?;
            self.tape.nodes.truncate(done.node);
            if let Some(outer) = self.frames.last_mut() {
                outer.changed = true;
            }
            return Ok(());
        }
        if !done.changed {
            self.tape.nodes.truncate(done.node);
            self.tape.copy(done.at..done.end);
        }
        let Some(outer) = self.frames.last_mut() else { return Ok(()) };
        outer.len += done.len;
        outer.changed |= done.changed;
        let mut rank = done.tag;
        if self.target == Target::Cer && outer.ordered.sorting == Sorting::By(Order::Tags) {
            rank = done.field.and_then(|field| least_tag(self.tables, field)).unwrap_or(rank);
            outer.ordered.ranks.push(rank);
        }
        outer.ordered.next(self.input, rank, (!done.changed).then_some((done.at, done.end)));
        match outer.ordered.sorting {
            Sorting::By(Order::Encodings) if self.strict && !outer.ordered.by_encodings => {
                Err(Fault::new(FaultKind::SetOfOrder, done.at))
            }
            Sorting::By(Order::Tags) if self.strict && !outer.ordered.by_tags => {
                Err(Fault::new(FaultKind::SetOrder, done.at))
            }
            _ => Ok(()),
        }
    }
}

/// Creates a header node. Without a length, it has the indefinite form.
fn header_node(tag: Tag, len: Option<u32>, header: &Header) -> Node {
    // Inputs are at most u32::MAX octets, a header at most 6 + 127.
    let (source, span) = (header.at as u32, (header.content - header.at).min(255) as u8);
    match len {
        Some(len) => Node::Header { tag, len, source, span },
        None => Node::Indefinite { tag, source, span },
    }
}

/// Returns the length of the common prefix. The prefix is copied rather than regenerated, so that the map records its
/// origin.
pub(super) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

/// Returns whether the tag alone determines a value's DER: the type is universal and has the same form in every schema.
fn is_plain(tag: Tag) -> bool {
    tag.class() == Class::Universal && !matches!(tag.number(), 3 | 8 | 11 | 15 | 16 | 17 | 29 | 37..)
}
