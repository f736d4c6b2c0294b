//! From an offset to the path of the component it lies in, by the tables.

use alloc::string::String;

use crate::rule::Rule;
use crate::table::Type;

/// Where an offset lies.
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) rules: &'static [&'static Rule],
    pub(crate) secret: bool,
}

pub(crate) fn place(_ty: &'static Type, _input: &[u8], _offset: usize) -> Place {
    Place { path: String::new(), rules: &[], secret: false }
}
