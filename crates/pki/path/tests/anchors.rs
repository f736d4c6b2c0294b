//! Sources of anchors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Anchor, Anchors, Rule};
use tagwise_path_testing::*;

fn ca() -> Spec {
    Spec::ca("CA", "ca", "Root", "root")
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "CA", "ca")
}

fn pem(der: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("-----BEGIN CERTIFICATE-----\n");
    let mut column = 0;
    for group in der.chunks(3) {
        let octet = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for digit in 0..4 {
            let used = digit <= group.len();
            text.push(if used { char::from(DIGITS[(bits >> (18 - 6 * digit)) as usize & 63]) } else { '=' });
        }
        column += 4;
        if column % 64 == 0 {
            text.push('\n');
        }
    }
    if column % 64 != 0 {
        text.push('\n');
    }
    text + "-----END CERTIFICATE-----\n"
}

#[test]
fn octets_of_any_form() {
    let mut anchors = Anchors::new();
    assert!(anchors.read(&root().der()).is_empty());
    assert!(anchors.read((pem(&root().der()) + &pem(&ca().der())).as_bytes()).is_empty());
    assert_eq!(anchors.len(), 3);
    assert!(validate(&leaf(), &[], &anchors, &policy()).is_ok(), "the CA itself is an anchor");
}

/// OpenSSL's `TRUSTED CERTIFICATE`: as `openssl x509 -trustout` writes it, the certificate and its uses in one block.
#[test]
fn trusted_and_rejected_uses() {
    use tagwise_pkix::oids::{KP_CLIENT_AUTH, KP_EMAIL_PROTECTION, KP_SERVER_AUTH};
    let uses = |tag: u8, list: &[tagwise_codec::Oid<'_>]| {
        let list: Vec<Vec<u8>> = list.iter().map(|purpose| element(0x06, &[purpose.as_bytes()])).collect();
        element(tag, &list.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let trusted = |list: &[tagwise_codec::Oid<'_>]| uses(0x30, list);
    let rejected = |list: &[tagwise_codec::Oid<'_>]| uses(0xA0, list);
    let read = |settings: &[&[u8]]| {
        let mut anchors = Anchors::new();
        let block = pem(&[root().der(), sequence(settings)].concat()).replace("CERTIFICATE", "TRUSTED CERTIFICATE");
        let failures = anchors.read(block.as_bytes());
        (anchors, failures.len())
    };
    let asked = |settings: &[&[u8]], purpose: tagwise_codec::Oid<'_>| {
        let (anchors, failures) = read(settings);
        assert_eq!((anchors.len(), failures), (1, 0));
        let mut policy = policy();
        policy.require_purpose(purpose);
        let leaf = leaf().without(37);
        match validate(&leaf, &[ca()], &anchors, &policy) {
            Ok(_) => true,
            Err(report) => {
                assert_eq!(report.refusal().unwrap().rule, Rule::AnchorPurpose, "{report}");
                false
            }
        }
    };
    let servers = trusted(&[KP_SERVER_AUTH]);
    assert!(asked(&[&servers], KP_SERVER_AUTH) && !asked(&[&servers], KP_CLIENT_AUTH));
    let not_mail = rejected(&[KP_EMAIL_PROTECTION]);
    assert!(asked(&[&not_mail], KP_SERVER_AUTH) && !asked(&[&not_mail], KP_EMAIL_PROTECTION));
    // What is rejected is, though it be trusted as well.
    let both = trusted(&[KP_SERVER_AUTH, KP_CLIENT_AUTH]);
    let not_clients = rejected(&[KP_CLIENT_AUTH]);
    assert!(asked(&[&both, &not_clients], KP_SERVER_AUTH) && !asked(&[&both, &not_clients], KP_CLIENT_AUTH));
    let any = [tagwise_pkix::oids::ANY_EXTENDED_KEY_USAGE];
    assert!(asked(&[&trusted(&any)], KP_CLIENT_AUTH) && !asked(&[&servers, &rejected(&any)], KP_SERVER_AUTH));
    // An empty list is no use at all; a name alone says nothing about uses.
    assert!(!asked(&[&trusted(&[])], KP_SERVER_AUTH));
    let alias = element(0x0C, &[b"our root"]);
    assert!(asked(&[&alias], KP_SERVER_AUTH));
    assert_eq!(read(&[&alias]).0.iter().next().unwrap().label(), "our root");
    // Uses that cannot be read might reject the one that is asked for.
    let (anchors, failures) = read(&[&[0x02, 1, 1]]);
    assert_eq!((anchors.len(), failures), (0, 1));
}

#[test]
fn folders_and_systems() {
    let folder = std::env::temp_dir().join(format!("tagwise-path-anchors-{}", std::process::id()));
    let bundle = folder.join("etc/pki/ca-trust/extracted/pem");
    std::fs::create_dir_all(&bundle).unwrap();
    let (all, two) = (root(), Spec::ca("Two", "two", "Two", "two"));
    std::fs::write(bundle.join("tls-ca-bundle.pem"), pem(&all.der()) + &pem(&two.der())).unwrap();
    std::fs::write(bundle.join("email-ca-bundle.pem"), pem(&two.der()) + &pem(&all.der())).unwrap();
    std::fs::write(bundle.join("objsign-ca-bundle.pem"), pem(&all.der())).unwrap();
    std::fs::write(folder.join("one.der"), root().der()).unwrap();
    std::fs::write(folder.join("two.pem"), pem(&ca().der())).unwrap();
    std::fs::write(folder.join("notes.txt"), "no certificate").unwrap();

    let system = Anchors::system_below(&folder).unwrap();
    assert_eq!(system.len(), 2);
    let purposes: Vec<Option<usize>> =
        system.iter().map(|anchor| anchor.constraints.purposes.as_ref().map(Vec::len)).collect();
    assert_eq!(purposes, [None, Some(2)]);
    assert!(validate(&leaf(), &[ca()], &system, &policy()).is_ok());
    let mut both = Anchors::new();
    both.read_path(&folder).unwrap();
    assert_eq!(both.len(), 2);
    std::fs::remove_dir_all(folder.join("etc")).unwrap();
    // Debian's layout: one bundle for all purposes.
    std::fs::create_dir_all(folder.join("etc/ssl/certs")).unwrap();
    std::fs::write(folder.join("etc/ssl/certs/ca-certificates.crt"), pem(&root().der())).unwrap();
    let system = Anchors::system_below(&folder).unwrap();
    assert!(system.len() == 1 && system.iter().all(|anchor| anchor.constraints.purposes.is_none()));
    std::fs::remove_dir_all(&folder).unwrap();
    let error = Anchors::system_below(&folder).unwrap_err();
    assert!(error.to_string().contains("etc/ssl/certs/ca-certificates.crt"), "{error}");
}

#[cfg(feature = "mozilla-roots")]
#[test]
fn roots_of_mozilla() {
    let anchors = Anchors::mozilla();
    assert!(anchors.len() > 100);
    let purposes = |anchor: &Anchor| anchor.constraints.purposes.as_ref().map(Vec::len);
    assert!(anchors.iter().all(|anchor| purposes(anchor) == Some(1)));
}

/// A TrustAnchorInfo of the root's name and key, with what is given behind the name in CertPathControls.
fn info(controls: &[&[u8]]) -> Vec<u8> {
    let anchor = Anchor::from_certificate(root().der()).unwrap();
    let key_id = element(0x04, &[b"root"]);
    let title = element(0x0C, &[b"The root"]);
    let name = name("Root");
    let parts: Vec<&[u8]> = [name.as_slice()].into_iter().chain(controls.iter().copied()).collect();
    sequence(&[anchor.key(), &key_id, &title, &sequence(&parts)])
}

#[test]
fn trust_anchor_info() {
    let anchor = Anchor::from_info(&info(&[])).unwrap().unwrap();
    assert_eq!(anchor.label(), "The root");
    let ends = |der: &[u8]| {
        let anchors: Anchors = Anchor::from_info(der).unwrap().into_iter().collect();
        validate(&leaf(), &[ca()], &anchors, &policy()).map_err(|report| report.refusal().unwrap().rule)
    };
    assert!(ends(&info(&[])).is_ok());
    // pathLenConstraint [4]: 0.
    assert_eq!(ends(&info(&[b"\x84\x01\x00"])).unwrap_err(), Rule::PathLength);
    // policyFlags [2]: requireExplicitPolicy(1).
    assert_eq!(ends(&info(&[b"\x82\x02\x06\x40"])).unwrap_err(), Rule::ExplicitPolicy);
    // nameConstr [3]: permitted dNSName test.test.
    let constraints = b"\xA3\x0F\xA0\x0D\x30\x0B\x82\x09test.test";
    assert_eq!(ends(&info(&[constraints])).unwrap_err(), Rule::PermittedSubtrees);
    // A key without a name is no end of a path.
    let anchor = Anchor::from_certificate(root().der()).unwrap();
    let nameless = sequence(&[anchor.key(), &element(0x04, &[b"root"])]);
    assert!(Anchor::from_info(&nameless).unwrap().is_none());
    // A list has certificates and infos side by side.
    let list = sequence(&[&root().der(), &element(0xA2, &[&info(&[])])]);
    assert_eq!(Anchor::from_list(&list).unwrap().len(), 2);
}
