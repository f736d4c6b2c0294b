//! `tagwise krb5 decode`.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_codec::ber::{self, Element};
use tagwise_codec::{Options, Rule};
use tagwise_input::Wrapped;
use tagwise_krb5::KerberosKind;
use tagwise_krb5::show::{FORMS, Shown, View, is_malformed, read, show, show_as};
use tagwise_krb5::types::NAMES;
use tagwise_pkix::name::visible;
use tagwise_show::tree::{Line, Tone, Value};

use super::output;
use crate::shared::context::Context;
use crate::shared::credentials::octets;
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::rules;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 decode as-req.bin
  tagwise krb5 decode /etc/krb5.keytab
  tagwise krb5 decode --json /tmp/krb5cc_1000 | jq '.items[].content.tickets'
  echo YIICeAYJKoZIhvcSAQICAQBu... | tagwise krb5 decode -
  tagwise krb5 decode --type EncTicketPart part.der
  tagwise krb5 decode --type PAC-10 client-info.bin

Messages, tickets, GSS-API and SPNEGO tokens, keytabs, credential caches and PACs are recognized by their first bytes, in binary, \
hexadecimal or base64. Keys and passwords are shown only with --show-keys. If one file fails, the others are decoded all the same, and \
the exit code is the highest.
Exit codes: 0 decoded; 1 a file is malformed, also inside a message, or not a Kerberos file; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct DecodeArgs {
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Read the files as this ASN.1 type, such as METHOD-DATA; as token, MIC, Wrap, keytab, ccache, kpasswd or PAC; or as the PAC
    /// buffer of this number, such as PAC-1 [default: detected]
    #[arg(long = "type", value_name = "NAME")]
    named: Option<String>,
    /// Print JSON (schema tagwise.krb5/1)
    #[arg(long)]
    json: bool,
    /// Show the bytes of keys and passwords
    #[arg(long)]
    show_keys: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    items: Vec<DecodedFile>,
}

#[derive(Serialize)]
struct DecodedFile {
    file: String,
    kind: String,
    length: usize,
    content: Value<'static>,
}

impl DecodeArgs {
    pub(super) fn decode(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut items, mut code) = (Vec::new(), 0);
        for path in &self.files {
            if let Err(failure) = self.read(context, path, &mut items) {
                // An unknown name of --type concerns all files.
                if matches!(failure, Failure::Said(2, _)) {
                    return Err(failure);
                }
                code = code.max(finish(Err(failure), err)?);
            }
        }
        code = code.max(u8::from(items.iter().any(|item| is_malformed(&item.content))));
        if self.json {
            output::document(out, &Document { schema: "tagwise.krb5/1", items })?;
            return Ok(code);
        }
        for (at, item) in items.iter().enumerate() {
            let heading =
                Line::new(Tone::Strong, &item.kind).and(Tone::Dim, format!("  {}, {} bytes", item.file, item.length));
            output::text(out, context.color, &heading, at == 0, &item.content)?;
        }
        Ok(code)
    }

    /// Decodes the objects in a file. Adds all of them, or none if one cannot be decoded.
    fn read(&self, context: &Context, path: &Path, items: &mut Vec<DecodedFile>) -> Result<(), Failure> {
        let view = view(context, self.show_keys);
        let mut found = Vec::new();
        match &self.named {
            Some(name) => found.push(named(context, path, name, view)?),
            None => {
                for octets in load(context, path)? {
                    let shown = shown(path, &octets, view)?;
                    found.push((octets, shown));
                }
            }
        }
        items.extend(found.into_iter().map(|(octets, Shown { kind, value })| DecodedFile {
            file: name_of(path),
            kind,
            length: octets.len(),
            content: value,
        }));
        Ok(())
    }
}

/// Returns the view settings: whether secrets are shown, and the rules that `--allow` tolerates.
pub(super) fn view(context: &Context, secrets: bool) -> View {
    View::new(secrets).allowing(context.allowed.decoding)
}

/// Converts a message to DER if `--allow` tolerates its deviations from DER. Decryption keys are tried on the result.
pub(super) fn canonical(context: &Context, octets: Vec<u8>) -> Vec<u8> {
    let allowed = context.allowed.decoding;
    let Some(KerberosKind::Message(ty)) = KerberosKind::of(&octets).filter(|_| !allowed.is_empty()) else {
        return octets;
    };
    match ber::to_der_as(ty, None, &octets, &Options::der().rules(allowed)) {
        Ok(der) => der.into_bytes().into_owned(),
        // What is wrong is told where it is read.
        Err(_) => octets,
    }
}

/// Reads the Kerberos objects in a file. Unwraps its content (PEM, for example) if it is not a Kerberos object itself. Fails if the file
/// contains anything else.
pub(super) fn load(context: &Context, path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let octets = octets(context, path)?;
    // Text can begin like a message: base64 of an AS-REQ with `a`, the tag of a ticket. Binary messages contain bytes that are not text.
    let is_text = octets.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if !is_text && KerberosKind::of(&octets).is_some() {
        return messages(context, path, &octets);
    }
    let values = Wrapped::open(octets.clone(), None).map(|source| source.values).unwrap_or_default();
    if values.first().is_none_or(|value| KerberosKind::of(&value.octets).is_none()) {
        return Ok(vec![octets]);
    }
    let mut found = Vec::new();
    for value in values {
        if let Some(problem) = &value.problem {
            return Err(Failure::negative(format!("{}: {}", name_of(path), visible(problem))));
        }
        found.extend(messages(context, path, &value.octets)?);
    }
    Ok(found)
}

/// Splits concatenated messages and tokens. Other objects extend to the end of the input.
fn messages(context: &Context, path: &Path, octets: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
    let is_tolerated = context.allowed.decoding.has(&Rule::TRAILING_DATA);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
        let kind = KerberosKind::of(rest);
        if kind.is_none() && at > 0 {
            if is_tolerated {
                break;
            }
            return Err(behind(path, at));
        }
        // What is wrong with a truncated message is reported where it is decoded.
        let len = match kind {
            Some(KerberosKind::Message(_) | KerberosKind::Token(_)) => match Element::read(rest, 0, rest.len()) {
                Ok(element) => element.end,
                Err(_) if at > 0 && !is_tolerated => return Err(behind(path, at)),
                Err(_) => rest.len(),
            },
            _ => rest.len(),
        };
        found.push(rest.get(..len).unwrap_or(rest).to_vec());
        at = at.saturating_add(len.max(1));
    }
    Ok(found)
}

fn behind(path: &Path, at: usize) -> Failure {
    Failure::negative(format!("{}: {}", name_of(path), rules::broken(&Rule::TRAILING_DATA, at)))
}

/// Reads the bytes of a file as the named type, either directly or unwrapped.
fn named(context: &Context, path: &Path, name: &str, view: View) -> Result<(Vec<u8>, Shown), Failure> {
    let octets = octets(context, path)?;
    let unknown = || {
        let names: Vec<&str> = NAMES.iter().chain(FORMS).copied().collect();
        Failure::usage(format!("--type: unknown name {name:?}, expected PAC-NUMBER or one of {}", names.join(", ")))
    };
    let first = show_as(name, &octets, view).ok_or_else(unknown)?;
    let error = match first {
        Ok(shown) => {
            // Zeros are the padding of a cipher's block, which has up to 8 bytes.
            let is_type = NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
            let end = Element::read(&octets, 0, octets.len()).map_or(octets.len(), |element| element.end);
            let rest = octets.get(end..).unwrap_or_default();
            let is_padding = rest.len() < 8 && rest.iter().all(|octet| *octet == 0);
            if is_type && !is_padding && !context.allowed.decoding.has(&Rule::TRAILING_DATA) {
                return Err(behind(path, end));
            }
            return Ok((octets, shown));
        }
        Err(error) => error,
    };
    let unwrapped = Wrapped::open(octets, None).ok().and_then(|source| source.values.into_iter().next());
    let again = unwrapped.and_then(|value| Some((show_as(name, &value.octets, view)?.ok()?, value.octets)));
    match again {
        Some((shown, octets)) => Ok((octets, shown)),
        None => Err(Failure::negative(format!("{}: {}", name_of(path), visible(&error)))),
    }
}

/// Detects and decodes a Kerberos object. Any other input is a negative answer (exit code 1).
pub(super) fn shown(path: &Path, octets: &[u8], view: View) -> Result<Shown, Failure> {
    let nothing = || {
        let message = "expected a Kerberos message, ticket, token, keytab, credential cache or PAC";
        Failure::negative(format!("{}: {message}", name_of(path)))
    };
    show(octets, view).ok_or_else(nothing)?.map_err(|error| {
        let malformed = match KerberosKind::of(octets) {
            Some(KerberosKind::Message(ty)) => read(ty, octets, view).err(),
            _ => None,
        };
        let hint = malformed.map(|error| rules::hint(&error)).unwrap_or_default();
        Failure::negative(format!("{}: {}{hint}", name_of(path), visible(&error)))
    })
}
