//! What may be asked for.

use std::path::PathBuf;

use clap::Parser;

use crate::algorithm::Algorithm;

const EXAMPLES: &str = "\
Examples:
  ./x pipeline                                                ECDSA P-256 on every backend, batches of 1 to 1024
  ./x pipeline --ca-key-algo ml-dsa-65 --backend aws-lc       one algorithm on one backend
  ./x pipeline --ca-key-algo rsa2048,rsa3072 --reuse-keys     without the keys of subscribers being made
  ./x pipeline --batch 64,1024 --html report.html --db run.db

A stage's floor is what it cannot do without: the bare signatures or verifications of the same octets, or the same
octets through prepared statements. The table has the stage by its floor, each measured in the same round.";

/// All that a certificate authority does, stage by stage, each beside its floor.
#[derive(Debug, Parser)]
#[command(name = "pipeline", bin_name = "./x pipeline", after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Args {
    /// Keys of the CA; several with commas between
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "ecdsa-p256",
        value_name = "LIST"
    )]
    pub(crate) ca_key_algo: Vec<Algorithm>,

    /// Keys that are certified; without it, of the CA's kind
    #[arg(long, value_enum, value_name = "ALGO")]
    pub(crate) subscriber_key_algo: Option<Algorithm>,

    /// Backends, side by side; several with commas between
    #[arg(long, value_delimiter = ',', default_value = "aws-lc,openssl,nss", value_parser = ["aws-lc", "openssl", "nss"], value_name = "LIST")]
    pub(crate) backend: Vec<String>,

    /// Sizes of batches; a fresh CA for each
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8,16,32,64,128,256,512,1024", value_name = "LIST",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) batch: Vec<u32>,

    /// Rounds of each batch go on for so many seconds
    #[arg(long, default_value_t = 1.0, value_parser = seconds, value_name = "SECONDS")]
    pub(crate) min_seconds: f64,

    /// The same for each stage that is measured on one thread and on two; without it, as --min-seconds says
    #[arg(long, value_parser = seconds, value_name = "SECONDS")]
    pub(crate) scaling_seconds: Option<f64>,

    /// Threads
    #[arg(long, default_value_t = cores(), value_parser = threads, value_name = "N")]
    pub(crate) jobs: usize,

    /// Take a few keys of subscribers again and again, made before anything is timed
    #[arg(long)]
    pub(crate) reuse_keys: bool,

    /// The database in which the CAs are, and in the end the results; without it, one that is deleted afterwards
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Write all results as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write a page with tables and plots that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("a number from 1 to 1024".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 86400".to_owned()),
    }
}
