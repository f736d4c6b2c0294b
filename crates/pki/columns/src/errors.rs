//! The column `error`, which every result contains.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StructArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Fields};

use crate::builder::{Pieces, Stop};
use crate::failure::{ColumnsError, Failure};

/// The name of the column of errors.
pub(crate) const NAME: &str = "error";

/// The fields of an error, with their descriptions.
pub(crate) const FIELDS: [(&str, &str); 6] = [
    ("kind", "stable code of the error, such as `length-not-minimal`, or the name of the violated profile rule"),
    ("path", "path of the faulty component, such as `tbsCertificate.validity.notAfter`"),
    ("offset", "offset of the error in bytes: in the encoding, or in the text if PEM or base64 is malformed"),
    ("clause", "violated clause of the standard"),
    ("rule", "name of the rule to allow, if the error can be tolerated"),
    ("message", "the whole message"),
];

/// Returns the fields of the `error` structure.
pub(crate) fn fields() -> Fields {
    let field = |(name, _): &(&str, &str)| {
        Field::new(*name, if *name == "offset" { DataType::Int64 } else { DataType::Utf8 }, true)
    };
    FIELDS.iter().map(field).collect()
}

/// A builder of the column.
pub(crate) struct Errors {
    valid: BooleanBufferBuilder,
    texts: [(BooleanBufferBuilder, Pieces<String>); 5],
    offsets: Vec<Option<i64>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        let texts = core::array::from_fn(|_| (BooleanBufferBuilder::new(0), Pieces::default()));
        Self { valid: BooleanBufferBuilder::new(0), texts, offsets: Vec::new() }
    }

    pub(crate) fn push(&mut self, failure: Option<&Failure>) -> Result<(), Stop> {
        self.valid.append(failure.is_some());
        let values = failure.map(|failure| {
            let Failure { code, path, clause, rule, message, .. } = failure;
            [Some(*code), Some(&**path), Some(*clause), *rule, Some(&**message)]
        });
        self.offsets.push(failure.and_then(|failure| i64::try_from(failure.offset?).ok()));
        for ((valid, texts), value) in self.texts.iter_mut().zip(values.unwrap_or_default()) {
            valid.append(value.is_some());
            texts.push(value.unwrap_or_default(), NAME)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<ArrayRef, ColumnsError> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(FIELDS.len());
        for (valid, texts) in &mut self.texts {
            columns.push(Arc::new(texts.finish(Some(NullBuffer::new(valid.finish())))?));
        }
        columns.insert(2, Arc::new(Int64Array::from(self.offsets)));
        Ok(Arc::new(StructArray::try_new(fields(), columns, Some(NullBuffer::new(self.valid.finish())))?))
    }
}
