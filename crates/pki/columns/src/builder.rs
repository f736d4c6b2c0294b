//! Builders of output columns. A row can be removed again, because an error in a later column makes it null everywhere.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, Int32Array, Int64Array, ListArray,
    PrimitiveArray, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use tagwise_codec::Error;
use tagwise_pkix::Name;

use crate::column::{Column, Get, nested_fields, rows_field, texts_field};
use crate::failure::ColumnsError;
use crate::options::Options;
use crate::row::Row;

/// The input buffer that contains a row.
#[derive(Clone, Copy)]
pub(crate) struct Home<'h> {
    pub(crate) block: u32,
    pub(crate) octets: &'h [u8],
}

impl Home<'_> {
    /// Returns the offset of a part of the buffer.
    fn offset(&self, part: &[u8]) -> Option<u32> {
        let at = (part.as_ptr() as usize).checked_sub(self.octets.as_ptr() as usize)?;
        let end = at.checked_add(part.len())?;
        u32::try_from(at).ok().filter(|_| end <= self.octets.len())
    }
}

/// The reason why a row was not added.
pub(crate) enum Stop {
    /// A part of the row is malformed.
    Row(Error),
    /// The column has no room.
    Full(&'static str),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Row(error)
    }
}

/// The maximum length of a column, whose offsets have 32 bits.
const MOST: usize = i32::MAX as usize;

/// Texts or byte strings, one after another.
pub(crate) struct Pieces<T> {
    offsets: Vec<i32>,
    pub(crate) data: T,
}

impl<T: Default> Default for Pieces<T> {
    fn default() -> Self {
        Self { offsets: vec![0], data: T::default() }
    }
}

impl<T> Pieces<T> {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Ends a piece at the given length of the data.
    fn end(&mut self, len: usize, name: &'static str) -> Result<(), Stop> {
        self.offsets.push(i32::try_from(len).map_err(|_| Stop::Full(name))?);
        Ok(())
    }

    fn truncate(&mut self, len: usize) -> usize {
        self.offsets.truncate(len.saturating_add(1));
        self.offsets.last().map_or(0, |end| *end as usize)
    }

    fn offsets(&mut self) -> OffsetBuffer<i32> {
        OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut self.offsets, vec![0])))
    }
}

impl Pieces<String> {
    pub(crate) fn push(&mut self, text: &str, name: &'static str) -> Result<(), Stop> {
        self.data.push_str(text);
        self.end(self.data.len(), name)
    }

    pub(crate) fn finish(&mut self, nulls: Option<NullBuffer>) -> Result<StringArray, ColumnsError> {
        let values = Buffer::from(std::mem::take(&mut self.data).into_bytes());
        Ok(StringArray::try_new(self.offsets(), values, nulls)?)
    }
}

/// Views of bytes: in the input, or in a buffer of their own.
#[derive(Default)]
struct Views {
    views: Vec<u128>,
    blocks: Vec<Buffer>,
    own: Vec<u8>,
}

impl Views {
    fn push(&mut self, octets: &[u8], home: Option<Home<'_>>, name: &'static str) -> Result<(), Stop> {
        let found = home.and_then(|home| Some((home.block, home.offset(octets)?)));
        let (block, offset) = match found {
            _ if octets.len() <= 12 => (0, 0),
            Some(place) => place,
            None => {
                let offset = self.own.len();
                if octets.len() > MOST - offset.min(MOST) {
                    return Err(Stop::Full(name));
                }
                self.own.extend_from_slice(octets);
                (self.blocks.len() as u32, offset as u32)
            }
        };
        self.views.push(make_view(octets, block, offset));
        Ok(())
    }
}

/// A dictionary of texts.
#[derive(Default)]
struct Words {
    keys: Vec<i32>,
    texts: Pieces<String>,
    by_text: HashMap<String, i32>,
    /// Keys by the encoded name.
    by_name: HashMap<Vec<u8>, i32>,
}

impl Words {
    fn key(&mut self, text: String, name: &'static str) -> Result<i32, Stop> {
        if let Some(key) = self.by_text.get(&text) {
            return Ok(*key);
        }
        let key = i32::try_from(self.texts.len()).map_err(|_| Stop::Full(name))?;
        self.texts.push(&text, name)?;
        self.by_text.insert(text, key);
        Ok(key)
    }

    fn name(&mut self, value: &Name<'_>, name: &'static str) -> Result<i32, Stop> {
        let content = value.0.content().unwrap_or_default();
        if let Some(key) = self.by_name.get(content) {
            return Ok(*key);
        }
        let key = self.key(name_text(value)?, name)?;
        self.by_name.insert(content.to_vec(), key);
        Ok(key)
    }
}

/// Returns the text of a name after checking all of it.
fn name_text(name: &Name<'_>) -> Result<String, Error> {
    for rdn in name.rdns() {
        rdn?;
    }
    Ok(String::from(name.rfc4514()))
}

enum Data {
    Bool(BooleanBufferBuilder),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Time(Vec<i64>),
    Text(Pieces<String>),
    Words(Box<Words>),
    Bytes(Pieces<Vec<u8>>),
    Views(Views),
    Texts(Vec<i32>, Pieces<String>),
    Rows(Vec<i32>, Vec<Builder>),
}

/// A builder of one column.
pub(crate) struct Builder {
    column: &'static Column,
    valid: BooleanBufferBuilder,
    data: Data,
    options: Options,
}

impl Builder {
    /// Creates a builder. `blocks` are the buffers of the input.
    pub(crate) fn new(column: &'static Column, options: &Options, blocks: &[Buffer], nested: bool) -> Self {
        let data = match &column.get {
            Get::Bool(_) => Data::Bool(BooleanBufferBuilder::new(0)),
            Get::Int32(_) => Data::Int32(Vec::new()),
            Get::Int64(_) => Data::Int64(Vec::new()),
            Get::Time(_) => Data::Time(Vec::new()),
            Get::Name(_) | Get::Word(_) if !nested && !options.plain => Data::Words(Box::default()),
            Get::Text(_) | Get::Name(_) | Get::Word(_) => Data::Text(Pieces::default()),
            Get::Bytes(_) if !options.plain => Data::Views(Views { blocks: blocks.to_vec(), ..Views::default() }),
            Get::Bytes(_) | Get::Sha256(_) | Get::Sha1(_) => Data::Bytes(Pieces::default()),
            Get::Texts(_) => Data::Texts(vec![0], Pieces::default()),
            Get::Rows(columns, _) => {
                let children = columns.iter().map(|column| Self::new(column, options, blocks, true));
                Data::Rows(vec![0], children.collect())
            }
        };
        Self { column, valid: BooleanBufferBuilder::new(0), data, options: *options }
    }

    pub(crate) fn len(&self) -> usize {
        self.valid.len()
    }

    /// Adds a row. After an error, the column is as before.
    pub(crate) fn push(&mut self, row: &Row<'_>, home: Option<Home<'_>>) -> Result<(), Stop> {
        let len = self.len();
        match self.add(row, home) {
            Ok(true) => self.valid.append(true),
            Ok(false) => {
                self.truncate(len);
                self.push_null();
            }
            Err(stop) => {
                self.truncate(len);
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Adds the value of a row, and returns whether there is one.
    fn add(&mut self, row: &Row<'_>, home: Option<Home<'_>>) -> Result<bool, Stop> {
        let name = self.column.name;
        let present = match (&self.column.get, &mut self.data) {
            (Get::Bool(get), Data::Bool(values)) => get(row)?.map(|value| values.append(value)),
            (Get::Int32(get), Data::Int32(values)) => get(row)?.map(|value| values.push(value)),
            (Get::Int64(get), Data::Int64(values)) => get(row)?.map(|value| values.push(value)),
            (Get::Time(get), Data::Time(values)) => get(row)?.map(|value| values.push(value)),
            (Get::Text(get), Data::Text(texts)) => match get(row, &mut texts.data)? {
                Some(()) => Some(texts.end(texts.data.len(), name)?),
                None => None,
            },
            (Get::Word(get), Data::Text(texts)) => match get(row)? {
                Some(word) => Some(texts.push(&word.to_string(), name)?),
                None => None,
            },
            (Get::Name(get), Data::Text(texts)) => match get(row)? {
                Some(value) => Some(texts.push(&name_text(&value)?, name)?),
                None => None,
            },
            (Get::Word(get), Data::Words(words)) => match get(row)? {
                Some(word) => {
                    let key = words.key(word.to_string(), name)?;
                    words.keys.push(key);
                    Some(())
                }
                None => None,
            },
            (Get::Name(get), Data::Words(words)) => match get(row)? {
                Some(value) => {
                    let key = words.name(&value, name)?;
                    words.keys.push(key);
                    Some(())
                }
                None => None,
            },
            (Get::Bytes(get), Data::Views(views)) => match get(row)? {
                Some(octets) => Some(views.push(octets, home, name)?),
                None => None,
            },
            (Get::Bytes(get), Data::Bytes(pieces)) => match get(row)? {
                Some(octets) => Some(append(pieces, octets, name)?),
                None => None,
            },
            (Get::Sha256(get), Data::Bytes(pieces)) => match get(row)? {
                Some(octets) => Some(append(pieces, &Sha256::digest(octets), name)?),
                None => None,
            },
            (Get::Sha1(get), Data::Bytes(pieces)) => match get(row)? {
                Some(octets) => Some(append(pieces, &Sha1::digest(octets), name)?),
                None => None,
            },
            (Get::Texts(get), Data::Texts(offsets, texts)) => {
                let mut pushed = Ok(());
                let present = get(row, &mut |text| {
                    if pushed.is_ok() {
                        pushed = texts.push(text, name);
                    }
                })?;
                pushed?;
                offsets.push(i32::try_from(texts.len()).map_err(|_| Stop::Full(name))?);
                present
            }
            (Get::Rows(_, each), Data::Rows(offsets, children)) => {
                let mut full = None;
                let present = each(row, &mut |part| {
                    if full.is_some() {
                        return Ok(());
                    }
                    for child in children.iter_mut() {
                        match child.push(part, home) {
                            Ok(()) => {}
                            Err(Stop::Row(error)) => return Err(error),
                            Err(Stop::Full(name)) => full = Some(name),
                        }
                    }
                    Ok(())
                })?;
                if let Some(name) = full {
                    return Err(Stop::Full(name));
                }
                let len = children.first().map_or(0, Self::len);
                offsets.push(i32::try_from(len).map_err(|_| Stop::Full(name))?);
                present
            }
            // The data was created for the column.
            _ => None,
        };
        Ok(present.is_some())
    }

    pub(crate) fn push_null(&mut self) {
        self.valid.append(false);
        match &mut self.data {
            Data::Bool(values) => values.append(false),
            Data::Int32(values) => values.push(0),
            Data::Int64(values) | Data::Time(values) => values.push(0),
            Data::Text(texts) => repeat_last(&mut texts.offsets),
            Data::Words(words) => words.keys.push(0),
            Data::Bytes(pieces) => repeat_last(&mut pieces.offsets),
            Data::Views(views) => views.views.push(0),
            Data::Texts(offsets, _) | Data::Rows(offsets, _) => repeat_last(offsets),
        }
    }

    /// Removes the rows from an index on.
    pub(crate) fn truncate(&mut self, len: usize) {
        if self.valid.len() > len {
            self.valid.truncate(len);
        }
        match &mut self.data {
            Data::Bool(values) if values.len() > len => values.truncate(len),
            Data::Bool(_) => {}
            Data::Int32(values) => values.truncate(len),
            Data::Int64(values) | Data::Time(values) => values.truncate(len),
            Data::Text(texts) => {
                let end = texts.truncate(len);
                texts.data.truncate(end);
            }
            Data::Words(words) => words.keys.truncate(len),
            Data::Bytes(pieces) => {
                let end = pieces.truncate(len);
                pieces.data.truncate(end);
            }
            Data::Views(views) => views.views.truncate(len),
            Data::Texts(offsets, texts) => {
                let end = texts.truncate(last(offsets, len));
                texts.data.truncate(end);
            }
            Data::Rows(offsets, children) => {
                let end = last(offsets, len);
                children.iter_mut().for_each(|child| child.truncate(end));
            }
        }
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, ColumnsError> {
        let Self { column, mut valid, data, options } = self;
        let nulls = Some(NullBuffer::new(valid.finish())).filter(|nulls| nulls.null_count() > 0);
        Ok(match data {
            Data::Bool(mut values) => Arc::new(BooleanArray::new(values.finish(), nulls)),
            Data::Int32(values) => Arc::new(Int32Array::try_new(values.into(), nulls)?),
            Data::Int64(values) => Arc::new(Int64Array::try_new(values.into(), nulls)?),
            Data::Time(values) => {
                Arc::new(TimestampMicrosecondArray::try_new(values.into(), nulls)?.with_timezone("UTC"))
            }
            Data::Text(mut texts) => Arc::new(texts.finish(nulls)?),
            Data::Words(mut words) => {
                let keys: PrimitiveArray<Int32Type> = PrimitiveArray::try_new(words.keys.into(), nulls)?;
                // Keys of null rows refer to the first text, which exists only if a row is not null.
                if words.texts.len() == 0 {
                    words.texts.push("", column.name).map_err(|_| ColumnsError::TooLarge(column.name))?;
                }
                Arc::new(DictionaryArray::try_new(keys, Arc::new(words.texts.finish(None)?))?)
            }
            Data::Bytes(mut pieces) => {
                let offsets = pieces.offsets();
                Arc::new(BinaryArray::try_new(offsets, Buffer::from(pieces.data), nulls)?)
            }
            Data::Views(Views { views, mut blocks, own }) => {
                if !own.is_empty() {
                    blocks.push(Buffer::from(own));
                }
                Arc::new(BinaryViewArray::try_new(views.into(), blocks, nulls)?)
            }
            Data::Texts(offsets, mut texts) => {
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                Arc::new(ListArray::try_new(texts_field(), offsets, Arc::new(texts.finish(None)?), nulls)?)
            }
            Data::Rows(offsets, children) => {
                let Get::Rows(columns, _) = &column.get else { return Err(ColumnsError::TooLarge(column.name)) };
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                let children = children.into_iter().map(Self::finish).collect::<Result<Vec<_>, _>>()?;
                let items = StructArray::try_new(nested_fields(columns, &options), children, None)?;
                Arc::new(ListArray::try_new(rows_field(columns, &options), offsets, Arc::new(items), nulls)?)
            }
        })
    }
}

fn append(pieces: &mut Pieces<Vec<u8>>, octets: &[u8], name: &'static str) -> Result<(), Stop> {
    pieces.data.extend_from_slice(octets);
    pieces.end(pieces.data.len(), name)
}

fn repeat_last(offsets: &mut Vec<i32>) {
    offsets.push(offsets.last().copied().unwrap_or_default());
}

/// Truncates offsets to a number of rows, and returns the end of the last one.
fn last(offsets: &mut Vec<i32>, len: usize) -> usize {
    offsets.truncate(len.saturating_add(1));
    offsets.last().map_or(0, |end| *end as usize)
}
