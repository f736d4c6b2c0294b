//! Reads cases as JSON lines, verifies each with rustls-webpki, and writes the results as JSON lines.
#![forbid(unsafe_code)]

use std::io::{self, BufRead, Write};
use std::time::Duration;

use base64::Engine as _;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use serde::{Deserialize, Serialize};
use webpki::{
    ALL_VERIFICATION_ALGS, BorrowedCertRevocationList, CertRevocationList, EndEntityCert, KeyUsage,
    RevocationCheckDepth, RevocationOptionsBuilder, UnknownStatusPolicy, anchor_from_trusted_cert,
};

#[derive(Deserialize)]
struct Case {
    id: String,
    leaf: String,
    pool: Vec<String>,
    roots: Vec<String>,
    crls: Vec<String>,
    unix: u64,
    purpose: String,
    name: Option<(String, String)>,
}

#[derive(Serialize)]
struct Answer {
    id: String,
    valid: bool,
    reason: String,
}

fn der(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).expect("base64 in a case")
}

fn verify(case: &Case) -> Result<(), String> {
    let said = |error: webpki::Error| format!("{error:?}");
    let ders = |list: &[String]| -> Vec<CertificateDer<'static>> { list.iter().map(|text| der(text).into()).collect() };
    let (leaf, pool, roots) = (CertificateDer::from(der(&case.leaf)), ders(&case.pool), ders(&case.roots));
    let leaf = EndEntityCert::try_from(&leaf).map_err(said)?;
    let anchors = roots.iter().map(anchor_from_trusted_cert).collect::<Result<Vec<_>, _>>().map_err(said)?;
    let crls =
        case.crls.iter().map(|text| BorrowedCertRevocationList::from_der(&der(text)).and_then(|crl| crl.to_owned()));
    let crls = crls.map(|crl| crl.map(CertRevocationList::from)).collect::<Result<Vec<_>, _>>().map_err(said)?;
    let crls: Vec<&CertRevocationList<'_>> = crls.iter().collect();
    let revocation = match crls.is_empty() {
        true => None,
        false => Some(
            RevocationOptionsBuilder::new(&crls)
                .map_err(|_| "no CRLs")?
                .with_depth(RevocationCheckDepth::EndEntity)
                .with_status_policy(UnknownStatusPolicy::Deny)
                .build(),
        ),
    };
    let usage = if case.purpose == "client" { KeyUsage::client_auth() } else { KeyUsage::server_auth() };
    let time = UnixTime::since_unix_epoch(Duration::from_secs(case.unix));
    leaf.verify_for_usage(ALL_VERIFICATION_ALGS, &anchors, &pool, time, usage, revocation, None).map_err(said)?;
    if let Some((_, name)) = &case.name {
        let name = ServerName::try_from(name.as_str()).map_err(|error| error.to_string())?;
        leaf.verify_is_valid_for_subject_name(&name).map_err(said)?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let case: Case = serde_json::from_str(&line?)?;
        let done = verify(&case);
        let reason = done.as_ref().err().map_or_else(|| "OK".to_owned(), |error| error.chars().take(160).collect());
        serde_json::to_writer(&mut out, &Answer { id: case.id, valid: done.is_ok(), reason })?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
