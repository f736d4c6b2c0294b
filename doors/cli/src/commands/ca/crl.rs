//! `tagwise ca crl`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_ca::store::Series;
use tagwise_ca::{Authority, Error, IndirectScope, IssuedCrl, Now, Store};
use tagwise_codec::Decode;
use tagwise_crypto::Signer;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Name, UnixTime};

use super::common::{DAY, DbArgs, KeyArgs, Moment, OutputArgs, armoured, document};
use super::history::HistoryArgs;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::{Failure, is_same, name_of, replace};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca crl -o root.crl
  tagwise ca crl --days 30 --der -o root.crl
  tagwise ca crl --json | jq .crl.number
  tagwise ca crl --delta --days 1 -o delta.crl                  the changes since the last complete CRL
  tagwise ca crl --partitions /var/www/crl -o root.crl          also the CRL of each partition
  tagwise ca crl --indirect --of sub.db --of old.db -o all.crl  one CRL for several CAs
  tagwise ca crl --clock-was-wrong -o root.crl                  after the clock was ahead
  tagwise ca crl --last-crl old.crl -o root.crl                 for a CA that was imported without its last CRL

Each CRL lists all certificates revoked by now, and has the next CRL number. To print the last CRL again: tagwise ca export --crl. \
The newest CRL of each partition, and the newest delta and indirect CRL, are also stored: tagwise ca export --series.

An indirect CRL (RFC 5280 §5) lists the certificates that were revoked by this CA and by those of --of. It counts for a certificate \
only if that names this CA as the issuer of its CRL: tagwise ca init --crl-issuer. Its URL is that in their certificates. Each one must \
cover all CAs with entries in the last one, unless --leave-out names them.

If the last CRL or a revocation is dated in the future, the clock is wrong now or was wrong then, and no CRL is issued. \
--clock-was-wrong states that it was wrong then: future revocations are moved to now, and future OCSP responses are deleted.
Exit codes: 0 issued; 1 refused, with the reason; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct CrlArgs {
    /// Days until the next CRL is due
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Issue a delta CRL, which lists the changes since the last complete CRL
    #[arg(long, conflicts_with_all = ["clock_was_wrong", "last_crl", "index", "no_history"])]
    delta: bool,
    /// Issue an indirect CRL, which also lists the certificates that other CAs revoked
    #[arg(long, requires = "of", conflicts_with_all = ["delta", "partitions", "last_crl", "index", "no_history"])]
    indirect: bool,
    /// Database of another CA of an indirect CRL, which is only read; may be repeated
    #[arg(long, value_name = "FILE", requires = "indirect")]
    of: Vec<PathBuf>,
    /// Leave out the CA with this subject, which the last indirect CRL covers, because its certificates have expired; may be repeated
    #[arg(long, value_name = "SUBJECT", requires = "indirect")]
    leave_out: Vec<String>,
    /// Trust the current clock: the last CRL, revocations and OCSP responses are dated ahead because the clock was wrong
    #[arg(long)]
    clock_was_wrong: bool,
    /// Also write the CRLs of the partitions to this folder: 1.crl, 2.crl and so on, in DER
    #[arg(long, value_name = "FOLDER")]
    partitions: Option<PathBuf>,
    #[command(flatten)]
    history: HistoryArgs,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    crl: Crl,
}

#[derive(Serialize)]
struct Crl {
    number: u64,
    entries: usize,
    this_update: Moment,
    next_update: Moment,
    pem: String,
}

impl CrlArgs {
    /// Writes the CRLs of partitions, or reminds of them.
    fn deliver_parts(&self, authority: &Authority, parts: &[IssuedCrl], err: &mut dyn Write) -> Result<(), Failure> {
        let Some(folder) = &self.partitions else {
            if let Some(count) = authority.crl_partitions() {
                writeln!(
                    err,
                    "note: certificates name the CRLs of {count} partitions: --partitions FOLDER writes them"
                )?;
            }
            return Ok(());
        };
        for (number, part) in (1..).zip(parts) {
            let path = folder.join(format!("{number}.crl"));
            replace(&path, &part.der).map_err(|error| Failure::file(&path, "written", &error))?;
        }
        Ok(())
    }

    /// Issues the CRL of several CAs.
    fn indirect(
        &self,
        (store, authority): (&mut dyn Store, &Authority),
        signer: &dyn Signer,
        now: Now,
        next: UnixTime,
        err: &mut dyn Write,
    ) -> Result<IssuedCrl, Failure> {
        let failed = |error: Error| self.key.failed(&error);
        let last = store.series_crl(authority.id(), Series::Indirect).map_err(failed)?;
        let last = last.map(|last| last.crl.this_update);
        let subject = &authority.certificate().tbs_certificate.subject;
        let (mut others, mut urls) = (Vec::new(), Vec::new());
        for path in &self.of {
            let db = DbArgs { db: path.clone() };
            let (mut store, other) = db.open_to_read()?;
            let revoked = store.revoked(other.id(), last, now.unix()).map_err(|error| db.failed(&error))?;
            let urls_of = other.urls();
            let named = urls_of.crl_issuer.as_deref().and_then(|der| Name::from_der(der).ok());
            if named.is_some_and(|named| named.matches(subject)) {
                urls.extend(urls_of.crl.clone());
            } else {
                let path = name_of(path);
                writeln!(
                    err,
                    "note: {path}: the CRL does not count for its certificates, which do not name {subject} as the issuer of their CRL"
                )?;
            }
            others.push((other, revoked));
        }
        urls.sort();
        urls.dedup();
        if let [one, other, ..] = urls.as_slice() {
            let text = format!("the certificates of the CAs name different CRLs, expected one: {one}, {other}");
            return Err(Failure::negative(text));
        }
        let others: Vec<_> = others.iter().map(|(other, revoked)| (other, revoked.clone())).collect();
        let dropped = self
            .leave_out
            .iter()
            .map(|text| NameBuf::parse(text).map_err(|error| Failure::usage(format!("--leave-out: {error}"))));
        let dropped = dropped.collect::<Result<Vec<_>, _>>()?;
        let scope = IndirectScope { url: urls.first().map(String::as_str), others: &others, dropped: &dropped };
        authority.indirect_crl(store, signer, now, next, &scope).map_err(failed)
    }

    pub(super) fn crl(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.key.open()?;
        let signer = self.key.signer(&authority)?;
        let now = now();
        if self.partitions.is_some() && authority.crl_partitions().is_none() {
            return Err(Failure::usage(
                "the CA has no partitions: --crl-url of `tagwise ca init` names them, such as http://ca.example.org/{8}.crl",
            ));
        }
        self.history.check()?;
        // Before a CRL number is used.
        if let Some(folder) = &self.partitions {
            let is_part = |output: &PathBuf| {
                let mut numbers = 1..=authority.crl_partitions().unwrap_or_default();
                numbers.any(|number| is_same(output, &folder.join(format!("{number}.crl"))))
            };
            if let Some(output) = self.output.output.as_ref().filter(|output| is_part(output)) {
                let name = name_of(output);
                return Err(Failure::usage(format!(
                    "{name}: is the file of a partition, expected another for the complete CRL"
                )));
            }
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, "written", &error))?;
        }
        if self.history.is_said() {
            let crl = self.history.crl(context, authority.certificate(), now, err)?;
            let number = self.history.recorded_number(context)?;
            let import = self.history.import(context, crl.as_ref(), number, err)?;
            let takeover = self.history.takeover(crl.as_ref(), import.as_ref());
            authority.take_over(&mut *store, &takeover).map_err(|error| self.key.failed(&error))?;
        }
        let moment = Now::from(now);
        let moment = if self.clock_was_wrong { moment.clock_was_wrong() } else { moment };
        let next = now.saturating_add(DAY * self.days);
        let made = if self.indirect {
            self.indirect((&mut *store, &authority), &signer, moment, next, err)?
        } else {
            let made = match self.delta {
                true => authority.partitioned_delta_crls(&mut *store, &signer, now, next),
                false => authority.partitioned_crls(&mut *store, &signer, moment, next),
            };
            let (made, parts) = made.map_err(|error| self.key.failed(&error))?;
            self.deliver_parts(&authority, &parts, err)?;
            made
        };
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new(label::X509_CRL, &[&made.der], &format!("the CRL {}", made.number), out)?;
        }
        if self.json {
            let crl = Crl {
                number: made.number,
                entries: made.entries,
                this_update: Moment::of(made.this_update),
                next_update: Moment::of(made.next_update),
                pem: armoured(label::X509_CRL, &made.der)?,
            };
            document("crl", &Document { crl }, out)?;
        } else if self.output.output.is_some() {
            let revoked = made.entries.saturating_sub(made.released);
            let released = if made.released > 0 { format!(", {} released", made.released) } else { String::new() };
            let (number, next) = (made.number, made.next_update);
            writeln!(err, "CRL {number}: {revoked} revoked{released}, the next one is due on {next}")?;
        }
        Ok(0)
    }
}
