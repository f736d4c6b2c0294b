//! `tagwise krb5 decode` and `decrypt` on what travels beside plain messages: tokens, negotiations, bodies of proxies, values without a
//! tag of their own, old credential caches; by their bytes and by `--type`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;

use common::{Run, tagwise, tagwise_with};
use serde_json::Value;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::Principal;
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, Step};

/// An element of DER.
fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = u16::try_from(content.len()).unwrap();
    let [high, low] = len.to_be_bytes();
    match len {
        0..=0x7F => [&[tag, low], content].concat(),
        0x80..=0xFF => [&[tag, 0x81, low], content].concat(),
        _ => [&[tag, 0x82, high, low], content].concat(),
    }
}

/// An AS-REQ of alice@KRB.TEST.
fn as_req() -> Vec<u8> {
    let backend = AwsLc::new();
    let client = Principal::parse("alice@KRB.TEST", None).unwrap();
    let login = Login::Password(Secret::from(&b"alicepw"[..]));
    let mut exchange = AsExchange::new(&backend, AsOptions::new(client), login);
    let Step::Send { message, .. } = exchange.start(Moment::now()).unwrap() else { panic!("no request") };
    message
}

fn decoded(run: &Run) -> (String, Value) {
    assert_eq!(run.code, Some(0), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let item = &document["items"][0];
    (item["kind"].as_str().unwrap().to_owned(), item["content"].clone())
}

fn decode(bytes: &[u8]) -> (String, Value) {
    decoded(&tagwise_with(&["krb5", "decode", "--json", "-"], bytes))
}

fn decode_as(name: &str, bytes: &[u8]) -> (String, Value) {
    decoded(&tagwise_with(&["krb5", "decode", "--json", "--type", name, "-"], bytes))
}

/// A token of GSS-API: the mechanism's object identifier, and what is behind it.
fn token(mech: &[u8], inner: &[u8]) -> Vec<u8> {
    tlv(0x60, &[&tlv(6, mech), inner].concat())
}

const IAKERB: &[u8] = &[0x2B, 6, 1, 5, 2, 5];
const SPNEGO: &[u8] = &[0x2B, 6, 1, 5, 5, 2];
const KRB5: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 1, 2, 2];
/// A MIC token of number 7.
const MIC: &[u8] = &[4, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 7, 1, 2, 3, 4];

#[test]
fn a_request_in_each_of_its_frames() {
    let request = as_req();
    let (kind, content) = decode(&request);
    assert_eq!((kind.as_str(), &content["req_body"]["cname"]["name"]), ("AS-REQ", &"alice".into()));
    // Without its tag.
    let bare = &request[if request[1] == 0x82 { 4 } else { 3 }..];
    let (kind, content) = decode(bare);
    assert_eq!((kind.as_str(), &content["req_body"]["realm"]), ("KDC-REQ", &"KRB.TEST".into()));
    assert_eq!(decode_as("kdc-req", bare).0, "KDC-REQ");
    // Behind a proxy (MS-KKDCP §2.2.2).
    let len = u32::try_from(request.len()).unwrap().to_be_bytes();
    let message = tlv(0xA0, &tlv(4, &[&len[..], &request].concat()));
    let domain = tlv(0xA1, &tlv(0x1B, b"KRB.TEST"));
    let proxied = tlv(0x30, &[message, domain].concat());
    let (kind, content) = decode(&proxied);
    assert_eq!(kind, "KDC-PROXY-MESSAGE");
    assert_eq!(content["target_domain"], "KRB.TEST");
    assert_eq!(content["kerb_message"]["kind"], "AS-REQ");
    assert_eq!(content["kerb_message"]["message"]["req_body"]["cname"]["name"], "alice");
    // In IAKERB: a header, and the message behind it.
    let header = tlv(0x30, &tlv(0xA1, &tlv(0x0C, b"KRB.TEST")));
    let (kind, content) = decode(&token(IAKERB, &[&[5, 1], &header[..], &request].concat()));
    assert_eq!(kind, "IAKERB token");
    assert_eq!(content["as_req"]["req_body"]["cname"]["name"], "alice");
    assert!(content["iakerb_header"]["target_realm"].to_string().contains("KRB.TEST"), "{content}");
    assert!(decode(&token(IAKERB, &[&[5, 1], &header[..]].concat())).1["as_req"].is_null());
    // All of these can be opened, though there is nothing encrypted in them yet.
    let folder = tempfile::tempdir().unwrap();
    let keytab = folder.path().join("a.keytab").display().to_string();
    assert_eq!(
        tagwise(&["krb5", "ktutil", "add", &keytab, "-p", "a@B", "--random", "-e", "aes256-sha1"]).code,
        Some(0)
    );
    let run = tagwise_with(&["krb5", "decrypt", "--json", "-t", &keytab, "-"], &proxied);
    assert!(run.out.contains("\"parts\": []") && !run.out.contains("error"), "{}", run.out);
}

#[test]
fn negotiations_and_tokens_of_messages() {
    // NegTokenInit: mechTypes of Kerberos alone, mechListMIC.
    let mechs = tlv(0xA0, &tlv(0x30, &tlv(6, KRB5)));
    let init = tlv(0xA0, &tlv(0x30, &[mechs, tlv(0xA3, &tlv(4, MIC))].concat()));
    for bytes in [init.clone(), token(SPNEGO, &init)] {
        let (_, content) = decode(&bytes);
        assert!(content.to_string().contains("1.2.840.113554.1.2.2"), "{content}");
        assert!(content.to_string().contains("\"sequence_number\":7"), "{content}");
    }
    // NegTokenResp: accept-completed, mechListMIC.
    let response = tlv(0xA1, &tlv(0x30, &[tlv(0xA0, &[0x0A, 1, 0]), tlv(0xA3, &tlv(4, MIC))].concat()));
    let (kind, content) = decode(&response);
    assert_eq!(kind, "NegotiationToken");
    assert_eq!(content["neg_token_resp"]["mech_list_mic"]["sequence_number"], 7);
    assert_eq!(decode(MIC).0, "MIC token");
    // A Wrap token without flags is no credential cache.
    let wrap =
        [&[5, 4, 0, 0xFF, 0, 12, 0, 0, 0, 0, 0, 0, 0x1B, 0x2D, 0x27, 0xCE][..], b"hello, and a checksum"].concat();
    let (kind, content) = decode(&wrap);
    assert_eq!((kind.as_str(), &content["sequence_number"]), ("Wrap token", &0x1B2D_27CE.into()));
    assert_eq!(decode_as("Wrap", &wrap).0, "Wrap token");
    let run = tagwise_with(&["krb5", "decode", "--type", "ccache", "-"], &wrap);
    assert_eq!(run.code, Some(1), "{}", run.out);
}

#[test]
fn credentials_that_are_not_encrypted() {
    // KRB-CRED without tickets; encryption type 0; EncKrbCredPart (RFC 6448 §2).
    let part = tlv(0x7D, &tlv(0x30, &tlv(0xA0, &tlv(0x30, b""))));
    let encrypted = tlv(0x30, &[tlv(0xA0, &[2, 1, 0]), tlv(0xA2, &tlv(4, &part))].concat());
    let fields = [tlv(0xA0, &[2, 1, 5]), tlv(0xA1, &[2, 1, 22]), tlv(0xA2, &tlv(0x30, b"")), tlv(0xA3, &encrypted)];
    let (kind, content) = decode(&tlv(0x76, &tlv(0x30, &fields.concat())));
    assert_eq!(kind, "KRB-CRED");
    assert_eq!(content["enc_part"]["content"]["ticket_info"], Value::Array(Vec::new()), "{content}");
}

#[test]
fn values_by_the_name_of_their_type() {
    // TYPED-DATA: TD-DH-PARAMETERS (109).
    let typed = tlv(0x30, &tlv(0x30, &[tlv(0xA0, &[2, 1, 109]), tlv(0xA1, &tlv(4, b"x"))].concat()));
    assert_eq!(decode(&typed).0, "TYPED-DATA");
    // METHOD-DATA: PA-FX-FAST, empty.
    let methods = tlv(0x30, &tlv(0x30, &[tlv(0xA1, &[2, 2, 0, 0x88]), tlv(0xA2, &tlv(4, b""))].concat()));
    assert_eq!(decode(&methods).0, "METHOD-DATA");
    // AuthorizationData: AD-IF-RELEVANT.
    let data = tlv(0x30, &tlv(0x30, &[tlv(0xA0, &[2, 1, 1]), tlv(0xA1, &tlv(4, &tlv(0x30, b"")))].concat()));
    assert_eq!(decode(&data).0, "AuthorizationData");
    // AD-SIGNEDPATH: encryption type 18, a checksum of type 16.
    let sum = tlv(0x30, &[tlv(0xA0, &[2, 1, 16]), tlv(0xA1, &tlv(4, b"12 bytes long"))].concat());
    let path = tlv(0x30, &[tlv(0xA0, &[2, 1, 18]), tlv(0xA1, &sum)].concat());
    assert_eq!(decode_as("AD-SIGNEDPATH", &path).1["cksum"]["cksumtype"]["number"], 16);
    // OTP-TOKENINFO: no flags.
    let info = tlv(0x30, &tlv(0x80, &[0, 0, 0, 0, 0]));
    assert_eq!(decode_as("OTP-TOKENINFO", &info).0, "OTP-TOKENINFO");
    // PA-SAM-CHALLENGE: type 1, no flags.
    let sam = tlv(0x30, &[tlv(0xA0, &[2, 1, 1]), tlv(0xA1, &[3, 5, 0, 0, 0, 0, 0])].concat());
    assert_eq!(decode_as("PA-SAM-CHALLENGE", &sam).1["sam_type"], 1);
    // A buffer of a PAC: PAC_CLIENT_INFO of `al`.
    let info = [&0x01D0_0000_0000_0000_u64.to_le_bytes()[..], &[4, 0], b"a\0l\0"].concat();
    for name in ["PAC-10", "pac_client_info"] {
        assert_eq!(decode_as(name, &info).1["client"], "al");
    }
    let run = tagwise_with(&["krb5", "decode", "--type", "AS-REK", "-"], b"");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("unknown name \"AS-REK\"") && run.err.contains("METHOD-DATA"), "{}", run.err);
    // A certificate, or a list of nothing, is nothing of Kerberos.
    for other in [&b"\x30\x00"[..], b"\x30\x03\x02\x01\x05"] {
        assert_eq!(tagwise_with(&["krb5", "decode", "-"], other).code, Some(1));
    }
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let keytab = path("a.keytab");
    assert_eq!(
        tagwise(&["krb5", "ktutil", "add", &keytab, "-p", "a@B", "--random", "-e", "aes256-sha1"]).code,
        Some(0)
    );
    fs::write(path("damaged"), b"\x6e\x03\x30\x01\x00").unwrap();
    fs::write(path("other"), b"GIF89a").unwrap();
    fs::write(path("mic"), MIC).unwrap();
    // A ticket for b@B that no key here opens.
    let name = tlv(0x30, &[tlv(0xA0, &[2, 1, 1]), tlv(0xA1, &tlv(0x30, &tlv(0x1B, b"b")))].concat());
    let encrypted = tlv(0x30, &[tlv(0xA0, &[2, 1, 18]), tlv(0xA2, &tlv(4, &[7; 60]))].concat());
    let fields = [tlv(0xA0, &[2, 1, 5]), tlv(0xA1, &tlv(0x1B, b"B")), tlv(0xA2, &name), tlv(0xA3, &encrypted)];
    fs::write(path("ticket"), tlv(0x61, &tlv(0x30, &fields.concat()))).unwrap();
    let files = ["damaged", "other", "mic", "ticket"].map(path);
    let mut args = vec!["krb5", "decrypt", "--json", "-t", &keytab];
    args.extend(files.iter().map(String::as_str));
    let run = tagwise(&args);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let items = document["items"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    assert!(items[0]["error"].is_string() && items[1]["error"].is_string(), "{document}");
    assert!(items[2]["error"].is_null() && items[2]["parts"].as_array().unwrap().is_empty(), "{document}");
    assert_eq!(items[3]["parts"][0]["opened"], false, "{document}");
}

/// The guide's capture, with the keys of its user alone: the session keys in the replies open what follows.
#[test]
fn the_clients_key_opens_what_its_replies_carry() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples");
    let capture = root.join("kerberos.pcap").display().to_string();
    let mut alone = tagwise_krb5::Keytab::default();
    let key = "da466430949f88f6a650f37d7bb94804deaf5d6b68d826c663e5618d4e479a3f";
    alone.add(tagwise_krb5::KeytabEntry {
        principal: Principal::parse("alice@EXAMPLE.COM", None).unwrap(),
        timestamp: tagwise_pkix::UnixTime(1_795_836_016),
        kvno: 1,
        enc_type: 20,
        key: Secret::from(
            (0..32).map(|at| u8::from_str_radix(&key[2 * at..2 * at + 2], 16).unwrap()).collect::<Vec<u8>>(),
        ),
    });
    let folder = tempfile::tempdir().unwrap();
    let keytab = folder.path().join("alone.keytab").display().to_string();
    fs::write(&keytab, alone.to_bytes().unwrap()).unwrap();
    let run = tagwise(&["krb5", "dissect", "--json", "--keytab", &keytab, &capture]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let parts: Vec<&Value> =
        document["messages"].as_array().unwrap().iter().filter_map(|one| one["parts"].as_array()).flatten().collect();
    let opened = |ty: &str| parts.iter().filter(|part| part["type"] == ty && part["opened"] == true).count();
    assert!(opened("Authenticator") > 0, "the authenticator of a TGS-REQ: {}", run.out);
    assert!(opened("EncTGSRepPart") > 1, "the reply to the AS-REQ, and that to the TGS-REQ: {}", run.out);
    assert_eq!(opened("EncTicketPart"), 0, "tickets stay closed");
}
