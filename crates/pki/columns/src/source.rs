//! The input column: binary or text, in any of Arrow's layouts.

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use arrow_buffer::Buffer;
use arrow_schema::DataType;

use crate::builder::Home;
use crate::failure::ColumnsError;

pub(crate) enum Source<'s> {
    Binary(&'s BinaryArray),
    LargeBinary(&'s LargeBinaryArray),
    BinaryView(&'s BinaryViewArray),
    Fixed(&'s FixedSizeBinaryArray),
    Text(&'s StringArray),
    LargeText(&'s LargeStringArray),
    TextView(&'s StringViewArray),
    /// A column without type and values.
    Null,
}

impl<'s> Source<'s> {
    pub(crate) fn new(array: &'s dyn Array) -> Result<Self, ColumnsError> {
        let source = match array.data_type() {
            DataType::Binary => array.as_binary_opt().map(Self::Binary),
            DataType::LargeBinary => array.as_binary_opt().map(Self::LargeBinary),
            DataType::BinaryView => array.as_binary_view_opt().map(Self::BinaryView),
            DataType::FixedSizeBinary(_) => array.as_fixed_size_binary_opt().map(Self::Fixed),
            DataType::Utf8 => array.as_string_opt().map(Self::Text),
            DataType::LargeUtf8 => array.as_string_opt().map(Self::LargeText),
            DataType::Utf8View => array.as_string_view_opt().map(Self::TextView),
            DataType::Null => Some(Self::Null),
            _ => None,
        };
        source.ok_or_else(|| ColumnsError::InputType(array.data_type().clone()))
    }

    /// Returns whether every value is text.
    pub(crate) const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::LargeText(_) | Self::TextView(_))
    }

    /// Returns the buffers of the column, to which views of the output can refer.
    pub(crate) fn blocks(&self) -> Vec<Buffer> {
        let blocks = match self {
            Self::Binary(array) => vec![array.values().clone()],
            Self::LargeBinary(array) => vec![array.values().clone()],
            Self::BinaryView(array) => array.data_buffers().to_vec(),
            _ => Vec::new(),
        };
        // Views have 32-bit offsets.
        if blocks.iter().all(|block| u32::try_from(block.len()).is_ok()) { blocks } else { Vec::new() }
    }

    /// Returns the value of a row, with the index of its buffer, or `None` if it is null.
    pub(crate) fn value(&self, row: usize) -> Option<(&'s [u8], u32)> {
        let value = |is_null: bool, value: &dyn Fn() -> &'s [u8]| (!is_null).then(|| (value(), 0));
        match *self {
            Self::Binary(array) => value(array.is_null(row), &|| array.value(row)),
            Self::LargeBinary(array) => value(array.is_null(row), &|| array.value(row)),
            Self::BinaryView(array) => {
                // A view: length, prefix, index of the buffer, offset.
                let block = array.views().get(row).map_or(0, |view| (view >> 64) as u32);
                (!array.is_null(row)).then(|| (array.value(row), block))
            }
            Self::Fixed(array) => value(array.is_null(row), &|| array.value(row)),
            Self::Text(array) => value(array.is_null(row), &|| array.value(row).as_bytes()),
            Self::LargeText(array) => value(array.is_null(row), &|| array.value(row).as_bytes()),
            Self::TextView(array) => value(array.is_null(row), &|| array.value(row).as_bytes()),
            Self::Null => None,
        }
    }
}

/// Returns the place of a row's bytes in the buffers.
pub(crate) fn home(blocks: &[Buffer], index: u32) -> Option<Home<'_>> {
    let block = blocks.get(index as usize)?;
    Some(Home { block: index, octets: block.as_slice() })
}
