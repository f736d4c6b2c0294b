//! Settings of a decoding or encoding.

use crate::rules::{Tolerance, Variant};
use crate::shared::Base;

/// The settings of a decoding or encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'s> {
    pub(crate) base: Base<'s>,
    pub(crate) variant: Variant,
    pub(crate) tolerance: Tolerance,
}

impl Setting<'_> {
    /// The maximum size of the output.
    pub(crate) fn budget(&self) -> u64 {
        self.base.options.budget_in_force().output
    }
}
