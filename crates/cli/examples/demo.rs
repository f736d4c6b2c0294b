//! The main job on an embedded default: the root certificates that browsers trust, read strictly, listed, and one shown whole.
//!
//! `./x demo` runs it. An argument picks another certificate by its number: `./x demo 7`.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::SystemTime;

/// ISRG Root X1, or the first one if the store no longer has it.
const FAVOURITE: &[u8] = b"ISRG Root X1";

fn main() -> ExitCode {
    let roots: Vec<&[u8]> = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|root| &**root).collect();
    let favourite = roots.iter().position(|der| der.windows(FAVOURITE.len()).any(|part| part == FAVOURITE));
    let number = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => favourite.unwrap_or_default(),
        Some(Ok(number @ 1..)) if number <= roots.len() => number - 1,
        Some(_) => {
            eprintln!("usage: demo [NUMBER]   (1 to {})", roots.len());
            return ExitCode::from(2);
        }
    };
    let color = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut out = io::BufWriter::new(io::stdout().lock());
    match tagwise_cli::tour(&mut out, &roots, number, color, SystemTime::now().into()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::from(3)
        }
    }
}
