//! An extension addition group: components without an enclosing element.

use proc_macro2::TokenStream;

use crate::ast::{Component, Role};
use crate::expand::{Context, q, sequence};
use crate::table;

/// Generates the traits of a group.
pub(crate) fn expand(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let (codec, lifetime) = (&context.codec, &context.lifetime);
    let bounds = sequence::bounds(context, components);
    let fields = components.iter().filter_map(|component| match &component.role {
        Role::Value { value, presence, .. } => Some(table::field(context, value, presence, false)),
        _ => None,
    });
    // The group is there if any of its components is.
    let starts = components.iter().filter_map(|component| match &component.role {
        Role::Value { value, .. } => Some(value.starts(context)),
        _ => None,
    });
    let (statements, value) = sequence::reading(context, components);
    let len = sequence::len(context, components);
    let encode = sequence::encode(context, components);
    let distinct = sequence::distinct(context, components);
    let table = context.header(&q!(__private::GroupFields), false, &bounds.typed);
    let decoding = context.header(&q!(__private::DecodeGroup), true, &bounds.decode);
    let encoding = context.header(&q!(__private::EncodeGroup), false, &bounds.encode);
    q! {
        #table {
            const FIELDS: &'static [#codec::table::Field] = &[#(#fields),*];
        }

        #decoding {
            #[inline]
            fn starts(reader: &#codec::Reader<#lifetime, '_>) -> bool {
                #(#starts)||*
            }

            #[inline]
            fn decode_components(
                reader: &mut #codec::Reader<#lifetime, '_>,
            ) -> ::core::result::Result<Self, #codec::Fault> {
                #statements
                #value
            }
        }

        #encoding {
            #[inline]
            fn components_len(&self) -> usize {
                #len
            }

            #[inline]
            fn encode_components(
                &self,
                writer: &mut #codec::Writer<'_>,
            ) -> ::core::result::Result<(), #codec::EncodeError> {
                #encode
            }
        }

        #distinct
    }
}
