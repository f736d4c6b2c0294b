//! Builders, with keys and signatures: what is built is read, verified and held to the standard.

#![cfg(feature = "crypto")]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::error::Error;
use std::sync::Arc;

use tagwise::codec::{Decode, IntBuf, Null, OctetStr, Utf8, encode};
use tagwise::crypto::{
    Backend, CallbackSigner, ErrorKind, KeySigner, KeyType, Scheme, Signer, VerifySelfSigned, VerifySigned,
    backends::AwsLc,
};
use tagwise::pkix::build::{BuildError, CertificateBuilder, CrlBuilder, CsrBuilder};
use tagwise::pkix::ext::{
    AcmeIdentifier, AuthorityKeyIdentifier, BasicConstraints, CrlReason, ExtKeyUsage, GeneralName, KeyUsage,
    KnownExtension, PrecertificatePoison, SubjectAltName, SubjectKeyIdentifier,
};
use tagwise::pkix::{AlgorithmIdentifier, CertificateBuf, UnixTime, oids};

type Tried = Result<(), Box<dyn Error>>;

fn key(kind: KeyType) -> KeySigner {
    KeySigner::preferred(AwsLc::new().generate(kind).unwrap()).unwrap()
}

fn root(key: &KeySigner) -> CertificateBuf {
    CertificateBuilder::new().subject("CN=Root,O=Example").unwrap().ca(Some(1)).self_signed(key).unwrap()
}

#[test]
fn a_root_and_a_server() -> Tried {
    let backend = AwsLc::new();
    let (root_key, server_key) = (key(KeyType::P256), key(KeyType::Ed25519));
    let root = root(&root_key);
    root.verify_signed_by(&root, &backend)?;
    assert!(root.get().is_authority()?);
    assert_eq!(root.extension::<BasicConstraints<'_>>()?.unwrap().path_len_constraint.unwrap().get(), 1);
    assert!(root.extension::<KeyUsage<'_>>()?.unwrap().contains(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN));

    let server = CertificateBuilder::new()
        .subject("CN=www.example.org")?
        .dns("www.example.org")
        .ip([192, 0, 2, 1])
        .email("admin@example.org")
        .uri("https://www.example.org/")
        .key_usage(KeyUsage::DIGITAL_SIGNATURE)
        .purpose(oids::KP_SERVER_AUTH)
        .serial(u64::MAX)
        .not_before(UnixTime(1_790_000_000))
        .days(10)
        .public_key(server_key.public_key_info())?
        .issuer(&root)?
        .sign(&root_key)?;
    server.verify_signed_by(&root, &backend)?;
    assert_eq!(server.serial_number().to_string(), u64::MAX.to_string());
    assert_eq!(server.not_after().unix().0 - server.not_before().unix().0, 10 * 86_400 - 1);
    let names: Vec<String> = server.names().map(|name| name.unwrap().to_string()).collect();
    let all = ["DNS:www.example.org", "IP:192.0.2.1", "email:admin@example.org", "URI:https://www.example.org/"];
    assert_eq!(names, all);
    assert!(server.extension::<ExtKeyUsage<'_>>()?.unwrap().contains(oids::KP_SERVER_AUTH));
    let (by, own) = (server.extension::<AuthorityKeyIdentifier<'_>>()?, root.extension::<SubjectKeyIdentifier<'_>>()?);
    assert_eq!(by.unwrap().key_identifier, own.map(|own| own.0));
    assert!(!server.get().is_authority()?);
    // Another issuer, and another key under the same name.
    assert_eq!(root.verify_signed_by(&server, &backend).unwrap_err().kind(), ErrorKind::Mismatch);
    let imposter = self::root(&key(KeyType::P256));
    assert_eq!(server.verify_signed_by(&imposter, &backend).unwrap_err().kind(), ErrorKind::Signature);
    Ok(())
}

#[test]
fn missing_issuers_and_wrong_keys() -> Tried {
    let (one, other) = (key(KeyType::P256), key(KeyType::P256));
    let root = root(&one);
    let server = CertificateBuilder::new().subject("CN=a")?.public_key(other.public_key_info())?;
    let what = |error: BuildError| error.to_string();
    assert_eq!(what(server.sign(&one).unwrap_err()), "the certificate has no issuer (RFC 5280 §4.1.2.4)");
    let issued = server.clone().issuer(&root)?;
    assert!(
        what(issued.sign(&other).unwrap_err())
            .starts_with("the signer's public key is not byte-for-byte equal to the issuer certificate's")
    );
    assert!(
        what(issued.self_signed(&other).unwrap_err())
            .starts_with("a self-signed certificate must not have a different issuer")
    );
    assert!(
        what(server.self_signed(&one).unwrap_err())
            .starts_with("a self-signed certificate must certify the signing key")
    );
    let nobody = CertificateBuilder::new().public_key(other.public_key_info())?.issuer(&root)?;
    assert!(matches!(nobody.sign(&one), Err(BuildError::Lints(_))));
    assert!(matches!(issued.clone().dns("größe").sign(&one), Err(BuildError::Invalid { .. })));
    assert!(matches!(
        CertificateBuilder::new().subject("CN=a")?.self_signed(&one).map(|made| made.names().count()),
        Ok(0)
    ));
    assert!(CertificateBuilder::new().subject("nonsense").is_err());
    // Without a subject, the alternative names are critical.
    let named = nobody.dns("a.example").sign(&one)?;
    assert!(named.extensions().find(oids::SUBJECT_ALT_NAME)?.unwrap().critical);
    Ok(())
}

#[test]
fn a_request_and_its_certificate() -> Tried {
    let backend = AwsLc::new();
    let (ca, own) = (key(KeyType::Ed25519), key(KeyType::P256));
    let root = root(&ca);
    let request = CsrBuilder::new()
        .subject("CN=www.example.org")?
        .dns("www.example.org")
        .extension(&KeyUsage::from(KeyUsage::DIGITAL_SIGNATURE))?
        .attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("secret"))?
        .sign(&own)?;
    request.verify(&backend)?;
    assert_eq!(request.get().certification_request_info.attributes.len(), 2);
    assert!(request.extension::<KeyUsage<'_>>()?.unwrap().digital_signature());
    let again = tagwise::pkix::CsrBuf::from_pem(request.to_pem()?)?;
    assert_eq!(again, request);
    let certificate = CertificateBuilder::for_request(&request)?.issuer(&root)?.sign(&ca)?;
    certificate.verify_signed_by(&root, &backend)?;
    assert_eq!(certificate.public_key(), request.public_key());
    assert!(certificate.extension::<SubjectAltName<'_>>()?.unwrap().dns_names().eq(["www.example.org"]));
    assert!(certificate.extension::<KeyUsage<'_>>()?.is_none(), "what else is asked for is the issuer's decision");
    // A request whose content was changed.
    let mut der = request.to_der();
    let at = der.windows(3).position(|part| part == b"www").unwrap();
    der[at] = b'v';
    assert_eq!(tagwise::pkix::CsrBuf::from_der(der)?.verify(&backend).unwrap_err().kind(), ErrorKind::Signature);
    Ok(())
}

#[test]
fn a_revocation_list() -> Tried {
    let backend = AwsLc::new();
    let ca = key(KeyType::P384);
    let root = root(&ca);
    let list = CrlBuilder::new(&root, IntBuf::from_unsigned(&[0xFF; 18]))?
        .this_update(UnixTime(1_790_000_000))
        .revoke(7u8, UnixTime(1_780_000_000))
        .revoke_for(u128::MAX, UnixTime(1_780_000_001), CrlReason::KeyCompromise)
        .sign(&ca)?;
    list.verify_signed_by(&root, &backend)?;
    assert_eq!(list.next_update().unwrap().unix().0, 1_790_000_000 + 7 * 86_400);
    let entries = list.entries().collect::<Result<Vec<_>, _>>()?;
    assert_eq!(entries[1].crl_entry_extensions.unwrap().get::<CrlReason>()?, Some(CrlReason::KeyCompromise));
    assert_eq!(list.number()?.unwrap().0.int(), IntBuf::from_unsigned(&[0xFF; 18]));
    assert!(CrlBuilder::new(&root, -1)?.sign(&ca).is_err());
    let empty = CrlBuilder::new(&root, 1)?.sign(&ca)?;
    assert_eq!(empty.entries().count(), 0);
    Ok(())
}

#[test]
fn keys_that_are_elsewhere() -> Tried {
    let backend = AwsLc::new();
    let token = backend.generate(KeyType::Ed25519)?;
    let public = token.public_key_info().to_vec();
    let builder = CertificateBuilder::new().subject("CN=Root")?.ca(None).public_key(&public)?;
    // What is to be signed goes there, and the signature comes back.
    let identifier = Scheme::Ed25519.identifier()?;
    let unsigned = builder.tbs(&AlgorithmIdentifier::from_der(&identifier)?)?;
    let signature = token.sign(&Scheme::Ed25519, unsigned.tbs())?;
    let by_hand = CertificateBuf::from_der(unsigned.attach(&signature)?)?;
    by_hand.verify_signed_by(&by_hand, &backend)?;
    // Or a function asks it.
    let asked =
        CallbackSigner::new(Scheme::Ed25519, public, move |message: &[u8]| token.sign(&Scheme::Ed25519, message))?;
    let made = builder.self_signed(&asked)?;
    made.verify_signed_by(&made, &backend)?;
    let shared: Arc<dyn Signer> = Arc::new(asked);
    assert!(builder.self_signed(&*shared).is_ok());
    assert_eq!(encode(&made.subject())?, encode(&by_hand.subject())?);
    Ok(())
}

#[test]
fn contradictory_dates_and_wrong_keys() -> Tried {
    let (one, other) = (key(KeyType::P256), key(KeyType::P256));
    let root = root(&one);
    let says = |error: BuildError| error.to_string();
    let late = (UnixTime(2_000_000_000), UnixTime(1_000_000_000));
    let reversed = CertificateBuilder::new().subject("CN=a")?.not_before(late.0).not_after(late.1);
    assert_eq!(says(reversed.self_signed(&one).unwrap_err()), "the validity period is empty (RFC 5280 §4.1.2.5)");
    let twice = CertificateBuilder::new().subject("CN=a")?.days(3).not_after(late.0);
    assert_eq!(
        says(twice.self_signed(&one).unwrap_err()),
        "the end of validity can be set only once (RFC 5280 §4.1.2.5)"
    );
    let list = CrlBuilder::new(&root, 1u8)?.this_update(late.0).next_update(late.1);
    assert!(says(list.sign(&one).unwrap_err()).starts_with("nextUpdate is before thisUpdate"));
    let list = CrlBuilder::new(&root, 1u8)?;
    assert!(
        says(list.sign(&other).unwrap_err())
            .starts_with("the signer's public key is not byte-for-byte equal to the issuer certificate's")
    );

    let server = CertificateBuilder::new()
        .subject("CN=server")?
        .key_usage(KeyUsage::DIGITAL_SIGNATURE)
        .public_key(other.public_key_info())?
        .issuer(&root)?
        .sign(&one)?;
    let under = CertificateBuilder::new().subject("CN=below")?.issuer(&server);
    assert_eq!(says(under.unwrap_err()), "the issuer is not a CA (RFC 5280 §4.2.1.9)");
    assert!(
        says(CrlBuilder::new(&server, 1u8).unwrap_err()).starts_with("the issuer's key usage does not include cRLSign")
    );
    let lists_only =
        CertificateBuilder::new().subject("CN=b")?.ca(None).key_usage(KeyUsage::CRL_SIGN).self_signed(&one)?;
    let under = CertificateBuilder::new().subject("CN=below")?.issuer(&lists_only);
    assert!(says(under.unwrap_err()).starts_with("the issuer's key usage does not include keyCertSign"));
    Ok(())
}

#[test]
fn nothing_that_was_said_is_lost() -> Tried {
    let key = key(KeyType::P256);
    let names = [GeneralName::dns("b")?];
    let names = SubjectAltName(tagwise::pkix::ext::GeneralNames(names.as_slice().into()));
    let said = |builder: CertificateBuilder| builder.self_signed(&key).unwrap_err().to_string();
    let new = || CertificateBuilder::new().subject("CN=a").unwrap();
    assert_eq!(said(new().dns("a").extension(&names)?), "duplicate extension 2.5.29.17 (RFC 5280 §4.2)");
    assert!(said(new().ca(None).extension(&BasicConstraints::default())?).contains("2.5.29.19"));
    let usage = KeyUsage::from(KeyUsage::DIGITAL_SIGNATURE);
    assert!(said(new().key_usage(KeyUsage::KEY_AGREEMENT).extension(&usage)?).contains("2.5.29.15"));
    let request = CsrBuilder::new().subject("CN=a")?.dns("a").extension(&names)?;
    assert!(request.sign(&key).unwrap_err().to_string().contains("2.5.29.17"));
    let wrong = CsrBuilder::new().subject("CN=a")?.dns("www.example.org\0.evil").sign(&key).unwrap_err();
    assert_eq!(wrong.to_string(), "an alternative name is malformed (RFC 5280 §4.2.1.6)");
    let password = CsrBuilder::new().attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("secret"))?;
    assert!(!format!("{password:?}").contains("73, 65") && !format!("{password:?}").contains("115, 101"));
    assert!(password.attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("other")).is_err());
    Ok(())
}

#[test]
fn critical_as_the_standards_have_it() -> Tried {
    let key = key(KeyType::P256);
    let built = CertificateBuilder::new()
        .subject("CN=a")?
        .purpose(oids::KP_TIME_STAMPING)
        .extension(&PrecertificatePoison(Null))?
        .extension(&AcmeIdentifier(OctetStr::new(&[7; 32])))?
        .self_signed(&key)?;
    let critical = |id| {
        let mut all = built.extensions().into_iter().map(|one| one.unwrap());
        all.any(|one| one.extn_id == id && one.critical)
    };
    for id in [ExtKeyUsage::ID, PrecertificatePoison::ID, AcmeIdentifier::ID] {
        assert!(critical(id), "{id}");
    }
    Ok(())
}
