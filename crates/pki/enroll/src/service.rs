//! The state that the enrollment protocols share, and requests in progress.

use core::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tagwise_ca::store::CertificateRecord;
use tagwise_ca::{Authority, Definition, Documents, Error, Records, Row, Serial, describe};
use tagwise_codec::{Decode, text::hex};
use tagwise_crypto::{Backend, Digest, Signer};
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::{Certificate, UnixTime};

use crate::http::Report;
use crate::policy::{Grant, Policy};
use crate::records::{Credential, Unconfirmed};
use crate::refusal::Refusal;
use crate::requests::OWNER;
use crate::secret::{Check, Usage};

/// The number of expired documents that are deleted at once.
const PURGED: u32 = 10_000;

/// A CA with a policy, for all enrollment protocols. It keeps all state in the CA's database, so that several servers can
/// share it.
#[derive(Clone)]
pub struct Enrollment {
    pub(crate) authority: Arc<Authority>,
    pub(crate) signer: Arc<dyn Signer>,
    pub(crate) backend: &'static dyn Backend,
    pub(crate) policy: Arc<Policy>,
    pub(crate) profiles: Arc<[Arc<Definition>]>,
    /// The CA's certificate and those above it, in DER.
    pub(crate) chain: Arc<[Vec<u8>]>,
    /// The number of certificates that one protocol has issued.
    pub(crate) issued: Arc<AtomicU64>,
    /// The callback for a line about each of them.
    report: Arc<OnceLock<Box<Report>>>,
}

impl core::fmt::Debug for Enrollment {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Enrollment").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Enrollment {
    /// Creates the state of a CA's services.
    ///
    /// # Errors
    /// The reason, if the key is not the CA's, or the policy names an unknown profile, or one whose certificates can sign
    /// certificates, CRLs or OCSP responses.
    pub fn new(
        authority: Authority,
        signer: Arc<dyn Signer>,
        backend: &'static dyn Backend,
        policy: Policy,
        profiles: Vec<Arc<Definition>>,
    ) -> Result<Self, String> {
        policy.check()?;
        authority.check_signer(&*signer).map_err(|error| error.to_string())?;
        for grant in &policy.grants {
            for name in grant.certificates.iter().chain([&grant.profile]) {
                let found = profiles.iter().find(|profile| profile.name == *name);
                let found = found.ok_or_else(|| format!("grant {}: unknown profile {name}", grant.name))?;
                if let Some(what) = found.signs_for_ca() {
                    let grant = &grant.name;
                    return Err(format!(
                        "grant {grant}: the profile {name} is for signing {what}, so clients cannot enroll"
                    ));
                }
            }
        }
        let chain = [authority.certificate_der().to_vec()];
        Ok(Self {
            authority: Arc::new(authority),
            signer,
            backend,
            policy: Arc::new(policy),
            profiles: profiles.into(),
            chain: chain.into(),
            issued: Arc::default(),
            report: Arc::default(),
        })
    }

    /// Replaces the certificates that clients receive as the CA's: its own certificate, and then those above it, in DER.
    #[must_use]
    pub fn with_chain(self, chain: Vec<Vec<u8>>) -> Self {
        if chain.is_empty() { self } else { Self { chain: chain.into(), ..self } }
    }

    /// Counts the certificates of one protocol from 0.
    pub(crate) fn counted(self) -> Self {
        Self { issued: Arc::default(), report: Arc::default(), ..self }
    }

    /// Sets the callback for a line about each certificate that this protocol issues.
    pub(crate) fn report_to(&self, report: Box<Report>) {
        let _ = self.report.set(report);
    }

    /// Counts and reports an issued certificate.
    pub(crate) fn record_issued(&self, der: &[u8], profile: &str, client: &str) {
        self.issued.fetch_add(1, Ordering::Relaxed);
        if let Some(report) = self.report.get() {
            report(&describe(der, profile, client));
        }
    }

    /// The number of certificates that this protocol has issued.
    pub(crate) fn count(&self) -> u64 {
        self.issued.load(Ordering::Relaxed)
    }

    /// Revokes certificates whose confirmation is overdue (RFC 9810 §5.3.18), and deletes expired documents. Call it about
    /// once a minute. Returns the number of revoked certificates.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn maintain(&self, store: &mut dyn Documents, now: UnixTime) -> Result<u64, Error> {
        let mut records = Records { store, authority: self.authority.id() };
        let mut revoked = 0u64;
        for row in records.list::<Unconfirmed>(OWNER)? {
            // Of several servers, and a client that confirms now, one takes the document.
            if row.value.deadline >= now.0 || records.take::<Unconfirmed>(row.id())?.is_none() {
                continue;
            }
            let serial: Serial = row.id().parse()?;
            match self.authority.revoke(&mut *records.store, &serial, CrlReason::CessationOfOperation, None, now) {
                Ok(_) => revoked = revoked.saturating_add(1),
                // A server may have stopped before it stored the certificate.
                Err(Error::AlreadyRevoked { .. } | Error::NoSuchSerial(_)) => {}
                Err(error) => return Err(error),
            }
        }
        records.store.purge_documents(self.authority.id(), now, PURGED)?;
        Ok(revoked)
    }

    /// The certificates in PKCS #7 form, without signers.
    pub(crate) fn chain_message(&self, others: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
        let all: Vec<&[u8]> = others.iter().copied().chain(self.chain.iter().map(Vec::as_slice)).collect();
        tagwise_pkix::build::cms::certificates_only(&all, &[]).map_err(Refusal::internal)
    }

    /// A request from an address.
    pub(crate) fn call<'a>(&'a self, store: &'a mut dyn Documents, peer: Option<IpAddr>, now: UnixTime) -> Call<'a> {
        Call { service: self, records: Records { store, authority: self.authority.id() }, peer, now }
    }

    /// A hash in hexadecimal.
    pub(crate) fn hash(&self, octets: &[u8]) -> Result<String, Refusal> {
        let digest = self.backend.digest(Digest::Sha256, octets).map_err(Refusal::internal)?;
        Ok(hex::encode(&digest))
    }
}

/// A client that has been authenticated.
#[derive(Clone, Debug)]
pub(crate) enum Client {
    /// It knows a secret.
    Secret(Box<Row<Credential>>),
    /// It has the key of a certificate that the CA has issued.
    Certificate(Box<CertificateRecord>),
}

impl Client {
    /// The name in documents.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::Secret(row) => format!("secret/{}", row.id()),
            Self::Certificate(record) => format!("certificate/{}", record.serial),
        }
    }

    /// Returns whether a grant names this client as a registration authority. The caller checks the purpose of its
    /// certificate.
    pub(crate) fn is_authority_of(&self, grant: &Grant) -> bool {
        match self {
            Self::Certificate(record) => grant.registration_authority && grant.certificates.contains(&record.profile),
            Self::Secret(row) => {
                let named = &grant.registration_authority_secrets;
                row.value.usage == Usage::Shared
                    && row.value.grant == grant.name
                    && named.iter().any(|id| id == row.id())
            }
        }
    }
}

/// A request in progress: the service, the database and the time.
pub(crate) struct Call<'a> {
    pub(crate) service: &'a Enrollment,
    pub(crate) records: Records<'a>,
    /// The client's address.
    pub(crate) peer: Option<IpAddr>,
    pub(crate) now: UnixTime,
}

impl<'a> Call<'a> {
    pub(crate) fn check<'c>(&'c mut self) -> Check<'c, 'a> {
        Check {
            records: &mut self.records,
            backend: self.service.backend,
            policy: &self.service.policy,
            peer: self.peer,
            now: self.now,
        }
    }

    /// Authenticates a client by its password.
    pub(crate) fn password(&mut self, usage: Usage, id: &str, password: &[u8]) -> Result<Client, Refusal> {
        self.check().password(usage, id, password).map(|row| Client::Secret(Box::new(row)))
    }

    /// Authenticates a client by its certificate, whose key it has proven to hold. The certificate must be in the CA's
    /// database: this is stronger than a valid path.
    pub(crate) fn certificate(&mut self, der: &[u8]) -> Result<Client, Refusal> {
        let wrong = |what: &str| Refusal { detail: what.to_owned(), ..Refusal::unauthenticated() };
        let Ok(certificate) = Certificate::from_der(der) else {
            return Err(wrong("the client's certificate is malformed"));
        };
        let serial = Serial::from_int(certificate.tbs_certificate.serial_number.0);
        let found = self.records.store.certificate(self.service.authority.id(), &serial)?;
        let found = found.filter(|record| record.der == der);
        let record = found.ok_or_else(|| wrong("the client's certificate was issued by another CA"))?;
        if record.revocation.is_some() {
            return Err(wrong("the client's certificate is revoked"));
        }
        if !(record.not_before..=record.not_after).contains(&self.now) {
            return Err(wrong("the client's certificate is not valid now"));
        }
        Ok(Client::Certificate(Box::new(record)))
    }
}
