//! Which packages changed, and which need them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::metadata;

/// Names of the packages with a file that differs from the merge base with the upstream, or is not committed.
pub(crate) fn changed(root: &Path) -> Result<Vec<String>> {
    let upstream = ["@{upstream}", "origin/main", "HEAD"]
        .into_iter()
        .find_map(|name| git(root, &["rev-parse", "-q", "--verify", name]).ok())
        .context("git knows no commit here")?;
    let base = git(root, &["merge-base", "HEAD", upstream.trim()])?;
    let mut files = git(root, &["diff", "--name-only", base.trim()])?;
    files += &git(root, &["ls-files", "--others", "--exclude-standard"])?;
    let metadata = metadata(root, false)?;
    let folders: BTreeMap<String, String> = metadata
        .workspace_packages()
        .iter()
        .filter_map(|package| {
            let folder = package.manifest_path.parent()?.as_std_path().strip_prefix(root).ok()?;
            Some((folder.to_string_lossy().into_owned(), package.name.to_string()))
        })
        .collect();
    Ok(owners(files.lines(), &folders).into_iter().collect())
}

/// The package of each file: that of the nearest folder above it. `folders` maps folders to names.
fn owners<'a>(files: impl Iterator<Item = &'a str>, folders: &BTreeMap<String, String>) -> BTreeSet<String> {
    files
        .filter_map(|file| {
            // Schemas are read when these sources are generated.
            let file = if file.starts_with("schemas/") { "crates/messages/gen.toml" } else { file };
            let mut above = Path::new(file).ancestors().skip(1);
            above.find_map(|folder| folders.get(folder.to_str()?).cloned())
        })
        .collect()
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").current_dir(root).args(arguments).stderr(Stdio::null()).output()?;
    if !output.status.success() {
        bail!("git {} failed", arguments.join(" "));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Members that need one of `names`, directly or not, in any kind of dependency and with all features.
pub(crate) fn dependents(root: &Path, names: &[String]) -> Result<Vec<String>> {
    let metadata = metadata(root, false)?;
    let members: BTreeMap<String, BTreeSet<String>> = metadata
        .workspace_packages()
        .iter()
        .map(|package| {
            let needs = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
            (package.name.to_string(), needs.map(|dependency| dependency.name.clone()).collect())
        })
        .collect();
    Ok(closure(names, &members))
}

/// Those of `needs` that lead to one of `names`, without these.
fn closure(names: &[String], needs: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut reached: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    loop {
        let before = reached.len();
        for (name, needed) in needs {
            if needed.iter().any(|needed| reached.contains(needed.as_str())) {
                reached.insert(name);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let found = reached.into_iter().filter(|name| names.iter().all(|given| given != name));
    found.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_nearest_package() {
        let folders = [("crates/a", "a"), ("crates/messages", "m"), ("tests", "t"), ("tests/plain", "p")];
        let folders = folders.into_iter().map(|(folder, name)| (folder.to_owned(), name.to_owned())).collect();
        let of = |file| owners([file].into_iter(), &folders).into_iter().next();
        assert_eq!(of("crates/a/src/deep/x.rs").as_deref(), Some("a"));
        assert_eq!(of("tests/plain/x.rs").as_deref(), Some("p"));
        assert_eq!(of("tests/x.rs").as_deref(), Some("t"));
        assert_eq!(of("schemas/x.asn1").as_deref(), Some("m"));
        assert_eq!(of("README.md"), None);
    }

    #[test]
    fn needs_are_followed_to_the_end() {
        let needs = [("a", vec![]), ("b", vec!["a"]), ("c", vec!["b"]), ("d", vec!["e"]), ("e", vec!["d"])];
        let needs = needs
            .into_iter()
            .map(|(name, all)| (name.to_owned(), all.into_iter().map(str::to_owned).collect()))
            .collect();
        assert_eq!(closure(&["a".to_owned()], &needs), ["b", "c"]);
        assert_eq!(closure(&["d".to_owned()], &needs), ["e"]);
    }
}
