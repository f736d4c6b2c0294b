//! `tagwise cms compress` and `tagwise cms decompress`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_crypto::cms::{MAX_DECOMPRESSED, compress, decompress};
use tagwise_input::mail::{content_mail, draft};
use tagwise_pkix::cms::ID_DATA;

use super::sign::armour;
use crate::shared::context::Context;
use crate::shared::credentials::{message, negative, octets, unusable};
use crate::shared::output::{Failure, deliver};

pub(super) const COMPRESS: &str = "\
Examples:
  tagwise cms compress report.txt -o report.p7z
  tagwise cms compress --smime mail.eml -o compressed.eml

The content is compressed with zlib. It is neither signed nor encrypted.
Exit codes: 0 compressed; 2 usage error; 3 a file could not be read or written.";

pub(super) const DECOMPRESS: &str = "\
Examples:
  tagwise cms decompress report.p7z -o report.txt

Exit codes: 0 decompressed; 1 the message is malformed or too large; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct CompressArgs {
    /// File to compress; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write an S/MIME mail; the header of a mail is kept outside
    #[arg(long, conflicts_with = "pem")]
    smime: bool,
    /// Write PEM
    #[arg(long)]
    pem: bool,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DecompressArgs {
    /// Message: DER, BER, PEM or S/MIME; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    message: PathBuf,
    /// Maximum size of the content, in bytes
    #[arg(long, value_name = "N", default_value_t = MAX_DECOMPRESSED)]
    max_size: usize,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
}

impl CompressArgs {
    pub(super) fn compress(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let content = octets(context, &self.file)?;
        let failed = |error| negative(&self.file, &error);
        let written = if self.smime {
            let draft = draft(&content);
            let message = compress(ID_DATA, &draft.entity).map_err(failed)?;
            content_mail(&draft.header, "compressed-data", &message)
        } else {
            let message = compress(ID_DATA, &content).map_err(failed)?;
            if self.pem { armour(&message)? } else { message }
        };
        deliver(&written, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}

impl DecompressArgs {
    pub(super) fn decompress(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let content = decompress(&message(context, &self.message)?, self.max_size);
        let content = content.map_err(|error| unusable(&self.message, &error))?;
        deliver(&content, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}
