//! The imports between the files of a crate, and the cycles among them.
//!
//! Paths are read from tokens, so comments and strings do not count. A re-exported name is followed to the file that defines it.
//! Re-exports from a module's own children are not imports. Tests and generated files are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module's path from the root of its crate.
type Module = Vec<String>;

/// An import: the names of the importing and the imported file, below `src`.
pub(crate) type Edge = (String, String);

/// The files of a crate and their imports.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    files: BTreeMap<Module, File>,
}

#[derive(Debug, Default)]
struct File {
    /// Its name below `src`.
    name: String,
    /// Names that it defines at its top.
    defines: BTreeSet<String>,
    /// Paths that it names, and whether it hands them on.
    paths: Vec<(bool, Vec<String>)>,
}

impl Imports {
    /// Reads the files below a folder.
    pub(crate) fn read(src: &Path) -> Result<Self> {
        let mut imports = Self::default();
        let mut folders = vec![src.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(src)?.to_string_lossy().into_owned();
                if let Some(module) = module_of(&name) {
                    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                    imports.add(module, &name, &text).with_context(|| path.display().to_string())?;
                }
            }
        }
        Ok(imports)
    }

    fn add(&mut self, module: Module, name: &str, text: &str) -> Result<()> {
        let mut file = File { name: name.to_owned(), ..File::default() };
        let tokens: TokenStream = text.parse().map_err(|error| anyhow!("not Rust: {error}"))?;
        file.walk(tokens, true);
        self.files.insert(module, file);
        Ok(())
    }

    /// The names of the files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|file| file.name.as_str())
    }

    /// Each import of a file by another, by their names.
    pub(crate) fn edges(&self) -> BTreeSet<Edge> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.files {
            for (handed_on, path) in &file.paths {
                let Some(target) = self.resolve(module, path, &mut BTreeSet::new()) else { continue };
                // A module may re-export its children.
                if target != *module && !(*handed_on && target.starts_with(module)) {
                    edges.insert((file.name.clone(), self.files[&target].name.clone()));
                }
            }
        }
        edges
    }

    /// The module that a path starts in, and the rest of the path.
    fn base<'p>(&self, module: &[String], path: &'p [String]) -> Option<(Module, &'p [String])> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), rest)),
            "self" => Some((module.to_vec(), rest)),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                Some((module[..module.len().checked_sub(ups)?].to_vec(), &path[ups..]))
            }
            _ => self.files.contains_key(&below(module, first)).then(|| (module.to_vec(), path)),
        }
    }

    /// The deepest file on a path, and the rest.
    fn descend<'p>(&self, mut module: Module, mut path: &'p [String]) -> (Module, &'p [String]) {
        while let Some((first, rest)) = path.split_first()
            && self.files.contains_key(&below(&module, first))
        {
            module.push(first.clone());
            path = rest;
        }
        while !self.files.contains_key(&module) && module.pop().is_some() {}
        (module, path)
    }

    /// The file that defines the item at a path.
    fn resolve(&self, module: &[String], path: &[String], seen: &mut BTreeSet<(Module, String)>) -> Option<Module> {
        let (base, rest) = self.base(module, path)?;
        let (found, rest) = self.descend(base, rest);
        match rest.first() {
            Some(name) if name != "*" => Some(self.lookup(found, name, seen)),
            _ => Some(found),
        }
    }

    /// The file that defines a name of a module: its own, or the one that it is re-exported from.
    fn lookup(&self, module: Module, name: &str, seen: &mut BTreeSet<(Module, String)>) -> Module {
        let Some(file) = self.files.get(&module) else { return module };
        if file.defines.contains(name) || !seen.insert((module.clone(), name.to_owned())) {
            return module;
        }
        let named =
            file.paths.iter().filter(|(_, path)| path.len() > 1 && path.last().is_some_and(|last| last == name));
        for (_, path) in named {
            if let Some(found) = self.resolve(&module, path, seen) {
                return found;
            }
        }
        for (_, path) in file.paths.iter().filter(|(_, path)| path.last().is_some_and(|last| last == "*")) {
            let Some((base, rest)) = self.base(&module, &path[..path.len() - 1]) else { continue };
            let (all, _) = self.descend(base, rest);
            let found = self.lookup(all, name, seen);
            if self.files.get(&found).is_some_and(|file| file.defines.contains(name)) {
                return found;
            }
        }
        module
    }
}

fn below(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// The module in a file; none for tests, generated files and other languages.
fn module_of(name: &str) -> Option<Module> {
    let mut module: Module = name.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if module.iter().any(|part| ["tests", "gen", "testing"].contains(&part.as_str())) {
        return None;
    }
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    Some(module)
}

impl File {
    fn walk(&mut self, tokens: TokenStream, top: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let word = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
            _ => None,
        };
        let is =
            |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(_) if is(at, '#') && is_test(tokens.get(at + 1)) => {
                    // A test item, up to its braces or its semicolon.
                    at += 2;
                    while tokens.get(at).is_some_and(|token| !ends_item(token)) {
                        at += 1;
                    }
                }
                TokenTree::Group(group) => self.walk(group.stream(), false),
                TokenTree::Ident(ident) if ident == "use" => {
                    let handed_on = at > 0 && is_pub(&tokens[..at]);
                    let end = (at..tokens.len()).find(|at| is(*at, ';')).unwrap_or(tokens.len());
                    self.tree(handed_on, &mut Vec::new(), &tokens[at + 1..end]);
                    at = end;
                }
                TokenTree::Ident(ident) => {
                    let keyword = ident.to_string();
                    let kinds = ["struct", "enum", "fn", "trait", "const", "static", "type", "union"];
                    if top && (kinds.contains(&keyword.as_str()) || keyword == "macro_rules") {
                        let name = word(at + 1).or_else(|| word(at + 2));
                        self.defines.extend(name.filter(|name| name != "fn"));
                    }
                    let mut path = vec![keyword];
                    while is(at + 1, ':') && is(at + 2, ':') {
                        let Some(next) = word(at + 3) else { break };
                        path.push(next);
                        at += 3;
                    }
                    if path.len() > 1 {
                        self.paths.push((false, path));
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The paths of a tree of `use`.
    fn tree(&mut self, handed_on: bool, path: &mut Vec<String>, tokens: &[TokenTree]) {
        let length = path.len();
        let mut renamed = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if ident == "as" => renamed = true,
                TokenTree::Ident(_) if renamed => {}
                TokenTree::Ident(ident) if ident == "self" && !path.is_empty() => {}
                TokenTree::Ident(ident) => path.push(ident.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    let comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
                    for one in inner.split(comma).filter(|one| !one.is_empty()) {
                        self.tree(handed_on, path, one);
                    }
                    path.truncate(length);
                    return;
                }
                _ => {}
            }
        }
        self.paths.push((handed_on, path.clone()));
        path.truncate(length);
    }
}

/// Returns whether the last token is `pub`, or `pub` with its scope.
fn is_pub(tokens: &[TokenTree]) -> bool {
    let is = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "pub");
    match tokens {
        [.., token, TokenTree::Group(_)] | [.., token] => is(token),
        [] => false,
    }
}

fn is_test(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.stream().to_string().replace(' ', "") == "cfg(test)")
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    }
}

/// The modules that lie on a cycle of sibling modules, and the imports of these cycles. A module and its own children may import each
/// other.
pub(crate) fn cyclic(edges: &BTreeSet<Edge>) -> (BTreeSet<String>, Vec<&Edge>) {
    let pairs: Vec<(&Edge, (Module, Module))> = edges.iter().filter_map(|edge| Some((edge, siblings(edge)?))).collect();
    let mut next: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for (_, (from, to)) in &pairs {
        next.entry(from).or_default().insert(to);
    }
    let mut reached: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for &start in next.keys() {
        let (mut found, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(module) = open.pop() {
            open.extend(next.get(module).into_iter().flatten().filter(|to| found.insert(**to)));
        }
        reached.insert(start, found);
    }
    let back = |from, to| reached.get(to).is_some_and(|found| found.contains(from));
    let found = || pairs.iter().filter(|(_, (from, to))| back(from, to));
    (found().map(|(_, (from, _))| from.join("::")).collect(), found().map(|(edge, _)| *edge).collect())
}

/// The modules with the same parent that an import connects. None between a module and its own descendants.
fn siblings((from, to): &Edge) -> Option<(Module, Module)> {
    let (from, to) = (module_of(from)?, module_of(to)?);
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    Some((from.get(..=common)?.to_vec(), to.get(..=common)?.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(files: &[(&str, &str)]) -> Imports {
        let mut imports = Imports::default();
        for (name, text) in files {
            imports.add(module_of(name).unwrap(), name, text).unwrap();
        }
        imports
    }

    fn edges(list: &[(&str, &str)]) -> BTreeSet<(String, String)> {
        list.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn paths_are_followed_to_what_they_name() {
        let found = imports(&[
            ("lib.rs", "mod a; mod b; pub use a::One; pub use b::*;"),
            (
                "a.rs",
                "//! crate::d::x\nuse crate::b::{self, inner::Two as Other}; pub struct One; fn f() -> b::Three { \"crate::c::X\" }",
            ),
            ("b/mod.rs", "pub mod inner; pub use inner::Two; pub struct Three;"),
            ("b/inner.rs", "use crate::{One, Three}; pub struct Two; #[cfg(test)] mod tests { use crate::c::X; }"),
            ("c.rs", "pub struct X; use super::a::One; use std::fmt;"),
            ("d.rs", "fn x() { crate::c::X::new(super::Two) }"),
        ]);
        let wanted = [
            ("a.rs", "b/mod.rs"),
            ("a.rs", "b/inner.rs"),
            ("b/inner.rs", "a.rs"),
            ("b/inner.rs", "b/mod.rs"),
            ("c.rs", "a.rs"),
            ("d.rs", "c.rs"),
            ("d.rs", "b/inner.rs"),
        ];
        assert_eq!(found.edges(), edges(&wanted));
    }

    #[test]
    fn imports_on_a_cycle_of_siblings_are_found() {
        let all = [
            ("a.rs", "b/x.rs"),
            ("b/y.rs", "c.rs"),
            ("c.rs", "a.rs"),
            ("d.rs", "a.rs"),
            ("e/x.rs", "e/y.rs"),
            ("e/y.rs", "e/x.rs"),
            ("f/x.rs", "f/mod.rs"),
            ("f/mod.rs", "f/x.rs"),
            ("lib.rs", "a.rs"),
            ("a.rs", "lib.rs"),
        ];
        let on_cycles = edges(&[&all[..3], &all[4..6]].concat());
        let modules = ["a", "b", "c", "e::x", "e::y"].map(str::to_owned);
        assert_eq!(cyclic(&edges(&all)), (BTreeSet::from(modules), on_cycles.iter().collect()));
        assert!(cyclic(&edges(&[("a.rs", "b.rs"), ("b.rs", "c.rs"), ("a.rs", "c.rs")])).0.is_empty());
    }
}
