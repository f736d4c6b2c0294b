//! Bills of materials in CycloneDX, and the licenses of what is linked into each artifact.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::room::{Room, output};

/// What is built by one resolution of features.
#[derive(Clone, Copy)]
pub(super) enum Artifact {
    /// The command, and the local KDC's programs.
    Command,
    /// The libraries for C.
    Library,
    /// The Python package.
    Python,
    /// The program for queries in SQL, which has no bill of materials: it is not built with the others.
    Query,
}

impl Artifact {
    const ALL: [Self; 3] = [Self::Command, Self::Library, Self::Python];

    /// Name, folder of the manifest, packages, features.
    fn description(self) -> (&'static str, &'static str, &'static [&'static str], &'static str) {
        match self {
            Self::Command => ("tagwise", ".", &["tagwise-cli", "tagwise-localkdc"], "tagwise-localkdc/pam"),
            Self::Library => ("libtagwise", ".", &["tagwise-c"], "openssl"),
            Self::Python => ("python-tagwise", "doors/python", &["tagwise-python"], "pyo3/extension-module"),
            Self::Query => ("tagwise-query", "doors/query", &["tagwise-query"], ""),
        }
    }
}

/// Writes the bill of materials and the licenses of each artifact.
pub(super) fn write(room: &Room) -> Result<()> {
    for artifact in Artifact::ALL {
        let base = format!("{}-{}", artifact.description().0, room.version);
        fs::write(room.out.join(format!("{base}.cdx.json")), text(room, artifact)?)?;
        fs::write(room.out.join(format!("{base}.licenses.txt")), licenses(room, &artifact)?)?;
    }
    Ok(())
}

/// Names, terms and license texts of the crates that are linked into an artifact.
pub(super) fn licenses(room: &Room, artifact: &Artifact) -> Result<String> {
    let (_, folder, packages, features) = artifact.description();
    let mut copyright = room.command(room.root.join("doors/c/install/copyright"));
    output(copyright.arg(features).arg(room.root.join(folder).join("Cargo.toml")).args(packages))
}

/// The bill of materials of an artifact, as JSON.
pub(super) fn text(room: &Room, artifact: Artifact) -> Result<String> {
    Ok(serde_json::to_string_pretty(&bill(room, artifact)?)? + "\n")
}

/// The bill of materials: CycloneDX 1.5 (ECMA-424), with the checksums of the lock file.
fn bill(room: &Room, artifact: Artifact) -> Result<Value> {
    let (name, folder, packages, features) = artifact.description();
    let manifest = room.root.join(folder).join("Cargo.toml");
    let mut tree = cargo(room, "tree", &manifest);
    for package in packages {
        tree.args(["-p", package]);
    }
    tree.args([
        "--features",
        features,
        "-e",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p}",
    ]);
    // `name v1.2.3 (place)`
    let linked: BTreeSet<String> = output(&mut tree)?
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(" v")?;
            Some(purl(name, rest.split(' ').next()?))
        })
        .collect();
    let lock: toml::Table = fs::read_to_string(manifest.with_file_name("Cargo.lock"))?.parse()?;
    let sums = checksums(&lock);
    let metadata = output(cargo(room, "metadata", &manifest).args(["--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let date = output(room.command("date").args(["-u", "+%FT%TZ", "-d", &format!("@{}", room.epoch)]))?;
    let (components, dependencies) = components(&metadata, &linked, &sums)?;
    let roots: Vec<String> = packages.iter().map(|package| purl(package, &room.version)).collect();
    let root = format!("pkg:generic/{name}@{}", room.version);
    let dependencies = [vec![json!({ "ref": root, "dependsOn": roots })], dependencies].concat();
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": date.trim(),
            "component": {
                "type": if matches!(artifact, Artifact::Command) { "application" } else { "library" },
                "bom-ref": root,
                "name": name,
                "version": room.version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "purl": root,
            },
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn cargo(room: &Room, command: &str, manifest: &std::path::Path) -> Command {
    let mut cargo = room.command("cargo");
    cargo.args([command, "--locked", "--manifest-path"]).arg(manifest);
    cargo
}

fn purl(name: &str, version: &str) -> String {
    // A `+` separates build metadata, and is encoded in package URLs.
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

fn checksums(lock: &toml::Table) -> BTreeMap<String, String> {
    let text = |package: &toml::Value, key: &str| package.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    let packages = lock.get("package").and_then(|packages| packages.as_array());
    let sums = packages.into_iter().flatten().filter_map(|package| {
        Some((purl(&text(package, "name")?, &text(package, "version")?), text(package, "checksum")?))
    });
    sums.collect()
}

/// The linked crates, and which of them each depends on.
fn components(
    metadata: &Value,
    linked: &BTreeSet<String>,
    sums: &BTreeMap<String, String>,
) -> Result<(Vec<Value>, Vec<Value>)> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let (mut components, mut names) = (BTreeMap::new(), BTreeMap::new());
    for package in list(metadata.get("packages")) {
        let name = text(&package, "name").context("a package without a name")?;
        let version = text(&package, "version").context("a package without a version")?;
        let reference = purl(&name, &version);
        names.insert(text(&package, "id").context("a package without an identifier")?, reference.clone());
        if !linked.contains(&reference) {
            continue;
        }
        let mut component = json!({
            "type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference,
        });
        if let Some(license) = text(&package, "license") {
            // Cargo once took a slash for OR.
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        if let Some(sum) = sums.get(&reference) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        if let Some(repository) = text(&package, "repository") {
            component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
        }
        components.insert(reference, component);
    }
    let mut dependencies = BTreeMap::new();
    for node in list(metadata.get("resolve").and_then(|resolve| resolve.get("nodes"))) {
        let Some(reference) = text(&node, "id").and_then(|id| names.get(&id).cloned()) else { continue };
        if linked.contains(&reference) {
            let needed = list(node.get("dependencies")).into_iter().filter_map(|id| names.get(id.as_str()?).cloned());
            let needed: BTreeSet<String> = needed.filter(|name| linked.contains(name)).collect();
            dependencies.insert(reference.clone(), json!({ "ref": reference, "dependsOn": needed }));
        }
    }
    Ok((components.into_values().collect(), dependencies.into_values().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_crates_alone_are_components() {
        let metadata = json!({
            "packages": [
                { "id": "a 1", "name": "a", "version": "1.0.0", "license": "MIT/Apache-2.0", "repository": "https://a" },
                { "id": "b 1", "name": "b", "version": "2.0.0+x.1", "license": "MIT" },
                { "id": "c 1", "name": "c", "version": "3.0.0" },
            ],
            "resolve": { "nodes": [{ "id": "a 1", "dependencies": ["b 1", "c 1"] }, { "id": "b 1", "dependencies": [] }] },
        });
        let linked = BTreeSet::from([purl("a", "1.0.0"), purl("b", "2.0.0+x.1")]);
        let sums = checksums(&"[[package]]\nname = 'a'\nversion = '1.0.0'\nchecksum = '00'".parse().unwrap());
        let (components, dependencies) = components(&metadata, &linked, &sums).unwrap();
        assert_eq!(components.len(), 2);
        assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[0]["hashes"][0]["content"], "00");
        assert_eq!(components[1]["bom-ref"], "pkg:cargo/b@2.0.0%2Bx.1");
        assert_eq!(dependencies[0]["dependsOn"], json!(["pkg:cargo/b@2.0.0%2Bx.1"]));
        assert_eq!(dependencies.len(), 2);
    }
}
