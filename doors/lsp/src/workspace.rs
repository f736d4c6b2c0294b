//! The open documents, the modules in the workspace's folders, and what is known about them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;
use tagwise_schema::{Compilation, Options, Source, Symbols, compile_with};
use url::Url;

use crate::position::{Encoding, Lines};

/// The most files that are searched for modules.
const MAX_FILES: usize = 10_000;
/// The most levels of folders.
const MAX_DEPTH: usize = 8;
/// The largest file, in bytes.
const MAX_SIZE: u64 = 16 * 1024 * 1024;
/// The endings of modules' file names.
const ENDINGS: [&str; 4] = ["asn1", "asn", "gdmo", "asn1p"];

/// Several texts, compiled or indexed together. The first one is the document in question.
pub(crate) struct Unit {
    /// The documents, in the order of the sources.
    pub(crate) uris: Vec<String>,
    pub(crate) sources: Vec<Source>,
    lines: Vec<Lines>,
}

impl Unit {
    /// Returns a text with its lines.
    pub(crate) fn file(&self, file: usize) -> Option<(&Source, &Lines)> {
        self.sources.get(file).zip(self.lines.get(file))
    }

    /// Returns a span as the protocol's location.
    pub(crate) fn location(&self, span: tagwise_schema::Span) -> Option<Value> {
        let file = span.file as usize;
        let (source, lines) = self.file(file)?;
        Some(serde_json::json!({ "uri": self.uris.get(file)?, "range": lines.range(source, span) }))
    }
}

/// A document and the modules that it needs, compiled.
pub(crate) struct Compiled {
    pub(crate) unit: Unit,
    pub(crate) compilation: Compilation,
}

/// All known texts, with their names.
pub(crate) struct Indexed {
    pub(crate) unit: Unit,
    pub(crate) symbols: Symbols,
}

/// The texts.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(crate) encoding: Encoding,
    open: BTreeMap<String, Source>,
    files: BTreeMap<String, Source>,
    compiled: HashMap<String, Rc<Compiled>>,
    indexed: HashMap<String, Rc<Indexed>>,
    /// The modules in each text, by its address, and those that it imports.
    headers: HashMap<String, Rc<Headers>>,
}

/// The names of the modules in a text, and of those that they import from.
struct Headers {
    modules: Vec<String>,
    imports: Vec<String>,
}

impl Workspace {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { encoding, ..Self::default() }
    }

    /// Reads the modules in a folder. Files that cannot be read are skipped.
    pub(crate) fn add_folder(&mut self, folder: &Path) {
        let mut folders = VecDeque::from([(folder.to_path_buf(), 0)]);
        while let Some((folder, depth)) = folders.pop_front() {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let mut paths: Vec<(PathBuf, fs::FileType)> =
                entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect();
            paths.sort_by(|(one, _), (other, _)| one.cmp(other));
            for (path, kind) in paths {
                let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
                if is_hidden || self.files.len() >= MAX_FILES {
                } else if kind.is_dir() && depth < MAX_DEPTH {
                    folders.push_back((path, depth + 1));
                } else if kind.is_file() {
                    self.add_file(&path);
                }
            }
        }
    }

    /// Reads a file, if its name is that of a module. Forgets one that no longer exists.
    pub(crate) fn add_file(&mut self, path: &Path) {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        if !ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            return;
        }
        let Ok(uri) = Url::from_file_path(path).map(String::from) else { return };
        self.forget(&uri);
        let small = fs::metadata(path).is_ok_and(|about| about.len() <= MAX_SIZE);
        match fs::read(path) {
            Ok(octets) if small => drop(self.files.insert(uri, Source::from_bytes(&path.to_string_lossy(), &octets))),
            _ => drop(self.files.remove(&uri)),
        }
    }

    /// Sets the text of an open document.
    pub(crate) fn set(&mut self, uri: &str, text: &str) {
        let name = path_of(uri).map_or_else(|| uri.to_owned(), |path| path.to_string_lossy().into_owned());
        self.forget(uri);
        self.open.insert(uri.to_owned(), Source::new(&name, text));
    }

    /// Removes an open document. Its file, if it has one, remains known.
    pub(crate) fn close(&mut self, uri: &str) {
        self.forget(uri);
        self.open.remove(uri);
        if let Some(path) = path_of(uri) {
            self.add_file(&path);
        }
    }

    /// Returns the text of an open document.
    pub(crate) fn text(&self, uri: &str) -> Option<&Source> {
        self.open.get(uri)
    }

    /// Returns the addresses of the open documents.
    pub(crate) fn documents(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    fn forget(&mut self, uri: &str) {
        self.compiled.clear();
        self.indexed.clear();
        self.headers.remove(uri);
    }

    /// All texts: the open documents, then other files. The given document is the first.
    fn all(&self, uri: &str) -> impl Iterator<Item = (&str, &Source)> {
        let own = self.open.get_key_value(uri);
        let open = self.open.iter().filter(move |(other, _)| other.as_str() != uri);
        let files = self.files.iter().filter(|(other, _)| !self.open.contains_key(*other));
        own.into_iter().chain(open).chain(files).map(|(uri, source)| (uri.as_str(), source))
    }

    fn unit<'a>(&self, texts: impl Iterator<Item = (&'a str, &'a Source)>) -> Unit {
        let (uris, sources): (Vec<_>, Vec<_>) = texts.map(|(uri, source)| (uri.to_owned(), source.clone())).unzip();
        let lines = sources.iter().map(|source| Lines::new(source.text(), self.encoding)).collect();
        Unit { uris, sources, lines }
    }

    /// Returns the names in all texts.
    pub(crate) fn indexed(&mut self, uri: &str) -> Option<Rc<Indexed>> {
        self.open.get(uri)?;
        if !self.indexed.contains_key(uri) {
            let unit = self.unit(self.all(uri));
            let symbols = Symbols::of(&unit.sources);
            self.indexed.insert(uri.to_owned(), Rc::new(Indexed { unit, symbols }));
        }
        self.indexed.get(uri).cloned()
    }

    /// Returns the document and the modules that it imports, directly or not, compiled as far as they are correct.
    pub(crate) fn compiled(&mut self, uri: &str) -> Option<Rc<Compiled>> {
        self.open.get(uri)?;
        if !self.compiled.contains_key(uri) {
            let wanted = self.closure(uri);
            let texts = self.all(uri).filter(|(other, _)| wanted.contains(*other));
            let unit = self.unit(texts);
            let compilation = compile_with(unit.sources.clone(), &Options::default().keep_going());
            self.compiled.insert(uri.to_owned(), Rc::new(Compiled { unit, compilation }));
        }
        self.compiled.get(uri).cloned()
    }

    /// Returns the addresses of the texts that a document needs. Each module is taken from the first text that has it.
    fn closure(&mut self, uri: &str) -> BTreeSet<String> {
        let texts: Vec<(String, Source)> = self.all(uri).map(|(uri, text)| (uri.to_owned(), text.clone())).collect();
        for (uri, source) in &texts {
            self.headers.entry(uri.clone()).or_insert_with(|| Rc::new(headers(source)));
        }
        let mut places: HashMap<&str, &str> = HashMap::new();
        for (uri, _) in &texts {
            for module in self.headers.get(uri).iter().flat_map(|headers| &headers.modules) {
                places.entry(module).or_insert(uri);
            }
        }
        let mut wanted = BTreeSet::from([uri.to_owned()]);
        let mut provided: HashSet<&str> = HashSet::new();
        let mut queue = VecDeque::from([uri]);
        while let Some(headers) = queue.pop_front().and_then(|uri| self.headers.get(uri)) {
            provided.extend(headers.modules.iter().map(String::as_str));
            for import in &headers.imports {
                let Some(place) = places.get(import.as_str()).filter(|_| !provided.contains(import.as_str())) else {
                    continue;
                };
                // A text with a module that is already there would define it twice.
                let modules = self.headers.get(*place).map_or(&[][..], |headers| &headers.modules);
                let is_new = !modules.iter().any(|module| provided.contains(module.as_str()));
                if is_new && wanted.insert((*place).to_owned()) {
                    provided.extend(modules.iter().map(String::as_str));
                    queue.push_back(place);
                }
            }
        }
        wanted
    }
}

fn headers(source: &Source) -> Headers {
    let symbols = Symbols::of(std::slice::from_ref(source));
    let modules = symbols.modules();
    Headers {
        modules: modules.iter().map(|module| module.name.clone()).collect(),
        imports: modules.iter().flat_map(|module| module.imports.iter().map(|(_, from)| from.clone())).collect(),
    }
}

/// Returns the path of a document, if it is a file.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok()?.to_file_path().ok()
}
