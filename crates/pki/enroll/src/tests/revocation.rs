//! Revocations in CMP: who may report the compromise of a key.

use tagwise_pkix::ext::CrlReason;

use super::cmp::{Draft, Guard, Proof, WITH_RA, certificate, read, request, revocation_for, revoked, send};
use super::*;

/// The reason keyCompromise bans the key, so it requires the key or a registration authority.
#[test]
fn only_keys_and_registration_authorities_report_compromise() {
    let mut world = World::new(WITH_RA);
    let (id, secret) = world.secret(Usage::Shared, "holders", false);
    let owner = Guard::Pbm(id, secret);
    let (key, ra) = (BACKEND.generate(KeyType::P256).unwrap(), world.client("CN=RA", "ra"));
    let compromise = |der: &[u8]| revocation_for(der, Some(CrlReason::KeyCompromise));
    let body = request(0, &key, "", &["www.example.net"], Proof::Signature, 1);
    let der = certificate(&send(&mut world, &Draft::new(owner.clone()), &body));
    // The owner of the certificate is not the holder of its key, nor is the holder of another certificate.
    let other = world.client("CN=www.example.net", "server");
    for guard in [owner.clone(), Guard::Signature(other.0, other.1)] {
        let response = send(&mut world, &Draft::new(guard), &compromise(&der));
        assert_eq!(read(&response), ("error", 2, Some(1 << 23)));
        assert!(!revoked(&mut world, &der));
    }
    let holder = Guard::Signature(Arc::clone(&key), der.clone());
    assert_eq!(read(&send(&mut world, &Draft::new(holder), &compromise(&der))), ("rp", 0, None));
    assert!(revoked(&mut world, &der));
    // The key is banned.
    assert_eq!(read(&send(&mut world, &Draft::new(owner), &body)), ("ip", 2, Some(1 << 19)));
    // A registration authority, for a certificate that it has requested.
    let ra = Guard::Signature(ra.0, ra.1);
    let body = request(0, &BACKEND.generate(KeyType::P256).unwrap(), "", &["www.example.org"], Proof::RaVerified, 1);
    let der = certificate(&send(&mut world, &Draft::new(ra.clone()), &body));
    assert_eq!(read(&send(&mut world, &Draft::new(ra), &compromise(&der))), ("rp", 0, None));
    assert!(revoked(&mut world, &der));
}
