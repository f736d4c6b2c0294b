//! Editing of text in the user's editor.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shared::context::Context;
use crate::shared::output::scratch::Folder;
use crate::shared::output::signals::Lent;
use crate::shared::output::{Access, Failure, name_of, reason, write};

/// A text in a private temporary folder, readable only by this user. The folder and all files that the editor creates in
/// it are removed, unless the text is kept for the user.
pub(super) struct Draft {
    folder: Folder,
    path: PathBuf,
    /// True if the text contains a private key.
    secret: bool,
}

impl Draft {
    /// Writes a text to a new file whose name indicates which file it belongs to.
    pub(super) fn new(about: &Path, text: &str, secret: bool) -> Result<Self, Failure> {
        let stem = about.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem: String = stem.chars().filter(|char| char.is_ascii_alphanumeric() || "._-".contains(*char)).collect();
        let write = || -> io::Result<Self> {
            let folder = Folder::new()?;
            let path = folder.path().join(format!("tagwise-{stem}.txt"));
            write(&path, text.as_bytes(), Access::Private)?;
            Ok(Self { folder, path, secret })
        };
        write().map_err(|error| Failure::file(&std::env::temp_dir(), "written", &error))
    }

    /// Lets the user edit the text, and returns the edited text.
    ///
    /// # Errors
    /// Returns a description of the editor's failure.
    pub(super) fn edit(&self, context: &Context) -> Result<Vec<u8>, String> {
        let editor = editor();
        // Ctrl-C belongs to the editor.
        let lent = Lent::new();
        let status = command(&editor, &self.path).status();
        drop(lent);
        let status =
            status.map_err(|error| format!("the editor `{editor}` could not be started: {}", reason(&error)))?;
        if !status.success() {
            return Err(format!("the editor `{editor}` failed ({status}): nothing is written"));
        }
        context.load(&self.path).map_err(|error| format!("the text cannot be read again: {}", reason(&error)))
    }

    /// Creates a failure and keeps the edited text in its file. The message says how to continue. A text that shows a private
    /// key is not kept.
    pub(super) fn kept(self, code: u8, message: &str, about: &Path, block: Option<usize>) -> Failure {
        if self.secret {
            return Failure::Said(code, format!("{message}\n  the text shows a private key, so it is not kept"));
        }
        let block = block.map(|number| format!("--block {number} ")).unwrap_or_default();
        let (path, about) = (name_of(&self.path), name_of(about));
        self.folder.keep();
        Failure::Said(
            code,
            format!(
                "{message}\n  the text is kept in {path}\n  to continue: tagwise edit {block}--apply {path} {about}"
            ),
        )
    }
}

/// Returns the user's editor command.
fn editor() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| usual.to_owned())
}

/// Builds the editor command. Its value may include arguments, which are split as in a shell.
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

/// Returns whether the user answers yes or just presses Enter.
pub(super) fn yes() -> bool {
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).is_ok_and(|len| len > 0)
        && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}
