//! `tagwise edit`: texts, octets, and files that are edited in place.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Run, data, der, tagwise, tagwise_with};
use tagwise_codec::text::{base64, hex};

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("edit-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `tagwise edit` with an editor: a shell script that gets the text's path as `$1`.
fn edit(folder: &Path, script: &str, args: &[&str]) -> Run {
    let editor = folder.join("editor");
    fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tagwise"))
        .arg("edit")
        .args(args)
        .env("VISUAL", format!("'{}' ", text(&editor)))
        .env("EDITOR", "false")
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The texts that were kept in a folder.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let folders = entries(folder).into_iter().filter(|path| path.is_dir());
    let kept = folders.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("tagwise-"));
    kept.flat_map(|folder| entries(&folder)).collect()
}

const INTEGER: &[u8] = &[0x30, 0x03, 0x02, 0x01, 0x05];

#[test]
fn text_of_a_certificate() {
    let run = tagwise(&["edit", "--text", &data("leaf.pem")]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    let path = data("edit.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &run.out).unwrap();
    }
    assert!(run.out == fs::read_to_string(path).unwrap(), "edit.txt differs (BLESS=1 rewrites it):\n{}", run.out);
    // And back.
    let out = folder("certificate").join("leaf.der");
    let run = tagwise_with(&["edit", "--assemble", "-", "-o", text(&out)], run.out.as_bytes());
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert_eq!(fs::read(out).unwrap(), der("leaf.pem"));
}

#[test]
fn text_and_back_of_anything() {
    let folder = folder("anything");
    let (texts, out) = (folder.join("text"), folder.join("out"));
    for octets in [&b""[..], INTEGER, b"\x30\x80\x04\x00", b"hello", b"\x30\x05\xFF\x00\x1B[2J", b"\x02\x81\x01\x05"] {
        let run = tagwise_with(&["edit", "--text", "-"], octets);
        assert_eq!((run.code, &*run.err), (Some(0), ""));
        assert!(!run.out.contains('\u{1b}'));
        fs::write(&texts, &run.out).unwrap();
        let run = tagwise(&["edit", "--assemble", "-o", text(&out), text(&texts)]);
        assert_eq!((run.code, &*run.err), (Some(0), ""));
        assert_eq!(fs::read(&out).unwrap(), octets);
    }
}

#[test]
fn options_of_the_text() {
    let input = [&[0x30, 0x0B, 0x06, 0x03, 0x55, 0x04, 0x03, 0x04, 0x04, 0x30, 0x02][..], &[0x05, 0x00]].concat();
    for (args, wanted) in [
        (
            &[][..],
            "SEQUENCE {\n  OBJECT_IDENTIFIER { 2.5.4.3 }  # commonName\n  OCTET_STRING {\n    SEQUENCE {\n      NULL {}\n    }\n  }\n}\n",
        ),
        (&["--bare", "--flat"], "SEQUENCE {\n  OBJECT_IDENTIFIER { 2.5.4.3 }\n  OCTET_STRING { `30020500` }\n}\n"),
        (
            &["--depth", "1"],
            "SEQUENCE {\n  OBJECT_IDENTIFIER { 2.5.4.3 }  # commonName\n  OCTET_STRING { `30020500` }\n}\n",
        ),
    ] {
        let run = tagwise_with(&[&["edit", "--text", "-"], args].concat(), &input);
        assert_eq!((run.code, &*run.out), (Some(0), wanted));
    }
    for args in [
        &["edit"][..],
        &["edit", "-"],
        &["edit", "--apply", "x", "-"],
        &["edit", "--text", "--assemble", "x"],
        &["edit", "--text", "--depth", "0", "x"],
        &["edit", "--text", "--depth", "129", "x"],
        &["edit", "--assemble", "--block", "1", "x"],
    ] {
        assert_eq!(tagwise(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn blocks_of_a_bundle() {
    let run = tagwise(&["edit", "--text", &data("bundle.pem")]);
    // One block has no end and is cut off; what there is of it is shown.
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert!(run.out.contains("# CERTIFICATE REQUEST, line "), "{}", run.out);
    let run = tagwise(&["edit", "--text", "--block", "3", &data("bundle.pem")]);
    assert!(run.code == Some(0) && run.out.starts_with("SEQUENCE {\n"), "{}", run.out);
    for (block, wanted) in [("6", "block 6 not found: the file has 5"), ("0", "block 0 not found: the file has 5")] {
        let run = tagwise(&["edit", "--text", "--block", block, &data("bundle.pem")]);
        assert!(run.code == Some(2) && run.err.contains(wanted) && run.out.is_empty(), "{}", run.err);
    }
    let folder = folder("blocks");
    let run = edit(&folder, "exit 0", &[&data("bundle.pem")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("give --block N\n  1 CERTIFICATE REQUEST, line "), "{}", run.err);
}

#[test]
fn errors_in_a_text_have_their_line() {
    let run = tagwise_with(&["edit", "--assemble", "-"], "SEQUENCE {\n  \"é\" INTEGRE { 5 }\n}\n".as_bytes());
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    let wanted = "tagwise: standard input: line 2, column 7: expected the name of a type, TRUE, FALSE, indefinite or \
                  long-form:N; found 'INTEGRE' (did you mean INTEGER?)\n    \"é\" INTEGRE { 5 }\n        ^\n";
    assert_eq!(run.err, wanted);
    let run = tagwise(&["edit", "--assemble", &data("absent.txt")]);
    assert!(run.code == Some(3) && run.err.contains("absent.txt: cannot be read: No such file"), "{}", run.err);
}

#[test]
fn a_file_in_place() {
    let folder = folder("place");
    let file = folder.join("five.der");
    fs::write(&file, INTEGER).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.join("link.der");
    std::os::unix::fs::symlink("five.der", &link).unwrap();
    // Through a link, the file is written; the text is readable for its owner only, and gone afterwards.
    let script = "stat -c %a \"$1\" > mode 2>/dev/null || stat -f %Lp \"$1\" > mode; sed -i.bak 's/{ 5 }/{ 300 }/' \"$1\"; rm \"$1.bak\"";
    let script = format!("cd '{}'\n{script}", text(&folder));
    let run = edit(&folder, &script, &[text(&link)]);
    assert_eq!((run.code, &*run.out), (Some(0), ""), "{}", run.err);
    assert!(run.err.contains("link.der: 6 bytes written"), "{}", run.err);
    assert_eq!(fs::read(&file).unwrap(), [0x30, 0x04, 0x02, 0x02, 0x01, 0x2C]);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::read_to_string(folder.join("mode")).unwrap().trim(), "600");
    assert_eq!(kept(&folder), Vec::<PathBuf>::new());
    // Another file.
    let other = folder.join("other.der");
    let run = edit(&folder, "echo 'NULL {}' > \"$1\"", &["-o", text(&other), text(&file)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!((fs::read(&other).unwrap(), fs::read(&file).unwrap().len()), (vec![5, 0], 6));
}

#[test]
fn nothing_changed_nothing_written() {
    let folder = folder("unchanged");
    let file = folder.join("list.pem");
    fs::copy(data("list.pem"), &file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let before = fs::metadata(&file).unwrap().modified().unwrap();
    for script in ["exit 0", ": > \"$1\"", "echo '# nothing' > \"$1\"", "echo '# more' >> \"$1\""] {
        let run = edit(&folder, script, &[text(&file)]);
        assert!(run.code == Some(0) && run.err.contains("list.pem: unchanged"), "{}", run.err);
    }
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), before);
    assert_eq!(kept(&folder), Vec::<PathBuf>::new());
}

#[test]
fn failed_edits_leave_the_file_unchanged() {
    let folder = folder("wrong");
    let file = folder.join("five.der");
    fs::write(&file, INTEGER).unwrap();
    let script = format!("echo NULL > '{}'; echo NULL {{}} > \"$1\"", text(&file));
    for (script, message) in [
        ("echo 'SEQUENCE {' > \"$1\"", "unterminated '{'"),
        (&script, "not written: another program changed it in the meantime"),
    ] {
        let run = edit(&folder, script, &[text(&file)]);
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
        let texts = kept(&folder);
        assert_eq!(texts.len(), 1, "{}", run.err);
        assert!(run.err.contains(&format!("--apply {} {}", text(&texts[0]), text(&file))), "{}", run.err);
        assert!(fs::read_to_string(&texts[0]).unwrap().len() < 20);
        fs::remove_dir_all(texts[0].parent().unwrap()).unwrap();
    }
    assert_eq!(fs::read(&file).unwrap(), b"NULL\n");
    // A folder that cannot be written.
    let run = edit(&folder, "echo NULL {} > \"$1\"", &["-o", text(&folder.join("absent/x")), text(&file)]);
    assert!(run.code == Some(3) && run.err.contains("cannot be written") && kept(&folder).len() == 1, "{}", run.err);
    fs::remove_dir_all(kept(&folder)[0].parent().unwrap()).unwrap();
    // An editor that fails: nothing stays of the text.
    let run = edit(&folder, "echo 'NULL {}' > \"$1\"; cp \"$1\" \"$1~\"; exit 3", &[text(&file)]);
    assert!(run.code == Some(1) && run.err.contains("failed"), "{}", run.err);
    assert_eq!(temporary(&folder), 0, "{}", run.err);
    // No such editor.
    let output = Command::new(env!("CARGO_BIN_EXE_tagwise"))
        .args(["edit", text(&file)])
        .env_remove("VISUAL")
        .env("EDITOR", "/absent/editor")
        .env("TMPDIR", &folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(temporary(&folder), 0);
}

/// The text of a private key is nowhere when the command has ended, whatever the editor did.
#[test]
fn the_text_of_a_key_is_not_kept() {
    let folder = folder("key");
    let file = folder.join("server.key");
    let run = tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", text(&file)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let before = fs::read(&file).unwrap();
    for (script, code) in
        [("exit 0", 0), ("exit 3", 1), ("cp \"$1\" \"$1~\"; echo 'SEQUENCE {' > \"$1\"", 1), ("kill -9 $$", 1)]
    {
        let run = edit(&folder, script, &[text(&file)]);
        assert_eq!(run.code, Some(code), "{script}: {}", run.err);
        assert_eq!(temporary(&folder), 0, "{script}: {}", run.err);
        assert_eq!(fs::read(&file).unwrap(), before);
    }
    // Its text in a file is as private as the key.
    let out = folder.join("key.txt");
    let run = tagwise(&["edit", "--text", "-o", text(&out), text(&file)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    let run = tagwise(&["edit", "--text", "-o", text(&out), text(&file)]);
    assert!(run.code == Some(3) && run.err.contains("it exists"), "{}", run.err);
    assert_eq!(tagwise(&["edit", "--text", "--force", "-o", text(&out), text(&file)]).code, Some(0));
}

/// Counts the temporary files and folders in a folder.
fn temporary(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains("tagwise-")).count()
}

#[test]
fn the_wrapping_stays() {
    let folder = folder("wrapping");
    let file = folder.join("bundle");
    let change = "sed -i.bak 's/{ 5 }/{ 6 }/' \"$1\"; rm \"$1.bak\"";
    let wanted = &[0x30, 0x03, 0x02, 0x01, 0x06];
    // Text around the block, its label, headers and line endings.
    let pem = |body: &str| {
        format!(
            "Before.\r\n-----BEGIN SOME THING-----\r\nKey: value\r\n\r\n{body}\r\n-----END SOME THING-----\r\nAfter.\r\n-----BEGIN OTHER-----\nA\n"
        )
    };
    fs::write(&file, pem(&base64::encode(INTEGER))).unwrap();
    let run = edit(&folder, change, &["--block", "1", text(&file)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), pem(&base64::encode(wanted)));
    // The second one is malformed.
    let run = edit(&folder, change, &["--block", "2", text(&file)]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    for (before, after) in [
        (hex::encode(INTEGER), hex::encode(wanted) + "\n"),
        (base64::encode(INTEGER), base64::encode(wanted) + "\n"),
        ("30:03:02:01:05\n".to_owned(), hex::encode(wanted) + "\n"),
    ] {
        fs::write(&file, before).unwrap();
        let run = edit(&folder, change, &[text(&file)]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), after);
    }
}

#[test]
fn apply_does_what_the_editor_does() {
    let folder = folder("apply");
    let (file, script) = (folder.join("root.pem"), folder.join("text"));
    fs::copy(data("root.pem"), &file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let before = fs::read_to_string(&file).unwrap();
    let listing = tagwise(&["edit", "--text", text(&file)]).out;
    fs::write(&script, &listing).unwrap();
    let run = tagwise(&["edit", "--apply", text(&script), text(&file)]);
    assert!(run.code == Some(0) && run.err.contains("unchanged"), "{}", run.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    fs::write(&script, "OCTET_STRING { \"x\" }").unwrap();
    let run = tagwise(&["edit", "--apply", text(&script), text(&file)]);
    assert!(run.code == Some(0) && run.err.contains("root.pem: 3 bytes written"), "{}", run.err);
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.ends_with("-----BEGIN CERTIFICATE-----\nBAF4\n-----END CERTIFICATE-----\n"), "{after}");
    assert_eq!(der("root.pem").len(), 692);
}
