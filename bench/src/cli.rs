//! The command line: which rows to run and how to run them.

use crate::harness::{self, BUDGET, Case};
use crate::inputs::corpus;
use crate::peer::{Input, Peer, Task};
use crate::report::{self, Count, Line, Report, Section};
use crate::rows::{self, Row};
use crate::{agree, callgrind, inputs, machine, peers, probes};
use std::hint::black_box;
use std::io::Write;

const USAGE: &str = "\
usage: tagwise-bench [--rounds N] [GROUP | ROW]...   time rows, by default all, and write a report below CARGO_TARGET_DIR/results
       tagwise-bench --list                          name the groups and rows, and the libraries of this build
       tagwise-bench --check                         compare what libraries say and refuse; time nothing
       tagwise-bench --instructions [ROW]...         count instructions per item under callgrind
       tagwise-bench --once ROW LIBRARY N            run one library's row N times, for a profiler
LIBRARY is a name, or name:variant where the table shows a variant.";

/// Rows whose instructions are counted unless others are named: one of each kind, on small inputs.
const COUNTED: [&str; 19] = [
    "outline/pkits",
    "outline/mozilla",
    "strict/pkits",
    "strict/mozilla",
    "index/pkits",
    "fields/pkits",
    "all-fields/pkits",
    "outline/ml-dsa-65",
    "outline/padded-256",
    "outline/padded-5120",
    "walk-lazy/pkits",
    "walk-eager/pkits",
    "encode/pkits",
    "recode/pkits",
    "decode-i64/int-42",
    "decode-seq3/seq3",
    "decode-seq3-hand/seq3",
    "encode-seq3/seq3",
    "chain/ccadb-chain",
];

/// Sets on which libraries are compared before anything of them is timed.
const COMPARED: [&str; 5] = ["pkits", "mozilla", "ccadb", "rekeyed", "ml-dsa-65"];

/// Runs the program and returns its exit code.
#[must_use]
pub fn run(args: &[String]) -> u8 {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--list"] => list(),
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        ["--check"] => check(),
        ["--once", row, library, count] => once(row, library, count),
        ["--instructions"] => select(&COUNTED).and_then(|rows| instructions(&rows, &stem(&[]))),
        ["--instructions", wanted @ ..] => select(wanted).and_then(|rows| instructions(&rows, &stem(wanted))),
        ["--rounds", rounds, wanted @ ..] => match rounds.parse() {
            Ok(rounds) => select(wanted).and_then(|rows| measure(&rows, rounds, &stem(wanted))),
            Err(_) => Err(USAGE.to_owned()),
        },
        [flag, ..] if flag.starts_with('-') => Err(USAGE.to_owned()),
        wanted => select(wanted).and_then(|rows| measure(&rows, harness::ROUNDS, &stem(wanted))),
    };
    match outcome {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            2
        }
    }
}

/// The name of the report: the date, and what was asked for where that is not everything.
fn stem(wanted: &[&str]) -> String {
    let asked = match wanted {
        [] => String::new(),
        [one] => format!("-{}", one.replace('/', "-")),
        [first, ..] => format!("-{}-and-others", first.replace('/', "-")),
    };
    machine::today() + if report::AS_USERS { "-users" } else { "" } + &asked
}

fn list() -> Result<(), String> {
    let mut text = String::new();
    for row in rows::all() {
        text += &format!("{:<12} {:<34} {}\n", row.group, row.id, row.title);
    }
    text.push('\n');
    for (name, built, needs) in peers::KNOWN {
        let state = if built {
            "in this build".to_owned()
        } else {
            format!("needs {needs}")
        };
        text += &format!("{name:<12} {state}\n");
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        // Who reads the first lines only has what they wanted.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
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
        .flat_map(|peer| tasks_of(peer.as_ref(), row, input))
        .collect()
}

/// One library's ways of doing a row, labelled.
#[must_use]
pub fn tasks_of<'a>(peer: &dyn Peer, row: &Row, input: &'a Input) -> Vec<(String, Task<'a>)> {
    let tasks = peer.tasks(row.op, input);
    tasks.into_iter().map(|task| (label(peer, &task), task)).collect()
}

fn measure(rows: &[Row], rounds: usize, stem: &str) -> Result<(), String> {
    let peers = peers::all();
    let mut report = Report::load(stem);
    report.head = report::head(&peers, rounds);
    report.libraries = report::libraries(&peers);
    report.sizes = report::sizes(&peers);
    let sets: Vec<&str> = COMPARED
        .into_iter()
        .filter(|set| rows.iter().any(|row| row.input == *set))
        .collect();
    compare(&mut report, &peers, &sets)?;
    // In the order of the rows, whatever was measured before.
    let mut sections: Vec<Section> = Vec::new();
    for row in rows {
        match inputs::by_name(&row.input) {
            Ok(input) => sections.push(section(&peers, row, &input, rounds)),
            Err(missing) => eprintln!("skipped {}: {missing}", row.id),
        }
        // A group that is done is on disk, should the next one not end.
        report.sections = sections.clone();
        report.save(stem)?;
    }
    report.head.push(("load after".to_owned(), machine::load()));
    report.save(stem)
}

/// Agreement on every set, and what each library refuses.
fn compare(report: &mut Report, peers: &[Box<dyn Peer>], sets: &[&str]) -> Result<(), String> {
    report.agreement.clear();
    for set in sets {
        match inputs::by_name(set) {
            Ok(input) => report.agreement.extend(agree::compare(peers, &input)),
            Err(missing) => eprintln!("not compared: {missing}"),
        }
    }
    for result in &report.agreement {
        for difference in &result.differs {
            eprintln!(
                "{} on {}: {} differs on {} ({})",
                result.library, result.input, difference.field, difference.count, difference.example
            );
        }
    }
    match corpus::pkits() {
        Ok(set) => report.probes = probes::run(peers, set.certs.first().ok_or("PKITS is empty")?)?,
        Err(missing) => eprintln!("not probed: {missing}"),
    }
    Ok(())
}

fn check() -> Result<(), String> {
    let peers = peers::all();
    let mut report = Report::default();
    compare(&mut report, &peers, &COMPARED)?;
    for probe in &report.probes {
        let refusing = probe.refused.iter().filter(|(_, refused)| *refused);
        let names: Vec<&str> = refusing.map(|(library, _)| library.as_str()).collect();
        println!("{:<52} {}", probe.fault, names.join(", "));
    }
    Ok(())
}

fn section(peers: &[Box<dyn Peer>], row: &Row, input: &Input, rounds: usize) -> Section {
    let mut lines = Vec::new();
    let mut cases = Vec::new();
    for (library, mut task) in tasks(peers, row, input) {
        let accepted = (task.run)();
        lines.push(Line::new(library, task.says, task.items, accepted, task.clock));
        cases.push(Case {
            items: task.items,
            clock: task.clock,
            run: task.run,
        });
    }
    let samples = harness::interleave(&mut cases, rounds, harness::SAMPLE, BUDGET);
    let section = Section::new(row, &input.about, lines.into_iter().zip(samples).collect());
    print!("{}", report::text(&section));
    section
}

fn once(row: &str, library: &str, count: &str) -> Result<(), String> {
    let row = select(&[row])?.into_iter().next().ok_or(USAGE)?;
    let count: u64 = count.parse().map_err(|_| USAGE)?;
    let input = inputs::by_name(&row.input)?;
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

fn instructions(rows: &[Row], stem: &str) -> Result<(), String> {
    let peers = peers::all();
    let mut report = Report::load(stem);
    if report.head.is_empty() {
        report.head = report::head(&peers, 0);
    }
    for row in rows {
        let input = match inputs::by_name(&row.input) {
            Ok(input) => input,
            Err(missing) => {
                eprintln!("skipped {}: {missing}", row.id);
                continue;
            }
        };
        // Go's runtime does not start under valgrind.
        for (library, task) in tasks(&peers, row, &input)
            .into_iter()
            .filter(|(library, _)| library != "go")
        {
            // A few hundred items are enough: the counts repeat exactly.
            let few = (300 / task.items.max(1) as u64).max(1);
            let args = ["--once", row.id.as_str(), library.as_str()];
            let per_run = callgrind::instructions_per_repeat(&args, few, few * 3);
            let per_item = per_run.map(|count| count / task.items as f64);
            let instructions = per_item.ok_or("valgrind is needed for instruction counts, and did not run")?;
            println!("{:<28} {library:<24} {instructions:>12.1}", row.id);
            report
                .instructions
                .retain(|known| known.row != row.id || known.library != library);
            report.instructions.push(Count {
                row: row.id.clone(),
                library,
                instructions,
            });
        }
        report.save(stem)?;
    }
    Ok(())
}
