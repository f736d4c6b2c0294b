//! `tagwise-schema-peers tagwise|rasn`: compiles each set of modules listed on standard input (its name, its expected
//! outcome and its files, separated by tabs). It prints a line for each: the name, `ok`, `error` or `panic`, the
//! milliseconds it took, and the first line of the message. `peers.py` does the same with the Python compilers, and creates
//! the table of all results.

use std::io::BufRead as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rasn_compiler::prelude::RasnBackend;
use tagwise_codegen::Builder;
use tagwise_codegen::emit::doc::PageFormat;

/// From files to the text of the output, or what is wrong.
type Compile = fn(&[String]) -> Result<(), String>;

/// Diagnostics only.
fn check(files: &[String]) -> Result<(), String> {
    let mut sources = Vec::new();
    for file in files {
        let octets = std::fs::read(file).map_err(|error| error.to_string())?;
        sources.push(tagwise_schema::Source::from_bytes(file, &octets));
    }
    let compilation = tagwise_schema::compile(sources);
    if compilation.model().is_some() { Ok(()) } else { Err(compilation.render()) }
}

/// The run-time tables.
fn tables(files: &[String]) -> Result<(), String> {
    let mut sources = Vec::new();
    for file in files {
        let octets = std::fs::read(file).map_err(|error| error.to_string())?;
        sources.push(tagwise_schema::Source::from_bytes(file, &octets));
    }
    tagwise_tables::Schema::compile(sources).map(|_| ()).map_err(|error| error.to_string())
}

fn builder(files: &[String]) -> Builder {
    files.iter().fold(Builder::new(), |builder, file| builder.files(file))
}

/// The Rust of all modules.
fn rust(files: &[String]) -> Result<(), String> {
    builder(files).rust().map(|_| ()).map_err(|error| error.to_string())
}

/// Reference pages.
fn doc(files: &[String]) -> Result<(), String> {
    builder(files).doc(PageFormat::Markdown).map(|_| ()).map_err(|error| error.to_string())
}

fn rasn(files: &[String]) -> Result<(), String> {
    let compiler = rasn_compiler::Compiler::<RasnBackend, _>::new().add_asn_sources_by_path(files.iter());
    compiler.compile_to_string().map(|_| ()).map_err(|error| error.to_string())
}

fn main() {
    let compile: Compile = match std::env::args().nth(1).as_deref() {
        Some("check") => check,
        Some("tables") => tables,
        Some("rust") => rust,
        Some("doc") => doc,
        Some("rasn") => rasn,
        _ => {
            eprintln!("usage: tagwise-schema-peers check|tables|rust|doc|rasn < LIST");
            std::process::exit(2);
        }
    };
    // What a compiler says while it panics is on standard error; the line says that it did.
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let mut parts = line.split('\t').map(str::to_owned);
        let name = parts.next().unwrap_or_default();
        let files: Vec<String> = parts.skip(1).collect();
        let begun = Instant::now();
        let run = catch_unwind(AssertUnwindSafe(|| compile(&files)));
        let millis = begun.elapsed().as_secs_f64() * 1000.0;
        let (verdict, said) = match run {
            Ok(Ok(())) => ("ok", String::new()),
            Ok(Err(said)) => ("error", said),
            Err(_) => ("panic", String::new()),
        };
        println!("{name}\t{verdict}\t{millis:.3}\t{}", said.lines().next().unwrap_or_default());
    }
}
