//! An open type governed by an object set: a key selects the alternative.

use proc_macro2::TokenStream;

use crate::ast::{Key, OpenType};
use crate::expand::{Context, q};

/// Generates `impl OpenType`.
pub(crate) fn expand(context: &Context<'_>, open: &OpenType) -> TokenStream {
    let (codec, lifetime) = (&context.codec, &context.lifetime);
    let mut bounds = crate::expand::Bounds::default();
    let (mut objects, mut known, mut reads, mut checks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut keys, mut lens, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    let mut constants = Vec::new();
    for (index, object) in open.alternatives.iter().enumerate() {
        let (ident, ty, name) = (&object.ident, &object.ty, &object.name);
        // As a pattern, and as an expression.
        let (key, value) = match &object.key {
            Key::Octets(octets) => (q!([#(#octets),*]), q!(&[#(#octets),*])),
            Key::Constant(path) => {
                let constant = quote::format_ident!("KEY_{index}");
                constants.push(q!(const #constant: &[u8] = #codec::Oid::as_bytes(&#path);));
                (q!(#constant), q!(#codec::Oid::as_bytes(&#path)))
            }
        };
        objects.push(q! {
            #codec::table::Object {
                name: #codec::table::Text::Const(#name),
                key: #codec::table::List::Const(const { #value }),
                ty: #codec::table::TypeRef::of::<#ty>(),
            }
        });
        known.push(key.clone());
        reads.push(q!(#key => reader.read::<#ty>().map(Self::#ident),));
        checks.push(q!(#key => reader.read::<#ty>().map(|_| ()),));
        keys.push(q!(Self::#ident(_) => const { #value },));
        lens.push(q!(Self::#ident(value) => #codec::Encode::encoded_len(value),));
        writes.push(q!(Self::#ident(value) => writer.write(value).map_err(|error| error.inside(#name)),));
        bounds.decode.extend(context.bound(ty, q!(#codec::Decode<#lifetime> + #codec::Encode)));
    }
    let unknown = open.unknown.as_ref().map(|(ident, _)| ident);
    let set_name = &context.input.name;
    let header = context.header(&q!(OpenType), true, &bounds.decode);
    // Not `inline`: what a set of many types decodes and checks would be copied into every crate and unit that reads one. Few
    // programs write values by their key: that is compiled where it is used.
    q! {
        #header {
            fn set() -> &'static #codec::table::ObjectSet {
                const {
                    &#codec::table::ObjectSet {
                        name: #codec::table::Text::Const(#set_name),
                        objects: #codec::table::List::Const(const { &[#(#objects),*] }),
                        extensible: true,
                    }
                }
            }

            fn knows(key: &[u8]) -> bool {
                #(#constants)*
                ::core::matches!(key, #(#known)|*)
            }

            fn decode_open(
                reader: &mut #codec::Reader<#lifetime, '_>,
                key: &#lifetime [u8],
            ) -> ::core::result::Result<Self, #codec::Fault> {
                #(#constants)*
                match key {
                    #(#reads)*
                    _ => ::core::result::Result::Err(reader.fault(#codec::FaultKind::Internal, reader.position())),
                }
            }

            fn check_open(
                reader: &mut #codec::Reader<#lifetime, '_>,
                key: &#lifetime [u8],
            ) -> ::core::result::Result<(), #codec::Fault> {
                #(#constants)*
                match key {
                    #(#checks)*
                    _ => ::core::result::Result::Err(reader.fault(#codec::FaultKind::Internal, reader.position())),
                }
            }

            fn from_unknown(unknown: #codec::Unknown<#lifetime>) -> Self {
                Self::#unknown(unknown)
            }

            fn key(&self) -> &[u8] {
                match self {
                    #(#keys)*
                    Self::#unknown(unknown) => unknown.key,
                }
            }

            #[inline]
            fn open_len(&self) -> usize {
                match self {
                    #(#lens)*
                    Self::#unknown(unknown) => unknown.bytes.len(),
                }
            }

            #[inline]
            fn encode_open(
                &self,
                writer: &mut #codec::Writer<'_>,
                wrapped: bool,
            ) -> ::core::result::Result<(), #codec::EncodeError> {
                match self {
                    #(#writes)*
                    Self::#unknown(unknown) => unknown.encode_in::<Self>(writer, wrapped),
                }
            }
        }
    }
}
