//! Structs and enums.

use std::fmt::Write as _;

use tagwise_codec::table::{Field, Presence, Shape};
use tagwise_per::plan::{Addition, Choice, Enumeration, Layout, Structure};

use super::{Form, INLINE, Out};
use crate::emit::rust::text::ident;
use crate::names::Words;

/// A component.
struct Part {
    /// The name in Rust.
    ident: String,
    /// The ASN.1 name.
    name: String,
    form: Form,
    presence: Is,
}

/// The presence of a component.
enum Is {
    Required,
    Optional,
    /// DEFAULT, with the value, and whether BASIC-PER requires that this value is absent.
    Default(String, bool),
}

impl Part {
    fn ty(&self) -> String {
        match self.presence {
            Is::Optional => format!("Option<{}>", self.form.ty),
            _ => self.form.ty.clone(),
        }
    }

    /// The expression for whether the value is present, in a method.
    fn is_present(&self) -> Option<String> {
        match &self.presence {
            Is::Required => None,
            Is::Optional => Some(format!("self.{}.is_some()", self.ident)),
            Is::Default(default, _) => Some(format!("self.{} != {default}", self.ident)),
        }
    }

    fn read(&self, is_present: &str) -> String {
        let (name, read) = (&self.name, &self.form.read);
        match &self.presence {
            Is::Required => format!("d.part({name:?}, |d| {read})?"),
            Is::Optional => format!("d.optional({is_present}, {name:?}, |d| {read})?"),
            Is::Default(default, strict) => {
                format!("d.defaulted({is_present}, {name:?}, {strict}, || {default}, |d| {read})?")
            }
        }
    }

    fn write(&self) -> String {
        let (name, ident, write) = (&self.name, &self.ident, &self.form.write);
        match &self.presence {
            Is::Required => format!("e.part({name:?}, |e| {{ let v = &self.{ident}; {write} }})"),
            Is::Optional => format!("e.optional({name:?}, &self.{ident}, |e, v| {write})"),
            Is::Default(default, _) => format!(
                "if self.{ident} != {} {{ e.part({name:?}, |e| {{ let v = &self.{ident}; {write} }}) }} else {{ Ok(()) }}",
                operand(default)
            ),
        }
    }
}

/// A value in the condition of `if`, where structs need parentheses.
fn operand(value: &str) -> String {
    if value.ends_with('}') { format!("({value})") } else { value.to_owned() }
}

/// A name in snake case that is valid in Rust.
pub(super) fn field_ident(name: &str) -> String {
    let name = Words::of(name).snake();
    if matches!(name.as_str(), "self" | "super" | "crate" | "unknown") { name + "_" } else { ident(&name) }
}

impl<'s> Out<'s> {
    /// Writes an alias for a root type that has no item of its own.
    pub(super) fn entry(&mut self, index: u32, form: &Form) {
        if self.items.contains_key(&index) || self.taken.contains(&Words::of(&self.title(index)).upper_camel()) {
            return;
        }
        let name = self.unique(&self.title(index));
        let _ = writeln!(self.text, "/// An alias.\npub type {name} = {};\n", form.ty);
    }

    /// Writes an item.
    pub(super) fn item(&mut self, index: u32) {
        let Some(name) = self.items.get(&index).cloned() else { return };
        self.place = if self.named.contains_key(&index) { self.title(index) } else { name.clone() };
        self.path.clone_from(&name);
        self.owner = index;
        let docs = self.docs(index, &name);
        match self.layout(index) {
            Some(Layout::Structure(structure)) => self.structure(index, &name, &docs, structure),
            Some(Layout::Choice(choice)) => self.choice(index, &name, &docs, choice),
            Some(Layout::Enumerated(items)) => self.enumerated(index, &name, &docs, items),
            _ => self.newtype(index, &name, &docs),
        };
    }

    fn docs(&self, index: u32, name: &str) -> String {
        match self.named.get(&index) {
            Some((_, lines)) if !lines.is_empty() => {
                let lines: String =
                    lines.iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect();
                format!("/// ```asn1\n{lines}/// ```\n")
            }
            _ => format!("/// The anonymous type `{name}`.\n"),
        }
    }

    fn newtype(&mut self, index: u32, name: &str, docs: &str) -> Option<()> {
        let form = self.plain(index)?;
        let Form { ty, read, write } = self.checked(index, form)?;
        let _ = write!(
            self.text,
            "{docs}#[derive(Clone, Debug, PartialEq, Eq)]\npub struct {name}(\n    /// The value.\n    pub {ty},\n);\n\n"
        );
        self.implement(
            name,
            &format!("        {read}.map(Self)\n"),
            &format!("        let v = &self.0;\n        {write}\n"),
        )
    }

    /// Writes the implementation of the trait.
    fn implement(&mut self, name: &str, read: &str, write: &str) -> Option<()> {
        if [read, write].iter().any(|code| code.contains('\u{1}')) {
            return self.problem("open types and constraints whose selector is not a mandatory component before them");
        }
        let _ = write!(
            self.text,
            "impl PerType for {name} {{\n    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {{\n{read}    }}\n\n    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {{\n{write}    }}\n}}\n\n"
        );
        Some(())
    }

    pub(super) fn fields(&self, index: u32) -> &'s [Field] {
        match self.ty(index).map(|ty| &self.types.base(ty).shape) {
            Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields)) => &fields.list,
            Some(Shape::Choice { alternatives, .. }) => alternatives,
            _ => &[],
        }
    }

    /// The component with a place in the type.
    fn component(&mut self, owner: u32, name: &str, structure: &Structure, place: u32, addition: bool) -> Option<Part> {
        let field = self.fields(owner).get(place as usize)?;
        let index = *structure.fields.get(place as usize)?;
        self.path = format!("{name}-{}", &*field.name);
        let optional = !matches!(field.presence, Presence::Required);
        let form = self.part(owner, index, optional || addition)?;
        let is_boxed = form.ty.starts_with("Box<");
        let presence = match &field.presence {
            Presence::Default(_) => {
                let mut text = None;
                self.types.with_default(field, |value| text = self.value(index, value));
                match text {
                    Some(text) if is_boxed => Is::Default(format!("Box::new({text})"), false),
                    Some(text) => Is::Default(text, !addition && !self.layout(index)?.is_constructed()),
                    None => return self.problem(&format!("the DEFAULT value of `{}`", &*field.name)),
                }
            }
            Presence::Required if !addition => Is::Required,
            _ => Is::Optional,
        };
        Some(Part { ident: field_ident(&field.name), name: field.name.to_string(), form, presence })
    }

    fn structure(&mut self, index: u32, name: &str, docs: &str, structure: &Structure) -> Option<()> {
        let fields = self.fields(index);
        let mut usable = Vec::new();
        for place in &structure.root {
            let field = fields.get(*place as usize)?;
            if matches!(field.presence, Presence::Required) {
                usable.push((field.name.to_string(), *structure.fields.get(*place as usize)?, *place));
            }
        }
        self.siblings = usable.iter().map(|(name, index, _)| (name.clone(), *index)).collect();
        let mut root = Vec::new();
        for place in &structure.root {
            root.push((*place, self.component(index, name, structure, *place, false)?));
        }
        let mut groups = Vec::new();
        for (number, addition) in structure.additions.iter().enumerate() {
            match addition {
                Addition::One(place) => {
                    let part = self.component(index, name, structure, *place, true)?;
                    groups.push((number, part, false));
                }
                Addition::Group(list) => {
                    let mut parts = Vec::new();
                    for place in list {
                        parts.push((*place, self.component(index, name, structure, *place, false)?));
                    }
                    let ident = format!("additions_{}", number + 1);
                    let ty = self.unique(&format!("{name}-Additions{}", number + 1));
                    self.group(&ty, &parts)?;
                    let form = Form::new(&ty, format!("{ty}::read(d)"), "v.write(e)");
                    groups.push((number, Part { ident, name: String::new(), form, presence: Is::Optional }, true));
                }
            }
        }
        self.siblings.clear();
        let parts: Vec<&Part> =
            root.iter().map(|(_, part)| part).chain(groups.iter().map(|(_, part, _)| part)).collect();
        self.definition(name, docs, &parts, structure.extensible);
        let (mut read, mut write) = ("        d.enter()?;\n".to_owned(), "        e.enter()?;\n".to_owned());
        if structure.extensible {
            read.push_str("        let more = d.bit()?;\n");
            let known: Vec<String> = groups
                .iter()
                .map(|(_, part, group)| match group {
                    true => format!("self.{}.as_ref().is_some_and(|group| group.has_values())", part.ident),
                    false => part.is_present().unwrap_or_default(),
                })
                .collect();
            let known = known.join(", ");
            let _ = writeln!(write, "        let known: [bool; {}] = [{known}];", groups.len());
            write.push_str(
                "        let more = known.contains(&true) || self.unknown.is_present();\n        e.bit(more)?;\n",
            );
        }
        components(&root, &mut read, &mut write);
        if structure.extensible {
            for (number, part, _) in &groups {
                let initial = match &part.presence {
                    Is::Default(default, _) => default.clone(),
                    _ => "None".to_owned(),
                };
                let _ = writeln!(read, "        let mut a{number} = {initial};");
            }
            let count = groups.len();
            let _ = writeln!(
                read,
                "        let unknown = if more {{\n            d.additions({count}, |d, n| {{\n                match n {{"
            );
            write.push_str("        if more {\n            e.additions(&known, &self.unknown, |e, n| match n {\n");
            for (number, part, group) in &groups {
                let value = match group {
                    true => format!("Some({}?)", part.form.read),
                    false => part.read("true"),
                };
                let _ = writeln!(read, "                    {number} => a{number} = {value},");
                let value = match group {
                    true => format!("match &self.{} {{ Some(v) => v.write(e), None => Ok(()) }}", part.ident),
                    false => part.write(),
                };
                let _ = writeln!(write, "                {number} => {value},");
            }
            if count == 0 {
                read = read.replace("|d, n| {\n                match n {\n", "|_, _| {\n                match () {\n");
                write = write.replace("|e, n| match n {\n", "|_, _| match () {\n");
            }
            let rest = if count == 0 { "() => {}" } else { "_ => {}" };
            let _ = writeln!(
                read,
                "                    {rest}\n                }}\n                Ok(())\n            }})?\n        }} else {{\n            code::Additions::NONE\n        }};"
            );
            let rest = if count == 0 { "()" } else { "_" };
            let _ = writeln!(write, "                {rest} => Ok(()),\n            }})?;\n        }}");
        }
        let mut names: Vec<String> = root.iter().map(|(place, part)| format!("{}: f{place}", part.ident)).collect();
        names.extend(groups.iter().map(|(number, part, _)| format!("{}: a{number}", part.ident)));
        names.extend(structure.extensible.then(|| "unknown".to_owned()));
        let _ = writeln!(read, "        d.leave();\n        Ok(Self {{ {} }})", names.join(", "));
        write.push_str("        e.leave();\n        Ok(())\n");
        for (sibling, _, place) in &usable {
            let key = format!("\u{1}{sibling}\u{2}");
            read = read.replace(&key, &format!("&f{place}"));
            write = write.replace(&key, &format!("&self.{}", field_ident(sibling)));
        }
        self.implement(name, &read, &write)
    }

    fn definition(&mut self, name: &str, docs: &str, parts: &[&Part], extensible: bool) {
        let _ = writeln!(self.text, "{docs}#[derive(Clone, Debug, PartialEq, Eq)]\npub struct {name} {{");
        for part in parts {
            let doc = match part.name.as_str() {
                "" => "An extension addition group.".to_owned(),
                name => format!("`{name}`."),
            };
            let _ = writeln!(self.text, "    /// {doc}\n    pub {}: {},", part.ident, part.ty());
        }
        if extensible {
            self.text.push_str(
                "    /// Extension additions that the module does not define.\n    pub unknown: code::Additions,\n",
            );
        }
        self.text.push_str("}\n\n");
    }

    /// Writes an extension addition group.
    fn group(&mut self, name: &str, parts: &[(u32, Part)]) -> Option<()> {
        let list: Vec<&Part> = parts.iter().map(|(_, part)| part).collect();
        self.definition(name, "/// An extension addition group.\n", &list, false);
        let present: Option<Vec<String>> = list.iter().map(|part| part.is_present()).collect();
        let has_values = present.map_or_else(|| "true".to_owned(), |present| present.join(" || "));
        let _ = writeln!(
            self.text,
            "impl {name} {{\n    fn has_values(&self) -> bool {{\n        {has_values}\n    }}\n}}\n"
        );
        let (mut read, mut write) = ("        let start = d.position();\n".to_owned(), String::new());
        components(parts, &mut read, &mut write);
        let names: Vec<String> = parts.iter().map(|(place, part)| format!("{}: f{place}", part.ident)).collect();
        let _ = writeln!(
            read,
            "        let value = Self {{ {} }};\n        let is_empty = !value.has_values();\n        d.group(start, {}, is_empty)?;\n        Ok(value)",
            names.join(", "),
            parts.len()
        );
        write.push_str("        Ok(())\n");
        self.implement(name, &read, &write)
    }

    fn choice(&mut self, index: u32, name: &str, docs: &str, choice: &Choice) -> Option<()> {
        let fields = self.fields(index);
        let mut forms = Vec::new();
        for (field, inner) in fields.iter().zip(&choice.fields) {
            self.path = format!("{name}-{}", &*field.name);
            forms.push((Words::of(&field.name).upper_camel(), &*field.name, self.part(index, *inner, true)?));
        }
        let has_unknown = choice.extensible;
        let _ = writeln!(self.text, "{docs}#[derive(Clone, Debug, PartialEq, Eq)]\npub enum {name} {{");
        for (variant, name, form) in &forms {
            let _ = writeln!(self.text, "    /// `{name}`.\n    {variant}({}),", form.ty);
        }
        let unknown = if forms.iter().any(|(variant, ..)| variant == "Unknown") { "Unknown_" } else { "Unknown" };
        if has_unknown {
            let _ = writeln!(
                self.text,
                "    /// An alternative that the module does not define.\n    {unknown}(code::Foreign),"
            );
        }
        self.text.push_str("}\n\n");
        let (roots, additions, extensible) = (choice.root.len(), choice.additions.len(), choice.extensible);
        let mut read = format!("        d.enter()?;\n        let value = match d.index({roots}, {extensible})? {{\n");
        let mut write = "        e.enter()?;\n        match self {\n".to_owned();
        for (number, place) in choice.root.iter().chain(&choice.additions).enumerate() {
            let (variant, name, form) = forms.get(*place as usize)?;
            let (inner, outer) = match number < roots {
                true => (form.read.clone(), form.write.clone()),
                false => (format!("d.open(|d| {})", form.read), format!("e.open(|e| {})", form.write)),
            };
            let _ = writeln!(read, "            {number} => Self::{variant}(d.part({name:?}, |d| {inner})?),");
            let _ = writeln!(
                write,
                "            Self::{variant}(v) => {{\n                e.index({number}, {roots}, {extensible})?;\n                e.part({name:?}, |e| {outer})?;\n            }}"
            );
        }
        if has_unknown {
            let _ = writeln!(read, "            n => Self::{unknown}(d.unknown(n - {roots})?),");
            let _ = writeln!(write, "            Self::{unknown}(v) => e.unknown(v, {additions})?,");
        } else {
            read.push_str("            _ => return Err(d.fail(code::Kind::Range)),\n");
        }
        read.push_str("        };\n        d.leave();\n        Ok(value)\n");
        write.push_str("        }\n        e.leave();\n        Ok(())\n");
        self.implement(name, &read, &write)
    }

    fn enumerated(&mut self, index: u32, name: &str, docs: &str, items: &Enumeration) -> Option<()> {
        let mut variants = Vec::new();
        for number in items.root.iter().chain(&items.additions) {
            variants.push((self.variant(index, *number)?, *number));
        }
        let (roots, additions, extensible) = (items.root.len(), items.additions.len(), items.extensible);
        let derives = "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]";
        // An enum with an unknown item has no numbers of its own.
        let repr = if extensible { "" } else { "#[repr(i64)]\n" };
        let _ = writeln!(self.text, "{docs}{derives}\n{repr}pub enum {name} {{");
        for (variant, number) in &variants {
            let value = if extensible { String::new() } else { format!(" = {number}") };
            let _ = writeln!(self.text, "    /// The number {number}.\n    {variant}{value},");
        }
        let unknown = if variants.iter().any(|(variant, _)| variant == "Unknown") { "Unknown_" } else { "Unknown" };
        if extensible {
            let _ = writeln!(
                self.text,
                "    /// An item that the module does not define: its place among the additional items, from 0.\n    {unknown}(u32),"
            );
        }
        self.text.push_str("}\n\n");
        let mut read = format!("        Ok(match d.index({roots}, {extensible})? {{\n");
        let mut write = "        let number = match self {\n".to_owned();
        for (number, (variant, _)) in variants.iter().enumerate() {
            let _ = writeln!(read, "            {number} => Self::{variant},");
            let _ = writeln!(write, "            Self::{variant} => {number},");
        }
        if extensible {
            let _ = writeln!(read, "            n => Self::{unknown}(d.unknown_item(n - {roots})?),\n        }})");
            let _ = writeln!(write, "            Self::{unknown}(n) => return e.unknown_item(*n, {additions}),");
        } else {
            read.push_str("            _ => return Err(d.fail(code::Kind::UnknownItem)),\n        })\n");
        }
        let _ = writeln!(write, "        }};\n        e.index(number, {roots}, {extensible})");
        self.implement(name, &read, &write)
    }

    /// The variant for the item of an ENUMERATED.
    pub(super) fn variant(&self, index: u32, number: i64) -> Option<String> {
        let Shape::Enumerated { items, .. } = &self.types.base(self.ty(index)?).shape else { return None };
        let name = |name: &str| {
            let name = Words::of(name).upper_camel();
            if name.starts_with(|first: char| first.is_ascii_digit()) || name == "Self" {
                format!("N{name}")
            } else {
                name
            }
        };
        let item = items.iter().find(|item| item.number == number)?;
        let found = name(&item.name);
        let is_unique = items.iter().filter(|other| name(&other.name) == found).count() == 1;
        Some(if is_unique { found } else { format!("{found}{}", number.unsigned_abs()) })
    }

    /// The types that an open type's object set selects, with their keys.
    pub(super) fn selectable(&self, index: u32) -> Vec<u32> {
        let Some(Shape::Open { set: Some(set), .. }) = self.ty(index).map(|ty| &self.types.base(ty).shape) else {
            return Vec::new();
        };
        let objects = set.get(Some(self.schema.tables())).map(|set| &*set.objects).unwrap_or_default();
        objects
            .iter()
            .filter_map(|object| match object.ty {
                tagwise_codec::table::TypeRef::Index(index) => Some(index),
                _ => None,
            })
            .collect()
    }

    /// The mandatory component of the same SEQUENCE that a selector names.
    pub(super) fn sibling(&self, selector: &str) -> Option<(String, u32)> {
        let name = selector.strip_prefix("@.").unwrap_or(selector);
        self.siblings.iter().find(|(known, _)| known == name).cloned()
    }

    /// The form of an open type that a component before it selects: an enum with an alternative for each object.
    pub(super) fn open(&mut self, index: u32) -> Option<Form> {
        let Shape::Open { set: Some(set), selector } = &self.types.base(self.ty(index)?).shape else { return None };
        let set = set.get(Some(self.schema.tables()))?;
        let Some((sibling, key)) = self.sibling(selector) else {
            return self.problem("open types whose selector is not a mandatory component before them");
        };
        let key_ty = self.form(key)?.ty;
        let name = self.unique(&self.path.clone());
        let mut rows: Vec<(String, String, Form)> = Vec::new();
        let mut seen = Vec::new();
        for (object, inner) in set.objects.iter().zip(self.selectable(index)) {
            let Some(pattern) = self.literal(key, &object.key) else { return self.problem("selectors of this type") };
            if seen.contains(&pattern) {
                continue;
            }
            let title = self.title(inner);
            self.path = format!("{name}-{title}");
            let form = self.form(inner)?;
            let form = if self.size(inner) > INLINE || self.reaches(inner, self.owner) { form.boxed() } else { form };
            let mut variant = match Words::of(&title).upper_camel() {
                empty if empty.is_empty() => format!("Key{}", rows.len()),
                known => known,
            };
            if variant == "Unknown" || variant == "Self" || rows.iter().any(|(one, ..)| *one == variant) {
                variant.push_str(&format!("Row{}", rows.len()));
            }
            seen.push(pattern.clone());
            rows.push((variant, pattern, form));
        }
        let _ = writeln!(
            self.text,
            "/// The types that `{sibling}` selects.\n#[derive(Clone, Debug, PartialEq, Eq)]\npub enum {name} {{"
        );
        for (variant, _, form) in &rows {
            let _ = writeln!(self.text, "    /// `{variant}`.\n    {variant}({}),", form.ty);
        }
        self.text.push_str("    /// A type that no object of the set describes.\n    Unknown(code::Foreign),\n}\n\n");
        let _ = write!(
            self.text,
            "impl {name} {{\n    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>, key: &{key_ty}) -> Result<Self, Stop> {{\n        match key {{\n"
        );
        for (variant, pattern, form) in &rows {
            let _ = writeln!(self.text, "            {pattern} => d.open(|d| {}).map(Self::{variant}),", form.read);
        }
        let _ = write!(
            self.text,
            "            _ => d.foreign().map(Self::Unknown),\n        }}\n    }}\n\n    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>, key: &{key_ty}) -> Result<(), Stop> {{\n        match (key, self) {{\n"
        );
        for (variant, pattern, form) in &rows {
            let _ = writeln!(self.text, "            ({pattern}, Self::{variant}(v)) => e.open(|e| {}),", form.write);
        }
        self.text.push_str("            (_, Self::Unknown(v)) => e.foreign(v),\n");
        // An object set may have no objects.
        if !rows.is_empty() {
            let reason = "the open type's value does not match its selector";
            let _ = writeln!(self.text, "            _ => Err(e.fail(code::Kind::Mismatch({reason:?}))),");
        }
        self.text.push_str("        }\n    }\n}\n\n");
        let key = format!("\u{1}{sibling}\u{2}");
        Some(Form::new(&name, format!("{name}::read(d, {key})"), format!("v.write(e, {key})")))
    }
}

/// Writes the code for components with presence bits before them.
fn components(parts: &[(u32, Part)], read: &mut String, write: &mut String) {
    let optional: Vec<&Part> =
        parts.iter().map(|(_, part)| part).filter(|part| !matches!(part.presence, Is::Required)).collect();
    for (number, chunk) in optional.chunks(64).enumerate() {
        let count = chunk.len();
        let _ = writeln!(read, "        let p{number} = d.bits({count})?;");
        let bits: Vec<String> = chunk
            .iter()
            .enumerate()
            .map(|(place, part)| {
                format!("u64::from({}) << {}", part.is_present().unwrap_or_default(), count - 1 - place)
            })
            .collect();
        let _ = writeln!(write, "        e.bits({}, {count})?;", bits.join(" | "));
    }
    let mut place = 0;
    for (index, part) in parts {
        let mut is_present = String::new();
        if !matches!(part.presence, Is::Required) {
            let count = (optional.len() - place / 64 * 64).min(64);
            is_present = format!("p{} >> {} & 1 != 0", place / 64, count - 1 - place % 64);
            place += 1;
        }
        let _ = writeln!(read, "        let f{index} = {};", part.read(&is_present));
        let _ = match &part.presence {
            Is::Default(default, _) => writeln!(
                write,
                "        if self.{0} != {3} {{\n            e.part({1:?}, |e| {{ let v = &self.{0}; {2} }})?;\n        }}",
                part.ident,
                part.name,
                part.form.write,
                operand(default)
            ),
            _ => writeln!(write, "        {}?;", part.write()),
        };
    }
}
