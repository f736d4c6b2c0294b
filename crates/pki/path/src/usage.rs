//! Checks of individual certificates that do not depend on the path: for all certificates, CAs, and the end-entity
//! certificate.

use std::collections::HashSet;

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, Int};
use tagwise_pkix::ext::TlsFeature;
use tagwise_pkix::pss::RsassaPssParams;
use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, KeyInfo, SubjectPublicKeyInfo, Version, lint, oids};

use crate::cert::{CRL_SIGN, Cert, DIGITAL_SIGNATURE, Ext, KEY_CERT_SIGN};
use crate::policy::Policy;
use crate::profile::{KeyKind, STRONG_KEYS};
use crate::refusal::Refusal;
use crate::rules::{Rule, RuleSet};
use crate::verifier::FORGEABLE;

/// Lints about the syntax of names.
const NAME_SYNTAX: &[&str] = &[
    "rfc5280.4.2.1.6.rfc822_name",
    "rfc5280.4.2.1.6.dns_name",
    "rfc5280.4.2.1.6.blank_dns_name",
    "rfc5280.4.2.1.6.uri",
    "rfc5280.4.2.1.6.uri_host",
];

/// Performs the checks for every certificate of a path except the anchor's. Conformance is checked last, in
/// [`conformance`]. The signature of a directly trusted certificate is not considered.
pub(crate) fn common(cert: &Cert<'_>, policy: &Policy, is_trusted: bool) -> Result<(), Refusal> {
    // §6.1.3 (a)(2)
    validity(cert.buf, policy, Rule::Validity)?;
    // §6.1.4 (o), §6.1.5 (f)
    cert.understood()?;
    if policy.rules.has(Rule::VersionThree) && cert.certificate.tbs_certificate.version != Version::V3 {
        let offset = cert.certificate.tbs_certificate.offset();
        return Err(Refusal::new(Rule::VersionThree, "the certificate is not of version 3").at(offset));
    }
    if policy.rules.has(Rule::DuplicatePolicy) {
        duplicate_policy(cert)?;
    }
    if !is_trusted {
        signature_algorithm(cert, policy)?;
    }
    key(cert, policy)
}

/// RFC 5280 §4.2.1.4: "A certificate policy OID MUST NOT appear more than once in a certificate policies extension."
fn duplicate_policy(cert: &Cert<'_>) -> Result<(), Refusal> {
    let Some(policies) = &cert.policies else { return Ok(()) };
    let mut seen = HashSet::new();
    for policy in policies.value.0.iter().map_while(Result::ok).map(|information| information.policy_identifier) {
        if !seen.insert(policy) {
            let refusal = Refusal::new(Rule::DuplicatePolicy, format!("duplicate certificate policy {policy}"));
            return Err(refusal.at(cert.offset_of(policy.as_bytes())));
        }
    }
    Ok(())
}

/// Applies §6.1.3 (a)(2): checks that the time lies within the validity period.
pub(crate) fn validity(cert: &CertificateBuf, policy: &Policy, rule: Rule) -> Result<(), Refusal> {
    let validity = cert.get().tbs_certificate.validity;
    let (before, after) = validity_offsets(cert);
    if !policy.rules.has(rule) {
        return Ok(());
    }
    if policy.time < validity.not_before.unix() {
        let message = format!("not valid before {}; the time is {}", validity.not_before, policy.time);
        return Err(Refusal::new(rule, message).at(before));
    }
    if policy.time > validity.not_after.unix() {
        let message = format!("expired on {}; the time is {}", validity.not_after, policy.time);
        return Err(Refusal::new(rule, message).at(after));
    }
    Ok(())
}

/// Returns the offsets of notBefore and notAfter. The validity follows the issuer.
fn validity_offsets(cert: &CertificateBuf) -> (usize, usize) {
    let issuer = cert.get().tbs_certificate.issuer.0;
    let start = issuer.offset() + issuer.content().map_or(0, <[u8]>::len);
    // The headers of the validity and of the first time are two bytes each, because both are short.
    let first = start + 2;
    let len = cert.as_der().get(first + 1).copied().unwrap_or_default();
    (first, first + 2 + usize::from(len))
}

/// Checks for unsigned certificates (RFC 9925 §3) and digests that collide.
fn signature_algorithm(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let algorithm = cert.certificate.signature_algorithm;
    if algorithm.algorithm == oids::ALG_UNSIGNED {
        let refusal = Refusal::new(Rule::Unsigned, "the certificate is unsigned, but not a trust anchor");
        return Err(refusal.at(cert.algorithm_offset()));
    }
    match weak_signature(&algorithm, policy) {
        Some(why) => Err(Refusal::new(Rule::WeakDigest, why).at(cert.algorithm_offset())),
        None => Ok(()),
    }
}

/// Returns the reason why a policy rejects a signature algorithm, if it does.
pub(crate) fn weak_signature(algorithm: &AlgorithmIdentifier<'_>, policy: &Policy) -> Option<String> {
    if algorithm.algorithm == oids::ALG_UNSIGNED {
        return Some("the certificate is unsigned".to_owned());
    }
    let is_rejected = policy.rules.has(Rule::WeakDigest) && has_weak_digest(algorithm);
    is_rejected.then(|| format!("{} uses a digest with known collisions", name_of(algorithm)))
}

/// Returns what accepting a signature assumes about its digest if the policy does not check digests: that no collision was used. `what`
/// names the signed object.
pub(crate) fn assumed_digest(algorithm: &AlgorithmIdentifier<'_>, what: &str, policy: &Policy) -> Option<String> {
    let is_assumed = !policy.rules.has(Rule::WeakDigest) && has_weak_digest(algorithm);
    is_assumed.then(|| {
        let name = name_of(algorithm);
        format!("the signature of {what} ({name}) is not forged by a collision of its weak digest; the rule weak-digest rejects it (RFC 6194)")
    })
}

fn name_of(algorithm: &AlgorithmIdentifier<'_>) -> &'static str {
    algorithm.name().unwrap_or("the signature algorithm")
}

/// Returns whether a signature algorithm uses MD2, MD4, MD5 or SHA-1.
fn has_weak_digest(algorithm: &AlgorithmIdentifier<'_>) -> bool {
    const WEAK: &[tagwise_codec::Oid<'static>] = &[
        oids::SHA1_WITH_RSA_ENCRYPTION,
        oids::SHA1_WITH_RSA,
        oids::OIW_DSA_WITH_SHA1,
        oids::DSA_WITH_SHA1,
        oids::ECDSA_WITH_SHA1,
    ];
    // RSASSA-PSS without parameters, or without a digest in them, has SHA-1 (RFC 4055 §3.1).
    let pss = algorithm.algorithm == oids::RSASSA_PSS
        && algorithm.parameters.is_none_or(|parameters| {
            let digest = RsassaPssParams::from_der(parameters.as_bytes()).map(|read| read.hash_algorithm.algorithm);
            digest.is_err() || matches!(digest, Ok(digest) if digest == oids::SHA1 || digest == oids::MD5)
        });
    pss || WEAK.contains(&algorithm.algorithm) || FORGEABLE.contains(&algorithm.algorithm)
}

/// Checks the algorithm and size of the subject's key.
pub(crate) fn key(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let info = cert.certificate.tbs_certificate.subject_public_key_info.info();
    key_info(&info, policy).map_err(|refusal| refusal.at(cert.key_offset()))
}

/// Checks the algorithm and size of any key.
pub(crate) fn key_info(info: &KeyInfo, policy: &Policy) -> Result<(), Refusal> {
    if !policy.rules.has(Rule::KeySize) {
        return Ok(());
    }
    let refusal = || Refusal::new(Rule::KeySize, format!("key type or size not allowed by {}: {info}", policy.profile));
    // A profile without the rule lists no keys. If the rule is enforced all the same, keys must be strong.
    let keys: &[KeyKind] = if policy.keys.is_empty() && policy.other_keys { STRONG_KEYS } else { &policy.keys };
    if fits(info, keys, policy.other_keys) { Ok(()) } else { Err(refusal()) }
}

/// Returns whether a key is among those listed, or of another algorithm if `others` is set.
fn fits(info: &KeyInfo, keys: &[KeyKind], others: bool) -> bool {
    let mut named = keys.iter().filter(|kind| kind.algorithm == info.algorithm).peekable();
    match named.peek() {
        None => others,
        Some(_) => named.any(|kind| {
            // A key of unknown size may be too small.
            info.bits.is_some_and(|bits| bits >= kind.min_bits && bits.is_multiple_of(kind.multiple_of.max(1)))
                && kind.curve.is_none_or(|curve| info.curve == Some(curve))
        }),
    }
}

/// Returns what a valid path assumes about a key if the policy does not check key sizes: that a weak key is not broken. `title`
/// names its holder.
pub(crate) fn assumed_key(info: &KeyInfo, title: &str, policy: &Policy) -> Option<String> {
    let is_checked = policy.rules.has(Rule::KeySize);
    (!is_checked && !fits(info, STRONG_KEYS, true)).then(|| {
        format!("the weak key of {title} ({info}) is not broken; the rule key-size rejects it (NIST SP 800-57 part 1 §5.6.1)")
    })
}

/// Returns what a valid path assumes about the server of a certificate that requires a stapled OCSP response, outside of a connection.
pub(crate) fn assumed_staple(cert: &Cert<'_>, policy: &Policy) -> Option<String> {
    let is_unknown = policy.rules.has(Rule::MustStaple) && policy.stapled.is_none();
    status_request(cert).filter(|_| is_unknown).map(|_| {
        let title = cert.title();
        format!("the server of {title} staples an OCSP response, as its certificate requires (RFC 7633 §4.2.3.1)")
    })
}

/// Checks the requirements of RFC 5280 §4, using the selected lints.
pub(crate) fn conformance(cert: &Cert<'_>, rules: RuleSet, lints: lint::Options) -> Result<(), Refusal> {
    if lints == lint::Options::none() {
        return Ok(());
    }
    let findings = lint::certificate(&cert.certificate, &lints).sorted();
    for finding in &findings {
        let rule = if NAME_SYNTAX.contains(&finding.lint.id) { Rule::NameSyntax } else { Rule::Conformance };
        if rules.has(rule) {
            let message = format!("{} [{}]", finding.lint.title, finding.lint.id);
            return Err(Refusal::new(rule, message).at(finding.offset).clause(finding.lint.clause));
        }
    }
    Ok(())
}

/// Checks the certificate of a CA.
pub(crate) fn issuer(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    // §6.1.4 (k)
    if policy.rules.has(Rule::BasicConstraints) && !cert.is_ca() {
        let (message, offset) = match &cert.basic {
            Some(basic) => ("the basic constraints do not identify the subject as a CA", basic.offset),
            None => ("an issuer has no basic constraints", cert.extensions_offset()),
        };
        return Err(Refusal::new(Rule::BasicConstraints, message).at(offset));
    }
    // §6.1.4 (n)
    if let Some(usage) =
        cert.usage.filter(|usage| usage.value & KEY_CERT_SIGN == 0 && policy.rules.has(Rule::KeyCertSign))
    {
        let refusal = Refusal::new(Rule::KeyCertSign, "the key usage of an issuer does not include keyCertSign");
        return Err(refusal.at(usage.offset));
    }
    if policy.rules.has(Rule::PurposeChain) {
        purposes(cert, policy, Rule::PurposeChain, false)?;
    }
    Ok(())
}

/// Checks that the required purposes are among those of a certificate that has any; if `explicit`, it must have them.
fn purposes(cert: &Cert<'_>, policy: &Policy, rule: Rule, explicit: bool) -> Result<(), Refusal> {
    let Some(allowed) = &cert.purposes else {
        if explicit && !policy.purposes.is_empty() {
            return Err(Refusal::new(rule, "the certificate has no extended key usage").at(cert.extensions_offset()));
        }
        return Ok(());
    };
    let any = !explicit && allowed.value.contains(oids::ANY_EXTENDED_KEY_USAGE);
    for purpose in policy.purposes.iter().filter(|_| !any) {
        if !allowed.value.contains(purpose.as_oid()) {
            let message = format!("the extended key usage does not include {}", purpose_name(purpose));
            return Err(Refusal::new(rule, message).at(allowed.offset));
        }
    }
    Ok(())
}

/// Returns the name of a purpose (`serverAuth`), or its identifier if it has no name.
pub(crate) fn purpose_name(purpose: &OidBuf) -> String {
    oids::lookup(purpose.as_oid()).map_or_else(|| purpose.to_string(), |info| info.short_name().to_owned())
}

/// Checks that the end-entity certificate allows the required purposes.
pub(crate) fn purpose(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    if policy.rules.has(Rule::Purpose) {
        purposes(cert, policy, Rule::Purpose, policy.explicit_purposes)?;
    }
    Ok(())
}

/// Checks the end-entity certificate, except for its names and purposes.
pub(crate) fn leaf(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let rules = policy.rules;
    if rules.has(Rule::LeafNotCa) {
        if let Some(basic) = cert.basic.filter(|basic| basic.value.ca) {
            return Err(
                Refusal::new(Rule::LeafNotCa, "the end-entity certificate is a CA certificate").at(basic.offset)
            );
        }
        if let Some(usage) = cert.usage.filter(|usage| usage.value & KEY_CERT_SIGN != 0) {
            return Err(Refusal::new(
                Rule::LeafNotCa,
                "the key usage of the end-entity certificate includes keyCertSign",
            )
            .at(usage.offset));
        }
    }
    if let Some(usage) = cert.usage
        && rules.has(Rule::KeyUsage)
        && policy.key_usage != 0
        && usage.value & u64::from(policy.key_usage) == 0
    {
        let message = "the key usage has none of the requested bits";
        return Err(Refusal::new(Rule::KeyUsage, message).at(usage.offset));
    }
    if rules.has(Rule::MustStaple)
        && policy.stapled == Some(false)
        && let Some(features) = status_request(cert)
    {
        let message = "the certificate requires a stapled OCSP response, but the server sent none";
        return Err(Refusal::new(Rule::MustStaple, message).at(features.offset));
    }
    if rules.has(Rule::PurposePresent) {
        present(cert)?;
    }
    if rules.has(Rule::PurposeOnly) {
        alone(cert, policy)?;
    }
    if rules.has(Rule::CodeSigningUsage) {
        signs_code(cert)?;
    }
    Ok(())
}

/// Returns the TLS features of a certificate, if they require a stapled OCSP response (RFC 7633 §4.1).
fn status_request<'c, 'p>(cert: &'c Cert<'p>) -> Option<&'c Ext<TlsFeature<'p>>> {
    cert.features.as_ref().filter(|features| {
        let has = |feature| features.value.contains(feature);
        has(TlsFeature::STATUS_REQUEST) || has(TlsFeature::STATUS_REQUEST_V2)
    })
}

/// Checks that a certificate includes the TLS features of its issuer's certificate (RFC 7633 §4.2.2).
pub(crate) fn features(cert: &Cert<'_>, above: &Cert<'_>) -> Result<(), Refusal> {
    let Some(demanded) = &above.features else { return Ok(()) };
    let own = cert.features.iter().flat_map(|features| features.value.0.iter()).map_while(Result::ok);
    let own: HashSet<Int<'_>> = own.collect();
    let mut demanded = demanded.value.0.iter().map_while(Result::ok);
    let Some(missing) = demanded.find(|feature| !own.contains(feature)) else { return Ok(()) };
    let message = format!("TLS feature {missing} of the issuer's certificate is missing");
    let offset = cert.features.as_ref().map_or_else(|| cert.extensions_offset(), |features| features.offset);
    Err(Refusal::new(Rule::TlsFeatures, message).at(offset))
}

/// Returns whether a stapled OCSP response must state that the end-entity certificate is good.
pub(crate) fn needs_staple(cert: &Cert<'_>, policy: &Policy) -> bool {
    policy.rules.has(Rule::MustStaple) && policy.stapled == Some(true) && status_request(cert).is_some()
}

/// BR §7.1.2.7.10: checks that the extended key usage is present, not critical, and without anyExtendedKeyUsage.
fn present(cert: &Cert<'_>) -> Result<(), Refusal> {
    let refusal = |message: &str, offset| Err(Refusal::new(Rule::PurposePresent, message).at(offset));
    match &cert.purposes {
        None => refusal("the end-entity certificate has no extended key usage", cert.extensions_offset()),
        Some(Ext { critical: true, offset, .. }) => refusal("the extended key usage is critical", *offset),
        Some(Ext { value, offset, .. }) if value.contains(oids::ANY_EXTENDED_KEY_USAGE) => {
            refusal("the extended key usage contains anyExtendedKeyUsage", *offset)
        }
        Some(_) => Ok(()),
    }
}

/// RFC 3161 §2.3: checks that the extended key usage is critical and has the one purpose only.
fn alone(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let refusal = |message: &str, offset| Err(Refusal::new(Rule::PurposeOnly, message).at(offset));
    let Some(purposes) = &cert.purposes else {
        return refusal("the end-entity certificate has no extended key usage", cert.extensions_offset());
    };
    let mut listed = purposes.value.0.iter().map_while(Result::ok);
    let only = listed.next().is_some_and(|purpose| policy.purposes.iter().any(|wanted| *wanted == purpose));
    if !purposes.critical {
        return refusal("the extended key usage is not critical", purposes.offset);
    }
    if !only || listed.next().is_some() {
        return refusal("the extended key usage has purposes besides the requested one", purposes.offset);
    }
    Ok(())
}

/// Code Signing BR §7.1.2.3 (e), (f): checks that the key usage is present, critical, and of digitalSignature without keyCertSign and
/// cRLSign; and that the extended key usage is present, without serverAuth and anyExtendedKeyUsage. That it has codeSigning is the rule `purpose`.
fn signs_code(cert: &Cert<'_>) -> Result<(), Refusal> {
    let refusal = |message: &str, offset| Err(Refusal::new(Rule::CodeSigningUsage, message).at(offset));
    let Some(usage) = &cert.usage else {
        return refusal("the end-entity certificate has no key usage", cert.extensions_offset());
    };
    if !usage.critical {
        return refusal("the key usage is not critical", usage.offset);
    }
    if usage.value & DIGITAL_SIGNATURE == 0 {
        return refusal("the key usage does not include digitalSignature", usage.offset);
    }
    if usage.value & (KEY_CERT_SIGN | CRL_SIGN) != 0 {
        return refusal("the key usage includes keyCertSign or cRLSign", usage.offset);
    }
    let Some(purposes) = &cert.purposes else {
        return refusal("the end-entity certificate has no extended key usage", cert.extensions_offset());
    };
    for (purpose, name) in [(oids::KP_SERVER_AUTH, "serverAuth"), (oids::ANY_EXTENDED_KEY_USAGE, "anyExtendedKeyUsage")]
    {
        if purposes.value.contains(purpose) {
            return refusal(&format!("the extended key usage includes {name}"), purposes.offset);
        }
    }
    Ok(())
}

/// The algorithm whose keys may inherit their parameters from the issuer's key (RFC 3279 §2.3.2): DSA.
pub(crate) const INHERITS: tagwise_codec::Oid<'static> = tagwise_pkix::oids::DSA;

/// Returns whether a key has no parameters, and therefore inherits the issuer's.
pub(crate) fn inherits(key: &SubjectPublicKeyInfo<'_>) -> bool {
    key.algorithm.parameters.is_none() && key.algorithm.algorithm == INHERITS
}
