//! `Debug` for types with secrets, which are omitted from its output.

use proc_macro2::TokenStream;
use syn::{Ident, Member};

use crate::ast::{Body, Component, Input, Role};
use crate::expand::{Context, q};

/// Generates `impl Debug` for a type with secrets, unless the user implements it.
pub(crate) fn expand(context: &Context<'_>) -> Option<TokenStream> {
    let Input { ident, generics, body, secret, .. } = context.input;
    if context.input.own_debug || !context.input.has_secret() {
        return None;
    }
    let name = ident.to_string();
    let hidden = q!(::core::format_args!("…"));
    let mut bounds = Vec::new();
    let shown = match body {
        _ if *secret => q!(f.debug_tuple(#name).field(&#hidden).finish()),
        Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
            let fields = list.iter().map(|component| field(component, &hidden));
            let fields: Vec<TokenStream> = fields.collect();
            for component in list.iter().filter(|component| !is_secret(component)) {
                bounds.extend(context.bound(&component.ty, q!(::core::fmt::Debug)));
            }
            let named = list.iter().any(|component| matches!(component.member, Member::Named(_)));
            let start = if named { q!(debug_struct) } else { q!(debug_tuple) };
            q!(f.#start(#name) #(#fields)* .finish())
        }
        Body::Choice(choice) => {
            let mut arms: Vec<TokenStream> = Vec::new();
            let show = |ident: &Ident, shown: TokenStream| {
                let text = ident.to_string();
                q!(f.debug_tuple(#text).field(#shown).finish())
            };
            for alternative in &choice.alternatives {
                let (variant, value) = (&alternative.ident, &alternative.value);
                arms.push(if alternative.unit {
                    let text = variant.to_string();
                    q!(Self::#variant => f.write_str(#text),)
                } else if value.secret {
                    let shown = show(variant, q!(&#hidden));
                    q!(Self::#variant(_) => #shown,)
                } else {
                    bounds.extend(context.bound(&value.ty, q!(::core::fmt::Debug)));
                    let shown = show(variant, q!(value));
                    q!(Self::#variant(value) => #shown,)
                });
            }
            if let Some((variant, _)) = &choice.unknown {
                let shown = show(variant, q!(value));
                arms.push(q!(Self::#variant(value) => #shown,));
            }
            q!(match self { #(#arms)* })
        }
        Body::Newtype(_) | Body::Enumerated(_) | Body::OpenType(_) => return None,
    };
    let mut generics = generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    Some(q! {
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #ident #ty_generics #where_clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #shown
            }
        }
    })
}

fn is_secret(component: &Component) -> bool {
    matches!(&component.role, Role::Value { value, .. } if value.secret)
}

fn field(component: &Component, hidden: &TokenStream) -> TokenStream {
    let member = &component.member;
    let shown = if is_secret(component) { q!(&#hidden) } else { q!(&self.#member) };
    match member {
        Member::Named(ident) => {
            let name = ident.to_string();
            let name = name.trim_start_matches("r#");
            q!(.field(#name, #shown))
        }
        Member::Unnamed(_) => q!(.field(#shown)),
    }
}
