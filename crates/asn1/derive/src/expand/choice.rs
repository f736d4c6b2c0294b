//! CHOICE: the tag of the next element selects the alternative.

use proc_macro2::TokenStream;

use crate::ast::{Alternative, Choice, Presence, Value};
use crate::expand::{Bounds, Context, Parts, q, sequence};
use crate::table;

/// Generates the parts of a CHOICE.
pub(crate) fn parts(context: &Context<'_>, choice: &Choice) -> Parts {
    let codec = &context.codec;
    let (mut starts, mut reads, mut lens, mut writes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut fields, mut checks, mut tags) = (Vec::new(), Vec::new(), Vec::new());
    let mut bounds = Bounds::default();
    for Alternative { ident, value, unit } in &choice.alternatives {
        // A variant without data is a NULL.
        let ty = if *unit { syn::parse_quote!(#codec::Null) } else { value.ty.clone() };
        let value = &Value { ty, ..value.clone() };
        let start = value.starts(context);
        let read = value.read_checked(context, None);
        reads.push(if *unit {
            q!(if #start { let #codec::Null = #read; ::core::result::Result::Ok(Self::#ident) } else)
        } else {
            q!(if #start { ::core::result::Result::Ok(Self::#ident(#read)) } else)
        });
        starts.push(start);
        let place = if *unit { q!(&#codec::Null) } else { q!(value) };
        let pattern = if *unit { q!(Self::#ident) } else { q!(Self::#ident(value)) };
        let (len, name) = (value.len(context, &place), &value.name);
        let write = value.write_named(context, &place);
        lens.push(q!(#pattern => #len,));
        writes.push(q!(#pattern => { #write ::core::result::Result::Ok(()) }));
        fields.push(table::field(context, value, &Presence::Required, false));
        let tag = value.const_tag(context);
        if !tags.is_empty() {
            let message = format!("the alternative `{name}` has the same tag as a previous one (X.680 §29.3)");
            checks.push(quote::quote_spanned!(value.span=>
                ::core::assert!(#codec::__private::is_free(#tag, &[#(#tags),*]), #message);
            ));
        }
        tags.push(tag);
        value.bounds(context, &mut bounds);
    }
    let other = match &choice.unknown {
        Some((ident, ty)) => {
            lens.push(q!(Self::#ident(value) => #codec::Encode::encoded_len(value),));
            writes.push(q!(Self::#ident(value) => writer.write(value)));
            q!(reader.read::<#ty>().map(Self::#ident))
        }
        None => q!(::core::result::Result::Err(reader.no_alternative())),
    };
    let extensible = choice.unknown.is_some();
    Parts {
        tag: None,
        decode: q!(#(#reads)* { #other }),
        starts: q!(#(#starts)||*),
        len: q!(match self { #(#lens)* }),
        encode: q!(match self { #(#writes)* }),
        shape: q! {
            #codec::table::Shape::Choice {
                alternatives: #codec::table::List::Const(const { &[#(#fields),*] }),
                extensible: #extensible,
            }
        },
        inner: None,
        constraints: q!(),
        bounds,
        items: items(context, &checks),
    }
}

fn items(context: &Context<'_>, checks: &[TokenStream]) -> TokenStream {
    sequence::assertions(context, checks)
}
