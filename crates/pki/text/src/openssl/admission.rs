//! Admissions of Common PKI (ISIS-MTT), which certify a profession or authority.
//!
//! OpenSSL parses the complete value before it prints anything, but an empty NamingAuthority makes it stop in the middle.
//! The raw bytes then follow the partial output.

use core::fmt::Write;

use super::walk::Element;
use crate::openssl::octets::dotted;
use crate::openssl::walk::{IA5, OCTET_STRING, OID, PRINTABLE, SEQUENCE, Seq};
use crate::openssl::{general, objects};

/// `NamingAuthority ::= SEQUENCE { namingAuthorityId OBJECT IDENTIFIER OPTIONAL, namingAuthorityUrl IA5String OPTIONAL,
/// namingAuthorityText DirectoryString OPTIONAL }`
struct Authority<'a> {
    id: Option<&'a [u8]>,
    url: Option<&'a [u8]>,
    text: Option<&'a [u8]>,
}

/// `ProfessionInfo ::= SEQUENCE { namingAuthority [0] EXPLICIT NamingAuthority OPTIONAL, professionItems SEQUENCE OF
/// DirectoryString, professionOIDs SEQUENCE OF OBJECT IDENTIFIER OPTIONAL, registrationNumber PrintableString OPTIONAL,
/// addProfessionInfo OCTET STRING OPTIONAL }`
struct Profession<'a> {
    authority: Option<Authority<'a>>,
    items: Vec<&'a [u8]>,
    ids: Option<Vec<&'a [u8]>>,
    number: Option<&'a [u8]>,
}

/// `Admissions ::= SEQUENCE { admissionAuthority [0] EXPLICIT GeneralName OPTIONAL, namingAuthority [1] EXPLICIT NamingAuthority
/// OPTIONAL, professionInfos SEQUENCE OF ProfessionInfo }`
struct AdmissionEntry<'a> {
    admission: Option<String>,
    naming: Option<Authority<'a>>,
    professions: Vec<Profession<'a>>,
}

/// Returns whether a tag is a DirectoryString alternative: PrintableString, TeletexString, UniversalString, BMPString or UTF8String.
const fn is_directory_text(tag: u8) -> bool {
    matches!(tag, 0x13 | 0x14 | 0x1C | 0x1E | 0x0C)
}

fn whole(element: Element<'_>) -> Option<Seq<'_>> {
    (element.tag == SEQUENCE).then_some(Seq(element.content))
}

fn all<'a, T>(seq: Seq<'a>, mut item: impl FnMut(Element<'a>) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::new();
    seq.each(|element| item(element).map(|item| all.push(item)))?;
    Some(all)
}

/// Returns the element inside an explicit tag, if that tag is next.
fn explicit<'a>(seq: &mut Seq<'a>, tag: u8) -> Option<Option<Element<'a>>> {
    let Some(content) = seq.optional(tag) else { return Some(None) };
    let mut inner = Seq(content);
    let element = inner.next()?;
    inner.end().map(|()| Some(element))
}

fn general_name(name: &Element<'_>) -> Option<String> {
    let mut text = String::new();
    general::print(name, &mut text).map(|()| text)
}

impl<'a> Authority<'a> {
    fn read(element: Element<'a>) -> Option<Self> {
        let mut seq = whole(element)?;
        let (id, url) = (seq.optional(OID), seq.optional(IA5));
        let text = if seq.is_empty() { None } else { Some(seq.next().filter(|text| is_directory_text(text.tag))?) };
        seq.end()?;
        let text = text.map(|text| text.content);
        id.is_none_or(objects::is_object).then_some(Self { id, url, text })
    }

    /// Writes the naming authority. Returns `None` for an empty one, at which OpenSSL stops.
    fn print(&self, indent: usize, out: &mut String) -> Option<()> {
        if self.id.is_none() && self.text.is_none() && self.url.is_none() {
            return None;
        }
        writeln!(out, "{:indent$}namingAuthority:", "").ok()?;
        if let Some(id) = self.id {
            write!(out, "{:indent$}  namingAuthorityId: ", "").ok()?;
            both(id, out)?;
        }
        for (title, text) in [("Text", self.text), ("Url", self.url)] {
            if let Some(text) = text {
                write!(out, "{:indent$}  namingAuthority{title}: ", "").ok()?;
                line(text, out)?;
            }
        }
        Some(())
    }
}

/// Writes an identifier by its long name and in dotted form.
fn both(id: &[u8], out: &mut String) -> Option<()> {
    let long = objects::lookup(id).map_or("undefined", |object| object.long);
    writeln!(out, "{long} ({})", tagwise_codec::Oid::from_content(id).ok()?).ok()
}

fn line(text: &[u8], out: &mut String) -> Option<()> {
    dotted(text, out).ok()?;
    out.push('\n');
    Some(())
}

impl<'a> Profession<'a> {
    fn read(element: Element<'a>) -> Option<Self> {
        let mut seq = whole(element)?;
        let authority = match explicit(&mut seq, 0xA0)? {
            Some(element) => Some(Authority::read(element)?),
            None => None,
        };
        let items = all(seq.sequence()?, |item| is_directory_text(item.tag).then_some(item.content))?;
        let is_id = |id: &Element<'_>| id.tag == OID && objects::is_object(id.content);
        let ids = match seq.optional(SEQUENCE) {
            Some(ids) => Some(all(Seq(ids), |id| is_id(&id).then_some(id.content))?),
            None => None,
        };
        let number = seq.optional(PRINTABLE);
        seq.optional(OCTET_STRING);
        seq.end()?;
        Some(Self { authority, items, ids, number })
    }

    fn print(&self, indent: usize, out: &mut String) -> Option<()> {
        if let Some(number) = self.number {
            write!(out, "{:indent$}registrationNumber: ", "").ok()?;
            line(number, out)?;
        }
        if let Some(authority) = &self.authority {
            authority.print(indent, out)?;
        }
        writeln!(out, "{:indent$}Info Entries:", "").ok()?;
        for item in &self.items {
            write!(out, "{:indent$}  ", "").ok()?;
            line(item, out)?;
        }
        let Some(ids) = &self.ids else { return Some(()) };
        writeln!(out, "{:indent$}Profession OIDs:", "").ok()?;
        ids.iter().try_for_each(|id| {
            write!(out, "{:indent$}  ", "").ok()?;
            both(id, out)
        })
    }
}

impl<'a> AdmissionEntry<'a> {
    fn read(element: Element<'a>) -> Option<Self> {
        let mut seq = whole(element)?;
        let admission = match explicit(&mut seq, 0xA0)? {
            Some(name) => Some(general_name(&name)?),
            None => None,
        };
        let naming = match explicit(&mut seq, 0xA1)? {
            Some(element) => Some(Authority::read(element)?),
            None => None,
        };
        let professions = all(seq.sequence()?, Profession::read)?;
        seq.end()?;
        Some(Self { admission, naming, professions })
    }

    fn print(&self, number: usize, indent: usize, out: &mut String) -> Option<()> {
        writeln!(out, "{:indent$}Entry {number}:", "").ok()?;
        if let Some(name) = &self.admission {
            writeln!(out, "{:indent$}  admissionAuthority:\n{:indent$}    {name}", "", "").ok()?;
        }
        if let Some(authority) = &self.naming {
            authority.print(indent + 2, out)?;
        }
        for (at, profession) in self.professions.iter().enumerate() {
            writeln!(out, "{:indent$}  Profession Info Entry {}:", "", at + 1).ok()?;
            profession.print(indent + 4, out)?;
        }
        Some(())
    }
}

/// Writes `AdmissionSyntax ::= SEQUENCE { admissionAuthority GeneralName OPTIONAL, contentsOfAdmissions SEQUENCE OF Admissions }`.
pub(super) fn syntax(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let authority = match seq.tag() {
        Some(SEQUENCE) => None,
        _ => Some(general_name(&seq.next()?)?),
    };
    let entries = all(seq.sequence()?, AdmissionEntry::read)?;
    seq.end()?;
    if let Some(name) = authority {
        writeln!(out, "{:indent$}admissionAuthority:\n{:indent$}  {name}", "", "").ok()?;
    }
    for (at, entry) in entries.iter().enumerate() {
        if entry.print(at + 1, indent, out).is_none() {
            write!(out, "{:indent$}", "").ok()?;
            return dotted(value, out).ok();
        }
    }
    Some(())
}
