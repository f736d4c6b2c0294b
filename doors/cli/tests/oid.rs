//! `tagwise oid`: names of identifiers, and identifiers by name.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::tagwise;

#[test]
fn one_identifier_in_every_way_of_asking() {
    let wanted = "commonName (CN)  2.5.4.3  attribute type, X.520\n  DER 0603550403\n";
    for asked in ["CN", "cn", "commonname", "2.5.4.3", "0603550403", "06 03 55 04 03"] {
        let run = tagwise(&["oid", asked]);
        assert_eq!((run.code, &*run.out), (Some(0), wanted), "{asked}: {}", run.err);
    }
}

#[test]
fn unknown_identifiers() {
    let run = tagwise(&["oid", "2.999.1", "cn"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.starts_with("unknown  2.999.1\n  DER 0603883701\ncommonName (CN)"), "{}", run.out);
    for (asked, says) in [
        ("commonNane", "unknown identifier 'commonNane'; did you mean commonName?"),
        ("9.1", "9.1 is not an object identifier"),
        ("06038055", "06038055 is not the encoding of an object identifier: "),
        ("\u{1b}[31m", "unknown identifier '\\u{1b}[31m'"),
    ] {
        let run = tagwise(&["oid", asked]);
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{asked}");
        assert!(run.err.contains(says), "{asked}: {}", run.err);
    }
}

#[test]
fn lists() {
    let all = tagwise(&["oid"]);
    assert!(all.code == Some(0) && all.out.lines().count() > 1000);
    let purposes = tagwise(&["oid", "--kind", "key purpose"]);
    assert!(purposes.out.contains("id-kp-serverAuth (serverAuth)  1.3.6.1.5.5.7.3.1  key purpose, RFC 5280\n"));
    assert!(purposes.out.lines().all(|line| line.contains("  key purpose, ")));
    let wrong = tagwise(&["oid", "--kind", "nothing"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("the kinds are "), "{}", wrong.err);
}

#[test]
fn json() {
    let run = tagwise(&["oid", "--json", "serverAuth"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["schema"], "tagwise.oids/1");
    assert_eq!(document["oids"][0]["oid"], "1.3.6.1.5.5.7.3.1");
    assert_eq!(document["oids"][0]["der"], "06082b06010505070301");
    assert_eq!(document["oids"][0]["kind"], "key purpose");
}
