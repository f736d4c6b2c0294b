//! `#[derive(Asn1)]`: a Rust type says what it is in ASN.1, and is decoded, encoded and described as data.

mod ast;
mod attr;
mod check;
mod expand;
mod names;
mod table;

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Ident, parse_macro_input};

/// Derives the codec's traits; see the crate's documentation for the attributes.
#[proc_macro_derive(Asn1, attributes(asn1))]
pub fn derive_asn1(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    expand_item(&item).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn expand_item(item: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = attr::Errors::default();
    let input = ast::Input::read(item, &mut errors);
    if let Some(input) = &input {
        check::check(input, &mut errors);
    }
    match (errors.into_error(), input) {
        (Some(error), _) => Err(error),
        (None, Some(input)) => Ok(expand::expand(&input, codec(&input)?)),
        (None, None) => Ok(TokenStream::new()),
    }
}

/// The path of the codec: as the user says, else by its own name, else inside the facade.
fn codec(input: &ast::Input) -> syn::Result<TokenStream> {
    if let Some(path) = &input.codec {
        return Ok(quote!(#path));
    }
    for (package, inside) in [("tagwise-codec", None), ("tagwise", Some("codec"))] {
        let Ok(found) = crate_name(package) else { continue };
        let name = match found {
            // Tests and examples of a package name it as others do.
            FoundCrate::Itself => package.replace('-', "_"),
            FoundCrate::Name(name) => name,
        };
        let root = Ident::new(&name, Span::call_site());
        let inside = inside.map(|inside| Ident::new(inside, Span::call_site())).into_iter();
        return Ok(quote!(::#root #(::#inside)*));
    }
    Err(syn::Error::new(
        input.ident.span(),
        "neither `tagwise` nor `tagwise-codec` is a dependency; name the codec with `#[asn1(crate = path)]`",
    ))
}

#[cfg(test)]
mod tests;
