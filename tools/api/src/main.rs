//! Lists the public API of every library in a workspace and compares it with `api/<crate>.txt`.
//!
//! The listing comes from rustdoc's JSON, so it contains what users can name and does not depend on the form of the source.
//! Blanket, auto-trait and derived implementations are omitted, because they follow from the rest and change with the
//! compiler. The items of trait implementations are also omitted, because they follow from the implementation's line.
//! Procedural macros, binaries, and packages that are internal or not published are skipped.
//!
//! Exit codes: 0 the listings match, 1 they differ, 2 usage error, 3 a listing could not be created.

use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

/// What rustdoc of Rust 1.95 writes, and what the pinned `public-api` reads.
const FORMAT: u64 = 57;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: tagwise-api ROOT DOC [--bless] [--locked] [CRATE ...]";

struct Options {
    root: PathBuf,
    /// The folder with rustdoc's JSON.
    doc: PathBuf,
    bless: bool,
    locked: bool,
    only: Vec<String>,
}

fn main() -> ExitCode {
    let Some(options) = options(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("api: {error}");
            ExitCode::from(3)
        }
    }
}

fn options(args: impl Iterator<Item = String>) -> Option<Options> {
    let (mut bless, mut locked, mut names) = (false, false, Vec::new());
    for arg in args {
        match arg.as_str() {
            "--bless" => bless = true,
            "--locked" => locked = true,
            _ if arg.starts_with('-') => return None,
            _ => names.push(arg),
        }
    }
    if names.len() < 2 {
        return None;
    }
    let (root, doc) = (PathBuf::from(names.remove(0)), PathBuf::from(names.remove(0)));
    Some(Options { root, doc, bless, locked, only: names })
}

/// Whether every listing holds (or was rewritten).
fn run(options: &Options) -> Result<bool> {
    let metadata = metadata(options)?;
    let mut libraries = libraries(&metadata);
    let listings = options.root.join("api");
    let mut holds = true;

    if options.only.is_empty() {
        for orphan in orphans(&listings, &libraries)? {
            if options.bless {
                fs::remove_file(&orphan)?;
                println!("removed  {}", orphan.display());
            } else {
                println!("orphan   {} belongs to no library", orphan.display());
                holds = false;
            }
        }
    } else {
        if let Some(name) = options.only.iter().find(|name| !libraries.contains(name)) {
            return Err(format!("the workspace has no library named {name}").into());
        }
        libraries.retain(|name| options.only.contains(name));
    }

    fs::create_dir_all(&listings)?;
    for name in &libraries {
        let file = listings.join(name).with_extension("txt");
        let new = listing(&options.doc, name)?;
        let old = if file.exists() { fs::read_to_string(&file)? } else { String::new() };
        if new == old {
            println!("same     {name}");
        } else if options.bless {
            fs::write(&file, &new)?;
            println!("written  {}", file.display());
        } else {
            println!("differs  {name}");
            print_difference(&old, &new);
            holds = false;
        }
    }
    if !holds {
        println!("If the change is meant, `./x api --bless` rewrites the listings; commit them with it.");
    }
    Ok(holds)
}

fn cargo(options: &Options) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(&options.root).stdin(Stdio::null());
    cargo
}

fn metadata(options: &Options) -> Result<Value> {
    let mut cargo = cargo(options);
    cargo.args(["metadata", "--no-deps", "--format-version=1"]);
    if options.locked {
        cargo.arg("--locked");
    }
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("cargo metadata failed".into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Names of the workspace's members that have users and a library.
fn libraries(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let mut names: Vec<_> = packages
        .iter()
        .filter(|package| has_users(package) && has_library(package))
        .filter_map(|package| package["name"].as_str().map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// Whether a package has users: it is published, and not marked as internal (`package.metadata.tagwise.internal`). Cargo gives
/// `publish = false` as an empty list of registries, and null if any will do.
fn has_users(package: &Value) -> bool {
    let is_published = package["publish"].as_array().is_none_or(|registries| !registries.is_empty());
    is_published && package["metadata"]["tagwise"]["internal"] != Value::Bool(true)
}

fn has_library(package: &Value) -> bool {
    let targets = package["targets"].as_array().map_or(&[][..], Vec::as_slice);
    let kinds = targets.iter().filter_map(|target| target["kind"].as_array()).flatten();
    kinds.into_iter().any(|kind| matches!(kind.as_str(), Some("lib" | "rlib")))
}

/// Listings whose crate is gone.
fn orphans(listings: &Path, libraries: &[String]) -> Result<Vec<PathBuf>> {
    let mut orphans = Vec::new();
    if listings.is_dir() {
        for entry in fs::read_dir(listings)? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "txt") && !libraries.contains(&name) {
                orphans.push(path);
            }
        }
    }
    orphans.sort();
    Ok(orphans)
}

/// One line for each public item of a crate, sorted as `public-api` sorts them.
fn listing(doc: &Path, name: &str) -> Result<String> {
    let json = doc.join(name.replace('-', "_")).with_extension("json");
    let format = format_version(&json)?;
    if format != FORMAT {
        return Err(format!(
            "this rustdoc writes JSON format {format}, and the listings are read from format {FORMAT} (Rust 1.95): \
             use that toolchain, or move `public-api` in tools/api/Cargo.toml to a version that reads {format}"
        )
        .into());
    }
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let lines: Vec<String> = api.items().map(ToString::to_string).collect();
    let mut text = String::new();
    // The type that a trait is implemented for, while its items follow: they are the trait's, and follow from the first line.
    let mut implementing: Option<String> = None;
    // The struct or enum whose fields or variants follow: they stand on its line.
    let mut members_of: Option<String> = None;
    for line in &lines {
        // Every type of the codec and every derived one is lent; a thousand lines would say so.
        if line.contains("tagwise_codec::Lend for ") || line.contains("tagwise_codec::lend::Lend for ") {
            implementing = implemented_for(line);
            continue;
        }
        if let Some(member) = members_of.as_deref().and_then(|start| member(line).strip_prefix(start)) {
            text.pop();
            text.push_str(&format!(" {member};\n"));
            continue;
        }
        if is_plain_block(line) {
            implementing = None;
            continue;
        }
        members_of = type_with_members(line);
        if line.starts_with("impl") {
            implementing = implemented_for(line);
        } else if let Some(ty) = &implementing {
            if line.contains(&format!(" {ty}::")) {
                continue;
            }
            implementing = None;
        }
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// A line without the attributes in front of it.
fn member(line: &str) -> &str {
    let mut rest = line;
    while let Some((_, behind)) = rest.strip_prefix("#[").and_then(|inside| inside.split_once("] ")) {
        rest = behind;
    }
    rest
}

/// The beginning of the lines of a struct's fields or an enum's variants.
fn type_with_members(line: &str) -> Option<String> {
    let line = member(line);
    let ty = ["pub struct ", "pub enum ", "pub union "].iter().find_map(|word| line.strip_prefix(word))?;
    let name = ty.split(['<', '(', ' ']).next()?;
    Some(format!("pub {name}::"))
}

/// Whether a line opens the block of a type's own functions and says no more than the functions' own lines do: it has no bounds.
fn is_plain_block(line: &str) -> bool {
    line.starts_with("impl") && !line.contains(" for ") && !line.contains(": ") && !line.contains(" where ")
}

/// The type of `impl<…> Trait for Type where …`.
fn implemented_for(line: &str) -> Option<String> {
    let (_, ty) = line.split_once(" for ")?;
    Some(ty.split_once(" where ").map_or(ty, |(ty, _)| ty).to_owned())
}

fn format_version(json: &Path) -> Result<u64> {
    /// The one field whose place never changes; skipping the rest is not bound by a nesting limit.
    #[derive(serde::Deserialize)]
    struct Head {
        format_version: u64,
    }
    let head: Head = serde_json::from_str(&fs::read_to_string(json)?)?;
    Ok(head.format_version)
}

/// Listings are sorted sets of lines, so a set difference says it all.
fn print_difference(old: &str, new: &str) {
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (old.lines().collect(), new.lines().collect());
    for line in old.difference(&new) {
        println!("  - {line}");
    }
    for line in new.difference(&old) {
        println!("  + {line}");
    }
}
