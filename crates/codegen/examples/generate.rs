//! The generator of this project's own code: `generate FOLDER OVERLAY FILE ...`.
//!
//! The command would do as well, but it is built with what is generated here.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use tagwise_codegen::Builder;
use tagwise_codegen::emit::rust::Layout;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(overlay)) = (args.next(), args.next()) else {
        eprintln!("usage: generate FOLDER OVERLAY FILE ...");
        return ExitCode::from(2);
    };
    // The project's own rustfmt.toml.
    let builder =
        Builder::new().overlay(overlay).codec("tagwise_codec", "tagwise_derive::Asn1").layout(Layout::max(120));
    let builder = args.fold(builder, Builder::files);
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
