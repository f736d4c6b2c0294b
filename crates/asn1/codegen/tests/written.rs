//! Writing into folders and reading from them: no link is followed, and no file is read beyond the limit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;

use tagwise_codegen::{Builder, Error};

const MODULE: &str = "M DEFINITIONS ::= BEGIN Point ::= SEQUENCE { x INTEGER } END\n";

#[test]
#[cfg(unix)]
fn links_are_replaced_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (module, out, victim) = (folder.path().join("m.asn1"), folder.path().join("gen"), folder.path().join("victim"));
    fs::write(&module, MODULE).unwrap();
    fs::write(&victim, "mine").unwrap();
    fs::create_dir(&out).unwrap();
    let output = Builder::new().files(&module).rust().unwrap();
    for file in &output.files {
        std::os::unix::fs::symlink(&victim, out.join(&file.name)).unwrap();
        // The name that a new file had while it was written.
        std::os::unix::fs::symlink(&victim, out.join(format!(".{}.new", file.name))).unwrap();
    }
    let changes = output.write(&out).unwrap();
    assert_eq!(changes.len(), output.files.len());
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    for file in &output.files {
        let path = out.join(&file.name);
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(fs::read_to_string(&path).unwrap(), file.text);
    }
    // Nothing is left besides, and nothing changes the second time.
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2 * output.files.len());
    assert_eq!(output.write(&out).unwrap(), []);
}

#[test]
fn files_are_read_up_to_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (module, overlay) = (folder.path().join("m.asn1"), folder.path().join("overlay.toml"));
    fs::write(&module, MODULE).unwrap();
    fs::write(&overlay, format!("# {}\n", "x".repeat(200))).unwrap();
    let len = MODULE.len() as u64;
    assert!(Builder::new().files(&module).max_file(len).rust().is_ok());
    for builder in
        [Builder::new().files(&module).max_file(len - 1), Builder::new().files(&module).overlay(&overlay).max_file(len)]
    {
        match builder.rust() {
            Err(Error::Io(_, error)) => assert!(error.to_string().contains("larger than the limit of "), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}
