//! Certificate templates per profile, checked once and cached by the CA.

use std::sync::{Arc, PoisonError, RwLock};

use tagwise_codec::{Null, Oid, SeqOf};
use tagwise_crypto::{KeyType, Scheme, Signer};
use tagwise_pkix::build::{CertificateFields, CertificateForm, ExtensionList};
use tagwise_pkix::ext::{
    AuthorityInfoAccess, BasicConstraints, Count, CrlDistributionPoints, ExtKeyUsage, KnownExtension, OcspNoCheck,
    SubjectAltName, SubjectKeyIdentifier,
};
use tagwise_pkix::{Extensions, TbsCertificate, Version, oids};

use crate::authority::{decoded, identifier};
use crate::{Authority, Error, Profile, Restrictions};

/// The key of a template in the cache.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    scheme: Scheme,
    profile: Profile,
    key: KeyType,
    has_subject: bool,
    has_names: bool,
    /// The index of the distribution points.
    points: usize,
}

impl Key {
    fn of(
        authority: &Authority,
        signer: &dyn Signer,
        (profile, key): (&Profile, KeyType),
        first: &CertificateFields<'_>,
    ) -> Self {
        let partitions = authority.same.partitions.as_ref();
        let number = partitions.map_or(1, |all| all.of_serial(first.serial_number.0.as_bytes()));
        let (has_subject, has_names) = (!first.subject.is_empty(), first.alt_names.is_some());
        let points = usize::from(number.saturating_sub(1));
        Self { scheme: *signer.scheme(), profile: profile.clone(), key, has_subject, has_names, points }
    }
}

/// A CA's templates, shared by its clones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms(Arc<RwLock<List>>);

type List = Vec<Known>;
type Known = (Key, Arc<CertificateForm>);

/// The most recently used template. Reusing it avoids access to the shared list, which is costly if several threads issue
/// certificates.
#[derive(Debug, Default)]
pub(crate) struct Last(Option<Known>);

/// The maximum number of cached templates. RSA keys may have any size, and each size has its own template.
const MOST: usize = 64;

impl Forms {
    fn get(&self, key: &Key) -> Option<Arc<CertificateForm>> {
        // A list is consistent even if a thread panicked while holding it.
        let forms = self.0.read().unwrap_or_else(PoisonError::into_inner);
        forms.iter().find(|(known, _)| known == key).map(|(_, form)| Arc::clone(form))
    }

    fn keep(&self, key: Key, form: &Arc<CertificateForm>) {
        let mut forms = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if forms.len() < MOST && !forms.iter().any(|(known, _)| *known == key) {
            forms.push((key, Arc::clone(form)));
        }
    }
}

impl Authority {
    /// Returns the template for certificates of a profile and key type. If none is cached, creates one from the given fields.
    pub(crate) fn form<'l>(
        &self,
        signer: &dyn Signer,
        (profile, key): (&Profile, KeyType),
        first: &CertificateFields<'_>,
        last: &'l mut Last,
    ) -> Result<&'l CertificateForm, Error> {
        let wanted = Key::of(self, signer, (profile, key), first);
        let form = match last.0.take().filter(|(known, _)| *known == wanted) {
            Some((_, form)) => form,
            None => match self.forms.get(&wanted) {
                Some(form) => form,
                None => {
                    let form = Arc::new(self.new_form(signer, &wanted, &Restrictions::default(), first)?);
                    self.forms.keep(wanted.clone(), &form);
                    form
                }
            },
        };
        let (_, form) = last.0.insert((wanted, form));
        Ok(form)
    }

    /// Returns the template for a single certificate with restrictions or copied extensions. It is not cached, because no other
    /// certificate shares it.
    pub(crate) fn restricted(
        &self,
        signer: &dyn Signer,
        kind: (&Profile, KeyType),
        restrictions: &Restrictions,
        first: &CertificateFields<'_>,
    ) -> Result<CertificateForm, Error> {
        self.new_form(signer, &Key::of(self, signer, kind, first), restrictions, first)
    }

    fn new_form(
        &self,
        signer: &dyn Signer,
        wanted: &Key,
        restrictions: &Restrictions,
        first: &CertificateFields<'_>,
    ) -> Result<CertificateForm, Error> {
        let (profile, key) = (&wanted.profile, wanted.key);
        let mut list = ExtensionList::new();
        if profile.is_ca() {
            let path_len = self.path_len(profile.path_len())?;
            list.add(true, &BasicConstraints { ca: true, path_len_constraint: path_len.map(Count::new) })?;
        }
        restrictions.write(profile.usage(key)?, &mut list)?;
        let purposes = profile.purposes();
        self.check_purposes(profile, &purposes)?;
        if !purposes.is_empty() && !restrictions.has_purposes() {
            // RFC 3161 §2.3: critical for time-stamping authorities.
            let critical = purposes.contains(&oids::KP_TIME_STAMPING);
            list.add(critical, &ExtKeyUsage(SeqOf::from_slice(&purposes)))?;
        }
        if let Some(identifier) = first.key_identifier {
            list.add(false, &SubjectKeyIdentifier(identifier.into()))?;
        }
        self.same.add_key(&mut list)?;
        if let Some(names) = first.alt_names {
            // RFC 5280 §4.2.1.6: critical where the subject is empty.
            list.add(first.subject.is_empty(), &SubjectAltName(names))?;
        }
        if let Profile::Defined(definition) = profile {
            definition.write(&mut list)?;
        }
        if profile.is_responder() {
            // RFC 6960 §4.2.2.2.1: a responder's own revocation is not checked with the responder.
            list.add(false, &OcspNoCheck(Null))?;
        } else {
            self.add_urls(wanted.points, &mut list)?;
        }
        let extensions = list.extensions();
        let algorithm = identifier(signer)?;
        Ok(CertificateForm::of(&TbsCertificate {
            version: Version::V3,
            serial_number: first.serial_number,
            signature: decoded(&algorithm)?,
            issuer: self.certificate().tbs_certificate.subject,
            validity: first.validity,
            subject: first.subject,
            subject_public_key_info: first.subject_public_key_info,
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: Extensions::new(&extensions),
        })?)
    }

    /// Checks that the extended key usages of the CA's certificate, if any, include those of a profile. RFC 5280 §4.2.1.12 limits the CA's
    /// own key to them, and relying parties also apply them to the certificates below. OCSP responders are exempt, because they only
    /// report the status of the CA's certificates.
    fn check_purposes(&self, profile: &Profile, purposes: &[Oid<'_>]) -> Result<(), Error> {
        let extensions = self.certificate().tbs_certificate.extensions;
        let own = extensions.map_or(Ok(None), |list| list.get::<ExtKeyUsage<'_>>());
        let Some(own) = own.map_err(Error::malformed("the CA's certificate"))? else { return Ok(()) };
        let is_within = |purpose: &Oid<'_>| {
            *purpose == oids::KP_OCSP_SIGNING || own.contains(oids::ANY_EXTENDED_KEY_USAGE) || own.contains(*purpose)
        };
        match purposes.iter().find(|purpose| !is_within(purpose)) {
            None => Ok(()),
            Some(purpose) => {
                let name = oids::lookup(*purpose).map_or_else(|| purpose.to_string(), |info| info.name.to_owned());
                let what = format!(
                    "the extended key usages of the CA's certificate do not include {name}, which the profile {profile} requires"
                );
                Err(Error::refused(what, "RFC 5280 §4.2.1.12"))
            }
        }
    }

    /// Returns the path length constraint for a subordinate CA, at most one less than this CA's (RFC 5280 §4.2.1.9).
    fn path_len(&self, wanted: Option<u8>) -> Result<Option<u8>, Error> {
        let extensions = self.certificate().tbs_certificate.extensions;
        let own = extensions
            .map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>())
            .map_err(Error::malformed("the CA's certificate"))?
            .and_then(|basic| basic.path_len_constraint);
        let Some(own) = own else { return Ok(wanted) };
        let below = own.get().checked_sub(1);
        let Some(below) = below.map(|below| u8::try_from(below).unwrap_or(u8::MAX)) else {
            return Err(Error::refused(
                "this CA's path length is 0, so it cannot issue CA certificates",
                "RFC 5280 §4.2.1.9",
            ));
        };
        match wanted {
            Some(wanted) if wanted > below => Err(Error::refused(
                format!("a CA certificate from this CA can have a path length of at most {below}"),
                "RFC 5280 §4.2.1.9",
            )),
            wanted => Ok(wanted.or(Some(below))),
        }
    }

    fn add_urls(&self, index: usize, list: &mut ExtensionList) -> Result<(), Error> {
        if let Some(access) = &self.same.access {
            list.add_der(AuthorityInfoAccess::ID, false, access.as_slice())?;
        }
        if let Some(points) = self.same.points.get(index) {
            list.add_der(CrlDistributionPoints::ID, false, points.as_slice())?;
        }
        Ok(())
    }
}
