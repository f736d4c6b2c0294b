//! A program on the other side of a context: a script of Python that takes one command a line and gives one answer a line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use tagwise_krb5::client::Moment;
use tagwise_krb5::gss::Context;
use tagwise_krb5::gss::spnego::Negotiator;

/// The process of a script.
pub struct Peer {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a script of this folder by a command that runs Python.
    pub fn start(mut python: Command, script: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common").join(script);
        // No compiled modules beside the sources.
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        let mut child = python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers }
    }

    /// Its answer to a command; an error begins with `!`.
    pub fn ask(&mut self, command: &str) -> String {
        writeln!(self.child.stdin.as_mut().unwrap(), "{command}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    /// Its answer, which is no error.
    pub fn must(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        assert!(!answer.starts_with('!'), "{}: {answer}", &command[..command.len().min(40)]);
        answer
    }

    /// Initiates a negotiation with us by a command of the script, up to its end.
    pub fn negotiates<'a>(&mut self, initiate: &str, mut ours: Negotiator<'a, '_>) -> Context<'a> {
        let mut token = self.must(initiate);
        while let Some(answer) = ours.step(&unhex(&token), Moment::now()).unwrap() {
            let told = self.must(&format!("step {}", hex(&answer)));
            let (next, state) = told.split_once(' ').unwrap();
            token = next.to_owned();
            if token.is_empty() {
                assert_eq!(state, "done");
                break;
            }
        }
        ours.into_accepted().unwrap().context
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from hexadecimal digits.
pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
