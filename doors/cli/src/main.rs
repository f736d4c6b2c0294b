//! The `tagwise` command. The library next to this file implements it.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    tagwise_cli::main()
}
