//! Lints of all certificates and CRLs in an input: the lints of `tagwise-lint`, and the decoder's rules.
//!
//! ```
//! use tagwise_pkix::lint::Severity;
//! use tagwise_show::lint::{File, Judged, Selection};
//! let selection = Selection::new(Severity::Warning, &[], &[]).unwrap();
//! let mut file = File::new(None, "-".to_owned());
//! file.check(b"", &selection, &mut Judged::default());
//! assert_eq!(file.error.unwrap(), "the file is empty");
//! ```

mod catalogue;
mod json;
mod select;
mod subject;

pub use catalogue::{CatalogueRow, by_id, decoder_id, entries};
pub use json::document;
pub use select::{Selection, unknown};
pub use subject::{File, Found, Judged, Subject};
