//! Fields by their customary names: `get notAfter`, `show --enddate`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{data, tagwise};

fn get(name: &str, file: &str) -> String {
    let run = tagwise(&["get", name, &data(file)]);
    assert_eq!(run.code, Some(0), "{name}: {}", run.err);
    run.out
}

#[test]
fn fields_of_a_certificate() {
    for (name, text) in [
        ("subject", "CN=www.example.com,O=Beispiel AG\\, Müller & Söhne,C=DE\n"),
        ("serial", "5ec3b7a6437fa4e05ec3b7a6437fa4e0\n"),
        ("key-size", "2048\n"),
        ("key-type", "RSA 2048\n"),
        ("keyusage", "digitalSignature\n"),
        ("eku", "serverAuth\nclientAuth\n1.3.6.1.4.1.99999.2\n"),
        ("dns", "www.example.com\n*.example.com\n"),
        ("ca", "false\n"),
        ("version", "3\n"),
        ("cn", "www.example.com\n"),
        ("email", "eva@example.com\n"),
    ] {
        assert_eq!(get(name, "leaf.pem"), text, "{name}");
    }
    assert!(
        get("san", "leaf.pem").starts_with("DNS:www.example.com\nDNS:*.example.com\nIP:192.0.2.7\nIP:2001:db8::7\n")
    );
    assert_eq!(get("pubkey", "leaf.pem").lines().next(), Some("-----BEGIN PUBLIC KEY-----"));
}

/// Names are compared without case, and each has the names of other programs.
#[test]
fn other_names() {
    let end = get("tbsCertificate.validity.notAfter", "leaf.pem");
    for name in ["notAfter", "notafter", "enddate", "not-after", "expiry"] {
        assert_eq!(get(name, "leaf.pem"), end, "{name}");
    }
    assert_eq!(get("subjectAltName", "leaf.pem"), get("san", "leaf.pem"));
}

#[test]
fn fields_of_a_crl() {
    assert_eq!(get("nextUpdate", "list.pem"), get("tbsCertList.nextUpdate", "list.pem"));
    assert_eq!(get("revoked", "list.pem").lines().next(), Some("0a"));
    let run = tagwise(&["get", "san", &data("list.pem")]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("san is absent"), "{}", run.err);
}

/// A path of ASN.1 stays what it was, and bytes are those of the component.
#[test]
fn paths_and_bytes() {
    let bytes = tagwise(&["get", "--hex", "notAfter", &data("leaf.pem")]);
    assert_eq!(bytes.out, tagwise(&["get", "--hex", "tbsCertificate.validity.notAfter", &data("leaf.pem")]).out);
    let none = tagwise(&["get", "--hex", "fingerprint", &data("leaf.pem")]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("fingerprint is not one component"), "{}", none.err);
    assert!(get("signatureAlgorithm", "leaf.pem").starts_with("algorithm: "));
    let json = tagwise(&["get", "--json", "notAfter", &data("leaf.pem")]);
    let read: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(read["values"][0]["value"], get("notAfter", "leaf.pem").trim());
}

#[test]
fn several_files() {
    let (root, leaf) = (data("root.pem"), data("leaf.pem"));
    let run = tagwise(&["get", "cn", &root, &leaf]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out, format!("{root}: {}{leaf}: {}", get("cn", "root.pem"), get("cn", "leaf.pem")));
    // One that cannot be read does not hide the others.
    let run = tagwise(&["get", "cn", "/no/such/file", &leaf]);
    assert_eq!((run.code, run.out), (Some(3), format!("{leaf}: {}", get("cn", "leaf.pem"))));
    assert_eq!(tagwise(&["get", "--json", "cn", &root, &leaf]).code, Some(2));
}

#[test]
fn an_unknown_name_lists_all() {
    let run = tagwise(&["get", "notAftr", &data("leaf.pem")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("did you mean notAfter; named fields are subject, issuer, "), "{}", run.err);
}

#[test]
fn lines_of_show() {
    let run = tagwise(&["show", "--subject", "--dates", "--serial", "--field", "key-size", &data("leaf.pem")]);
    let end = get("notAfter", "leaf.pem");
    let start = get("notBefore", "leaf.pem");
    let wanted = format!(
        "subject=CN=www.example.com,O=Beispiel AG\\, Müller & Söhne,C=DE\nserial=5ec3b7a6437fa4e05ec3b7a6437fa4e0\nnotBefore={start}notAfter={end}key-size=2048\n"
    );
    assert_eq!((run.code, run.out), (Some(0), wanted));
    // A blank line between certificates, and an empty value for an absent field.
    let run = tagwise(&["show", "--san", &data("root.pem"), &data("leaf.pem")]);
    let leaf = format!("\n\nfile={}\nsan=DNS:www.example.com, ", data("leaf.pem"));
    assert!(run.out.starts_with(&format!("file={}\nsan=", data("root.pem"))) && run.out.contains(&leaf), "{}", run.out);
    assert_eq!(tagwise(&["show", "--san", "--json", &data("leaf.pem")]).code, Some(2));
    assert_eq!(tagwise(&["show", "--field", "nothing", &data("leaf.pem")]).code, Some(2));
    // A malformed certificate has no fields.
    let run = tagwise(&["show", "--subject", &data("negative.pem")]);
    assert_eq!((run.code, &*run.out), (Some(1), ""));
}
