//! Settings of a decoding or encoding.

use tagwise_codec::Options;
use tagwise_codec::table::Schema;

use crate::plan::Plan;
use crate::rules::{Tolerance, Variant};

/// The settings of a decoding or encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) plan: &'s Plan,
    pub(crate) variant: Variant,
    pub(crate) tolerance: Tolerance,
    pub(crate) options: Options<'s>,
    pub(crate) positions: bool,
}
