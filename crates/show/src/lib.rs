//! Trees for people of certificates, CRLs, messages and keys.
//!
//! [`report`] makes a tree ([`tree::Value`]) of one value that [`tagwise_source::find`] found; [`Text`](render::text::Text) writes
//! it as text, in colour where that is asked for, and serde writes it as JSON. So text and JSON say the same. Keys and passwords
//! are described and never shown. A kind without a layout of its own is shown by the table of its ASN.1 type.
//!
//! ```
//! use tagwise_codec::{RuleSet, UnixTime};
//! use tagwise_show::render::text::Text;
//! use tagwise_show::{Lens, Scene, report};
//! let found = tagwise_source::find(b"300a300506032b6570030100", RuleSet::NONE);
//! let scene = Scene { lens: Lens::new(RuleSet::NONE), now: UnixTime(0), entries: None, depth: 0 };
//! let report = report(&found.items[0], (1, 1), "key.hex", RuleSet::NONE, &scene);
//! let mut out = Vec::new();
//! let mut text = Text::new(&mut out, false, false);
//! text.heading(&report.heading, true).unwrap();
//! text.fields(&report.record.fields, 2).unwrap();
//! assert!(String::from_utf8(out).unwrap().starts_with("public key 1 of 1  key.hex, 12 bytes"));
//! ```
#![forbid(unsafe_code)]

pub mod fields;
mod lens;
mod model;
pub mod render;
mod report;
pub mod tree;

pub use lens::{Depth, Failed, Items, Lens, problem_at, problem_in};
pub use model::mtc;
pub use model::{Scene, oid_line, oid_name, short_name_of, short_name_of_certificate, short_subject, summary};
pub use report::{Read, Report, read, report};
