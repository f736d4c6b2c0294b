//! Generates constructors, `Default`, and newtype conversions, as requested by attributes.

use proc_macro2::TokenStream;
use syn::Member;

use crate::ast::{Body, Component, DefaultValue, Input, Newtype, Presence, Role};
use crate::expand::{Context, q};

/// Generates the implementations that the type's attributes request.
pub(crate) fn expand(context: &Context<'_>) -> TokenStream {
    let Input { making, body, .. } = context.input;
    match body {
        Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
            let constructor = making.constructor.map(|_| constructor(context, list));
            let defaults = making.defaults.map(|_| defaults(context, list));
            q!(#constructor #defaults)
        }
        Body::Newtype(newtype) => making.convert.map(|_| conversions(context, newtype)).unwrap_or_default(),
        Body::Choice(_) | Body::Enumerated(_) | Body::OpenType(_) => q!(),
    }
}

/// Returns the value of a component that the caller does not specify, or `None` if the caller must specify it.
pub(crate) fn silent(component: &Component) -> Option<TokenStream> {
    match &component.role {
        Role::Value { presence: Presence::Required, .. }
        | Role::Value { presence: Presence::Default(DefaultValue::Der(_), _), .. } => None,
        Role::Value { presence: Presence::Default(DefaultValue::Value(value), _), .. } => Some(q!(#value)),
        Role::Value { presence: Presence::Optional, .. } | Role::Group { .. } | Role::Extensions { .. } => {
            Some(q!(::core::default::Default::default()))
        }
    }
}

fn constructor(context: &Context<'_>, list: &[Component]) -> TokenStream {
    let Input { ident, generics, vis, .. } = context.input;
    let mut parameters = Vec::new();
    let fields = list.iter().map(|component| {
        let Component { member, local, ty, .. } = component;
        // A named field is a good name for a parameter; a place in a tuple is none.
        let name = match member {
            Member::Named(ident) => ident,
            Member::Unnamed(_) => local,
        };
        let value = silent(component).unwrap_or_else(|| {
            parameters.push(q!(#name: #ty));
            q!(#name)
        });
        q!(#member: #value)
    });
    let fields: Vec<TokenStream> = fields.collect();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    q! {
        impl #impl_generics #ident #ty_generics #where_clause {
            /// Creates a value from its required components. OPTIONAL components are absent, and the others have their DEFAULT
            /// values.
            #[must_use]
            #[allow(clippy::too_many_arguments)]
            #vis fn new(#(#parameters),*) -> Self {
                Self { #(#fields),* }
            }
        }
    }
}

fn defaults(context: &Context<'_>, list: &[Component]) -> TokenStream {
    let Input { ident, generics, .. } = context.input;
    let fields = list.iter().filter_map(|component| {
        let (member, value) = (&component.member, silent(component)?);
        Some(q!(#member: #value))
    });
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    q! {
        /// Creates a value in which OPTIONAL components are absent, and the others have their DEFAULT values.
        #[automatically_derived]
        impl #impl_generics ::core::default::Default for #ident #ty_generics #where_clause {
            fn default() -> Self {
                Self { #(#fields),* }
            }
        }
    }
}

fn conversions(context: &Context<'_>, newtype: &Newtype) -> TokenStream {
    let Input { ident, generics, .. } = context.input;
    let Newtype { member, value, .. } = newtype;
    let (codec, ty) = (&context.codec, &value.ty);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    // Constraints that a table judges are judged by an encoding: of the value alone nobody can tell.
    let into = if value.is_judged() {
        q!()
    } else if value.is_constrained() {
        let check = value.check_encoded(context, &q!(&value), None);
        q! {
            /// Fails if the value violates the type's constraints.
            #[automatically_derived]
            impl #impl_generics ::core::convert::TryFrom<#ty> for #ident #ty_generics #where_clause {
                type Error = #codec::EncodeError;

                fn try_from(value: #ty) -> ::core::result::Result<Self, #codec::EncodeError> {
                    #check
                    ::core::result::Result::Ok(Self { #member: value })
                }
            }
        }
    } else {
        q! {
            #[automatically_derived]
            impl #impl_generics ::core::convert::From<#ty> for #ident #ty_generics #where_clause {
                fn from(value: #ty) -> Self {
                    Self { #member: value }
                }
            }
        }
    };
    q! {
        #into

        #[automatically_derived]
        impl #impl_generics ::core::convert::From<#ident #ty_generics> for #ty #where_clause {
            fn from(value: #ident #ty_generics) -> Self {
                value.#member
            }
        }
    }
}
