//! Messages of CMS as the field has them: content that is no OCTET STRING, padding, a bad certificate among good ones, attributes in the
//! wrong list.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;

use common::lab::{AT, DATA, ECDSA, Lab, Message, attribute, id, letter};
use common::{data, tagwise};
use tagwise_path_testing::{element, name, sequence};
use tagwise_pkix::oids;

/// SpcIndirectDataContent, 1.3.6.1.4.1.311.2.1.4, which Authenticode signs.
const INDIRECT_DATA: &[u8] = b"\x06\x0A\x2B\x06\x01\x04\x01\x82\x37\x02\x01\x04";

/// RFC 5652 §5.2.1, RFC 2315 §9.3: the octets of the value are digested, without identifier and length.
#[test]
fn content_of_another_type_than_octet_string() {
    let lab = Lab::new();
    let value = sequence(&[b"\x02\x01\x05", &element(0x0C, &[b"text"])]);
    let message =
        Message { kind: INDIRECT_DATA, content: element(0xA0, &[&value]), digested: &value[2..], ..letter(&lab) };
    let good = message.der(&lab);
    // The same in BER: the value is digested in DER.
    let ber = {
        let indefinite = [&[0x30, 0x80][..], &value[2..], &[0, 0]].concat();
        Message { content: element(0xA0, &[&indefinite]), digested: &value[2..], ..message }.der(&lab)
    };
    for (file, der) in [("good.p7", &good), ("ber.p7", &ber)] {
        fs::write(lab.path(file), der).unwrap();
        let run = lab.run(&format!("cms verify @{file} --trust @root.pem --at {AT} -o @content"));
        assert_eq!(run.code, Some(0), "{file}: {}{}", run.out, run.err);
        assert_eq!(fs::read(lab.path("content")).unwrap(), &value[2..]);
        let run = lab.run(&format!("show @{file} --at {AT}"));
        assert_eq!(run.code, Some(0), "{file}: {}{}", run.out, run.err);
        let words: Vec<&str> = run.out.split_whitespace().collect();
        let words = words.join(" ");
        assert!(words.contains("CN=Signer") && words.contains("not an OCTET STRING"), "{}", run.out);
    }
    // What was signed is the value alone: neither with its identifier and length, nor another value.
    let whole = Message { content: element(0xA0, &[&value]), kind: INDIRECT_DATA, digested: &value, ..letter(&lab) };
    fs::write(lab.path("whole.p7"), whole.der(&lab)).unwrap();
    let mut changed = good;
    let at = changed.windows(4).position(|octets| octets == b"text").unwrap();
    changed[at] ^= 1;
    fs::write(lab.path("changed.p7"), changed).unwrap();
    for file in ["whole.p7", "changed.p7"] {
        let run = lab.run(&format!("cms verify @{file} --at {AT}"));
        assert_eq!(run.code, Some(1), "{file}: {}{}", run.out, run.err);
        assert!(run.out.contains("NOT GOOD"), "{file}: {}", run.out);
    }
    // Data is in an OCTET STRING always.
    let data = Message { kind: DATA, content: element(0xA0, &[&value]), digested: &value[2..], ..letter(&lab) };
    fs::write(lab.path("data.p7"), data.der(&lab)).unwrap();
    assert_eq!(lab.run(&format!("cms verify @data.p7 --at {AT}")).code, Some(1));
}

/// Nothing follows a message in a file of its own. ISO 32000-2 §12.8.3.3.1: only the signature of a PDF file fills the space that was kept
/// for it with zero bytes.
#[test]
fn zero_bytes_behind_a_message() {
    let lab = Lab::new();
    let der = letter(&lab).der(&lab);
    let padded = [&der[..], &[0; 500]].concat();
    fs::write(lab.path("padded"), &padded).unwrap();
    let (name, at) = (lab.path("padded"), der.len());
    let zeros = format!(
        "tagwise: {name}: no zero bytes may follow the outermost value, at byte {at} (X.690 §8.1.1, ISO 32000-2 §12.8.3.3.1); \
         --allow trailing-zeros tolerates this\n"
    );
    let run = lab.run(&format!("cms verify @padded --at {AT}"));
    assert_eq!((run.code, run.out.as_str(), run.err), (Some(1), "", zeros));
    for rule in ["trailing-zeros", "trailing-data"] {
        let run = lab.run(&format!("cms verify @padded --at {AT} --allow {rule}"));
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    }
    let run = lab.run(&format!("show @padded --at {AT}"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("trailing-zeros"), "{}", run.out);
    let run = lab.run("convert @padded --to der -o @plain");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(fs::read(lab.path("plain")).unwrap(), der);
    // Anything else is no padding.
    let mut other = padded;
    *other.last_mut().unwrap() = 1;
    fs::write(lab.path("other"), other).unwrap();
    let data = format!(
        "tagwise: {}: no data may follow the outermost value, at byte {at} (X.690 §8.1.1); --allow trailing-data tolerates this\n",
        lab.path("other")
    );
    for option in ["", " --allow trailing-zeros"] {
        let run = lab.run(&format!("cms verify @other --at {AT}{option}"));
        assert_eq!((run.code, run.out.as_str(), &run.err), (Some(1), "", &data));
    }
    assert_eq!(lab.run(&format!("cms verify @other --at {AT} --allow trailing-data")).code, Some(0));
    assert_eq!(lab.run(&format!("show @other --at {AT}")).code, Some(1));
}

/// RFC 5652 §11, RFC 5035 §3, RFC 3161 appendix A, RFC 6211 §2.
#[test]
fn each_attribute_is_in_its_list() {
    let lab = Lab::new();
    let time = b"\x17\x0D260101000000Z";
    fs::write(lab.path("good"), letter(&lab).der(&lab)).unwrap();
    assert_eq!(lab.run(&format!("cms verify @good --at {AT}")).code, Some(0));
    for (oid, value) in [
        (id(oids::SIGNING_TIME), &time[..]),
        (id(oids::MESSAGE_DIGEST), b"\x04\x01\x00"),
        (id(oids::CONTENT_TYPE), DATA),
        (id(oids::AA_SIGNING_CERTIFICATE_V2), b"\x30\x00"),
        (id(oids::AA_CMS_ALGORITHM_PROTECTION), b"\x30\x00"),
    ] {
        let unsigned = vec![sequence(&[&oid, &element(0x31, &[value])])];
        fs::write(lab.path("message"), Message { unsigned, ..letter(&lab) }.der(&lab)).unwrap();
        let run = lab.run(&format!("cms verify @message --at {AT}"));
        assert_eq!(run.code, Some(1), "{oid:02X?}: {}{}", run.out, run.err);
        let said = format!("{}{}", run.out, run.err);
        assert!(said.contains("must be a signed attribute") || said.contains("malformed"), "{oid:02X?}: {said}");
    }
    let signed = vec![attribute(oids::SIGNING_TIME, time)];
    fs::write(lab.path("message"), Message { signed, ..letter(&lab) }.der(&lab)).unwrap();
    let run = lab.run(&format!("cms verify @message --at {AT}"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    for oid in [id(oids::COUNTERSIGNATURE), id(oids::AA_TIME_STAMP_TOKEN)] {
        let signed = vec![sequence(&[&oid, &element(0x31, &[b"\x30\x00"])])];
        fs::write(lab.path("message"), Message { signed, ..letter(&lab) }.der(&lab)).unwrap();
        assert_eq!(lab.run(&format!("cms verify @message --at {AT}")).code, Some(1));
    }
}

/// One certificate that cannot be read does not hide the others, nor keep them from being used.
#[test]
fn a_bad_certificate_among_good_ones() {
    let lab = Lab::new();
    let mut bad = lab.sound();
    bad.serial = b"\x02\x01\xF9".to_vec();
    let certificates = vec![lab.signed(&bad), lab.signed(&lab.sound())];
    fs::write(lab.path("message"), Message { certificates, ..letter(&lab) }.der(&lab)).unwrap();
    let run = lab.run(&format!("show @message --at {AT}"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("serial 7") || run.out.contains("CN=Signer"), "{}", run.out);
    assert!(run.out.contains("--allow negative-serial"), "{}", run.out);
    let run = lab.run(&format!("cms verify @message --trust @root.pem --at {AT}"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let run = lab.run(&format!("show @message --at {AT} --allow negative-serial"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

/// Countersignatures (RFC 5652 §11.4) and time stamps are listed even if they are not verified.
#[test]
fn countersignatures_are_listed() {
    let lab = Lab::new();
    let signer = |attributes: &[u8]| {
        sequence(&[
            b"\x02\x01\x01",
            &sequence(&[&name("CA"), b"\x02\x01\x09"]),
            b"\x30\x0D\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00",
            attributes,
            &sequence(&[ECDSA]),
            b"\x04\x01\x00",
        ])
    };
    let time = element(0xA0, &[&attribute(oids::SIGNING_TIME, b"\x17\x0D260101000000Z")]);
    for (value, words) in [
        (
            signer(&time),
            "has a countersignature by the certificate 09 of CN=CA, which claims the time 2026-01-01T00:00:00Z",
        ),
        (signer(b""), "has a countersignature by the certificate 09 of CN=CA, without a time"),
    ] {
        let unsigned = vec![attribute(oids::COUNTERSIGNATURE, &value)];
        fs::write(lab.path("message"), Message { unsigned, ..letter(&lab) }.der(&lab)).unwrap();
        let run = lab.run("cms verify @message --trust @root.pem");
        assert!(run.out.contains(&format!("{words}; not verified; --tsa-trust verifies it")), "{}{}", run.out, run.err);
        let run = lab.run("cms verify @message --trust @root.pem --tsa-trust @root.pem");
        assert!(
            run.out.contains("Stamped:     not trusted") && !run.out.contains("not verified"),
            "{}{}",
            run.out,
            run.err
        );
        let run = lab.run(&format!("cms verify @message --trust @root.pem --tsa-trust @root.pem --at {AT}"));
        assert!(run.out.contains("not verified, because --at sets the time"), "{}{}", run.out, run.err);
    }
}

/// RFC 5652 §5.2: a message that only carries certificates has no signer, and its content is not detached.
#[test]
fn certificates_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certs.p7");
    let path = path.to_str().unwrap();
    let made = tagwise(&["convert", "--to", "p7", &data("root.pem"), "-o", path]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let run = tagwise(&["cms", "verify", path]);
    assert_eq!((run.code, run.err.contains("no signer: the message only carries")), (Some(1), true), "{}", run.err);
    assert!(!run.err.contains("detached"), "{}", run.err);
}
