//! CMS (RFC 5652): a summary of all content types, with the certificates, CRLs and signers of signed data, and the
//! recipients of enveloped data.

use tagwise_codec::{Any, OctetStr, Raw, SetOf, Typed};
use tagwise_pkix::cmc::{PkiData, PkiResponse};
use tagwise_pkix::cms::collection::{ContentCollection, ContentWithAttributes};
use tagwise_pkix::cms::{
    Attribute, CertificateChoices, CertificateSet, Content, ContentInfo, EncapsulatedContent, EncapsulatedContentInfo,
    EncryptedContentInfo, EnvelopedData, IssuerAndSerialNumber, KeyAgreeRecipientIdentifier, OriginatorIdentifierOrKey,
    OriginatorInfo, OtherRecipient, RecipientIdentifier, RecipientInfo, RecipientInfos, RevocationInfoChoice,
    RevocationInfoChoices, SignedData, SignerIdentifier, SignerInfo,
};
use tagwise_pkix::crmf::EncKeyWithId;
use tagwise_pkix::ess::Receipt;
use tagwise_pkix::{Certificate, CertificateList, CertificateSerialNumber};

use super::ocsp::{named, titled};
use super::{one, rpki, tsp};
use crate::lens::{Depth, Failed, failed};
use crate::model::cert::number;
use crate::model::ext::listed;
use crate::model::key::{algorithm, oid_line};
use crate::model::name::name;
use crate::model::{Scene, list, short_name_of, table};
use crate::tree::{Line, Record, Tone, Value};

pub(super) fn message<'a>(message: &ContentInfo<'a>, scene: &Scene) -> Value<'a> {
    let record = Record::titled(oid_line(message.content_type, Tone::Strong))
        .json("content_type", Value::Oid(message.content_type));
    let place = (message.content.as_bytes(), message.content.offset());
    match scene.lens.open_frame(&message.content) {
        Ok(found) => content(record, &found, place, scene).into(),
        Err(bad) => trouble(record, bad).into(),
    }
}

fn trouble<'a>(record: Record<'a>, bad: Failed<'a>) -> Record<'a> {
    let (problem, octets) = failed(bad);
    record.bare("error", problem).bare("der", octets)
}

/// Adds the content of a message. `place` contains its bytes and their offset.
fn content<'a>(record: Record<'a>, content: &Content<'a>, place: (&'a [u8], usize), scene: &Scene) -> Record<'a> {
    let Some(scene) = &scene.inside() else { return record.with("der", Value::bulk(place.0)) };
    match content {
        Content::SignedData(data) => signed(record, data, scene),
        Content::EnvelopedData(data) => envelope(record, data, scene),
        Content::AuthEnvelopedData(data) => {
            let record = originator(record, &data.originator_info, scene);
            recipients(record, &data.recipient_infos, scene)
                .with("encrypted_content", encrypted(&data.auth_encrypted_content_info))
                .with_some("authenticated_attributes", data.auth_attrs.map(|list| attributes(&list.0, scene)))
                .with("mac", Value::hex(data.mac.as_bytes()))
                .with_some("unauthenticated_attributes", data.unauth_attrs.map(|list| attributes(&list.0, scene)))
        }
        Content::EncryptedData(data) => record
            .with("encrypted_content", encrypted(&data.encrypted_content_info))
            .with_some("unprotected_attributes", data.unprotected_attrs.map(|list| attributes(&list.0, scene))),
        Content::AuthenticatedData(data) => {
            let record = originator(record, &data.originator_info, scene);
            recipients(record, &data.recipient_infos, scene)
                .with("mac_algorithm", algorithm(&data.mac_algorithm))
                .with_some("digest_algorithm", data.digest_algorithm.map(|digest| algorithm(&digest)))
                .with("content", encapsulated(&data.encap_content_info, scene))
                .with_some("authenticated_attributes", data.auth_attrs.map(|list| attributes(&list.0, scene)))
                .with("mac", Value::hex(data.mac.as_bytes()))
                .with_some("unauthenticated_attributes", data.unauth_attrs.map(|list| attributes(&list.0, scene)))
        }
        Content::DigestedData(data) => record
            .with("digest_algorithm", algorithm(&data.digest_algorithm))
            .with("digest", Value::hex(data.digest.as_bytes()))
            .with("content", encapsulated(&data.encap_content_info, scene)),
        Content::CompressedData(data) => record
            .with("compression_algorithm", algorithm(&data.compression_algorithm))
            .with("content", named(data.encap_content_info.e_content_type))
            .with_some("size", data.encap_content_info.e_content.map(|octets| Value::number(octets.as_bytes().len()))),
        Content::TstInfo(info) => record.bare("time_stamp", tsp::info(info, scene)),
        Content::RpkiManifest(found) => record.bare("manifest", rpki::manifest(found, scene)),
        Content::RouteOriginAttestation(found) => record.bare("route_origin", rpki::origin(found, scene)),
        // Private keys are counted but not shown.
        Content::AsymmetricKeyPackage(keys) => record.with("keys", Value::number(keys.0.len())),
        Content::Unknown(unknown) => record.with("der", Value::bulk(unknown.bytes)),
        Content::PkiData(_) => record.bare("pki_data", table::whole(PkiData::ty(), place.0, place.1, scene)),
        Content::PkiResponse(_) => {
            record.bare("pki_response", table::whole(PkiResponse::ty(), place.0, place.1, scene))
        }
        Content::Receipt(_) => record.bare("receipt", table::whole(Receipt::ty(), place.0, place.1, scene)),
        Content::ContentCollection(_) => {
            record.bare("contents", table::whole(ContentCollection::ty(), place.0, place.1, scene))
        }
        Content::ContentWithAttributes(_) => {
            record.bare("contents", table::whole(ContentWithAttributes::ty(), place.0, place.1, scene))
        }
        Content::EncKeyWithId(_) => record.bare("key", table::whole(EncKeyWithId::ty(), place.0, place.1, scene)),
    }
}

/// Shows enveloped data, either as the content of a message or as a container for keys in other messages.
pub(super) fn envelope<'a>(record: Record<'a>, data: &EnvelopedData<'a>, scene: &Scene) -> Record<'a> {
    let record = originator(record, &data.originator_info, scene);
    recipients(record, &data.recipient_infos, scene)
        .with("encrypted_content", encrypted(&data.encrypted_content_info))
        .with_some("unprotected_attributes", data.unprotected_attrs.map(|list| attributes(&list.0, scene)))
}

/// Adds the originator's certificates and CRLs, if present.
fn originator<'a>(record: Record<'a>, info: &Option<OriginatorInfo<'a>>, scene: &Scene) -> Record<'a> {
    let Some(info) = info else { return record };
    record
        .with_some("originator_certificates", info.certs.map(|list| certificates(&list, scene)))
        .with_some("originator_crls", info.crls.map(|list| lists(&list, scene)))
}

/// Shows a certificate or revocation information in another format, with `words` as title.
fn other<'a, T: tagwise_codec::Decode<'a> + Typed>(raw: &Raw<'a, T>, words: &'static str, scene: &Scene) -> Value<'a> {
    match table::whole(T::ty(), raw.as_bytes().unwrap_or_default(), raw.offset(), scene) {
        Value::Record(record) => Record { title: Line::new(Tone::Strong, words), ..record }.into(),
        other => other,
    }
}

fn signed<'a>(record: Record<'a>, data: &SignedData<'a>, scene: &Scene) -> Record<'a> {
    let digests = scene.lens.set(&data.digest_algorithms);
    let digests = digests.map(|read| read.map_or_else(|bad| failed(bad).0, |digest| algorithm(&digest)));
    let signers = scene.lens.set::<SignerInfo<'a>>(&data.signer_infos);
    let signers = signers.map(|read| read.map_or_else(|bad| failed(bad).0, |found| signer(&found, scene)));
    record
        .with("version", Value::Number(u64::from(data.version.0)))
        .with("digest_algorithms", Value::List(digests.collect()))
        .with("content", encapsulated(&data.encap_content_info, scene))
        .with_some("certificates", data.certificates.map(|list| certificates(&list, scene)))
        .with_some("crls", data.crls.map(|list| lists(&list, scene)))
        .with("signers", Value::List(signers.collect()))
}

/// Shows the encapsulated content, or only its type if the content is detached.
fn encapsulated<'a>(info: &EncapsulatedContentInfo<'a>, scene: &Scene) -> Value<'a> {
    let record =
        Record::titled(oid_line(info.e_content_type, Tone::Plain)).json("type", Value::Oid(info.e_content_type));
    let Some(inside) = &info.e_content else {
        let mut record = record.json("detached", Value::Bool(true));
        record.title = record.title.and(Tone::Dim, ", detached or empty");
        return record.into();
    };
    let mut record = record.json("size", Value::number(inside.as_bytes().len()));
    record.title = record.title.and(Tone::Plain, format!(", {} bytes", inside.as_bytes().len()));
    let open = match inside {
        EncapsulatedContent::OctetString(open) => open,
        // As PKCS #7 had it (RFC 2315 §7).
        EncapsulatedContent::Element(element) => {
            record.title = record.title.and(Tone::Dim, format!(", {}, not an OCTET STRING", element.tag()));
            return record.json("tag", Value::text(element.tag())).json("der", Value::bulk(element.as_bytes())).into();
        }
    };
    match scene.lens.open_frame(open) {
        // The structure of plain data is unknown.
        Ok(Content::Unknown(unknown)) => record.json("hex", Value::bulk(unknown.bytes)).into(),
        Ok(found) => content(record, &found, (open.as_bytes(), open.offset()), scene).into(),
        Err(bad) => trouble(record, bad).into(),
    }
}

/// Shows a certificate or CRL from its undecoded bytes.
fn frame<'a, T: tagwise_codec::Decode<'a>>(
    raw: &Raw<'a, T>,
    scene: &Scene,
    tree: impl Fn(&T) -> Value<'a>,
) -> Value<'a> {
    let read = scene.lens.items::<T>(raw.as_bytes(), raw.offset(), Depth::Frame).next();
    read.map_or(Value::Null, |read| read.map_or_else(|bad| failed(bad).0, |found| tree(&found)))
}

fn certificates<'a>(set: &CertificateSet<'a>, scene: &Scene) -> Value<'a> {
    let items = scene.lens.items::<CertificateChoices<'a>>(set.content(), set.offset(), Depth::Frame);
    let show = |read: Result<CertificateChoices<'a>, Failed<'a>>| match read {
        Ok(CertificateChoices::Certificate(raw)) => frame(&raw, scene, |found: &Certificate<'a>| titled(found, scene)),
        Ok(CertificateChoices::V2AttrCert(raw)) => other(&raw, "attribute certificate", scene),
        Ok(CertificateChoices::V1AttrCert(raw)) => other(&raw, "attribute certificate of version 1", scene),
        Ok(CertificateChoices::ExtendedCertificate(raw)) => other(&raw, "PKCS #6 extended certificate", scene),
        Ok(CertificateChoices::Other(other)) => named(other.other_cert_format),
        Ok(CertificateChoices::Unknown(any)) => Value::hex(any.as_bytes()),
        Err(bad) => failed(bad).0,
    };
    Value::List(items.map(show).collect())
}

fn lists<'a>(set: &RevocationInfoChoices<'a>, scene: &Scene) -> Value<'a> {
    let items = scene.lens.items::<RevocationInfoChoice<'a>>(set.content(), set.offset(), Depth::Frame);
    let show = |read: Result<RevocationInfoChoice<'a>, Failed<'a>>| match read {
        Ok(RevocationInfoChoice::Crl(raw)) => {
            frame(&raw, scene, |found: &CertificateList<'a>| match list(found, scene) {
                Value::Record(record) => {
                    let title = Line::new(Tone::Strong, short_name_of(&found.tbs_cert_list.issuer));
                    Value::Record(Record { title, ..record })
                }
                other => other,
            })
        }
        Ok(RevocationInfoChoice::Other(other)) => named(other.other_rev_info_format),
        Ok(RevocationInfoChoice::Unknown(any)) => Value::hex(any.as_bytes()),
        Err(bad) => failed(bad).0,
    };
    Value::List(items.map(show).collect())
}

fn issuer_and_serial<'a>(id: &IssuerAndSerialNumber<'a>, scene: &Scene) -> Value<'a> {
    let serial = CertificateSerialNumber(id.serial_number).hex();
    Record::titled(Line::plain(id.issuer.oneline()).and(Tone::Dim, format!(", serial number {serial}")))
        .json("issuer", name(&id.issuer, scene))
        .json("serial_number", number(id.serial_number))
        .into()
}

fn key_identifier<'a>(id: &OctetStr<'a>) -> Value<'a> {
    Record::titled(Line::new(Tone::Dim, "key ").and(Tone::Plain, tagwise_codec::text::hex::Hex(id.as_bytes())))
        .json("key_id", Value::hex(id.as_bytes()))
        .into()
}

/// Shows a SET of attributes, such as the signed attributes.
fn attributes<'a>(list: &SetOf<'a, Attribute<'a>>, scene: &Scene) -> Value<'a> {
    let attribute = |read: Result<Attribute<'a>, Failed<'a>>| match read {
        Ok(attribute) => one(attribute.attr_type, &attribute.attr_values, scene),
        Err(bad) => failed(bad).0,
    };
    Value::List(scene.lens.set(list).map(attribute).collect())
}

fn signer<'a>(signer: &SignerInfo<'a>, scene: &Scene) -> Value<'a> {
    let id = match &signer.sid {
        SignerIdentifier::IssuerAndSerialNumber(id) => issuer_and_serial(id, scene),
        SignerIdentifier::SubjectKeyIdentifier(id) => key_identifier(id),
        SignerIdentifier::Unknown(any) => Value::hex(any.as_bytes()),
    };
    let octets = signer.signature.as_bytes();
    Record::default()
        .with("version", Value::Number(u64::from(signer.version.0)))
        .with("signer", id)
        .with("digest_algorithm", algorithm(&signer.digest_algorithm))
        .with_some("signed_attributes", signer.signed_attrs.map(|list| attributes(&list.0, scene)))
        .with("signature_algorithm", algorithm(&signer.signature_algorithm))
        .with("signature", Value::bulk(octets))
        .with_some("unsigned_attributes", signer.unsigned_attrs.map(|list| attributes(&list.0, scene)))
        .into()
}

/// Shows encrypted content and its cipher.
pub(super) fn encrypted<'a>(info: &EncryptedContentInfo<'a>) -> Value<'a> {
    let size = info.encrypted_content.map(|content| content.as_bytes().len());
    let words = size.map_or(", elsewhere".to_owned(), |size| format!(", {size} bytes encrypted"));
    Record::titled(oid_line(info.content_type, Tone::Plain).and(Tone::Plain, words))
        .json("type", Value::Oid(info.content_type))
        .json("size", size.map_or(Value::Null, Value::number))
        .with("encryption_algorithm", algorithm(&info.content_encryption_algorithm))
        .into()
}

fn recipients<'a>(record: Record<'a>, infos: &RecipientInfos<'a>, scene: &Scene) -> Record<'a> {
    let show = |read: Result<RecipientInfo<'a>, Failed<'a>>| match read {
        Ok(info) => recipient(&info, scene),
        Err(bad) => failed(bad).0,
    };
    record.with("recipients", Value::List(scene.lens.set(&infos.0).map(show).collect()))
}

fn recipient<'a>(info: &RecipientInfo<'a>, scene: &Scene) -> Value<'a> {
    let titled = |words: &'static str| Record::titled(Line::new(Tone::Strong, words)).json("kind", Value::word(words));
    match info {
        RecipientInfo::Ktri(info) => {
            let id = match &info.rid {
                RecipientIdentifier::IssuerAndSerialNumber(id) => issuer_and_serial(id, scene),
                RecipientIdentifier::SubjectKeyIdentifier(id) => key_identifier(id),
                RecipientIdentifier::Unknown(any) => Value::hex(any.as_bytes()),
            };
            titled("key transport").with("recipient", id).with("algorithm", algorithm(&info.key_encryption_algorithm))
        }
        RecipientInfo::Kari(info) => {
            let keys = listed(&info.recipient_encrypted_keys, scene, |key| match &key.rid {
                KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(id) => issuer_and_serial(id, scene),
                KeyAgreeRecipientIdentifier::RKeyId(id) => key_identifier(&id.subject_key_identifier),
            });
            let originator = match &info.originator {
                OriginatorIdentifierOrKey::IssuerAndSerialNumber(id) => issuer_and_serial(id, scene),
                OriginatorIdentifierOrKey::SubjectKeyIdentifier(id) => key_identifier(id),
                OriginatorIdentifierOrKey::OriginatorKey(key) => {
                    Record::titled(Line::new(Tone::Dim, "an ephemeral key"))
                        .json("algorithm", algorithm(&key.algorithm))
                        .with("public_key", Value::bulk(key.public_key.as_bytes()))
                        .into()
                }
            };
            titled("key agreement")
                .with("originator", originator)
                .with("algorithm", algorithm(&info.key_encryption_algorithm))
                .json("keys", Value::number(keys.len()))
                .with("recipients", Value::List(keys))
        }
        RecipientInfo::Kekri(info) => titled("key encryption key")
            .with("key_id", Value::hex(info.kekid.key_identifier.as_bytes()))
            .with("algorithm", algorithm(&info.key_encryption_algorithm)),
        RecipientInfo::Pwri(info) => titled("password")
            .with_some("derivation", info.key_derivation_algorithm.map(|derivation| algorithm(&derivation)))
            .with("algorithm", algorithm(&info.key_encryption_algorithm)),
        RecipientInfo::Ori(info) => {
            let record = titled("other").with("type", named(info.ori_type));
            match scene.lens.open_frame(&info.ori_value) {
                Ok(OtherRecipient::Kem(info)) => {
                    let id = match &info.rid {
                        RecipientIdentifier::IssuerAndSerialNumber(id) => issuer_and_serial(id, scene),
                        RecipientIdentifier::SubjectKeyIdentifier(id) => key_identifier(id),
                        RecipientIdentifier::Unknown(any) => Value::hex(any.as_bytes()),
                    };
                    record
                        .with("recipient", id)
                        .with("kem", algorithm(&info.kem))
                        .with("kdf", algorithm(&info.kdf))
                        .with("algorithm", algorithm(&info.wrap))
                }
                Ok(OtherRecipient::Unknown(unknown)) => record.with("der", Value::bulk(unknown.bytes)),
                Err(bad) => trouble(record, bad),
            }
        }
        RecipientInfo::Unknown(any) => titled("unknown").with("der", Value::hex(Any::as_bytes(any))),
    }
    .into()
}
