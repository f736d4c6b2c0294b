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

/// An example that includes what is generated of a module, as one file with that.
fn built_with(name: &str, unit: &str, module: &Path) -> Vec<PathBuf> {
    let folder = super::generated::generate(&format!("example-{unit}"), unit, &[module.to_owned()]).unwrap();
    let source = folder.join(format!("{name}.c"));
    let example = std::fs::read_to_string(home().join("examples").join(format!("{name}.c"))).unwrap();
    let example =
        example.replace("#include \"common.h\"", &format!("#include \"{}/examples/common.h\"", home().display()));
    std::fs::write(&source, example.replace(&format!("#include \"{unit}.h\""), &format!("#include \"{unit}.c\"")))
        .unwrap();
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
    home().join("../cli/tests/data").join(name)
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

/// A directory on loopback, which ends with the test.
struct Directory {
    server: std::process::Child,
    port: String,
    _folder: tempfile::TempDir,
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn directory() -> Directory {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("data")).unwrap();
    let conf = format!(
        "include /etc/ldap/schema/core.schema\ninclude /etc/ldap/schema/cosine.schema\ninclude /etc/ldap/schema/inetorgperson.schema\n\
         modulepath /usr/lib/ldap\nmoduleload back_mdb\ndatabase mdb\nsuffix dc=example,dc=org\nrootdn cn=admin,dc=example,dc=org\n\
         rootpw secret\ndirectory {}\n",
        at("data").display()
    );
    std::fs::write(at("slapd.conf"), conf).unwrap();
    let mut ldif = String::from(
        "dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n\n",
    );
    for number in 0..40 {
        let long = "x".repeat(200);
        ldif += &format!(
            "dn: cn=Person {number},dc=example,dc=org\nobjectClass: inetOrgPerson\ncn: Person {number}\nsn: {number}\ndescription: {long}\n\n"
        );
    }
    std::fs::write(at("all.ldif"), ldif).unwrap();
    let slapd = || std::process::Command::new("/usr/sbin/slapd");
    run(slapd().args(["-T", "add", "-f"]).arg(at("slapd.conf")).arg("-l").arg(at("all.ldif")));
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let quiet = std::process::Stdio::null;
    // With a level of debugging it stays in the foreground.
    let mut server = slapd();
    server.arg("-f").arg(at("slapd.conf")).args(["-d", "0", "-h"]).arg(format!("ldap://127.0.0.1:{port}/"));
    let server = server.stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let directory = Directory { server, port, _folder: folder };
    for _ in 0..100 {
        if std::net::TcpStream::connect(format!("127.0.0.1:{}", directory.port)).is_ok() {
            return directory;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("slapd does not listen");
}

/// The client with generated messages binds to OpenLDAP's server and searches it.
#[test]
fn ldap_search() {
    if !Path::new("/usr/sbin/slapd").exists() {
        tagwise_testing::skip("slapd is missing");
        return;
    }
    let directory = directory();
    for program in built_with("ldap_search", "ldap", &home().join("examples/ldap.asn1")) {
        let search = |dn: &str, password: &str, attribute: &str, value: &str| {
            let words = ["127.0.0.1", &directory.port, dn, password, "dc=example,dc=org", attribute, value];
            said(&output(&program, &words.map(Path::new)))
        };
        let (code, text) = search("cn=admin,dc=example,dc=org", "secret", "cn", "Person 7");
        assert_eq!(code, Some(0));
        assert!(text.starts_with("dn: cn=Person 7,dc=example,dc=org\n") && text.contains("\nsn: 7\n"), "{text}");
        let (code, text) = search("", "", "sn", "");
        assert_eq!((code, text.matches("dn: ").count()), (Some(0), 40));
        assert_eq!(search("", "", "cn", "Nobody").0, Some(1));
        assert_eq!(search("cn=admin,dc=example,dc=org", "wrong", "cn", "").0, Some(3));
    }
}

/// Messages of Kerberos from captures, by their generated types.
#[test]
fn kerberos_messages() {
    let Some(captures) = tagwise_testing::corpus("kerberos/captures") else { return };
    let raw = |name: &str| captures.join("raw").join(name);
    let module = home().join("../../schemas/krb5/KerberosV5Spec2.asn1");
    for program in built_with("kerberos_messages", "krb5", &module) {
        let (code, text) =
            said(&output(&program, &[&raw("001-as-spake-c2s-AS-REQ.bin"), &raw("002-as-spake-s2c-KRB-ERROR.bin")]));
        assert_eq!(code, Some(0), "{text}");
        assert!(text.starts_with("AS-REQ: of ") && text.contains("\nKRB-ERROR: 25 for krbtgt/"), "{text}");
        assert_eq!(output(&program, &[&data("leaf.pem")]).status.code(), Some(3));
    }
}
