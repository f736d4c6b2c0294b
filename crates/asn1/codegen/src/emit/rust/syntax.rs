//! The emitted subset of Rust syntax as data. [`super::printer`] prints it.

/// A source file: documentation, attributes, imports and items.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) docs: Vec<String>,
    /// The file's inner attributes.
    pub(super) attributes: Vec<String>,
    /// True if the code uses `Box`.
    pub(super) alloc: bool,
    /// Import paths, with the names imported from each.
    pub(super) uses: Vec<(String, Vec<String>)>,
    pub(super) decls: Vec<Decl>,
}

/// A declaration of an item, with its documentation and attributes.
#[derive(Debug)]
pub(super) struct Decl {
    pub(super) docs: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) kind: ItemSyntax,
}

#[derive(Debug)]
pub(super) enum ItemSyntax {
    Struct { head: String, fields: Vec<Field> },
    Unit { head: String },
    Tuple { head: String, docs: Vec<String>, ty: String },
    Enum { head: String, variants: Vec<Variant> },
    Alias { head: String, ty: String },
    Const { name: String, ty: String, value: String },
    Impl { head: String, items: Vec<Decl> },
    Module { name: String },
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) docs: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) name: String,
    pub(super) ty: String,
}

#[derive(Debug)]
pub(super) struct Variant {
    pub(super) docs: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) name: String,
    pub(super) ty: Option<String>,
    pub(super) number: Option<String>,
}

/// An attribute of a declaration.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    /// An attribute as plain text.
    Plain(String),
    /// `#[asn1(…)]`.
    Asn1(Vec<Argument>),
}

#[derive(Clone, Debug)]
pub(super) enum Argument {
    Plain(String),
    /// A name and a list in parentheses.
    List(&'static str, Vec<String>),
    /// An argument with nested lists.
    Tree(Meta),
}

/// A part of an argument.
#[derive(Clone, Debug)]
pub(super) enum Meta {
    Text(String),
    /// A name and a list in parentheses.
    List(String, Vec<Meta>),
}

impl Meta {
    /// Formats this part of an argument on one line.
    pub(super) fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(name, items) => {
                let items: Vec<String> = items.iter().map(Self::flat).collect();
                format!("{name}({})", items.join(", "))
            }
        }
    }
}

impl Argument {
    /// Formats the argument on one line.
    pub(super) fn flat(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::List(name, items) => format!("{name}({})", items.join(", ")),
            Self::Tree(meta) => meta.flat(),
        }
    }
}

/// A list that is the only item of another list, possibly at several levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nested {
    /// The number of nested lists.
    pub(super) depth: usize,
    /// The width of the innermost list's content.
    pub(super) inner: usize,
}

impl Argument {
    /// Returns the nesting of an argument that is a list.
    pub(super) fn nested(&self) -> Option<Nested> {
        match self {
            Self::List(name, _) => {
                Some(Nested { depth: 1, inner: self.flat().chars().count() - name.chars().count() - "()".len() })
            }
            Self::Tree(Meta::List(name, items)) => {
                let (mut name, mut items, mut depth) = (name, items, 1);
                while let [Meta::List(inner, inside)] = items.as_slice() {
                    (name, items, depth) = (inner, inside, depth + 1);
                }
                let list = Meta::List(name.clone(), items.clone()).flat();
                Some(Nested { depth, inner: list.chars().count() - name.chars().count() - "()".len() })
            }
            Self::Plain(_) | Self::Tree(Meta::Text(_)) => None,
        }
    }
}

/// Creates `#[asn1(…)]`, if there are arguments.
pub(super) fn asn1(arguments: Vec<Argument>) -> Vec<Attribute> {
    if arguments.is_empty() { Vec::new() } else { vec![Attribute::Asn1(arguments)] }
}
