//! The options of `tagwise verify`, and the policy built from them.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use tagwise_codec::Oid;
use tagwise_codec::value::from_dotted;
use tagwise_path::{Anchors, ExpectedName, LogList, OidBuf, Policy, RevocationMode, RevocationPolicy, SctPolicy};
use tagwise_pkix::{UnixTime, oids};

use super::subtree::{self, Subtree};
use crate::shared::backend::BackendArgs;
use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, name_of};
use crate::shared::remote::{self, ConnectArgs, file_or_server};
use crate::shared::trust::{self, Choice, EvidenceArgs, Origin, ProfileName, Purpose};
use crate::shared::web::{FetchArgs, Fetcher};

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Files with the certificate to verify, or servers as tls://HOST:PORT; `-` is standard input
    #[arg(required_unless_present_any = ["list_rules", "limbo"], value_name = "FILE", value_parser = PathBufValueParser::new().try_map(file_or_server))]
    pub(super) files: Vec<PathBuf>,
    /// Verify only the first certificate of each file, and use nothing else of the file, as `openssl verify` does
    #[arg(long, help_heading = "Certificates")]
    pub(super) first: bool,
    /// Trust anchors: a file, a folder, `system` or `mozilla`; may be repeated [default: system]
    #[arg(long, value_name = "SOURCE", help_heading = "Certificates", aliases = ["ca", "root", "ca-file"])]
    trust: Vec<Origin>,
    /// Open PKCS #12 files of --trust, and check the digests of Java keystores, with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE", requires = "trust", help_heading = "Certificates")]
    pub(super) trust_passphrase_file: Option<PathBuf>,
    /// Only self-signed certificates of --trust are trust anchors; the others are intermediates, as for `openssl verify` without
    /// -partial_chain
    #[arg(long, help_heading = "Certificates")]
    pub(super) self_signed_anchors: bool,
    /// Intermediate certificates; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Certificates", alias = "intermediate")]
    pub(super) untrusted: Vec<PathBuf>,
    /// Policy file for Merkle Tree Certificates, as for `tagwise mtc verify --policy`; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    pub(super) mtc_policy: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) evidence: EvidenceArgs,
    /// Require timestamps of these Certificate Transparency logs, given as JSON in Chrome's log list format
    #[arg(long, value_name = "FILE", help_heading = "Revocation")]
    sct_logs: Option<PathBuf>,
    /// Minimum number of logs with a timestamp
    #[arg(long, value_name = "N", default_value_t = 2, requires = "sct_logs", help_heading = "Revocation")]
    min_scts: usize,
    /// Minimum number of operators of these logs
    #[arg(long, value_name = "N", default_value_t = 2, requires = "sct_logs", help_heading = "Revocation")]
    min_sct_operators: usize,
    /// Verify at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment, help_heading = "Requirements")]
    pub(super) at: Option<UnixTime>,
    /// Purpose of the certificate [default: server for servers and with --host or --ip, email with --email, otherwise any]
    #[arg(long, value_name = "PURPOSE", value_enum, help_heading = "Requirements")]
    purpose: Option<Purpose>,
    /// Require this host name in the certificate; may be repeated
    #[arg(long, value_name = "NAME", value_parser = host, help_heading = "Requirements", alias = "hostname")]
    host: Vec<ExpectedName>,
    /// Require this IP address in the certificate; may be repeated
    #[arg(long, value_name = "ADDR", help_heading = "Requirements")]
    ip: Vec<IpAddr>,
    /// Require this mail address in the certificate; may be repeated
    #[arg(long, value_name = "ADDR", value_parser = mailbox, help_heading = "Requirements")]
    email: Vec<ExpectedName>,
    /// Profile: rfc5280, webpki, smime, code-signing or time-stamping [default: by purpose; for servers, webpki with publicly
    /// trusted roots, otherwise rfc5280]
    #[arg(long, value_name = "NAME", help_heading = "Requirements")]
    pub(super) profile: Option<ProfileName>,
    /// Apply these rules or lints in addition to the profile's, comma-separated, such as conformance,anchor-extensions; may be
    /// repeated
    #[arg(long, value_name = "RULE", help_heading = "Requirements")]
    enforce: Vec<String>,
    /// Maximum number of intermediate certificates, not counting self-issued ones
    #[arg(long, value_name = "N", help_heading = "Requirements")]
    max_depth: Option<u32>,
    /// Acceptable certificate policy: a dotted OBJECT IDENTIFIER, or a name such as cabf-DV; may be repeated [default: any]
    #[arg(long, value_name = "OID", value_parser = policy, help_heading = "Policies and names")]
    policy: Vec<OidBuf>,
    /// Require that the path is valid for an acceptable policy
    #[arg(long, help_heading = "Policies and names")]
    require_explicit_policy: bool,
    /// Do not follow policy mappings
    #[arg(long, help_heading = "Policies and names")]
    inhibit_mapping: bool,
    /// Do not treat anyPolicy as matching every policy
    #[arg(long, help_heading = "Policies and names")]
    inhibit_any: bool,
    /// Permit names of this form only in this subtree: dns:example.org, email:example.org, ip:192.0.2.0/24, uri:.example.org,
    /// dirname:O=Example; may be repeated
    #[arg(long, value_name = "SUBTREE", help_heading = "Policies and names")]
    permit: Vec<Subtree>,
    /// Reject names in this subtree; may be repeated
    #[arg(long, value_name = "SUBTREE", help_heading = "Policies and names")]
    exclude: Vec<Subtree>,
    #[command(flatten)]
    pub(super) connect: ConnectArgs,
    #[command(flatten)]
    pub(super) fetching: FetchArgs,
    /// Find every valid path instead of one
    #[arg(long, help_heading = "Output")]
    pub(super) all_paths: bool,
    /// Show every candidate path, and the rule that rejected it
    #[arg(long, help_heading = "Output")]
    pub(super) explain: bool,
    /// Print JSON (schema tagwise.verify/2)
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// List the rules, with their clauses and profiles
    #[arg(long, help_heading = "Output")]
    pub(super) list_rules: bool,
    /// Run every case of a file in x509-limbo's format, and print its ID, SUCCESS or FAILURE, and the reason, separated by tabs
    #[arg(long, value_name = "FILE", conflicts_with = "files", help_heading = "Output")]
    pub(super) limbo: Option<PathBuf>,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

/// Parses a host name.
fn host(text: &str) -> Result<ExpectedName, String> {
    if text.parse::<IpAddr>().is_ok() {
        return Err("this is an IP address: use --ip".to_owned());
    }
    if text.contains("://") {
        return Err("this is a URL: give only its host name".to_owned());
    }
    ExpectedName::dns(text).map_err(|error| error.to_string())
}

/// Parses a mailbox.
fn mailbox(text: &str) -> Result<ExpectedName, String> {
    ExpectedName::mail(text).map_err(|error| error.to_string())
}

/// Parses a certificate policy identifier.
fn policy(text: &str) -> Result<OidBuf, String> {
    if let Some(info) = oids::by_name(text).filter(|info| info.kind == oids::ObjectKind::Policy) {
        return Ok(OidBuf::from(info.oid));
    }
    let content = from_dotted(text);
    let oid = content.as_deref().and_then(|content| Oid::from_content(content).ok());
    oid.map(OidBuf::from).ok_or_else(|| {
        "expected a dotted OBJECT IDENTIFIER, such as 2.23.140.1.2.1, or a known policy name, such as cabf-DV"
            .to_owned()
    })
}

/// Reads a list of CT logs.
fn logs(context: &Context, path: &Path) -> Result<SctPolicy, Failure> {
    let json = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let logs = LogList::from_json(&json)
        .map_err(|error| Failure::Said(3, format!("{}: not a log list: {error}", name_of(path))))?;
    Ok(SctPolicy::new(logs, 0, 0))
}

impl VerifyArgs {
    /// Returns the sources of trust anchors.
    pub(super) fn origins(&self) -> Vec<Origin> {
        if self.trust.is_empty() { vec![Origin::System] } else { self.trust.clone() }
    }

    /// Returns the requested purpose, or the one implied by the names.
    fn purpose(&self) -> Option<Purpose> {
        self.purpose.or({
            if !self.host.is_empty() || !self.ip.is_empty() {
                Some(Purpose::Server)
            } else if !self.email.is_empty() {
                Some(Purpose::Email)
            } else if self.profile.is_some() {
                // The profile's own.
                None
            } else {
                Some(Purpose::Any)
            }
        })
    }

    /// Creates the policies and reads the evidence. `server` has the name and the stapling of a server.
    ///
    /// # Errors
    /// Returns an error if a rule is unknown or evidence cannot be read.
    pub(super) fn choice(
        &self,
        context: &Context,
        anchors: &Anchors,
        revocation: &RevocationPolicy,
        server: Option<(&ExpectedName, bool)>,
    ) -> Result<Choice, Failure> {
        let subtrees = subtree::constraints(&self.permit, &self.exclude)?;
        let mut scts = self.sct_logs.as_deref().map(|path| logs(context, path)).transpose()?;
        if let Some(scts) = &mut scts {
            (scts.min_logs, scts.min_operators) = (self.min_scts, self.min_sct_operators);
        }
        let time = self.at.unwrap_or_else(now);
        let purpose = match server {
            Some(_) if self.purpose.is_none() => Some(Purpose::Server),
            _ => self.purpose(),
        };
        // Names that the user requires replace that of the address.
        let name = server.map(|(name, _)| name).filter(|_| self.host.is_empty() && self.ip.is_empty());
        Choice::new(context, self.profile, purpose, time, anchors, &self.origins(), |policy| {
            trust::enforce(context, policy, &self.enforce)?;
            self.fill(context, policy)?;
            policy.names.extend(name.cloned());
            policy.stapled = server.map(|(_, is_stapled)| is_stapled);
            policy.revocation = revocation.clone();
            policy.subtrees = subtrees.clone();
            policy.scts = scts.clone();
            Ok(())
        })
    }

    /// Reads the evidence, and returns it with warnings about evidence that is not used. If more can be fetched, it is used unless the
    /// user chose otherwise.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or contains no evidence.
    pub(super) fn revocation(&self, context: &Context) -> Result<(RevocationPolicy, Vec<String>), Failure> {
        let mut revocation = self.evidence.read(context, self.at)?;
        let files = self.files.iter().chain(&self.untrusted).map(PathBuf::as_path);
        let files = files.chain(self.trust.iter().filter_map(Origin::path));
        let warnings = self.evidence.beside(context, files, &mut revocation);
        if self.fetching.fetch && self.evidence.revocation.is_none() {
            revocation.mode = RevocationMode::Prefer;
        }
        // A server may staple a response.
        let is_local = self.files.iter().all(|file| remote::target(file).is_none());
        if self.evidence.evidence_at.is_some() && revocation.mode == RevocationMode::Ignore && is_local {
            let text = "--evidence-at has no effect, because revocation is not checked: pass --crl, --ocsp or --fetch";
            return Err(Failure::usage(text));
        }
        Ok((revocation, warnings))
    }

    /// Creates what fetches missing certificates and evidence, if that is enabled.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be created.
    pub(super) fn fetcher(&self, context: &Context) -> Result<Option<Fetcher>, Failure> {
        self.fetching.fetcher(context, self.connect.timeout(), self.evidence.evidence_at.or(self.at))
    }

    /// Adds the settings that do not depend on the profile.
    fn fill(&self, context: &Context, policy: &mut Policy) -> Result<(), Failure> {
        trust::allow(context, policy)?;
        policy.names.extend(self.host.iter().chain(&self.email).cloned());
        policy.names.extend(self.ip.iter().copied().map(ExpectedName::Ip));
        policy.max_intermediates = self.max_depth;
        if !self.policy.is_empty() && !self.policy.iter().any(|policy| *policy == oids::ANY_POLICY) {
            policy.policies.initial = Some(self.policy.clone());
        }
        policy.policies.explicit = self.require_explicit_policy;
        policy.policies.inhibit_mapping = self.inhibit_mapping;
        policy.policies.inhibit_any = self.inhibit_any;
        Ok(())
    }
}
