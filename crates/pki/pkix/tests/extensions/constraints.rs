//! Basic constraints and name constraints.

use std::net::IpAddr;

use tagwise_codec::{FaultKind, Rule};
use tagwise_pkix::ext::*;
use tagwise_pkix::profile;

use crate::{accepted, el, refused, seq, tolerated};

#[test]
fn basic_constraints() {
    assert_eq!(accepted::<BasicConstraints<'_>>(&[0x30, 0x00]), BasicConstraints::default());
    let ca = accepted::<BasicConstraints<'_>>(&[0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0x03]);
    assert!(ca.ca && ca.path_len_constraint == Some(Count::new(3)));
    // A length without being a CA: RFC 5280 forbids issuing it, the ASN.1 allows it.
    assert!(!accepted::<BasicConstraints<'_>>(&[0x30, 0x03, 0x02, 0x01, 0x03]).ca);

    let explicit = [0x30, 0x03, 0x01, 0x01, 0x00];
    assert!(!tolerated::<BasicConstraints<'_>>(&explicit, &Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, 2).ca);
    let one = [0x30, 0x03, 0x01, 0x01, 0x01];
    assert!(tolerated::<BasicConstraints<'_>>(&one, &Rule::BOOLEAN_VALUE, FaultKind::BooleanValue, 4).ca);
    let below = seq(&[&[0x01, 0x01, 0xFF], &[0x02, 0x01, 0xFF]]);
    tolerated::<BasicConstraints<'_>>(&below, &Rule::VALUE, FaultKind::Value, 7);
    refused::<BasicConstraints<'_>>(&seq(&[&[0x02, 0x01, 0x03], &[0x01, 0x01, 0xFF]]), FaultKind::TrailingData, 5);
    refused::<BasicConstraints<'_>>(&seq(&[&[0x01, 0x00]]), FaultKind::BooleanLength, 4);
    refused::<BasicConstraints<'_>>(&[0x30, 0x81, 0x00], FaultKind::LengthNotMinimal, 1);
}

fn subtree(name: &[u8]) -> Vec<u8> {
    seq(&[name])
}

#[test]
fn name_constraints() {
    let dns = subtree(b"\x82\x04.org");
    let net = subtree(&[0x87, 8, 192, 0, 2, 0, 255, 255, 255, 0]);
    let both = seq(&[&el(0xA0, &[&dns, &net]), &el(0xA1, &[&dns])]);
    let read = accepted::<NameConstraints<'_>>(&both);
    let permitted: Vec<String> =
        read.permitted_subtrees.unwrap().iter().map(|subtree| subtree.unwrap().base.to_string()).collect();
    assert_eq!(permitted, ["DNS:.org", "IP:192.0.2.0/24"]);
    accepted::<NameConstraints<'_>>(&[0x30, 0x00]);

    // No subtree in a list, as one certificate of a public CA has it.
    let empty = seq(&[&el(0xA0, &[&dns]), &[0xA1, 0x00]]);
    let read = tolerated::<NameConstraints<'_>>(&empty, &Rule::SIZE, FaultKind::Size, 12);
    assert!(read.excluded_subtrees.unwrap().is_empty());
    // minimum is 0 unless it says otherwise, and then it is left out.
    let minimum = seq(&[&el(0xA0, &[&seq(&[b"\x82\x04.org", &[0x80, 0x01, 0x00]])])]);
    tolerated::<NameConstraints<'_>>(&minimum, &Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, 12);
    let distances = seq(&[&el(0xA0, &[&seq(&[b"\x82\x04.org", &[0x80, 0x01, 0x01], &[0x81, 0x01, 0x02]])])]);
    let read = accepted::<NameConstraints<'_>>(&distances);
    let subtree = read.permitted_subtrees.unwrap().iter().next().unwrap().unwrap();
    assert_eq!((subtree.minimum.get(), subtree.maximum.unwrap().get()), (1, 2));
    refused::<NameConstraints<'_>>(&seq(&[&dns]), FaultKind::TrailingData, 2);
}

#[test]
fn subnets() {
    let constraints = |octets: &[u8]| seq(&[&el(0xA0, &[&subtree(&el(0x87, &[octets]))])]);
    let mut ipv6 = [0; 32];
    ipv6[..4].copy_from_slice(&[0x20, 0x01, 0x0D, 0xB8]);
    ipv6[16..20].copy_from_slice(&[0xFF; 4]);
    let shown = |octets: &[u8]| {
        let der = constraints(octets);
        let read = accepted::<NameConstraints<'_>>(&der);
        read.permitted_subtrees.unwrap().iter().next().unwrap().unwrap().base.to_string()
    };
    assert_eq!(shown(&ipv6), "IP:2001:db8::/32");
    assert_eq!(shown(&[0; 8]), "IP:0.0.0.0/0");
    // Bits outside the mask, and a mask that is no prefix: accepted, for they mean something.
    assert_eq!(shown(&[81, 27, 169, 51, 255, 255, 255, 0]), "IP:81.27.169.51/24");
    assert_eq!(shown(&[10, 0, 0, 1, 255, 0, 0, 255]), "IP:10.0.0.1/255.0.0.255");
    // An address without a mask, and nothing.
    for octets in [&[192, 0, 2, 1][..], &[], &[0; 16]] {
        tolerated::<NameConstraints<'_>>(&constraints(octets), &profile::IP_ADDRESS, FaultKind::Profile, 8);
    }

    let odd = [10, 0, 0, 1, 255, 0, 0, 255];
    let subnet = IpSubnet::v4(&odd);
    assert_eq!((subnet.prefix_len(), subnet.mask()), (None, Some(IpAddr::from([255, 0, 0, 255]))));
    assert!(subnet.contains([10, 9, 9, 1].into()) && !subnet.contains([10, 9, 9, 2].into()));
    let net = IpSubnet::v6(&ipv6);
    assert_eq!(net.prefix_len(), Some(32));
    assert!(net.contains("2001:db8::1".parse().unwrap()) && !net.contains("2001:db9::1".parse().unwrap()));
    assert!(!net.contains([10, 0, 0, 1].into()));
    let all = IpSubnet::v4(&[0xFF; 8]);
    assert_eq!(all.prefix_len(), Some(32));
}
