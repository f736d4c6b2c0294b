//! OCSP responders.

use super::*;

/// A request for certificates of this issuer.
fn ocsp_request(hashes: &IssuerHashes, serials: &[&Serial], nonce: Option<&[u8]>) -> Vec<u8> {
    let ids: Vec<Request<'_>> = serials
        .iter()
        .map(|serial| Request { req_cert: hashes.cert_id(serial.number()), single_request_extensions: None })
        .collect();
    let mut list = ExtensionList::new();
    if let Some(nonce) = nonce {
        list.add(false, &Nonce(nonce.into())).unwrap();
    }
    let extensions = list.extensions();
    build::ocsp_request(&TbsRequest {
        version: Version::V1,
        requestor_name: None,
        request_list: ids.as_slice().into(),
        request_extensions: Extensions::new(&extensions),
    })
    .unwrap()
}

/// The status of each certificate in a response.
fn words(der: &[u8]) -> Vec<&'static str> {
    let basic = basic(der);
    let word = |status| match status {
        CertStatus::Good => "good",
        CertStatus::Revoked(_) => "revoked",
        CertStatus::Unknown(_) => "unknown",
    };
    basic.tbs_response_data.responses.iter().map(|one| word(one.unwrap().cert_status)).collect()
}

fn basic(der: &[u8]) -> BasicOcspResponse<'_> {
    let response = OcspResponse::from_der(der).unwrap();
    assert_eq!(response.response_status, OcspResponseStatus::Successful);
    match response.response_bytes.unwrap().response.get().unwrap() {
        Response::Response(basic) => basic,
        Response::Unknown(_) => panic!("no basic response"),
    }
}

fn responder(ca: &Ca, options: OcspOptions) -> Responder {
    Responder::new(Arc::new(ca.authority.clone()), Arc::new(ca.signer.clone()), options).unwrap()
}

#[test]
fn answers_are_kept_until_the_status_changes() {
    let mut ca = ca(None);
    let serial = ca.server();
    let responder = responder(&ca, OcspOptions::DEFAULT);
    let hashes = IssuerHashes::of(Digest::Sha256, ca.authority.certificate()).unwrap();
    let asked = ocsp_request(&hashes, &[&serial], None);
    let first = responder.answer(&mut ca.store, &asked, at(NOW));
    assert_eq!((words(&first.der), first.fresh), (vec!["good"], Some((at(NOW), at(NOW + DAY)))));
    let again = responder.answer(&mut ca.store, &asked, at(NOW + 100));
    assert_eq!(again.der, first.der);
    // Half of its life is over.
    let later = responder.answer(&mut ca.store, &asked, at(NOW + DAY / 2 + 1));
    assert_eq!(later.fresh, Some((at(NOW + DAY / 2 + 1), at(NOW + DAY / 2 + 1 + DAY))));
    ca.revoke(&serial, CrlReason::CertificateHold, at(NOW + DAY)).unwrap();
    assert_eq!(words(&responder.answer(&mut ca.store, &asked, at(NOW + DAY)).der), ["revoked"]);
    ca.authority.release(&mut ca.store, &serial, at(NOW + DAY)).unwrap();
    assert_eq!(words(&responder.answer(&mut ca.store, &asked, at(NOW + DAY)).der), ["good"]);

    // One that was signed before the status changed, and comes to be stored after it, is dropped.
    let status = ca.store.status(ca.authority.id(), &serial).unwrap().unwrap();
    let stale = NewOcspResponse {
        certificate: status.certificate,
        digest: "sha1",
        revision: status.revision,
        this_update: at(NOW),
        next_update: at(NOW + 10 * DAY),
        der: first.der,
    };
    ca.revoke(&serial, CrlReason::KeyCompromise, at(NOW + DAY)).unwrap();
    ca.store.add_ocsp_responses(ca.authority.id(), &[stale]).unwrap();
    assert!(ca.store.ocsp_response(ca.authority.id(), &serial, "sha1", at(NOW)).unwrap().is_none());
}

#[test]
fn every_request_has_an_answer() {
    let mut ca = ca(None);
    let (one, two, unknown) = (ca.server(), ca.server(), Serial::generate().unwrap());
    ca.revoke(&two, CrlReason::Unspecified, at(NOW)).unwrap();
    let options = OcspOptions { max_certificates: 3, ..OcspOptions::DEFAULT };
    let responder = responder(&ca, options);
    let hashes = IssuerHashes::of(Digest::Sha1, ca.authority.certificate()).unwrap();
    let other = IssuerHashes::new(
        Digest::Sha1,
        NameBuf::parse("CN=Other").unwrap().name(),
        &ca.authority.certificate().tbs_certificate.subject_public_key_info,
    )
    .unwrap();
    let answer =
        responder.answer(&mut ca.store, &ocsp_request(&hashes, &[&one, &two, &unknown], Some(&[7; 32])), at(NOW));
    assert_eq!((words(&answer.der), answer.fresh), (vec!["good", "revoked", "unknown"], None));
    let response = basic(&answer.der);
    let extensions = response.tbs_response_data.response_extensions.unwrap();
    assert_eq!(extensions.get::<Nonce<'_>>().unwrap().unwrap().0.as_bytes(), [7; 32]);
    let tbs = ca.authority.certificate().tbs_certificate;
    let signature = response.signature.octets().unwrap();
    let signed = response.tbs_response_data.as_bytes();
    verify(&BACKEND, &tbs.subject_public_key_info, &response.signature_algorithm, signed, signature).unwrap();

    let mut status = |request: &[u8]| responder.answer(&mut ca.store, request, at(NOW)).status;
    assert_eq!(status(&ocsp_request(&hashes, &[&unknown], None)), OcspResponseStatus::Successful);
    assert_eq!(status(&ocsp_request(&other, &[&one], None)), OcspResponseStatus::Unauthorized);
    assert_eq!(status(&ocsp_request(&hashes, &[&one; 4], None)), OcspResponseStatus::MalformedRequest);
    assert_eq!(status(b""), OcspResponseStatus::MalformedRequest);
    assert_eq!(status(&[0x30, 0x80, 0, 0]), OcspResponseStatus::MalformedRequest);
    let whole = ocsp_request(&hashes, &[&one], None);
    for len in 0..whole.len() {
        assert_eq!(status(&whole[..len]), OcspResponseStatus::MalformedRequest, "{len}");
    }
    let silent = Responder::new(
        Arc::new(ca.authority.clone()),
        Arc::new(ca.signer.clone()),
        OcspOptions { nonce: false, ..options },
    )
    .unwrap();
    let answer = silent.answer(&mut ca.store, &ocsp_request(&hashes, &[&one], Some(&[7; 32])), at(NOW));
    assert!(answer.fresh.is_some() && basic(&answer.der).tbs_response_data.response_extensions.is_none());
}

#[test]
fn answers_are_signed_in_advance() {
    let mut ca = ca(None);
    let serials: Vec<Serial> = (0..150).map(|_| ca.server()).collect();
    let responder = responder(&ca, OcspOptions::DEFAULT);
    assert_eq!(responder.sign_in_advance(&mut ca.store, at(NOW), &mut || true).unwrap(), 150);
    assert_eq!(responder.sign_in_advance(&mut ca.store, at(NOW + 5), &mut || true).unwrap(), 0);
    ca.revoke(&serials[3], CrlReason::Superseded, at(NOW + 5)).unwrap();
    assert_eq!(responder.sign_in_advance(&mut ca.store, at(NOW + 5), &mut || true).unwrap(), 1);
    let found = ca.store.ocsp_response(ca.authority.id(), &serials[3], "sha1", at(NOW)).unwrap().unwrap();
    assert_eq!(words(&found.der), ["revoked"]);
    let (of, page) = (ca.authority.id(), (Cursor::default(), 10));
    assert_eq!(ca.store.unanswered(of, "sha1", at(NOW), at(NOW + DAY), page).unwrap().list.len(), 10);
    assert_eq!(
        ca.store.unanswered(of, "sha1", at(NOW + 91 * DAY), at(NOW + DAY), page).unwrap(),
        Unanswered::default()
    );
}

#[test]
fn another_key_answers_for_the_ca() {
    let mut ca = ca(None);
    let (key, serial) = (key(), ca.server());
    let issued = ca.issue(&order(&*key, Profile::Ocsp)).unwrap();
    let signer: Arc<dyn Signer> = Arc::new(KeySigner::preferred(key.clone()).unwrap());
    let authority = Arc::new(ca.authority.clone());
    let make = |store: &mut SqliteStore, certificate: &[u8], signer: &Arc<dyn Signer>| {
        let (authority, signer) = (Arc::clone(&authority), Arc::clone(signer));
        Responder::delegated(authority, store, &BACKEND, signer, certificate, OcspOptions::DEFAULT)
    };
    let responder = make(&mut ca.store, &issued.der, &signer).unwrap();
    let hashes = IssuerHashes::of(Digest::Sha1, ca.authority.certificate()).unwrap();
    let answer = responder.answer(&mut ca.store, &ocsp_request(&hashes, &[&serial], None), at(NOW));
    let response = basic(&answer.der);
    let own = response.certs.unwrap().iter().next().unwrap().unwrap();
    let key = own.tbs_certificate.subject_public_key_info;
    let signature = response.signature.octets().unwrap();
    let signed = response.tbs_response_data.as_bytes();
    verify(&BACKEND, &key, &response.signature_algorithm, signed, signature).unwrap();

    let other: Arc<dyn Signer> = Arc::new(KeySigner::preferred(BACKEND.generate(KeyType::P256).unwrap()).unwrap());
    assert!(matches!(make(&mut ca.store, &issued.der, &other), Err(Error::NotTheKey)));
    let server = ca.authority.find(&mut ca.store, &serial).unwrap().der;
    refused(make(&mut ca.store, &server, &signer), "does not include OCSPSigning");
    let mut forged = issued.der.clone();
    *forged.last_mut().unwrap() ^= 1;
    assert!(matches!(make(&mut ca.store, &forged, &signer), Err(Error::Crypto { .. })));
    let mut stranger = self::ca(None);
    refused(
        Responder::delegated(
            Arc::new(stranger.authority),
            &mut stranger.store,
            &BACKEND,
            Arc::clone(&signer),
            &issued.der,
            OcspOptions::DEFAULT,
        ),
        "",
    );
    // Nothing is signed once the certificate is revoked, not even by a responder that is running.
    ca.revoke(&issued.serial, CrlReason::KeyCompromise, at(NOW)).unwrap();
    refused(make(&mut ca.store, &issued.der, &signer), "the responder's certificate has been revoked since");
    let answer = responder.answer(&mut ca.store, &ocsp_request(&hashes, &[&serial], None), at(NOW));
    assert_eq!(answer.status, OcspResponseStatus::InternalError);
    refused(responder.sign_in_advance(&mut ca.store, at(NOW), &mut || true), "has been revoked");
    refused(responder.answer_about(&mut ca.store, &serial, at(NOW)), "has been revoked");
}
