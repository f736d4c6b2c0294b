//! What a relying party does with what a CA gives: the stages that verify, and what a round has to have come to.

use tagwise_codec::Decode;
use tagwise_crypto::{PublicKey, Scheme};
use tagwise_pkix::ocsp::{BasicOcspResponse, CertStatus, OcspResponse, OcspResponseStatus, Response};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateList};

use crate::Failure;
use crate::crypto::CaKey;
use crate::work::Threads;

/// Octets that were signed, and their signature.
pub(crate) type Signed = (Vec<u8>, Vec<u8>);

fn verify(
    public: &dyn PublicKey,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: Option<&[u8]>,
) -> Result<(), Failure> {
    let signature = signature.ok_or("a signature is not of whole octets")?;
    Ok(public.verify(&Scheme::of(algorithm)?, message, signature)?)
}

/// The stage `cert_verify` for one: strictly decoded, of this issuer, signed by its key.
fn certificate(key: &CaKey, issuer: &Certificate<'_>, der: &[u8]) -> Result<(), Failure> {
    let read = Certificate::from_der(der)?;
    let tbs = &read.tbs_certificate;
    if !tbs.issuer.matches(&issuer.tbs_certificate.subject) {
        return Err("a certificate is of another issuer".into());
    }
    verify(
        &*key.public,
        &read.signature_algorithm,
        tbs.as_bytes(),
        read.signature_value.octets(),
    )
}

/// The stage `cert_verify`.
pub(crate) fn certificates(
    threads: &Threads,
    key: &CaKey,
    issuer: &Certificate<'_>,
    list: &[Vec<u8>],
) -> Result<(), Failure> {
    threads.map(list, |der| certificate(key, issuer, der)).map(drop)
}

/// The stage `crl_verify`.
pub(crate) fn crl(key: &CaKey, der: &[u8]) -> Result<(), Failure> {
    let read = CertificateList::from_der(der)?;
    verify(
        &*key.public,
        &read.signature_algorithm,
        read.tbs_cert_list.as_bytes(),
        read.signature_value.octets(),
    )
}

fn basic(der: &[u8]) -> Result<BasicOcspResponse<'_>, Failure> {
    let read = OcspResponse::from_der(der)?;
    match (read.response_status, read.response_bytes) {
        (OcspResponseStatus::Successful, Some(bytes)) => match bytes.response.get()? {
            Response::Response(basic) => Ok(basic),
            Response::Unknown(_) => Err("a response of another type".into()),
        },
        _ => Err("a response that is an error".into()),
    }
}

/// The stage `ocsp_verify`.
pub(crate) fn ocsp(threads: &Threads, key: &CaKey, list: &[Vec<u8>]) -> Result<(), Failure> {
    let verify = |der: &Vec<u8>| {
        let basic = basic(der)?;
        verify(
            &*key.public,
            &basic.signature_algorithm,
            basic.tbs_response_data.as_bytes(),
            basic.signature.octets(),
        )
    };
    threads.map(list, verify).map(drop)
}

/// What was signed of certificates, and the signatures.
pub(crate) fn signed_certificates(list: &[Vec<u8>]) -> Result<Vec<Signed>, Failure> {
    let split = |der: &Vec<u8>| {
        let read = Certificate::from_der(der)?;
        Ok((
            read.tbs_certificate.as_bytes().to_vec(),
            read.signature_value.octets().unwrap_or_default().to_vec(),
        ))
    };
    list.iter().map(split).collect()
}

/// What was signed of a CRL, and the signature.
pub(crate) fn signed_crl(der: &[u8]) -> Result<Signed, Failure> {
    let read = CertificateList::from_der(der)?;
    Ok((
        read.tbs_cert_list.as_bytes().to_vec(),
        read.signature_value.octets().unwrap_or_default().to_vec(),
    ))
}

/// What was signed of responses, and the signatures.
pub(crate) fn signed_ocsp(list: &[Vec<u8>]) -> Result<Vec<Signed>, Failure> {
    let split = |der: &Vec<u8>| {
        let basic = basic(der)?;
        Ok((
            basic.tbs_response_data.as_bytes().to_vec(),
            basic.signature.octets().unwrap_or_default().to_vec(),
        ))
    };
    list.iter().map(split).collect()
}

/// That a certificate with one bit of it turned does not verify any more: what verified did look.
pub(crate) fn refuses_forged(key: &CaKey, issuer: &Certificate<'_>, der: &[u8]) -> Result<(), Failure> {
    let (tbs, _) = signed_certificates(&[der.to_vec()])?.pop().ok_or("no certificate")?;
    let serial = Certificate::from_der(der)?
        .tbs_certificate
        .serial_number
        .0
        .as_bytes()
        .to_vec();
    let at = tbs
        .windows(serial.len())
        .position(|octets| octets == serial)
        .ok_or("no serial number")?;
    let from = der
        .windows(tbs.len())
        .position(|octets| octets == tbs)
        .ok_or("no part to be signed")?;
    let mut forged = der.to_vec();
    // The last octet of the number: what is changed is a certificate still.
    let octet = forged.get_mut(from + at + serial.len() - 1).ok_or("no octet")?;
    *octet ^= 1;
    match certificate(key, issuer, &forged) {
        Ok(()) => Err("a forged certificate verifies".into()),
        Err(error) if error.to_string().contains("signature") => Ok(()),
        Err(error) => Err(format!("a forged certificate is refused, but not for its signature: {error}").into()),
    }
}

/// The numbers of certificates, each once.
pub(crate) fn serials(list: &[Vec<u8>]) -> Result<(), Failure> {
    let number = |der: &Vec<u8>| {
        Ok(Certificate::from_der(der)?
            .tbs_certificate
            .serial_number
            .0
            .as_bytes()
            .to_vec())
    };
    let mut all = list.iter().map(number).collect::<Result<Vec<_>, Failure>>()?;
    all.sort_unstable();
    all.dedup();
    if all.len() == list.len() {
        Ok(())
    } else {
        Err("a serial number is there twice".into())
    }
}

/// That a CRL lists so many.
pub(crate) fn entries(der: &[u8], count: usize) -> Result<(), Failure> {
    let read = CertificateList::from_der(der)?;
    let found = read.tbs_cert_list.revoked_certificates.map_or(0, |list| list.len());
    if found == count {
        Ok(())
    } else {
        Err(format!("the CRL lists {found} certificates, not {count}").into())
    }
}

/// That responses say of these numbers, in this order, that they are revoked.
pub(crate) fn revoked<'s>(list: &[Vec<u8>], serials: impl Iterator<Item = &'s [u8]>) -> Result<(), Failure> {
    let mut serials = serials;
    for der in list {
        let basic = basic(der)?;
        let mut responses = basic.tbs_response_data.responses.iter();
        let one = responses.next().ok_or("a response about nothing")??;
        let wanted = serials.next().ok_or("a response too many")?;
        if one.cert_id.serial_number.as_bytes() != wanted || !matches!(one.cert_status, CertStatus::Revoked(_)) {
            return Err("a response is about another certificate, or says another thing".into());
        }
    }
    if serials.next().is_none() {
        Ok(())
    } else {
        Err("a response is missing".into())
    }
}
