//! The picture of README.md: a certificate's tree beside its bytes, with one error marked. It is drawn from what the command prints
//! about `docs/samples/negative.pem`; `TAGWISE_BLESS=1` draws it again.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const SAMPLE: &str = "negative.pem";
/// Bytes of a component that are shown.
const SHOWN: usize = 12;
/// The size of a line and of a character, and where the columns begin, in pixels.
const LINE: usize = 22;
const CHARACTER: f32 = 7.83;
const OFFSETS: usize = 600;
const BYTES: usize = 650;

/// A component of the certificate.
struct Row {
    offset: usize,
    /// Header and contents, in bytes.
    length: usize,
    level: usize,
    name: String,
    value: String,
}

/// What a command prints on standard output and on standard error.
fn tagwise(arguments: &[&str]) -> (Vec<u8>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples");
    let output = Command::new(env!("CARGO_BIN_EXE_tagwise"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn printed(arguments: &[&str]) -> String {
    String::from_utf8(tagwise(arguments).0).unwrap()
}

/// The components of `tagwise dump` under the names that `tagwise explain` gives them, two levels of names deep.
fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last = String::new();
    for line in printed(&["dump", SAMPLE]).lines().skip(1) {
        let mut words = line.split_whitespace();
        let offset: usize = words.next().unwrap().parse().unwrap();
        let (header, content) = words.nth(1).unwrap().split_once('+').unwrap();
        let length = header.parse::<usize>().unwrap() + content.parse::<usize>().unwrap();
        let element: Vec<&str> = words.collect();
        let path = printed(&["explain", &offset.to_string(), SAMPLE]);
        let path = path.trim().split(" itself").next().unwrap().replace("extensions[", "extensions.[");
        let path =
            path.strip_prefix("tbsCertificate.").map_or_else(|| path.clone(), |rest| format!("tbsCertificate/{rest}"));
        let (parent, component) = path.split_once('/').unwrap_or(("", &path));
        let depth = if component.starts_with("validity.") || component.starts_with("extensions.") { 2 } else { 1 };
        let shown: Vec<&str> = component.split(['.', '[', ']']).filter(|part| !part.is_empty()).take(depth).collect();
        let key = format!("{parent}/{}", shown.join("."));
        if key != last {
            let level = if path == "Certificate" { 0 } else { depth + usize::from(!parent.is_empty()) };
            rows.push(Row { offset, length, level, name: (*shown.last().unwrap()).to_owned(), value: String::new() });
            last = key;
        }
        let row = rows.last_mut().unwrap();
        // The value that is shown is the innermost one, without its type; an extension is named by its identifier.
        let value = match element.as_slice() {
            ["OBJECT", "IDENTIFIER", _, name] => (*name).to_owned(),
            ["INTEGER" | "UTF8String", value, ..] | ["UTCTime" | "GeneralizedTime", _, value] => (*value).to_owned(),
            ["BOOLEAN", "TRUE"] if row.name == "basicConstraints" => "CA".to_owned(),
            ["BIT" | "OCTET", "STRING", value, ..] if *value != "encapsulates" => (*value).to_owned(),
            [_, "(primitive)", value] => (*value).to_owned(),
            _ => continue,
        };
        if row.name.parse::<usize>().is_ok() {
            row.name = value;
        } else if row.name != "signature" || row.value.is_empty() {
            row.value = value;
        }
    }
    rows
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A text at a place, by a class of the style sheet.
fn write(svg: &mut String, x: usize, y: usize, class: &str, text: &str) {
    let _ = writeln!(svg, r#"<text x="{x}" y="{y}" class="{class}">{}</text>"#, escaped(text));
}

fn picture() -> String {
    let (_, report) = tagwise(&["show", SAMPLE]);
    let error = report.trim().split_once(&format!("{SAMPLE}: ")).unwrap().1;
    let (message, clause) = error.split_once(", at byte ").unwrap();
    let fault: usize = clause.split_once(' ').unwrap().0.parse().unwrap();
    let (der, _) = tagwise(&["convert", "--to", "der", SAMPLE]);
    let rows = rows();
    let height = (rows.len() + 5) * LINE;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1020 {height}" role="img" aria-label="A certificate's tree beside its bytes, with a negative serial number marked">
<style>text{{font:13px "DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre}}.name{{fill:#1f4e8c;font-weight:bold}}.value{{fill:#24292f}}.offset{{fill:#6e7781}}.byte{{fill:#24292f}}.fault{{fill:#b3261e;font-weight:bold}}</style>
<rect width="1020" height="{height}" rx="8" fill="#f6f8fa"/>
"##
    );
    let mut y = 2 * LINE - 8;
    write(&mut svg, 24, y, "offset", &format!("tagwise show {SAMPLE}"));
    write(&mut svg, OFFSETS, y, "offset", "byte");
    for (index, row) in rows.iter().enumerate() {
        y += LINE;
        let end = row.offset + row.length;
        let inner = rows.get(index + 1).filter(|next| next.offset < end).map_or(end, |next| next.offset);
        let wrong = (row.offset..inner).contains(&fault);
        if wrong {
            let _ =
                writeln!(svg, r##"<rect x="12" y="{}" width="996" height="{LINE}" rx="4" fill="#fde7e5"/>"##, y - 16);
            let x = BYTES as f32 + (fault - row.offset) as f32 * 3.0 * CHARACTER - 3.0;
            let _ = writeln!(
                svg,
                r##"<rect x="{x:.1}" y="{}" width="{:.1}" height="{}" rx="3" fill="none" stroke="#b3261e"/>"##,
                y - 14,
                2.0 * CHARACTER + 6.0,
                LINE - 4
            );
        }
        let class = |usual| if wrong { "fault" } else { usual };
        let indent = 24 + row.level * 20;
        write(&mut svg, indent, y, class("name"), &row.name);
        let short: String = row.value.chars().take(36).collect();
        let short =
            if short.len() < row.value.len() && !short.ends_with('…') { format!("{short}…") } else { short };
        write(&mut svg, 270, y, class("value"), &short);
        write(&mut svg, OFFSETS, y, "offset", &format!("{:>4}", row.offset));
        let bytes = der.get(row.offset..inner).unwrap();
        let mut hex: Vec<String> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
        if bytes.len() > SHOWN {
            hex.push("…".to_owned());
        }
        write(&mut svg, BYTES, y, class("byte"), &hex.join(" "));
    }
    y += LINE + 14;
    write(&mut svg, 24, y, "fault", message);
    write(&mut svg, 24, y + LINE, "fault", &format!("at byte {clause}"));
    svg.push_str("</svg>\n");
    svg
}

#[test]
fn the_picture_shows_what_the_command_prints() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/certificate.svg"));
    let picture = picture();
    if env::var_os("TAGWISE_BLESS").is_some() {
        fs::write(&file, &picture).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), picture, "TAGWISE_BLESS=1 draws it again");
}
