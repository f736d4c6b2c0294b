//! Resolves modules, imports and names (X.680 §13, §14).

use std::collections::{HashMap, HashSet};

use crate::ast::{self, Ident, ModuleOid, Selection};
use crate::departure::Departure;
use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{Arc, Assignment, AssignmentKind, Import, Module, ModuleId, TagDefault};
use crate::near::nearest;
use crate::parse::Parsed;
use crate::resolve::{Def, Entity, Failed, Resolver, Scope, State};
use crate::source::Span;
use crate::words::is_macro;

/// A module, with information about its names.
#[derive(Debug)]
pub(crate) struct ModuleInfo<'a> {
    pub(crate) ast: &'a ast::Module,
    /// The first assignment of each name.
    names: HashMap<&'a str, u32>,
    /// The imported names, each with the index of its import.
    imports: HashMap<&'a str, usize>,
    /// The additional imports of a name.
    repeated: HashMap<&'a str, Vec<usize>>,
    /// The first additional import of a name that refers to another definition than the name's first import.
    ambiguous: HashMap<&'a str, usize>,
    /// The module of each import, if it is available, and whether it was needed and reported as missing.
    targets: Vec<Option<u32>>,
    /// The first import of each module name, and the first one whose module is available.
    sources: HashMap<&'a str, (usize, Option<u32>)>,
    /// The definitions of imported names, followed through the imports of other modules. Filled in once all imports are bound.
    resolved: HashMap<&'a str, Found>,
    oid: Option<Vec<Arc>>,
    /// The module's exports, if it lists them.
    exports: Option<HashSet<&'a str>>,
}

/// The result of looking up a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Def(u32),
    /// A parameter of an environment.
    Parameter(u32, usize),
    /// TYPE-IDENTIFIER (0) or ABSTRACT-SYNTAX (1).
    Language(usize),
    Nothing,
}

const IMPORTS: Clause = Clause::x680("13.16");

/// The modules, by the names and identifiers that imports use.
#[derive(Debug, Default)]
pub(crate) struct Modules<'a> {
    /// The first module with each name.
    by_name: HashMap<&'a str, u32>,
    /// All modules with an object identifier, in source order.
    by_oid: HashMap<Vec<Arc>, Vec<u32>>,
}

impl<'a> ModuleInfo<'a> {
    fn new(ast: &'a ast::Module) -> Self {
        Self {
            ast,
            names: HashMap::new(),
            imports: HashMap::new(),
            repeated: HashMap::new(),
            ambiguous: HashMap::new(),
            targets: Vec::new(),
            sources: HashMap::new(),
            resolved: HashMap::new(),
            oid: None,
            exports: None,
        }
    }

    /// Stores the modules of the imports.
    fn bind(&mut self, targets: Vec<Option<u32>>) {
        self.sources.clear();
        for (number, (import, target)) in self.ast.imports.iter().zip(&targets).enumerate() {
            let (_, known) = self.sources.entry(&import.module.text).or_insert((number, None));
            *known = known.or(*target);
        }
        self.targets = targets;
    }
}

impl<'a> Resolver<'a> {
    pub(crate) fn collect_modules(&mut self) {
        let files = self.files;
        for (_, modules) in files {
            for ast in modules {
                let module = self.infos_of_modules.len() as u32;
                let mut names: HashMap<&'a str, u32> = HashMap::new();
                for assignment in &ast.assignments {
                    let def = self.defs.len() as u32;
                    self.defs.push(Def { module, ast: assignment, state: State::Pending, entity: None });
                    let name = assignment.name.text.as_str();
                    if let Some(first) = names.get(name).and_then(|first| self.defs.get(*first as usize)) {
                        let message = format!("duplicate assignment of {name}");
                        let first = first.ast.name.span;
                        let clause = Clause::x680("13.15");
                        let error = Diagnostic::error(assignment.name.span, "duplicate", message, clause);
                        self.diagnostics.push(error.note(first, "it is first assigned here"));
                    } else {
                        names.insert(name, def);
                    }
                }
                let exports = ast.exports.as_ref();
                let exports = exports.map(|list| list.iter().map(|symbol| symbol.name.text.as_str()).collect());
                self.modules.by_name.entry(&ast.name.text).or_insert(module);
                self.infos_of_modules.push(ModuleInfo { names, exports, ..ModuleInfo::new(ast) });
            }
        }
        for module in 0..self.infos_of_modules.len() {
            let Some(braced) = self.infos_of_modules.get(module).and_then(|info| info.ast.oid) else { continue };
            let scope = Scope { module: module as u32, env: 0 };
            let oid = self.oid_inside(braced, scope).ok();
            if let Some(oid) = &oid {
                self.modules.by_oid.entry(oid.clone()).or_default().push(module as u32);
            }
            if let Some(info) = self.infos_of_modules.get_mut(module) {
                info.oid = oid;
            }
        }
        self.check_duplicate_modules();
    }

    fn check_duplicate_modules(&mut self) {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for module in 0..self.infos_of_modules.len() {
            let Some(info) = self.infos_of_modules.get(module) else { continue };
            let ast = info.ast;
            let Some(first) = seen.get(ast.name.text.as_str()).copied() else {
                seen.insert(&ast.name.text, module);
                continue;
            };
            let Some(other) = self.infos_of_modules.get(first) else { continue };
            let message = format!("duplicate module {}", ast.name.text);
            let clause = Clause::x680("13.5");
            // Object identifiers tell modules of one name apart.
            let differ = matches!((&info.oid, &other.oid), (Some(a), Some(b)) if a != b);
            let note = (other.ast.name.span, "it is first defined here");
            let diagnostic = if differ {
                Diagnostic::warning(ast.name.span, "duplicate", message, clause)
            } else {
                Diagnostic::error(ast.name.span, "duplicate", message, clause)
            };
            self.diagnostics.push(diagnostic.note(note.0, note.1));
        }
    }

    /// Finds the modules of imports, and checks the imported symbols.
    pub(crate) fn bind_imports(&mut self) {
        // Object identifiers of modules may be values that are imported: those are found by the modules' names first.
        self.bind_by_name();
        for module in 0..self.infos_of_modules.len() {
            let Some(ast) = self.infos_of_modules.get(module).map(|info| info.ast) else { continue };
            let mut targets = Vec::new();
            for import in &ast.imports {
                targets.push(self.target(module as u32, import));
            }
            if let Some(info) = self.infos_of_modules.get_mut(module) {
                info.bind(targets);
            }
        }
        for module in 0..self.infos_of_modules.len() {
            self.resolve_imports(module as u32);
        }
        for module in 0..self.infos_of_modules.len() {
            self.find_ambiguous(module);
            self.check_symbols(module as u32);
        }
    }

    /// Follows the imported names of a module to their assignments, visiting each module on the way once.
    fn resolve_imports(&mut self, module: u32) {
        let Some(info) = self.infos_of_modules.get(module as usize) else { return };
        let names: Vec<&'a str> = info.imports.keys().copied().collect();
        for name in names {
            let (mut path, mut at) = (Vec::new(), module);
            let found = loop {
                let Some(info) = self.infos_of_modules.get_mut(at as usize) else { break Found::Nothing };
                if let Some(known) = info.resolved.get(name) {
                    break *known;
                }
                if let Some(def) = info.names.get(name) {
                    break Found::Def(*def);
                }
                let Some(number) = info.imports.get_key_value(name) else { break Found::Nothing };
                path.push((at, *number.0));
                // Imports that lead in a circle lead nowhere.
                info.resolved.insert(number.0, Found::Nothing);
                match info.targets.get(*number.1).copied().flatten() {
                    Some(target) => at = target,
                    None => break Found::Nothing,
                }
            };
            for (module, name) in path {
                if let Some(info) = self.infos_of_modules.get_mut(module as usize) {
                    info.resolved.insert(name, found);
                }
            }
        }
    }

    /// Finds names that are imported from two modules with different definitions.
    fn find_ambiguous(&mut self, module: usize) {
        let Some(info) = self.infos_of_modules.get(module) else { return };
        let target = |number: usize, name: &str| {
            let module = info.targets.get(number).copied().flatten();
            module.map(|module| self.find_from(module, name))
        };
        let pairs = info.repeated.iter().filter_map(|(name, others)| {
            let first = target(*info.imports.get(name)?, name);
            Some((*name, *others.iter().find(|number| target(**number, name) != first)?))
        });
        let ambiguous = pairs.collect();
        if let Some(info) = self.infos_of_modules.get_mut(module) {
            info.ambiguous = ambiguous;
        }
    }

    fn bind_by_name(&mut self) {
        for module in 0..self.infos_of_modules.len() {
            let Some(ast) = self.infos_of_modules.get(module).map(|info| info.ast) else { continue };
            let targets = ast
                .imports
                .iter()
                .map(|import| self.modules.by_name.get(import.module.text.as_str()).copied())
                .collect();
            let mut names: HashMap<&'a str, usize> = HashMap::new();
            let mut repeated: HashMap<&'a str, Vec<usize>> = HashMap::new();
            for (number, import) in ast.imports.iter().enumerate() {
                for symbol in &import.symbols {
                    let name = symbol.name.text.as_str();
                    // Of one name from two modules, either may be meant; see `check_ambiguous`.
                    if *names.entry(name).or_insert(number) != number {
                        repeated.entry(name).or_default().push(number);
                    }
                }
            }
            if let Some(info) = self.infos_of_modules.get_mut(module) {
                (info.imports, info.repeated) = (names, repeated);
                info.bind(targets);
            }
        }
    }

    /// Returns the module that an import refers to, by object identifier first and then by name (X.680 §13.15).
    fn target(&mut self, importer: u32, import: &ast::Import) -> Option<u32> {
        let scope = Scope { module: importer, env: 0 };
        let oid = match &import.oid {
            Some(ModuleOid::Braced(braced)) => self.oid_inside(*braced, scope).ok(),
            Some(ModuleOid::Value(reference)) if self.find(None, &reference.name.text, scope) == Found::Nothing => {
                let message = format!("undefined {}; the module is identified by its name", reference.name.text);
                self.warn(reference.name.span, "import", message, IMPORTS);
                None
            }
            Some(ModuleOid::Value(reference)) => {
                let value = ast::Value {
                    kind: ast::ValueKind::Reference(reference.clone(), Vec::new()),
                    span: reference.name.span,
                };
                self.oid_of(&value, scope).ok()
            }
            None => None,
        };
        if let Some(oid) = &oid
            && let Some(found) = self.module_of_oid(oid, import)
        {
            return Some(found);
        }
        let found = self.modules.by_name.get(import.module.text.as_str()).copied()?;
        if oid.is_some() && self.infos_of_modules.get(found as usize).is_some_and(|info| info.oid.is_some()) {
            let message = format!(
                "the module {} has a different object identifier; it is identified by its name",
                import.module.text
            );
            self.warn(import.module.span, "import", message, Clause::x680("13.15"));
        }
        Some(found)
    }

    /// Returns the module with an object identifier, if any. If there are several, prefers one with the import's name, and
    /// otherwise the first.
    fn module_of_oid(&mut self, oid: &[Arc], import: &ast::Import) -> Option<u32> {
        let is_named = |number: &&u32| {
            let info = self.infos_of_modules.get(**number as usize);
            info.is_some_and(|info| info.ast.name.text == import.module.text)
        };
        let Some(selection) = import.selection else {
            let fitting = self.modules.by_oid.get(oid)?;
            return fitting.iter().find(is_named).or_else(|| fitting.first()).copied();
        };
        let fits = |info: &ModuleInfo<'_>| match (&info.oid, selection) {
            (None, _) => false,
            (Some(other), Selection::Descendants) => other.starts_with(oid),
            (Some(other), Selection::Successors) => {
                let (a, b) = (other.split_last(), oid.split_last());
                matches!((a, b), (Some((x, a)), Some((y, b))) if a == b && x >= y)
            }
        };
        let all = self.infos_of_modules.iter().enumerate();
        let fitting: Vec<u32> = all.filter(|(_, info)| fits(info)).map(|(number, _)| number as u32).collect();
        let found = fitting.iter().find(is_named).or_else(|| fitting.first()).copied();
        // All modules were gone through.
        let looked_at = 64 * self.infos_of_modules.len() as u64;
        self.spend(import.module.span, looked_at).ok().and(found)
    }

    fn check_symbols(&mut self, module: u32) {
        let Some(info) = self.infos_of_modules.get(module as usize) else { return };
        let (ast, targets) = (info.ast, info.targets.clone());
        if let Some(exports) = &ast.exports {
            for symbol in exports {
                let is_known = self.infos_of_modules.get(module as usize).is_some_and(|info| {
                    let name = symbol.name.text.as_str();
                    info.names.contains_key(name) || info.imports.contains_key(name)
                });
                if !is_known && !is_macro(&symbol.name.text) {
                    let message = format!("{} is exported but not defined", symbol.name.text);
                    self.diagnostics.depart(Departure::UndefinedExport, symbol.name.span, message);
                }
                self.check_braces(module, symbol);
            }
        }
        for (import, target) in ast.imports.iter().zip(targets) {
            // That a module is missing matters when something is needed from it; see `warn_missing`.
            let Some(target) = target else { continue };
            for symbol in &import.symbols {
                self.check_symbol(module, target, &symbol.name);
                self.check_braces(target, symbol);
            }
        }
    }

    /// Warns about missing modules from which nothing is needed.
    pub(crate) fn warn_missing(&mut self) {
        for module in 0..self.infos_of_modules.len() as u32 {
            let Some(info) = self.infos_of_modules.get(module as usize) else { continue };
            let (ast, targets) = (info.ast, info.targets.clone());
            for (number, (import, target)) in ast.imports.iter().zip(targets).enumerate() {
                if target.is_none() && !self.missed.contains(&(module, number)) {
                    let message = format!(
                        "the imported module {} is missing, but none of its definitions are used",
                        import.module.text
                    );
                    self.warn(import.module.span, "import", message, IMPORTS);
                }
            }
        }
    }

    /// Warns about a symbol with braces, `A{}`, that is not a parameterized definition. ITU-T X.509 (2016) imports one.
    fn check_braces(&mut self, module: u32, symbol: &ast::Symbol) {
        let Found::Def(def) = self.find_from(module, &symbol.name.text) else { return };
        let is_plain = self.defs.get(def as usize).is_some_and(|def| def.ast.parameters.is_none());
        if symbol.is_parameterized && is_plain {
            let message = format!("{} has no parameters, expected it without braces", symbol.name.text);
            self.warn(symbol.name.span, "parameters", message, Clause::x683("9.1"));
        }
    }

    fn check_symbol(&mut self, importer: u32, target: u32, name: &Ident) {
        let Some(info) = self.infos_of_modules.get(target as usize) else { return };
        let module = &info.ast.name.text;
        if is_macro(&name.text) && !info.names.contains_key(name.text.as_str()) {
            let message = format!("{} is assumed to be a macro; definitions that use it are skipped", name.text);
            self.warn(name.span, "macro", message, Clause::x680("3.8"));
            return;
        }
        let is_own = target != importer && info.names.contains_key(name.text.as_str());
        let passed_on = info.imports.contains_key(name.text.as_str()) && target != importer;
        if !is_own && !passed_on {
            let near = nearest(&name.text, info.names.keys().copied().take(self.hints()));
            let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            let message = format!("there is no {} in {module}{hint}", name.text);
            self.diagnostics.depart(Departure::UndefinedImport, name.span, message);
            return;
        }
        let is_exported = info.exports.as_ref().is_none_or(|exports| exports.contains(name.text.as_str()));
        if !is_exported {
            let message = format!("{} does not export {}", module, name.text);
            self.diagnostics.depart(Departure::UnexportedImport, name.span, message);
        }
    }

    /// Finds a name in a scope without reporting errors.
    pub(crate) fn find(&self, module: Option<&Ident>, name: &str, scope: Scope) -> Found {
        if let Some(qualifier) = module {
            return self.find_in(qualifier, name, scope);
        }
        if let Some(env) = self.envs.get(scope.env as usize)
            && let Some(index) = env.parameters.iter().position(|bound| bound.name == name)
        {
            return Found::Parameter(scope.env, index);
        }
        match self.find_from(scope.module, name) {
            Found::Nothing => match name {
                "TYPE-IDENTIFIER" => Found::Language(0),
                "ABSTRACT-SYNTAX" => Found::Language(1),
                _ => Found::Nothing,
            },
            found => found,
        }
    }

    /// Finds a name in a module, or through its imports.
    fn find_from(&self, module: u32, name: &str) -> Found {
        let mut module = module;
        // No chain of imports is longer than there are modules.
        for _ in 0..=self.infos_of_modules.len() {
            let Some(info) = self.infos_of_modules.get(module as usize) else { return Found::Nothing };
            if let Some(def) = info.names.get(name) {
                return Found::Def(*def);
            }
            if let Some(found) = info.resolved.get(name) {
                return *found;
            }
            let Some(number) = info.imports.get(name) else { return Found::Nothing };
            match info.targets.get(*number).copied().flatten() {
                Some(target) => module = target,
                None => return Found::Nothing,
            }
        }
        Found::Nothing
    }

    /// Resolves `Module.Name` (X.680 §14.1): through the import from that module, or in the module itself.
    fn find_in(&self, qualifier: &Ident, name: &str, scope: Scope) -> Found {
        let Some(info) = self.infos_of_modules.get(scope.module as usize) else { return Found::Nothing };
        if info.ast.name.text == qualifier.text {
            return self.find_from(scope.module, name);
        }
        let by_import = info.sources.get(qualifier.text.as_str()).and_then(|(_, target)| *target);
        match by_import.or_else(|| self.modules.by_name.get(qualifier.text.as_str()).copied()) {
            Some(target) => self.find_from(target, name),
            None => Found::Nothing,
        }
    }

    /// Finds a name in a scope, and reports an error if it is missing.
    pub(crate) fn lookup(&mut self, module: Option<&Ident>, name: &Ident, scope: Scope) -> Parsed<Found> {
        let found = self.find(module, &name.text, scope);
        if found != Found::Nothing {
            if module.is_none() && matches!(found, Found::Def(_)) {
                self.check_ambiguous(name, scope)?;
            }
            return Ok(found);
        }
        let Some(info) = self.infos_of_modules.get(scope.module as usize) else { return Err(Failed) };
        // A name before which its module stands is looked for there only.
        let number = match module {
            None => info.imports.get(name.text.as_str()).copied(),
            Some(module) => info.sources.get(module.text.as_str()).map(|(number, _)| *number),
        };
        let missing = number.and_then(|number| Some((number, info.ast.imports.get(number)?)));
        let is_known = |module: &Ident| self.modules.by_name.contains_key(module.text.as_str());
        let message = match (missing, module) {
            (Some((number, import)), module) if module.is_none_or(|module| !is_known(module)) => {
                let is_there = info.targets.get(number).copied().flatten().is_some();
                if is_there && self.diagnostics.allows(Departure::UndefinedImport) {
                    let message = format!("there is no {} in {}", name.text, import.module.text);
                    return self.fail(name.span, "undefined", message, Clause::x680("14.4"));
                }
                // That the module has no such name was said at the import; that a module is missing is said once.
                if is_there || !self.missed.insert((scope.module, number)) {
                    return Err(Failed);
                }
                let message = format!(
                    "the module {}, from which {} is needed, is not among the files",
                    import.module.text, name.text
                );
                let error = Diagnostic::error(import.module.span, "import", message, IMPORTS);
                self.diagnostics.push(error.note(name.span, "it is needed here"));
                return Err(Failed);
            }
            (_, Some(module)) if is_known(module) => format!("there is no {} in the module {}", name.text, module.text),
            (_, Some(module)) => {
                format!("the module {} is not imported from, and is not among the files", module.text)
            }
            (_, None) => {
                let known = info.names.keys().chain(info.imports.keys()).copied().take(self.hints());
                let near = nearest(&name.text, known).map(|near| format!("; did you mean {near}?"));
                format!("there is no {} in {}{}", name.text, info.ast.name.text, near.unwrap_or_default())
            }
        };
        self.fail(name.span, "undefined", message, Clause::x680("14.4"))
    }

    /// Reports an ambiguous name: one that is imported from two modules with different definitions must be qualified with its
    /// module (X.680 §14.5).
    fn check_ambiguous(&mut self, name: &Ident, scope: Scope) -> Parsed<()> {
        let Some(info) = self.infos_of_modules.get(scope.module as usize) else { return Ok(()) };
        let text = name.text.as_str();
        let Some(first) = info.imports.get(text).copied().filter(|_| !info.names.contains_key(text)) else {
            return Ok(());
        };
        let named = |number: usize| info.ast.imports.get(number).map_or("", |import| import.module.text.as_str());
        match info.ambiguous.get(text) {
            None => Ok(()),
            Some(other) => {
                let message = format!(
                    "{text} is imported from {} and from {}: qualify it, as {}.{text}",
                    named(first),
                    named(*other),
                    named(first)
                );
                self.fail(name.span, "ambiguous", message, Clause::x680("14.5"))
            }
        }
    }

    /// Creates the model's modules.
    pub(crate) fn finish_modules(&mut self, entities: &[Option<Entity>]) {
        let mut defs = self.defs.iter().zip(entities).peekable();
        for (number, info) in self.infos_of_modules.iter().enumerate() {
            let module = number as u32;
            let imports = info.ast.imports.iter().zip(&info.targets).map(|(import, target)| Import {
                name: import.module.text.clone(),
                module: target.map(ModuleId),
                symbols: import.symbols.iter().map(|symbol| symbol.name.text.clone()).collect(),
                span: import.module.span,
            });
            // Assignments are in the order of their modules.
            let own = std::iter::from_fn(|| defs.next_if(|(def, _)| def.module == module));
            let assignments = own.filter_map(|(def, entity)| {
                let kind = self.kind_of(def, (*entity)?)?;
                Some(Assignment { name: def.ast.name.text.clone(), kind, span: def.ast.span })
            });
            let tags = match info.ast.tags {
                ast::Tags::Explicit => TagDefault::Explicit,
                ast::Tags::Implicit => TagDefault::Implicit,
                ast::Tags::Automatic => TagDefault::Automatic,
            };
            let exports = info.ast.exports.as_ref();
            self.model.modules.push(Module {
                name: info.ast.name.text.clone(),
                oid: info.oid.clone(),
                tags,
                extensibility_implied: info.ast.extensibility_implied,
                exports: exports.map(|list| list.iter().map(|symbol| symbol.name.text.clone()).collect()),
                imports: imports.collect(),
                assignments: assignments.collect(),
                controls: info.ast.controls.clone(),
                span: info.ast.span,
            });
        }
    }

    fn kind_of(&self, def: &Def<'_>, entity: Entity) -> Option<AssignmentKind> {
        Some(match entity {
            Entity::Type(id) => AssignmentKind::Type(id),
            Entity::ValueSet(id) => AssignmentKind::ValueSet(id),
            Entity::Value(slot) => {
                let slot = self.values.get(slot as usize)?;
                AssignmentKind::Value { ty: slot.governor, value: slot.value.clone()? }
            }
            Entity::Class(id) => AssignmentKind::Class(id),
            Entity::Object(id) => AssignmentKind::Object(id),
            Entity::Set(id) => AssignmentKind::ObjectSet(id),
            Entity::Template => {
                let parameters = def.ast.parameters.iter().flatten().map(|parameter| parameter.name.text.clone());
                AssignmentKind::Parameterized { parameters: parameters.collect() }
            }
            Entity::Skipped => AssignmentKind::Skipped,
        })
    }

    /// Returns the text of a span.
    pub(crate) fn text_of(&self, span: Span) -> &'a str {
        let files = self.files;
        files.get(span.file as usize).map_or("", |(tokens, _)| tokens.source.slice(span))
    }
}
