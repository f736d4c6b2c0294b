//! The front door: a type, and what its references are resolved with.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Types, Value, decode, encode};
use crate::decode::Tolerated;
use crate::encode::EncodeError;
use crate::engine::locate;
use crate::error::Error;
use crate::fault::Fault;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::table::{Schema, Type, Typed};

/// A type that is known at run time: decodes and encodes its [`Value`]s.
///
/// ```
/// use tagwise_codec::{Options, Rule, value::Dynamic};
/// let boolean = Dynamic::of::<bool>();
/// assert_eq!(boolean.decode(&[0x01, 0x01, 0x01]).unwrap_err().code(), "boolean-value");
/// let read = boolean.options(Options::der().allow(&Rule::BOOLEAN_VALUE)).decode(&[0x01, 0x01, 0x01])?;
/// assert_eq!(read.deviations.len(), 1);
/// // What is encoded is DER.
/// assert_eq!(boolean.encode(&read.value)?, [0x01, 0x01, 0xFF]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dynamic<'s> {
    ty: &'s Type,
    schema: Option<&'s Schema>,
    options: Options<'s>,
}

impl<'s> Dynamic<'s> {
    /// A type by its table, whose references are constant.
    #[must_use]
    pub const fn new(ty: &'s Type) -> Self {
        Self { ty, schema: None, options: Options::der() }
    }

    /// The type that a Rust type has the table of.
    #[must_use]
    pub fn of<T: Typed + ?Sized>() -> Self {
        Self::new(T::ty())
    }

    /// The type with the schema that its references by index are of.
    #[must_use]
    pub const fn schema(mut self, schema: &'s Schema) -> Self {
        self.schema = Some(schema);
        self
    }

    /// The type with these options for decoding: what is tolerated, what it may cost, which open types are known besides the
    /// built-in ones. The output budget holds for encoding.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.options = options;
        self
    }

    /// The table.
    #[must_use]
    pub const fn ty(&self) -> &'s Type {
        self.ty
    }

    /// Tables that references are resolved with.
    #[must_use]
    pub const fn types(&self) -> Types<'s> {
        Types { schema: self.schema, registered: self.options.registered_types() }
    }

    /// The options.
    #[must_use]
    pub const fn options_in_force(&self) -> &Options<'s> {
        &self.options
    }

    /// Reads a whole input that must be one value of the type; every octet is checked.
    ///
    /// # Errors
    /// The first thing that is wrong and not tolerated, with its path and absolute offset.
    pub fn decode<'a>(&self, input: &'a [u8]) -> Result<Tolerated<Value<'a>>, Error>
    where
        's: 'a,
    {
        let session = Session::new(self.options);
        let read = || {
            let mut reader = Reader::with_session(input, &session)?;
            let value = self.read(&mut reader)?;
            reader.finish()?;
            Ok(value)
        };
        match read() {
            Ok(value) => Ok(Tolerated { value, deviations: session.into_deviations() }),
            Err(fault) => Err(Error::locate_in(fault, self.types().tables(), self.ty, input, 0)),
        }
    }

    /// Reads one value of the type where a reader stands, under the reader's own options.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read<'a>(&self, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault>
    where
        's: 'a,
    {
        decode::value(self.types(), self.ty, reader)
    }

    /// The path of the component that the octet at `offset` of `input` belongs to, as far as it can be made out: the input need
    /// not be valid. See [`path_at`](crate::path_at).
    #[must_use]
    pub fn path_at(&self, input: &[u8], offset: usize) -> String {
        locate::path_in(self.types().tables(), self.ty, input, offset)
    }

    /// Writes a value of the type in DER. What is `verbatim` is written as it was read.
    ///
    /// # Errors
    /// If the value is none of the type, has no DER encoding, or takes more than the output budget allows.
    pub fn encode(&self, value: &Value<'_>) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty, value, self.options.budget_in_force().output)
    }
}
