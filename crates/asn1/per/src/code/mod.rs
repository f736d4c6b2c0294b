//! Support for generated types: straight-line decoding and encoding.
//!
//! The schema compiler generates the implementations of [`PerType`]. They consist of calls of this module's functions, with
//! the effective constraints as constants. Layouts come from the same [plan](crate::plan) as those of the run-time engine.

mod decoder;
mod encoder;
mod strings;

use tagwise_codec::value::ForeignAdditions;
use tagwise_codec::{Budget, FaultKind, Options};

pub use self::decoder::Decoder;
pub use self::encoder::Encoder;
pub use self::strings::bits;
pub use crate::error::Kind;
pub use crate::plan::{Bounds, Characters};
pub use tagwise_codec::value::Foreign;
pub use tagwise_codec::{BitString, IntBuf, OidBuf};

use crate::error::{Error, Standard, Step, path};
use crate::rules::{Rule, Tolerance, Variant};

/// A type with generated code for PER.
pub trait PerType: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid. The decoder has the reason.
    #[doc(hidden)]
    fn read<const ALIGNED: bool>(decoder: &mut Decoder<'_, '_, ALIGNED>) -> Result<Self, Stop>;

    /// Writes the value.
    ///
    /// # Errors
    /// Returns an error if the value has no encoding. The encoder has the reason.
    #[doc(hidden)]
    fn write<const ALIGNED: bool>(&self, encoder: &mut Encoder<'_, ALIGNED>) -> Result<(), Stop>;

    /// Decodes an input that must be exactly one value.
    ///
    /// # Errors
    /// Returns the first violation, with its path and its offset in bits.
    fn decode_per(input: &[u8], variant: Variant) -> Result<Self, Error> {
        Coder::new(variant).decode(input).map(|(value, _)| value)
    }

    /// Encodes the value.
    ///
    /// # Errors
    /// Returns an error if the value violates a constraint, or exceeds the output budget.
    fn encode_per(&self, variant: Variant) -> Result<Vec<u8>, Error> {
        Coder::new(variant).encode(self)
    }
}

/// The encoding rules and settings for generated types.
///
/// ```
/// use tagwise_per::code::Coder;
/// use tagwise_per::{Rule, Tolerance, Variant};
/// let coder = Coder::new(Variant::UNALIGNED).tolerating(Tolerance::NONE.allow(Rule::PaddingZero));
/// # let _ = coder;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Coder {
    variant: Variant,
    tolerance: Tolerance,
    budget: Budget,
}

impl Coder {
    /// Creates a coder that tolerates no violations.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self { variant, tolerance: Tolerance::NONE, budget: Options::der().budget_in_force() }
    }

    /// Sets the rules that input may violate.
    #[must_use]
    pub const fn tolerating(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub fn options(mut self, options: Options<'_>) -> Self {
        self.budget = options.budget_in_force();
        self
    }

    /// Decodes an input that must be exactly one value. Also returns the tolerated violations with their offsets in bits.
    ///
    /// # Errors
    /// Returns the first violation that is not tolerated, with its path and its offset in bits.
    pub fn decode<T: PerType>(&self, input: &[u8]) -> Result<(T, Vec<(Rule, u64)>), Error> {
        let mut state = self.state();
        match self.run::<T>(input, &mut state) {
            Ok(value) => Ok((value, state.deviations)),
            Err(Stop) => Err(self.failed::<T>(input, state)),
        }
    }

    /// Finds the error to report. As in the run-time engine, violated constraints come after the errors of the encoding, and
    /// the last one comes first.
    #[cold]
    fn failed<T: PerType>(&self, input: &[u8], first: State) -> Error {
        if first.violations == 0 {
            return self.error(first);
        }
        let mut all = self.state();
        all.skipped = u64::MAX;
        if self.run::<T>(input, &mut all).is_err() {
            return self.error(all);
        }
        let mut last = self.state();
        last.skipped = all.violations.saturating_sub(1);
        match self.run::<T>(input, &mut last) {
            Err(Stop) => self.error(last),
            Ok(_) => self.error(first),
        }
    }

    fn run<T: PerType>(&self, input: &[u8], state: &mut State) -> Result<T, Stop> {
        if self.variant.aligned {
            Decoder::<true>::complete(input, state)
        } else {
            Decoder::<false>::complete(input, state)
        }
    }

    /// Encodes a value.
    ///
    /// # Errors
    /// Returns an error if the value violates a constraint, or exceeds the output budget.
    pub fn encode<T: PerType>(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut state = self.state();
        let done = if self.variant.aligned {
            Encoder::<true>::complete(value, self.budget.output, &mut state)
        } else {
            Encoder::<false>::complete(value, self.budget.output, &mut state)
        };
        done.map_err(|Stop| Error { bit: None, ..self.error(state) })
    }

    fn state(&self) -> State {
        State {
            at: 0,
            depth: u32::from(self.budget.depth.min(Budget::MAX_DEPTH)),
            elements: self.budget.elements,
            values: self.budget.values,
            empty: crate::shared::EMPTY_ELEMENTS,
            variant: self.variant,
            tolerance: self.tolerance,
            deviations: Vec::new(),
            kind: None,
            steps: Vec::new(),
            violations: 0,
            skipped: 0,
            spare: Vec::new(),
        }
    }

    fn error(&self, mut state: State) -> Error {
        // They were collected from the inside out.
        state.steps.reverse();
        let kind = state.kind.unwrap_or(Kind::Schema);
        let (limit, allowance) = (None, None);
        Error { standard: Standard::Per, path: path(&state.steps), bit: Some(state.at), kind, limit, allowance }
    }
}

/// The number of bytes that the budget counts as one value.
const VALUE: usize = size_of::<tagwise_codec::value::Value<'static>>();

/// The reason is in the state of the decoder or encoder.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// The state of a decoding or encoding.
#[doc(hidden)]
#[derive(Debug)]
pub struct State {
    /// The start of the current value or field, in bits.
    at: u64,
    /// The number of further levels allowed.
    depth: u32,
    elements: u64,
    /// The budget for memory, in units of `VALUE` bytes.
    values: u64,
    empty: u64,
    variant: Variant,
    tolerance: Tolerance,
    deviations: Vec<(Rule, u64)>,
    /// The error.
    kind: Option<Kind>,
    /// The path of the error, from the inside out.
    steps: Vec<Step<'static>>,
    /// The number of violated constraints, and how many of them are passed over.
    violations: u64,
    skipped: u64,
    /// Memory for further encodings.
    spare: Vec<Vec<u8>>,
}

impl State {
    #[cold]
    fn fail(&mut self, kind: Kind) -> Stop {
        self.kind = Some(kind);
        Stop
    }

    #[cold]
    fn step(&mut self, step: Step<'static>) {
        self.steps.push(step);
    }

    /// The numbers of further levels, elements and elements without bits.
    const fn left(&self) -> (u32, u64, u64) {
        (self.depth, self.elements, self.empty)
    }

    /// Restores the numbers after elements were encoded for comparison only.
    const fn restore(&mut self, left: (u32, u64, u64)) {
        (self.depth, self.elements, self.empty) = left;
    }

    /// Charges memory before it is used. A bit can stand for a large value, so that the size of the input does not bound it.
    #[inline]
    fn spend<T>(&mut self) -> Result<(), Stop> {
        match self.values.checked_sub(const { size_of::<T>().div_ceil(VALUE) } as u64) {
            Some(left) => {
                self.values = left;
                Ok(())
            }
            None => Err(self.fail(Kind::Elements)),
        }
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Stop> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(self.fail(Kind::Depth)),
        }
    }

    /// Handles a violated constraint that encodings do not depend on.
    #[cold]
    fn violated(&mut self, start: u64, fault: FaultKind) -> Result<(), Stop> {
        self.violations += 1;
        if self.violations <= self.skipped {
            return Ok(());
        }
        self.at = start;
        Err(self.fail(Kind::Value(fault)))
    }
}

impl crate::decode::length::Numbers for State {
    fn aligned(&self) -> bool {
        self.variant.aligned
    }

    fn canonical(&self) -> bool {
        self.variant.canonical
    }

    fn at(&mut self) -> &mut u64 {
        &mut self.at
    }

    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind> {
        if self.tolerance.allows(rule) {
            self.deviations.push((rule, bit));
            return Ok(());
        }
        self.at = bit;
        Err(Kind::Rule(rule))
    }

    fn spend_empty(&mut self, count: u64) -> Result<(), Kind> {
        self.empty = self.empty.checked_sub(count).ok_or(Kind::Elements)?;
        Ok(())
    }
}

/// The extension additions of a value that the module does not define. They are encoded again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions(Option<Box<ForeignAdditions>>);

impl Additions {
    /// No additions.
    pub const NONE: Self = Self(None);

    fn new(foreign: ForeignAdditions) -> Self {
        let is_needed = foreign.count > 0 || !foreign.list.is_empty();
        Self(is_needed.then(|| Box::new(foreign)))
    }

    /// The additions, if there are any, and the number of additions that the sender's version has.
    #[must_use]
    pub fn get(&self) -> Option<&ForeignAdditions> {
        self.0.as_deref()
    }

    /// Returns whether any addition is unknown.
    #[must_use]
    #[inline]
    pub fn is_present(&self) -> bool {
        self.0.as_ref().is_some_and(|foreign| !foreign.list.is_empty())
    }
}

/// Returns whether a number is within one of several ranges. Absent ends are MIN and MAX.
#[doc(hidden)]
#[must_use]
pub fn within(number: &IntBuf, ranges: &[(Option<i128>, Option<i128>)]) -> bool {
    ranges.iter().any(|(min, max)| Bounds { min: *min, max: *max, extensible: false }.holds(number.as_bytes()))
}
