//! `tagwise from-openssl`: translates OpenSSL command lines to `tagwise` command lines. Nothing is run.

mod filters;
mod line;
mod page;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use line::{Word, quoted};
use rules::{IGNORED, LISTS, RULES, Rule};

use crate::shared::output::{Failure, finish};

pub(crate) const ABOUT: &str = "\
Translate a command line of OpenSSL into one of this program.

The command line is one argument, in quotes, or the arguments as they are. Quotation marks, redirections and pipes \
between commands of OpenSSL are understood. Nothing is run, and no file is read.

Options that are not translated are named on standard error, and the exit code is then 4: the command that is printed does not do the \
same. The guide's page \"Coming from the openssl command\" lists common command lines.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise from-openssl 'openssl x509 -in cert.pem -noout -enddate'
  tagwise from-openssl 'openssl s_client -connect www.example.org:443 </dev/null | openssl x509 -noout -text'
  tagwise from-openssl openssl verify -CAfile root.pem -untrusted ca.pem leaf.pem

Exit codes: 0 translated; 1 no equivalent; 2 usage error; 4 some options are not translated.";

#[derive(Debug, clap::Args)]
pub(crate) struct FromOpensslArgs {
    /// The command line
    #[arg(
        required_unless_present = "page",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    line: Vec<String>,
    /// Print the guide's page
    #[arg(long, hide = true, exclusive = true)]
    page: bool,
}

/// A translated command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Translation {
    /// The equivalent `tagwise` command line.
    pub(crate) line: String,
    /// The parts that are not translated, with reasons.
    pub(crate) left: Vec<String>,
}

impl FromOpensslArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(
        &self,
        _: &crate::shared::context::Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<u8> {
        if self.page {
            out.write_all(page::page().as_bytes())?;
            return Ok(0);
        }
        finish(self.print(out, err), err)
    }

    fn print(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let Translation { line, left } = match self.line.as_slice() {
            [line] => translate(line),
            words => translate_words(words.iter().map(|word| Word::plain(word)).collect()),
        }
        .map_err(Failure::negative)?;
        writeln!(out, "{line}")?;
        if left.is_empty() {
            return Ok(0);
        }
        out.flush()?;
        for what in left {
            writeln!(err, "tagwise: not translated: {what}")?;
        }
        Ok(4)
    }
}

/// Translates an OpenSSL command line, split by shell quoting rules.
///
/// # Errors
/// Returns an error if it is not an OpenSSL command line or has no equivalent.
pub(crate) fn translate(line: &str) -> Result<Translation, String> {
    translate_words(line::words(line)?)
}

/// Returns whether a word is an OpenSSL command that users may type without `openssl`.
pub(crate) fn is_tool(name: &str) -> bool {
    line::tool(name).is_some()
}

/// Translates the words of a command line.
fn translate_words(words: Vec<Word>) -> Result<Translation, String> {
    let mut commands: Vec<Parsed> = Vec::new();
    for words in words.split(|word| word.is_pipe) {
        // What only gives a server an empty input.
        if commands.is_empty() && words.first().is_some_and(|first| matches!(&*first.text, "echo" | "true" | "printf"))
        {
            continue;
        }
        commands.push(Parsed::of(words)?);
    }
    if commands.is_empty() {
        return Err("no command".to_owned());
    }
    let mut whole = Translation { line: String::new(), left: Vec::new() };
    let mut commands = commands.into_iter().peekable();
    while let Some(mut command) = commands.next() {
        if !whole.line.is_empty() {
            command.reads_standard_input()?;
        }
        let done = match commands.next_if(|next| command.tool == "s_client" && next.tool == "x509") {
            Some(certificate) => command.certificate(certificate)?,
            None if command.tool == "s_client" && commands.peek().is_some() => {
                return Err("a pipe from `openssl s_client` to this command has no equivalent".to_owned());
            }
            None => command.translated()?,
        };
        if !whole.line.is_empty() {
            whole.line.push_str(" | ");
        }
        whole.line.push_str(&done.line);
        whole.left.extend(done.left);
    }
    Ok(whole)
}

/// A parsed OpenSSL command.
#[derive(Debug)]
struct Parsed {
    tool: &'static str,
    /// The options without their hyphens, with their values.
    options: BTreeMap<String, Vec<Word>>,
    /// The options with values, in order.
    order: Vec<(String, Word)>,
    operands: Vec<Word>,
    /// The options that OpenSSL does not have.
    unknown: Vec<String>,
    /// The file of a redirection, if the command has no option `-out`.
    redirected: Option<Word>,
}

impl Parsed {
    fn of(words: &[Word]) -> Result<Self, String> {
        let mut words = words.iter();
        let mut program = words.next().ok_or("no command")?;
        // `timeout 5 openssl s_client …`: the result has a time limit of its own.
        if program.text == "timeout" {
            program = words.nth(1).ok_or("no command")?;
        }
        if program.text != "openssl" && !program.text.ends_with("/openssl") {
            return Err(format!("expected a command of openssl, found {}", program.text));
        }
        let name = words.next().ok_or("expected a command of openssl, such as x509")?;
        let tool = line::tool(&name.text).ok_or_else(|| {
            let names: Vec<&str> = line::tools().map(|tool| tool.name).collect();
            format!("openssl {} has no equivalent; translated commands are {}", name.text, names.join(", "))
        })?;
        let mut parsed = Self {
            tool: tool.name,
            options: BTreeMap::new(),
            order: Vec::new(),
            operands: Vec::new(),
            unknown: Vec::new(),
            redirected: None,
        };
        let mut is_operand = false;
        while let Some(word) = words.next() {
            let option = word.text.strip_prefix('-').filter(|name| !name.is_empty() && !is_operand);
            let Some(option) = option else {
                parsed.operands.push(word.clone());
                continue;
            };
            let option = option.strip_prefix('-').unwrap_or(option);
            // Digests and ciphers are named in any case.
            let lower = option.to_ascii_lowercase();
            if option.is_empty() {
                is_operand = true;
            } else if tool.values.contains(&option) {
                let value = words.next().ok_or_else(|| format!("-{option} requires a value"))?;
                if value.is_pipe {
                    return Err(format!("-{option} requires a value"));
                }
                parsed.options.entry(option.to_owned()).or_default().push(value.clone());
                parsed.order.push((option.to_owned(), value.clone()));
            } else if option == "out" {
                parsed.redirected = words.next().cloned();
            } else if tool.flags.contains(&option) {
                parsed.options.entry(option.to_owned()).or_default();
            } else if line::is_algorithm(&lower) {
                parsed.options.entry(lower).or_default();
            } else {
                parsed.unknown.push(format!("-{option}: openssl {} has no such option", tool.name));
            }
        }
        Ok(parsed)
    }

    fn has(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    /// Returns the value that counts: the last one, as in OpenSSL.
    fn last(&self, name: &str) -> Option<&Word> {
        self.options.get(name).and_then(|values| values.last())
    }

    /// Returns whether each value of an option counts.
    fn is_list(&self, name: &str) -> bool {
        LISTS.iter().any(|(tool, names)| *tool == self.tool && names.contains(&name))
    }

    /// Returns the values of an option that count.
    fn values(&self, name: &str) -> &[Word] {
        let all = self.options.get(name).map(Vec::as_slice).unwrap_or_default();
        let from = if self.is_list(name) { 0 } else { all.len().saturating_sub(1) };
        all.get(from..).unwrap_or_default()
    }

    /// Lets the command read the output of the one before it in a pipe.
    ///
    /// # Errors
    /// Returns an error if it does not read standard input.
    fn reads_standard_input(&mut self) -> Result<(), String> {
        match self.tool {
            "dgst" | "verify" if self.operands.is_empty() => self.operands.push(Word::plain("-")),
            "dgst" | "verify" => return Err(format!("openssl {} does not read the pipe", self.tool)),
            tool if line::tool(tool).is_some_and(|tool| tool.values.contains(&"in")) => {
                self.options.entry("in".to_owned()).or_insert_with(|| vec![Word::plain("-")]);
            }
            tool => return Err(format!("openssl {tool} does not read standard input")),
        }
        Ok(())
    }

    /// Translates `openssl s_client` with a pipe to `openssl x509`, which reads the server's certificate.
    fn certificate(&mut self, mut certificate: Self) -> Result<Translation, String> {
        let server = self.translated()?;
        let rest = server.line.strip_prefix("tagwise show ").or_else(|| server.line.strip_prefix("tagwise verify "));
        let rest = rest.unwrap_or_default();
        let (address, options) = rest.split_once(' ').unwrap_or((rest, ""));
        certificate.options.insert("in".to_owned(), vec![Word::literal(address)]);
        let mut done = certificate.translated()?;
        done.left.splice(0..0, server.left);
        // The trust anchors have no effect on the certificate's text.
        let options = options.split("--trust ").next().unwrap_or_default();
        let options = options.split("--self-signed-anchors").next().unwrap_or_default().trim_end();
        if !options.is_empty() {
            done.line = format!("{} {options}", done.line);
        }
        Ok(done)
    }

    /// Returns the difference if OpenSSL also writes the object itself, because `-noout` is missing.
    fn written(&self, line: &str) -> Option<String> {
        let what = match self.tool {
            "x509" => "certificate",
            "req" => "request",
            "crl" => "CRL",
            "pkcs7" if !self.has("print_certs") => "message",
            "pkey" | "rsa" | "dsa" | "ec" if line.starts_with("key show ") => "key",
            _ => return None,
        };
        let is_text = ["get ", "show ", "check ", "verify ", "csr show ", "csr check ", "key show "];
        let is_text = is_text.iter().any(|command| line.starts_with(command));
        (is_text && !self.has("noout")).then(|| format!("without -noout, openssl also writes the {what}"))
    }

    /// Translates the command by the rule that omits the fewest options.
    fn translated(&self) -> Result<Translation, String> {
        let rules = RULES.iter().filter(|rule| rule.tool == self.tool && rule.fits(self));
        let done = rules.map(|rule| self.by(rule)).min_by_key(|done| done.left.len());
        let done = done.ok_or_else(|| {
            let options: Vec<String> = self.options.keys().map(|name| format!("-{name}")).collect();
            format!("openssl {} {} has no equivalent", self.tool, options.join(" "))
        })?;
        match self.other_digest(&done) {
            Some(other) => Err(format!("openssl {} has no equivalent: {other}", self.tool)),
            None => Ok(done),
        }
    }

    /// Returns the digest of the command if the result would be that of another digest, such as a wrong verdict on a signature.
    fn other_digest(&self, done: &Translation) -> Option<String> {
        let is_about_digest = match self.tool {
            "dgst" | "pkeyutl" => true,
            "ts" => self.has("query"),
            _ => self.has("fingerprint"),
        };
        if !is_about_digest {
            return None;
        }
        let digests: Vec<String> =
            self.options.keys().filter(|name| line::is_algorithm(name)).map(|name| format!("-{name}")).collect();
        if digests.len() > 1 {
            return Some(format!("{}: expected one digest", digests.join(" ")));
        }
        // Names of digests that are not known are options that OpenSSL does not seem to have.
        let mut left = done
            .left
            .iter()
            .filter(|left| digests.contains(*left) || self.unknown.contains(*left) || left.starts_with("-digest "));
        left.next()
            .map(|left| if digests.contains(left) { format!("{left}: unsupported digest") } else { left.clone() })
    }

    fn by(&self, rule: &Rule) -> Translation {
        let mut left = self.unknown.clone();
        let mut used: Vec<&str> = rule.needs.split([' ', '|']).collect();
        used.extend(rule.also.split(' '));
        used.extend(IGNORED);
        used.push("out");
        let mut words = Vec::new();
        let mut operands = 0;
        for part in rules::parts(rule.gives) {
            let names = part.names();
            used.extend(names.iter().filter(|name| **name != "1" && **name != "*"));
            for name in names {
                operands = match name {
                    "1" => operands.max(1),
                    "*" => usize::MAX,
                    _ => operands,
                };
            }
            if let (true, Some(note)) = (part.is_wanted(self), part.note()) {
                left.push(note.to_owned());
            } else if part.is_wanted(self) {
                let times = part.times(self);
                for index in 0..times {
                    match part.written(self, index) {
                        Ok(text) if text.is_empty() => {}
                        Ok(text) => words.push(text),
                        Err(reason) => left.push(reason),
                    }
                }
                // A part that may not be repeated has the first value of a list.
                for (name, value) in part.surplus(self, times) {
                    left.push(format!("-{name} {}: only one -{name} is translated", quoted(value)));
                }
            }
        }
        for (name, values) in self.options.iter().filter(|(name, _)| !used.contains(&name.as_str())) {
            let values: String = values.iter().map(|value| format!(" {}", quoted(value))).collect();
            left.push(format!("-{name}{values}"));
        }
        // OpenSSL reads the first object of a file.
        let is_of_one = matches!(self.tool, "x509" | "req" | "crl" | "verify");
        if is_of_one && words.first().is_some_and(|word| matches!(&**word, "get" | "show" | "check" | "verify")) {
            words.insert(1, "--first".to_owned());
        }
        left.extend(self.operands.iter().skip(operands).map(quoted));
        left.extend(self.written(rule.gives));
        let output = self.last("out").filter(|_| !rule.gives.contains("{out}")).or(self.redirected.as_ref());
        words.extend(output.map(|output| format!("> {}", line::file(output))));
        Translation { line: format!("tagwise {}", words.join(" ")), left }
    }
}
