//! The columns that locate a row in a file.

use arrow_schema::DataType;

/// The columns that locate a row in a file, with their types: the file, the archive member, the offset in bytes and the line.
///
/// A [`Kernel`](crate::Kernel) does not compute them. Readers of files put them before its columns.
///
/// ```
/// assert_eq!(tagwise_columns::PLACE.map(|(name, _)| name), ["file", "entry", "offset", "line"]);
/// ```
pub const PLACE: [(&str, DataType); 4] =
    [("file", DataType::Utf8), ("entry", DataType::Utf8), ("offset", DataType::Int64), ("line", DataType::Int64)];
