//! A CA that is renewed, imported or cross-signed stays the issuer of its old certificates, also for other software.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::openssl::{has_openssl, openssl, openssl_try};
use common::tagwise;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn good(args: &[&str]) -> String {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    run.out
}

/// Runs a program in a folder; whether it succeeded, and what it printed.
fn run(folder: &Path, program: &str, args: &[&str]) -> (bool, String) {
    let output = Command::new(program).current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// A CA of OpenSSL's: its name mixes string types, and its key identifier is no digest of the key.
fn old_ca(at: &Path) {
    let config = "[req]\ndistinguished_name=name\nprompt=no\nstring_mask=default\nx509_extensions=ca\n\
                  [name]\n0.O=Old \\& Sons\n1.OU=caf\\C3\\A9\nCN=Old Root\n\
                  [ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n\
                  subjectKeyIdentifier=8F710102030405\n\
                  [leaf]\nbasicConstraints=CA:FALSE\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid:always\n\
                  subjectAltName=DNS:www.example.org\nextendedKeyUsage=serverAuth\n";
    fs::write(at.join("ca.cnf"), config).unwrap();
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    let new = ["req", "-x509", "-config", "ca.cnf", "-utf8", "-days", "100", "-keyout", "ca.key", "-out", "ca.pem"];
    openssl(at, &[&new[..], &key].concat());
    let request = ["req", "-new", "-subj", "/CN=www.example.org", "-keyout", "leaf.key", "-out", "leaf.csr"];
    openssl(at, &[&request[..], &key].concat());
    let sign =
        ["x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "50", "-out", "leaf.pem"];
    openssl(at, &[&sign[..], &["-extfile", "ca.cnf", "-extensions", "leaf", "-set_serial", "0x1234"]].concat());
}

/// The ways to keep a CA: each is an anchor, and an intermediate certificate if the anchor is another CA.
const WAYS: [(&str, Option<&str>); 4] =
    [("renewed.pem", None), ("imported.pem", None), ("again.pem", None), ("new.pem", Some("cross.pem"))];

fn prepare(at: &Path) {
    old_ca(at);
    let (key, old) = (path(at, "ca.key"), path(at, "ca.pem"));
    let out = |name: &str| path(at, name);
    // A new certificate for the same key.
    let renew = ["ca", "init", "--db", &out("renewed.db"), "--key", &key, "--renew", &old, "--no-history"];
    good(&[&renew[..], &["--no-passphrase", "-o", &out("renewed.pem")]].concat());
    // Imported, and then renewed in its database.
    let db = out("imported.db");
    let import = ["ca", "import", "--db", &db, "--key", &key, "--certificate", &old, "--certs", &out("leaf.pem")];
    good(&[&import[..], &["--no-history", "--no-passphrase"]].concat());
    good(&["ca", "export", "--db", &db, "-o", &out("imported.pem")]);
    good(&["ca", "renew", "--db", &db, "-o", &out("again.pem")]);
    // Cross-signed by another CA.
    let new = out("new.db");
    good(&["ca", "init", "--db", &new, "--subject", "CN=New Root", "--no-passphrase", "-o", &out("new.pem")]);
    good(&["ca", "issue", "--db", &new, "--public-key", &old, "--profile", "ca", "-o", &out("cross.pem")]);
    // The name and the key identifier are the same, byte for byte.
    let field = |field: &str, file: &str| good(&["get", field, &out(file), "--hex"]);
    for file in ["renewed.pem", "imported.pem", "again.pem", "cross.pem"] {
        for name in ["tbsCertificate.subject", "tbsCertificate.extensions[subjectKeyIdentifier]"] {
            assert_eq!(field(name, file), field(name, "ca.pem"), "{file}: {name}");
        }
    }
}

fn each_way(check: impl Fn(&Path, &str, Option<&str>)) {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    for (anchor, intermediate) in WAYS {
        check(folder.path(), anchor, intermediate);
    }
}

#[test]
fn for_openssl() {
    each_way(|at, anchor, intermediate| {
        let mut args = vec!["verify", "-x509_strict", "-verify_hostname", "www.example.org", "-CAfile", anchor];
        args.extend(intermediate.iter().flat_map(|file| ["-untrusted", file]));
        args.push("leaf.pem");
        let (is_good, said) = openssl_try(at, &args);
        assert!(is_good, "{anchor}: {said}");
    });
}

#[test]
fn for_gnutls() {
    if !tagwise_testing::tool("certtool", &["--version"]) {
        return;
    }
    each_way(|at, anchor, intermediate| {
        let chain: Vec<String> = ["leaf.pem"]
            .iter()
            .copied()
            .chain(intermediate)
            .map(|file| fs::read_to_string(at.join(file)).unwrap())
            .collect();
        fs::write(at.join("chain.pem"), chain.concat()).unwrap();
        let (is_good, said) =
            run(at, "certtool", &["--verify", "--infile", "chain.pem", "--load-ca-certificate", anchor]);
        assert!(is_good && said.contains("Chain verification output: Verified."), "{anchor}: {said}");
    });
}

#[test]
fn for_nss() {
    if !tagwise_testing::tool("certutil", &["-H"]) || !tagwise_testing::tool("vfychain", &[]) {
        return;
    }
    each_way(|at, anchor, intermediate| {
        let store = format!("nss-{anchor}");
        fs::create_dir(at.join(&store)).unwrap();
        let db = format!("sql:{store}");
        let (made, said) = run(at, "certutil", &["-N", "-d", &db, "--empty-password"]);
        assert!(made, "{said}");
        let add = ["-A", "-d", &db, "-n", "anchor", "-t", "C,,", "-a", "-i", anchor];
        let (added, said) = run(at, "certutil", &add);
        assert!(added, "{said}");
        let mut args = vec!["-d", db.as_str(), "-pp", "-u", "1", "-a", "leaf.pem"];
        args.extend(intermediate.iter().flat_map(|file| ["-a", file]));
        let (is_good, said) = run(at, "vfychain", &args);
        assert!(is_good && said.contains("Chain is good!"), "{anchor}: {said}");
    });
}

const GO: &str = r#"package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

func read(name string) *x509.Certificate {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	block, _ := pem.Decode(text)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		panic(err)
	}
	return certificate
}

func main() {
	options := x509.VerifyOptions{Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(), DNSName: "www.example.org"}
	options.Roots.AddCert(read(os.Args[1]))
	for _, name := range os.Args[2:] {
		options.Intermediates.AddCert(read(name))
	}
	chains, err := read("leaf.pem").Verify(options)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("chains:", len(chains))
}
"#;

#[test]
fn for_go() {
    let go = ["go", "/usr/local/go/bin/go"].into_iter().find(|go| Command::new(go).arg("version").output().is_ok());
    let Some(go) = go else {
        tagwise_testing::skip("no command `go`");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("verify");
    fs::write(folder.path().join("verify.go"), GO).unwrap();
    let build = Command::new(go)
        .current_dir(folder.path())
        .args(["build", "-o", "verify", "verify.go"])
        .env("GOFLAGS", "-mod=mod")
        .env("GO111MODULE", "off")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    each_way(|at, anchor, intermediate| {
        let args: Vec<&str> = std::iter::once(anchor).chain(intermediate).collect();
        let (is_good, said) = run(at, program.to_str().unwrap(), &args);
        assert!(is_good && said.contains("chains: 1"), "{anchor}: {said}");
    });
}

const JAVA: &str = r#"import java.io.FileInputStream;
import java.security.cert.*;
import java.util.*;

public class Verify {
    static X509Certificate read(String name) throws Exception {
        try (FileInputStream in = new FileInputStream(name)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    public static void main(String[] args) throws Exception {
        List<X509Certificate> path = new ArrayList<>();
        path.add(read("leaf.pem"));
        for (int i = 1; i < args.length; i++) path.add(read(args[i]));
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(read(args[0]), null)));
        parameters.setRevocationEnabled(false);
        CertPath chain = CertificateFactory.getInstance("X.509").generateCertPath(path);
        CertPathValidator.getInstance("PKIX").validate(chain, parameters);
        System.out.println("valid");
    }
}
"#;

#[test]
fn for_java() {
    if !tagwise_testing::tool("java", &["-version"]) {
        return;
    }
    each_way(|at, anchor, intermediate| {
        fs::write(at.join("Verify.java"), JAVA).unwrap();
        let mut args = vec!["Verify.java", anchor];
        args.extend(intermediate);
        let (is_good, said) = run(at, "java", &args);
        if said.contains("ClassNotFoundException") || said.contains("jdk.compiler") {
            tagwise_testing::skip("java without a compiler");
            return;
        }
        assert!(is_good && said.contains("valid"), "{anchor}: {said}");
    });
}
