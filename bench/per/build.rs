//! Generates the decoders and encoders of each library from the same modules: those in the source distribution of asn1tools, whose
//! folder `TAGWISE_PER_SOURCES` names, and those of 3GPP in `TAGWISE_PER_TELECOM`, for the messages that `TAGWISE_PER_MESSAGES` lists.
//! `./x per-peers` leaves all of them in `target/per-peers`.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rasn_compiler::OutputMode;
use rasn_compiler::prelude::{Compiler, RasnBackend};
use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};

include!("src/files.rs");

/// The sets that rasn's and asn1c's code reads as a whole: in NGAP, they leave the values of open types undecoded, and asn1c does not
/// support the ALIGNED variant.
const PEERS: [&str; 2] = ["rrc", "cam"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=TAGWISE_PER_SOURCES");
    println!("cargo::rerun-if-env-changed=TAGWISE_PER_TELECOM");
    println!("cargo::rerun-if-env-changed=TAGWISE_PER_MESSAGES");
    println!("cargo::rerun-if-env-changed=TAGWISE_PER_ASN1C");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let (mut text, mut c_types) = (String::new(), String::new());
    let (mut ours, mut theirs, mut native) = (String::new(), String::new(), String::new());
    let folders = (
        variable("TAGWISE_PER_SOURCES"),
        variable("TAGWISE_PER_TELECOM"),
        variable("TAGWISE_PER_MESSAGES"),
    );
    if let (Some(sources), Some(telecom), Some(messages)) = folders {
        println!("cargo::rerun-if-changed={}", messages.display());
        let messages = std::fs::read_to_string(messages)?;
        for set in SETS {
            let types: BTreeSet<&str> = messages
                .lines()
                .filter_map(|line| line.strip_prefix(set)?.split('\t').nth(2))
                .collect();
            if types.is_empty() {
                continue;
            }
            let files = files(set, &sources, &telecom)?;
            tagwise(set, &files, &types, &out, &mut text, &mut ours)?;
            if PEERS.contains(&set) {
                rasn(set, &files, &types, &out, &mut text, &mut theirs)?;
                asn1c(set, &files, &types, &out, (&mut native, &mut c_types))?;
            }
        }
    }
    let function = |name: &str, arms: &str| {
        format!(
            "/// The case of a message type in {name}'s code.\n#[allow(clippy::all, reason = \"generated code\")]\npub(crate) fn {name}(set: &str, ty: &str, octets: &[u8], rules: Rules) -> Option<Case> {{\n    let _ = (octets, rules);\n    match (set, ty) {{\n{arms}        _ => None,\n    }}\n}}\n\n"
        )
    };
    text.push_str(&function("tagwise", &ours));
    text.push_str(&function("rasn", &theirs));
    text.push_str(&function("asn1c", &native));
    if !native.is_empty() {
        let _ = write!(
            text,
            "/// The type descriptors of asn1c.\n#[allow(non_upper_case_globals, reason = \"the names of asn1c\")]\nmod descriptors {{\n    unsafe extern \"C\" {{\n{c_types}    }}\n}}\n"
        );
    }
    println!("cargo::rustc-check-cfg=cfg(asn1c)");
    if !native.is_empty() {
        println!("cargo::rustc-cfg=asn1c");
    }
    std::fs::write(out.join("sets.rs"), text)?;
    Ok(())
}

/// The name of a type without what the naming rules of languages change.
fn plain(name: &str) -> String {
    name.replace(['-', '_'], "").to_lowercase()
}

/// The path of each type in generated Rust, by its plain name.
fn types_in(text: &str, mark: &str) -> Vec<(String, String)> {
    let (mut module, mut found) = (String::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(" {")) {
            module = format!("{name}::");
        }
        for kind in mark.split('|') {
            if let Some(rest) = line.strip_prefix(kind) {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.push((plain(&name), format!("{module}{name}")));
            }
        }
    }
    found
}

/// Adds an arm for each message type.
fn arms(set: &str, types: &BTreeSet<&str>, found: &[(String, String)], call: impl Fn(&str) -> String, to: &mut String) {
    for ty in types {
        if let Some((_, path)) = found.iter().find(|(name, _)| *name == plain(ty)) {
            let _ = writeln!(to, "        ({set:?}, {ty:?}) => {},", call(path));
        }
    }
}

const ALLOWED: &str = "#![allow(warnings, clippy::all, missing_docs, reason = \"generated code\")]";

fn tagwise(
    set: &str,
    files: &[PathBuf],
    types: &BTreeSet<&str>,
    out: &Path,
    text: &mut String,
    to: &mut String,
) -> Result<(), Box<dyn Error>> {
    // Published modules are not free of errors.
    let options = Departure::ALL
        .iter()
        .fold(Options::default(), |options, one| options.allow(*one));
    let builder = files
        .iter()
        .fold(Builder::new().schema(options), |builder, file| builder.files(file));
    let output = builder.per(set)?;
    let code = output.files.first().map(|file| file.text.as_str()).unwrap_or_default();
    let path = out.join(format!("tagwise_{set}.rs"));
    std::fs::write(&path, code)?;
    let _ = write!(
        text,
        "mod tagwise_{set} {{\n    {ALLOWED}\n    include!({path:?});\n}}\n\n"
    );
    let found = types_in(code, "impl PerType for ");
    arms(
        set,
        types,
        &found,
        |path| format!("generated::<tagwise_{set}::{path}>(octets, rules)"),
        to,
    );
    Ok(())
}

/// Gives the ENUMERATED of `maxNumberROHC-ContextSessions` in LTE RRC a name, which changes no encoding: rasn-compiler leaves out a type
/// with an unnamed ENUMERATED that has a DEFAULT.
fn named_sessions(text: &str) -> String {
    let named = || {
        let (before, rest) = text.split_once("PDCP-Parameters ::=")?;
        let (start, rest) = rest.split_once("maxNumberROHC-ContextSessions")?;
        let (items, rest) = rest.split_once('}')?;
        Some(format!(
            "{before}ROHC-Sessions ::= {items}}}\n\nPDCP-Parameters ::={start}maxNumberROHC-ContextSessions ROHC-Sessions{rest}"
        ))
    };
    named().unwrap_or_else(|| text.to_owned())
}

fn rasn(
    set: &str,
    files: &[PathBuf],
    types: &BTreeSet<&str>,
    out: &Path,
    text: &mut String,
    to: &mut String,
) -> Result<(), Box<dyn Error>> {
    let path = out.join(format!("rasn_{set}.rs"));
    let mut sources = Vec::new();
    for file in files {
        let source = out.join(file.file_name().ok_or("a file without a name")?);
        std::fs::write(&source, named_sessions(&std::fs::read_to_string(file)?))?;
        sources.push(source);
    }
    let compiler = Compiler::<RasnBackend, _>::new().add_asn_sources_by_path(sources.iter());
    if let Err(error) = compiler.set_output_mode(OutputMode::SingleFile(path.clone())).compile() {
        println!("cargo::warning=rasn-compiler refuses {set}: {error}");
        return Ok(());
    }
    let code = std::fs::read_to_string(&path)?;
    let _ = write!(
        text,
        "mod rasn_{set} {{\n    {ALLOWED}\n    include!({path:?});\n}}\n\n"
    );
    let found = types_in(&code, "pub struct |pub enum ");
    arms(
        set,
        types,
        &found,
        |path| format!("by_rasn::<rasn_{set}::{path}>(octets, rules)"),
        to,
    );
    Ok(())
}

/// Compiles asn1c's C. Each set has a static library with prefixed names of the type descriptors that are used.
fn asn1c(
    set: &str,
    files: &[PathBuf],
    types: &BTreeSet<&str>,
    out: &Path,
    (to, externs): (&mut String, &mut String),
) -> Result<(), Box<dyn Error>> {
    // Both sets define types with the same names, and one program has one of each.
    if std::env::var("TAGWISE_PER_ASN1C").as_deref() != Ok(set) {
        return Ok(());
    }
    let room = out.join(format!("asn1c_{set}"));
    std::fs::create_dir_all(&room)?;
    let done = Command::new("asn1c")
        .args(["-gen-PER", "-fcompound-names"])
        .args(files)
        .current_dir(&room)
        .output()?;
    if !done.status.success() {
        println!("cargo::warning=asn1c refuses {set}");
        return Ok(());
    }
    let mut build = cc::Build::new();
    build.warnings(false).opt_level(2).include(&room);
    for entry in room.read_dir()? {
        let path = entry?.path();
        let is_example = path.file_stem().is_some_and(|stem| stem == "converter-sample");
        if path.extension().is_some_and(|extension| extension == "c") && !is_example {
            build.file(path);
        }
    }
    println!("cargo::rerun-if-changed=src/asn1c.c");
    build.file("src/asn1c.c").compile(&format!("asn1c_{set}"));
    for ty in types {
        let name = format!("asn_DEF_{}", ty.replace('-', "_"));
        let _ = writeln!(externs, "        pub(super) static {name}: super::Descriptor;");
        let _ = writeln!(
            to,
            "        ({set:?}, {ty:?}) => by_asn1c(&raw const descriptors::{name}, octets),"
        );
    }
    Ok(())
}
