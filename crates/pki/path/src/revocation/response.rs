//! A fully decoded OCSP response, with its answers indexed by serial number.

use core::fmt;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;
use tagwise_codec::{Captured, Decode, Int, Oid, Options, RuleSet as Tolerated, encode};
use tagwise_pkix::ext::{CertificateIssuer, CrlReason, HoldInstructionCode, InvalidityDate, KnownExtension};
use tagwise_pkix::ocsp::{
    BasicOcspResponse, OcspResponse, OcspResponseStatus, ResponderId, Response, ResponseData, SingleResponse, Version,
};
use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, Extensions, oids, profile};

use super::list::split;
use crate::budget::{Limit, Meter};
use crate::pool;

/// An OCSP response in DER, and the nonce that it must repeat. It is decoded on first use.
pub(crate) struct Ocsp {
    der: Arc<[u8]>,
    nonce: Option<Box<[u8]>>,
    /// The decoding rules that the response may violate.
    tolerated: Tolerated,
    read: OnceLock<Cell>,
}

/// The parts of a response that are needed to apply it to a certificate.
pub(crate) struct Answers<'a> {
    pub(super) data: Captured<'a, ResponseData<'a>>,
    pub(super) algorithm: AlgorithmIdentifier<'a>,
    pub(super) signature: Option<&'a [u8]>,
    /// The certificates included in the response.
    pub(super) certificates: Vec<CertificateBuf>,
    /// The answers, sorted by the content bytes of their serial numbers.
    answers: Vec<SingleResponse<'a>>,
    /// The reason why the response does not prove any status. Its readable parts are still examined, because they may report a
    /// certificate as revoked.
    pub(crate) flaw: Option<String>,
    /// The serial numbers of unreadable answers in a flawed response whose certStatus is `revoked`.
    unread: Vec<&'a [u8]>,
}

type Read<'a> = Result<Answers<'a>, String>;

self_cell!(
    struct Cell {
        owner: Arc<[u8]>,
        #[covariant]
        dependent: Read,
    }
);

/// The deviations tolerated in the certificates of a response. Certificates in a path are checked again.
const TOLERATED: Tolerated = Tolerated::NONE.with(&profile::TIME_CHOICE);

/// Response extensions that are applied, or that do not affect the status (RFC 6960 §4.4).
const UNDERSTOOD: &[Oid<'static>] = &[oids::OCSP_NONCE, oids::OCSP_EXTENDED_REVOKE, oids::OCSP_ARCHIVE_CUTOFF];

/// Extensions of single answers that only describe the status (RFC 6960 §4.4.5, RFC 6962 §3.3).
const UNDERSTOOD_IN_ANSWERS: &[Oid<'static>] = &[
    oids::OCSP_ARCHIVE_CUTOFF,
    tagwise_pkix::ocsp::ID_PKIX_OCSP_CRL,
    CrlReason::ID,
    InvalidityDate::ID,
    HoldInstructionCode::ID,
    oids::CT_OCSP_SIGNED_CERTIFICATE_TIMESTAMP_LIST,
];

impl Ocsp {
    pub(crate) fn new(der: Arc<[u8]>, nonce: Option<Box<[u8]>>, tolerated: Tolerated) -> Self {
        let tolerated = TOLERATED.union(tolerated);
        Self { der, nonce, tolerated, read: OnceLock::new() }
    }

    pub(crate) fn der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the response, or the reason why it is unreadable. The first call decodes it.
    ///
    /// # Errors
    /// Returns an error if the budget does not allow decoding it.
    pub(crate) fn get(&self, meter: &mut Meter) -> Result<Result<&Answers<'_>, &str>, Limit> {
        if self.read.get().is_none() {
            meter.bytes(self.der.len() as u64)?;
        }
        let read =
            |der: &Arc<[u8]>| Cell::new(der.clone(), |der| Answers::read(der, self.nonce.as_deref(), self.tolerated));
        let cell = self.read.get_or_init(|| read(&self.der));
        Ok(cell.borrow_dependent().as_ref().map_err(String::as_str))
    }
}

impl fmt::Debug for Ocsp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ocsp({} bytes)", self.der.len())
    }
}

impl<'a> Answers<'a> {
    fn read(der: &'a [u8], nonce: Option<&[u8]>, tolerated: Tolerated) -> Read<'a> {
        let text = |error: tagwise_codec::Error| format!("not an OCSP response: {error}");
        // Without options, the usual forms are read several times faster.
        let (read, mut flaw) = match OcspResponse::from_der(der) {
            Ok(read) => (read, None),
            Err(_) => match Options::der().rules(tolerated).decode::<OcspResponse<'a>>(der) {
                Ok(read) => (read.value, None),
                Err(error) => (lax(der).map_err(|_| text(error.clone()))?, Some(text(error))),
            },
        };
        if read.response_status != OcspResponseStatus::Successful {
            return Err(format!("the responder answered {:?}", read.response_status));
        }
        // RFC 6960 §4.2.1: clients MUST be able to process the basic type; there is no other.
        let bytes = read.response_bytes.ok_or("a successful response without a body (RFC 6960 §4.2.1)")?;
        let basic = match bytes.response.get() {
            Ok(Response::Response(basic)) => basic,
            Ok(_) => return Err(format!("unknown response type {}", bytes.response_type)),
            Err(error) => {
                let basic = lax(bytes.response.as_bytes()).map_err(|_| text(error.clone()))?;
                flaw.get_or_insert_with(|| text(error));
                basic
            }
        };
        let data = basic.tbs_response_data;
        let mut fault = |checked: Result<(), String>| flaw = flaw.take().or(checked.err());
        if data.version != Version::V1 {
            fault(Err("unknown version (RFC 6960 §4.2.1 defines version 1)".to_owned()));
        }
        if let Some(extensions) = &data.response_extensions {
            fault(understood(extensions, UNDERSTOOD));
        }
        fault(repeats(&data, nonce));
        let mut answers: Vec<SingleResponse<'a>> = Vec::new();
        for answer in data.responses.iter() {
            match answer {
                Ok(answer) => {
                    if let Some(extensions) = &answer.single_extensions {
                        fault(understood(extensions, UNDERSTOOD_IN_ANSWERS));
                    }
                    answers.push(answer);
                }
                Err(error) => fault(Err(text(error))),
            }
        }
        let mut unread = Vec::new();
        if flaw.is_some() {
            (answers, unread) = flawed(data.responses.content().unwrap_or_default());
        }
        answers.sort_by(|one, other| serial(one).cmp(serial(other)));
        let (algorithm, signature) = (basic.signature_algorithm, basic.signature.octets());
        Ok(Self { data, algorithm, signature, certificates: certificates(&basic), answers, flaw, unread })
    }

    /// Returns a one-line label, such as `OCSP response 1 of the evidence by CN=CA, 2026-11-21T10:00:00Z`.
    pub(super) fn label(&self, place: &str) -> String {
        let produced = self.data.produced_at.unix();
        match &self.data.responder_id {
            ResponderId::ByName(name) => format!("{place} by {}, {produced}", name.oneline()),
            ResponderId::ByKey(_) => format!("{place}, {produced}"),
        }
    }

    /// Returns whether an unreadable answer may report the certificate with this serial number as revoked.
    pub(super) fn may_revoke(&self, wanted: &[u8]) -> bool {
        self.unread.contains(&wanted)
    }

    /// Returns the answers about certificates with this serial number, regardless of their issuer.
    pub(crate) fn about(&self, wanted: &[u8]) -> &[SingleResponse<'a>] {
        let start = self.answers.partition_point(|answer| serial(answer) < wanted);
        let rest = self.answers.get(start..).unwrap_or_default();
        let count = rest.partition_point(|answer| serial(answer) == wanted);
        rest.get(..count).unwrap_or_default()
    }
}

fn lax<'a, T: Decode<'a>>(der: &'a [u8]) -> Result<T, tagwise_codec::Error> {
    // Its parts are read strictly, so that an error in one of them is found.
    Options::der().rules(Tolerated::ALL).parts(Tolerated::NONE).outline::<T>(der).map(|read| read.value)
}

/// Returns the readable answers of a flawed response, and the serial numbers of the unreadable ones whose certStatus is `revoked`.
fn flawed(mut content: &[u8]) -> (Vec<SingleResponse<'_>>, Vec<&[u8]>) {
    let (mut answers, mut unread) = (Vec::new(), Vec::new());
    while let Some((answer, rest)) = split(content) {
        let octets = content.get(..content.len() - rest.len()).unwrap_or_default();
        match lax::<SingleResponse<'_>>(octets) {
            Ok(read) => answers.push(read),
            Err(_) => unread.extend(revoked_serial(answer)),
        }
        content = rest;
    }
    (answers, unread)
}

/// Returns the serial number of `SEQUENCE { certID SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber },
/// certStatus, … }`, if certStatus is `revoked [1]`.
fn revoked_serial(answer: &[u8]) -> Option<&[u8]> {
    let (id, rest) = split(answer)?;
    let (_, after_algorithm) = split(id)?;
    let (_, after_name) = split(after_algorithm)?;
    let (_, after_key) = split(after_name)?;
    let (serial, _) = split(after_key)?;
    (rest.first() == Some(&0xA1)).then_some(Int::from_signed(serial).as_bytes())
}

fn serial<'a>(answer: &SingleResponse<'a>) -> &'a [u8] {
    answer.cert_id.serial_number.as_bytes()
}

/// Returns the certificates included in a response, except those whose outer structure is unreadable.
fn certificates(basic: &BasicOcspResponse<'_>) -> Vec<CertificateBuf> {
    let certs = basic.certs.iter().flat_map(|certs| certs.iter().map_while(Result::ok));
    certs.filter_map(|certificate| pool::read(encode(&certificate).ok()?).ok()).collect()
}

/// Checks that a response repeats the request's nonce (RFC 9654 §2.1). Old responders put the nonce into the extension without an
/// OCTET STRING header.
fn repeats(data: &ResponseData<'_>, nonce: Option<&[u8]>) -> Result<(), String> {
    let Some(nonce) = nonce else { return Ok(()) };
    let extension = data.response_extensions.map(|extensions| extensions.find(oids::OCSP_NONCE));
    let extension = extension.transpose().map_err(|error| error.to_string())?.flatten();
    let Some(extension) = extension else { return Err("its nonce is missing (RFC 9654 §2.1)".to_owned()) };
    let value = extension.extn_value.as_bytes();
    let is_same = value == nonce
        || extension.extn_value.decode_as::<tagwise_codec::OctetStr<'_>>().is_ok_and(|own| own.as_bytes() == nonce);
    if is_same { Ok(()) } else { Err("its nonce differs from the request's (RFC 9654 §2.1)".to_owned()) }
}

/// Checks for unsupported critical extensions, which RFC 6960 §4.4 treats like those of CRLs (RFC 5280).
fn understood(extensions: &Extensions<'_>, known: &[Oid<'_>]) -> Result<(), String> {
    for extension in extensions.iter() {
        let extension = extension.map_err(|error| error.to_string())?;
        if extension.critical && !known.contains(&extension.extn_id) {
            // Only the CertID identifies the issuer of the certificate.
            let what = if extension.extn_id == CertificateIssuer::ID { "is not allowed here" } else { "is unknown" };
            return Err(format!("the critical extension {} {what} (RFC 6960 §4.4)", extension.extn_id));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unread_serial_numbers_are_minimal() {
        let revoked = [0x30, 10, 0x30, 0, 0x04, 0, 0x04, 0, 0x02, 2, 0, 7, 0xA1, 0];
        assert_eq!(revoked_serial(&revoked), Some(&[7][..]));
        let good = [0x30, 10, 0x30, 0, 0x04, 0, 0x04, 0, 0x02, 2, 0, 7, 0x80, 0];
        assert_eq!(revoked_serial(&good), None);
    }
}
