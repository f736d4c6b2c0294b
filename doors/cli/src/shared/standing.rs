//! Objections to a signer whose signature is valid, as shown by `cms verify` and `tsp verify`.

use std::io::{self, Write};

use serde::Serialize;
use tagwise_crypto::cms::{Objection, TimeSource};
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::moment::moment;
use crate::shared::rules;
use crate::shared::trust::{self, Judged as Trusted};

/// The trust status that is reported if trust was not checked.
pub(crate) const TRUST: &str = "not-judged";

#[derive(Debug, clap::Args)]
pub(crate) struct StandingArgs {
    /// Check certificates at this time, such as 2026-11-21T10:00:00Z [default: now; for a time stamp, its time]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) at: Option<UnixTime>,
}

/// An objection, and whether `--allow` permits it.
#[derive(Debug, Serialize)]
pub(crate) struct Judged {
    kind: &'static str,
    message: String,
    pub(crate) allowed: bool,
}

/// The findings about a signer's certificate.
#[derive(Debug, Serialize)]
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
    pub(crate) fn judge(
        &self,
        context: &Context,
        at: UnixTime,
        from: TimeSource,
        objections: &[Objection],
    ) -> Standing {
        let judge = |objection: &Objection| Judged {
            kind: objection.kind(),
            message: visible(&text(objection)).to_string(),
            // An objection has the name of the rule of paths that has it.
            allowed: context.allowed.has(objection.kind()),
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

    /// Returns the path validation rules that are disabled because `--allow` permits the corresponding objections.
    pub(crate) fn allowed_rules(context: &Context) -> &'static [&'static str] {
        // A path that is judged at the time of signing has an anchor of that time.
        if context.allowed.has("validity") { &["anchor-validity"] } else { &[] }
    }
}

/// Formats an objection. For an encoding error, includes the option that accepts it.
fn text(objection: &Objection) -> String {
    match objection {
        Objection::Malformed(error) => format!("{objection}{}", rules::hint(error)),
        _ => objection.to_string(),
    }
}

impl Standing {
    /// Adds the verdict on the certification path.
    ///
    /// # Errors
    /// No error is expected.
    pub(crate) fn with_trust(mut self, judged: Option<Trusted>) -> io::Result<Self> {
        self.trust = judged.as_ref().map_or(TRUST, Trusted::name);
        self.verification = judged.as_ref().map(Trusted::document).transpose()?;
        self.judged = judged;
        Ok(self)
    }

    /// Returns whether every objection to the certificate is allowed and, if trust is checked, there is a path to a trust anchor.
    pub(crate) fn is_good(&self) -> bool {
        self.objections.iter().all(|objection| objection.allowed)
            && self.judged.as_ref().is_none_or(Trusted::is_trusted)
    }

    /// Returns whether there is no objection to the signer, but its trust could not be determined.
    pub(crate) fn is_undecided(&self) -> bool {
        self.objections.iter().all(|objection| objection.allowed)
            && self.judged.as_ref().is_some_and(Trusted::is_undecided)
    }

    /// Returns the description of a good signature.
    pub(crate) fn good(&self, what: &str) -> String {
        match self.judged {
            Some(_) => format!("{what} good, signer trusted"),
            None => format!("{what} good, trust not checked"),
        }
    }

    pub(crate) fn text(&self, context: &Context, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        let by = match self.judged_by {
            "gen-time" => "the time stamp",
            "given" => "the time given",
            _ => "now",
        };
        writeln!(out, "{indent}Checked at:  {} ({by})", self.judged_at)?;
        for objection in &self.objections {
            let label = if objection.allowed { "Allowed:     " } else { "Reason:      " };
            writeln!(out, "{indent}{label}{}", objection.message)?;
        }
        match &self.judged {
            Some(judged) => judged.text(context, indent, out),
            None => writeln!(out, "{indent}Trust:       not checked: no path was validated; pass --trust"),
        }
    }
}
