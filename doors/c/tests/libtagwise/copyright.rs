//! The notices that packages carry name everything that is linked into the library.

use std::process::Command;

use super::build::{home, run};

#[test]
fn every_crate_is_named_with_its_terms() {
    let notices = run(Command::new("bash").arg(home().join("install/copyright")).arg("openssl"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tree = Command::new(cargo);
    tree.args(["tree", "--locked", "--manifest-path"]).arg(home().join("Cargo.toml"));
    tree.args([
        "-p",
        "tagwise-c",
        "--features",
        "openssl",
        "-e",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--no-dedupe",
    ]);
    let listed = run(tree.args(["--format", "{p}"]));
    let mut count = 0;
    for line in listed.lines().filter(|line| !line.starts_with("tagwise")) {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap(), words.next().unwrap());
        let entry = notices.lines().find_map(|line| line.strip_prefix(&format!("{name} {version}: ")));
        assert!(entry.is_some_and(|terms| !terms.is_empty()), "{line} is not named");
        count += 1;
    }
    assert!(count > 50, "{count}");
    // The texts: of the library's own terms, and of what AWS-LC and the tables of Unicode come under.
    for text in ["Upstream-Name: tagwise", "aws-lc/LICENSE", "UNICODE LICENSE V3", "ISC License"] {
        assert!(notices.to_lowercase().contains(&text.to_lowercase()), "{text}");
    }
}
