//! General names.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};
use tagwise_codec::encode;
use tagwise_codec::text::hex::Hex;

use super::scalar::Text;
use crate::ext::{GeneralName, GeneralNameWith, GeneralNames};

impl Serialize for GeneralName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("GeneralName", 2)?;
        let (kind, der) = match self {
            GeneralNameWith::OtherName(_) => ("other", true),
            GeneralNameWith::Rfc822Name(_) => ("email", false),
            GeneralNameWith::DnsName(_) => ("dns", false),
            GeneralNameWith::X400Address(_) => ("x400", true),
            GeneralNameWith::DirectoryName(_) => ("directory", false),
            GeneralNameWith::EdiPartyName(_) => ("edi-party", true),
            GeneralNameWith::UniformResourceIdentifier(_) => ("uri", false),
            GeneralNameWith::IpAddress(_) => ("ip", false),
            GeneralNameWith::RegisteredId(_) => ("registered-id", false),
        };
        object.serialize_field("type", kind)?;
        if der {
            let der = encode(self).map_err(serde::ser::Error::custom)?;
            object.serialize_field("der", &Hex(&der))?;
            return object.end();
        }
        match self {
            GeneralNameWith::Rfc822Name(text)
            | GeneralNameWith::DnsName(text)
            | GeneralNameWith::UniformResourceIdentifier(text) => object.serialize_field("value", &Text(text))?,
            GeneralNameWith::DirectoryName(name) => object.serialize_field("value", name)?,
            GeneralNameWith::IpAddress(address) => object.serialize_field("value", &Text(address))?,
            GeneralNameWith::RegisteredId(id) => object.serialize_field("value", &Text(id))?,
            _ => {}
        }
        object.end()
    }
}

/// Serializes each name. A malformed name, which is possible only after decoding an outline, becomes `null`.
impl Serialize for GeneralNames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Result::ok))
    }
}
