//! Attributes built from typed values, for signers and messages (RFC 5652 §11), keys and PKCS #12 bags.

use tagwise_codec::{Any, Decode, Encode, Oid, SetOf, encode};

use super::{BuildError, Digest, error::demand};
use tagwise_messages::cms::{Attribute, ID_SIGNING_TIME};
use tagwise_messages::ess;
use tagwise_x509::cert::Certificate;
use tagwise_x509::ext::{GeneralName, GeneralNames};
use tagwise_x509::time::Time;

/// A list of attributes under construction, without duplicate types. It owns their values.
///
/// ```
/// use tagwise_codec::OctetStr;
/// use tagwise_build::AttributeList;
/// use tagwise_x509::{Time, UnixTime, oids};
/// let mut list = AttributeList::new();
/// list.signing_time(Time::from_unix(UnixTime(1_790_000_000))?)?;
/// list.add(oids::LOCAL_KEY_ID, &OctetStr::new(&[1]))?;
/// assert_eq!(list.attributes().len(), 2);
/// assert!(list.add(oids::LOCAL_KEY_ID, &OctetStr::new(&[2])).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AttributeList {
    /// The type's content bytes, and the attribute in DER.
    entries: Vec<(Vec<u8>, Vec<u8>)>,
}

impl AttributeList {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Adds an attribute with a single value.
    ///
    /// # Errors
    /// Returns an error if the type is already present (RFC 5652 §5.3: at most one of each type), or the value cannot be
    /// encoded.
    pub fn add<T: Encode + ?Sized>(&mut self, id: Oid<'_>, value: &T) -> Result<&mut Self, BuildError> {
        let value = encode(value)?;
        self.add_der(id, &[&value])
    }

    /// Adds an attribute with DER values.
    ///
    /// # Errors
    /// Returns an error if the type is already present, there is no value, or a value is not DER.
    pub fn add_der(&mut self, id: Oid<'_>, values: &[&[u8]]) -> Result<&mut Self, BuildError> {
        if self.entries.iter().any(|(other, _)| other == id.as_bytes()) {
            return Err(BuildError::TwiceAttribute(id.to_string()));
        }
        demand(!values.is_empty(), "an attribute has no values", "RFC 5652 §5.3")?;
        let values = values.iter().map(|value| Any::from_der(value)).collect::<Result<Vec<_>, _>>()?;
        let attribute = encode(&Attribute { attr_type: id, attr_values: SetOf::from_slice(&values) })?;
        self.entries.push((id.as_bytes().to_vec(), attribute));
        Ok(self)
    }

    /// Adds the claimed signing time (RFC 5652 §11.3), whose format is the same as for times in certificates.
    ///
    /// # Errors
    /// Returns an error if the attribute is already present.
    pub fn signing_time(&mut self, time: Time<'_>) -> Result<&mut Self, BuildError> {
        self.add(ID_SIGNING_TIME, &time)
    }

    /// Adds a reference to the signer's certificate: `SigningCertificateV2` (RFC 5035 §3). Timestamps must contain it or its
    /// predecessor (RFC 5816 §2.2.1).
    ///
    /// # Errors
    /// Returns an error if the attribute is already present, or the certificate cannot be encoded.
    pub fn signing_certificate(
        &mut self,
        certificate: &Certificate<'_>,
        hash: Digest,
    ) -> Result<&mut Self, BuildError> {
        let digest = hash.of(&encode(certificate)?);
        let tbs = &certificate.tbs_certificate;
        let issuer = [GeneralName::DirectoryName(tbs.issuer)];
        let id = ess::EssCertIdV2 {
            hash_algorithm: hash.algorithm(),
            cert_hash: digest.as_slice().into(),
            issuer_serial: Some(ess::IssuerSerial {
                issuer: GeneralNames(issuer.as_slice().into()),
                serial_number: tbs.serial_number.0,
            }),
        };
        let certs = [id];
        let value = ess::SigningCertificateV2 { certs: certs.as_slice().into(), policies: None };
        self.add(ess::ID_AA_SIGNING_CERTIFICATE_V2, &value)
    }

    /// Returns the attributes in insertion order.
    #[must_use]
    pub fn attributes(&self) -> Vec<Attribute<'_>> {
        // Decoding does not fail, because each attribute was encoded here.
        self.entries.iter().filter_map(|(_, der)| Attribute::from_der(der).ok()).collect()
    }
}
