//! Converts a `syn` item to the intermediate representation for checks and expansion.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Fields, GenericArgument, Generics, Ident, LitStr, Member, Path, PathArguments, Type, Visibility,
};

use crate::attr::{Alphabet, Attrs, Errors, Expr, Named, Ranges, Rule};
use crate::names;

mod enums;

pub(crate) use enums::literal;

/// One `#[derive(Asn1)]`.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    /// The path of the codec, if specified.
    pub(crate) codec: Option<Path>,
    /// The type's ASN.1 name.
    pub(crate) name: String,
    pub(crate) tagging: Option<Tagging>,
    pub(crate) verbatim: bool,
    /// True to inline decoding and encoding.
    pub(crate) inline: bool,
    pub(crate) secret: bool,
    /// True if the type implements `Debug` itself although it contains secrets.
    pub(crate) own_debug: bool,
    pub(crate) making: Making,
    /// The position of `boxed`, if decoding of `Box<Self>` is also generated, for a type without a tag of its own.
    pub(crate) boxed: Option<Span>,
    pub(crate) check: Option<Path>,
    /// The function that implements a hand-written fast path for the common form of the content.
    pub(crate) shape: Option<Path>,
    pub(crate) rules: Vec<Path>,
    /// Constraints on the values of the whole type, unless it is a newtype.
    pub(crate) judged: Judged,
    pub(crate) body: Body,
}

/// The constructor, `Default` and conversions that the attributes request, each with the attribute's position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Making {
    /// `new`, with the required components.
    pub(crate) constructor: Option<Span>,
    /// `Default`, for a struct without required components.
    pub(crate) defaults: Option<Span>,
    /// Conversions between a newtype and its inner type.
    pub(crate) convert: Option<Span>,
}

/// The body of a type.
#[expect(clippy::large_enum_variant, reason = "one lives during one expansion")]
pub(crate) enum Body {
    Sequence(Vec<Component>),
    Set(Vec<Component>),
    /// The components of `[[ … ]]`.
    Group(Vec<Component>),
    Newtype(Newtype),
    Choice(Choice),
    Enumerated(Enumerated),
    OpenType(OpenType),
}

/// A field of a struct.
pub(crate) struct Component {
    pub(crate) member: Member,
    /// The variable that contains the field while the struct is decoded.
    pub(crate) local: Ident,
    pub(crate) span: Span,
    /// The field's complete type.
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

/// The role of a field.
#[expect(clippy::large_enum_variant, reason = "a few live during one expansion")]
pub(crate) enum Role {
    /// A single component.
    Value { value: Value, presence: Presence, root: Option<Span>, group: Option<u16> },
    /// The extension marker.
    Extensions { span: Span },
    /// The components of an extension addition group.
    Group { inner: Type, number: Option<u16>, span: Span },
}

/// A part that is encoded as one element or omitted: a component, an alternative, or the inner type of a newtype.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) span: Span,
    /// The ASN.1 name.
    pub(crate) name: String,
    /// The value's type, without `Option`.
    pub(crate) ty: Type,
    pub(crate) tagging: Option<Tagging>,
    /// True if the field contains the bytes of an OCTET STRING: a vector, array or slice.
    pub(crate) octets: bool,
    /// The wrapper around the encoding.
    pub(crate) wrapper: Option<Wrapper>,
    /// The path to the component that selects the type.
    pub(crate) defined_by: Option<Vec<Ident>>,
    pub(crate) size: Option<Ranges>,
    pub(crate) range: Option<Ranges>,
    pub(crate) from: Option<Alphabet>,
    pub(crate) pattern: Option<LitStr>,
    /// The object identifier content bytes of the encoding rules for a wrapper's content, which are always DER.
    pub(crate) encoded_by: Option<Vec<u8>>,
    pub(crate) judged: Judged,
    pub(crate) secret: bool,
}

/// Constraints that are checked through the type's table.
#[derive(Clone, Default)]
pub(crate) struct Judged {
    pub(crate) rules: Vec<Rule>,
    /// Additional constraints, as a table.
    pub(crate) table: Option<Path>,
}

impl Judged {
    /// Returns whether there are no constraints.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.table.is_none()
    }

    /// Reads the constraints from attributes.
    fn read(attrs: &mut Attrs) -> Self {
        let mut rules: Vec<Rule> = attrs.lines("with_components").map(Rule::Components).into_iter().collect();
        rules.extend(attrs.text("constrained_by").map(Rule::Words));
        rules.extend(attrs.rules("constraints"));
        Self { rules, table: attrs.path("constraints") }
    }
}

impl Value {
    /// Returns whether there are constraints.
    pub(crate) fn is_constrained(&self) -> bool {
        self.size.is_some() || self.range.is_some() || self.from.is_some() || self.pattern.is_some() || self.is_judged()
    }

    /// Returns whether there are constraints that are checked through the type's table.
    pub(crate) fn is_judged(&self) -> bool {
        !self.judged.is_empty()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrapper {
    OctetString,
    BitString,
}

pub(crate) enum Presence {
    Required,
    Optional,
    Default(DefaultValue, Span),
}

/// A DEFAULT value.
pub(crate) enum DefaultValue {
    /// An expression.
    Value(Expr),
    /// The DER, as an array of bytes.
    Der(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Universal,
    Application,
    Context,
    Private,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Tagging {
    pub(crate) class: Class,
    pub(crate) number: u32,
    pub(crate) explicit: bool,
    pub(crate) span: Span,
}

pub(crate) struct Newtype {
    pub(crate) member: Member,
    pub(crate) value: Value,
    /// True if the content has no tag of its own: a CHOICE or an open type.
    pub(crate) tagless: bool,
    pub(crate) named_bits: Vec<Named>,
    pub(crate) named_numbers: Vec<Named>,
}

pub(crate) struct Choice {
    pub(crate) alternatives: Vec<Alternative>,
    /// The alternative for unknown elements: its name and type.
    pub(crate) unknown: Option<(Ident, Type)>,
}

pub(crate) struct Alternative {
    pub(crate) ident: Ident,
    pub(crate) value: Value,
    /// True if the variant has no data and is therefore encoded as NULL.
    pub(crate) unit: bool,
}

pub(crate) struct Enumerated {
    /// True for an INTEGER with named numbers.
    pub(crate) integer: bool,
    pub(crate) items: Vec<EnumItem>,
    pub(crate) unknown: Option<(Ident, Type)>,
}

pub(crate) struct EnumItem {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) number: Expr,
    /// The number, if it is a literal.
    pub(crate) literal: Option<i64>,
    pub(crate) span: Span,
}

pub(crate) struct OpenType {
    pub(crate) alternatives: Vec<Object>,
    pub(crate) unknown: Option<(Ident, Type)>,
}

pub(crate) struct Object {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) key: Key,
    pub(crate) span: Span,
}

/// The key that selects an alternative of an open type.
pub(crate) enum Key {
    /// The key's content bytes. Empty if the key was malformed.
    Octets(Vec<u8>),
    /// A constant of type `Oid`.
    Constant(syn::Path),
}

impl Key {
    /// Returns whether both keys are known to be equal. Constants with different names are compared by rustc, as patterns.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Octets(one), Self::Octets(other)) => one == other && !one.is_empty(),
            (Self::Constant(one), Self::Constant(other)) => {
                quote::quote!(#one).to_string() == quote::quote!(#other).to_string()
            }
            _ => false,
        }
    }
}

impl Input {
    /// Returns whether the type or a part of it is secret.
    pub(crate) fn has_secret(&self) -> bool {
        let component = |component: &Component| matches!(&component.role, Role::Value { value, .. } if value.secret);
        self.secret
            || match &self.body {
                Body::Sequence(list) | Body::Set(list) | Body::Group(list) => list.iter().any(component),
                Body::Choice(choice) => choice.alternatives.iter().any(|alternative| alternative.value.secret),
                Body::Newtype(_) | Body::Enumerated(_) | Body::OpenType(_) => false,
            }
    }

    /// Reads an item. Errors are added to `errors`. After an error, the result is only useful for finding further errors.
    pub(crate) fn read(item: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let mut attrs = Attrs::parse(&item.attrs, errors);
        let codec = attrs.path("crate");
        let name = attrs.text("name").map_or_else(|| names::plain(&item.ident), |text| text.value());
        let verbatim = attrs.flag("verbatim").is_some();
        let inline = attrs.flag("inline").is_some();
        let boxed = attrs.flag("boxed");
        let own_debug = attrs.flag("own_debug").is_some();
        let making = Making {
            constructor: attrs.flag("constructor"),
            defaults: attrs.flag("defaults"),
            convert: attrs.flag("convert"),
        };
        let check = attrs.path("check");
        let shape = attrs.path("shape");
        let rules = attrs.paths("rules");
        let mut judged = Judged::default();
        let (secret, body, tagging) = match &item.data {
            Data::Struct(data) => {
                let newtype = matches!(&data.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1)
                    && attrs.has("set").is_none()
                    && attrs.has("group").is_none();
                if newtype {
                    let (body, secret, tagging) = newtype_struct(data.fields.iter().next()?, &name, attrs, errors);
                    (secret, body, tagging)
                } else {
                    let tagging = tagging(&mut attrs, errors);
                    let secret = attrs.flag("secret").is_some();
                    judged = Judged::read(&mut attrs);
                    let kind = (attrs.flag("set"), attrs.flag("group"));
                    attrs.finish("a struct with several components", errors);
                    let components = components(&data.fields, errors);
                    let body = match kind {
                        (Some(set), Some(_)) => {
                            errors.push(set, "a group contains components of a SEQUENCE, so it cannot also be a SET");
                            Body::Set(components)
                        }
                        (Some(_), None) => Body::Set(components),
                        (None, Some(_)) => Body::Group(components),
                        (None, None) => Body::Sequence(components),
                    };
                    (secret, body, tagging)
                }
            }
            Data::Enum(data) => {
                let has_repr = item.attrs.iter().any(|attr| attr.path().is_ident("repr"));
                let tagging = tagging(&mut attrs, errors);
                let secret = attrs.flag("secret").is_some();
                judged = Judged::read(&mut attrs);
                let body = enums::enumeration(data.variants.iter(), has_repr, attrs, errors);
                (secret, body, tagging)
            }
            Data::Union(data) => {
                errors.push(data.union_token.span, "a union is not an ASN.1 type");
                return None;
            }
        };
        Some(Self {
            ident: item.ident.clone(),
            vis: item.vis.clone(),
            generics: item.generics.clone(),
            codec,
            name,
            tagging,
            verbatim,
            inline,
            secret,
            own_debug,
            making,
            boxed,
            check,
            shape,
            rules,
            judged,
            body,
        })
    }
}

/// Reads the tag from an item's attributes, if any.
fn tagging(attrs: &mut Attrs, errors: &mut Errors) -> Option<Tagging> {
    let implicit = attrs.number("implicit").map(|(span, number)| (span, number, Class::Context, false));
    let explicit = attrs.number("explicit").map(|(span, number)| (span, number, Class::Context, true));
    let application = attrs.number("application").map(|(span, number)| (span, number, Class::Application, false));
    let private = attrs.number("private").map(|(span, number)| (span, number, Class::Private, false));
    let universal = attrs.number("universal").map(|(span, number)| (span, number, Class::Universal, false));
    let flag = attrs.flag("explicit");
    let mut given = [implicit, explicit, application, private, universal].into_iter().flatten();
    let first = given.next();
    for (span, ..) in given {
        errors.push(span, "only one tag is possible: define a separate type for the second tag");
    }
    match (first, flag) {
        (Some((span, number, class, explicit)), flag) => {
            Some(Tagging { class, number, explicit: explicit || flag.is_some(), span })
        }
        (None, Some(span)) => {
            errors.push(
                span,
                "`explicit` requires a number, or `application = N`, `private = N` or `universal = N` beside it",
            );
            None
        }
        (None, None) => None,
    }
}

/// Reads the attributes of a single value.
fn value(ty: &Type, name: String, span: Span, attrs: &mut Attrs, errors: &mut Errors) -> Value {
    let tagging = tagging(attrs, errors);
    let defined_by = attrs.selector();
    let containing = attrs.flag("containing");
    let (octets, bits) = (attrs.flag("octet_string"), attrs.flag("bit_string"));
    if let (Some(_), Some(bits)) = (octets, bits) {
        errors.push(bits, "expected one of `octet_string` and `bit_string`");
    }
    if let (Some((_, _)), Some(containing)) = (&defined_by, containing) {
        errors.push(containing, "with `defined_by`, write `octet_string` or `bit_string`");
    }
    if defined_by.is_none()
        && containing.is_none()
        && let Some(span) = octets.or(bits)
    {
        errors.push(span, "specify the type of the string's content: `containing`, or `defined_by = field`");
    }
    let plain = attrs.flag("octets");
    let numbers = attrs.flag("numbers");
    if let (Some(span), true) = (plain, defined_by.is_some() || containing.is_some() || octets.or(bits).is_some()) {
        errors
            .push(span, "`octets` means that the field contains plain bytes; it cannot be combined with attributes that decode them");
    }
    if plain.is_none() && numbers.is_none() && is_bytes(ty) {
        errors.push(
            ty.span(),
            "ambiguous bytes: use `#[asn1(octets)]` for an OCTET STRING, and `#[asn1(numbers)]` for a SEQUENCE OF INTEGER",
        );
    }
    let wrapper = match (octets, bits, containing) {
        (_, Some(_), _) => Some(Wrapper::BitString),
        (Some(_), None, _) | (None, None, Some(_)) => Some(Wrapper::OctetString),
        (None, None, None) => None,
    };
    let encoded_by = encoded_by(attrs, wrapper.is_some(), errors);
    let contents = match (attrs.ty("contents"), &encoded_by) {
        (Some((span, _)), None) => {
            errors.push(span, "specify the encoding rules of the content: `encoded_by = \"2.1.1\"` is BER");
            None
        }
        (Some((span, ty)), Some(rules)) => {
            if wrapper.is_some() || *rules == DER {
                errors.push(span, "DER content is decoded as its value: use `containing`");
            }
            Some((ty, rules.clone()))
        }
        (None, _) => None,
    };
    let encoded_by = encoded_by.filter(|_| contents.is_none());
    let mut judged = Judged::read(attrs);
    if let Some((ty, rules)) = contents {
        judged.rules.splice(0..0, [Rule::Contents(ty), Rule::EncodedBy(rules)]);
    }
    let mut size = attrs.ranges("size").map(|(_, ranges)| ranges);
    // The size is the string's, which the value inside does not know.
    if wrapper.is_some() {
        judged.rules.extend(size.take().map(Rule::Size));
    }
    Value {
        span,
        name,
        ty: ty.clone(),
        tagging,
        octets: plain.is_some(),
        wrapper,
        defined_by: defined_by.map(|(_, path)| path),
        size,
        range: attrs.ranges("value").map(|(_, ranges)| ranges),
        from: attrs.alphabet("from"),
        pattern: attrs.text("pattern"),
        encoded_by,
        judged,
        secret: attrs.flag("secret").is_some(),
    }
}

/// The content bytes of the object identifier of DER (X.690 §12.3).
const DER: [u8; 3] = [0x51, 2, 1];

/// Reads the object identifier of encoding rules and returns its content bytes.
fn encoded_by(attrs: &mut Attrs, wrapped: bool, errors: &mut Errors) -> Option<Vec<u8>> {
    let text = attrs.text("encoded_by")?;
    match names::oid_octets(&text.value()) {
        Ok(octets) if wrapped && octets != DER => {
            errors.push(text.span(), "content in other encoding rules is kept as bytes: use `contents = Type`");
            None
        }
        Ok(octets) if !wrapped && attrs.has("contents").is_none() => {
            errors.push(text.span(), "specify the type of the string's content: `containing`, or `contents = Type`");
            Some(octets)
        }
        Ok(octets) => Some(octets),
        Err(message) => {
            errors.push(text.span(), message);
            None
        }
    }
}

fn components(fields: &Fields, errors: &mut Errors) -> Vec<Component> {
    let mut locals = names::Locals::default();
    fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let mut attrs = Attrs::parse(&field.attrs, errors);
            let member = match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(index.into()),
            };
            let local = locals.make(field.ident.as_ref(), index);
            let span = field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
            let role = role(&member, &field.ty, span, &mut attrs, errors);
            attrs.finish("this component", errors);
            Component { member, local, span, ty: field.ty.clone(), role }
        })
        .collect()
}

fn role(member: &Member, ty: &Type, span: Span, attrs: &mut Attrs, errors: &mut Errors) -> Role {
    if let Some(span) = attrs.flag("extensions") {
        return Role::Extensions { span };
    }
    let option = option_inner(ty);
    let group = attrs.flag("group").map(|span| (span, None)).or_else(|| {
        let (span, number) = attrs.number("group")?;
        Some((span, Some(group_number(span, number, errors))))
    });
    if let Some((span, number)) = group {
        let inner = option.cloned().unwrap_or_else(|| {
            errors.push(span, "an extension addition group may be absent: its field must be an `Option`");
            ty.clone()
        });
        return Role::Group { inner, number, span };
    }
    let name = attrs.text("name").map_or_else(|| names::member(member), |text| text.value());
    let root = attrs.flag("root");
    let group = attrs.number("in_group").map(|(span, number)| group_number(span, number, errors));
    let optional = attrs.flag("optional");
    let der = attrs.expr("default_der").map(|(span, octets)| (span, DefaultValue::Der(octets)));
    let default = attrs.expr("default").map(|(span, value)| (span, DefaultValue::Value(value)));
    if let (Some((span, _)), Some(_)) = (&der, &default) {
        errors.push(*span, "a component can have only one DEFAULT value");
    }
    let default = default.or(der);
    if let (Some(span), Some(_)) = (optional, &default) {
        errors.push(span, "a component cannot be both OPTIONAL and DEFAULT");
    }
    let (inner, presence) = match (default, optional, option) {
        (Some((span, default)), _, inner) => {
            if inner.is_some() {
                errors
                    .push(span, "a component with a DEFAULT value is always present: its type must not be an `Option`");
            }
            (ty.clone(), Presence::Default(default, span))
        }
        (None, _, Some(inner)) => (inner.clone(), Presence::Optional),
        // An alias of an `Option`: its item is what it may hold.
        (None, Some(_), None) => (syn::parse_quote!(<#ty as ::core::iter::IntoIterator>::Item), Presence::Optional),
        (None, None, None) => (ty.clone(), Presence::Required),
    };
    Role::Value { value: value(&inner, name, span, attrs, errors), presence, root, group }
}

fn group_number(span: Span, number: u32, errors: &mut Errors) -> u16 {
    u16::try_from(number).unwrap_or_else(|_| {
        errors.push(span, "a group number must be at most 65535");
        0
    })
}

/// Returns the `T` of an `Option<T>`, judging by its name.
pub(crate) fn option_inner(ty: &Type) -> Option<&Type> {
    generic_argument(ty, "Option")
}

/// Returns the `T` of a `Name<T>`.
pub(crate) fn generic_argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match (arguments.args.first(), arguments.args.len()) {
        (Some(GenericArgument::Type(inner)), 1) => Some(inner),
        _ => None,
    }
}

/// Returns whether a type is a vector or an array of bytes, judging by its name.
fn is_bytes(ty: &Type) -> bool {
    let is_byte = |ty: &Type| last_segment(ty).is_some_and(|last| last.ident == "u8");
    match ty {
        Type::Array(array) => is_byte(&array.elem),
        Type::Group(group) => is_bytes(&group.elem),
        Type::Paren(paren) => is_bytes(&paren.elem),
        ty => generic_argument(ty, "Vec").is_some_and(is_byte),
    }
}

pub(crate) fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

fn newtype_struct(
    field: &syn::Field,
    name: &str,
    mut attrs: Attrs,
    errors: &mut Errors,
) -> (Body, bool, Option<Tagging>) {
    let member = field.ident.clone().map_or_else(|| Member::Unnamed(0.into()), Member::Named);
    let inner = Attrs::parse(&field.attrs, errors);
    attrs.merge(inner, errors);
    let tagless = attrs.flag("choice").is_some() || last_segment(&field.ty).is_some_and(|last| last.ident == "Any");
    let named_bits = attrs.names("named_bits").map(|(_, bits)| bits).unwrap_or_default();
    let named_numbers = attrs.names("named_numbers");
    if let (Some((span, _)), false) = (&named_numbers, named_bits.is_empty()) {
        errors.push(*span, "a type cannot have both `named_bits` and `named_numbers`");
    }
    let named_numbers = named_numbers.map(|(_, numbers)| numbers).unwrap_or_default();
    let mut value = value(&field.ty, name.to_owned(), field.ty.span(), &mut attrs, errors);
    let (secret, tagging) = (value.secret, value.tagging.take());
    if value.defined_by.is_some() {
        errors.push(value.span, "an open type requires a component that selects it");
    }
    let is_inside = |rule: &Rule| matches!(rule, Rule::Components(_) | Rule::Item(_) | Rule::Contents(_));
    if value.wrapper.is_some() && value.judged.rules.iter().any(is_inside) {
        errors.push(value.span, "constraints on a string's content belong to the contained type: define it separately");
    }
    attrs.finish("a struct that only names its single field", errors);
    (Body::Newtype(Newtype { member, value, tagless, named_bits, named_numbers }), secret, tagging)
}
