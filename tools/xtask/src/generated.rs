//! Generated sources. A crate with some has an executable `generate`, which writes them all into the folder that it is given; they
//! are checked in as `src/gen`. A comparison with a fresh folder shows edited, stale and left-over files alike.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use xshell::{Shell, cmd};

use crate::project::{Project, fresh, run};
use crate::workspace;

/// Lines of a difference that are shown.
const SHOWN: usize = 40;

/// Compares the generated sources, or writes them unless `check` is set. Returns whether all are fresh now, and how many generators
/// there are.
pub(crate) fn hold(project: &Project, check: bool) -> Result<(bool, String)> {
    let Project { root, sh, .. } = project;
    let (mut holds, mut count) = (true, 0);
    for folder in workspace::folders(root)?.iter().filter(|folder| root.join(folder).join("generate").is_file()) {
        count += 1;
        let name = folder.display().to_string();
        let folder = root.join(folder);
        let written = project.scratch()?.join("gen").join(&name);
        fresh(&written)?;
        let generate = folder.join("generate");
        run(cmd!(sh, "{generate} {written}"))?;
        ensure!(written.read_dir()?.next().is_some(), "{name}/generate wrote nothing");
        let checked_in = folder.join("src/gen");
        let difference = difference(sh, &checked_in, &written)?;
        if difference.is_empty() {
            println!("fresh    {name}/src/gen");
        } else if check {
            println!("stale    {name}/src/gen");
            difference.lines().take(SHOWN).for_each(|line| println!("{line}"));
            holds = false;
        } else {
            replace(&checked_in, &written)?;
            println!("written  {name}/src/gen");
        }
    }
    if !holds {
        println!("`./x codegen` rewrites them; edit the generator's input, never its output.");
    }
    Ok((holds, format!("{count} generator{}", if count == 1 { "" } else { "s" })))
}

/// The differences between two folders, as `diff` prints them; nothing if they are equal.
fn difference(sh: &Shell, checked_in: &Path, written: &Path) -> Result<String> {
    if !checked_in.is_dir() {
        return Ok("nothing is checked in\n".to_owned());
    }
    let output = cmd!(sh, "diff -ru {checked_in} {written}").quiet().ignore_status().output()?;
    match output.status.code() {
        Some(0) => Ok(String::new()),
        Some(1) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => anyhow::bail!("diff: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// Replaces a folder by the files of another, which has no folders in it.
fn replace(folder: &Path, by: &Path) -> Result<()> {
    fresh(folder)?;
    for entry in by.read_dir()? {
        let from = entry?.path();
        std::fs::copy(&from, folder.join(from.file_name().context("a file without a name")?))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(folder: &Path, files: &[(&str, &str)]) {
        fresh(folder).unwrap();
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }

    #[test]
    fn edited_stale_and_left_over_files_differ() {
        let (sh, room) = (Shell::new().unwrap(), tempfile::tempdir().unwrap());
        let (old, new) = (room.path().join("old"), room.path().join("new"));
        filled(&old, &[("a", "1\n2\n"), ("b", "x\n")]);
        assert_eq!(difference(&sh, &old, &old).unwrap(), "");
        filled(&new, &[("a", "1\n3\n"), ("c", "y\n")]);
        let text = difference(&sh, &old, &new).unwrap();
        assert!(text.contains("-2\n+3\n") && text.contains("old: b\n") && text.contains("new: c\n"), "{text}");
        assert!(!difference(&sh, &room.path().join("missing"), &new).unwrap().is_empty());
    }

    #[test]
    fn replaced_folder_has_the_new_files_only() {
        let (sh, room) = (Shell::new().unwrap(), tempfile::tempdir().unwrap());
        let (folder, new) = (room.path().join("gen"), room.path().join("new"));
        for files in [[("a", "a"), ("b", "b")], [("b", "b2"), ("c", "c")]] {
            filled(&new, &files);
            replace(&folder, &new).unwrap();
            assert_eq!(difference(&sh, &folder, &new).unwrap(), "");
        }
    }
}
