//! Issuance of certificates. Each order is checked, signed and stored before the certificate is returned.

use std::borrow::Cow;

use tagwise_codec::{Decode, Oid, SeqOf, encode};
use tagwise_crypto::{Backend, KeyType, Signer, sign};
use tagwise_pkix::build::{CertificateFields, KeyIdentifierMethod, Unsigned};
use tagwise_pkix::ext::{
    AccessDescription, AuthorityInfoAccess, CrlDistributionPoints, DistributionPoint, DistributionPointName,
    GeneralName, GeneralNames, NameConstraints,
};
use tagwise_pkix::name::{NameBuf, text, visible};
use tagwise_pkix::{Name, SubjectPublicKeyInfo, UnixTime, Validity, oids};

use crate::form::Last;
use crate::names::{self, AltName, ia5};
use crate::partition::Partitions;
use crate::store::NewCertificate;
use crate::{Authority, Definition, Error, KeyRule, NameKind, Profile, Restrictions, Serial, Store, Urls, clock};

/// The content of a certificate to issue.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The subject's distinguished name. It may be empty if there are alternative names.
    pub subject: NameBuf,
    /// The subject alternative names of the certificate.
    pub names: Vec<AltName>,
    /// The subject's public key, as a DER SubjectPublicKeyInfo.
    pub public_key: &'a [u8],
    /// The subject key identifier to preserve: from an existing certificate for the key, or requested by a CA. If `None`, a
    /// hash of the key is used (RFC 5280 §4.2.1.2).
    pub key_identifier: Option<&'a [u8]>,
    /// The restrictions on a CA. They are ignored in other profiles.
    pub restrictions: Restrictions,
    /// The certificate profile, which determines the extensions.
    pub profile: Profile,
    /// The start of the validity period, inclusive.
    pub not_before: UnixTime,
    /// The end of the validity period, inclusive.
    pub not_after: UnixTime,
}

/// A checked certificate, ready to be signed.
#[derive(Clone, Debug)]
pub struct Prepared {
    serial: Serial,
    profile: Cow<'static, str>,
    not_before: UnixTime,
    not_after: UnixTime,
    unsigned: Unsigned,
}

/// An issued and stored certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The certificate in DER.
    pub der: Vec<u8>,
}

/// The subject of a certificate to issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The CA itself, with another key (RFC 4210 §4.4).
    ThisCa,
    /// Anybody else. The name must differ from the CA's.
    Another,
}

/// The method for CAs' key identifiers, which is the default of most other software (RFC 5280 §4.2.1.2 (1)). A CA that is
/// recertified from only its public key therefore keeps the key identifier to which its certificates refer.
pub(crate) const CA_KEY_IDENTIFIER: KeyIdentifierMethod = KeyIdentifierMethod::Sha1;

/// The number of serial numbers to try. They have 159 random bits, so one is enough unless the generator is broken.
pub(crate) const ATTEMPTS: u32 = 3;

impl Authority {
    /// Issues a certificate, stores it, and logs it if the CA has a log.
    ///
    /// # Errors
    /// Returns any error from [`judge_key`](Self::judge_key), [`prepare`](Self::prepare), the key, the store or the log. Returns
    /// [`Error::Refused`] if the CA certificate is not valid now, or if the key is compromised
    /// ([`check_compromise`](Self::check_compromise)), or [`Error::ClockDisagrees`] if the last CRL is later than now. Unless
    /// [`Error::is_certain`] returns true, the certificate may have been stored nevertheless.
    pub fn issue(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        order: &Order<'_>,
        now: UnixTime,
    ) -> Result<Issued, Error> {
        self.issue_to(Subject::Another, store, backend, signer, order, now)
    }

    /// Issues a certificate to the CA itself or to another subject.
    pub(crate) fn issue_to(
        &self,
        subject: Subject,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        order: &Order<'_>,
        now: UnixTime,
    ) -> Result<Issued, Error> {
        for _ in 1..ATTEMPTS {
            match self.try_issue(subject, store, backend, signer, order, now) {
                Err(Error::SerialTaken(_)) => {}
                done => return done,
            }
        }
        self.try_issue(subject, store, backend, signer, order, now)
    }

    fn try_issue(
        &self,
        subject: Subject,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        order: &Order<'_>,
        now: UnixTime,
    ) -> Result<Issued, Error> {
        self.check_now(now)?;
        self.check_clock(store, now)?;
        let key = self.judge_key(backend, order)?;
        self.check_compromise(store, order.public_key)?;
        let prepared = self.number(subject, signer, (order, key), Serial::generate()?, &mut Last::default())?;
        let certificate = prepared.sign(signer, now)?;
        store.add_certificates(self.id, std::slice::from_ref(&certificate))?;
        self.log_issued(store, &[(&certificate.serial, &certificate.der)], now)?;
        Ok(Issued { serial: certificate.serial, der: certificate.der })
    }

    /// Stores a batch of certificates that were prepared and signed, in one transaction, and logs them if the CA has a log.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the CA certificate is not valid now or a key is compromised
    /// ([`check_compromise`](Self::check_compromise)), [`Error::ClockDisagrees`] if the last CRL is later than now,
    /// [`Error::SerialTaken`] if a serial number is already used, [`Error::Unconfirmed`] if the certificates were stored but not
    /// logged (see [`log_issued`](Self::log_issued)), or any error from the store.
    pub fn add_all(&self, store: &mut dyn Store, certificates: &[NewCertificate], now: UnixTime) -> Result<(), Error> {
        self.add_unlogged(store, certificates, now)?;
        let list: Vec<(&Serial, &[u8])> = certificates.iter().map(|one| (&one.serial, one.der.as_slice())).collect();
        self.log_issued(store, &list, now)
    }

    /// Stores certificates like [`add_all`](Self::add_all), but does not log them. [`log_issued`](Self::log_issued) logs them
    /// once they may be published: a client that proves possession of its key by decrypting its certificate must not find the
    /// certificate in a log (RFC 9810 §8.11).
    ///
    /// # Errors
    /// Returns the errors of [`add_all`](Self::add_all), except those of the log.
    pub fn add_unlogged(
        &self,
        store: &mut dyn Store,
        certificates: &[NewCertificate],
        now: UnixTime,
    ) -> Result<(), Error> {
        self.check_now(now)?;
        self.check_clock(store, now)?;
        self.check_compromises(store, certificates)?;
        store.add_certificates(self.id, certificates)
    }

    /// Checks the key of an order: a backend must support it, and it must not be weak or the CA's own.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the key is malformed, [`Error::Crypto`] if it is unsupported, or [`Error::Refused`] if it is weak
    /// or the CA's own.
    pub fn judge_key(&self, backend: &dyn Backend, order: &Order<'_>) -> Result<KeyType, Error> {
        let of_subject = Error::crypto("the subject's key");
        let info = SubjectPublicKeyInfo::from_der(order.public_key).map_err(Error::malformed("the subject's key"))?;
        let key = KeyType::of(&info).map_err(&of_subject)?;
        backend.public_key(&info).map_err(&of_subject)?;
        if let KeyType::Rsa(bits @ ..2048) = key {
            return Err(Error::refused(format!("an RSA key of {bits} bits is too weak"), "SP 800-131A §3"));
        }
        if order.public_key == self.public_key() {
            return Err(Error::refused("the subject's key must not be the CA's own", None));
        }
        Ok(key)
    }

    /// Builds an unsigned certificate with a new serial number. The key must have been checked by
    /// [`judge_key`](Self::judge_key).
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if the signer's key is not the CA's, or any error from the builder. Returns
    /// [`Error::Refused`] if the order violates its profile, exceeds the CA's own validity period, path length or name constraints,
    /// contains an overlong attribute, or has the CA's own name as subject.
    pub fn prepare(&self, signer: &dyn Signer, order: &Order<'_>, key: KeyType) -> Result<Prepared, Error> {
        self.number(Subject::Another, signer, (order, key), Serial::generate()?, &mut Last::default())
    }

    /// Builds unsigned certificates for a batch of orders like [`prepare`](Self::prepare), with the results in the same order.
    /// The random numbers are generated in a single call, and the code stays in the CPU's caches. Prepare a dozen or more
    /// certificates, and then sign them.
    ///
    /// # Errors
    /// Returns the error from [`prepare`](Self::prepare) for the first order that fails.
    pub fn prepare_all(&self, signer: &dyn Signer, orders: &[(&Order<'_>, KeyType)]) -> Result<Vec<Prepared>, Error> {
        let numbered = orders.iter().zip(Serial::generate_many(orders.len())?);
        let mut last = Last::default();
        numbered.map(|(one, serial)| self.number(Subject::Another, signer, *one, serial, &mut last)).collect()
    }

    pub(crate) fn number(
        &self,
        subject: Subject,
        signer: &dyn Signer,
        (order, key): (&Order<'_>, KeyType),
        serial: Serial,
        last: &mut Last,
    ) -> Result<Prepared, Error> {
        self.check_signer(signer)?;
        self.check_validity(order)?;
        check_subject(&order.subject)?;
        // RFC 5280 §6.1 and §6.3.3: relying parties would accept a CRL by a CA of the same name for this CA's certificates, and take
        // an end-entity certificate for a self-issued one, which is exempt from name constraints and path lengths.
        if subject == Subject::Another && order.subject.name().matches(&self.certificate().tbs_certificate.subject) {
            return Err(Error::refused("the subject is the CA's own name, expected another", "RFC 5280 §4.1.2.6"));
        }
        if let Profile::Defined(definition) = &order.profile {
            definition.check_order(order, key)?;
            // Otherwise a certificate without timestamps would be issued.
            if definition.transparency.is_some() {
                let what = format!(
                    "the profile {} requires timestamps of Certificate Transparency logs, which only the issuance of a single \
                     certificate from the command line supports",
                    definition.name
                );
                return Err(Error::refused(what, "RFC 6962 §3.1"));
            }
            let both = order.restrictions.has_name_constraints()
                && !(definition.permitted.is_empty() && definition.excluded.is_empty());
            if definition.ca && both {
                return Err(Error::refused(
                    "both the profile and the request have name constraints",
                    "RFC 5280 §4.2.1.10",
                ));
            }
        }
        if order.profile == Profile::Server && !order.names.iter().any(AltName::is_host) {
            return Err(Error::refused("a server certificate requires a DNS name or an IP address", "RFC 9525 §6.2"));
        }
        // Filling the form decodes it completely.
        let info = SubjectPublicKeyInfo::outline(order.public_key).map_err(Error::malformed("the subject's key"))?;
        let computed;
        let key_identifier = match order.key_identifier {
            Some([]) => return Err(Error::refused("the subject key identifier is empty", "RFC 5280 §4.2.1.2")),
            Some(own) => own,
            None => {
                let method = if order.profile.is_ca() { CA_KEY_IDENTIFIER } else { KeyIdentifierMethod::Sha256 };
                computed = method.of(&info).map_err(|error| Error::Build(error.into()))?;
                computed.as_slice()
            }
        };
        let names = names::general(&order.names)?;
        let fields = CertificateFields {
            serial_number: serial.number(),
            validity: Validity { not_before: clock::time(order.not_before)?, not_after: clock::time(order.not_after)? },
            subject: order.subject.name(),
            subject_public_key_info: info,
            key_identifier: Some(key_identifier),
            alt_names: (!names.is_empty()).then(|| GeneralNames(SeqOf::from_slice(&names))),
        };
        self.check_names(&order.profile, &fields)?;
        let kind = (&order.profile, key);
        let copies = matches!(&order.profile, Profile::Defined(definition) if !definition.copied.is_empty());
        let is_restricted = order.profile.is_ca() && !order.restrictions.is_empty();
        let unsigned = if copies || is_restricted {
            let none = Restrictions::default();
            let restrictions = if is_restricted { &order.restrictions } else { &none };
            self.restricted(signer, kind, restrictions, &fields)?.fill(&fields)?
        } else {
            self.form(signer, kind, &fields, last)?.fill(&fields)?
        };
        Ok(Prepared {
            serial,
            profile: order.profile.stored_name(),
            not_before: order.not_before,
            not_after: order.not_after,
            unsigned,
        })
    }

    /// Returns the validity period of a certificate that is issued now: notBefore, earlier than `now` by the profile's allowance for slow
    /// clocks, and notAfter at the end of the profile's period from there. Both are within the CA's own
    /// validity period, and both are inclusive, so a profile of one day gives 86,400 seconds (RFC 5280 §4.1.2.5).
    #[must_use]
    pub fn period(&self, definition: &Definition, now: UnixTime) -> (UnixTime, UnixTime) {
        let own = self.certificate().tbs_certificate.validity;
        let not_before = now.saturating_sub(definition.backdate).max(own.not_before.unix());
        (not_before, Validity::end(not_before, definition.validity).min(own.not_after.unix()))
    }

    /// Checks that the certificate does not outlive the CA certificate, because all certificates in a path must be valid at the same
    /// time (RFC 5280 §6.1.3).
    fn check_validity(&self, order: &Order<'_>) -> Result<(), Error> {
        let own = self.certificate().tbs_certificate.validity;
        if order.not_after < order.not_before {
            return Err(Error::refused("the certificate's notAfter would precede its notBefore", "RFC 5280 §4.1.2.5"));
        }
        if order.not_before < own.not_before.unix() {
            let from = own.not_before;
            return Err(Error::refused(
                format!(
                    "the certificate's notBefore would precede the CA certificate's, {from}: the clock is wrong now, or was wrong when the CA \
                     certificate was created"
                ),
                "RFC 5280 §6.1.3",
            ));
        }
        if order.not_after > own.not_after.unix() {
            let to = own.not_after;
            return Err(Error::refused(
                format!("the certificate's notAfter would be later than the CA certificate's, {to}"),
                "RFC 5280 §6.1.3",
            ));
        }
        Ok(())
    }

    /// Checks that the CA's name constraints permit the names of a certificate. Otherwise, relying parties would reject it (RFC 5280
    /// §4.2.1.10).
    fn check_names(&self, profile: &Profile, fields: &CertificateFields<'_>) -> Result<(), Error> {
        let own = &self.certificate().tbs_certificate;
        let constraints = own.extensions.map_or(Ok(None), |list| list.get::<NameConstraints<'_>>());
        let Some(constraints) = constraints.map_err(Error::malformed("the CA's certificate"))? else { return Ok(()) };
        // RFC 5280 §6.1.3 (b), (c): self-issued certificates are exempt, unless they are the last of the path.
        if profile.is_ca() && fields.subject.matches(&own.subject) {
            return Ok(());
        }
        tagwise_path::check_name_constraints(&constraints, fields.subject, fields.alt_names).map_err(|refusal| {
            let what = format!("the CA's name constraints do not permit the certificate: {}", refusal.message);
            Error::refused(what, refusal.clause)
        })
    }
}

/// Checks the lengths of a subject's attributes (RFC 5280 §A.1), and that a country has two letters (X.520 §6.3.1). The builder would
/// find the error, too, but not name the attribute.
///
/// ```
/// use tagwise_ca::check_subject;
/// assert!(check_subject(&"CN=www.example.org,C=DE".parse()?).is_ok());
/// let error = check_subject(&"C=Germany".parse()?).unwrap_err();
/// assert!(error.to_string().starts_with("the subject's countryName is `Germany`, expected two letters"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`Error::Refused`] for the first attribute that is too long, and for other countries.
pub fn check_subject(subject: &NameBuf) -> Result<(), Error> {
    for attribute in subject.name().attributes() {
        let value = text(&attribute.value).unwrap_or_default();
        let length = value.chars().count();
        let is_country = attribute.attr_type == oids::COUNTRY_NAME;
        if is_country && (length != 2 || !value.chars().all(|char| char.is_ascii_alphabetic())) {
            let value = visible(&value);
            let what = format!("the subject's countryName is `{value}`, expected two letters, such as DE (ISO 3166)");
            return Err(Error::refused(what, "X.520 §6.3.1"));
        }
        let Some(bound) = tagwise_pkix::lint::upper_bound(attribute.attr_type) else { continue };
        let name = oids::lookup(attribute.attr_type)
            .map_or_else(|| attribute.attr_type.to_string(), |known| known.name.to_owned());
        let advice = if attribute.attr_type == oids::COMMON_NAME {
            "omit it, and put the name into the subject alternative name"
        } else {
            "shorten or omit it"
        };
        if length > bound {
            let what = format!("the subject's {name} has {length} characters, expected at most {bound}: {advice}");
            return Err(Error::refused(what, "RFC 5280 §A.1"));
        }
    }
    Ok(())
}

impl Definition {
    /// Checks that an order satisfies the profile.
    pub(crate) fn check_order(&self, order: &Order<'_>, key: KeyType) -> Result<(), Error> {
        let accepts = |rule: &KeyRule| match (rule, key) {
            (KeyRule::RsaFrom(least), KeyType::Rsa(bits)) => bits >= *least,
            (KeyRule::Exactly(kind), key) => *kind == key,
            _ => false,
        };
        if !self.keys.is_empty() && !self.keys.iter().any(accepts) {
            return Err(Error::refused(format!("the profile {} does not accept {key} keys", self.name), None));
        }
        if let Some(name) = order.names.iter().find(|name| !self.names.contains(&name.kind())) {
            return Err(Error::refused(
                format!("the profile {} does not allow the name {name}", self.name),
                "RFC 5280 §4.2.1.6",
            ));
        }
        let has = |kind: &NameKind| order.names.iter().any(|name| name.kind() == *kind);
        if !self.required_names.is_empty() && !self.required_names.iter().any(has) {
            let kinds: Vec<String> = self.required_names.iter().map(ToString::to_string).collect();
            return Err(Error::refused(
                format!("the profile {} requires an alternative name: {}", self.name, kinds.join(" or ")),
                "RFC 5280 §4.2.1.6",
            ));
        }
        match order.common_name_outside_names().filter(|_| self.common_name_in_names) {
            Some(name) => Err(Error::refused(
                format!(
                    "the common name {} is not one of the alternative names; use one of them, or none",
                    visible(&name)
                ),
                "CA/Browser Forum BR §7.1.4.3",
            )),
            None => Ok(()),
        }
    }
}

impl Order<'_> {
    /// Returns a server's common name that is not among the subject alternative names. Clients ignore it (RFC 9525 §2),
    /// and public CAs must not issue it (CA/Browser Forum BR §7.1.4.3), so callers should warn about it.
    #[must_use]
    pub fn stray_common_name(&self) -> Option<String> {
        if self.profile == Profile::Server { self.common_name_outside_names() } else { None }
    }

    /// Returns the common name, if it is not among the subject alternative names.
    pub(crate) fn common_name_outside_names(&self) -> Option<String> {
        let subject = self.subject.name();
        let common = subject.attributes().filter(|attribute| attribute.attr_type == oids::COMMON_NAME);
        let mut common = common.filter_map(|attribute| text(&attribute.value));
        common.find(|name| !self.names.iter().any(|other| other.is_text(name))).map(std::borrow::Cow::into_owned)
    }
}

/// The DER values of authorityInfoAccess and of cRLDistributionPoints, one for each partition.
pub(crate) type OfUrls = (Option<Vec<u8>>, Vec<Vec<u8>>);

/// Encodes the extensions that contain URLs.
pub(crate) fn of_urls(urls: &Urls, partitions: Option<&Partitions>) -> Result<OfUrls, Error> {
    let failed = |error: tagwise_codec::EncodeError| Error::Build(error.into());
    let mut access = Vec::new();
    for (method, url) in [(oids::AD_OCSP, &urls.ocsp), (oids::AD_CA_ISSUERS, &urls.issuer)] {
        access.extend(url.as_deref().map(|url| described(method, url)).transpose()?);
    }
    let access = (!access.is_empty()).then(|| encode(&AuthorityInfoAccess(SeqOf::from_slice(&access))));
    // RFC 5280 §4.2.1.13: the name is that in the CRL's issuer field.
    let issuer = urls.crl_issuer.as_deref().map(|der| {
        Name::from_der(der).map_err(Error::malformed("the name of the CRL's issuer")).map(GeneralName::DirectoryName)
    });
    let issuer = issuer.transpose()?.map(|name| [name]);
    if issuer.is_some() && (urls.crl.is_none() || partitions.is_some()) {
        return Err(Error::refused(
            "certificates that name the issuer of an indirect CRL require one CRL URL, without partitions",
            "RFC 5280 §4.2.1.13",
        ));
    }
    let crl_issuer = issuer.as_ref().map(|names| GeneralNames(SeqOf::from_slice(names)));
    let points = |url: &str| {
        let names = [GeneralName::UniformResourceIdentifier(ia5(url)?)];
        let name = DistributionPointName::FullName(GeneralNames(SeqOf::from_slice(&names)));
        let points = [DistributionPoint { distribution_point: Some(name), crl_issuer, ..DistributionPoint::default() }];
        encode(&CrlDistributionPoints(SeqOf::from_slice(&points))).map_err(failed)
    };
    let points = match (&urls.crl, partitions) {
        (None, _) => Vec::new(),
        (Some(url), None) => vec![points(url)?],
        (Some(_), Some(all)) => (1..=all.count()).map(|number| points(&all.url(number))).collect::<Result<_, _>>()?,
    };
    Ok((access.transpose().map_err(failed)?, points))
}

impl Prepared {
    /// Returns the unsigned certificate.
    #[must_use]
    pub const fn unsigned(&self) -> &Unsigned {
        &self.unsigned
    }

    /// Signs the certificate. Before publishing it, store it with [`Store::add_certificates`].
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign(self, signer: &dyn Signer, now: UnixTime) -> Result<NewCertificate, Error> {
        let der = sign(&self.unsigned, signer).map_err(Error::crypto("the CA's key"))?;
        let Self { serial, profile, not_before, not_after, .. } = self;
        Ok(NewCertificate { serial, profile, not_before, not_after, issued: now, der })
    }
}

fn described<'a>(access_method: Oid<'a>, url: &'a str) -> Result<AccessDescription<'a>, Error> {
    Ok(AccessDescription { access_method, access_location: GeneralName::UniformResourceIdentifier(ia5(url)?) })
}
