//! Statements of an anchor's certificate about the paths below it. Faults in its other fields are ignored.

use tagwise_codec::{Decode, OidBuf, Reader, Session, Typed};
use tagwise_pkix::ext::{
    BasicConstraints, ExtKeyUsage, InhibitAnyPolicy, KeyUsage, KnownExtension, NameConstraints, PolicyConstraints,
};
use tagwise_pkix::{CertificateBuf, Extension, Version, oids};

use super::{Anchor, FRAME};
use crate::cert::Cert;
use crate::policy::Policy;
use crate::refusal::Refusal;
use crate::rules::Rule;
use crate::usage;

/// The statements of an anchor's certificate, read once.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated {
    /// The reason not to verify certificates with this key, the clause, and the offset of the extension.
    denial: Option<(&'static str, &'static str, usize)>,
    /// True if the certificate has name constraints.
    names: bool,
    /// True if the certificate has policy constraints or inhibits `anyPolicy`.
    policies: bool,
    path_length: Option<u64>,
    purposes: Option<Vec<OidBuf>>,
}

fn value<'a, T: Decode<'a> + Typed>(extension: &Extension<'a>) -> Option<T> {
    FRAME.outline::<T>(extension.extn_value.as_bytes()).map(|read| read.value).ok()
}

/// Returns the extensions of a list, except those that have another structure.
fn extensions(list: &[u8]) -> Vec<Extension<'_>> {
    let session = Session::new(FRAME);
    let Ok(mut reader) = Reader::with_session(list, &session) else { return Vec::new() };
    let mut found = Vec::new();
    while reader.remaining() > 0 {
        let Ok(element) = reader.skip() else { break };
        found.extend(FRAME.outline::<Extension<'_>>(element).map(|read| read.value));
    }
    found
}

impl Stated {
    pub(super) fn of(certificate: &CertificateBuf) -> Self {
        let mut stated = Self::default();
        let tbs = &certificate.get().tbs_certificate;
        let offset = |part: &[u8]| (part.as_ptr() as usize).saturating_sub(certificate.as_der().as_ptr() as usize);
        // An earlier version has no extensions, so it can't say that it is not a CA's (§6.1.4 (k)).
        // One of several basic constraints may deny it.
        let (mut is_ca, mut is_denied) = (tbs.version != Version::V3, false);
        let mut at = tbs.offset();
        let list = tbs.extensions.and_then(|extensions| extensions.as_seq_of().content()).unwrap_or_default();
        for extension in extensions(list) {
            let start = offset(extension.extn_value.as_bytes());
            match extension.extn_id {
                BasicConstraints::ID => {
                    is_ca = value::<BasicConstraints<'_>>(&extension).is_some_and(|basic| {
                        stated.path_length = basic.path_len_constraint.map(|limit| limit.get());
                        basic.ca
                    });
                    is_denied |= !is_ca;
                    at = start;
                }
                KeyUsage::ID if !value::<KeyUsage<'_>>(&extension).is_some_and(|usage| usage.0.contains(5)) => {
                    let reason = "the key usage of the anchor's certificate does not include keyCertSign";
                    stated.denial = Some((reason, "RFC 5280 §4.2.1.3", start));
                }
                NameConstraints::ID => stated.names = true,
                PolicyConstraints::ID | InhibitAnyPolicy::ID => stated.policies = true,
                ExtKeyUsage::ID => {
                    let listed = value::<ExtKeyUsage<'_>>(&extension);
                    stated.purposes = Some(
                        listed.iter().flat_map(|list| list.0.iter().map_while(Result::ok)).map(OidBuf::from).collect(),
                    );
                }
                _ => {}
            }
        }
        if !is_ca || is_denied {
            let reason = "the anchor's certificate is not a CA's, so it can only be trusted itself";
            stated.denial = Some((reason, "RFC 5280 §4.2.1.9", at));
        }
        stated
    }
}

/// Checks that an anchor may issue certificates. RFC 5280 §4.2.1.9 and §4.2.1.3 forbid verifying certificates with the key of a
/// certificate that is not a CA's, whoever trusts it.
pub(crate) fn may_issue(anchor: &Anchor, policy: &Policy) -> Result<(), Refusal> {
    match anchor.stated().and_then(|stated| stated.denial) {
        Some((reason, clause, offset)) if policy.rules.has(Rule::AnchorCa) => {
            Err(Refusal::new(Rule::AnchorCa, reason).at(offset).clause(clause))
        }
        _ => Ok(()),
    }
}

/// Lists what a valid path assumes about its anchor. The policy may ignore constraints in the anchor's certificate (§6.1.1 (d)), and it
/// may not ask for a purpose.
pub(crate) fn assumed(anchor: &Anchor, chain: &[std::rc::Rc<Cert<'_>>], policy: &Policy) -> Vec<String> {
    let mut assumed = Vec::new();
    let named = |purposes: &[OidBuf]| purposes.iter().map(usage::purpose_name).collect::<Vec<_>>().join(", ");
    if let Some(trusted) = anchor.constraints.purposes.as_deref().filter(|_| policy.purposes.is_empty()) {
        assumed.push(format!("the use is one for which {} is trusted: {}", anchor.label(), named(trusted)));
    }
    let Some(stated) = anchor.stated().filter(|_| !policy.rules.applies_anchor()) else { return assumed };
    let between = chain.iter().skip(1).filter(|cert| !cert.self_issued).count() as u64;
    let allows = |listed: &Vec<OidBuf>, purpose: &OidBuf| {
        listed.contains(purpose) || listed.iter().any(|listed| *listed == oids::ANY_EXTENDED_KEY_USAGE)
    };
    let unapplied = [
        ("name constraints", stated.names),
        ("path length constraint", stated.path_length.is_some_and(|limit| between > limit)),
        ("policy constraints", stated.policies),
        (
            "extended key usage",
            stated
                .purposes
                .as_ref()
                .is_some_and(|listed| !policy.purposes.iter().all(|purpose| allows(listed, purpose))),
        ),
    ];
    for (what, _) in unapplied.iter().filter(|(_, matters)| *matters) {
        let label = anchor.label();
        assumed.push(format!(
            "the {what} of {label} may be ignored, because it is a trust anchor (RFC 5280 §6.1.1 (d)); the rule \
             anchor-constraints applies it"
        ));
    }
    assumed
}
