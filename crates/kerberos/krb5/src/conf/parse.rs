//! The line-by-line configuration parser.

use super::{ConfValue, Config, ConfigError, Relation, readable};

/// The maximum depth of nested blocks. MIT's realms use two levels.
const MAX_DEPTH: usize = 32;
/// The maximum depth of nested includes.
const MAX_INCLUDES: usize = 16;
/// The maximum size of all files together, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Loads included files.
pub trait Loader {
    /// Reads a file named by `include`.
    ///
    /// # Errors
    /// Returns the error as text.
    fn file(&mut self, path: &str) -> Result<String, String>;

    /// Lists the files of a directory named by `includedir`, in reading order: those whose names consist of letters,
    /// digits, dashes and underscores, or end in `.conf`.
    ///
    /// # Errors
    /// Returns the error as text.
    fn directory(&mut self, path: &str) -> Result<Vec<String>, String>;
}

/// A loader that rejects all includes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn file(&mut self, _: &str) -> Result<String, String> {
        Err("includes are not supported here".to_owned())
    }

    fn directory(&mut self, _: &str) -> Result<Vec<String>, String> {
        Err("includes are not supported here".to_owned())
    }
}

/// An open block: the relation to which it belongs, and its contents so far.
struct Open {
    name: String,
    is_final: bool,
    relations: Vec<Relation>,
    line: usize,
}

/// A file being read: its name, its remaining lines, and the current line number.
struct File {
    name: Option<String>,
    lines: std::vec::IntoIter<String>,
    number: usize,
}

impl File {
    fn new(name: Option<String>, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
        Self { name, lines: lines.into_iter(), number: 0 }
    }
}

pub(super) fn parse(text: &str, loader: &mut dyn Loader) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    let mut files = vec![File::new(None, text)];
    let (mut current, mut open): (Option<String>, Vec<Open>) = (None, Vec::new());
    let mut size = text.len();
    while let Some(file) = files.last_mut() {
        let Some(line) = file.lines.next() else {
            files.pop();
            continue;
        };
        file.number += 1;
        let (name, number) = (file.name.clone(), file.number);
        let error = |text: String| ConfigError { file: name.clone(), line: number, text };
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(rest) = directive(line, "include") {
            add(&mut files, vec![rest.to_owned()], loader, &mut size).map_err(error)?;
        } else if let Some(rest) = directive(line, "includedir") {
            let paths = loader.directory(rest).map_err(|text| error(format!("{rest}: {text}")))?;
            add(&mut files, paths, loader, &mut size).map_err(error)?;
        } else if let Some(rest) = directive(line, "module") {
            config.modules.push(rest.to_owned());
        } else if let Some(rest) = line.strip_prefix('[') {
            if let Some(block) = open.last() {
                return Err(error(format!(
                    "the block that begins in line {} is not closed before this section",
                    block.line
                )));
            }
            let (title, _) = rest.split_once(']').ok_or_else(|| error("a section must end in `]`".to_owned()))?;
            config.sections.entry(title.to_owned()).or_default();
            current = Some(title.to_owned());
        } else {
            let title = current.as_deref().ok_or_else(|| error("a relation precedes the first section".to_owned()))?;
            let relations = config.sections.entry(title.to_owned()).or_default();
            relation(title, line, number, &mut open, relations).map_err(error)?;
        }
    }
    match open.last() {
        Some(block) => Err(ConfigError::new(block.line, "unterminated block")),
        None => Ok(config),
    }
}

/// Returns the text after a directive at the beginning of a line.
fn directive<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(word)?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim()).filter(|rest| !rest.starts_with('='))
}

/// Adds files in the order in which they are included, the first one on top.
fn add(files: &mut Vec<File>, paths: Vec<String>, loader: &mut dyn Loader, size: &mut usize) -> Result<(), String> {
    if files.len() >= MAX_INCLUDES {
        return Err(format!("files include each other more than {MAX_INCLUDES} levels deep"));
    }
    let mut added = Vec::new();
    for path in paths {
        let text = loader.file(&path).map_err(|text| format!("{path}: {text}"))?;
        *size = size.saturating_add(text.len());
        if *size > MAX_BYTES {
            return Err(format!("the files together are larger than {MAX_BYTES} bytes"));
        }
        added.push(File::new(Some(path), &text));
    }
    files.extend(added.into_iter().rev());
    Ok(())
}

/// Parses `name = value`, `name = {`, or `}` in the section `title`.
fn relation(
    title: &str,
    line: &str,
    number: usize,
    open: &mut Vec<Open>,
    section: &mut Vec<Relation>,
) -> Result<(), String> {
    if line.starts_with('}') {
        let block = open.pop().ok_or("no block to close")?;
        // What stands behind the brace is of no account, but for the star that makes the block final.
        let is_final = block.is_final || line == "}*";
        let done = Relation { name: block.name, value: ConfValue::Block(block.relations), is_final };
        open.last_mut().map_or(section, |outer| &mut outer.relations).push(done);
        return Ok(());
    }
    let (name, value) = line.split_once('=').ok_or("expected `name = value`")?;
    let (name, value) = (name.trim(), value.trim());
    let (name, is_final) = name.strip_suffix('*').map_or((name, false), |name| (name.trim(), true));
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("`{name}` is not a relation name"));
    }
    if value == "{" {
        if open.len() >= MAX_DEPTH {
            return Err(format!("blocks are nested more than {MAX_DEPTH} levels deep"));
        }
        open.push(Open { name: name.to_owned(), is_final, relations: Vec::new(), line: number });
        return Ok(());
    }
    let text = unquote(value)?;
    // The settings of a section and of its realms' blocks. Deeper blocks contain none.
    if matches!((title, open.len()), ("libdefaults", 0 | 1) | ("realms", 1)) {
        readable::check(name, &text)?;
    }
    let done = Relation { name: name.to_owned(), value: ConfValue::Text(text), is_final };
    open.last_mut().map_or(section, |outer| &mut outer.relations).push(done);
    Ok(())
}

/// Resolves the escapes of a value in quotation marks. Other values are returned unchanged.
fn unquote(value: &str) -> Result<String, String> {
    let Some(rest) = value.strip_prefix('"') else { return Ok(value.to_owned()) };
    let (mut text, mut chars) = (String::new(), rest.chars());
    loop {
        match chars.next().ok_or("unterminated quoted value")? {
            '"' => return Ok(text),
            '\\' => match chars.next().ok_or("the value ends in a backslash")? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'b' => text.push('\u{8}'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}
