//! Finds all values of an input: PEM, DER (one or more values), CBOR, hexadecimal and base64.

use std::borrow::Cow;

use tagwise_codec::text::{self, base64, hex, recognise};
use tagwise_codec::{Deviation, Fault, FaultKind, Options, Rule, RuleSet, Session};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{Bundle, BundleKind, Foreign};

use crate::container::{contained, foreign, keystore};
use crate::kind::kind_of_block;
use crate::problem::Problem;
use crate::row::{self, part};
use crate::{InputForm, Limits, MESSAGES, Recognised, ValueKind, block, detect::is_text, security_object, unpack};

/// The values found in an input.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The format of the input.
    pub form: InputForm,
    /// The values in order, including unreadable ones.
    pub items: Vec<InputItem<'a>>,
}

/// A value in an input, readable or not.
#[derive(Clone, Debug)]
pub struct InputItem<'a> {
    /// The kind of content.
    pub content: Content,
    /// The value's bytes. Empty if its text could not be decoded.
    pub der: Cow<'a, [u8]>,
    /// The label of the PEM block.
    pub label: Option<String>,
    /// The line number of the PEM block, from 1.
    pub line: Option<usize>,
    /// The value's offset in the file, or in the decoded text.
    pub offset: usize,
    /// The archive member that contains the value.
    pub entry: Option<String>,
    /// The error in the value's text encoding.
    pub problem: Option<Problem>,
    /// The format, with advice on conversion, if it is recognized but not supported.
    pub foreign: Option<Foreign>,
    /// The tolerated deviations in the value's text encoding.
    pub notes: Vec<Deviation>,
    /// True if the input was BER and was converted to DER.
    pub ber: bool,
}

impl InputItem<'_> {
    /// Returns the item with its own copy of the bytes.
    #[must_use]
    pub fn into_owned(self) -> InputItem<'static> {
        InputItem {
            content: self.content,
            der: Cow::Owned(self.der.into_owned()),
            label: self.label,
            line: self.line,
            offset: self.offset,
            entry: self.entry,
            problem: self.problem,
            foreign: self.foreign,
            notes: self.notes,
            ber: self.ber,
        }
    }
}

/// The content of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value of a known kind.
    Kind(ValueKind),
    /// A certificate in CBOR.
    C509,
    /// OpenSSL trust settings for the preceding certificate.
    Trust,
    /// Any other content, with a description.
    Other(Cow<'static, str>),
    /// An unreadable value.
    Nothing,
}

impl Found<'_> {
    /// Returns an error message for an input of `size` bytes that does not contain the wanted value. `wanted` names the
    /// value, such as `certificate` or `certificate and no CRL`.
    #[must_use]
    pub fn nothing(&self, wanted: &str, size: usize) -> String {
        if size == 0 {
            return "the file is empty".to_owned();
        }
        let mut what: Vec<String> = Vec::new();
        for item in &self.items {
            let words = match (&item.content, &item.foreign) {
                (Content::Other(_), Some(foreign)) => foreign.to_string(),
                (Content::Other(words), None) => words.to_string(),
                (Content::Kind(kind), _) if !kind.is_certificate_or_list() => kind.words().to_owned(),
                _ => continue,
            };
            if !what.contains(&words) {
                what.push(words);
            }
        }
        let nothing = match self.form {
            InputForm::Text if what.is_empty() => {
                return "no certificate, CRL, key or message found in this text".to_owned();
            }
            InputForm::Unknown if what.is_empty() => return "neither PEM, DER, hexadecimal nor base64".to_owned(),
            InputForm::Unknown => format!("no {wanted}"),
            form => format!("no {wanted} in this {}", form.name()),
        };
        match what.len() {
            0 => nothing,
            1..=3 => format!("{nothing}, but {}", what.join("; ")),
            more => format!(
                "{nothing}, but {}; and {} more",
                what.iter().take(3).cloned().collect::<Vec<_>>().join("; "),
                more - 3
            ),
        }
    }
}

/// Finds all values in an input, with their kind, position and deviations under these rules.
///
/// Messages whose standards allow BER are converted to DER. The unencrypted certificates and CRLs of a PKCS #12
/// file follow it as separate items. Containers are read by [`unpack`].
#[must_use]
pub fn find(input: &[u8], rules: RuleSet) -> Found<'_> {
    let mut found = located(input, rules);
    if found.items.iter().any(|item| matches!(item.content, Content::Kind(kind) if !kind.is_certificate_or_list())) {
        found.items = found.items.into_iter().flat_map(opened).collect();
    }
    found
}

/// Finds all values, without converting them.
pub(crate) fn located(input: &[u8], rules: RuleSet) -> Found<'_> {
    let mut found = all(input, rules);
    for item in &mut found.items {
        if let Content::Kind(kind) = item.content
            && !kind.is_read()
        {
            item.content = Content::Other(format!("{}, which this build does not read", kind.words()).into());
        }
    }
    found
}

fn all(input: &[u8], rules: RuleSet) -> Found<'_> {
    match unpack(input, &LIMITS) {
        Some(unpacked) if unpacked.form != InputForm::Pem => contained(input, unpacked, rules),
        Some(unpacked) if !unpacked.parts.is_empty() => {
            let mut found = forms(input, rules);
            found.items.extend(contained(input, unpacked, rules).items);
            found
        }
        _ => forms(input, rules),
    }
}

/// The prefix of a signed public key and challenge in the output of `openssl spkac`.
pub(crate) const SPKAC: &[u8] = b"SPKAC=";

/// Decompression limits for an input, all of which is held in memory.
pub(crate) const LIMITS: Limits = Limits { output: 256 << 20, items: 1 << 20, ..Limits::DEFAULT };

/// A message in DER, if its standard has it in BER; and behind a PKCS #12 file the certificates and CRLs that take no password
/// to see.
fn opened(mut item: InputItem<'_>) -> Vec<InputItem<'_>> {
    let Content::Kind(kind) = item.content else { return vec![item] };
    if let Some(der) = kind.to_der(&item.der) {
        item.der = Cow::Owned(der);
        item.ber = true;
    }
    let mut items = Vec::new();
    if MESSAGES
        && kind == ValueKind::Pkcs12
        && let Ok(bundle) = Bundle::read(&item.der)
    {
        for bag in bundle.items() {
            let content = match bag.kind {
                BundleKind::Certificate => Content::Kind(ValueKind::Certificate),
                BundleKind::CertificateList => Content::Kind(ValueKind::CertificateList),
                _ => continue,
            };
            let (label, line, offset) = (item.label.clone(), item.line, item.offset);
            items.push(InputItem { label, line, offset, ..InputItem::new(content, Cow::Owned(bag.octets.to_vec())) });
        }
    }
    items.insert(0, item);
    items
}

pub(crate) fn forms(input: &[u8], rules: RuleSet) -> Found<'_> {
    // What begins a sequence, an array or a byte string of CBOR begins elements of DER too: a certificate is neither by chance.
    #[cfg(feature = "c509")]
    if let Some(0x02 | 0x03 | 0x58 | 0x59 | 0x82..=0x9B) = input.first() {
        let items = cbor(input);
        if !items.is_empty() {
            return Found { form: InputForm::Cbor, items };
        }
    }
    if crate::keystore::is_java(input) {
        return Found { form: InputForm::Keystore, items: keystore(input) };
    }
    // `openssl spkac` names the value.
    let input = input.strip_prefix(SPKAC).unwrap_or(input);
    let (form, text) = recognise(input);
    match form {
        text::TextForm::Pem => Found { form: InputForm::Pem, items: blocks(&text, rules) },
        text::TextForm::Hex => decoded(InputForm::Hex, hex::decode(&text), rules),
        text::TextForm::Base64 => decoded(InputForm::Base64, base64::decode_wrapped(&text), rules),
        // A keytab or a key blob may begin like an element.
        text::TextForm::Der
            if !matches!(input.first(), Some(0x30))
                && let Some(item) = foreign(input) =>
        {
            Found { form: InputForm::Unknown, items: vec![item] }
        }
        text::TextForm::Der => Found { form: InputForm::Der, items: values(Cow::Borrowed(input), rules) },
        // Most likely DER that was cut off.
        _ if input.first() == Some(&0x30) && !is_text(input) => {
            Found { form: InputForm::Der, items: values(Cow::Borrowed(input), rules) }
        }
        _ => {
            let form = if is_text(input) { InputForm::Text } else { InputForm::Unknown };
            Found { form, items: foreign(input).into_iter().collect() }
        }
    }
}

/// Decodes certificates in CBOR, each followed by its X.509 form or fields.
#[cfg(feature = "c509")]
fn cbor(input: &[u8]) -> Vec<InputItem<'_>> {
    let certificates = tagwise_pkix::c509::C509Certificate::read_all(input).unwrap_or_default();
    let both = certificates.into_iter().flat_map(|certificate| {
        [
            InputItem::new(Content::C509, Cow::Owned(certificate.as_bytes().to_vec())),
            InputItem::new(Content::Kind(ValueKind::Certificate), Cow::Owned(certificate.fields().to_vec())),
        ]
    });
    both.collect()
}

fn decoded(form: InputForm, octets: Result<Vec<u8>, Fault>, rules: RuleSet) -> Found<'static> {
    let items = match octets {
        Ok(octets) => values(Cow::Owned(octets), rules),
        Err(fault) => {
            vec![InputItem {
                problem: Some(Problem::of_text(fault)),
                ..InputItem::new(Content::Nothing, Cow::default())
            }]
        }
    };
    Found { form, items }
}

impl<'a> InputItem<'a> {
    pub(crate) const fn new(content: Content, der: Cow<'a, [u8]>) -> Self {
        Self {
            content,
            der,
            label: None,
            line: None,
            offset: 0,
            entry: None,
            problem: None,
            foreign: None,
            notes: Vec::new(),
            ber: false,
        }
    }
}

impl InputItem<'_> {
    /// Splits the item into its description and its bytes.
    pub(crate) fn split(self) -> (InputItem<'static>, Cow<'static, [u8]>) {
        let Self { content, der, label, line, offset, entry, problem, foreign, notes, ber } = self;
        let item = InputItem { content, der: Cow::default(), label, line, offset, entry, problem, foreign, notes, ber };
        (item, Cow::Owned(der.into_owned()))
    }
}

/// The values that stand in a row. A malformed value is listed, too: its decoder reports the error.
fn values(octets: Cow<'_, [u8]>, rules: RuleSet) -> Vec<InputItem<'_>> {
    row(octets, rules).into_iter().map(unwrapped).collect()
}

/// The message of a passport's security object, without the tag around it.
fn unwrapped(item: InputItem<'_>) -> InputItem<'_> {
    let Some(range) = security_object(&item.der) else { return item };
    let der = part(&item.der, range.start, range.end);
    InputItem { offset: item.offset.saturating_add(range.start), content: Content::Kind(ValueKind::Cms), der, ..item }
}

fn row(octets: Cow<'_, [u8]>, rules: RuleSet) -> Vec<InputItem<'_>> {
    let ends = row::ends(&octets, rules);
    let Some(&end) = ends.last() else { return vec![InputItem::new(content(&octets), octets)] };
    if ends.len() == 1 && end == octets.len() {
        return vec![InputItem::new(content(&octets), octets)];
    }
    let mut items = Vec::new();
    let mut at = 0;
    for to in ends {
        let der = part(&octets, at, to);
        items.push(InputItem { offset: at, ..InputItem::new(content(&der), der) });
        at = to;
    }
    let behind = octets.get(at..).unwrap_or_default();
    if let Some(last) = items.last_mut().filter(|_| !behind.is_empty() && behind.iter().all(|octet| *octet == 0)) {
        last.notes.push(Deviation { rule: &Rule::TRAILING_ZEROS, offset: at });
        return items;
    }
    if let Some(first) = octets.get(at) {
        let der = part(&octets, at, octets.len());
        let is_value = first & 0x20 != 0;
        items.push(if is_value {
            InputItem { offset: at, ..InputItem::new(content(&der), der) }
        } else {
            leftover(der, at, rules)
        });
    }
    items
}

/// The rest behind the last value, which is no value.
fn leftover(der: Cow<'_, [u8]>, at: usize, rules: RuleSet) -> InputItem<'_> {
    let what = Content::Other("data after the last value".into());
    let item = InputItem { offset: at, ..InputItem::new(what, der) };
    if rules.has(&Rule::TRAILING_DATA) {
        return InputItem { notes: vec![Deviation { rule: &Rule::TRAILING_DATA, offset: at }], ..item };
    }
    let problem = Problem::of_text(Fault::new(FaultKind::TrailingData, at));
    InputItem { problem: Some(Problem { rule: Some(Rule::TRAILING_DATA.name), ..problem }), ..item }
}

/// The blocks of a PEM text.
fn blocks(input: &[u8], rules: RuleSet) -> Vec<InputItem<'static>> {
    // Encrypted keys have headers; they stand beside certificates, and are only named.
    let lax = Rule::ALL.iter().filter(|rule| rules.has(rule)).fold(block::READ, |set, rule| set.with(rule));
    let session = Session::new(Options::der().rules(lax));
    let mut items: Vec<InputItem<'static>> = Vec::new();
    let mut ends = Vec::new();
    for block in block::blocks(input, &session) {
        let content = match (&block.foreign, &block.label) {
            (Some(foreign), _) => Content::Other(foreign.what.clone().into()),
            (None, Some(label)) => match kind_of_block(label, block.bytes.as_deref().unwrap_or_default()) {
                Some(kind) => Content::Kind(kind),
                None => Content::Other(label.clone().into()),
            },
            (None, None) => Content::Nothing,
        };
        let trusted = block.label.as_deref() == Some(label::TRUSTED_CERTIFICATE);
        let item = |content| InputItem {
            label: block.label.clone(),
            line: Some(block.line),
            offset: block.begin,
            ..InputItem::new(content, Cow::default())
        };
        let is_foreign = block.foreign.is_some();
        let base = InputItem { foreign: block.foreign, ..item(content) };
        match block.bytes {
            Ok(der) if trusted => {
                // OpenSSL's own: a certificate, and after it what it is trusted for.
                let len = row::ends(&der, rules).first().copied().unwrap_or(der.len());
                let (certificate, trust) = der.split_at_checked(len).unwrap_or((&der, &[]));
                items.push(InputItem { der: Cow::Owned(certificate.to_vec()), ..base });
                if !trust.is_empty() {
                    ends.push(block.begin);
                    items.push(InputItem { der: Cow::Owned(trust.to_vec()), ..item(Content::Trust) });
                }
            }
            Ok(der) => items.push(InputItem { der: Cow::Owned(der), ..base }),
            // What is in such a block is no base64 of DER, and need not be base64: OpenPGP ends it with a checksum.
            Err(_) if is_foreign => items.push(base),
            Err(problem) => items.push(InputItem { problem: Some(*problem), ..base }),
        }
        ends.push(block.end);
    }
    // Deviations ascend, as the blocks do.
    let mut notes = session.into_deviations().into_iter().peekable();
    for (item, end) in items.iter_mut().zip(ends) {
        while let Some(note) = notes.next_if(|note| note.offset <= end) {
            // The grammar that is read anyway, and what keys have.
            let usual = block::PLAIN.has(note.rule) && !rules.has(note.rule)
                || note.rule == &Rule::PEM_HEADERS && may_have_headers(&item.content);
            if !usual {
                item.notes.push(note);
            }
        }
    }
    items
}

/// Returns whether a block with this content may have headers without a deviation: keys and unsupported formats.
const fn may_have_headers(content: &Content) -> bool {
    match content {
        Content::Other(_) => true,
        Content::Kind(kind) => !kind.is_certificate_or_list(),
        _ => false,
    }
}

/// Classifies an encoding by its top-level structure.
#[must_use]
pub fn content(bytes: &[u8]) -> Content {
    match crate::recognise(bytes) {
        Recognised::Kind(kind) => Content::Kind(kind),
        Recognised::Other(words) => Content::Other(words),
    }
}

impl Content {
    /// Returns the name in JSON: the kind's name if the kind is known, otherwise `c509`, `trust-settings`, `other` or `unreadable`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.name(),
            Self::C509 => "c509",
            Self::Trust => "trust-settings",
            Self::Other(_) => "other",
            Self::Nothing => "unreadable",
        }
    }

    /// Returns a description of the content.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Kind(kind) => kind.words(),
            Self::C509 => "C509 certificate (CBOR)",
            Self::Trust => "OpenSSL's trust settings for the preceding certificate",
            Self::Other(words) => words,
            Self::Nothing => "unreadable block",
        }
    }

    /// Returns the kind, if known.
    #[must_use]
    pub const fn kind(&self) -> Option<ValueKind> {
        match self {
            Self::Kind(kind) => Some(*kind),
            _ => None,
        }
    }
}
