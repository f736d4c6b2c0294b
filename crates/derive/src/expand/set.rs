//! SET: components in the order of their tags (X.690 §10.3).

use proc_macro2::TokenStream;

use crate::ast::{Component, Presence, Role, Tagging};
use crate::expand::{Context, Parts, q, sequence};
use crate::table;

/// The parts of a SET.
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

/// Each element goes to the component it can be; the order is checked apart, for a CHOICE stands where the tag of its
/// alternative puts it.
fn decode(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let (mut slots, mut arms, mut fields) = (Vec::new(), Vec::new(), Vec::new());
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
                let read = sequence::read(context, components, value, &Presence::Required);
                let starts = value.starts(context);
                slots.push(q!(let mut #local: ::core::option::Option<#ty> = ::core::option::Option::None;));
                let default = match presence {
                    Presence::Default(default, _) => Some(q! {
                        if <#ty as ::core::cmp::PartialEq>::eq(&value, &(#default)) {
                            reader.deviate(&#codec::Rule::DEFAULT_ENCODED, #codec::Kind::DefaultEncoded, at)?;
                        }
                    }),
                    _ => None,
                };
                let at = default.as_ref().map(|_| q!(let at = reader.position();));
                // Another alternative of a CHOICE has another tag, and so may come in order.
                arms.push(q! {
                    if #starts {
                        if #local.is_some() {
                            return ::core::result::Result::Err(
                                reader.fault(#codec::Kind::SetDuplicate, reader.position()),
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
                    Presence::Default(default, _) => q! {
                        #member: match #local {
                            ::core::option::Option::Some(value) => value,
                            ::core::option::Option::None => #default,
                        }
                    },
                    Presence::Required => q! {
                        #member: match #local {
                            ::core::option::Option::Some(value) => value,
                            ::core::option::Option::None => {
                                return ::core::result::Result::Err(
                                    reader.fault(#codec::Kind::Missing, reader.position()),
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
        #(#slots)*
        let mut order = #codec::derived::SetOrder::new();
        while !reader.is_empty() {
            order.next(reader)?;
            #(#arms)* { #rest }
        }
        let set = Self { #(#fields),* };
        reader.leave(outer)?;
        ::core::result::Result::Ok(set)
    }}
}

/// Written in the order of the tags that stand in the attributes; where others are needed, put in order afterwards.
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
        #codec::derived::order_components(writer.written_since_mut(at));
        ::core::result::Result::Ok(())
    }}
}

/// X.680 §27.3: every component has another tag.
fn distinct(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let mut tags: Vec<TokenStream> = Vec::new();
    let mut checks = Vec::new();
    for component in components {
        let Role::Value { value, .. } = &component.role else { continue };
        let tag = value.const_tag(context);
        if !tags.is_empty() {
            let name = &value.name;
            let message = format!("`{name}` has the tag of another component of the SET (X.680 §27.3)");
            checks.push(quote::quote_spanned!(component.span=>
                ::core::assert!(#codec::derived::is_free(#tag, &[#(#tags),*]), #message);
            ));
        }
        tags.push(tag);
    }
    sequence::assertions(context, &checks)
}
