//! Named bits of a BIT STRING, and named numbers.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::Member;

use crate::attr::Named;
use crate::expand::{Context, q};
use crate::{names, table};

/// Returns the ASN.1 name of a bit or number.
fn name(named: &Named) -> String {
    named.name.clone().unwrap_or_else(|| names::field(&named.ident))
}

/// Generates the table's list of names.
pub(crate) fn list(context: &Context<'_>, named: &[Named]) -> TokenStream {
    let names: Vec<(String, TokenStream)> = named
        .iter()
        .map(|named| (name(named), proc_macro2::Literal::i64_unsuffixed(named.number).into_token_stream()))
        .collect();
    table::named_numbers(context, names.iter().map(|(name, number)| (name.as_str(), number.clone())))
}

/// Generates a method for each bit.
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
    let constants = constants(context, member, bits);
    q! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #impl_generics #ident #ty_generics #where_clause {
            #(#methods)*
        }

        #constants
    }
}

/// Returns the name of a bit's constant, or `None` if it would be the same as the method's name.
fn constant_name(ident: &syn::Ident) -> Option<String> {
    let text = ident.to_string();
    let plain = text.trim_start_matches("r#");
    let trimmed = plain.trim_matches('_');
    let is_name = trimmed.starts_with(|first: char| first.is_alphabetic());
    let constant = if is_name { trimmed } else { plain }.to_ascii_uppercase();
    (constant != plain).then_some(constant)
}

/// Generates a constant for each bit below 64, and the functions that use them. The type must have at most one parameter, which
/// is a lifetime.
fn constants(context: &Context<'_>, member: &Member, bits: &[Named]) -> TokenStream {
    let (codec, input) = (&context.codec, context.input);
    let simple = input.generics.params.iter().all(|param| matches!(param, syn::GenericParam::Lifetime(_)));
    if !simple || input.generics.where_clause.is_some() || input.generics.params.len() > 1 {
        return q!();
    }
    let (ident, vis) = (&input.ident, &input.vis);
    let (any, eternal) = if input.generics.params.is_empty() { (q!(), q!()) } else { (q!(<'_>), q!(<'static>)) };
    let flags = q!(#codec::Flags<#ident #eternal>);
    let list = bits.iter().filter(|bit| bit.number.unsigned_abs() < 64).filter_map(|bit| {
        let text = constant_name(&bit.ident)?;
        let constant = quote::format_ident!("{text}", span = bit.ident.span());
        let number = bit.number.unsigned_abs();
        let doc = format!("`{}` ({}).", name(bit), bit.number);
        Some(q! {
            #[doc = #doc]
            #vis const #constant: #flags = #codec::Flags::from_mask(1 << #number);
        })
    });
    q! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #ident #any {
            #(#list)*

            /// Returns whether all of these bits are set.
            #[must_use]
            #vis fn contains(&self, flags: #flags) -> bool {
                flags.are_in(&self.#member)
            }
        }

        #[automatically_derived]
        impl ::core::convert::From<#flags> for #ident #any {
            fn from(flags: #flags) -> Self {
                Self { #member: ::core::convert::Into::into(flags) }
            }
        }
    }
}
