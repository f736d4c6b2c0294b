//! Generates code from the intermediate representation: the parts common to all types. Each kind of type has its own
//! file.

mod choice;
mod debug;
mod enumerated;
mod group;
pub(crate) mod making;
mod named_bits;
mod newtype;
mod open_type;
mod sequence;
mod set;
pub(crate) mod value;

use proc_macro2::{Span, TokenStream};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Generics, Lifetime, Type, WherePredicate};

use crate::ast::{Body, Class, Input, Tagging};
use crate::table;

/// Quotes with macro hygiene: variables in generated code do not conflict with those in the user's expressions.
macro_rules! q {
    ($($tokens:tt)*) => { ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*) };
}
pub(crate) use q;

/// The context of one expansion.
pub(crate) struct Context<'i> {
    pub(crate) input: &'i Input,
    /// The path of the codec.
    pub(crate) codec: TokenStream,
    /// The lifetime of the input.
    pub(crate) lifetime: Lifetime,
}

/// The type-dependent parts of an implementation.
pub(crate) struct Parts {
    /// The type's own tag, without additional tags; `None` for CHOICE.
    pub(crate) tag: Option<TokenStream>,
    /// An expression that decodes the content, of `len` bytes, or the whole element if there is no tag.
    pub(crate) decode: TokenStream,
    /// A Boolean expression that tests whether the next element can be a value of the type. Used if there is no tag.
    pub(crate) starts: TokenStream,
    /// An expression for the size of the output of `encode`.
    pub(crate) len: TokenStream,
    /// An expression that writes the content, or the whole element if there is no tag.
    pub(crate) encode: TokenStream,
    /// The table's shape.
    pub(crate) shape: TokenStream,
    /// The reference to the table of the type inside an explicit tag, if that type has its own table.
    pub(crate) inner: Option<TokenStream>,
    /// The table's constraints.
    pub(crate) constraints: TokenStream,
    /// The `where` bounds.
    pub(crate) bounds: Bounds,
    /// Additional items.
    pub(crate) items: TokenStream,
}

/// Bounds on types that mention a type parameter.
#[derive(Default)]
pub(crate) struct Bounds {
    pub(crate) typed: Vec<WherePredicate>,
    pub(crate) tagged: Vec<WherePredicate>,
    pub(crate) decode: Vec<WherePredicate>,
    pub(crate) encode: Vec<WherePredicate>,
}

/// Expands one type.
pub(crate) fn expand(input: &Input, codec: TokenStream) -> TokenStream {
    let lifetime = match input.generics.lifetimes().next() {
        Some(first) => first.lifetime.clone(),
        None => Lifetime::new("'asn1", Span::mixed_site()),
    };
    let context = Context { input, codec, lifetime };
    let (debug, lend, making) = (debug::expand(&context), context.lend(), making::expand(&context));
    let traits = match &input.body {
        Body::Group(components) => group::expand(&context, components),
        Body::OpenType(open) => open_type::expand(&context, open),
        Body::Sequence(components) => context.assemble(sequence::parts(&context, components)),
        Body::Set(components) => context.assemble(set::parts(&context, components)),
        Body::Newtype(newtype) => context.assemble(newtype::parts(&context, newtype)),
        Body::Choice(choice) => context.assemble(choice::parts(&context, choice)),
        Body::Enumerated(enumerated) => context.assemble(enumerated::parts(&context, enumerated)),
    };
    q!(#traits #lend #debug #making)
}

impl Context<'_> {
    /// Generates a tag as an expression.
    pub(crate) fn tag(&self, tagging: &Tagging) -> TokenStream {
        let (codec, number) = (&self.codec, tagging.number);
        match tagging.class {
            Class::Context => q!(#codec::Tag::context(#number)),
            Class::Application => q!(#codec::Tag::application(#number)),
            Class::Private => q!(#codec::Tag::private(#number)),
            Class::Universal => q!(#codec::Tag::new(#codec::Class::Universal, #number, false)),
        }
    }

    /// Generates `impl Trait for Type` up to the brace. A decoding trait has the input's lifetime.
    pub(crate) fn header(&self, name: &TokenStream, decoding: bool, bounds: &[WherePredicate]) -> TokenStream {
        let Self { input, codec, lifetime } = self;
        let mut generics: Generics = input.generics.clone();
        if !bounds.is_empty() {
            generics.make_where_clause().predicates.extend(bounds.iter().cloned());
        }
        let (_, ty_generics, _) = input.generics.split_for_impl();
        let ident = &input.ident;
        if decoding {
            let mut with_lifetime = generics.clone();
            if input.generics.lifetimes().next().is_none() {
                with_lifetime.params.insert(0, syn::parse_quote!(#lifetime));
            }
            let (impl_generics, _, where_clause) = with_lifetime.split_for_impl();
            q!(#[automatically_derived] impl #impl_generics #codec::#name<#lifetime> for #ident #ty_generics #where_clause)
        } else {
            let (impl_generics, _, where_clause) = generics.split_for_impl();
            q!(#[automatically_derived] impl #impl_generics #codec::#name for #ident #ty_generics #where_clause)
        }
    }

    /// Returns the type with another lifetime. The type must have at most one parameter, which is the input's lifetime.
    fn lend(&self) -> Option<TokenStream> {
        let Self { input, codec, .. } = self;
        let ident = &input.ident;
        let simple = input.generics.params.iter().all(|param| matches!(param, syn::GenericParam::Lifetime(_)));
        let plain = simple && input.generics.where_clause.is_none();
        if !plain || input.generics.params.len() > 1 || matches!(input.body, Body::Group(_) | Body::OpenType(_)) {
            return None;
        }
        let (other, which) = if input.generics.params.is_empty() { (q!(), q!()) } else { (q!(<'lent>), q!(<'_>)) };
        Some(q! {
            #[automatically_derived]
            impl #codec::Lend for #ident #which {
                type Of<'lent> = #ident #other;
            }
        })
    }

    /// Creates a `where` predicate, if the type mentions a type parameter.
    pub(crate) fn bound(&self, ty: &Type, bound: TokenStream) -> Option<WherePredicate> {
        self.is_generic(ty).then(|| syn::parse_quote!(#ty: #bound))
    }

    /// Returns whether the type mentions a type parameter.
    pub(crate) fn is_generic(&self, ty: &Type) -> bool {
        let mut finder = Finder { generics: &self.input.generics, found: false };
        finder.visit_type(ty);
        finder.found
    }

    /// Generates the traits of a type, with or without a tag of its own.
    fn assemble(&self, parts: Parts) -> TokenStream {
        let Self { input, codec, lifetime } = self;
        let table = table::typed(self, &parts);
        let Parts { tag, decode, starts, len, encode, bounds, items, .. } = parts;
        let judged = (!input.judged.is_empty()).then(|| table::judged(self, &input.judged));
        let whole = tag.is_none() && input.tagging.is_none();
        let arguments = judged.map(|judged| q!(<Self as #codec::table::Typed>::ty(), #whole, const { &[#judged] }));
        let checked = |decode: TokenStream| match &input.check {
            Some(check) => q! {
                let at = reader.position();
                let value: Self = #decode?;
                #check(&value, &*reader, at)?;
                ::core::result::Result::Ok(value)
            },
            None => decode,
        };
        // Before the end of an explicit tag's content is looked for, as values by the table are judged.
        let obeying = |decode: TokenStream| match &arguments {
            Some(arguments) => q! {{
                let at = reader.position();
                let value: Self = #decode?;
                #codec::__private::newtype_obeys(&*reader, at, #arguments)?;
                ::core::result::Result::Ok(value)
            }},
            None => decode,
        };
        let written = |encode: TokenStream| match &arguments {
            Some(arguments) => q! {
                let mark = writer.mark();
                #encode?;
                #codec::__private::newtype_written(&*writer, mark, #arguments)
            },
            None => encode,
        };
        let explicit = input.tagging.as_ref().is_some_and(|tagging| tagging.explicit);
        let outer = input.tagging.as_ref().map(|tagging| self.tag(tagging));
        let fault = q!(#codec::Fault);
        let error = q!(#codec::EncodeError);
        // With a tag, an explicit one encloses the type's own element; an implicit one takes the place of its tag.
        let (tag, decode, len, encode) = match (outer, explicit, tag) {
            (Some(outer), true, Some(own)) => (
                q!(#outer.constructed()),
                match &input.body {
                    Body::Sequence(components) if arguments.is_none() => sequence::explicit(self, components),
                    _ => {
                        let inside = obeying(q!({ let len = reader.expect(#own)?; #decode }));
                        q!(reader.nested(len, |reader| #inside))
                    }
                },
                q!(#codec::element_len(#own, #len)),
                q!(writer.element(#own, |writer| #encode)),
            ),
            (Some(outer), _, None) => {
                let inside = obeying(decode);
                // Not `nested`: a closure would hand the value on by copies.
                let decode = q! {{
                    let around = reader.enter(len)?;
                    let value: ::core::result::Result<Self, #fault> = #inside;
                    if value.is_ok() {
                        reader.leave(around)?;
                    }
                    value
                }};
                (q!(#outer.constructed()), decode, len, encode)
            }
            (Some(outer), false, Some(own)) => (q!(#outer.formed_like(#own)), obeying(decode), len, encode),
            (None, _, Some(own)) => (own, obeying(decode), len, encode),
            (None, _, None) => {
                let decoding = self.header(&q!(Decode), true, &bounds.decode);
                let encoding = self.header(&q!(Encode), false, &bounds.encode);
                let (decode, encode) = (checked(obeying(decode)), written(encode));
                let boxed = input.boxed.map(|_| self.boxed(&bounds));
                return q! {
                    #table

                    #decoding {
                        #[inline]
                        fn starts(reader: &#codec::Reader<#lifetime, '_>) -> bool {
                            #starts
                        }

                        #[inline]
                        fn decode(reader: &mut #codec::Reader<#lifetime, '_>) -> ::core::result::Result<Self, #fault> {
                            #decode
                        }
                    }

                    #encoding {
                        #[inline]
                        fn encoded_len(&self) -> usize {
                            #len
                        }

                        #[inline]
                        fn encode(&self, writer: &mut #codec::Writer<'_>) -> ::core::result::Result<(), #error> {
                            #encode
                        }
                    }

                    #boxed

                    #items
                };
            }
        };
        let (decode, encode) = (checked(decode), written(encode));
        let shaped = input.shape.as_ref().map(|path| {
            q! {
                const SHAPED: bool = true;

                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                fn shape(reader: &mut #codec::Reader<#lifetime, '_>, len: usize) -> ::core::option::Option<Self> {
                    #path(reader, len)
                }
            }
        });
        let inline =
            if input.inline { q!(#[cfg_attr(not(target_family = "wasm"), inline(always))]) } else { q!(#[inline]) };
        let tagged = self.header(&q!(Tagged), false, &bounds.tagged);
        let decoding = self.header(&q!(DecodeValue), true, &bounds.decode);
        let encoding = self.header(&q!(EncodeValue), false, &bounds.encode);
        q! {
            #table

            #tagged {
                const TAG: #codec::Tag = #tag;
            }

            #decoding {
                #inline
                fn decode_value(
                    reader: &mut #codec::Reader<#lifetime, '_>,
                    len: usize,
                ) -> ::core::result::Result<Self, #fault> {
                    #decode
                }

                #shaped
            }

            #encoding {
                #inline
                fn value_len(&self) -> usize {
                    #len
                }

                #inline
                fn encode_value(&self, writer: &mut #codec::Writer<'_>) -> ::core::result::Result<(), #error> {
                    #encode
                }
            }

            #items
        }
    }
}

impl Context<'_> {
    /// Generates the traits of a box of a type without a tag of its own. For boxes of other types, the codec implements them.
    fn boxed(&self, bounds: &Bounds) -> TokenStream {
        let Self { input, codec, lifetime } = self;
        let ident = &input.ident;
        let (_, ty_generics, _) = input.generics.split_for_impl();
        let with = |bounds: &[WherePredicate], lifetime: Option<&Lifetime>| {
            let mut generics = input.generics.clone();
            if !bounds.is_empty() {
                generics.make_where_clause().predicates.extend(bounds.iter().cloned());
            }
            if let Some(lifetime) = lifetime.filter(|_| input.generics.lifetimes().next().is_none()) {
                generics.params.insert(0, syn::parse_quote!(#lifetime));
            }
            generics
        };
        let (decode, encode) = (with(&bounds.decode, Some(lifetime)), with(&bounds.encode, None));
        let (decode_generics, _, decode_where) = decode.split_for_impl();
        let (encode_generics, _, encode_where) = encode.split_for_impl();
        q! {
            #[automatically_derived]
            impl #decode_generics #codec::Decode<#lifetime> for #codec::__private::Box<#ident #ty_generics> #decode_where {
                fn starts(reader: &#codec::Reader<#lifetime, '_>) -> bool {
                    <#ident #ty_generics as #codec::Decode<#lifetime>>::starts(reader)
                }

                fn decode(
                    reader: &mut #codec::Reader<#lifetime, '_>,
                ) -> ::core::result::Result<Self, #codec::Fault> {
                    reader.read::<#ident #ty_generics>().map(#codec::__private::Box::new)
                }
            }

            #[automatically_derived]
            impl #encode_generics #codec::Encode for #codec::__private::Box<#ident #ty_generics> #encode_where {
                fn encoded_len(&self) -> usize {
                    #codec::Encode::encoded_len(&**self)
                }

                fn encode(
                    &self,
                    writer: &mut #codec::Writer<'_>,
                ) -> ::core::result::Result<(), #codec::EncodeError> {
                    writer.write(&**self)
                }
            }
        }
    }
}

struct Finder<'g> {
    generics: &'g Generics,
    found: bool,
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(first) = path.segments.first() {
            self.found |= self.generics.type_params().any(|param| param.ident == first.ident)
                || self.generics.const_params().any(|param| param.ident == first.ident);
        }
        syn::visit::visit_path(self, path);
    }
}

/// Replaces every lifetime in the type with an elided one, for code that decodes it from any input.
pub(crate) fn elided(ty: &Type) -> Type {
    struct Elided;
    impl VisitMut for Elided {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
    let mut ty = ty.clone();
    Elided.visit_type_mut(&mut ty);
    ty
}

/// Replaces every lifetime in the type with `'static`, for constants outside an `impl`. Returns `None` if that is not
/// possible.
pub(crate) fn eternal(context: &Context<'_>, ty: &Type) -> Option<Type> {
    struct Eternal {
        own: bool,
    }
    impl VisitMut for Eternal {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.lifetime = Some(Lifetime::new("'static", Span::mixed_site()));
            self.visit_type_mut(&mut reference.elem);
        }

        fn visit_path_mut(&mut self, path: &mut syn::Path) {
            self.own |= path.is_ident("Self");
            syn::visit_mut::visit_path_mut(self, path);
        }
    }
    if context.is_generic(ty) {
        return None;
    }
    let mut ty = ty.clone();
    let mut eternal = Eternal { own: false };
    eternal.visit_type_mut(&mut ty);
    (!eternal.own).then_some(ty)
}
