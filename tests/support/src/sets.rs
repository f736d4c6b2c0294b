//! The sets of published modules and compiler test cases in the corpora. They are used by the test that compares each set
//! with its expected outcome, and by the tool that compiles their Rust code.

use std::fs;
use std::path::{Path, PathBuf};

/// The expected outcome for a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The set compiles.
    Compiles,
    /// The set compiles with warnings.
    Warns,
    /// The set is rejected.
    Refused,
}

impl Set {
    /// Returns the corpus folder from which the set comes.
    #[must_use]
    pub fn family(&self) -> &str {
        self.name.split(['/', ':']).next().unwrap_or_default()
    }
}

impl Expected {
    /// Returns the expectation in one word, as used in registers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compiles => "compiles",
            Self::Warns => "warns",
            Self::Refused => "refused",
        }
    }
}

/// Files that are compiled together.
#[derive(Clone, Debug)]
pub struct Set {
    /// The name of the set's folder or file.
    pub name: String,
    /// The files, in order.
    pub files: Vec<PathBuf>,
    /// The expected outcome.
    pub expected: Expected,
}

/// Returns the location of the modules, if they are present.
#[must_use]
pub fn corpus() -> Option<PathBuf> {
    crate::corpus("asn1-modules")
}

/// Files below a folder that end in `.asn` or `.asn1`, sorted.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "asn" || extension == "asn1")
            && !path.to_string_lossy().contains(".set.")
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The files that a list names, one a line.
fn listed(list: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(list).ok()?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Some(names.map(|name| list.with_file_name(name)).collect())
}

fn one_by_one(root: &Path, folder: &str, sets: &mut Vec<Set>, expected: impl Fn(&str) -> Expected) {
    for file in modules(&root.join(folder)) {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let expected = expected(file.file_stem().unwrap().to_str().unwrap());
        sets.push(Set { name, files: vec![file], expected });
    }
}

/// Returns all sets: pycrate's folders, single files of the other corpora, and groups of files that depend on each other.
#[must_use]
pub fn sets(root: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root.join("pycrate-pki")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let all = modules(&folder);
        let name = folder.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let files = listed(&folder.join("load_mod.txt")).unwrap_or_else(|| all.clone());
        // What the list leaves out stands beside the listed files.
        for file in all.iter().filter(|file| !files.contains(file)) {
            let name = format!("{name} + {}", file.file_name().unwrap().to_string_lossy());
            let files = files.iter().chain([file]).cloned().collect();
            sets.push(Set { name, files, expected: Expected::Compiles });
        }
        sets.push(Set { name, files, expected: Expected::Compiles });
    }
    for folder in ["asn1tools-git", "heimdal", "rustcrypto-oiddbgen", "erlang-public_key"] {
        one_by_one(root, folder, &mut sets, |_| Expected::Compiles);
    }
    // Files that import from each other.
    let together = [
        (
            "asn1tools-git: PKIX of 1988",
            "asn1tools-git/ietf",
            &["rfc5280", "rfc3281", "rfc3852", "rfc4211", "rfc3279"][..],
        ),
        ("asn1tools-git: CAM", "asn1tools-git/etsi", &["cam_pdu_descriptions_1_3_2", "its_container_1_2_1"]),
        ("asn1tools-git: foo and bar", "asn1tools-git", &["foo", "bar"]),
        ("asn1tools-git: imports", "asn1tools-git", &["module-1", "module-2"]),
        (
            "rustcrypto-oiddbgen: stb",
            "rustcrypto-oiddbgen/stb",
            &["bake", "bash", "belt", "bign", "bpki", "brng", "btok"],
        ),
    ];
    for (name, folder, files) in together {
        let files = files.iter().map(|file| root.join(folder).join(format!("{file}.asn"))).collect();
        sets.push(Set { name: name.to_owned(), files, expected: Expected::Compiles });
    }
    for list in ["OTP-PUB-KEY", "PKCS-FRAME"] {
        let files = listed(&root.join(format!("erlang-public_key/{list}.set.asn"))).unwrap();
        sets.push(Set { name: format!("erlang-public_key: {list}"), files, expected: Expected::Compiles });
    }
    one_by_one(root, "asn1c-compiler-tests", &mut sets, |name| match name.rsplit('-').next() {
        Some("SE" | "NP") => Expected::Refused,
        Some("SW") => Expected::Warns,
        _ => Expected::Compiles,
    });
    sets
}
