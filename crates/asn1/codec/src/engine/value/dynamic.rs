//! The entry point: a type with its schema and options.

use alloc::string::String;
use alloc::vec::Vec;

use super::decode::At;
use super::late::Selection;
use super::{ContainedSizes, Types, Value, decode, encode, late};
use crate::decode::Tolerated;
use crate::encode::EncodeError;
use crate::engine::locate;
use crate::error::Error;
use crate::fault::Fault;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Schema, Type, Typed};

/// A type known only at run time. It decodes and encodes [`Value`]s.
///
/// ```
/// use tagwise_codec::{Options, Rule, value::Dynamic};
/// let boolean = Dynamic::of::<bool>();
/// assert_eq!(boolean.decode(&[0x01, 0x01, 0x01]).unwrap_err().code(), "boolean-value");
/// let read = boolean.options(Options::der().allow(&Rule::BOOLEAN_VALUE)).decode(&[0x01, 0x01, 0x01])?;
/// assert_eq!(read.deviations.len(), 1);
/// // The output is always DER.
/// assert_eq!(boolean.encode(&read.value)?, [0x01, 0x01, 0xFF]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dynamic<'s> {
    ty: &'s Type,
    schema: Option<&'s Schema>,
    options: Options<'s>,
    /// The sizes that `check` and `violations` consider. `None` for those of DER.
    sizes: Option<&'s ContainedSizes>,
}

impl<'s> Dynamic<'s> {
    /// Creates a dynamic type from its table, without a schema. All references in the table must be constant, that is,
    /// functions rather than indices.
    #[must_use]
    pub const fn new(ty: &'s Type) -> Self {
        Self { ty, schema: None, options: Options::der(), sizes: None }
    }

    /// Creates a dynamic type from a Rust type's table.
    #[must_use]
    pub fn of<T: Typed + ?Sized>() -> Self {
        Self::new(T::ty())
    }

    /// Sets the schema that resolves references by index.
    #[must_use]
    pub const fn schema(mut self, schema: &'s Schema) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Sets the decoding options: tolerated rule violations, budget and registered open types. The output budget also limits
    /// encoding.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.options = options;
        self
    }

    /// Sets the sizes of strings that contain encodings, for [`check`](Self::check) and [`violations`](Self::violations).
    /// Without them, the contained values are in DER.
    #[must_use]
    pub const fn contained_sizes(mut self, sizes: &'s ContainedSizes) -> Self {
        self.sizes = Some(sizes);
        self
    }

    /// Returns the table that describes the type.
    #[must_use]
    pub const fn ty(&self) -> &'s Type {
        self.ty
    }

    /// Returns the context that resolves the table's references.
    #[must_use]
    pub const fn types(&self) -> Types<'s> {
        Types { schema: self.schema, registered: self.options.registered_types() }
    }

    /// Returns the decoding options.
    #[must_use]
    pub const fn options_in_force(&self) -> &Options<'s> {
        &self.options
    }

    /// Decodes an input that must be exactly one value of the type. Every byte is checked.
    ///
    /// # Errors
    /// Returns the first error that is not tolerated, with its path and absolute offset.
    pub fn decode<'a>(&self, input: &'a [u8]) -> Result<Tolerated<Value<'a>>, Error>
    where
        's: 'a,
    {
        let session = Session::new(self.options);
        let read = || {
            let mut reader = Reader::with_session(input, &session)?;
            let mut value = decode::value(self.types(), self.ty, &mut reader)?;
            reader.finish()?;
            self.resolve(&mut value, &session)?;
            Ok(value)
        };
        match read() {
            Ok(value) => Ok(Tolerated { value, deviations: session.into_deviations() }),
            Err(fault) => Err(Error::locate_in(fault, self.types().tables(), self.ty, input, 0)),
        }
    }

    /// Decodes an input, and returns the types of the values whose selectors follow them.
    pub(super) fn selections(&self, input: &[u8]) -> Result<Vec<Selection>, Error> {
        let session = Session::new(self.options);
        let read = || {
            let mut reader = Reader::with_session(input, &session)?;
            let mut value = decode::value(self.types(), self.ty, &mut reader)?;
            reader.finish()?;
            self.resolve(&mut value, &session)
        };
        read().map_err(|fault| Error::locate_in(fault, self.types().tables(), self.ty, input, 0))
    }

    /// Decodes and checks the parts whose selectors follow them.
    fn resolve<'a>(&self, value: &mut Value<'a>, session: &Session<'_>) -> Result<Vec<Selection>, Fault>
    where
        's: 'a,
    {
        if !session.is_late() {
            return Ok(Vec::new());
        }
        let depth = session.options().budget_in_force().depth;
        late::resolve(At::new(self.types()), value, session, depth.into())
    }

    /// Reads one value of the type at a reader's position, with the reader's options. Without options, open types whose selectors
    /// follow them remain elements of unknown type.
    ///
    /// # Errors
    /// Returns any decoding error in the value.
    pub fn read<'a>(&self, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault>
    where
        's: 'a,
    {
        let mut value = decode::value(self.types(), self.ty, reader)?;
        if let Some(session) = reader.session() {
            self.resolve(&mut value, session)?;
        }
        Ok(value)
    }

    /// Like [`Dynamic::read`], but without checking constraints. Use it for display.
    ///
    /// # Errors
    /// Returns any other decoding error in the value.
    pub fn read_unconstrained<'a>(&self, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault>
    where
        's: 'a,
    {
        decode::unconstrained(self.types(), self.ty, reader)
    }

    /// Returns the path of the component that contains the byte at `offset`. The input need not be valid. See
    /// [`path_at`](crate::path_at).
    #[must_use]
    pub fn path_at(&self, input: &[u8], offset: usize) -> String {
        locate::path_in(self.types().tables(), self.ty, input, offset)
    }

    /// Encodes a value of the type in DER. `verbatim` types keep their original bytes.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, has no DER encoding, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'_>) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty, value, self.options.budget_in_force().output)
    }

    /// Encodes a value of the type in BER: as in DER, but UTCTime and GeneralizedTime keep their form, such as an offset from
    /// UTC.
    ///
    /// # Errors
    /// Returns an error as [`encode`](Self::encode) does.
    pub fn encode_basic(&self, value: &Value<'_>) -> Result<Vec<u8>, EncodeError> {
        encode::basic(self.types(), self.ty, value, self.options.budget_in_force().output)
    }

    /// Checks a value against the type, as [`encode`](Self::encode) does. Parts of unknown type that were read under
    /// encoding rules without tags are not checked.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type or violates a constraint.
    pub fn check(&self, value: &Value<'_>) -> Result<(), EncodeError> {
        let budget = self.options.budget_in_force().output;
        encode::check_only(self.types(), self.ty, value, budget, RuleSet::NONE, self.sizes).map(|_| ())
    }

    /// Checks a value like [`check`](Self::check), and returns the violated constraints that the options tolerate, with their paths.
    ///
    /// ```
    /// use tagwise_codec::table::{Constraint, List, Range, Shape, Type};
    /// use tagwise_codec::{Options, Rule, Tag, value::Dynamic};
    /// let small = List::Const(const { &[Constraint::Value { ranges: List::Const(&[Range { min: Some(0), max: Some(9) }]), extensible: false }] });
    /// let ty = Type::new("Digit", Some(Tag::INTEGER), Shape::Integer(List::EMPTY)).constrained(small);
    /// let digit = Dynamic::new(&ty).options(Options::der().allow(&Rule::VALUE));
    /// let value = digit.decode(&[0x02, 0x01, 0x0B])?.value;
    /// assert_eq!(digit.violations(&value)?[0].limit(), Some("the value is 11; allowed 0..9"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, or violates a constraint that is not tolerated.
    pub fn violations(&self, value: &Value<'_>) -> Result<Vec<EncodeError>, EncodeError> {
        let budget = self.options.budget_in_force().output;
        encode::check_only(self.types(), self.ty, value, budget, self.options.tolerated(), self.sizes)
    }
}
