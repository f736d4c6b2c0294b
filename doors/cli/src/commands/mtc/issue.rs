//! `tagwise mtc issue`.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use tagwise_pkix::oids::files as kinds;

use serde::Serialize;
use tagwise_ca::{AltName, Requested};
use tagwise_codec::{SeqOf, encode};
use tagwise_mtc_log::{Certified, Log, LogInfo, NewEntry, Template, entry_of};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::GeneralNames;
use tagwise_pkix::name::NameBuf;

use super::common::{
    CertificateDocument, ClockArgs, DbArgs, KeyArgs, OutputArgs, document, progress, refused, seconds,
};
use super::cosigners::CosignersArgs;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::issuing::{ValidityArgs, value};
use crate::shared::keys::one;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc issue server.csr -o server.pem                            names from the request
  tagwise mtc issue a.csr b.csr c.csr --days 3 -o all.pem               one batch with one checkpoint
  tagwise mtc issue --public-key server.pub --dns www.example.org -o server.pem
  tagwise mtc issue server.csr --cosigners cosigners.txt -o server.pem  with signatures of witnesses and mirrors
  tagwise mtc issue server.csr --later                                  logged only; run `checkpoint` and `prove` later
  tagwise mtc issue --public-key k.pub --dns 'host{}.example.org' --repeat 1000 -o all.pem

Certificates are for servers: they have the key usage digitalSignature, the extended key usage serverAuth, and the names. A request \
must be signed with the key to be certified. An entry is stored on disk before its checkpoint is signed, and the checkpoint before a \
certificate is written.
Exit codes: 0 issued; 1 refused, with the reason; 2 usage error; 3 a file, the database or a cosigner could not be used.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("whose").required(true).args(["requests", "public_key"]))]
#[command(group = clap::ArgGroup::new("named").multiple(true).args(["subject", "dns", "ip"]))]
pub(crate) struct IssueArgs {
    /// Certification requests (PKCS #10); `-` is standard input
    #[arg(value_name = "REQUEST")]
    requests: Vec<PathBuf>,
    /// Certify the public key in this file
    #[arg(long, value_name = "FILE", requires = "named")]
    public_key: Option<PathBuf>,
    /// Subject, such as `CN=www.example.org,O=Example` [default: the request's, otherwise empty]
    #[arg(long, value_name = "NAME")]
    subject: Option<NameBuf>,
    /// DNS name; may be repeated. With --repeat, `{}` is replaced by the number
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// IP address; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// Log the key this many times, with a different number for `{}` in the names
    #[arg(long, value_name = "N", requires = "public_key", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    repeat: u64,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Log the entries without signing a checkpoint
    #[arg(long, conflicts_with_all = ["cosigners", "output", "der"])]
    later: bool,
    #[command(flatten)]
    db: DbArgs,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    clock: ClockArgs,
    #[command(flatten)]
    cosigners: CosignersArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.mtc/1) on standard output
    #[arg(long)]
    json: bool,
}

/// The default validity: a week, the lifetime of a landmark in the default schedule.
const DAYS: u32 = 7;
/// The number of entries to append in one transaction.
const BATCH: usize = 4096;

#[derive(Serialize)]
struct Document {
    first: u64,
    beyond: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<u64>,
    cosigners: usize,
    certificates: Vec<CertificateDocument>,
}

/// The content of one certificate.
struct Wanted {
    subject: NameBuf,
    names: Vec<AltName>,
    public_key: Vec<u8>,
}

impl IssueArgs {
    pub(super) fn issue(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut log = self.db.open()?;
        self.clock.apply(&mut log);
        let failed = |error: tagwise_mtc_log::Error| self.db.failed(&error);
        // Whatever can be refused is refused before anything is logged.
        let entries = self.entries(context, log.info())?;
        let key = (!self.later).then(|| self.key.authority(context, log.info())).transpose()?;
        key.as_ref().map_or(Ok(()), |key| log.check_key(key).map(drop)).map_err(failed)?;
        log.check_clock(seconds()).map_err(failed)?;
        self.output.check()?;
        let bar = progress(entries.len() as u64, "entries logged");
        // Others may log something between two batches.
        let mut ranges = Vec::new();
        for batch in entries.chunks(BATCH) {
            let at = log.append(batch).map_err(failed)?;
            ranges.push((at, at.saturating_add(batch.len() as u64)));
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        let first = ranges.first().map_or(0, |(first, _)| *first);
        let beyond = ranges.last().map_or(0, |(_, beyond)| *beyond);
        let Some(key) = key else {
            let document_of = Document { first, beyond, checkpoint: None, cosigners: 0, certificates: Vec::new() };
            return self.say(&document_of, out, err);
        };
        let told = |failure: Failure| match failure {
            Failure::Said(code, text) => Failure::Said(
                code,
                format!(
                    "{text}; entry {first} is logged: run `tagwise mtc checkpoint` to sign it, and `tagwise mtc prove {first}` to write its certificate"
                ),
            ),
            failure @ Failure::Output(_) => failure,
        };
        let logged = |error: tagwise_mtc_log::Error| told(self.db.failed(&error));
        let record = log.checkpoint(&key, &[], seconds()).map_err(logged)?;
        let cosigners = self.cosigners.ask(context, &mut log, &self.db.db)?;
        let mut made = Vec::with_capacity(entries.len());
        for (first, beyond) in ranges {
            made.extend(certificates(&log, first, beyond).map_err(logged)?);
        }
        let certificates = made;
        if self.output.output.is_some() || !self.json {
            self.output.deliver(&certificates, out).map_err(told)?;
        }
        let documents = if self.json {
            certificates.iter().map(CertificateDocument::of).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let said = Document { first, beyond, checkpoint: Some(record.size), cosigners, certificates: documents };
        self.say(&said, out, err)
    }

    fn say(&self, document_of: &Document, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let Document { first, beyond, checkpoint, cosigners, .. } = document_of;
        if self.json {
            document("issue", document_of, out)?;
            return Ok(0);
        }
        let last = beyond.saturating_sub(1);
        let entries = if first == &last { format!("entry {first}") } else { format!("entries {first} to {last}") };
        match checkpoint {
            None => writeln!(err, "{entries} logged, not signed yet")?,
            Some(size) if self.output.output.is_some() => {
                writeln!(err, "{entries}, checkpoint {size}, signed by the CA and {cosigners} cosigners")?;
            }
            Some(_) => {}
        }
        Ok(0)
    }

    fn entries(&self, context: &Context, info: &LogInfo) -> Result<Vec<NewEntry>, Failure> {
        let start = now();
        let end = self.validity.end_or(start, DAYS);
        if end <= start {
            return Err(Failure::usage(format!("--until: expected a time in the future, found {end}")));
        }
        let mut all = Vec::new();
        for request in &self.requests {
            let der = value(context, request, &kinds::CERTIFICATION_REQUEST)?;
            let refuse = |error: &dyn std::fmt::Display| refused(&format!("{}: {error}", name_of(request)));
            let requested = Requested::from_der(EMBEDDED, &der).map_err(|error| refuse(&error))?;
            let names = self.names(0)?;
            if let (true, Some(error)) = (names.is_empty(), requested.refused.first()) {
                return Err(refuse(error));
            }
            let wanted = Wanted {
                subject: self.subject.clone().unwrap_or(requested.subject),
                names: if names.is_empty() { requested.names } else { names },
                public_key: requested.public_key,
            };
            all.push(entry(info, &wanted, (start, end)).map_err(|error| refuse(&error))?);
        }
        if let Some(path) = &self.public_key {
            let public_key = one(context, EMBEDDED, path, &self.key.passphrase)?.key.public(EMBEDDED)?;
            // That it is one is found once, not for each.
            Requested::of_key(public_key.clone()).map_err(|error| refused(&error))?;
            let empty = NameBuf::parse("").map_err(|error| refused(&error))?;
            let subject = self.subject.clone().unwrap_or(empty);
            for number in 0..self.repeat {
                let names = self.names(number)?;
                let wanted = Wanted { subject: subject.clone(), names, public_key: public_key.clone() };
                all.push(entry(info, &wanted, (start, end)).map_err(|error| refused(&error))?);
            }
        }
        Ok(all)
    }

    fn names(&self, number: u64) -> Result<Vec<AltName>, Failure> {
        let dns = self.dns.iter().map(|name| AltName::dns(&name.replace("{}", &number.to_string())));
        let ip = self.ip.iter().map(|address| Ok(AltName::ip(*address)));
        dns.chain(ip).collect::<Result<_, _>>().map_err(|error| Failure::usage(error.to_string()))
    }
}

/// Creates the log entry for a server's certificate.
fn entry(
    info: &LogInfo,
    wanted: &Wanted,
    validity: (UnixTime, UnixTime),
) -> Result<NewEntry, Box<dyn std::error::Error>> {
    let subject = encode(&wanted.subject.name())?;
    let names = wanted.names.iter().map(AltName::general).collect::<Result<Vec<_>, _>>()?;
    if names.is_empty() && subject == [0x30, 0] {
        return Err("no name given: use --dns, --ip or --subject".into());
    }
    let alt_names = (!names.is_empty()).then(|| GeneralNames(SeqOf::from_slice(&names)));
    let template = Template { subject: &subject, alt_names, key_info: &wanted.public_key, validity };
    Ok(entry_of(info, &template)?)
}

/// Returns the certificates of new entries, and shows a progress bar.
fn certificates(log: &Log, first: u64, beyond: u64) -> Result<Vec<Certified>, tagwise_mtc_log::Error> {
    let bar = progress(beyond.saturating_sub(first), "certificates created");
    let mut all = Vec::new();
    let mut at = first;
    while at < beyond {
        let end = at.saturating_add(BATCH as u64).min(beyond);
        all.extend(log.certificates(at, end)?);
        bar.set_position(end.saturating_sub(first));
        at = end;
    }
    bar.finish_and_clear();
    Ok(all)
}
