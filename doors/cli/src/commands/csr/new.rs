//! `tagwise csr new`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_ca::AltName;
use tagwise_codec::{Printable, Utf8};
use tagwise_crypto::KeySigner;
use tagwise_pkix::build::CsrBuilder;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;
use tagwise_pkix::oids::files::label;

use crate::shared::content::{Content, ContentArgs, check_subject};
use crate::shared::context::Context;
use crate::shared::issuing::Encoding;
use crate::shared::new_key::KeySourceArgs;
use crate::shared::output::{Failure, deliver, is_same, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise csr new --key-out www.key --subject CN=www.example.org --dns www.example.org -o www.csr
  tagwise csr new --key www.key --subject '/O=Example/CN=www.example.org' --dns www.example.org,example.org -o www.csr
  tagwise csr new --new-key ml-dsa-65 --key-out eva.key --subject CN=Eva --ext-key-usage clientAuth -o eva.csr
  tagwise csr new --from old.pem --key-out new.key -o new.csr      the names and usages of a certificate
  tagwise csr new --config www.toml --key-out www.key -o www.csr   from a file:
                                             subject = \"CN=www.example.org\"
                                             dns = [\"www.example.org\"]
                                             ext-key-usage = [\"serverAuth\"]

Names and extensions are requests: the CA decides what the certificate contains. A file given with --config has the names of these \
options as its keys. With --from, extensions that only a CA determines are left out and listed on standard error.
Exit codes: 0 created; 1 the request is invalid, or the key cannot sign; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    #[command(flatten)]
    content: ContentArgs,
    /// Take subject, alternative names and extensions from this certificate or request
    #[arg(long, value_name = "FILE", conflicts_with = "config")]
    from: Option<PathBuf>,
    /// Take subject, names, usages and extensions from this TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    key: KeySourceArgs,
    /// Include a challenge password (RFC 2985 §5.4.1), from the first line of this file
    #[arg(long, value_name = "FILE")]
    challenge_password_file: Option<PathBuf>,
    /// Write the request to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    #[command(flatten)]
    encoding: Encoding,
}

impl NewArgs {
    pub(super) fn make(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let options = match &self.config {
            Some(path) => self.content.clone().or(ContentArgs::load(context, path)?),
            None => self.content.clone(),
        };
        let base = match &self.from {
            Some(path) => {
                let (content, left) = Content::of_file(context, path)?;
                if !left.is_empty() {
                    let (name, left) = (name_of(path), left.join(", "));
                    writeln!(err, "tagwise: {name}: extensions not copied, because the CA sets them: {left}")?;
                }
                Some(content)
            }
            None => None,
        };
        let content = options.content(base)?;
        check_subject(&content.subject)?;
        if content.is_nameless() {
            return Err(Failure::usage(
                "a request needs a name: give --subject, --dns, --ip, --email or --uri, or --from FILE",
            ));
        }
        if let (false, Some(name)) = (content.has_names() || options.ca, content.common_name()) {
            writeln!(
                err,
                "tagwise: there is no alternative name: TLS clients ignore the common name {} (RFC 9525 §2); add --dns NAME for a server",
                visible(&name)
            )?;
        }
        let builder = self.challenge(content.give(CsrBuilder::new())?)?;
        if let (Some(output), Some(key)) = (&self.output, &self.key.key_out)
            && is_same(output, key)
        {
            return Err(Failure::usage("--output and --key-out name the same file"));
        }
        let chosen = self.key.chosen(context, None, self.key.key_no_passphrase)?;
        let negative = |error: &dyn std::fmt::Display| Failure::negative(error.to_string());
        let signer = KeySigner::preferred(chosen.key.clone()).map_err(|error| {
            Failure::negative(format!(
                "{error}: a request is signed with its own key, to prove possession (RFC 2986 §4.2)"
            ))
        })?;
        let request = builder.sign(&signer).map_err(|error| {
            let alone = |name: &&AltName| {
                let content = Content::of_name((*name).clone());
                content.give(CsrBuilder::new()).is_ok_and(|builder| builder.sign(&signer).is_err())
            };
            match content.names.iter().find(alone) {
                Some(name) => negative(&format_args!("{}: {error}", visible(&name))),
                None => negative(&error),
            }
        })?;
        let octets = self.encoding.octets(label::CERTIFICATE_REQUEST, &[request.as_der()])?;
        chosen.write_then(false, || deliver(&octets, self.output.as_ref(), false, out))?;
        if let Some(path) = chosen.new_file() {
            writeln!(err, "{}: the new key, {}", name_of(path), chosen.key.key_type())?;
        }
        Ok(0)
    }

    fn challenge(&self, builder: CsrBuilder) -> Result<CsrBuilder, Failure> {
        let Some(path) = &self.challenge_password_file else { return Ok(builder) };
        let password = PassphraseArgs::of_file(path).of("the request")?;
        let wrong = |what: &str| Failure::negative(format!("{}: {what} (RFC 2985 §5.4.1)", name_of(path)));
        let text = std::str::from_utf8(password.expose()).map_err(|_| wrong("the challenge password is not UTF-8"))?;
        if text.is_empty() || text.chars().count() > 255 {
            return Err(wrong("the challenge password must have 1 to 255 characters"));
        }
        // PrintableString where the characters permit it.
        let added = match Printable::new(text) {
            Ok(printable) => builder.attribute(oids::CHALLENGE_PASSWORD, &printable),
            Err(_) => builder.attribute(oids::CHALLENGE_PASSWORD, &Utf8::new(text)),
        };
        added.map_err(|error| Failure::negative(error.to_string()))
    }
}
