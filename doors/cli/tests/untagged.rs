//! `tagwise decode` and `tagwise encode` with PER and OER.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{Run, tagwise_with};

const MODULE: &str = "\
Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Point ::= SEQUENCE { x INTEGER (0..100), up BOOLEAN, name IA5String (SIZE (1..8)) OPTIONAL, ... }
END
";
const JSON: &str = "{\"x\":5,\"up\":true,\"name\":\"ab\"}\n";

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("untagged");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn run(command: &str, test: &str, args: &[&str], input: &str) -> Run {
    let module = file(&format!("{test}.asn1"), MODULE);
    let mut all = vec![command, "--schema", &module];
    all.extend(args);
    all.push("-");
    tagwise_with(&all, input.as_bytes())
}

#[test]
fn both_ways() {
    for (rules, hex) in [
        ("uper", "42ce1c40"),
        ("aper", "42c86162"),
        ("cuper", "42ce1c40"),
        ("caper", "42c86162"),
        ("oer", "4005ff026162"),
        ("coer", "4005ff026162"),
    ] {
        let written = run("encode", rules, &["--rules", rules, "--to", "hex"], JSON);
        assert_eq!(written.out.trim(), hex, "{}", written.err);
        assert_eq!(run("decode", rules, &["--rules", rules, "--jer"], &written.out).out, JSON);
        let base64 = run("encode", rules, &["--rules", rules, "--to", "base64"], JSON);
        assert_eq!(run("decode", rules, &["--rules", rules, "--jer"], &base64.out).out, JSON);
        let text = run("decode", rules, &["--rules", rules], &written.out).out;
        assert_eq!(text, "x: 5\nup: TRUE\nname: \"ab\"\n");
    }
}

#[test]
fn positions_in_bits() {
    let hex = run("encode", "bits", &["--rules", "uper", "--to", "hex"], JSON).out;
    let read = run("decode", "bits", &["--rules", "uper", "--bits"], &hex);
    assert_eq!(read.out, " 0 27  .\n 2  7  x: 5\n 9  1  up: TRUE\n10 17  name: ab\n27  5  . (padding)\n");
    let octets = run("decode", "bits", &["--rules", "oer", "--bits"], "4005ff026162");
    assert_eq!(octets.out, " 0 48  .\n 8  8  x: 5\n16  8  up: TRUE\n24 24  name: ab\n");
    // Malformed input has positions up to the error.
    let broken = run("decode", "bits", &["--rules", "oer", "--bits"], "4005ff0261");
    assert_eq!(
        (broken.code, &*broken.out),
        (Some(1), " 0  ?  .\n 8  8  x\n16  8  up\n24  ?  name\n"),
        "{}",
        broken.err
    );
    assert!(broken.err.contains("name"), "{}", broken.err);
    let refused = run("decode", "bits", &["--rules", "ber", "--bits"], "00");
    assert_eq!(
        (refused.code, refused.err.trim()),
        (Some(2), "tagwise: --bits needs --rules uper, aper, cuper, caper, oer or coer")
    );
    assert_eq!(run("decode", "bits", &["--rules", "uper", "--offset"], "00").code, Some(2));
}

#[test]
fn errors_have_bits_and_clauses() {
    let refused = run("decode", "errors", &["--rules", "uper"], "02E1");
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err,
        "tagwise: standard input: padding bits are not zero, at bit 10 (X.691 §11.1); --allow per-padding-zero tolerates this\n"
    );
    let tolerated = run("decode", "errors", &["--rules", "uper", "--jer", "--allow", "per-padding-zero"], "02E1");
    assert_eq!((tolerated.code, &*tolerated.out), (Some(0), "{\"x\":5,\"up\":true}\n"));
    assert!(tolerated.err.contains("note: per-padding-zero tolerated at bit 10"), "{}", tolerated.err);
    let all = run("decode", "errors", &["--rules", "uper", "--jer", "--allow", "all"], "02E100");
    assert_eq!((all.code, &*all.out), (Some(0), "{\"x\":5,\"up\":true}\n"), "{}", all.err);
    let range = run("decode", "errors", &["--rules", "uper"], "3FC0");
    assert_eq!(
        range.err,
        "tagwise: standard input: x: the value is 127; allowed 0..100, at bit 2 (X.691 §11.5); --allow value tolerates this\n"
    );
}

#[test]
fn conversions_between_all_rules() {
    let forms = [
        ("uper", "42ce1c40"),
        ("aper", "42c86162"),
        ("caper", "42c86162"),
        ("coer", "4005ff026162"),
        ("der", "300a8001058101ff82026162"),
        ("cer", "30808001058101ff820261620000"),
    ];
    for (from, input) in forms {
        for (to, output) in forms {
            let done = run("convert", "convert", &["--from", from, "--to", &format!("{to},hex")], input);
            assert_eq!((done.code, done.out.trim()), (Some(0), output), "{from} to {to}: {}", done.err);
        }
        assert_eq!(run("convert", "convert", &["--from", from, "--to", "json"], input).out, JSON);
        let back = run("convert", "convert", &["--from", "json", "--to", &format!("{from},hex")], JSON);
        assert_eq!(back.out.trim(), input, "{}", back.err);
    }
    // Without rules, any BER is accepted.
    let indefinite = run("convert", "convert", &["--to", "uper,hex"], "30808001058101ff820261620000");
    assert_eq!(indefinite.out.trim(), "42ce1c40", "{}", indefinite.err);
    let ber = run("convert", "convert", &["--from", "uper", "--to", "ber,hex"], "42ce1c40");
    assert_eq!(ber.out.trim(), "30808001058101ff820261620000");
    let pem = run("convert", "convert", &["--from", "uper", "--to", "uper,pem", "--label", "POINT"], "42ce1c40");
    assert!(pem.out.starts_with("-----BEGIN POINT-----\n"), "{}", pem.err);
    assert_eq!(run("convert", "convert", &["--from", "uper", "--to", "json"], &pem.out).out, JSON);
}

/// BER leaves the form of values to the sender (X.690 §8), so that only lengths change.
#[test]
fn conversions_to_ber_keep_every_form() {
    let module = file(
        "forms.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { t UTCTime, r REAL OPTIONAL, s OCTET STRING OPTIONAL, b BOOLEAN DEFAULT TRUE } END",
    );
    // A time with an offset, 15E1, a string in segments, and a DEFAULT value.
    let parts = ["800f323631313239313230302b30313030", "81050331354531", "a2", "0401010402 0203", "830101"];
    let [time, real, string, segments, default] = parts.map(|part| part.replace(' ', ""));
    let ber = format!("3024{time}{real}{string}07{segments}{default}");
    let convert = |input: &str| {
        tagwise_with(&["convert", "--schema", &module, "--from", "ber", "--to", "ber,hex", "-"], input.as_bytes())
    };
    let done = convert(&ber);
    let expected = format!("3080{time}{real}{string}80{segments}0000{default}0000");
    assert_eq!((done.code, done.out.replace('\n', ""), done.err.as_str()), (Some(0), expected, ""));
    // It is still checked.
    assert_eq!(convert(&ber.replace("830101", "840101")).code, Some(1));
}

/// An exceeded limit says nothing about the rest of the input.
#[test]
fn exceeded_limits_are_not_known() {
    let module = file(
        "limits.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        N ::= SEQUENCE OF NULL
        D ::= SEQUENCE { d D OPTIONAL } END",
    );
    let of = |words: &str, input: &[u8]| {
        let words: Vec<&str> = words.split(' ').map(|word| if word == "FILE" { &module } else { word }).collect();
        tagwise_with(&words, input)
    };
    let (many, deep) = ("c4".repeat(10) + "00", "{\"d\":".repeat(70) + "{}" + &"}".repeat(70));
    let nested = "3080".repeat(200) + &"0000".repeat(200);
    for (words, input, message) in [
        ("decode --schema FILE --type N --rules uper -", &many, "the number of elements exceeds the budget"),
        ("convert --schema FILE --type N --from uper --to der -", &many, "the number of elements exceeds the budget"),
        ("encode --schema FILE --type D -", &deep, "the nesting exceeds the depth limit"),
        ("convert --schema FILE --type D --from json --to der -", &deep, "the nesting exceeds the depth limit"),
        ("decode --schema FILE --type D --rules ber -", &nested, "the nesting exceeds the depth limit"),
        ("dump --rules ber -", &nested, "the nesting exceeds the depth limit"),
    ] {
        let done = of(words, input.as_bytes());
        assert_eq!(done.code, Some(4), "{words}: {}", done.err);
        assert!(done.err.contains(message), "{words}: {}", done.err);
    }
}

#[test]
fn forms_of_json_and_gser_have_hints() {
    for (rules, hint) in [("jer", "hint: JER (X.697) is "), ("gser", "hint: GSER (RFC 3641) is ")] {
        let done = run("decode", "jer", &["--rules", rules], "{}");
        let said = format!("tagwise: --rules does not accept '{rules}'\n{hint}");
        assert!(done.code == Some(2) && done.err.starts_with(&said), "{}", done.err);
    }
}

#[test]
fn padding_is_named() {
    let module =
        file("padding.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, b OCTET STRING } END");
    let run = |words: &[&str]| {
        let all = [words, &["--schema", &module, "--rules", "aper", "-"]].concat();
        tagwise_with(&all, b"80020102").out
    };
    assert_eq!(run(&["decode", "--bits"]), " 0 32  .\n 0  1  a: TRUE\n 1 31  b: 0102\n 1  7  b (padding)\n");
    assert_eq!(run(&["explain", "--bit", "0"]), "a\n");
    assert_eq!(run(&["explain", "--bit", "7"]), "b (padding)\n");
    assert_eq!(run(&["explain", "--bit", "8"]), "b\n");
}

#[test]
fn conversions_are_checked() {
    let wrong = run("convert", "checked", &["--from", "uper", "--to", "der"], "3FC0");
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err.contains("x: the value is "), "{}", wrong.err);
    let allow = ["--from", "uper", "--to", "uper,hex", "--allow", "per-padding-zero"];
    let tolerated = run("convert", "checked", &allow, "02E1");
    assert_eq!(tolerated.out.trim(), "02c0");
    assert!(tolerated.err.contains("note: per-padding-zero tolerated at bit 10"), "{}", tolerated.err);
    // An addition that the schema does not have can only stay under its rules.
    let extended = "82c0405000";
    assert_eq!(run("convert", "checked", &["--from", "uper", "--to", "cuper,hex"], extended).out.trim(), extended);
    let lost = run("convert", "checked", &["--from", "uper", "--to", "der"], extended);
    assert_eq!(lost.code, Some(1), "{}", lost.out);
    for (to, reason) in [
        ("hex", "--to with --schema requires encoding rules or json"),
        ("p7", "--to with --schema accepts encoding rules, wrappings and json"),
    ] {
        let refused = run("convert", "checked", &["--from", "uper", "--to", to], "02E0");
        assert!(refused.code == Some(2) && refused.err.contains(reason), "{}", refused.err);
    }
    let refused = tagwise_with(&["convert", "--from", "uper", "--to", "der", "-"], b"02E0");
    assert_eq!(
        (refused.code, refused.err.trim()),
        (Some(2), "tagwise: --from with PER, OER and XER requires --schema")
    );
}

/// Damaged hexadecimal text is not read as binary data, although every byte of it could be a value.
#[test]
fn damaged_text_is_not_binary() {
    let module = file(
        "octets.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Q ::= SEQUENCE { a INTEGER (0..255), b INTEGER (0..255), c INTEGER (0..255), d INTEGER (0..255) } END",
    );
    let decode = |more: &[&str], input: &[u8]| {
        tagwise_with(
            &[&["decode", "-s", module.as_str(), "--type", "Q", "--rules", "uper", "--jer"], more, &["-"]].concat(),
            input,
        )
    };
    let values = "{\"a\":48,\"b\":49,\"c\":48,\"d\":49}\n";
    let cut = decode(&[], b"0101");
    assert_eq!((cut.code, cut.out.as_str()), (Some(1), ""));
    assert!(cut.err.contains("look like text: expected --from with binary, hex or base64"), "{}", cut.err);
    assert_eq!(decode(&["--from", "binary"], b"0101").out, values);
    let odd = decode(&[], b"303130310\n");
    assert!(odd.code == Some(1) && odd.err.contains("an odd number of hexadecimal digits"), "{}", odd.err);
    assert_eq!(decode(&[], b"30313031\n").out, values);
    assert_eq!(decode(&[], &[0x30, 0x31, 0x30, 0xFF]).code, Some(0));
    let tagged = tagwise_with(&["decode", "-s", &module, "--type", "Q", "-"], b"30001\n");
    assert!(tagged.code == Some(1) && tagged.err.contains("an odd number of hexadecimal digits"), "{}", tagged.err);
}

#[test]
fn paths_of_bits() {
    for (rules, place, path) in [
        (["--rules", "uper"], ["--bit", "8"], "x\n"),
        (["--rules", "uper"], ["--bit", "9"], "up\n"),
        (["--rules", "uper"], ["--bit", "12"], "name\n"),
        (["--rules", "uper"], ["--bit", "0"], "Point itself\n"),
    ] {
        let said = run("explain", "explain", &[&rules[..], &place].concat(), "42ce1c40");
        assert_eq!(said.out, path, "{}", said.err);
    }
    assert_eq!(run("explain", "explain", &["--rules", "oer", "2"], "4005ff026162").out, "up\n");
    assert_eq!(run("explain", "explain", &["4"], "300a8001058101ff82026162").out, "x\n");
    // A violated constraint hides nothing that follows. Nothing is known behind an error of the encoding.
    assert_eq!(run("explain", "explain", &["--rules", "uper", "--bit", "12"], "7fce1c40").out, "name\n");
    assert_eq!(run("explain", "explain", &["--rules", "uper", "--bit", "3"], "7FFF").out, "x\n");
    for (bit, code) in [("8", 0), ("12", 1), ("23", 1)] {
        let cut = run("explain", "explain", &["--rules", "uper", "--bit", bit], "42ce1c");
        assert_eq!(cut.code, Some(code), "{bit}: {}{}", cut.out, cut.err);
    }
    let behind = run("explain", "explain", &["--rules", "uper", "--bit", "32"], "42ce1c40");
    assert_eq!(
        (behind.code, behind.err.trim()),
        (Some(1), "tagwise: standard input: the value has 4 bytes, which are 32 bits")
    );
    assert_eq!(tagwise_with(&["explain", "--bit", "3", "-"], b"00").code, Some(2));
    assert_eq!(tagwise_with(&["explain", "-"], b"00").code, Some(2));
    // In XML and with other lengths, a byte has another place than in DER.
    for rules in ["ber", "cer", "xer", "cxer", "exer"] {
        let run = run("explain", "explain", &["--rules", rules, "2"], "4005ff026162");
        let said = format!(
            "error: invalid value '{rules}' for '--rules <RULES>'\n  [possible values: der, uper, aper, cuper, caper, oer, coer]\n"
        );
        assert_eq!((run.code, run.err.starts_with(&said)), (Some(2), true), "{}", run.err);
    }
}

#[test]
fn rules_are_listed() {
    let list = tagwise_with(&["rules"], b"").out;
    let json: serde_json::Value = serde_json::from_str(&tagwise_with(&["rules", "--json"], b"").out).unwrap();
    for rule in tagwise_per::Rule::ALL {
        assert!(list.contains(rule.name()) && list.contains(rule.summary()), "{rule}");
        let row = json["rules"].as_array().unwrap().iter().find(|row| row["name"] == rule.name()).unwrap();
        let layer = if rule.name().starts_with("oer-") { "OER" } else { "PER" };
        assert_eq!((&row["layer"], &row["clause"]), (&layer.into(), &rule.clause().into()));
    }
    let near = run("decode", "near", &["--allow", "per-padding"], "00").err;
    assert!(near.contains("did you mean per-padding-zero"), "{near}");
}

#[test]
fn elements_are_not_dumped() {
    for rules in ["uper", "coer"] {
        let refused = tagwise_with(&["dump", "--rules", rules, "-"], b"00");
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("use tagwise decode --schema PATH --rules RULES --bits"), "{}", refused.err);
    }
}

/// 49 digits behind their length, 0x31, look like 50 hexadecimal digits, which are a value, too.
#[test]
fn binary_data_that_looks_like_text_is_refused_without_its_form() {
    let module = file(
        "text.asn1",
        "Y DEFINITIONS AUTOMATIC TAGS ::= BEGIN O ::= OCTET STRING P ::= OCTET STRING (SIZE (4)) END",
    );
    let binary = format!("18{:048}", 0);
    let decode = |ty: &str, input: &str, more: &[&str]| {
        let mut all = vec!["decode", "--schema", &module, "--type", ty, "--rules", "oer", "--jer"];
        all.extend(more);
        all.push("-");
        tagwise_with(&all, input.as_bytes())
    };
    let unclear = decode("O", &binary, &[]);
    assert_eq!(unclear.code, Some(1));
    assert!(unclear.err.contains("expected --from with binary, hex or base64"), "{}", unclear.err);
    let raw = decode("O", &binary, &["--from", "binary"]);
    assert_eq!(raw.out, format!("\"38{}\"\n", "30".repeat(48)), "{}", raw.err);
    assert_eq!(decode("O", &binary, &["--from", "hex"]).out, format!("\"{}\"\n", "00".repeat(24)));
    // Digits that are no value as text may be damaged text.
    let damaged = decode("P", "0000", &[]);
    assert_eq!((damaged.code, damaged.out.as_str()), (Some(1), ""));
    assert!(damaged.err.contains("as text, "), "{}", damaged.err);
    assert_eq!(decode("P", "0000", &["--from", "binary"]).out, "\"30303030\"\n");
    assert_eq!(decode("P", "00000000", &[]).out, "\"00000000\"\n");
    assert_eq!(decode("P", "AAAA", &["--from", "hex"]).code, Some(1));
}

/// A value without bytes is an empty file in OER (X.696 §15, §16), and a zero byte in PER (X.691 §11.1.3).
#[test]
fn values_without_bytes() {
    let module = file("nothing.asn1", "M DEFINITIONS ::= BEGIN N ::= NULL S ::= SEQUENCE { } B ::= BOOLEAN END");
    let run = |command: &str, ty: &str, rules: [&str; 2], input: &str| {
        let all = [command, "--schema", &module, "--type", ty, rules[0], rules[1], "-"];
        tagwise_with(&all, input.as_bytes())
    };
    for (ty, json) in [("N", "null\n"), ("S", "{}\n")] {
        for rules in ["oer", "coer"] {
            let written = run("encode", ty, ["--rules", rules], json);
            assert_eq!((written.code, &*written.out), (Some(0), ""), "{}", written.err);
            let all = ["decode", "--schema", &module, "--type", ty, "--rules", rules, "--jer", "-"];
            let read = tagwise_with(&all, b"");
            assert_eq!((read.code, &*read.out), (Some(0), json), "{}", read.err);
        }
        let all = ["convert", "--schema", &module, "--type", ty, "--from", "oer", "--to", "uper,hex", "-"];
        assert_eq!(tagwise_with(&all, b"").out, "00\n");
    }
    let short = run("decode", "B", ["--rules", "oer"], "");
    assert_eq!(
        (short.code, &*short.err),
        (Some(1), "tagwise: standard input: the input ends within a value, at byte 0\n")
    );
    assert_eq!(run("decode", "N", ["--rules", "uper"], "").code, Some(1));
    let empty = run("decode", "N", ["--rules", "der"], "");
    assert_eq!((empty.code, &*empty.err), (Some(1), "tagwise: standard input: the file is empty\n"));
}

#[test]
fn several_values_need_pem() {
    let two = format!("{JSON}{JSON}");
    for (rules, to) in [("uper", "binary"), ("oer", "hex"), ("aper", "base64"), ("xer", "binary")] {
        let refused = run("encode", "several", &["--rules", rules, "--to", to], &two);
        let rules = rules.to_uppercase();
        let message = format!(
            "tagwise: standard input: 2 values, expected one: without PEM, output in {rules} can hold only one value\n"
        );
        assert_eq!((refused.code, &*refused.out, &*refused.err), (Some(1), "", &*message));
    }
    let pem = run("encode", "several", &["--rules", "uper", "--to", "pem", "--label", "POINT"], &two);
    assert_eq!(run("decode", "several", &["--rules", "uper", "--jer"], &pem.out).out, two, "{}", pem.err);
    let der = run("encode", "several", &["--to", "hex"], &two);
    assert_eq!(run("decode", "several", &["--jer"], &der.out).out, two, "{}", der.err);
    for (from, input) in [("json", &two), ("uper", &pem.out), ("der", &der.out)] {
        let refused = run("convert", "several", &["--from", from, "--to", "oer,hex"], input);
        assert_eq!((refused.code, &*refused.out), (Some(1), ""), "{from}");
        assert!(refused.err.contains("2 values, expected one"), "{}", refused.err);
    }
}

#[test]
fn strict_conversions_have_no_notes() {
    let args = ["--from", "uper", "--to", "json", "--allow", "per-padding-zero", "--strict"];
    let refused = run("convert", "strict", &args, "02E1");
    assert_eq!((refused.code, &*refused.out), (Some(1), ""));
    assert!(refused.err.contains("note: per-padding-zero tolerated at bit 10"), "{}", refused.err);
    assert!(refused.err.contains("nothing was written because of --strict"), "{}", refused.err);
    assert_eq!(run("convert", "strict", &args, "02C0").out, "{\"x\":5,\"up\":true}\n");
}

#[test]
fn constraints_that_are_not_checked_are_told() {
    let text = "M DEFINITIONS ::= BEGIN F ::= REAL (WITH COMPONENTS {..., base (2, ..., 10)}) N ::= NULL END";
    let module = file("unchecked.asn1", text);
    let note = "not checked: a constraint on the components of a REAL, EXTERNAL, EMBEDDED PDV or CHARACTER STRING: \
                (WITH COMPONENTS {..., base (2, ..., 10)})";
    let stderr = format!("tagwise: standard input: note: {note}\n");
    for args in [&["encode", "--to", "hex"][..], &["convert", "--from", "json", "--to", "uper,hex"]] {
        let done = tagwise_with(&[args, &["--schema", &module, "--type", "F", "-"]].concat(), b"1");
        assert_eq!((done.code, &*done.err), (Some(0), &*stderr));
    }
    let done = tagwise_with(&["decode", "--schema", &module, "--type", "F", "--json", "-"], &[9, 3, 0x80, 0, 1]);
    assert_eq!((done.code, &*done.err), (Some(0), &*stderr));
    assert!(done.out.contains(&format!("\"unchecked\":[\"{note}\"]")), "{}", done.out);
    let quiet = tagwise_with(&["decode", "--schema", &module, "--type", "N", "-"], &[5, 0]);
    assert_eq!((quiet.code, &*quiet.err), (Some(0), ""));
    let checked = tagwise_with(&["compile", "--check", &module], b"");
    assert_eq!(checked.code, Some(0));
    assert!(checked.err.contains(":1: note: not checked: a constraint on the components"), "{}", checked.err);
}

#[test]
fn constraints_can_be_tolerated() {
    let module = file("allow.asn1", "M DEFINITIONS ::= BEGIN S ::= UTF8String (SIZE (2)) END");
    let refused = tagwise_with(&["decode", "--schema", &module, "--rules", "oer", "-"], &[1, b'a']);
    let message = "the size is 1; allowed 2, at byte 0 (X.680 §51.5); --allow size tolerates this\n";
    assert_eq!((refused.code, refused.err), (Some(1), format!("tagwise: standard input: {message}")));
    let args = ["decode", "--schema", &module, "--rules", "oer", "--jer", "--allow", "size", "-"];
    let done = tagwise_with(&args, &[1, b'a']);
    assert_eq!((done.code, &*done.out), (Some(0), "\"a\"\n"), "{}", done.err);
    assert!(done.err.contains("note: size tolerated at byte 0"), "{}", done.err);
    // It is not encoded again.
    let args = ["convert", "--schema", &module, "--from", "oer", "--to", "coer,hex", "--allow", "size", "-"];
    let refused = tagwise_with(&args, &[1, b'a']);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("the size is 1; allowed 2"), "{}", refused.err);
}
