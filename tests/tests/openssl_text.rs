//! Certificates and CRLs as text, beside what the `openssl` command prints: `register/openssl-text.tsv` has every difference.
//! Where the command is absent or another than 3.0 the test says so; under `CI=true` its absence is a failure.
//!
//! `openssl x509 -text` takes a process for each certificate; `openssl storeutl -text` takes thousands, and its text differs in
//! nothing but the form of the two names, so the large set goes through that.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tagwise_codec::text::base64;
use tagwise_codec::{Decode, Options, Rule, RuleSet, UnixTime, pem};
use tagwise_pkix::name::Name;

use tagwise_pkix::{Certificate, CertificateList, profile};
use tagwise_show::render::text::Text;
use tagwise_show::{Lens, Scene};
use tagwise_tests::register;
use tagwise_tests::sets::{self, Item, What};
use tagwise_text::openssl::{self, OpensslText};

fn has_openssl() -> bool {
    if !tagwise_tests::openssl::is_there() {
        return false;
    }
    let version = Command::new("openssl").arg("version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let is = version.starts_with(&format!("OpenSSL {}.", openssl::VERSION));
    if !is {
        tagwise_testing::skip(&format!("the texts are those of OpenSSL {}, not of {version}", openssl::VERSION));
    }
    is
}

/// Everything that may be tolerated.
fn all() -> Options<'static> {
    let rules = Rule::ALL.iter().chain(profile::ALL).fold(RuleSet::NONE, |rules, rule| rules.with(rule));
    Options::der().rules(rules)
}

fn read<'a, T: Decode<'a>>(der: &'a [u8]) -> Option<T> {
    let outline = Options::der().outline::<T>(der).or_else(|_| all().outline::<T>(der));
    outline.ok().map(|read| read.value)
}

/// Our text; nothing for what we cannot read.
fn ours(item: &Item) -> Option<String> {
    match item.what {
        What::Certificate => read::<Certificate<'_>>(&item.octets).map(|value| value.openssl_text().to_string()),
        What::CertificateList => {
            read::<CertificateList<'_>>(&item.octets).map(|value| value.openssl_text().to_string())
        }
    }
}

/// A text as ours has it: carriage returns are dots, other characters that cannot be seen are escaped.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\r' => out.push('.'),
            ' '..='~' | '\n' => out.push(char),
            _ if tagwise_pkix::name::visible(&char).to_string().starts_with('\\') => {
                char.encode_utf8(&mut [0; 4]).bytes().for_each(|octet| out.push_str(&format!("\\{octet:02X}")));
            }
            _ => out.push(char),
        }
    }
    out
}

/// OpenSSL's text; nothing for what it cannot read. Octets that are no UTF-8 are replaced, and so is why a key could not be
/// loaded.
fn theirs(folder: &Path, item: &Item) -> Option<String> {
    let path = folder.join("item.der");
    fs::write(&path, &item.octets).unwrap();
    let command = match item.what {
        What::Certificate => "x509",
        What::CertificateList => "crl",
    };
    let output = Command::new("openssl")
        .args([command, "-inform", "DER", "-noout", "-text", "-in"])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success() || !text.is_empty()).then(|| safe(&without_errors(&text)))
}

/// The text without the lines of OpenSSL's error queue, which have the number of a thread in them.
fn without_errors(text: &str) -> String {
    let is_error = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let thread = parts.next().unwrap_or_default();
        thread.len() >= 8 && thread.bytes().all(|octet| octet.is_ascii_hexdigit()) && parts.next() == Some("error")
    };
    text.split_inclusive('\n').filter(|line| !is_error(line)).collect()
}

/// The first line that differs, both ways of it.
fn difference(ours: &str, theirs: &str) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let (mut one, mut other) = (ours.split('\n'), theirs.split('\n'));
    for line in 1.. {
        let pair = (one.next(), other.next());
        if pair.0 != pair.1 {
            let show = |line: Option<&str>| line.map_or("-".to_owned(), |line| line.trim().escape_debug().to_string());
            let short = |line: Option<&str>| show(line).chars().take(100).collect::<String>();
            return Some(format!("{line}\t{}\t{}", short(pair.0), short(pair.1)));
        }
        assert!(pair.0.is_some(), "texts that differ differ in a line");
    }
    None
}

const COLUMNS: &str = "item\tline\tours\topenssl\twhy";

/// Holds the differences of a set to the register; reasons are written by hand, and blessing keeps them.
fn hold(set: &str, found: &BTreeMap<String, String>) {
    let name = format!("openssl-text-{set}");
    let registered = register::rows(&name);
    let mut rows = BTreeMap::new();
    for (key, difference) in found {
        let why = registered.get(key).and_then(|row| row.split('\t').nth(4)).unwrap_or("?");
        rows.insert(key.clone(), format!("{key}\t{difference}\t{why}"));
    }
    register::compare(&name, COLUMNS, &rows);
    let unexplained: Vec<&String> = rows.values().filter(|row| row.ends_with("\t?")).collect();
    assert!(unexplained.is_empty() || register::blessing(), "differences without a reason: {unexplained:#?}");
}

/// Compares item by item; how many OpenSSL could read.
fn one_by_one(set: &str, items: &[Item]) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut found = BTreeMap::new();
    let mut read = 0;
    for item in items {
        match (ours(item), theirs(folder.path(), item)) {
            (Some(ours), Some(theirs)) => {
                read += 1;
                if let Some(difference) = difference(&ours, &theirs) {
                    found.insert(item.name.clone(), difference);
                }
            }
            // What OpenSSL refuses is no matter of text.
            (_, None) => {}
            (None, Some(_)) => {
                found.insert(item.name.clone(), "0\tnot read\tread".to_owned());
            }
        }
    }
    hold(set, &found);
    read
}

fn set(name: &str) -> Option<Vec<Item>> {
    let (_, items) = sets::all().into_iter().find(|(set, _)| *set == name)?;
    items.filter(|_| has_openssl())
}

#[test]
fn mozilla_roots() {
    let Some(items) = set("mozilla-roots") else { return };
    assert_eq!(one_by_one("mozilla-roots", &items), 180);
}

#[test]
fn pkits() {
    if let (Some(certificates), Some(lists)) = (set("pkits-certs"), set("pkits-crls")) {
        in_bulk("pkits-certs", &certificates);
        in_bulk("pkits-crls", &lists);
    }
}

/// Everything rare is in here: bad extensions, keys of all kinds, every form of distribution point.
#[test]
fn pyca() {
    let Some(items) = set("pyca-x509") else { return };
    let read = one_by_one("pyca", &items);
    assert!(read > 150, "{read}");
}

/// What no real certificate has: Common PKI's admissions, extensions of OCSP, the Strong Extranet.
#[test]
fn rare() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["rare", "stops"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/openssl/{name}.pem"));
        let text = fs::read(path).unwrap();
        let octets = pem::blocks(&text).next().unwrap().unwrap().decode().unwrap();
        let item = Item { name: name.to_owned(), what: What::Certificate, octets };
        assert_eq!(ours(&item).unwrap(), theirs(folder.path(), &item).unwrap(), "{name}");
    }
}

/// Every extension that OpenSSL's configuration can express, and one that it takes as bytes: certificate timestamps (RFC 6962 §3.3).
const EXTENSIONS: &str = "
[all]
basicConstraints = critical,CA:TRUE,pathlen:3
keyUsage = critical,digitalSignature,nonRepudiation,keyEncipherment,dataEncipherment,keyAgreement,keyCertSign,cRLSign,encipherOnly,decipherOnly
extendedKeyUsage = serverAuth,clientAuth,codeSigning,emailProtection,timeStamping,OCSPSigning,1.2.3.4
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer:always
subjectAltName = DNS:*.example.org,IP:192.0.2.1,IP:2001:db8::1,email:a@example.org,URI:https://example.org/?a=b,RID:1.2.3.4,dirName:name,otherName:1.3.6.1.4.1.311.20.2.3;UTF8:a@example.org
issuerAltName = DNS:issuer.example.org
certificatePolicies = 2.23.140.1.2.1,@policy
policyConstraints = requireExplicitPolicy:1,inhibitPolicyMapping:0
policyMappings = 1.2.3.4:1.2.3.5
inhibitAnyPolicy = 2
nameConstraints = critical,permitted;DNS:example.org,permitted;IP:192.0.2.0/255.255.255.0,excluded;email:.example.com,excluded;dirName:name
crlDistributionPoints = point,relative
freshestCRL = URI:http://example.org/delta.crl
authorityInfoAccess = OCSP;URI:http://ocsp.example.org/,caIssuers;URI:http://example.org/ca.crt
subjectInfoAccess = caRepository;URI:http://example.org/
tlsfeature = status_request,status_request_v2
noCheck = ignored
sbgp-ipAddrBlock = IPv4:192.0.2.0/24,IPv6:2001:db8::/32
sbgp-autonomousSysNum = AS:64496-64511
nsComment = a comment
nsCertType = client,server,email,objsign,sslCA
1.3.6.1.4.1.11129.2.4.2 = DER:0481800 07E
1.2.3.4.5 = ASN1:UTF8String:anything
[policy]
policyIdentifier = 1.3.6.1.4.1.99999.1
CPS.1 = https://example.org/cps
userNotice.1 = @notice
[notice]
explicitText = UTF8:Nobody warrants anything.
organization = Example
noticeNumbers = 1,2
[point]
fullname = URI:http://example.org/a.crl,URI:ldap://example.org/cn=a
CRLissuer = dirName:name
reasons = keyCompromise,CACompromise,superseded
[relative]
relativename = relative_name
[relative_name]
CN = part
[name]
C = DE
O = Example
CN = Somebody
";

/// One timestamp of version 1: log, time 0x0000_0190_0000_0000, no extensions, ECDSA with SHA-256 and eight bytes.
fn timestamps() -> String {
    let sct = format!("00{}0000019000000000000004030008{}", "AB".repeat(32), "3006020101020102");
    let length = sct.len() / 2;
    let list = format!("{:04x}{length:04x}{sct}", length + 2);
    format!("04{:02x}{list}", list.len() / 2)
}

/// Holds the tree of a certificate to the values that went into it: nothing is left as bytes, and nothing is unreadable.
fn shown(item: &Item, is_strict: bool) {
    let found = tagwise_input::find(&item.octets, RuleSet::NONE);
    let scene =
        Scene { lens: Lens::new(RuleSet::NONE), now: UnixTime(0), entries: None, depth: 0, proof: None, verify: None };
    let report = tagwise_show::report(&found.items[0], (1, 1), "made.der", RuleSet::NONE, &scene);
    let mut out = Vec::new();
    Text::new(&mut out, false, false).fields(&report.record.fields, 2).unwrap();
    let text = String::from_utf8(out).unwrap();
    for part in [
        "critical",
        "path length  3",
        "serverAuth",
        "1.2.3.4",
        "*.example.org",
        "192.0.2.1",
        "2001:db8::1",
        "a@example.org",
        "https://example.org/?a=b",
        "CN=Somebody",
        "2.23.140.1.2.1",
        "https://example.org/cps",
        "Nobody warrants anything.",
        ".example.com",
        "http://example.org/a.crl",
        "ldap://example.org/cn=a",
        "http://ocsp.example.org/",
        "http://example.org/ca.crt",
        "http://example.org/delta.crl",
        "status_request",
        "192.0.2.0/24",
        "64496",
        "a comment",
    ] {
        assert!(text.contains(part), "{}: {part} is missing in\n{text}", item.name);
    }
    assert_eq!(!text.contains("malformed") && !text.contains("not read"), is_strict, "{}:\n{text}", item.name);
}

/// Certificates of every kind of key, with every extension, from OpenSSL on the spot: they need no corpora.
#[test]
fn made_here() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let output = Command::new("openssl").args(args).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let config = EXTENSIONS.replace("0481800 07E", &timestamps());
    fs::write(path("made.cnf"), format!("[req]\ndistinguished_name=name\n{config}")).unwrap();
    let keys: [(&str, &[&str], &[&str]); 10] = [
        ("RSA", &["rsa_keygen_bits:1024"], &["-sha1"]),
        ("RSA", &["rsa_keygen_bits:2048"], &["-sha512"]),
        (
            "RSA",
            &["rsa_keygen_bits:2048"],
            &["-sha384", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:20"],
        ),
        ("RSA-PSS", &["rsa_keygen_bits:2048", "rsa_pss_keygen_md:sha256", "rsa_pss_keygen_saltlen:32"], &[]),
        ("EC", &["ec_paramgen_curve:P-256"], &[]),
        ("EC", &["ec_paramgen_curve:P-521"], &["-sha512"]),
        ("EC", &["ec_paramgen_curve:secp256k1"], &[]),
        ("EC", &["ec_paramgen_curve:P-256", "ec_param_enc:explicit"], &[]),
        ("ED25519", &[], &[]),
        ("ED448", &[], &[]),
    ];
    for (number, (algorithm, options, signing)) in keys.into_iter().enumerate() {
        let (key, out) = (path("key.pem"), path("item.der"));
        let options: Vec<&str> = options.iter().flat_map(|option| ["-pkeyopt", option]).collect();
        run(&[&["genpkey", "-algorithm", algorithm, "-out", &key][..], &options].concat());
        let subject = "/C=DE/ST=Süd/O=Example \\/ Sons/OU=A+OU=B/CN=www.example.org/emailAddress=a@example.org";
        let new = ["req", "-x509", "-new", "-utf8", "-key", &key, "-config", &path("made.cnf"), "-extensions", "all"];
        let rest = [
            "-subj",
            subject,
            "-days",
            "36500",
            "-set_serial",
            "0x00A1B2C3D4E5F60718",
            "-outform",
            "DER",
            "-out",
            &out,
        ];
        run(&[&new[..], &rest, signing].concat());
        let octets = fs::read(&out).unwrap();
        let item = Item { name: format!("{algorithm} {number}"), what: What::Certificate, octets };
        let (ours, theirs) = (ours(&item).unwrap(), theirs(folder.path(), &item).unwrap());
        assert_eq!(difference(&ours, &theirs), None, "{}:\n{ours}\n{theirs}", item.name);
        assert!(theirs.contains("Signed Certificate Timestamp:"), "{theirs}");
        // RFC 5480 §2.1.1 has no explicit curves: that key is shown as what it is, and as a fault.
        shown(&item, !options.contains(&"ec_param_enc:explicit"));
    }
}

/// Real lists, of up to 34,050 entries.
#[test]
fn lists() {
    let Some(items) = set("crl-real") else { return };
    assert_eq!(one_by_one("crl-real", &items), 7);
}

/// A name as `X509_NAME_print` has it: a new attribute begins where `/` and one or two capital letters and `=` stand.
fn compat(name: &Name<'_>) -> String {
    let text = name.openssl_compat().to_string();
    let octets = text.as_bytes();
    let mut out = String::new();
    let mut start = 1;
    let starts = |at: usize| {
        let capital = |at: usize| octets.get(at).is_some_and(u8::is_ascii_uppercase);
        let is = |at: usize| octets.get(at) == Some(&b'=');
        capital(at + 1) && (is(at + 2) || capital(at + 2) && is(at + 3))
    };
    for at in 1..=octets.len() {
        if at == octets.len() || octets[at] == b'/' && starts(at) {
            let _ = write!(out, "{}{}", if start > 1 { ", " } else { "" }, text.get(start..at).unwrap_or_default());
            start = at + 1;
        }
    }
    out
}

#[test]
fn ccadb() {
    if let Some(items) = set("ccadb") {
        in_bulk("ccadb", &items);
    }
}

/// Our text, with names in the form that `storeutl` has.
fn ours_compat(item: &Item) -> String {
    let mut text = ours(item).unwrap();
    let mut replace = |title: &str, name: &Name<'_>| {
        let line = format!("\n        {title}: {}\n", name.openssl_oneline());
        assert!(text.contains(&line), "{}", item.name);
        text = text.replacen(&line, &format!("\n        {title}: {}\n", compat(name)), 1);
    };
    match item.what {
        What::Certificate => {
            let certificate = read::<Certificate<'_>>(&item.octets).unwrap();
            replace("Issuer", &certificate.tbs_certificate.issuer);
            replace("Subject", &certificate.tbs_certificate.subject);
        }
        What::CertificateList => {
            let list = read::<CertificateList<'_>>(&item.octets).unwrap();
            replace("Issuer", &list.tbs_cert_list.issuer);
        }
    }
    text
}

/// Compares a set of certificates or of lists, all of which OpenSSL reads, in one process of its.
fn in_bulk(set: &str, items: &[Item]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pem");
    let (label, option, title, first) = match items[0].what {
        What::Certificate => ("CERTIFICATE", "-certs", "Certificate", "Certificate:"),
        What::CertificateList => ("X509 CRL", "-crls", "CRL", "Certificate Revocation List (CRL):"),
    };
    let mut pem = String::new();
    for item in items {
        let _ = writeln!(pem, "-----BEGIN {label}-----");
        for line in item.octets.chunks(48) {
            let _ = writeln!(pem, "{}", base64::encode(line));
        }
        let _ = writeln!(pem, "-----END {label}-----");
    }
    fs::write(&path, pem).unwrap();
    let output = Command::new("openssl")
        .args(["storeutl", "-noout", "-text", option])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let (text, total) = text.rsplit_once("Total found: ").unwrap();
    assert_eq!(total.trim(), items.len().to_string());
    let mut found = BTreeMap::new();
    let mut rest = text;
    for (number, item) in items.iter().enumerate() {
        rest = rest.strip_prefix(&format!("{number}: {title}\n")).unwrap();
        let next = format!("\n{}: {title}\n{first}\n", number + 1);
        let end = rest.find(&next).map_or(rest.len(), |at| at + 1);
        let (theirs, tail) = rest.split_at(end);
        rest = tail;
        if let Some(difference) = difference(&ours_compat(item), &safe(&without_errors(theirs))) {
            found.insert(item.name.clone(), difference);
        }
    }
    hold(set, &found);
}
