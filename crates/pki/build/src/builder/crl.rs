//! The CRL builder.

use core::time::Duration;

use tagwise_codec::{Encode, IntBuf, Oid, SeqOf, encode};

use super::{SigningKey, add, algorithm, may, once, signed, time};
use crate::error::demand;
use crate::{BuildError, ExtensionList, Unsigned};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::cert::{CertificateSerialNumber, Extension, Extensions, Version};
use tagwise_x509::crl::{RevokedCertificate, TbsCertList};
use tagwise_x509::ext::{
    AuthorityKeyIdentifier, Count, CrlNumber, CrlReason, KeyUsage, KnownExtension, SubjectKeyIdentifier,
};
use tagwise_x509::name::NameBuf;
use tagwise_x509::time::UnixTime;
use tagwise_x509::{AsCertificate, CrlBuf};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const CLAUSE: &str = "RFC 5280 §5.1.2";

/// A CRL under construction. The issuer's name and key identifier come from its certificate.
///
/// By default, the CRL is issued now, and the next update is in seven days. The CRL number has no default, because it must
/// increase with each of an issuer's CRLs (RFC 5280 §5.2.3). The result undergoes the checks of
/// [`build::crl`](crate::crl()).
///
/// ```
/// # struct Key(Vec<u8>);
/// # impl tagwise_build::SigningKey for Key {
/// #     fn signature_algorithm(&self) -> Result<std::borrow::Cow<'_, [u8]>, tagwise_build::SigningError> {
/// #         Ok(b"\x30\x05\x06\x03\x2B\x65\x70"[..].into())
/// #     }
/// #     fn subject_public_key_info(&self) -> &[u8] {
/// #         &self.0
/// #     }
/// #     fn sign_message(&self, _: &[u8]) -> Result<Vec<u8>, tagwise_build::SigningError> {
/// #         Ok(vec![1; 64])
/// #     }
/// # }
/// # let key = Key([&b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00"[..], &[7; 32]].concat());
/// use tagwise_build::{CertificateBuilder, CrlBuilder};
/// use tagwise_x509::{UnixTime, ext::CrlReason};
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
    /// The issuer's public key, a SubjectPublicKeyInfo in DER.
    public_key: Vec<u8>,
    number: IntBuf,
    this_update: Option<UnixTime>,
    next_update: Option<UnixTime>,
    days: u32,
    entries: Vec<RevokedEntry>,
    extensions: ExtensionList,
}

#[derive(Clone, Debug)]
struct RevokedEntry {
    serial: IntBuf,
    since: UnixTime,
    extensions: ExtensionList,
}

impl CrlBuilder {
    /// Creates an empty CRL with the given number.
    ///
    /// # Errors
    /// Returns an error if the issuer is not allowed to sign CRLs (RFC 5280 §4.2.1.3), its name cannot be encoded, or its
    /// extensions cannot be decoded.
    pub fn new(issuer: &impl AsCertificate, number: impl Into<IntBuf>) -> Result<Self, BuildError> {
        let issuer = issuer.as_certificate();
        let may_sign = may(issuer, KeyUsage::CRL_SIGN)?;
        demand(may_sign, "the issuer's key usage does not include cRLSign", "RFC 5280 §4.2.1.3")?;
        Ok(Self {
            public_key: encode(&issuer.public_key())?,
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

    /// Sets the time at which the CRL is issued.
    pub fn this_update(mut self, time: impl Into<UnixTime>) -> Self {
        self.this_update = Some(time.into());
        self
    }

    /// Sets the time by which the next CRL will be issued.
    pub fn next_update(mut self, time: impl Into<UnixTime>) -> Self {
        self.next_update = Some(time.into());
        self
    }

    /// Sets the number of days until the next CRL.
    pub fn days(mut self, days: u32) -> Self {
        self.days = days;
        self
    }

    /// Revokes a certificate by serial number, as of the given time.
    pub fn revoke(mut self, serial: impl Into<IntBuf>, since: impl Into<UnixTime>) -> Self {
        self.entries.push(RevokedEntry {
            serial: serial.into(),
            since: since.into(),
            extensions: ExtensionList::new(),
        });
        self
    }

    /// Revokes a certificate with a reason. [`CrlReason::Unspecified`] is omitted (RFC 5280 §5.3.1).
    pub fn revoke_for(mut self, serial: impl Into<IntBuf>, since: impl Into<UnixTime>, reason: CrlReason) -> Self {
        let mut extensions = ExtensionList::new();
        if reason != CrlReason::Unspecified {
            // Does not fail: it is the first extension in the list, and an ENUMERATED can always be encoded.
            let _ = extensions.add(false, &reason);
        }
        self.entries.push(RevokedEntry { serial: serial.into(), since: since.into(), extensions });
        self
    }

    /// Adds a CRL extension, critical if its standard requires that.
    ///
    /// # Errors
    /// Returns an error if the extension is already present, or cannot be encoded.
    pub fn extension<T: KnownExtension + Encode>(mut self, value: &T) -> Result<Self, BuildError> {
        add(&mut self.extensions, value)?;
        Ok(self)
    }

    /// Adds any CRL extension, given its value in DER.
    ///
    /// # Errors
    /// Returns an error if the extension is already present.
    pub fn extension_der(mut self, id: Oid<'_>, critical: bool, value: impl Into<Vec<u8>>) -> Result<Self, BuildError> {
        self.extensions.add_der(id, critical, value)?;
        Ok(self)
    }

    /// Builds the unsigned CRL, for signing with an external key: see
    /// [`CertificateBuilder::tbs`](super::CertificateBuilder::tbs).
    ///
    /// # Errors
    /// Returns an error if the number is negative. Also returns any error from [`build::crl`](crate::crl()).
    pub fn tbs(&self, algorithm: &AlgorithmIdentifier<'_>) -> Result<Unsigned, BuildError> {
        let mut list = ExtensionList::new();
        if let Some(identifier) =
            self.key_identifier.as_deref().filter(|_| !self.extensions.has(AuthorityKeyIdentifier::ID))
        {
            let identifier = AuthorityKeyIdentifier { key_identifier: Some(identifier.into()), ..Default::default() };
            add(&mut list, &identifier)?;
        }
        demand(!self.number.is_negative(), "the CRL number is negative", "RFC 5280 §5.2.3")?;
        once(&self.extensions, CrlNumber::ID, true)?;
        if let Some(number) = Count::from_int(self.number.as_int()) {
            add(&mut list, &CrlNumber(number))?;
        }
        for extension in &self.extensions.extensions() {
            list.copy(extension)?;
        }
        let this_update = self.this_update.unwrap_or_else(UnixTime::now);
        let next_update = self.next_update.unwrap_or_else(|| this_update.saturating_add(DAY * self.days));
        demand(this_update <= next_update, "nextUpdate is before thisUpdate", "RFC 5280 §5.1.2.5")?;
        let own: Vec<Vec<Extension<'_>>> = self.entries.iter().map(|entry| entry.extensions.extensions()).collect();
        let entries = self
            .entries
            .iter()
            .zip(&own)
            .map(|(entry, own)| {
                Ok(RevokedCertificate {
                    user_certificate: CertificateSerialNumber::from(&entry.serial),
                    revocation_date: time(entry.since, CLAUSE)?,
                    crl_entry_extensions: Extensions::new(own),
                })
            })
            .collect::<Result<Vec<_>, BuildError>>()?;
        let extensions = list.extensions();
        crate::crl(&TbsCertList {
            version: Some(Version::V2),
            signature: *algorithm,
            issuer: self.issuer.name(),
            this_update: time(this_update, CLAUSE)?,
            next_update: Some(time(next_update, CLAUSE)?),
            // RFC 5280 §5.1.2.6: absent where nothing is revoked.
            revoked_certificates: (!entries.is_empty()).then(|| SeqOf::from_slice(&entries)),
            crl_extensions: Extensions::new(&extensions),
        })
    }

    /// Builds the CRL and signs it with the issuer's key.
    ///
    /// # Errors
    /// Returns an error if the key does not match the issuer's certificate. Also returns any error from [`tbs`](Self::tbs) or
    /// the key.
    pub fn sign(&self, key: &(impl SigningKey + ?Sized)) -> Result<CrlBuf, BuildError> {
        let same = self.public_key == key.subject_public_key_info();
        demand(
            same,
            "the signer's public key is not byte-for-byte equal to the issuer certificate's",
            "RFC 5280 §6.3.3 (g)",
        )?;
        let identifier = key.signature_algorithm().map_err(BuildError::Signing)?;
        let unsigned = self.tbs(&algorithm(&identifier)?)?;
        Ok(CrlBuf::from_der(signed(&unsigned, key)?)?)
    }
}
