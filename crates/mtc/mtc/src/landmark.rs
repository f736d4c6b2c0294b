//! Landmarks: log sizes whose subtrees relying parties trust without signatures, and the document that lists them (MTC
//! §6.4).

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::tree::{MAX_SIZE, Subtree, cover};

/// A landmark: a log size, and the time until which relying parties trust its subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landmark {
    /// The landmark number. Landmark 0 precedes all others and has size 0.
    pub number: u64,
    /// The log size at which the landmark was created.
    pub size: u64,
    /// The expiration time, as Unix time.
    pub expiry: u64,
}

impl Landmark {
    /// Landmark 0, which is empty and expired.
    pub const ZERO: Self = Self { number: 0, size: 0, expiry: 0 };

    /// Returns the landmark's two subtrees, which cover the entries since the previous landmark. Either may be empty.
    #[must_use]
    pub fn subtrees(&self, before: &Landmark) -> Option<[Subtree; 2]> {
        cover(before.size, self.size)
    }

    /// Returns whether relying parties still trust the landmark at the given time. Landmark 0 is never active.
    #[must_use]
    pub const fn is_active(&self, now: u64) -> bool {
        self.number != 0 && self.expiry >= now
    }
}

/// A landmark document, which lists landmarks from the latest to an expired one.
///
/// ```
/// use tagwise_mtc::landmark::LandmarkDocument;
/// let text = "2\n13 2082758399\n9 2082758399\n0 0\n";
/// let document = LandmarkDocument::parse(text, 1_800_000_000)?;
/// assert_eq!(document.latest().size, 13);
/// assert_eq!(document.containing(10).unwrap().number, 2);
/// assert_eq!(document.to_string(), text);
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandmarkDocument {
    /// The landmarks, latest first. Never empty.
    landmarks: Vec<Landmark>,
}

/// The maximum length of a line, which contains a tree size and an expiry.
const LINE: usize = 64;

impl LandmarkDocument {
    /// Creates a document from landmarks, with the latest first.
    ///
    /// # Errors
    /// Returns [`ErrorKind::LandmarkOrder`] if the landmarks are out of order, [`ErrorKind::LandmarkEnd`] if none has expired
    /// at `now`, or [`ErrorKind::Uint48`] if a size is too large.
    pub fn new(landmarks: Vec<Landmark>, now: u64) -> Result<Self, Error> {
        let fail = |kind| Error::new(kind, 0);
        for pair in landmarks.windows(2) {
            let [one, before] = pair else { continue };
            if before.number.checked_add(1) != Some(one.number) || before.size >= one.size || before.expiry > one.expiry
            {
                return Err(fail(ErrorKind::LandmarkOrder));
            }
        }
        match (landmarks.first(), landmarks.last()) {
            (Some(first), _) if first.number > MAX_SIZE || first.size > MAX_SIZE => Err(fail(ErrorKind::Uint48)),
            (Some(_), Some(last)) if !last.is_active(now) && last.expiry < now => Ok(Self { landmarks }),
            _ => Err(fail(ErrorKind::LandmarkEnd)),
        }
    }

    /// Parses a document as of the given time. All lines are checked, including those after the first expired landmark.
    ///
    /// # Errors
    /// Returns an error if the document is malformed: [`ErrorKind::LandmarkLine`], [`ErrorKind::LandmarkOrder`],
    /// [`ErrorKind::LandmarkEnd`] or [`ErrorKind::Uint48`].
    pub fn parse(text: &str, now: u64) -> Result<Self, Error> {
        let mut lines = Lines { rest: text, at: 0 };
        let at = lines.at;
        let latest = lines.next_line()?;
        let latest = decimal(latest, MAX_SIZE).map_err(|kind| Error::new(kind, at))?;
        let mut landmarks: Vec<Landmark> = Vec::new();
        while !lines.rest.is_empty() {
            let at = lines.at;
            let fail = |kind| Error::new(kind, at);
            let line = lines.next_line()?;
            let number = latest.checked_sub(landmarks.len() as u64).ok_or(fail(ErrorKind::LandmarkEnd))?;
            let (size, expiry) = line.split_once(' ').ok_or(fail(ErrorKind::LandmarkLine))?;
            let size = decimal(size, MAX_SIZE).map_err(fail)?;
            let expiry = decimal(expiry, u64::MAX).map_err(fail)?;
            if landmarks.last().is_some_and(|later| size >= later.size || expiry > later.expiry) {
                return Err(fail(ErrorKind::LandmarkOrder));
            }
            // MTC §6.4.1: landmark 0 is the empty tree.
            if number == 0 && size != 0 {
                return Err(fail(ErrorKind::LandmarkOrder));
            }
            landmarks.push(Landmark { number, size, expiry });
        }
        // The terminator: landmark 0, or one that has expired.
        if landmarks.last().is_none_or(|last| last.expiry >= now) {
            return Err(Error::new(ErrorKind::LandmarkEnd, text.len()));
        }
        Ok(Self { landmarks })
    }

    /// Parses a landmark document in the format of draft -05. It contains the latest landmark number, the number of active
    /// landmarks, their sizes, and the size of one more landmark.
    ///
    /// # Errors
    /// Returns any error from [`parse`](Self::parse).
    pub fn parse_05(text: &str) -> Result<Vec<Landmark>, Error> {
        let mut lines = Lines { rest: text, at: 0 };
        let fail = |kind| Error::new(kind, 0);
        let (latest, active) = lines.next_line()?.split_once(' ').ok_or(fail(ErrorKind::LandmarkLine))?;
        let latest = decimal(latest, MAX_SIZE).map_err(fail)?;
        let active = decimal(active, MAX_SIZE).map_err(fail)?;
        let mut landmarks: Vec<Landmark> = Vec::new();
        while !lines.rest.is_empty() {
            let at = lines.at;
            let fail = |kind| Error::new(kind, at);
            let size = decimal(lines.next_line()?, MAX_SIZE).map_err(fail)?;
            let number = latest.checked_sub(landmarks.len() as u64).ok_or(fail(ErrorKind::LandmarkEnd))?;
            if landmarks.last().is_some_and(|later| size >= later.size) {
                return Err(fail(ErrorKind::LandmarkOrder));
            }
            landmarks.push(Landmark { number, size, expiry: 0 });
        }
        if active.checked_add(1) != Some(landmarks.len() as u64) {
            return Err(Error::new(ErrorKind::LandmarkEnd, text.len()));
        }
        Ok(landmarks)
    }

    /// Returns the latest landmark.
    #[must_use]
    pub fn latest(&self) -> Landmark {
        self.landmarks.first().copied().unwrap_or(Landmark::ZERO)
    }

    /// Returns the landmarks, latest first, ending with expired ones.
    #[must_use]
    pub fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
    }

    /// Iterates over the non-empty subtrees of the landmarks that are active at the given time. A landmark whose predecessor is
    /// not in the document yields none.
    pub fn subtrees(&self, now: u64) -> impl Iterator<Item = (Landmark, Subtree)> + '_ {
        let pairs = self.landmarks.windows(2).filter_map(|pair| match pair {
            [one, before] => Some((*one, *before)),
            _ => None,
        });
        pairs.filter(move |(one, _)| one.is_active(now)).flat_map(|(one, before)| {
            let subtrees = one.subtrees(&before).into_iter().flatten();
            subtrees.filter(|subtree| !subtree.is_empty()).map(move |subtree| (one, subtree))
        })
    }

    /// Returns the lowest landmark in the document that contains an entry, if its subtrees can be computed.
    #[must_use]
    pub fn containing(&self, index: u64) -> Option<Landmark> {
        self.subtree_of(index).map(|(landmark, _)| landmark)
    }

    /// Returns the lowest landmark that contains an entry, and the landmark's subtree that contains it. The entry's
    /// landmark-relative certificate refers to both (MTC §6.4.4).
    #[must_use]
    pub fn subtree_of(&self, index: u64) -> Option<(Landmark, Subtree)> {
        let found = self.landmarks.windows(2).find_map(|pair| match pair {
            [one, before] if before.size <= index && index < one.size => Some((*one, *before)),
            _ => None,
        });
        let (one, before) = found?;
        let subtree = one.subtrees(&before)?.into_iter().find(|subtree| subtree.contains(index))?;
        Some((one, subtree))
    }
}

impl core::fmt::Display for LandmarkDocument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "{}", self.latest().number)?;
        self.landmarks.iter().try_for_each(|landmark| writeln!(f, "{} {}", landmark.size, landmark.expiry))
    }
}

/// An iterator over lines that end with a line feed.
struct Lines<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next_line(&mut self) -> Result<&'a str, Error> {
        let fail = Error::new(ErrorKind::LandmarkLine, self.at);
        let (line, rest) = self.rest.split_once('\n').ok_or(fail)?;
        if line.len() > LINE {
            return Err(fail);
        }
        self.rest = rest;
        self.at = self.at.saturating_add(line.len()).saturating_add(1);
        Ok(line)
    }
}

/// Parses a decimal number without leading zeros.
pub(crate) fn decimal(text: &str, max: u64) -> Result<u64, ErrorKind> {
    let plain = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if !plain || (text.len() > 1 && text.starts_with('0')) {
        return Err(ErrorKind::LandmarkLine);
    }
    text.parse().ok().filter(|number| *number <= max).ok_or(ErrorKind::Uint48)
}

/// A landmark schedule (MTC §6.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandmarkSchedule {
    /// The minimum number of seconds between landmarks.
    pub interval: u64,
    /// The maximum lifetime of a certificate in seconds.
    pub max_lifetime: u64,
}

impl LandmarkSchedule {
    /// The default schedule: one landmark per hour and certificates of at most seven days, thus at most 169 active landmarks.
    pub const DEFAULT: Self = Self { interval: 3600, max_lifetime: 7 * 86_400 };

    /// Returns the next landmark, if the log has grown and enough time has passed since the last landmark, which was allocated
    /// at `last_at`.
    #[must_use]
    pub fn next(&self, last: &Landmark, last_at: u64, size: u64, now: u64) -> Option<Landmark> {
        let due = last.number == 0 || now >= last_at.saturating_add(self.interval);
        if !due || size <= last.size {
            return None;
        }
        let expiry = now.saturating_add(self.max_lifetime).max(last.expiry);
        Some(Landmark { number: last.number.checked_add(1)?, size, expiry })
    }

    /// Returns the maximum number of simultaneously active landmarks.
    #[must_use]
    pub const fn max_active(&self) -> u64 {
        match self.interval {
            0 => u64::MAX,
            interval => self.max_lifetime.div_ceil(interval).saturating_add(1),
        }
    }
}
