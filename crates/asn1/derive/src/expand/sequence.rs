//! SEQUENCE: components in order, an extension marker, groups.

use proc_macro2::TokenStream;
use syn::spanned::Spanned;

use crate::ast::{Component, DefaultValue, Presence, Role, Value};
use crate::expand::{Bounds, Context, Parts, q};
use crate::table;

/// Generates the parts of a SEQUENCE.
pub(crate) fn parts(context: &Context<'_>, components: &[Component]) -> Parts {
    let codec = &context.codec;
    let fields = table::fields(context, components);
    let (statements, value) = content(context, components);
    Parts {
        tag: Some(q!(#codec::Tag::SEQUENCE)),
        decode: q!({ #statements #value }),
        starts: q!(),
        len: len(context, components),
        encode: encode(context, components),
        shape: q!(#codec::table::Shape::Sequence(#fields)),
        inner: None,
        constraints: q!(),
        bounds: bounds(context, components),
        items: distinct(context, components),
    }
}

/// Generates statements that read the content of a SEQUENCE, of `len` bytes, and an expression for the resulting value.
fn content(context: &Context<'_>, components: &[Component]) -> (TokenStream, TokenStream) {
    let (statements, value) = reading(context, components);
    // A marker at the end takes all that is left; else what is left is trailing.
    let open = components.iter().any(|component| matches!(component.role, Role::Extensions { .. }))
        && !components.iter().any(is_second_root);
    let leave = if open { q!(leave) } else { q!(leave_components) };
    // Not `nested`: a closure would hand the value on by copies.
    let statements = q! {
        let outer = reader.enter(len)?;
        #statements
        reader.#leave(outer)?;
    };
    (statements, value)
}

/// Generates an expression that decodes a SEQUENCE inside its EXPLICIT tag. The tag's content has `len` bytes.
pub(crate) fn explicit(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let (statements, value) = content(context, components);
    q! {{
        let around = reader.enter(len)?;
        let len = reader.expect(#codec::Tag::SEQUENCE)?;
        #statements
        reader.leave(around)?;
        #value
    }}
}

fn is_second_root(component: &Component) -> bool {
    matches!(component.role, Role::Value { root: Some(_), .. })
}

/// Returns the components in encoding order. Unknown additions follow the known ones.
fn wire_order(components: &[Component]) -> Vec<&Component> {
    let marker = components.iter().position(|component| matches!(component.role, Role::Extensions { .. }));
    let mut order: Vec<&Component> = components.iter().collect();
    if let Some(marker) = marker {
        let second = components.iter().position(is_second_root).unwrap_or(components.len());
        if let Some(part) = order.get_mut(marker..second) {
            part.rotate_left(1);
        }
    }
    order
}

/// Generates statements that decode the components, and an expression for the resulting value.
pub(crate) fn reading(context: &Context<'_>, components: &[Component]) -> (TokenStream, TokenStream) {
    let statements = wire_order(components).into_iter().map(|component| {
        let (local, ty) = (&component.local, &component.ty);
        let read = match &component.role {
            Role::Value { value, presence, .. } => read(context, components, value, presence),
            Role::Group { inner, .. } => read_group(context, inner),
            Role::Extensions { .. } => read_extensions(context, components),
        };
        q!(let #local: #ty = #read;)
    });
    let fields = components.iter().map(|component| {
        let (member, local) = (&component.member, &component.local);
        q!(#member: #local)
    });
    (q!(#(#statements)*), q!(::core::result::Result::Ok(Self { #(#fields),* })))
}

/// Generates an expression that decodes a component.
pub(crate) fn read(context: &Context<'_>, components: &[Component], value: &Value, presence: &Presence) -> TokenStream {
    let codec = &context.codec;
    let key = value.defined_by.as_ref().map(|path| key(context, components, path));
    let read = value.read_checked(context, key.as_ref());
    let starts = value.starts(context);
    match presence {
        Presence::Required => read,
        Presence::Optional => q! {
            if #starts { ::core::option::Option::Some(#read) } else { ::core::option::Option::None }
        },
        Presence::Default(default, _) => {
            let (is_default, default) = (default.is(context, &value.ty, &q!(&value)), default.read(context, &value.ty));
            q! {
                if #starts {
                    let at = reader.position();
                    let value = #read;
                    if #is_default {
                        reader.deviate(&#codec::Rule::DEFAULT_ENCODED, #codec::FaultKind::DefaultEncoded, at)?;
                    }
                    value
                } else {
                    #default
                }
            }
        }
    }
}

impl DefaultValue {
    /// Generates an expression that tests whether a referenced value equals the DEFAULT value.
    pub(crate) fn is(&self, context: &Context<'_>, ty: &syn::Type, value: &TokenStream) -> TokenStream {
        let codec = &context.codec;
        match self {
            Self::Value(default) => q!(<#ty as ::core::cmp::PartialEq>::eq(#value, &(#default))),
            Self::Der(octets) => q!(#codec::__private::is_default::<#ty>(#value, const { &#octets })),
        }
    }

    /// Generates an expression on `reader` that creates the DEFAULT value.
    pub(crate) fn read(&self, context: &Context<'_>, ty: &syn::Type) -> TokenStream {
        let codec = &context.codec;
        match self {
            Self::Value(default) => q!(#default),
            Self::Der(octets) => q!(#codec::__private::default_of::<#ty>(const { &#octets }, reader)?),
        }
    }
}

/// Generates an expression for the content bytes of the component that selects an open type's actual type.
fn key(context: &Context<'_>, components: &[Component], path: &[syn::Ident]) -> TokenStream {
    let codec = &context.codec;
    let mut path = path.iter();
    let first = path.next();
    let local = components
        .iter()
        .find(
            |component| matches!((&component.member, first), (syn::Member::Named(name), Some(first)) if name == first),
        )
        .map(|component| &component.local);
    q!(#codec::__private::Selector::key(&#local #(.#path)*))
}

fn read_group(context: &Context<'_>, inner: &syn::Type) -> TokenStream {
    let (codec, lifetime) = (&context.codec, &context.lifetime);
    let group = q!(<#inner as #codec::__private::DecodeGroup<#lifetime>>);
    q! {
        if #group::starts(reader) {
            ::core::option::Option::Some(#group::decode_components(reader)?)
        } else {
            ::core::option::Option::None
        }
    }
}

/// Generates code that reads unknown additions, after the known ones, up to the end of the container or a component after the
/// second extension marker.
fn read_extensions(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let second = components.iter().position(is_second_root).unwrap_or(components.len());
    let marker =
        components.iter().position(|component| matches!(component.role, Role::Extensions { .. })).unwrap_or(second);
    let starts = |component: &Component| match &component.role {
        Role::Value { value, .. } => Some(value.starts(context)),
        Role::Group { inner, .. } => {
            let lifetime = &context.lifetime;
            Some(q!(<#inner as #codec::__private::DecodeGroup<#lifetime>>::starts(reader)))
        }
        Role::Extensions { .. } => None,
    };
    let known: Vec<TokenStream> =
        components.get(marker..second).unwrap_or_default().iter().filter_map(starts).collect();
    let roots = components.get(second..).unwrap_or_default();
    // Up to the first one that must be there.
    let required = |component: &Component| matches!(component.role, Role::Value { presence: Presence::Required, .. });
    let last = roots.iter().position(required).map_or(roots.len(), |last| last + 1);
    let next: Vec<TokenStream> = roots.get(..last).unwrap_or_default().iter().filter_map(starts).collect();
    let late = (!known.is_empty()).then(|| {
        q! {
            if #(#known)||* {
                return ::core::result::Result::Err(reader.fault(#codec::FaultKind::UnexpectedTag, reader.position()));
            }
        }
    });
    let stop = if next.is_empty() { q!(false) } else { q!(#(#next)||*) };
    let reader = if known.is_empty() && next.is_empty() { q!(_) } else { q!(reader) };
    q!(#codec::Additions::read(reader, |#reader| { #late ::core::result::Result::Ok(#stop) })?)
}

/// Generates an expression for the size of all components.
pub(crate) fn len(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let terms = components.iter().map(|component| {
        let member = &component.member;
        match &component.role {
            Role::Extensions { .. } => q!(self.#member.encoded_len()),
            Role::Group { .. } => q! {
                match &self.#member {
                    ::core::option::Option::Some(group) => #codec::__private::EncodeGroup::components_len(group),
                    ::core::option::Option::None => 0,
                }
            },
            Role::Value { value, presence, .. } => match presence {
                Presence::Required => value.len(context, &value.place(member)),
                Presence::Optional => {
                    let len = value.len(context, &q!(value));
                    q! {
                        match &self.#member {
                            ::core::option::Option::Some(value) => #len,
                            ::core::option::Option::None => 0,
                        }
                    }
                }
                Presence::Default(default, _) => {
                    let len = value.len(context, &value.place(member));
                    let is_default = default.is(context, &value.ty, &q!(&self.#member));
                    q!(if #is_default { 0 } else { #len })
                }
            },
        }
    });
    // Saturating: values may share their octets, so that the sum is larger than any memory.
    q! {{
        let len = 0usize;
        #(let len = len.saturating_add(#terms);)*
        len
    }}
}

/// Generates statements that write one component.
pub(crate) fn write(context: &Context<'_>, component: &Component) -> TokenStream {
    let codec = &context.codec;
    let member = &component.member;
    match &component.role {
        Role::Extensions { .. } => q!(self.#member.encode(writer)?;),
        Role::Group { .. } => q! {
            if let ::core::option::Option::Some(group) = &self.#member {
                #codec::__private::EncodeGroup::encode_components(group, writer)?;
            }
        },
        Role::Value { value, presence, .. } => match presence {
            Presence::Required => value.write_named(context, &value.place(member)),
            Presence::Optional => {
                let write = value.write_named(context, &q!(value));
                q!(if let ::core::option::Option::Some(value) = &self.#member { #write })
            }
            Presence::Default(default, _) => {
                let write = value.write_named(context, &value.place(member));
                let is_default = default.is(context, &value.ty, &q!(&self.#member));
                q!(if !#is_default { #write })
            }
        },
    }
}

/// Generates an expression that writes all components, last to first.
pub(crate) fn encode(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let statements = wire_order(components).into_iter().rev().map(|component| write(context, component));
    q! {{
        #(#statements)*
        ::core::result::Result::Ok(())
    }}
}

/// Returns the bounds of all components.
pub(crate) fn bounds(context: &Context<'_>, components: &[Component]) -> Bounds {
    let codec = &context.codec;
    let mut bounds = Bounds::default();
    for component in components {
        match &component.role {
            Role::Value { value, presence, .. } => {
                value.bounds(context, &mut bounds);
                if matches!(presence, Presence::Default(..)) {
                    bounds.typed.extend(context.bound(&value.ty, q!(#codec::Encode)));
                    bounds.decode.extend(context.bound(&value.ty, q!(#codec::Encode + ::core::cmp::PartialEq)));
                    bounds.encode.extend(context.bound(&value.ty, q!(::core::cmp::PartialEq)));
                }
            }
            Role::Group { .. } | Role::Extensions { .. } => {}
        }
    }
    bounds
}

/// Generates checks that tags are distinct within a run of optional components and the component after it (X.680
/// §25.6). They run at compile time, as far as tags are known.
pub(crate) fn distinct(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let mut run: Vec<TokenStream> = Vec::new();
    let mut checks = Vec::new();
    for component in wire_order(components) {
        let Role::Value { value, presence, .. } = &component.role else { continue };
        let tag = value.const_tag(context);
        if !run.is_empty() {
            let name = &value.name;
            let message = format!(
                "`{name}` has the same tag as a previous optional component, so the two cannot be distinguished (X.680 §25.6)"
            );
            checks.push(quote::quote_spanned!(component.span.span()=>
                ::core::assert!(#codec::__private::is_free(#tag, &[#(#run),*]), #message);
            ));
        }
        if matches!(presence, Presence::Required) {
            run.clear();
        } else {
            run.push(tag);
        }
    }
    assertions(context, &checks)
}

/// Generates constant assertions, with the items needed to find tags.
pub(crate) fn assertions(context: &Context<'_>, checks: &[TokenStream]) -> TokenStream {
    let codec = &context.codec;
    if checks.is_empty() {
        return q!();
    }
    q! {
        const _: () = {
            #[allow(unused_imports)]
            use #codec::__private::MaybeTagged as _;
            #(#checks)*
        };
    }
}
