//! The kinds of messages.

use tagwise_ca::{Error, KeyRule, Row, Serial};
use tagwise_codec::{Decode, Int, Null, Oid, Open, SeqOf, encode};
use tagwise_crypto::Digest;
use tagwise_pkix::attributes::RegControl;
use tagwise_pkix::cmp::{
    CaCertsValue, CertReqTemplateContent, CmpCertificate, GenMsgContent, ID_IT_CA_CERTS, ID_IT_CERT_REQ_TEMPLATE,
    ID_IT_CURRENT_CRL, ID_IT_ROOT_CA_KEY_UPDATE, ID_IT_UNSUPPORTED_OIDS, ID_REG_CTRL_ALG_ID, ID_REG_CTRL_RSA_KEY_LEN,
    InfoTypeAndValue, PkiBody, PkiStatus, PkiStatusInfo, RevRepContent, RevReqContent, UnsupportedOidsValue,
};
use tagwise_pkix::crmf::{CertId, CertTemplate, Controls};
use tagwise_pkix::ext::{CrlReason, GeneralName};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use super::fault::{
    BAD_CERT_ID, BAD_CERT_TEMPLATE, BAD_REQUEST, CERT_REVOKED, Fault, NOT_AUTHORIZED, TRANSACTION_ID_IN_USE,
};
use super::{Answer, Context};
use crate::records::Exchange;
use crate::service::Client;

/// The numbers of the alternatives of PKIBody (RFC 9810 §5.1.2).
pub(super) const IR: u8 = 0;
pub(super) const CR: u8 = 2;
pub(super) const P10CR: u8 = 4;
pub(super) const KUR: u8 = 7;
const RR: u8 = 11;

/// Answers an authenticated message.
pub(super) fn answer(context: &mut Context<'_, '_>) -> Result<Answer, Fault> {
    match &*context.message.body {
        PkiBody::Ir(list) => context.crmf(IR, list),
        PkiBody::Cr(list) => context.crmf(CR, list),
        PkiBody::Kur(list) => context.crmf(KUR, list),
        PkiBody::P10cr(_) => context.pkcs10(),
        PkiBody::Popdecr(list) => context.answer_challenge(list),
        PkiBody::CertConf(list) => context.confirm(list),
        PkiBody::PollReq(list) => context.poll(list),
        PkiBody::Rr(list) => context.revoke(list),
        PkiBody::Genm(list) => context.general(list),
        // RFC 9483 §3.6.4: the client ends the transaction.
        PkiBody::Error(_) => Answer::new(&PkiBody::Pkiconf(Null)),
        _ => Err(Fault::new(BAD_REQUEST, "this kind of message is not supported")),
    }
}

/// The only element of a list.
pub(super) fn only<'a, T: Decode<'a> + Clone>(list: &SeqOf<'a, T>) -> Result<T, Fault> {
    let mut list = list.iter();
    match (list.next(), list.next()) {
        (Some(first), None) => first.map_err(Fault::malformed),
        // RFC 9483 §4.1: a message has one request.
        _ => Err(Fault::new(BAD_REQUEST, "the message must contain exactly one request (RFC 9483 §4.1)")),
    }
}

impl Context<'_, '_> {
    /// Begins a transaction, whose identifier must be new for this client (RFC 9810 §5.1.1).
    pub(super) fn begin(&mut self, kind: u8) -> Result<Row<Exchange>, Fault> {
        let id = self.exchange_id()?;
        let expires = self.call.now.saturating_add(self.call.keep());
        let new = Exchange {
            nonce: super::stored(&self.nonce),
            request: 0,
            kind,
            unconfirmed: None,
            encrypted: false,
            challenge: None,
            answered: false,
        };
        let row = Row::new(&id, &self.client.id(), expires, new);
        if self.call.records.insert(&row)? {
            return Ok(row);
        }
        Err(Fault::new(TRANSACTION_ID_IN_USE, "the transactionID was used before"))
    }

    pub(super) fn exchange_id(&self) -> Result<String, Fault> {
        let party = self.client.id();
        Ok(self.call.transaction_id(crate::Protocol::Cmp, party.as_bytes(), self.transaction)?)
    }

    /// Revokes a certificate of the client (RFC 9810 §5.3.9).
    fn revoke(&mut self, list: &RevReqContent<'_>) -> Result<Answer, Fault> {
        let details = only(list)?;
        self.begin(RR)?;
        let template = &details.cert_details;
        let missing = || Fault::new(BAD_CERT_TEMPLATE, "the issuer or the serial number is missing (RFC 9483 §4.2)");
        let (issuer, number) = template.issuer.zip(template.serial_number).ok_or_else(missing)?;
        let authority = &self.call.service.authority;
        if !issuer.matches(&authority.certificate().tbs_certificate.subject) {
            return Err(Fault::new(BAD_CERT_ID, "the certificate was issued by another CA"));
        }
        let serial = Serial::from_int(number);
        let is_own = matches!(&self.client, Client::Certificate(record) if record.serial == serial);
        if !is_own && self.call.owner(&serial)?.as_deref() != Some(self.client.id().as_str()) {
            // Whether the certificate exists is not this client's concern.
            return Err(Fault::new(NOT_AUTHORIZED, "the certificate was not issued to this client"));
        }
        let reason = details.crl_entry_details.map(|list| list.find(oids::REASON_CODE)).transpose();
        let reason = reason.map_err(Fault::malformed)?.flatten();
        let reason = reason.map(|extension| extension.extn_value.decode_as::<CrlReason>()).transpose();
        let reason = reason.map_err(Fault::malformed)?.unwrap_or(CrlReason::Unspecified);
        // RFC 5280 §5.3.1, X.509 §9.5.3.1: these report the compromise of an authority, which only the CA's operator can.
        if matches!(reason, CrlReason::CaCompromise | CrlReason::AaCompromise) {
            let what = format!("a client must not revoke with the reason {reason} (RFC 5280 §5.3.1)");
            return Err(Fault::new(NOT_AUTHORIZED, what));
        }
        // A compromised key is never certified again. Without this proof, a client could block another's key.
        if reason == CrlReason::KeyCompromise && !is_own && !self.is_registration_authority()? {
            let what = "the reason keyCompromise requires the protection of the certificate's own key or of a registration authority";
            return Err(Fault::new(NOT_AUTHORIZED, what));
        }
        let done = authority.revoke(&mut *self.call.records.store, &serial, reason, None, self.call.now);
        done.map_err(|error| match error {
            Error::NoSuchSerial(_) => Fault::new(BAD_CERT_ID, error.to_string()),
            Error::AlreadyRevoked { .. } => Fault::new(CERT_REVOKED, error.to_string()),
            Error::Refused { .. } => Fault::new(BAD_REQUEST, error.to_string()),
            error => Fault::internal(error),
        })?;
        let status = [PkiStatusInfo { status: PkiStatus::ACCEPTED, status_string: None, fail_info: None }];
        let ids = [CertId { issuer: GeneralName::DirectoryName(issuer), serial_number: number }];
        Answer::new(&PkiBody::Rp(RevRepContent {
            status: SeqOf::from_slice(&status),
            rev_certs: Some(SeqOf::from_slice(&ids)),
            crls: None,
        }))
    }

    /// Answers general messages (RFC 9483 §4.3).
    fn general(&mut self, list: &GenMsgContent<'_>) -> Result<Answer, Fault> {
        let mut values: Vec<(Oid<'_>, Option<Vec<u8>>)> = Vec::new();
        let mut unsupported = Vec::new();
        for item in list.iter().take(16) {
            let item = item.map_err(Fault::malformed)?;
            match item.info_type {
                ID_IT_CA_CERTS => values.push((ID_IT_CA_CERTS, Some(self.ca_certificates()?))),
                // Without a value, there is no update (RFC 9483 §4.3.2).
                ID_IT_ROOT_CA_KEY_UPDATE => values.push((ID_IT_ROOT_CA_KEY_UPDATE, None)),
                tagwise_pkix::cmp::ID_IT_ROOT_CA_CERT => values.push((ID_IT_ROOT_CA_KEY_UPDATE, None)),
                ID_IT_CERT_REQ_TEMPLATE => values.push((ID_IT_CERT_REQ_TEMPLATE, self.template()?)),
                ID_IT_CURRENT_CRL => {
                    let crl = self.call.records.store.crl(self.call.service.authority.id(), None);
                    values.push((ID_IT_CURRENT_CRL, crl.map_err(Fault::internal)?.map(|crl| crl.der)));
                }
                other => unsupported.push(other),
            }
        }
        if !unsupported.is_empty() {
            let list = encode(&UnsupportedOidsValue(SeqOf::from_slice(&unsupported))).map_err(Fault::internal)?;
            values.push((ID_IT_UNSUPPORTED_OIDS, Some(list)));
        }
        let items = values.iter().map(|(id, value)| InfoTypeAndValue {
            info_type: *id,
            info_value: value.as_deref().map(|value| Open::new(id.as_bytes(), value)),
        });
        let items: Vec<InfoTypeAndValue<'_>> = items.collect();
        Answer::new(&PkiBody::Genp(SeqOf::from_slice(&items)))
    }

    fn ca_certificates(&self) -> Result<Vec<u8>, Fault> {
        let list = self.call.service.chain.iter().map(|der| CmpCertificate::from_der(der));
        let list = list.collect::<Result<Vec<_>, _>>().map_err(Fault::internal)?;
        encode(&CaCertsValue(SeqOf::from_slice(&list))).map_err(Fault::internal)
    }

    /// The accepted keys of the client's profile (RFC 9483 §4.3.3), or none if all are accepted.
    fn template(&self) -> Result<Option<Vec<u8>>, Fault> {
        let policy = &self.call.service.policy;
        let grant = match (&self.client, self.grant.as_deref()) {
            (_, Some(name)) => policy.grant(name),
            (Client::Secret(row), None) => policy.grant(&row.value.grant),
            (Client::Certificate(record), None) => {
                policy.grants.iter().find(|grant| grant.certificates.contains(&record.profile))
            }
        };
        let profile = grant.and_then(|grant| self.call.service.profiles.iter().find(|it| it.name == grant.profile));
        let mut specs: Vec<(Oid<'_>, Vec<u8>)> = Vec::new();
        let encoded =
            |value: &dyn Fn() -> Result<Vec<u8>, tagwise_codec::EncodeError>| value().map_err(Fault::internal);
        for rule in profile.map(|profile| profile.keys.as_slice()).unwrap_or_default() {
            specs.push(match rule {
                KeyRule::RsaFrom(bits) => (ID_REG_CTRL_RSA_KEY_LEN, encoded(&|| encode(bits))?),
                KeyRule::Exactly(key) => {
                    let (algorithm, curve) = key.identifiers();
                    let curve = curve.map(|curve| encode(&curve)).transpose().map_err(Fault::internal)?;
                    let parameters = curve.as_deref().map(tagwise_codec::Any::from_der).transpose();
                    let parameters = parameters.map_err(Fault::internal)?;
                    (ID_REG_CTRL_ALG_ID, encoded(&|| encode(&AlgorithmIdentifier { algorithm, parameters }))?)
                }
            });
        }
        if specs.is_empty() {
            return Ok(None);
        }
        let controls =
            specs.iter().map(|(id, der)| RegControl { attr_type: *id, value: Open::new(id.as_bytes(), der) });
        let controls: Vec<RegControl<'_>> = controls.collect();
        let content = CertReqTemplateContent {
            cert_template: CertTemplate::default(),
            key_spec: Some(Controls(SeqOf::from_slice(&controls))),
        };
        encode(&content).map(Some).map_err(Fault::internal)
    }
}

/// A status without a failure.
pub(super) const fn status(status: PkiStatus) -> PkiStatusInfo<'static> {
    PkiStatusInfo { status, status_string: None, fail_info: None }
}

/// A small number.
pub(super) fn int(number: i64, octets: &mut [u8; 8]) -> Int<'_> {
    *octets = number.to_be_bytes();
    Int::from_signed(octets)
}

/// The digest for a certificate's hash in a confirmation (RFC 9810 §5.3.18).
pub(super) fn confirmation_digest(certificate: &tagwise_pkix::Certificate<'_>) -> Option<Digest> {
    tagwise_crypto::Scheme::of(&certificate.signature_algorithm).ok().and_then(|scheme| scheme.digest())
}
