//! Objections to a signer whose signature is valid, as `cms verify` and `tsp verify` show them.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;
use tagwise_crypto::cms::{Objection, TimeSource};
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use crate::shared::moment::moment;
use crate::shared::trust::{self, Judged as Trusted};

/// The word for trust that nobody asked about.
pub(crate) const TRUST: &str = "not-judged";

#[derive(Debug, clap::Args)]
pub(crate) struct StandingArgs {
    /// Check certificates at this time, such as 2026-11-21T10:00:00Z [default: the time of signing]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) at: Option<UnixTime>,
    /// Accept a signer despite this objection; may be repeated
    #[arg(long, value_name = "WHAT", value_enum)]
    allow: Vec<Allowed>,
}

/// An objection that can be allowed by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Allowed {
    /// The certificate was not valid at the time; with --trust, nor were others of its path or the trust anchor
    Validity,
    /// The key usage has neither digitalSignature nor nonRepudiation
    KeyUsage,
}

/// An objection, and whether it counts.
#[derive(Debug, Serialize)]
pub(crate) struct Judged {
    kind: &'static str,
    message: String,
    pub(crate) allowed: bool,
}

/// The findings about a signer's certificate.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Standing {
    judged_at: String,
    judged_by: &'static str,
    objections: Vec<Judged>,
    trust: &'static str,
    /// The verdict on the path, if trust is judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<trust::Document>,
    #[serde(skip)]
    judged: Option<Trusted>,
}

impl StandingArgs {
    pub(crate) fn judge(&self, at: UnixTime, from: TimeSource, objections: &[Objection]) -> Standing {
        let judge = |objection: &Objection| Judged {
            kind: objection.kind(),
            message: visible(objection).to_string(),
            allowed: self.allow.iter().any(|allowed| allowed.kind() == objection.kind()),
        };
        Standing {
            judged_at: at.to_string(),
            judged_by: from.name(),
            objections: objections.iter().map(judge).collect(),
            trust: TRUST,
            verification: None,
            judged: None,
        }
    }

    /// The rules of path validation that go with the allowed objections.
    pub(crate) fn allowed_rules(&self) -> Vec<&'static str> {
        self.allow.iter().flat_map(|allowed| allowed.rules()).copied().collect()
    }
}

impl Allowed {
    const fn kind(self) -> &'static str {
        match self {
            Self::Validity => "validity",
            Self::KeyUsage => "key-usage",
        }
    }

    const fn rules(self) -> &'static [&'static str] {
        match self {
            Self::Validity => &["validity", "anchor-validity"],
            Self::KeyUsage => &["key-usage"],
        }
    }
}

impl Standing {
    /// Adds the verdict on the path.
    ///
    /// # Errors
    /// None that can be expected.
    pub(crate) fn with_trust(mut self, judged: Option<Trusted>) -> io::Result<Self> {
        self.trust = judged.as_ref().map_or(TRUST, Trusted::name);
        self.verification = judged.as_ref().map(Trusted::document).transpose()?;
        self.judged = judged;
        Ok(self)
    }

    /// Returns whether every objection to the certificate is allowed, and there is a path to a trust anchor if that was asked.
    pub(crate) fn is_good(&self) -> bool {
        self.objections.iter().all(|objection| objection.allowed)
            && self.judged.as_ref().is_none_or(Trusted::is_trusted)
    }

    /// The words for a good signature.
    pub(crate) fn good(&self, what: &str) -> String {
        match self.judged {
            Some(_) => format!("{what} good, signer trusted"),
            None => format!("{what} good, trust not judged"),
        }
    }

    pub(crate) fn text(&self, color: bool, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        let by = match self.judged_by {
            "signing-time" => "the time of signing, as the signer says",
            "gen-time" => "the time of the stamp",
            "given" => "the time given",
            _ => "now",
        };
        writeln!(out, "{indent}Judged at:   {} ({by})", self.judged_at)?;
        for objection in &self.objections {
            let label = if objection.allowed { "Allowed:     " } else { "Reason:      " };
            writeln!(out, "{indent}{label}{}", objection.message)?;
        }
        match &self.judged {
            Some(judged) => judged.text(color, indent, out),
            None => writeln!(out, "{indent}Trust:       not judged: no path was validated; say --trust"),
        }
    }
}
