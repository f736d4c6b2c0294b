//! The `tagwise` command. All of it is in the library beside this file.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    tagwise_cli::main()
}
