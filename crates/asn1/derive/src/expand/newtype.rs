//! A newtype: a tuple struct with one field.

use proc_macro2::TokenStream;

use crate::ast::{Newtype, Wrapper};
use crate::expand::value::tagging_list;
use crate::expand::{Bounds, Context, Parts, named_bits, q};
use crate::table;

/// Generates the parts of a newtype.
pub(crate) fn parts(context: &Context<'_>, newtype: &Newtype) -> Parts {
    let (codec, lifetime) = (&context.codec, &context.lifetime);
    let Newtype { member, value, tagless, named_bits, named_numbers } = newtype;
    let ty = &value.wire(context);
    let (bare, place) = (q!(&self.#member), value.wired(context, &q!(&self.#member)));
    let constrained = value.is_constrained();
    let made = q!(Self { #member: value });
    let tagging = context.input.tagging.as_ref();
    let string = value.wrapper.map(|wrapper| match wrapper {
        Wrapper::OctetString => (q!(#codec::Tag::OCTET_STRING), q!(#codec::OctetStr<'static>)),
        Wrapper::BitString => (q!(#codec::Tag::BIT_STRING), q!(#codec::BitStr<'static>)),
    });
    let has_tag = string.is_some() || !tagless;
    let tag = match &string {
        Some((tag, _)) => Some(q!(#tag)),
        None if *tagless => None,
        None => Some(q!(<#ty as #codec::Tagged>::TAG)),
    };
    // Under an explicit tag the type's own tag need not be known: its whole element is read.
    let explicit = tagging.is_some_and(|tagging| tagging.explicit);
    let whole = string.is_none() && (explicit || !has_tag);
    let read = match (&value.wrapper, whole) {
        (Some(Wrapper::BitString), _) => {
            q!(reader.nested(len, |reader| { reader.no_unused_bits()?; reader.read::<#ty>() }))
        }
        (Some(Wrapper::OctetString), _) => q!(reader.nested(len, |reader| reader.read::<#ty>())),
        (None, true) => q!(reader.read::<#ty>()),
        (None, false) => q!(<#ty as #codec::DecodeValue<#lifetime>>::decode_value(reader, len)),
    };
    // The type that is judged is what the newtype is made of: a string, where it holds an encoding.
    let judged_type = string.as_ref().map_or_else(|| q!(#ty), |(_, string)| string.clone());
    let judging = value.is_judged().then(|| {
        let judged = table::judged(context, &value.judged);
        q!(<#judged_type as #codec::table::Typed>::ty(), #whole, const { &[#judged] })
    });
    let read = if value.octets { q!(#read.map(|octets| octets.0)) } else { read };
    let decode = if constrained {
        let check = value.check_decoded(context);
        let judged = judging.as_ref().map(|arguments| q!(#codec::__private::newtype_obeys(&*reader, at, #arguments)?;));
        q! {{
            let at = reader.position();
            let value = #read?;
            #check
            #judged
            ::core::result::Result::Ok(#made)
        }}
    } else {
        q!(#read.map(|value| #made))
    };
    let check = value.check_encoded(context, &bare, None);
    let (mark, judged) = match &judging {
        Some(arguments) => {
            (q!(let mark = writer.mark();), q!(#codec::__private::newtype_written(&*writer, mark, #arguments)?;))
        }
        None => (q!(), q!()),
    };
    let judged = |write: TokenStream| {
        if judging.is_some() {
            q!({ #check #mark #write?; #judged ::core::result::Result::Ok(()) })
        } else {
            q!({ #check #write })
        }
    };
    let (len, encode) = match (&value.wrapper, whole) {
        (Some(Wrapper::BitString), _) => (
            q!(#codec::Encode::encoded_len(#place).saturating_add(1)),
            judged(q!(writer.write(#place).and_then(|()| writer.octet(0)))),
        ),
        (Some(Wrapper::OctetString), _) | (None, true) => {
            (q!(#codec::Encode::encoded_len(#place)), judged(q!(writer.write(#place))))
        }
        (None, false) => {
            (q!(#codec::EncodeValue::value_len(#place)), judged(q!(#codec::EncodeValue::encode_value(#place, writer))))
        }
    };
    let mut bounds = Bounds::default();
    let bound = |bound: TokenStream| context.bound(&value.ty, bound).filter(|_| !value.octets);
    let (decoding, encoding) = if whole || string.is_some() {
        (q!(#codec::Decode<#lifetime>), q!(#codec::Encode))
    } else {
        bounds.typed.extend(bound(q!(#codec::Tagged)));
        bounds.tagged.extend(bound(q!(#codec::Tagged)));
        (q!(#codec::DecodeValue<#lifetime>), q!(#codec::EncodeValue))
    };
    bounds.typed.extend(bound(q!(#codec::Typed)));
    bounds.decode.extend(bound(decoding));
    bounds.encode.extend(bound(encoding));

    let inner = match &string {
        Some((_, string)) => q!(#codec::table::TypeRef::of::<#string>()),
        None => q!(#codec::table::TypeRef::of::<#ty>()),
    };
    let shape = match tagging {
        _ if !named_bits.is_empty() => {
            let names = named_bits::list(context, named_bits);
            q!(#codec::table::Shape::BitString(#names))
        }
        _ if !named_numbers.is_empty() => {
            let names = named_bits::list(context, named_numbers);
            q!(#codec::table::Shape::Integer(#names))
        }
        Some(tagging) if !tagging.explicit => {
            let tagging = tagging_list(context, tagging);
            q!(#codec::table::Shape::Tagged { tagging: #tagging, inner: #inner })
        }
        _ => q!(#codec::table::Shape::Named(#inner)),
    };
    let containing =
        string.as_ref().map(|_| q!(#codec::table::Constraint::Containing(#codec::table::TypeRef::of::<#ty>()),));
    let constraints = table::constraints(context, value);
    Parts {
        tag: if whole && has_tag { None } else { tag },
        decode,
        starts: q!(<#ty as #codec::Decode<#lifetime>>::starts(reader)),
        len,
        encode,
        shape,
        inner: (named_bits.is_empty() && named_numbers.is_empty()).then_some(inner),
        constraints: q!(#containing #constraints),
        bounds,
        items: named_bits::items(context, member, named_bits),
    }
}
