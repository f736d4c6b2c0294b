//! The signatures in the guide's page are those of the traits.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

/// The signatures of a trait without documentation, attributes, bodies and white space.
fn signatures(source: &str, name: &str) -> Vec<String> {
    let start = source.find(&format!("pub trait {name}")).unwrap_or_else(|| panic!("no trait {name}"));
    let text = source.get(start..).unwrap();
    let text = text.get(..text.find("\n}\n").unwrap()).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("///") && !line.starts_with("#["));
    let text: String = lines.skip(1).collect::<Vec<_>>().concat();
    let (mut depth, mut plain) = (0, String::new());
    for char in text.chars().filter(|char| !char.is_whitespace()) {
        match char {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                plain.push(';');
            }
            _ if depth == 0 => plain.push(char),
            _ => {}
        }
    }
    plain.split(';').filter(|part| part.starts_with("fn")).map(str::to_owned).collect()
}

#[test]
fn the_guide_has_every_signature() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../../../docs/src/krb5-plugins.md")).unwrap();
    let page: String = page.chars().filter(|char| !char.is_whitespace()).collect();
    for (file, name) in [
        ("pwqual", "Pwqual"),
        ("kdcpolicy", "Kdcpolicy"),
        ("audit", "Audit"),
        ("localauth", "Localauth"),
        ("hostrealm", "Hostrealm"),
        ("ccselect", "Ccselect"),
        ("certauth", "Certauth"),
        ("kadm5_hook", "Kadm5Hook"),
        ("kadm5_auth", "Kadm5Auth"),
        ("kdcpreauth", "Kdcpreauth"),
        ("clpreauth", "Clpreauth"),
    ] {
        let source = fs::read_to_string(root.join(format!("src/{file}.rs"))).unwrap();
        let found = signatures(&source, name);
        assert!(!found.is_empty(), "{file}");
        for signature in found {
            assert!(page.contains(&signature), "{file}: {signature}");
        }
    }
}

/// A plugin of a few lines compiles neither cryptography nor certificates.
#[test]
fn a_plugin_depends_on_little() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.args(["tree", "--offline", "--locked", "-p", "tagwise-krb5-plugin", "-e", "normal", "--prefix", "none"]);
    let Ok(output) = command.current_dir(env!("CARGO_MANIFEST_DIR")).output() else {
        tagwise_testing::skip("no cargo");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"tagwise-krb5"), "{text}");
    for other in ["tagwise-x509", "tagwise-pkix", "tagwise-lint", "tagwise-crypto", "tagwise-path"] {
        assert!(!names.contains(&other), "{other}: {text}");
    }
}
