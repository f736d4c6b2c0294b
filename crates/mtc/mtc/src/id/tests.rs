use alloc::string::ToString;

use super::*;

#[test]
fn three_forms() {
    let id: TrustAnchorId = "32473.1".parse().unwrap();
    assert_eq!(id.as_bytes(), [0x81, 0xFD, 0x59, 0x01]);
    assert_eq!(id.to_der(), [0x0D, 0x04, 0x81, 0xFD, 0x59, 0x01]);
    assert_eq!(id.to_string(), "32473.1");
    assert_eq!(TrustAnchorId::from_name("oid/1.3.6.1.4.1.32473.1"), Ok(id));
}

#[test]
fn distinguished_names() {
    let id: TrustAnchorId = "32473.1".parse().unwrap();
    let der = id.to_distinguished_name(Draft::V07);
    let expected = [
        0x30, 0x14, 0x31, 0x12, 0x30, 0x10, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x19, 0x03, 0x0D, 0x04,
        0x81, 0xFD, 0x59, 0x01,
    ];
    assert_eq!(der, expected);
    for draft in Draft::ALL {
        let der = id.to_distinguished_name(draft);
        assert_eq!(TrustAnchorId::from_distinguished_name(&der), Ok((id, draft)));
        // A byte more, inside or outside.
        assert!(TrustAnchorId::from_distinguished_name(&[der.as_slice(), &[0]].concat()).is_err());
    }
    // Two attributes in the RDN.
    let attribute = &expected[4..];
    let two = element(Tag::SEQUENCE, &element(Tag::SET, &[attribute, attribute].concat()));
    let error = TrustAnchorId::from_distinguished_name(&two).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IdDistinguishedName);
    // Two RDNs.
    let rdn = &expected[2..];
    let two = element(Tag::SEQUENCE, &[rdn, rdn].concat());
    assert_eq!(TrustAnchorId::from_distinguished_name(&two).unwrap_err().kind(), ErrorKind::IdDistinguishedName);
    // None.
    assert_eq!(TrustAnchorId::from_distinguished_name(&[0x30, 0]).unwrap_err().kind(), ErrorKind::IdDistinguishedName);
    // A component of the value is padded: 80 01.
    let mut padded = expected;
    padded[18] = 0x80;
    assert!(TrustAnchorId::from_distinguished_name(&padded).is_err());
}

#[test]
fn components_of_any_size() {
    let text = "1.340282366920938463463374607431768211456.0";
    let id: TrustAnchorId = text.parse().unwrap();
    assert_eq!(id.to_string(), text);
    for wrong in ["", "1.", ".1", "01", "1..2", "1.-2", "a", "1 ", "+1"] {
        assert!(wrong.parse::<TrustAnchorId>().is_err(), "{wrong}");
    }
    // 2²²⁴-1 has 32 groups of seven bits; 2²²⁴ has one more.
    let most = "26959946667150639794667015087019630673637144422540572481103610249215";
    assert_eq!(most.parse::<TrustAnchorId>().unwrap().as_bytes().len(), 32);
    let more = "26959946667150639794667015087019630673637144422540572481103610249216";
    assert_eq!(more.parse::<TrustAnchorId>().unwrap_err().kind(), ErrorKind::IdLength);
}

#[test]
fn bytes_that_are_none() {
    assert_eq!(TrustAnchorId::from_bytes(&[]).unwrap_err().kind(), ErrorKind::IdLength);
    assert_eq!(TrustAnchorId::from_bytes(&[1; 33]).unwrap_err().kind(), ErrorKind::IdLength);
    assert_eq!(TrustAnchorId::from_bytes(&[0x80, 0x01]).unwrap_err(), Error::new(ErrorKind::IdComponent, 0));
    assert_eq!(TrustAnchorId::from_bytes(&[0x01, 0x81]).unwrap_err().kind(), ErrorKind::IdComponent);
    assert!(TrustAnchorId::from_bytes(&[1; 32]).is_ok());
}

#[test]
fn derived() {
    let ca: TrustAnchorId = "32473.100".parse().unwrap();
    assert_eq!(ca.log(8).unwrap().to_string(), "32473.100.0.8");
    assert_eq!(ca.landmark(8, 42).unwrap().to_string(), "32473.100.1.8.42");
    assert_eq!(ca.landmark_group(8, 42).unwrap().to_string(), "32473.100.2.8.42");
    assert_eq!(ca.log(0).unwrap_err().kind(), ErrorKind::LogNumber);
}

#[test]
fn shorter_comes_first() {
    let ids: [TrustAnchorId; 3] =
        ["32473.200".parse().unwrap(), "32473.1.1".parse().unwrap(), "32473.9".parse().unwrap()];
    assert!(ids[2] < ids[1]);
    assert!(ids[1] < ids[0]);
}
