//! The Rust types of places in other types.

use tagwise_codec::table::{Shape, StringKind};
use tagwise_per::plan::{Bounds, Characters, Contents, Layout, Sized};

use super::{Form, INLINE, Out};
use crate::lower::plan::Native;

/// Writes bounds as a constant expression.
pub(super) fn bounds(bounds: Bounds) -> String {
    let Bounds { min, max, extensible } = bounds;
    format!("code::Bounds {{ min: {min:?}, max: {max:?}, extensible: {extensible} }}")
}

/// The native integer for an INTEGER, if one can represent all its values.
pub(super) fn native(bounds: Bounds) -> Option<(Native, u64, u64)> {
    let (Some(min), Some(max), false) = (bounds.min, bounds.max, bounds.extensible) else { return None };
    let native = Native::smallest(min, max).filter(|native| native.bits() <= 64)?;
    Some((native, min as u64, u64::try_from(max.checked_sub(min)?).ok()?))
}

impl Out<'_> {
    /// The form of a component, which is boxed if it contains its own type, or if it is large and may be absent.
    pub(super) fn part(&mut self, owner: u32, index: u32, may_be_absent: bool) -> Option<Form> {
        let form = self.form(index)?;
        let is_boxed = self.reaches(index, owner) || may_be_absent && self.size(index) > INLINE;
        Some(if is_boxed { form.boxed() } else { form })
    }

    /// The form of a type where it is used.
    pub(super) fn form(&mut self, index: u32) -> Option<Form> {
        if let Some(name) = self.own_name(index) {
            return Some(item(&name));
        }
        let inner = self.plain(index)?;
        self.checked(index, inner)
    }

    /// The name of a type that has an item, which is written if necessary. Constrained references have none.
    fn own_name(&mut self, index: u32) -> Option<String> {
        for at in self.chain(index) {
            if let Some(name) = self.items.get(&at).cloned() {
                self.ask(at);
                return Some(name);
            }
            if self.ty(at).is_none_or(|ty| !ty.constraints.is_empty()) {
                return None;
            }
        }
        None
    }

    /// Asks for an item.
    fn ask(&mut self, index: u32) {
        if self.asked.insert(index) {
            self.queue.push_back(index);
        }
    }

    /// The form of a type without its constraints that encodings do not depend on.
    pub(super) fn plain(&mut self, index: u32) -> Option<Form> {
        let layout = self.layout(index)?;
        let shape = &self.types.base(self.ty(index)?).shape;
        Some(match layout {
            Layout::Boolean => Form::new("bool", "d.bit()", "e.bit(*v)"),
            Layout::Null => Form::new("()", "d.null()", "e.null(v)"),
            Layout::Integer(range) => match native(*range) {
                Some((native, min, span)) => {
                    let name = native.name();
                    let read = match name.as_str() {
                        "u64" => format!("d.whole({min}, {span})"),
                        name => format!("d.whole({min}, {span}).map(|n| n as {name})"),
                    };
                    Form::new(&name, read, format!("e.whole(*v as u64, {min}, {span})"))
                }
                None => {
                    let range = bounds(*range);
                    Form::new("code::IntBuf", format!("d.integer({range})"), format!("e.integer(v, {range})"))
                }
            },
            Layout::Octets => match shape {
                Shape::String(StringKind::Utf8) => Form::new("String", "d.utf8()", "e.utf8(v)"),
                Shape::ObjectIdentifier => Form::new("code::OidBuf", "d.oid()", "e.oid(v)"),
                Shape::String(_) => return self.problem("strings whose characters differ in size, but UTF8String"),
                _ => return self.problem("RELATIVE-OID, OID-IRI and RELATIVE-OID-IRI"),
            },
            Layout::BitString(sized) => {
                let size = bounds(sized.size);
                match sized.contents {
                    Some(contents) => self.containing("bits", *sized, contents)?,
                    None => {
                        let named = sized.named;
                        let (read, write) =
                            (format!("d.bit_string({size}, {named})"), format!("e.bit_string(v, {size}, {named})"));
                        Form::new("code::BitString", read, write)
                    }
                }
            }
            Layout::OctetString(sized) => {
                let size = bounds(sized.size);
                match sized.contents {
                    Some(contents) => self.containing("octets", *sized, contents)?,
                    None => Form::new("Vec<u8>", format!("d.octets({size})"), format!("{}(v, {size})", "e.octets")),
                }
            }
            Layout::Characters(characters) if characters.width == 1 => {
                let name = self.characters(characters);
                Form::new("String", format!("d.text(&{name})"), format!("e.text(v, &{name})"))
            }
            Layout::Characters(_) => return self.problem("BMPString and UniversalString"),
            Layout::List { item, size, is_set } => {
                let (form, size) = (self.form(*item)?, bounds(*size));
                let ty = format!("Vec<{}>", form.ty);
                let (read, write) = (format!("d.list({size}, |d| {})", form.read), form.write);
                if *is_set {
                    let read = format!(
                        "{{ let start = d.position(); {read}.and_then(|list| d.sorted(start, &list, |e, v| {write}).map(|()| list)) }}"
                    );
                    Form { ty, read, write: format!("e.set({size}, v, |e, v| {write})") }
                } else {
                    Form { ty, read, write: format!("e.list({size}, v, |e, v| {write})") }
                }
            }
            Layout::Structure(structure) if structure.fields.iter().any(|field| *field >= self.count) => {
                return self.problem("EXTERNAL, EMBEDDED PDV and CHARACTER STRING");
            }
            Layout::Structure(_) | Layout::Choice(_) | Layout::Enumerated(_) => {
                let base = self.base(index)?;
                if !self.items.contains_key(&base) {
                    let name = self.unique(&self.path.clone());
                    self.items.insert(base, name);
                }
                self.ask(base);
                item(self.items.get(&base)?)
            }
            Layout::Same(inner) => {
                let form = self.form(*inner)?;
                let write = format!("e.open(|e| {})", form.write);
                Form { ty: form.ty, read: format!("d.open(|d| {})", form.read), write }
            }
            Layout::Open => match shape {
                // No type is known.
                Shape::Open { set: None, .. } => Form::new("code::Foreign", "d.foreign()", "e.foreign(v)"),
                _ => return self.open(index),
            },
            Layout::TimeText(_) => return self.problem("UTCTime and GeneralizedTime"),
            Layout::Time { .. } | Layout::TimeForm(_) | Layout::Duration => {
                return self.problem("DATE, TIME-OF-DAY, DATE-TIME, DURATION and TIME");
            }
            Layout::Real(_) => return self.problem("REAL"),
            Layout::WideInteger(_) => return self.problem("INTEGER with bounds beyond 128 bits"),
            Layout::Unsupported(what) => return self.problem(what),
            _ => return self.problem("an unknown kind of type"),
        })
    }

    fn containing(&mut self, form: &str, sized: Sized, contents: Contents) -> Option<Form> {
        if contents.is_der {
            return self.problem("contents ENCODED BY DER");
        }
        let inner = self.form(contents.ty)?;
        let size = bounds(sized.size);
        let read = format!("d.in_{form}({size}, |d| {})", inner.read);
        let write = format!("e.in_{form}({size}, |e| {})", inner.write);
        Some(Form { ty: inner.ty, read, write })
    }

    /// The name of the constant for a known-multiplier string.
    fn characters(&mut self, characters: &Characters) -> String {
        let Characters { size, alphabet, width } = characters;
        let value = format!(
            "code::Characters {{ size: {}, alphabet: std::borrow::Cow::Borrowed(&{:?}), width: {width} }}",
            bounds(*size),
            &alphabet[..]
        );
        let next = self.statics.len() + 1;
        if let Some(name) = self.statics.get(&value) {
            return name.clone();
        }
        let name = format!("CHARACTERS_{next}");
        self.text.push_str(&format!("static {name}: code::Characters = {value};\n\n"));
        self.statics.insert(value, name.clone());
        name
    }

    /// Returns whether values of a type contain those of another one without a list between them.
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        let (mut open, mut seen) = (vec![from], std::collections::HashSet::new());
        while let Some(index) = open.pop() {
            let Some(base) = self.base(index) else { continue };
            if base == to {
                return true;
            }
            if !seen.insert(base) {
                continue;
            }
            match self.layout(index) {
                Some(Layout::Structure(structure)) => {
                    open.extend(&structure.fields);
                    open.extend(structure.fields.iter().flat_map(|field| self.selectable(*field)));
                }
                Some(Layout::Choice(choice)) => open.extend(&choice.fields),
                Some(Layout::Same(inner)) => open.push(*inner),
                Some(Layout::OctetString(sized) | Layout::BitString(sized)) => {
                    open.extend(sized.contents.map(|contents| contents.ty));
                }
                _ => {}
            }
        }
        false
    }
}

/// The form of a type with an item.
fn item(name: &str) -> Form {
    Form::new(name, format!("{name}::read(d)"), "v.write(e)")
}
