//! Issuance: authorization, and the steps that let another server finish what one began.

use core::time::Duration;
use std::sync::Arc;

use tagwise_ca::store::NewCertificate;
use tagwise_ca::{Definition, Error, Prepared, Profile, Requested, Row, Serial};
use tagwise_codec::text::base64;
use tagwise_codec::{Decode, encode};
use tagwise_pkix::crmf::CertRequest;
use tagwise_pkix::{Certificate, CertificateBuf, TbsCertificate, UnixTime};

use crate::policy::{Approval, Grant, Protocol};
use crate::present::{only_own, sorted};
use crate::records::{Credential, Form, Owner, Status, Transaction, Unconfirmed, Waiting};
use crate::refusal::{Kind, Refusal};
use crate::service::{Call, Client};

/// The time after which another server may take over.
const CLAIM: i64 = 30;

/// The way in which possession of the key is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Possession {
    /// This server has verified it.
    Verified,
    /// The client is a registration authority, which has verified it. Only grants for registration authorities allow that.
    ByAuthority,
    /// The client proves it by decrypting its certificate, which is not published before (RFC 9810 §5.2.8.3.2).
    ByDecryption,
}

/// A request for a certificate by an authenticated client.
pub(crate) struct Enroll<'a> {
    pub(crate) protocol: Protocol,
    pub(crate) client: &'a Client,
    /// The transaction in the protocol, which is unique for `party`.
    pub(crate) transaction: &'a [u8],
    /// The party that chose the identifier of the transaction.
    pub(crate) party: &'a [u8],
    pub(crate) form: Form,
    pub(crate) request: &'a [u8],
    pub(crate) requested: Requested,
    /// True if the certificate replaces the client's own.
    pub(crate) renewal: bool,
    pub(crate) possession: Possession,
    /// True to refuse a request that needs approval.
    pub(crate) immediate: bool,
    /// The grant that the client asks for.
    pub(crate) grant: Option<&'a str>,
    /// The time for which the answer is repeated.
    pub(crate) keep: Duration,
}

/// The result of a request.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The certificate in DER.
    Issued(Vec<u8>),
    /// The certificate may be issued later.
    Pending,
}

/// Reads a stored request.
pub(crate) fn requested(call: &Call<'_>, form: Form, der: &[u8]) -> Result<Requested, Refusal> {
    match form {
        Form::Pkcs10 => Requested::from_der(call.service.backend, der).map_err(Refusal::of_request),
        Form::Crmf => of_crmf(der),
    }
}

/// The requested values of a CertRequest.
pub(crate) fn of_crmf(der: &[u8]) -> Result<Requested, Refusal> {
    let request = CertRequest::from_der(der).map_err(|error| Refusal::malformed(error.to_string()))?;
    let template = &request.cert_template;
    let wrong = |what: &str| Refusal::new(Kind::Template, what);
    let key = template.public_key.ok_or_else(|| wrong("the template has no public key"))?;
    let key = encode(&key).map_err(Refusal::internal)?;
    let empty = tagwise_pkix::name::NameBuf::parse("").map_err(|error| Refusal::internal(error.to_string()))?;
    let subject = template.subject.unwrap_or_else(|| empty.name());
    Requested::of_template(key, &subject, template.extensions).map_err(Refusal::of_request)
}

impl Call<'_> {
    /// Checks that the policy allows a request, and returns the grant and the profile.
    fn authorize(&self, ask: &Enroll<'_>) -> Result<(&Grant, &Arc<Definition>), Refusal> {
        let policy = &self.service.policy;
        let profile = |name: &str| {
            let found = self.service.profiles.iter().find(|profile| profile.name == name);
            found
                .ok_or_else(|| Refusal::unauthorized(format!("certificates of the profile {name} cannot be requested")))
        };
        let requested = &ask.requested;
        let usable = |grant: &&Grant| {
            grant.protocols.contains(&ask.protocol)
                && ask.grant.is_none_or(|name| name == grant.name)
                && (ask.possession != Possession::ByAuthority || ask.client.is_authority_of(grant))
        };
        match ask.client {
            Client::Secret(row) => {
                if ask.renewal {
                    return Err(Refusal::unauthorized("renewal requires the certificate that is renewed"));
                }
                let grant = policy.grant(&row.value.grant).filter(usable);
                let grant =
                    grant.ok_or_else(|| Refusal::unauthorized("the policy does not allow this protocol or grant"))?;
                grant.check_request(requested)?;
                if !row.value.names.is_empty() {
                    let only: Vec<String> = row.value.names.iter().map(|name| name.to_ascii_lowercase()).collect();
                    let text =
                        |name: &tagwise_ca::AltName| format!("{}:{}", name.kind(), name.value()).to_ascii_lowercase();
                    if let Some(name) = requested.names.iter().find(|name| !only.contains(&text(name))) {
                        return Err(Refusal::unauthorized(format!("the client's secret is not for the name {name}")));
                    }
                    let subject = requested.subject.name();
                    for attribute in subject.attributes().filter(|it| it.attr_type == tagwise_pkix::oids::COMMON_NAME) {
                        let value = tagwise_pkix::name::text(&attribute.value).unwrap_or_default().to_ascii_lowercase();
                        if !only.iter().any(|name| name.split_once(':').is_some_and(|(_, name)| name == value)) {
                            return Err(Refusal::unauthorized("the client's secret is not for the common name"));
                        }
                    }
                }
                Ok((grant, profile(&grant.profile)?))
            }
            Client::Certificate(record) if ask.renewal => {
                if !policy.renewal {
                    return Err(Refusal::unauthorized("the policy does not allow renewal"));
                }
                let certificate = Certificate::from_der(&record.der).map_err(Refusal::internal)?;
                let tbs = &certificate.tbs_certificate;
                let own =
                    Requested::of_template(Vec::new(), &tbs.subject, tbs.extensions).map_err(Refusal::internal)?;
                if let Some(error) = requested.refused.first() {
                    return Err(Refusal::new(Kind::Template, error.to_string()));
                }
                // RFC 7030 §4.2.2, RFC 8894 §2.5, RFC 9483 §4.1.3: the same subject and the same alternative names.
                let is_same = requested.subject.name().matches(&tbs.subject) && sorted(requested) == sorted(&own);
                if !is_same {
                    let clause = match ask.protocol {
                        Protocol::Est => "RFC 7030 §4.2.2",
                        Protocol::Scep => "RFC 8894 §2.5",
                        Protocol::Cmp => "RFC 9483 §4.1.3",
                    };
                    let what = format!("the names differ from those of the certificate that is renewed ({clause})");
                    return Err(Refusal::unauthorized(what));
                }
                // The policy may allow less than when the certificate was issued.
                let mut grants = policy.grants.iter().filter(usable).filter(|grant| grant.profile == record.profile);
                let grant = grants.find(|grant| grant.check_request(requested).is_ok());
                let grant = grant.ok_or_else(|| Refusal::unauthorized("the policy no longer allows these names"))?;
                Ok((grant, profile(&record.profile)?))
            }
            Client::Certificate(record) => {
                let grants = policy.grants.iter().filter(usable);
                let mut grants = grants.filter(|grant| grant.certificates.contains(&record.profile)).peekable();
                if grants.peek().is_none() {
                    return Err(Refusal::unauthorized("the policy has no grant for holders of this certificate"));
                }
                let certificate = Certificate::from_der(&record.der).map_err(Refusal::internal)?;
                let mut last = Refusal::unauthenticated();
                for grant in grants {
                    let checked = grant.check_request(requested).and_then(|()| match grant.registration_authority {
                        true => Ok(()),
                        false => only_own(requested, &certificate),
                    });
                    match checked {
                        Ok(()) => return Ok((grant, profile(&grant.profile)?)),
                        Err(refusal) => last = refusal,
                    }
                }
                Err(last)
            }
        }
    }

    /// Builds the unsigned certificate. Names that the profile adds must satisfy `check`. A requested extension is issued or refused, and
    /// never dropped: the protocols cannot report a difference in every response.
    fn prepare(
        &self,
        requested: &Requested,
        definition: &Definition,
        check: impl Fn(&[tagwise_ca::AltName]) -> Result<(), Refusal>,
    ) -> Result<Prepared, Refusal> {
        let definition = definition.for_request(requested);
        let (subject, names) = {
            let subject = requested.subject.clone();
            definition.apply(subject, requested.names.clone()).map_err(Refusal::of_request)?
        };
        let added: Vec<_> = names.iter().filter(|name| !requested.names.contains(name)).cloned().collect();
        check(&added)?;
        let authority = &self.service.authority;
        let (not_before, not_after) = authority.period(&definition, self.now);
        let order = tagwise_ca::Order {
            subject,
            names,
            public_key: &requested.public_key,
            key_identifier: None,
            restrictions: tagwise_ca::Restrictions::default(),
            profile: Profile::Defined(Arc::new(definition)),
            not_before,
            not_after,
        };
        let key = authority.judge_key(self.service.backend, &order).map_err(Refusal::of_request)?;
        let prepared = authority.prepare(&*self.service.signer, &order, key).map_err(Refusal::of_request)?;
        let tbs = TbsCertificate::from_der(prepared.unsigned().tbs()).map_err(Refusal::internal)?;
        match requested.unwilling(&tbs).map_err(Refusal::of_request)? {
            Some(left) => Err(Refusal::new(Kind::Template, left.to_string())),
            None => Ok(prepared),
        }
    }

    /// The identifier of a transaction's document.
    pub(crate) fn transaction_id(
        &self,
        protocol: Protocol,
        party: &[u8],
        transaction: &[u8],
    ) -> Result<String, Refusal> {
        let length = u64::try_from(party.len()).unwrap_or(u64::MAX).to_be_bytes();
        let hash = self.service.hash(&[&length, party, transaction].concat())?;
        Ok(format!("{}-{hash}", protocol.name()))
    }

    /// A transaction that has not expired.
    pub(crate) fn transaction(&mut self, id: &str) -> Result<Option<Row<Transaction>>, Refusal> {
        match self.records.get::<Transaction>(id)? {
            Some(row) if row.expires() < self.now => {
                self.records.take::<Transaction>(id)?;
                Ok(None)
            }
            found => Ok(found),
        }
    }

    /// Issues a certificate, or repeats the answer to an earlier request.
    pub(crate) fn enroll(&mut self, ask: &Enroll<'_>) -> Result<Outcome, Refusal> {
        let id = self.transaction_id(ask.protocol, ask.party, ask.transaction)?;
        let owner = ask.client.id();
        let request = base64::encode(ask.request);
        if let Some(row) = self.transaction(&id)? {
            if row.value.request != request || row.owner() != owner {
                return Err(Refusal::new(Kind::Transaction, "the transaction belongs to another request"));
            }
            return self.advance(row);
        }
        let (grant, definition) = self.authorize(ask)?;
        let (approval, profile, name) = (grant.approval, definition.name.clone(), grant.name.clone());
        let prepared = self.prepare(&ask.requested, definition, |added| grant.check_names(added))?;
        self.check_compromise(&ask.requested)?;
        let is_manual = approval == Approval::Manual && !ask.renewal;
        if is_manual && ask.immediate {
            return Err(Refusal::unauthorized("this request cannot wait for the operator's approval"));
        }
        let secret = match ask.client {
            Client::Secret(row) => Some(self.consume((**row).clone(), &id)?),
            Client::Certificate(_) => None,
        };
        let transaction = Transaction {
            status: if is_manual { Status::Pending } else { Status::Processing },
            form: ask.form,
            request,
            profile,
            grant: Some(name),
            by_authority: ask.possession == Possession::ByAuthority,
            renewal: ask.renewal,
            unpublished: ask.possession == Possession::ByDecryption,
            received: self.now.0,
            claimed: (!is_manual).then_some(self.now.0),
            certificate: None,
            serial: None,
        };
        let mut row = Row::new(&id, &owner, self.now.saturating_add(ask.keep), transaction);
        if !self.records.insert(&row)? {
            return Err(Refusal::busy());
        }
        if let Some(mut secret) = secret.filter(|row| row.value.once) {
            // Fails if another transaction has taken its place.
            secret.value.recorded = true;
            self.records.update(&mut secret)?;
        }
        if !is_manual {
            return self.issue(&mut row, prepared);
        }
        self.records.insert(&Row::new(&id, crate::requests::OWNER, row.expires(), Waiting {}))?;
        Ok(Outcome::Pending)
    }

    /// Refuses a key that was revoked because it is compromised.
    fn check_compromise(&mut self, requested: &Requested) -> Result<(), Refusal> {
        let checked = self.service.authority.check_compromise(&mut *self.records.store, &requested.public_key);
        checked.map_err(Refusal::of_request)
    }

    /// Marks a secret that can be used once as used by a transaction.
    ///
    /// A server may stop before it has issued the certificate, and the client may begin another transaction, which then takes
    /// the place of the first.
    fn consume(&mut self, mut row: Row<Credential>, transaction: &str) -> Result<Row<Credential>, Refusal> {
        match row.value.used.clone() {
            _ if !row.value.once => return Ok(row),
            Some(used) if used == transaction => return Ok(row),
            Some(used) => {
                let first = self.records.get::<Transaction>(&used)?;
                let is_over = match first.map(|first| first.value) {
                    // The document of a finished transaction may have expired.
                    None => !row.value.recorded,
                    Some(first) => {
                        let claimed = first.claimed.unwrap_or(i64::MAX);
                        let is_old = claimed.saturating_add(CLAIM) < self.now.0;
                        first.status == Status::Processing && first.certificate.is_none() && is_old
                    }
                };
                if !is_over {
                    let what = "the client's secret can be used once, and was used before";
                    return Err(Refusal::unauthorized(what));
                }
                // Without its document, the other server cannot issue.
                self.records.take::<Transaction>(&used)?;
            }
            None => {}
        }
        row.value.used = Some(transaction.to_owned());
        row.value.recorded = false;
        self.records.update(&mut row)?;
        Ok(row)
    }

    /// Continues a transaction.
    pub(crate) fn advance(&mut self, mut row: Row<Transaction>) -> Result<Outcome, Refusal> {
        let is_abandoned = row.value.claimed.is_none_or(|claimed| claimed.saturating_add(CLAIM) < self.now.0);
        match row.value.status {
            Status::Pending => Ok(Outcome::Pending),
            Status::Rejected => Err(Refusal::unauthorized("the operator has rejected the request")),
            Status::Issued => self.issued(&row),
            Status::Processing if row.value.certificate.is_some() => self.resume(&mut row),
            Status::Processing if !is_abandoned => Ok(Outcome::Pending),
            Status::Approved | Status::Processing => {
                let der =
                    base64::decode(row.value.request.as_bytes()).map_err(|_| Refusal::internal("a stored request"))?;
                let requested = requested(self, row.value.form, &der)?;
                // The policy may allow less than at the time of the request.
                let grant = crate::present::grant(self, &row, &requested)?;
                let definition = self.service.profiles.iter().find(|it| it.name == row.value.profile);
                let definition = definition.ok_or_else(|| Refusal::internal("the profile of a request is gone"))?;
                let prepared = self.prepare(&requested, definition, |added| grant.check_names(added))?;
                self.check_compromise(&requested)?;
                row.value.status = Status::Processing;
                row.value.claimed = Some(self.now.0);
                self.records.update(&mut row)?;
                self.issue(&mut row, prepared)
            }
        }
    }

    fn issued(&mut self, row: &Row<Transaction>) -> Result<Outcome, Refusal> {
        let serial: Serial = row.value.serial.as_deref().unwrap_or_default().parse()?;
        let record = self.service.authority.find(&mut *self.records.store, &serial)?;
        if record.revocation.is_some() {
            return Err(Refusal::new(Kind::Revoked, "the certificate of this transaction is revoked"));
        }
        Ok(Outcome::Issued(record.der))
    }

    /// Signs and stores the certificate of a transaction that this server has claimed. It is recorded before it is stored,
    /// so that a transaction never has two certificates.
    fn issue(&mut self, row: &mut Row<Transaction>, prepared: Prepared) -> Result<Outcome, Refusal> {
        let certificate = prepared.sign(&*self.service.signer, self.now)?;
        row.value.certificate = Some(base64::encode(&certificate.der));
        row.value.serial = Some(certificate.serial.to_string());
        self.records.update(row)?;
        self.add(row, &certificate)
    }

    /// Stores the recorded certificate of another server.
    fn resume(&mut self, row: &mut Row<Transaction>) -> Result<Outcome, Refusal> {
        let damaged = || Refusal::internal("a recorded certificate is malformed");
        let der = row.value.certificate.as_deref().unwrap_or_default();
        let der = base64::decode(der.as_bytes()).map_err(|_| damaged())?;
        let read = CertificateBuf::from_der(der).map_err(|_| damaged())?;
        let tbs = &read.get().tbs_certificate;
        let certificate = NewCertificate {
            serial: Serial::from_int(tbs.serial_number.0),
            profile: row.value.profile.clone().into(),
            not_before: tbs.validity.not_before.unix(),
            not_after: tbs.validity.not_after.unix(),
            issued: self.now,
            der: read.as_der().to_vec(),
        };
        self.add(row, &certificate)
    }

    fn add(&mut self, row: &mut Row<Transaction>, certificate: &NewCertificate) -> Result<Outcome, Refusal> {
        let authority = &self.service.authority;
        if row.value.unpublished {
            // Before it is stored, so that it is revoked without a confirmation even if this server stops now.
            self.await_confirmation(&certificate.serial)?;
        }
        let (store, new) = (&mut *self.records.store, core::slice::from_ref(certificate));
        let added = match row.value.unpublished {
            true => authority.add_unlogged(store, new, self.now),
            false => authority.add_all(store, new, self.now),
        };
        match added {
            Ok(()) => {}
            // Another server has stored it.
            Err(Error::SerialTaken(serial)) => {
                let other = self.records.store.certificate(authority.id(), &serial)?;
                if other.is_none_or(|other| other.der != certificate.der) {
                    return Err(Error::SerialTaken(serial).into());
                }
                if !row.value.unpublished {
                    authority.log_issued(&mut *self.records.store, &[(&serial, &certificate.der)], self.now)?;
                }
            }
            Err(error) => return Err(error.into()),
        }
        let serial = certificate.serial.to_string();
        self.records.insert(&Row::new(&serial, row.owner(), certificate.not_after, Owner {}))?;
        self.service.record_issued(&certificate.der, &row.value.profile, row.owner());
        row.value.status = Status::Issued;
        row.value.certificate = None;
        match self.records.update(row) {
            Err(error) if !matches!(error, Error::Conflict) => Err(error.into()),
            _ => Ok(Outcome::Issued(certificate.der.clone())),
        }
    }

    /// Records that a certificate is revoked unless the client confirms it in time.
    pub(crate) fn await_confirmation(&mut self, serial: &Serial) -> Result<(), Refusal> {
        let deadline = self.now.0.saturating_add(i64::from(self.service.policy.cmp_confirm_seconds));
        let waiting = Row::new(&serial.to_string(), crate::requests::OWNER, UnixTime::MAX, Unconfirmed { deadline });
        self.records.insert(&waiting)?;
        Ok(())
    }

    /// The time for which answers are repeated.
    pub(crate) fn keep(&self) -> Duration {
        Duration::from_secs(3600).saturating_mul(self.service.policy.transaction_hours)
    }

    /// The client to which a certificate was issued.
    pub(crate) fn owner(&mut self, serial: &Serial) -> Result<Option<String>, Refusal> {
        Ok(self.records.get::<Owner>(&serial.to_string())?.map(|row| row.owner().to_owned()))
    }
}
