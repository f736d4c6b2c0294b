//! Messages made by hand: definite and indefinite lengths, strings in segments, nested safes, and what is wrong.

use super::*;

const INTEGER: u8 = 0x02;
const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const ZERO: u8 = 0xA0;
const ONE: u8 = 0xA1;

fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    match content.len() {
        len @ 0..0x80 => out.push(len as u8),
        len => out.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    out.extend(content);
    out
}

fn indefinite(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    [&[tag, 0x80], &*parts.concat(), &[0, 0]].concat()
}

/// Something that passes for a certificate.
const ONE_CERTIFICATE: &[u8] = &[0x30, 0x03, 0x02, 0x01, 0x01];
const LIST: &[u8] = &[0x30, 0x03, 0x02, 0x01, 0x02];

fn oid(octets: &[u8]) -> Vec<u8> {
    element(OID, &[octets])
}

type Make = fn(u8, &[&[u8]]) -> Vec<u8>;

fn signed(make: Make, string: &[u8]) -> Vec<u8> {
    let attribute = element(0xA2, &[&[0x02, 0x01, 0x03]]);
    let encapsulated = make(SEQUENCE, &[&oid(&ID_DATA), &make(ZERO, &[string])]);
    let data = make(
        SEQUENCE,
        &[
            &[INTEGER, 1, 1],
            &make(SET, &[]),
            &encapsulated,
            &make(ZERO, &[ONE_CERTIFICATE, &attribute, ONE_CERTIFICATE]),
            &make(ONE, &[LIST]),
            &make(SET, &[]),
        ],
    );
    make(SEQUENCE, &[&oid(&ID_SIGNED_DATA), &make(ZERO, &[&data])])
}

fn kinds(bundle: &Bundle<'_>) -> Vec<BundleKind> {
    bundle.items().map(|item| item.kind).collect()
}

#[test]
fn signed_data() {
    use BundleKind::*;
    for (make, string) in [(element as Make, &[0x04, 0x01, 7][..]), (indefinite, &[0x24, 0x80, 0x04, 0x01, 7, 0, 0])] {
        let der = signed(make, string);
        let bundle = Bundle::read(&der).unwrap();
        assert_eq!(kinds(&bundle), [Certificate, AttributeCertificate, Certificate, CertificateList]);
        assert_eq!(bundle.certificates().collect::<Vec<_>>(), [ONE_CERTIFICATE; 2]);
        assert_eq!(bundle.lists().collect::<Vec<_>>(), [LIST]);
        assert!(matches!(bundle.octets, Cow::Borrowed(_)));
        // Wherever it ends too early, that is an error, and no panic.
        for len in 0..der.len() {
            assert!(Bundle::read(&der[..len]).is_err(), "{len}");
        }
        // What follows is no part of it.
        let longer = [&*der, b"\n"].concat();
        let error = Bundle::read(&longer).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (FaultKind::TrailingData, der.len()));
        let (first, end) = Bundle::read_first(&longer).unwrap();
        assert_eq!((first.items().count(), end), (4, der.len()));
    }
    let other = element(SEQUENCE, &[&oid(&ID_ENVELOPED_DATA), &element(ZERO, &[])]);
    assert_eq!(Bundle::read(&other).unwrap().items().count(), 0);
}

/// A string cut into segments, which may be cut again.
fn segments(content: &[u8]) -> Vec<u8> {
    let (one, two) = content.split_at(content.len() / 2);
    indefinite(0x24, &[&element(0x04, &[one]), &indefinite(0x24, &[&element(0x04, &[two])])])
}

fn whole(content: &[u8]) -> Vec<u8> {
    element(0x04, &[content])
}

fn bag(arc: u8, value: &[u8], attributes: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[&oid(&[&BAG_TYPES[..], &[arc]].concat()), &element(ZERO, &[value]), attributes])
}

fn pfx(make: Make, string: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let name = element(SEQUENCE, &[&oid(&FRIENDLY_NAME), &element(SET, &[&[0x1E, 4, 0, b'A', 0, 0xFC]])]);
    let id = element(SEQUENCE, &[&oid(&LOCAL_KEY_ID), &element(SET, &[&[0x04, 1, 9]])]);
    let attributes = element(SET, &[&name, &id]);
    let typed = |id: &[u8], content: &[u8]| make(SEQUENCE, &[&oid(id), &make(ZERO, &[&string(content)])]);
    let key = bag(1, &[0x30, 0x03, 0x02, 0x01, 0x05], &[]);
    let nested = make(SEQUENCE, &[&key]);
    let contents = make(
        SEQUENCE,
        &[
            &bag(3, &typed(&X509_CERTIFICATE, ONE_CERTIFICATE), &attributes),
            &bag(4, &typed(&X509_CRL, LIST), &[]),
            &bag(6, &nested, &[]),
            &bag(2, &[0x30, 0x00], &[]),
            &bag(5, &[0x30, 0x00], &[]),
        ],
    );
    let info = |id: &[u8], content: &[u8]| make(SEQUENCE, &[&oid(id), &make(ZERO, &[content])]);
    let safe = make(SEQUENCE, &[&info(&ID_DATA, &string(&contents)), &info(&ID_ENCRYPTED_DATA, &[0x30, 0x00])]);
    make(SEQUENCE, &[&[INTEGER, 1, 3], &info(&ID_DATA, &string(&safe))])
}

#[test]
fn pkcs12() {
    use BundleKind::*;
    for (make, string) in [
        (element as Make, whole as fn(&[u8]) -> Vec<u8>),
        (indefinite, whole),
        (element, segments),
        (indefinite, segments),
    ] {
        let file = pfx(make, string);
        let bundle = Bundle::read(&file).unwrap();
        let expected = [Certificate, CertificateList, PrivateKey, EncryptedPrivateKey, Secret, Encrypted];
        assert_eq!(kinds(&bundle), expected);
        assert_eq!(bundle.certificates().collect::<Vec<_>>(), [ONE_CERTIFICATE]);
        assert_eq!(bundle.lists().collect::<Vec<_>>(), [LIST]);
        let items: Vec<BundleItem<'_>> = bundle.items().collect();
        assert_eq!(items[0].friendly_name().as_deref(), Some("A\u{FC}"));
        assert_eq!(items[0].local_key_id(), Some(&[9][..]));
        assert_eq!((items[1].friendly_name(), items[1].local_key_id()), (None, None));
        assert_eq!(items[2].octets, [0x30, 0x03, 0x02, 0x01, 0x05]);
        assert!(!format!("{:?}", items[2]).contains("[48"));
        for len in 0..file.len() {
            // Cut off or with an octet exchanged: no panic, whatever comes of it.
            let _ = Bundle::read(&file[..len]);
            let mut changed = file.clone();
            changed[len] ^= 0x81;
            if let Err(error) = Bundle::read(&changed) {
                assert!(error.offset() <= changed.len(), "{error}");
            }
        }
    }
}

/// Nesting costs neither stack nor more than linear time.
#[test]
fn deep() {
    let nested = (0..100).fold(vec![0x30, 0x00], |inner, _| element(SEQUENCE, &[&bag(6, &inner, &[])]));
    let safe = element(SEQUENCE, &[&element(SEQUENCE, &[&oid(&ID_DATA), &element(ZERO, &[&whole(&nested)])])]);
    let file =
        element(SEQUENCE, &[&[INTEGER, 1, 3], &element(SEQUENCE, &[&oid(&ID_DATA), &element(ZERO, &[&whole(&safe)])])]);
    assert_eq!(Bundle::read(&file).unwrap_err().code(), "depth-exceeded");
    let mut open = vec![0x30, 0x80, 0x06, 0x01, 0x2A, 0xA0, 0x80];
    open.extend([0x30, 0x80].repeat(100_000));
    assert!(Bundle::read(&open).is_err());
}
