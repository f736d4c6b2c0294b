//! Names as the `openssl` command prints them, for every subject of the Common CA Database.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tagwise_codec::text::hex;
use tagwise_pkix::name::Name;
use tagwise_store::Record;
use tagwise_tests::{openssl, register, sets};

/// One certificate for each different subject, by its name in the set.
fn subjects() -> Option<Vec<(String, Vec<u8>)>> {
    let mut seen = std::collections::HashSet::new();
    let items = sets::ccadb()?.into_iter().map(|item| (item.name, item.octets));
    let different = items.filter(|(_, der)| {
        let record = Record::read(der).unwrap();
        seen.insert(record.subject(der).0.content().unwrap().to_vec())
    });
    Some(different.collect())
}

fn write_all(folder: &Path, items: &[(String, Vec<u8>)]) -> Vec<PathBuf> {
    let write = |(name, der): &(String, Vec<u8>)| {
        let path = folder.join(name);
        fs::write(&path, der).unwrap();
        path
    };
    items.iter().map(write).collect()
}

/// The subjects as `openssl verify` prints them before it says that nobody vouches for them: many in one process.
fn printed(paths: &[PathBuf], option: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for chunk in paths.chunks(200) {
        let output = Command::new("openssl")
            .args(["verify", "-no-CAfile", "-no-CApath", "-no-CAstore", "-nameopt", option])
            .args(chunk)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut name: Option<&str> = None;
        for line in text.lines() {
            if let Some(path) = line.strip_prefix("error ").and_then(|rest| rest.strip_suffix(": verification failed"))
            {
                let key = Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
                if let Some(name) = name.take() {
                    found.insert(key, name.to_owned());
                }
            } else if line.starts_with("error ") || line.contains(":error:") {
                // Which error it is does not matter here.
            } else {
                name.get_or_insert(line);
            }
        }
    }
    found
}

fn compare(
    name: &str,
    items: &[(String, Vec<u8>)],
    theirs: &BTreeMap<String, String>,
    ours: impl Fn(Name<'_>) -> String,
) {
    let mut found = BTreeMap::new();
    for (key, der) in items {
        let Some(theirs) = theirs.get(key) else {
            found.insert(
                key.clone(),
                format!("{key}\t\t\tOpenSSL finds the certificate invalid before it prints anything"),
            );
            continue;
        };
        let record = Record::read(der).unwrap();
        let ours = ours(record.subject(der));
        if ours != *theirs {
            found.insert(
                key.clone(),
                format!("{key}\t{theirs}\t{ours}\t{}", hex::encode(&record.subject(der).0.content().unwrap()[..8])),
            );
        }
    }
    println!("{name}: {} of {} differ", found.len(), items.len());
    register::compare(name, "item\topenssl\ttagwise\twhy", &found);
}

#[test]
fn as_openssl_prints_them() {
    let Some(items) = subjects() else { return };
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let paths = write_all(folder.path(), &items);
    compare("openssl-rfc2253", &items, &printed(&paths, "RFC2253"), |name| name.openssl_rfc2253().to_string());
    compare("openssl-oneline", &items, &printed(&paths, "oneline"), |name| name.openssl_oneline().to_string());
}

/// `-nameopt compat` takes a process for each: an eighth of those with other than plain characters, and some of the rest.
/// `TAGWISE_ALL=1` takes them all.
#[test]
fn as_openssl_used_to_print_them() {
    let Some(items) = subjects() else { return };
    if !openssl::is_there() {
        return;
    }
    let plain = |der: &[u8]| {
        let record = Record::read(der).unwrap();
        let plain = |octet: u8| octet.is_ascii_alphanumeric() || b" .,'()-:&_=".contains(&octet);
        let texts = record.subject(der).attributes().map(|attribute| attribute.value.content().to_vec());
        texts.flatten().all(plain)
    };
    let all = std::env::var_os("TAGWISE_ALL").is_some();
    let (usual, odd): (Vec<_>, Vec<_>) = items.into_iter().partition(|(_, der)| plain(der));
    let (each_usual, each_odd) = if all { (1, 1) } else { (256, 8) };
    let items: Vec<(String, Vec<u8>)> =
        usual.into_iter().step_by(each_usual).chain(odd.into_iter().step_by(each_odd)).collect();
    assert!(items.len() > 50);
    let folder = tempfile::tempdir().unwrap();
    let mut theirs = BTreeMap::new();
    for (path, (key, _)) in write_all(folder.path(), &items).iter().zip(&items) {
        let mut command = Command::new("openssl");
        command.args(["x509", "-noout", "-subject", "-nameopt", "compat", "-inform", "DER", "-in"]).arg(path);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if let Some(name) = text.trim_end_matches('\n').strip_prefix("subject=") {
            theirs.insert(key.clone(), name.to_owned());
        }
    }
    compare("openssl-compat", &items, &theirs, |name| name.openssl_compat().to_string());
}
