//! One table of inputs and what each of them is, which the tests of all doors read: `tests/register/inputs.tsv`.
//!
//! Each row has a name, the expected answer, and the input in base64. An answer is the form and its items: the kind, the line,
//! and the size in bytes; for what cannot be read, the code of its error.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tagwise_codec::ber::Element;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{RuleSet, pem};
use tagwise_input::contents::{Contents, ContentsKind as Delimited};
use tagwise_input::{Content, Found, Limits, ValueKind, Wrapped, find};
use tagwise_testing::archives::{log_entry, mtc_entries, mtc_entry, pax, tar, tar_member, tile_leaf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn data(name: &str) -> Vec<u8> {
    std::fs::read(root().join("doors/cli/tests/data").join(name)).unwrap()
}

/// The content of the first block of a file.
fn der(name: &str) -> Vec<u8> {
    pem::blocks(&data(name)).next().unwrap().unwrap().decode().unwrap()
}

fn block(label: &str, der: &[u8]) -> String {
    pem::encode(label, der).unwrap()
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, octets) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(octets).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn zstd(octets: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(octets, ruzstd::encoding::CompressionLevel::Fastest)
}

/// An entry of a CT log in JSON.
fn json_entry(der: &[u8], is_precertificate: bool) -> String {
    let (leaf, extra) = log_entry(der, is_precertificate);
    format!("{{\"leaf_input\": \"{}\", \"extra_data\": \"{}\"}}", base64::encode(&leaf), base64::encode(&extra))
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(unit).collect()
}

/// A constructed element with an indefinite length.
fn indefinite(der: &[u8]) -> Vec<u8> {
    let content = Element::read(der, 0, der.len()).unwrap().content;
    [&[der[0], 0x80], &der[content], &[0, 0]].concat()
}

fn folded(octets: &[u8], between: &str) -> String {
    let text = base64::encode(octets);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    lines.join(between)
}

/// A SEQUENCE with this content.
fn to_der(content: &[u8]) -> Vec<u8> {
    [&[0x30, 0x81, content.len() as u8], content].concat()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn certdata(der: &[u8]) -> String {
    let octal: String = der.iter().map(|octet| format!("\\{octet:03o}")).collect();
    let lines: Vec<&str> = octal.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let lines = lines.join("\n");
    format!("BEGINDATA\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n{lines}\nEND\n")
}

fn keystore(der: &[u8]) -> Vec<u8> {
    let front = b"\xFE\xED\xFE\xED\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\x01a\0\0\0\0\0\0\0\0\0\x05X.509";
    [&front[..], &(der.len() as u32).to_be_bytes(), der, &[7; 20]].concat()
}

/// SignedPublicKeyAndChallenge: the key, the challenge `hello`, and a signature that is none.
fn spkac(key: &[u8]) -> Vec<u8> {
    let element = |tag: u8, parts: &[&[u8]]| {
        let content = parts.concat();
        [&[tag, 0x81, content.len() as u8][..], &content].concat()
    };
    let challenge = [0x16, 5, b'h', b'e', b'l', b'l', b'o'];
    // ecdsa-with-SHA256, and an ECDSA-Sig-Value of two ones.
    let rest = hex::decode(b"300a06082a8648ce3d040302 0309 00 3006020101020101").unwrap();
    element(0x30, &[&element(0x30, &[key, &challenge]), &rest])
}

/// X509_CERT_AUX with one trusted purpose, server authentication.
const TRUST: &[u8] = &[0x30, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 3, 1];

/// The inputs of the table.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let (certificate, crl, request) = (der("root.pem"), der("list.pem"), der("messages/request.pem"));
    let (key, ec, public) = (der("messages/key.pem"), der("messages/ec.pem"), der("messages/pub.pem"));
    let (encrypted, signed, p12) = (der("messages/enc.pem"), der("messages/signed.pem"), data("messages/plain.p12"));
    let text = block("CERTIFICATE", &certificate);
    let sod = [&[0x77, 0x82][..], &(signed.len() as u16).to_be_bytes(), &signed].concat();
    let pairs: Vec<String> = certificate.iter().map(|octet| format!("{octet:02x}")).collect();
    let dump: String = certificate
        .chunks(16)
        .enumerate()
        .map(|(at, line)| {
            let groups: String = line.chunks(2).map(|pair| hex::encode(pair) + " ").collect();
            format!("{:08x}: {groups:<40} ................\n", at * 16)
        })
        .collect();
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n";
    let locked = block("RSA PRIVATE KEY", &[7; 48]).replacen("KEY-----\n", &format!("KEY-----\n{headers}"), 1);
    let session = format!(
        "CONNECTED(00000003)\n---\nCertificate chain\n 0 s:CN = a\n   i:CN = b\n{text} 1 s:CN = b\n   i:CN = b\n{text}---\n\
         Server certificate\nsubject=CN = a\n---\nVerify return code: 0 (ok)\n"
    );
    let pem64 = base64::encode(text.as_bytes());
    let several = [text.clone(), block("X509 CRL", &crl), block("PRIVATE KEY", &key)].concat();
    let bytes = |text: String| text.into_bytes();
    vec![
        ("PEM CERTIFICATE", bytes(text.clone())),
        ("PEM X509 CERTIFICATE", bytes(block("X509 CERTIFICATE", &certificate))),
        ("PEM TRUSTED CERTIFICATE", bytes(block("TRUSTED CERTIFICATE", &[&*certificate, TRUST].concat()))),
        ("PEM TRUSTED CERTIFICATE without settings", bytes(block("TRUSTED CERTIFICATE", &certificate))),
        ("PEM X509 CRL", bytes(block("X509 CRL", &crl))),
        ("PEM CRL", bytes(block("CRL", &crl))),
        ("PEM CERTIFICATE REQUEST", bytes(block("CERTIFICATE REQUEST", &request))),
        ("PEM NEW CERTIFICATE REQUEST", bytes(block("NEW CERTIFICATE REQUEST", &request))),
        ("PEM PKCS7", bytes(block("PKCS7", &signed))),
        ("PEM CMS", bytes(block("CMS", &signed))),
        ("PEM PKCS #7 SIGNED DATA", bytes(block("PKCS #7 SIGNED DATA", &signed))),
        ("PEM PRIVATE KEY", bytes(block("PRIVATE KEY", &key))),
        (
            "PEM EC PARAMETERS and EC PRIVATE KEY",
            [data("messages/ec.pem"), bytes(block("EC PRIVATE KEY", &ec))].concat(),
        ),
        ("PEM ENCRYPTED PRIVATE KEY", bytes(block("ENCRYPTED PRIVATE KEY", &encrypted))),
        ("PEM PUBLIC KEY", bytes(block("PUBLIC KEY", &public))),
        ("PEM PKCS12", bytes(block("PKCS12", &p12))),
        ("PEM with an unknown label", bytes(block("DH PARAMETERS", &[0x30, 0x06, 2, 1, 23, 2, 1, 5]))),
        ("PEM key encrypted by headers", bytes(locked)),
        ("PEM OPENSSH PRIVATE KEY", bytes(block("OPENSSH PRIVATE KEY", b"openssh-key-v1\0"))),
        (
            "PEM PGP block",
            b"-----BEGIN PGP SIGNATURE-----\n\nmQGNBGsLQgg\n=abcd\n-----END PGP SIGNATURE-----\n".to_vec(),
        ),
        ("PEM with a CRL labeled CERTIFICATE", bytes(block("CERTIFICATE", &crl))),
        ("PEM with text before it", bytes(format!("subject=CN = Example Root\n\n{text}"))),
        ("PEM with CRLF", bytes(text.replace('\n', "\r\n"))),
        ("PEM with CR", bytes(text.replace('\n', "\r"))),
        ("PEM with a UTF-8 mark", bytes(format!("\u{FEFF}{text}"))),
        ("PEM in UTF-16LE", utf16(&text, u16::to_le_bytes)),
        ("PEM in UTF-16BE", utf16(&text, u16::to_be_bytes)),
        ("PEM of several blocks", bytes(several.clone())),
        ("PEM truncated", text.as_bytes()[..200].to_vec()),
        ("PEM truncated after a block", bytes(format!("{text}{}", &block("X509 CRL", &crl)[..100]))),
        ("PEM without padding", bytes(block("PUBLIC KEY", &public).replace('=', ""))),
        ("PEM with another END label", bytes(text.replace("END CERTIFICATE", "END X509 CRL"))),
        ("PEM without content", b"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".to_vec()),
        ("DER certificate", certificate.clone()),
        ("DER CRL", crl.clone()),
        ("DER request", request.clone()),
        ("DER private key", key.clone()),
        ("DER EC private key", ec.clone()),
        ("DER encrypted private key", encrypted),
        ("DER public key", public.clone()),
        ("DER CMS", signed.clone()),
        ("DER CMS of a passport", sod),
        ("DER OCSP request", data("messages/request.ocsp")),
        ("DER OCSP response", data("messages/response.ocsp")),
        ("DER time-stamp request", data("messages/stamp.tsq")),
        ("DER time-stamp response", data("messages/stamp.tsr")),
        ("DER CMP", data("messages/request.cmp")),
        ("DER PKCS12", p12.clone()),
        ("DER INTEGER", vec![0x02, 0x01, 0x05]),
        ("DER of several values", [&*certificate, &crl, &public].concat()),
        ("DER with zeros behind it", [&*certificate, &[0; 8]].concat()),
        ("DER with other bytes behind it", [&*certificate, b"\x05\x00rest"].concat()),
        ("DER truncated", certificate[..certificate.len() - 7].to_vec()),
        ("BER CMS of indefinite length", indefinite(&signed)),
        ("BER PKCS12 of indefinite length", indefinite(&p12)),
        ("BER certificate of indefinite length", indefinite(&certificate)),
        ("BER CRL of indefinite length", indefinite(&crl)),
        ("hexadecimal", bytes(hex::encode(&certificate))),
        ("hexadecimal with colons", bytes(pairs.join(":"))),
        ("xxd", bytes(dump)),
        ("base64", bytes(base64::encode(&certificate))),
        ("base64 in lines", bytes(folded(&crl, "\n"))),
        ("gzip of PEM", gzip(several.as_bytes())),
        ("gzip of DER", gzip(&crl)),
        ("gzip truncated", {
            let packed = gzip(&certificate);
            packed[..packed.len() / 2].to_vec()
        }),
        (
            "zip",
            zip(&[("a/root.crt", &certificate), ("list.pem", block("CRL", &crl).as_bytes()), ("README", b"words\n")]),
        ),
        (
            "tar",
            tar(&[("a/root.crt", &certificate), ("list.pem", block("CRL", &crl).as_bytes()), ("README", b"words\n")]),
        ),
        ("gzip of tar", gzip(&tar(&[("key.pem", block("PRIVATE KEY", &key).as_bytes())]))),
        (
            "tar with a folder, a link and a pax header",
            [
                tar_member("a/", b'5', b""),
                tar_member("a/link", b'2', b""),
                tar_member("pax", b'x', pax("path", &"long/".repeat(60)[..299]).as_bytes()),
                tar(&[("short", &certificate)]),
            ]
            .concat(),
        ),
        ("tar truncated", {
            let archive = tar(&[("a", &certificate), ("b", &crl)]);
            archive[..archive.len() - 1300].to_vec()
        }),
        ("zstd of PEM", zstd(several.as_bytes())),
        (
            "zstd of two frames",
            [zstd(&certificate[..300]), b"\x50\x2A\x4D\x18\x01\0\0\0x".to_vec(), zstd(&certificate[300..])].concat(),
        ),
        ("zstd of tar", zstd(&tar(&[("a", &certificate)]))),
        ("zstd truncated", {
            let packed = zstd(&certificate);
            packed[..packed.len() / 2].to_vec()
        }),
        (
            "CT get-entries",
            bytes(format!(
                "{{\"entries\": [\n  {},\n  {}\n]}}\n",
                json_entry(&certificate, false),
                json_entry(&certificate, true).replace('/', "\\/")
            )),
        ),
        (
            "CT entries in lines",
            bytes(format!("{}\n{}\n", json_entry(&certificate, true), json_entry(&certificate, false))),
        ),
        ("CT tile", [tile_leaf(&certificate, false), tile_leaf(&certificate, true)].concat()),
        ("gzip of CT tile", gzip(&tile_leaf(&certificate, true))),
        ("MTC entries", mtc_entries(&[None, Some(&mtc_entry()), None, Some(&mtc_entry())])),
        ("gzip of MTC entries", gzip(&mtc_entries(&[Some(&mtc_entry())]))),
        ("MTC entries truncated", {
            let bundle = mtc_entries(&[Some(&mtc_entry()), Some(&mtc_entry())]);
            bundle[..bundle.len() - 1].to_vec()
        }),
        ("MTC entries, all null", mtc_entries(&[None; 3])),
        ("MTC entries, of an unknown type", {
            let unknown = [&[0, 5, 0, 0, 0, 2, 9][..], &mtc_entries(&[Some(&mtc_entry())])].concat();
            [mtc_entries(&[Some(&mtc_entry())]), unknown].concat()
        }),
        ("MTC hash tile", vec![0xFF; 64]),
        ("DER log entry", to_der(&mtc_entry())),
        ("gzip of zip", gzip(&zip(&[("key.pem", block("PRIVATE KEY", &key).as_bytes())]))),
        ("CSV", bytes(format!("name,certificate\nroot,\"{text}\"\nagain,\"{text}\"\n"))),
        ("certdata.txt", bytes(certdata(&certificate))),
        ("YAML with PEM", bytes(format!("config: |\n{}other: 1\n", indented(&text)))),
        ("YAML with PEM in base64", bytes(format!("kind: Secret\ndata:\n  tls.crt: {pem64}\n  a: b\n"))),
        ("YAML with DER in base64", bytes(format!("data:\n  ca.der: {}\n", base64::encode(&certificate)))),
        ("JSON with PEM", bytes(format!("{{\"a\":\"b\",\"crt\":\"{}\"}}\n", text.replace('\n', "\\n")))),
        ("LDIF", bytes(format!("dn: cn=a\nuserCertificate;binary:: {}\nuid: a\n", folded(&certificate, "\n ")))),
        ("XML", bytes(format!("<a><X509Certificate>{}</X509Certificate></a>", folded(&certificate, "\n")))),
        ("openssl s_client", bytes(session)),
        ("SPKAC", bytes(format!("SPKAC={}\n", base64::encode(&spkac(&public))))),
        ("Java keystore", keystore(&certificate)),
        ("Kerberos keytab", b"\x05\x02\x00\x00\x00\x55\x00\x02\x00\x0BEXAMPLE.COM".to_vec()),
        ("words", b"hello, world\nthis is text\n".to_vec()),
        ("binary", vec![0xFF; 40]),
        ("empty", Vec::new()),
    ]
}

/// The answer for an input, as in the table.
fn answer(found: &Found<'_>) -> String {
    let mut all = Vec::new();
    for item in &found.items {
        let mut one = item.content.name().to_owned();
        if let Some(line) = item.line {
            write!(one, "@{line}").unwrap();
        }
        write!(one, "/{}", item.der.len()).unwrap();
        if let Some(problem) = &item.problem {
            write!(one, "!{}", problem.code).unwrap();
        }
        all.push(one);
    }
    format!("{}: {}", found.form.name(), all.join(", ")).trim_end().to_owned()
}

struct Row {
    name: String,
    answer: String,
    input: Vec<u8>,
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(root().join("tests/register/inputs.tsv")).unwrap();
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        let mut next = || columns.next().unwrap();
        Row { name: next(), answer: next(), input: base64::decode(next().as_bytes()).unwrap() }
    };
    table.lines().skip(1).map(row).collect()
}

/// With `TAGWISE_BLESS=1`, writes the table anew.
#[test]
fn the_table_holds_these_inputs() {
    let inputs = inputs();
    if std::env::var_os("TAGWISE_BLESS").is_some() {
        let mut table = "input\tanswer\tbase64\n".to_owned();
        for (name, input) in &inputs {
            let answer = answer(&find(input, RuleSet::NONE));
            writeln!(table, "{name}\t{answer}\t{}", base64::encode(input)).unwrap();
        }
        std::fs::write(root().join("tests/register/inputs.tsv"), table).unwrap();
    }
    let names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names, inputs.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
}

#[test]
fn each_input_has_its_answer() {
    for Row { name, answer: expected, input } in rows() {
        assert_eq!(answer(&find(&input, RuleSet::NONE)), expected, "{name}");
    }
}

/// What is opened to be modified has the same values, up to what only a reader adds.
#[test]
fn opened_inputs_have_the_same_values() {
    for Row { name, input, .. } in rows() {
        let found = find(&input, RuleSet::PEM_LAX);
        let is_value = |content: &Content| matches!(content, Content::Kind(_));
        let der: Vec<&[u8]> = found
            .items
            .iter()
            .filter(|item| is_value(&item.content) && !item.ber && !item.der.is_empty())
            .map(|item| &*item.der)
            .collect();
        let opened = Wrapped::open(input.clone(), None).map(|opened| opened.octets()).unwrap_or_default();
        for der in der.into_iter().filter(|_| !name.contains("PKCS12")) {
            assert!(opened.windows(der.len()).any(|window| window == der), "{name}");
        }
    }
}

/// A store takes the certificates and CRLs that a reader finds, and no others.
#[test]
fn stores_take_the_same_certificates() {
    for Row { name, input, .. } in rows() {
        // Stores open messages, and take no truncated values.
        if ["CMS", "PKCS", "DER truncated", "PEM truncated"].iter().any(|part| name.contains(part)) {
            continue;
        }
        let found = find(&input, RuleSet::PEM_LAX);
        let count = |kind: ValueKind| {
            found.items.iter().filter(|item| item.content == Content::Kind(kind) && !item.der.is_empty()).count()
        };
        let contents = Contents::read(&input, &Limits::DEFAULT);
        let held = |kind: Delimited| contents.items().filter(|item| item.kind == kind).count();
        let expected = (count(ValueKind::Certificate), count(ValueKind::CertificateList));
        assert_eq!((held(Delimited::Certificate), held(Delimited::Crl)), expected, "{name}");
    }
}
