//! Steps of a command, and the table that sums them up.

use std::time::Instant;

use anyhow::Result;

use crate::project::Project;

/// How a step ended: whether it passed, and a note for its row.
pub(crate) struct Outcome(bool, String);

impl From<()> for Outcome {
    fn from((): ()) -> Self {
        Self(true, String::new())
    }
}

impl From<bool> for Outcome {
    fn from(passed: bool) -> Self {
        Self(passed, String::new())
    }
}

impl From<(bool, String)> for Outcome {
    fn from((passed, note): (bool, String)) -> Self {
        Self(passed, note)
    }
}

struct Row {
    name: String,
    seconds: u64,
    outcome: Outcome,
}

/// The steps so far.
pub(crate) struct Steps {
    /// The command, as the summary names it.
    command: String,
    started: Instant,
    rows: Vec<Row>,
}

impl Steps {
    pub(crate) fn new(project: &Project, command: &str) -> Self {
        Self { command: command.to_owned(), started: project.started, rows: Vec::new() }
    }

    /// Runs a step. If it fails, later steps still run.
    pub(crate) fn step<T: Into<Outcome>>(&mut self, name: &str, action: impl FnOnce() -> Result<T>) {
        println!("\n==> {name}");
        let start = Instant::now();
        let outcome = action().map(Into::into).unwrap_or_else(|error| {
            eprintln!("x: {error:#}");
            Outcome(false, String::new())
        });
        self.rows.push(Row { name: name.to_owned(), seconds: start.elapsed().as_secs(), outcome });
    }

    /// Whether every step so far passed.
    pub(crate) fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.outcome.0)
    }

    /// Prints the table; whether every step passed.
    pub(crate) fn summary(self) -> Result<bool> {
        print!("{}", table(&self.command, &self.rows, self.started.elapsed().as_secs()));
        Ok(self.passed())
    }
}

fn table(command: &str, rows: &[Row], seconds: u64) -> String {
    let mut text = format!("\n{command}\n");
    for Row { name, seconds, outcome: Outcome(passed, note) } in rows {
        let mark = if *passed { "ok" } else { "FAILED" };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        text += &format!("  {mark:<6}  {seconds:>5} s  {name}{note}\n");
    }
    let failed = rows.iter().filter(|row| !row.outcome.0).count();
    text + &if failed > 0 {
        format!("{command}: FAILED ({failed} of {} steps)\n", rows.len())
    } else {
        format!("{command}: ok, {seconds} s\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Steps {
        Steps { command: "x test".to_owned(), started: Instant::now(), rows: Vec::new() }
    }

    #[test]
    fn failed_step_does_not_stop_later_steps() {
        let (mut steps, mut ran) = (steps(), false);
        steps.step("first", || anyhow::bail!("broken") as Result<()>);
        steps.step("second", || Ok((false, "1 failed".to_owned())));
        steps.step("third", || {
            ran = true;
            Ok(())
        });
        assert!(ran && !steps.passed());
        let expected = "\nx test\n  FAILED      0 s  first\n  FAILED      0 s  second (1 failed)\n  ok          0 s  third\n\
                        x test: FAILED (2 of 3 steps)\n";
        assert_eq!(table("x test", &steps.rows, 7), expected);
        assert!(!steps.summary().unwrap());
    }

    #[test]
    fn summary_has_times_and_notes() {
        let mut steps = steps();
        steps.step("format", || Ok(()));
        steps.step("sizes", || Ok((true, "3 long".to_owned())));
        steps.rows[1].seconds = 12345;
        assert_eq!(
            table("x lint", &steps.rows, 99),
            "\nx lint\n  ok          0 s  format\n  ok      12345 s  sizes (3 long)\nx lint: ok, 99 s\n"
        );
        assert!(steps.summary().unwrap());
    }
}
