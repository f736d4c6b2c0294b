//! `tagwise from-openssl`: translates OpenSSL command lines to `tagwise` command lines. Nothing is run.

mod filters;
mod line;
mod page;
mod rules;

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
            } else if tool.flags.contains(&option) || line::is_algorithm(option) {
                parsed.options.entry(option.to_owned()).or_default();
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
        // `openssl x509` reads the first certificate.
        if let Some(field) = done.line.strip_prefix("tagwise get ") {
            done.line = format!("tagwise get --first {field}");
        }
        // The trust anchors have no effect on the certificate's text.
        let options = options.split("--trust ").next().unwrap_or_default().trim_end();
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
        done.ok_or_else(|| {
            let options: Vec<String> = self.options.keys().map(|name| format!("-{name}")).collect();
            format!("openssl {} {} has no equivalent", self.tool, options.join(" "))
        })
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
        left.extend(self.operands.iter().skip(operands).map(quoted));
        left.extend(self.written(rule.gives));
        let output = self.last("out").filter(|_| !rule.gives.contains("{out}")).or(self.redirected.as_ref());
        words.extend(output.map(|output| format!("> {}", line::file(output))));
        Translation { line: format!("tagwise {}", words.join(" ")), left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (String, Vec<String>) {
        match translate(line) {
            Ok(Translation { line, left }) => (line, left),
            Err(error) => (error, vec!["error".to_owned()]),
        }
    }

    fn whole(line: &str) -> String {
        let (done, left) = of(line);
        assert!(left.is_empty(), "{line}: {done}: {left:?}");
        done
    }

    #[test]
    fn fields() {
        assert_eq!(whole("openssl x509 -in cert.pem -noout -enddate"), "tagwise get notAfter cert.pem");
        assert_eq!(
            whole("openssl x509 -in cert.pem -noout -subject -enddate"),
            "tagwise show --subject --enddate cert.pem"
        );
        assert_eq!(whole("openssl x509 -noout -fingerprint -in a.pem"), "tagwise get sha1 a.pem");
        assert_eq!(whole("openssl x509 -noout -fingerprint -sha256 -in a.pem"), "tagwise get fingerprint a.pem");
    }

    #[test]
    fn quoting() {
        assert_eq!(whole("openssl x509 -in 'my cert.pem' -noout -serial"), "tagwise get serial 'my cert.pem'");
        assert_eq!(whole("openssl x509 -in \"$CERT\" -noout -serial"), "tagwise get serial \"$CERT\"");
        assert_eq!(whole("openssl x509 -noout -serial < a.pem"), "tagwise get serial a.pem");
        assert_eq!(of("openssl x509 -in 'a").1, ["error"]);
    }

    #[test]
    fn a_server() {
        assert_eq!(
            whole(
                "echo | openssl s_client -connect example.org:443 2>/dev/null | openssl x509 -noout -enddate -subject"
            ),
            "tagwise show --subject --enddate tls://example.org:443"
        );
    }

    #[test]
    fn what_is_left_out_is_named() {
        let (line, left) = of("openssl x509 -in a.pem -noout -enddate -frobnicate");
        assert_eq!(line, "tagwise get notAfter a.pem");
        assert_eq!(left, ["-frobnicate: openssl x509 has no such option"]);
        let (_, left) = of("openssl x509 -in a.pem -noout -enddate -setalias x");
        assert_eq!(left, ["-setalias x"]);
        assert_eq!(of("openssl rand -hex 20").1, ["error"]);
        assert_eq!(of("rm -rf /").1, ["error"]);
    }

    /// Checks that keys are written unencrypted only if OpenSSL would do so.
    #[test]
    fn ciphers_of_keys() {
        assert_eq!(whole("openssl genrsa -aes256 -out a.key 2048"), "tagwise key new rsa2048 -o a.key");
        assert_eq!(
            whole("openssl genpkey -algorithm RSA -aes256 -pass file:word -out a.key"),
            "tagwise key new rsa2048 --passphrase-file word -o a.key"
        );
        assert_eq!(
            whole("openssl rsa -aes256 -in a.key -passout file:word -out b.key"),
            "tagwise key convert --to pkcs8 a.key --new-passphrase-file word -o b.key"
        );
        assert_eq!(
            whole("openssl dgst -sha384 -sign a.key -out b letter"),
            "tagwise key sign letter --digest sha384 --key a.key -o b"
        );
    }

    /// Checks that no value of a repeated option is lost without a word.
    #[test]
    fn repeated_options() {
        assert_eq!(
            whole(
                "openssl verify -CAfile a -CAfile b -CRLfile c -CRLfile d -trusted e -trusted f -untrusted g -untrusted h -policy 1.2.3 -policy 1.2.4 -purpose sslclient -purpose sslserver x"
            ),
            "tagwise verify --trust b --trust e --trust f --self-signed-anchors --untrusted g --untrusted h --crl c --crl d --purpose server --policy 1.2.3 --policy 1.2.4 x"
        );
        for (line, signers) in [
            ("-signer a -inkey ka -signer b -inkey kb", "--key ka --certificate a --key kb --certificate b"),
            ("-inkey ka -signer a -inkey kb -signer b", "--key ka --certificate a --key kb --certificate b"),
            ("-signer a -signer b -inkey kb", "--key a --certificate a --key kb --certificate b"),
            ("-signer a", "--key a --certificate a"),
        ] {
            for tool in ["cms", "smime"] {
                assert_eq!(
                    whole(&format!("openssl {tool} -sign -binary -in m {line} -outform DER")),
                    format!("tagwise cms sign m {signers} --detached")
                );
            }
        }
        // OpenSSL reads the last file.
        assert_eq!(
            whole("openssl cms -sign -binary -in m -signer a -certfile b -certfile c -nodetach -outform PEM"),
            "tagwise cms sign m --key a --certificate a --with c --pem"
        );
        assert_eq!(whole("openssl x509 -in a -in b -noout -serial"), "tagwise get serial b");
        let (line, left) = of("openssl crl2pkcs7 -nocrl -certfile a -certfile b -out c");
        assert_eq!(line, "tagwise convert --to p7,pem a -o c");
        assert_eq!(left, ["-certfile b: only one -certfile is translated"]);
        let (line, left) = of("openssl dgst -sha256 -sign k -out s m n");
        assert_eq!((&*line, &*left), ("tagwise key sign m --digest sha256 --key k -o s", &["n".to_owned()][..]));
        assert_eq!(
            of("openssl ocsp -issuer a -cert b -cert c -url http://o.example/").1,
            ["-cert c: only one -cert is translated"]
        );
    }

    /// Checks that no file is taken for an option.
    #[test]
    fn names_that_begin_with_a_hyphen() {
        assert_eq!(whole("openssl x509 -in -h -noout -serial"), "tagwise get serial ./-h");
        assert_eq!(whole("openssl x509 -in - -noout -serial"), "tagwise get serial -");
        assert_eq!(whole("openssl verify -CAfile -r -partial_chain -- -x"), "tagwise verify --trust ./-r ./-x");
        assert_eq!(
            whole("openssl req -new -key -k -subj -x -passin file:-p -out -o"),
            "tagwise csr new --key ./-k --key-passphrase-file ./-p --subject=-x -o ./-o"
        );
        assert_eq!(
            whole("openssl cms -encrypt -binary -in -m -outform DER -out o -- -r"),
            "tagwise cms encrypt ./-m --to ./-r -o o"
        );
    }

    #[test]
    fn subjects_that_openssl_asks_for() {
        for (line, expected) in [
            (
                "openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c",
                "tagwise cert self-signed --ca --new-key rsa2048 --key-out k --key-no-passphrase --days 30 -o c",
            ),
            ("openssl req -new -key k -out c", "tagwise csr new --key k -o c"),
        ] {
            let (line, left) = of(line);
            assert_eq!(line, expected);
            assert_eq!(left, ["the prompt for a subject: --subject NAME is needed"]);
        }
    }

    /// Checks that messages are mails, unless another form is named.
    #[test]
    fn mails() {
        for tool in ["cms", "smime"] {
            for (form, signed, opaque, encrypted) in [
                ("", " --smime", " --smime=opaque", " --smime"),
                (" -outform SMIME", " --smime", " --smime=opaque", " --smime"),
                (" -outform PEM", " --detached --pem", " --pem", " --pem"),
                (" -outform DER", " --detached", "", ""),
            ] {
                let sign = format!("openssl {tool} -sign -binary -in m -signer a -inkey k{form}");
                let expected = "tagwise cms sign m --key k --certificate a";
                assert_eq!(whole(&sign), format!("{expected}{signed}"));
                assert_eq!(whole(&format!("{sign} -nodetach")), format!("{expected}{opaque}"));
                let encrypt = format!("openssl {tool} -encrypt -binary -in m{form} b");
                assert_eq!(whole(&encrypt), format!("tagwise cms encrypt m --to b{encrypted}"));
            }
        }
    }

    #[test]
    fn dsa_keys() {
        assert_eq!(whole("openssl dsa -in k -pubout"), "tagwise key convert --to public k");
        assert_eq!(whole("openssl dsa -in k -pubout -out p"), "tagwise key convert --to public k -o p");
        assert_eq!(whole("openssl dsa -in k -noout -text"), "tagwise key show k");
        assert_eq!(of("openssl dsa -in k").1, ["error"]);
    }

    /// Checks that a file's private key, and what follows the first certificate, are not copied.
    #[test]
    fn the_first_certificate_alone() {
        for (line, expected) in [
            ("openssl x509 -in both.pem -out c", "tagwise convert --to pem --first certificate both.pem -o c"),
            ("openssl x509 -in both.pem", "tagwise convert --to pem --first certificate both.pem"),
            (
                "openssl x509 -in both.pem -outform DER -out c",
                "tagwise convert --to der --first certificate both.pem -o c",
            ),
            ("openssl crl -in a.crl -out c", "tagwise convert --to pem --first crl a.crl -o c"),
            ("openssl req -in a.csr -out c", "tagwise convert --to pem --first request a.csr -o c"),
        ] {
            assert_eq!(whole(line), expected);
        }
    }

    #[test]
    fn trust_anchors() {
        assert_eq!(whole("openssl verify a"), "tagwise verify --self-signed-anchors a");
        assert_eq!(
            whole("openssl verify -no-CAfile -no-CApath -no-CAstore a"),
            "tagwise verify --trust /dev/null --self-signed-anchors a"
        );
        assert_eq!(
            whole("openssl verify -CAfile c -no-CApath -no-CAstore -partial_chain a"),
            "tagwise verify --trust c a"
        );
        // Without -no-CAstore, OpenSSL 3 still trusts the system's roots, and OpenSSL 1.1 nothing.
        let (line, left) = of("openssl verify -no-CAfile -no-CApath a");
        assert_eq!((&*line, left.len()), ("tagwise verify --trust /dev/null --self-signed-anchors a", 1));
        assert_eq!(of("openssl verify -no-CAfile a").1.len(), 1);
        for tool in ["cms", "smime"] {
            assert_eq!(
                whole(&format!("openssl {tool} -verify -in m -no-CAfile -no-CApath -no-CAstore")),
                "tagwise cms verify m --trust /dev/null"
            );
        }
        let ocsp = "openssl ocsp -issuer i -cert c -url http://o.example/";
        assert_eq!(of(&format!("{ocsp} -CAfile r")).1.len(), 1);
        assert!(whole(&format!("{ocsp} -CAfile i")).starts_with("tagwise ocsp ask c --issuer i"));
    }

    #[test]
    fn pipes() {
        let server = "openssl s_client -connect h.example:443 </dev/null 2>/dev/null | openssl";
        for (line, expected) in [
            ("x509 -noout -enddate", "tagwise get --first notAfter tls://h.example:443"),
            ("x509 -noout -enddate | cat", "error"),
            ("x509 -out c.pem", "tagwise convert --to pem --first certificate tls://h.example:443 -o c.pem"),
            ("x509 -noout -checkend 86400", "tagwise check --expires-within 1d tls://h.example:443"),
        ] {
            let (line, left) = of(&format!("{server} {line}"));
            assert!(line == expected || left == [expected], "{line}: {left:?}");
        }
        // The server's name and the client's certificate are options of the connection.
        assert_eq!(
            whole(
                "timeout 5 openssl s_client -connect 192.0.2.7:443 -servername h.example -cert c -CAfile r | openssl x509 -noout -serial"
            ),
            "tagwise get --first serial tls://192.0.2.7:443 --servername h.example --client-certificate c"
        );
        assert_eq!(
            whole("openssl x509 -in c.pem -noout -pubkey | openssl pkey -pubin -noout -text"),
            "tagwise get pubkey c.pem | tagwise key show -"
        );
        assert_eq!(whole("openssl x509 -in c.pem -noout -subject > s.txt"), "tagwise get subject c.pem > s.txt");
        assert_eq!(of("openssl x509 -in c.pem -noout -subject >> s.txt").1, ["error"]);
    }

    #[test]
    fn addresses() {
        for (line, expected) in [
            ("-host h.example -port 443", "tls://h.example:443"),
            ("h.example:443", "tls://h.example:443"),
            ("-connect h.example", "tls://h.example:4433"),
            ("-connect [::1]:443", "'tls://[::1]:443'"),
            ("-connect [::1]", "'tls://[::1]:4433'"),
            ("-starttls smtp -connect h.example:25", "smtp+starttls://h.example:25"),
        ] {
            assert_eq!(whole(&format!("openssl s_client {line}")), format!("tagwise show {expected}"));
        }
    }

    /// Checks that an option that changes the result is reported if it has no equivalent.
    #[test]
    fn no_option_is_lost() {
        for line in [
            "openssl x509 -req -in r -CA c -CAkey k -out o",
            "openssl x509 -req -in r -CA c -CAkey k -copy_extensions copy -set_serial 7 -out o",
            "openssl ca -in r -policy policy_anything -out o",
            "openssl cms -sign -in m -signer a -outform DER",
            "openssl cms -sign -binary -in m -signer a -outform DER -md md5",
            "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_pubexp:3",
            "openssl x509 -in c -enddate",
            "openssl pkey -in k -text",
            "openssl x509 -in c -noout -checkhost h.example",
            "openssl s_client -connect h:443 -verify_return_error",
            "openssl ca -status 1000",
        ] {
            let (_, left) = of(line);
            assert!(!left.is_empty() && left != ["error"], "{line}: {left:?}");
        }
        for line in ["openssl x509 -in c -noout -hash", "openssl x509 -req -in r -signkey k"] {
            assert_eq!(of(line).1, ["error"], "{line}");
        }
    }

    #[test]
    fn more_commands() {
        for (line, expected) in [
            (
                "cms -sign -binary -in m -signer a -md sha512 -outform DER",
                "cms sign m --key a --certificate a --digest sha512 --detached",
            ),
            ("pkcs12 -in a.p12 -noout", "p12 show a.p12"),
            ("pkcs7 -in a.p7 -print_certs -noout", "show --subject --issuer a.p7"),
            ("x509 -in c -noout -ext subjectAltName,keyUsage", "show --field subjectAltName --field keyUsage c"),
            (
                "req -x509 -key k -subj /CN=a -addext subjectAltName=DNS:a -out c",
                "cert self-signed --ca --key k --subject /CN=a --dns a --days 30 -o c",
            ),
            (
                "req -x509 -key k -subj /CN=a -addext basicConstraints=CA:FALSE -out c",
                "cert self-signed --key k --subject /CN=a --days 30 -o c",
            ),
            (
                "x509 -req -in r -CA c -CAkey k -copy_extensions copy -out o",
                "csr sign r --ca c --ca-key k --days 30 -o o",
            ),
            ("pkcs8 -topk8 -nocrypt -in k -out p", "key convert --to pkcs8 --no-passphrase k -o p"),
            (
                "pkcs8 -topk8 -in k -v2 aes-256-cbc -passout file:w -out p",
                "key convert --to pkcs8 k --new-passphrase-file w -o p",
            ),
            ("pkeyutl -sign -rawin -in m -inkey k -digest sha256 -out s", "key sign m --digest sha256 --key k -o s"),
            ("pkeyutl -verify -rawin -in m -pubin -inkey p -sigfile s", "key verify m --key p --signature s"),
            ("cms -compress -in m -outform DER -out o", "cms compress m -o o"),
            ("verify -partial_chain -CAfile r a", "verify --trust r a"),
        ] {
            assert_eq!(whole(&format!("openssl {line}")), format!("tagwise {expected}"));
        }
    }

    /// Checks that each example on the page is translated completely.
    #[test]
    fn every_example_is_translated() {
        for (_, lines) in page::EXAMPLES {
            for line in *lines {
                whole(line);
            }
        }
        let count: usize = page::EXAMPLES.iter().map(|(_, lines)| lines.len()).sum();
        assert!(count >= 50, "{count}");
    }

    /// Checks that each rule names only options of its tool.
    #[test]
    fn rules_name_options_of_their_tools() {
        for rule in RULES {
            let tool = line::tool(rule.tool);
            let known = |name: &str| {
                tool.as_ref().is_some_and(|tool| tool.flags.contains(&name) || tool.values.contains(&name))
                    || line::is_algorithm(name)
            };
            let named = rule.needs.split([' ', '|', '!']).chain(rule.also.split(' ')).map(str::to_owned);
            let parts = rules::parts(rule.gives);
            let named = named.chain(parts.iter().flat_map(|part| part.names()).map(str::to_owned));
            for name in named.filter(|name| !name.is_empty() && name != "1" && name != "*") {
                assert!(known(&name), "{}: {name}: {}", rule.tool, rule.gives);
            }
        }
    }
}
