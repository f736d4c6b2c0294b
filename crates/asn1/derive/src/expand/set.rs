//! SET: components in tag order (X.690 §10.3).

use proc_macro2::TokenStream;

use crate::ast::{Component, DefaultValue, Presence, Role, Tagging};
use crate::expand::{Context, Parts, q, sequence};
use crate::table;

/// Generates the parts of a SET.
pub(crate) fn parts(context: &Context<'_>, components: &[Component]) -> Parts {
    let codec = &context.codec;
    let fields = table::fields(context, components);
    Parts {
        tag: Some(q!(#codec::Tag::SET)),
        decode: decode(context, components),
        starts: q!(),
        len: sequence::len(context, components),
        encode: encode(context, components),
        shape: q!(#codec::table::Shape::Set(#fields)),
        inner: None,
        constraints: q!(),
        bounds: sequence::bounds(context, components),
        items: distinct(context, components),
    }
}

/// Generates an expression that decodes the components of a SET. Each element is decoded as the component that it matches. The
/// order is checked separately, because a CHOICE is sorted by the tag of its chosen alternative.
fn decode(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let (mut slots, mut arms, mut fields) = (Vec::new(), Vec::new(), Vec::new());
    let foreseen = foresee(context, components);
    let mut rest = q!(reader.extra_component()?;);
    for component in components {
        let (member, local) = (&component.member, &component.local);
        match &component.role {
            Role::Extensions { .. } => {
                slots.push(q!(let mut #local = #codec::SetAdditions::NONE;));
                rest = q!(#local.read(reader)?;);
                fields.push(q!(#member: #local));
            }
            Role::Group { .. } => {}
            Role::Value { value, presence, .. } => {
                let ty = &value.ty;
                let key = value.defined_by.as_ref().map(|path| key(context, components, path));
                let read = value.read_checked(context, key.as_ref());
                let starts = value.starts(context);
                slots.push(q!(let mut #local: ::core::option::Option<#ty> = ::core::option::Option::None;));
                let default = match presence {
                    Presence::Default(default, _) => {
                        let is_default = default.is(context, ty, &q!(&value));
                        Some(q! {
                            if #is_default {
                                reader.deviate(&#codec::Rule::DEFAULT_ENCODED, #codec::FaultKind::DefaultEncoded, at)?;
                            }
                        })
                    }
                    _ => None,
                };
                let at = default.as_ref().map(|_| q!(let at = reader.position();));
                // Another alternative of a CHOICE has another tag, and so may come in order.
                arms.push(q! {
                    if #starts {
                        if #local.is_some() {
                            return ::core::result::Result::Err(
                                reader.fault(#codec::FaultKind::SetDuplicate, reader.position()),
                            );
                        }
                        #at
                        let value = #read;
                        #default
                        #local = ::core::option::Option::Some(value);
                    } else
                });
                fields.push(match presence {
                    Presence::Optional => q!(#member: #local),
                    Presence::Default(default, _) => {
                        let default = default.read(context, ty);
                        q! {
                            #member: match #local {
                                ::core::option::Option::Some(value) => value,
                                ::core::option::Option::None => #default,
                            }
                        }
                    }
                    Presence::Required => q! {
                        #member: match #local {
                            ::core::option::Option::Some(value) => value,
                            ::core::option::Option::None => {
                                return ::core::result::Result::Err(
                                    reader.fault(#codec::FaultKind::Missing, reader.position()),
                                );
                            }
                        }
                    },
                });
            }
        }
    }
    q! {{
        let outer = reader.enter(len)?;
        #foreseen
        #(#slots)*
        let mut order = #codec::__private::SetOrder::new();
        while !reader.is_empty() {
            order.next(reader)?;
            #(#arms)* { #rest }
        }
        let set = Self { #(#fields),* };
        reader.leave(outer)?;
        ::core::result::Result::Ok(set)
    }}
}

/// Returns the variable name for the key of a component that selects another component's type.
fn foreseen(local: &syn::Ident) -> syn::Ident {
    quote::format_ident!("foreseen_{}", local)
}

/// Returns the component with which a selector's path begins.
fn selecting<'c>(components: &'c [Component], path: &[syn::Ident]) -> Option<&'c Component> {
    let first = path.first()?;
    components.iter().find(|component| matches!(&component.member, syn::Member::Named(name) if name == first))
}

/// Generates statements that read the selecting components before all others, because they may come after the components whose
/// type they select.
fn foresee(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let mut done: Vec<&syn::Ident> = Vec::new();
    let mut statements = Vec::new();
    for component in components {
        let Role::Value { value, .. } = &component.role else { continue };
        let Some(selecting) = value.defined_by.as_ref().and_then(|path| selecting(components, path)) else { continue };
        let Role::Value { value, .. } = &selecting.role else { continue };
        if done.contains(&&selecting.local) {
            continue;
        }
        done.push(&selecting.local);
        let (variable, ty) = (foreseen(&selecting.local), &value.ty);
        let (starts, read) = (value.starts(context), value.read(context, None));
        statements.push(q! {
            let #variable: ::core::option::Option<#ty> =
                #codec::__private::look_ahead(reader, |reader| #starts, |reader| #read);
        });
    }
    q!(#(#statements)*)
}

/// Generates an expression for the content bytes of the component that selects an open type's actual type. If the component is
/// absent, these are the bytes of its DEFAULT value, or an empty slice.
fn key(context: &Context<'_>, components: &[Component], path: &[syn::Ident]) -> TokenStream {
    let codec = &context.codec;
    let Some(selecting) = selecting(components, path) else { return q!(&[]) };
    let variable = foreseen(&selecting.local);
    let rest = path.iter().skip(1);
    let rest = q!(#(.#rest)*);
    let otherwise = match &selecting.role {
        Role::Value { presence: Presence::Default(DefaultValue::Value(default), _), .. } => {
            q!(#codec::__private::Selector::key(&(#default) #rest))
        }
        _ => q!(&[]),
    };
    q! {
        match &#variable {
            ::core::option::Option::Some(value) => #codec::__private::Selector::key(&value #rest),
            ::core::option::Option::None => #otherwise,
        }
    }
}

/// Generates an expression that writes the components in the order of their tags in the attributes, and sorts them afterwards
/// if the actual tags may differ.
fn encode(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let tagging = |component: &Component| -> Option<Tagging> {
        match &component.role {
            Role::Value { value, .. } => value.tagging,
            _ => None,
        }
    };
    let known = components.iter().all(|component| tagging(component).is_some());
    let mut order: Vec<&Component> = components.iter().collect();
    if known {
        order.sort_by_key(|component| tagging(component).map(|tagging| (tagging.class as u8, tagging.number)));
    } else {
        // What is unknown comes first: it is in order already.
        order.sort_by_key(|component| !matches!(component.role, Role::Extensions { .. }));
    }
    let statements = order.into_iter().rev().map(|component| sequence::write(context, component));
    if known {
        return q! {{
            #(#statements)*
            ::core::result::Result::Ok(())
        }};
    }
    q! {{
        let at = writer.mark();
        #(#statements)*
        #codec::__private::order_components(writer.written_since_mut(at));
        ::core::result::Result::Ok(())
    }}
}

/// Generates checks that all components have distinct tags (X.680 §27.3).
fn distinct(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let mut tags: Vec<TokenStream> = Vec::new();
    let mut checks = Vec::new();
    for component in components {
        let Role::Value { value, .. } = &component.role else { continue };
        let tag = value.const_tag(context);
        if !tags.is_empty() {
            let name = &value.name;
            let message = format!("`{name}` has the same tag as another component of the SET (X.680 §27.3)");
            checks.push(quote::quote_spanned!(component.span=>
                ::core::assert!(#codec::__private::is_free(#tag, &[#(#tags),*]), #message);
            ));
        }
        tags.push(tag);
    }
    sequence::assertions(context, &checks)
}
