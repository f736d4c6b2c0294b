//! Names exactly as OpenSSL prints them: `-nameopt RFC2253`, `-nameopt oneline`, and `X509_NAME_oneline`.
//!
//! The implementation follows OpenSSL's `crypto/asn1/a_strex.c` and `crypto/x509/x509_obj.c`, including their oddities.
//! Tests compare the output with OpenSSL's. Attribute types without an OpenSSL short name are written in dotted form, with a
//! hexadecimal value.

use core::fmt::{self, Write};

use tagwise_codec::Oid;
use tagwise_codec::text::hex::Hex;

use super::Name;
use super::walk::{Attribute, Elements, attribute, attributes};
use crate::oids;

/// An OpenSSL name format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpensslForm {
    Rfc2253,
    Oneline,
    Compat,
}

impl<'a> Name<'a> {
    /// Displays the name in the format of `openssl x509 -nameopt RFC2253`: most specific RDN first, with non-ASCII characters escaped.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=Gro\u{DF}e\\, Welt,C=DE")?;
    /// assert_eq!(name.name().openssl_rfc2253().to_string(), r"CN=Gro\C3\9Fe\, Welt,C=DE");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn openssl_rfc2253(&self) -> OpenSsl<'a> {
        OpenSsl { name: *self, form: OpensslForm::Rfc2253, room: usize::MAX }
    }

    /// Displays the name in the format of `openssl x509 -nameopt oneline`: in encoding order, with quotation marks around values
    /// with special characters.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=Gro\u{DF}e\\, Welt,C=DE")?;
    /// assert_eq!(name.name().openssl_oneline().to_string(), r#"C = DE, CN = "Gro\C3\9Fe, Welt""#);
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn openssl_oneline(&self) -> OpenSsl<'a> {
        OpenSsl { name: *self, form: OpensslForm::Oneline, room: usize::MAX }
    }

    /// Displays the name like `X509_NAME_oneline` and `-nameopt compat`, byte by byte for every string type. The output cannot
    /// be parsed reliably.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=a/b\u{DF},C=DE")?;
    /// assert_eq!(name.name().openssl_compat().to_string(), r"/C=DE/CN=a\/b\xC3\x9F");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn openssl_compat(&self) -> OpenSsl<'a> {
        OpenSsl { name: *self, form: OpensslForm::Compat, room: usize::MAX }
    }
}

/// A name that displays in one of OpenSSL's formats: see [`Name::openssl_rfc2253`].
#[derive(Clone, Copy, Debug)]
pub struct OpenSsl<'a> {
    name: Name<'a>,
    form: OpensslForm,
    /// The remaining output size in bytes, for [`OpensslForm::Compat`] only. Attributes that do not fit are omitted.
    room: usize,
}

impl OpenSsl<'_> {
    /// Limits the output to the attributes that fit into `room` bytes, as OpenSSL does with a fixed-size buffer.
    #[must_use]
    pub const fn within(self, room: usize) -> Self {
        Self { room, ..self }
    }
}

/// The number of attributes that are reversed without allocating.
const FEW: usize = 16;

impl OpenSsl<'_> {
    /// Writes the text, for example into a buffer.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let mut line = String::from("subject=");
    /// NameBuf::parse("CN=Eva,C=DE")?.name().openssl_compat().write(&mut line).unwrap();
    /// assert_eq!(line, "subject=/C=DE/CN=Eva");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the writer's error.
    pub fn write<W: Write + ?Sized>(&self, out: &mut W) -> fmt::Result {
        let content = self.name.content();
        // Each attribute with the number of its RDN.
        let all = Elements(&content).enumerate().filter_map(|(rdn, element)| Some((rdn, element.ok()?)));
        let all = all.flat_map(|(rdn, element)| {
            let list = attributes(&element).unwrap_or(Elements(&[]));
            list.filter_map(move |element| Some((rdn, attribute(&element.ok()?)?)))
        });
        if self.form != OpensslForm::Rfc2253 {
            return self.list(all, out);
        }
        let mut few = [None; FEW];
        let mut all = all;
        let taken = few.iter_mut().zip(&mut all).map(|(slot, item)| *slot = Some(item)).count();
        match all.next() {
            None => self.list(few.into_iter().take(taken).rev().flatten(), out),
            Some(next) => {
                let list: Vec<_> = few.into_iter().flatten().chain([next]).chain(all).collect();
                self.list(list.into_iter().rev(), out)
            }
        }
    }

    fn list<'n, W: Write + ?Sized>(
        &self,
        attributes: impl Iterator<Item = (usize, Attribute<'n>)>,
        out: &mut W,
    ) -> fmt::Result {
        let mut before = None;
        let mut room = self.room;
        for (rdn, attribute) in attributes {
            let same = before == Some(rdn);
            if room != usize::MAX {
                match room.checked_sub(compat_len(&attribute)) {
                    Some(left) => room = left,
                    None => break,
                }
            }
            out.write_str(match (self.form, before, same) {
                (OpensslForm::Compat, _, true) | (OpensslForm::Rfc2253, _, true) => "+",
                (OpensslForm::Compat, ..) => "/",
                (_, None, _) => "",
                (OpensslForm::Rfc2253, ..) => ",",
                (OpensslForm::Oneline, _, true) => " + ",
                (OpensslForm::Oneline, ..) => ", ",
            })?;
            before = Some(rdn);
            let known = short_name(attribute.attr_type);
            match (known, Oid::from_content(attribute.attr_type)) {
                (Some(name), _) => out.write_str(name)?,
                (None, Ok(oid)) => write!(out, "{oid}")?,
                (None, Err(_)) => out.write_str("<INVALID>")?,
            }
            match self.form {
                OpensslForm::Compat => {
                    out.write_char('=')?;
                    octets(attribute.value.tag, attribute.value.content, out)?;
                }
                form => {
                    out.write_str(if form == OpensslForm::Oneline { " = " } else { "=" })?;
                    // A form that is no flag of RFC2253: values of unknown types are shown in the one line.
                    let dump = form == OpensslForm::Rfc2253 && known.is_none();
                    value(&attribute, dump, form == OpensslForm::Oneline, out)?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for OpenSsl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// Returns the length of an attribute in the format [`OpensslForm::Compat`].
fn compat_len(attribute: &Attribute<'_>) -> usize {
    let mut value = String::new();
    let _ = octets(attribute.value.tag, attribute.value.content, &mut value);
    let oid = || Oid::from_content(attribute.attr_type).map_or(0, |oid| oid.to_string().len());
    short_name(attribute.attr_type).map_or_else(oid, str::len) + value.len() + 2
}

/// Writes bytes like `X509_NAME_oneline`: anything but printable ASCII as `\xNN`. Of a GeneralString that may be UTF-32, it
/// writes only every fourth byte.
fn octets<W: Write + ?Sized>(tag: u8, content: &[u8], out: &mut W) -> fmt::Result {
    const BIT_STRING: u8 = 3;
    const GENERAL_STRING: u8 = 27;
    // The count of unused bits is no part of what OpenSSL holds of one.
    let content = if tag == BIT_STRING { content.get(1..).unwrap_or_default() } else { content };
    let wide = tag == GENERAL_STRING
        && content.len().is_multiple_of(4)
        && content.as_chunks::<4>().0.iter().all(|[one, two, three, _]| (*one, *two, *three) == (0, 0, 0));
    for (_, octet) in content.iter().enumerate().filter(|(at, _)| !wide || at % 4 == 3) {
        match octet {
            b'/' | b'+' => {
                out.write_char('\\')?;
                out.write_char(char::from(*octet))?;
            }
            b' '..=b'~' => out.write_char(char::from(*octet))?,
            octet => write!(out, "\\x{octet:02X}")?,
        }
    }
    Ok(())
}

/// Writes a value like `ASN1_STRING_print_ex` with the flags that both formats share: in UTF-8, with escapes for control and
/// non-ASCII characters.
fn value<W: Write + ?Sized>(attribute: &Attribute<'_>, dump: bool, quotes: bool, out: &mut W) -> fmt::Result {
    let (tag, content) = (attribute.value.tag, attribute.value.content);
    let width = match tag {
        // UTF8String is taken octet by octet.
        12 => Some(Width::Utf8),
        18 | 19 | 20 | 22 | 23 | 24 | 26 => Some(Width::One),
        30 if content.len().is_multiple_of(2) => Some(Width::Two),
        28 if content.len().is_multiple_of(4) => Some(Width::Four),
        _ => None,
    };
    let Some(width) = width.filter(|_| !dump) else {
        return write!(out, "#{:X}", Hex(attribute.value.bytes));
    };
    let mut quoted = false;
    if quotes {
        characters(content, width, |octet, first, last| {
            quoted |= matches!(escape(octet, first, last, true), Escape::Quotes);
            Ok(())
        })?;
    }
    if quoted {
        out.write_char('"')?;
    }
    characters(content, width, |octet, first, last| match escape(octet, first, last, quotes) {
        Escape::None | Escape::Quotes => out.write_char(char::from(octet)),
        Escape::Backslash => {
            out.write_char('\\')?;
            out.write_char(char::from(octet))
        }
        Escape::Hex => write!(out, "\\{octet:02X}"),
    })?;
    if quoted { out.write_char('"') } else { Ok(()) }
}

/// The number of content bytes per character.
#[derive(Clone, Copy)]
enum Width {
    Utf8,
    One,
    Two,
    Four,
}

/// Calls `visit` with each byte of the text in UTF-8, and whether it belongs to the first or the last character.
fn characters(content: &[u8], width: Width, mut visit: impl FnMut(u8, bool, bool) -> fmt::Result) -> fmt::Result {
    let size = match width {
        Width::Utf8 | Width::One => 1,
        Width::Two => 2,
        Width::Four => 4,
    };
    let count = content.len() / size;
    for (index, unit) in content.chunks_exact(size).enumerate() {
        let (first, last) = (index == 0, index + 1 == count);
        let number = unit.iter().fold(0u32, |number, octet| number << 8 | u32::from(*octet));
        match width {
            Width::Utf8 => visit(number as u8, first, last)?,
            _ => {
                let char = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
                let mut buffer = [0; 4];
                char.encode_utf8(&mut buffer).bytes().try_for_each(|octet| visit(octet, first, last))?;
            }
        }
    }
    Ok(())
}

enum Escape {
    None,
    Backslash,
    /// Encloses the complete value in quotation marks instead.
    Quotes,
    Hex,
}

/// Returns the escape for a byte, like `do_esc_char` with OpenSSL's character table.
const fn escape(octet: u8, first: bool, last: bool, quotes: bool) -> Escape {
    match octet {
        // Neither has a meaning in quotation marks that would spare it the backslash.
        b'"' | b'\\' => Escape::Backslash,
        b'+' | b',' | b';' | b'<' | b'>' => {
            if quotes {
                Escape::Quotes
            } else {
                Escape::Backslash
            }
        }
        b' ' if first || last => {
            if quotes {
                Escape::Quotes
            } else {
                Escape::Backslash
            }
        }
        b'#' if first => {
            if quotes {
                Escape::Quotes
            } else {
                Escape::Backslash
            }
        }
        0..b' ' | 0x7F.. => Escape::Hex,
        _ => Escape::None,
    }
}

/// Returns OpenSSL's short name of an attribute type (`crypto/objects/objects.txt`).
fn short_name(attr_type: &[u8]) -> Option<&'static str> {
    if let [0x55, 4, arc] = attr_type {
        return X520.get(usize::from(*arc)).copied().filter(|name| !name.is_empty());
    }
    if let [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, arc] = attr_type {
        return PILOT.get(usize::from(*arc)).copied().filter(|name| !name.is_empty());
    }
    let other = OTHERS.iter().find(|(oid, _)| oid.as_bytes() == attr_type).map(|(_, name)| *name);
    // Whatever else has a name has one here too, attribute type or not.
    other.or_else(|| tagwise_facts::openssl::lookup(attr_type).map(|object| object.short))
}

/// Short names in the arc 2.5.4, by the last arc.
const X520: [&str; 101] = {
    let mut names = [""; 101];
    let mut rest: &[(usize, &str)] = &[
        (3, "CN"),
        (4, "SN"),
        (5, "serialNumber"),
        (6, "C"),
        (7, "L"),
        (8, "ST"),
        (9, "street"),
        (10, "O"),
        (11, "OU"),
        (12, "title"),
        (13, "description"),
        (14, "searchGuide"),
        (15, "businessCategory"),
        (16, "postalAddress"),
        (17, "postalCode"),
        (18, "postOfficeBox"),
        (19, "physicalDeliveryOfficeName"),
        (20, "telephoneNumber"),
        (21, "telexNumber"),
        (22, "teletexTerminalIdentifier"),
        (23, "facsimileTelephoneNumber"),
        (24, "x121Address"),
        (25, "internationaliSDNNumber"),
        (26, "registeredAddress"),
        (27, "destinationIndicator"),
        (28, "preferredDeliveryMethod"),
        (29, "presentationAddress"),
        (30, "supportedApplicationContext"),
        (31, "member"),
        (32, "owner"),
        (33, "roleOccupant"),
        (34, "seeAlso"),
        (35, "userPassword"),
        (36, "userCertificate"),
        (37, "cACertificate"),
        (38, "authorityRevocationList"),
        (39, "certificateRevocationList"),
        (40, "crossCertificatePair"),
        (41, "name"),
        (42, "GN"),
        (43, "initials"),
        (44, "generationQualifier"),
        (45, "x500UniqueIdentifier"),
        (46, "dnQualifier"),
        (47, "enhancedSearchGuide"),
        (48, "protocolInformation"),
        (49, "distinguishedName"),
        (50, "uniqueMember"),
        (51, "houseIdentifier"),
        (52, "supportedAlgorithms"),
        (53, "deltaRevocationList"),
        (54, "dmdName"),
        (65, "pseudonym"),
        (72, "role"),
        (97, "organizationIdentifier"),
        (98, "c3"),
        (99, "n3"),
        (100, "dnsName"),
    ];
    while let [(arc, name), tail @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation: what is out of bounds is a compile error")]
        {
            names[*arc] = name;
        }
        rest = tail;
    }
    names
};

/// Short names in the arc 0.9.2342.19200300.100.1, by the last arc (RFC 4524, RFC 1274).
const PILOT: [&str; 57] = {
    let mut names = [""; 57];
    let mut rest: &[(usize, &str)] = &[
        (1, "UID"),
        (2, "textEncodedORAddress"),
        (3, "mail"),
        (4, "info"),
        (5, "favouriteDrink"),
        (6, "roomNumber"),
        (7, "photo"),
        (8, "userClass"),
        (9, "host"),
        (10, "manager"),
        (11, "documentIdentifier"),
        (12, "documentTitle"),
        (13, "documentVersion"),
        (14, "documentAuthor"),
        (15, "documentLocation"),
        (20, "homeTelephoneNumber"),
        (21, "secretary"),
        (22, "otherMailbox"),
        (23, "lastModifiedTime"),
        (24, "lastModifiedBy"),
        (25, "DC"),
        (26, "aRecord"),
        (27, "pilotAttributeType27"),
        (28, "mXRecord"),
        (29, "nSRecord"),
        (30, "sOARecord"),
        (31, "cNAMERecord"),
        (37, "associatedDomain"),
        (38, "associatedName"),
        (39, "homePostalAddress"),
        (40, "personalTitle"),
        (41, "mobileTelephoneNumber"),
        (42, "pagerTelephoneNumber"),
        (43, "friendlyCountryName"),
        (44, "uid"),
        (45, "organizationalStatus"),
        (46, "janetMailbox"),
        (47, "mailPreferenceOption"),
        (48, "buildingName"),
        (49, "dSAQuality"),
        (50, "singleLevelQuality"),
        (51, "subtreeMinimumQuality"),
        (52, "subtreeMaximumQuality"),
        (53, "personalSignature"),
        (54, "dITRedirect"),
        (55, "audio"),
        (56, "documentPublisher"),
    ];
    while let [(arc, name), tail @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation: what is out of bounds is a compile error")]
        {
            names[*arc] = name;
        }
        rest = tail;
    }
    names
};

const OTHERS: [(Oid<'static>, &str); 22] = [
    (oids::EMAIL_ADDRESS, "emailAddress"),
    (oids::UNSTRUCTURED_NAME, "unstructuredName"),
    (oids::CHALLENGE_PASSWORD, "challengePassword"),
    (oids::UNSTRUCTURED_ADDRESS, "unstructuredAddress"),
    (oids::FRIENDLY_NAME, "friendlyName"),
    (oids::LOCAL_KEY_ID, "localKeyID"),
    (oids::MS_NT_PRINCIPAL_NAME, "msUPN"),
    (oids::JURISDICTION_LOCALITY_NAME, "jurisdictionL"),
    (oids::JURISDICTION_STATE_OR_PROVINCE_NAME, "jurisdictionST"),
    (oids::JURISDICTION_COUNTRY_NAME, "jurisdictionC"),
    (oids::DATE_OF_BIRTH, "id-pda-dateOfBirth"),
    (oids::PLACE_OF_BIRTH, "id-pda-placeOfBirth"),
    (oids::GENDER, "id-pda-gender"),
    (oids::COUNTRY_OF_CITIZENSHIP, "id-pda-countryOfCitizenship"),
    (oids::COUNTRY_OF_RESIDENCE, "id-pda-countryOfResidence"),
    (oids::AT_CLEARANCE_RFC3281, "clearance"),
    (oids::INN, "INN"),
    (oids::OGRN, "OGRN"),
    (oids::SNILS, "SNILS"),
    (oids::OGRNIP, "OGRNIP"),
    (oids::SUBJECT_SIGN_TOOL, "subjectSignTool"),
    (oids::ISSUER_SIGN_TOOL, "issuerSignTool"),
];
