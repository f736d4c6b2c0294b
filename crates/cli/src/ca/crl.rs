//! `tagwise ca crl`.

use std::io::Write;

use serde::Serialize;

use super::common::{DAY, KeyArgs, Moment, OutputArgs, armoured, document, iso};
use crate::args::now;
use crate::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca crl -o root.crl
  tagwise ca crl --days 30 --der -o root.crl
  tagwise ca crl --json | jq .crl.number

Each CRL lists all that is revoked now, and has the next number. To have the last one again: tagwise ca export --crl.
Exit codes: 0 made; 1 refused, and why; 2 usage; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct CrlArgs {
    /// In how many days the next one is due
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// JSON (schema tagwise.ca/1) on standard output
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
    pub(super) fn crl(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.key.open()?;
        let signer = self.key.signer(&authority)?;
        let now = now();
        let made = authority.crl(&mut store, &signer, now, now + i64::from(self.days) * DAY);
        let made = made.map_err(|error| self.key.failed(&error))?;
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new("X509 CRL", &[&made.der], &format!("the CRL {}", made.number), out)?;
        }
        if self.json {
            let crl = Crl {
                number: made.number,
                entries: made.entries,
                this_update: Moment::of(made.this_update),
                next_update: Moment::of(made.next_update),
                pem: armoured("X509 CRL", &made.der)?,
            };
            document("crl", &Document { crl }, out)?;
        } else if self.output.output.is_some() {
            let next = iso(made.next_update);
            writeln!(err, "CRL {}: {} revoked, the next one is due on {next}", made.number, made.entries)?;
        }
        Ok(0)
    }
}
