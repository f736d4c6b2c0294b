//! Generates Rust for PER from modules. Arguments: the file to write, and the modules.
//!
//! Known departures of published modules from X.680 are allowed.
#![forbid(unsafe_code)]

use std::error::Error;

use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let output = args.next().ok_or("expected a file to write")?;
    let options = Departure::ALL.iter().fold(Options::default(), |options, one| options.allow(*one));
    let mut builder = Builder::new().schema(options);
    for file in args {
        if file.ends_with(".toml") {
            builder = builder.overlay(file);
        } else {
            builder = builder.files(file);
        }
    }
    let written = builder.per("per")?;
    let text = written.files.first().map(|file| file.text.as_str()).unwrap_or_default();
    std::fs::write(output, text)?;
    Ok(())
}
