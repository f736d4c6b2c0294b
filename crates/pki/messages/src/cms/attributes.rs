//! Access to signer attributes (RFC 5652 §5.3, §11). Signatures are not verified here.

use tagwise_codec::{Any, Decode, EncodeError, Error, OctetStr, Oid, encode};

use super::{Attribute, Attributes, ID_CONTENT_TYPE, ID_MESSAGE_DIGEST, ID_SIGNING_TIME, SignerInfo};
use tagwise_x509::time::Time;

impl<'a> Attributes<'a> {
    /// Returns the first attribute of the given type.
    ///
    /// # Errors
    /// Returns an error if a preceding attribute is malformed, which is only possible if just the top-level structure (the
    /// outline) was decoded.
    pub fn find(&self, attr_type: Oid<'_>) -> Result<Option<Attribute<'a>>, Error> {
        for attribute in self.0.iter() {
            let attribute = attribute?;
            if attribute.attr_type == attr_type {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }

    /// Decodes the single value of an attribute. Returns `None` if the attribute is absent or does not have exactly one
    /// value.
    ///
    /// # Errors
    /// Returns an error if the value or a preceding attribute is malformed.
    pub fn value<T: Decode<'a>>(&self, attr_type: Oid<'_>) -> Result<Option<T>, Error> {
        let Some(attribute) = self.find(attr_type)? else { return Ok(None) };
        let mut values = attribute.attr_values.iter();
        match (values.next().transpose()?, values.next()) {
            (Some(value), None) => Any::decode_as(&value).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'a> SignerInfo<'a> {
    /// Returns the bytes that the signature covers: the signed attributes as a SET OF in DER (RFC 5652 §5.4). Returns `None` if
    /// there are none, because the signature then covers the content itself.
    ///
    /// # Errors
    /// Returns an error if the attributes are not DER, which is only possible if just the top-level structure (the outline) was
    /// decoded.
    pub fn signed_octets(&self) -> Result<Option<Vec<u8>>, EncodeError> {
        self.signed_attrs.map(|attributes| encode(&attributes)).transpose()
    }

    /// Returns the signed digest of the content (§11.2).
    ///
    /// # Errors
    /// Returns an error if the attribute's value is not an OCTET STRING.
    pub fn message_digest(&self) -> Result<Option<&'a [u8]>, Error> {
        let value =
            self.signed_attrs.map(|attributes| attributes.value::<OctetStr<'a>>(ID_MESSAGE_DIGEST)).transpose()?;
        Ok(value.flatten().map(|digest| digest.as_bytes()))
    }

    /// Returns the signed content type (§11.1).
    ///
    /// # Errors
    /// Returns an error if the attribute's value is not an OBJECT IDENTIFIER.
    pub fn content_type(&self) -> Result<Option<Oid<'a>>, Error> {
        Ok(self.signed_attrs.map(|attributes| attributes.value(ID_CONTENT_TYPE)).transpose()?.flatten())
    }

    /// Returns the signer's claimed signing time (§11.3).
    ///
    /// # Errors
    /// Returns an error if the attribute's value is not a time.
    pub fn signing_time(&self) -> Result<Option<Time<'a>>, Error> {
        Ok(self.signed_attrs.map(|attributes| attributes.value(ID_SIGNING_TIME)).transpose()?.flatten())
    }
}
