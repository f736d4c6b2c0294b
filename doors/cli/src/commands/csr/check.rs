//! `tagwise csr check`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_ca::check_request;
use tagwise_codec::{Decode, Options, encode};
use tagwise_crypto::KeyType;
use tagwise_input::SignedPublicKeyAndChallenge;
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files as kinds;
use tagwise_show::render::json;
use tagwise_show::{SelfSignature, summary};

use super::words;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::issuing::all_of;
use crate::shared::keys::self_signature;
use crate::shared::output::{Failure, name_of};
use crate::shared::rules;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise csr check www.csr
  tagwise csr check --json *.csr | jq .

The signature is verified with the key in the request, which proves that the requester has the private key (RFC 2986 §4.2). The key \
must be well-formed and strong enough to be certified: RSA keys need 2,048 bits.
Exit codes: 0 all are good; 1 some are not, or a file has no request; 2 usage error; 3 a file could not be read; 4 not known, because \
an algorithm is not supported.";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files with requests; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON (schema tagwise.csr-check/1)
    #[arg(long)]
    json: bool,
}

/// The result of checking one request.
#[derive(Serialize)]
struct Checked {
    file: String,
    subject: String,
    public_key: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    answer: SelfSignature,
}

#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    requests: &'d [Checked],
}

impl CheckArgs {
    pub(super) fn check(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut checked = Vec::new();
        let mut code = 0;
        for path in &self.files {
            // One bad request hides no other.
            let found = requests(context, path).map(|found| {
                found.into_iter().map(|(_, der)| check(context, &name_of(path), &der)).collect::<Vec<_>>()
            });
            for one in found.unwrap_or_else(|failure| vec![Err(failure)]) {
                let this = match one {
                    Ok(one) => {
                        checked.push(one);
                        checked.last().map_or(0, Checked::code)
                    }
                    Err(Failure::Said(worse, message)) => {
                        writeln!(err, "tagwise: {message}")?;
                        worse
                    }
                    Err(other) => return Err(other),
                };
                code = worst(code, this);
            }
        }
        if self.json {
            json::write(out, &Document { schema: "tagwise.csr-check/1", requests: &checked })?;
            return Ok(code);
        }
        for one in &checked {
            one.text(context.color, out)?;
        }
        if code == 4 {
            writeln!(err, "tagwise: not every signature could be verified")?;
        }
        Ok(code)
    }
}

impl Checked {
    /// Returns the exit code for this request.
    const fn code(&self) -> u8 {
        match &self.answer {
            SelfSignature::Weak(_) | SelfSignature::Invalid(_) => 1,
            SelfSignature::Unknown(_) => 4,
            SelfSignature::Valid => 0,
        }
    }

    fn text(&self, color: bool, out: &mut dyn Write) -> io::Result<()> {
        let style = match (&self.answer, color) {
            (_, false) => Style::new(),
            (SelfSignature::Valid, true) => AnsiColor::Green.on_default(),
            (SelfSignature::Unknown(_), true) => AnsiColor::Yellow.on_default(),
            (_, true) => AnsiColor::Red.on_default(),
        };
        let subject = visible(&self.subject).to_string();
        let subject = if subject.is_empty() { "no subject".to_owned() } else { subject };
        let words = words(&self.answer);
        writeln!(out, "{}: {style}{}{style:#}, {subject}, {}", self.file, visible(&words), self.public_key)
    }
}

/// Returns the exit code that has priority: of an error, then of a negative answer, then of an unknown answer.
fn worst(one: u8, other: u8) -> u8 {
    let rank = |code: &u8| [0, 4, 1, 3].iter().position(|known| known == code).unwrap_or(4);
    std::cmp::max_by_key(one, other, rank)
}

/// Returns the requests in a file, of which there is at least one.
fn requests(context: &Context, path: &Path) -> Result<Vec<(usize, Vec<u8>)>, Failure> {
    let found = all_of(context, path, &[&kinds::CERTIFICATION_REQUEST])?;
    match found.is_empty() {
        true => Err(Failure::negative(format!("{}: it contains no certification request", name_of(path)))),
        false => Ok(found),
    }
}

/// Reads a request, and checks its form, its key and its signature.
fn check(context: &Context, file: &str, der: &[u8]) -> Result<Checked, Failure> {
    let options = Options::der().rules(context.allowed.decoding);
    let decoded = options.decode::<CertificationRequest<'_>>(der);
    let request = match decoded {
        Ok(read) => read.value,
        Err(error) => {
            if let Ok(read) = SignedPublicKeyAndChallenge::from_der(der) {
                let key = &read.public_key_and_challenge.spki;
                return Ok(checked(file, String::new(), key, of_spkac(&read)));
            }
            return Err(Failure::negative(format!("{file}: {}{}", visible(&error), rules::hint(&error))));
        }
    };
    let info = &request.certification_request_info;
    let key = &info.subject_pk_info;
    let signature = request.signature.octets().unwrap_or_default();
    let answer = match form(&request) {
        Some(invalid) => invalid,
        None => self_signature(key, &request.signature_algorithm, info.as_bytes(), signature),
    };
    Ok(checked(file, info.subject.rfc4514().to_string(), key, answer))
}

/// Checks the form of a request: its requested extensions too, whatever a CA would make of them.
fn form(request: &CertificationRequest<'_>) -> Option<SelfSignature> {
    if let Err(error) = check_request(request) {
        return Some(SelfSignature::Invalid(error.to_string()));
    }
    let read = request.extensions().and_then(|list| list.iter().try_for_each(|one| one?.extn_value.get().map(|_| ())));
    read.err().map(|error| SelfSignature::Invalid(format!("{error}{}", rules::hint(&error))))
}

/// Verifies a signed public key and challenge.
fn of_spkac(read: &SignedPublicKeyAndChallenge<'_>) -> SelfSignature {
    let Ok(signed) = encode(&read.public_key_and_challenge) else {
        return SelfSignature::Unknown("the signed value could not be encoded".to_owned());
    };
    let (key, signature) = (&read.public_key_and_challenge.spki, read.signature.octets().unwrap_or_default());
    self_signature(key, &read.signature_algorithm, &signed, signature)
}

/// Checks the key of a request, and combines the result with that of the signature.
fn checked(file: &str, subject: String, key: &SubjectPublicKeyInfo<'_>, signature: SelfSignature) -> Checked {
    let weak = match KeyType::of(key) {
        Ok(KeyType::Rsa(bits @ ..2048)) => {
            Some(SelfSignature::Weak(format!("an RSA key of {bits} bits is too weak (SP 800-131A §3)")))
        }
        Ok(_) => match EMBEDDED.public_key(key) {
            Err(error) if error.kind().is_unsupported() => Some(SelfSignature::Unknown(error.to_string())),
            Err(error) => Some(SelfSignature::Invalid(error.to_string())),
            Ok(_) => None,
        },
        Err(error) if error.kind().is_unsupported() => Some(SelfSignature::Unknown(error.to_string())),
        Err(error) => Some(SelfSignature::Invalid(error.to_string())),
    };
    let answer = match signature {
        SelfSignature::Valid | SelfSignature::Weak(_) if weak.is_some() => weak.unwrap_or(SelfSignature::Valid),
        answer => answer,
    };
    Checked {
        file: file.to_owned(),
        subject,
        public_key: summary(key),
        status: answer.name(),
        reason: answer.reason().map(str::to_owned),
        answer,
    }
}
