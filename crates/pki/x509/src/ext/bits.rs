//! Names of set bits, for every BIT STRING with a named-bit list.

use tagwise_codec::NamedBits;
use tagwise_codec::table::{Shape, Type};

/// Iterates over the names of the set bits in the type's table, in ascending order. Bits without a name are omitted.
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
            /// Iterates over the ASN.1 names of the set bits, in bit order. Bits without a name are omitted.
            pub fn names(&self) -> impl Iterator<Item = &'static str> + use<'a> {
                bits::names(self.0, <Self as tagwise_codec::Typed>::ty())
            }
        }
    };
}

pub(super) use named;
