//! Extensions, with structured values for known types.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Error, Int, SeqOf};

use super::scalar::{Identifier, Text};
use crate::cert::{Extension, Extensions};
use crate::ext::{
    AccessDescription, AuthorityKeyIdentifier, BasicConstraints, DistributionPoint, DistributionPointName,
    ExtensionValue,
};
use crate::oids;

impl Serialize for Extensions<'_> {
    /// Serializes the list up to the first extension that cannot be delimited, which is possible only after decoding an
    /// outline.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map_while(Result::ok))
    }
}

impl Serialize for Extension<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = oids::lookup(self.extn_id).map(|info| info.name);
        let mut object = serializer.serialize_struct("Extension", 3 + usize::from(name.is_some()))?;
        object.serialize_field("oid", &Text(&self.extn_id))?;
        match name {
            Some(name) => object.serialize_field("name", name)?,
            None => object.skip_field("name")?,
        }
        object.serialize_field("critical", &self.critical)?;
        let value = self.extn_value.get().ok().filter(has_shape);
        match value {
            Some(value) => object.serialize_field("value", &SerializedValue(value))?,
            None => object.serialize_field("der", &Hex(self.extn_value.as_bytes()))?,
        }
        object.end()
    }
}

const fn has_shape(value: &ExtensionValue<'_>) -> bool {
    use ExtensionValue as V;
    matches!(
        value,
        V::AuthorityKeyIdentifier(_)
            | V::SubjectKeyIdentifier(_)
            | V::KeyUsage(_)
            | V::ExtKeyUsage(_)
            | V::CertificatePolicies(_)
            | V::SubjectAltName(_)
            | V::IssuerAltName(_)
            | V::BasicConstraints(_)
            | V::CrlDistributionPoints(_)
            | V::FreshestCrl(_)
            | V::AuthorityInfoAccess(_)
            | V::SubjectInfoAccess(_)
            | V::CrlNumber(_)
            | V::DeltaCrlIndicator(_)
            | V::CrlReason(_)
            | V::InvalidityDate(_)
    )
}

/// An extension value of a type with a structured form.
struct SerializedValue<'a>(ExtensionValue<'a>);

/// Returns a number in hexadecimal.
fn number(int: Int<'_>) -> String {
    Hex(int.magnitude()).to_string()
}

/// Iterates over the items that decode. Others are possible only after decoding an outline, and are omitted.
fn items<'a, T: tagwise_codec::Decode<'a> + Clone>(list: &SeqOf<'a, T>) -> impl Iterator<Item = T> + use<'a, T> {
    list.iter().filter_map(|item: Result<T, Error>| item.ok())
}

impl Serialize for SerializedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use ExtensionValue as V;
        match &self.0 {
            V::AuthorityKeyIdentifier(identifier) => identifier.serialize(serializer),
            V::SubjectKeyIdentifier(identifier) => Hex(&identifier.0).serialize(serializer),
            V::KeyUsage(usage) => usage.serialize(serializer),
            V::ExtKeyUsage(usage) => serializer.collect_seq(items(&usage.0).map(Identifier)),
            V::CertificatePolicies(policies) => {
                serializer.collect_seq(items(&policies.0).map(|policy| Identifier(policy.policy_identifier)))
            }
            V::SubjectAltName(names) => names.0.serialize(serializer),
            V::IssuerAltName(names) => names.0.serialize(serializer),
            V::BasicConstraints(constraints) => constraints.serialize(serializer),
            V::CrlDistributionPoints(points) => serializer.collect_seq(items(&points.0)),
            V::FreshestCrl(points) => serializer.collect_seq(items(&points.0.0)),
            V::AuthorityInfoAccess(access) => serializer.collect_seq(items(&access.0)),
            V::SubjectInfoAccess(access) => serializer.collect_seq(items(&access.0)),
            V::CrlNumber(count) => serializer.collect_str(&number(count.0.int())),
            V::DeltaCrlIndicator(count) => serializer.collect_str(&number(count.0.0.int())),
            V::CrlReason(reason) => reason.serialize(serializer),
            V::InvalidityDate(date) => serializer.collect_str(&date.0),
            _ => serializer.serialize_unit(),
        }
    }
}

impl Serialize for AuthorityKeyIdentifier<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, issuer, serial) =
            (&self.key_identifier, &self.authority_cert_issuer, &self.authority_cert_serial_number);
        let fields = [key.is_some(), issuer.is_some(), serial.is_some()].into_iter().filter(|there| *there).count();
        let mut object = serializer.serialize_struct("AuthorityKeyIdentifier", fields)?;
        match key {
            Some(key) => object.serialize_field("key_identifier", &Hex(key))?,
            None => object.skip_field("key_identifier")?,
        }
        match issuer {
            Some(issuer) => object.serialize_field("issuer", issuer)?,
            None => object.skip_field("issuer")?,
        }
        match serial {
            Some(serial) => object.serialize_field("serial_number", serial)?,
            None => object.skip_field("serial_number")?,
        }
        object.end()
    }
}

impl Serialize for BasicConstraints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let len = &self.path_len_constraint;
        let mut object = serializer.serialize_struct("BasicConstraints", 1 + usize::from(len.is_some()))?;
        object.serialize_field("ca", &self.ca)?;
        match len {
            Some(len) => object.serialize_field("path_len", &len.get())?,
            None => object.skip_field("path_len")?,
        }
        object.end()
    }
}

impl Serialize for DistributionPoint<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = match &self.distribution_point {
            Some(DistributionPointName::FullName(names)) => Some(names),
            _ => None,
        };
        let fields = [names.is_some(), self.reasons.is_some(), self.crl_issuer.is_some()];
        let fields = fields.into_iter().filter(|there| *there).count();
        let mut object = serializer.serialize_struct("DistributionPoint", fields)?;
        match names {
            Some(names) => object.serialize_field("names", names)?,
            None => object.skip_field("names")?,
        }
        match &self.reasons {
            Some(reasons) => object.serialize_field("reasons", reasons)?,
            None => object.skip_field("reasons")?,
        }
        match &self.crl_issuer {
            Some(issuer) => object.serialize_field("crl_issuer", issuer)?,
            None => object.skip_field("crl_issuer")?,
        }
        object.end()
    }
}

impl Serialize for AccessDescription<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("AccessDescription", 2)?;
        object.serialize_field("method", &Identifier(self.access_method))?;
        object.serialize_field("location", &self.access_location)?;
        object.end()
    }
}
