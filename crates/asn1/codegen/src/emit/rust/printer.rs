//! Prints the emitted subset of Rust syntax in rustfmt's default format.

use super::syntax::{Argument, Attribute, Decl, Field, ItemSyntax, Meta, Nested, Source, Variant};

/// Line widths of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// rustfmt's `max_width`.
    pub width: usize,
    /// rustfmt's `attr_fn_like_width`: the maximum width of an attribute's arguments on one line.
    pub attribute: usize,
}

/// rustfmt's `short_array_element_width_threshold`: lists whose items are all at most this long are not broken into one line
/// per item.
const SHORT: usize = 10;

impl Layout {
    /// The default configuration of rustfmt.
    pub const DEFAULT: Self = Self { width: 100, attribute: 70 };

    /// Returns the layout of rustfmt with `use_small_heuristics = "Max"`.
    #[must_use]
    pub const fn max(width: usize) -> Self {
        Self { width, attribute: width }
    }
}

const SKIP: &str = "#[rustfmt::skip]";

struct Printer {
    out: Vec<String>,
    layout: Layout,
    indent: usize,
}

/// Formats a file as text.
pub(super) fn print(source: &Source, layout: Layout) -> String {
    let mut printer = Printer { out: Vec::new(), layout, indent: 0 };
    for line in &source.docs {
        printer.line(format!("//! {line}").trim_end());
    }
    for attribute in &source.attributes {
        printer.line(attribute);
    }
    if !source.docs.is_empty() || !source.attributes.is_empty() {
        printer.blank();
    }
    if source.alloc {
        printer.line("extern crate alloc;");
        printer.blank();
        printer.line("use alloc::boxed::Box;");
        printer.blank();
    }
    for (path, names) in &source.uses {
        printer.import(path, names);
    }
    if !source.uses.is_empty() {
        printer.blank();
    }
    let modules = source.decls.iter().all(|decl| matches!(decl.kind, ItemSyntax::Module { .. }));
    for (index, decl) in source.decls.iter().enumerate() {
        if index > 0 && !modules {
            printer.blank();
        }
        printer.decl(decl);
    }
    while printer.out.last().is_some_and(String::is_empty) {
        printer.out.pop();
    }
    printer.out.join("\n") + "\n"
}

impl Printer {
    fn line(&mut self, text: &str) {
        let line = format!("{}{text}", " ".repeat(self.indent));
        self.out.push(line.trim_end().to_owned());
    }

    fn blank(&mut self) {
        self.out.push(String::new());
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 4;
        write(self);
        self.indent -= 4;
    }

    fn fits(&self, text: &str) -> bool {
        self.indent + text.chars().count() <= self.layout.width
    }

    fn docs(&mut self, docs: &[String]) {
        for line in docs {
            self.line(&format!("/// {line}"));
        }
    }

    fn import(&mut self, path: &str, names: &[String]) {
        if let [name] = names {
            return self.line(&format!("use {path}::{name};"));
        }
        let flat = format!("use {path}::{{{}}};", names.join(", "));
        // rustfmt leaves one column free, but behind the last name of a list.
        if self.fits(&format!("{flat} ")) {
            return self.line(&flat);
        }
        self.line(&format!("use {path}::{{"));
        self.inside(|this| {
            let mut row = String::new();
            for (index, name) in names.iter().enumerate() {
                let longer = if row.is_empty() { format!("{name},") } else { format!("{row} {name},") };
                let free = if index + 1 == names.len() { "" } else { " " };
                if this.fits(&format!("{longer}{free}")) {
                    row = longer;
                } else {
                    this.line(&row);
                    row = format!("{name},");
                }
            }
            this.line(&row);
        });
        self.line("};");
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            match attribute {
                Attribute::Plain(text) => self.line(text),
                Attribute::Asn1(arguments) => self.asn1(arguments),
            }
        }
    }

    /// Prints arguments. Those that do not fit are split into several attributes. A long list has one item per line.
    fn asn1(&mut self, arguments: &[Argument]) {
        let room = self.layout.attribute.min(self.layout.width - self.indent - "#[asn1()]".len());
        let mut row: Vec<String> = Vec::new();
        for argument in arguments {
            let flat = argument.flat();
            let longer = row.iter().map(|one| one.chars().count() + 2).sum::<usize>() + flat.chars().count();
            if longer > room && !row.is_empty() {
                self.line(&format!("#[asn1({})]", row.join(", ")));
                row.clear();
            }
            let is_long =
                flat.chars().count() > room || argument.nested().is_some_and(|nested| !self.is_line(&flat, nested));
            match argument {
                // Of lists in each other, it is the innermost whose width counts.
                _ if is_long && argument.nested().is_some_and(|nested| self.is_line(&flat, nested)) => {
                    self.line(&format!("#[asn1({flat})]"));
                }
                Argument::List(name, items) if is_long => {
                    self.line(&format!("#[asn1({name}("));
                    self.inside(|this| this.list(items));
                    self.line("))]");
                }
                // A single word with its value takes all of the line.
                Argument::Tree(Meta::Text(_)) if self.fits(&format!("#[asn1({flat})]")) => row.push(flat),
                Argument::Plain(_) if !self.fits(&format!("#[asn1({flat})]")) => {
                    self.line("#[asn1(");
                    self.inside(|this| this.line(&flat));
                    self.line(")]");
                }
                Argument::Tree(meta) if is_long => self.tree("#[asn1(", meta, ")]"),
                _ => row.push(flat),
            }
        }
        if !row.is_empty() {
            self.line(&format!("#[asn1({})]", row.join(", ")));
        }
    }

    /// Prints the items of a list that does not fit on a line: one per line or, if all are short, as many per line as fit.
    fn list(&mut self, items: &[String]) {
        let is_short = items.iter().all(|item| item.chars().count() <= SHORT);
        let mut row = String::new();
        for (index, item) in items.iter().enumerate() {
            let item = if index + 1 < items.len() { format!("{item},") } else { item.clone() };
            // rustfmt leaves one column free.
            if is_short && !row.is_empty() && self.fits(&format!("{row} {item} ")) {
                row = format!("{row} {item}");
                continue;
            }
            if !row.is_empty() {
                self.line(&row);
            }
            row = item;
        }
        self.line(&row);
    }

    /// Returns whether rustfmt puts an argument alone on a line. It leaves one column free, and one more for each nested list.
    fn is_line(&self, flat: &str, nested: Nested) -> bool {
        let whole = self.indent + "#[asn1()]".len() + flat.chars().count();
        nested.inner <= self.layout.attribute && whole + nested.depth < self.layout.width
    }

    /// Prints a list that does not fit on a line. If its only item is a list, it shares the lines of that list.
    // Recursion follows what was emitted.
    fn tree(&mut self, before: &str, meta: &Meta, behind: &str) {
        match meta {
            Meta::List(name, items) if matches!(items.as_slice(), [Meta::List(..)]) => {
                for inner in items {
                    self.tree(&format!("{before}{name}("), inner, &format!("){behind}"));
                }
            }
            Meta::List(name, items) => {
                self.line(&format!("{before}{name}("));
                self.inside(|this| this.items(items));
                self.line(&format!("){behind}"));
            }
            Meta::Text(_) => {
                self.line(before);
                self.inside(|this| this.items(std::slice::from_ref(meta)));
                self.line(behind);
            }
        }
    }

    fn items(&mut self, items: &[Meta]) {
        if items.iter().all(|item| matches!(item, Meta::Text(_))) {
            return self.list(&items.iter().map(Meta::flat).collect::<Vec<_>>());
        }
        for (index, item) in items.iter().enumerate() {
            let comma = if index + 1 < items.len() { "," } else { "" };
            let flat = format!("{}{comma}", item.flat());
            let inside = match item {
                Meta::List(name, _) => flat.chars().count() - name.chars().count() - 2 - comma.len(),
                Meta::Text(_) => 0,
            };
            if matches!(item, Meta::List(..)) && (inside > self.layout.attribute || !self.fits(&flat)) {
                self.tree("", item, comma);
            } else {
                self.line(&flat);
            }
        }
    }

    fn decl(&mut self, decl: &Decl) {
        self.docs(&decl.docs);
        self.skip_spread(decl);
        self.attributes(&decl.attributes);
        match &decl.kind {
            ItemSyntax::Struct { head, fields } => self.block(head, fields, Self::field),
            ItemSyntax::Enum { head, variants } => self.block(head, variants, Self::variant),
            ItemSyntax::Unit { head } => self.line(&format!("{head};")),
            ItemSyntax::Module { name } => self.line(&format!("pub mod {name};")),
            ItemSyntax::Tuple { head, docs, ty } => {
                self.line(&format!("{head}("));
                self.inside(|this| {
                    this.docs(docs);
                    this.line(&format!("pub {ty},"));
                });
                self.line(");");
            }
            ItemSyntax::Alias { head, ty } => {
                if !self.fits(&format!("{head} = {ty};")) {
                    self.skip(&format!("    {ty};"));
                }
                self.assigned(head, ty);
            }
            ItemSyntax::Const { name, ty, value } => self.assigned(&format!("pub const {name}: {ty}"), value),
            ItemSyntax::Impl { head, items } => {
                self.line(&format!("{head} {{"));
                self.inside(|this| {
                    for (index, item) in items.iter().enumerate() {
                        if index > 0 {
                            this.blank();
                        }
                        this.decl(item);
                    }
                });
                self.line("}");
            }
        }
    }

    /// Adds `rustfmt::skip` to declarations that rustfmt would break: those with a head longer than a line, or a block in a
    /// long expression.
    fn skip_spread(&mut self, decl: &Decl) {
        let is_spread = match &decl.kind {
            ItemSyntax::Struct { head, .. } | ItemSyntax::Enum { head, .. } | ItemSyntax::Impl { head, .. } => {
                !self.fits(&format!("{head} {{"))
            }
            ItemSyntax::Const { name, ty, value } => {
                value.contains("const {") && !self.fits(&format!("pub const {name}: {ty} = {value};"))
            }
            _ => false,
        };
        let is_skipped = decl.attributes.iter().any(|one| matches!(one, Attribute::Plain(text) if text == SKIP));
        if is_spread && !is_skipped {
            self.line(SKIP);
        }
    }

    /// Prints `head = value;`, on two lines if it is long.
    fn assigned(&mut self, head: &str, value: &str) {
        let flat = format!("{head} = {value};");
        if self.fits(&flat) {
            return self.line(&flat);
        }
        self.line(&format!("{head} ="));
        self.inside(|this| this.line(&format!("{value};")));
    }

    fn block<T>(&mut self, head: &str, parts: &[T], write: impl Fn(&mut Self, &T)) {
        self.line(&format!("{head} {{"));
        self.inside(|this| parts.iter().for_each(|part| write(this, part)));
        self.line("}");
    }

    fn field(&mut self, field: &Field) {
        self.docs(&field.docs);
        self.attributes(&field.attributes);
        let flat = format!("pub {}: {},", field.name, field.ty);
        if self.fits(&flat) {
            return self.line(&flat);
        }
        self.skip(&format!("    {},", field.ty));
        self.line(&format!("pub {}:", field.name));
        self.inside(|this| this.line(&format!("{},", field.ty)));
    }

    /// Adds `rustfmt::skip` before a line that does not fit, because rustfmt would break it.
    fn skip(&mut self, line: &str) {
        if !self.fits(line) {
            self.line(SKIP);
        }
    }

    fn variant(&mut self, variant: &Variant) {
        self.docs(&variant.docs);
        self.attributes(&variant.attributes);
        let number = variant.number.as_ref().map(|number| format!(" = {number}")).unwrap_or_default();
        let Some(ty) = &variant.ty else { return self.line(&format!("{}{number},", variant.name)) };
        let flat = format!("{}({ty}),", variant.name);
        if self.fits(&flat) {
            return self.line(&flat);
        }
        self.skip(&format!("    {ty},"));
        self.line(&format!("{}(", variant.name));
        self.inside(|this| this.line(&format!("{ty},")));
        self.line("),");
    }
}
