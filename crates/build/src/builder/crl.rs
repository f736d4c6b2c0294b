//! Certificate revocation lists.

use core::time::Duration;

use tagwise_codec::{Encode, IntBuf, Oid, SeqOf};

use super::{SigningKey, add, algorithm, signed};
use crate::error::demand;
use crate::{BuildError, ExtensionList, Unsigned};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::cert::{CertificateSerialNumber, Extension, Extensions, Version};
use tagwise_x509::crl::{RevokedCertificate, TbsCertList};
use tagwise_x509::ext::{AuthorityKeyIdentifier, Count, CrlNumber, CrlReason, KnownExtension, SubjectKeyIdentifier};
use tagwise_x509::name::NameBuf;
use tagwise_x509::time::{Time, UnixTime};
use tagwise_x509::{AsCertificate, CrlBuf};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const CLAUSE: &str = "RFC 5280 §5.1.2";

/// A revocation list that is being put together, as its issuer's certificate says.
///
/// What is not said is chosen: issued now, the next one in seven days. The number has to be said, for each list of an issuer has
/// a larger one (RFC 5280 §5.2.3). The result is held to what [`build::crl`](tagwise_x509::crl) holds it to.
///
/// ```
/// # struct Key(Vec<u8>);
/// # impl tagwise_pkix::build::SigningKey for Key {
/// #     fn signature_algorithm(&self) -> Result<std::borrow::Cow<'_, [u8]>, tagwise_pkix::build::SigningError> {
/// #         Ok(b"\x30\x05\x06\x03\x2B\x65\x70"[..].into())
/// #     }
/// #     fn subject_public_key_info(&self) -> &[u8] {
/// #         &self.0
/// #     }
/// #     fn sign_message(&self, _: &[u8]) -> Result<Vec<u8>, tagwise_pkix::build::SigningError> {
/// #         Ok(vec![1; 64])
/// #     }
/// # }
/// # let key = Key([&b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00"[..], &[7; 32]].concat());
/// use tagwise_pkix::build::{CertificateBuilder, CrlBuilder};
/// use tagwise_pkix::{UnixTime, ext::CrlReason};
/// let root = CertificateBuilder::new().subject("CN=Example Root")?.ca(None).self_signed(&key)?;
/// let list = CrlBuilder::new(&root, 70_000u32)?
///     .revoke(1234u32, UnixTime(1_790_000_000))
///     .revoke_for(5678u32, UnixTime(1_790_000_000), CrlReason::KeyCompromise)
///     .sign(&key)?;
/// assert_eq!(list.number()?.unwrap().to_string(), "70000");
/// assert_eq!(list.entries().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct CrlBuilder {
    issuer: NameBuf,
    key_identifier: Option<Vec<u8>>,
    number: IntBuf,
    this_update: Option<UnixTime>,
    next_update: Option<UnixTime>,
    days: u32,
    entries: Vec<Entry>,
    extensions: ExtensionList,
}

#[derive(Clone, Debug)]
struct Entry {
    serial: IntBuf,
    since: UnixTime,
    extensions: ExtensionList,
}

impl CrlBuilder {
    /// An empty list with this number.
    ///
    /// # Errors
    /// If the issuer's name has no encoding, or its key identifier does not decode.
    pub fn new(issuer: &impl AsCertificate, number: impl Into<IntBuf>) -> Result<Self, BuildError> {
        let issuer = issuer.as_certificate();
        Ok(Self {
            issuer: NameBuf::new(&issuer.subject())?,
            key_identifier: issuer.extension::<SubjectKeyIdentifier<'_>>()?.map(|own| own.0.to_vec()),
            number: number.into(),
            this_update: None,
            next_update: None,
            days: 7,
            entries: Vec::new(),
            extensions: ExtensionList::new(),
        })
    }

    /// Sets the time of issue.
    pub fn this_update(mut self, time: impl Into<UnixTime>) -> Self {
        self.this_update = Some(time.into());
        self
    }

    /// Sets the time of the next list.
    pub fn next_update(mut self, time: impl Into<UnixTime>) -> Self {
        self.next_update = Some(time.into());
        self
    }

    /// Sets in how many days the next list comes.
    pub fn days(mut self, days: u32) -> Self {
        self.days = days;
        self
    }

    /// Revokes a certificate by its serial number, since a moment.
    pub fn revoke(mut self, serial: impl Into<IntBuf>, since: impl Into<UnixTime>) -> Self {
        self.entries.push(Entry { serial: serial.into(), since: since.into(), extensions: ExtensionList::new() });
        self
    }

    /// Revokes a certificate for a reason. [`CrlReason::Unspecified`] is left out (RFC 5280 §5.3.1).
    pub fn revoke_for(mut self, serial: impl Into<IntBuf>, since: impl Into<UnixTime>, reason: CrlReason) -> Self {
        let mut extensions = ExtensionList::new();
        if reason != CrlReason::Unspecified {
            // The first extension of a list, and an ENUMERATED always encodes.
            let _ = extensions.add(false, &reason);
        }
        self.entries.push(Entry { serial: serial.into(), since: since.into(), extensions });
        self
    }

    /// Adds an extension of the list, critical if its standard wants that.
    ///
    /// # Errors
    /// If it is there already, or has no encoding.
    pub fn extension<T: KnownExtension + Encode>(mut self, value: &T) -> Result<Self, BuildError> {
        if T::ID == tagwise_x509::ext::IssuingDistributionPoint::ID || T::ID == tagwise_x509::ext::DeltaCrlIndicator::ID
        {
            // RFC 5280 §5.2.4, §5.2.5.
            self.extensions.add(true, value)?;
        } else {
            add(&mut self.extensions, value)?;
        }
        Ok(self)
    }

    /// Adds any extension of the list, with the DER of its value.
    ///
    /// # Errors
    /// If it is there already.
    pub fn extension_der(mut self, id: Oid<'_>, critical: bool, value: impl Into<Vec<u8>>) -> Result<Self, BuildError> {
        self.extensions.add_der(id, critical, value)?;
        Ok(self)
    }

    /// All of it but the signature, for a key that is elsewhere: see
    /// [`CertificateBuilder::tbs`](super::CertificateBuilder::tbs).
    ///
    /// # Errors
    /// If the number is negative; those of [`build::crl`](tagwise_x509::crl).
    pub fn tbs(&self, algorithm: &AlgorithmIdentifier<'_>) -> Result<Unsigned, BuildError> {
        let mut list = ExtensionList::new();
        if let Some(identifier) =
            self.key_identifier.as_deref().filter(|_| !self.extensions.has(AuthorityKeyIdentifier::ID))
        {
            let identifier = AuthorityKeyIdentifier { key_identifier: Some(identifier.into()), ..Default::default() };
            add(&mut list, &identifier)?;
        }
        demand(!self.number.is_negative(), "the number of a list is negative", "RFC 5280 §5.2.3")?;
        if let Some(number) = Count::from_int(self.number.as_int()).filter(|_| !self.extensions.has(CrlNumber::ID)) {
            add(&mut list, &CrlNumber(number))?;
        }
        for extension in &self.extensions.extensions() {
            list.copy(extension)?;
        }
        let time = |time: UnixTime| match Time::from_unix(time) {
            Ok(time) => Ok(time),
            Err(_) => Err(BuildError::Invalid { what: "a time is after the year 9999", clause: CLAUSE }),
        };
        let this_update = self.this_update.unwrap_or_else(UnixTime::now);
        let next_update = self.next_update.unwrap_or_else(|| this_update.saturating_add(DAY * self.days));
        let own: Vec<Vec<Extension<'_>>> = self.entries.iter().map(|entry| entry.extensions.extensions()).collect();
        let entries = self
            .entries
            .iter()
            .zip(&own)
            .map(|(entry, own)| {
                Ok(RevokedCertificate {
                    user_certificate: CertificateSerialNumber::from(&entry.serial),
                    revocation_date: time(entry.since)?,
                    crl_entry_extensions: Extensions::new(own),
                })
            })
            .collect::<Result<Vec<_>, BuildError>>()?;
        let extensions = list.extensions();
        crate::crl(&TbsCertList {
            version: Some(Version::V2),
            signature: *algorithm,
            issuer: self.issuer.name(),
            this_update: time(this_update)?,
            next_update: Some(time(next_update)?),
            // RFC 5280 §5.1.2.6: absent where nothing is revoked.
            revoked_certificates: (!entries.is_empty()).then(|| SeqOf::from_slice(&entries)),
            crl_extensions: Extensions::new(&extensions),
        })
    }

    /// The list, signed by its issuer's key.
    ///
    /// # Errors
    /// Those of [`tbs`](Self::tbs); what the key says.
    pub fn sign(&self, key: &(impl SigningKey + ?Sized)) -> Result<CrlBuf, BuildError> {
        let identifier = key.signature_algorithm().map_err(BuildError::Signing)?;
        let unsigned = self.tbs(&algorithm(&identifier)?)?;
        Ok(CrlBuf::from_der(signed(&unsigned, key)?)?)
    }
}
