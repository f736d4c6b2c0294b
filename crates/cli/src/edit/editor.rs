//! A text on its way through somebody's editor.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::{NamedTempFile, TempPath};

use crate::output::{Failure, name_of};

/// A text in a file of its own, which only this user can read and which goes away unless it is kept.
pub(super) struct Draft {
    path: TempPath,
}

impl Draft {
    /// Writes a text to a new file whose name says which file it is about.
    pub(super) fn new(about: &Path, text: &str) -> Result<Self, Failure> {
        let stem = about.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem: String = stem.chars().filter(|char| char.is_ascii_alphanumeric() || "._-".contains(*char)).collect();
        let write = || -> io::Result<TempPath> {
            let mut file: NamedTempFile =
                tempfile::Builder::new().prefix("tagwise-").suffix(&format!("-{stem}.txt")).tempfile()?;
            file.write_all(text.as_bytes())?;
            file.flush()?;
            // Closed, for some editors write another file in its place.
            Ok(file.into_temp_path())
        };
        let path = write().map_err(|error| Failure::file(&std::env::temp_dir(), "written", &error))?;
        Ok(Self { path })
    }

    /// Lets the user edit the text, and gives what it is then.
    ///
    /// # Errors
    /// What is wrong with the editor, in words.
    pub(super) fn edit(&self) -> Result<Vec<u8>, String> {
        let editor = editor();
        let status = command(&editor, &self.path).status();
        let status = status.map_err(|error| format!("the editor `{editor}` could not be started: {error}"))?;
        if !status.success() {
            return Err(format!("the editor `{editor}` failed ({status}), and nothing is written"));
        }
        fs::read(&self.path).map_err(|error| format!("the text could not be read again: {error}"))
    }

    /// A failure after which the text stays, with how to go on.
    pub(super) fn kept(self, code: u8, message: &str, about: &Path, block: Option<usize>) -> Failure {
        let path: PathBuf = self.path.to_path_buf();
        match self.path.keep() {
            Ok(path) => {
                let block = block.map(|number| format!("--block {number} ")).unwrap_or_default();
                let (path, about) = (name_of(&path), name_of(about));
                Failure::Said(
                    code,
                    format!(
                        "{message}\n  the text is kept in {path}\n  to go on: tagwise edit {block}--apply {path} {about}"
                    ),
                )
            }
            Err(error) => {
                Failure::Said(code, format!("{message}\n  {}: could not be kept: {}", name_of(&path), error.error))
            }
        }
    }
}

/// The command that the user edits with.
fn editor() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| usual.to_owned())
}

/// The editor's value is a command with arguments, as the shell reads it.
fn command(editor: &str, path: &Path) -> Command {
    if cfg!(windows) {
        let mut words = editor.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg(path);
        return command;
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("tagwise").arg(path);
    command
}

/// Whether the user says yes, or nothing.
pub(super) fn yes() -> bool {
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).is_ok_and(|len| len > 0)
        && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}
