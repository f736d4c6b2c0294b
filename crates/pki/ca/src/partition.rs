//! Partitions of a CA's certificates, each with a CRL of its own (RFC 5280 §5.2.5).
//!
//! The CA's CRL URL states how many there are: `{8}` in it stands for the numbers 1 to 8. A certificate's serial number determines its
//! partition, so that every CRL can be made from the CA's records, whatever has become of the earlier ones.

use crate::{Error, Serial};

/// The most partitions.
const MOST: u16 = 1024;

const CLAUSE: &str = "RFC 5280 §5.2.5";

/// The partitions that a URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partitions {
    count: u16,
    before: String,
    after: String,
}

impl Partitions {
    /// Reads the URL of a CA's CRLs; `None` if it is the URL of a single one.
    ///
    /// # Errors
    /// Returns an error if the braces contain no number from 2 to 1024, or there are several.
    pub(crate) fn of(url: &str) -> Result<Option<Self>, Error> {
        if !url.contains(['{', '}']) {
            return Ok(None);
        }
        let parts = url.split_once('{').and_then(|(before, rest)| {
            let (count, after) = rest.split_once('}')?;
            let is_number = count.bytes().all(|digit| digit.is_ascii_digit());
            Some((before, count.parse().ok().filter(|_| is_number)?, after))
        });
        match parts {
            Some((before, count @ 2..=MOST, after)) if !after.contains(['{', '}']) => {
                Ok(Some(Self { count, before: before.to_owned(), after: after.to_owned() }))
            }
            _ => Err(Error::refused(
                format!("malformed number of partitions in the URL of the CRLs, expected one from {{2}} to {{{MOST}}}"),
                CLAUSE,
            )),
        }
    }

    /// The number of partitions.
    pub(crate) const fn count(&self) -> u16 {
        self.count
    }

    /// The URL of a partition's CRL.
    pub(crate) fn url(&self, number: u16) -> String {
        format!("{}{number}{}", self.before, self.after)
    }

    /// The partition of a certificate, from 1: the remainder of the serial number's last four bytes.
    pub(crate) fn of_serial(&self, serial: &[u8]) -> u16 {
        let last = serial.iter().rev().take(4).rev().fold(0_u32, |number, octet| (number << 8) | u32::from(*octet));
        // The remainder is less than the count.
        u16::try_from(last % u32::from(self.count)).unwrap_or_default() + 1
    }

    /// The partition whose CRL has a URL with this path.
    #[cfg(any(feature = "serve", test))]
    pub(crate) fn at_path(&self, path: &str) -> Option<u16> {
        let before = path_of(&self.before)?;
        let number = path.strip_prefix(before)?.strip_suffix(self.after.as_str())?;
        let number: u16 = number.parse().ok().filter(|parsed: &u16| parsed.to_string() == number)?;
        (1..=self.count).contains(&number).then_some(number)
    }

    pub(crate) fn has(&self, number: u16, serial: &Serial) -> bool {
        self.of_serial(serial.as_bytes()) == number
    }
}

/// Returns the path of an `http` or `https` URL, or of the start of one, with its slash.
#[cfg(any(feature = "serve", test))]
pub(crate) fn path_of(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    rest.find('/').filter(|_| is_http).and_then(|at| rest.get(at..))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let of = |url: &str| Partitions::of(url).unwrap();
        assert_eq!(of("http://ca.example.org/crl"), None);
        let eight = of("http://ca.example.org/{8}.crl").unwrap();
        assert_eq!((eight.count(), eight.url(3).as_str()), (8, "http://ca.example.org/3.crl"));
        for bad in ["x:{}", "x:{1}", "x:{0}", "x:{1025}", "x:{+8}", "x:{8", "x:8}", "x:{8}{8}", "x:{8}}", "x:{99999}"] {
            assert!(Partitions::of(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths() {
        let of = |url: &str, path: &str| Partitions::of(url).unwrap().unwrap().at_path(path);
        let url = "http://ca.example.org/crls/{12}.crl";
        assert_eq!((of(url, "/crls/1.crl"), of(url, "/crls/12.crl")), (Some(1), Some(12)));
        for other in
            ["/crls/0.crl", "/crls/13.crl", "/crls/01.crl", "/crls/+1.crl", "/crls/1", "/1.crl", "crls/1.crl", ""]
        {
            assert_eq!(of(url, other), None, "{other}");
        }
        assert_eq!(of("HTTPS://h/{2}", "/2"), Some(2));
        assert_eq!(of("ldap://h/{2}", "/2"), None);
        assert_eq!(of("http://h{2}/x", "/x"), None);
    }

    #[test]
    fn serial_numbers() {
        let ten = Partitions::of("x:{10}").unwrap().unwrap();
        for (serial, number) in [
            (&[0x00][..], 1),
            (&[0x09], 10),
            (&[0x0A], 1),
            (&[0x01, 0x00], 7),
            (&[0x7F, 0xFF, 0xFF, 0xFF, 0xFF], 6),
            // Only the last four bytes count.
            (&[0x12, 0x34, 0x00, 0x00, 0x00, 0x09], 10),
            (&[], 1),
        ] {
            assert_eq!(ten.of_serial(serial), number, "{serial:?}");
        }
        assert!(ten.has(10, &Serial::from_content(&[0x09])));
    }
}
