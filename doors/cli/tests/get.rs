//! `tagwise get` and `tagwise explain`: paths, forms of output, and what is said where there is nothing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{Run, data, der, tagwise, tagwise_with};
use tagwise_codec::text::hex;

fn get(args: &[&str]) -> Run {
    let mut all = vec!["get"];
    all.extend(args);
    tagwise(&all)
}

fn lines(args: &[&str]) -> Vec<String> {
    let run = get(args);
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{args:?}");
    run.out.lines().map(str::to_owned).collect()
}

#[test]
fn the_first_value_alone() {
    let chain = [data("leaf.pem"), data("root.pem")].map(|file| std::fs::read_to_string(file).unwrap()).concat();
    let all = tagwise_with(&["get", "subject", "-"], chain.as_bytes());
    let first = tagwise_with(&["get", "--first", "subject", "-"], chain.as_bytes());
    assert_eq!((all.code, all.out.lines().count()), (Some(0), 2), "{}", all.err);
    assert_eq!((first.code, first.out.lines().collect::<Vec<_>>()), (Some(0), all.out.lines().take(1).collect()));
    assert_eq!(lines(&["--first", "subject", &data("leaf.pem")]).len(), 1);
}

#[test]
fn values_by_path() {
    let leaf = data("leaf.pem");
    assert_eq!(lines(&["tbsCertificate.version", &leaf]), ["2"]);
    let names = lines(&["tbsCertificate.extensions[subjectAltName].dNSName", &leaf]);
    assert!(!names.is_empty(), "{names:?}");
    // By type, by number, with the value named: all the same.
    for path in [
        "tbsCertificate.extensions[2.5.29.17].dNSName",
        "tbsCertificate.extensions[SubjectAltName].extnValue.dNSName",
        "tbsCertificate.extensions[SAN].dNSName",
    ] {
        assert_eq!(lines(&[path, &leaf]), names, "{path}");
    }
    let one = lines(&["tbsCertificate.extensions[subjectAltName].extnValue[0]", &leaf]);
    assert_eq!(one.len(), 1);
    let critical = lines(&["tbsCertificate.extensions[subjectAltName].critical", &leaf]);
    assert!(critical == ["FALSE"] || critical == ["TRUE"]);
    assert_eq!(lines(&["tbsCertificate.validity.notAfter", &leaf]).len(), 1);
    let algorithm = lines(&["signatureAlgorithm.algorithm", &leaf]);
    assert!(algorithm[0].contains('(') && algorithm[0].starts_with("1."), "{algorithm:?}");
    let identifiers = lines(&["tbsCertificate.extensions.extnID", &leaf]);
    assert!(identifiers.len() > 2);
}

/// A line feed in a name begins no line of its own, and a PEM block keeps its lines.
#[test]
fn names_with_line_feeds() {
    let leaf = der("leaf.pem");
    let names = lines(&["dns", &data("leaf.pem")]);
    // A character is replaced, which keeps all lengths.
    let old = names.iter().max_by_key(|name| name.len()).unwrap();
    let mut new = old.clone().into_bytes();
    new[1] = b'\n';
    let mut changed = leaf.clone();
    let at: Vec<usize> = (0..leaf.len() - new.len()).filter(|at| leaf[*at..].starts_with(old.as_bytes())).collect();
    for at in at {
        changed[at..at + new.len()].copy_from_slice(&new);
    }
    assert_ne!(changed, leaf);
    for field in ["dns", "san"] {
        let run = tagwise_with(&["get", "--allow", "all", field, "-"], &changed);
        let count = lines(&[field, &data("leaf.pem")]).len();
        assert_eq!((run.code, run.out.lines().count()), (Some(0), count), "{field}: {}{}", run.out, run.err);
        assert!(run.out.contains("\\u{a}"), "{field}: {}", run.out);
    }
    let run = get(&["pubkey", &data("leaf.pem")]);
    assert!(run.out.starts_with("-----BEGIN PUBLIC KEY-----\n") && run.out.ends_with("\n-----END PUBLIC KEY-----\n"));
}

#[test]
fn several_values_in_a_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("get-several");
    std::fs::create_dir_all(&folder).unwrap();
    let two = folder.join("two.pem");
    let leaf = std::fs::read(data("leaf.pem")).unwrap();
    std::fs::write(&two, [&leaf[..], &leaf].concat()).unwrap();
    let run = get(&["tbsCertificate.serialNumber", two.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    // What the path cannot lead into is passed over, and told.
    let list = std::fs::read(data("list.pem")).unwrap();
    std::fs::write(&two, [&leaf[..], &leaf, &list].concat()).unwrap();
    let run = get(&["tbsCertificate.serialNumber", two.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert!(run.err.contains("skipped") && run.err.contains("tbsCertList"), "{}", run.err);
    let run = get(&["nowhere", two.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
}

#[test]
fn several_values_in_a_row() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("get-row");
    std::fs::create_dir_all(&folder).unwrap();
    let (leaf, root) = (der("leaf.pem"), der("root.pem"));
    let row = folder.join("row.der");
    std::fs::write(&row, [&leaf[..], &root, &leaf].concat()).unwrap();
    let row = row.to_str().unwrap();
    let one = |name: &str| lines(&["tbsCertificate.serialNumber", &data(name)]);
    let expected = [one("leaf.pem"), one("root.pem"), one("leaf.pem")].concat();
    assert_eq!(lines(&["tbsCertificate.serialNumber", row]), expected);
    let json = get(&["--json", "tbsCertificate.version", row]);
    let document: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let starts: Vec<u64> =
        document["values"].as_array().unwrap().iter().map(|one| one["start"].as_u64().unwrap()).collect();
    assert_eq!(starts, [0, leaf.len() as u64, (leaf.len() + root.len()) as u64]);
    // What is wrong is said of the value that it is in.
    let bad = folder.join("bad.der");
    std::fs::write(&bad, [&leaf[..], &root[..root.len() - 1]].concat()).unwrap();
    let run = get(&["tbsCertificate.serialNumber", bad.to_str().unwrap()]);
    assert_eq!(
        (run.code, run.out.lines().collect::<Vec<_>>()),
        (Some(1), one("leaf.pem").iter().map(|s| &**s).collect())
    );
    assert!(run.err.contains(&format!("the value at byte {}: ", leaf.len())), "{}", run.err);
    // What follows and is no value is trailing data.
    std::fs::write(&bad, [&leaf[..], &[0, 0]].concat()).unwrap();
    let run = get(&["tbsCertificate.serialNumber", bad.to_str().unwrap()]);
    assert!(run.code == Some(1) && run.err.contains("X.690 §8.1.1"), "{}", run.err);
}

/// A malformed block hides no well-formed one, and is reported with its position.
#[test]
fn one_bad_block_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bundle.pem");
    let read = |name: &str| std::fs::read(data(name)).unwrap();
    let empty = b"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n";
    let torn = b"-----BEGIN CERTIFICATE-----\nMAA*\n-----END CERTIFICATE-----\n";
    std::fs::write(&file, [&read("leaf.pem")[..], &read("negative.pem"), empty, torn, &read("root.pem")].concat())
        .unwrap();
    let file = file.to_str().unwrap();
    let path = "tbsCertificate.serialNumber";
    let wanted = [lines(&[path, &data("leaf.pem")]), lines(&[path, &data("root.pem")])].concat();
    let run = get(&[path, file]);
    assert_eq!((run.code, run.out.lines().collect::<Vec<_>>()), (Some(1), wanted.iter().map(|s| &**s).collect()));
    for (block, said) in [
        ("block 2 in line", "serial numbers must not be negative"),
        ("block 3 in line", "the block is empty"),
        ("block 4", ""),
    ] {
        assert!(run.err.lines().any(|line| line.contains(block) && line.contains(said)), "{block}: {}", run.err);
    }
    let run = get(&["--json", path, file]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, document["values"].as_array().unwrap().len()), (Some(1), 2));
    // Where there is nothing else, nothing is written.
    let out = folder.path().join("out");
    let run = tagwise_with(&["get", path, "-", "-o", out.to_str().unwrap()], &[&torn[..], torn].concat());
    assert_eq!((run.code, out.exists()), (Some(1), false), "{}", run.err);
}

/// `show` and `--type` know the same; a type that is nearly there is named.
#[test]
fn types_of_what_show_knows() {
    let list =
        tagwise_with(&["get", "--type", "TNAuthorizationList", "", "-"], &[0x30, 0x05, 0xA0, 0x03, 0x16, 0x01, b'7']);
    assert_eq!(list.code, Some(0), "{}", list.err);
    let run = tagwise_with(&["get", "--type", "KeyUsages", "", "-"], &[0x03, 0x02, 0x01, 0x06]);
    assert_eq!((run.code, run.err.as_str()), (Some(2), "tagwise: unknown type 'KeyUsages'; did you mean KeyUsage?\n"));
}

#[test]
fn lists_of_revoked_certificates() {
    let list = data("list.pem");
    let serials = lines(&["tbsCertList.revokedCertificates.userCertificate", &list]);
    assert_eq!(lines(&["tbsCertList.revokedCertificates[0].userCertificate", &list]), serials[..1]);
}

#[test]
fn octets() {
    let (leaf, octets) = (data("leaf.pem"), der("leaf.pem"));
    let whole = lines(&["--hex", "", &leaf]);
    assert_eq!(hex::decode(whole[0].as_bytes()).unwrap(), octets);
    let tbs = hex::decode(lines(&["--hex", "tbsCertificate", &leaf])[0].as_bytes()).unwrap();
    assert!(octets[4..].starts_with(&tbs));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("get-octets");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("tbs.der");
    let run = get(&["--der", "tbsCertificate", &leaf, "-o", out.to_str().unwrap()]);
    assert_eq!((run.code, std::fs::read(out).unwrap()), (Some(0), tbs));
    assert_eq!(lines(&["--offset", "tbsCertificate.version", &leaf]), ["10\t2"]);
}

#[test]
fn everything() {
    let text = lines(&["", &data("leaf.pem")]);
    assert_eq!(text[0], "tbsCertificate:");
    assert!(text.iter().any(|line| line.trim_start().starts_with("extnID: 2.5.29.17 (subjectAltName)")), "{text:#?}");
    let hostile = get(&["", &data("hostile.pem")]);
    assert!(!hostile.out.contains('\u{1B}') && !hostile.out.contains('\u{202E}'), "{}", hostile.out);
}

#[test]
fn json() {
    let leaf = data("leaf.pem");
    let run = get(&["--json", "", &leaf]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, document["schema"].as_str()), (Some(0), Some("tagwise.get/1")));
    let certificate = &document["values"][0];
    assert_eq!(
        (certificate["offset"].as_u64(), certificate["size"].as_u64()),
        (Some(0), Some(der("leaf.pem").len() as u64))
    );
    assert_eq!(certificate["value"]["tbsCertificate"]["version"].as_u64(), Some(2));
    let run = get(&["--json", "tbsCertificate.extensions[subjectAltName].dNSName", &leaf]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert!(document["values"][0]["path"].as_str().unwrap().contains(".extnValue[0].dNSName"), "{}", run.out);
}

/// A name that this kind of value does not have is not the one that was meant instead.
#[test]
fn a_name_is_not_its_own_correction() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("a.key");
    let key = key.to_str().unwrap();
    assert_eq!(tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", key]).code, Some(0));
    let run = get(&["subject", key]);
    assert!(run.err.contains("no component subject") && !run.err.contains("did you mean"), "{}", run.err);
    assert!(get(&["subjct", key]).err.contains("did you mean subject"));
}

#[test]
fn where_there_is_nothing() {
    let leaf = data("leaf.pem");
    let absent = get(&["tbsCertificate.issuerUniqueID", &leaf]);
    assert_eq!((absent.code, &*absent.out), (Some(1), ""));
    assert!(absent.err.ends_with("tbsCertificate.issuerUniqueID is absent\n"), "{}", absent.err);
    let wrong = get(&["tbsCertificate.serial", &leaf]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.err.contains("tbsCertificate has no component serial; its components are ")
            && wrong.err.contains("serialNumber")
    );
    let no_list = get(&["tbsCertificate.version[0]", &leaf]);
    assert!(no_list.code == Some(2) && no_list.err.contains("is not a list"), "{}", no_list.err);
    assert_eq!(get(&["tbsCertificate.extensions[99]", &leaf]).code, Some(1));
    assert_eq!(get(&["tbsCertificate.extensions[nonsense]", &leaf]).code, Some(2));
    assert_eq!(get(&["a..b", &leaf]).code, Some(2));
    assert_eq!(get(&["a[", &leaf]).code, Some(2));
    assert_eq!(get(&["", "no-such-file"]).code, Some(3));
    assert_eq!(get(&["--type", "Nonsense", "", &leaf]).code, Some(2));
    assert_eq!(tagwise_with(&["get", "", "-"], b"").code, Some(1));
    assert_eq!(tagwise_with(&["get", "", "-"], &[0x30, 0x80, 0, 0]).code, Some(1));
    // What is malformed says where.
    let negative = get(&["tbsCertificate.serialNumber", &data("negative.pem")]);
    assert!(negative.code == Some(1) && negative.err.contains("at byte"), "{}", negative.err);
    assert_eq!(get(&["--allow", "all", "tbsCertificate.serialNumber", &data("negative.pem")]).code, Some(0));
    // An extension's value on its own.
    let usage = tagwise_with(&["get", "--type", "KeyUsage", "", "-"], &[0x03, 0x02, 0x01, 0x06]);
    assert_eq!((usage.code, &*usage.out), (Some(0), "keyCertSign, cRLSign\n"));
}

#[test]
fn explain_an_offset() {
    let leaf = data("leaf.pem");
    let run = tagwise(&["explain", "12", &leaf]);
    assert_eq!((run.code, &*run.out), (Some(0), "tbsCertificate.version\n"), "{}", run.err);
    assert_eq!(tagwise(&["explain", "0", &leaf]).out, "Certificate itself\n");
    assert_eq!(tagwise(&["explain", "0xFFFFFF", &leaf]).code, Some(1));
    assert_eq!(tagwise(&["explain", "x", &leaf]).code, Some(2));
    assert_eq!(tagwise(&["explain", "4", &data("bundle.pem")]).code, Some(1));
}

/// Requests, messages and keys by their types; nothing secret is given, whatever form is asked for.
#[test]
fn messages() {
    let message = |name: &str| data(&format!("messages/{name}"));
    let subject = "certificationRequestInfo.subject[commonName].value";
    assert_eq!(lines(&[subject, &message("request.pem")]), ["request.example"]);
    assert_eq!(lines(&["tbsRequest.requestList.reqCert.serialNumber", &message("request.ocsp")]), ["66"]);
    assert_eq!(lines(&["header.pvno", &message("request.cmp")]), ["2 (cmp2000)"]);
    assert_eq!(lines(&["content.encapContentInfo.eContent.asID", &message("roa.p7m")]), ["64496"]);
    assert_eq!(lines(&["version", &message("key.pem")]), ["0 (v1)"]);
    let run = get(&["content.version", &message("signed.pem")]);
    assert_eq!((run.code, run.err.contains("converted from BER")), (Some(0), true), "{}", run.err);
    // The type can be told.
    assert_eq!(lines(&["--type", "PKIData", "reqSequence.bodyPartID", &message("request.cmc")]), ["3"]);
    for options in [&["--der"][..], &["--hex"], &["--json"], &[]] {
        for path in ["", "privateKey"] {
            let run = get(&[options, &[path, &message("key.pem")]].concat());
            let spelled = hex::encode(&secret()).to_lowercase();
            assert!(!run.out.to_lowercase().contains(&spelled), "{options:?} {path}");
            assert!(run.code == Some(0) || run.err.contains("secret"), "{options:?} {path}: {}", run.err);
        }
    }
}

/// The private key of a fixture.
fn secret() -> Vec<u8> {
    let octets = der("messages/key.pem");
    let at = octets.windows(3).position(|window| window[..2] == [0x04, 0x20] && window[2] != 0x30).unwrap() + 2;
    octets[at..at + 32].to_vec()
}
