//! ENUMERATED, and INTEGER with named numbers.

use crate::ast::Enumerated;
use crate::expand::{Bounds, Context, Parts, q};
use crate::table;

/// Generates the parts of an ENUMERATED.
pub(crate) fn parts(context: &Context<'_>, enumerated: &Enumerated) -> Parts {
    let codec = &context.codec;
    let (mut constants, mut from, mut to) = (Vec::new(), Vec::new(), Vec::new());
    for (index, item) in enumerated.items.iter().enumerate() {
        let (ident, number) = (&item.ident, &item.number);
        if item.literal.is_some() {
            from.push(q!(#number => ::core::result::Result::Ok(Self::#ident),));
            to.push(q!(Self::#ident => #number,));
        } else {
            // A pattern needs a name for what is not a literal.
            let constant = quote::format_ident!("NUMBER_{index}", span = proc_macro2::Span::mixed_site());
            constants.push(q!(const #constant: i64 = #number;));
            from.push(q!(#constant => ::core::result::Result::Ok(Self::#ident),));
            to.push(q!(Self::#ident => #number,));
        }
    }
    let kind = if enumerated.integer { q!(Value) } else { q!(EnumeratedUnknown) };
    match &enumerated.unknown {
        Some((ident, _)) => {
            from.push(q!(number => ::core::result::Result::Ok(Self::#ident(number)),));
            to.push(q!(Self::#ident(number) => *number,));
        }
        None => from.push(q!(_ => ::core::result::Result::Err(reader.fault(#codec::FaultKind::#kind, at)),)),
    }
    let items = table::named_numbers(
        context,
        enumerated.items.iter().map(|item| {
            let number = &item.number;
            (item.name.as_str(), q!(#number))
        }),
    );
    let extensible = enumerated.unknown.is_some();
    let (tag, shape) = if enumerated.integer {
        (q!(#codec::Tag::INTEGER), q!(#codec::table::Shape::Integer(#items)))
    } else {
        (q!(#codec::Tag::ENUMERATED), q!(#codec::table::Shape::Enumerated { items: #items, extensible: #extensible }))
    };
    let decode = q! {{
        #(#constants)*
        let at = reader.position();
        match <i64 as #codec::DecodeValue<'_>>::decode_value(reader, len)? { #(#from)* }
    }};
    // Named numbers alone do not limit an INTEGER; that nothing else has a variant does.
    let constraints = if !enumerated.integer {
        q!()
    } else if extensible {
        q! {
            #codec::table::Constraint::Check(|reader, at| {
                #codec::__private::held(reader, at, <i64 as #codec::DecodeValue<'_>>::decode_value)
            }),
        }
    } else {
        let mut numbers: Vec<_> = enumerated.items.iter().collect();
        numbers.sort_by_key(|item| item.literal);
        let ranges = numbers.iter().map(|item| {
            let number = &item.number;
            q! {
                #codec::table::Range {
                    min: ::core::option::Option::Some((#number) as i128),
                    max: ::core::option::Option::Some((#number) as i128),
                }
            }
        });
        q! {
            #codec::table::Constraint::Check(|reader, at| {
                #codec::__private::held(reader, at, |reader, len| #decode)
            }),
            #codec::table::Constraint::Value {
                ranges: #codec::table::List::Const(const { &[#(#ranges),*] }),
                extensible: false,
            },
        }
    };
    let number = q!(match self { #(#to)* });
    Parts {
        tag: Some(tag),
        decode,
        starts: q!(),
        len: q!(#codec::EncodeValue::value_len(&{ let number: i64 = #number; number })),
        encode: q!(#codec::EncodeValue::encode_value(&{ let number: i64 = #number; number }, writer)),
        shape,
        inner: None,
        constraints,
        bounds: Bounds::default(),
        items: q!(),
    }
}
