//! Certification paths: anchors, intermediates, the policy, and the result with its report.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::net::IpAddr;

use tagwise::codec::{Oid, UnixTime, encode};
use tagwise::path::{
    Anchor, Anchors, ExpectedName, LegacyVerifier, OidBuf, Path, Policy, Pool, Profile, Report, RevocationMode,
    RevocationScope, verify,
};

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::key::tagwise_backend;
use crate::settings::Settings;

/// A set of trust anchors. Once the last one has been added, threads may share it.
#[derive(Default)]
pub struct tagwise_anchors(Anchors);

/// Creates an empty set of trust anchors. Free it with tagwise_anchors_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_new() -> Option<Box<tagwise_anchors>> {
    guard!(Some(Box::default()))
}

/// Loads the system's trust anchors from the locations that common distributions use.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_system(
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_anchors>> {
    guard!(error, {
        let anchors = Anchors::system();
        let anchors = anchors.map_err(|error| Problem::new(tagwise_error_kind::Input, "system", error.to_string()))?;
        Ok(Some(Box::new(tagwise_anchors(anchors))))
    })
}

/// Frees trust anchors; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_free(anchors: Option<Box<tagwise_anchors>>) {
    guard!(drop(anchors))
}

/// Adds a certificate in DER as a trust anchor.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_add(
    anchors: Option<&mut tagwise_anchors>,
    certificate: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let anchors = given(anchors, "anchors")?;
        anchors.0.add(Anchor::from_certificate(certificate.der()?)?);
        Ok(true)
    })
}

/// Adds every certificate in the content of a file (PEM, DER and other containers). Unreadable certificates are skipped. If
/// all are unreadable, the call fails.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_read(
    anchors: Option<&mut tagwise_anchors>,
    content: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let anchors = given(anchors, "anchors")?;
        let before = anchors.0.len();
        let mut errors = anchors.0.read(content.get()?).into_iter();
        if anchors.0.len() > before {
            return Ok(true);
        }
        Err(errors.next().map_or_else(
            || Problem::new(tagwise_error_kind::Input, "no-certificate", "it contains no certificate"),
            Problem::from,
        ))
    })
}

/// Returns the number of trust anchors.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_anchors_count(anchors: Option<&tagwise_anchors>) -> usize {
    guard!(anchors.map_or(0, |anchors| anchors.0.len()))
}

/// A pool of candidate certificates for path building. Once the last certificate has been added, threads may share it.
#[derive(Default)]
pub struct tagwise_pool(Pool);

/// Creates an empty pool of candidate certificates for path building. Free it with tagwise_pool_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pool_new() -> Option<Box<tagwise_pool>> {
    guard!(Some(Box::default()))
}

/// Frees a pool; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pool_free(pool: Option<Box<tagwise_pool>>) {
    guard!(drop(pool))
}

/// Adds a certificate in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pool_add(
    pool: Option<&mut tagwise_pool>,
    certificate: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        given(pool, "pool")?.0.add(certificate.der()?)?;
        Ok(true)
    })
}

/// The requirements for a path. Threads may share the policy once the last setter has returned. If a setter fails,
/// tagwise_path_find() and all later calls fail with the same error, so that no requirement is silently dropped.
pub struct tagwise_policy(Settings<Policy>);

/// Creates a policy from a profile (`rfc5280`, `webpki`, `smime`, `code-signing`, `time-stamping`) and a validation time in
/// seconds since 1970. Free it with tagwise_policy_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_new(
    profile: *const c_char,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_policy>> {
    guard!(error, {
        let name = terminated(profile, "profile")?;
        let profile = Profile::by_name(name)
            .ok_or_else(|| Problem::unknown("profile", name, Profile::ALL.iter().map(|profile| profile.name)))?;
        Ok(Some(Box::new(tagwise_policy(Settings::new(Policy::new(profile, UnixTime(time)))))))
    })
}

/// Frees a policy; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_free(policy: Option<Box<tagwise_policy>>) {
    guard!(drop(policy))
}

/// Requires that the certificate is valid for the given host name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_require_dns(
    policy: Option<&mut tagwise_policy>,
    host: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        let name =
            ExpectedName::dns(terminated(host, "host")?).map_err(|error| Problem::argument(error.to_string()))?;
        policy.names.push(name);
        Ok(())
    })
}

/// Requires that the certificate is valid for the given IP address of 4 or 16 bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_require_ip(
    policy: Option<&mut tagwise_policy>,
    address: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        policy.names.push(ExpectedName::Ip(ip(address)?));
        Ok(())
    })
}

/// Parses an IP address of 4 or 16 bytes.
pub(crate) fn ip(address: tagwise_bytes) -> Result<IpAddr, Problem> {
    let bytes = address.get()?;
    match (<[u8; 4]>::try_from(bytes), <[u8; 16]>::try_from(bytes)) {
        (Ok(bytes), _) => Ok(bytes.into()),
        (_, Ok(bytes)) => Ok(bytes.into()),
        _ => Err(Problem::argument("an IP address must have 4 or 16 bytes")),
    }
}

/// Requires that the certificate is valid for the given email address.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_require_email(
    policy: Option<&mut tagwise_policy>,
    mailbox: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        let name = ExpectedName::mail(terminated(mailbox, "mailbox")?)
            .map_err(|error| Problem::argument(error.to_string()))?;
        policy.names.push(name);
        Ok(())
    })
}

/// Requires that the certificate allows the given extended key usage purpose (OBJECT IDENTIFIER content bytes), instead of
/// the profile's purpose.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_require_purpose(
    policy: Option<&mut tagwise_policy>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        let purpose = Oid::from_content(purpose.get()?)?;
        policy.require_purpose(purpose);
        Ok(())
    })
}

/// Accepts the critical extension with the given identifier (OBJECT IDENTIFIER content bytes), which the caller must check
/// itself.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_understand(
    policy: Option<&mut tagwise_policy>,
    extension: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        let extension = Oid::from_content(extension.get()?)?;
        policy.understood.push(OidBuf::from(extension));
        Ok(())
    })
}

/// Limits the number of certificates between the end-entity certificate and the trust anchor.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_set_max_intermediates(policy: Option<&mut tagwise_policy>, count: u32) {
    guard!({
        if let Some(Ok(policy)) = policy.map(|policy| policy.0.get_mut()) {
            policy.max_intermediates = Some(count);
        }
    })
}

/// Enables the rule with the given name, such as `purpose`. `tagwise verify --list-rules` lists the names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_enable(
    policy: Option<&mut tagwise_policy>,
    rule: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| switch(policy, rule, Policy::enable))
}

/// Disables the rule with the given name, unless it is essential for validation. Without `weak-digest`, signatures with SHA-1 are
/// accepted; without `key-size`, those by weak keys.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_disable(
    policy: Option<&mut tagwise_policy>,
    rule: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| switch(policy, rule, Policy::disable))
}

fn switch<E: ToString>(
    policy: &mut Policy,
    rule: *const c_char,
    switch: impl FnOnce(&mut Policy, &str) -> Result<(), E>,
) -> Result<(), Problem> {
    switch(policy, terminated(rule, "rule")?).map_err(|error| Problem::argument(error.to_string()))?;
    Ok(())
}

/// Modes of revocation checking.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_revocation {
    /// Revocation is not checked.
    Ignore = 0,
    /// Revoked certificates are rejected; certificates of unknown status are accepted.
    Prefer = 1,
    /// The end-entity certificate is accepted only if a CRL or OCSP response shows that it is not revoked.
    RequireLeaf = 2,
    /// Each certificate of the path is accepted only if a CRL or OCSP response shows that it is not revoked.
    RequirePath = 3,
}

/// Sets the mode of revocation checking: a value of enum tagwise_revocation.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_set_revocation(
    policy: Option<&mut tagwise_policy>,
    revocation: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        let revocation_policy = &mut policy.revocation;
        let (mode, scope) = match revocation {
            0 => (RevocationMode::Ignore, RevocationScope::WholePath),
            1 => (RevocationMode::Prefer, RevocationScope::WholePath),
            2 => (RevocationMode::Require, RevocationScope::Leaf),
            3 => (RevocationMode::Require, RevocationScope::WholePath),
            _ => return Err(Problem::argument("not a value of enum tagwise_revocation")),
        };
        (revocation_policy.mode, revocation_policy.scope) = (mode, scope);
        Ok(())
    })
}

/// Adds a CRL in DER for revocation checks. It is checked during path search.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_add_crl(
    policy: Option<&mut tagwise_policy>,
    crl: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        policy.revocation.evidence.add_crl(crl.der()?);
        Ok(())
    })
}

/// Adds an OCSP response in DER for revocation checks. It is checked during path search.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_policy_add_ocsp(
    policy: Option<&mut tagwise_policy>,
    response: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, policy, |policy| {
        policy.revocation.evidence.add_ocsp(response.der()?);
        Ok(())
    })
}

/// A valid path. Values returned by its functions are borrowed from it. Immutable: threads may share it.
pub struct tagwise_path(Path);

/// Finds a valid path from a certificate to an anchor. If there is none, the error has the kind TAGWISE_ERROR_KIND_PATH,
/// and its code, clause and offset are those of the rule that rejected the best candidate. `report` is set to a buffer with
/// the full JSON report, both on success and on failure; the caller frees it. `pool` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_path_find(
    certificate: Option<&tagwise_certificate>,
    pool: Option<&tagwise_pool>,
    anchors: Option<&tagwise_anchors>,
    policy: Option<&tagwise_policy>,
    backend: Option<&tagwise_backend>,
    report: Option<&mut MaybeUninit<*mut tagwise_buffer>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_path>> {
    guard!(error, {
        let (leaf, anchors, policy) =
            (given(certificate, "certificate")?, given(anchors, "anchors")?, given(policy, "policy")?.0.get()?);
        let (empty, backend) = (Pool::new(), tagwise_backend::of(backend)?);
        let pool = pool.map_or(&empty, |pool| &pool.0);
        let found = verify::path(leaf.0.der(), pool, &anchors.0, policy, &LegacyVerifier::of(backend, policy));
        if report.is_some() {
            let json = match &found {
                Ok(path) => path.to_json(),
                Err(report) => report.to_json(),
            };
            put(report, tagwise_buffer::new(json).map_or(std::ptr::null_mut(), Box::into_raw));
        }
        match found {
            Ok(path) => Ok(Some(Box::new(tagwise_path(path)))),
            Err(report) => Err(refused(&report)),
        }
    })
}

fn refused(report: &Report) -> Problem {
    let Some(refusal) = report.refusal() else {
        return Problem::new(tagwise_error_kind::Path, "budget", report.to_string());
    };
    let problem = Problem::new(tagwise_error_kind::Path, refusal.rule.name(), refusal.message.clone());
    let problem = problem.clause(refusal.clause).along(&refusal.path);
    match refusal.offset {
        Some(offset) => problem.at(offset),
        None => problem,
    }
}

/// Frees a path; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_path_free(path: Option<Box<tagwise_path>>) {
    guard!(drop(path))
}

/// Gets the certificate at the given index in DER, starting with the verified certificate. The anchor is not included.
/// Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_path_certificate_get(
    path: Option<&tagwise_path>,
    index: usize,
    certificate: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(path.and_then(|path| path.0.certificates.get(index)).is_some_and(|found| {
        put(certificate, tagwise_bytes::of(found.as_der()));
        true
    }))
}

/// Returns the anchor's certificate in DER. Absent if the anchor is only a name and a key.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_path_anchor(path: Option<&tagwise_path>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(path.and_then(|path| path.0.anchor.certificate()).map(|found| found.as_der())))
}

/// Returns the anchor's encoded name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_path_anchor_name(
    path: Option<&tagwise_path>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(encode(&given(path, "path")?.0.anchor.name())?)))
}
