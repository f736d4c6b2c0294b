//! Files that the command writes: whose they are, what they replace, and that there is never a part of one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Run, data, run_of, tagwise_with};

/// A folder of this test's own, with a private key in the clear and a letter under a shared key in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("word"), "correct horse\n").unwrap();
    fs::write(folder.join("shared"), "00112233445566778899aabbccddeeff\n").unwrap();
    fs::write(folder.join("letter"), "what is said\n").unwrap();
    fs::copy(data("root.pem"), folder.join("root.pem")).unwrap();
    for line in [
        "key new ecdsa-p256 --no-passphrase -o me.key",
        "cms encrypt letter --shared-key-file shared --shared-key-id 01 -o sealed",
        "convert --to p12 -o plain.p12 me.key",
    ] {
        good(&folder, line);
    }
    folder
}

/// Runs the command in a folder, with the mask that leaves files most open.
fn run(folder: &Path, line: &str) -> Run {
    let script = format!("umask 0; exec '{}' {line}", env!("CARGO_BIN_EXE_tagwise"));
    let mut command = Command::new("sh");
    run_of(&command.arg("-c").arg(script).current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

fn good(folder: &Path, line: &str) -> Run {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The names of what a command left behind that it should not have.
fn left(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains("tagwise-") || name.starts_with('.')).collect()
}

/// Commands that write a secret to `OUT`, and whether they take --force.
const SECRETS: [(&str, bool); 15] = [
    ("convert --to der -o OUT me.key", true),
    ("convert --to pem -o OUT me.key", true),
    ("convert --to pem --label DATA -o OUT me.key", true),
    ("convert --to hex -o OUT me.key", true),
    ("convert --to base64 -o OUT me.key", true),
    ("convert --to json -o OUT me.key", true),
    ("convert --to p12 -o OUT me.key", true),
    ("convert --to p12,hex -o OUT me.key", true),
    ("edit --text -o OUT me.key", true),
    ("cms decrypt sealed --shared-key-file shared -o OUT", true),
    ("key new ed25519 --no-passphrase -o OUT", false),
    ("key convert --to sec1 --no-passphrase -o OUT me.key", false),
    ("key convert --to pkcs8 --new-passphrase-file word -o OUT me.key", false),
    ("p12 create --key me.key --passphrase-file word -o OUT", false),
    ("p12 extract plain.p12 --allow-no-mac --no-passphrase -o OUT", false),
];

#[test]
fn secrets_are_their_owners_alone() {
    let folder = folder("secrets");
    let out = folder.join("out");
    for (line, forces) in SECRETS {
        let line = line.replace("OUT", "out");
        let _ = fs::remove_file(&out);
        good(&folder, &line);
        assert_eq!(mode(&out), 0o600, "{line}");
        // Not in place of another file, nor of a link, whatever that leads to.
        fs::write(&out, "mine").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o644)).unwrap();
        let second = run(&folder, &line);
        assert!(second.code == Some(3) && second.err.contains("exists"), "{line}: {}", second.err);
        assert_eq!(fs::read(&out).unwrap(), b"mine", "{line}");
        for target in ["absent", "elsewhere"] {
            fs::remove_file(&out).unwrap();
            fs::write(folder.join("elsewhere"), "mine").unwrap();
            symlink(target, &out).unwrap();
            assert_eq!(run(&folder, &line).code, Some(3), "{line}");
            assert!(fs::symlink_metadata(&out).unwrap().is_symlink() && !folder.join("absent").exists(), "{line}");
            // Forced, it takes the link's place, and what that leads to stays as it is.
            if forces {
                good(&folder, &format!("{line} --force"));
                assert!(fs::symlink_metadata(&out).unwrap().is_file() && !folder.join("absent").exists(), "{line}");
                assert_eq!(
                    (mode(&out), fs::read(folder.join("elsewhere")).unwrap()),
                    (0o600, b"mine".to_vec()),
                    "{line}"
                );
            }
        }
        let _ = fs::remove_file(&out);
        let other = run(&folder, &line.replace(" out", " absent/out"));
        assert!(other.code == Some(3) && other.err.contains("cannot be written: No such file"), "{}", other.err);
        let other = run(&folder, &line.replace(" out", " ."));
        assert!(other.code == Some(3) && other.err.contains("it is a folder"), "{line}: {}", other.err);
        assert_eq!(left(&folder), [""; 0], "{line}");
    }
    // A device is not replaced.
    good(&folder, "key new ed25519 --no-passphrase -o /dev/null");
    let made = good(&folder, "convert --to pem -o - me.key");
    assert_eq!(made.out, fs::read_to_string(folder.join("me.key")).unwrap());
}

#[test]
fn other_results_are_as_open_as_the_mask() {
    let folder = folder("public");
    for line in [
        "convert --to der -o out root.pem",
        "convert --to p7,pem -o out root.pem",
        "key convert --to public -o out me.key",
        "cms encrypt letter --shared-key-file shared --shared-key-id 01 -o out",
        "edit --text -o out root.pem",
        "get --der tbsCertificate -o out root.pem",
    ] {
        good(&folder, line);
        let out = folder.join("out");
        assert_eq!(mode(&out), 0o666, "{line}");
        // Replaced, with the permissions that it had.
        fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
        good(&folder, line);
        assert_eq!(mode(&out), 0o640, "{line}");
        fs::remove_file(&out).unwrap();
    }
    // The file that is read may be the one that is written.
    good(&folder, "convert --to der -o root.pem root.pem");
    assert_eq!(fs::read(folder.join("root.pem")).unwrap()[0], 0x30);
    assert_eq!(left(&folder), [""; 0]);
}

#[test]
fn no_key_is_lost_to_something_else() {
    let folder = folder("lost");
    let key = fs::read(folder.join("me.key")).unwrap();
    for line in [
        "convert --to der -o me.key root.pem",
        "key convert --to public -o me.key me.key",
        "key new ed25519 --no-passphrase -o other.key --public me.key",
        "edit --text -o me.key root.pem",
    ] {
        let run = run(&folder, line);
        assert!(
            run.code == Some(3) && run.err.contains("it is a private key, which would be lost"),
            "{line}: {}",
            run.err
        );
        assert_eq!(fs::read(folder.join("me.key")).unwrap(), key);
    }
    // One name for both halves, however it is written.
    for public in ["new.key", "./new.key", "../files-lost/new.key"] {
        let run = run(&folder, &format!("key new ed25519 --no-passphrase -o new.key --public {public}"));
        assert!(run.code == Some(2) && run.err.contains("name the same file"), "{}", run.err);
        assert!(!folder.join("new.key").exists());
    }
    let made = "ca init --subject CN=ca --key-type ecdsa-p256 --no-passphrase --db ca.db";
    good(&folder, &format!("{made} -o ca.pem"));
    assert_eq!(mode(&folder.join("ca.db")), 0o600);
    let database = fs::read(folder.join("ca.db")).unwrap();
    let run = run(&folder, "ca export -o ca.db --db ca.db");
    assert!(run.code == Some(2) && run.err.contains("ca.db is a file of the CA's database"), "{}", run.err);
    assert_eq!(fs::read(folder.join("ca.db")).unwrap(), database);
    good(&folder, "convert --to der --force -o me.key root.pem");
}

/// A disk that is full, as far as a test can have one: files may not grow beyond a limit.
#[test]
fn files_that_do_not_fit_are_not_left_behind() {
    let folder = folder("full");
    let mut many = fs::read(folder.join("me.key")).unwrap();
    many.resize(100_000, b'\n');
    fs::write(folder.join("many"), many).unwrap();
    fs::write(folder.join("there"), "mine").unwrap();
    for line in [
        "convert --to hex --from base64 -o out zeros",
        "convert --to hex --from base64 -o there zeros",
        "edit --apply text -o out root.pem",
    ] {
        fs::write(folder.join("zeros"), "A".repeat(40_000)).unwrap();
        fs::write(folder.join("text"), format!("OCTET_STRING {{ `{}` }}", "00".repeat(20_000))).unwrap();
        let script = format!("ulimit -f 8; exec '{}' {line}", env!("CARGO_BIN_EXE_tagwise"));
        let mut command = Command::new("sh");
        let run = run_of(&command.arg("-c").arg(script).current_dir(&folder).stdin(Stdio::null()).output().unwrap());
        assert!(
            run.code == Some(3) && run.err.contains("cannot be written: File too large"),
            "{line}: {:?} {}",
            run.code,
            run.err
        );
        assert!(!folder.join("out").exists(), "{line}");
        assert_eq!(fs::read(folder.join("there")).unwrap(), b"mine");
        assert_eq!(left(&folder), [""; 0], "{line}");
    }
}

/// Links in the folder of generated files are replaced; what they lead to stays as it is.
#[test]
fn generated_files_follow_no_link() {
    let folder = folder("links");
    fs::write(folder.join("m.asn1"), "M DEFINITIONS ::= BEGIN Point ::= SEQUENCE { x INTEGER } END\n").unwrap();
    fs::write(folder.join("victim"), "mine").unwrap();
    for (line, names) in [
        ("compile --lang rust -o gen m.asn1", ["m.rs", "mod.rs"]),
        ("schema doc -o gen m.asn1", ["M.html", "index.html"]),
    ] {
        let gen_folder = folder.join("gen");
        let _ = fs::remove_dir_all(&gen_folder);
        fs::create_dir(&gen_folder).unwrap();
        good(&folder, line);
        let made: Vec<String> =
            fs::read_dir(&gen_folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert!(made.len() >= names.len(), "{made:?}");
        for name in &made {
            fs::remove_file(gen_folder.join(name)).unwrap();
            symlink("../victim", gen_folder.join(name)).unwrap();
            // The name that such files once had while they were written.
            symlink("../victim", gen_folder.join(format!(".{name}.new"))).unwrap();
        }
        good(&folder, line);
        assert_eq!(fs::read(folder.join("victim")).unwrap(), b"mine", "{line}");
        for name in &made {
            assert!(fs::symlink_metadata(gen_folder.join(name)).unwrap().is_file(), "{line}: {name}");
            assert_eq!(mode(&gen_folder.join(name)), 0o666, "{line}: {name}");
        }
    }
}

/// A PKCS #12 file whose integrity nothing shows is taken only where that is said.
#[test]
fn a_file_without_a_mac_is_not_trusted() {
    let folder = folder("mac");
    let refused = run(&folder, "p12 extract plain.p12 --no-passphrase -o out");
    assert!(
        refused.code == Some(1)
            && refused.err.contains("no MAC, so its integrity cannot be checked")
            && refused.err.contains("--allow-no-mac"),
        "{}",
        refused.err
    );
    assert!(!folder.join("out").exists());
    let taken = good(&folder, "p12 extract plain.p12 --allow-no-mac --no-passphrase -o out");
    assert_eq!(taken.err, "tagwise: plain.p12: warning: no MAC, so its integrity cannot be checked\n");
    let shown = good(&folder, "p12 show --json plain.p12").out;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["integrity"], &shown["integrity_checked"]), (&"no MAC".into(), &false.into()));
    assert!(good(&folder, "p12 show plain.p12").out.contains("its integrity cannot be checked"));
    good(&folder, "p12 create --key me.key --passphrase-file word -o mac.p12");
    let taken = good(&folder, "p12 extract mac.p12 --passphrase-file word --no-passphrase -o mac.key");
    assert_eq!(taken.err, "");
    let shown = good(&folder, "p12 show --json --passphrase-file word mac.p12").out;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap()["integrity_checked"], true);
}

/// Passphrases come from the first line, and nothing else is taken for one.
#[test]
fn a_passphrase_is_a_line() {
    let folder = folder("line");
    fs::write(folder.join("long"), "x".repeat(5000)).unwrap();
    for file in ["long", "/dev/zero"] {
        let run = run(&folder, &format!("key new ed25519 --passphrase-file {file} -o new.key"));
        assert!(run.code == Some(3) && run.err.contains("exceeds 4096 bytes"), "{file}: {}", run.err);
    }
    let path = folder.join("new.key");
    let args = ["key", "new", "ed25519", "--passphrase-file", "-", "-o", path.to_str().unwrap()];
    assert_eq!(tagwise_with(&args, b"correct horse\r\nand more").code, Some(0));
    good(&folder, "key show new.key --passphrase-file word");
}
