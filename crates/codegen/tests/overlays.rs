//! The overlays beside this project's schemas, and those of its crates: every key means something, alone and together.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use tagwise_codegen::{Builder, Error};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The overlays of the schemas, in order.
fn overlays() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("schemas")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        folders.map(|folder| folder.join("overlay.toml")).filter(|path| path.is_file()).collect();
    found.sort();
    assert!(found.len() > 10, "{found:?}");
    found
}

#[test]
fn each_by_itself() {
    for path in overlays() {
        let builder = Builder::new().files(root().join("schemas")).overlay(&path);
        builder.rust().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn all_of_them_with_that_of_the_crate() {
    let builder = Builder::new().files(root().join("schemas")).overlay(root().join("crates/messages/gen.toml"));
    let builder = overlays().into_iter().fold(builder, Builder::overlay);
    let output = builder.rust().unwrap_or_else(|error| panic!("{error}"));
    assert!(output.files.len() > 30, "{}", output.files.len());
}

/// What is wrong is told in the file in which it stands, whichever that is.
#[test]
fn a_stale_key_is_told_where_it_stands() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stale.toml");
    fs::write(&scratch, "[types.\"OCSP-2013-08.OCSPRequest\"]\nfields.tbsRequset = { captured = true }\n").unwrap();
    let builder = overlays().into_iter().fold(Builder::new().files(root().join("schemas")), Builder::overlay);
    let Err(Error::Overlay(errors)) = builder.overlay(&scratch).rust() else { panic!("it is taken") };
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected =
        format!("{}:2:8: there is no component `tbsRequset` in `OCSP-2013-08.OCSPRequest`", scratch.display());
    assert_eq!(said, [expected]);
}
