//! Generated sources: a crate with some has an executable `generate` that writes them all into the folder it is given; they are
//! checked in as `src/gen`. A fresh folder beside the checked-in one shows edited, stale and left-over files alike.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use similar::TextDiff;

/// Lines of a difference that are shown.
const SHOWN: usize = 40;

/// Compares, or writes where `check` is false; whether all are fresh now, and how many generators there are.
pub(crate) fn hold(root: &Path, check: bool, scratch: &Path) -> Result<(bool, String)> {
    let (mut holds, mut count) = (true, 0);
    let mut crates: Vec<_> = root.join("crates").read_dir()?.collect::<Result<_, _>>()?;
    crates.sort_by_key(std::fs::DirEntry::file_name);
    for folder in crates.into_iter().map(|entry| entry.path()).filter(|path| path.join("generate").is_file()) {
        count += 1;
        let name = folder.strip_prefix(root)?.display().to_string();
        let fresh = scratch.join(&name);
        std::fs::create_dir_all(&fresh)?;
        let status = Command::new(folder.join("generate")).arg(&fresh).current_dir(root).status()?;
        if !status.success() {
            bail!("{name}/generate: {status}");
        }
        let there = folder.join("src/gen");
        let difference = difference(&files(&there)?, &files(&fresh)?);
        if difference.is_empty() {
            println!("fresh    {name}/src/gen");
        } else if check {
            println!("stale    {name}/src/gen");
            difference.lines().take(SHOWN).for_each(|line| println!("{line}"));
            holds = false;
        } else {
            write(&there, &files(&fresh)?)?;
            println!("written  {name}/src/gen");
        }
    }
    if !holds {
        println!("`./x codegen` rewrites them; edit the generator's input, never its output.");
    }
    Ok((holds, format!("{count} generator{}", if count == 1 { "" } else { "s" })))
}

type Files = BTreeMap<String, String>;

/// The files of a folder, which has no folders in it, by name; none where there is no such folder.
fn files(folder: &Path) -> Result<Files> {
    if !folder.is_dir() {
        return Ok(Files::new());
    }
    let mut files = Files::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        files.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text);
    }
    Ok(files)
}

fn difference(there: &Files, fresh: &Files) -> String {
    let names: BTreeSet<&String> = there.keys().chain(fresh.keys()).collect();
    let one = |name: &String| match (there.get(name), fresh.get(name)) {
        (Some(_), None) => format!("only checked in: {name}\n"),
        (None, _) => format!("not checked in: {name}\n"),
        (Some(old), Some(new)) => TextDiff::from_lines(old, new)
            .unified_diff()
            .header(&format!("checked in/{name}"), &format!("generated/{name}"))
            .to_string(),
    };
    names.into_iter().map(one).collect()
}

fn write(folder: &Path, files: &Files) -> Result<()> {
    if folder.is_dir() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    for (name, text) in files {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_stale_and_left_over_files_differ() {
        let of = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect::<Files>()
        };
        let there = of(&[("a", "1\n2\n"), ("b", "x\n")]);
        assert_eq!(difference(&there, &there), "");
        let text = difference(&there, &of(&[("a", "1\n3\n"), ("c", "y\n")]));
        assert!(
            text.contains("-2\n+3\n") && text.contains("only checked in: b") && text.contains("not checked in: c"),
            "{text}"
        );
    }

    #[test]
    fn what_is_written_is_all_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let gen_folder = folder.path().join("gen");
        for names in [&["a", "b"][..], &["b", "c"]] {
            let wanted: Files = names.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
            write(&gen_folder, &wanted).unwrap();
            assert_eq!(files(&gen_folder).unwrap(), wanted);
        }
    }
}
