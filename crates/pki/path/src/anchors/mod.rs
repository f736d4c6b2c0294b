//! Trust anchors: certificates, or names with keys, and their trusted purposes (RFC 5914, RFC 5937).

mod check;
mod info;
mod sources;
mod stated;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, Error, Options, Reader, RuleSet, Session, Tag, Typed};
use tagwise_pkix::{CertificateBuf, Name, SubjectPublicKeyInfo, TbsCertificate, UnixTime};

use crate::pool;

use stated::Stated;

pub(crate) use check::{check, inputs, key, path_length};
pub(crate) use stated::{assumed, may_issue};

/// A trust anchor: a name and a key, usually from a certificate, with optional constraints. A certificate that is
/// not a CA's is trusted itself, but issues nothing (rule `anchor-ca`). Its constraints apply only under the rules
/// `anchor-constraints` and `anchor-extensions`, which no profile enables (RFC 5280 §6.1.1 (d), RFC 5937 §3).
///
/// ```no_run
/// use tagwise_path::Anchor;
/// let anchor = Anchor::from_certificate(std::fs::read("root.der")?)?;
/// println!("{}", anchor.name());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Anchor {
    name: Box<[u8]>,
    key: Box<[u8]>,
    certificate: Option<CertificateBuf>,
    /// True if every byte of the certificate conforms to DER and its schema. Set when a path first includes it.
    is_strict: OnceLock<bool>,
    /// The statements of the certificate about paths below it. Set when a path first ends at the anchor.
    stated: OnceLock<Stated>,
    /// The certificate of a CA that issues certificates with proofs instead of signatures. `certificate` is then `None`.
    proofs: Option<CertificateBuf>,
    /// Constraints in addition to those of the certificate.
    pub constraints: AnchorConstraints,
}

/// Limits on an anchor, in addition to those of its certificate (RFC 5914 §2.4, Mozilla's certdata.txt).
///
/// ```
/// use tagwise_path::AnchorConstraints;
/// let constraints = AnchorConstraints { path_length: Some(1), ..AnchorConstraints::default() };
/// assert!(constraints.purposes.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnchorConstraints {
    /// A human-readable name, such as `taTitle` or `CKA_LABEL`.
    pub label: Option<String>,
    /// The maximum number of intermediate certificates that are not self-issued.
    pub path_length: Option<u64>,
    /// The name constraints, a NameConstraints in DER.
    pub name_constraints: Option<Vec<u8>>,
    /// The acceptable policies for paths to this anchor, or `None` for any.
    pub policies: Option<Vec<OidBuf>>,
    /// True if paths must be valid for an acceptable policy.
    pub explicit_policy: bool,
    /// True if policy mapping is inhibited.
    pub inhibit_mapping: bool,
    /// True if `anyPolicy` does not count as a match for other policies.
    pub inhibit_any: bool,
    /// The purposes for which the anchor is trusted, or `None` for any.
    pub purposes: Option<Vec<OidBuf>>,
    /// The purposes for which the anchor is not trusted, overriding [`AnchorConstraints::purposes`]: OpenSSL's rejected
    /// uses.
    pub rejected: Vec<OidBuf>,
    /// The dates after which newly issued end-entity certificates are not trusted, each for one purpose.
    pub distrust_after: Vec<(OidBuf, UnixTime)>,
    /// An assumption behind the trust in the anchor, such as that its file was not modified. The explanation of each path lists it.
    pub assumption: Option<String>,
}

impl Anchor {
    /// Creates an anchor from a certificate. Its name and key are used (RFC 5280 §6.1.1 (d)), and whether it is a CA's. The
    /// signature is not checked, so the certificate may be unsigned (RFC 9925). Errors in other fields and extensions are
    /// ignored.
    ///
    /// # Errors
    /// Returns an error if the certificate's name or key cannot be found.
    pub fn from_certificate(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let certificate = pool::read(der)?;
        let (name, key) = subject_and_key(&certificate)?;
        Ok(Self { certificate: Some(certificate), ..Self::of(name, key) })
    }

    /// Creates an anchor from a Name and a SubjectPublicKeyInfo, both in DER.
    ///
    /// # Errors
    /// Returns an error if either is malformed.
    pub fn from_key(name: &[u8], key: &[u8]) -> Result<Self, Error> {
        Name::from_der(name)?;
        SubjectPublicKeyInfo::from_der(key)?;
        Ok(Self::of(name.into(), key.into()))
    }

    fn of(name: Box<[u8]>, key: Box<[u8]>) -> Self {
        Self {
            name,
            key,
            certificate: None,
            is_strict: OnceLock::new(),
            stated: OnceLock::new(),
            proofs: None,
            constraints: AnchorConstraints::default(),
        }
    }

    /// Returns whether every byte of the anchor's certificate conforms, which is determined once.
    pub(crate) fn is_strict(&self) -> bool {
        *self.is_strict.get_or_init(|| self.certificate.as_ref().is_some_and(pool::is_strict))
    }

    fn stated(&self) -> Option<&Stated> {
        let certificate = self.certificate.as_ref()?;
        Some(self.stated.get_or_init(|| Stated::of(certificate)))
    }

    /// Makes every path parse the certificate completely, with options, as one that does not conform.
    #[cfg(test)]
    pub(crate) fn parse_completely(mut self) -> Self {
        self.is_strict = OnceLock::from(false);
        self
    }

    /// Returns the anchor's distinguished name.
    #[must_use]
    pub fn name(&self) -> Name<'_> {
        Name::outline(&self.name)
            .or_else(|_| Ok(FRAME.outline(&self.name)?.value))
            .unwrap_or_else(|_: Error| Name::default())
    }

    /// Returns the anchor's key, a SubjectPublicKeyInfo in DER.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Returns the label or, if there is none, the name on one line.
    #[must_use]
    pub fn label(&self) -> String {
        self.constraints.label.clone().unwrap_or_else(|| self.name().oneline().to_string())
    }

    /// Makes an anchor with a certificate a CA whose certificates have proofs instead of signatures, as those of Merkle Tree
    /// Certificate CAs. [`Verifier::verify_proof`](crate::Verifier::verify_proof) checks the proofs, and certificate
    /// signatures by the anchor's key are not accepted.
    #[must_use]
    pub fn with_proofs(mut self) -> Self {
        self.proofs = self.certificate.take();
        self
    }

    /// The certificate of a CA whose certificates have proofs instead of signatures.
    #[must_use]
    pub const fn proofs(&self) -> Option<&CertificateBuf> {
        self.proofs.as_ref()
    }

    /// The certificate, if the anchor was created from one. `None` for a CA with [`Anchor::proofs`], to which other rules
    /// apply.
    #[must_use]
    pub const fn certificate(&self) -> Option<&CertificateBuf> {
        self.certificate.as_ref()
    }
}

/// Decodes only the outer structure. Other faults are reported when the certificate is used.
const FRAME: Options<'static> = Options::der().rules(RuleSet::ALL).parts(RuleSet::NONE);

/// A Name and a SubjectPublicKeyInfo, each in DER.
type NameAndKey = (Box<[u8]>, Box<[u8]>);

/// Returns a certificate's subject and its key, with the bytes unchanged.
fn subject_and_key(certificate: &CertificateBuf) -> Result<NameAndKey, Error> {
    let tbs = certificate.get().tbs_certificate.as_bytes();
    let session = Session::new(FRAME);
    let read = || {
        Reader::with_session(tbs, &session)?.element(Tag::SEQUENCE, |reader| {
            if reader.at(Tag::context(0)) {
                reader.skip()?;
            }
            // Serial number, algorithm, issuer and validity.
            for _ in 0..4 {
                reader.skip()?;
            }
            let parts = (reader.skip()?.into(), reader.skip()?.into());
            reader.take(reader.remaining())?;
            Ok(parts)
        })
    };
    read().map_err(|fault| Error::locate(fault, TbsCertificate::ty(), tbs))
}

/// Trust anchors, looked up by name.
///
/// ```
/// use tagwise_path::Anchors;
/// let anchors = Anchors::new();
/// assert!(anchors.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    entries: Vec<Anchor>,
    by_name: HashMap<Vec<u8>, Vec<u32>>,
    distrusted: HashSet<CertificateBuf>,
}

impl Anchors {
    /// Creates an empty set of anchors, under which no path is valid.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an anchor.
    pub fn add(&mut self, anchor: Anchor) {
        let number = self.entries.len() as u32;
        self.by_name.entry(anchor.name().match_key()).or_default().push(number);
        self.entries.push(anchor);
    }

    /// Adds new anchors and distrusted certificates from another set.
    ///
    /// ```no_run
    /// use tagwise_path::Anchors;
    /// let mut anchors = Anchors::system()?;
    /// let mut own = Anchors::new();
    /// own.read_path("company-root.pem")?;
    /// anchors.merge(own);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn merge(&mut self, other: Self) {
        for anchor in other.entries {
            let known = self.numbers(&anchor.name().match_key()).iter().filter_map(|number| self.get(*number));
            let same = |known: &Anchor| {
                known.certificate == anchor.certificate
                    && known.proofs == anchor.proofs
                    && known.key == anchor.key
                    && known.constraints == anchor.constraints
            };
            if !known.into_iter().any(same) {
                self.add(anchor);
            }
        }
        self.distrusted.extend(other.distrusted);
    }

    /// Replaces each anchor by the result of a function. Distrusted certificates remain.
    #[must_use]
    pub fn map(mut self, replace: impl FnMut(Anchor) -> Anchor) -> Self {
        self.by_name.clear();
        core::mem::take(&mut self.entries).into_iter().map(replace).for_each(|anchor| self.add(anchor));
        self
    }

    /// Retains the anchors for which a function returns true, and all distrusted certificates.
    ///
    /// ```no_run
    /// use tagwise_path::Anchors;
    /// let public = Anchors::system()?;
    /// let mut own = Anchors::new();
    /// own.read_path("roots.pem")?;
    /// own.retain(|anchor| !public.has(anchor));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&Anchor) -> bool) {
        self.by_name.clear();
        for anchor in core::mem::take(&mut self.entries) {
            if keep(&anchor) {
                self.add(anchor);
            }
        }
    }

    /// Returns whether the set contains an anchor with the same name and key as the given one.
    #[must_use]
    pub fn has(&self, anchor: &Anchor) -> bool {
        self.by_name(&anchor.name()).any(|known| known.key == anchor.key)
    }

    /// Distrusts a certificate at any position in a path.
    ///
    /// ```no_run
    /// use tagwise_path::Anchors;
    /// use tagwise_pkix::CertificateBuf;
    /// let mut anchors = Anchors::system()?;
    /// anchors.distrust(CertificateBuf::from_der(std::fs::read("stolen.der")?)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distrust(&mut self, certificate: CertificateBuf) {
        self.distrusted.insert(certificate);
    }

    /// Returns whether a certificate is explicitly distrusted.
    #[must_use]
    pub fn is_distrusted(&self, certificate: &CertificateBuf) -> bool {
        self.distrusted.contains(certificate)
    }

    /// Returns the number of anchors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no anchors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Iterates over the anchors in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Anchor> {
        self.entries.iter()
    }

    /// Iterates over the anchors with the given name, compared as in RFC 5280 §7.1.
    pub fn by_name(&self, name: &Name<'_>) -> impl Iterator<Item = &Anchor> {
        self.numbers(&name.match_key()).iter().filter_map(|number| self.get(*number))
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Anchor> {
        self.entries.get(number as usize)
    }

    /// Returns the indexes of the anchors whose name has this comparison key.
    pub(crate) fn numbers(&self, key: &[u8]) -> &[u32] {
        self.by_name.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}

impl FromIterator<Anchor> for Anchors {
    fn from_iter<I: IntoIterator<Item = Anchor>>(entries: I) -> Self {
        let mut anchors = Self::new();
        entries.into_iter().for_each(|anchor| anchors.add(anchor));
        anchors
    }
}
