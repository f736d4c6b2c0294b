//! Names for the bits of a BIT STRING, and for numbers.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::Member;

use crate::attr::Named;
use crate::expand::{Context, q};
use crate::{names, table};

/// The ASN.1 name of a bit or number.
fn name(named: &Named) -> String {
    named.name.clone().unwrap_or_else(|| names::field(&named.ident))
}

/// The table's list of names.
pub(crate) fn list(context: &Context<'_>, named: &[Named]) -> TokenStream {
    let names: Vec<(String, TokenStream)> = named
        .iter()
        .map(|named| (name(named), proc_macro2::Literal::i64_unsuffixed(named.number).into_token_stream()))
        .collect();
    table::named_numbers(context, names.iter().map(|(name, number)| (name.as_str(), number.clone())))
}

/// A method for each bit.
pub(crate) fn items(context: &Context<'_>, member: &Member, bits: &[Named]) -> TokenStream {
    if bits.is_empty() {
        return q!();
    }
    let input = context.input;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let (ident, vis) = (&input.ident, &input.vis);
    let methods = bits.iter().map(|bit| {
        let (method, number) = (&bit.ident, bit.number.unsigned_abs());
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
