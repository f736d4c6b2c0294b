//! Reads an overlay from TOML. Unknown keys are errors with their position.

use toml_edit::{Document, Item, Key, TableLike};

use super::{FieldOverlay, ModuleOverlay, Overlay, OverlayError, OverlayPosition, SetOverlay, TypeOverlay, error};

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
}

pub(super) fn read(file: &str, text: &str) -> Result<Overlay, OverlayError> {
    let document = Document::parse(text).map_err(|bad| {
        let at = bad.span().map_or(0, |span| span.start);
        error(file, text, at, bad.message().lines().next().unwrap_or("not TOML").to_owned())
    })?;
    let reader = Reader { file, text };
    let mut overlay = Overlay { sources: vec![(file.to_owned(), text.to_owned())], ..Overlay::default() };
    for (key, item) in reader.keys(document.as_table(), &["codec", "derive", "per", "modules", "types", "sets"])? {
        match key.get() {
            "codec" => overlay.codec = Some(reader.text(key, item)?),
            "derive" => overlay.derive = Some(reader.text(key, item)?),
            "per" => overlay.per = Some(reader.text(key, item)?),
            "modules" => overlay.modules = reader.tables(key, item, Reader::module)?,
            "types" => overlay.types = reader.tables(key, item, Reader::ty)?,
            _ => overlay.sets = reader.tables(key, item, Reader::set)?,
        }
    }
    Ok(overlay)
}

impl<'t> Reader<'t> {
    fn fail<T>(&self, at: OverlayPosition, message: impl Into<String>) -> Result<T, OverlayError> {
        Err(error(self.file, self.text, at, message.into()))
    }

    /// Returns the keys of a table. All must be known.
    fn keys<'d>(&self, table: &'d dyn TableLike, known: &[&str]) -> Result<Vec<(&'d Key, &'d Item)>, OverlayError> {
        let mut keys = Vec::new();
        for (name, _) in table.iter() {
            let Some((key, item)) = table.get_key_value(name) else { continue };
            if !known.contains(&name) {
                let near = tagwise_schema::nearest(name, known.iter().copied());
                let hint = near.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                return self.fail(place(key), format!("unknown key `{name}`{hint}"));
            }
            keys.push((key, item));
        }
        Ok(keys)
    }

    /// Reads a table of tables, keyed by ASN.1 names.
    fn tables<'d, T>(
        &self,
        key: &Key,
        item: &'d Item,
        read: impl Fn(&Self, &'d Key, &'d dyn TableLike) -> Result<T, OverlayError>,
    ) -> Result<Vec<T>, OverlayError> {
        let Some(table) = item.as_table_like() else {
            return self.fail(place(key), format!("`{}` must be a table", key.get()));
        };
        let entries = table.iter().filter_map(|(name, _)| table.get_key_value(name));
        let read = |(key, item): (&'d Key, &'d Item)| match item.as_table_like() {
            Some(table) => read(self, key, table),
            None => self.fail(place(key), format!("`{}` must be a table", key.get())),
        };
        entries.map(read).collect()
    }

    fn text(&self, key: &Key, item: &Item) -> Result<String, OverlayError> {
        match item.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => self.fail(place(key), format!("`{}` must be a string", key.get())),
        }
    }

    fn flag(&self, key: &Key, item: &Item) -> Result<bool, OverlayError> {
        match item.as_bool() {
            Some(flag) => Ok(flag),
            None => self.fail(place(key), format!("`{}` must be true or false", key.get())),
        }
    }

    fn texts(&self, key: &Key, item: &Item) -> Result<Vec<String>, OverlayError> {
        let list = item.as_array().and_then(|array| array.iter().map(|one| one.as_str().map(str::to_owned)).collect());
        match list {
            Some(list) => Ok(list),
            None => self.fail(place(key), format!("`{}` must be a list of strings", key.get())),
        }
    }

    fn one_of(&self, key: &Key, item: &Item, known: &[&str]) -> Result<String, OverlayError> {
        let text = self.text(key, item)?;
        if known.contains(&text.as_str()) {
            return Ok(text);
        }
        self.fail(place(key), format!("`{}` must be one of {}", key.get(), known.join(", ")))
    }

    /// Reads a feature name that is valid in Cargo.
    fn feature(&self, key: &Key, item: &Item) -> Result<String, OverlayError> {
        let text = self.text(key, item)?;
        let fits = |char: char| char.is_ascii_alphanumeric() || "_-+.".contains(char);
        if !text.is_empty() && text.chars().all(fits) {
            return Ok(text);
        }
        self.fail(place(key), format!("`{}` must be a feature name: letters, digits, `_`, `-`, `+` and `.`", key.get()))
    }

    fn module(&self, name: &Key, table: &dyn TableLike) -> Result<ModuleOverlay, OverlayError> {
        let mut module = ModuleOverlay { name: name.get().to_owned(), at: place(name), ..ModuleOverlay::default() };
        for (key, item) in self.keys(table, &["file", "feature", "skip", "use", "only"])? {
            match key.get() {
                "file" => module.file = Some(self.text(key, item)?),
                "feature" => module.feature = Some(self.feature(key, item)?),
                "skip" => module.skip = self.flag(key, item)?,
                "use" => module.path = Some(self.text(key, item)?),
                _ => module.only = Some(self.texts(key, item)?),
            }
        }
        Ok(module)
    }

    fn ty(&self, name: &Key, table: &dyn TableLike) -> Result<TypeOverlay, OverlayError> {
        const KEYS: &[&str] = &[
            "rename",
            "use",
            "skip",
            "verbatim",
            "secret",
            "inline",
            "shape",
            "check",
            "integer",
            "newtype",
            "rules",
            "doc",
            "derive",
            "attributes",
            "fields",
        ];
        const INTEGERS: &[&str] =
            &["enum", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "any"];
        let mut ty = TypeOverlay { name: name.get().to_owned(), at: place(name), ..TypeOverlay::default() };
        for (key, item) in self.keys(table, KEYS)? {
            match key.get() {
                "rename" => ty.rename = Some(self.text(key, item)?),
                "use" => ty.path = Some(self.text(key, item)?),
                "skip" => ty.skip = self.flag(key, item)?,
                "verbatim" => ty.verbatim = self.flag(key, item)?,
                "secret" => ty.secret = self.flag(key, item)?,
                "inline" => ty.inline = self.flag(key, item)?,
                "shape" => ty.shape = Some(self.text(key, item)?),
                "check" => ty.check = Some(self.text(key, item)?),
                "integer" => ty.integer = Some(self.one_of(key, item, INTEGERS)?),
                "newtype" => ty.newtype = self.flag(key, item)?,
                "rules" => ty.per = self.one_of(key, item, &["per"])? == "per",
                "doc" => ty.doc = Some(self.text(key, item)?),
                "derive" => ty.derive = self.texts(key, item)?,
                "attributes" => ty.attributes = self.texts(key, item)?,
                _ => ty.fields = self.tables(key, item, Self::field)?,
            }
        }
        Ok(ty)
    }

    fn field(&self, name: &Key, table: &dyn TableLike) -> Result<FieldOverlay, OverlayError> {
        let mut field = FieldOverlay { name: name.get().to_owned(), at: place(name), ..FieldOverlay::default() };
        let known = ["rename", "use", "raw", "boxed", "captured", "secret", "open", "item", "doc"];
        for (key, item) in self.keys(table, &known)? {
            match key.get() {
                "rename" => field.rename = Some(self.text(key, item)?),
                "use" => field.path = Some(self.text(key, item)?),
                "raw" => field.raw = self.flag(key, item)?,
                "boxed" => field.boxed = self.flag(key, item)?,
                "captured" => field.captured = self.flag(key, item)?,
                "secret" => field.secret = self.flag(key, item)?,
                "open" => field.open = Some(self.one_of(key, item, &["any", "now", "later"])?),
                "doc" => field.doc = Some(self.text(key, item)?),
                _ => field.item = Some(self.text(key, item)?),
            }
        }
        Ok(field)
    }

    fn set(&self, name: &Key, table: &dyn TableLike) -> Result<SetOverlay, OverlayError> {
        let mut set = SetOverlay { name: name.get().to_owned(), at: place(name), ..SetOverlay::default() };
        for (key, item) in self.keys(table, &["rename", "prefix", "skip"])? {
            match key.get() {
                "rename" => set.rename = Some(self.text(key, item)?),
                "prefix" => set.prefix = Some(self.text(key, item)?),
                _ => set.skip = self.flag(key, item)?,
            }
        }
        Ok(set)
    }
}

fn place(key: &Key) -> OverlayPosition {
    key.span().map_or(0, |span| span.start)
}
