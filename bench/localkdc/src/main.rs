//! AS exchanges by loopback with MIT's KDC on the local KDC's driver and on MIT's own databases: in turns, with one client.
//!
//! `localkdcbench MODULE` prints exchanges a second and the KDC's processor time; `localkdcbench MODULE --memory COUNT` the KDC's memory after
//! each tenth of so many exchanges. MODULE is `libtagwise_localkdc.so`.

mod client;
mod realm;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use client::{Asking, login_key};
use realm::{Kind, Realm, Users};

/// What everything here returns.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

const ROUNDS: usize = 15;
const EXCHANGES: u32 = 200;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: localkdcbench MODULE [--memory COUNT]";
    let module = PathBuf::from(arguments.next().ok_or(usage)?).canonicalize()?;
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => speed(&module),
        (Some("--memory"), Some(count)) => memory(&module, count.parse()?),
        _ => Err(usage.into()),
    }
}

/// A realm and the way in which it is asked.
struct Row {
    name: &'static str,
    realm: usize,
    asking: Asking,
    seconds: Vec<f64>,
    processor: Vec<f64>,
}

fn speed(module: &Path) -> Result<()> {
    let mut realms = Vec::new();
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        if !kind.is_there() {
            println!("{} is not there: left out", kind.name());
            continue;
        }
        let realm = Realm::start(kind, module, Users::Tables)?;
        let key = login_key(&realm)?;
        rows.push(Row::new(kind.name(), realms.len(), Asking::Whole(key)));
        realms.push(realm);
    }
    // How a name is found: in the database, in the host's tables, by systemd's service.
    let ours = realms
        .iter()
        .position(|realm| realm.kind == Kind::OursOnSqlite)
        .ok_or("no SQLite")?;
    rows.push(Row::new("request only: a stored user", ours, Asking::First("ann")));
    rows.push(Row::new(
        "request only: a user on demand, host's tables",
        ours,
        Asking::First("daemon"),
    ));
    if let Some(realm) = Realm::start_with_service(module)? {
        rows.push(Row::new(
            "request only: a user on demand, systemd's service",
            realms.len(),
            Asking::First("daemon"),
        ));
        realms.push(realm);
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let realm = &realms[row.realm];
            let (begun, before) = (Instant::now(), realm.processor()?);
            for _ in 0..EXCHANGES {
                row.asking.once(realm)?;
            }
            row.seconds.push(begun.elapsed().as_secs_f64() / f64::from(EXCHANGES));
            row.processor.push((realm.processor()? - before) / f64::from(EXCHANGES));
        }
    }
    let first = rows[0].seconds.clone();
    println!("| database | exchanges a second | by db2 alone | KDC's processor time, µs |\n|---|--:|--:|--:|");
    for row in rows {
        let mut ratios: Vec<f64> = first.iter().zip(&row.seconds).map(|(first, own)| first / own).collect();
        let (each, busy, ratio) = (
            median(row.seconds),
            median(row.processor),
            median(std::mem::take(&mut ratios)),
        );
        let ratio = if matches!(row.asking, Asking::Whole(_)) {
            format!("{ratio:.2}")
        } else {
            "–".to_owned()
        };
        println!("| {} | {:.0} | {ratio} | {:.0} |", row.name, 1.0 / each, busy * 1e6);
    }
    Ok(())
}

impl Row {
    fn new(name: &'static str, realm: usize, asking: Asking) -> Self {
        Self {
            name,
            realm,
            asking,
            seconds: Vec::new(),
            processor: Vec::new(),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn memory(module: &Path, count: u32) -> Result<()> {
    let step = (count / 10).max(1);
    let mut realms = Vec::new();
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_there()) {
        let realm = Realm::start(kind, module, Users::Tables)?;
        let key = login_key(&realm)?;
        realms.push((realm, Asking::Whole(key)));
    }
    let names: Vec<_> = realms.iter().map(|(realm, _)| realm.kind.name()).collect();
    println!(
        "| exchanges | {} |\n|--:|{}",
        names.join(" | "),
        "--:|".repeat(names.len())
    );
    for round in 0..=10 {
        let mut sizes = Vec::new();
        for (realm, asking) in &realms {
            if round > 0 {
                for _ in 0..step {
                    asking.once(realm)?;
                }
            }
            sizes.push(format!("{:.1}", realm.resident()? as f64 / 1024.0));
        }
        println!("| {} | {} |", round * step, sizes.join(" | "));
    }
    println!("MiB resident; MIT's cache of replies holds at most 10 MiB, and what is older than two minutes goes.");
    Ok(())
}
