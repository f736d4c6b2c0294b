//! Generates Rust for PER from the published modules in the source distribution of asn1tools, whose folder
//! `TAGWISE_PER_SOURCES` names. Without it, there are no types.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};

/// The sets of modules, and their files below `tests/files`.
const SETS: [(&str, &[&str]); 3] = [
    ("rrc", &["3gpp/rrc_8_6_0.asn"]),
    ("s1ap", &["3gpp/s1ap_14_4_0.asn"]),
    ("cam", &["etsi/cam_pdu_descriptions_1_3_2.asn", "etsi/its_container_1_2_1.asn"]),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=TAGWISE_PER_SOURCES");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let mut sets = String::new();
    if let Some(sources) = std::env::var_os("TAGWISE_PER_SOURCES") {
        for (name, files) in SETS {
            let files: Vec<PathBuf> =
                files.iter().map(|file| Path::new(&sources).join("tests/files").join(file)).collect();
            set(name, &files, &out, &mut sets)?;
        }
    }
    let names: Vec<&str> = if sets.is_empty() { Vec::new() } else { SETS.iter().map(|(name, _)| *name).collect() };
    let arms: String =
        names.iter().map(|name| format!("        {name:?} => {name}::recode(ty, octets, variant),\n")).collect();
    let _ = write!(
        sets,
        "/// Decodes and encodes a message of a set of modules.\n#[allow(clippy::match_single_binding, reason = \"without the sets\")]\npub(crate) fn recode(set: &str, ty: &str, octets: &[u8], variant: Variant) -> Option<Result<Vec<u8>, Error>> {{\n    let _ = (ty, octets, variant);\n    match set {{\n{arms}        _ => None,\n    }}\n}}\n"
    );
    std::fs::write(out.join("sets.rs"), sets)?;
    Ok(())
}

/// Generates the types of a set of modules, and a function that finds them by name.
fn set(name: &str, files: &[PathBuf], out: &Path, sets: &mut String) -> Result<(), Box<dyn Error>> {
    // Published modules are not free of errors.
    let options = Departure::ALL.iter().fold(Options::default(), |options, one| options.allow(*one));
    let mut builder = Builder::new().schema(options);
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        builder = builder.files(file);
    }
    let output = builder.per(name)?;
    let text = output.files.first().map(|file| file.text.as_str()).unwrap_or_default();
    std::fs::write(out.join(format!("{name}.rs")), text)?;
    let types = text.lines().filter_map(|line| line.strip_prefix("impl PerType for ")?.strip_suffix(" {"));
    let arms: String = types
        .map(|ty| format!("            {:?} => super::again::<{ty}>(octets, variant),\n", ty.to_lowercase()))
        .collect();
    let _ = write!(
        sets,
        "/// `{name}`.\nmod {name} {{\n    #![allow(clippy::all, clippy::indexing_slicing, dead_code, unreachable_pub, missing_docs, reason = \"generated code\")]\n    include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\"));\n\n    pub(crate) fn recode(ty: &str, octets: &[u8], variant: super::Variant) -> Option<Result<Vec<u8>, super::Error>> {{\n        Some(match ty {{\n{arms}            _ => return None,\n        }})\n    }}\n}}\n\n"
    );
    Ok(())
}
