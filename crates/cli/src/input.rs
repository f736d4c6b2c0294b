//! What a file holds, found by looking: PEM, DER (one value or several in a row), hexadecimal, base64.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tagwise_codec::text::{Form, base64, hex, recognise};
use tagwise_codec::{Any, Class, Decode, Deviation, Fault, Kind, Options, Reader, Rule, RuleSet, Session, Tag, pem};
use tagwise_pkix::c509::C509Certificate;
use tagwise_pkix::store::Foreign;
use tagwise_pkix::{Bundle, BundleKind};

use crate::lens::{empty_problem, pem_problem, text_problem};
use crate::model::message::Message;
use crate::tree::Problem;

/// The largest offset, and so the largest limit.
pub(crate) const MOST: u64 = u32::MAX as u64;
/// The default limit, in mebibytes. The largest CRLs and bundles in use are a tenth of it.
pub(crate) const DEFAULT_MIB: u64 = 1024;

/// The most bytes an input may have.
static LIMIT: AtomicU64 = AtomicU64::new(DEFAULT_MIB << 20);

/// Returns the most bytes a file or standard input may have: they are held in memory.
pub(crate) fn limit() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

/// Sets the limit, from `--max-input`.
pub(crate) fn set_limit(mebibytes: u64) {
    LIMIT.store((mebibytes << 20).min(MOST), Ordering::Relaxed);
}

/// The error of an input that is larger than the limit.
pub(crate) fn too_large(limit: u64) -> io::Error {
    let most = match limit {
        MOST => "the 4 GiB that offsets can count to".to_owned(),
        limit => format!("{} MiB: say --max-input MIB to have it read", limit >> 20),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {most}"))
}

/// The values found in an input.
pub(crate) struct Found<'a> {
    /// The form: `PEM`, `DER`, `hexadecimal`, `base64`.
    pub(crate) form: &'static str,
    pub(crate) items: Vec<Item<'a>>,
}

/// One value, or a place where one should be.
pub(crate) struct Item<'a> {
    pub(crate) content: Content,
    /// The octets; none where text could not be read.
    pub(crate) der: Cow<'a, [u8]>,
    /// The label of the PEM block.
    pub(crate) label: Option<String>,
    /// Where it begins in the file: the line of a PEM block.
    pub(crate) line: Option<usize>,
    /// Where it begins: the octet of the file, or of what text decodes to.
    pub(crate) offset: usize,
    /// The error in the text that held it.
    pub(crate) problem: Option<Problem>,
    /// The advice about a block that cannot be read.
    pub(crate) advice: Option<&'static str>,
    /// The deviations tolerated in that text.
    pub(crate) notes: Vec<Deviation>,
    /// `true` if the octets were BER, of which these are the DER.
    pub(crate) ber: bool,
}

/// What a value is taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Certificate,
    Crl,
    /// A message, a request, a response or a key.
    Message(Message),
    /// A certificate in CBOR.
    C509,
    /// OpenSSL's settings for the certificate before.
    Trust,
    /// Something else, in words.
    Other(Cow<'static, str>),
    /// Nothing that could be read.
    Nothing,
}

impl Found<'_> {
    /// Why there is nothing of what was looked for in an input of that size: `certificate and no CRL`.
    pub(crate) fn nothing(&self, wanted: &str, size: usize) -> String {
        if size == 0 {
            return "the file is empty".to_owned();
        }
        if self.form == "unknown" {
            return "neither PEM, DER, hexadecimal nor base64".to_owned();
        }
        let mut what: Vec<String> = Vec::new();
        for item in &self.items {
            let words = match (&item.content, item.advice) {
                (Content::Other(words), Some(advice)) => format!("{words}: {advice}"),
                (Content::Other(words), None) => words.to_string(),
                (Content::Message(message), _) => message.words().to_owned(),
                _ => continue,
            };
            if !what.contains(&words) {
                what.push(words);
            }
        }
        let form = self.form;
        match what.len() {
            0 => format!("no {wanted} in this {form}"),
            1..=3 => format!("no {wanted} in this {form}, but {}", what.join("; ")),
            more => format!(
                "no {wanted} in this {form}, but {}; and {} more",
                what.iter().take(3).cloned().collect::<Vec<_>>().join("; "),
                more - 3
            ),
        }
    }
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Those of the system; more than [`limit`] allows.
pub(crate) fn load(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        return bounded(io::stdin().lock(), limit());
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    // Nothing is read of a file that says it is too large.
    if metadata.is_file() && metadata.len() > limit() {
        return Err(too_large(limit()));
    }
    bounded(file, limit())
}

/// Reads to the end, but not beyond a limit.
///
/// # Errors
/// Those of the source; [`too_large`].
pub(crate) fn bounded(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    source.take(limit.saturating_add(1)).read_to_end(&mut octets)?;
    if octets.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(octets)
}

/// Takes an input apart.
pub(crate) fn find(input: &[u8], rules: RuleSet) -> Found<'_> {
    let mut found = forms(input, rules);
    if found.items.iter().any(|item| matches!(item.content, Content::Message(_))) {
        found.items = found.items.into_iter().flat_map(opened).collect();
    }
    found
}

/// A message in DER, if its standard has it in BER; and behind a PKCS #12 file the certificates and CRLs that take no password
/// to see.
fn opened(mut item: Item<'_>) -> Vec<Item<'_>> {
    let Content::Message(message) = item.content else { return vec![item] };
    if let Some(der) = message.to_der(&item.der) {
        item.der = Cow::Owned(der);
        item.ber = true;
    }
    let mut items = Vec::new();
    if message == Message::Pkcs12
        && let Ok(bundle) = Bundle::read(&item.der)
    {
        for bag in bundle.items() {
            let content = match bag.kind {
                BundleKind::Certificate => Content::Certificate,
                BundleKind::CertificateList => Content::Crl,
                _ => continue,
            };
            let (label, line, offset) = (item.label.clone(), item.line, item.offset);
            items.push(Item { label, line, offset, ..Item::new(content, Cow::Owned(bag.octets.to_vec())) });
        }
    }
    items.insert(0, item);
    items
}

fn forms(input: &[u8], rules: RuleSet) -> Found<'_> {
    // What begins a sequence, an array or a byte string of CBOR begins elements of DER too: a certificate is neither by chance.
    if let Some(0x02 | 0x03 | 0x58 | 0x59 | 0x82..=0x9B) = input.first() {
        let items = cbor(input);
        if !items.is_empty() {
            return Found { form: "CBOR", items };
        }
    }
    let (form, text) = recognise(input);
    match form {
        Form::Pem => Found { form: "PEM", items: blocks(&text, rules) },
        Form::Hex => decoded("hexadecimal", hex::decode(&text), rules),
        Form::Base64 => decoded("base64", base64::decode_wrapped(&text), rules),
        Form::Der => Found { form: "DER", items: values(Cow::Borrowed(input), rules) },
        // Most likely DER that was cut off.
        _ if input.first() == Some(&0x30) => Found { form: "DER", items: values(Cow::Borrowed(input), rules) },
        _ => Found { form: "unknown", items: Vec::new() },
    }
}

/// Certificates in CBOR: each as it is, and behind it the certificate of X.509 that it is, or the fields that one would have.
fn cbor(input: &[u8]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for certificate in C509Certificate::read_all(input).unwrap_or_default() {
        items.push(Item::new(Content::C509, Cow::Owned(certificate.as_bytes().to_vec())));
        items.push(Item::new(Content::Certificate, Cow::Owned(certificate.fields().to_vec())));
    }
    items
}

fn decoded(form: &'static str, octets: Result<Vec<u8>, Fault>, rules: RuleSet) -> Found<'static> {
    let items = match octets {
        Ok(octets) => values(Cow::Owned(octets), rules),
        Err(fault) => vec![Item { problem: Some(text_problem(fault)), ..Item::new(Content::Nothing, Cow::default()) }],
    };
    Found { form, items }
}

impl<'a> Item<'a> {
    const fn new(content: Content, der: Cow<'a, [u8]>) -> Self {
        Self {
            content,
            der,
            label: None,
            line: None,
            offset: 0,
            problem: None,
            advice: None,
            notes: Vec::new(),
            ber: false,
        }
    }
}

/// A part of octets that may be borrowed or not.
fn part<'a>(octets: &Cow<'a, [u8]>, from: usize, to: usize) -> Cow<'a, [u8]> {
    match octets {
        Cow::Borrowed(octets) => Cow::Borrowed(octets.get(from..to).unwrap_or_default()),
        Cow::Owned(octets) => Cow::Owned(octets.get(from..to).unwrap_or_default().to_vec()),
    }
}

/// The values that stand in a row.
fn values(octets: Cow<'_, [u8]>, rules: RuleSet) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < octets.len() {
        let rest = octets.get(at..).unwrap_or_default();
        let is_value = rest.first() == Some(&0x30);
        let len = if is_value { element_len(rest, rules) } else { None };
        if at == 0 && len.is_none_or(|len| len == rest.len()) {
            let content = content(rest);
            return vec![Item::new(content, octets)];
        }
        let len = len.unwrap_or(rest.len());
        let der = part(&octets, at, at + len);
        if is_value {
            items.push(Item { offset: at, ..Item::new(content(&der), der) });
        } else {
            items.push(leftover(der, at, rules));
        }
        at += len.max(1);
    }
    items
}

/// What follows the last value and is none.
fn leftover(der: Cow<'_, [u8]>, at: usize, rules: RuleSet) -> Item<'_> {
    let what = Content::Other("data after the last value".into());
    let item = Item { offset: at, ..Item::new(what, der) };
    if rules.has(&Rule::TRAILING_DATA) {
        return Item { notes: vec![Deviation { rule: &Rule::TRAILING_DATA, offset: at }], ..item };
    }
    let problem = text_problem(Fault::new(Kind::TrailingData, at));
    Item { problem: Some(Problem { rule: Some(Rule::TRAILING_DATA.name), ..problem }), ..item }
}

fn element_len(octets: &[u8], rules: RuleSet) -> Option<usize> {
    let session = Session::new(Options::der().rules(rules));
    Reader::with_session(octets, &session).ok()?.skip().ok().map(<[u8]>::len)
}

/// The blocks of a PEM text.
fn blocks(input: &[u8], rules: RuleSet) -> Vec<Item<'static>> {
    // Encrypted keys have headers; they stand beside certificates, and are only named.
    let lax = Rule::ALL.iter().filter(|rule| rules.has(rule)).fold(RuleSet::PEM, |set, rule| set.with(rule));
    let session = Session::new(Options::der().rules(lax.with(&Rule::PEM_HEADERS)));
    let mut items: Vec<Item<'static>> = Vec::new();
    let mut ends = Vec::new();
    for block in pem::blocks_with(input, &session) {
        let block = match block {
            Ok(block) => block,
            Err(error) => {
                items.push(Item {
                    line: Some(error.line()),
                    offset: error.offset(),
                    problem: Some(pem_problem(&error)),
                    ..Item::new(Content::Nothing, Cow::default())
                });
                ends.push(error.offset());
                continue;
            }
        };
        let label = block.label();
        let foreign = Foreign::recognise(label, block.headers());
        let content = match &foreign {
            Some(foreign) => Content::Other(foreign.what.clone().into()),
            None => of_label(label),
        };
        let base = Item {
            label: Some(label.to_owned()),
            line: Some(block.line()),
            offset: block.begin(),
            advice: foreign.map(|foreign| foreign.advice),
            ..Item::new(content, Cow::default())
        };
        match block.decode() {
            Ok(der) if der.is_empty() => {
                items.push(Item { problem: Some(empty_problem(block.line(), block.begin())), ..base });
            }
            Ok(der) if label == "TRUSTED CERTIFICATE" => {
                // OpenSSL's own: a certificate, and after it what it is trusted for.
                let len = element_len(&der, rules).unwrap_or(der.len());
                let (certificate, trust) = der.split_at_checked(len).unwrap_or((&der, &[]));
                let trust = (!trust.is_empty()).then(|| trust.to_vec());
                items.push(Item { content: Content::Certificate, der: Cow::Owned(certificate.to_vec()), ..base });
                if let Some(trust) = trust {
                    ends.push(block.begin());
                    let (label, line) = (Some(label.to_owned()), Some(block.line()));
                    let item = Item::new(Content::Trust, Cow::Owned(trust));
                    items.push(Item { label, line, offset: block.begin(), ..item });
                }
            }
            Ok(der) => items.push(Item { der: Cow::Owned(der), ..base }),
            Err(error) => items.push(Item { problem: Some(pem_problem(&error)), ..base }),
        }
        ends.push(block.end());
    }
    // Deviations ascend, as the blocks do.
    let mut notes = session.into_deviations().into_iter().peekable();
    for (item, end) in items.iter_mut().zip(ends) {
        while let Some(note) = notes.next_if(|note| note.offset <= end) {
            // The grammar that is read anyway, and what keys have.
            let usual = RuleSet::PEM.has(note.rule) && !rules.has(note.rule)
                || note.rule == &Rule::PEM_HEADERS && matches!(item.content, Content::Other(_) | Content::Message(_));
            if !usual {
                item.notes.push(note);
            }
        }
    }
    items
}

/// The content that a PEM label names.
pub(crate) fn of_label(label: &str) -> Content {
    match label {
        "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE" => Content::Certificate,
        "X509 CRL" | "CRL" => Content::Crl,
        label => match Message::of_label(label) {
            Some(message) => Content::Message(message),
            None => Content::Other(label.to_owned().into()),
        },
    }
}

/// What a value is, by the tags in its frame; what looks like nothing else is taken for a certificate, whose errors are then
/// the ones to show.
pub(crate) fn content(der: &[u8]) -> Content {
    // Lenient: only what is at the front counts.
    let Some(outer) = front(der) else {
        return match der {
            // Of indefinite length: a message is, or a file of PKCS #12.
            [0x30, 0x80, 0x06, ..] => Content::Message(Message::Cms),
            [0x30, 0x80, 0x02, 0x01, 0x03, ..] => Content::Message(Message::Pkcs12),
            _ => Content::Certificate,
        };
    };
    let tags_of = |outer: &Any<'_>| -> Vec<Tag> {
        outer.children().map_while(Result::ok).map(|child| child.tag()).take(8).collect()
    };
    let tags = tags_of(&outer);
    let child = |outer: &Any<'_>, index: usize| -> Vec<Tag> {
        outer.children().map_while(Result::ok).nth(index).map_or_else(Vec::new, |child| tags_of(&child))
    };
    let inner = child(&outer, 0);
    let is_context = |tag: Option<&Tag>, number: u8| tag.is_none_or(|tag| tag.first_octet() == 0xA0 | number);
    let seq = Tag::SEQUENCE;
    if outer.tag() != seq {
        return Content::Other(format!("{}", outer.tag()).into());
    }
    let message = match tags.as_slice() {
        [Tag::OBJECT_IDENTIFIER, rest @ ..] if rest.len() < 2 && is_context(rest.first(), 0) => Message::Cms,
        [Tag::INTEGER, second, rest @ ..] if *second == seq => match (child(&outer, 1).first(), rest.first()) {
            (Some(first), _) if *first == seq => Message::TimeStampRequest,
            (_, Some(&Tag::OCTET_STRING)) => Message::PrivateKey,
            _ => Message::Pkcs12,
        },
        // The rest is of indefinite length.
        [Tag::INTEGER] => Message::Pkcs12,
        [Tag::INTEGER, Tag::INTEGER] => Message::RsaPublicKey,
        [Tag::INTEGER, Tag::INTEGER, Tag::INTEGER, ..] => Message::RsaPrivateKey,
        [Tag::INTEGER, Tag::OCTET_STRING, ..] => Message::EcPrivateKey,
        [first, Tag::BIT_STRING] if *first == seq => Message::PublicKey,
        [first, Tag::OCTET_STRING] if *first == seq => Message::EncryptedPrivateKey,
        [Tag::ENUMERATED, rest @ ..] if is_context(rest.first(), 0) => Message::OcspResponse,
        // Header, and the body under the number of its kind.
        [first, body, rest @ ..]
            if *first == seq
                && body.first_octet() & 0xE0 == 0xA0
                && rest.len() <= 2
                && matches!(*inner, [Tag::INTEGER, sender, recipient, ..]
                    if sender.class() == Class::Context && recipient.class() == Class::Context) =>
        {
            Message::Cmp
        }
        all if all.iter().all(|tag| *tag == seq) && is_crmf(&outer) => Message::CertificateRequests,
        // Controls, requests, messages, other messages; in responses there are no requests.
        [first, rest @ ..] if *first == seq && is_cmc(&outer, &tags) => {
            if rest.len() == 3 {
                Message::CmcRequest
            } else {
                Message::CmcResponse
            }
        }
        [first, rest @ ..] if *first == seq && rest.len() < 2 && is_request(&outer) => Message::OcspRequest,
        [first, rest @ ..]
            if *first == seq
                && rest.iter().all(|tag| *tag == seq)
                && rest.len() < 2
                && inner.first() == Some(&Tag::INTEGER)
                && inner.get(1).is_none_or(|tag| *tag == seq || *tag == Tag::BIT_STRING)
                && inner.len() < 4 =>
        {
            Message::TimeStampResponse
        }
        [first, ..] if *first == seq => return of_frame(&inner),
        [] | [_] => return Content::Certificate,
        _ => return Content::Other("SEQUENCE that is no certificate and no CRL".into()),
    };
    Content::Message(message)
}

/// Whether the first of a list is a request with a template, all of whose fields are tagged (RFC 4211 §5).
fn is_crmf(outer: &Any<'_>) -> bool {
    let request = first(outer, Tag::SEQUENCE).and_then(|message| first(&message, Tag::SEQUENCE));
    let Some(request) = request else { return false };
    let mut parts = request.children().map_while(Result::ok);
    let is_number = parts.next().is_some_and(|number| number.tag() == Tag::INTEGER);
    let template = parts.next().filter(|template| is_number && template.tag() == Tag::SEQUENCE);
    template.is_some_and(|template| {
        let mut fields = template.children().map_while(Result::ok).peekable();
        fields.peek().is_some() && fields.all(|field| field.tag().class() == Class::Context)
    })
}

/// Whether these are the lists of a CMC message, by the first control (RFC 5272 §3.2): a number, an identifier, values.
fn is_cmc(outer: &Any<'_>, tags: &[Tag]) -> bool {
    let control = first(outer, Tag::SEQUENCE).and_then(|controls| first(&controls, Tag::SEQUENCE));
    let is_control = control.is_some_and(|control| {
        let parts: Vec<Tag> = control.children().map_while(Result::ok).map(|part| part.tag()).collect();
        matches!(*parts, [Tag::INTEGER, Tag::OBJECT_IDENTIFIER, values] if values == Tag::SET)
    });
    is_control && matches!(tags.len(), 3 | 4) && tags.iter().all(|tag| *tag == Tag::SEQUENCE)
}

/// The first child with a tag.
fn first<'a>(outer: &Any<'a>, wanted: Tag) -> Option<Any<'a>> {
    outer.children().map_while(Result::ok).find(|child| child.tag() == wanted)
}

/// Whether the signed part is that of an OCSP request: a list of identifiers of certificates.
fn is_request(outer: &Any<'_>) -> bool {
    let identifier = first(outer, Tag::SEQUENCE)
        .and_then(|tbs| first(&tbs, Tag::SEQUENCE))
        .and_then(|list| first(&list, Tag::SEQUENCE))
        .and_then(|request| first(&request, Tag::SEQUENCE));
    let tags: Vec<Tag> = identifier.map_or_else(Vec::new, |identifier| {
        identifier.children().map_while(Result::ok).map(|child| child.tag()).collect()
    });
    matches!(*tags, [algorithm, Tag::OCTET_STRING, Tag::OCTET_STRING, Tag::INTEGER] if algorithm == Tag::SEQUENCE)
}

fn of_frame(inner: &[Tag]) -> Content {
    let is_time = |tag: &Tag| *tag == Tag::UTC_TIME || *tag == Tag::GENERALIZED_TIME;
    let (first, rest) = match inner {
        [first, rest @ ..] if *first == Tag::INTEGER => (Some(first), rest),
        all => (None, all),
    };
    match rest {
        [algorithm, issuer, time, ..] if *algorithm == Tag::SEQUENCE && *issuer == Tag::SEQUENCE && is_time(time) => {
            Content::Crl
        }
        [subject, key, attributes, ..]
            if first.is_some()
                && *subject == Tag::SEQUENCE
                && *key == Tag::SEQUENCE
                && attributes.first_octet() == 0xA0 =>
        {
            Content::Message(Message::Request)
        }
        // version, holder, issuer, signature, serialNumber
        [holder, _, algorithm, serial, ..]
            if first.is_some()
                && *holder == Tag::SEQUENCE
                && *algorithm == Tag::SEQUENCE
                && *serial == Tag::INTEGER =>
        {
            Content::Message(Message::AttributeCertificate)
        }
        _ => Content::Certificate,
    }
}

/// The first element, whatever is inside or after it.
fn front(octets: &[u8]) -> Option<Any<'_>> {
    let rules = Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule));
    let session = Session::new(Options::der().rules(rules));
    let mut reader = Reader::with_session(octets, &session).ok()?.outlined();
    Any::decode(&mut reader).ok()
}
