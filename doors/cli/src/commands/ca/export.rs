//! `tagwise ca export`.

use std::io::Write;
use tagwise_pkix::oids::files::label;

use tagwise_ca::store::{Series, StoredKey};
use tagwise_ca::{Error, Serial};

use super::common::{DbArgs, OutputArgs, armoured};
use super::revoke::parsed;
use crate::shared::keys::deliver_private;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca export -o root.pem                    the CA's certificate
  tagwise ca export --serial 3F9A0C… --ca          a certificate, then the CA's
  tagwise ca export --all -o issued.pem            every certificate that it issued
  tagwise ca export --crl --der -o root.crl        the last CRL
  tagwise ca export --crl 7                        the CRL with this number
  tagwise ca export --series 'partition 3'         the newest CRL of a partition; also: delta, 'partition 3 delta', indirect
  tagwise ca export --key -o backup.key            the CA's key, encrypted as in the database

Exit codes: 0 written; 1 not found; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Export the CA's certificate, after any others [default if nothing else is selected]
    #[arg(long)]
    ca: bool,
    /// Export the certificate with this serial number; may be repeated
    #[arg(long, value_name = "SERIAL", value_parser = parsed)]
    serial: Vec<Serial>,
    /// Export every certificate that the CA has issued
    #[arg(long, conflicts_with = "serial")]
    all: bool,
    /// Export the last CRL, or the CRL with this number
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with_all = ["ca", "serial", "all"])]
    crl: Option<Option<u64>>,
    /// Export the newest CRL of this series: `delta`, `partition N`, `partition N delta` or `indirect`
    #[arg(long, value_name = "NAME", value_parser = series, conflicts_with_all = ["ca", "serial", "all", "crl", "key"])]
    series: Option<Series>,
    /// Export the CA's key as stored in the database, into a file that only its owner can read
    #[arg(long, conflicts_with_all = ["ca", "serial", "all", "crl"])]
    key: bool,
    #[command(flatten)]
    db: DbArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Parses the name of a series of CRLs.
fn series(text: &str) -> Result<Series, String> {
    Series::parse(text).ok_or_else(|| "expected delta, \"partition N\", \"partition N delta\" or indirect".to_owned())
}

/// Returns the reason why there is no CRL of a series. `count` is the number of the CA's partitions.
fn missing(series: Series, count: Option<u16>) -> String {
    match (series, count) {
        (Series::Partition(number) | Series::PartitionDelta(number), None) => {
            format!("no partition {number}: the CA has no partitions")
        }
        (Series::Partition(number) | Series::PartitionDelta(number), Some(count)) if !(1..=count).contains(&number) => {
            format!("no partition {number}: the CA has the partitions 1 to {count}")
        }
        _ => format!("no CRL of the series \"{series}\" yet"),
    }
}

impl ExportArgs {
    pub(super) fn export(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.db.open_to_read()?;
        let failed = |error: Error| self.db.failed(&error);
        if let Some(number) = self.crl {
            let crl = store.crl(authority.id(), number).map_err(failed)?;
            let crl = crl.ok_or_else(|| match number {
                Some(number) => Failure::negative(format!("CRL {number} not found")),
                None => Failure::negative("no CRL yet; `tagwise ca crl` creates one"),
            })?;
            self.output.deliver(label::X509_CRL, &[&crl.der], out)?;
            return Ok(0);
        }
        if let Some(series) = self.series {
            let crl = store.series_crl(authority.id(), series).map_err(failed)?;
            let crl = crl.ok_or_else(|| Failure::negative(missing(series, authority.crl_partitions())))?;
            self.output.deliver(label::X509_CRL, &[&crl.crl.der], out)?;
            return Ok(0);
        }
        if self.key {
            let text = match authority.key() {
                StoredKey::Encrypted(der) => armoured(label::ENCRYPTED_PRIVATE_KEY, der)?,
                StoredKey::Plain(pkcs8) => armoured(label::PRIVATE_KEY, pkcs8.expose())?,
                StoredKey::Elsewhere => return Err(failed(Error::NoKey)),
            };
            let text = tagwise_crypto::Secret::from(text.into_bytes());
            deliver_private(text.expose(), self.output.output.as_ref(), out)?;
            return Ok(0);
        }
        let mut list = Vec::new();
        for serial in &self.serial {
            let record = authority.find(&mut *store, serial).map_err(failed)?;
            if !record.is_known() {
                let text = format!("the certificate {serial} was issued elsewhere: only its serial number is known");
                return Err(Failure::negative(text));
            }
            list.push(record.der);
        }
        if self.all {
            let add = &mut |record: tagwise_ca::store::CertificateRecord| {
                list.extend(Some(record.der).filter(|der| !der.is_empty()));
                Ok(())
            };
            store.certificates(authority.id(), add).map_err(failed)?;
        }
        if self.ca || !self.all && self.serial.is_empty() {
            list.push(authority.certificate_der().to_vec());
        }
        let parts: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
        self.output.deliver(label::CERTIFICATE, &parts, out)?;
        Ok(0)
    }
}
