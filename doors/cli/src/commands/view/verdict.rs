//! The verdict on the certificates of the files.

use serde_json::{Value, json};
use tagwise_codec::{Options, RuleSet};
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::path::{MtcVerifier, recognize};
use tagwise_path::{Anchor, Anchors, Pool};
use tagwise_pkix::Certificate;

use crate::commands::verify::ends;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::subject;
use crate::shared::moment::now;
use crate::shared::output::Failure;
use crate::shared::trust::{self, CertificateSource, Choice, Origin, Purpose, Signatures};

/// The maximum number of end-entity certificates to verify.
const LEAVES: usize = 20;

/// Verifies the end-entity certificates, and returns the verdict on the first one, or null without certificates. Its `others` are
/// the verdicts on the others, and `omitted` is the number of those that were not verified. Without sources of trust anchors, the
/// self-signed certificates of the files are the anchors, and `trusted` is false.
///
/// # Errors
/// Returns an error if a source cannot be read.
pub(super) fn verdict(context: &Context, found: Vec<CertificateSource>, origins: &[Origin]) -> Result<Value, Failure> {
    let anchors = if origins.is_empty() { self_signed(&found) } else { trust::read_anchors(context, origins, None)? };
    // If none is below all others, the page shows the verdict on the first.
    let mut leaves = ends("", &found).unwrap_or_else(|_| found.first().cloned().into_iter().collect());
    let omitted = leaves.len().saturating_sub(LEAVES);
    leaves.truncate(LEAVES);
    let mut pool = Pool::new();
    for other in found {
        // One that does not decode is of no use in a path.
        let _ = pool.add(other.der);
    }
    let party = trust::relying_party(context, &anchors, &[])?;
    let choice = Choice::new(context, None, Some(Purpose::Any), now(), &anchors, origins, |policy| {
        trust::allow(context, policy)
    })?;
    let (signatures, cosignatures) = (Signatures::allowing(context, EMBEDDED, &[]), BackendCheck::new(EMBEDDED));
    let verifier = MtcVerifier { signatures: &signatures, party: &party, cosignatures: &cosignatures };
    let judge = |leaf: &CertificateSource| -> Result<Value, Failure> {
        let document = trust::document(&choice.judge(&leaf.der, &pool, false, &verifier))?;
        let mut document = serde_json::to_value(document).map_err(std::io::Error::other)?;
        if let Some(document) = document.as_object_mut() {
            document.insert("subject".to_owned(), json!(subject(context, &leaf.der)));
            document.insert("trusted".to_owned(), json!(!origins.is_empty()));
        }
        Ok(document)
    };
    let mut verdicts = leaves.iter().map(judge).collect::<Result<Vec<_>, _>>()?.into_iter();
    let Some(mut first) = verdicts.next() else { return Ok(Value::Null) };
    if let Some(first) = first.as_object_mut() {
        first.insert("others".to_owned(), verdicts.collect());
        first.insert("omitted".to_owned(), json!(omitted));
    }
    Ok(first)
}

/// Returns the certificates with the same subject and issuer as anchors.
fn self_signed(found: &[CertificateSource]) -> Anchors {
    let mut anchors = Anchors::new();
    for CertificateSource { der, .. } in found {
        let read = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(der);
        let is_own = read.is_ok_and(|read| {
            let tbs = read.value.tbs_certificate;
            tbs.subject.match_key() == tbs.issuer.match_key()
        });
        if let Some(Ok(anchor)) = is_own.then(|| Anchor::from_certificate(der.as_slice())) {
            anchors.add(anchor);
        }
    }
    recognize(anchors)
}
