//! Decodes deferred components leniently, and continues after malformed ones.

use std::marker::PhantomData;

use tagwise_codec::table::Type;
use tagwise_codec::{
    Decode, Deviation, Error, Excerpt, Fault, Open, OpenType, Options, Reader, Rule, RuleSet, SeqOf, Session, SetOf,
    Typed,
};
use tagwise_input::Problem;
use tagwise_input::{ValueKind, secret};

use crate::tree::Value;

/// A lenient decoder, with the rules whose violations it tolerates.
#[derive(Clone, Copy, Debug)]
pub struct Lens {
    rules: RuleSet,
}

impl Lens {
    /// Creates a decoder that tolerates violations of these rules.
    #[must_use]
    pub const fn new(rules: RuleSet) -> Self {
        // A malformed open type is shown with its error, so it is not tolerated here.
        Self { rules: rules.without(&Rule::OPEN_TYPE) }
    }

    /// Returns the rules as decoding options.
    pub fn options(self) -> Options<'static> {
        Options::der().rules(self.rules)
    }

    /// Decodes only the top-level structure of a value at `offset`, so that a malformed part does not hide others.
    pub fn frame<'a, T: Decode<'a>>(self, octets: &'a [u8], offset: usize) -> Option<T> {
        let session = Session::new(self.options());
        let mut reader = Reader::with_session(octets, &session).ok()?.at_base(offset).outlined();
        let value = T::decode(&mut reader).ok()?;
        reader.finish().ok().map(|()| value)
    }

    /// Iterates over the items of a list. A malformed item does not hide later ones.
    pub fn items<'a, T: Decode<'a>>(self, content: Option<&'a [u8]>, offset: usize, depth: Depth) -> Items<'a, T> {
        Items { lens: self, rest: content.unwrap_or_default(), base: offset, depth, item: PhantomData }
    }

    /// Iterates over the fully checked items of a SEQUENCE OF.
    pub fn seq<'a, T: Decode<'a>>(self, list: &SeqOf<'a, T>) -> Items<'a, T> {
        self.items(list.content(), list.offset(), Depth::Whole)
    }

    /// Iterates over the fully checked items of a SET OF.
    pub fn set<'a, T: Decode<'a>>(self, list: &SetOf<'a, T>) -> Items<'a, T> {
        self.items(list.content(), list.offset(), Depth::Whole)
    }

    /// Decodes the value of an open type completely.
    pub fn open<'a, S: OpenType<'a>>(self, open: &Open<'a, S>) -> Result<S, Failed<'a>> {
        self.open_at(open, false)
    }

    /// Decodes the value of an open type, or only its top-level structure if a part is malformed. Each part's error is reported
    /// when the part is shown.
    pub fn open_frame<'a, S: OpenType<'a>>(self, open: &Open<'a, S>) -> Result<S, Failed<'a>> {
        self.open_at(open, false).or_else(|failed| self.open_at(open, true).map_err(|_frame| failed))
    }

    fn open_at<'a, S: OpenType<'a>>(self, open: &Open<'a, S>, outlined: bool) -> Result<S, Failed<'a>> {
        let session = Session::new(Options::der().rules(self.rules));
        let read = || {
            let mut reader = Reader::with_session(open.as_bytes(), &session)?.at_base(open.offset());
            if outlined {
                reader = reader.outlined();
            }
            let value = if S::knows(open.key()) {
                S::decode_open(&mut reader, open.key())?
            } else {
                return Ok(S::from_unknown(tagwise_codec::Unknown {
                    key: open.key(),
                    bytes: open.as_bytes(),
                    offset: u32::try_from(open.offset()).unwrap_or_default(),
                }));
            };
            reader.finish()?;
            Ok(value)
        };
        read().map_err(|fault| {
            let ty = S::set().find(open.key()).and_then(|object| object.ty.get(None));
            let ty = ty.unwrap_or(tagwise_codec::Any::ty());
            let error = Error::locate_at(fault, ty, open.as_bytes(), open.offset());
            Failed { problem: Box::new(problem_at(&error, open.as_bytes(), open.offset())), octets: open.as_bytes() }
        })
    }
}

/// The depth to which a list item is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The complete item is checked.
    Whole,
    /// Only the top-level structure is checked.
    Frame,
}

/// The error and the bytes of a malformed part.
pub struct Failed<'a> {
    /// The error in the part.
    pub problem: Box<Problem>,
    /// The bytes of the part.
    pub octets: &'a [u8],
}

/// An iterator over the items of a list.
pub struct Items<'a, T> {
    lens: Lens,
    rest: &'a [u8],
    base: usize,
    depth: Depth,
    item: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> Iterator for Items<'a, T> {
    type Item = Result<T, Failed<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (octets, base) = (self.rest, self.base);
        let session = Session::new(Options::der().rules(self.lens.rules));
        let delimit = || Reader::with_session(octets, &session)?.at_base(base).skip();
        let (span, read) = match delimit() {
            Ok(span) => (span, self.read(span, &session)),
            // Where the next item begins cannot be known.
            Err(fault) => (octets, Err(fault)),
        };
        self.rest = octets.get(span.len()..).unwrap_or_default();
        self.base = base.saturating_add(span.len());
        Some(read.map_err(|fault| {
            let error = Error::locate_at(fault, T::ty(), span, base);
            Failed { problem: Box::new(problem_at(&error, span, base)), octets: span }
        }))
    }
}

impl<'a, T: Decode<'a>> Items<'a, T> {
    fn read(&self, span: &'a [u8], session: &Session<'_>) -> Result<T, Fault> {
        let mut reader = Reader::with_session(span, session)?.at_base(self.base);
        if self.depth == Depth::Frame {
            reader = reader.outlined();
        }
        let value = T::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }
}

/// Describes an error in a part at `base`. The excerpt is redacted if the part may contain a secret, such as the challenge
/// password in a request.
pub fn problem_at(error: &Error, octets: &[u8], base: usize) -> Problem {
    let excerpt = Excerpt::new(octets, error.offset().saturating_sub(base)).at_base(base);
    let is_secret = error.is_secret() || secret::names_secret(octets);
    Problem::of(error, if is_secret { excerpt.redacted() } else { excerpt })
}

/// Describes an error in a whole value. Its excerpt omits bytes of secret types.
pub fn problem_in<T: Typed>(error: &Error, octets: &[u8]) -> Problem {
    problem_as(T::ty(), error, octets)
}

/// Describes an error in a value whose type is known only at run time.
///
/// A value of a kind that may contain secrets, such as a request with a password, is treated as public if it contains none.
pub(crate) fn problem_as(ty: &'static Type, error: &Error, octets: &[u8]) -> Problem {
    let excerpt = Excerpt::new(octets, error.offset());
    let kind = ValueKind::of_type(ty).filter(|kind| secret::is_public(*kind, &[]));
    Problem::of(
        error,
        match kind {
            Some(kind) if secret::is_public(kind, octets) && !error.is_secret() => excerpt,
            Some(_) => excerpt.redacted(),
            None => Excerpt::of(ty, octets, error.offset()),
        },
    )
}

/// Shows a part that did not decode: the error, and its bytes.
pub(crate) fn failed<'a>(failed: Failed<'a>) -> (Value<'a>, Value<'a>) {
    (Value::Problem(failed.problem), Value::hex(failed.octets))
}

/// A value decoded as far as possible.
pub struct Read<T> {
    /// The value, or its top-level structure.
    pub value: Option<T>,
    /// The error, if any.
    pub problem: Option<Problem>,
    /// The tolerated deviations.
    pub notes: Vec<Deviation>,
}

/// Decodes a value fully. If that fails, decodes only its top-level structure, first under the given rules and then with
/// all deviations tolerated.
pub fn read<'a, T: Decode<'a>>(der: &'a [u8], rules: RuleSet) -> Read<T> {
    let options = Options::der().rules(rules);
    let error = match options.decode::<T>(der) {
        Ok(read) => return Read { value: Some(read.value), problem: None, notes: read.deviations },
        Err(error) => error,
    };
    let problem = Some(problem_in::<T>(&error, der));
    let options = options.parts(rules);
    let outline = options.outline::<T>(der).or_else(|_first| options.rules(RuleSet::ALL).outline::<T>(der));
    match outline {
        // What was tolerated to show something must not look as if it had been allowed.
        Ok(read) => {
            let notes = read.deviations.into_iter().filter(|note| rules.has(note.rule)).collect();
            Read { value: Some(read.value), problem, notes }
        }
        Err(_) => Read { value: None, problem, notes: Vec::new() },
    }
}
