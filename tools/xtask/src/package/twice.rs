//! Compares the artifacts with those of a second build in another folder.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::room::{Room, files, run};

/// Builds the artifacts again in a clone of the last commit, and compares every file with that of the first build.
pub(super) fn compare(room: &Room, wanted: &[String]) -> Result<()> {
    let clone = room.fresh("twice")?;
    run(room.command("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(&room.root).arg(&clone))?;
    let out = clone.join("target/package/out");
    let mut second = room.command(clone.join("x"));
    second.current_dir(&clone).env_remove("CARGO_TARGET_DIR").arg("package").args(wanted);
    run(second.arg("--out").arg(&out))?;
    let differ = differing(&room.out, &out)?;
    if !differ.is_empty() {
        bail!("two builds differ: {} (uncommitted changes are in the first build only)", differ.join(", "));
    }
    println!("two builds in different folders are identical: {} files", files(&out, "")?.len());
    Ok(())
}

/// Names of the second folder's files that are missing from the first one, or have other bytes there.
fn differing(first: &Path, second: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for path in files(second, "")? {
        let name = path.file_name().context("a file without a name")?;
        let other = first.join(name);
        if path.is_file() && (!other.is_file() || fs::read(&path)? != fs::read(&other)?) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_are_named() {
        let root = std::env::temp_dir().join(format!("tagwise-twice-{}", std::process::id()));
        let (first, second) = (root.join("first"), root.join("second"));
        for (folder, bytes) in [(&first, "a"), (&second, "b")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("same"), "same").unwrap();
            fs::write(folder.join("other"), bytes).unwrap();
        }
        fs::write(second.join("new"), "").unwrap();
        let differ = differing(&first, &second);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(differ.unwrap(), ["new", "other"]);
    }
}
