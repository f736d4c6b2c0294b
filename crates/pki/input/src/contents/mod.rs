//! Reads certificates, CRLs and entries of Merkle Tree Certificate logs from any supported format, with their positions.

mod certdata;
mod compressed;
mod csv;
mod ct;
mod der;
mod embedded;
mod gzip;
mod keystore;
mod mtc;
mod pem;
mod tar;
mod trust;
mod unpack;
mod zstd;

use std::borrow::Cow;

use crate::detect::{self, InputForm};
use crate::{CONTAINERS, Limits};
pub use keystore::Opener;
use tagwise_codec::{Rule, RuleSet};
use tagwise_pkix::Foreign;
pub use trust::{Level, Trust};
pub use unpack::{ContainerPart, Unpacked, unpack};

/// The contents of an input: certificates, CRLs, log entries and failures, in order.
///
/// Certificates are delimited, not decoded, so they may be malformed.
///
/// ```
/// use tagwise_input::contents::{Contents, ContentsKind};
/// use tagwise_input::{InputForm, Limits};
/// let text = b"-----BEGIN CERTIFICATE-----\nMAwwBqADAgECMAIwAAMAMA==\n-----END CERTIFICATE-----\n";
/// let contents = Contents::read(text, &Limits::DEFAULT);
/// assert_eq!(contents.form(), InputForm::Pem);
/// let item = contents.items().next().unwrap();
/// assert_eq!((item.kind, item.place.line), (ContentsKind::Certificate, Some(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    form: InputForm,
    blocks: Vec<Cow<'a, [u8]>>,
    /// The names of archive members. The first name is that of the input itself, which is empty.
    entries: Vec<String>,
    slots: Vec<Slot>,
    trusts: Vec<Trust>,
    failures: Vec<Flaw>,
    unread: Vec<Flaw>,
    others: usize,
    messages: Vec<Cow<'a, [u8]>>,
    foreign: Option<Foreign>,
}

/// The kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentsKind {
    /// A certificate.
    Certificate,
    /// A CRL.
    Crl,
    /// An entry of a Merkle Tree Certificate log, which has the fields of a certificate, but is not one.
    LogEntry,
}

/// A certificate, CRL or log entry in an input.
#[derive(Clone, Copy, Debug)]
pub struct ContentsItem<'c> {
    /// The kind of item.
    pub kind: ContentsKind,
    /// The item's bytes.
    pub der: &'c [u8],
    /// The item's position.
    pub place: ContentsPlace<'c>,
    /// The item's trust settings from certdata.txt.
    pub trust: Option<&'c Trust>,
    /// OpenSSL's trust settings in a `TRUSTED CERTIFICATE`: an undecoded X509_CERT_AUX in DER
    /// (`TrustSettings::read` of `tagwise-text`). Empty if there are none.
    pub settings: &'c [u8],
}

/// A position in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentsPlace<'c> {
    /// The archive member. Nested archive names are separated by `!`.
    pub entry: Option<&'c str>,
    /// The offset in the input or the decompressed member. In PEM, base64 or hexadecimal text, the offset at which the text
    /// begins.
    pub offset: usize,
    /// The line number, from 1, if the input is text.
    pub line: Option<usize>,
}

/// A part that could not be read, with its position.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'c> {
    /// The position of the part.
    pub place: ContentsPlace<'c>,
    /// A stable code: the codec's, or one of `nesting-exceeded`, `output-exceeded`, `ratio-exceeded`,
    /// `entries-exceeded`, `items-exceeded`, `too-large`, `empty`, `archive`, `overlap`, `octal`, `csv`, `column`, `ct`,
    /// `mtc`, `keystore`, `not-opened`; for parts that nothing recognizes, `label`, `trailing-zeros` or `unrecognized`. `keystore` means that a keystore's
    /// certificates were not read, because it needs a password or is not supported, and `not-opened` that the format of an
    /// archive or compressed file is not supported.
    pub code: &'static str,
    /// The error message.
    pub message: &'c str,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    kind: ContentsKind,
    block: u32,
    start: u32,
    len: u32,
    spot: Spot,
    /// The length of the trust settings that follow the item.
    settings: u32,
    /// The index of the item's trust plus one, or 0 if it has none.
    trust: u32,
}

/// A position that refers to its archive member by index.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    entry: u32,
    offset: u32,
    /// The line number, or 0 if there is none.
    line: u32,
}

#[derive(Clone, Debug)]
struct Flaw {
    spot: Spot,
    code: &'static str,
    message: String,
}

impl<'a> Contents<'a> {
    /// Reads an input.
    #[must_use]
    pub fn read(input: &'a [u8], limits: &Limits) -> Self {
        Self::read_with(input, limits, None)
    }

    /// Reads an input, with a function that opens PKCS #12 files.
    ///
    /// Without the function, only their unencrypted certificates are read.
    #[must_use]
    pub fn read_with(input: &'a [u8], limits: &Limits, opener: Option<&Opener<'_>>) -> Self {
        let mut gather = Gather::new(input.len(), limits, opener);
        gather.contents.form = gather.gather(Cow::Borrowed(input), Spot::default(), limits.depth);
        gather.contents
    }

    /// Returns the format of the input.
    #[must_use]
    pub const fn form(&self) -> InputForm {
        self.form
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the item at the given index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ContentsItem<'_>> {
        self.slots.get(index).map(|slot| self.item(slot))
    }

    /// Iterates over the items.
    pub fn items(&self) -> impl ExactSizeIterator<Item = ContentsItem<'_>> {
        self.slots.iter().map(|slot| self.item(slot))
    }

    /// Iterates over the parts that could not be read.
    pub fn failures(&self) -> impl ExactSizeIterator<Item = Failure<'_>> {
        self.failures.iter().map(|flaw| self.failure(flaw))
    }

    /// Iterates over the parts that nothing recognizes, such as PEM blocks with unknown labels. They are not failures, because
    /// files may contain anything. Text between PEM blocks is not such a part (RFC 7468 §2).
    ///
    /// ```
    /// use tagwise_input::Limits;
    /// use tagwise_input::contents::Contents;
    /// let text = b"-----BEGIN X50 CRL-----\nAgEF\n-----END X50 CRL-----\n";
    /// let contents = Contents::read(text, &Limits::DEFAULT);
    /// assert_eq!(contents.unread().next().unwrap().message, "unknown PEM label \"X50 CRL\"");
    /// ```
    pub fn unread(&self) -> impl ExactSizeIterator<Item = Failure<'_>> {
        self.unread.iter().map(|flaw| self.failure(flaw))
    }

    /// Returns the first part that could not be read or that nothing recognizes. Use this if every part matters, as for trust
    /// anchors and CRLs.
    #[must_use]
    pub fn incomplete(&self) -> Option<Failure<'_>> {
        self.incomplete_with(RuleSet::NONE)
    }

    /// Returns the same as [`incomplete`](Self::incomplete), but tolerates bytes 00 after the last value if the rules do.
    ///
    /// ```
    /// use tagwise_codec::{Rule, RuleSet};
    /// use tagwise_input::Limits;
    /// use tagwise_input::contents::Contents;
    /// let contents = Contents::read(b"\x30\x0C\x30\x06\xA0\x03\x02\x01\x02\x30\x00\x03\x00\x30\x00\x00\x00", &Limits::DEFAULT);
    /// assert_eq!(contents.incomplete().unwrap().code, "trailing-zeros");
    /// assert!(contents.incomplete_with(RuleSet::NONE.with(&Rule::TRAILING_ZEROS)).is_none());
    /// ```
    #[must_use]
    pub fn incomplete_with(&self, rules: RuleSet) -> Option<Failure<'_>> {
        let is_tolerated = |part: &Failure<'_>| {
            part.code == Rule::TRAILING_ZEROS.name
                && (rules.has(&Rule::TRAILING_ZEROS) || rules.has(&Rule::TRAILING_DATA))
        };
        self.failures().chain(self.unread()).find(|part| !is_tolerated(part))
    }

    fn failure<'c>(&'c self, flaw: &'c Flaw) -> Failure<'c> {
        Failure { place: self.place(flaw.spot), code: flaw.code, message: &flaw.message }
    }

    /// Returns the trust objects of a certdata.txt, including those for certificates that it does not contain.
    #[must_use]
    pub fn trusts(&self) -> &[Trust] {
        &self.trusts
    }

    /// Returns the number of other values: keys, requests, and archive members without certificates.
    #[must_use]
    pub const fn others(&self) -> usize {
        self.others
    }

    /// Iterates over the signed-data messages (RFC 5652 §5) that may contain more revocation information than the CRLs among the items:
    /// OCSP responses (RFC 5940), or attributes of signers.
    ///
    /// ```
    /// use tagwise_input::Limits;
    /// use tagwise_input::contents::Contents;
    /// assert_eq!(Contents::read(b"\x30\x00", &Limits::DEFAULT).messages().len(), 0);
    /// ```
    pub fn messages(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.messages.iter().map(Cow::as_ref)
    }

    /// Returns the first part that is recognized but not supported: an encrypted key, an OpenSSH key, an OpenPGP block, or a keytab.
    #[must_use]
    pub const fn foreign(&self) -> Option<&Foreign> {
        self.foreign.as_ref()
    }

    fn item(&self, slot: &Slot) -> ContentsItem<'_> {
        let block = self.blocks.get(slot.block as usize).map(Cow::as_ref).unwrap_or_default();
        ContentsItem {
            kind: slot.kind,
            der: block.get(slot.start as usize..).and_then(|rest| rest.get(..slot.len as usize)).unwrap_or_default(),
            place: self.place(slot.spot),
            settings: block
                .get((slot.start as usize).saturating_add(slot.len as usize)..)
                .and_then(|rest| rest.get(..slot.settings as usize))
                .unwrap_or_default(),
            trust: (slot.trust as usize).checked_sub(1).and_then(|index| self.trusts.get(index)),
        }
    }

    fn place(&self, spot: Spot) -> ContentsPlace<'_> {
        ContentsPlace {
            entry: self.entries.get(spot.entry as usize).map(String::as_str).filter(|entry| !entry.is_empty()),
            offset: spot.offset as usize,
            line: (spot.line > 0).then_some(spot.line as usize),
        }
    }
}

/// The state of reading an input.
struct Gather<'a, 'o> {
    contents: Contents<'a>,
    /// The function that opens PKCS #12 files.
    opener: Option<&'o Opener<'o>>,
    /// The extracted parts, if the parts are returned unchanged instead of their certificates.
    parts: Option<Vec<unpack::Raw>>,
    limits: Limits,
    /// Remaining decompression budget, in bytes.
    output: u64,
    /// The remaining decompression budget according to the ratio for an input of this size, in bytes.
    expansion: u64,
    /// The number of members that may still be opened.
    members: u32,
}

/// The position of an item in bytes that will become a block.
struct Found {
    kind: ContentsKind,
    start: usize,
    len: usize,
    spot: Spot,
    /// The length of the trust settings that follow the item.
    settings: usize,
}

impl<'a, 'o> Gather<'a, 'o> {
    fn new(len: usize, limits: &Limits, opener: Option<&'o Opener<'o>>) -> Self {
        Self {
            contents: Contents {
                form: InputForm::Unknown,
                blocks: Vec::new(),
                entries: vec![String::new()],
                slots: Vec::new(),
                trusts: Vec::new(),
                failures: Vec::new(),
                unread: Vec::new(),
                others: 0,
                messages: Vec::new(),
                foreign: None,
            },
            opener,
            parts: None,
            limits: *limits,
            output: limits.output,
            expansion: limits.expansion(len as u64),
            members: limits.entries,
        }
    }

    /// Takes bytes apart that stand at a spot. Recursion ends with `depth`.
    fn gather(&mut self, octets: Cow<'a, [u8]>, spot: Spot, depth: u8) -> InputForm {
        let (form, octets) = detect::detect(octets);
        if octets.len() > u32::MAX as usize {
            self.fail(spot, "too-large", "larger than 4 GiB");
            return form;
        }
        let Some(depth) = depth.checked_sub(1) else {
            self.fail(spot, "nesting-exceeded", "the nesting of containers exceeds the limit");
            return form;
        };
        if !form.is_unpacked() && self.parts.is_some() {
            self.part(&octets, spot);
            return form;
        }
        match form {
            InputForm::Keystore
            | InputForm::Certdata
            | InputForm::CtEntries
            | InputForm::CtTile
            | InputForm::Tar
            | InputForm::Zip
            | InputForm::Gzip
            | InputForm::Zstd
                if !CONTAINERS =>
            {
                self.contents.others += 1;
                self.fail(spot, "not-opened", format!("{}, which this build does not open", form.name()));
            }
            InputForm::Der => self.der(octets, spot),
            InputForm::Pkcs7 => self.bundle(octets, spot),
            InputForm::Pem => self.pem(&octets, spot, depth),
            InputForm::Text if !self.embedded(&octets, false, spot, depth) => return self.nothing(&octets, spot),
            InputForm::Text => {}
            InputForm::Keystore => self.java(&octets, spot),
            InputForm::Certdata => self.certdata(&octets, spot),
            // Text with a comma in its first line.
            InputForm::Csv => {
                let is_read = CONTAINERS && self.csv(&octets, spot, depth);
                if !is_read && !self.embedded(&octets, false, spot, depth) {
                    return self.nothing(&octets, spot);
                }
            }
            InputForm::CtEntries if !self.ct_entries(&octets, spot) && !self.embedded(&octets, false, spot, depth) => {
                return self.nothing(&octets, spot);
            }
            InputForm::CtEntries => {}
            InputForm::CtTile => self.ct_tile(octets, spot),
            InputForm::MtcEntries => self.mtc_entries(&octets, spot),
            InputForm::Tar => self.tar(octets, spot, depth),
            InputForm::Zip => self.zip(&octets, spot, depth),
            InputForm::Gzip => self.gzip(&octets, spot, depth),
            InputForm::Zstd => self.zstd(&octets, spot, depth),
            InputForm::Hex | InputForm::Base64 => self.text(&octets, form, spot, depth),
            InputForm::Unknown if crate::foreign::is_keystore(&octets) => self.keystore(&octets, spot),
            InputForm::Unknown | InputForm::Cbor | InputForm::Tls => _ = self.nothing(&octets, spot),
        }
        form
    }

    /// Counts an input without values, and remembers its format.
    /// An archive or compressed file that is not opened is a failure, because it may contain certificates.
    fn nothing(&mut self, octets: &[u8], spot: Spot) -> InputForm {
        self.contents.others += 1;
        let foreign = crate::foreign::recognise(octets);
        if let Some(packed) = foreign.as_ref().filter(|foreign| crate::foreign::is_packed(foreign)) {
            self.fail(spot, "not-opened", packed.to_string());
        }
        if self.contents.foreign.is_none() {
            self.contents.foreign = foreign;
        }
        if detect::is_text(octets) { InputForm::Text } else { InputForm::Unknown }
    }

    /// Stores bytes, and the positions of the items in them.
    fn keep(&mut self, octets: Cow<'a, [u8]>, found: Vec<Found>) {
        if self.parts.is_some() {
            for found in found {
                let end = found.start.saturating_add(found.len).saturating_add(found.settings);
                self.part(octets.get(found.start..end).unwrap_or_default(), found.spot);
            }
            return;
        }
        let block = self.contents.blocks.len() as u32;
        self.contents.blocks.push(octets);
        for Found { kind, start, len, spot, settings } in found {
            if self.contents.slots.len() >= self.limits.items as usize {
                self.fail(spot, "items-exceeded", "the number of certificates and CRLs exceeds the limit");
                return;
            }
            let (start, len, settings) = (start as u32, len as u32, settings as u32);
            self.contents.slots.push(Slot { kind, block, start, len, spot, settings, trust: 0 });
        }
    }

    /// Records a part that nothing recognizes.
    #[cold]
    fn unread(&mut self, spot: Spot, code: &'static str, message: impl Into<String>) {
        if self.contents.unread.len() <= self.limits.items as usize {
            self.contents.unread.push(Flaw { spot, code, message: message.into() });
        }
    }

    #[cold]
    fn fail(&mut self, spot: Spot, code: &'static str, message: impl Into<String>) {
        // One more, which says that there would be others.
        if self.contents.failures.len() <= self.limits.items as usize {
            self.contents.failures.push(Flaw { spot, code, message: message.into() });
        }
    }
}
