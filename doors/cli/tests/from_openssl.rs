//! `from-openssl`: translations give the same answer as the command line of OpenSSL, and unknown options are named.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::openssl::has_openssl;
use common::{files, tagwise};

/// How the two answers are compared.
#[derive(Clone, Copy, Debug)]
enum Same {
    /// The text, without the names of fields, case, colons and blanks.
    Text,
    /// The whole text.
    Exactly,
    /// Only whether the answer is positive.
    Answer,
    /// A file that both write, byte for byte.
    File(&'static str),
    /// The DER in a PEM file that both write.
    Pem(&'static str),
    /// A file that both write, which OpenSSL reads by this line; then its text.
    Read(&'static str),
}

/// Command lines of OpenSSL that run offline.
const LINES: &[(&str, Same)] = &[
    ("openssl x509 -in cert.pem -noout -text", Same::Exactly),
    ("openssl x509 -in cert.pem -noout -enddate -dateopt iso_8601", Same::Text),
    ("openssl x509 -in cert.pem -noout -startdate -dateopt iso_8601", Same::Text),
    ("openssl x509 -in cert.pem -noout -dates -dateopt iso_8601", Same::Text),
    ("openssl x509 -in cert.pem -noout -subject -nameopt RFC2253", Same::Text),
    ("openssl x509 -in cert.pem -noout -issuer -nameopt RFC2253", Same::Text),
    ("openssl x509 -in cert.pem -noout -subject -issuer -nameopt RFC2253", Same::Text),
    ("openssl x509 -in cert.pem -noout -serial", Same::Text),
    ("openssl x509 -in cert.pem -noout -fingerprint", Same::Text),
    ("openssl x509 -in cert.pem -noout -fingerprint -sha256", Same::Text),
    ("openssl x509 -in cert.pem -noout -pubkey", Same::Exactly),
    ("openssl x509 -in rsa.pem -noout -modulus", Same::Text),
    ("openssl x509 -in cert.der -inform DER -noout -serial", Same::Text),
    ("openssl x509 -noout -serial < cert.pem", Same::Text),
    ("openssl x509 -in cert.pem -noout -checkend 86400", Same::Answer),
    ("openssl x509 -in cert.pem -noout -checkend 864000000", Same::Answer),
    ("openssl x509 -in cert.pem -outform DER -out out", Same::File("out")),
    ("openssl x509 -in cert.der -inform DER -out out", Same::Pem("out")),
    ("openssl x509 -in both.pem -out out", Same::File("out")),
    ("openssl x509 -in both.pem -outform DER -out out", Same::File("out")),
    ("openssl x509 -in both.pem > out", Same::File("out")),
    ("openssl x509 -in chain.pem -out out", Same::File("out")),
    ("openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin -pubout", Same::Exactly),
    ("openssl verify -CAfile ca.pem sub-leaf.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -untrusted sub.pem sub-leaf.pem", Same::Answer),
    ("openssl verify -CAfile sub.pem sub-leaf.pem", Same::Answer),
    ("openssl verify -CAfile sub.pem -partial_chain sub-leaf.pem", Same::Answer),
    ("openssl verify -CAfile sub-and-ca.pem sub-leaf.pem", Same::Answer),
    ("openssl verify -no-CAfile -no-CApath -no-CAstore cert.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem sub-chain.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -untrusted sub-chain.pem sub-chain.pem", Same::Answer),
    ("openssl x509 -in chain.pem -noout -serial", Same::Text),
    ("openssl x509 -in chain.pem -noout -subject -issuer -nameopt RFC2253", Same::Text),
    ("openssl x509 -in chain.pem -noout -text", Same::Exactly),
    ("openssl cms -verify -in sub.p7 -inform DER -CAfile sub.pem -purpose any -binary", Same::Answer),
    ("openssl cms -verify -in sub.p7 -inform DER -CAfile sub.pem -partial_chain -purpose any -binary", Same::Answer),
    ("openssl cms -verify -in sub.p7 -inform DER -CAfile sub-and-ca.pem -purpose any -binary", Same::Answer),
    ("openssl smime -verify -in sub.p7 -inform DER -CAfile sub.pem -purpose any -binary", Same::Answer),
    ("openssl smime -verify -in sub.p7 -inform DER -CAfile sub.pem -partial_chain -purpose any -binary", Same::Answer),
    ("openssl ts -verify -in letter.tsr -queryfile letter.tsq -CAfile sub.pem", Same::Answer),
    ("openssl ts -verify -in letter.tsr -queryfile letter.tsq -CAfile sub.pem -partial_chain", Same::Answer),
    ("openssl ts -verify -in letter.tsr -data letter.txt -CAfile ca.pem -untrusted sub.pem", Same::Answer),
    ("openssl req -in www.csr -noout -subject -nameopt RFC2253", Same::Text),
    ("openssl req -in www.csr -noout -verify", Same::Answer),
    ("openssl req -in www.csr -noout -pubkey", Same::Exactly),
    ("openssl req -in www.csr -outform DER -out out", Same::File("out")),
    (
        "openssl req -new -key server.key -subj '/C=DE/O=A, B/CN=x.example' -addext subjectAltName=DNS:x.example,IP:192.0.2.7 -out out",
        Same::Read("openssl req -in out -noout -subject -pubkey -verify -nameopt RFC2253"),
    ),
    (
        "openssl req -new -newkey rsa:2048 -nodes -keyout new.key -subj /CN=x.example -out out",
        Same::Read("openssl req -in out -noout -subject -verify"),
    ),
    (
        "openssl req -x509 -newkey ed25519 -nodes -keyout new.key -subj /CN=x.example -addext subjectAltName=DNS:x.example -days 30 -out out",
        Same::Read(
            "openssl x509 -in out -noout -subject -ext subjectAltName && openssl x509 -in out -noout -ext basicConstraints",
        ),
    ),
    (
        "openssl x509 -req -in www.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 -copy_extensions copy -out out",
        Same::Read("openssl x509 -in out -noout -subject -issuer -pubkey && openssl verify -CAfile ca.pem out"),
    ),
    ("openssl crl -in ca.crl -noout -text", Same::Exactly),
    ("openssl crl -in ca.crl -noout -nextupdate -dateopt iso_8601", Same::Text),
    ("openssl crl -in ca.crl -noout -issuer -nameopt RFC2253", Same::Text),
    ("openssl crl -in ca.crl -outform DER -out out", Same::File("out")),
    ("openssl verify -CAfile ca.pem cert.pem", Same::Answer),
    ("openssl verify -CAfile rsa.pem cert.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -purpose sslserver -verify_hostname www.example.org cert.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -verify_hostname other.example cert.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -crl_check -CRLfile ca.crl cert.pem", Same::Answer),
    ("openssl verify -CAfile ca.pem -attime 100000000 cert.pem", Same::Answer),
    ("openssl pkey -in server.key -pubout -out out", Same::File("out")),
    ("openssl ec -in server.key -out out", Same::Read("openssl pkey -in out")),
    ("openssl rsa -in rsa.key -traditional -out out", Same::File("out")),
    (
        "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out out",
        Same::Read("openssl pkey -in out -noout -text | grep NIST"),
    ),
    ("openssl genrsa -out out 2048", Same::Read("openssl pkey -in out -noout -text | head -1")),
    (
        "openssl ecparam -name prime256v1 -genkey -noout -out out",
        Same::Read("openssl pkey -in out -noout -text | grep NIST"),
    ),
    (
        "openssl dgst -sha256 -sign server.key -out out letter.txt",
        Same::Read("openssl dgst -sha256 -verify server.pub -signature out letter.txt"),
    ),
    ("openssl dgst -sha256 -verify server.pub -signature letter.sig letter.txt", Same::Answer),
    ("openssl dgst -sha256 -verify server.pub -signature letter.sig secret.txt", Same::Answer),
    ("openssl pkcs7 -in chain.p7b -inform DER -print_certs -out out", Same::Read("openssl x509 -in out")),
    (
        "openssl crl2pkcs7 -nocrl -certfile chain.pem -out out",
        Same::Read("openssl pkcs7 -in out -print_certs -noout | sort"),
    ),
    (
        "openssl pkcs12 -export -inkey server.key -in cert.pem -name www -passout file:secret.txt -out out",
        Same::Read("openssl pkcs12 -in out -passin file:secret.txt -nokeys -clcerts | openssl x509"),
    ),
    (
        "openssl pkcs12 -in store.p12 -nocerts -noenc -passin file:secret.txt -out out",
        Same::Read("openssl pkey -in out"),
    ),
    (
        "openssl cms -sign -in letter.txt -signer cert.pem -inkey server.key -nodetach -binary -outform PEM -out out",
        Same::Read("openssl cms -verify -in out -inform PEM -CAfile ca.pem -purpose any"),
    ),
    ("openssl cms -verify -in signed.p7 -inform DER -CAfile ca.pem -purpose any -binary -out out", Same::File("out")),
    (
        "openssl cms -sign -in letter.txt -signer cert.pem -inkey server.key -md sha512 -nodetach -binary -outform PEM -out out",
        Same::Read("openssl cms -cmsout -print -in out -inform PEM | grep -A1 -m1 digestAlgorithms"),
    ),
    ("openssl pkcs8 -topk8 -nocrypt -in rsa.key -out out", Same::File("out")),
    (
        "openssl pkeyutl -sign -rawin -digest sha256 -in letter.txt -inkey server.key -out out",
        Same::Read("openssl dgst -sha256 -verify server.pub -signature out letter.txt"),
    ),
    (
        "openssl pkeyutl -verify -rawin -digest sha256 -in letter.txt -pubin -inkey server.pub -sigfile letter.sig",
        Same::Answer,
    ),
    ("openssl pkcs12 -in store.p12 -noout -passin file:secret.txt", Same::Answer),
    (
        "openssl cms -encrypt -in letter.txt -binary -aes256 -outform DER -out out rsa.pem",
        Same::Read("openssl cms -decrypt -in out -inform DER -inkey rsa.key -binary"),
    ),
    ("openssl cms -decrypt -in sealed.cms -inform DER -inkey rsa.key -binary -out out", Same::File("out")),
    (
        "openssl ts -query -data letter.txt -sha256 -out out",
        Same::Read("openssl ts -query -in out -text | grep -A3 Hash"),
    ),
];

/// What makes the files that the lines read.
const FIXTURES: &str = "\
echo 'correct horse' > secret.txt
printf 'A letter.\\r\\n' > letter.txt
tagwise cert self-signed --ca --subject CN=CA,O=Example --key-out ca.key -o ca.pem
tagwise csr new --key-out server.key --no-passphrase --subject CN=www.example.org,O=Example --dns www.example.org -o www.csr
tagwise csr sign www.csr --ca ca.pem --ca-key ca.key -o cert.pem
tagwise convert --to der cert.pem -o cert.der
tagwise cert self-signed --dns rsa.example --subject CN=rsa.example --new-key rsa2048 --key-out rsa.key -o rsa.pem
cat cert.pem ca.pem > chain.pem
cat server.key cert.pem ca.pem > both.pem
tagwise csr new --key-out sub.key --no-passphrase --subject CN=Sub,O=Example -o sub.csr
tagwise csr sign sub.csr --profile ca --ca ca.pem --ca-key ca.key -o sub.pem
tagwise csr sign www.csr --ca sub.pem --ca-key sub.key -o sub-leaf.pem
cat sub.pem ca.pem > sub-and-ca.pem
cat sub-leaf.pem sub.pem > sub-chain.pem
tagwise cms sign letter.txt --key server.key --certificate sub-leaf.pem -o sub.p7
tagwise csr new --key-out tsa.key --no-passphrase --subject CN=TSA,O=Example -o tsa.csr
tagwise ca init --db sub.db --key sub.key --certificate sub.pem --no-history --no-passphrase -o /dev/null
tagwise ca issue tsa.csr --db sub.db --profile time-stamping -o tsa.pem
tagwise tsp request letter.txt -o letter.tsq
tagwise tsp reply letter.tsq --key tsa.key --certificate tsa.pem --policy 1.2.3.4 -o letter.tsr
tagwise convert --to p7 chain.pem -o chain.p7b
tagwise key convert --to public server.key -o server.pub
tagwise key sign letter.txt --key server.key -o letter.sig
tagwise p12 create --key server.key --certificate cert.pem --passphrase-file secret.txt -o store.p12
tagwise cms sign letter.txt --key server.key --certificate cert.pem -o signed.p7
tagwise cms encrypt letter.txt --to rsa.pem --cipher aes-256-cbc --rsa pkcs1 -o sealed.cms
tagwise ca init --db ca.db --key ca.key --certificate ca.pem --no-history --no-passphrase -o /dev/null
tagwise ca crl --db ca.db -o ca.crl";

fn shell(folder: &Path, line: &str) -> (bool, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_tagwise")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), if output.status.success() { text } else { text + &said })
}

/// A text without what only one of the programs writes.
fn plain(text: &str) -> String {
    let names = [
        "notafter",
        "notbefore",
        "subject",
        "issuer",
        "serial",
        "modulus",
        "nextupdate",
        "sha1 fingerprint",
        "sha256 fingerprint",
    ];
    let line = |line: &str| {
        let line = line.to_lowercase();
        let rest = names.iter().find_map(|name| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or(&line);
        rest.chars().filter(|char| !matches!(char, ' ' | ':' | 't')).collect::<String>()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn copy(from: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files(from) {
        fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn translations_give_the_same_answers() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for line in FIXTURES.lines() {
        let (good, said) = shell(folder.path(), line);
        assert!(good, "{line}: {said}");
    }
    let mut problems = Vec::new();
    for (line, same) in LINES {
        let translated = tagwise(&["from-openssl", line]);
        if translated.code != Some(0) {
            problems.push(format!("{line}: {}{}", translated.out, translated.err));
            continue;
        }
        let here = translated.out.trim_end();
        let folders = [copy(folder.path()), copy(folder.path())];
        let (one, other) = (shell(folders[0].path(), line), shell(folders[1].path(), here));
        let bytes = |index: usize, name: &str| fs::read(folders[index].path().join(name)).unwrap_or_default();
        let is_same = one.0 == other.0
            && match same {
                Same::Answer => true,
                Same::Text => plain(&one.1) == plain(&other.1),
                Same::Exactly => one.1 == other.1,
                Same::File(name) => bytes(0, name) == bytes(1, name) && !bytes(0, name).is_empty(),
                Same::Pem(name) => {
                    let der = |index| {
                        tagwise_codec::pem::blocks(&bytes(index, name)).next().unwrap().unwrap().decode().unwrap()
                    };
                    der(0) == der(1)
                }
                Same::Read(read) => {
                    let (one, other) = (shell(folders[0].path(), read), shell(folders[1].path(), read));
                    one.0 && one == other
                }
            };
        if !is_same {
            problems.push(format!("{line}\n  {here}\n  {same:?}\n  {one:?}\n  {other:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn unknown_options_are_named() {
    let run = tagwise(&["from-openssl", "openssl x509 -in cert.pem -noout -enddate -frobnicate -setalias web"]);
    assert_eq!((run.code, &*run.out), (Some(4), "tagwise get --first notAfter cert.pem\n"));
    assert_eq!(
        run.err,
        "tagwise: not translated: -frobnicate: openssl x509 has no such option\ntagwise: not translated: -setalias web\n"
    );
}

#[test]
fn nothing_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made");
    let line = format!("openssl genrsa -out {} 2048", file.display());
    assert_eq!(tagwise(&["from-openssl", &line]).code, Some(0));
    assert!(!file.exists());
    for line in
        ["touch made", "openssl x509 -in a.pem; touch made", "openssl x509 -in `touch made`", "openssl x509 -in 'a"]
    {
        let run = tagwise(&["from-openssl", line]);
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{line}");
    }
}

/// The guide's page is what the command prints; `TAGWISE_BLESS=1` writes it.
#[test]
fn the_page_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/from-openssl.md");
    let printed = tagwise(&["from-openssl", "--page"]).out;
    if std::env::var_os("TAGWISE_BLESS").is_some() {
        fs::write(&page, &printed).unwrap();
    }
    assert_eq!(fs::read_to_string(&page).unwrap(), printed);
}
