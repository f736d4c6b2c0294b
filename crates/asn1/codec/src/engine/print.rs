//! Prints values as readable text: one line per component, with its name, value and, optionally, offset.
//!
//! Secret bytes are never shown, nor are characters that move the cursor or hide text. The caller chooses colors by
//! each piece's [`Role`]. A budget limits the output.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::value::show::{Look, element_text, hex, leaf_text};
use super::value::{Data, Foreign, ForeignRules, Types, Value};
use crate::any::Any;
use crate::decode::Decode;
use crate::oid::Oid;
use crate::table::{Field, Presence, Shape};
use crate::tag::{Class, Tag};
use crate::text::visible;

/// The role of a piece of printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The offset of an element.
    Offset,
    /// A component name or an item number.
    Name,
    /// The text of a value.
    Value,
    /// A remark, such as `secret` or `DEFAULT`.
    Note,
    /// Spaces, punctuation and line ends.
    Layout,
}

/// A destination for printed text. `String` implements it without colors.
pub trait Canvas {
    /// Writes a piece of text.
    ///
    /// # Errors
    /// Returns any error of the underlying writer.
    fn put(&mut self, role: Role, text: &str) -> fmt::Result;
}

impl Canvas for String {
    fn put(&mut self, _: Role, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Options for printing a value as text.
///
/// ```
/// use tagwise_codec::{SeqOf, value::{Dynamic, Print}};
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// let value = numbers.decode(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07])?.value;
/// let mut text = String::new();
/// Print::new(numbers.types()).print(&value, &mut text)?;
/// assert_eq!(text, "[0]: 5\n[1]: 7\n");
/// let mut text = String::new();
/// Print::new(numbers.types()).offsets(true).print(&value, &mut text)?;
/// assert_eq!(text, "     2  [0]: 5\n     5  [1]: 7\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Print<'p> {
    types: Types<'p>,
    oid_name: &'p dyn Fn(Oid<'_>) -> Option<String>,
    field_text: &'p FieldText<'p>,
    offsets: bool,
    octets: usize,
    budget: usize,
}

impl fmt::Debug for Print<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Print").field("offsets", &self.offsets).field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl<'p> Print<'p> {
    /// Creates the default options: no offsets, no identifier names, no limit.
    #[must_use]
    pub fn new(types: Types<'p>) -> Self {
        Self {
            types,
            oid_name: &|_| None,
            field_text: &|_, _| None,
            offsets: false,
            octets: usize::MAX,
            budget: usize::MAX,
        }
    }

    /// Sets a callback that formats values without components, for example an `iPAddress` as `192.0.2.1`. If the callback
    /// returns `None`, the type's default text is printed. It is not called for secrets.
    #[must_use]
    pub const fn field_texts(mut self, field_text: &'p FieldText<'p>) -> Self {
        self.field_text = field_text;
        self
    }

    /// Sets the function that returns names for object identifiers.
    #[must_use]
    pub const fn oid_names(mut self, oid_name: &'p dyn Fn(Oid<'_>) -> Option<String>) -> Self {
        self.oid_name = oid_name;
        self
    }

    /// Sets whether each element's absolute offset is shown.
    #[must_use]
    pub const fn offsets(mut self, offsets: bool) -> Self {
        self.offsets = offsets;
        self
    }

    /// Limits the hexadecimal bytes shown per value. The rest are only counted.
    #[must_use]
    pub const fn octets(mut self, octets: usize) -> Self {
        self.octets = octets;
        self
    }

    /// Limits the approximate size of the output, in bytes.
    #[must_use]
    pub const fn budget(mut self, budget: usize) -> Self {
        self.budget = budget;
        self
    }

    /// Prints a value. Returns `false` if it was truncated by the budget.
    ///
    /// # Errors
    /// Returns any error from the canvas.
    pub fn print(&self, value: &Value<'_>, canvas: &mut dyn Canvas) -> Result<bool, fmt::Error> {
        let mut printer = Printer { print: self, canvas, left: self.budget, depth: 0 };
        match printer.top(value) {
            Ok(()) => Ok(true),
            Err(Stop::Budget) => canvas.put(Role::Note, "…\n").map(|()| false),
            Err(Stop::Canvas) => Err(fmt::Error),
        }
    }

    /// Formats the one-line text of a value without components. Returns `None` for other values.
    #[must_use]
    pub fn line(&self, value: &Value<'_>) -> Option<String> {
        if value.is_secret() {
            return Some(String::from("(secret)"));
        }
        let look = Look { oid_name: self.oid_name, quoted: false, octets: self.octets };
        match value.data() {
            Data::Alternative(chosen) => {
                self.of_field(chosen.field(), chosen.value()).or_else(|| self.line(chosen.value()))
            }
            Data::Containing(inner) => self.line(inner),
            Data::Unknown(octets) => {
                let text = element_text(&Any::from_der(octets).ok()?, look)?;
                Some(mark(value).map_or_else(|| text.clone(), |mark| format!("({mark}) {text}")))
            }
            Data::Foreign(foreign) => {
                let mark = mark(value).unwrap_or_default();
                Some(format!("({mark}) {}", foreign_text(foreign, self.octets)).trim_end().to_string())
            }
            _ => leaf_text(value, look),
        }
    }

    /// Formats a value with the field callback. Returns `None` for secrets, or if the callback does.
    fn of_field(&self, field: &Field, value: &Value<'_>) -> Option<String> {
        let is_open = !field.secret && !value.is_secret();
        is_open.then(|| (self.field_text)(field, value)).flatten().map(|text| visible(&text).to_string())
    }
}

/// Returns the note on a value of unknown type, which without it would look like a value of a known one.
fn mark(value: &Value<'_>) -> Option<String> {
    let part = match value.data() {
        Data::Unknown(octets) if matches!(value.base().shape, Shape::Choice { .. }) => {
            let tag = Any::from_der(octets).ok()?.tag();
            // The text of other primitive elements begins with their tag.
            let has_tag = tag.class() != Class::Universal && !tag.is_constructed();
            return Some(if has_tag {
                "unknown alternative".to_string()
            } else {
                format!("unknown alternative {tag}")
            });
        }
        Data::Foreign(part) => part,
        _ => return None,
    };
    Some(match (part.number, &value.base().shape) {
        (Some(number), Shape::Enumerated { .. }) => format!("unknown item {number}"),
        (Some(number), _) if part.rules == ForeignRules::Oer => {
            let class = Class::from_octet(((number >> 30) as u8) << 6);
            format!("unknown alternative {}", Tag::new(class, number & 0x3FFF_FFFF, false))
        }
        (Some(number), _) => format!("unknown alternative {number}"),
        (None, Shape::Choice { .. }) => "unknown alternative".to_string(),
        (None, Shape::Enumerated { .. }) => "unknown item".to_string(),
        (None, _) => "unknown type".to_string(),
    })
}

/// The bytes of a part of unknown type, or its XML.
fn foreign_text(part: &Foreign, octets: usize) -> String {
    match str::from_utf8(&part.octets) {
        Ok(text) if part.rules == ForeignRules::Xer => visible(text).to_string(),
        _ => hex(&part.octets, octets),
    }
}

/// A callback that formats a value according to its field.
type FieldText<'p> = dyn Fn(&Field, &Value<'_>) -> Option<String> + 'p;

enum Stop {
    Budget,
    Canvas,
}

impl From<fmt::Error> for Stop {
    fn from(_: fmt::Error) -> Self {
        Self::Canvas
    }
}

struct Printer<'r, 'p> {
    print: &'r Print<'p>,
    canvas: &'r mut dyn Canvas,
    left: usize,
    depth: usize,
}

impl Printer<'_, '_> {
    fn put(&mut self, role: Role, text: &str) -> Result<(), Stop> {
        self.left = self.left.checked_sub(text.len()).ok_or(Stop::Budget)?;
        Ok(self.canvas.put(role, text)?)
    }

    fn look(&self) -> Look<'_> {
        Look { oid_name: self.print.oid_name, quoted: true, octets: self.print.octets }
    }

    /// Prints the outermost value, which has no name.
    fn top(&mut self, value: &Value<'_>) -> Result<(), Stop> {
        if value.is_secret() || self.text_of(value).is_some() || mark(value).is_some() {
            self.start(Some(value.offset()), None)?;
            return self.rest(value);
        }
        self.inside(value)
    }

    /// Writes the offset and the name at the start of a line.
    fn start(&mut self, offset: Option<usize>, name: Option<&str>) -> Result<(), Stop> {
        if self.print.offsets {
            let column = offset.map_or_else(|| "      ".to_string(), |offset| format!("{offset:>6}"));
            self.put(Role::Offset, &column)?;
            self.put(Role::Layout, "  ")?;
        }
        // Deep values are not indented further than a screen is wide.
        let indent = "                                                                ";
        self.put(Role::Layout, indent.get(..self.depth.saturating_mul(2)).unwrap_or(indent))?;
        if let Some(name) = name {
            self.put(Role::Name, &visible(name).to_string())?;
            self.put(Role::Layout, ":")?;
        }
        Ok(())
    }

    /// Returns the text that is printed on the same line as the name.
    fn text_of(&self, value: &Value<'_>) -> Option<String> {
        match value.data() {
            Data::Unknown(octets) => match Any::from_der(octets) {
                Ok(any) => element_text(&any, self.look()),
                Err(_) => Some(hex(octets, self.print.octets)),
            },
            Data::Foreign(foreign) => Some(foreign_text(foreign, self.print.octets)),
            _ => leaf_text(value, self.look()),
        }
    }

    /// Prints a named value: on the line of its name, or below it.
    fn named(&mut self, name: &str, value: &Value<'_>) -> Result<(), Stop> {
        self.start(Some(value.offset()), Some(name))?;
        self.rest(value)
    }

    /// Prints a component or an alternative in the format of a named value.
    fn field(&mut self, field: &Field, value: &Value<'_>) -> Result<(), Stop> {
        self.start(Some(value.offset()), Some(&field.name))?;
        self.rest_of(field, value)
    }

    fn rest_of(&mut self, field: &Field, value: &Value<'_>) -> Result<(), Stop> {
        let Some(text) = self.print.of_field(field, value) else { return self.rest(value) };
        self.put(Role::Layout, " ")?;
        self.put(Role::Value, &text)?;
        self.put(Role::Layout, "\n")
    }

    fn rest(&mut self, value: &Value<'_>) -> Result<(), Stop> {
        if value.is_secret() {
            self.put(Role::Note, " (secret)")?;
            return self.put(Role::Layout, "\n");
        }
        match value.data() {
            // A CHOICE or a string around it takes no line of its own.
            Data::Alternative(chosen) => {
                self.put(Role::Layout, " ")?;
                self.put(Role::Name, &visible(&*chosen.field().name).to_string())?;
                self.put(Role::Layout, ":")?;
                self.rest_of(chosen.field(), chosen.value())
            }
            Data::Containing(inner) => {
                self.put(Role::Layout, " ")?;
                self.put(Role::Note, &format!("({})", visible(&*inner.ty().name)))?;
                self.rest(inner)
            }
            _ => {
                let mark = mark(value);
                if let Some(mark) = &mark {
                    self.put(Role::Note, &format!(" ({mark})"))?;
                }
                self.unnamed(value, mark.is_some())
            }
        }
    }

    /// Prints what follows a name. `marked` is true if a note precedes it.
    fn unnamed(&mut self, value: &Value<'_>, marked: bool) -> Result<(), Stop> {
        match self.text_of(value) {
            Some(text) => {
                let is_below = (self.depth > 0 || self.print.offsets) && !marked;
                self.put(Role::Layout, if is_below || !text.is_empty() { " " } else { "" })?;
                self.put(Role::Value, &text)?;
                self.put(Role::Layout, "\n")
            }
            None => {
                self.put(Role::Layout, "\n")?;
                self.depth += 1;
                self.inside(value)?;
                self.depth -= 1;
                Ok(())
            }
        }
    }

    /// Prints the parts of a value, one per line.
    fn inside(&mut self, value: &Value<'_>) -> Result<(), Stop> {
        match value.data() {
            Data::Components(components) => {
                for (field, slot) in components.iter() {
                    match slot {
                        Some(value) => self.field(field, value)?,
                        None => self.default(field)?,
                    }
                }
                for octets in components.unknown() {
                    self.addition(&hex(octets, self.print.octets), "")?;
                }
                let Some(foreign) = components.foreign() else { return Ok(()) };
                for (number, octets) in &foreign.list {
                    let (text, note) = match (foreign.rules, str::from_utf8(octets)) {
                        (ForeignRules::Xer, Ok(text)) => (visible(text).to_string(), String::new()),
                        _ => (hex(octets, self.print.octets), format!(" (unknown addition {number})")),
                    };
                    self.addition(&text, &note)?;
                }
                Ok(())
            }
            Data::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.named(&format!("[{index}]"), item)?;
                }
                Ok(())
            }
            Data::Alternative(chosen) => self.field(chosen.field(), chosen.value()),
            Data::Containing(inner) => self.top(inner),
            Data::Unknown(octets) => match Any::from_der(octets) {
                Ok(any) => self.elements(&any, value.offset()),
                Err(_) => Ok(()),
            },
            Data::Leaf(_) | Data::Foreign(_) => Ok(()),
        }
    }

    /// Prints an unknown extension addition, with a note if it has no tag.
    fn addition(&mut self, text: &str, note: &str) -> Result<(), Stop> {
        self.start(None, Some("..."))?;
        self.put(Role::Note, note)?;
        self.put(Role::Layout, " ")?;
        self.put(Role::Value, text)?;
        self.put(Role::Layout, "\n")
    }

    /// Prints the elements of a value without a schema. Its depth was limited when it was decoded.
    fn elements(&mut self, any: &Any<'_>, offset: usize) -> Result<(), Stop> {
        for (index, child) in any.children().enumerate() {
            let Ok(child) = child else { return Ok(()) };
            let at = offset.saturating_add(child.offset());
            self.start(Some(at), Some(&format!("[{index}] {}", child.tag())))?;
            match element_text(&child, self.look()) {
                Some(text) => {
                    self.put(Role::Layout, " ")?;
                    self.put(Role::Value, &text)?;
                    self.put(Role::Layout, "\n")?;
                }
                None => {
                    self.put(Role::Layout, "\n")?;
                    self.depth += 1;
                    self.elements(&child, offset)?;
                    self.depth -= 1;
                }
            }
        }
        Ok(())
    }

    fn default(&mut self, field: &Field) -> Result<(), Stop> {
        if !matches!(field.presence, Presence::Default(_)) || field.secret {
            return Ok(());
        }
        let text = self.print.types.with_default(field, |value| self.text_of(value)).flatten();
        let Some(text) = text else { return Ok(()) };
        self.start(None, Some(&field.name))?;
        self.put(Role::Layout, " ")?;
        self.put(Role::Value, &text)?;
        self.put(Role::Note, " (default)")?;
        self.put(Role::Layout, "\n")
    }
}
