//! Revocation (RFC 8555 §7.6), and renewal information (RFC 9773).

use core::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tagwise_ca::store::CertificateRecord;
use tagwise_ca::{Error, Serial};
use tagwise_codec::{Decode, encode};
use tagwise_keys::jwk;
use tagwise_pkix::ext::{AuthorityKeyIdentifier, CrlReason, GeneralName, SubjectAltName};
use tagwise_pkix::{Certificate, UnixTime};

use crate::jws::Signer;
use crate::problem::{Identifier, Kind, Problem};
use crate::records::Issued;
use crate::reply::Reply;
use crate::service::{Call, account_key, payload};

#[derive(Deserialize)]
struct Revoke {
    certificate: String,
    reason: Option<u64>,
}

/// The reasons that a subscriber can give.
const REASONS: [(u64, CrlReason); 5] = [
    (0, CrlReason::Unspecified),
    (1, CrlReason::KeyCompromise),
    (3, CrlReason::AffiliationChanged),
    (4, CrlReason::Superseded),
    (5, CrlReason::CessationOfOperation),
];

/// The identifiers of a certificate. A name of another kind cannot be authorized.
pub(crate) fn identifiers(der: &[u8]) -> Result<Vec<Identifier>, Problem> {
    let read = |error: tagwise_codec::Error| Problem::malformed(format!("the certificate: {error}"));
    let certificate = Certificate::from_der(der).map_err(read)?;
    let names = certificate.extension::<SubjectAltName<'_>>().map_err(read)?;
    let mut list = Vec::new();
    for name in names.iter().flat_map(|names| names.0.iter()) {
        list.push(match name.map_err(read)? {
            GeneralName::DnsName(name) => {
                let value = name.as_str().unwrap_or_default().to_ascii_lowercase();
                Identifier { kind: "dns".to_owned(), value }
            }
            GeneralName::IpAddress(address) => {
                let value = address.addr().map_or_else(String::new, |address| address.to_string());
                Identifier { kind: "ip".to_owned(), value }
            }
            other => Identifier { kind: "other".to_owned(), value: other.to_string() },
        });
    }
    Ok(list)
}

impl Call<'_> {
    /// Revokes a certificate (RFC 8555 §7.6).
    pub(crate) fn revoke(&mut self, body: &[u8]) -> Result<Reply, Problem> {
        let jws = self.parse("revoke-certificate", body)?;
        let account = match &jws.signer {
            Signer::Identifier(kid) => {
                let account = self.account(kid)?;
                self.verify(&jws, &account_key(&account)?)?;
                if let Some(problem) = account.value.status.inactive() {
                    return Err(problem);
                }
                Some(account)
            }
            Signer::Key(info) => {
                self.verify(&jws, info)?;
                None
            }
        };
        let asked: Revoke = payload(&jws)?;
        let malformed = || Problem::malformed("the certificate is not DER in base64url (RFC 8555 §7.6)");
        let der = jwk::from_base64url(&asked.certificate).ok_or_else(malformed)?;
        let certificate = Certificate::from_der(der.expose()).map_err(|_| malformed())?;
        let serial = Serial::from_int(certificate.tbs_certificate.serial_number.0);
        let found = self.store.certificate(self.acme.authority.id(), &serial)?;
        let record = match found.filter(|record| record.der == der.expose()) {
            Some(record) => Some(record),
            None => self.logged(der.expose())?,
        };
        let record = record.ok_or_else(|| Problem::not_found("certificate of this CA"))?;
        let allowed = match (&account, &jws.signer) {
            (Some(account), _) => self.may_revoke(account.id(), &record)?,
            (None, Signer::Key(info)) => {
                encode(&certificate.tbs_certificate.subject_public_key_info).map_err(Problem::internal)? == *info
            }
            _ => false,
        };
        if !allowed {
            let what = "neither the certificate's account nor its key, nor an account with authorizations for all its names (RFC 8555 §7.6)";
            return Err(Problem::unauthorized(what));
        }
        let reason = asked.reason.unwrap_or_default();
        let reason = REASONS.iter().find(|(number, _)| *number == reason).map(|(_, reason)| *reason);
        let reason = reason.ok_or_else(|| {
            Problem::new(Kind::BadRevocationReason, "the reason is not allowed, expected 0, 1, 3, 4 or 5")
        })?;
        // A compromised key is never certified again. Without this proof, an account could block another's key.
        if reason == CrlReason::KeyCompromise && account.is_some() {
            let what = "the reason keyCompromise requires a request signed with the certificate's key (RFC 8555 §7.6)";
            return Err(Problem::new(Kind::BadRevocationReason, what));
        }
        let authority = std::sync::Arc::clone(&self.acme.authority);
        match authority.revoke(self.store, &record.serial, reason, None, self.now) {
            Ok(_) => Ok(Reply::empty(200)),
            Err(error @ Error::AlreadyRevoked { .. }) => Err(Problem::new(Kind::AlreadyRevoked, error.to_string())),
            Err(error @ Error::Refused { .. }) => Err(Problem::unauthorized(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether an account ordered a certificate, or has valid authorizations for all its names.
    fn may_revoke(&mut self, account: &str, record: &CertificateRecord) -> Result<bool, Problem> {
        let issued = self.get::<Issued>(&record.serial.to_string())?;
        if issued.is_some_and(|issued| issued.owner() == account) {
            return Ok(true);
        }
        let names = identifiers(&record.der)?;
        for name in &names {
            if self.granted(account, name)?.is_none() {
                return Ok(false);
            }
        }
        Ok(!names.is_empty())
    }

    /// The certificate with a CertID: the authority key identifier and the serial number (RFC 9773 §4.1).
    pub(crate) fn certificate_of(&mut self, id: &str) -> Result<CertificateRecord, Problem> {
        let malformed = || Problem::malformed("the certificate identifier is malformed (RFC 9773 §4.1)");
        let (key, serial) = id.split_once('.').ok_or_else(malformed)?;
        let (key, serial) = (jwk::from_base64url(key), jwk::from_base64url(serial));
        let (key, serial) = key.zip(serial).ok_or_else(malformed)?;
        if serial.is_empty() || serial.len() > 21 {
            return Err(malformed());
        }
        let serial = Serial::from_content(serial.expose());
        let found = self.store.certificate(self.acme.authority.id(), &serial)?;
        let missing = || Problem::not_found("certificate of this CA");
        let record = found.filter(CertificateRecord::is_known).ok_or_else(missing)?;
        let certificate = Certificate::from_der(&record.der).map_err(Problem::internal)?;
        let own = certificate.extension::<AuthorityKeyIdentifier<'_>>().map_err(Problem::internal)?;
        let own = own.and_then(|own| own.key_identifier);
        if own.is_none_or(|own| own.as_bytes() != key.expose()) {
            return Err(missing());
        }
        Ok(record)
    }

    /// The window in which a certificate should be renewed (RFC 9773 §4.2): at two thirds of its validity, or at once if it is revoked.
    pub(crate) fn renewal_info(&mut self, id: &str) -> Result<Reply, Problem> {
        let record = self.certificate_of(id)?;
        // Both ends are inclusive.
        let validity =
            record.not_after.since(record.not_before).unwrap_or_default().saturating_add(Duration::from_secs(1));
        let (start, end) = match &record.revocation {
            Some(revocation) => {
                let end = revocation.at;
                (UnixTime(end.0.saturating_sub(3600)), end)
            }
            None => {
                let start = record.not_before.saturating_add(validity / 3 * 2);
                (start, start.saturating_add(validity / 12))
            }
        };
        let window = json!({ "start": start.to_string(), "end": end.to_string() });
        // RFC 9773 §4.3: once in six hours.
        Ok(Reply::json(200, &json!({ "suggestedWindow": window })).header("retry-after", "21600"))
    }
}
