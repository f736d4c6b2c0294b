//! `tagwise ca profile`: lists, prints and checks certificate profiles.

use std::io::Write;

use clap::Subcommand;
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use crate::shared::profiles::{BUILT_IN, SCHEMA, built_in, parsed, read};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca profile list
  tagwise ca profile show server > vpn.toml      as the beginning of your own
  tagwise ca profile check vpn.toml
  tagwise ca profile schema > profile.json       the JSON Schema, for editors
  tagwise ca issue vpn.csr --profile vpn.toml -o vpn.pem

A profile sets the usages, policies and validity of certificates, and which keys, names and extensions a request may have. In the \
templates `subject` and `alternative-names`, {CN}, {O} and other attributes stand for those of the request, and {dns}, {ip}, {email}, \
{uri} and {upn} for its first name of that kind.
Exit codes: 0 good; 1 the profile is invalid, with the reason; 2 usage error; 3 a file could not be read.";

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// List the built-in profiles
    List,
    /// Print a built-in profile in TOML
    Show {
        /// The profile's name
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Check profiles in TOML
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<std::path::PathBuf>,
    },
    /// Print the JSON Schema of profiles
    Schema,
}

impl ProfileCommand {
    pub(super) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        match self {
            Self::List => {
                for (name, text) in BUILT_IN {
                    let file = parsed(text).map_err(Failure::negative)?;
                    writeln!(out, "{name:<16} {:>5} days  {}", file.days, file.description.unwrap_or_default())?;
                }
            }
            Self::Show { name } => out.write_all(built_in(name)?.as_bytes())?,
            Self::Schema => out.write_all(SCHEMA.as_bytes())?,
            Self::Check { files } => {
                let mut code = 0;
                for path in files {
                    match read(context, path) {
                        Ok(definition) => {
                            let limit = match definition.transparency {
                                Some(_) => {
                                    "; only for `tagwise ca issue` with one request: batches, ACME, EST, SCEP and CMP do not submit \
                                     certificates to Certificate Transparency logs"
                                }
                                None => "",
                            };
                            writeln!(out, "{}: profile {}: good{limit}", name_of(path), definition.name)?;
                        }
                        Err(Failure::Said(worse, text)) => {
                            code = code.max(worse);
                            // The parser's message has a line with the place.
                            for (at, line) in text.lines().enumerate() {
                                let lead = if at == 0 { "tagwise: " } else { "" };
                                writeln!(err, "{lead}{}", visible(&line))?;
                            }
                        }
                        Err(other) => return Err(other),
                    }
                }
                return Ok(code);
            }
        }
        Ok(0)
    }
}
