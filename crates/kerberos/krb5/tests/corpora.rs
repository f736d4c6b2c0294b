//! Every message of the corpora decodes strictly and encodes to the same bytes again; what does not is in a register.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::{PEERS, again, bytes, compare, files};
use tagwise_codec::RuleSet;
use tagwise_testing::corpus;

/// The types of MIT's reference encodings, by the names of its functions.
const REFERENCES: &[(&str, &str)] = &[
    ("authenticator", "Authenticator"),
    ("ticket", "Ticket"),
    ("keyblock", "EncryptionKey"),
    ("enc_tkt_part", "EncTicketPart"),
    ("enc_kdc_rep_part", "EncTGSRepPart"),
    ("as_rep", "AS-REP"),
    ("tgs_rep", "TGS-REP"),
    ("ap_req", "AP-REQ"),
    ("ap_rep", "AP-REP"),
    ("ap_rep_enc_part", "EncAPRepPart"),
    ("as_req", "AS-REQ"),
    ("tgs_req", "TGS-REQ"),
    ("kdc_req_body", "KDC-REQ-BODY"),
    ("safe", "KRB-SAFE"),
    ("priv", "KRB-PRIV"),
    ("enc_priv_part", "EncKrbPrivPart"),
    ("cred", "KRB-CRED"),
    ("enc_cred_part", "EncKrbCredPart"),
    ("error", "KRB-ERROR"),
    ("authorization_data", "AuthorizationData"),
    ("padata_sequence", "METHOD-DATA"),
    ("typed_data", "TYPED-DATA"),
    ("etype_info", "ETYPE-INFO"),
    ("etype_info2", "ETYPE-INFO2"),
    ("pa_enc_ts", "PA-ENC-TS-ENC"),
    ("enc_data", "EncryptedData"),
    ("sam_challenge_2", "PA-SAM-CHALLENGE-2"),
    ("sam_challenge_2_body", "PA-SAM-CHALLENGE-2-BODY"),
    ("sam_response_2", "PA-SAM-RESPONSE-2"),
    ("enc_sam_response_enc_2", "PA-ENC-SAM-RESPONSE-ENC"),
    ("pa_for_user", "PA-FOR-USER"),
    ("pa_s4u_x509_user", "PA-S4U-X509-USER"),
    ("ad_kdcissued", "AD-KDCIssued"),
    ("iakerb_header", "IAKERB-HEADER"),
    ("iakerb_finished", "IAKERB-FINISHED"),
    ("fast_response", "KrbFastResponse"),
    ("pa_fx_fast_reply", "PA-FX-FAST-REPLY"),
    ("otp_tokeninfo", "OTP-TOKENINFO"),
    ("pa_otp_challenge", "PA-OTP-CHALLENGE"),
    ("pa_otp_req", "PA-OTP-REQUEST"),
    ("pa_otp_enc_req", "PA-OTP-ENC-REQUEST"),
    ("kkdcp_message", "KDC-PROXY-MESSAGE"),
    ("cammac", "AD-CAMMAC"),
    ("secure_cookie", "SecureCookie"),
    ("spake_factor", "SPAKESecondFactor"),
    ("pa_spake", "PA-SPAKE"),
    ("pa_pk_as_req", "PA-PK-AS-REQ"),
    ("pa_pk_as_rep", "PA-PK-AS-REP"),
    ("auth_pack", "AuthPack"),
    ("kdc_dh_key_info", "KDCDHKeyInfo"),
    ("reply_key_pack", "ReplyKeyPack"),
    ("sp80056a_other_info", "OtherInfo"),
    ("pkinit_supp_pub_info", "PkinitSuppPubInfo"),
    ("ldap_seqof_key_data", "KrbKeySet"),
];

/// Why some are not strict, with the clause.
const WHY: &[(&str, &str)] = &[
    ("enc_data(MSB-set kvno)", "RFC 4120 §5.2.9: kvno is UInt32; MIT's library writes it signed"),
    ("enc_data(kvno=-1)", "RFC 4120 §5.2.9: kvno is UInt32; MIT's library writes it signed"),
    (
        "auth_pack",
        "RFC 4556 §3.2.1: clientPublicValue is a SubjectPublicKeyInfo; the test has an OCTET STRING in its place",
    ),
];

/// Every one is read with the rules for peers and encodes to the same bytes; `mit-asn1.tsv` has those that are not strict.
#[test]
fn reference_encodings() {
    let Some(folder) = corpus("kerberos/mit-asn1") else { return };
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (mut count, mut rows) = (0, Vec::new());
    for case in expected["cases"].as_array().unwrap() {
        let (name, octets) = (case["name"].as_str().unwrap(), bytes(case["hex"].as_str().unwrap()));
        let function = name.strip_prefix("encode_krb5_").unwrap().split(['(', ' ']).next().unwrap();
        let (_, ty) = REFERENCES.iter().find(|(of, _)| *of == function).unwrap_or_else(|| panic!("no type for {name}"));
        count += 1;
        let why = WHY.iter().find(|(of, _)| name.ends_with(of)).map_or("?", |(_, why)| why);
        match again(ty, &octets, RuleSet::NONE) {
            Ok(made) => assert_eq!(made, octets, "{name}"),
            Err(strict) => match again(ty, &octets, PEERS) {
                Ok(made) => {
                    assert_eq!(made, octets, "{name} with the rules for peers");
                    rows.push(format!(
                        "{name}\t{ty}\t{strict}\tread with the rules for peers, the same bytes again\t{why}"
                    ));
                }
                Err(error) => rows.push(format!("{name}\t{ty}\t{strict}\t{error}\t{why}")),
            },
        }
    }
    assert_eq!(count, 87, "cases of the corpus");
    compare("mit-asn1.tsv", "case\ttype\tstrictly\twith the rules for peers\twhy", &rows);
}

/// All messages to and from the KDC are strict.
#[test]
fn captured_messages() {
    let Some(folder) = corpus("kerberos/captures/raw") else { return };
    let mut counts = [0; 2];
    for (name, octets) in files(&folder) {
        let Some(stem) = name.strip_suffix(".bin") else { continue };
        let ty = stem.rsplit_once("2c-").or(stem.rsplit_once("2s-")).unwrap().1;
        if ty == "KPASSWD" {
            // RFC 3244 §2: length, version, length of the AP-REQ or AP-REP, that, and a KRB-PRIV or KRB-ERROR.
            let number = |at: usize| usize::from(u16::from_be_bytes([octets[at], octets[at + 1]]));
            assert_eq!(number(0), octets.len(), "{name}");
            let (ap, private) = octets[6..].split_at(number(4));
            let ap_type = if name.contains("c2s") { "AP-REQ" } else { "AP-REP" };
            assert_eq!(again(ap_type, ap, RuleSet::NONE).unwrap(), ap, "{name}");
            assert_eq!(again("KRB-PRIV", private, RuleSet::NONE).unwrap(), private, "{name}");
            counts[1] += 1;
        } else {
            assert_eq!(
                again(ty, &octets, RuleSet::NONE).unwrap_or_else(|error| panic!("{name}: {error}")),
                octets,
                "{name}"
            );
            counts[0] += 1;
        }
    }
    assert_eq!(counts, [166, 4]);
}

/// A message cut short or with a byte more is refused, at every length.
#[test]
fn nothing_is_read_beyond_or_before_the_end() {
    let Some(folder) = corpus("kerberos/captures/raw") else { return };
    for (name, octets) in files(&folder).into_iter().filter(|(name, _)| name.ends_with("AS-REQ.bin")).take(8) {
        for len in 0..octets.len() {
            assert!(again("AS-REQ", &octets[..len], PEERS).is_err(), "{name} cut to {len}");
        }
        let longer = [&octets[..], &[0]].concat();
        assert!(again("AS-REQ", &longer, PEERS).is_err(), "{name} with a byte more");
    }
}
