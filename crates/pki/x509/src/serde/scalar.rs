//! Scalar values: names, times, numbers, identifiers, bytes.

use core::fmt;

use serde::de::{self, Visitor};
use serde::ser::{SerializeStruct as _, Serializer};
use serde::{Deserialize, Deserializer, Serialize};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{CivilTime, Oid};

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::cert::CertificateSerialNumber;
use crate::ext::{CrlReason, KeyUsage, ReasonFlags};
use crate::key::KeyInfo;
use crate::name::{Name, NameBuf};
use crate::oids;
use crate::time::{Time, Validity};

/// An object identifier, serialized with its name.
pub(super) struct Identifier<'a>(pub(super) Oid<'a>);

impl Serialize for Identifier<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = oids::lookup(self.0).map(|info| info.name);
        let mut object = serializer.serialize_struct("Identifier", 1 + usize::from(name.is_some()))?;
        object.serialize_field("oid", &Text(&self.0))?;
        match name {
            Some(name) => object.serialize_field("name", name)?,
            None => object.skip_field("name")?,
        }
        object.end()
    }
}

/// A value that is serialized as text.
pub(super) struct Text<'a, T>(pub(super) &'a T);

impl<T: fmt::Display> Serialize for Text<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// A list that is serialized from an iterator. It can be serialized only once.
pub(super) struct List<F>(pub(super) F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl Serialize for Name<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.rfc4514())
    }
}

impl Serialize for NameBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

/// A visitor that parses a string: the expected format and the parser.
struct Parsed<T>(&'static str, fn(&str) -> Option<T>);

impl<T> Visitor<'_> for Parsed<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for NameBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Parsed("an RFC 4514 name", |text| Self::parse(text).ok()))
    }
}

impl Serialize for Time<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Parses a time such as `2026-11-21T10:00:00Z`.
fn time(text: &str) -> Option<Time<'static>> {
    let octets: &[u8; 20] = text.as_bytes().try_into().ok()?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'Z'] = octets else {
        return None;
    };
    let digit = |octet: &u8| octet.is_ascii_digit().then(|| octet - b'0');
    let two = |tens: &u8, ones: &u8| Some(digit(tens)? * 10 + digit(ones)?);
    let year = u16::from(two(y1, y2)?) * 100 + u16::from(two(y3, y4)?);
    let civil = CivilTime::new(year, two(m1, m2)?, two(d1, d2)?, two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
    civil.ok().map(Time::new)
}

impl<'de> Deserialize<'de> for Time<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Parsed("a time like 2026-11-21T10:00:00Z", time))
    }
}

/// The serialized form of a validity period.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Validity")]
struct Period<'a> {
    #[serde(bound(deserialize = ""))]
    not_before: Time<'a>,
    #[serde(bound(deserialize = ""))]
    not_after: Time<'a>,
}

impl Serialize for Validity<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Period { not_before: self.not_before, not_after: self.not_after }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Validity<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Period { not_before, not_after } = Period::deserialize(deserializer)?;
        Ok(Self { not_before, not_after })
    }
}

impl Serialize for CertificateSerialNumber<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.hex())
    }
}

impl Serialize for AlgorithmIdentifier<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parameters = self.parameters.as_ref().map(|parameters| Hex(parameters.as_bytes()));
        let fields = 1 + usize::from(self.name().is_some()) + usize::from(parameters.is_some());
        let mut object = serializer.serialize_struct("AlgorithmIdentifier", fields)?;
        object.serialize_field("oid", &Text(&self.algorithm))?;
        match self.name() {
            Some(name) => object.serialize_field("name", name)?,
            None => object.skip_field("name")?,
        }
        match parameters {
            Some(parameters) => object.serialize_field("parameters", &parameters)?,
            None => object.skip_field("parameters")?,
        }
        object.end()
    }
}

impl Serialize for KeyInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("KeyInfo", 2 + usize::from(self.curve.is_some()))?;
        object.serialize_field("algorithm", self.algorithm)?;
        object.serialize_field("bits", &self.bits)?;
        match self.curve {
            Some(curve) => object.serialize_field("curve", curve)?,
            None => object.skip_field("curve")?,
        }
        object.end()
    }
}

impl Serialize for SubjectPublicKeyInfo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SubjectPublicKeyInfo", 3)?;
        object.serialize_field("info", &self.info())?;
        object.serialize_field("algorithm", &self.algorithm)?;
        object.serialize_field("key", &Hex(self.subject_public_key.as_bytes()))?;
        object.end()
    }
}

impl Serialize for KeyUsage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl Serialize for ReasonFlags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl Serialize for CrlReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for CrlReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reason = |text: &str| {
            [
                Self::Unspecified,
                Self::KeyCompromise,
                Self::CaCompromise,
                Self::AffiliationChanged,
                Self::Superseded,
                Self::CessationOfOperation,
                Self::CertificateHold,
                Self::RemoveFromCrl,
                Self::PrivilegeWithdrawn,
                Self::AaCompromise,
            ]
            .into_iter()
            .find(|reason| reason.name() == text)
        };
        deserializer.deserialize_str(Parsed("a reason from RFC 5280 §5.3.1", reason))
    }
}
