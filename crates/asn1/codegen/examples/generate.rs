//! Generates this project's own code: `generate FOLDER FILE ...`. Files whose names end in `.toml` are overlays.
//!
//! The command-line tool could also do this, but it is itself built from the generated code.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use tagwise_codegen::Builder;
use tagwise_codegen::emit::rust::Layout;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(folder) = args.next() else {
        eprintln!("usage: generate FOLDER FILE ...");
        return ExitCode::from(2);
    };
    // The project's own rustfmt.toml.
    let builder = Builder::new().codec("tagwise_codec", "tagwise_derive::Asn1").layout(Layout::max(120));
    let builder = args.fold(builder, |builder, file| match file.extension() {
        Some(ending) if ending == "toml" => builder.overlay(file),
        _ => builder.files(file),
    });
    match builder.rust().and_then(|output| output.write(&folder).map(|_| output)) {
        Ok(output) => {
            output.notes.iter().for_each(|note| eprintln!("note: {note}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
