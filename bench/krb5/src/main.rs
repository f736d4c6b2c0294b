//! Kerberos: messages beside rasn-kerberos and picky-krb, cryptography and GSS-API beside what a backend takes for it.
//!
//! `krb5bench [NAME]...` times the rows whose names begin with one of the names, in turn, and prints a table; `--instructions` counts
//! instructions by callgrind instead; `--once ROW WAY COUNT` runs one way of a row for a profiler.

mod captures;
mod crypto;
mod floor;
mod messages;
mod row;

use std::process::ExitCode;

use tagwise_bench::{callgrind, harness, machine};

use row::{Failure, Row};

/// The rows whose names begin with one of these, or all. What is not asked for is not made ready, and no profile has it.
fn rows<S: AsRef<str>>(names: &[S]) -> Result<Vec<Row>, Failure> {
    let begins = |with: &str| names.is_empty() || names.iter().any(|name| name.as_ref().starts_with(with));
    let mut rows = Vec::new();
    if begins("decode") || begins("encode") {
        rows.extend(messages::rows()?);
    }
    if begins("ticket") || begins("string-to-key") || begins("wrap") {
        rows.extend(crypto::rows()?);
    }
    rows.retain(|row| names.is_empty() || names.iter().any(|name| row.name.starts_with(name.as_ref())));
    Ok(rows)
}

fn times(names: &[String]) -> Result<(), Failure> {
    println!(
        "{}, {}, {}; load {}",
        machine::cpu(),
        machine::system(),
        machine::rustc(),
        machine::load()
    );
    println!("\n| row | items, bytes | way | ns | times the first |\n|---|--:|---|--:|--:|");
    for mut row in rows(names)? {
        let timed = row.time(harness::ROUNDS, None);
        for ((way, median), ratio) in row.ways.iter().zip(&timed.medians).zip(&timed.ratios) {
            println!(
                "| {} | {}, {} | {} | {median:.0} | {:.2} |",
                row.name,
                row.items,
                row.size,
                way.name,
                1.0 / ratio
            );
        }
    }
    println!("\nload at the end: {}", machine::load());
    Ok(())
}

fn instructions(names: &[String]) -> Result<(), Failure> {
    println!("| row | way | instructions an item |\n|---|---|--:|");
    for row in rows(names)? {
        // The library's collection of entropy, when it starts, takes a little more or less each time: short work is repeated until that
        // does not show.
        let (few, many) = match row.name.split('/').next() {
            Some("string-to-key") => (1, 3),
            Some("ticket") => (200, 20_200),
            Some(name) if name.starts_with("wrap") => (20, 1020),
            _ => (20, 220),
        };
        for way in &row.ways {
            let counted = callgrind::instructions_per_repeat(&["--once", &row.name, way.name], few, many);
            let counted = counted.map_or("?".to_owned(), |count| format!("{:.0}", count / row.items as f64));
            println!("| {} | {} | {counted} |", row.name, way.name);
        }
    }
    Ok(())
}

fn once(name: &str, way: &str, count: &str) -> Result<(), Failure> {
    let mut row = rows(&[name])?
        .into_iter()
        .find(|row| row.name == name)
        .ok_or("no such row")?;
    if row.repeat(way, count.parse()?) {
        Ok(())
    } else {
        Err("no such way".into())
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--once", row, way, count] => once(row, way, count),
        ["--instructions", ..] => instructions(&args[1..]),
        _ => times(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("krb5bench: {error}");
            ExitCode::FAILURE
        }
    }
}
