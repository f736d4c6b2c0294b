//! Every offset and every error code against the MIT headers of this machine, by the C compiler.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use tagwise_krb5_plugin_sys::profile::{PROF_NO_RELATION, profile_vtable};
use tagwise_krb5_plugin_sys::{NEWER, codes};

/// The release whose headers are installed, by macros that newer ones have.
const RELEASE: &str = "#if defined(KRB5_TL_ALIAS_TARGET)\n#define RELEASE 22\n#elif defined(KRB5_KDB_SK_PAC_PRIVSVR_ENCTYPE)\n#define RELEASE 21\n#else\n#define RELEASE 20\n#endif\n";

/// Structure, field and offset of each assertion in the generated file.
fn offsets() -> Vec<(String, String, usize)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gen/v1_22.rs");
    let text = std::fs::read_to_string(path).unwrap().replace('\n', " ");
    text.split("[\"Offset of field: ")
        .skip(1)
        .map(|rest| {
            let (name, rest) = rest.split_once('"').unwrap();
            let (structure, field) = name.split_once("::").unwrap();
            let (_, rest) = rest.split_once(") - ").unwrap();
            let (offset, _) = rest.split_once("usize").unwrap();
            (structure.to_owned(), field.to_owned(), offset.parse().unwrap())
        })
        .collect()
}

fn compile(source: &str, include: Option<&str>) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layout.c");
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new("cc");
    command.arg("-fsyntax-only");
    if let Some(include) = include {
        command.args(["-I", include]);
    }
    let output = command.arg("-I").arg(env!("CARGO_MANIFEST_DIR")).arg(&file).output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn source(wrong: usize) -> String {
    let mut source = format!("#include \"wrapper.h\"\n#include <stddef.h>\n{RELEASE}");
    let offsets = offsets();
    assert!(offsets.len() > 350, "{}", offsets.len());
    for (structure, field, offset) in offsets {
        let tag = format!("struct {structure}");
        let since =
            NEWER.iter().find(|row| (row.0, row.1) == (structure.as_str(), field.as_str())).map_or(20, |row| row.2);
        let field = field.trim_end_matches('_');
        let offset = offset + wrong;
        writeln!(source, "#if RELEASE >= {since}\n_Static_assert(offsetof({tag}, {field}) == {offset}, \"{structure}::{field}\");\n#endif").unwrap();
    }
    for (field, offset) in [
        ("get_values", offset_of!(profile_vtable, get_values)),
        ("copy", offset_of!(profile_vtable, copy)),
        ("iterator_create", offset_of!(profile_vtable, iterator_create)),
        ("flush", offset_of!(profile_vtable, flush)),
    ] {
        let offset = offset + wrong;
        writeln!(source, "_Static_assert(offsetof(struct profile_vtable, {field}) == {offset}, \"profile {field}\");")
            .unwrap();
    }
    let size = size_of::<profile_vtable>();
    writeln!(source, "_Static_assert(sizeof(struct profile_vtable) == {size} && PROF_NO_RELATION == {PROF_NO_RELATION}L, \"profile_vtable\");").unwrap();
    for (name, value) in codes::ALL {
        writeln!(source, "_Static_assert({name} == {value}L, \"{name}\");").unwrap();
    }
    source
}

#[test]
fn layouts_and_codes_are_those_of_the_installed_headers() {
    // `TAGWISE_KRB5_HEADERS` names a folder of another release's headers.
    let include = std::env::var("TAGWISE_KRB5_HEADERS").ok();
    if include.is_none() && !Path::new("/usr/include/kdb.h").exists() {
        tagwise_testing::skip("no headers of MIT Kerberos (libkrb5-dev)");
        return;
    }
    compile(&source(0), include.as_deref()).unwrap_or_else(|error| panic!("{error}"));
    assert!(compile(&source(1), include.as_deref()).is_err(), "wrong offsets must not compile");
}
