//! `--allow`: each decoding rule by name, at the doors where certificates are read. For every rule there is a certificate with one fault,
//! which is refused by default, and accepted under the rule's name: by `show`, `verify`, `cms verify --trust` and the library.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;

use common::lab::{AT, ECDSA, Lab, Message, Parts, letter};
use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Digest, Scheme};
use tagwise_path::{Anchors, CryptoVerifier, Policy, Pool, Profile, verify};
use tagwise_path_testing::{element, extension, name, sequence};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{Certificate, UnixTime, profile};

/// A certificate with one fault for each rule.
fn faults(lab: &Lab) -> Vec<(&'static str, Parts)> {
    let sound = || lab.sound();
    let with = |more: Vec<u8>| {
        let mut parts = sound();
        parts.extensions.push(more);
        parts
    };
    let usage = |value: &[u8]| {
        let mut parts = sound();
        parts.extensions[0] = extension(15, true, value);
        parts
    };
    // An extension whose `critical` is encoded so; certificateIssuer's arc is 29, issuerAltName's 18.
    let critical =
        |octet: u8| with(sequence(&[b"\x06\x03\x55\x1D\x12", &[1, 1, octet], b"\x04\x07\x30\x05\x82\x03a.b"]));
    let cn = |value: &[u8]| sequence(&[b"\x06\x03\x55\x04\x03", value]);
    let subject = |rdn: &[&[u8]]| Parts { subject: sequence(&[&element(0x31, rdn)]), ..sound() };
    let rsa = |modulus: &[u8]| {
        let key = sequence(&[&element(0x02, &[modulus]), b"\x02\x03\x01\x00\x01"]);
        let algorithm = b"\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01\x05\x00";
        Parts { key: sequence(&[algorithm, &element(0x03, &[&[0], &key])]), ..sound() }
    };
    let edwards = |parameters: &[u8], key: &[u8]| {
        let algorithm = sequence(&[b"\x06\x03\x2B\x65\x70", parameters]);
        Parts { key: sequence(&[&algorithm, &element(0x03, &[&[0], key])]), ..sound() }
    };
    let long_name = [&[0x30, 0x81][..], &cn(b"\x0C\x01a")[1..]].concat();
    let with_null = [ECDSA, b"\x05\x00"].concat();
    vec![
        ("long-length", subject(&[&long_name])),
        ("boolean-value", critical(0x01)),
        ("default-encoded", critical(0x00)),
        ("set-of-order", subject(&[&cn(b"\x0C\x01b"), &cn(b"\x0C\x01a")])),
        ("unused-bits", usage(b"\x03\x02\x05\xA8")),
        ("named-bits", usage(b"\x03\x03\x07\x80\x00")),
        ("time-form", Parts { validity: b"\x30\x1C\x17\x0B2501010000Z\x17\x0D350101000000Z".to_vec(), ..sound() }),
        ("integer-padded", Parts { serial: b"\x02\x02\x00\x07".to_vec(), ..sound() }),
        ("oid-padded", with(extension(37, false, &sequence(&[b"\x06\x04\x2A\x80\x03\x04"])))),
        ("string-alphabet", subject(&[&cn(b"\x13\x03a_b")])),
        ("size", with(extension(18, false, b"\x30\x00"))),
        ("value", with(extension(20, false, b"\x02\x01\xFF"))),
        ("open-type", with(extension(18, false, b"\x05\x00"))),
        ("extra-components", with(extension(16, false, b"\x30\x13\x80\x0F20250101000000Z\x05\x00"))),
        ("negative-serial", Parts { serial: b"\x02\x01\xF9".to_vec(), ..sound() }),
        ("long-serial", Parts { serial: element(0x02, &[&[7; 21]]), ..sound() }),
        (
            "fractional-time",
            Parts { validity: b"\x30\x22\x17\x0D250101000000Z\x18\x1120510101000000.5Z".to_vec(), ..sound() },
        ),
        ("duplicate-extension", with(extension(14, false, b"\x04\x04leaf"))),
        // ecdsa-with-SHA384 within, ecdsa-with-SHA256 outside.
        (
            "algorithm-mismatch",
            Parts { algorithms: [b"\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x03".to_vec(), ECDSA.to_vec()], ..sound() },
        ),
        ("public-key", edwards(b"", &[1; 31])),
        ("ip-address", with(extension(18, false, b"\x30\x05\x87\x03\x01\x02\x03"))),
        (
            "sct-list",
            with(sequence(&[b"\x06\x0A\x2B\x06\x01\x04\x01\xD6\x79\x02\x04\x02", b"\x04\x05\x04\x03\x00\x05\x00"])),
        ),
        ("no-parameters", Parts { algorithms: [with_null.clone(), with_null], ..sound() }),
        ("rsa-key", rsa(&[0x7E; 256])),
    ]
}

/// The rules that the table above has no certificate for, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("real-form", "no extension holds a REAL: `decode` is tried with one below"),
    ("trailing-data", "of files, not of certificates"),
    ("trailing-zeros", "of files, not of certificates"),
    ("version", "a certificate without extensions cannot name the CA's key"),
    ("time-choice", "paths are to be read with either form (RFC 5280 §4.1.2.5)"),
    ("issuer-and-serial", "paths want the key identifier that goes with it"),
    ("rsa-parameters", "of RSA keys that have no NULL; those of signatures are tolerated by RFC 4055 §5"),
    ("named-curve", "curves of their own are tried with the library of keys"),
    ("roa-prefix", "of route origins"),
    ("pss-parameters", "of signatures by RSA"),
    ("empty-issuer", "no anchor has an empty name"),
    ("request-attributes", "of requests"),
];

#[test]
fn every_rule_is_refused_by_default_and_allowed_by_name() {
    let lab = Lab::new();
    lab.write("leaf.pem", "CERTIFICATE", &lab.signed(&lab.sound()));
    let run = lab.run(&format!("verify @leaf.pem --trust @root.pem --at {AT}"));
    assert_eq!(run.code, Some(0), "{}", run.out);
    let mut wrong = Vec::new();
    for (rule, parts) in faults(&lab) {
        let der = lab.signed(&parts);
        lab.write("leaf.pem", "CERTIFICATE", &der);
        let mut check = |command: &str, extra: &str| {
            let run = lab.run(&format!("{command} --allow conformance"));
            if run.code != Some(1) || !hinted(&run.out, rule) {
                wrong.push(format!("{rule}: {command}: {:?} {}{}", run.code, run.out, run.err));
            }
            let run = lab.run(&format!("{command} --allow {rule},conformance{extra}"));
            if run.code != Some(0) {
                wrong.push(format!("{rule}: {command} --allow {rule}: {:?} {}{}", run.code, run.out, run.err));
            }
        };
        check(&format!("verify @leaf.pem --trust @root.pem --at {AT}"), "");
        let run = lab.run(&format!("show @leaf.pem --at {AT}"));
        if run.code != Some(1) || !hinted(&run.out, rule) {
            wrong.push(format!("{rule}: show: {:?} {}{}", run.code, run.out, run.err));
        }
        let run = lab.run(&format!("show @leaf.pem --at {AT} --allow {rule}"));
        if run.code != Some(0) || !run.out.contains(rule) {
            wrong.push(format!("{rule}: show --allow: {:?} {}{}", run.code, run.out, run.err));
        }
        library(rule, &der, &lab, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns whether a hint names the rule. A value of another type may be kept unread, which no hint advises.
fn hinted(out: &str, rule: &str) -> bool {
    ["open-type", "extra-components"].contains(&rule) || out.contains(&format!("--allow {rule}"))
}

/// The same in Rust: what was allowed is so in every later read.
fn library(rule: &str, der: &[u8], lab: &Lab, wrong: &mut Vec<String>) {
    let rules = profile::allowance(rule).unwrap();
    if Certificate::from_der(der).is_ok() {
        wrong.push(format!("{rule}: decoded strictly"));
    }
    let options = Options::der().rules(rules);
    for read in [options.decode::<Certificate<'_>>(der), options.outline::<Certificate<'_>>(der)] {
        match read {
            Ok(read) => {
                let usage = read.value.extension::<KeyUsage<'_>>();
                if !usage.is_ok_and(|usage| usage.is_some_and(|usage| usage.digital_signature())) {
                    wrong.push(format!("{rule}: the key usage is not read by the rule that was allowed"));
                }
                let bad = read.value.extensions().iter().filter(Result::is_err).count();
                if bad > 0 || read.value.subject().attributes().count() == 0 {
                    wrong.push(format!("{rule}: a part is not read by the rule that was allowed"));
                }
            }
            Err(error) => wrong.push(format!("{rule}: {error}")),
        }
    }
    let mut anchors = Anchors::new();
    assert!(anchors.read(&fs::read(lab.path("root.pem")).unwrap()).is_empty());
    let mut policy = Policy::new(&Profile::RFC5280, UnixTime(1_798_761_600));
    policy.disable("conformance").unwrap();
    let backend = AwsLc::new();
    let valid = |policy: &Policy| verify::path(der, &Pool::new(), &anchors, policy, &CryptoVerifier(&backend)).is_ok();
    if valid(&policy) {
        wrong.push(format!("{rule}: a path is valid without the allowance"));
    }
    policy.disable(rule).unwrap();
    if !valid(&policy) {
        wrong.push(format!("{rule}: no path is valid with the allowance"));
    }
}

#[test]
fn the_signer_of_a_message_too() {
    let lab = Lab::new();
    for (rule, parts) in faults(&lab) {
        // Its key must be the one that signs.
        if ["public-key", "rsa-key", "oid-padded"].contains(&rule) {
            continue;
        }
        // By its key identifier, whatever its serial number is.
        let (sid, certificates) = ((3, element(0x80, &[b"leaf"])), vec![lab.signed(&parts)]);
        fs::write(lab.path(&format!("{rule}.p7m")), Message { sid, certificates, ..letter(&lab) }.der(&lab)).unwrap();
        let command = format!("cms verify @{rule}.p7m --trust @root.pem --at {AT}");
        let run = lab.run(&format!("{command} --allow conformance"));
        assert_eq!(run.code, Some(1), "{rule}: {}{}", run.out, run.err);
        assert!(run.out.contains("NOT GOOD"), "{rule}: {}", run.out);
        let run = lab.run(&format!("{command} --allow conformance,{rule}"));
        assert_eq!(run.code, Some(0), "{rule}: {}{}", run.out, run.err);
    }
}

#[test]
fn the_table_has_every_rule() {
    let lab = Lab::new();
    let held: Vec<&str> = faults(&lab).iter().map(|(rule, _)| *rule).collect();
    let pem = |name: &str| name.starts_with("pem-");
    for rule in tagwise_codec::Rule::ALL.iter().chain(profile::ALL).filter(|rule| !pem(rule.name)) {
        let without = WITHOUT.iter().any(|(name, _)| *name == rule.name);
        assert!(without != held.contains(&rule.name), "{}", rule.name);
    }
}

/// Under BER and CER, what they allow needs no name, and what they do not needs the same names.
#[test]
fn rules_hold_under_every_encoding() {
    let lab = Lab::new();
    let schema = "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { i INTEGER, o OBJECT IDENTIFIER, r REAL } END";
    fs::write(lab.path("m.asn1"), schema).unwrap();
    let padded = [&b"\x02\x02\x00\x05"[..], b"\x06\x03\x2A\x80\x03", b"\x09\x03\x80\x00\x02"].concat();
    fs::write(lab.path("der"), sequence(&[&padded])).unwrap();
    fs::write(lab.path("ber"), [b"\x30\x80", &padded[..], b"\0\0"].concat()).unwrap();
    for (rules, file, names) in [
        ("der", "der", &["integer-padded", "oid-padded", "real-form"][..]),
        ("ber", "ber", &["integer-padded", "oid-padded"]),
        ("cer", "ber", &["integer-padded", "oid-padded", "real-form"]),
    ] {
        let command = format!("decode @{file} --schema @m.asn1 --rules {rules}");
        let run = lab.run(&command);
        assert_eq!(run.code, Some(1), "{rules}: {}{}", run.out, run.err);
        for left_out in names {
            let others: Vec<&str> = names.iter().filter(|name| *name != left_out).copied().collect();
            let run = lab.run(&format!("{command} --allow {}", others.join(",")));
            assert_eq!(run.code, Some(1), "{rules} without {left_out}: {}{}", run.out, run.err);
        }
        let run = lab.run(&format!("{command} --allow {}", names.join(",")));
        assert_eq!(run.code, Some(0), "{rules}: {}{}", run.out, run.err);
        for name in names {
            assert!(run.err.contains(&format!("{name} tolerated")), "{rules} {name}: {}", run.err);
        }
    }
}

/// What stays as it came is no reason to read less strictly than asked: a rule allowed for one value is not so for another.
#[test]
fn allowances_are_those_of_the_value() {
    let lab = Lab::new();
    let (_, parts) = faults(&lab).into_iter().find(|(rule, _)| *rule == "named-bits").unwrap();
    let der = lab.signed(&parts);
    let lax = Options::der().rules(RuleSet::ALL);
    let frame = lax.parts(RuleSet::NONE).outline::<Certificate<'_>>(&der).unwrap().value;
    assert!(frame.extension::<KeyUsage<'_>>().is_err());
    assert!(lax.outline::<Certificate<'_>>(&der).unwrap().value.extension::<KeyUsage<'_>>().unwrap().is_some());
    // A part by itself is not part of a value that was read leniently.
    let usage = frame.extensions().find(<KeyUsage<'_> as tagwise_pkix::ext::KnownExtension>::ID).unwrap().unwrap();
    assert!(KeyUsage::from_der(usage.extn_value.as_bytes()).is_err());
}

#[test]
fn names_that_are_none() {
    let lab = Lab::new();
    lab.write("leaf.pem", "CERTIFICATE", &lab.signed(&lab.sound()));
    for (line, said) in [
        ("show @leaf.pem --allow named-bit", "did you mean named-bits"),
        ("verify @leaf.pem --trust @root.pem --allow key-cert-sing", "did you mean key-cert-sign"),
        ("cms verify @leaf.pem --allow negative-serail", "did you mean negative-serial"),
        ("tsp verify @leaf.pem --data @leaf.pem --allow nothing-like-it", "unknown rule 'nothing-like-it'"),
        ("show @leaf.pem --allow validity", "a rule for paths"),
        ("convert @leaf.pem --to der --allow validity", "a rule for paths"),
        ("oid 2.5.4.3 --allow named-bits", "no rules to allow"),
    ] {
        let run = lab.run(line);
        assert_eq!(run.code, Some(2), "{line}: {}{}", run.out, run.err);
        assert!(run.err.contains(said), "{line}: {}", run.err);
    }
}

/// A KRB-CRED without tickets, whose lengths take five bytes, as some programs on Windows write them.
#[test]
fn kerberos_messages_too() {
    let lab = Lab::new();
    let long = |tag: u8, content: &[u8]| {
        let len = u32::try_from(content.len()).unwrap();
        [&[tag, 0x84][..], &len.to_be_bytes(), content].concat()
    };
    let int = |tag: u8, number: u8| long(tag, &long(0x02, &[number]));
    let data = long(0x30, &[int(0xA0, 18), long(0xA2, &long(0x04, &[7; 40]))].concat());
    let parts = [int(0xA0, 5), int(0xA1, 22), long(0xA2, &long(0x30, b"")), long(0xA3, &data)].concat();
    fs::write(lab.path("kirbi"), long(0x76, &long(0x30, &parts))).unwrap();
    let run = lab.run("krb5 decode @kirbi");
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("--allow long-length tolerates this"), "{}", run.err);
    let run = lab.run("krb5 decode @kirbi --allow long-length");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("KRB-CRED") && run.out.contains("aes256-cts-hmac-sha1-96"), "{}", run.out);
}

/// Evidence about revocation has the same allowances as certificates.
#[test]
fn crls_too() {
    let lab = Lab::new();
    lab.write("leaf.pem", "CERTIFICATE", &lab.signed(&lab.sound()));
    let list = |point: &[u8]| {
        let extensions = sequence(&[
            &extension(35, false, b"\x30\x04\x80\x02CA"),
            &extension(20, false, b"\x02\x01\x01"),
            &extension(28, true, point),
        ]);
        let tbs = sequence(&[
            b"\x02\x01\x01",
            &sequence(&[ECDSA]),
            &name("CA"),
            b"\x17\x0D261201000000Z\x17\x0D270201000000Z",
            &element(0xA0, &[&extensions]),
        ]);
        let signature = lab.ca.sign(&Scheme::Ecdsa(Digest::Sha256), &tbs).unwrap();
        sequence(&[&tbs, &sequence(&[ECDSA]), &element(0x03, &[&[0], &signature])])
    };
    // onlyContainsUserCerts with its DEFAULT, FALSE, and indirectCRL as well.
    lab.write("good.crl", "X509 CRL", &list(b"\x30\x03\x81\x01\xFF"));
    lab.write("odd.crl", "X509 CRL", &list(b"\x30\x06\x81\x01\xFF\x84\x01\x00"));
    let command = |list: &str, option: &str| {
        lab.run(&format!("verify @leaf.pem --trust @root.pem --crl @{list} --revocation require --at {AT}{option}"))
    };
    let run = command("good.crl", "");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let run = command("odd.crl", "");
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    let run = command("odd.crl", " --allow default-encoded");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}
