//! The output of `tagwise cms verify`, as text and JSON (schema tagwise.cms-verify/3).

use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_crypto::ErrorKind;
use tagwise_crypto::cms::{CmsError, Verification};
use tagwise_crypto::tsp::TspError;
use tagwise_input::mail::{Protected, Protection};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;

use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::standing::Standing;

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) good: bool,
    pub(super) content_type: String,
    pub(super) content_length: usize,
    /// The kind of signed file, if it is not a message or a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) container: Option<&'static str>,
    /// The layers of the message from the outermost, if there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) layers: Vec<&'static str>,
    /// The protected header fields of a mail (RFC 9788).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) headers: Option<Headers>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    pub(super) trust: &'static str,
    pub(super) signers: Vec<Signer>,
}

/// A problem that is not the signature's own.
#[derive(Serialize)]
pub(super) struct Finding {
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) allowed: bool,
    /// The status that the finding causes.
    #[serde(skip)]
    pub(super) status: Status,
}

impl Finding {
    pub(super) fn new(kind: &'static str, allowed: bool, message: impl Into<String>) -> Self {
        Self { kind, message: visible(&message.into()).to_string(), allowed, status: Status::NotGood }
    }

    /// A finding that leaves the answer open.
    pub(super) fn unknown(kind: &'static str, allowed: bool, message: impl Into<String>) -> Self {
        Self { status: Status::NotKnown, ..Self::new(kind, allowed, message) }
    }
}

/// Header fields inside and outside the protected part of a mail.
#[derive(Serialize)]
pub(super) struct Headers {
    scheme: &'static str,
    /// Set if a signature covers the fields.
    signed: bool,
    fields: Vec<HeaderField>,
    unprotected: Vec<String>,
}

#[derive(Serialize)]
struct HeaderField {
    name: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<String>,
    confidential: bool,
    changed: bool,
}

impl Headers {
    pub(super) fn new(protection: &Protection, signed: bool, encrypted: bool) -> Self {
        let shown = |text: &str| visible(&text).to_string();
        let field = |field: &Protected| HeaderField {
            name: shown(&field.field.name),
            value: shown(&field.field.value),
            outside: field.outside.as_deref().filter(|outside| *outside != field.field.value).map(shown),
            confidential: field.confidential && encrypted,
            changed: field.changed,
        };
        Self {
            scheme: protection.scheme.name(),
            signed,
            fields: protection.fields.iter().map(field).collect(),
            unprotected: protection.unprotected.iter().map(|field| shown(&field.name)).collect(),
        }
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let scheme = match self.scheme {
            "wrapped" => "in message/rfc822 (RFC 8551 §3.1)".to_owned(),
            scheme => format!("hp=\"{scheme}\" (RFC 9788)"),
        };
        writeln!(out, "  Headers:       protected, {scheme}")?;
        for HeaderField { name, value, outside, confidential, changed } in &self.fields {
            let protection = match (self.signed, confidential) {
                (true, true) => "signed, encrypted",
                (true, false) => "signed",
                (false, true) => "encrypted",
                (false, false) => "not signed",
            };
            let outside = match (outside, changed) {
                (Some(outside), true) => format!("; CHANGED outside: {outside}"),
                (Some(outside), false) => format!("; outside: {outside}"),
                (None, true) => "; MISSING outside".to_owned(),
                (None, false) => String::new(),
            };
            writeln!(out, "    {name}: {value} ({protection}{outside})")?;
        }
        if !self.unprotected.is_empty() {
            writeln!(out, "    not protected: {}", self.unprotected.join(", "))?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
pub(super) struct Signer {
    /// The layer or the signature of the file that the signer belongs to, if there is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<String>,
    /// The signer's certificate in DER.
    #[serde(skip)]
    pub(super) certificate: Option<Vec<u8>>,
    pub(super) good: bool,
    pub(super) status: Status,
    pub(super) signature_good: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) certificate_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) algorithm: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signing_time: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) timestamps: Vec<TimeStamp>,
    #[serde(flatten)]
    pub(super) standing: Standing,
}

/// Status of a signer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Good,
    NotKnown,
    NotGood,
}

impl Status {
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::NotKnown => 4,
            Self::NotGood => 1,
        }
    }
}

/// A time stamp over a signature.
#[derive(Debug, Serialize)]
pub(super) struct TimeStamp {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<String>,
    /// The time and the accuracy that the authority states, if it states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) latest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) authority: Option<String>,
    pub(super) trusted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl TimeStamp {
    pub(super) fn bad(error: &TspError) -> Self {
        Self { time: None, latest: None, authority: None, trusted: false, error: Some(visible(error).to_string()) }
    }

    /// A countersignature that verifies, but is no evidence of a time, because signingTime is missing (RFC 5652 §11.3).
    pub(super) fn without_time(authority: String) -> Self {
        let error = "the countersignature verifies, but has no signing time (RFC 5652 §11.3)".to_owned();
        Self { time: None, latest: None, authority: Some(authority), trusted: false, error: Some(error) }
    }
}

/// The reason for rejecting a signature, with the option that accepts it if it is only old.
pub(super) fn reason(error: &CmsError) -> String {
    let hint = match error {
        CmsError::Crypto(error) if error.kind() == ErrorKind::Legacy => "; pass --legacy to accept it",
        CmsError::NotDer => "; --allow set-of-order tolerates another order",
        _ => "",
    };
    format!("{}{hint}", visible(error))
}

impl Document {
    pub(super) fn text(&self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let style = |colour: AnsiColor| match context.color {
            true => Style::new().bold().fg_color(Some(colour.into())),
            false => Style::new(),
        };
        writeln!(out, "{}: {}, {} bytes of content", self.file, self.content_type, self.content_length)?;
        if !self.layers.is_empty() {
            writeln!(out, "  Layers:        {}", self.layers.join(" > "))?;
        }
        if self.signers.is_empty() {
            writeln!(out, "  no signer")?;
        }
        for signer in &self.signers {
            let (word, style) = match signer.status {
                Status::Good => (signer.standing.good("signature"), style(AnsiColor::Green)),
                Status::NotKnown => ("NOT KNOWN".to_owned(), style(AnsiColor::Yellow)),
                Status::NotGood => ("NOT GOOD".to_owned(), style(AnsiColor::Red)),
            };
            let who = signer.subject.as_deref().unwrap_or("an unknown signer");
            let of = signer.of.as_ref().map_or(String::new(), |of| format!("{of}: "));
            writeln!(out, "  {of}{style}{word}{style:#}: {who}")?;
            if let Some(error) = &signer.error {
                writeln!(out, "    Reason:      {error}")?;
            }
            if let Some(algorithm) = &signer.algorithm {
                writeln!(out, "    Algorithm:   {algorithm}")?;
            }
            if let Some(time) = &signer.signing_time {
                writeln!(out, "    Signed:      {time} (as the signer claims)")?;
            }
            for stamp in &signer.timestamps {
                let time = stamp.time.as_deref().unwrap_or("no time");
                let latest =
                    stamp.latest.as_ref().map_or_else(String::new, |latest| format!(" (at the latest {latest})"));
                let authority = stamp.authority.as_deref().unwrap_or("an unknown authority");
                match &stamp.error {
                    None => writeln!(out, "    Stamped:     {time}{latest} by {authority}")?,
                    Some(error) => {
                        writeln!(out, "    Stamped:     not trusted: {time}{latest} by {authority}: {error}")?
                    }
                }
            }
            if let Some(hash) = &signer.certificate_sha256 {
                writeln!(out, "    SHA-256:     {hash} (certificate)")?;
                signer.standing.text(context, "    ", out)?;
            }
        }
        if let Some(headers) = &self.headers {
            headers.text(out)?;
        }
        for note in &self.notes {
            writeln!(out, "  Note:          {note}")?;
        }
        for finding in &self.findings {
            let (label, style) = match (finding.allowed, finding.status) {
                (true, _) => ("Allowed:       ", Style::new()),
                (false, Status::NotKnown) => ("Not known:     ", style(AnsiColor::Yellow)),
                (false, _) => ("Finding:       ", style(AnsiColor::Red)),
            };
            writeln!(out, "  {style}{label}{style:#}{}", finding.message)?;
        }
        Ok(())
    }
}

/// Remarks about a message: violations that do not affect its signatures, and revocation information that is not read.
pub(super) fn remarks(verified: &Verification) -> Vec<String> {
    let deviations = verified.signers.iter().flat_map(|signer| &signer.deviations);
    let deviations = deviations.map(|text| visible(text).to_string());
    deviations.chain(verified.unused_revocation.iter().map(|format| unused(format))).collect()
}

/// The note on revocation information in a format that is not read.
pub(super) fn unused(format: &str) -> String {
    format!("revocation information is not used: {}", visible(format))
}

/// The content type: its name, or its dotted form.
pub(super) fn name_of_type(verified: &Verification) -> String {
    let oid = verified.content_type();
    oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}
