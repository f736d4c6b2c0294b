//! Decrypted parts that break rules of DER are read where the rules are allowed, and what they hold is used.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{OctetStr, Rule, RuleSet, UnixTime, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::crypto::{EncType, Key, usage};
use tagwise_krb5::messages::{ApReq, Authenticator, EncTicketPart, EncryptedData, Ticket, TransitedEncoding};
use tagwise_krb5::open::Opener;
use tagwise_krb5::{KerberosFlags, KerberosTime, Keytab, KeytabEntry, Principal};

const ENC: EncType = EncType::Aes128CtsHmacSha196;

/// An AP-REQ whose ticket has an EncTicketPart with a length in one byte more than it needs.
fn request(service: &Key, session: &Key) -> Vec<u8> {
    let backend = AwsLc::new();
    let (client, server) = (Principal::parse("alice@R", None).unwrap(), Principal::parse("host/a@R", None).unwrap());
    let (client_strings, server_strings) = (client.strings(), server.strings());
    let time = KerberosTime::from_unix(UnixTime(1_790_000_000)).unwrap();
    let sealed = |key: &Key, usage, plain: &[u8]| key.encrypt(&backend, usage, plain).unwrap();
    let part = encode(&EncTicketPart {
        flags: KerberosFlags::from_word(&[0; 4]),
        key: session.to_message(),
        crealm: client.realm_string(),
        cname: client.name(&client_strings),
        transited: TransitedEncoding { tr_type: 0, contents: OctetStr::new(&[]) },
        authtime: time,
        starttime: None,
        endtime: time,
        renew_till: None,
        caddr: None,
        authorization_data: None,
    })
    .unwrap();
    // 63 LL becomes 63 81 LL.
    assert!(part[0] == 0x63 && part[1] < 0x80, "{part:02X?}");
    let part = [&[0x63, 0x81][..], &part[1..]].concat();
    let ticket = sealed(service, usage::TICKET, &part);
    let authenticator = encode(&Authenticator {
        authenticator_vno: 5,
        crealm: client.realm_string(),
        cname: client.name(&client_strings),
        cksum: None,
        cusec: 0u32.try_into().unwrap(),
        ctime: time,
        subkey: None,
        seq_number: None,
        authorization_data: None,
    })
    .unwrap();
    let authenticator = sealed(session, usage::AP_REQ_AUTHENTICATOR, &authenticator);
    let data = |cipher| EncryptedData { etype: ENC.number(), kvno: None, cipher };
    encode(&ApReq {
        pvno: 5,
        msg_type: 14,
        ap_options: KerberosFlags::from_word(&[0; 4]),
        ticket: Ticket {
            tkt_vno: 5,
            realm: server.realm_string(),
            sname: server.name(&server_strings),
            enc_part: data(OctetStr::new(&ticket)),
        },
        authenticator: data(OctetStr::new(&authenticator)),
    })
    .unwrap()
}

#[test]
fn the_session_key_of_a_ticket_that_is_not_strict() {
    let backend = AwsLc::new();
    let (service, session) = (Key::generate(&backend, ENC).unwrap(), Key::generate(&backend, ENC).unwrap());
    let message = request(&service, &session);
    let opened = |allowed: RuleSet| -> Vec<&'static str> {
        let mut keytab = Keytab::default();
        keytab.add(KeytabEntry {
            principal: Principal::parse("host/a@R", None).unwrap(),
            timestamp: UnixTime(0),
            kvno: 1,
            enc_type: ENC.number(),
            key: Secret::from(service.expose()),
        });
        let mut opener = Opener::new(&backend, keytab).allowing(allowed);
        let parts = opener.open(&message).unwrap();
        parts.iter().filter(|part| part.der.is_some()).map(|part| part.ty).collect()
    };
    assert_eq!(opened(RuleSet::NONE.with(&Rule::LONG_LENGTH)), ["EncTicketPart", "Authenticator"]);
    // Without the allowance, the ticket's part decrypts, but its session key is not taken from it.
    assert_eq!(opened(RuleSet::NONE), ["EncTicketPart"]);
}
