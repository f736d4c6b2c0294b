//! Enum variants in the intermediate representation.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::spanned::Spanned;
use syn::{Fields, Ident, LitStr, Type, Variant};

use super::{Alternative, Body, Choice, EnumItem, Enumerated, Key, Object, OpenType, value};
use crate::attr::{Attrs, Errors, Expr};
use crate::names;

pub(super) fn enumeration<'v>(
    variants: impl Iterator<Item = &'v Variant>,
    has_repr: bool,
    mut attrs: Attrs,
    errors: &mut Errors,
) -> Body {
    let variants: Vec<(&Variant, Attrs)> =
        variants.map(|variant| (variant, Attrs::parse(&variant.attrs, errors))).collect();
    let units = variants
        .iter()
        .all(|(variant, attrs)| matches!(variant.fields, Fields::Unit) || attrs.has("unknown").is_some());
    let (open, choice, enumerated, integer) =
        (attrs.flag("open_type"), attrs.flag("choice"), attrs.flag("enumerated"), attrs.flag("integer"));
    let mut given = [open, choice, enumerated, integer].into_iter().flatten();
    given.next();
    for span in given {
        errors.push(span, "an enum requires one of `choice`, `enumerated`, `integer` and `open_type`");
    }
    attrs.finish("an enum", errors);
    // What rustc says of it (E0732) does not tell what to write.
    let keeps = variants.iter().any(|(variant, _)| !matches!(variant.fields, Fields::Unit));
    for (variant, _) in variants.iter().filter(|_| keeps && units && !has_repr) {
        if let Some((_, number)) = &variant.discriminant {
            let message = "a variant with a field cannot have a discriminant: write `#[asn1(number = …)]`";
            errors.push(number.span(), message);
        }
    }
    if open.is_some() {
        open_type(variants, errors)
    } else if choice.is_none() && (units || enumerated.is_some() || integer.is_some()) {
        enumerated_items(variants, integer.is_some(), errors)
    } else {
        choice_alternatives(variants, errors)
    }
}

/// Returns the type that a variant contains, or `None` for a unit variant.
fn variant_type(variant: &Variant, errors: &mut Errors) -> Option<Type> {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first().map(|field| field.ty.clone()),
        Fields::Unit => None,
        fields => {
            errors.push(
                fields.span(),
                "a variant must contain exactly one unnamed type: define a struct for its components",
            );
            None
        }
    }
}

/// Reads the variant for unknown values, which contains the type `what`.
fn unknown(variant: &Variant, mut attrs: Attrs, what: &str, slot: &mut Option<(Ident, Type)>, errors: &mut Errors) {
    let span = attrs.flag("unknown").unwrap_or_else(|| variant.ident.span());
    attrs.finish("the variant for unknown values", errors);
    if slot.is_some() {
        errors.push(span, "only one variant can represent unknown values");
    }
    match variant_type(variant, errors) {
        Some(ty) => *slot = Some((variant.ident.clone(), ty)),
        None => errors.push(span, format!("the variant for unknown values must contain {what}")),
    }
}

fn choice_alternatives(variants: Vec<(&Variant, Attrs)>, errors: &mut Errors) -> Body {
    let mut choice = Choice { alternatives: Vec::new(), unknown: None };
    for (variant, mut attrs) in variants {
        if attrs.has("unknown").is_some() {
            unknown(variant, attrs, "an `Any`", &mut choice.unknown, errors);
            continue;
        }
        if let Some((_, discriminant)) = &variant.discriminant {
            errors.push(discriminant.span(), "the alternatives of a CHOICE have tags, not numbers");
        }
        let name = attrs.text("name").map_or_else(|| names::variant(&variant.ident), |text| text.value());
        let ty = variant_type(variant, errors);
        let unit = ty.is_none();
        let ty = ty.unwrap_or_else(|| syn::parse_quote!(()));
        let value = value(&ty, name, variant.ident.span(), &mut attrs, errors);
        if let Some(path) = value.defined_by.as_ref().and_then(|path| path.first()) {
            errors.push(path.span(), "an alternative of a CHOICE cannot have other components");
        }
        attrs.finish("an alternative of a CHOICE", errors);
        choice.alternatives.push(Alternative { ident: variant.ident.clone(), value, unit });
    }
    Body::Choice(choice)
}

fn enumerated_items(variants: Vec<(&Variant, Attrs)>, integer: bool, errors: &mut Errors) -> Body {
    let mut enumerated = Enumerated { integer, items: Vec::new(), unknown: None };
    // Without a number of its own an item has the one after the item before it, as in Rust.
    let (mut base, mut offset): (Option<Expr>, i64) = (None, 0);
    for (variant, mut attrs) in variants {
        if attrs.has("unknown").is_some() {
            unknown(variant, attrs, "an `i64`", &mut enumerated.unknown, errors);
            let ty = enumerated.unknown.as_ref().map(|(_, ty)| ty);
            if let Some(ty) = ty.filter(|ty| super::last_segment(ty).is_some_and(|last| is_other_native(&last.ident))) {
                errors.push(ty.span(), "unknown numbers are stored in an `i64`");
            }
            continue;
        }
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(variant.fields.span(), "an item of an ENUMERATED is a number without fields");
        }
        let given = attrs.expr("number");
        if let (Some((span, _)), Some(_)) = (&given, &variant.discriminant) {
            errors.push(*span, "the discriminant already gives the number");
        }
        let given =
            given.map(|(_, expr)| expr).or_else(|| variant.discriminant.as_ref().map(|(_, number)| Expr::of(number)));
        let spelled = given.as_ref().map(Spanned::span);
        if let Some(expr) = given {
            (base, offset) = (Some(expr), 0);
        }
        let literal = match &base {
            Some(expr) => literal(expr).and_then(|start| start.checked_add(offset)),
            None => Some(offset),
        };
        let number = match (literal, &base) {
            (Some(number), _) => number_expr(number, variant.ident.span()),
            (None, Some(expr)) => Expr::of(quote::quote!((#expr) as i64 + #offset)),
            (None, None) => number_expr(0, variant.ident.span()),
        };
        offset += 1;
        let name = attrs.text("name").map_or_else(|| names::variant(&variant.ident), |text| text.value());
        attrs.finish("an item of an ENUMERATED", errors);
        let span = spelled.unwrap_or_else(|| variant.ident.span());
        enumerated.items.push(EnumItem { ident: variant.ident.clone(), name, number, literal, span });
    }
    Body::Enumerated(enumerated)
}

/// Returns whether a type is a native integer other than the one used for ENUMERATED numbers.
fn is_other_native(ident: &Ident) -> bool {
    const OTHERS: [&str; 11] = ["i8", "i16", "i32", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
    OTHERS.iter().any(|other| ident == other)
}

/// Returns the value of an integer literal, which may be negative.
pub(crate) fn literal(expr: &Expr) -> Option<i64> {
    fn of(expr: &syn::Expr) -> Option<i64> {
        match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => of(expr).map(|number| -number),
            syn::Expr::Group(group) => of(&group.expr),
            syn::Expr::Paren(paren) => of(&paren.expr),
            _ => None,
        }
    }
    of(&syn::parse2(expr.to_token_stream()).ok()?)
}

fn number_expr(number: i64, span: Span) -> Expr {
    let mut literal = proc_macro2::Literal::i64_unsuffixed(number);
    literal.set_span(span);
    Expr::of(literal)
}

fn open_type(variants: Vec<(&Variant, Attrs)>, errors: &mut Errors) -> Body {
    let mut open = OpenType { alternatives: Vec::new(), unknown: None };
    for (variant, mut attrs) in variants {
        if attrs.has("unknown").is_some() {
            unknown(variant, attrs, "an `Unknown`", &mut open.unknown, errors);
            continue;
        }
        let span = variant.ident.span();
        let constant = attrs.path("oid");
        let (text, number) = (attrs.text("oid"), attrs.expr("number"));
        let span = text.as_ref().map(LitStr::span).or(number.as_ref().map(|(_, expr)| expr.span())).unwrap_or(span);
        let key = match (text, number) {
            (Some(text), None) => match names::oid_octets(&text.value()) {
                Ok(octets) => octets,
                Err(message) => {
                    errors.push(text.span(), message);
                    Vec::new()
                }
            },
            (None, Some((_, expr))) => match literal(&expr) {
                Some(number) => names::integer_octets(number),
                None => {
                    errors.push(expr.span(), "expected a number");
                    Vec::new()
                }
            },
            (Some(_), Some((number, _))) => {
                errors.push(number, "a type must be selected by either an `oid` or a `number`");
                Vec::new()
            }
            (None, None) if constant.is_some() => Vec::new(),
            (None, None) => {
                errors.push(span, "missing selector: `#[asn1(oid = \"…\")]` or `#[asn1(number = …)]`");
                Vec::new()
            }
        };
        let key = constant.map_or(Key::Octets(key), Key::Constant);
        let name = attrs.text("name").map_or_else(|| names::variant(&variant.ident), |text| text.value());
        attrs.finish("an alternative of an open type", errors);
        let ty = variant_type(variant, errors);
        if ty.is_none() && matches!(variant.fields, Fields::Unit) {
            errors.push(span, "the variant must contain the selected type");
        }
        let ty = ty.unwrap_or_else(|| syn::parse_quote!(()));
        open.alternatives.push(Object { ident: variant.ident.clone(), name, ty, key, span });
    }
    Body::OpenType(open)
}
