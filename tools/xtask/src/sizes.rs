//! The length of source files: one idea a module.

use std::path::{Path, PathBuf};

use anyhow::Result;

/// Lines of a file, all counted: above it, it is to be split.
const MOST: usize = 700;
/// Lines of code: above it, it is named.
const AIM: usize = 400;

/// Names the files that are too long; whether none is above [`MOST`], and how many are above the aim.
pub(crate) fn hold(root: &Path) -> Result<(bool, String)> {
    let mut files = Vec::new();
    for room in ["bench", "crates", "doors", "fuzz", "tests", "tools"] {
        sources(&root.join(room), &mut files)?;
    }
    files.sort();
    let (mut holds, mut long) = (true, 0);
    for path in files {
        let text = std::fs::read_to_string(&path)?;
        let (lines, code) = (text.lines().count(), lines_of_code(&text));
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if lines > MOST {
            println!("{name}: {lines} lines; split it by idea ({MOST} is the limit)");
            holds = false;
        } else if code > AIM {
            println!("note: {name}: {code} lines of code ({AIM} is the aim)");
            long += 1;
        }
    }
    Ok((holds, if long > 0 { format!("{long} over the aim of {AIM} lines of code") } else { String::new() }))
}

/// Rust and Python files that people write: neither built nor generated ones.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if entry.file_type()?.is_dir() {
            if !["target", "gen", "golden"].iter().any(|left| name == *left) {
                sources(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}

/// Neither blank lines nor comments, and nothing from an inline module of tests on.
fn lines_of_code(text: &str) -> usize {
    let (mut count, mut tests) = (0, false);
    for line in text.lines() {
        if tests && line.starts_with("mod ") && line.contains('{') {
            break;
        }
        tests = line.starts_with("#[cfg(test)]");
        let line = line.trim_start();
        if !tests && !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blanks_and_tests_are_no_code() {
        assert_eq!(
            lines_of_code(
                "//! x\n\nfn a() {\n    // b\n}\n#[cfg(test)]\nuse x;\n#[cfg(test)]\nmod tests {\n    x\n}\n"
            ),
            3
        );
    }
}
