//! Extensions that restrict a CA, from its request or existing certificate.

use tagwise_codec::NamedBits;
use tagwise_pkix::Extension;
use tagwise_pkix::build::ExtensionList;
use tagwise_pkix::ext::{ExtKeyUsage, KeyUsage, KnownExtension, NameConstraints};

use crate::Error;
use crate::definition::{CA_USAGE, KEY_CERT_SIGN, NON_REPUDIATION};

/// The restrictions on a subordinate CA, in addition to its path length: key usage, name constraints and extended key usage.
///
/// A CA that requests fewer rights than its issuer would grant receives only the requested ones. Restrictions never
/// grant rights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    usage: Option<u64>,
    name_constraints: Option<Vec<u8>>,
    purposes: Option<Vec<u8>>,
}

impl Restrictions {
    /// Adds the restrictions from a keyUsage, nameConstraints or extKeyUsage extension. Other extensions are ignored, and
    /// so are key usages that a CA cannot have.
    ///
    /// # Errors
    /// Returns a decoding error if the value is malformed.
    pub(crate) fn add(&mut self, extension: &Extension<'_>) -> Result<(), tagwise_codec::Error> {
        let (id, value) = (extension.extn_id, &extension.extn_value);
        if id == KeyUsage::ID {
            let usage = value.decode_as::<KeyUsage<'_>>()?.0.to_mask();
            // RFC 5280 §4.2.1.9: cA requires keyCertSign. Encryption is not a CA's purpose.
            self.usage = usage.filter(|usage| usage & KEY_CERT_SIGN != 0 && usage & !(CA_USAGE | NON_REPUDIATION) == 0);
        } else if id == NameConstraints::ID {
            let read = value.decode_as::<NameConstraints<'_>>()?;
            // RFC 5280 §4.2.1.10: CAs must not issue an empty sequence.
            let holds = read.permitted_subtrees.is_some() || read.excluded_subtrees.is_some();
            self.name_constraints = holds.then(|| value.as_bytes().to_vec());
        } else if id == ExtKeyUsage::ID {
            value.decode_as::<ExtKeyUsage<'_>>()?;
            self.purposes = Some(value.as_bytes().to_vec());
        }
        Ok(())
    }

    /// Returns whether there are no restrictions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the restrictions include extended key usages.
    pub(crate) const fn has_purposes(&self) -> bool {
        self.purposes.is_some()
    }

    /// Returns whether the restrictions include name constraints.
    pub(crate) const fn has_name_constraints(&self) -> bool {
        self.name_constraints.is_some()
    }

    /// Adds the restrictions to a CA certificate. `usage` is the unrestricted key usage.
    pub(crate) fn write(&self, usage: u64, list: &mut ExtensionList) -> Result<(), Error> {
        list.add(true, &KeyUsage(NamedBits::from_mask(self.usage.unwrap_or(usage))))?;
        if let Some(purposes) = &self.purposes {
            list.add_der(ExtKeyUsage::ID, false, purposes.as_slice())?;
        }
        if let Some(constraints) = &self.name_constraints {
            // RFC 5280 §4.2.1.10: critical.
            list.add_der(NameConstraints::ID, true, constraints.as_slice())?;
        }
        Ok(())
    }
}
