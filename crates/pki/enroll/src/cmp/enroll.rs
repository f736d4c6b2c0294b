//! Requests for certificates, their confirmation, and polling.

use tagwise_ca::{Requested, Row, Serial};
use tagwise_codec::{Decode, Null, SeqOf, Utf8, encode};
use tagwise_crypto::Digest;
use tagwise_pkix::cmp::{
    CertConfirmContent, CertOrEncCert, CertRepMessage, CertResponse, CertifiedKeyPair, CmpCertificate,
    ID_IT_IMPLICIT_CONFIRM, PkiBody, PkiFreeText, PkiStatus, PkiStatusInfo, PollRepContentItem, PollReqContent,
};
use tagwise_pkix::crmf::{CertId, CertReqMessages, CertReqMsg, ID_REG_CTRL_OLD_CERT_ID};
use tagwise_pkix::ext::{CrlReason, ExtKeyUsage, GeneralName};
use tagwise_pkix::{Certificate, oids};

use super::body::{CR, IR, KUR, P10CR, confirmation_digest, int, only, status};
use super::differences::differences;
use super::fault::{
    BAD_CERT_ID, BAD_CERT_TEMPLATE, BAD_RECIPIENT_NONCE, BAD_REQUEST, CERT_CONFIRMED, CERT_REVOKED, Fault,
    NOT_AUTHORIZED,
};
use super::possession::{self, Proof, encrypted_key};
use super::{Answer, Context, info};
use crate::issue::{Enroll, Outcome, Possession, of_crmf};
use crate::policy::Protocol;
use crate::records::{Exchange, Form, Unconfirmed};
use crate::secret::is_same;
use crate::service::Client;

impl Context<'_, '_> {
    /// Answers ir, cr and kur.
    pub(super) fn crmf(&mut self, kind: u8, list: &CertReqMessages<'_>) -> Result<Answer, Fault> {
        let request = only(&list.0)?;
        let number = i64::try_from(request.cert_req.cert_req_id).ok().filter(|number| *number >= 0);
        let number = number.ok_or_else(|| Fault::new(BAD_REQUEST, "the certReqId is out of range"))?;
        let mut row = self.begin(kind)?;
        row.value.request = number;
        let done = match self.check_crmf(kind, &request) {
            Ok(Proof::Possession(possession)) => {
                row.value.encrypted = possession == Possession::ByDecryption;
                self.enroll_crmf(kind, request.cert_req.as_bytes(), possession)
            }
            Ok(Proof::Challenge(key)) => match self.challenge(&mut row, &request, key) {
                Ok(answer) => return Ok(answer),
                Err(fault) => Err(fault),
            },
            Err(fault) => Err(fault),
        };
        self.conclude(row, done)
    }

    /// Issues the certificate of a CertRequest.
    pub(super) fn enroll_crmf(&mut self, kind: u8, der: &[u8], possession: Possession) -> Result<Outcome, Fault> {
        let requested = of_crmf(der)?;
        self.enroll(Form::Crmf, der, requested, (kind == KUR, possession))
    }

    /// Returns whether the client is a registration authority: the policy names its secret, or its certificate, which then
    /// must have the purpose id-kp-cmcRA (RFC 9810 §4.5).
    pub(super) fn is_registration_authority(&self) -> Result<bool, Fault> {
        let mut grants = self.call.service.policy.grants.iter();
        if !grants.any(|grant| grant.protocols.contains(&Protocol::Cmp) && self.client.is_authority_of(grant)) {
            return Ok(false);
        }
        let Client::Certificate(record) = &self.client else { return Ok(true) };
        let certificate = Certificate::from_der(&record.der).map_err(Fault::internal)?;
        let purposes = certificate.extension::<ExtKeyUsage<'_>>().map_err(Fault::internal)?;
        Ok(purposes.is_some_and(|list| list.0.iter().map_while(Result::ok).any(|id| id == oids::KP_CMC_RA)))
    }

    /// Checks a request before its names. Returns the proof of possession.
    fn check_crmf<'r>(&self, kind: u8, request: &CertReqMsg<'r>) -> Result<Proof<'r>, Fault> {
        let proof = possession::check(self, kind, request)?;
        let template = &request.cert_req.cert_template;
        let own = &self.call.service.authority.certificate().tbs_certificate;
        if template.issuer.is_some_and(|issuer| !issuer.is_empty() && !issuer.matches(&own.subject)) {
            return Err(Fault::new(BAD_CERT_TEMPLATE, "the issuer in the template is another CA"));
        }
        // RFC 4211 §5.
        if template.serial_number.is_some() || template.issuer_uid.is_some() || template.subject_uid.is_some() {
            return Err(Fault::new(BAD_CERT_TEMPLATE, "the template has fields that the CA sets (RFC 4211 §5)"));
        }
        if kind != KUR {
            return Ok(proof);
        }
        let Client::Certificate(record) = &self.client else {
            return Err(Fault::new(NOT_AUTHORIZED, "a key update must be signed with the old key (RFC 9483 §4.1.3)"));
        };
        let controls = request.cert_req.controls.iter().flat_map(|controls| controls.0.iter());
        for control in controls {
            let control = control.map_err(Fault::malformed)?;
            if control.attr_type != ID_REG_CTRL_OLD_CERT_ID {
                continue;
            }
            let old: CertId<'_> = control.value.decode_as().map_err(Fault::malformed)?;
            let is_issuer = matches!(old.issuer, GeneralName::DirectoryName(name) if name.matches(&own.subject));
            if !is_issuer || Serial::from_int(old.serial_number) != record.serial {
                return Err(Fault::new(BAD_CERT_ID, "oldCertID is not the signer's certificate (RFC 9483 §4.1.3)"));
            }
        }
        Ok(proof)
    }

    /// Answers p10cr.
    pub(super) fn pkcs10(&mut self) -> Result<Answer, Fault> {
        let PkiBody::P10cr(request) = &*self.message.body else {
            return Err(Fault::internal("not a p10cr"));
        };
        let der = encode(request).map_err(Fault::internal)?;
        let mut row = self.begin(P10CR)?;
        // RFC 9810 §5.3.4.
        row.value.request = -1;
        let requested =
            Requested::from_der(self.call.service.backend, &der).map_err(crate::refusal::Refusal::of_request);
        let done = requested
            .map_err(Fault::from)
            .and_then(|requested| self.enroll(Form::Pkcs10, &der, requested, (false, Possession::Verified)));
        self.conclude(row, done)
    }

    fn enroll(
        &mut self,
        form: Form,
        request: &[u8],
        requested: Requested,
        (renewal, possession): (bool, Possession),
    ) -> Result<Outcome, Fault> {
        let client = self.client.clone();
        let party = client.id();
        let (grant, keep) = (self.grant.clone(), self.call.keep());
        let done = self.call.enroll(&Enroll {
            protocol: Protocol::Cmp,
            client: &client,
            transaction: self.transaction,
            party: party.as_bytes(),
            form,
            request,
            requested,
            renewal,
            possession,
            immediate: false,
            grant: grant.as_deref(),
            keep,
        });
        Ok(done?)
    }

    /// Writes the response to a request, and records what the client may do next.
    pub(super) fn conclude(&mut self, mut row: Row<Exchange>, done: Result<Outcome, Fault>) -> Result<Answer, Fault> {
        let asks = info(&self.message.header, ID_IT_IMPLICIT_CONFIRM).is_some();
        // The confirmation of an encrypted certificate is the proof of possession.
        let implicit = asks && self.call.service.policy.cmp_implicit_confirm && !row.value.encrypted;
        row.value.nonce = super::stored(&self.nonce);
        row.value.unconfirmed = None;
        row.value.answered = !matches!(done, Ok(Outcome::Pending));
        let (kind, request) = (row.value.kind, row.value.request);
        match done {
            Ok(Outcome::Issued(der)) => {
                let certificate = Certificate::from_der(&der).map_err(Fault::internal)?;
                if !implicit {
                    let serial = Serial::from_int(certificate.tbs_certificate.serial_number.0);
                    self.call.await_confirmation(&serial)?;
                    row.value.unconfirmed = Some(serial.to_string());
                }
                self.call.records.update(&mut row)?;
                let sealed = row.value.encrypted.then(|| self.sealed(&certificate, &der)).transpose()?;
                let delivered = match &sealed {
                    Some(sealed) => CertOrEncCert::EncryptedCert(encrypted_key(sealed, self.message.header.pvno)?),
                    None => CertOrEncCert::Certificate(CmpCertificate::from_der(&der).map_err(Fault::internal)?),
                };
                let id = self.exchange_id()?;
                let differences = differences(&mut self.call, &id, &certificate)?;
                let text: Vec<Utf8<'_>> = differences.iter().map(|text| Utf8::new(text)).collect();
                let granted = match text.is_empty() {
                    true => status(PkiStatus::ACCEPTED),
                    false => PkiStatusInfo {
                        status_string: Some(PkiFreeText(SeqOf::from_slice(&text))),
                        ..status(PkiStatus::GRANTED_WITH_MODS)
                    },
                };
                let body = self.response(kind, request, granted, Some(delivered))?;
                Ok(Answer { body, implicit })
            }
            Ok(Outcome::Pending) => {
                self.call.records.update(&mut row)?;
                let body = self.response(kind, request, status(PkiStatus::WAITING), None)?;
                Ok(Answer { body, implicit: false })
            }
            Err(fault) if fault.internal.is_some() => Err(fault),
            Err(fault) => {
                let body = fault.status(|status| self.response(kind, request, status, None))?;
                Ok(Answer { body, implicit: false })
            }
        }
    }

    /// The body ip, cp or kup.
    fn response(
        &self,
        kind: u8,
        request: i64,
        status: PkiStatusInfo<'_>,
        certificate: Option<CertOrEncCert<'_>>,
    ) -> Result<Vec<u8>, Fault> {
        let mut octets = [0; 8];
        let pair = certificate.map(|cert_or_enc_cert| CertifiedKeyPair {
            cert_or_enc_cert,
            private_key: None,
            publication_info: None,
        });
        let response =
            [CertResponse { cert_req_id: int(request, &mut octets), status, certified_key_pair: pair, rsp_info: None }];
        // RFC 9483 §4.1.1: only with a MAC, whose secret then authenticates the CA.
        let list = self.call.service.chain.iter().map(|der| CmpCertificate::from_der(der));
        let list = list.collect::<Result<Vec<_>, _>>().map_err(Fault::internal)?;
        let with_ca = self.has_mac && certificate.is_some() && kind == IR;
        let content = CertRepMessage {
            ca_pubs: with_ca.then(|| SeqOf::from_slice(&list)),
            response: SeqOf::from_slice(&response),
        };
        encode(&match kind {
            IR => PkiBody::Ip(content),
            KUR => PkiBody::Kup(content),
            CR | P10CR => PkiBody::Cp(content),
            _ => return Err(Fault::internal("an unknown kind of request")),
        })
        .map_err(Fault::internal)
    }

    /// The transaction that a message continues. Its recipNonce proves that it follows the last response.
    pub(super) fn continued(&mut self) -> Result<Row<Exchange>, Fault> {
        let id = self.exchange_id()?;
        let found = self.call.records.get::<Exchange>(&id)?.filter(|row| row.expires() >= self.call.now);
        let row = found.ok_or_else(|| Fault::new(BAD_REQUEST, "the transaction is unknown"))?;
        let nonce = self.message.header.recip_nonce.map(|nonce| super::stored(nonce.as_bytes()));
        if nonce.as_deref() != Some(row.value.nonce.as_str()) {
            let what = "the recipNonce is not the senderNonce of the last response (RFC 9810 §5.1.1)";
            return Err(Fault::new(BAD_RECIPIENT_NONCE, what));
        }
        Ok(row)
    }

    /// Answers certConf.
    pub(super) fn confirm(&mut self, list: &CertConfirmContent<'_>) -> Result<Answer, Fault> {
        let mut row = self.continued()?;
        let Some(serial) = row.value.unconfirmed.take() else {
            return Err(Fault::new(CERT_CONFIRMED, "no certificate of this transaction awaits confirmation"));
        };
        let serial: Serial = serial.parse().map_err(Fault::internal)?;
        let authority = &self.call.service.authority;
        let record = authority.find(&mut *self.call.records.store, &serial).map_err(Fault::internal)?;
        // RFC 9810 §5.3.18: an empty list rejects all certificates.
        let is_accepted = if list.is_empty() {
            false
        } else {
            let confirmed = only(list)?;
            let certificate = Certificate::from_der(&record.der).map_err(Fault::internal)?;
            let digest = match &confirmed.hash_alg {
                Some(algorithm) => Digest::from_identifier(algorithm).ok(),
                None => confirmation_digest(&certificate),
            };
            let digest =
                digest.ok_or_else(|| Fault::new(BAD_CERT_ID, "the hash algorithm of the confirmation is missing"))?;
            let hash = self.call.service.backend.digest(digest, &record.der).map_err(Fault::internal)?;
            // The hash is a secret of the client that has decrypted the certificate.
            let is_hash = is_same(&hash, confirmed.cert_hash.as_bytes());
            if !is_hash || i64::try_from(confirmed.cert_req_id) != Ok(row.value.request) {
                return Err(Fault::new(BAD_CERT_ID, "the confirmation is for another certificate"));
            }
            confirmed.status_info.is_none_or(|info| info.status != PkiStatus::REJECTION)
        };
        if is_accepted && row.value.encrypted && record.revocation.is_none() {
            // It was not published before (RFC 9810 §8.11). If the log fails, the client can confirm again.
            authority.log_issued(&mut *self.call.records.store, &[(&serial, &record.der)], self.call.now)?;
        }
        if self.call.records.take::<Unconfirmed>(&serial.to_string())?.is_none() {
            return Err(Fault::new(CERT_REVOKED, "the confirmation is late, and the certificate was revoked"));
        }
        row.value.nonce = super::stored(&self.nonce);
        self.call.records.update(&mut row)?;
        if !is_accepted && record.revocation.is_none() {
            let (store, now) = (&mut *self.call.records.store, self.call.now);
            let done = authority.revoke(store, &serial, CrlReason::CessationOfOperation, None, now);
            done.map_err(Fault::internal)?;
        }
        Answer::new(&PkiBody::Pkiconf(Null))
    }

    /// Answers pollReq.
    pub(super) fn poll(&mut self, list: &PollReqContent<'_>) -> Result<Answer, Fault> {
        let asked = only(list)?;
        let mut row = self.continued()?;
        if i64::try_from(asked.cert_req_id) != Ok(row.value.request) {
            return Err(Fault::new(BAD_REQUEST, "the certReqId is not that of the request"));
        }
        // RFC 9483 §4.4: only a response with the status waiting is followed by polling. A confirmed certificate stays confirmed.
        let id = self.exchange_id()?;
        let transaction = self.call.transaction(&id)?.filter(|_| !row.value.answered);
        let transaction = transaction
            .ok_or_else(|| Fault::new(BAD_REQUEST, "no request of this transaction is pending (RFC 9483 §4.4)"))?;
        let done = self.call.advance(transaction).map_err(Fault::from);
        if !matches!(done, Ok(Outcome::Pending)) {
            return self.conclude(row, done);
        }
        row.value.nonce = super::stored(&self.nonce);
        self.call.records.update(&mut row)?;
        let (mut number, mut wait) = ([0; 8], [0; 8]);
        let items = [PollRepContentItem {
            cert_req_id: int(row.value.request, &mut number),
            check_after: int(i64::from(self.call.service.policy.polling_seconds), &mut wait),
            reason: None,
        }];
        Answer::new(&PkiBody::PollRep(SeqOf::from_slice(&items)))
    }
}
