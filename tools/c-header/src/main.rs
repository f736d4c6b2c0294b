//! Generates parts of libtagwise from the sources of `doors/c`: the functions that follow a pattern, the header, and the
//! listing of the public interface.
//!
//! `tagwise-c-header ROOT` writes `doors/c/src/gen` from `functions.tsv`, and then `doors/c/include/tagwise.h` and
//! `api/libtagwise.abi`. With `--check`, it reports whether they are up to date.

mod table;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (root, check) = match arguments.as_slice() {
        [root] => (root, false),
        [root, flag] if flag == "--check" => (root, true),
        _ => {
            eprintln!("usage: tagwise-c-header ROOT [--check]");
            return ExitCode::from(2);
        }
    };
    match run(Path::new(root), check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tagwise-c-header: {error}");
            ExitCode::from(3)
        }
    }
}

fn run(root: &Path, check: bool) -> Result<bool, Box<dyn Error>> {
    let home = root.join("doors/c");
    let mut fresh = true;
    for (name, text) in table::files(&std::fs::read_to_string(home.join("functions.tsv"))?, root)? {
        fresh &= hold(root, &home.join("src/gen").join(name), &text, check)?;
    }
    let config = cbindgen::Config::from_file(home.join("cbindgen.toml"))?;
    let bindings = cbindgen::Builder::new().with_crate(&home).with_config(config).generate()?;
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = String::from_utf8(header)?;
    let listing = listing(&header);
    let files = [(home.join("include/tagwise.h"), header), (root.join("api/libtagwise.abi"), listing)];
    for (path, text) in files {
        fresh &= hold(root, &path, &text, check)?;
    }
    Ok(fresh)
}

/// Compares a file with what it has to contain, or writes it. Returns whether it is fresh now.
fn hold(root: &Path, path: &Path, text: &str, check: bool) -> Result<bool, Box<dyn Error>> {
    let shown = path.strip_prefix(root).unwrap_or(path).display();
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        println!("fresh    {shown}");
    } else if check {
        println!("stale    {shown}: `./x c header` writes it");
        return Ok(false);
    } else {
        std::fs::write(path, text)?;
        println!("written  {shown}");
    }
    Ok(true)
}

/// One line for each function, type and constant, sorted: what programs are compiled and linked against.
fn listing(header: &str) -> String {
    let mut lines = BTreeSet::new();
    let mut statement = String::new();
    let mut in_comment = false;
    for line in header.lines() {
        let line = line.trim();
        in_comment |= line.starts_with("/*");
        if in_comment {
            in_comment = !line.ends_with("*/");
            continue;
        }
        let line = line.strip_prefix("TAGWISE_MUST_USE ").unwrap_or(line);
        if line == "TAGWISE_MUST_USE" || line.starts_with("#define TAGWISE_MUST_USE") {
            // A warning of compilers, which changes nothing for programs that were compiled.
            continue;
        }
        if line.starts_with("#define TAGWISE_") && line != "#define TAGWISE_H" {
            lines.insert(line.to_owned());
            continue;
        }
        if line.is_empty() || line.starts_with("//") || line.starts_with('#') || line == "extern \"C\" {" {
            continue;
        }
        statement.push_str(line);
        statement.push(' ');
        // A type ends where its braces are closed.
        if line.ends_with(';') && statement.matches('{').count() == statement.matches('}').count() {
            lines.insert(statement.trim_end().to_owned());
            statement.clear();
        } else if line.starts_with('}') && statement.trim() == "}" {
            statement.clear();
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
