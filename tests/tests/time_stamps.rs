//! Time stamps with keys: the `openssl` command verifies what is stamped here, and what it stamps is verified here; each way in
//! which a stamp is not right is an error of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;

use tagwise_codec::{Any, Decode, Ia5, NamedBits, Oid, Open, SeqOf, SetOf, encode, oid, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::cms::{
    CmsError, Objection, SignedOptions, Signing, TimeSource, VerifyOptions, countersignatures, sign,
};
use tagwise_crypto::tsp::{Expected, Stamping, TspError, reply, request, signature_time_stamps, verify};
use tagwise_crypto::{Backend, Digest, ErrorKind, KeySigner, KeyType, Primitives, Signer};
use tagwise_pkix::build::{self, AttributeList, ExtensionList, SerialNumber};
use tagwise_pkix::cms::{Attribute, Attributes, SignerInfo};
use tagwise_pkix::ext::{ExtKeyUsage, ExtensionValue, GeneralName, KeyUsage};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::tsp::{ID_AA_TIME_STAMP_TOKEN, ID_CT_TST_INFO, PkiStatus, TimeStampReq, TimeStampResp, TstInfo};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, Extension, Extensions, SubjectPublicKeyInfo, UnixTime, oids};
use tagwise_tests::openssl;

const BACKEND: AwsLc = AwsLc::new();
const POLICY: Oid<'static> = oid!("1.3.6.1.4.1.99999.1");
const DATA: &[u8] = b"what is stamped";
const NOW: UnixTime = UnixTime(1_790_000_000);

struct Authority {
    signer: KeySigner,
    certificate: Vec<u8>,
}

impl Authority {
    fn new(kind: KeyType, critical: bool, purposes: &[Oid<'_>]) -> Self {
        let signer = KeySigner::preferred(BACKEND.generate(kind).unwrap()).unwrap();
        let name = NameBuf::parse("CN=Authority").unwrap();
        let mut list = ExtensionList::new();
        list.add(true, &KeyUsage(NamedBits::from_mask(1))).unwrap();
        list.add(critical, &ExtKeyUsage(SeqOf::from_slice(purposes))).unwrap();
        let extensions = list.extensions();
        let algorithm = signer.scheme().identifier().unwrap();
        let algorithm = AlgorithmIdentifier::from_der(&algorithm).unwrap();
        let key = SubjectPublicKeyInfo::from_der(signer.public_key_info()).unwrap();
        let unsigned = openssl::certificate_of(&name, key, algorithm, &extensions);
        let certificate = tagwise_crypto::sign(&unsigned, &signer).unwrap();
        Self { signer, certificate }
    }

    fn reply(&self, request: &[u8]) -> Result<Vec<u8>, TspError> {
        self.reply_at(request, NOW, false)
    }

    fn reply_at(&self, request: &[u8], time: UnixTime, allow_validity: bool) -> Result<Vec<u8>, TspError> {
        let certificate = Certificate::from_der(&self.certificate).unwrap();
        let stamping = Stamping {
            signer: &self.signer,
            certificate: &certificate,
            certificates: &[&self.certificate],
            policy: POLICY,
            serial: SerialNumber::generate().unwrap(),
            time,
            accuracy: Some(2),
            allow_validity,
        };
        reply(&BACKEND, request, &stamping)
    }
}

const STAMPING: &[Oid<'static>] = &[oids::KP_TIME_STAMPING];

fn asked(digest: Digest, policy: Option<Oid<'_>>) -> Vec<u8> {
    let hash = BACKEND.digest(digest, DATA).unwrap();
    request(&BACKEND, digest, &hash, policy, true).unwrap()
}

fn check(response: &[u8], expected: &Expected<'_>) -> Result<tagwise_crypto::tsp::Stamp, TspError> {
    verify(&BACKEND, response, expected, &VerifyOptions::DEFAULT)
}

/// No verifier accepts a time stamp from outside of the certificate's validity, both of whose ends belong to it (RFC 5280 §4.1.2.5).
#[test]
fn time_stamps_are_within_the_validity_of_the_certificate() {
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let asked = asked(Digest::Sha256, None);
    for (time, is_valid) in [
        (openssl::NOT_BEFORE - 1, false),
        (openssl::NOT_BEFORE, true),
        (openssl::NOT_AFTER, true),
        (openssl::NOT_AFTER + 1, false),
    ] {
        let error = authority.reply_at(&asked, UnixTime(time), false).err().map(|error| error.to_string());
        let expected = "the time to certify is outside of the validity of the authority's certificate (RFC 3161 §2.3, RFC 5280 §6.1.3)";
        assert_eq!(error.as_deref(), (!is_valid).then_some(expected), "{time}");
        let stamp = authority.reply_at(&asked, UnixTime(time), true).unwrap();
        let stamp = verify(&BACKEND, &stamp, &Expected::Data(DATA), &VerifyOptions::DEFAULT).unwrap();
        let objects = stamp.objections.iter().any(|one| one.kind() == "validity");
        assert_eq!((stamp.time, objects), (UnixTime(time), !is_valid));
    }
}

/// Time stamps over a signature (RFC 3161 appendix A) are of that signature, and each has a result of its own.
#[test]
fn signatures_with_time_stamps() {
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let signer = Authority::new(KeyType::P256, false, &[oids::KP_EMAIL_PROTECTION]);
    let certificate = Certificate::from_der(&signer.certificate).unwrap();
    let options = SignedOptions { certificates: &[&signer.certificate], ..SignedOptions::DEFAULT };
    let stamp = |data: &[u8]| {
        let hash = BACKEND.digest(Digest::Sha256, data).unwrap();
        let response = authority.reply(&request(&BACKEND, Digest::Sha256, &hash, None, true).unwrap()).unwrap();
        encode(&TimeStampResp::from_der(&response).unwrap().time_stamp_token.unwrap()).unwrap()
    };
    // RSA and ECDSA signatures differ from run to run: the SignerInfo is taken apart, and the stamp put into it.
    let signing = Signing::new(&signer.signer, &certificate);
    let message = sign(&BACKEND, b"what is said", &[signing], &options).unwrap();
    let verified = tagwise_crypto::cms::verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap();
    let info = SignerInfo::from_der(&verified.signers[0].info).unwrap();
    let stamped = |tokens: &[Vec<u8>]| {
        let values: Vec<Any<'_>> = tokens.iter().map(|token| Any::from_der(token).unwrap()).collect();
        let attribute = [Attribute { attr_type: ID_AA_TIME_STAMP_TOKEN, attr_values: SetOf::from_slice(&values) }];
        encode(&SignerInfo { unsigned_attrs: Some(Attributes(SetOf::from_slice(&attribute))), ..info }).unwrap()
    };
    let check = |info: &[u8]| signature_time_stamps(&BACKEND, info, &VerifyOptions::DEFAULT);
    assert!(check(&verified.signers[0].info).unwrap().is_empty());
    let good = check(&stamped(&[stamp(&info.signature)])).unwrap();
    assert_eq!(good[0].as_ref().unwrap().time, NOW);
    // Of the content, not of the signature.
    let other = check(&stamped(&[stamp(b"what is said")])).unwrap();
    assert!(matches!(other[0], Err(TspError::Imprint)));
    let many: Vec<Vec<u8>> = (0..17).map(|_| stamp(&info.signature)).collect();
    assert!(matches!(check(&stamped(&many)), Err(TspError::Cms(CmsError::Limit { .. }))));
}

/// A time stamp that is later than the time of the check proves nothing.
#[test]
fn time_stamps_from_the_future() {
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let hash = BACKEND.digest(Digest::Sha256, DATA).unwrap();
    let response = authority.reply(&request(&BACKEND, Digest::Sha256, &hash, None, true).unwrap()).unwrap();
    let at = |at| {
        let options = VerifyOptions { at: Some(UnixTime(at)), ..VerifyOptions::DEFAULT };
        verify(&BACKEND, &response, &Expected::Data(DATA), &options).unwrap().objections
    };
    assert!(at(NOW.0).is_empty());
    // Its accuracy is two seconds.
    assert!(!at(NOW.0 - 2).iter().any(|one| matches!(one, Objection::Future { .. })));
    let ahead = at(NOW.0 - 3600);
    assert!(matches!(ahead.first(), Some(Objection::Future { time: NOW, .. })), "{ahead:?}");
    assert_eq!(ahead.first().map(Objection::kind), Some("future"));
}

/// A countersignature (RFC 5652 §11.4) is of the signature's value, as Authenticode's time stamps before RFC 3161.
#[test]
fn countersignatures_of_signatures() {
    let signer = Authority::new(KeyType::P256, false, &[oids::KP_CODE_SIGNING]);
    let authority = Authority::new(KeyType::P256, false, STAMPING);
    let certificate = Certificate::from_der(&signer.certificate).unwrap();
    let message = sign(&BACKEND, DATA, &[Signing::new(&signer.signer, &certificate)], &SignedOptions::DEFAULT).unwrap();
    let options = VerifyOptions { certificates: &[&signer.certificate], ..VerifyOptions::DEFAULT };
    let verified = tagwise_crypto::cms::verify(&BACKEND, &message, None, &options).unwrap();
    let info = SignerInfo::from_der(&verified.signers[0].info).unwrap();
    let element = |tag: u8, content: &[&[u8]]| {
        let content = content.concat();
        let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
        let header: &[u8] = match (high, low) {
            (0, 0..0x80) => &[tag, low],
            (0, _) => &[tag, 0x81, low],
            _ => &[tag, 0x82, high, low],
        };
        [header, &content].concat()
    };
    let attribute = |id: Oid<'_>, value: &[u8]| element(0x30, &[&encode(&id).unwrap(), &element(0x31, &[value])]);
    let time = b"\x17\x0D260921173320Z";
    let digest =
        |data: &[u8]| attribute(oids::MESSAGE_DIGEST, &element(4, &[&BACKEND.digest(Digest::Sha256, data).unwrap()]));
    let algorithm = |oid: Oid<'_>| element(0x30, &[&encode(&oid).unwrap()]);
    // A countersignature by an authority with these signed attributes.
    let counter = |by: &Authority, mut attributes: Vec<Vec<u8>>| {
        attributes.sort();
        let attributes = attributes.concat();
        let signed = tagwise_crypto::Signer::sign(&by.signer, &element(0x31, &[&attributes])).unwrap();
        let tbs = Certificate::from_der(&by.certificate).unwrap().tbs_certificate;
        let sid = element(0x30, &[&encode(&tbs.issuer).unwrap(), &encode(&tbs.serial_number).unwrap()]);
        let signed_attributes = element(0xA0, &[&attributes]);
        element(
            0x30,
            &[
                &[2, 1, 1],
                &sid,
                &algorithm(oids::SHA256),
                if attributes.is_empty() { &[] } else { &signed_attributes },
                &by.signer.scheme().identifier().unwrap(),
                &element(4, &[&signed]),
            ],
        )
    };
    let with = |values: &[Vec<u8>]| {
        let values: Vec<Any<'_>> = values.iter().map(|value| Any::from_der(value).unwrap()).collect();
        let attribute = [Attribute { attr_type: oids::COUNTERSIGNATURE, attr_values: SetOf::from_slice(&values) }];
        encode(&SignerInfo { unsigned_attrs: Some(Attributes(SetOf::from_slice(&attribute))), ..info }).unwrap()
    };
    let known = [&authority.certificate[..], &signer.certificate[..]];
    let check = |values: &[Vec<u8>]| {
        let purpose = Some(oids::KP_TIME_STAMPING);
        let options = VerifyOptions { certificates: &known, purpose, ..VerifyOptions::DEFAULT };
        countersignatures(&BACKEND, &with(values), &options)
    };
    assert_eq!(check(&[]).unwrap().len(), 0);
    let attributes = || vec![attribute(oids::SIGNING_TIME, time), digest(&info.signature)];
    let good = check(&[counter(&authority, attributes())]).unwrap().remove(0).unwrap();
    assert_eq!((good.time, &good.certificate), (Some(UnixTime(1_790_012_000)), &authority.certificate));
    assert_eq!((good.at, good.at_from), (UnixTime(1_790_012_000), TimeSource::GenTime));
    assert!(good.objections.is_empty(), "{:?}", good.objections);
    // Authenticode has a content type, which RFC 5652 forbids; no other type passes.
    let typed = |kind: Oid<'_>| {
        let kind = attribute(oids::CONTENT_TYPE, &encode(&kind).unwrap());
        check(&[counter(&authority, [attributes(), vec![kind]].concat())]).unwrap().remove(0)
    };
    assert!(typed(oids::DATA).is_ok());
    assert!(matches!(typed(ID_CT_TST_INFO), Err(CmsError::Invalid { clause: "RFC 5652 §11.4", .. })));
    // Of another signature, or changed.
    let other = counter(&authority, vec![attribute(oids::SIGNING_TIME, time), digest(b"another signature")]);
    assert!(matches!(check(&[other]).unwrap().remove(0), Err(CmsError::Digest)));
    let mut broken = counter(&authority, attributes());
    let at = broken.windows(5).position(|part| part == b"26092").unwrap();
    broken[at + 1] = b'7';
    assert!(check(&[broken]).unwrap().remove(0).is_err());
    // Without a time, it attests none; without the purpose, its time is worth nothing.
    let timeless = check(&[counter(&authority, vec![digest(&info.signature)])]).unwrap().remove(0).unwrap();
    assert_eq!((timeless.time, timeless.at_from), (None, TimeSource::Clock));
    let own = check(&[counter(&signer, attributes())]).unwrap().remove(0).unwrap();
    assert_eq!(own.objections, [tagwise_crypto::cms::Objection::Purpose]);
    let stranger = Authority::new(KeyType::P256, false, STAMPING);
    let unknown = check(&[counter(&stranger, attributes())]).unwrap().remove(0);
    assert!(unknown.is_err(), "{unknown:?}");
    let many: Vec<Vec<u8>> = (0..17).map(|_| counter(&authority, attributes())).collect();
    assert!(matches!(check(&many), Err(CmsError::Limit { .. })));
}

#[test]
fn openssl_verifies_what_is_stamped() {
    let openssl = openssl::is_there();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for kind in [KeyType::P256, KeyType::Rsa(2048), KeyType::P384, KeyType::Ed25519, KeyType::MlDsa44] {
        let authority = Authority::new(kind, true, STAMPING);
        for digest in [Digest::Sha256, Digest::Sha384, Digest::Sha512] {
            let request = asked(digest, Some(POLICY));
            let response = authority.reply(&request).unwrap();
            for expected in [
                Expected::Request(&request),
                Expected::Data(DATA),
                Expected::Digest(digest, &BACKEND.digest(digest, DATA).unwrap()),
            ] {
                let stamp = check(&response, &expected).unwrap();
                assert_eq!((stamp.time, &stamp.certificate), (NOW, &authority.certificate));
                assert_eq!((stamp.at, stamp.at_from, &stamp.objections[..]), (NOW, TimeSource::GenTime, &[][..]));
                assert_eq!(stamp.tst_info().unwrap().policy, POLICY);
            }
            // The stamp alone.
            let token = TimeStampResp::from_der(&response).unwrap().time_stamp_token.unwrap();
            assert!(check(&encode(&token).unwrap(), &Expected::Request(&request)).is_ok());
            if !openssl || matches!(kind, KeyType::Ed25519 | KeyType::MlDsa44) {
                continue;
            }
            fs::write(folder.join("query"), &request).unwrap();
            fs::write(folder.join("reply"), &response).unwrap();
            fs::write(folder.join("data"), DATA).unwrap();
            fs::write(folder.join("tsa.pem"), pem::encode("CERTIFICATE", &authority.certificate).unwrap()).unwrap();
            for against in [["-queryfile", "query"], ["-data", "data"]] {
                let args = ["ts", "-verify", "-in", "reply", "-CAfile", "tsa.pem"];
                let said = openssl::run(folder, &[&args[..], &against].concat());
                assert!(said.contains("Verification: OK"), "{kind} {digest}: {said}");
            }
        }
    }
}

#[test]
fn time_stamps_of_openssl_verify() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let key = authority.signer.key().to_pkcs8().unwrap();
    fs::write(folder.join("tsa.key"), pem::encode("PRIVATE KEY", key.expose()).unwrap()).unwrap();
    fs::write(folder.join("tsa.pem"), pem::encode("CERTIFICATE", &authority.certificate).unwrap()).unwrap();
    fs::write(folder.join("data"), DATA).unwrap();
    for (signs, ess) in [("sha256", "sha256"), ("sha512", "sha1"), ("sha384", "sha512")] {
        let config = format!(
            "[tsa]\ndefault_tsa = t\n[t]\nserial = serial\ncrypto_device = builtin\nsigner_cert = tsa.pem\n\
             signer_key = tsa.key\nsigner_digest = {signs}\ndefault_policy = 1.3.6.1.4.1.99999.1\n\
             digests = sha1, sha256, sha512\nordering = yes\ntsa_name = yes\ness_cert_id_alg = {ess}\n"
        );
        fs::write(folder.join("config"), config).unwrap();
        fs::write(folder.join("serial"), "01\n").unwrap();
        for digest in ["-sha256", "-sha512", "-sha1"] {
            let _ = openssl::run(folder, &["ts", "-query", "-data", "data", digest, "-cert", "-out", "query"]);
            let args = ["ts", "-reply", "-config", "config", "-section", "t", "-queryfile", "query", "-out", "reply"];
            let _ = openssl::run(folder, &args);
            let (query, response) = (fs::read(folder.join("query")).unwrap(), fs::read(folder.join("reply")).unwrap());
            if digest == "-sha1" {
                let error = check(&response, &Expected::Request(&query)).unwrap_err();
                assert!(
                    matches!(&error, TspError::Cms(CmsError::Crypto(error)) if error.kind() == ErrorKind::Legacy),
                    "{error}"
                );
                let options = VerifyOptions { legacy: true, ..VerifyOptions::DEFAULT };
                assert!(verify(&BACKEND, &response, &Expected::Request(&query), &options).is_ok());
                continue;
            }
            // ECDSA with SHA-384 and SHA-512 on P-256 too.
            let stamp = check(&response, &Expected::Request(&query)).unwrap_or_else(|error| panic!("{signs}: {error}"));
            assert_eq!(stamp.certificate, authority.certificate);
            assert!(check(&response, &Expected::Data(DATA)).is_ok());
            assert!(matches!(check(&response, &Expected::Data(b"other")), Err(TspError::Imprint)));
        }
    }
}

/// Authorities that sign a TSTInfo in BER: the digest matches, and the error names the content (RFC 3161 §2.4.2).
#[test]
fn time_stamps_that_are_not_der() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let key = authority.signer.key().to_pkcs8().unwrap();
    fs::write(folder.join("tsa.key"), pem::encode("PRIVATE KEY", key.expose()).unwrap()).unwrap();
    fs::write(folder.join("tsa.pem"), pem::encode("CERTIFICATE", &authority.certificate).unwrap()).unwrap();
    let hash = BACKEND.digest(Digest::Sha256, DATA).unwrap();
    let response = authority.reply(&asked(Digest::Sha256, None)).unwrap();
    let good = check(&response, &Expected::Data(DATA)).unwrap().info;
    let body = &good[3..];
    assert_eq!((&good[..2], usize::from(good[2])), (&[0x30, 0x81][..], body.len()));
    let of = |content: &[u8]| {
        fs::write(folder.join("content"), content).unwrap();
        let args = "cms -sign -cades -nodetach -binary -md sha256 -econtent_type 1.2.840.113549.1.9.16.1.4 -in content \
                    -signer tsa.pem -inkey tsa.key -outform DER -out token";
        let _ = openssl::run(folder, &args.split_whitespace().collect::<Vec<_>>());
        let token = fs::read(folder.join("token")).unwrap();
        check(&token, &Expected::Digest(Digest::Sha256, &hash)).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(of(&good), Ok(()));
    let trailing = format!("unexpected data after the last element, at byte {} (X.690 §8.1.1)", good.len());
    for (content, fault) in [
        // The length with a leading zero.
        ([&[0x30, 0x82, 0, good[2]], body].concat(), "the length is not in its shortest form, at byte 1 (X.690 §10.1)"),
        // The indefinite length.
        ([&[0x30, 0x80], body, &[0, 0]].concat(), "the indefinite length form is not DER, at byte 1 (X.690 §10.1)"),
        // A zero byte after the value.
        ([&good[..], &[0]].concat(), trailing.as_str()),
    ] {
        assert_eq!(of(&content), Err(format!("the TSTInfo (in DER, RFC 3161 §2.4.2): {fault}")));
    }
}

#[test]
fn errors_of_time_stamps() {
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let query = asked(Digest::Sha256, Some(POLICY));
    let response = authority.reply(&query).unwrap();
    let error = |expected: &Expected<'_>| check(&response, expected).unwrap_err();
    assert!(matches!(error(&Expected::Data(b"other")), TspError::Imprint));
    let other = asked(Digest::Sha256, Some(POLICY));
    assert!(matches!(error(&Expected::Request(&other)), TspError::Answer("nonce")));
    let read = TimeStampReq::from_der(&query).unwrap();
    let policy = encode(&TimeStampReq { req_policy: Some(oid!("2.999")), ..read }).unwrap();
    assert!(matches!(error(&Expected::Request(&policy)), TspError::Answer("policy")));
    let digest = asked(Digest::Sha512, None);
    assert!(matches!(error(&Expected::Request(&digest)), TspError::Imprint));
    // Every octet counts, but for what is around what is signed.
    let good = check(&response, &Expected::Request(&query)).unwrap();
    for at in 0..response.len() {
        let mut changed = response.clone();
        changed[at] ^= 1;
        if let Ok(stamp) = check(&changed, &Expected::Request(&query)) {
            assert_eq!((stamp.info, stamp.time), (good.info.clone(), good.time), "{at}");
        }
    }
    for len in 0..response.len() {
        let error = check(&response[..len], &Expected::Request(&query)).unwrap_err();
        assert!(matches!(error, TspError::Cms(CmsError::Malformed { .. })), "{len}: {error}");
    }
    // Certificates that are not for stamping, or not alone.
    for (critical, purposes) in
        [(false, STAMPING), (true, &[oids::KP_TIME_STAMPING, oids::KP_CODE_SIGNING]), (true, &[oids::KP_CODE_SIGNING])]
    {
        let authority = Authority::new(KeyType::P256, critical, purposes);
        let error = authority.reply(&query).unwrap_err();
        assert!(matches!(error, TspError::Cms(CmsError::Invalid { clause: "RFC 3161 §2.3", .. })), "{error}");
    }
}

/// A request that is not right is answered, and the answer says why.
#[test]
fn bad_requests_are_rejected() {
    let authority = Authority::new(KeyType::Ed25519, true, STAMPING);
    let query = asked(Digest::Sha256, None);
    let read = TimeStampReq::from_der(&query).unwrap();
    let imprint = |algorithm, len: usize| {
        let mut imprint = read.message_imprint;
        imprint.hash_algorithm = AlgorithmIdentifier { algorithm, parameters: None };
        imprint.hashed_message = tagwise_codec::OctetStr::new(&[0; 64][..len]);
        encode(&TimeStampReq { message_imprint: imprint, ..read }).unwrap()
    };
    for (request, failure) in [
        (b"\x30\x00".to_vec(), 5),
        (imprint(oids::SHA1, 20), 0),
        (imprint(oids::MD5, 16), 0),
        (imprint(oids::SHA256, 31), 5),
        (encode(&TimeStampReq { req_policy: Some(oid!("2.999")), ..read }).unwrap(), 15),
    ] {
        let response = authority.reply(&request).unwrap();
        let error = check(&response, &Expected::Data(DATA)).unwrap_err();
        let TspError::Refused { status, text, failures } = error else { panic!("{error}") };
        assert_eq!((status, failures), (PkiStatus::REJECTION, vec![failure]));
        assert_eq!(text.len(), 1);
    }
}

/// The authority's name in a stamp must be one of its certificate's (RFC 3161 §2.4.2), and critical extensions known.
#[test]
fn fields_of_a_time_stamp_are_checked() {
    let authority = Authority::new(KeyType::P256, true, STAMPING);
    let certificate = Certificate::from_der(&authority.certificate).unwrap();
    let hash = BACKEND.digest(Digest::Sha256, DATA).unwrap();
    let query = asked(Digest::Sha256, None);
    let response = authority.reply(&query).unwrap();
    let good = check(&response, &Expected::Data(DATA)).unwrap();
    let info = good.tst_info().unwrap();
    let stamped = |info: TstInfo<'_>| {
        let mut attributes = AttributeList::new();
        attributes.signing_certificate(&certificate, build::Digest::Sha256).unwrap();
        let attributes = attributes.attributes();
        let signing = Signing { attributes: Some(&attributes), ..Signing::new(&authority.signer, &certificate) };
        let options = SignedOptions {
            content_type: ID_CT_TST_INFO,
            certificates: &[&authority.certificate],
            ..SignedOptions::DEFAULT
        };
        let token = sign(&BACKEND, &encode(&info).unwrap(), &[signing], &options).unwrap();
        check(&token, &Expected::Digest(Digest::Sha256, &hash)).map(|_| ()).map_err(|error| error.to_string())
    };
    let named = |name: &str| GeneralName::DirectoryName(NameBuf::parse(name).unwrap().name()).to_string();
    assert_eq!(info.tsa.unwrap().to_string(), named("CN=Authority"));
    assert_eq!(stamped(info), Ok(()));
    assert_eq!(stamped(TstInfo { tsa: None, ..info }), Ok(()));
    let (alike, other) = (NameBuf::parse("CN=AUTHORITY ").unwrap(), NameBuf::parse("CN=Other").unwrap());
    assert_eq!(stamped(TstInfo { tsa: Some(GeneralName::DirectoryName(alike.name())), ..info }), Ok(()));
    let wrong = "the TSA name in the token is not a name of the certificate (RFC 3161 §2.4.2)";
    let other = GeneralName::DirectoryName(other.name());
    assert_eq!(stamped(TstInfo { tsa: Some(other), ..info }), Err(wrong.to_owned()));
    let host = GeneralName::DnsName(Ia5::new("example.org").unwrap());
    assert_eq!(stamped(TstInfo { tsa: Some(host), ..info }), Err(wrong.to_owned()));
    for critical in [false, true] {
        let value = Open::<ExtensionValue<'_>>::new(oid!("2.999").as_bytes(), b"\x05\x00");
        let list = [Extension { extn_id: oid!("2.999"), critical, extn_value: value }];
        let outcome = stamped(TstInfo { extensions: Extensions::new(&list), ..info });
        assert_eq!(outcome.is_err(), critical, "{outcome:?}");
    }
}
