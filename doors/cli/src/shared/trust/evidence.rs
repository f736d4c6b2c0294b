//! Revocation evidence: CRLs and OCSP responses in files, and how they affect the verdict.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use tagwise_codec::{Options, Rule, RuleSet};
use tagwise_crypto::cms::RevocationInfo;
use tagwise_path::{RevocationMode, RevocationPolicy, RevocationScope};
use tagwise_pkix::name::visible;
use tagwise_pkix::ocsp::OcspResponse;
use tagwise_pkix::{CertificateList, UnixTime};
use tagwise_store::{Contents, ContentsKind, Limits};

use super::certificates::nothing;
use crate::shared::context::Context;
use crate::shared::moment::{duration, moment};
use crate::shared::output::{Failure, name_of};
use crate::shared::parts_read::{evidence_beside, place_text};

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct EvidenceArgs {
    /// CRLs and OCSP responses, in any format; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Revocation")]
    pub(crate) crl: Vec<PathBuf>,
    /// OCSP responses and CRLs, in any format; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Revocation")]
    pub(crate) ocsp: Vec<PathBuf>,
    /// Mode of revocation checking [default: prefer with --crl or --ocsp, otherwise ignore]
    #[arg(long, value_name = "MODE", value_enum, help_heading = "Revocation")]
    pub(crate) revocation: Option<Mode>,
    /// Certificates to check for revocation
    #[arg(long, value_name = "WHICH", value_enum, default_value = "path", help_heading = "Revocation")]
    pub(crate) revocation_scope: Scope,
    /// Accept CRLs and OCSP responses for this long after their next update: 12h, 2d
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "0m", help_heading = "Revocation")]
    pub(crate) stale: Duration,
    /// Time at which CRLs and OCSP responses must be current, such as 2026-11-21 [default: the time of --at, otherwise now]
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = "Revocation")]
    pub(crate) evidence_at: Option<UnixTime>,
}

/// The mode of revocation checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Accept a certificate only if CRLs or OCSP responses show that it is not revoked
    Require,
    /// Reject revoked certificates; accept those whose status is unknown, and report it
    Prefer,
    /// Ignore CRLs and OCSP responses
    Ignore,
}

/// The certificates to check for revocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// The end-entity certificate, and signers of evidence other than its issuer, except OCSP responders with id-pkix-ocsp-nocheck
    Leaf,
    /// Every certificate below the trust anchor
    #[default]
    Path,
}

fn span(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "expected a duration of the form 30m, 12h, 2d or 1w".to_owned())
}

impl EvidenceArgs {
    /// Reads the CRLs and OCSP responses. If `--evidence-at` is given, they must be current at that time, otherwise at the time of
    /// `--at`, if given. Giving both asserts that the certificate was used by the earlier of the two times:
    /// [`RevocationPolicy::proven_at`].
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or contains no CRL or OCSP response.
    pub(crate) fn read(&self, context: &Context, at: Option<UnixTime>) -> Result<RevocationPolicy, Failure> {
        let given = !self.crl.is_empty() || !self.ocsp.is_empty();
        let mut policy = RevocationPolicy {
            mode: match self.revocation {
                Some(Mode::Require) => RevocationMode::Require,
                Some(Mode::Prefer) => RevocationMode::Prefer,
                None if given => RevocationMode::Prefer,
                Some(Mode::Ignore) | None => RevocationMode::Ignore,
            },
            scope: match self.revocation_scope {
                Scope::Leaf => RevocationScope::Leaf,
                Scope::Path => RevocationScope::WholePath,
            },
            evidence_time: self.evidence_at.or(at),
            proven_at: at.filter(|at| self.evidence_at.is_some_and(|evidence| evidence > *at)),
            tolerance: self.stale,
            ..RevocationPolicy::default()
        };
        policy.evidence.tolerate(context.allowed.decoding);
        let files = self.crl.iter().map(|path| (path, "CRL"));
        for (path, wanted) in files.chain(self.ocsp.iter().map(|path| (path, "OCSP response"))) {
            let octets = context.load_again(path).map_err(|error| Failure::file(path, "read", &error))?;
            let found = evidence_in(&octets, context, wanted);
            let found = found.map_err(|(place, why)| Failure::Said(3, format!("{}{place}: {why}", name_of(path))))?;
            self.add(found.crls.into_iter(), found.ocsp_responses.into_iter(), &mut policy);
        }
        Ok(policy)
    }

    /// Adds the CRLs and OCSP responses in files that are read for their certificates, and in the files of folders. They are used in
    /// the same mode as those of `--crl` and `--ocsp`. Returns a warning for each file with revocation information that is not used.
    pub(crate) fn beside<'p>(
        &self,
        context: &Context,
        paths: impl Iterator<Item = &'p Path>,
        policy: &mut RevocationPolicy,
    ) -> Vec<String> {
        let mut warnings = Vec::new();
        for path in paths {
            let folder = std::fs::read_dir(path).ok().into_iter().flatten();
            let mut files: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
            files.sort();
            if !path.is_dir() {
                files.push(path.to_owned());
            }
            for file in files.iter().filter(|file| file.is_file() || file.as_os_str() == "-") {
                // The reader of the certificates reports errors.
                let Ok(octets) = context.load_again(file) else { continue };
                let contents = Contents::read(&octets, &Limits::DEFAULT);
                let found = contents.items().filter(|item| item.kind == ContentsKind::Crl);
                self.add(found.map(|item| item.der.to_vec()), core::iter::empty(), policy);
                let RevocationInfo { crls, ocsp_responses, unused, .. } = evidence_beside(&octets, &contents, context);
                self.add(crls.into_iter(), ocsp_responses.into_iter(), policy);
                if !unused.is_empty() {
                    self.prefer(policy);
                    let (name, unused) = (name_of(file), unused.join(", "));
                    let text = format!("{name}: warning: revocation information is not used: {}", visible(&unused));
                    warnings.push(text);
                }
            }
        }
        warnings
    }

    /// Adds CRLs and OCSP responses that were given with certificates. Unless `--revocation` sets a mode, they are preferred.
    pub(crate) fn add(
        &self,
        crls: impl Iterator<Item = Vec<u8>>,
        responses: impl Iterator<Item = Vec<u8>>,
        policy: &mut RevocationPolicy,
    ) {
        for crl in crls {
            policy.evidence.add_crl(crl);
            self.prefer(policy);
        }
        for response in responses {
            policy.evidence.add_ocsp(response);
            self.prefer(policy);
        }
    }

    /// Prefers evidence that was found, unless `--revocation` sets a mode.
    const fn prefer(&self, policy: &mut RevocationPolicy) {
        if self.revocation.is_none() {
            policy.mode = RevocationMode::Prefer;
        }
    }
}

/// Reads the CRLs and OCSP responses in the bytes of a file or an answer, including those in its messages. Errors inside them are
/// found and reported when they are used.
///
/// # Errors
/// Returns the place and the reason if there is neither, or if a part is not used: nothing is left out without a word.
pub(crate) fn evidence_in(octets: &[u8], context: &Context, wanted: &str) -> Result<RevocationInfo, (String, String)> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    let mut found = evidence_beside(octets, &contents, context);
    let crls = contents.items().filter(|item| item.kind == ContentsKind::Crl);
    found.crls.extend(crls.map(|item| item.der.to_vec()));
    if found.crls.is_empty() && found.ocsp_responses.is_empty() {
        return Err((String::new(), nothing(octets, wanted)));
    }
    if let Some(part) = contents.incomplete_with(context.allowed.decoding) {
        let is_padding = part.code == Rule::TRAILING_ZEROS.name;
        let hint = if is_padding { context.allowed.hint(&Rule::TRAILING_ZEROS) } else { String::new() };
        return Err((place_text("", &part.place), format!("{}{hint}", visible(part.message))));
    }
    let lax = Options::der().rules(RuleSet::ALL);
    for crl in &found.crls {
        let read = lax.outline::<CertificateList<'_>>(crl);
        read.map_err(|error| (String::new(), format!("not a CRL: {error}")))?;
    }
    for response in &found.ocsp_responses {
        let read = lax.outline::<OcspResponse<'_>>(response);
        read.map_err(|error| (String::new(), format!("not an OCSP response: {error}")))?;
    }
    if !found.unused.is_empty() {
        let unused = found.unused.join(", ");
        return Err((String::new(), format!("unsupported revocation information: {}", visible(&unused))));
    }
    Ok(found)
}
