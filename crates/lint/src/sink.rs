//! Findings, and their destination.

use tagwise_codec::{Fault, Kind, Typed, path_at};

use super::list::{Lint, Severity};
use super::options::Options;

/// One departure from a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Lint that was departed from.
    pub lint: &'static Lint,
    /// The absolute offset of the element at fault, or of the one that something is missing from.
    pub offset: usize,
    /// Kind of the error in an encoding; for the lints that are about that.
    pub kind: Option<Kind>,
}

impl Finding {
    /// The path of the element at fault in the octets that the certificate (`Certificate`) or CRL (`CertificateList`) was read
    /// from.
    #[must_use]
    pub fn path<T: Typed>(&self, der: &[u8]) -> String {
        path_at(T::ty(), der, self.offset)
    }
}

/// Everything that was found in one certificate or CRL, in no promised order. Nothing is allocated where there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    found: Vec<Finding>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    /// The findings that were kept.
    pub fn iter(&self) -> core::slice::Iter<'_, Finding> {
        self.found.iter()
    }

    /// Returns whether nothing was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Number of errors, kept or not.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// Number of warnings, kept or not.
    #[must_use]
    pub const fn warnings(&self) -> usize {
        self.warnings
    }

    /// Number of findings that were only counted, for [`Options::limit`] was reached.
    #[must_use]
    pub const fn omitted(&self) -> usize {
        (self.errors + self.warnings).saturating_sub(self.found.len())
    }

    /// The findings in the order of their offsets; of those at one offset, errors first.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.found
            .sort_by_key(|finding| (finding.offset, core::cmp::Reverse(finding.lint.severity), finding.lint.index));
        self
    }
}

impl<'f> IntoIterator for &'f Findings {
    type Item = &'f Finding;
    type IntoIter = core::slice::Iter<'f, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.iter()
    }
}

/// Takes what is found, if its lint is on.
pub(super) struct Sink {
    options: Options,
    findings: Findings,
    /// Lint of a part that does not decode; `None` for the frame and for names, which the decoder answers for.
    encoding: Option<&'static Lint>,
}

impl Sink {
    pub(super) const fn new(options: &Options) -> Self {
        Self { options: *options, findings: Findings { found: Vec::new(), errors: 0, warnings: 0 }, encoding: None }
    }

    pub(super) fn done(self) -> Findings {
        self.findings
    }

    /// A departure at an offset.
    #[cold]
    #[inline(never)]
    pub(super) fn find(&mut self, lint: &'static Lint, offset: usize) {
        self.take(Finding { lint, offset, kind: None });
    }

    /// A departure whose offset takes a walk to find.
    #[cold]
    #[inline(never)]
    pub(super) fn find_at(&mut self, lint: &'static Lint, offset: impl FnOnce() -> usize) {
        if self.options.has(lint) {
            self.take(Finding { lint, offset: offset(), kind: None });
        }
    }

    /// A part that does not decode.
    #[cold]
    #[inline(never)]
    pub(super) fn fault(&mut self, fault: Fault) {
        if let Some(lint) = self.encoding {
            self.take(Finding { lint, offset: fault.offset(), kind: Some(fault.kind()) });
        }
    }

    fn take(&mut self, finding: Finding) {
        if !self.options.has(finding.lint) {
            return;
        }
        match finding.lint.severity {
            Severity::Error => self.findings.errors += 1,
            Severity::Warning => self.findings.warnings += 1,
        }
        if self.findings.found.len() < self.options.most() {
            self.findings.found.push(finding);
        }
    }

    /// Sets the lint of parts that do not decode from now on.
    pub(super) const fn encodings(&mut self, lint: Option<&'static Lint>) {
        self.encoding = lint;
    }
}
