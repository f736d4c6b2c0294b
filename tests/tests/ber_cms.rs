//! CMS and PKCS #7 files of three sets, in BER and DER: what they convert to, and what OpenSSL makes of them.
//!
//! OpenSSL is asked where it is installed; under `CI=true` it must be.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::borrow::Cow;
use std::io::Write;
use std::process::{Command, Stdio};

use tagwise_codec::ber::Uncovered;
use tagwise_codec::{Any, Decode, FaultKind, Options, Tag, ber, cer, header_len};
use tagwise_tests::cms::{Attributes, ContentInfo, SignedData};
use tagwise_tests::corpora::set;

/// Files that are CMS, by set; in BER those that are said to be.
const FILES: [(&str, &str, bool); 20] = [
    ("pyca/pkcs7", "amazon-roots.p7b", true),
    ("asn1crypto/fixtures", "cms-compressed.der", false),
    ("asn1crypto/fixtures", "cms-digested.der", false),
    ("asn1crypto/fixtures", "cms-encrypted.der", false),
    ("asn1crypto/fixtures", "cms-enveloped.der", false),
    ("asn1crypto/fixtures", "cms-signed-digested.der", false),
    ("asn1crypto/fixtures", "cms-signed-indefinite-length.der", true),
    ("asn1crypto/fixtures", "cms-signed.der", false),
    ("asn1crypto/fixtures", "smime-signature-generated-by-thunderbird.p7s", true),
    ("rustcrypto-formats/cms/tests/examples", "apple_mdm_signature_der.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "cms_ber.bin", true),
    ("rustcrypto-formats/cms/tests/examples", "cms_der.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "compressed_data.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "digested_data.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "encrypted_data.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "enveloped_data_kari.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "enveloped_data_kekri.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "enveloped_data_ktri.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "enveloped_data_multi.bin", false),
    ("rustcrypto-formats/cms/tests/examples", "enveloped_data_pwri.bin", false),
];

fn each(mut visit: impl FnMut(&str, &[u8], bool)) {
    for (folder, name, is_ber) in FILES {
        let Some(folder) = set(folder) else { return };
        let mut file = std::fs::read(folder.join(name)).unwrap();
        if let Err(error) = ber::to_der::<ContentInfo<'_>>(&file) {
            // Octets after the value.
            assert_eq!((name, error.kind()), ("cms-signed-indefinite-length.der", FaultKind::TrailingData));
            file.truncate(error.offset());
        }
        visit(name, &file, is_ber);
    }
}

#[test]
fn every_file_converts() {
    each(|name, input, is_ber| {
        let canonical = ber::to_der::<ContentInfo<'_>>(input).unwrap();
        assert_eq!(matches!(canonical.bytes, Cow::Borrowed(_)), !is_ber, "{name}");
        // Attributes and algorithms that these tables do not know are all that is left.
        assert!(canonical.residue.iter().all(|entry| entry.why == Uncovered::Unknown), "{name}");
        assert!(canonical.deviations.is_empty(), "{name}");
        // Whatever no schema covers, every length is definite now.
        assert!(Any::from_der(&canonical.bytes).is_ok(), "{name}");
        let again = ber::to_der::<ContentInfo<'_>>(&canonical.bytes).unwrap();
        assert!(matches!(again.bytes, Cow::Borrowed(_)), "{name}");
        // CER and back.
        let cer_form = cer::from_der::<ContentInfo<'_>>(&canonical.bytes).unwrap();
        assert_eq!(*cer::to_der::<ContentInfo<'_>>(&cer_form).unwrap().bytes, *canonical.bytes, "{name}");
    });
}

#[test]
fn openssl_makes_the_same_of_them() {
    let version = Command::new("openssl").arg("version").output();
    if version.is_err() {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "OpenSSL's tool is missing");
        println!("skipped: no openssl");
        return;
    }
    let mut compared = 0;
    each(|name, input, _| {
        let canonical = ber::to_der::<ContentInfo<'_>>(input).unwrap();
        let tool = if name.ends_with("p7b") { &["pkcs7"][..] } else { &["cms", "-cmsout"] };
        let theirs = openssl(tool, input);
        // PKCS #7 of old: the content is no OCTET STRING, which CMS wants.
        assert_eq!(theirs.is_none(), name == "apple_mdm_signature_der.bin", "{name}");
        if let Some(theirs) = theirs {
            assert!(*canonical.bytes == theirs[..], "{name}");
            compared += 1;
        }
    });
    assert!(compared == 0 || compared == FILES.len() - 1, "{compared}");
}

/// RFC 5652 §5.4: what is signed is the DER of the attributes under the tag of SET OF, in whatever form they came.
#[test]
fn signed_attributes_are_had_as_they_were_signed() {
    let mut met = 0;
    each(|name, input, _| {
        let canonical = ber::to_der::<ContentInfo<'_>>(input).unwrap();
        let Ok(info) = ContentInfo::outline(&canonical.bytes) else { panic!("{name}") };
        if !matches!(info.content.key(), [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]) {
            return;
        }
        // An outline, for one signer has rsaEncryption without NULL (RFC 3370 §3.2), which a deep reading refuses.
        let signed = match SignedData::outline(info.content.as_bytes()) {
            Ok(signed) => signed,
            Err(error) => {
                // PKCS #7 of old, whose content is no OCTET STRING.
                assert_eq!((name, error.code()), ("apple_mdm_signature_der.bin", "unexpected-tag"), "{error}");
                return;
            }
        };
        let base = info.content.offset();
        for signer in signed.signer_infos.iter() {
            let Some(attributes) = signer.unwrap().signed_attrs else { continue };
            met += 1;
            let (at, content) = (base + attributes.offset(), attributes.content().unwrap());
            assert_eq!(canonical.bytes[at..at + content.len()], *content);
            // Where they stand in the file: the element starts with its header.
            let start = at - header_len(Tag::context(0), content.len());
            let (from, to) = (canonical.map.source(start), canonical.map.source(at + content.len()));
            let signed = ber::to_der_implicit::<Attributes<'_>>(Tag::context(0), &input[from..to], &Options::der());
            assert_eq!(*signed.unwrap().bytes, [&[0x31], &canonical.bytes[start + 1..at], content].concat(), "{name}");
        }
    });
    assert!(met == 0 || met == 5, "{met}");
}

fn openssl(tool: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new("openssl")
        .args(tool)
        .args(["-inform", "DER", "-outform", "DER"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output.status.success().then_some(output.stdout)
}
