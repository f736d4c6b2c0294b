//! Sources of passphrases: the terminal, a file, or a file descriptor. A passphrase is never a command-line argument,
//! because other users of the machine could see it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use tagwise_crypto::Secret;

use crate::shared::output::{Failure, reason};

/// The options for a passphrase.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PassphraseArgs {
    /// Read the passphrase from the first line of this file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    passphrase_file: Vec<PathBuf>,
    /// Read the passphrase from the first line of this open file descriptor
    #[arg(long, value_name = "N", conflicts_with = "passphrase_file")]
    passphrase_fd: Option<u32>,
    /// The name of the option for the file, if it is not one of these.
    #[arg(skip)]
    option: Option<&'static str>,
    /// Set if a line of standard input replaces the prompt when there is no terminal.
    #[arg(skip)]
    piped: bool,
}

impl PassphraseArgs {
    /// Reads a passphrase from a file.
    pub(crate) fn of_file(path: &Path) -> Self {
        Self { passphrase_file: vec![path.to_owned()], ..Self::default() }
    }

    /// Reads the passphrase from the file that another option specifies, if that option is given.
    pub(crate) fn named_by(option: &'static str, path: Option<&Path>) -> Self {
        Self {
            passphrase_file: path.map(Path::to_owned).into_iter().collect(),
            option: Some(option),
            ..Self::default()
        }
    }

    /// Reads a line from standard input if that is not a terminal, so that `echo … | kinit` works as in MIT Kerberos.
    pub(crate) fn or_piped(self) -> Self {
        Self { piped: true, ..self }
    }

    /// Returns the passphrase for reading a key.
    ///
    /// # Errors
    /// Returns an error if no passphrase is available.
    pub(crate) fn of(&self, what: &str) -> Result<Secret, Failure> {
        match self.given()? {
            Some(passphrase) => Ok(passphrase),
            None => self.ask(&format!("Passphrase of {what}: ")),
        }
    }

    /// Returns a password, and prompts for it with the given text if necessary.
    ///
    /// # Errors
    /// Returns an error if no passphrase is available.
    pub(crate) fn password(&self, prompt: &str) -> Result<Secret, Failure> {
        match self.given()? {
            Some(password) => Ok(password),
            None => self.ask(prompt),
        }
    }

    /// Returns the passphrase if an option specifies one. Never prompts.
    ///
    /// # Errors
    /// Returns an error if the passphrase cannot be read.
    pub(crate) fn named(&self) -> Result<Option<Secret>, Failure> {
        self.given()
    }

    /// Returns the passphrase for writing a key. Prompts twice on a terminal.
    ///
    /// # Errors
    /// Returns an error if no passphrase is available, it is empty, or the two answers differ.
    pub(crate) fn fresh(&self) -> Result<Secret, Failure> {
        let passphrase = match self.given()? {
            Some(passphrase) => passphrase,
            None => {
                let passphrase = self.ask("Passphrase for the new key: ")?;
                if passphrase.expose() != self.ask("Repeat the passphrase: ")?.expose() {
                    return Err(Failure::usage("the two passphrases differ"));
                }
                passphrase
            }
        };
        if passphrase.is_empty() {
            return Err(Failure::usage("the passphrase is empty; to write an unencrypted key, see --help"));
        }
        Ok(passphrase)
    }

    fn ask(&self, prompt: &str) -> Result<Secret, Failure> {
        if self.piped && !io::stdin().is_terminal() {
            let line = read_line(Path::new("-")).map_err(|error| Failure::file(Path::new("-"), "read", &error))?;
            // Without a single byte, nobody has written there.
            if !line.is_empty() {
                return Ok(without_end(&line));
            }
        }
        if !io::stdin().is_terminal() && !io::stderr().is_terminal() {
            let option = self.option.unwrap_or("--passphrase-file or --passphrase-fd");
            return Err(Failure::usage(format!(
                "a passphrase is required, but there is no terminal to read it from: give {option}"
            )));
        }
        match rpassword::prompt_password(prompt) {
            Ok(passphrase) => Ok(Secret::from(passphrase.into_bytes())),
            Err(error) => Err(Failure::usage(format!("the passphrase cannot be read: {}", reason(&error)))),
        }
    }

    /// Returns the passphrase for a converted key: the first one given for reading, or otherwise a new one.
    ///
    /// # Errors
    /// Returns any error from [`fresh`](Self::fresh).
    pub(crate) fn kept_or_fresh(&self) -> Result<Secret, Failure> {
        match self.all()?.into_iter().next().filter(|first| !first.is_empty()) {
            Some(first) => Ok(first),
            None => self.fresh(),
        }
    }

    /// Returns all passphrases given by options, for files whose parts have different ones. Never prompts.
    ///
    /// # Errors
    /// Returns an error if a passphrase cannot be read.
    pub(crate) fn all(&self) -> Result<Vec<Secret>, Failure> {
        match self.passphrase_file.as_slice() {
            [] | [_] => Ok(self.given()?.into_iter().collect()),
            paths => paths.iter().map(|path| first_line(path)).collect(),
        }
    }

    fn given(&self) -> Result<Option<Secret>, Failure> {
        match self.passphrase_file.as_slice() {
            [] => {}
            [path] => return first_line(path).map(Some),
            _ => {
                return Err(Failure::usage(
                    "--passphrase-file may be repeated only to read PKCS #12 files and keys in other containers",
                ));
            }
        }
        match self.passphrase_fd {
            Some(number) if cfg!(unix) => first_line(Path::new(&format!("/dev/fd/{number}"))).map(Some),
            Some(_) => Err(Failure::usage("--passphrase-fd requires a system with /dev/fd")),
            None => Ok(None),
        }
    }
}

fn first_line(path: &Path) -> Result<Secret, Failure> {
    let octets = read_line(path).map_err(|error| Failure::file(path, "read", &error))?;
    Ok(without_end(&octets))
}

/// Returns a line without its line ending.
fn without_end(octets: &Secret) -> Secret {
    let line = octets.expose().strip_suffix(b"\n").unwrap_or(octets.expose());
    Secret::from(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The maximum length of a passphrase. A longer line indicates that the wrong file was given.
const LONGEST: u64 = 4096;

/// Reads the first line with its line ending. Nothing more is read from standard input.
fn read_line(path: &Path) -> io::Result<Secret> {
    let mut line = Vec::with_capacity(LONGEST as usize + 1);
    if path.as_os_str() == "-" {
        io::stdin().lock().take(LONGEST + 1).read_until(b'\n', &mut line)?;
    } else {
        BufReader::new(File::open(path)?).take(LONGEST + 1).read_until(b'\n', &mut line)?;
    }
    let line = Secret::from(line);
    if line.len() as u64 > LONGEST {
        let message = format!("the first line exceeds {LONGEST} bytes, which is too long for a passphrase");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(line)
}
