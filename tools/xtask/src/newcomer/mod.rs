//! `./x newcomer`: README.md, followed in a new Debian that has nothing but Rust and what README names.

mod chroot;
mod page;
mod peers;
mod readme;

use std::fs;

use anyhow::{Context as _, Result, ensure};

use crate::needs::provide;
use crate::project::Project;
use crate::steps::Steps;

use chroot::{Chroot, Cost};
use page::{PAGE, Row};

pub(crate) use page::hold;

#[derive(clap::Args)]
pub(crate) struct Newcomer {
    /// Build the same programs with other libraries, too, and write bench/results/newcomer.md (half an hour)
    #[arg(long)]
    peers: bool,
    /// Only build these programs, and write no page
    #[arg(long, conflicts_with = "peers")]
    programs: bool,
}

impl Newcomer {
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        provide(project, "newcomer")?;
        let text = fs::read_to_string(project.root.join("README.md"))?;
        let (chroot, mut rows) = (Chroot::new(project)?, Vec::new());
        let mut steps = Steps::new(project, "x newcomer");
        steps.step("a new Debian, and a clone", || chroot.create(project));
        // The first step installs what programs need.
        let readme = readme::steps(&text)?.into_iter().take(if self.programs { 1 } else { usize::MAX });
        for step in readme {
            // Later steps need earlier ones.
            if !steps.passed() {
                break;
            }
            steps.step(&step.name, || {
                let mut whole = Cost::default();
                for command in &step.commands {
                    let (code, printed, cost) = chroot.run("/root/tagwise", &command.script)?;
                    whole += cost;
                    let shown = command.shown.as_deref();
                    // As in the tests of the guide: 1 is a negative answer, which the page has to show.
                    let ended = code == 0 || code == 1 && shown.is_some_and(|lines| !lines.is_empty());
                    ensure!(ended, "{} ended with {code}:\n{printed}", command.script);
                    if let Some(lines) = shown {
                        readme::compare(lines, &printed).with_context(|| command.script.clone())?;
                    }
                }
                rows.push(Row { name: step.name.clone(), cost: whole, size: String::new() });
                Ok((true, whole.to_string()))
            });
        }
        let mut sizes = String::new();
        if steps.passed() && !self.programs {
            steps.step("sizes", || {
                sizes = page::installed(&chroot)?;
                print!("{sizes}");
                Ok(())
            });
        }
        if !steps.passed() || !self.peers && !self.programs {
            return steps.summary();
        }
        let mut built = Vec::new();
        for peer in peers::ALL {
            steps.step(peer.name, || {
                let row = peer.measure(project, &chroot)?;
                let note = format!("{}, {} MB", row.cost, row.size);
                built.push(row);
                Ok((true, note))
            });
        }
        if steps.passed() && self.peers {
            steps.step(PAGE, || page::write(project, &rows, &sizes, &built));
        }
        steps.summary()
    }
}
