//! `cms verify` on files with signatures inside: programs and catalogs (Authenticode), PDF documents, and a passport's EF.SOD.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::lab::{AT, ECDSA, Lab, Message, attribute, id, letter};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Digest, KeyType, Primitives, Scheme};
use tagwise_path_testing::{element, extension, name, sequence};
use tagwise_pkix::oids;

fn sha256(octets: &[u8]) -> Vec<u8> {
    AwsLc::new().digest(Digest::Sha256, octets).unwrap()
}

const SHA256: &[u8] = b"\x30\x0D\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00";

/// The value of a SpcIndirectDataContent, without its identifier and length.
fn indirect(digest: &[u8]) -> Vec<u8> {
    [sequence(&[&id(oids::SPC_PE_IMAGE_DATA)]), sequence(&[SHA256, &element(0x04, &[digest])])].concat()
}

/// A PE32+ image with headers, one section and a certificate table.
fn image(code: u8, table: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 0x400];
    file[..2].copy_from_slice(b"MZ");
    file[0x3C] = 0x80;
    file[0x80..0x84].copy_from_slice(b"PE\0\0");
    // AMD64, one section, an optional header of 240 bytes.
    file[0x84..0x88].copy_from_slice(&[0x64, 0x86, 1, 0]);
    file[0x94] = 240;
    file[0x98..0x9A].copy_from_slice(&0x20B_u16.to_le_bytes());
    // SizeOfHeaders.
    file[0x98 + 60..][..4].copy_from_slice(&0x200_u32.to_le_bytes());
    file[0x98 + 108..][..4].copy_from_slice(&16_u32.to_le_bytes());
    // The section's size and position.
    file[0x188..0x18D].copy_from_slice(b".text");
    file[0x188 + 16..][..4].copy_from_slice(&0x200_u32.to_le_bytes());
    file[0x188 + 20..][..4].copy_from_slice(&0x200_u32.to_le_bytes());
    file[0x200..].fill(code);
    if !table.is_empty() {
        let mut entry = (table.len() as u32 + 8).to_le_bytes().to_vec();
        entry.extend([0, 2, 2, 0]);
        entry.extend_from_slice(table);
        entry.resize(entry.len().next_multiple_of(8), 0);
        let directory = 0x98 + 112 + 32;
        file[directory..][..4].copy_from_slice(&0x400_u32.to_le_bytes());
        file[directory + 4..][..4].copy_from_slice(&(entry.len() as u32).to_le_bytes());
        file.extend(entry);
    }
    file
}

/// The bytes that the digest of an unsigned image covers.
fn covered(image: &[u8]) -> Vec<u8> {
    [&image[..0xD8], &image[0xDC..0x128], &image[0x130..0x400]].concat()
}

/// A message whose content is the value of a SEQUENCE.
fn message(lab: &Lab, kind: &[u8], value: &[u8], unsigned: Vec<Vec<u8>>) -> Vec<u8> {
    let content = element(0xA0, &[&sequence(&[value])]);
    Message { kind, content, digested: value, unsigned, ..letter(lab) }.der(lab)
}

#[test]
fn programs() {
    let lab = Lab::new();
    let kind = id(oids::SPC_INDIRECT_DATA_CONTEXT);
    let plain = image(0x90, &[]);
    let signature = message(&lab, &kind, &indirect(&sha256(&covered(&plain))), Vec::new());
    fs::write(lab.path("good.exe"), image(0x90, &signature)).unwrap();
    let run = lab.run(&format!("cms verify @good.exe --at {AT} --trust @root.pem"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("signature 1: signature good, signer trusted: CN=Signer"), "{}", run.out);
    // The signature is good, but of another program.
    fs::write(lab.path("other.exe"), image(0xCC, &signature)).unwrap();
    let run = lab.run(&format!("cms verify @other.exe --at {AT}"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("signature 1, the file: the digest does not match"), "{}", run.out);
    // The checksum is not signed.
    let mut file = image(0x90, &signature);
    file[0xD8] = 7;
    fs::write(lab.path("sum.exe"), file).unwrap();
    assert_eq!(lab.run(&format!("cms verify @sum.exe --at {AT}")).code, Some(0));
    fs::write(lab.path("plain.exe"), &plain).unwrap();
    let run = lab.run("cms verify @plain.exe");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("the file has no signature"), "{}", run.err);
    // A digest with SHA-1 is weak, whatever signs it.
    let sha1 = AwsLc::new().digest(Digest::Sha1, &covered(&plain)).unwrap();
    let algorithm = b"\x30\x09\x06\x05\x2B\x0E\x03\x02\x1A\x05\x00";
    let value = [sequence(&[&id(oids::SPC_PE_IMAGE_DATA)]), sequence(&[algorithm, &element(0x04, &[&sha1])])].concat();
    fs::write(lab.path("weak.exe"), image(0x90, &message(&lab, &kind, &value, Vec::new()))).unwrap();
    let run = lab.run(&format!("cms verify @weak.exe --at {AT}"));
    assert_eq!((run.code, run.out.contains("SHA-1 is weak; pass --legacy")), (Some(1), true), "{}", run.out);
    assert_eq!(lab.run(&format!("cms verify @weak.exe --at {AT} --legacy")).code, Some(0));
    // A nested signature counts like the outer one.
    for (digest, code) in [(sha256(&covered(&plain)), 0), (vec![7; 32], 1)] {
        let nested = message(&lab, &kind, &indirect(&digest), Vec::new());
        let attribute = sequence(&[&id(oids::SPC_NESTED_SIGNATURE), &element(0x31, &[&nested])]);
        let outer = message(&lab, &kind, &indirect(&sha256(&covered(&plain))), vec![attribute]);
        fs::write(lab.path("nested.exe"), image(0x90, &outer)).unwrap();
        let run = lab.run(&format!("cms verify @nested.exe --at {AT}"));
        assert_eq!(run.code, Some(code), "{}{}", run.out, run.err);
        assert!(run.out.contains("signature 1.1 (nested): signature good"), "{}", run.out);
    }
    // Certificates for mail do not sign programs.
    let run = lab.run(&format!("cms verify @good.exe --at {AT} --purpose any --json"));
    assert!(run.out.contains("\"container\": \"pe\""), "{}", run.out);
}

/// The time stamps of Authenticode before RFC 3161: countersignatures over the signature (RFC 5652 §11.4).
#[test]
fn programs_with_countersignatures() {
    let lab = Lab::new();
    let tsa = AwsLc::new().generate(KeyType::P256).unwrap();
    let usage = |purpose| extension(37, true, &sequence(&[&id(purpose)]));
    let authority = |serial: u8, purpose| {
        let mut parts = lab.parts(tsa.public_key_info());
        parts.serial = vec![2, 1, serial];
        parts.subject = name("Stamps");
        parts.extensions =
            vec![extension(15, true, b"\x03\x02\x07\x80"), usage(purpose), extension(35, false, b"\x30\x04\x80\x02CA")];
        lab.signed(&parts)
    };
    // A signer whose certificate ended in 2025, when the signature was counted.
    let mut signer = lab.sound();
    signer.validity = b"\x30\x1E\x17\x0D250101000000Z\x17\x0D250601000000Z".to_vec();
    let plain = image(0x90, &[]);
    let value = indirect(&sha256(&covered(&plain)));
    let kind = id(oids::SPC_INDIRECT_DATA_CONTEXT);
    let counter = |signed: &[u8], serial: u8, time: &[u8]| {
        let mut attributes = [
            attribute(oids::CONTENT_TYPE, &id(oids::DATA)),
            attribute(oids::SIGNING_TIME, &element(0x17, &[time])),
            attribute(oids::MESSAGE_DIGEST, &element(4, &[&sha256(signed)])),
        ];
        attributes.sort();
        let attributes = attributes.concat();
        let signature = tsa.sign(&Scheme::Ecdsa(Digest::Sha256), &element(0x31, &[&attributes])).unwrap();
        let info = sequence(&[
            b"\x02\x01\x01",
            &sequence(&[&name("CA"), &[2, 1, serial]]),
            SHA256,
            &element(0xA0, &[&attributes]),
            &sequence(&[ECDSA]),
            &element(4, &[&signature]),
        ]);
        attribute(oids::COUNTERSIGNATURE, &info)
    };
    let verify = |serial: u8, time: &[u8], other: bool, options: &str| {
        let certificates =
            vec![lab.signed(&signer), authority(8, oids::KP_TIME_STAMPING), authority(9, oids::KP_CODE_SIGNING)];
        let content = element(0xA0, &[&sequence(&[&value])]);
        let message = Message { kind: &kind, content, digested: &value, certificates, ..letter(&lab) };
        let der = message.der_with(&lab, |signature| {
            vec![counter(if other { b"another signature" } else { signature }, serial, time)]
        });
        fs::write(lab.path("stamped.exe"), image(0x90, &der)).unwrap();
        lab.run(&format!("cms verify @stamped.exe --trust @root.pem {options}"))
    };
    let tsa_trust = "--tsa-trust @root.pem";
    // Without trust in the authority, the signer's certificate has expired.
    let run = verify(8, b"250301000000Z", false, "--purpose any");
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("claims the time 2025-03-01T00:00:00Z; --tsa-trust verifies it"), "{}", run.out);
    let run = verify(8, b"250301000000Z", false, tsa_trust);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("2025-03-01T00:00:00Z") && run.out.contains("CN=Stamps"), "{}", run.out);
    for (serial, time, other, words) in [
        // After the end of the signer's certificate, of another signature, and by a certificate for another purpose.
        (8, b"250701000000Z", false, "expired"),
        (8, b"250301000000Z", true, "digest"),
        (9, b"250301000000Z", false, "purpose"),
    ] {
        let run = verify(serial, time, other, tsa_trust);
        assert_eq!(run.code, Some(1), "{words}: {}{}", run.out, run.err);
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

/// osslsigncode signs and verifies the same files.
#[test]
fn programs_of_osslsigncode() {
    if !tagwise_testing::tool("osslsigncode", &["--version"]) {
        return;
    }
    let lab = Lab::new();
    let run = |program: &str, line: &str| {
        let mut command = Command::new(program);
        let output =
            command.current_dir(lab.folder.path()).args(line.split(' ')).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {line}: {text}");
    };
    for (name, usage) in [("code", "codeSigning"), ("mail", "emailProtection")] {
        run(
            "openssl",
            &format!(
                "req -x509 -nodes -newkey rsa:2048 -subj /CN={name} -days 30 -keyout {name}.key -out {name}.pem -addext \
                 extendedKeyUsage={usage}"
            ),
        );
    }
    fs::write(lab.path("plain.exe"), image(0x90, &[])).unwrap();
    run("osslsigncode", "sign -h sha256 -certs code.pem -key code.key -in plain.exe -out one.exe");
    run("osslsigncode", "sign -h sha384 -nest -certs code.pem -key code.key -in one.exe -out two.exe");
    let one = lab.run("cms verify @one.exe --trust @code.pem");
    assert_eq!(one.code, Some(0), "{}{}", one.out, one.err);
    let two = lab.run("cms verify @two.exe --trust @code.pem");
    assert_eq!(two.code, Some(0), "{}{}", two.out, two.err);
    assert_eq!(two.out.matches("signer trusted").count(), 2, "{}", two.out);
    let mut file = fs::read(lab.path("one.exe")).unwrap();
    file[0x200] ^= 1;
    fs::write(lab.path("changed.exe"), file).unwrap();
    assert_eq!(lab.run("cms verify @changed.exe").code, Some(1));
    run("osslsigncode", "sign -h sha256 -certs mail.pem -key mail.key -in plain.exe -out mail.exe");
    let mail = lab.run("cms verify @mail.exe");
    assert_eq!(mail.code, Some(1), "{}", mail.out);
    assert!(mail.out.contains("does not include the required purpose"), "{}", mail.out);
}

#[test]
fn catalogs() {
    let lab = Lab::new();
    let (file, program) = (b"a driver's text file".to_vec(), image(0x90, &[]));
    let member = |digest: &[u8]| {
        let value = element(0x31, &[&sequence(&[&indirect(digest)])]);
        let attribute = sequence(&[&id(oids::SPC_INDIRECT_DATA_CONTEXT), &value]);
        sequence(&[&element(0x04, &[digest]), &element(0x31, &[&attribute])])
    };
    let members = sequence(&[&member(&sha256(&file)), &member(&sha256(&covered(&program)))]);
    let value = [
        sequence(&[b"\x06\x0A\x2B\x06\x01\x04\x01\x82\x37\x0C\x01\x01"]),
        element(0x04, &[&[1; 16]]),
        b"\x17\x0D260101000000Z".to_vec(),
        sequence(&[b"\x06\x0A\x2B\x06\x01\x04\x01\x82\x37\x0C\x01\x02\x05\x00"]),
        members,
    ]
    .concat();
    fs::write(lab.path("drivers.cat"), message(&lab, &id(oids::MS_CTL), &value, Vec::new())).unwrap();
    fs::write(lab.path("driver.inf"), &file).unwrap();
    fs::write(lab.path("driver.sys"), &program).unwrap();
    fs::write(lab.path("other.inf"), b"another file").unwrap();
    let run = lab.run(&format!("cms verify @drivers.cat --at {AT} --member @driver.inf --member @driver.sys"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("a catalog with 2 digests"), "{}", run.out);
    let run = lab.run(&format!("cms verify @drivers.cat --at {AT} --member @other.inf"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("its digest is not in the catalog"), "{}", run.out);
    fs::write(lab.path("letter.p7"), letter(&lab).der(&lab)).unwrap();
    assert_eq!(lab.run(&format!("cms verify @letter.p7 --at {AT} --member @driver.inf")).code, Some(2));
}

/// A document up to its signature, and after it.
fn document(lab: &Lab, before: &str, tail: &str) -> Vec<u8> {
    const SPACE: usize = 4000;
    let field = "8 0 obj\n<< /FT /Sig /T (a) /V 9 0 R >>\nendobj\n";
    let start = format!("{before}{field}9 0 obj\n<< /Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [");
    let middle = "] /Contents ";
    let gap = start.len() + 40 + middle.len();
    let range = format!("0 {gap} {} {}", gap + SPACE + 2, tail.len());
    let front = format!("{start}{range:<40}{middle}");
    let covered = format!("{front}{tail}");
    let content = Vec::new();
    let detached = Message { content, digested: covered.as_bytes(), ..letter(lab) }.der(lab);
    let digits: String = detached.iter().map(|octet| format!("{octet:02X}")).collect();
    format!("{front}<{digits:0<SPACE$}>{tail}").into_bytes()
}

#[test]
fn documents() {
    let lab = Lab::new();
    let file = document(&lab, "%PDF-1.7\n", " >>\nendobj\n%%EOF\n");
    fs::write(lab.path("good.pdf"), &file).unwrap();
    let run = lab.run(&format!("cms verify @good.pdf --at {AT} --trust @root.pem"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("signature 1: signature good, signer trusted"), "{}", run.out);
    let text = String::from_utf8(file.clone()).unwrap();
    fs::write(lab.path("changed.pdf"), text.replacen("%PDF-1.7", "%PDF-1.6", 1)).unwrap();
    assert_eq!(lab.run(&format!("cms verify @changed.pdf --at {AT}")).code, Some(1));
    // Neither an unknown format nor a dictionary without a field is a signature of the document.
    for (old, new, says) in [
        ("/adbe.pkcs7.detached", "/adbe.pkcs7.detachex", "unknown signature format /adbe.pkcs7.detachex"),
        ("/V 9 0 R", "/V 7 0 R", "no readable signature field refers to it"),
    ] {
        fs::write(lab.path("other.pdf"), text.replacen(old, new, 1)).unwrap();
        let run = lab.run(&format!("cms verify @other.pdf --at {AT} --trust @root.pem"));
        assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
        assert!(run.out.contains(says) && !run.out.contains("signature good"), "{}", run.out);
    }
    // What is added later is named, and leaves the answer open.
    fs::write(lab.path("updated.pdf"), format!("{text}10 0 obj\nendobj\n%%EOF\n")).unwrap();
    let run = lab.run(&format!("cms verify @updated.pdf --at {AT}"));
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("bytes were added after the last signature"), "{}", run.out);
    assert_eq!(lab.run(&format!("cms verify @updated.pdf --at {AT} --allow-updates")).code, Some(0));
    // Two signers, one after the other.
    fs::write(lab.path("two.pdf"), document(&lab, &text, " >>\nendobj\n%%EOF\n")).unwrap();
    let run = lab.run(&format!("cms verify @two.pdf --at {AT}"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("signature 1: covers an earlier revision"), "{}", run.out);
    assert!(run.out.contains("signature 2: signature good"), "{}", run.out);
    // Bytes in the gap that are not the signature.
    let gap = text.find("/Contents <").unwrap() + 10;
    let mut shifted = text.clone();
    shifted.insert(gap, ' ');
    fs::write(lab.path("shifted.pdf"), shifted).unwrap();
    assert_ne!(lab.run(&format!("cms verify @shifted.pdf --at {AT}")).code, Some(0));
    fs::write(lab.path("unsigned.pdf"), "%PDF-1.7\n%%EOF\n").unwrap();
    assert_eq!(lab.run("cms verify @unsigned.pdf").code, Some(1));
}

#[test]
fn passports() {
    let lab = Lab::new();
    let groups = [b"the machine readable zone".to_vec(), b"the portrait".to_vec()];
    let hash = |number: u8, octets: &[u8]| sequence(&[&[2, 1, number], &element(0x04, &[&sha256(octets)])]);
    let list = sequence(&[&hash(1, &groups[0]), &hash(2, &groups[1])]);
    let object = sequence(&[b"\x02\x01\x00", SHA256, &list]);
    let kind = id(oids::ICAO_MRTD_SECURITY_LDS_SECURITY_OBJECT);
    let content = element(0xA0, &[&element(0x04, &[&object])]);
    let der = Message { kind: &kind, content, digested: &object, ..letter(&lab) }.der(&lab);
    fs::write(lab.path("EF.SOD"), element(0x77, &[&der])).unwrap();
    fs::write(lab.path("DG1"), &groups[0]).unwrap();
    fs::write(lab.path("DG2"), &groups[1]).unwrap();
    let verify = |more: &str| lab.run(&format!("cms verify @EF.SOD --at {AT} --trust @root.pem{more}"));
    let run = verify("");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("digests of the data groups 1, 2"), "{}", run.out);
    let group = |number: u8, name: &str| format!(" --data-group {number}={}", lab.path(name));
    let run = verify(&(group(1, "DG1") + &group(2, "DG2")));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("data group 2: matches"), "{}", run.out);
    let run = verify(&group(1, "DG2"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("the digest does not match"), "{}", run.out);
    assert_eq!(verify(&group(3, "DG1")).code, Some(1));
    assert_eq!(verify(" --data-group 17=x").code, Some(2));
    let run = lab.run(&format!("show @EF.SOD --at {AT}"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}
