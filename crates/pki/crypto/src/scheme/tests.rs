use super::*;

#[test]
fn identifiers_come_back() {
    let rows = table::SIGNATURES.iter().filter_map(|row| row.scheme);
    let pss = [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512]
        .map(|digest| [PssParameters::of(digest), PssParameters { digest, mask: Digest::Sha1, salt_len: 20 }]);
    for scheme in rows.chain(pss.into_iter().flatten().map(Scheme::RsaPss)) {
        let der = scheme.identifier().unwrap();
        let identifier = AlgorithmIdentifier::from_der(&der).unwrap();
        assert_eq!(Scheme::of_legacy(&identifier).unwrap(), scheme);
        assert_eq!(Scheme::of(&identifier).is_ok(), !scheme.is_legacy());
    }
}

/// RFC 4055 §3.1: all DEFAULTs are SHA-1 and a salt of 20 octets, in an empty SEQUENCE.
#[test]
fn defaults_of_pss_are_left_out() {
    let scheme = Scheme::RsaPss(PssParameters::of(Digest::Sha1));
    let der = scheme.identifier().unwrap();
    assert!(der.ends_with(&[0x30, 0x00]));
    assert_eq!(Scheme::of_legacy(&AlgorithmIdentifier::from_der(&der).unwrap()).unwrap(), scheme);
}

#[test]
fn parameters_are_those_of_the_algorithm() {
    let null = Any::from_der(&[5, 0]).unwrap();
    let of = |algorithm, parameters| Scheme::of(&AlgorithmIdentifier { algorithm, parameters });
    assert!(of(oids::SHA256_WITH_RSA_ENCRYPTION, Some(null)).is_ok());
    assert!(of(oids::SHA256_WITH_RSA_ENCRYPTION, None).is_ok());
    for algorithm in [oids::ECDSA_WITH_SHA256, oids::ED25519, oids::ML_DSA_65] {
        assert!(of(algorithm, None).is_ok());
        assert_eq!(of(algorithm, Some(null)).unwrap_err().kind(), ErrorKind::Parameters);
    }
    // A key may leave open what a signature may not.
    assert_eq!(of(oids::RSASSA_PSS, None).unwrap_err().kind(), ErrorKind::Parameters);
    let error = of(oids::SHA256, None).unwrap_err();
    assert_eq!(error.to_string(), "SHA-256 is not supported");
}

/// RFC 4055 §3.1: DEFAULTs that are there all the same are recognized, here the trailer and SHA-1.
#[test]
fn defaults_of_pss_that_are_there_are_taken() {
    let inside = b"\x30\x12\xA0\x0B\x30\x09\x06\x05\x2B\x0E\x03\x02\x1A\x05\x00\xA3\x03\x02\x01\x01";
    let parameters = Some(Any::from_der(inside).unwrap());
    let scheme = Scheme::of_legacy(&AlgorithmIdentifier { algorithm: oids::RSASSA_PSS, parameters });
    assert_eq!(scheme.unwrap(), Scheme::RsaPss(PssParameters::of(Digest::Sha1)));
}

/// A mask that is no MGF1, and another trailer.
#[test]
fn what_pss_does_not_have() {
    for inside in [
        &b"\x30\x0D\xA1\x0B\x30\x09\x06\x05\x2B\x0E\x03\x02\x1A\x05\x00"[..],
        b"\x30\x05\xA3\x03\x02\x01\x02",
        b"\x30\x07\xA2\x05\x02\x03\x01\x00\x00",
    ] {
        let parameters = Some(Any::from_der(inside).unwrap());
        let error = Scheme::of_legacy(&AlgorithmIdentifier { algorithm: oids::RSASSA_PSS, parameters }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameters);
    }
}

#[test]
fn every_kind_of_key_has_a_scheme_or_does_not_sign() {
    for &key in KeyType::ALL {
        let scheme = Scheme::preferred(key);
        assert_eq!(scheme.is_some(), key.signs());
        assert!(scheme.is_none_or(|scheme| scheme.fits(key) && !scheme.is_legacy()));
    }
}
