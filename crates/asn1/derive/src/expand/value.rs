//! A single value: how to recognize, decode, measure, encode and describe it in any context.

use proc_macro2::{Span, TokenStream};
use syn::WherePredicate;
use syn::spanned::Spanned;

use crate::ast::{Tagging, Value, Wrapper};
use crate::expand::{Bounds, Context, eternal, q};
use crate::table;

/// Quotes with macro hygiene, with the span of the value's type, so that a missing trait is reported there.
macro_rules! at {
    ($value:expr, $($tokens:tt)*) => {
        quote::quote_spanned!(Span::mixed_site().located_at($value.ty.span())=> $($tokens)*)
    };
}

impl Value {
    /// Returns the type that is decoded and encoded: the field's type, or an OCTET STRING of its bytes.
    pub(crate) fn wire(&self, context: &Context<'_>) -> TokenStream {
        let (codec, ty) = (&context.codec, &self.ty);
        if self.octets { at!(self, #codec::__private::Octets<#ty>) } else { q!(#ty) }
    }

    /// Converts a reference to the field to a reference to the encoded value.
    pub(crate) fn wired(&self, context: &Context<'_>, place: &TokenStream) -> TokenStream {
        let codec = &context.codec;
        if self.octets { at!(self, &#codec::__private::Octets(#place)) } else { place.clone() }
    }

    /// Returns the tag of the string that wraps the value.
    fn wrapper_tag(&self, context: &Context<'_>) -> Option<TokenStream> {
        let codec = &context.codec;
        self.wrapper.map(|wrapper| match wrapper {
            Wrapper::OctetString => q!(#codec::Tag::OCTET_STRING),
            Wrapper::BitString => q!(#codec::Tag::BIT_STRING),
        })
    }

    /// Returns whether the type's own tag is replaced.
    fn is_implicit(&self) -> bool {
        self.tagging.is_some_and(|tagging| !tagging.explicit)
    }

    /// Returns the reference to the field that contains the value.
    pub(crate) fn place(&self, member: &syn::Member) -> TokenStream {
        at!(self, &self.#member)
    }

    /// Generates an expression on `reader` that tests whether the next element can be this value.
    pub(crate) fn starts(&self, context: &Context<'_>) -> TokenStream {
        let (codec, lifetime, ty) = (&context.codec, &context.lifetime, self.wire(context));
        match (&self.tagging, self.wrapper_tag(context)) {
            (Some(tagging), _) => {
                let tag = context.tag(tagging);
                q!(reader.at(#tag))
            }
            (None, Some(tag)) => q!(reader.at(#tag)),
            (None, None) if self.defined_by.is_some() => q!(<#ty as #codec::DecodeOpen<#lifetime>>::starts(reader)),
            (None, None) => q!(<#ty as #codec::Decode<#lifetime>>::starts(reader)),
        }
    }

    /// Generates an expression on `reader` that decodes the value, as a `Result`. `key` selects its type if it is an
    /// open type.
    pub(crate) fn read(&self, context: &Context<'_>, key: Option<&TokenStream>) -> TokenStream {
        let (codec, lifetime, ty) = (&context.codec, &context.lifetime, self.wire(context));
        let tag = self.tagging.as_ref().map(|tagging| context.tag(tagging));
        let wrapped = self.wrapper.is_some();
        let inner = match key {
            Some(key) => q!(<#ty as #codec::DecodeOpen<#lifetime>>::decode_defined(reader, #key, #wrapped)),
            None => q!(reader.read::<#ty>()),
        };
        let initial = match self.wrapper {
            Some(Wrapper::BitString) => q!(reader.no_unused_bits()?;),
            _ => q!(),
        };
        let content = q!(|reader| { #initial #inner });
        let content = if initial.is_empty() { q!(|reader| #inner) } else { content };
        let read = match (self.wrapper_tag(context), tag) {
            (None, None) => inner,
            (None, Some(tag)) if self.is_implicit() => q!(reader.read_implicit::<#ty>(#tag)),
            (None, Some(tag)) if key.is_none() => q!(reader.read_explicit::<#ty>(#tag)),
            (None, Some(tag)) => q!(reader.element(#tag.constructed(), |reader| #inner)),
            (Some(own), None) => q!(reader.element(#own, #content)),
            (Some(_), Some(tag)) if self.is_implicit() => q!(reader.element(#tag, #content)),
            (Some(own), Some(tag)) => {
                q!(reader.element(#tag.constructed(), |reader| reader.element(#own, #content)))
            }
        };
        if self.octets { q!(#read.map(|octets| octets.0)) } else { read }
    }

    /// Generates an expression on `reader` that decodes the value and checks its constraints. It contains `?`.
    pub(crate) fn read_checked(&self, context: &Context<'_>, key: Option<&TokenStream>) -> TokenStream {
        let read = self.read(context, key);
        if !self.is_constrained() {
            return q!(#read?);
        }
        let (check, judged) = (self.check_decoded(context), self.judge_read(context));
        q! {{
            let at = reader.position();
            let value = #read?;
            #check
            #judged
            value
        }}
    }

    /// Generates a statement that checks the component that was read from `at` against its table-driven constraints.
    fn judge_read(&self, context: &Context<'_>) -> Option<TokenStream> {
        self.is_judged().then(|| {
            let (codec, judged) = (&context.codec, table::judged(context, &self.judged));
            let field = table::field(context, self, &crate::ast::Presence::Required, false);
            q!(#codec::__private::component_obeys(&*reader, at, const { &#field }, const { &[#judged] })?;)
        })
    }

    /// Generates two statements: one that sets `mark` before a component is written, and one that checks the written component
    /// against its table-driven constraints.
    fn judge_written(&self, context: &Context<'_>) -> (Option<TokenStream>, Option<TokenStream>) {
        if !self.is_judged() {
            return (None, None);
        }
        let (codec, judged, name) = (&context.codec, table::judged(context, &self.judged), &self.name);
        let field = table::field(context, self, &crate::ast::Presence::Required, false);
        let check = q! {
            #codec::__private::component_written(&*writer, mark, const { &#field }, const { &[#judged] })
                .map_err(|error| error.inside(#name))?;
        };
        (Some(q!(let mark = writer.mark();)), Some(check))
    }

    /// Generates statements that check the constraints on `value`, which was decoded at `at`.
    pub(crate) fn check_decoded(&self, context: &Context<'_>) -> TokenStream {
        let codec = &context.codec;
        let size = self
            .size
            .as_ref()
            .and_then(|ranges| table::size_test(context, ranges, &q!(&value)))
            .map(|test| q!(if !(#test) { reader.deviate(&#codec::Rule::SIZE, #codec::FaultKind::Size, at)?; }));
        let range = self
            .range
            .as_ref()
            .and_then(|ranges| table::value_test(context, ranges, &q!(&value)))
            .map(|test| q!(if !(#test) { reader.deviate(&#codec::Rule::VALUE, #codec::FaultKind::Value, at)?; }));
        let refuse = |test: TokenStream| q!(if !(#test) { reader.deviate(&#codec::Rule::VALUE, #codec::FaultKind::Value, at)?; });
        let place = q!(&value);
        let from = self.from.as_ref().and_then(|from| table::from_test(context, from, &place)).map(refuse);
        let pattern = self.pattern.as_ref().map(|pattern| refuse(table::pattern_test(context, pattern, &place)));
        q!(#size #range #from #pattern)
    }

    /// Generates statements that check the constraints on the value at the reference `place` before it is written.
    pub(crate) fn check_encoded(&self, context: &Context<'_>, place: &TokenStream, name: Option<&str>) -> TokenStream {
        let codec = &context.codec;
        let inside = name.map(|name| q!(.inside(#name)));
        let refuse = |test: TokenStream, kind: TokenStream| {
            q! {
                if !(#test) {
                    return ::core::result::Result::Err(#codec::EncodeError::new(#codec::FaultKind::#kind) #inside);
                }
            }
        };
        let size = self.size.as_ref().and_then(|ranges| table::size_test(context, ranges, place));
        let range = self.range.as_ref().and_then(|ranges| table::value_test(context, ranges, place));
        let (size, range) = (size.map(|test| refuse(test, q!(Size))), range.map(|test| refuse(test, q!(Value))));
        let from = self.from.as_ref().and_then(|from| table::from_test(context, from, place));
        let pattern = self.pattern.as_ref().map(|pattern| table::pattern_test(context, pattern, place));
        let (from, pattern) = (from.map(|test| refuse(test, q!(Value))), pattern.map(|test| refuse(test, q!(Value))));
        q!(#size #range #from #pattern)
    }

    /// Generates an expression for the encoded size of the value at the reference `place`.
    pub(crate) fn len(&self, context: &Context<'_>, place: &TokenStream) -> TokenStream {
        let (codec, place) = (&context.codec, &self.wired(context, place));
        let tag = self.tagging.as_ref().map(|tagging| context.tag(tagging));
        let inner = match self.defined_by {
            Some(_) => at!(self, #codec::EncodeOpen::defined_len(#place)),
            None => at!(self, #codec::Encode::encoded_len(#place)),
        };
        let content = match self.wrapper {
            Some(Wrapper::BitString) => at!(self, #inner.saturating_add(1)),
            _ => inner.clone(),
        };
        match (self.wrapper_tag(context), tag) {
            (None, None) => inner,
            (None, Some(tag)) if self.is_implicit() => at!(self, #codec::implicit_len(#tag, #place)),
            (None, Some(tag)) => at!(self, #codec::element_len(#tag, #inner)),
            (Some(own), None) => at!(self, #codec::element_len(#own, #content)),
            (Some(_), Some(tag)) if self.is_implicit() => at!(self, #codec::element_len(#tag, #content)),
            (Some(own), Some(tag)) => at!(self, #codec::element_len(#tag, #codec::element_len(#own, #content))),
        }
    }

    /// Generates an expression on `writer` that writes the value at the reference `place`, as a `Result`.
    pub(crate) fn write(&self, context: &Context<'_>, place: &TokenStream) -> TokenStream {
        let (codec, place) = (&context.codec, &self.wired(context, place));
        let tag = self.tagging.as_ref().map(|tagging| context.tag(tagging));
        let wrapped = self.wrapper.is_some();
        let inner = match self.defined_by {
            Some(_) => at!(self, #codec::EncodeOpen::encode_defined(#place, writer, #wrapped)),
            None => at!(self, writer.write(#place)),
        };
        let content = match self.wrapper {
            Some(Wrapper::BitString) => at!(self, |writer| { #inner?; writer.octet(0) }),
            _ => at!(self, |writer| #inner),
        };
        match (self.wrapper_tag(context), tag) {
            (None, None) => inner,
            (None, Some(tag)) if self.is_implicit() => at!(self, writer.write_implicit(#tag, #place)),
            (None, Some(tag)) if self.defined_by.is_none() => at!(self, writer.write_explicit(#tag, #place)),
            (None, Some(tag)) => at!(self, writer.element(#tag.constructed(), #content)),
            (Some(own), None) => at!(self, writer.element(#own, #content)),
            (Some(_), Some(tag)) if self.is_implicit() => at!(self, writer.element(#tag, #content)),
            (Some(own), Some(tag)) => {
                at!(self, writer.element(#tag.constructed(), |writer| writer.element(#own, #content)))
            }
        }
    }

    /// Generates a statement that checks and writes the value, and adds its name to errors.
    pub(crate) fn write_named(&self, context: &Context<'_>, place: &TokenStream) -> TokenStream {
        let (name, write) = (&self.name, self.write(context, place));
        let check = self.check_encoded(context, place, Some(name));
        let (mark, judged) = self.judge_written(context);
        q!(#check #mark #write.map_err(|error| error.inside(#name))?; #judged)
    }

    /// Adds the bounds that decoding and encoding the value require.
    pub(crate) fn bounds(&self, context: &Context<'_>, bounds: &mut Bounds) {
        if self.octets {
            return;
        }
        let (codec, lifetime) = (&context.codec, &context.lifetime);
        let (decode, encode) = if self.defined_by.is_some() {
            (q!(#codec::DecodeOpen<#lifetime>), q!(#codec::EncodeOpen))
        } else if self.is_implicit() && self.wrapper.is_none() {
            (q!(#codec::DecodeValue<#lifetime>), q!(#codec::EncodeValue))
        } else {
            (q!(#codec::Decode<#lifetime>), q!(#codec::Encode))
        };
        let typed = if self.defined_by.is_some() { decode.clone() } else { q!(#codec::Typed) };
        let add = |list: &mut Vec<WherePredicate>, bound: TokenStream| list.extend(context.bound(&self.ty, bound));
        add(&mut bounds.typed, typed);
        add(&mut bounds.decode, decode);
        add(&mut bounds.encode, encode);
    }

    /// Generates an expression for the tag as a compile-time `Option<Tag>`. It evaluates to `None` if only the type's own
    /// implementation knows the tag.
    pub(crate) fn const_tag(&self, context: &Context<'_>) -> TokenStream {
        let codec = &context.codec;
        match (&self.tagging, self.wrapper_tag(context)) {
            (Some(tagging), _) => {
                let tag = context.tag(tagging);
                q!(::core::option::Option::Some(#tag))
            }
            (None, Some(tag)) => q!(::core::option::Option::Some(#tag)),
            (None, None) if self.octets => q!(::core::option::Option::Some(#codec::Tag::OCTET_STRING)),
            (None, None) => match eternal(context, &self.ty).filter(|_| self.defined_by.is_none()) {
                Some(ty) => q!(#codec::__private::TagOf::<#ty>::TAG),
                None => q!(::core::option::Option::None),
            },
        }
    }
}

/// Generates the table's list of tags.
pub(crate) fn tagging_list(context: &Context<'_>, tagging: &Tagging) -> TokenStream {
    let codec = &context.codec;
    let (tag, explicit) = (context.tag(tagging), tagging.explicit);
    q!(#codec::table::Tagging { tag: #tag, explicit: #explicit })
}
