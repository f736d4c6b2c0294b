//! CMS messages with indefinite lengths (X.690 §8.1.3.6), as programs write them that do not know the length of the content in advance.
//!
//! Each message is written as text, an element on a line: see `tagwise_notation`. RFC 5652 §5.1 and §6.1 have the types.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests: what they cannot do ends them")]

use tagwise_codec::{Budget, Decode as _, Options, ber};
use tagwise_notation::parse;
use tagwise_pkix::cms::ContentInfo;

/// SignedData with the content "abc" and without signers, in DER.
const SIGNED: &str = r#"
SEQUENCE {
  OBJECT_IDENTIFIER { 1.2.840.113549.1.7.2 }        # contentType: id-signedData
  [0] {
    SEQUENCE {
      INTEGER { 1 }                                 # version
      SET {}                                        # digestAlgorithms
      SEQUENCE {                                    # encapContentInfo
        OBJECT_IDENTIFIER { 1.2.840.113549.1.7.1 }  # eContentType: id-data
        [0] { OCTET_STRING { "abc" } }              # eContent
      }
      SET {}                                        # signerInfos
    }
  }
}"#;

/// The text before and after the content of a SignedData in which every length is indefinite. The string begins at byte 39.
const BEFORE: &str = r#"
SEQUENCE indefinite {
  OBJECT_IDENTIFIER { 1.2.840.113549.1.7.2 }
  [0] indefinite {
    SEQUENCE indefinite {
      INTEGER { 1 }
      SET indefinite {}
      SEQUENCE indefinite {
        OBJECT_IDENTIFIER { 1.2.840.113549.1.7.1 }
        [0] indefinite {
"#;
const AFTER: &str = r"
        }
      }
      SET indefinite {}
    }
  }
}";

/// EnvelopedData for a recipient that is named by nobody's name and the serial number 7, with the encrypted content 01020304, in DER.
const ENVELOPED: &str = r"
SEQUENCE {
  OBJECT_IDENTIFIER { 1.2.840.113549.1.7.3 }           # contentType: id-envelopedData
  [0] {
    SEQUENCE {
      INTEGER { 0 }                                    # version
      SET {                                            # recipientInfos
        SEQUENCE {                                     # ktri
          INTEGER { 0 }                                # version
          SEQUENCE { SEQUENCE {} INTEGER { 7 } }       # rid: issuerAndSerialNumber
          SEQUENCE {                                   # keyEncryptionAlgorithm
            OBJECT_IDENTIFIER { 1.2.840.113549.1.1.1 } # rsaEncryption
            NULL {}
          }
          OCTET_STRING { `aabb` }                      # encryptedKey
        }
      }
      SEQUENCE {                                       # encryptedContentInfo
        OBJECT_IDENTIFIER { 1.2.840.113549.1.7.1 }     # contentType: id-data
        SEQUENCE {                                     # contentEncryptionAlgorithm
          OBJECT_IDENTIFIER { 2.16.840.1.101.3.4.1.2 } # aes128-CBC
          OCTET_STRING { `00` }
        }
        [0 PRIMITIVE] { `01020304` }                   # encryptedContent
      }
    }
  }
}";

/// The same text with indefinite lengths for the values that have braces on several lines, and this encrypted content.
fn enveloped(content: &str) -> String {
    let text: Vec<&str> = ENVELOPED.lines().map(|line| line.split('#').next().unwrap_or_default().trim_end()).collect();
    let text = text.join("\n").replace(" {\n", " indefinite {\n");
    text.replace("[0 PRIMITIVE] { `01020304` }", content)
}

fn signed(content: &str) -> Vec<u8> {
    parse(format!("{BEFORE}{content}{AFTER}")).unwrap()
}

/// Each message has its error.
fn refused<'c>(cases: impl IntoIterator<Item = (&'c str, Vec<u8>, &'c str)>) {
    let mut wrong = Vec::new();
    for (case, message, expected) in cases {
        // The conversion is by the types, but leaves it to the decoder whether components are missing or too many.
        let read = ber::to_der::<ContentInfo<'_>>(&message).and_then(|canonical| {
            ContentInfo::from_der(&canonical.bytes).map(drop).map_err(|error| canonical.original(error))
        });
        let found = read.map_or_else(|error| error.to_string(), |()| "no error".to_owned());
        if found != expected {
            wrong.push(format!("{case}\n  found:    {found}\n  expected: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn signed_data_becomes_its_der() {
    let der = parse(SIGNED).unwrap();
    ContentInfo::from_der(&der).unwrap();
    let cases = [
        ("one segment", r#"[OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING { "abc" } }"#),
        ("several segments", r#"[OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING { "ab" } OCTET_STRING { "c" } }"#),
        (
            "empty segments",
            r#"[OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING {} OCTET_STRING { "abc" } OCTET_STRING {} }"#,
        ),
        (
            "segments in a string of definite length",
            r#"[OCTET_STRING CONSTRUCTED] { OCTET_STRING { "ab" } OCTET_STRING { "c" } }"#,
        ),
        (
            "segments in segments (X.690 §8.7.3.2, note 2)",
            r#"[OCTET_STRING CONSTRUCTED] indefinite {
                 [OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING { "a" } }
                 [OCTET_STRING CONSTRUCTED] { OCTET_STRING { "b" } }
                 OCTET_STRING { "c" }
               }"#,
        ),
        ("a primitive string inside indefinite lengths", r#"OCTET_STRING { "abc" }"#),
        ("a length of more bytes than it needs", r#"OCTET_STRING long-form:2 { "abc" }"#),
    ];
    for (case, content) in cases {
        let message = signed(content);
        let canonical = ber::to_der::<ContentInfo<'_>>(&message).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(*canonical.bytes, der, "{case}");
    }
}

#[test]
fn a_string_without_segments_is_empty() {
    let message = signed("[OCTET_STRING CONSTRUCTED] indefinite {}");
    let der = parse(SIGNED.replace("\"abc\"", "")).unwrap();
    assert_eq!(*ber::to_der::<ContentInfo<'_>>(&message).unwrap().bytes, der);
}

#[test]
fn enveloped_data_becomes_its_der() {
    let der = parse(ENVELOPED).unwrap();
    ContentInfo::from_der(&der).unwrap();
    // encryptedContent [0] IMPLICIT OCTET STRING: the segments have the tag of OCTET STRING (X.690 §8.14.3).
    let cases = [
        ("one segment", "[0] indefinite { OCTET_STRING { `01020304` } }"),
        ("several segments", "[0] indefinite { OCTET_STRING { `01` } OCTET_STRING { `020304` } }"),
        ("segments in a string of definite length", "[0] { OCTET_STRING { `0102` } OCTET_STRING { `0304` } }"),
        ("a primitive string", "[0 PRIMITIVE] { `01020304` }"),
    ];
    for (case, content) in cases {
        let message = parse(enveloped(content)).unwrap();
        let canonical = ber::to_der::<ContentInfo<'_>>(&message).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(*canonical.bytes, der, "{case}");
    }
}

#[test]
fn der_has_no_indefinite_lengths() {
    let message = signed(r#"OCTET_STRING { "abc" }"#);
    let error = ContentInfo::from_der(&message).unwrap_err();
    assert_eq!(error.to_string(), "the indefinite length form is not DER, at byte 1 (X.690 §10.1)");
}

/// The string begins at byte 39, its end-of-contents is at byte 46, and the message ends at byte 62.
#[test]
fn errors_of_signed_data() {
    let good = signed(r#"[OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING { "abc" } }"#);
    let with_excess = |excess: &str| [good.clone(), parse(excess).unwrap()].concat();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        (
            "the last end-of-contents is missing",
            good[..60].to_vec(),
            "content: the encoding ends inside an element, at byte 60 (X.690 §8.1.1)",
        ),
        // The path is that of the first component that is missing.
        (
            "all end-of-contents after the content are missing",
            good[..46].to_vec(),
            "content.signerInfos: the encoding ends inside an element, at byte 46 (X.690 §8.1.1)",
        ),
        (
            "the string has no end-of-contents: that of [0] ends it, and so on, so that one is missing at the end",
            signed(r#"[OCTET_STRING CONSTRUCTED] `80` OCTET_STRING { "abc" }"#),
            "content: the encoding ends inside an element, at byte 60 (X.690 §8.1.1)",
        ),
        (
            "an end-of-contents too early: it ends [0], and the next one the SEQUENCE",
            signed(r#"OCTET_STRING { "abc" } `0000`"#),
            "unexpected data after the last element, at byte 58 (X.690 §8.1.1)",
        ),
        (
            "an end-of-contents in a string of definite length",
            signed(r#"[OCTET_STRING CONSTRUCTED] { OCTET_STRING { "abc" } `0000` }"#),
            "content.encapContentInfo.eContent: unexpected end-of-contents bytes, at byte 46 (X.690 §8.1.5)",
        ),
        (
            "an end-of-contents with a length that is not 0",
            signed(r#"[OCTET_STRING CONSTRUCTED] `80` OCTET_STRING { "abc" } `0001ff`"#),
            "content.encapContentInfo.eContent: unexpected end-of-contents bytes, at byte 46 (X.690 §8.1.5)",
        ),
        (
            "a primitive string of indefinite length",
            signed(r#"OCTET_STRING indefinite { "abc" }"#),
            "content.encapContentInfo.eContent: a primitive element must have a definite length, at byte 40 (X.690 §8.1.3.2)",
        ),
        (
            "a segment of another type",
            signed(r#"[OCTET_STRING CONSTRUCTED] indefinite { OCTET_STRING { "ab" } UTF8String { "c" } }"#),
            "content.encapContentInfo.eContent: expected OCTET STRING, found UTF8String, at byte 45 (X.690 §8.1.2)",
        ),
        (
            "a segment longer than the string of definite length that contains it",
            signed(r#"[OCTET_STRING CONSTRUCTED] `04` OCTET_STRING { "abc" }"#),
            "content.encapContentInfo.eContent: the length exceeds the enclosing element, at byte 42 (X.690 §8.1.3)",
        ),
        (
            "a definite length inside an indefinite one that reaches beyond the end of the message",
            signed(r#"OCTET_STRING `7f` "abc""#),
            "content.encapContentInfo.eContent: the length exceeds the enclosing element, at byte 40 (X.690 §8.1.3)",
        ),
        (
            "a second string in [0]",
            signed(r#"OCTET_STRING { "abc" } OCTET_STRING { "d" }"#),
            "content.encapContentInfo.eContent: unexpected data after the last element, at byte 44 (X.690 §8.1.1)",
        ),
        (
            "an element after the message",
            with_excess("NULL {}"),
            "unexpected data after the last element, at byte 62 (X.690 §8.1.1)",
        ),
        (
            "an end-of-contents after the message",
            with_excess("`0000`"),
            "unexpected data after the last element, at byte 62 (X.690 §8.1.1)",
        ),
        (
            "a message of definite length that ends inside an indefinite one",
            parse("SEQUENCE { OBJECT_IDENTIFIER { 1.2.840.113549.1.7.2 } [0] `80` }").unwrap(),
            "content: the encoding ends inside an element, at byte 15 (X.690 §8.1.1)",
        ),
    ];
    refused(cases);
}

#[test]
fn errors_of_enveloped_data() {
    let cases = [
        (
            "segments with the tag of the component instead of that of OCTET STRING",
            "[0] indefinite { [0 PRIMITIVE] { `01` } }",
            "content.encryptedContentInfo.encryptedContent: expected OCTET STRING, found [0], at byte 92 (X.690 §8.1.2)",
        ),
        (
            "encrypted content without end-of-contents",
            "[0] `80` OCTET_STRING { `01020304` }",
            "content: the encoding ends inside an element, at byte 106 (X.690 §8.1.1)",
        ),
        (
            "encrypted content that is primitive and of indefinite length",
            "[0 PRIMITIVE] indefinite { `01020304` }",
            "content.encryptedContentInfo.encryptedContent: a primitive element must have a definite length, at byte 91 (X.690 §8.1.3.2)",
        ),
        (
            "excess data in the encrypted content info",
            "[0 PRIMITIVE] { `01` } NULL {}",
            "content.encryptedContentInfo: unexpected data after the last element, at byte 93 (X.690 §8.1.1)",
        ),
    ];
    refused(cases.map(|(case, content, expected)| (case, parse(enveloped(content)).unwrap(), expected)));
}

/// Nested segments count as levels, so a budget bounds them.
#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| {
        let open = "[OCTET_STRING CONSTRUCTED] indefinite { ".repeat(levels);
        signed(&format!("{open}OCTET_STRING {{ \"abc\" }}{}", " }".repeat(levels)))
    };
    let options = Options::ber_definite().budget(Budget { depth: 16, ..Budget::DEFAULT });
    assert_eq!(*ber::to_der_with::<ContentInfo<'_>>(&nested(8), &options).unwrap().bytes, parse(SIGNED).unwrap());
    let error = ber::to_der_with::<ContentInfo<'_>>(&nested(60), &options).map(|_| ()).unwrap_err();
    let expected = "content.encapContentInfo.eContent: the nesting exceeds the depth limit, at byte 63 (budget)";
    assert_eq!(error.to_string(), expected);
}
