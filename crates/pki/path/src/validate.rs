//! Validation of a complete path from the anchor down (RFC 5280 §6.1), with each step labeled.

use std::rc::Rc;

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, encode};
use tagwise_pkix::ext::NameConstraints;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};

use crate::anchors::{self, Anchor};
use crate::cert::Cert;
use crate::constraints::{self, Subtrees};
use crate::policy::Policy;
use crate::policy_graph::Policies;
use crate::refusal::{Refusal, Stop};
use crate::revocation::{self, Checked, Desk, Query, RevocationAnswer, RevocationMode, RevocationScope, Status};
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::Verifier;
use crate::{sct, usage};

/// Places a refusal at a certificate of the chain.
fn ended(stop: impl Into<Stop>, cert: &Cert<'_>, index: usize) -> Stop {
    stop.into().map(|refusal| refusal.within(index, cert.der()))
}

/// Validates a chain, starting with the end-entity certificate, under an anchor. Returns the user-constrained-policy-set.
pub(crate) fn validate<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    chain: &[Rc<Cert<'p>>],
    number: u32,
) -> Result<Option<Vec<OidBuf>>, Stop> {
    let (policy, rules) = (engine.policy, engine.policy.rules);
    let Some(anchor) = engine.anchors.get(number) else { return Err(nothing()) };
    let Some(leaf) = chain.first() else { return Err(nothing()) };
    let n = chain.len() as u64;

    // The rules for anchors were applied when the anchor was found.
    let anchor_cert = engine.anchor_cert(number);
    let anchor_cert = anchor_cert.map_err(|refusal| refusal.within(chain.len(), anchor_der(anchor)))?;
    let anchor_cert = anchor_cert.filter(|_| rules.applies_anchor());

    // §6.1.1 (c), (e) to (g), with those of the anchor.
    let inputs = anchors::inputs(anchor, anchor_cert.as_deref(), &policy.policies);
    // §6.1.2 (a), (d), (e), (f)
    let mut policies = Policies::new(&inputs, n);
    if let Some(cert) = &anchor_cert {
        policies.limits(cert);
    }
    // A trusted certificate has no issuer in the path.
    let is_itself = is_itself(anchor, chain);
    let mut read_as = Vec::new();
    // (b), (c): permitted_subtrees and excluded_subtrees, by the certificate that they come from.
    let mut subtrees: Vec<Rc<Subtrees<'p>>> = Vec::new();
    initial_subtrees(engine, anchor, anchor_cert.as_deref(), &mut subtrees)
        .map_err(|refusal| refusal.within(chain.len(), anchor_der(anchor)))?;
    // (g) to (j)
    let mut working_key = anchors::key(anchor, policy)
        .map_err(|error| Refusal::new(Rule::Malformed, format!("the anchor's key: {error}")))?;
    let mut working_name = if is_itself { leaf.certificate.tbs_certificate.issuer } else { anchor.name() };
    // (k)
    let mut max_path_length = anchors::path_length(anchor, anchor_cert.as_deref()).unwrap_or(n).min(n);
    // The application's own limit is counted in the same way.
    let mut max_intermediates = policy.max_intermediates.map_or(n, u64::from);

    let mut keys = Vec::with_capacity(chain.len());
    let mut is_inherited = false;
    for (index, cert) in chain.iter().enumerate().rev() {
        let last = index == 0;
        let tbs = &cert.certificate.tbs_certificate;
        // §6.1.3 (a)(1): when the certificate was found, unless the key above has the parameters of another (§6.1.4 (d) to (f)).
        if is_inherited {
            engine.signed(cert, &working_key)?.map_err(|refusal| ended(refusal, cert, index))?;
        }
        // (a)(2): when the certificate was found, by `usage::common`. (a)(3): last, for evidence may have to be validated.
        // (a)(4)
        if !tbs.issuer.matches(&working_name) {
            let refusal =
                Refusal::new(Rule::NameChaining, "the issuer differs from the subject of the issuer's certificate");
            return Err(ended(refusal.at(tbs.issuer.0.offset()), cert, index));
        }
        // (b), (c)
        if !cert.self_issued || last {
            for set in &subtrees {
                let held = constraints::check(cert, set, rules, &mut engine.meter);
                held.map_err(|stop| ended(stop, cert, index))?;
            }
        }
        // (d) to (f)
        policies.certificate(cert, last, rules, &mut engine.meter).map_err(|stop| ended(stop, cert, index))?;
        if let Some(above) = chain.get(index + 1).filter(|_| rules.has(Rule::TlsFeatures)) {
            usage::features(cert, above).map_err(|refusal| ended(refusal, cert, index))?;
        }
        keys.push((working_key, working_name));
        is_inherited = usage::inherits(&tbs.subject_public_key_info);
        working_key = next_key(&tbs.subject_public_key_info, &working_key);
        working_name = tbs.subject;
        if last {
            break;
        }
        // §6.1.4 (a), (b), (h) to (j)
        policies.prepare(cert, rules, &mut engine.meter).map_err(|stop| ended(stop, cert, index))?;
        // (g)
        if let Some(set) = cert.subtrees(rules) {
            let set = set.map_err(|refusal| ended(refusal, cert, index))?;
            read_as.extend(set.dotted.map(|host| dotted(host, &cert.title())));
            subtrees.push(set);
        }
        // (k), (n), (o): when the certificate was found, by `usage::issuer` and `usage::common`.
        // (l)
        if !cert.self_issued {
            lengths(cert, &mut max_path_length, &mut max_intermediates, rules)
                .map_err(|refusal| ended(refusal, cert, index))?;
        }
        // (m)
        if let Some(limit) = cert.basic.and_then(|basic| basic.value.path_len_constraint) {
            max_path_length = max_path_length.min(limit.get());
        }
    }
    // §6.1.5 (a), (b), (g); (c) to (e) gave the key above; (f): by `usage::common`.
    let constrained = policies.wrap_up(leaf, inputs.initial.as_deref(), rules);
    let constrained = constrained.map_err(|refusal| ended(refusal, leaf, 0))?;
    timestamps(engine, chain, number)?;
    // §6.1.3 (a)(3)
    if !is_itself {
        revocation(engine, chain, number, &keys)?;
    } else if policy.evidence_time().is_some() {
        let text = "is not revoked: it is itself a trust anchor, and revocation is checked only below anchors";
        engine.assumptions.push(format!("{} {text}", leaf.title()));
    }
    engine.assumptions.append(&mut read_as);
    // Those of evidence signers are not the user's concern.
    if engine.depth == 0 {
        if anchor.certificate() != Some(leaf.buf) {
            engine.assumptions.extend(anchors::assumed(anchor, chain, policy));
        }
        engine.assumptions.extend(usage::assumed_staple(leaf, policy));
        engine.assumptions.extend(assumed(anchor, chain, is_itself, policy));
    }
    Ok(constrained)
}

/// Returns what a valid path assumes about the anchor, about weak keys, including the anchor's, and about the weak digests of signatures.
fn assumed(anchor: &Anchor, chain: &[Rc<Cert<'_>>], is_itself: bool, policy: &Policy) -> Vec<String> {
    let mut found: Vec<String> = anchor.constraints.assumption.clone().into_iter().collect();
    for cert in chain {
        let Certificate { tbs_certificate: tbs, signature_algorithm, .. } = &cert.certificate;
        let title = cert.title();
        found.extend(usage::assumed_key(&tbs.subject_public_key_info.info(), &title, policy));
        if !is_itself {
            found.extend(usage::assumed_digest(signature_algorithm, &title, policy));
        }
    }
    if let (false, Ok(key)) = (is_itself, anchors::key(anchor, policy)) {
        found.extend(usage::assumed_key(&key.info(), &anchor.name().oneline().to_string(), policy));
    }
    found
}

/// Returns whether a path consists of one certificate that is itself the anchor.
fn is_itself(anchor: &Anchor, chain: &[Rc<Cert<'_>>]) -> bool {
    matches!(chain, [only] if anchor.certificate() == Some(only.buf) && !only.self_issued)
}

/// Describes the interpretation of a dNSName constraint with a leading dot, which RFC 5280 does not define.
fn dotted(host: &str, of: &str) -> String {
    let below = host.trim_start_matches('.');
    format!(
        "the dNSName constraint {host} of {of} covers the names below {below}, but not {below} itself (rule leading-dot)"
    )
}

fn nothing() -> Stop {
    Refusal::new(Rule::NoIssuer, "no path found").into()
}

fn anchor_der(anchor: &Anchor) -> &[u8] {
    anchor.certificate().map(|certificate| certificate.as_der()).unwrap_or_default()
}

/// Adds the initial name constraints: those of the anchor and its certificate (RFC 5937 §3.2), and those of the policy (§6.1.1
/// (h) and (i)).
fn initial_subtrees<'p, V: ?Sized>(
    engine: &Engine<'p, V>,
    anchor: &'p Anchor,
    cert: Option<&Cert<'p>>,
    subtrees: &mut Vec<Rc<Subtrees<'p>>>,
) -> Result<(), Refusal> {
    let rules = engine.policy.rules;
    if let Some(set) = cert.and_then(|cert| cert.subtrees(rules)) {
        subtrees.push(set?);
    }
    let given = [("anchor", &anchor.constraints.name_constraints), ("policy", &engine.policy.subtrees)];
    for (whose, der) in given.iter().filter_map(|(whose, der)| Some((whose, der.as_ref()?))) {
        let constraints = NameConstraints::from_der(der)
            .map_err(|error| Refusal::new(Rule::Malformed, format!("the {whose}'s name constraints: {error}")))?;
        subtrees.push(Rc::new(Subtrees::new(&constraints, rules)?));
    }
    Ok(())
}

/// Applies §6.1.4 (c) to (f): returns the key, which inherits missing parameters from the previous key of the same algorithm.
fn next_key<'p>(key: &SubjectPublicKeyInfo<'p>, above: &SubjectPublicKeyInfo<'p>) -> SubjectPublicKeyInfo<'p> {
    let mut next = *key;
    if usage::inherits(key) && above.algorithm.algorithm == usage::INHERITS {
        next.algorithm.parameters = above.algorithm.parameters;
    }
    next
}

/// Applies (l) for both limits.
fn lengths(cert: &Cert<'_>, path: &mut u64, intermediates: &mut u64, rules: crate::RuleSet) -> Result<(), Refusal> {
    let offset = cert.certificate.tbs_certificate.subject.0.offset();
    for (left, rule, message) in [
        (path, Rule::PathLength, "more intermediate certificates than a CA higher in the path allows"),
        (intermediates, Rule::MaxIntermediates, "more intermediate certificates than the policy allows"),
    ] {
        match left.checked_sub(1) {
            Some(less) => *left = less,
            None if rules.has(rule) => return Err(Refusal::new(rule, message).at(offset)),
            None => {}
        }
    }
    Ok(())
}

/// Checks the end-entity certificate's timestamps (RFC 6962) with the key of its issuer.
fn timestamps<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    chain: &[Rc<Cert<'p>>],
    number: u32,
) -> Result<(), Stop> {
    let Some(leaf) = chain.first().filter(|_| engine.policy.scts.is_some()) else { return Ok(()) };
    let above = chain.get(1).map(|cert| cert.certificate.tbs_certificate.subject_public_key_info);
    let key = match (above, engine.anchors.get(number)) {
        (Some(key), _) => encode(&key).unwrap_or_default(),
        (None, Some(anchor)) => anchor.key().to_vec(),
        (None, None) => return Err(nothing()),
    };
    engine.timestamps = sct::check(engine, leaf, &key).map_err(|stop| ended(stop, leaf, 0))?;
    Ok(())
}

/// Applies §6.1.3 (a)(3) to the certificates that the policy covers.
fn revocation<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    chain: &[Rc<Cert<'p>>],
    number: u32,
    keys: &[(SubjectPublicKeyInfo<'p>, tagwise_pkix::Name<'p>)],
) -> Result<(), Stop> {
    let before = core::mem::take(&mut engine.accounts);
    let checked = statuses(engine, chain, number, keys);
    // A valid path reports only its own evidence. For a signer's path, the outer validation's records are kept.
    if checked.is_err() || engine.depth > 0 {
        engine.accounts.merge(before);
    }
    checked
}

fn statuses<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    chain: &[Rc<Cert<'p>>],
    number: u32,
    keys: &[(SubjectPublicKeyInfo<'p>, tagwise_pkix::Name<'p>)],
) -> Result<(), Stop> {
    let policy = engine.policy;
    let is_ignored = policy.revocation.mode == RevocationMode::Ignore || !policy.rules.has(Rule::Revocation);
    // RFC 7633 §4.2.3.1: the status of such a certificate must be stapled in the handshake.
    let needs_staple = chain.first().is_some_and(|leaf| usage::needs_staple(leaf, policy));
    if is_ignored && !needs_staple {
        return Ok(());
    }
    engine.accounts.check();
    let covered = match policy.revocation.scope {
        _ if is_ignored => 1,
        RevocationScope::Leaf => 1,
        RevocationScope::WholePath => chain.len(),
    };
    let anchor_certificate =
        engine.anchors.get(number).and_then(Anchor::certificate).map(|certificate| *certificate.get());
    let (mut assumed, mut answers) = (Vec::new(), Vec::new());
    let mut undecided = None;
    // From the anchor down, because statements of a revoked CA about lower certificates do not count. The keys are known in that
    // order.
    for (index, cert) in chain.iter().enumerate().rev().filter(|(index, _)| *index < covered) {
        let Some((issuer_key, issuer)) = keys.get(chain.len() - 1 - index) else { continue };
        let query = Query {
            certificate: cert.certificate,
            der: cert.der(),
            issuer: *issuer,
            issuer_key: *issuer_key,
            issuer_certificate: chain.get(index + 1).map(|above| above.certificate).or(anchor_certificate),
            is_leaf: index == 0,
            is_ca: cert.is_ca(),
            policy: &policy.revocation,
            time: policy.time,
            evidence_time: policy.revocation.evidence_time.unwrap_or(policy.time),
        };
        let mut desk = Desk { engine: &mut *engine, chain, anchor: number, keys, index, assumed: Vec::new() };
        let Checked { status, in_doubt } = revocation::check(&query, &mut desk)?;
        for text in core::mem::take(&mut desk.assumed) {
            if !assumed.contains(&text) {
                assumed.push(text);
            }
        }
        let offset = cert.offset_of(cert.certificate.tbs_certificate.serial_number.as_bytes());
        match &status {
            Status::Good { .. } => {}
            Status::Revoked { since, reason, source } => {
                let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
                let message = format!("revoked on {since}{reason}, according to {source}");
                return Err(ended(Refusal::new(Rule::Revocation, message).at(offset), cert, index));
            }
            Status::Unknown { why } if in_doubt || policy.revocation.mode == RevocationMode::Require => {
                let message = format!("its revocation status is unknown: {why}");
                let refusal = Refusal::new(Rule::Revocation, message).at(offset).undecided();
                // A lower certificate may be revoked; then the path is invalid regardless of this one.
                undecided.get_or_insert(refusal.within(index, cert.der()));
            }
            Status::Unknown { why } if needs_staple && index == 0 => {
                let message = format!("the stapled OCSP response does not report the certificate as good: {why}");
                return Err(ended(Refusal::new(Rule::MustStaple, message).at(offset), cert, index));
            }
            Status::Unknown { why } => {
                assumed.push(format!("{} is not revoked; its status is unknown: {why}", cert.title()));
            }
        }
        answers.push(RevocationAnswer { certificate: index, status });
    }
    if let Some(refusal) = undecided {
        return Err(refusal.into());
    }
    engine.assumptions.append(&mut assumed);
    engine.revocation = answers;
    Ok(())
}
