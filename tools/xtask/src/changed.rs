//! Which packages changed, and which need them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};
use xshell::{Shell, cmd};

use crate::project::{Project, read};
use crate::workspace::Package;

/// Names of the packages with a file that differs from the merge base with the upstream, or is not committed.
pub(crate) fn changed(project: &Project, packages: &[Package]) -> Result<Vec<String>> {
    let sh = &project.sh;
    let upstream = ["@{upstream}", "origin/main", "HEAD"]
        .into_iter()
        .find_map(|name| git(sh, &["rev-parse", "-q", "--verify", name]).ok())
        .context("git finds no commit here")?;
    let base = git(sh, &["merge-base", "HEAD", &upstream])?;
    let committed = git(sh, &["diff", "--name-only", &base])?;
    let others = git(sh, &["ls-files", "--others", "--exclude-standard"])?;
    let folders: BTreeMap<String, String> =
        packages.iter().map(|package| (package.folder.to_string_lossy().into_owned(), package.name.clone())).collect();
    Ok(owners(committed.lines().chain(others.lines()), &folders).into_iter().collect())
}

/// The package of each file: that of the nearest folder above it. `folders` maps folders to names.
fn owners<'a>(files: impl Iterator<Item = &'a str>, folders: &BTreeMap<String, String>) -> BTreeSet<String> {
    files
        .filter_map(|file| {
            // Schemas are read when these sources are generated.
            let file = if file.starts_with("schemas/") { "crates/pki/messages/gen.toml" } else { file };
            let mut above = Path::new(file).ancestors().skip(1);
            above.find_map(|folder| folders.get(folder.to_str()?).cloned())
        })
        .collect()
}

fn git(sh: &Shell, arguments: &[&str]) -> Result<String> {
    read(cmd!(sh, "git {arguments...}").ignore_stderr())
}

/// Members that depend on one of `names`, directly or not, without these.
pub(crate) fn dependents(packages: &[Package], names: &[String]) -> Vec<String> {
    let needs = packages.iter().map(|package| (package.name.clone(), package.dependencies.iter().cloned().collect()));
    closure(names, &needs.collect())
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
        let folders = [("crates/a", "a"), ("crates/pki/messages", "m"), ("tests", "t"), ("tests/plain", "p")];
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
