//! The programs of `examples`, which do what they say.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::build::{compilers, home, program, room, run, running};

fn built(name: &str) -> Vec<PathBuf> {
    let source = home().join("examples").join(format!("{name}.c"));
    let compilers = compilers();
    let each = compilers.iter().enumerate();
    each.map(|(index, compiler)| program(&source, &format!("{name}-{index}"), compiler)).collect()
}

fn output(program: &Path, arguments: &[&Path]) -> Output {
    running(program).args(arguments).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn data(name: &str) -> PathBuf {
    home().join("../../crates/cli/tests/data").join(name)
}

#[test]
fn print_certificate() {
    for program in built("print_certificate") {
        let (code, text) = said(&output(&program, &[&data("leaf.pem")]));
        assert_eq!(code, Some(0));
        assert!(text.starts_with(
            "serial: 5ec3b7a6437fa4e05ec3b7a6437fa4e0\nissuer: CN=Example Root,O=Beispiel AG\\, Müller & Söhne,C=DE\n"
        ));
        for line in [
            "not after: 2126-10-28 12:51:29 UTC",
            "extension: keyUsage (critical), 4 bytes",
            "name: DNS:www.example.com",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}: {text}");
        }
        assert_eq!(output(&program, &[&data("list.pem")]).status.code(), Some(0));
        assert_eq!(output(&program, &[]).status.code(), Some(2));
        assert_eq!(output(&program, &[&data("openssl.txt"), &data("leaf.pem")]).status.code(), Some(2));
    }
}

fn openssl(arguments: &[&str]) {
    run(std::process::Command::new("openssl").args(arguments).current_dir(room()));
}

#[test]
fn verify_chain() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let root = ["req", "-x509", "-days", "60", "-subj", "/CN=Root", "-keyout", "root.key", "-out", "root.pem"];
    openssl(&[&root[..], &key].concat());
    let leaf = ["req", "-subj", "/CN=www.example.org", "-keyout", "leaf.key", "-out", "leaf.csr"];
    openssl(&[&leaf[..], &key].concat());
    let extensions = "subjectAltName=DNS:www.example.org\nextendedKeyUsage=serverAuth\nkeyUsage=critical,digitalSignature\n\
                      authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n";
    std::fs::write(room().join("leaf.ext"), extensions).unwrap();
    let issue =
        ["x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-days", "30", "-out", "leaf.pem"];
    openssl(&[&issue[..], &["-set_serial", "0x0123456789abcdef", "-extfile", "leaf.ext"]].concat());
    let (root, leaf) = (room().join("root.pem"), room().join("leaf.pem"));
    for program in built("verify_chain") {
        let (code, text) = said(&output(&program, &[Path::new("www.example.org"), &root, &leaf]));
        assert_eq!((code, text.as_str()), (Some(0), "0: CN=www.example.org\nvalid\n"));
        let (code, text) = said(&output(&program, &[Path::new("example.org"), &root, &leaf]));
        assert_eq!(code, Some(1));
        assert!(text.starts_with("not valid: ") && text.contains("peer-name"), "{text}");
        let (code, text) = said(&output(&program, &[Path::new("www.example.org"), &data("root.pem"), &leaf]));
        assert_eq!(code, Some(1), "{text}");
    }
}

#[test]
fn find_serial() {
    for program in built("find_serial") {
        let wanted = "3 entries\n0a: revoked at 1767323045, reason 1\n0b: not in the list\n";
        let arguments = [&data("list.pem"), Path::new("0a"), Path::new("0b")];
        assert_eq!(said(&output(&program, &arguments)), (Some(1), wanted.to_owned()));
        let wanted = "3 entries\n0b: not in the list\n";
        assert_eq!(said(&output(&program, &[&data("list.pem"), Path::new("0b")])), (Some(0), wanted.to_owned()));
    }
}

#[test]
fn sign_file() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let room = room();
    let at = |name: &str| room.join(name);
    run(std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=Signer", "-keyout"])
        .arg(at("signer.key"))
        .arg("-out")
        .arg(at("signer.pem")));
    std::fs::write(at("text"), "what is signed\n").unwrap();
    std::fs::write(at("other"), "what is not signed\n").unwrap();
    for program in built("sign_file") {
        let (sign, verify) = (Path::new("sign"), Path::new("verify"));
        let (key, certificate, text, signature) = (at("signer.key"), at("signer.pem"), at("text"), at("text.p7s"));
        let signed = output(&program, &[sign, &key, &certificate, &text, &signature]);
        assert_eq!(signed.status.code(), Some(0), "{}", String::from_utf8_lossy(&signed.stderr));
        assert_eq!(
            said(&output(&program, &[verify, &certificate, &text, &signature])),
            (Some(0), "valid\n".to_owned())
        );
        let (code, said) = said(&output(&program, &[verify, &certificate, &at("other"), &signature]));
        assert_eq!(code, Some(1));
        assert!(said.ends_with("\nnot valid\n"), "{said}");
        // Others read it, too.
        run(std::process::Command::new("openssl")
            .args(["cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any", "-in"])
            .arg(&signature)
            .arg("-content")
            .arg(&text)
            .arg("-CAfile")
            .arg(&certificate));
    }
}
