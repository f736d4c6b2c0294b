//! One table of inputs, and what `show` and `scan` make of each: both read the same formats, and name the same others.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::io::Write;

use common::{data, der, tagwise, tagwise_with};
use tagwise_codec::text::{base64, hex};

/// What an input is.
enum Is {
    /// The certificate of `Example Root`, in whatever it is wrapped.
    Certificate,
    /// Neither a certificate nor a CRL, but something that `show` shows, with these words in its heading.
    Shown(&'static str),
    /// Something that neither reads: named with these words.
    Named(&'static str),
}

use Is::{Certificate, Named, Shown};

fn pem() -> String {
    fs::read_to_string(data("root.pem")).unwrap()
}

/// The block alone, without the text before it.
fn block() -> String {
    tagwise_codec::pem::encode("CERTIFICATE", &der("root.pem")).unwrap()
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zip(name: &str, octets: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(octets).unwrap();
    archive.finish().unwrap().into_inner()
}

fn utf16(text: &str, mark: bool, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mark = mark.then_some(0xFEFF);
    mark.into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
}

/// The text beside the bytes of a dump.
fn beside(line: &[u8]) -> String {
    line.iter().map(|octet| if (b' '..=b'~').contains(octet) { char::from(*octet) } else { '.' }).collect()
}

/// A dump with a line for every 16 bytes, which `line` writes from offset and bytes.
fn dump(octets: &[u8], line: impl Fn(usize, &[u8]) -> String) -> Vec<u8> {
    octets.chunks(16).enumerate().map(|(at, chunk)| line(at * 16, chunk)).collect::<String>().into_bytes()
}

fn pairs(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x} ")).collect()
}

/// Base64 as LDIF folds it: 76 characters, further lines begin with a blank.
fn folded(octets: &[u8]) -> String {
    let text = base64::encode(octets);
    text.as_bytes().chunks(75).map(|line| String::from_utf8(line.to_vec()).unwrap()).collect::<Vec<_>>().join("\n ")
}

/// A Java keystore with a trusted certificate.
fn jks(magic: u32, tag: u32, der: &[u8]) -> Vec<u8> {
    [
        &magic.to_be_bytes()[..],
        &2u32.to_be_bytes(),
        &1u32.to_be_bytes(),
        &tag.to_be_bytes(),
        b"\x00\x04root",
        &[0; 8],
        b"\x00\x05X.509",
        &(der.len() as u32).to_be_bytes(),
        der,
        &[7; 20],
    ]
    .concat()
}

/// The result of a conversion of the certificate.
fn converted(to: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = tagwise(&["convert", "--to", to, "-o", out.to_str().unwrap(), &data("root.pem")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    fs::read(out).unwrap()
}

/// The certificate in certdata.txt.
fn certdata(der: &[u8]) -> String {
    let octal: String = der.iter().map(|octet| format!("\\{octet:03o}")).collect();
    let lines: Vec<&str> = octal.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!(
        "BEGINDATA\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n{}\nEND\n",
        lines.join("\n")
    )
}

/// A signed public key and challenge: the key of the certificate, the challenge `hello`, no real signature.
fn spkac(der: &[u8]) -> Vec<u8> {
    let element = |tag: u8, content: &[u8]| {
        let len = content.len();
        let header = if len < 128 { vec![tag, len as u8] } else { vec![tag, 0x81, len as u8] };
        [header, content.to_vec()].concat()
    };
    // SubjectPublicKeyInfo of P-256: from its algorithm on.
    let algorithm = hex::decode(b"301306072a8648ce3d020106082a8648ce3d030107034200").unwrap();
    let at = der.windows(algorithm.len()).position(|window| window == algorithm).unwrap();
    let spki = element(0x30, &der[at..at + algorithm.len() + 65]);
    let signed = element(0x30, &[spki, element(0x16, b"hello")].concat());
    // ecdsa-with-SHA256, and an ECDSA-Sig-Value of two ones.
    let rest = hex::decode(b"300a06082a8648ce3d040302 0309 00 3006020101020101").unwrap();
    element(0x30, &[signed, rest].concat())
}

fn table() -> Vec<(&'static str, Vec<u8>, Is)> {
    let certificate = der("root.pem");
    let (der, text) = (&*certificate, block());
    let b64 = base64::encode(der);
    let pem64 = base64::encode(text.as_bytes());
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let words: String = der.chunks(16).enumerate().fold(String::new(), |mut all, (at, line)| {
        all.push_str(&format!("{:07x}", at * 16));
        for pair in line.chunks(2) {
            all.push_str(&format!(" {:02x}{:02x}", pair.get(1).copied().unwrap_or(0), pair[0]));
        }
        all.push('\n');
        all
    }) + &format!("{:07x}\n", der.len());
    let p12 = converted("p12");
    let mut all = vec![
        ("DER", der.to_vec(), Certificate),
        ("PEM with text before it", pem().into_bytes(), Certificate),
        ("PEM after other text on its line", format!("certificate: {text}").into_bytes(), Certificate),
        ("PEM with CRLF", text.replace('\n', "\r\n").into_bytes(), Certificate),
        ("PEM, indented in YAML", format!("config: |\n{indented}other: 1\n").into_bytes(), Certificate),
        ("hexadecimal", hex::encode(der).into_bytes(), Certificate),
        ("hexadecimal with colons", pairs(der).trim().replace(' ', ":").into_bytes(), Certificate),
        ("base64", b64.clone().into_bytes(), Certificate),
        ("UTF-16LE with a mark", utf16(&text, true, u16::to_le_bytes), Certificate),
        ("UTF-16BE with a mark", utf16(&text, true, u16::to_be_bytes), Certificate),
        ("UTF-16LE", utf16(&text, false, u16::to_le_bytes), Certificate),
        ("UTF-16BE", utf16(&text, false, u16::to_be_bytes), Certificate),
        ("UTF-16LE, base64", utf16(&b64, false, u16::to_le_bytes), Certificate),
        (
            "xxd",
            dump(der, |at, line| {
                let groups: String = line.chunks(2).map(|pair| hex::encode(pair) + " ").collect();
                format!("{at:08x}: {groups:<40} {}\n", beside(line))
            }),
            Certificate,
        ),
        (
            "hexdump -C",
            [
                dump(der, |at, line| {
                    let (one, other) = line.split_at(line.len().min(8));
                    format!("{at:08x}  {:<24} {:<24} |{}|\n", pairs(one), pairs(other), beside(line))
                }),
                format!("{:08x}\n", der.len()).into_bytes(),
            ]
            .concat(),
            Certificate,
        ),
        ("hexdump", words.into_bytes(), Certificate),
        (
            "od -t x1",
            [
                dump(der, |at, line| format!("{at:07o} {}\n", pairs(line).trim())),
                format!("{:07o}\n", der.len()).into_bytes(),
            ]
            .concat(),
            Certificate,
        ),
        (
            "OpenSSL's dump",
            dump(der, |at, line| {
                let (one, other) = line.split_at(line.len().min(8));
                let other = pairs(other);
                let dash = if other.is_empty() { " " } else { "-" };
                format!("{at:04x} - {:<23}{dash}{other:<24}  {}\n", pairs(one).trim(), beside(line))
            }),
            Certificate,
        ),
        ("gzip of DER", gzip(der), Certificate),
        ("gzip of PEM", gzip(text.as_bytes()), Certificate),
        ("gzip of gzip", gzip(&gzip(der)), Certificate),
        ("zip", zip("a.crt", der), Certificate),
        ("zip of gzip of PEM", zip("a.gz", &gzip(text.as_bytes())), Certificate),
        ("CSV", format!("name,certificate\nroot,\"{text}\"\n").into_bytes(), Certificate),
        ("certdata.txt", certdata(der).into_bytes(), Certificate),
        ("Kubernetes secret", format!("kind: Secret\ndata:\n  tls.crt: {pem64}\n  a: b\n").into_bytes(), Certificate),
        (
            "Kubernetes secret as JSON",
            format!("{{\n  \"data\": {{\n    \"tls.crt\": \"{pem64}\"\n  }}\n}}\n").into_bytes(),
            Certificate,
        ),
        (
            "Kubernetes secret as JSON in one line",
            format!("{{\"kind\":\"Secret\",\"data\":{{\"a\":\"b\",\"tls.crt\":\"{pem64}\"}}}}\n").into_bytes(),
            Certificate,
        ),
        (
            "PEM in a string of JSON",
            format!("{{\"data\":{{\"a\":\"b\",\"ca.crt\":\"{}\"}}}}\n", text.replace('\n', "\\n")).into_bytes(),
            Certificate,
        ),
        (
            "PKCS #12 in a Kubernetes secret",
            format!("data:\n  k.p12: {}\n", base64::encode(&p12)).into_bytes(),
            Certificate,
        ),
        ("LDIF", format!("dn: cn=a\nuserCertificate;binary:: {}\nuid: a\n", folded(der)).into_bytes(), Certificate),
        (
            "XML",
            format!("<a>\n<ds:X509Certificate>{}</ds:X509Certificate></a>", folded(der).replace("\n ", "\n"))
                .into_bytes(),
            Certificate,
        ),
        ("JWK", format!("{{\"kty\": \"EC\", \"x5c\": [\"{b64}\"]}}").into_bytes(), Certificate),
        ("environment", format!("# settings\nA=1\nTLS_CERT={pem64}\n").into_bytes(), Certificate),
        ("PKCS #7", converted("p7"), Shown("CMS (PKCS #7) message")),
        ("PKCS #12 without a password", p12, Certificate),
        ("Java keystore", jks(0xFEED_FEED, 2, der), Certificate),
        ("JCEKS keystore", jks(0xCECE_CECE, 2, der), Certificate),
        (
            "SPKAC",
            format!("SPKAC={}", base64::encode(&spkac(der))).into_bytes(),
            Shown("signed public key and challenge (SPKAC)"),
        ),
        ("SPKAC in DER", spkac(der), Shown("signed public key and challenge (SPKAC)")),
        // An EF.SOD of a passport: the message under [APPLICATION 23].
        (
            "EF.SOD",
            {
                let message = converted("p7");
                [&[0x77, 0x82][..], &(message.len() as u16).to_be_bytes(), &message].concat()
            },
            Shown("CMS (PKCS #7) message"),
        ),
    ];
    let named: [(&str, &[u8], &str); 25] = [
        ("JCEKS with a secret key", &jks(0xCECE_CECE, 3, der), "Java keystore"),
        ("BKS", b"\x00\x00\x00\x02\x00\x00\x00\x14rest", "Bouncy Castle keystore"),
        ("keytab", b"\x05\x02\x00\x00\x00\x55\x00\x02\x00\x0BEXAMPLE.COM", "a Kerberos keytab"),
        ("credential cache", b"\x05\x04\x00\x0C\x00\x01\x00\x08", "a Kerberos credential cache"),
        ("PVK", b"\x1E\xF1\xB5\xB0\x00\x00\x00\x00", "a Microsoft private key (PVK)"),
        ("private key blob", b"\x07\x02\x00\x00\x00\xA4\x00\x00RSA2\x00\x08\x00\x00", "PRIVATEKEYBLOB"),
        ("public key blob", b"\x06\x02\x00\x00\x00\xA4\x00\x00RSA1\x00\x08\x00\x00", "PUBLICKEYBLOB"),
        ("CNG blob", b"RSA3\x00\x08\x00\x00\x03\x00\x00\x00", "a Microsoft CNG private key blob"),
        (
            "OpenPGP",
            b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQGNBGsLQgg\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n",
            "an OpenPGP block",
        ),
        (
            "OpenSSH",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n",
            "an OpenSSH private key",
        ),
        ("SSH public key", b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI a@b\n", "an SSH public key"),
        (
            "SSH certificate",
            b"ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5 a@b\n",
            "an SSH certificate: its format",
        ),
        ("PuTTY", b"PuTTY-User-Key-File-3: ssh-ed25519\n", "a PuTTY private key"),
        ("age", b"age-encryption.org/v1\n-> X25519 a\n", "a file encrypted with age"),
        ("xz", b"\xFD7zXZ\x00\x00\x04", "a file compressed with xz"),
        ("lz4", b"\x04\x22\x4D\x18\x64\x40", "a file compressed with lz4"),
        ("bzip2", b"BZh91AY&SY\x00\x01", "a file compressed with bzip2"),
        ("7z", b"7z\xBC\xAF\x27\x1C\x00\x04", "a 7z archive"),
        ("PDF", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "a PDF document"),
        ("ELF", b"\x7FELF\x02\x01\x01\x00", "an ELF program"),
        ("SQLite", b"SQLite format 3\x00\x10\x00", "an SQLite database"),
        (
            "openssl's text",
            b"Certificate:\n    Data:\n        Version: 3 (0x2)\n",
            "openssl's text output for a certificate",
        ),
        (
            "crontab",
            b"0 2 * * * root /usr/bin/backup --all >> /var/log/backup.log\n5 4 * * * x y z\n",
            "found in this text",
        ),
        ("words", b"hello, world\nthis is text\n", "found in this text"),
        ("words in UTF-16", b"h\0e\0l\0l\0o\0,\0 \0t\0h\0i\0s\0 \0i\0s\0 \0t\0e\0x\0t\0", "found in this text"),
    ];
    all.extend(named.map(|(name, octets, words)| (name, octets.to_vec(), Named(words))));
    all
}

#[test]
fn show_and_scan_agree() {
    let table = table();
    assert!(table.len() >= 60);
    for (name, input, is) in table {
        let show = tagwise_with(&["show", "--at", "2027-01-01", "-"], &input);
        let json = tagwise_with(&["show", "--json", "--at", "2027-01-01", "-"], &input);
        let scan = tagwise_with(&["scan", "--at", "2027-01-01", "-"], &input);
        let told = format!("{name}:\n{}{}{}{}", show.out, show.err, scan.out, scan.err);
        assert_eq!(json.code, show.code, "{told}");
        match is {
            Certificate => {
                assert_eq!((show.code, scan.code), (Some(0), Some(0)), "{told}");
                assert!(show.out.contains("CN=Example Root") && scan.out.contains("Example Root"), "{told}");
                assert!(json.out.contains("\"kind\": \"certificate\""), "{told}");
                assert_eq!(scan.out.lines().count(), 2, "{told}");
            }
            Shown(words) => {
                assert_eq!(show.code, Some(0), "{told}");
                assert!(show.out.contains(words), "{told}");
            }
            Named(words) => {
                assert_eq!((show.code, scan.code), (Some(1), Some(1)), "{told}");
                assert!((show.out + &show.err).contains(words) && scan.err.contains(words), "{told}");
            }
        }
    }
}

/// Every file but those of our own making is text or some other binary: none is taken for a certificate.
#[test]
fn nothing_becomes_a_malformed_certificate() {
    for (name, input, is) in table() {
        if let Named(_) = is {
            let show = tagwise_with(&["show", "-"], &input);
            assert!(!show.out.starts_with("certificate "), "{name}: {}", show.out);
        }
    }
}

/// What decompresses without end is told, and costs no more than the limit.
#[test]
fn bombs_are_told() {
    let bomb = gzip(&vec![0; 200 << 20]);
    for args in [&["show", "-"][..], &["scan", "-"], &["check", "-"], &["convert", "--to", "certs", "-"]] {
        let run = tagwise_with(args, &bomb);
        assert_eq!(run.code, Some(1), "{args:?}");
        assert!(run.err.contains("the decompressed size exceeds"), "{args:?}: {}", run.err);
    }
}

/// A place in an archive is told by the member's name and the offset or line in it.
#[test]
fn members_are_named() {
    let run = tagwise_with(&["show", "-"], &zip("certs/root.pem", pem().as_bytes()));
    assert!(run.out.contains("standard input!certs/root.pem, line 3"), "{}", run.out);
    let run = tagwise_with(&["show", "--json", "-"], &zip("certs/root.pem", pem().as_bytes()));
    let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&read["files"][0]["form"], &read["files"][0]["items"][0]["entry"]),
        (&"zip".into(), &"certs/root.pem".into())
    );
}
