//! Names for the bits of a BIT STRING.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::Member;

use crate::attr::Bit;
use crate::expand::{Context, q};
use crate::{names, table};

/// The ASN.1 name of a bit.
fn name(bit: &Bit) -> String {
    bit.name.clone().unwrap_or_else(|| names::field(&bit.ident))
}

/// The table's shape.
pub(crate) fn shape(context: &Context<'_>, bits: &[Bit]) -> TokenStream {
    let codec = &context.codec;
    let names: Vec<(String, TokenStream)> = bits
        .iter()
        .map(|bit| (name(bit), proc_macro2::Literal::i64_unsuffixed(i64::from(bit.number)).into_token_stream()))
        .collect();
    let names = table::named_numbers(context, names.iter().map(|(name, number)| (name.as_str(), number.clone())));
    q!(#codec::table::Shape::BitString(#names))
}

/// A method for each bit.
pub(crate) fn items(context: &Context<'_>, member: &Member, bits: &[Bit]) -> TokenStream {
    if bits.is_empty() {
        return q!();
    }
    let input = context.input;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let (ident, vis) = (&input.ident, &input.vis);
    let methods = bits.iter().map(|bit| {
        let (method, number) = (&bit.ident, u64::from(bit.number));
        let doc = format!("Whether `{}` ({}) is set.", name(bit), bit.number);
        q! {
            #[doc = #doc]
            #[inline]
            #[must_use]
            #vis fn #method(&self) -> bool {
                self.#member.contains(#number)
            }
        }
    });
    q! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #impl_generics #ident #ty_generics #where_clause {
            #(#methods)*
        }
    }
}
