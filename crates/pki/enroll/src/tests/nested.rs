//! Nested messages in CMP.

use tagwise_codec::{Decode, SeqOf, encode};
use tagwise_pkix::cmp::{PkiBody, PkiMessage, PkiMessages};

use super::cmp::{Draft, Guard, Proof, WITH_RA, post, read, request};
use super::*;

fn nest(messages: &[Vec<u8>]) -> Vec<u8> {
    let messages: Vec<PkiMessage<'_>> = messages.iter().map(|der| PkiMessage::from_der(der).unwrap()).collect();
    encode(&PkiBody::Nested(PkiMessages(SeqOf::from_slice(&messages)))).unwrap()
}

#[test]
fn registration_authorities_forward_messages() {
    let mut world = World::new(WITH_RA);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let client = Guard::Pbm(id.clone(), secret);
    let signed = |(key, der): (Arc<dyn PrivateKey>, Vec<u8>)| Guard::Signature(key, der);
    let (ra, device) = (signed(world.client("CN=RA", "ra")), signed(world.client("CN=device-1", "device")));
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let body = request(0, &key, "", &["a.example.org"], Proof::Signature, 1);
    let inner = Draft { nonce: vec![6; 16], ..Draft::new(client.clone()) };
    let message = [inner.build(&body)];
    let around = |guard: &Guard| Draft { guard: guard.clone(), ..inner.clone() };
    let forged = [Draft { guard: Guard::Pbm(id, "x".into()), ..inner.clone() }.build(&body)];
    let verified = [inner.build(&request(0, &key, "", &["a.example.org"], Proof::RaVerified, 1))];
    let unprotected = [Draft { guard: Guard::None, ..inner.clone() }.build(&body)];
    let error = |bit: u32| ("error", 2, Some(1u64 << bit));
    let count = world.count();
    for (name, outer, messages, expected) in [
        ("no registration authority", around(&device), nest(&message), error(23)),
        ("a MAC", around(&client), nest(&message), error(12)),
        ("no protection", around(&Guard::None), nest(&message), error(1)),
        ("another transactionID", Draft { transaction: vec![1; 16], ..around(&ra) }, nest(&message), error(2)),
        ("another senderNonce", Draft { nonce: vec![1; 16], ..around(&ra) }, nest(&message), error(18)),
        (
            "twice the same",
            Draft { transaction: vec![1; 16], nonce: vec![1; 16], ..around(&ra) },
            nest(&[&message[..], &message].concat()),
            error(21),
        ),
        ("too many", around(&ra), nest(&vec![message[0].clone(); 17]), error(2)),
        // The outer protection does not replace the inner one, and says nothing about possession.
        ("a forged message inside", around(&ra), nest(&forged), error(1)),
        ("an unprotected message inside", around(&ra), nest(&unprotected), error(1)),
        ("possession that the client asserts", around(&ra), nest(&verified), ("ip", 2, Some(1 << 9))),
        ("two levels", around(&ra), nest(&[around(&ra).build(&nest(&message))]), error(2)),
    ] {
        let response = post(&mut world, &outer.build(&messages));
        assert_eq!(read(&response), expected, "{name}");
    }
    assert_eq!(world.count(), count);
    let inner = Draft { nonce: vec![6; 16], ..Draft::new(client.clone()) };
    let outer = Draft { guard: ra.clone(), ..inner.clone() };
    let response = post(&mut world, &outer.build(&nest(&[inner.build(&body)])));
    assert_eq!(read(&response), ("ip", 0, None));
    inner.check(&world, &response);

    // A batch: each message has its own response, and one fails.
    let one = Draft { nonce: vec![7; 16], ..Draft::new(client.clone()) };
    let two = Draft { nonce: vec![8; 16], ..Draft::new(client) };
    let outer = Draft { nonce: vec![9; 16], ..Draft::new(ra) };
    let bad = request(0, &key, "", &["a.example.com"], Proof::Signature, 1);
    let response = post(&mut world, &outer.build(&nest(&[one.build(&body), two.build(&bad)])));
    assert_eq!(read(&response), ("nested", 0, None));
    outer.check(&world, &response);
    let message = PkiMessage::from_der(&response.body).unwrap();
    let PkiBody::Nested(list) = &*message.body else { panic!() };
    let results = list.0.iter().zip([(&one, ("ip", 0, None)), (&two, ("ip", 2, Some(1 << 23)))]);
    let results: Vec<_> = results
        .map(|(message, (draft, expected))| {
            let response = crate::Response::new("application/pkixcmp", encode(&message.unwrap()).unwrap());
            draft.check(&world, &response);
            assert_eq!(read(&response), expected);
        })
        .collect();
    assert_eq!((results.len(), world.count()), (2, count + 2));
}
