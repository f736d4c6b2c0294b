//! What the `tagwise` command is made of.
//!
//! An input is taken apart (`input`), each value in it becomes a tree (`report`, `model`), and the tree is rendered as text or
//! JSON (`render`). Nothing here parses ASN.1: that is the library's, and its errors are printed as they are.
#![forbid(unsafe_code)]

mod args;
mod armour;
mod ca;
mod check;
mod cms;
mod compile;
mod convert;
mod credentials;
mod diff;
mod dump;
mod edit;
mod get;
mod hierarchy;
mod input;
mod key;
mod kinds;
mod lens;
mod lint;
mod model;
mod modules;
mod moment;
mod output;
mod p12;
mod render;
mod report;
mod rules;
mod scan;
mod schema;
mod show;
mod standing;
mod stores;
mod tour;
mod tree;
mod tsp;

pub use args::main;
pub use dump::Dump;
pub use scan::{Filter, FilterError};
pub use show::{Outcome, Show};
pub use tour::tour;
