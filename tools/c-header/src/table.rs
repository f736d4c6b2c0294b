//! Generates the Rust functions in `doors/c/src/gen` from the table `doors/c/functions.tsv`, which describes its own
//! columns.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The first parameter of functions with a prefix.
struct Receiver {
    prefix: String,
    parameter: String,
    /// `&`, `&mut`, or `builder` for an object with setters.
    reference: String,
    /// The expression of `it`.
    value: String,
}

/// A parameter after the first one.
struct Parameter {
    name: String,
    ty: String,
    is_result: bool,
}

const ERROR: &str = "error: Option<&mut MaybeUninit<*mut tagwise_error>>,";

/// Returns the name and text of each generated file.
pub(crate) fn files(table: &str, root: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let (mut files, mut receivers): (Vec<(String, String)>, Vec<Receiver>) = (Vec::new(), Vec::new());
    let mut nouns: Vec<(String, String)> = Vec::new();
    for (index, line) in table.lines().enumerate() {
        let wrong = |what: &str| format!("functions.tsv, line {}: {what}", index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        if let Some(name) = line.strip_prefix("= ") {
            let (name, about) = name.split_once('\t').ok_or_else(|| wrong("a file has no description"))?;
            let head = format!(
                "//! {about}\n//!\n//! Written by `./x c header` from `functions.tsv`: change the table, not this file.\n\n\
                 #![allow(unused_imports, reason = \"every file imports the same types\")]\n\
                 #![allow(clippy::useless_conversion, clippy::needless_question_mark, reason = \"expressions have several types\")]\n\n\
                 use std::ffi::c_char;\nuse std::mem::MaybeUninit;\n\nuse tagwise::codec::Decode as _;\n\
                 use crate::bytes::{{given, put, tagwise_buffer, tagwise_bytes, terminated}};\n\
                 use crate::certificate::tagwise_certificate;\n\
                 use crate::error::tagwise_error;\nuse crate::held::Extent;\n\
                 use crate::options::{{deviation, tagwise_deviation, tagwise_options}};\n"
            );
            files.push((format!("{name}.rs"), head));
            receivers.clear();
            continue;
        }
        let (_, text) = files.last_mut().ok_or_else(|| wrong("a row before the first file"))?;
        if line.starts_with("use ") {
            writeln!(text, "{line}")?;
        } else if let Some(prefix) = line.strip_prefix('@') {
            let [_, parameter, reference, value] = *columns else { return Err(wrong("expected 4 columns").into()) };
            let prefix = prefix.split('\t').next().unwrap_or_default().to_owned();
            let (parameter, reference, value) = (parameter.into(), reference.into(), value.into());
            receivers.push(Receiver { prefix, parameter, reference, value });
        } else {
            let [name, kind, parameters, rust, about] = *columns else {
                return Err(wrong("expected 5 columns").into());
            };
            for name in alternatives(name) {
                let longest = receivers.iter().filter(|one| {
                    name.strip_prefix(&*one.prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
                });
                let receiver = longest.max_by_key(|one| one.prefix.len()).ok_or_else(|| wrong("an unknown prefix"))?;
                if kind == "value" {
                    nouns.push((name.clone(), rust.to_owned()));
                    handle(text, receiver, parameters, rust)?;
                } else {
                    let noun = nouns.iter().find(|(prefix, _)| *prefix == receiver.prefix);
                    let about = about.replace("{noun}", noun.map_or("the value", |(_, noun)| noun));
                    let parameters = parameters.split_whitespace().map(parameter).collect::<Option<Vec<_>>>();
                    let parameters = parameters.ok_or_else(|| wrong("a parameter has no type"))?;
                    let row = Row { name: &name, kind, receiver, parameters: &parameters, rust, about: &about };
                    row.write(text).map_err(|what| wrong(&what.to_string()))?;
                }
            }
        }
    }
    files.into_iter().map(|(name, text)| Ok((name, formatted(&text, root)?))).collect()
}

/// The names of a row: `{a,b}_c` is `a_c` and `b_c`.
fn alternatives(name: &str) -> Vec<String> {
    match name.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((list, rest)) => list.split(',').map(|one| format!("{one}{rest}")).collect(),
        None => vec![name.to_owned()],
    }
}

fn parameter(text: &str) -> Option<Parameter> {
    let (name, ty) = text.split_once(':')?;
    let result = name.strip_prefix('*');
    Some(Parameter { name: result.unwrap_or(name).to_owned(), ty: ty.to_owned(), is_result: result.is_some() })
}

/// Replaces a whole word.
fn word(text: &str, from: &str, to: &str) -> String {
    let is_part = |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || one == '_');
    let (mut made, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let whole = !is_part(before.chars().next_back()) && !is_part(after.chars().next());
        made += before;
        made += if whole { to } else { from };
        rest = after;
    }
    made + rest
}

/// A documentation comment of lines that are not too long.
fn comment(text: &mut String, about: &str) {
    let mut line = String::from("\n///");
    for word in about.split_whitespace() {
        if line.len() + word.len() > 132 {
            *text += &line;
            line = String::from("\n///");
        }
        line += " ";
        line += word;
    }
    *text += &line;
    text.push('\n');
}

struct Row<'a> {
    name: &'a str,
    kind: &'a str,
    receiver: &'a Receiver,
    parameters: &'a [Parameter],
    rust: &'a str,
    about: &'a str,
}

impl Row<'_> {
    fn write(&self, text: &mut String) -> Result<(), Box<dyn Error>> {
        let Receiver { prefix, parameter: me, reference, value } = self.receiver;
        let (kind, more) = self.kind.split_once(' ').unwrap_or((self.kind, ""));
        let handle = format!("tagwise_{prefix}");
        let first = match (kind, reference.as_str()) {
            ("free", _) => format!("Option<Box<{handle}>>"),
            ("set" | "write", _) | (_, "&mut") => format!("Option<&mut {handle}>"),
            _ => format!("Option<&{handle}>"),
        };
        let fallible = ["test", "buffer", "secret", "new", "found", "given", "set", "write"].contains(&kind);
        let mut parameters = format!("{me}: {first},");
        for parameter in self.parameters {
            write!(parameters, "{}: {},", parameter.name, parameter.rust()?)?;
        }
        if fallible {
            parameters += ERROR;
        }
        let (result, otherwise) = kind.split_once('=').unwrap_or((kind, ""));
        let result = match kind {
            "free" => String::new(),
            "test" | "found" | "given" | "optional" | "set" | "write" => "-> bool".to_owned(),
            "buffer" | "secret" => "-> Option<Box<tagwise_buffer>>".to_owned(),
            "new" => format!("-> Option<Box<tagwise_{more}>>"),
            "at" => format!("-> *const tagwise_{more}"),
            "bytes" => "-> tagwise_bytes".to_owned(),
            _ => format!("-> {result}"),
        };
        comment(text, self.about);
        if fallible || ["bool", "optional"].contains(&kind) {
            *text += "#[must_use]\n";
        }
        let name = self.name;
        writeln!(text, "#[unsafe(no_mangle)]\npub extern \"C\" fn tagwise_{name}({parameters}) {result} {{")?;
        let rust = word(&word(self.rust, "it", value), "this", me);
        let rust = word(&rust, "built", &format!("{me}.0.get()?"));
        let prepared: String = self.parameters.iter().filter_map(Parameter::prepared).collect();
        let given = format!("let {me} = given({me}, \"{me}\")?;{prepared}");
        let results: Vec<&Parameter> = self.parameters.iter().filter(|parameter| parameter.is_result).collect();
        // The names of results and of the places for them differ, or one would hide the other.
        let names: Vec<String> = results.iter().map(|result| format!("found_{}", result.name)).collect();
        let puts: String = results.iter().zip(&names).map(|(result, name)| result.put(name)).collect();
        let pattern = match &*names {
            [] => "()".to_owned(),
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        match kind {
            "free" => writeln!(text, "guard!(drop({me}))")?,
            "test" => writeln!(text, "guard!(error, {{ {given} Ok({rust}) }})")?,
            "buffer" => writeln!(text, "guard!(error, {{ {given} Ok(tagwise_buffer::new({rust})) }})")?,
            "secret" => writeln!(text, "guard!(error, {{ {given} Ok({rust}) }})")?,
            "new" => writeln!(text, "guard!(error, {{ {given} {rust} }})")?,
            "found" => writeln!(
                text,
                "guard!(error, {{ {given} let Some({pattern}) = {rust} else {{ return Ok(false) }}; {puts} Ok(true) }})"
            )?,
            "given" if results.is_empty() => writeln!(text, "guard!(error, {{ {given} {rust}; Ok(true) }})")?,
            "given" => writeln!(text, "guard!(error, {{ {given} let {pattern} = {rust}; {puts} Ok(true) }})")?,
            "optional" => {
                writeln!(text, "guard!({me}.and_then(|{me}| {rust}).is_some_and(|{pattern}| {{ {puts} true }}))")?
            }
            "set" => writeln!(text, "setter!(error, {me}, move |{me}| {{ {prepared} Ok({rust}) }})")?,
            "write" => writeln!(text, "setter!(error, {me}, |{me}| {{ {prepared} {rust} }})")?,
            "at" => {
                writeln!(text, "guard!({me}.and_then(|{me}| {rust}).map_or(std::ptr::null(), std::ptr::from_ref))")?
            }
            "bool" => writeln!(text, "guard!({me}.is_some_and(|{me}| {rust}))")?,
            "bytes" => writeln!(text, "guard!({me}.map_or(tagwise_bytes::NONE, |{me}| tagwise_bytes::from({rust})))")?,
            _ if ["u8", "u16", "u32", "u64", "usize", "i32", "i64"].contains(&result.trim_start_matches("-> ")) => {
                let otherwise = if otherwise.is_empty() { "0" } else { otherwise };
                writeln!(text, "guard!({me}.map_or({otherwise}, |{me}| {rust}))")?;
            }
            other => return Err(format!("unknown kind {other}").into()),
        }
        *text += "}\n";
        Ok(())
    }
}

impl Parameter {
    /// The type in the signature.
    fn rust(&self) -> Result<String, String> {
        let ty = match &*self.ty {
            ty @ ("bool" | "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f64") => ty,
            "bytes" | "octets" | "der" | "oid" | "name" | "algorithm" | "utf8" | "optional" => "tagwise_bytes",
            "text" => "*const c_char",
            "options" => "Option<&tagwise_options>",
            "key" => "Option<&tagwise_key>",
            "backend" => "Option<&tagwise_backend>",
            "certificate" => "Option<&tagwise_certificate>",
            "extension" => "tagwise_extension",
            other => return Err(format!("unknown type {other}")),
        };
        Ok(if self.is_result { format!("Option<&mut MaybeUninit<{ty}>>") } else { ty.to_owned() })
    }

    /// The statement that converts it.
    fn prepared(&self) -> Option<String> {
        let name = &self.name;
        let value = match &*self.ty {
            _ if self.is_result => return None,
            "octets" => format!("{name}.get()?"),
            "der" => format!("{name}.der()?"),
            "oid" => format!("tagwise::codec::Oid::from_content({name}.get()?)?"),
            "name" => format!("tagwise::pkix::Name::from_der({name}.der()?)?"),
            "algorithm" => format!("tagwise::pkix::AlgorithmIdentifier::from_der({name}.der()?)?"),
            "utf8" => format!("{name}.text()?"),
            "optional" => format!("{name}.optional()?"),
            "text" => format!("terminated({name}, \"{name}\")?"),
            "backend" => format!("tagwise_backend::of({name})?"),
            "key" | "certificate" => format!("given({name}, \"{name}\")?"),
            _ => return None,
        };
        Some(format!("let {name} = {value};"))
    }

    fn put(&self, value: &str) -> String {
        let name = &self.name;
        match &*self.ty {
            "bytes" => format!("put({name}, tagwise_bytes::from({value}));"),
            // What finds it writes it.
            "extension" => String::new(),
            _ => format!("put({name}, {value});"),
        }
    }
}

/// The functions that every type read from an encoding has.
fn handle(text: &mut String, receiver: &Receiver, kind: &str, noun: &str) -> Result<(), Box<dyn Error>> {
    let Receiver { prefix, parameter: me, .. } = receiver;
    let handle = format!("tagwise_{prefix}");
    let plain = noun.split_once(' ').map_or(noun, |(_, plain)| plain);
    for (verb, input, about, body) in [
        (
            "read",
            "der",
            format!("Reads {noun} in DER and checks every byte of it."),
            format!("{handle}::read(der, Extent::Whole, options)"),
        ),
        (
            "outline",
            "der",
            format!(
                "Reads the outer structure of {noun}. The parts inside are checked on access: a malformed one does not prevent \
                 reading the rest."
            ),
            format!("{handle}::read(der, Extent::Outline, options)"),
        ),
        (
            "from_pem",
            "text",
            format!("Reads the first {plain} of a text in PEM and checks every byte of it."),
            format!(
                "{{ let der = crate::pem::labelled(text, &tagwise::pkix::oids::files::{kind}, options)?; \
                 {handle}::read(tagwise_bytes::of(&der), Extent::Whole, options) }}"
            ),
        ),
    ] {
        comment(text, &about);
        writeln!(
            text,
            "#[must_use]\n#[unsafe(no_mangle)]\npub extern \"C\" fn {handle}_{verb}({input}: tagwise_bytes, \
             options: Option<&tagwise_options>, {ERROR}) -> *mut {handle} {{ guard!(error, {body}) }}"
        )?;
    }
    comment(
        text,
        &format!("Returns {noun} again, for another owner. Each owner frees it once; the last one frees its memory."),
    );
    writeln!(
        text,
        "#[must_use]\n#[unsafe(no_mangle)]\npub extern \"C\" fn {handle}_retain({me}: Option<&{handle}>) -> *mut {handle} {{ \
         guard!({handle}::retain({me})) }}"
    )?;
    comment(text, &format!("Frees {noun}; NULL is allowed."));
    writeln!(
        text,
        "#[unsafe(no_mangle)]\npub extern \"C\" fn {handle}_free({me}: *mut {handle}) {{ guard!({handle}::release({me})) }}"
    )?;
    comment(text, "The whole encoding.");
    writeln!(
        text,
        "#[unsafe(no_mangle)]\npub extern \"C\" fn {handle}_der({me}: Option<&{handle}>) -> tagwise_bytes {{ \
         guard!(tagwise_bytes::from({me}.map(|{me}| {me}.0.der()))) }}"
    )?;
    comment(text, "Gives the tolerated deviation with this index, counted from 0; false after the last one.");
    writeln!(
        text,
        "#[must_use]\n#[unsafe(no_mangle)]\npub extern \"C\" fn {handle}_deviation({me}: Option<&{handle}>, index: usize, \
         found: Option<&mut MaybeUninit<tagwise_deviation>>) -> bool {{ \
         guard!({me}.is_some_and(|{me}| deviation({me}.0.deviations(), index, found))) }}"
    )?;
    Ok(())
}

/// The text in the project's format.
fn formatted(text: &str, root: &Path) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--config-path"]).arg(root);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().ok_or("rustfmt has no input")?.write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err("rustfmt does not accept the functions of functions.tsv".into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_row() {
        assert_eq!(alternatives("{a,b}_c"), ["a_c", "b_c"]);
        assert_eq!(alternatives("a_c"), ["a_c"]);
    }

    #[test]
    fn only_whole_words_are_replaced() {
        assert_eq!(word("it.bit(it, limit)", "it", "x.y"), "x.y.bit(x.y, limit)");
        assert_eq!(word("é it", "it", "x"), "é x");
    }

    #[test]
    fn wrong_tables_are_errors() {
        let head = "= a\tAbout.\n@b\tb\t&\tb.0\n";
        for (row, error) in [
            ("b_c\tbytes", "functions.tsv, line 3: expected 5 columns"),
            ("d_c\tbytes\t\tit\tAbout.", "functions.tsv, line 3: an unknown prefix"),
            ("bb_c\tbytes\t\tit\tAbout.", "functions.tsv, line 3: an unknown prefix"),
            ("b_c\tbytes\tone\tit\tAbout.", "functions.tsv, line 3: a parameter has no type"),
            ("b_c\tbytes\tone:two\tit\tAbout.", "functions.tsv, line 3: unknown type two"),
        ] {
            let found = files(&format!("{head}{row}\n"), Path::new(".")).unwrap_err().to_string();
            assert_eq!(found, error);
        }
    }

    #[test]
    fn a_getter_takes_null() {
        let table = "= a\tAbout.\n@b\tb\t&\tb.0\nb_count\tusize\t\tit.len()\tThe number.\n";
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let made = files(table, &root).unwrap();
        let function = "/// The number.\n#[unsafe(no_mangle)]\npub extern \"C\" fn tagwise_b_count(b: Option<&tagwise_b>) -> usize {\n    \
                        guard!(b.map_or(0, |b| b.0.len()))\n}\n";
        assert!(made.len() == 1 && made[0].0 == "a.rs" && made[0].1.ends_with(function), "{}", made[0].1);
    }
}
