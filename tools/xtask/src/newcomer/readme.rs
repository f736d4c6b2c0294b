//! README.md as a list of steps. Nothing of it is repeated here: commands, programs and what they print are its blocks.
//!
//! - `sh`: commands. Each comment begins a step, which it names. Variables that a step exports are set in later ones.
//! - `console`: commands, and what they print, as in the guide.
//! - `rust`: a program for the project that README creates with `cargo new`.
//! - `python`: a program for the interpreter in README's virtual environment. Comments at its end are its output.
//! - `c`: a program. The comment at its begin has the commands that compile and run it, the one at its end its output.

#[path = "../../../../doors/cli/tests/common/console.rs"]
#[allow(dead_code, reason = "the tests of the guide rewrite lines by number")]
mod console;

use anyhow::{Context as _, Result, bail};

/// What a newcomer does under one heading or comment.
pub(super) struct Step {
    pub(super) name: String,
    pub(super) commands: Vec<Command>,
}

/// Words for the shell, and the lines that they print, if README shows them.
pub(super) struct Command {
    pub(super) script: String,
    pub(super) shown: Option<Vec<String>>,
}

/// The steps of a page.
pub(super) fn steps(text: &str) -> Result<Vec<Step>> {
    let (mut steps, mut heading, mut exports) = (Vec::new(), "", String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title;
        }
        let Some(language) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let (name, commands) = match language {
            "sh" => {
                let before = steps.len();
                for line in body {
                    if let Some(comment) = line.strip_prefix("# ") {
                        let name = comment.split([',', ':']).next().unwrap_or(comment).to_owned();
                        steps.push(Step { name, commands: vec![command(&exports, "", None)] });
                        continue;
                    }
                    let step = steps.get_mut(before..).and_then(<[Step]>::last_mut);
                    let step = step.with_context(|| format!("no comment names the step of `{line}`"))?;
                    step.commands.iter_mut().for_each(|command| command.script += &format!("{line}\n"));
                    if line.starts_with("export ") {
                        exports += &format!("{line}\n");
                    }
                }
                continue;
            }
            "console" => {
                let block = format!("```console\n{}\n```\n", body.join("\n"));
                let commands = console::steps(&block).into_iter().map(|step| {
                    let shown = step.expected.iter().map(|line| (*line).to_owned()).collect();
                    command(&exports, step.command, Some(shown))
                });
                (heading, commands.collect())
            }
            "rust" => {
                let project = after(text, "cargo new ")?;
                let program = format!("fn main() {{\n{}\n}}", body.join("\n"));
                let run = format!("cargo run --manifest-path {project}/Cargo.toml");
                (heading, vec![command(&exports, &(file(&format!("{project}/src/main.rs"), &program) + &run), None)])
            }
            "python" => {
                let interpreter = format!("{}/bin/python", after(text, "-m venv ")?);
                let output = body.iter().rev().map_while(|line| line.strip_prefix("# "));
                let mut shown: Vec<String> = output.map(str::to_owned).collect();
                shown.reverse();
                let script = file("/tmp/program.py", &body.join("\n")) + &interpreter + " /tmp/program.py";
                (heading, vec![command(&exports, &script, Some(shown))])
            }
            "c" => {
                let comment = |line: Option<&&str>| {
                    let text = line.and_then(|line| line.strip_prefix("/* ")?.strip_suffix(" */"));
                    text.map(str::to_owned).context("a program in C without its commands or its output")
                };
                let (commands, shown) = (comment(body.first())?, comment(body.last())?);
                let source = commands.split_whitespace().find(|word| word.ends_with(".c"));
                let source = source.context("the commands of a program in C do not name it")?;
                let script = file(source, &body.join("\n")) + &commands;
                (heading, vec![command(&exports, &script, Some(vec![shown]))])
            }
            _ => continue,
        };
        steps.push(Step { name: name.to_owned(), commands });
    }
    Ok(steps)
}

fn command(exports: &str, script: &str, shown: Option<Vec<String>>) -> Command {
    Command { script: format!("{exports}{script}"), shown }
}

/// A command that writes a file.
fn file(name: &str, text: &str) -> String {
    format!("cat >{name} <<'END-OF-FILE'\n{text}\nEND-OF-FILE\n")
}

/// The word after these.
fn after<'a>(text: &'a str, words: &str) -> Result<&'a str> {
    let rest = text.split_once(words).with_context(|| format!("README has no `{words}`"))?.1;
    rest.split_whitespace().next().with_context(|| format!("nothing follows `{words}`"))
}

/// Fails unless the lines are as the page shows them.
pub(super) fn compare(shown: &[String], printed: &str) -> Result<()> {
    let (lines, shown): (Vec<&str>, Vec<&str>) =
        (printed.lines().collect(), shown.iter().map(String::as_str).collect());
    if !console::matches(&shown, &lines) {
        bail!("the output differs\n--- README\n{}\n--- printed\n{printed}", shown.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "## Install\n\n```sh\n# One, first\nexport A=1\ncargo new ../p\n# Two\npython3 -m venv ../v\n```\n\
        ## Command\n```console\n$ echo a\na\n$ true\n```\n## Rust\n```rust\nassert!(true);\n```\n\
        ## Python\n```python\nprint(1)\n# 1\n```\n## C\n```c\n/* cc -o p p.c && ./p */\nint main(void) {}\n/* x */\n```\n```text\nx\n```\n";

    #[test]
    fn blocks_are_steps() {
        let steps = steps(PAGE).unwrap();
        let names: Vec<&str> = steps.iter().map(|step| &*step.name).collect();
        assert_eq!(names, ["One", "Two", "Command", "Rust", "Python", "C"]);
        let script = |step: usize, command: usize| &*steps[step].commands[command].script;
        let shown = |step: usize, command: usize| steps[step].commands[command].shown.as_deref();
        assert_eq!(script(0, 0), "export A=1\ncargo new ../p\n");
        assert_eq!(script(1, 0), "export A=1\npython3 -m venv ../v\n");
        assert_eq!((script(2, 0), script(2, 1)), ("export A=1\necho a", "export A=1\ntrue"));
        assert_eq!((shown(2, 0), shown(2, 1)), (Some(&["a".to_owned()][..]), Some(&[][..])));
        assert!(script(3, 0).contains(">../p/src/main.rs <<'END-OF-FILE'\nfn main() {\nassert!(true);\n}\n"));
        assert!(script(4, 0).ends_with("../v/bin/python /tmp/program.py"));
        assert_eq!(shown(4, 0), Some(&["1".to_owned()][..]));
        assert!(script(5, 0).starts_with("export A=1\ncat >p.c ") && script(5, 0).ends_with("\ncc -o p p.c && ./p"));
        assert_eq!(shown(5, 0), Some(&["x".to_owned()][..]));
    }

    #[test]
    fn unnamed_commands_are_an_error() {
        assert!(steps("```sh\ntrue\n```\n").is_err());
        assert!(steps("```python\nprint(1)\n```\n").is_err());
        assert!(steps("```c\nint main(void) {}\n```\n").is_err());
    }

    #[test]
    fn other_output_is_an_error() {
        let shown = ["a ... c".to_owned()];
        assert!(compare(&shown, "a b c\n").is_ok());
        assert!(compare(&shown, "a b\n").is_err());
        assert!(compare(&[], "a\n").is_err());
    }

    #[test]
    fn readme_has_each_way_to_use_the_project() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
        let steps = steps(&text).unwrap();
        let all: String = steps.iter().flat_map(|step| &step.commands).map(|command| &*command.script).collect();
        for part in
            ["./x demo", "cargo install", "cargo run", "pip install", "./x c install", "tagwise.h", "tagwise show"]
        {
            assert!(all.contains(part), "{part}");
        }
    }
}
