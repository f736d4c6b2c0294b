//! The command line: which rows to run and how to run them.

use crate::harness::{self, Case, Samples};
use crate::peer::{Input, Peer, Task};
use crate::report::{self, Line, Section};
use crate::rows::{self, Row};
use crate::{callgrind, inputs, peers};
use std::hint::black_box;

const USAGE: &str = "\
usage: tagwise-bench [--rounds N] [GROUP | ROW]...   time rows, by default all, and write results/
       tagwise-bench --list                          name the groups and rows
       tagwise-bench --instructions ROW...           count instructions per item under callgrind
       tagwise-bench --once ROW LIBRARY N            run one library's row N times, for a profiler
LIBRARY is a name, or name:variant where the table shows a variant.";

/// Runs the program and returns its exit code.
#[must_use]
pub fn run(args: &[String]) -> u8 {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--list"] => {
            list();
            Ok(())
        }
        ["--once", row, library, count] => once(row, library, count),
        ["--instructions", wanted @ ..] => select(wanted).and_then(|rows| instructions(&rows)),
        ["--rounds", rounds, wanted @ ..] => match rounds.parse() {
            Ok(rounds) => select(wanted).and_then(|rows| measure(&rows, rounds)),
            Err(_) => Err(USAGE.to_owned()),
        },
        [flag, ..] if flag.starts_with('-') => Err(USAGE.to_owned()),
        wanted => select(wanted).and_then(|rows| measure(&rows, harness::ROUNDS)),
    };
    match outcome {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            2
        }
    }
}

fn list() {
    for row in rows::all() {
        println!("{:<12} {:<28} {}", row.group, row.id, row.title);
    }
}

/// The rows of the given groups or ids; all where none is given.
fn select(wanted: &[&str]) -> Result<Vec<Row>, String> {
    let all = rows::all();
    if let Some(unknown) = wanted
        .iter()
        .find(|name| !all.iter().any(|row| row.id == **name || row.group == **name))
    {
        return Err(format!("there is no group or row {unknown}\n{USAGE}"));
    }
    let chosen = |row: &Row| wanted.is_empty() || wanted.iter().any(|name| row.id == *name || row.group == *name);
    Ok(all.into_iter().filter(chosen).collect())
}

/// The name of a task in tables and for `--once`.
fn label(peer: &dyn Peer, task: &Task<'_>) -> String {
    if task.variant.is_empty() {
        peer.name().to_owned()
    } else {
        format!("{}:{}", peer.name(), task.variant)
    }
}

/// Every library's ways of doing a row, labelled.
#[must_use]
pub fn tasks<'a>(peers: &[Box<dyn Peer>], row: &Row, input: &'a Input) -> Vec<(String, Task<'a>)> {
    peers
        .iter()
        .flat_map(|peer| {
            peer.tasks(row.op, input)
                .into_iter()
                .map(|task| (label(peer.as_ref(), &task), task))
        })
        .collect()
}

fn measure(rows: &[Row], rounds: usize) -> Result<(), String> {
    let peers = peers::all();
    let mut sections: Vec<Section> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        match inputs::by_name(row.input) {
            Ok(input) => sections.push(section(&peers, row, &input, rounds)),
            Err(missing) => eprintln!("skipped {}: {missing}", row.id),
        }
        // A group's rows follow one another; its report is written as soon as they are done.
        if rows.get(index + 1).is_none_or(|next| next.group != row.group) && !sections.is_empty() {
            report::write(row.group, &report::head(&peers, rounds), &sections)?;
            sections.clear();
        }
    }
    Ok(())
}

fn section(peers: &[Box<dyn Peer>], row: &Row, input: &Input, rounds: usize) -> Section {
    let mut lines = Vec::new();
    let mut cases = Vec::new();
    for (library, mut task) in tasks(peers, row, input) {
        let accepted = (task.run)();
        lines.push(Line {
            library,
            says: task.says,
            items: task.items,
            accepted,
            samples: Samples::default(),
        });
        cases.push(Case {
            items: task.items,
            run: task.run,
        });
    }
    for (line, samples) in lines
        .iter_mut()
        .zip(harness::interleave(&mut cases, rounds, harness::SAMPLE))
    {
        line.samples = samples;
    }
    let section = Section {
        row: row.clone(),
        about: input.about.clone(),
        lines,
    };
    print!("{}", report::text(&section));
    section
}

fn once(row: &str, library: &str, count: &str) -> Result<(), String> {
    let row = select(&[row])?.into_iter().next().ok_or(USAGE)?;
    let count: u64 = count.parse().map_err(|_| USAGE)?;
    let input = inputs::by_name(row.input)?;
    // Only this library's tasks are made, so that the others' setting up is not in the count.
    let name = library.split(':').next().unwrap_or(library);
    let peers: Vec<_> = peers::all().into_iter().filter(|peer| peer.name() == name).collect();
    let (_, mut task) = tasks(&peers, &row, &input)
        .into_iter()
        .find(|(label, _)| label == library)
        .ok_or_else(|| format!("{library} has no row {}", row.id))?;
    for _ in 0..count {
        black_box((task.run)());
    }
    Ok(())
}

fn instructions(rows: &[Row]) -> Result<(), String> {
    let peers = peers::all();
    let mut counted = Vec::new();
    for row in rows {
        let input = match inputs::by_name(row.input) {
            Ok(input) => input,
            Err(missing) => {
                eprintln!("skipped {}: {missing}", row.id);
                continue;
            }
        };
        for (library, task) in tasks(&peers, row, &input) {
            // A few thousand items are enough: the counts repeat exactly.
            let few = (1_000 / task.items.max(1) as u64).max(1);
            let args = ["--once", row.id.as_str(), library.as_str()];
            let per_run = callgrind::instructions_per_repeat(&args, few, few * 3);
            let per_item = per_run.map(|count| count / task.items as f64);
            let count = per_item.ok_or("valgrind is needed for instruction counts, and did not run")?;
            println!("{:<28} {library:<24} {count:>12.1}", row.id);
            counted.push((row.id.clone(), library, count));
        }
    }
    report::write_instructions(&report::head(&peers, 0), &counted)
}
