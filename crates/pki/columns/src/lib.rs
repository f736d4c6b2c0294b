//! Certificates, CRLs, requests, OCSP responses, CMS messages and entries of Merkle Tree Certificate logs as Arrow columns.
//!
//! A [`Kernel`] converts a column of encodings to a structure of typed columns, for query engines and data frames. The caller names
//! the columns. Only these are computed, but every byte of a row is checked unless [`Options::outline`] is set. A malformed row keeps
//! its position, is null in all columns, and has its error in the column `error`: kind, path, offset, clause and rule.
//!
//! Repeating names are in dictionaries, and byte strings are views of the input column. [`Options::plain`] turns both off.
//!
//! ```
//! use arrow_array::cast::AsArray;
//! use arrow_array::{Array, BinaryArray};
//! use tagwise_columns::{Kernel, Kind, Options};
//! let kernel = Kernel::new(Kind::Certificate, &["subject", "not_after"], Options::default())?;
//! let input = BinaryArray::from_opt_vec(vec![Some(b"\x30\x00"), None]);
//! let result = kernel.run(&input)?;
//! assert_eq!(result.column_names(), ["subject", "not_after", "error"]);
//! let errors = result.column_by_name("error").unwrap().as_struct();
//! assert_eq!(errors.column_by_name("kind").unwrap().as_string::<i32>().value(0), "missing");
//! assert_eq!(errors.column_by_name("path").unwrap().as_string::<i32>().value(0), "tbsCertificate");
//! assert!(errors.is_null(1));
//! # Ok::<(), tagwise_columns::ColumnsError>(())
//! ```
#![forbid(unsafe_code)]

mod builder;
mod column;
mod decode;
mod describe;
mod errors;
mod failure;
mod kernel;
mod kind;
mod options;
mod place;
mod row;
mod source;
mod table;

pub use arrow_array;
pub use arrow_schema;
pub use column::Column;
pub use describe::reference;
pub use failure::ColumnsError;
pub use kernel::Kernel;
pub use kind::Kind;
pub use options::Options;
pub use place::PLACE;
