//! The report: what was measured, as data that is saved and merged, and rendered as Markdown, JSON and HTML.

mod html;
mod markdown;

use crate::agree::Agreement;
use crate::harness::{Clock, Samples};
use crate::peer::Peer;
use crate::probes::Probe;
use crate::rows::Row;
use crate::{machine, peers};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// True in a build by Cargo's default profile for release builds, as users build: that of `./x bench --users`.
pub const AS_USERS: bool = matches!(option_env!("TAGWISE_BENCH_PROFILE"), Some(profile) if is_users(profile));

const fn is_users(profile: &str) -> bool {
    matches!(profile.as_bytes(), b"users")
}

/// Everything of one report. Parts that were not measured are empty.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// Where and with what the figures were taken: name and value.
    pub head: Vec<(String, String)>,
    /// Every library that there is an adapter for, and whether it ran.
    pub libraries: Vec<Library>,
    /// The rows.
    pub sections: Vec<Section>,
    /// What each library says of each set, against the others.
    pub agreement: Vec<Agreement>,
    /// Which faults each library refuses.
    pub probes: Vec<Probe>,
    /// Sizes of types.
    pub sizes: Vec<Size>,
    /// Heap and stack.
    pub memory: Vec<Memory>,
    /// Instructions by callgrind.
    pub instructions: Vec<Count>,
}

/// A library and whether it ran.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Library {
    /// Its name in the tables.
    pub name: String,
    /// Versions where it ran, the reason where it did not.
    pub state: String,
    /// Whether it ran.
    pub ran: bool,
}

/// A row's results.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Section {
    /// The row's id.
    pub id: String,
    /// The group that it belongs to.
    pub group: String,
    /// What is done.
    pub title: String,
    /// What it is done to.
    pub input: String,
    /// How many rounds there were.
    pub rounds: usize,
    /// The libraries.
    pub lines: Vec<Line>,
}

/// One library in a row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    /// Its name, with the variant after a colon.
    pub library: String,
    /// Nanoseconds per item, the median of the rounds.
    pub median_ns: f64,
    /// The fastest round.
    pub min_ns: f64,
    /// How many times as fast as [`peers::BASE`], the median of the ratios within the rounds.
    pub ratio: Option<f64>,
    /// How many items were accepted.
    pub accepted: u64,
    /// Of how many.
    pub items: usize,
    /// Which clock, where it is not the thread's.
    pub clock: Option<String>,
    /// What it checks and what it leaves.
    pub says: String,
}

/// The size of a type.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Size {
    /// The library.
    pub library: String,
    /// Which type.
    pub what: String,
    /// In octets.
    pub octets: usize,
}

/// Heap and stack of one library in a row, per item.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Memory {
    /// The row's id.
    pub row: String,
    /// The library.
    pub library: String,
    /// Calls of the allocator.
    pub allocations: f64,
    /// Octets asked for.
    pub octets: f64,
    /// The deepest stack, in octets; nothing where it runs on a stack of its own.
    pub stack: Option<usize>,
}

/// Instructions of one library in a row, per item.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Count {
    /// The row's id.
    pub row: String,
    /// The library.
    pub library: String,
    /// How many.
    pub instructions: f64,
}

impl Section {
    /// Makes the results of a row, with the ratios.
    #[must_use]
    pub fn new(row: &Row, input: &str, lines: Vec<(Line, Samples)>) -> Self {
        let rounds = lines.first().map_or(0, |(_, samples)| samples.rounds());
        let base = lines
            .iter()
            .find(|(line, _)| line.library == peers::BASE)
            .map(|(_, samples)| samples.clone());
        let with_figures = |(line, samples): (Line, Samples)| Line {
            median_ns: samples.median(),
            min_ns: samples.min(),
            ratio: base.as_ref().map(|base| samples.faster_than(base)),
            ..line
        };
        Self {
            id: row.id.clone(),
            group: row.group.to_owned(),
            title: row.title.to_owned(),
            input: input.to_owned(),
            rounds,
            lines: lines.into_iter().map(with_figures).collect(),
        }
    }
}

impl Line {
    /// A line whose figures are still to come.
    #[must_use]
    pub fn new(library: String, says: &str, items: usize, accepted: u64, clock: Clock) -> Self {
        Self {
            library,
            median_ns: 0.0,
            min_ns: 0.0,
            ratio: None,
            accepted,
            items,
            clock: match clock {
                Clock::Thread => None,
                Clock::Process => Some("process".to_owned()),
                Clock::Wall => Some("wall".to_owned()),
            },
            says: says.to_owned(),
        }
    }
}

/// Describes this machine, this build and the peers in it. `rounds` is 0 where nothing was timed.
#[must_use]
pub fn head(peers: &[Box<dyn Peer>], rounds: usize) -> Vec<(String, String)> {
    let versions: Vec<String> = peers.iter().flat_map(|peer| versions(peer.as_ref())).collect();
    let mut head = vec![
        ("date", machine::today()),
        ("processor", machine::cpu()),
        ("system", machine::system()),
        ("load before", machine::load()),
        ("compiler", machine::rustc()),
        (
            "profile",
            format!(
                "{}, no target-cpu; C by -O2",
                if AS_USERS {
                    "Cargo's default for release builds"
                } else {
                    "opt-level 3, fat LTO, codegen-units 1"
                }
            ),
        ),
        ("libraries", versions.join(", ")),
    ];
    if rounds > 0 {
        let clock = format!(
            "thread CPU time, {rounds} interleaved rounds in one process (fewer where a row says so); Go by the time of \
             the whole process"
        );
        head.push(("clock", clock));
    }
    head.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn versions(peer: &dyn Peer) -> Vec<String> {
    let locked = peer.crates().iter().map(|name| {
        let version = machine::version(name).unwrap_or_else(|| "(this tree)".to_owned());
        format!("{name} {version}")
    });
    locked.chain(peer.versions()).collect()
}

/// Which libraries ran, and why one did not. `TAGWISE_BENCH_WHY` has what `./x bench` found out: `name=reason`, one a line.
#[must_use]
pub fn libraries(peers: &[Box<dyn Peer>]) -> Vec<Library> {
    let why = std::env::var("TAGWISE_BENCH_WHY").unwrap_or_default();
    let reason = |name: &str| why.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let known = peers::KNOWN.iter().map(|(name, built, needs)| {
        let peer = peers.iter().find(|peer| peer.name() == *name);
        let state = match (built, peer) {
            (true, Some(peer)) => versions(peer.as_ref()).join(", "),
            (true, None) => format!("{name} {}", machine::version(name).unwrap_or_default()),
            (false, _) => format!(
                "did not run: {}; it needs {needs}",
                reason(name).unwrap_or("not in this build")
            ),
        };
        Library {
            name: (*name).to_owned(),
            state,
            ran: *built,
        }
    });
    known.collect()
}

/// The sizes that the libraries tell.
#[must_use]
pub fn sizes(peers: &[Box<dyn Peer>]) -> Vec<Size> {
    let of = |peer: &dyn Peer| {
        let name = peer.name();
        peer.sizes().into_iter().map(move |(what, octets)| Size {
            library: name.to_owned(),
            what: what.to_owned(),
            octets,
        })
    };
    peers.iter().map(Box::as_ref).flat_map(of).collect()
}

/// A row as a plain table, for the terminal.
#[must_use]
pub fn text(section: &Section) -> String {
    use std::fmt::Write as _;
    let mut text = format!("\n{}  ({})  {}\n", section.id, section.input, section.title);
    for line in &section.lines {
        let ratio = line
            .ratio
            .map_or_else(|| "     –".to_owned(), |ratio| format!("{ratio:6.2}"));
        let _ = writeln!(
            text,
            "  {:<28} median {:>10.1}  min {:>10.1} ns   {ratio} x {}   accepted {} of {}",
            line.library,
            line.median_ns,
            line.min_ns,
            peers::BASE,
            line.accepted,
            line.items
        );
    }
    text
}

/// The head as a Markdown list.
pub fn facts(text: &mut String, head: &[(String, String)]) {
    use std::fmt::Write as _;
    for (name, value) in head {
        let _ = writeln!(text, "- {name}: {value}");
    }
}

/// Reports stay out of the repository: `bench/results` has the pages that people read.
fn path(file: &str) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/target").into());
    PathBuf::from(target).join("results").join(file)
}

/// Writes a file of results under today's date.
///
/// # Errors
/// Says which file could not be written.
pub fn save(name: &str, extension: &str, text: &str) -> Result<(), String> {
    put(&format!("{}-{name}.{extension}", machine::today()), text)
}

fn put(file: &str, text: &str) -> Result<(), String> {
    let path = path(file);
    let shown = path.display();
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("could not write {shown}: {error}"))
}

impl Report {
    /// The report saved under that name, or an empty one.
    #[must_use]
    pub fn load(stem: &str) -> Self {
        let text = std::fs::read_to_string(path(&format!("{stem}.json"))).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Saves it as JSON, Markdown and HTML.
    ///
    /// # Errors
    /// Says which file could not be written.
    pub fn save(&self, stem: &str) -> Result<(), String> {
        let json = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        put(&format!("{stem}.json"), &(json + "\n"))?;
        put(&format!("{stem}.md"), &markdown::render(self))?;
        let page = html::render(self).map_err(|error| format!("results/{stem}.html: {error}"))?;
        put(&format!("{stem}.html"), &page)
    }

    /// The section of that id.
    fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// Groups in the order of their rows.
    fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for section in &self.sections {
            if !groups.contains(&section.group.as_str()) {
                groups.push(&section.group);
            }
        }
        groups
    }

    /// What the calls of a group do, each once.
    fn calls(&self, group: &str) -> Vec<(&str, &str)> {
        let mut calls: Vec<(&str, &str)> = Vec::new();
        for line in self
            .sections
            .iter()
            .filter(|section| section.group == group)
            .flat_map(|section| &section.lines)
        {
            let call = (line.library.as_str(), line.says.as_str());
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
        calls
    }
}
