//! `tagwise decode` and `tagwise encode` with XER and GSER.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Run, tagwise_with};

const MODULE: &str = "\
Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Point ::= SEQUENCE { x INTEGER (0..100), up BOOLEAN, name IA5String (SIZE (1..8)) OPTIONAL, ... }
END
";
const JSON: &str = "{\"x\":5,\"up\":true,\"name\":\"a\\\"b\"}\n";
const XML: &str = "<Point><x>5</x><up><true/></up><name>a\"b</name></Point>";

fn run(command: &str, test: &str, args: &[&str], input: &str) -> Run {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("xer");
    std::fs::create_dir_all(&folder).unwrap();
    let module = folder.join(format!("{test}.asn1"));
    std::fs::write(&module, MODULE).unwrap();
    let mut all = vec![command, "--schema", module.to_str().unwrap()];
    all.extend(args);
    all.push("-");
    tagwise_with(&all, input.as_bytes())
}

#[test]
fn both_ways() {
    let basic = run("encode", "both", &["--rules", "xer"], JSON);
    assert_eq!(basic.out, format!("{XML}\n"), "{}", basic.err);
    let canonical = run("encode", "both", &["--rules", "cxer"], JSON);
    assert_eq!(canonical.out, XML);
    assert_eq!(run("decode", "both", &["--rules", "xer", "--jer"], &basic.out).out, JSON);
    assert_eq!(run("decode", "both", &["--rules", "cxer", "--jer"], &canonical.out).out, JSON);
    let text = run("decode", "both", &["--rules", "xer"], &basic.out).out;
    assert_eq!(text, "x: 5\nup: TRUE\nname: \"a\"b\"\n");
}

#[test]
fn errors_have_offsets_and_clauses() {
    let refused = run("decode", "errors", &["--rules", "cxer"], &format!("{XML}\n"));
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err,
        "tagwise: standard input: there is white-space outside of character strings, at byte 55 (X.693 §9.1.2); \
         --allow xer-white-space tolerates this\n"
    );
    let allowed =
        run("decode", "errors", &["--rules", "cxer", "--jer", "--allow", "xer-white-space"], &format!("{XML}\n"));
    assert_eq!((allowed.code, &*allowed.out), (Some(0), JSON));
    assert!(allowed.err.contains("note: xer-white-space tolerated at byte 55"), "{}", allowed.err);
    let range = run("decode", "errors", &["--rules", "xer"], "<Point><x>101</x><up><true/></up></Point>");
    let message = "x: the value is 101; allowed 0..100, at byte 7; --allow value tolerates this\n";
    assert_eq!(range.err, format!("tagwise: standard input: {message}"));
    assert_eq!(run("decode", "errors", &["--rules", "xer", "--bits"], XML).code, Some(2));
}

#[test]
fn unknown_elements_are_kept() {
    let read = run("decode", "unknown", &["--rules", "xer", "--jer"], "<Point><x>5</x><up><true/></up><new/></Point>");
    let json = "{\"x\":5,\"up\":true,\"$additions\":[{\"$xer\":\"3C6E65772F3E\",\"$number\":2}]}\n";
    assert_eq!((read.code, &*read.out, &*read.err), (Some(0), json, ""));
    let again = run("encode", "unknown", &["--rules", "cxer"], json);
    assert_eq!(again.out, "<Point><x>5</x><up><true/></up><new/></Point>");
    let text = run("decode", "unknown", &["--rules", "xer"], &again.out);
    assert_eq!(text.out, "x: 5\nup: TRUE\n...: <new/>\n");
}

#[test]
fn generic_strings() {
    let der = run("encode", "gser", &["--to", "hex"], JSON).out;
    assert_eq!(run("decode", "gser", &["--gser"], &der).out, "{ x 5, up TRUE, name \"a\"\"b\" }\n");
    assert_eq!(run("decode", "gser", &["--rules", "xer", "--gser"], XML).out, "{ x 5, up TRUE, name \"a\"\"b\" }\n");
    assert_eq!(run("decode", "gser", &["--gser", "--jer"], &der).code, Some(2));
}
