//! The tour of `./x demo`: the roots of a trust store as a table, how long reading them takes, and one of them
//! complete.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_pkix::{Certificate, UnixTime, oids};
use tagwise_show::Lens;
use tagwise_show::render::text::Text;
use tagwise_show::report;
use tagwise_show::tree::{Hex, Line, Tone};
use tagwise_show::{Scene, short_subject, summary};
use tagwise_source::find;
use unicode_width::UnicodeWidthStr;

use crate::shared::rules::every;

/// Time to measure each way of reading.
const MEASURED: Duration = Duration::from_millis(500);

/// Shows certificates, given as DER, as a table; measures how fast they are read; shows number `whole` of them complete.
///
/// # Errors
/// Those of the writer.
pub fn tour(out: &mut dyn Write, certificates: &[&[u8]], whole: usize, color: bool, now: UnixTime) -> io::Result<()> {
    let mut text = Text::new(&mut *out, color, false);
    let octets: usize = certificates.iter().map(|der| der.len()).sum();
    let title = format!("{} root certificates, {octets} bytes of DER, each read strictly", certificates.len());
    text.heading(&Line::new(Tone::Strong, title), true)?;
    text.line(&row("subject", "key", "signature", "until", "SHA-256", Tone::Dim), 2)?;
    let mut refused = 0;
    for der in certificates {
        match Certificate::from_der(der) {
            Ok(certificate) => text.line(&certificate_row(&certificate, der, now), 2)?,
            Err(error) => {
                refused += 1;
                let lenient = Options::der().rules(every()).outline::<Certificate<'_>>(der);
                let name = lenient.map_or_else(|_| "?".to_owned(), |read| short_subject(&read.value));
                text.line(&Line::new(Tone::Plain, name).and(Tone::Bad, format!("  refused: {error}")), 2)?;
            }
        }
    }
    let total = certificates.len();
    text.heading(&Line::new(Tone::Strong, "How long that takes, on one core (the best of many passes)"), false)?;
    let strict = measure(certificates, |der| Certificate::from_der(der).is_ok());
    let outline = measure(certificates, |der| Certificate::outline(der).is_ok());
    for (name, words, each) in
        [("from_der", "every byte checked", strict), ("outline", "the frame; the rest when asked for", outline)]
    {
        let nanos = each.as_nanos();
        let all = each.saturating_mul(u32::try_from(total).unwrap_or(u32::MAX));
        let line = Line::new(Tone::Strong, format!("{name:<9}"))
            .and(Tone::Plain, format!("{nanos:>6} ns a certificate, {:>5.1} µs for all:  ", all.as_secs_f64() * 1e6))
            .and(Tone::Dim, words);
        text.line(&line, 2)?;
    }
    let line = format!("{} of {total} certificates are strict DER and obey RFC 5280", total - refused);
    text.line(&Line::plain(line), 2)?;
    if let Some(der) = certificates.get(whole) {
        let scene = Scene { lens: Lens::new(RuleSet::NONE), now, entries: None, depth: 0 };
        for item in &find(der, RuleSet::NONE).items {
            let report = report(item, (whole + 1, total), "as `tagwise show` has it", RuleSet::NONE, &scene);
            text.heading(&report.heading, false)?;
            text.fields(&report.record.fields, 2)?;
        }
    }
    text.flush()
}

fn certificate_row(certificate: &Certificate<'_>, der: &[u8], now: UnixTime) -> Line {
    use sha2::{Digest, Sha256};
    let tbs = &certificate.tbs_certificate;
    let algorithm = tbs.signature.algorithm;
    let algorithm = oids::lookup(algorithm).map_or_else(|| algorithm.to_string(), |info| info.name.to_owned());
    let until = tbs.validity.not_after.to_string();
    let until = until.split('T').next().unwrap_or_default();
    let digest = Sha256::digest(der);
    let print = digest.get(..4).map(|first| Hex(first).to_string()).unwrap_or_default();
    let tone = if tbs.validity.contains(now) { Tone::Plain } else { Tone::Bad };
    row(&short_subject(certificate), &summary(&tbs.subject_public_key_info), &algorithm, until, &print, tone)
}

/// A row of the table, at most 98 columns wide.
fn row(subject: &str, key: &str, algorithm: &str, until: &str, print: &str, tone: Tone) -> Line {
    let cells = [(subject, 38), (key, 10), (algorithm, 23), (until, 10), (print, 8)];
    let cells: Vec<String> = cells.iter().map(|(cell, width)| padded(cell, *width)).collect();
    Line::new(tone, cells.join("  ").trim_end())
}

/// A cell of a width in columns: padded, or cut with an ellipsis.
fn padded(cell: &str, width: usize) -> String {
    let mut shown = String::new();
    let is_cut = cell.width() > width;
    let room = if is_cut { width - 1 } else { width };
    for char in cell.chars() {
        let with = shown.width() + char.to_string().width();
        if with > room {
            break;
        }
        shown.push(char);
    }
    if is_cut {
        shown.push('…');
    }
    let pad = width.saturating_sub(shown.width());
    format!("{shown}{:pad$}", "")
}

/// The time that reading one certificate takes, in the fastest pass over all of them: others share the machine.
fn measure(certificates: &[&[u8]], read: impl Fn(&[u8]) -> bool) -> Duration {
    let begun = Instant::now();
    let mut best = Duration::MAX;
    while begun.elapsed() < MEASURED {
        let pass = Instant::now();
        for der in certificates {
            std::hint::black_box(read(std::hint::black_box(der)));
        }
        best = best.min(pass.elapsed());
    }
    best.checked_div(u32::try_from(certificates.len()).unwrap_or(u32::MAX)).unwrap_or_default()
}
