//! Parses modules (X.680 §13): headers, exports, imports, and the body up to END.

use crate::ast::{Assignment, Ident, Import, Module, ModuleOid, Ref, Selection, Symbol, Tags};
use crate::departure::Departure;
use crate::diagnostic::{Clause, Diagnostics};
use crate::lex::{TokenKind, Tokens};
use crate::model::Instruction;
use crate::parse::{Parsed, Parser};
use crate::words::is_reserved;

const MODULE: Clause = Clause::x680("13.1");

/// Parses all modules in a file.
pub(crate) fn modules(tokens: &Tokens, max_depth: u32, diagnostics: &mut Diagnostics) -> Vec<Module> {
    let mut parser = Parser::new(tokens, max_depth, diagnostics);
    let mut modules = Vec::new();
    if parser.is_end() {
        let span = parser.here().span;
        parser.complain(span, "syntax", "the file has no module".to_owned(), MODULE);
    }
    while !parser.is_end() {
        match parser.module() {
            Ok(module) => modules.push(module),
            Err(_) => parser.next_module(),
        }
    }
    modules
}

impl Parser<'_> {
    /// Skips to the next module name: one that is followed by DEFINITIONS, possibly after an object identifier.
    fn next_module(&mut self) {
        let mut candidate = None;
        while !self.is_end() {
            match self.kind() {
                TokenKind::Upper if self.text() == "DEFINITIONS" => {
                    if let Some(at) = candidate {
                        self.at = at;
                        return;
                    }
                }
                TokenKind::Upper | TokenKind::Lower if !is_reserved(self.text()) => {
                    let follows = self.is_ahead(1, b'{') || self.is_word_ahead(1, "DEFINITIONS");
                    candidate = follows.then_some(self.at);
                }
                TokenKind::Assign => candidate = None,
                _ => {}
            }
            self.bump();
        }
    }

    fn module(&mut self) -> Parsed<Module> {
        let start = self.span();
        let begun = self.at;
        let name = self.module_name(MODULE)?;
        let oid = if self.is(b'{') { Some(self.braced(MODULE)?) } else { None };
        self.take_kind(TokenKind::CString);
        if !self.is_word("DEFINITIONS") {
            let found = self.expected("`DEFINITIONS`", MODULE);
            self.at = self.at.max(begun + 1);
            return found;
        }
        self.bump();
        self.prefixes = false;
        if self.kind() == TokenKind::Upper && self.is_word_ahead(1, "INSTRUCTIONS") {
            self.prefixes = !self.is_word("TAG");
            self.default_encoding = self.prefixes.then(|| self.text().to_owned());
            self.at += 2;
        }
        let mut tags = Tags::Explicit;
        for (word, kind) in [("EXPLICIT", Tags::Explicit), ("IMPLICIT", Tags::Implicit), ("AUTOMATIC", Tags::Automatic)]
        {
            if self.take_word(word) {
                self.expect_word("TAGS", Clause::x680("13.2"))?;
                tags = kind;
            }
        }
        let extensibility_implied = self.take_word("EXTENSIBILITY");
        if extensibility_implied {
            self.expect_word("IMPLIED", Clause::x680("13.4"))?;
        }
        self.expect_kind(TokenKind::Assign, "`::=`", MODULE)?;
        self.expect_word("BEGIN", MODULE)?;
        let exports = self.exports().unwrap_or_else(|_| {
            self.next_assignment();
            None
        });
        let imports = self.imports().unwrap_or_else(|_| {
            self.next_assignment();
            Vec::new()
        });
        let mut controls = Vec::new();
        let (assignments, failed) = self.assignments(&mut controls);
        Ok(Module {
            name,
            oid,
            tags,
            extensibility_implied,
            exports,
            imports,
            assignments,
            controls: controls.into(),
            failed,
            span: start.to(self.last()),
        })
    }

    /// Parses the assignments. Also returns the positions and probable names of those that failed to parse.
    fn assignments(&mut self, controls: &mut Vec<Instruction>) -> (Vec<Assignment>, Vec<Ident>) {
        let (mut assignments, mut failed) = (Vec::new(), Vec::new());
        loop {
            if self.take_word("END") {
                return (assignments, failed);
            }
            if self.is_word("ENCODING-CONTROL") {
                let message = "encoding control sections are skipped".to_owned();
                self.warn(self.span(), "skipped", message, Clause::x680("54"));
                let start = self.span();
                self.bump();
                let encoding = (!self.is_word("END")).then(|| self.text().to_owned());
                let words = self.words(|parser| parser.is_word("END") || parser.is_word("ENCODING-CONTROL"));
                let words = words.into_iter().skip(1).collect();
                controls.push(Instruction { encoding, words, span: start.to(self.last()) });
                continue;
            }
            if self.is_end() {
                let _ = self.expected::<()>("an assignment or `END`", MODULE);
                return (assignments, failed);
            }
            let (begun, name) = (self.at, self.here());
            match self.assignment() {
                Ok(assignment) => assignments.push(assignment),
                Err(_) => {
                    // What follows may have been taken for a part of this one: it is looked for from its `::=` on.
                    let assign = (begun..self.at).find(|at| self.tokens.at(*at).kind == TokenKind::Assign);
                    self.at = assign.unwrap_or(self.at.max(begun + 1) - 1) + 1;
                    self.next_assignment();
                    failed.push(Ident { span: name.span.to(self.last()), ..name });
                }
            }
        }
    }

    /// Parses a module name. A name that begins with a lowercase letter is a named departure.
    fn module_name(&mut self, clause: Clause) -> Parsed<Ident> {
        if self.kind() != TokenKind::Lower || self.is_ahead(1, b',') || self.is_word_ahead(1, "FROM") {
            return self.reference("a module's name", clause);
        }
        let message = "a module name must begin with a capital letter".to_owned();
        self.diagnostics.depart(Departure::ModuleName, self.span(), message);
        let name = self.here();
        self.bump();
        Ok(name)
    }

    /// Parses a name that begins with an uppercase letter and is not reserved.
    pub(crate) fn reference(&mut self, what: &str, clause: Clause) -> Parsed<Ident> {
        if self.kind() == TokenKind::Upper && is_reserved(self.text()) {
            return self.expected(what, clause);
        }
        self.ident(TokenKind::Upper, what, clause)
    }

    fn symbol(&mut self) -> Parsed<Option<Symbol>> {
        let clause = Clause::x680("13.1");
        // RFC 2459 and its successors import the string types that were new then.
        if matches!(self.text(), "UTF8String" | "BMPString" | "UniversalString") {
            let message = format!("{} is a built-in type and need not be imported", self.text());
            self.warn(self.span(), "import", message, Clause::x680("12.38"));
            self.bump();
            return Ok(None);
        }
        let name = match self.kind() {
            TokenKind::Upper | TokenKind::Lower if !is_reserved(self.text()) || is_class(self.text()) => self.here(),
            _ => return self.expected("the name of a type, value, class, object or set", clause),
        };
        self.bump();
        let is_parameterized = self.take(b'{');
        if is_parameterized {
            self.expect(b'}', Clause::x683("9.1"))?;
        }
        Ok(Some(Symbol { name, is_parameterized }))
    }

    fn symbols(&mut self) -> Parsed<Vec<Symbol>> {
        let mut symbols: Vec<Symbol> = self.symbol()?.into_iter().collect();
        while self.take(b',') {
            symbols.extend(self.symbol()?);
        }
        Ok(symbols)
    }

    fn exports(&mut self) -> Parsed<Option<Vec<Symbol>>> {
        let clause = Clause::x680("13.1");
        if !self.take_word("EXPORTS") {
            return Ok(None);
        }
        if self.take_word("ALL") {
            self.expect(b';', clause)?;
            return Ok(None);
        }
        let symbols = if self.is(b';') { Vec::new() } else { self.symbols()? };
        self.expect(b';', clause)?;
        Ok(Some(symbols))
    }

    fn imports(&mut self) -> Parsed<Vec<Import>> {
        let clause = Clause::x680("13.1");
        let mut imports = Vec::new();
        if !self.take_word("IMPORTS") {
            return Ok(imports);
        }
        while !self.take(b';') {
            let symbols = self.symbols()?;
            if !self.is_word("FROM") {
                self.expected::<()>("`,` or `FROM`", clause)?;
            }
            self.bump();
            let module = self.module_name(clause)?;
            let oid = self.module_oid()?;
            let mut selection = None;
            if self.take_word("WITH") {
                selection = match self.text() {
                    "SUCCESSORS" => Some(Selection::Successors),
                    "DESCENDANTS" => Some(Selection::Descendants),
                    _ => self.expected("`SUCCESSORS` or `DESCENDANTS`", Clause::x680("13.17"))?,
                };
                self.bump();
            }
            imports.push(Import { symbols, module, oid, selection });
        }
        Ok(imports)
    }

    /// Parses the object identifier after a module's name, or a reference to one. A name that is followed by `,` or FROM is a
    /// symbol instead.
    fn module_oid(&mut self) -> Parsed<Option<ModuleOid>> {
        if self.is(b'{') {
            return Ok(Some(ModuleOid::Braced(self.braced(Clause::x680("13.1"))?)));
        }
        let is_value = self.kind() == TokenKind::Lower
            && !self.is_ahead(1, b',')
            && !self.is_word_ahead(1, "FROM")
            && !self.is_ahead(1, b'{');
        if !is_value {
            return Ok(None);
        }
        let name = self.here();
        self.bump();
        Ok(Some(ModuleOid::Value(Ref { module: None, name, actuals: None })))
    }
}

/// Returns whether a word is a built-in class (X.681 Annexes A and B). These are reserved words, but modules may use
/// them as names.
pub(crate) fn is_class(word: &str) -> bool {
    matches!(word, "TYPE-IDENTIFIER" | "ABSTRACT-SYNTAX")
}
