//! Names in module texts: where each is defined, and where it is used. For editors, which need them while a text has errors.

use std::collections::{HashMap, HashSet};

use crate::ast::{Assignment, Body, Components, EnumItem, Ident, ListItem, Module, Type, TypeKind};
use crate::diagnostic::Diagnostics;
use crate::lex::{Token, TokenKind, Tokens, lex};
use crate::source::{Source, Span};
use crate::words::is_reserved;
use crate::{Departures, Limits, parse};

/// The kind of a name or another token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A module.
    Module,
    /// A type or value set.
    Type,
    /// A value or object.
    Value,
    /// An information object class (X.681 §9).
    Class,
    /// An information object set (X.681 §12).
    ObjectSet,
    /// A macro, or an assignment that uses one.
    Macro,
    /// A dummy parameter (X.683 §8.3).
    Parameter,
    /// A component, enumeration item, or named number or bit.
    Member,
    /// A field of a class (X.681 §7).
    Field,
    /// A reserved word (X.680 §12.38).
    Reserved,
    /// A number.
    Number,
    /// A character, binary or hexadecimal string.
    String,
    /// A comment.
    Comment,
}

/// The definition of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// A module, by its index in [`Symbols::modules`].
    Module(usize),
    /// An assignment, by its index in the module's [`definitions`](ModuleSymbols::definitions).
    Definition {
        /// The module's index in [`Symbols::modules`].
        module: usize,
        /// The assignment's index.
        index: usize,
    },
    /// A dummy parameter, by the position of its name in the parameter list.
    Parameter(Span),
}

/// A token, other than punctuation, with its kind and the definition that it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The token's position.
    pub span: Span,
    /// The token's kind.
    pub kind: SymbolKind,
    /// The definition. `None` if the token is not a reference, or its definition is not among the texts.
    pub target: Option<Target>,
}

/// An assignment, with its components.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The assigned name.
    pub name: String,
    /// The kind of the assigned entity.
    pub kind: SymbolKind,
    /// The position of the name.
    pub name_span: Span,
    /// The position of the complete assignment.
    pub span: Span,
    /// The components, alternatives, enumeration items, and named numbers and bits at all levels: name and position.
    pub members: Vec<(String, Span)>,
    parameters: Vec<Ident>,
}

/// The names of one module.
#[derive(Clone, Debug)]
pub struct ModuleSymbols {
    /// The module's name.
    pub name: String,
    /// The position of the name.
    pub name_span: Span,
    /// The position of the complete module.
    pub span: Span,
    /// The imported names, each with the name of its module.
    pub imports: Vec<(String, String)>,
    /// The assignments, in source order.
    pub definitions: Vec<Definition>,
    by_name: HashMap<String, usize>,
    members: HashSet<u32>,
}

/// The names of several texts, with their definitions and uses.
///
/// It works without type information, so that it also covers texts with errors. A lowercase word in value notation counts as a
/// reference to the value of that name in scope, if there is one, even where it is the name of a component.
///
/// ```
/// use tagwise_schema::{Source, Symbols, Target};
/// let text = "M DEFINITIONS ::= BEGIN A ::= SEQUENCE OF B  B ::= INTEGER (0..max)  max INTEGER ::= 7 END";
/// let symbols = Symbols::of(&[Source::new("m.asn1", text)]);
/// let used = symbols.at(0, text.find("B  B").unwrap()).and_then(|one| one.target).unwrap();
/// assert_eq!(used, Target::Definition { module: 0, index: 1 });
/// assert_eq!(symbols.uses(used).count(), 2);
/// assert_eq!(symbols.definition(used).unwrap().start as usize, text.find("B ::=").unwrap());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    modules: Vec<ModuleSymbols>,
    files: Vec<Vec<Occurrence>>,
    by_name: HashMap<String, usize>,
}

impl Symbols {
    /// Finds the names in texts. Errors in the texts are ignored.
    #[must_use]
    pub fn of(sources: &[Source]) -> Self {
        let mut diagnostics = Diagnostics::new(Departures::NONE);
        let mut files = Vec::new();
        let mut symbols = Self::default();
        for (file, source) in sources.iter().enumerate() {
            let tokens = lex(file as u32, source, &mut diagnostics);
            let modules = parse::modules(&tokens, Limits::DEFAULT.depth, &mut diagnostics);
            let first = symbols.modules.len();
            for module in &modules {
                symbols.by_name.entry(module.name.text.clone()).or_insert(symbols.modules.len());
                symbols.modules.push(ModuleSymbols::of(module));
            }
            files.push((tokens, first..symbols.modules.len()));
        }
        symbols.files = files.iter().map(|(tokens, modules)| symbols.occurrences(tokens, modules.clone())).collect();
        symbols
    }

    /// Returns the modules, in source order.
    #[must_use]
    pub fn modules(&self) -> &[ModuleSymbols] {
        &self.modules
    }

    /// Returns the tokens of a file, other than punctuation, in source order.
    #[must_use]
    pub fn tokens(&self, file: usize) -> &[Occurrence] {
        self.files.get(file).map_or(&[], Vec::as_slice)
    }

    /// Returns the token that contains a byte offset or ends there.
    #[must_use]
    pub fn at(&self, file: usize, offset: usize) -> Option<&Occurrence> {
        let tokens = self.tokens(file);
        let next = tokens.partition_point(|token| (token.span.end as usize) < offset);
        let mut found = tokens.get(next..)?.iter().take(2).filter(|token| token.span.start as usize <= offset);
        // Between two adjacent tokens, the second one.
        found.next_back()
    }

    /// Returns the module that contains a byte offset.
    #[must_use]
    pub fn module_at(&self, file: usize, offset: usize) -> Option<&ModuleSymbols> {
        self.modules.iter().find(|module| module.span.file as usize == file && contains(module.span, offset))
    }

    /// Returns the position of a definition's name.
    #[must_use]
    pub fn definition(&self, target: Target) -> Option<Span> {
        match target {
            Target::Module(module) => Some(self.modules.get(module)?.name_span),
            Target::Definition { .. } => Some(self.defined(target)?.name_span),
            Target::Parameter(span) => Some(span),
        }
    }

    /// Returns the assignment that a target refers to.
    #[must_use]
    pub fn defined(&self, target: Target) -> Option<&Definition> {
        let Target::Definition { module, index } = target else { return None };
        self.modules.get(module)?.definitions.get(index)
    }

    /// Returns the tokens that refer to a definition, including the definition's own name.
    pub fn uses(&self, target: Target) -> impl Iterator<Item = &Occurrence> {
        self.files.iter().flatten().filter(move |token| token.target == Some(target))
    }

    /// Returns the module with a name.
    #[must_use]
    pub fn module_named(&self, name: &str) -> Option<&ModuleSymbols> {
        self.modules.get(*self.by_name.get(name)?)
    }

    /// Finds the definition of a name that is used in a module: its own, or an imported one.
    fn find(&self, module: usize, name: &str) -> Option<Target> {
        let used_in = self.modules.get(module)?;
        if let Some(index) = used_in.by_name.get(name) {
            return Some(Target::Definition { module, index: *index });
        }
        let (_, from) = used_in.imports.iter().find(|(symbol, _)| symbol == name)?;
        let module = *self.by_name.get(from)?;
        let index = *self.modules.get(module)?.by_name.get(name)?;
        Some(Target::Definition { module, index })
    }

    fn occurrences(&self, tokens: &Tokens, modules: std::ops::Range<usize>) -> Vec<Occurrence> {
        let mut found = Vec::new();
        let mut module = modules.start;
        for (index, token) in tokens.list.iter().enumerate() {
            while module + 1 < modules.end
                && self.modules.get(module + 1).is_some_and(|next| next.span.start <= token.start)
            {
                module += 1;
            }
            let before = |by: usize| index.checked_sub(by).map(|at| tokens.at(at));
            let Some(kind) = kind_of(token.kind) else { continue };
            let span = tokens.span(*token);
            let (kind, target) = match token.kind {
                TokenKind::Upper | TokenKind::Lower => {
                    let context =
                        Context { tokens, module, before: [before(1), before(2)], next: tokens.at(index + 1) };
                    self.resolve(*token, &context)
                }
                _ => (kind, None),
            };
            found.push(Occurrence { span, kind, target });
        }
        let comments = tokens.comments.iter();
        found.extend(comments.map(|span| Occurrence { span: *span, kind: SymbolKind::Comment, target: None }));
        found.sort_by_key(|one| one.span.start);
        found
    }

    /// Returns the kind and definition of a word.
    fn resolve(&self, token: Token, context: &Context<'_>) -> (SymbolKind, Option<Target>) {
        let name = context.tokens.text(token);
        let is_upper = token.kind == TokenKind::Upper;
        if is_upper && is_reserved(name) {
            return (SymbolKind::Reserved, None);
        }
        let Some(module) = self.modules.get(context.module) else { return (SymbolKind::Type, None) };
        let as_module = |name: &str| self.by_name.get(name).map(|module| Target::Module(*module));
        if module.name_span.start == token.start || context.follows("FROM") {
            return (SymbolKind::Module, as_module(name));
        }
        if module.members.contains(&token.start) {
            return (SymbolKind::Member, None);
        }
        let around = module.definition_at(token.start);
        let parameter = around.and_then(|one| one.parameters.iter().find(|parameter| parameter.text == name));
        if let Some(parameter) = parameter {
            return (SymbolKind::Parameter, Some(Target::Parameter(parameter.span)));
        }
        let target = match context.qualifier() {
            // `Module.Name` (X.680 §14.6).
            Some(other) if self.by_name.contains_key(other) => {
                self.by_name.get(other).and_then(|module| self.find(*module, name))
            }
            _ => self.find(context.module, name),
        };
        if let Some(kind) = target.and_then(|target| Some(self.defined(target)?.kind)) {
            // `name Type` and `name [0] Type` declare a component, and `name(1)` an item, of whatever was not parsed.
            let declares = !is_upper && around.is_none_or(|one| one.name_span.start != token.start);
            if !(declares && context.declares()) {
                return (kind, target);
            }
            return (SymbolKind::Member, None);
        }
        match context.next.kind {
            TokenKind::Symbol(b'.') if is_upper && self.by_name.contains_key(name) => {
                (SymbolKind::Module, as_module(name))
            }
            _ if is_upper => (SymbolKind::Type, None),
            _ => (SymbolKind::Member, None),
        }
    }
}

/// The tokens around a word.
struct Context<'a> {
    tokens: &'a Tokens,
    module: usize,
    /// The previous token, and the one before that.
    before: [Option<Token>; 2],
    next: Token,
}

impl Context<'_> {
    fn follows(&self, word: &str) -> bool {
        self.before[0].is_some_and(|token| self.tokens.text(token) == word)
    }

    /// Returns the word before a period before this word.
    fn qualifier(&self) -> Option<&str> {
        let [Some(period), Some(word)] = self.before else { return None };
        (period.kind == TokenKind::Symbol(b'.') && word.kind == TokenKind::Upper).then(|| self.tokens.text(word))
    }

    fn declares(&self) -> bool {
        matches!(self.next.kind, TokenKind::Upper | TokenKind::Symbol(b'[' | b'('))
            && !matches!(
                self.tokens.text(self.next),
                "FROM" | "OPTIONAL" | "DEFAULT" | "UNION" | "INTERSECTION" | "EXCEPT"
            )
    }
}

const fn kind_of(token: TokenKind) -> Option<SymbolKind> {
    Some(match token {
        TokenKind::Upper => SymbolKind::Type,
        TokenKind::Lower => SymbolKind::Value,
        TokenKind::UpperField | TokenKind::LowerField => SymbolKind::Field,
        TokenKind::Number | TokenKind::Real => SymbolKind::Number,
        TokenKind::BString | TokenKind::HString | TokenKind::CString => SymbolKind::String,
        TokenKind::Assign | TokenKind::Range | TokenKind::Ellipsis | TokenKind::Symbol(_) | TokenKind::End => {
            return None;
        }
    })
}

const fn contains(span: Span, offset: usize) -> bool {
    span.start as usize <= offset && offset <= span.end as usize
}

impl ModuleSymbols {
    fn of(module: &Module) -> Self {
        let imports = module.imports.iter().flat_map(|import| {
            import.symbols.iter().map(|symbol| (symbol.name.text.clone(), import.module.text.clone()))
        });
        let mut definitions: Vec<_> = module.assignments.iter().map(Definition::of).collect();
        // An assignment with errors still has its name.
        let failed = module.failed.iter().filter(|one| !one.text.is_empty());
        definitions.extend(failed.map(Definition::failed));
        definitions.sort_by_key(|one| one.span.start);
        let mut by_name = HashMap::new();
        for (index, definition) in definitions.iter().enumerate() {
            by_name.entry(definition.name.clone()).or_insert(index);
        }
        let members = definitions.iter().flat_map(|one| one.members.iter().map(|(_, span)| span.start)).collect();
        Self {
            name: module.name.text.clone(),
            name_span: module.name.span,
            span: module.span,
            imports: imports.collect(),
            definitions,
            by_name,
            members,
        }
    }

    /// Returns the assignment that contains a byte offset.
    #[must_use]
    pub fn definition_at(&self, offset: u32) -> Option<&Definition> {
        let next = self.definitions.partition_point(|one| one.span.start <= offset);
        let one = self.definitions.get(next.checked_sub(1)?)?;
        contains(one.span, offset as usize).then_some(one)
    }
}

impl Definition {
    /// Returns whether the assignment has dummy parameters (X.683 §8).
    #[must_use]
    pub const fn is_parameterized(&self) -> bool {
        !self.parameters.is_empty()
    }

    fn of(assignment: &Assignment) -> Self {
        let starts_lower = assignment.name.text.starts_with(|first: char| first.is_ascii_lowercase());
        let is_class = !assignment.name.text.contains(|char: char| char.is_ascii_lowercase());
        let mut members = Vec::new();
        let kind = match &assignment.body {
            Body::Type(ty) => {
                collect(ty, &mut members);
                // An alias of a class: references to classes have no lowercase letters (X.681 §7.1).
                let is_alias = matches!(&ty.kind, TypeKind::Reference(to) if !to.name.text.contains(|char: char| char.is_ascii_lowercase()));
                if is_class && is_alias { SymbolKind::Class } else { SymbolKind::Type }
            }
            Body::Value { .. } => SymbolKind::Value,
            Body::Set { governor, .. } => match &governor.kind {
                TypeKind::Reference(to) if !to.name.text.contains(|char: char| char.is_ascii_lowercase()) => {
                    SymbolKind::ObjectSet
                }
                _ => SymbolKind::Type,
            },
            Body::Class(_) => SymbolKind::Class,
            Body::Macro => SymbolKind::Macro,
            Body::Skipped if starts_lower => SymbolKind::Value,
            Body::Skipped => SymbolKind::Type,
        };
        let parameters = assignment.parameters.iter().flatten().map(|parameter| parameter.name.clone());
        Self {
            name: assignment.name.text.clone(),
            kind,
            name_span: assignment.name.span,
            span: assignment.span,
            members,
            parameters: parameters.collect(),
        }
    }

    /// Returns a definition that could not be parsed: `failed.span` is that of the whole text.
    fn failed(failed: &Ident) -> Self {
        let starts_lower = failed.text.starts_with(|first: char| first.is_ascii_lowercase());
        let end = failed.span.start + failed.text.len() as u32;
        Self {
            name: failed.text.clone(),
            kind: if starts_lower { SymbolKind::Value } else { SymbolKind::Type },
            name_span: Span { end, ..failed.span },
            span: failed.span,
            members: Vec::new(),
            parameters: Vec::new(),
        }
    }
}

/// Collects the names that a type declares, at all levels, without recursion.
fn collect(ty: &Type, members: &mut Vec<(String, Span)>) {
    let mut types = vec![ty];
    let mut lists: Vec<&[ListItem]> = Vec::new();
    let mut add = |name: &Ident| members.push((name.text.clone(), name.span));
    loop {
        if let Some(ty) = types.pop() {
            match &ty.kind {
                TypeKind::Integer(names) | TypeKind::BitString(names) => names.iter().for_each(|one| add(&one.name)),
                TypeKind::Enumerated(items) => items.iter().for_each(|item| {
                    if let EnumItem::Item { name, .. } = item {
                        add(name);
                    }
                }),
                TypeKind::Sequence(Components { items })
                | TypeKind::Set(Components { items })
                | TypeKind::Choice(Components { items }) => lists.push(items),
                TypeKind::SequenceOf(name, ty) | TypeKind::SetOf(name, ty) => {
                    name.iter().for_each(&mut add);
                    types.push(ty);
                }
                _ => {}
            }
        } else if let Some(list) = lists.pop() {
            for item in list {
                match item {
                    ListItem::Component { name, ty, .. } => {
                        add(name);
                        types.push(ty);
                    }
                    ListItem::Group { items, .. } => lists.push(items),
                    ListItem::ComponentsOf(..) | ListItem::Ellipsis(..) => {}
                }
            }
        } else {
            break;
        }
    }
    members.sort_by_key(|(_, span)| span.start);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
IMPORTS Other, limit FROM N;
A ::= SEQUENCE { b B OPTIONAL, limit INTEGER (0..limit), c CHOICE { d NULL, e Other } }
B {T} ::= SEQUENCE OF T
color Color ::= red
Color ::= ENUMERATED { red, green(3) }
Wrong ::= SEQUENCE { x ( }
Last ::= N.Other
END
N DEFINITIONS ::= BEGIN Other ::= BOOLEAN limit INTEGER ::= 4 END
";

    fn at<'a>(symbols: &'a Symbols, text: &str, skip: usize) -> &'a Occurrence {
        symbols.at(0, TEXT.find(text).unwrap() + skip).unwrap()
    }

    #[test]
    fn names_lead_to_their_definitions() {
        let symbols = Symbols::of(&[Source::new("m", TEXT)]);
        let slice = |span: Span| &TEXT[span.start as usize..];
        for (text, skip, definition) in [
            ("b B OPT", 2, "B {T}"),
            ("0..limit", 3, "limit INTEGER ::= 4"),
            ("e Other", 2, "Other ::= BOOLEAN"),
            ("OF T", 3, "T} ::="),
            ("color Color", 6, "Color ::= ENUM"),
            ("N.Other", 2, "Other ::= BOOLEAN"),
            ("N.Other", 0, "N DEFINITIONS"),
            ("FROM N", 5, "N DEFINITIONS"),
            ("Wrong", 0, "Wrong ::= SEQ"),
            ("IMPORTS Other", 8, "Other ::= BOOLEAN"),
        ] {
            let target = at(&symbols, text, skip).target.unwrap_or_else(|| panic!("{text}"));
            let found = symbols.definition(target).unwrap();
            assert!(slice(found).starts_with(definition), "{text}: {}", slice(found));
            assert!(symbols.uses(target).any(|one| one.span == found), "{text}: the definition is a use");
        }
    }

    #[test]
    fn declared_names_are_no_references() {
        let symbols = Symbols::of(&[Source::new("m", TEXT)]);
        for (text, skip) in [("limit INTEGER (0", 0), ("red, green", 0), ("green(3)", 0), ("d NULL", 0)] {
            let found = at(&symbols, text, skip);
            assert_eq!((found.kind, found.target), (SymbolKind::Member, None), "{text}");
        }
        let a = symbols.module_named("M").unwrap().definitions.iter().find(|one| one.name == "A").unwrap();
        let members: Vec<_> = a.members.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(members, ["b", "limit", "c", "d", "e"]);
    }

    #[test]
    fn broken_texts_have_names() {
        let symbols = Symbols::of(&[Source::new("m", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { B ::= A")]);
        assert_eq!(symbols.modules().len(), 1);
        assert!(Symbols::of(&[Source::new("m", "::= {{{ \"")]).modules().is_empty());
        assert!(Symbols::default().at(0, 7).is_none());
    }
}
