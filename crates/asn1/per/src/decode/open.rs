//! Open types (X.691 §11.2).

use tagwise_codec::table::Type;
use tagwise_codec::value::{Data, Foreign, Scope, Value};

use super::{Decoder, Expect};
use crate::bits::reader::Reader;
use crate::error::Kind;

impl<'s> Decoder<'s> {
    /// A value of an open type, decoded if its type is known.
    pub(super) fn open(
        &mut self,
        ty: &'s Type,
        base: &'s Type,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Value<'s>, Kind> {
        match self.types.selected(base, scope) {
            Some(selected) => {
                let expect = self.expect(self.index(selected)?, scope, depth)?;
                self.wrapped(expect, reader)
            }
            None => {
                let octets = self.octets(reader)?;
                Ok(Value::new(
                    self.types,
                    ty,
                    Data::Foreign(Foreign { rules: self.setting.variant.foreign(), number: None, octets }),
                ))
            }
        }
    }

    /// A value in an open type field.
    pub(super) fn wrapped(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let (octets, place) = self.field(reader)?;
        let mut inner = Reader::shifted(&octets, place);
        let value = self.value(expect, &mut inner)?;
        self.finish(&mut inner)?;
        Ok(value)
    }

    /// The contents of an open type field, and where they start.
    pub(super) fn field(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        self.at = reader.position();
        let (mut octets, mut place) = (Vec::new(), None);
        self.fragments(reader, |_, length, reader| {
            place.get_or_insert(reader.position());
            reader.octets(length, &mut octets)
        })?;
        Ok((octets, place.unwrap_or(self.at)))
    }
}
