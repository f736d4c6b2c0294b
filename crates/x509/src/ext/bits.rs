//! The names of the bits that are set, for every BIT STRING whose bits have names.

use tagwise_codec::NamedBits;
use tagwise_codec::table::{Shape, Type};

/// The names that a type's table gives to the bits that are set, ascending; bits without a name are left out.
pub(super) fn names<'a>(bits: NamedBits<'a>, ty: &'static Type) -> impl Iterator<Item = &'static str> + use<'a> {
    let named = match &ty.shape {
        Shape::BitString(named) => &**named,
        _ => &[],
    };
    bits.iter().filter_map(|bit| {
        let found = named.iter().find(|name| u64::try_from(name.number) == Ok(bit))?;
        Some(&*found.name)
    })
}

/// Adds `names()` to a newtype of [`NamedBits`].
macro_rules! named {
    ($ty:ident) => {
        impl<'a> $ty<'a> {
            /// The names of the bits that are set, as in the ASN.1, in the order of the bits; bits without a name are left out.
            pub fn names(&self) -> impl Iterator<Item = &'static str> + use<'a> {
                bits::names(self.0, <Self as tagwise_codec::Typed>::ty())
            }
        }
    };
}

pub(super) use named;
