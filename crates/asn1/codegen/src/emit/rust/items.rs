//! Structs, enums and aliases, each with its ASN.1 definition.

use tagwise_schema::Span;
use tagwise_schema::model::{Bounds, TagClass, Tagging, Value};

use super::rules;
use super::syntax::{Argument, Attribute, Decl, Field, ItemSyntax, Variant, asn1};
use super::text::{
    comment_above, comment_of_module, field_name, file_of, ident, inline, literal, octets, quoted, variant_name,
    visible,
};
use super::types::Names;
use super::values::{Where, dotted};
use crate::emit::doc::value_text;
use crate::lower::plan::{
    Alternative, Body, Builtin, Choice, Component, Constant, Enumerated, Held, ItemId, Number, OpenType, PlanItem,
    Presence, Repr, Role, Wrapper,
};
use crate::lower::{is_checked, is_tagless};

impl Names<'_> {
    /// Creates the declarations of an item.
    pub(super) fn item(&mut self, id: ItemId) -> Vec<Decl> {
        let plan = self.plan;
        let Some(item) = plan.item(id) else { return Vec::new() };
        let docs = self.definition(item);
        let mut arguments = self.marks(item);
        let head = |word: &str| format!("pub {word} {}{}", item.ident, if item.borrows { "<'a>" } else { "" });
        let (kind, hash, more) = match &item.body {
            Body::Pending => return Vec::new(),
            Body::Alias(repr) => {
                let ty = self.ty(repr);
                return vec![Decl { docs, attributes: Vec::new(), kind: ItemSyntax::Alias { head: head("type"), ty } }];
            }
            Body::Newtype(held) => {
                if held.wrapper.is_none() && self.is_tagless(&held.repr) {
                    arguments.push(Argument::Plain("choice".to_owned()));
                }
                arguments.extend(self.held(held));
                arguments.extend(conversions(item, held));
                (self.tuple(head("struct"), &held.repr, "The wrapped value."), false, None)
            }
            Body::NamedNumbers(held, numbers) => {
                arguments.extend(self.held(held));
                let named = numbers.iter().map(|number| name_of(&word(&number.ident), number)).collect();
                arguments.push(Argument::List("named_numbers", named));
                arguments.extend(conversions(item, held));
                let constants = self.constants(item, held, numbers);
                (self.tuple(head("struct"), &held.repr, "The number."), true, Some(constants))
            }
            Body::NamedBits(bits) => {
                if !bits.is_empty() {
                    let named = bits.iter().map(|bit| name_of(&ident(&bit.ident), bit)).collect();
                    arguments.push(Argument::List("named_bits", named));
                }
                (self.tuple(head("struct"), &Repr::Builtin(Builtin::NamedBits), "The bits."), true, None)
            }
            Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
                match &item.body {
                    Body::Set(_) => arguments.push(Argument::Plain("set".to_owned())),
                    Body::Group(_) => arguments.push(Argument::Plain("group".to_owned())),
                    _ => {}
                }
                let (kind, making) = self.fields(head("struct"), (id, item), list);
                arguments.extend(making.map(|word| Argument::Plain(word.to_owned())));
                (kind, false, None)
            }
            Body::Choice(choice) => {
                if choice.alternatives.iter().all(|alternative| alternative.held.is_unit()) {
                    arguments.push(Argument::Plain("choice".to_owned()));
                }
                (self.choice(head("enum"), item, choice), false, None)
            }
            Body::Enumerated(enumerated) => {
                arguments.push(Argument::Plain(if enumerated.integer { "integer" } else { "enumerated" }.to_owned()));
                (self.enumerated(head("enum"), enumerated), true, None)
            }
            Body::OpenType(open) => {
                arguments.push(Argument::Plain("open_type".to_owned()));
                (self.open_type(head("enum"), open), false, None)
            }
        };
        arguments.extend(rules::arguments(&item.rules, false));
        let mut attributes = vec![derive(item, hash)];
        attributes.extend(item.marks.attributes.iter().cloned().map(Attribute::Plain));
        attributes.extend(asn1(arguments));
        let mut decls = vec![Decl { docs, attributes, kind }];
        decls.extend(more);
        decls.extend(self.owned(item));
        decls
    }

    /// The alias for a type that borrows, with its bytes.
    fn owned(&mut self, item: &PlanItem) -> Option<Decl> {
        let alone = !matches!(item.body, Body::Group(_) | Body::OpenType(_));
        if !self.options.owned || !item.borrows || !alone {
            return None;
        }
        let name = format!("{}Buf", item.ident);
        if !self.claim(&name) {
            return None;
        }
        let ty = format!("{}<{}<'static>>", self.codec("Owned"), item.ident);
        let docs = vec![format!("A [`{}`] that owns its bytes.", item.ident)];
        Some(Decl { docs, attributes: Vec::new(), kind: ItemSyntax::Alias { head: format!("pub type {name}"), ty } })
    }

    /// The definition, and where it is.
    fn definition(&self, item: &PlanItem) -> Vec<String> {
        let model = self.plan.model;
        let given = item.marks.doc.as_deref();
        let mut docs = if given.is_some() { Vec::new() } else { comment_above(model, item.span) };
        if !docs.is_empty() {
            docs.push(String::new());
        }
        docs.extend(fenced(quoted(model, item.span)));
        docs.push(String::new());
        let place = format!("`{}`, line {}", file_of(model, item.span), self.plan.line(item.span));
        let instance = item.ty.and_then(|ty| model.ty(ty)).and_then(|ty| ty.name.as_ref());
        let instance =
            instance.and_then(|name| name.instance.as_ref()).filter(|_| item.ident != item.name || item.ty.is_some());
        docs.push(match (instance, &item.body) {
            (Some(instance), _) => {
                let actuals: Vec<String> = instance.actuals.iter().map(|actual| visible(actual)).collect();
                format!("`{}{{{}}}`: {place}.", instance.of, actuals.join(", "))
            }
            (None, Body::OpenType(_)) => format!("The types that `{}` selects: {place}.", item.name),
            _ => format!("{}.", place_of(item, &place)),
        });
        if let Some(given) = given {
            docs.push(String::new());
            docs.extend(given.trim().lines().map(|line| line.trim_end().to_owned()));
        }
        docs
    }

    fn marks(&self, item: &PlanItem) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let mut plain = |text: String| arguments.push(Argument::Plain(text));
        if item.name != item.ident {
            plain(format!("name = {}", literal(&item.name)));
        }
        if let Some(tag) = &item.tag {
            tagging(tag).into_iter().for_each(&mut plain);
        }
        for (is, flag) in [
            (item.marks.verbatim, "verbatim"),
            (item.marks.secret, "secret"),
            (item.marks.inline, "inline"),
            (item.boxed, "boxed"),
        ] {
            if is {
                plain(flag.to_owned());
            }
        }
        if let Some(path) = &item.marks.shape {
            plain(format!("shape = {path}"));
        }
        if let Some(path) = &item.marks.check {
            plain(format!("check = {path}"));
        }
        arguments
    }

    fn is_tagless(&self, repr: &Repr) -> bool {
        match repr {
            Repr::Raw(_) | Repr::Captured(_) => true,
            Repr::Item(id) => is_tagless(self.plan, *id),
            Repr::Foreign(path) => self.plan.tagless.contains(path),
            Repr::Boxed(inner) => self.is_tagless(inner),
            _ => false,
        }
    }

    fn tuple(&mut self, head: String, repr: &Repr, doc: &str) -> ItemSyntax {
        ItemSyntax::Tuple { head, docs: vec![doc.to_owned()], ty: self.ty(repr) }
    }

    /// Returns the attribute arguments of a value where it is used.
    fn held(&mut self, held: &Held) -> Vec<Argument> {
        let mut arguments: Vec<Argument> = held.tag.iter().flat_map(tagging).map(Argument::Plain).collect();
        if let Some(size) = &held.size {
            arguments.push(Argument::List("size", ranges(size)));
        }
        if let Some(range) = &held.range {
            arguments.push(Argument::List("value", ranges(range)));
        }
        if let Some(alphabet) = &held.alphabet {
            arguments.push(Argument::List("from", alphabet.ranges.iter().map(rules::characters).collect()));
        }
        let mut plain = |text: &str| arguments.push(Argument::Plain(text.to_owned()));
        if let Some(path) = &held.defined_by {
            let path: Vec<String> = path.iter().map(|name| ident(name)).collect();
            plain(&format!("defined_by = {}", path.join(".")));
        }
        match (held.wrapper, &held.defined_by) {
            (Some(Wrapper::OctetString), Some(_)) => plain("octet_string"),
            (Some(Wrapper::BitString), Some(_)) => plain("bit_string"),
            (Some(Wrapper::OctetString), None) => plain("containing"),
            (Some(Wrapper::BitString), None) => {
                plain("containing");
                plain("bit_string");
            }
            (None, _) => {}
        }
        if let Some((repr, rules)) = &held.contents {
            plain(&format!("contents = {}", self.ty(repr)));
            plain(&format!("encoded_by = {}", literal(rules)));
        }
        if held.secret {
            plain("secret");
        }
        let characters =
            matches!(held.repr, Repr::Builtin(Builtin::String(kind)) if is_checked(kind)) && held.wrapper.is_none();
        arguments.extend(rules::arguments(&held.rules, characters));
        arguments
    }

    /// Creates the fields of a struct, and the derive's attribute that generates its constructor from the required components.
    fn fields(
        &mut self,
        head: String,
        (id, item): (ItemId, &PlanItem),
        list: &[Component],
    ) -> (ItemSyntax, Option<&'static str>) {
        if list.is_empty() {
            return (ItemSyntax::Unit { head }, None);
        }
        let (fields, said): (Vec<Field>, Vec<Said>) =
            list.iter().enumerate().map(|(index, component)| self.field((id, index), item, component)).unzip();
        let required = said.iter().filter(|said| **said == Said::Required).count();
        let making = match required {
            0 if is_optional(item) || item.marks.derive.iter().any(|name| name == "Default") => None,
            0 => Some("defaults"),
            some => (some < said.len()).then_some("constructor"),
        };
        (ItemSyntax::Struct { head, fields }, making)
    }

    fn field(&mut self, place: (ItemId, usize), item: &PlanItem, component: &Component) -> (Field, Said) {
        let model = self.plan.model;
        let name = ident(&component.ident);
        let more = match &component.role {
            Role::Value { presence: Presence::Optional, .. } => " OPTIONAL".to_owned(),
            Role::Value { presence: Presence::Default(value, ..), .. } => format!(" DEFAULT {}", value_text(value)),
            _ => String::new(),
        };
        let mut docs = match item.marks.field_doc(&component.name) {
            Some(doc) => doc.trim().lines().map(str::to_owned).collect(),
            None => vec![format!("{}.", inline(model, component.span, &more))],
        };
        let mut arguments = Vec::new();
        let mut said = Said::Nothing;
        let ty = match &component.role {
            Role::Extensions => {
                arguments.push(Argument::Plain("extensions".to_owned()));
                docs = vec!["Extension additions of later versions.".to_owned()];
                self.extensions(item)
            }
            Role::Group(id, number) => {
                arguments.push(Argument::Plain(format!("group = {number}")));
                docs = vec![format!("Additions of version {number}.")];
                format!("Option<{}>", self.ty(&Repr::Item(*id)))
            }
            Role::Value { held, presence, root, group } => {
                arguments.extend(self.held(held));
                let mut plain = |text: String| arguments.push(Argument::Plain(text));
                if *root {
                    plain("root".to_owned());
                }
                if let Some(group) = group {
                    plain(format!("in_group = {group}"));
                }
                if !component.name.is_empty() && field_name(&component.ident) != component.name {
                    plain(format!("name = {}", literal(&component.name)));
                }
                let ty = self.ty(&held.repr);
                match presence {
                    Presence::Required => {
                        said = Said::Required;
                        ty
                    }
                    Presence::Optional => format!("Option<{ty}>"),
                    Presence::Default(value, _, der) => match (self.default_value(place, held, value), der) {
                        (Some(default), _) => {
                            plain(format!("default = {default}"));
                            ty
                        }
                        (None, Some(der)) if held.is_bare() => {
                            said = Said::Required;
                            plain(format!("default_der = {}", octets(der).trim_start_matches('&')));
                            ty
                        }
                        _ => {
                            docs.push(String::new());
                            docs.push(
                                "Rust cannot express the DEFAULT value, so the component is optional.".to_owned(),
                            );
                            format!("Option<{ty}>")
                        }
                    },
                }
            }
        };
        (Field { docs, attributes: asn1(arguments), name, ty }, said)
    }

    fn extensions(&mut self, item: &PlanItem) -> String {
        let name = self.codec(if matches!(item.body, Body::Set(_)) { "SetAdditions" } else { "Additions" });
        format!("{name}<'a>")
    }

    fn choice(&mut self, head: String, item: &PlanItem, choice: &Choice) -> ItemSyntax {
        let mut variants: Vec<Variant> = choice.alternatives.iter().map(|one| self.alternative(item, one)).collect();
        if let Some(unknown) = &choice.unknown {
            variants.push(Variant {
                docs: vec!["An alternative that a later version adds.".to_owned()],
                attributes: asn1(vec![Argument::Plain("unknown".to_owned())]),
                name: unknown.clone(),
                ty: Some(self.ty(&Repr::Builtin(Builtin::Any))),
                number: None,
            });
        }
        ItemSyntax::Enum { head, variants }
    }

    fn alternative(&mut self, item: &PlanItem, alternative: &Alternative) -> Variant {
        let mut arguments = self.held(&alternative.held);
        if !alternative.name.is_empty() && variant_name(&alternative.ident) != alternative.name {
            arguments.push(Argument::Plain(format!("name = {}", literal(&alternative.name))));
        }
        Variant {
            docs: match item.marks.field_doc(&alternative.name) {
                Some(doc) => doc.trim().lines().map(str::to_owned).collect(),
                None => vec![format!("{}.", inline(self.plan.model, alternative.span, ""))],
            },
            attributes: asn1(arguments),
            name: alternative.ident.clone(),
            ty: (!alternative.held.is_unit()).then(|| self.ty(&alternative.held.repr)),
            number: None,
        }
    }

    fn enumerated(&self, head: String, enumerated: &Enumerated) -> ItemSyntax {
        // Variants that hold something take the numbers of the others; so do numbers that not every target has.
        let small = |item: &Number| item.named.number.to_i128().is_some_and(|number| i32::try_from(number).is_ok());
        let discriminants = enumerated.unknown.is_none() && enumerated.items.iter().all(small);
        let variants = enumerated.items.iter().map(|item| {
            let mut arguments = Vec::new();
            if !discriminants {
                arguments.push(Argument::Plain(format!("number = {}", item.named.number)));
            }
            if variant_name(&item.ident) != item.named.name {
                arguments.push(Argument::Plain(format!("name = {}", literal(&item.named.name))));
            }
            Variant {
                docs: vec![format!("`{}` ({}).", item.named.name, item.named.number)],
                attributes: asn1(arguments),
                name: item.ident.clone(),
                ty: None,
                number: discriminants.then(|| item.named.number.to_string()),
            }
        });
        let mut variants: Vec<Variant> = variants.collect();
        if let Some(unknown) = &enumerated.unknown {
            variants.push(Variant {
                docs: vec!["A number that a later version adds.".to_owned()],
                attributes: asn1(vec![Argument::Plain("unknown".to_owned())]),
                name: unknown.clone(),
                ty: Some("i64".to_owned()),
                number: None,
            });
        }
        ItemSyntax::Enum { head, variants }
    }

    fn open_type(&mut self, head: String, open: &OpenType) -> ItemSyntax {
        let mut variants = Vec::new();
        for row in &open.rows {
            let key = match &row.key {
                Value::ObjectIdentifier(arcs) => format!("oid = {}", literal(&dotted(arcs))),
                Value::Integer(number) => format!("number = {number}"),
                _ => continue,
            };
            let mut arguments = vec![Argument::Plain(key)];
            if variant_name(&row.ident) != row.name {
                arguments.push(Argument::Plain(format!("name = {}", literal(&row.name))));
            }
            variants.push(Variant {
                docs: vec![format!("`{}`.", row.name)],
                attributes: asn1(arguments),
                name: row.ident.clone(),
                ty: Some(self.ty(&row.repr)),
                number: None,
            });
        }
        let unknown = self.codec("Unknown");
        variants.push(Variant {
            docs: vec!["A type that no object of the set describes.".to_owned()],
            attributes: asn1(vec![Argument::Plain("unknown".to_owned())]),
            name: open.unknown.clone(),
            ty: Some(format!("{unknown}<'a>")),
            number: None,
        });
        ItemSyntax::Enum { head, variants }
    }

    /// Constants for the named numbers of a type.
    fn constants(&mut self, item: &PlanItem, held: &Held, numbers: &[Number]) -> Decl {
        let items = numbers.iter().filter_map(|number| {
            let value = Value::Integer(number.named.number.clone());
            let inner = self.value(&held.repr, &value, Where::Constant)?;
            // A number that the constraints leave out has a name all the same, but no value.
            if let Repr::Builtin(Builtin::Native(native)) = held.repr {
                let (least, greatest) = native.range();
                number.named.number.to_i128().filter(|number| least <= *number && *number <= greatest)?;
            }
            let kind = ItemSyntax::Const {
                name: number.ident.clone(),
                ty: "Self".to_owned(),
                value: format!("Self({inner})"),
            };
            let docs = vec![format!("`{}` ({}).", number.named.name, number.named.number)];
            Some(Decl { docs, attributes: Vec::new(), kind })
        });
        let items: Vec<Decl> = items.collect();
        let head = format!("impl {}{}", item.ident, if item.borrows { "<'_>" } else { "" });
        Decl { docs: Vec::new(), attributes: Vec::new(), kind: ItemSyntax::Impl { head, items } }
    }

    /// Creates the declaration of a constant, if it can be expressed in Rust.
    pub(super) fn constant(&mut self, constant: &Constant) -> Option<Decl> {
        let model = self.plan.model;
        let (ty, value) = match (&constant.value, &constant.repr) {
            // Plain numbers and texts are what Rust has for them.
            (Value::Integer(number), Repr::Builtin(_)) => match number.to_i128() {
                Some(small) if i64::try_from(small).is_ok() => ("i64".to_owned(), number.to_string()),
                Some(_) => ("i128".to_owned(), number.to_string()),
                None => return None,
            },
            (Value::String(text), _) => ("&str".to_owned(), literal(text)),
            (value, repr) => {
                let value = self.attempt(|this| this.value(repr, value, Where::Constant))?;
                (self.ty(repr).replace("'a", "'static"), value)
            }
        };
        let mut docs = fenced(quoted(model, constant.span));
        docs.push(String::new());
        docs.push(format!("`{}`, line {}.", file_of(model, constant.span), self.plan.line(constant.span)));
        // rustfmt would spread a struct over lines.
        let braces = value.contains(" { ") && !value.contains("const { ");
        let attributes = if braces { vec![Attribute::Plain("#[rustfmt::skip]".to_owned())] } else { Vec::new() };
        Some(Decl { docs, attributes, kind: ItemSyntax::Const { name: constant.ident.clone(), ty, value } })
    }
}

/// The part of a field that a constructor needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// The component's value.
    Required,
    /// No value: the component is absent, or has its DEFAULT value.
    Nothing,
}

/// The attribute that converts a newtype from and to its inner type.
fn conversions(item: &PlanItem, held: &Held) -> Option<Argument> {
    let plain = held.wrapper.is_none() && held.defined_by.is_none() && held.contents.is_none();
    let is_so = plain && !is_secret(item) && !matches!(held.repr, Repr::Boxed(_));
    is_so.then(|| Argument::Plain("convert".to_owned()))
}

/// Returns whether all components of an item may be absent, so that it has a value where nothing is said.
fn is_optional(item: &PlanItem) -> bool {
    let (Body::Sequence(list) | Body::Set(list)) = &item.body else { return false };
    list.iter().all(|component| {
        !matches!(&component.role, Role::Value { presence: Presence::Required | Presence::Default(..), .. })
    })
}

/// Returns whether values of an item, or a part of them, are never printed: `Debug` is then the derive's.
fn is_secret(item: &PlanItem) -> bool {
    item.marks.secret
        || match &item.body {
            Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
                list.iter().any(|component| matches!(&component.role, Role::Value { held, .. } if held.secret))
            }
            Body::Choice(choice) => choice.alternatives.iter().any(|alternative| alternative.held.secret),
            _ => false,
        }
}

fn place_of(item: &PlanItem, place: &str) -> String {
    match item.body {
        Body::Group(_) => format!("An extension addition group: {place}"),
        _ => place.to_owned(),
    }
}

fn fenced(lines: Vec<String>) -> Vec<String> {
    let fence = if lines.iter().any(|line| line.contains("```")) { "````" } else { "```" };
    std::iter::once(format!("{fence}asn1")).chain(lines).chain(std::iter::once(fence.to_owned())).collect()
}

fn derive(item: &PlanItem, hash: bool) -> Attribute {
    let mut traits = vec!["Asn1", "Clone"];
    if item.copies {
        traits.push("Copy");
    }
    if !is_secret(item) {
        traits.push("Debug");
    }
    traits.push("PartialEq");
    if hash {
        traits.extend(["Eq", "Hash"]);
    }
    if is_optional(item) {
        traits.push("Default");
    }
    traits.extend(item.marks.derive.iter().map(String::as_str));
    let mut unique: Vec<&str> = Vec::new();
    for name in traits {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    Attribute::Plain(format!("#[derive({})]", unique.join(", ")))
}

fn tagging(tag: &Tagging) -> Vec<String> {
    let number = tag.tag.number;
    let class = match tag.tag.class {
        TagClass::Context => return vec![format!("{} = {number}", if tag.explicit { "explicit" } else { "implicit" })],
        TagClass::Application => "application",
        TagClass::Private => "private",
        TagClass::Universal => "universal",
    };
    let mut words = vec![format!("{class} = {number}")];
    if tag.explicit {
        words.push("explicit".to_owned());
    }
    words
}

/// Converts the name of a number to a word that is valid in an attribute.
fn word(name: &str) -> String {
    let small = name.to_ascii_lowercase();
    if matches!(small.as_str(), "self" | "super" | "crate" | "_") { small + "_" } else { ident(&small) }
}

/// Formats `ident("name") = number`. The name is omitted if the derive generates the same one from the identifier.
fn name_of(ident: &str, number: &Number) -> String {
    let given = if field_name(ident.trim_start_matches("r#")) == number.named.name {
        String::new()
    } else {
        format!("({})", literal(&number.named.name))
    };
    format!("{ident}{given} = {}", number.named.number)
}

pub(super) fn ranges(bounds: &Bounds) -> Vec<String> {
    // Those of INTEGERs have 128 bits; nothing has a size beyond.
    let end =
        |end: &Option<tagwise_schema::Int>| end.as_ref().filter(|end| end.to_i128().is_some()).map(ToString::to_string);
    let mut list: Vec<String> = bounds
        .ranges
        .iter()
        .map(|range| match (end(&range.min), end(&range.max)) {
            (Some(min), Some(max)) if min == max => min,
            (Some(min), Some(max)) => format!("{min}..={max}"),
            (Some(min), None) => format!("{min}.."),
            (None, Some(max)) => format!("..={max}"),
            (None, None) => "..".to_owned(),
        })
        .collect();
    if bounds.extensible {
        list.push("...".to_owned());
    }
    list
}

pub(super) fn character(code: u32) -> String {
    match char::from_u32(code) {
        Some(character) if (' '..='~').contains(&character) => format!("{character:?}"),
        _ => format!("{code:#X}"),
    }
}

/// Creates the heading of a file: the module and its source.
pub(super) fn heading(names: &Names<'_>, span: Span, name: &str) -> Vec<String> {
    let model = names.plan.model;
    let mut lines = vec![
        format!("ASN.1 module `{name}`, from `{}`.", file_of(model, span)),
        String::new(),
        "Written by the schema compiler: change the schema or its overlay, not this file.".to_owned(),
    ];
    let comment = comment_of_module(model, span);
    if !comment.is_empty() {
        lines.push(String::new());
        lines.extend(comment);
    }
    lines
}

/// Returns a one-line summary of a module: the start of the comment above it, or its name.
pub(super) fn summary(names: &Names<'_>, span: Span, name: &str) -> String {
    comment_of_module(names.plan.model, span).into_iter().next().unwrap_or_else(|| format!("ASN.1 module `{name}`."))
}
