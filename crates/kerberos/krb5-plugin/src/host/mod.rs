//! The host's structures: its context, what it lends for the duration of a call, and what it frees.

pub(crate) mod context;
pub(crate) mod lent;
pub(crate) mod memory;
pub(crate) mod pac;
