//! The program `tagwise-query`: the command `tagwise` with columns in Parquet and Arrow files, and with `tagwise query`.
//!
//! It is a program of its own because DataFusion is several times as large as the command, which starts it when it is needed.
#![forbid(unsafe_code)]

mod engine;
mod output;
mod page;
mod plot;
mod sample;
mod table;

fn main() -> std::process::ExitCode {
    tagwise_cli::main_with(engine::run)
}
