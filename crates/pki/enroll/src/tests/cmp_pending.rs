//! CMP: requests that wait for approval, and certificates that differ from the request.

use tagwise_codec::{Int, SeqOf, encode};
use tagwise_pkix::Extensions;
use tagwise_pkix::cmp::*;
use tagwise_pkix::crmf::*;
use tagwise_pkix::ext::{GeneralName, SubjectAltName};

use super::cmp::*;
use super::*;
use crate::requests;

#[test]
fn pending_requests_are_polled() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "reviewed", false);
    let draft = Draft::new(Guard::Pbm(id, secret));
    let body = request(0, &key(), "", &["a.review.example.org"], Proof::Signature, 1);
    let response = send(&mut world, &draft, &body);
    assert_eq!(read(&response), ("ip", 3, None));
    let poll = [PollReqContentItem { cert_req_id: Int::ZERO }];
    let poll = encode(&PkiBody::PollReq(SeqOf::from_slice(&poll))).unwrap();
    let draft = draft.next(&response);
    let response = send(&mut world, &draft, &poll);
    assert_eq!(read(&response), ("pollRep", 0, None));
    let authority = world.authority();
    let pending = requests::list(&mut world.store, &authority).unwrap();
    assert!(pending[0].is_crmf);
    assert!(requests::approve(&mut world.store, &authority, &pending[0].id).unwrap());
    let draft = Draft { implicit: false, ..draft.next(&response) };
    let response = send(&mut world, &draft, &poll);
    assert_eq!(read(&response), ("ip", 0, None));
    // After the response, there is nothing to poll for: neither before nor after the confirmation.
    let der = certificate(&response);
    let draft = draft.next(&response);
    assert_eq!(read(&send(&mut world, &draft, &poll)), ("error", 2, Some(1 << 2)));
    let response = send(&mut world, &draft, &confirmation(&der, 0, None));
    assert_eq!(read(&response), ("pkiconf", 0, None));
    assert_eq!(read(&send(&mut world, &draft.next(&response), &poll)), ("error", 2, Some(1 << 2)));
    let enrollment = world.enrollment.clone();
    assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + DAY)).unwrap(), 0);
    assert!(!revoked(&mut world, &der));
}

#[test]
fn a_changed_certificate_is_granted_with_modifications() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let mut sent = |more: bool| {
        let draft = Draft::new(Guard::Pbm(id.clone(), secret.clone()));
        let general = [AltName::dns("www.example.org").unwrap()];
        let general: Vec<GeneralName<'_>> = general.iter().map(|name| name.general().unwrap()).collect();
        let mut list = tagwise_pkix::build::ExtensionList::new();
        list.add(false, &SubjectAltName(tagwise_pkix::ext::GeneralNames(SeqOf::from_slice(&general)))).unwrap();
        let extensions = list.extensions();
        let end = tagwise_pkix::Time::try_from(UnixTime(2_000_000_000)).unwrap();
        let validity = OptionalValidity { not_before: None, not_after: Some(end) };
        let template = CertTemplate {
            validity: more.then_some(validity),
            extensions: Extensions::new(&extensions),
            ..CertTemplate::default()
        };
        let body = request_of(0, &key(), "", template, Proof::Signature, 1);
        let response = send(&mut world, &draft, &body);
        let message = PkiMessage::from_der(&response.body).unwrap();
        let PkiBody::Ip(list) = &*message.body else { panic!("{message:?}") };
        let status = first(list);
        let text: Vec<String> = status
            .status_string
            .iter()
            .flat_map(|text| text.0.iter())
            .map(|text| text.unwrap().as_str().to_owned())
            .collect();
        let der = certificate(&response);
        let until = Certificate::from_der(&der).unwrap().tbs_certificate.validity.not_after.unix();
        (status.status, text, until)
    };
    let (status, text, _) = sent(false);
    assert_eq!((status, text), (PkiStatus::ACCEPTED, Vec::new()));
    let (status, text, until) = sent(true);
    let expected = format!("notAfter {}: the profile sets {until}", UnixTime(2_000_000_000));
    assert_eq!((status, text), (PkiStatus::GRANTED_WITH_MODS, vec![expected]));
}

#[test]
fn an_approved_request_is_refused_once_the_policy_does_not_allow_it() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "reviewed", false);
    let draft = Draft::new(Guard::Pbm(id, secret));
    let response = send(&mut world, &draft, &request(0, &key(), "", &["a.review.example.org"], Proof::Signature, 1));
    assert_eq!(read(&response), ("ip", 3, None));
    let authority = world.authority();
    let pending = requests::list(&mut world.store, &authority).unwrap();
    assert!(requests::approve(&mut world.store, &authority, &pending[0].id).unwrap());
    world.change_policy(|policy| policy.grants.iter_mut().for_each(|grant| grant.dns.clear()));
    let poll = [PollReqContentItem { cert_req_id: Int::ZERO }];
    let poll = encode(&PkiBody::PollReq(SeqOf::from_slice(&poll))).unwrap();
    let response = send(&mut world, &draft.next(&response), &poll);
    // notAuthorized (RFC 9810 §5.2.3).
    assert_eq!(read(&response), ("ip", 2, Some(1 << 23)));
    assert_eq!(world.count(), 0);
}
