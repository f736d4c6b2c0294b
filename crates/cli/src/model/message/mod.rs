//! Messages, requests, responses and keys as trees: what is neither a certificate nor a CRL.
//!
//! Private keys are described and never shown: how long, for which algorithm, and the public half where it stands beside.

mod attribute;
mod cms;
pub(crate) mod known;
mod ocsp;
mod pkcs12;
mod private;
mod request;
mod rpki;
mod tsp;

use tagwise_codec::table::Type;
use tagwise_codec::{Any, Decode, Deviation, RuleSet, SetOf, Typed};
use tagwise_pkix::ext::Attribute;
use tagwise_pkix::{RsaPublicKey, oids, tsp as stamps};
use tagwise_pkix::{
    SubjectPublicKeyInfo, ac, cmc, cmp, cms as messages, crmf, csr, ocsp as status, pkcs1, pkcs8, pkcs12 as files, sec1,
};

use super::{Scene, key, name, table};
use crate::lens::{Lens, failed};
use crate::report::{Read, read};
use crate::rules::every;
use crate::tree::{Line, Problem, Record, Tone, Value};

/// What a value may be besides a certificate or a CRL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    AttributeCertificate,
    CertificateRequests,
    CmcRequest,
    CmcResponse,
    Cmp,
    Cms,
    EcPrivateKey,
    EncryptedPrivateKey,
    OcspRequest,
    OcspResponse,
    Pkcs12,
    PrivateKey,
    PublicKey,
    Request,
    RsaPrivateKey,
    RsaPublicKey,
    TimeStampRequest,
    TimeStampResponse,
}

impl Message {
    /// The kind in JSON.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::AttributeCertificate => "attribute-certificate",
            Self::CertificateRequests => "certificate-request-messages",
            Self::CmcRequest => "cmc-request",
            Self::CmcResponse => "cmc-response",
            Self::Cmp => "cmp",
            Self::Cms => "cms",
            Self::EcPrivateKey => "ec-private-key",
            Self::EncryptedPrivateKey => "encrypted-private-key",
            Self::OcspRequest => "ocsp-request",
            Self::OcspResponse => "ocsp-response",
            Self::Pkcs12 => "pkcs12",
            Self::PrivateKey => "private-key",
            Self::PublicKey => "public-key",
            Self::Request => "certification-request",
            Self::RsaPrivateKey => "rsa-private-key",
            Self::RsaPublicKey => "rsa-public-key",
            Self::TimeStampRequest => "time-stamp-request",
            Self::TimeStampResponse => "time-stamp-response",
        }
    }

    /// Whether it is a key.
    pub(crate) const fn is_key(self) -> bool {
        matches!(
            self,
            Self::EcPrivateKey
                | Self::EncryptedPrivateKey
                | Self::PrivateKey
                | Self::PublicKey
                | Self::RsaPrivateKey
                | Self::RsaPublicKey
        )
    }

    /// What it is, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::AttributeCertificate => "attribute certificate",
            Self::CertificateRequests => "certificate request messages (CRMF)",
            Self::CmcRequest => "CMC request (PKIData)",
            Self::CmcResponse => "CMC response (PKIResponse)",
            Self::Cmp => "CMP message",
            Self::Cms => "CMS (PKCS #7) message",
            Self::EcPrivateKey => "EC private key",
            Self::EncryptedPrivateKey => "encrypted private key (PKCS #8)",
            Self::OcspRequest => "OCSP request",
            Self::OcspResponse => "OCSP response",
            Self::Pkcs12 => "PKCS #12 file",
            Self::PrivateKey => "private key (PKCS #8)",
            Self::PublicKey => "public key",
            Self::Request => "certification request (PKCS #10)",
            Self::RsaPrivateKey => "RSA private key (PKCS #1)",
            Self::RsaPublicKey => "RSA public key (PKCS #1)",
            Self::TimeStampRequest => "time-stamp request",
            Self::TimeStampResponse => "time-stamp response",
        }
    }

    /// What a PEM label says.
    pub(crate) fn of_label(label: &str) -> Option<Self> {
        Some(match label {
            "ATTRIBUTE CERTIFICATE" => Self::AttributeCertificate,
            "CMS" | "PKCS7" | "PKCS #7 SIGNED DATA" => Self::Cms,
            "EC PRIVATE KEY" => Self::EcPrivateKey,
            "ENCRYPTED PRIVATE KEY" => Self::EncryptedPrivateKey,
            "OCSP REQUEST" => Self::OcspRequest,
            "OCSP RESPONSE" => Self::OcspResponse,
            "PKCS12" => Self::Pkcs12,
            "PRIVATE KEY" => Self::PrivateKey,
            "PUBLIC KEY" => Self::PublicKey,
            "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => Self::Request,
            "RSA PRIVATE KEY" => Self::RsaPrivateKey,
            "RSA PUBLIC KEY" => Self::RsaPublicKey,
            "TIMESTAMP QUERY" | "TIME STAMP REQUEST" => Self::TimeStampRequest,
            "TIMESTAMP REPLY" | "TIME STAMP RESPONSE" => Self::TimeStampResponse,
            _ => return None,
        })
    }

    /// All of them.
    pub(crate) const ALL: &[Self] = &[
        Self::AttributeCertificate,
        Self::CertificateRequests,
        Self::CmcRequest,
        Self::CmcResponse,
        Self::Cmp,
        Self::Cms,
        Self::EcPrivateKey,
        Self::EncryptedPrivateKey,
        Self::OcspRequest,
        Self::OcspResponse,
        Self::Pkcs12,
        Self::PrivateKey,
        Self::PublicKey,
        Self::Request,
        Self::RsaPrivateKey,
        Self::RsaPublicKey,
        Self::TimeStampRequest,
        Self::TimeStampResponse,
    ];

    /// The label that it has in PEM (RFC 7468, and what OpenSSL writes where that is silent).
    pub(crate) const fn label(self) -> Option<&'static str> {
        Some(match self {
            Self::AttributeCertificate => "ATTRIBUTE CERTIFICATE",
            Self::Cms => "CMS",
            Self::EcPrivateKey => "EC PRIVATE KEY",
            Self::EncryptedPrivateKey => "ENCRYPTED PRIVATE KEY",
            Self::OcspRequest => "OCSP REQUEST",
            Self::OcspResponse => "OCSP RESPONSE",
            Self::Pkcs12 => "PKCS12",
            Self::PrivateKey => "PRIVATE KEY",
            Self::PublicKey => "PUBLIC KEY",
            Self::Request => "CERTIFICATE REQUEST",
            Self::RsaPrivateKey => "RSA PRIVATE KEY",
            Self::RsaPublicKey => "RSA PUBLIC KEY",
            Self::TimeStampRequest => "TIMESTAMP QUERY",
            Self::TimeStampResponse => "TIMESTAMP REPLY",
            Self::CertificateRequests | Self::CmcRequest | Self::CmcResponse | Self::Cmp => return None,
        })
    }

    /// Its type.
    pub(crate) fn ty(self) -> &'static Type {
        match self {
            Self::AttributeCertificate => ac::AttributeCertificate::ty(),
            Self::CertificateRequests => crmf::CertReqMessages::ty(),
            Self::CmcRequest => cmc::PkiData::ty(),
            Self::CmcResponse => cmc::PkiResponse::ty(),
            Self::Cmp => cmp::PkiMessage::ty(),
            Self::Cms => messages::ContentInfo::ty(),
            Self::EcPrivateKey => sec1::EcPrivateKey::ty(),
            Self::EncryptedPrivateKey => pkcs8::EncryptedPrivateKeyInfo::ty(),
            Self::OcspRequest => status::OcspRequest::ty(),
            Self::OcspResponse => status::OcspResponse::ty(),
            Self::Pkcs12 => files::Pfx::ty(),
            Self::PrivateKey => pkcs8::OneAsymmetricKey::ty(),
            Self::PublicKey => SubjectPublicKeyInfo::ty(),
            Self::Request => csr::CertificationRequest::ty(),
            Self::RsaPrivateKey => pkcs1::RsaPrivateKey::ty(),
            Self::RsaPublicKey => RsaPublicKey::ty(),
            Self::TimeStampRequest => stamps::TimeStampReq::ty(),
            Self::TimeStampResponse => stamps::TimeStampResp::ty(),
        }
    }

    /// The same octets in DER, if they are not DER and can be made so.
    pub(crate) fn to_der(self, octets: &[u8]) -> Option<Vec<u8>> {
        let canonical = match self {
            Self::Cms => tagwise_codec::ber::to_der::<messages::ContentInfo<'_>>(octets),
            Self::Pkcs12 => tagwise_codec::ber::to_der::<files::Pfx<'_>>(octets),
            Self::TimeStampResponse => tagwise_codec::ber::to_der::<stamps::TimeStampResp<'_>>(octets),
            _ => return None,
        };
        let der = canonical.ok()?.into_bytes();
        (*der != *octets).then(|| der.into_owned())
    }
}

/// What was read of a message.
pub(crate) struct Shown<'a> {
    pub(crate) value: Option<Value<'a>>,
    pub(crate) problem: Option<Problem>,
    pub(crate) notes: Vec<Deviation>,
}

/// Reads a message and makes a tree of it.
pub(crate) fn message<'a>(what: Message, der: &'a [u8], rules: RuleSet, scene: &Scene) -> Shown<'a> {
    match what {
        Message::AttributeCertificate => {
            shown(der, rules, |value: &ac::AttributeCertificate<'a>| attribute::certificate(value, scene))
        }
        Message::CertificateRequests => tabled::<crmf::CertReqMessages<'a>>(der, rules, scene),
        Message::CmcRequest => tabled::<cmc::PkiData<'a>>(der, rules, scene),
        Message::CmcResponse => tabled::<cmc::PkiResponse<'a>>(der, rules, scene),
        Message::Cmp => tabled::<cmp::PkiMessage<'a>>(der, rules, scene),
        Message::Cms => shown(der, rules, |value: &messages::ContentInfo<'a>| cms::message(value, scene)),
        Message::EcPrivateKey => shown(der, rules, |value: &sec1::EcPrivateKey<'a>| private::curve(value, None)),
        Message::EncryptedPrivateKey => {
            shown(der, rules, |value: &pkcs8::EncryptedPrivateKeyInfo<'a>| private::encrypted(value))
        }
        Message::OcspRequest => shown(der, rules, |value: &status::OcspRequest<'a>| ocsp::request(value, scene)),
        Message::OcspResponse => shown(der, rules, |value: &status::OcspResponse<'a>| ocsp::response(value, scene)),
        Message::Pkcs12 => pkcs12::file(der, rules),
        Message::PrivateKey => shown(der, rules, |value: &pkcs8::OneAsymmetricKey<'a>| private::key(value, scene)),
        Message::PublicKey => shown(der, rules, |value: &SubjectPublicKeyInfo<'a>| key::public_key(value)),
        Message::Request => shown(der, rules, |value: &csr::CertificationRequest<'a>| request::request(value, scene)),
        Message::RsaPrivateKey => shown(der, rules, |value: &pkcs1::RsaPrivateKey<'a>| private::rsa(value)),
        Message::RsaPublicKey => shown(der, rules, |value: &RsaPublicKey<'a>| private::rsa_public(value)),
        Message::TimeStampRequest => shown(der, rules, |value: &stamps::TimeStampReq<'a>| tsp::request(value, scene)),
        Message::TimeStampResponse => {
            shown(der, rules, |value: &stamps::TimeStampResp<'a>| tsp::response(value, scene))
        }
    }
}

fn shown<'a, T: Decode<'a>>(der: &'a [u8], rules: RuleSet, tree: impl FnOnce(&T) -> Value<'a>) -> Shown<'a> {
    let Read { value, problem, notes } = read::<T>(der, rules);
    Shown { value: value.map(|value| tree(&value)), problem, notes }
}

/// By the tables; what does not decode by the rules in force is shown with everything tolerated that can be, if that helps.
fn tabled<'a, T: Decode<'a>>(der: &'a [u8], rules: RuleSet, scene: &Scene) -> Shown<'a> {
    let Read { value: _, problem, notes } = read::<T>(der, rules);
    let lax = Scene { lens: Lens::new(every()), ..*scene };
    let shown = table::read(T::ty(), der, 0, scene).or_else(|_| table::read(T::ty(), der, 0, &lax)).ok();
    let value = shown.map(|shown| match shown {
        Value::List(_) => Record::default().bare("messages", shown).into(),
        shown => shown,
    });
    Shown { value, problem, notes }
}

/// A certificate with its subject as title.
pub(crate) fn titled<'a>(found: &tagwise_pkix::Certificate<'a>, scene: &Scene) -> Value<'a> {
    ocsp::titled(found, scene)
}

/// A request inside another message.
pub(crate) fn request<'a>(found: &csr::CertificationRequest<'a>, scene: &Scene) -> Value<'a> {
    request::request(found, scene)
}

/// A CMS message inside another message.
pub(crate) fn cms_message<'a>(found: &messages::ContentInfo<'a>, scene: &Scene) -> Value<'a> {
    cms::message(found, scene)
}

/// Enveloped data inside another message.
pub(crate) fn enveloped<'a>(found: &messages::EnvelopedData<'a>, scene: &Scene) -> Value<'a> {
    match scene.inside() {
        Some(scene) => cms::envelope(Record::default(), found, &scene).into(),
        None => Value::word("too deep"),
    }
}

/// Attributes of requests, keys and attribute certificates.
pub(crate) fn attributes<'a>(
    list: impl Iterator<Item = Result<Attribute<'a>, crate::lens::Failed<'a>>>,
    scene: &Scene,
) -> Value<'a> {
    let attribute = |read| match read {
        Ok(Attribute { attr_type, values }) => one(attr_type, &values, scene),
        Err(bad) => failed(bad).0,
    };
    Value::List(list.map(attribute).collect())
}

/// One attribute: its type and its values.
pub(crate) fn one<'a>(attr_type: tagwise_codec::Oid<'a>, values: &SetOf<'a, Any<'a>>, scene: &Scene) -> Value<'a> {
    let record = Record::titled(key::oid_line(attr_type, Tone::Plain)).json("type", Value::Oid(attr_type));
    // A password with which the certificate can be revoked later (RFC 2985 §5.4.1).
    if attr_type == oids::CHALLENGE_PASSWORD {
        return record.bare("hidden", Record::titled(Line::new(Tone::Dim, "not shown: a password")).into()).into();
    }
    let values = scene.lens.set(values);
    let values = values.map(|read| read.map_or_else(|bad| failed(bad).0, |value| value_of(attr_type, &value, scene)));
    record.bare("values", Value::List(values.collect())).into()
}

fn value_of<'a>(attr_type: tagwise_codec::Oid<'_>, value: &Any<'a>, scene: &Scene) -> Value<'a> {
    if attr_type == oids::EXTENSION_REQUEST
        && let Ok(list) = value.decode_as::<tagwise_pkix::Extensions<'a>>()
    {
        return super::ext::extensions(&list, super::ext::Spot::Certificate, scene);
    }
    if let Some(ty) = known::attribute(attr_type)
        && let Some(scene) = scene.inside()
    {
        return if ty.secret { table::hidden() } else { table::whole(ty, value.as_bytes(), value.offset(), &scene) };
    }
    name::attribute_value(value)
}
