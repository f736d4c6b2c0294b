//! A password check in a separate process. The process can be killed if it hangs, and its memory is released afterwards.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use zeroize::Zeroizing;

use super::{Check, Password, Verdict};

/// A password check using an external program.
///
/// The program reads the user's name, a zero byte and the password from standard input. It exits with 0 for a valid
/// password, 1 for an invalid one, and any other code if it cannot decide. `localkdc-pam-check` is such a program.
#[derive(Clone, Debug)]
pub struct ProgramCheck {
    program: PathBuf,
    arguments: Vec<String>,
}

impl ProgramCheck {
    /// Creates a check from a program and its arguments.
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    fn run(&self, user: &str, password: &Password, time: Duration) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        let end = begun.checked_add(time).unwrap_or(begun);
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::inherit());
        let mut child = command.spawn()?;
        let mut said = Zeroizing::new(Vec::with_capacity(user.len() + 1 + password.expose().len()));
        said.extend_from_slice(user.as_bytes());
        said.push(0);
        said.extend_from_slice(password.expose());
        // A pipe holds more than the longest name and password, so this does not wait; a program that does not read them is a
        // program that cannot tell.
        let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(&said));
        let ended = wait(&mut child, end);
        match (written, &ended) {
            (Err(error), Ok(Some(status))) if status.success() => Err(error),
            _ => ended,
        }
    }
}

/// Waits until the child exits, and kills it after the deadline.
fn wait(child: &mut Child, end: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

impl Check for ProgramCheck {
    fn check(&self, user: &str, password: &Password, time: Duration) -> Verdict {
        // Neither can be part of a C string.
        if user.contains('\0') || password.expose().contains(&0) {
            return Verdict::Rejected;
        }
        let program = self.program.display();
        match self.run(user, password, time) {
            Ok(Some(status)) => match status.code() {
                Some(0) => Verdict::Accepted,
                Some(1) => Verdict::Rejected,
                _ => Verdict::Unavailable(format!("{program}: {status}")),
            },
            Ok(None) => Verdict::Unavailable(format!("{program}: no reply within {time:?}")),
            Err(error) => Verdict::Unavailable(format!("{program}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, password: &[u8], milliseconds: u64) -> Verdict {
        let check = ProgramCheck::new("/bin/sh", ["-c", script]);
        check.check("ann", &Password::new(password.to_vec()), Duration::from_millis(milliseconds))
    }

    #[test]
    fn the_exit_code_is_the_verdict() {
        let compare = r#"[ "$(tr '\0' ':')" = ann:secret ]"#;
        assert_eq!(shell(compare, b"secret", 10_000), Verdict::Accepted);
        assert_eq!(shell(compare, b"other", 10_000), Verdict::Rejected);
        assert_eq!(shell(compare, b"sec\0ret", 10_000), Verdict::Rejected);
        for script in ["exit 2", "kill -9 $$"] {
            assert!(matches!(shell(script, b"secret", 10_000), Verdict::Unavailable(_)), "{script}");
        }
        let absent = ProgramCheck::new("/nowhere/check", [""; 0]);
        let verdict = absent.check("ann", &Password::new(b"x".to_vec()), Duration::from_secs(1));
        assert!(matches!(verdict, Verdict::Unavailable(_)), "{verdict:?}");
    }

    #[test]
    fn a_program_that_hangs_is_killed() {
        let begun = Instant::now();
        let Verdict::Unavailable(why) = shell("exec sleep 60", b"secret", 200) else { panic!("accepted or rejected") };
        assert!(why.contains("no reply"), "{why}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
