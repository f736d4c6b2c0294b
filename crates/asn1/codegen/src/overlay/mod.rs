//! The overlay, for information that a schema cannot express. `OVERLAY.md` in this crate documents every key.

mod read;

use std::fmt;

/// A parsed overlay file.
///
/// ```
/// use tagwise_codegen::overlay::Overlay;
/// let overlay = Overlay::parse("o.toml", "[types.TBSCertificate]\nverbatim = true\n")?;
/// assert!(overlay.types[0].verbatim);
/// let error = Overlay::parse("o.toml", "[types.A]\nverbaitm = true\n").unwrap_err();
/// assert_eq!(error.to_string(), "o.toml:2:1: unknown key `verbaitm`; did you mean `verbatim`?");
/// # Ok::<(), tagwise_codegen::overlay::OverlayError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The path of the codec in generated code.
    pub codec: Option<String>,
    /// The path of the derive in generated code.
    pub derive: Option<String>,
    /// The path of `tagwise_per` in generated code.
    pub per: Option<String>,
    /// The entries for modules.
    pub modules: Vec<ModuleOverlay>,
    /// The entries for types.
    pub types: Vec<TypeOverlay>,
    /// The entries for object sets.
    pub sets: Vec<SetOverlay>,
    /// The files with their texts. Positions count continuously across all files.
    pub(crate) sources: Vec<(String, String)>,
}

/// The entry for a module: `[modules.NAME]`.
#[derive(Clone, Debug, Default)]
pub struct ModuleOverlay {
    /// The module's ASN.1 name.
    pub name: String,
    /// The module's file, without `.rs`.
    pub file: Option<String>,
    /// The Cargo feature that enables the module.
    pub feature: Option<String>,
    /// True to omit the module, although other modules may use it.
    pub skip: bool,
    /// The path of a Rust module that contains the module's types.
    pub path: Option<String>,
    /// The types to emit, with their dependencies. `None` for all.
    pub only: Option<Vec<String>>,
    pub(crate) at: OverlayPosition,
}

/// The entry for a type: `[types.NAME]`.
#[derive(Clone, Debug, Default)]
pub struct TypeOverlay {
    /// The type's ASN.1 name, optionally with its module and a dot. A trailing `*` matches any suffix.
    pub name: String,
    /// The type's Rust name.
    pub rename: Option<String>,
    /// The Rust type to use instead.
    pub path: Option<String>,
    /// True to omit the type.
    pub skip: bool,
    /// True to keep the original bytes, because they are signed.
    pub verbatim: bool,
    /// True if the type's values must never be printed.
    pub secret: bool,
    /// True to inline the type's decoder.
    pub inline: bool,
    /// The path of a function that implements a hand-written fast path.
    pub shape: Option<String>,
    /// The path of a function that performs an additional check.
    pub check: Option<String>,
    /// The representation of an INTEGER: `enum` or a native integer.
    pub integer: Option<String>,
    /// True to emit a distinct type instead of an alias.
    pub newtype: bool,
    /// True to generate the type for PER: `rules = "per"`.
    pub per: bool,
    /// Documentation to add after the definition, replacing the comment above it.
    pub doc: Option<String>,
    /// Additional traits to derive.
    pub derive: Vec<String>,
    /// Additional attributes.
    pub attributes: Vec<String>,
    /// Entries for the type's components, alternatives and named numbers.
    pub fields: Vec<FieldOverlay>,
    pub(crate) at: OverlayPosition,
}

/// The entry for a component, alternative or named number: `[types.NAME.fields.NAME]`.
#[derive(Clone, Debug, Default)]
pub struct FieldOverlay {
    /// The component's ASN.1 name.
    pub name: String,
    /// The component's Rust name.
    pub rename: Option<String>,
    /// The Rust type to use instead.
    pub path: Option<String>,
    /// True to store the component in encoded form.
    pub raw: bool,
    /// True to box the component.
    pub boxed: bool,
    /// True to keep the component's original bytes.
    pub captured: bool,
    /// True if the component's values must never be printed.
    pub secret: bool,
    /// The representation of an open type: `any`, `now` or `later`.
    pub open: Option<String>,
    /// The name of the item for the component's anonymous type.
    pub item: Option<String>,
    /// Documentation, replacing the component's definition.
    pub doc: Option<String>,
    pub(crate) at: OverlayPosition,
}

/// The entry for an object set: `[sets.NAME]`.
#[derive(Clone, Debug, Default)]
pub struct SetOverlay {
    /// The set's ASN.1 name, optionally with its module and a dot.
    pub name: String,
    /// The set's Rust name.
    pub rename: Option<String>,
    /// A prefix of object names to omit from the names of alternatives.
    pub prefix: Option<String>,
    /// True to generate no enum for the set, and to represent its values as `Any`.
    pub skip: bool,
    pub(crate) at: OverlayPosition,
}

/// A position in the overlay files.
pub(crate) type OverlayPosition = usize;

/// An error in an overlay file, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayError {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

impl fmt::Display for OverlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for OverlayError {}

impl Overlay {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// Returns an error for invalid TOML, unknown keys, or values of the wrong type.
    pub fn parse(file: &str, text: &str) -> Result<Self, OverlayError> {
        read::read(file, text)
    }

    /// Combines this overlay with another. If both have an entry with the same name, this one applies.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let base: OverlayPosition = self.sources.iter().map(|(_, text)| text.len() + 1).sum();
        other.places_mut().for_each(|at| *at += base);
        self.codec = self.codec.or(other.codec);
        self.derive = self.derive.or(other.derive);
        self.per = self.per.or(other.per);
        for module in other.modules {
            if self.modules.iter().all(|known| known.name != module.name) {
                self.modules.push(module);
            }
        }
        for ty in other.types {
            match self.types.iter_mut().find(|known| known.name == ty.name) {
                Some(known) => known.join(ty),
                None => self.types.push(ty),
            }
        }
        for set in other.sets {
            if self.sets.iter().all(|known| known.name != set.name) {
                self.sets.push(set);
            }
        }
        self.sources.extend(other.sources);
        self
    }

    fn places_mut(&mut self) -> impl Iterator<Item = &mut OverlayPosition> {
        let types =
            self.types.iter_mut().flat_map(|ty| ty.fields.iter_mut().map(|field| &mut field.at).chain([&mut ty.at]));
        let modules = self.modules.iter_mut().map(|module| &mut module.at);
        modules.chain(types).chain(self.sets.iter_mut().map(|set| &mut set.at))
    }

    /// Finds the entry of a module, with its index: the module's own entry, or the entry `*` for all other modules.
    pub(crate) fn module(&self, name: &str) -> Option<(usize, &ModuleOverlay)> {
        let find = |wanted: &str| self.modules.iter().enumerate().find(|(_, entry)| entry.name == wanted);
        find(name).or_else(|| find("*"))
    }

    /// Creates an error at a position in the overlay files.
    pub(crate) fn error(&self, at: OverlayPosition, message: impl Into<String>) -> OverlayError {
        let mut at = at;
        for (file, text) in &self.sources {
            if at <= text.len() {
                return error(file, text, at, message.into());
            }
            at -= text.len() + 1;
        }
        error("", "", 0, message.into())
    }
}

impl TypeOverlay {
    /// Adds missing settings from another overlay's entry for the same name.
    fn join(&mut self, other: Self) {
        self.rename = self.rename.take().or(other.rename);
        self.path = self.path.take().or(other.path);
        self.skip |= other.skip;
        self.verbatim |= other.verbatim;
        self.secret |= other.secret;
        self.inline |= other.inline;
        self.newtype |= other.newtype;
        self.doc = self.doc.take().or(other.doc);
        self.shape = self.shape.take().or(other.shape);
        self.check = self.check.take().or(other.check);
        self.integer = self.integer.take().or(other.integer);
        self.per |= other.per;
        self.derive.extend(other.derive);
        self.attributes.extend(other.attributes);
        for field in other.fields {
            match self.fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => known.join(field),
                None => self.fields.push(field),
            }
        }
    }
}

impl FieldOverlay {
    fn join(&mut self, other: Self) {
        self.rename = self.rename.take().or(other.rename);
        self.path = self.path.take().or(other.path);
        self.raw |= other.raw;
        self.boxed |= other.boxed;
        self.captured |= other.captured;
        self.secret |= other.secret;
        self.open = self.open.take().or(other.open);
        self.item = self.item.take().or(other.item);
        self.doc = self.doc.take().or(other.doc);
    }
}

fn error(file: &str, text: &str, at: OverlayPosition, message: String) -> OverlayError {
    let before = text.get(..at).unwrap_or(text);
    OverlayError {
        file: file.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        message,
    }
}

/// Returns whether an overlay key refers to a name in a module.
pub(crate) fn means(key: &str, module: &str, name: &str) -> bool {
    let key = match key.split_once('.') {
        Some((of, rest)) if of == module => rest,
        Some(_) => return false,
        None => key,
    };
    match key.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => key == name,
    }
}

#[cfg(test)]
mod tests;
