//! `tagwise krb5` on files: keytabs made and changed, captured messages shown and opened, captures of traffic.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::{corpus, files, tagwise, tagwise_with};

fn text(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn keytabs_are_made_changed_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (file, other) = (text(folder, "a.keytab"), text(folder, "b.keytab"));
    fs::write(folder.join("password"), "correct horse\n").unwrap();
    let password = text(folder, "password");
    let add = |file: &str, more: &[&str]| {
        let run = tagwise(&[&["krb5", "ktutil", "add", file, "-p", "alice@KRB.TEST"], more].concat());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
    };
    add(&file, &["--kvno", "2", "--password-file", &password]);
    add(&other, &["--kvno", "3", "--random", "-e", "aes128-sha2"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // The same again takes the place of what is there: keys of a password are always the same.
    let before = entries(&file, true);
    add(&file, &["--kvno", "2", "--password-file", &password]);
    assert_eq!(keys(&before), keys(&entries(&file, true)));
    // Another key does so only on request.
    let random =
        ["krb5", "ktutil", "add", &file, "-p", "alice@KRB.TEST", "--kvno", "2", "--random", "-e", "aes256-sha1"];
    let run = tagwise(&random);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("another key of alice@KRB.TEST with version 2"), "{}", run.err);
    assert_eq!(keys(&before), keys(&entries(&file, true)));
    let saved = fs::read(&file).unwrap();
    assert_eq!(tagwise(&[&random[..], &["--replace"]].concat()).code, Some(0));
    assert_ne!(keys(&before), keys(&entries(&file, true)));
    fs::write(&file, saved).unwrap();
    assert_eq!(tagwise(&["krb5", "ktutil", "merge", &file, &other]).code, Some(0));
    let run = tagwise(&["krb5", "klist", "-k", "-e", &file]);
    let expected = format!(
        "Keytab name: FILE:{file}\nKVNO Principal\n---- {}\n   2 alice@KRB.TEST (aes256-cts-hmac-sha1-96) \n   \
         2 alice@KRB.TEST (aes128-cts-hmac-sha1-96) \n   3 alice@KRB.TEST (aes128-cts-hmac-sha256-128) \n",
        "-".repeat(74)
    );
    assert_eq!(run.out, expected);
    let remove =
        |more: &[&str]| tagwise(&[&["krb5", "ktutil", "remove", &file, "-p", "alice@KRB.TEST"], more].concat());
    assert_eq!(remove(&["--kvno", "2", "-e", "aes128-sha1"]).code, Some(0));
    let run = remove(&["--kvno", "7"]);
    assert_eq!((run.code, run.err), (Some(1), format!("tagwise: {file}: entry not found\n")));
    assert_eq!(entries(&file, false).len(), 2);
}

fn entries(file: &str, secret: bool) -> Vec<serde_json::Value> {
    let mut args = vec!["krb5", "decode", "--json", file];
    args.extend(secret.then_some("--show-keys"));
    let run = tagwise(&args);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&shown["schema"], &shown["items"][0]["kind"]), (&"tagwise.krb5/1".into(), &"keytab".into()));
    shown["items"][0]["content"]["entries"].as_array().unwrap().clone()
}

fn keys(entries: &[serde_json::Value]) -> Vec<String> {
    entries.iter().map(|entry| entry["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn merging_loses_no_key_and_adding_needs_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (text(folder.path(), "a.keytab"), text(folder.path(), "b.keytab"));
    let add =
        |file: &str, name: &str| tagwise(&["krb5", "ktutil", "add", file, "-p", name, "--random", "-e", "aes256-sha1"]);
    for file in [&a, &b] {
        assert_eq!(add(file, "a@B").code, Some(0));
    }
    let (saved, other) = (fs::read(&a).unwrap(), keys(&entries(&b, true)));
    let run = tagwise(&["krb5", "ktutil", "merge", &a, &b]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let told =
        "the keytab has another key of a@B with version 1 and type aes256-cts-hmac-sha1-96; --replace replaces it";
    assert!(run.err.contains(told), "{}", run.err);
    assert_eq!(fs::read(&a).unwrap(), saved);
    assert_eq!(tagwise(&["krb5", "ktutil", "merge", "--replace", &a, &b]).code, Some(0));
    assert_eq!(keys(&entries(&a, true)), other);
    // The same key again.
    assert_eq!(tagwise(&["krb5", "ktutil", "merge", &a, &b]).code, Some(0));
    assert_eq!(keys(&entries(&a, true)), other);
    for name in ["", "@X", "a@", "a//b@X", "/a@X"] {
        assert_eq!(add(&a, name).code, Some(2), "{name}");
    }
    // Entries after a record of no length would be lost.
    fs::write(&b, [&saved[..], &[0; 4], &saved[2..]].concat()).unwrap();
    let before = fs::read(&b).unwrap();
    for args in [&["add", &b, "-p", "c@B", "--random"][..], &["remove", &b, "-p", "a@B"], &["merge", &a, &b]] {
        let run = tagwise(&[&["krb5", "ktutil"], args].concat());
        assert!(run.code == Some(1) && run.err.contains("after a record of length 0"), "{args:?}: {}", run.err);
    }
    assert_eq!(fs::read(&b).unwrap(), before);
}

/// A malformed PAC, a fraction of a second, base64 that begins like a message, and a bad file among others.
#[test]
fn malformed_parts_are_malformed_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &[u8]| {
        fs::write(folder.path().join(name), content).unwrap();
        text(folder.path(), name)
    };
    // A PAC with the buffer PAC_ATTRIBUTES_INFO, and the same with a wrong version.
    let good = [[1, 0, 17, 8, 24, 0], [2, 1, 0, 0, 0, 0]].concat();
    let good: Vec<u8> = good[..8].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let bad = [&good[..4], &[1], &good[5..]].concat();
    let element = |tag: u8, content: &[u8]| [&[tag, content.len() as u8][..], content].concat();
    let list = |pac: &[u8]| {
        let entry = [element(0xA0, b"\x02\x02\x00\x80"), element(0xA1, &element(0x04, pac))].concat();
        element(0x30, &element(0x30, &entry))
    };
    for (kind, good, bad) in [("PAC", good.clone(), bad.clone()), ("AuthorizationData", list(&good), list(&bad))] {
        for json in [&[][..], &["--json"]] {
            let run = |file: &str| tagwise(&[&["krb5", "decode", "--type", kind, file], json].concat());
            let (good, bad) = (run(&path("good", &good)), run(&path("bad", &bad)));
            assert_eq!(good.code, Some(0), "{kind}: {}{}", good.out, good.err);
            assert_eq!(bad.code, Some(1), "{kind}: {}{}", bad.out, bad.err);
            assert!(bad.out.contains("the version of a PAC must be 0"), "{}", bad.out);
        }
    }
    let error = |time: &[u8]| {
        let name = b"\x30\x0B\xA0\x03\x02\x01\x01\xA1\x04\x30\x02\x1B\x00";
        let fields = [
            element(0xA0, b"\x02\x01\x05"),
            element(0xA1, b"\x02\x01\x1E"),
            element(0xA4, &element(0x18, time)),
            element(0xA5, b"\x02\x01\x00"),
            element(0xA6, b"\x02\x01\x19"),
            element(0xA9, b"\x1B\x01B"),
            element(0xAA, name),
        ];
        element(0x7E, &element(0x30, &fields.concat()))
    };
    let (whole, fraction) = (path("whole", &error(b"20261121100000Z")), path("fraction", &error(b"20261121100000.5Z")));
    let run = tagwise(&["krb5", "decode", &fraction]);
    let told = "a KerberosTime must not have fractions of a second (RFC 4120 §5.2.3, krb5-fractional-time)";
    let shown: Vec<&str> = run.out.split_whitespace().collect();
    assert!(run.code == Some(1) && shown.join(" ").contains(told), "{}{}", run.out, run.err);
    let run = tagwise(&["krb5", "decode", "--allow", "krb5-fractional-time", &fraction]);
    assert!(run.code == Some(0) && run.out.contains("20261121100000.5Z"), "{}{}", run.out, run.err);
    // The good file is shown, the bad and the missing one are reported.
    let (missing, cut) = (text(folder.path(), "missing"), path("cut", b"\x7E\x02\x30\x05"));
    let run = tagwise(&["krb5", "decode", &cut, &missing, &whole]);
    assert!(run.code == Some(3) && run.out.contains("KRB-ERROR"), "{}{}", run.out, run.err);
    assert_eq!(run.err.lines().filter(|line| line.starts_with("tagwise: ")).count(), 2, "{}", run.err);
    // Tickets, AS and TGS messages in base64 begin with `Y` and `a` to `b`, which are tags of other messages.
    let part = b"\x30\x0F\xA0\x03\x02\x01\x12\xA2\x08\x04\x06sealed";
    let name = b"\x30\x0C\xA0\x03\x02\x01\x01\xA1\x05\x30\x03\x1B\x01c";
    let (ticket, body) = (
        element(
            0x61,
            &element(
                0x30,
                &[
                    element(0xA0, b"\x02\x01\x05"),
                    element(0xA1, b"\x1B\x01B"),
                    element(0xA2, name),
                    element(0xA3, part),
                ]
                .concat(),
            ),
        ),
        [element(0xA3, b"\x1B\x01B"), element(0xA4, name)].concat(),
    );
    for (tag, number, kind) in [(0x6B_u8, 11_u8, "AS-REP"), (0x6D, 13, "TGS-REP")] {
        let rest = [element(0xA5, &ticket), element(0xA6, part)].concat();
        let head = [element(0xA0, b"\x02\x01\x05"), element(0xA1, &[2, 1, number])].concat();
        let message = element(tag, &element(0x30, &[head, body.clone(), rest].concat()));
        let base64 = tagwise_codec::text::base64::encode(&message);
        let wrapped: Vec<&str> = base64.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        for (what, content) in [
            ("binary", message.clone()),
            ("line", base64.clone().into_bytes()),
            ("wrapped", wrapped.join("\n").into_bytes()),
        ] {
            let run = tagwise(&["krb5", "decode", &path("message", &content)]);
            assert!(run.code == Some(0) && run.out.starts_with(kind), "{what} {kind}: {}{}", run.out, run.err);
        }
    }
}

/// A link to a keytab stays one.
#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (text(folder.path(), "a.keytab"), text(folder.path(), "link"));
    let add = |file: &str, kvno: &str| {
        tagwise(&["krb5", "ktutil", "add", file, "-p", "a@B", "--kvno", kvno, "--random", "-e", "aes256-sha1"]).code
    };
    assert_eq!(add(&file, "1"), Some(0));
    std::os::unix::fs::symlink("a.keytab", &link).unwrap();
    assert_eq!(add(&link, "2"), Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(entries(&file, false).len(), 2);
}

/// Data behind a message is shown or reported as an error.
#[test]
fn every_message_of_a_file_is_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| text(folder.path(), name);
    // KRB-ERROR: pvno, msg-type, stime, susec, error-code, realm, sname.
    let inner = "a003020105a10302011ea411180f32303236313132313130303030305aa503020100a603020119a9031b0142aa133011a003020102a10a30081b066b7262746774";
    let length = inner.len() / 2;
    let error =
        tagwise_codec::text::hex::decode(format!("7e{:02x}30{length:02x}{inner}", length + 2).as_bytes()).unwrap();
    let count = |run: &common::Run| {
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let items = shown["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|item| (item["kind"].as_str().unwrap().to_owned(), item["length"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    let one = ("KRB-ERROR".to_owned(), error.len() as u64);
    let two = [&error[..], &error].concat();
    for (name, content) in [("two", two.clone()), ("two.hex", tagwise_codec::text::hex::encode(&two).into_bytes())] {
        fs::write(path(name), content).unwrap();
        let run = tagwise(&["krb5", "decode", "--json", &path(name)]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(count(&run), [one.clone(), one.clone()], "{name}");
    }
    fs::write(path("junk"), [&error[..], b"junk here"].concat()).unwrap();
    for args in [&["krb5", "decode"][..], &["krb5", "decode", "--type", "KRB-ERROR"]] {
        let run = tagwise(&[args, &[&path("junk")]].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{args:?}");
        assert!(run.err.contains(&format!("at byte {}", error.len())), "{}", run.err);
    }
}

#[test]
fn keys_are_shown_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(folder.path(), "a.keytab");
    assert_eq!(tagwise(&["krb5", "ktutil", "add", &file, "-p", "a@B", "--random", "-e", "aes256-sha1"]).code, Some(0));
    let secret = keys(&entries(&file, true)).remove(0);
    assert_eq!(secret.len(), 64);
    for args in [
        &["krb5", "decode", &file][..],
        &["krb5", "decode", "--json", &file],
        &["krb5", "klist", "-k", "-e", "-t", &file],
        &["krb5", "klist", "-k", "--json", &file],
        &["krb5", "ktutil", "list", &file],
        &["krb5", "ktutil", "list", "--json", &file],
    ] {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(
            !run.out.contains(&secret) && run.out.contains("aes256-cts-hmac-sha1-96") || args[1] == "klist",
            "{}",
            run.out
        );
    }
    assert!(tagwise(&["krb5", "klist", "-k", "-K", &file]).out.contains(&format!("(0x{secret})")));
}

#[test]
fn files_that_are_not_kerberos_are_reported() {
    let run = tagwise_with(&["krb5", "decode", "-"], b"GIF89a");
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("tagwise: standard input: expected a Kerberos message"), "{}", run.err);
    // A keytab that ends inside an entry.
    let run = tagwise_with(&["krb5", "decode", "-"], &[5, 2, 0, 0, 0, 9, 0]);
    let said =
        "tagwise: standard input: entry 1: truncated file or wrong length: 1 bytes left, expected 9, at byte 6\n";
    assert_eq!((run.code, run.err.as_str()), (Some(1), said));
    // A KRB-ERROR whose version is 6; hexadecimal is taken off.
    let run = tagwise_with(&["krb5", "decode", "-"], b"7e073005a003020106");
    assert_eq!((run.code, run.err.contains("pvno")), (Some(1), true), "{}", run.err);
    let run = tagwise(&["krb5", "decrypt", "nothing"]);
    assert_eq!((run.code, run.err.contains("give --keytab or --ccache")), (Some(2), true), "{}", run.err);
    let run = tagwise_with(&["krb5", "dissect", "-"], b"GIF89a");
    assert_eq!((run.code, run.err.contains("neither pcap nor pcapng")), (Some(1), true), "{}", run.err);
}

#[test]
fn captured_messages_are_shown_and_opened() {
    let Some(folder) = corpus("kerberos/captures") else { return };
    let raw: Vec<String> = files(&folder.join("raw"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "bin"))
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    assert!(raw.len() >= 166);
    let all: Vec<&str> = ["krb5", "decode"].into_iter().chain(raw.iter().map(String::as_str)).collect();
    let run = tagwise(&all);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for expected in
        ["PA-ENC-TIMESTAMP", "krbtgt/KRB.TEST (NT-SRV-INST)", "PA-ETYPE-INFO2", "KDC_ERR_PREAUTH_REQUIRED (25)"]
    {
        assert!(run.out.contains(expected), "{expected}");
    }
    assert!(!run.out.contains("error  "), "every value inside decodes");
    let keytab = text(&folder, "keys/all.keytab");
    let all: Vec<&str> =
        ["krb5", "decrypt", "--json", "--keytab", &keytab].into_iter().chain(raw.iter().map(String::as_str)).collect();
    let run = tagwise(&all);
    // Some stay closed: their passwords are in no keytab.
    assert_eq!(run.code, Some(1), "{}", run.err);
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let parts: Vec<&serde_json::Value> =
        shown["items"].as_array().unwrap().iter().flat_map(|item| item["parts"].as_array().unwrap()).collect();
    let opened = parts.iter().filter(|part| part["opened"] == true).count();
    assert_eq!((opened, parts.len() - opened), (277, 9));
    // KRB.TEST's KDC names what proved the user (RFC 8129).
    assert!(run.out.contains("\"spake\""), "authentication indicators are shown");
    assert!(run.out.contains("\"PAC\"") || run.out.contains("server checksum"), "PACs are shown");
    assert!(!run.out.contains("keyvalue\": \""), "no key is shown");
    dissected(&raw, &keytab);
}

/// The same messages in a file of pcap, as a KDC got and sent them over UDP.
fn dissected(raw: &[String], keytab: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut file = Vec::new();
    // magic, version 2.4, zone, accuracy, longest packet; raw IP
    for word in [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 65_535, 101] {
        file.extend(word.to_le_bytes());
    }
    let mut messages = 0;
    for path in raw.iter().filter(|path| !path.contains("kpasswd")) {
        let message = fs::read(path).unwrap();
        let to_kdc = path.contains("-c2s-");
        let (from, to): (u16, u16) = if to_kdc { (40_000, 88) } else { (88, 40_000) };
        let len = (message.len() + 8) as u16;
        let mut packet = vec![0x45, 0];
        packet.extend((len + 20).to_be_bytes());
        packet.extend([0, 0, 0, 0, 64, 17, 0, 0]);
        let (client, kdc) = ([10, 0, 0, 2], [10, 0, 0, 1]);
        packet.extend(if to_kdc { [client, kdc].concat() } else { [kdc, client].concat() });
        packet.extend([from.to_be_bytes(), to.to_be_bytes(), len.to_be_bytes(), [0, 0]].concat());
        packet.extend(&message);
        for word in [1_795_255_200, 0, packet.len() as u32, packet.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(packet);
        messages += 1;
    }
    let path = text(folder.path(), "trace.pcap");
    fs::write(&path, file).unwrap();
    let run = tagwise(&["krb5", "dissect", "--json", "--keytab", keytab, &path]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let found = shown["messages"].as_array().unwrap();
    assert_eq!((shown["schema"].as_str(), found.len()), (Some("tagwise.krb5-dissect/2"), messages));
    let opened = found.iter().flat_map(|one| one["parts"].as_array().into_iter().flatten());
    // Those of the password protocol are not there.
    assert!(opened.filter(|part| part["opened"] == true).count() > 250);
    let summary = found[0]["summary"].as_str().unwrap();
    assert!(summary.starts_with("AS-REQ of "), "{summary}");
    let run = tagwise(&["krb5", "dissect", "--full", &path]);
    assert!(
        run.out.contains("10.0.0.2:40000 > 10.0.0.1:88 UDP") && run.out.contains("  req body\n"),
        "{}",
        &run.out[..400]
    );
}
