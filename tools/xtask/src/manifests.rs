//! What each manifest must declare.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::workspace;

/// Crates with unsafe code: they have the workspace's lints except for that one.
const UNSAFE: [&str; 8] = [
    "doors/c",
    "doors/wasm",
    "crates/pki/crypto",
    "crates/kerberos/krb5-plugin",
    "crates/kerberos/krb5-plugin-sys",
    "crates/kerberos/localkdc",
    "crates/pki/map",
    "crates/mtc/node-hash",
];

/// Keys that every package declares.
const ALWAYS: &[&str] = &["rust-version", "license"];

/// Keys that a registry shows, which packages without `publish = false` declare as well.
const PUBLISHED: &[&str] = &["description", "readme", "repository", "documentation", "keywords", "categories"];

/// Prints the missing keys; returns whether none are missing.
pub(crate) fn hold(root: &Path) -> Result<bool> {
    let workspace = table(&root.join("Cargo.toml"))?;
    let lints = workspace
        .get("workspace")
        .and_then(|workspace| workspace.get("lints"))
        .context("the workspace has no lints")?;
    let mut folders: Vec<PathBuf> = ["packaging/manuals", "tests", "tests/plain"].map(PathBuf::from).into();
    // The Python package, the engine of queries and the extension of DuckDB are workspaces of their own.
    let sides = ["doors/duckdb", "doors/python", "doors/query"].map(Path::new);
    folders.extend(workspace::folders(root)?.into_iter().filter(|folder| !sides.contains(&folder.as_path())));
    folders.sort();
    let mut holds = true;
    for folder in folders.iter().filter(|folder| root.join(folder).join("Cargo.toml").is_file()) {
        let manifest = table(&root.join(folder).join("Cargo.toml"))?;
        let mut wrong = wrong(&folder.to_string_lossy(), &manifest, lints);
        let program = ["src/main.rs", "src/bin"].iter().any(|path| root.join(folder).join(path).exists());
        if (program || manifest.contains_key("bin")) && overridden(&workspace, &manifest) {
            wrong.push("has programs, which cargo does not strip if profile.release.package names it".to_owned());
        }
        for wrong in wrong {
            println!("{}/Cargo.toml: {wrong}", folder.display());
            holds = false;
        }
    }
    Ok(holds)
}

/// A manifest.
pub(crate) fn table(path: &Path) -> Result<Table> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.parse().with_context(|| path.display().to_string())
}

/// Whether the workspace's release profile has a row for this package.
fn overridden(workspace: &Table, manifest: &Table) -> bool {
    let rows = workspace.get("profile").and_then(|profile| profile.get("release")?.get("package"));
    let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    rows.zip(name).is_some_and(|(rows, name)| rows.get(name).is_some())
}

fn wrong(folder: &str, manifest: &Table, lints: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let get = |key| manifest.get("package").and_then(|package| package.get(key));
    let published = get("publish") != Some(&Value::Boolean(false));
    for key in ALWAYS.iter().chain(if published { PUBLISHED } else { &[] }) {
        let declared = get(key).is_some_and(|value| match value {
            Value::Table(table) => table.get("workspace") == Some(&Value::Boolean(true)),
            Value::Array(values) => !values.is_empty(),
            value => value.is_str(),
        });
        if !declared {
            wrong.push(format!("declares no {key}"));
        }
    }
    let own = manifest.get("lints");
    if UNSAFE.contains(&folder) {
        let mut wanted = lints.clone();
        if let Some(rust) = wanted.get_mut("rust").and_then(Value::as_table_mut) {
            rust.insert("unsafe_code".to_owned(), Value::String("deny".to_owned()));
        }
        if own != Some(&wanted) {
            wrong.push("its lints are not the workspace's with unsafe_code denied".to_owned());
        }
    } else if own.and_then(|own| own.get("workspace")) != Some(&Value::Boolean(true)) {
        wrong.push("has no [lints] workspace = true".to_owned());
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_with_a_profile_of_their_own_are_found() {
        let workspace: Table = "[profile.release.package]\na.opt-level = 's'".parse().unwrap();
        let named = |name: &str| overridden(&workspace, &format!("[package]\nname = '{name}'").parse().unwrap());
        assert!(named("a") && !named("b"));
        assert!(!overridden(&Table::new(), &"[package]\nname = 'a'".parse().unwrap()));
    }

    #[test]
    fn incomplete_manifests_are_reported() {
        let lints: Table = "rust = { unsafe_code = 'forbid' }\nclippy = { all = 'warn' }".parse().unwrap();
        let lints = Value::Table(lints);
        let check = |folder, text: &str| wrong(folder, &text.parse().unwrap(), &lints);
        let package = "[package]\npublish = false\nrust-version.workspace = true\nlicense = 'MIT'\n";
        assert!(check("crates/a", &format!("{package}[lints]\nworkspace = true")).is_empty());
        assert_eq!(check("crates/a", "[package]\npublish = false\n[lints]\nworkspace = true").len(), 2);
        assert_eq!(check("crates/a", "[package]\n[lints]\nworkspace = true").len(), 2 + PUBLISHED.len());
        let shown =
            "description = 'A'\nreadme.workspace = true\nrepository.workspace = true\ndocumentation = 'https://a'\n";
        let registry = package.replace("publish = false\n", shown);
        assert_eq!(
            check(
                "crates/a",
                &format!("{registry}keywords = []\ncategories = ['encoding']\n[lints]\nworkspace = true")
            )
            .len(),
            1
        );
        assert_eq!(check("crates/a", package).len(), 1);
        let denied = "[lints.rust]\nunsafe_code = 'deny'\n[lints.clippy]\nall = 'warn'";
        assert!(check("crates/pki/map", &format!("{package}{denied}")).is_empty());
        assert_eq!(check("crates/a", &format!("{package}{denied}")).len(), 1);
        assert_eq!(check("crates/pki/map", &format!("{package}[lints.rust]\nunsafe_code = 'deny'")).len(), 1);
    }
}
