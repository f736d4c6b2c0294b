//! The lock files of the workspaces beside the root. A crate that two workspaces use is built once if they have the same version of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use crate::manifests::table;
use crate::workspace;

/// Versions, by the name of the package.
type Versions = BTreeMap<String, BTreeSet<String>>;

/// Prints the versions that could be the root's and are not; returns whether there are none.
pub(crate) fn hold(root: &Path) -> Result<bool> {
    let wanted = versions(&table(&root.join("Cargo.lock"))?)?;
    let mut holds = true;
    for side in workspace::sides(root)? {
        for (name, version, wanted) in different(&wanted, &versions(&table(&root.join(&side).join("Cargo.lock"))?)?) {
            println!(
                "{side}/Cargo.lock: not the root's version: \
                 cargo update --manifest-path {side}/Cargo.toml -p {name}@{version} --precise {wanted}"
            );
            holds = false;
        }
    }
    Ok(holds)
}

fn versions(lock: &Table) -> Result<Versions> {
    let mut versions = Versions::new();
    for package in lock.get("package").and_then(Value::as_array).context("a lock file without packages")? {
        let text = |key| package.get(key).and_then(Value::as_str).map(str::to_owned);
        let (name, version) = text("name").zip(text("version")).context("a package without a name or version")?;
        versions.entry(name).or_default().insert(version);
    }
    Ok(versions)
}

/// Versions of a side that are not the root's, with those that the root has in place of them.
fn different<'a>(root: &'a Versions, side: &'a Versions) -> Vec<(&'a str, &'a str, &'a str)> {
    let mut found = Vec::new();
    for (name, versions) in side {
        let Some(wanted) = root.get(name) else { continue };
        for version in versions.difference(wanted) {
            let fits = wanted.iter().find(|wanted| compatible(wanted) == compatible(version));
            found.extend(fits.map(|wanted| (name.as_str(), version.as_str(), wanted.as_str())));
        }
    }
    found
}

/// The part of a version that two have in common if one may replace the other: up to the first number that is not 0.
fn compatible(version: &str) -> &str {
    let end =
        version.match_indices('.').map(|(at, _)| at).find(|at| version[..*at].contains(|c| ('1'..='9').contains(&c)));
    end.map_or(version, |end| &version[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &[(&str, &str)]) -> Versions {
        let package = |(name, version): &(&str, &str)| format!("[[package]]\nname = '{name}'\nversion = '{version}'\n");
        versions(&packages.iter().map(package).collect::<String>().parse().unwrap()).unwrap()
    }

    #[test]
    fn versions_are_compatible_up_to_the_first_number_that_is_not_0() {
        assert_eq!(["1.2.3", "10.0.1", "0.4.9", "0.0.3"].map(compatible), ["1", "10", "0.4", "0.0.3"]);
    }

    #[test]
    fn other_versions_than_the_roots_are_found() {
        let root = lock(&[("a", "1.2.0"), ("b", "0.3.1"), ("c", "2.0.0"), ("c", "3.1.0"), ("d", "1.0.0")]);
        let side = lock(&[("a", "1.2.1"), ("b", "0.4.0"), ("c", "3.0.9"), ("d", "1.0.0"), ("e", "1.0.0")]);
        assert_eq!(different(&root, &side), [("a", "1.2.1", "1.2.0"), ("c", "3.0.9", "3.1.0")]);
    }
}
