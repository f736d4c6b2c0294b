//! Settings of a decoding or encoding, and the instructions that apply under them.

use std::borrow::Cow;

use tagwise_codec::Options;
use tagwise_codec::table::{Schema, Type};
use tagwise_codec::value::{ContainedSizes, Dynamic};

use crate::error::Kind;
use crate::instructions::Instructions;
use crate::plan::{Layout, Plan};
use crate::rules::{Tolerance, Variant};

/// The settings of a decoding or encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) plan: &'s Plan,
    pub(crate) variant: Variant,
    pub(crate) tolerance: Tolerance,
    pub(crate) options: Options<'s>,
    /// True if the positions of components are recorded.
    pub(crate) positions: bool,
}

impl<'s> Setting<'s> {
    /// The type for checks. A string that contains a value has no bytes whose number SIZE could count.
    pub(crate) fn dynamic(&self, ty: &'s Type) -> Dynamic<'s> {
        Dynamic::new(ty).schema(self.schema).options(self.options).contained_sizes(ContainedSizes::NONE)
    }
}

/// The encoding instructions that apply to a type in a variant.
pub(crate) fn instructions<'s>(setting: Setting<'s>, layout: Option<&'s Layout>) -> Result<&'s Instructions, Kind> {
    let own = layout.and_then(|layout| layout.instructions.as_deref());
    match own.filter(|_| setting.variant == Variant::Extended) {
        None => Ok(Instructions::NONE),
        Some(Instructions { unsupported: Some(keyword), .. }) => {
            Err(Kind::Unsupported(format!("the encoding instruction {keyword}")))
        }
        Some(own) => Ok(own),
    }
}

/// The name and namespace of the element of a type: instructions for names belong to the type that has the name.
pub(crate) fn type_name<'s>(
    setting: Setting<'s>,
    layout: Option<&'s Layout>,
    name: &'s str,
) -> Result<(Cow<'s, str>, Option<&'s str>), Kind> {
    let own = instructions(setting, layout)?;
    let namer = match layout.and_then(|layout| layout.named_by) {
        Some(index) => instructions(setting, setting.plan.get(index))?,
        None => own,
    };
    let name = if own.name.is_some() { own.name(name) } else { namer.name(name) };
    Ok((name, own.namespace.as_deref().or(namer.namespace.as_deref())))
}
