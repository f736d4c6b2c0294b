//! Issuance: the request's checks, and the steps that let another node finish what one began.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tagwise_ca::{AltName, Error, NameKind, Prepared, Profile, Requested, Row, Serial, describe};
use tagwise_codec::Decode;
use tagwise_keys::jwk;
use tagwise_pkix::name::{NameBuf, text};
use tagwise_pkix::{TbsCertificate, UnixTime, Validity, oids};

use crate::authorization::KEPT;
use crate::problem::{Identifier, Kind, Problem};
use crate::profile::NamedProfile;
use crate::records::{Account, Issued, Order, Status, client};
use crate::service::{Call, account_key};

/// The maximum length of a common name (RFC 5280 §A.1).
const COMMON_NAME: usize = 64;

/// The identifier of a DNS name or address in a request or certificate.
pub(crate) fn identifier(name: &AltName) -> Option<Identifier> {
    let kind = match name.kind() {
        NameKind::Dns => "dns",
        NameKind::Ip => "ip",
        _ => return None,
    };
    Some(Identifier { kind: kind.to_owned(), value: name.value().to_ascii_lowercase() })
}

/// An identifier as an alternative name.
fn alt_name(identifier: &Identifier) -> Result<AltName, Problem> {
    match identifier.kind.as_str() {
        "ip" => identifier.value.parse().map(AltName::ip).map_err(Problem::internal),
        _ => AltName::dns(&identifier.value).map_err(Problem::internal),
    }
}

/// An error that the request causes, or another.
fn of_request(error: Error) -> Problem {
    match error {
        Error::Refused { .. } | Error::Malformed { .. } | Error::Crypto { .. } => {
            Problem::new(Kind::BadCsr, error.to_string())
        }
        error => error.into(),
    }
}

impl Call<'_> {
    /// The profile with a name, or the default.
    pub(crate) fn profile(&self, name: Option<&str>) -> Result<&NamedProfile, Problem> {
        let mut profiles = self.acme.profiles.iter();
        let found = match name {
            Some(name) => profiles.find(|profile| profile.name == name),
            None => profiles.next(),
        };
        found.ok_or_else(|| Problem::new(Kind::InvalidProfile, "unknown profile; see meta.profiles in the directory"))
    }

    /// Checks that the notBefore of a new order is not earlier than the profile allows. The server must return an error if it cannot issue
    /// with the requested time (RFC 8555 §7.4).
    pub(crate) fn check_not_before(&self, profile: &str, from: Option<UnixTime>) -> Result<(), Problem> {
        let earliest = self.now.saturating_sub(self.profile(Some(profile))?.definition.backdate);
        match from.filter(|from| *from < earliest) {
            Some(_) => {
                Err(Problem::malformed(format!("notBefore is too early: expected {earliest} or later (RFC 8555 §7.4)")))
            }
            None => Ok(()),
        }
    }

    /// The validity of a certificate that is issued now.
    pub(crate) fn validity(
        &self,
        profile: &str,
        from: Option<UnixTime>,
        to: Option<UnixTime>,
    ) -> Result<(UnixTime, UnixTime), Problem> {
        let definition = &self.profile(Some(profile))?.definition;
        let own = self.acme.authority.certificate().tbs_certificate.validity;
        let (usual, _) = self.acme.authority.period(definition, self.now);
        let wrong = |what: &str| Problem::malformed(format!("{what} (RFC 8555 §7.4)"));
        // An ordered time is issued or refused, and never replaced. It may have passed since the order was accepted.
        let not_before = from.unwrap_or(usual);
        if not_before < own.not_before.unix() {
            return Err(wrong("notBefore is before the validity of the CA"));
        }
        let latest = Validity::end(not_before, definition.validity).min(own.not_after.unix());
        if from.is_some_and(|from| from > self.now.saturating_add(definition.validity)) {
            return Err(wrong("notBefore is too far in the future"));
        }
        match to {
            Some(to) if to <= not_before => Err(wrong("notAfter is not after notBefore")),
            Some(to) if to > latest => {
                let what = format!(
                    "notAfter exceeds the validity of the profile or the CA: {to}, expected {latest} or earlier"
                );
                Err(wrong(&what))
            }
            to => Ok((not_before, to.unwrap_or(latest))),
        }
    }

    /// Checks a request against its order, and builds the unsigned certificate. `account` is the account's key.
    pub(crate) fn prepare(&mut self, order: &Order, csr: &[u8], account: &[u8]) -> Result<Prepared, Problem> {
        let bad = |what: &str| Problem::new(Kind::BadCsr, what);
        let requested = Requested::from_der(self.acme.backend, csr).map_err(of_request)?;
        if let Some(error) = requested.refused.first() {
            return Err(bad(&error.to_string()));
        }
        if requested.public_key == account {
            return Err(bad("the key of the certificate must not be the account's (RFC 8555 §11.1)"));
        }
        let mut names = Vec::new();
        for name in &requested.names {
            let name = identifier(name).ok_or_else(|| bad("only DNS names and IP addresses are supported"))?;
            names.push(name);
        }
        let common = common_names(&requested.subject)?;
        names.extend(common.iter().cloned());
        let missing = order.identifiers.iter().find(|name| !names.contains(name));
        let excess = names.iter().find(|name| !order.identifiers.contains(name));
        if let Some(name) = missing {
            return Err(bad(&format!("the CSR does not contain {name} of the order (RFC 8555 §7.4)")));
        }
        if excess.is_some() {
            return Err(bad("the CSR contains a name that is not in the order (RFC 8555 §7.4)"));
        }
        let names = order.identifiers.iter().map(alt_name).collect::<Result<Vec<_>, _>>()?;
        let subject = match common.first().filter(|name| name.value.len() <= COMMON_NAME) {
            Some(name) => format!("CN={}", name.value),
            None => String::new(),
        };
        let subject = NameBuf::parse(&subject).map_err(|error| Problem::internal(error.to_string()))?;
        let definition = self.profile(Some(&order.profile))?.definition.for_request(&requested);
        let (subject, applied) = definition.apply(subject, names.clone()).map_err(of_request)?;
        // A template must not add a name that was not validated.
        if applied != names {
            return Err(Problem::internal(format!("the profile {} adds alternative names", definition.name)));
        }
        let time = |time: Option<i64>| time.map(UnixTime);
        let (not_before, not_after) = self.validity(&order.profile, time(order.not_before), time(order.not_after))?;
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
        let authority = &self.acme.authority;
        let key = authority.judge_key(self.acme.backend, &order).map_err(of_request)?;
        authority.check_compromise(self.store, order.public_key).map_err(of_request)?;
        let prepared = authority.prepare(&*self.acme.signer, &order, key).map_err(of_request)?;
        let tbs = TbsCertificate::from_der(prepared.unsigned().tbs()).map_err(Problem::internal)?;
        match requested.unwilling(&tbs).map_err(of_request)? {
            Some(left) => Err(bad(&format!("{left} (RFC 8555 §7.4)"))),
            None => Ok(prepared),
        }
    }

    /// Signs and stores the certificate of an order that this node has claimed.
    ///
    /// The signed certificate is recorded in the order before it is stored, so that an order never has two: whoever finds
    /// it there stores it, and whoever fails to record it discards it.
    pub(crate) fn issue(&mut self, row: &mut Row<Order>, prepared: Prepared) -> Result<(), Problem> {
        let certificate = prepared.sign(&*self.acme.signer, self.now)?;
        row.value.certificate = Some(jwk::base64url(&certificate.der));
        row.value.serial = Some(certificate.serial.to_string());
        self.update(row)?;
        self.store_certificate(row, &certificate)
    }

    /// Finishes what another node began.
    pub(crate) fn resume_issue(&mut self, row: &mut Row<Order>, account: &Row<Account>) -> Result<(), Problem> {
        let lost = || Problem::internal("an order is being processed without its request");
        let (serial, der) = (row.value.serial.clone(), row.value.certificate.clone());
        if let (Some(serial), Some(der)) = (serial, der) {
            let serial: Serial = serial.parse()?;
            let der = jwk::from_base64url(&der).ok_or_else(lost)?.into_public();
            if let Some(record) = self.store.certificate(self.acme.authority.id(), &serial)? {
                self.acme.authority.log_issued(self.store, &[(&serial, &record.der)], self.now)?;
                return self.complete(row, record.not_after, &record.der);
            }
            let read = tagwise_pkix::CertificateBuf::from_der(der).map_err(Problem::internal)?;
            let validity = read.get().tbs_certificate.validity;
            let certificate = tagwise_ca::store::NewCertificate {
                serial,
                profile: self.profile(Some(&row.value.profile))?.definition.name.clone().into(),
                not_before: validity.not_before.unix(),
                not_after: validity.not_after.unix(),
                issued: self.now,
                der: read.as_der().to_vec(),
            };
            return self.store_certificate(row, &certificate);
        }
        self.check_order(account, &row.value)?;
        let csr = row.value.csr.as_deref().and_then(jwk::from_base64url).ok_or_else(lost)?;
        let prepared = self.prepare(&row.value, csr.expose(), &account_key(account)?)?;
        self.issue(row, prepared)
    }

    fn store_certificate(
        &mut self,
        row: &mut Row<Order>,
        certificate: &tagwise_ca::store::NewCertificate,
    ) -> Result<(), Problem> {
        let authority = Arc::clone(&self.acme.authority);
        match authority.add_all(self.store, std::slice::from_ref(certificate), self.now) {
            Ok(()) => self.complete(row, certificate.not_after, &certificate.der),
            // Another node has stored it, or the serial number is that of another certificate.
            Err(Error::SerialTaken(serial)) => {
                let other = self.store.certificate(authority.id(), &serial)?;
                if other.is_some_and(|other| other.der == certificate.der) {
                    authority.log_issued(self.store, &[(&serial, &certificate.der)], self.now)?;
                    self.complete(row, certificate.not_after, &certificate.der)
                } else {
                    row.value.status = Status::Invalid;
                    row.value.error = Some(Problem::internal("").to_json());
                    self.update(row)
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Marks an order as valid, once its certificate is stored.
    fn complete(&mut self, row: &mut Row<Order>, not_after: UnixTime, der: &[u8]) -> Result<(), Problem> {
        let expires = not_after.saturating_add(KEPT);
        if let Some(serial) = &row.value.serial {
            let issued = Issued { order: row.id().to_owned() };
            self.insert(&Row::new(serial, row.owner(), expires, issued))?;
        }
        row.value.status = Status::Valid;
        row.value.csr = None;
        row.value.certificate = None;
        row.keep_until(expires);
        self.update(row)?;
        self.acme.counters.issued.fetch_add(1, Ordering::Relaxed);
        if let Some(report) = &self.acme.report {
            report(&describe(der, &row.value.profile, &client(row.owner())));
        }
        Ok(())
    }
}

/// The common names of a subject, as identifiers.
fn common_names(subject: &NameBuf) -> Result<Vec<Identifier>, Problem> {
    let name = subject.name();
    let mut list = Vec::new();
    for attribute in name.attributes().filter(|attribute| attribute.attr_type == oids::COMMON_NAME) {
        let value = text(&attribute.value);
        let value =
            value.ok_or_else(|| Problem::new(Kind::BadCsr, "the common name is not text"))?.to_ascii_lowercase();
        list.push(match value.parse::<IpAddr>() {
            Ok(address) => Identifier { kind: "ip".to_owned(), value: address.to_string() },
            Err(_) => Identifier { kind: "dns".to_owned(), value },
        });
    }
    Ok(list)
}
