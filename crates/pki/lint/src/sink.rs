//! Findings and their collection.

use tagwise_codec::{Fault, FaultKind, Typed, path_at};

use super::list::{Lint, Severity};
use super::options::Options;

/// A violation of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The violated lint.
    pub lint: &'static Lint,
    /// The absolute offset of the faulty element or, if an element is missing, of its container.
    pub offset: usize,
    /// The kind of encoding error, for lints that concern the encoding.
    pub kind: Option<FaultKind>,
}

impl Finding {
    /// Returns the path of the faulty element, given the original bytes of the certificate (`Certificate`) or CRL
    /// (`CertificateList`).
    #[must_use]
    pub fn path<T: Typed>(&self, der: &[u8]) -> String {
        path_at(T::ty(), der, self.offset)
    }
}

/// All findings in a certificate or CRL, in unspecified order. An empty value does not allocate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    found: Vec<Finding>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    /// Iterates over the findings that were kept.
    pub fn iter(&self) -> core::slice::Iter<'_, Finding> {
        self.found.iter()
    }

    /// Returns whether there are no findings.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Returns the number of errors, including findings that were not kept.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the number of warnings, including findings that were not kept.
    #[must_use]
    pub const fn warnings(&self) -> usize {
        self.warnings
    }

    /// Returns the number of findings that were only counted, because of [`Options::limit`].
    #[must_use]
    pub const fn omitted(&self) -> usize {
        (self.errors + self.warnings).saturating_sub(self.found.len())
    }

    /// Sorts the findings by offset, with errors first at equal offsets.
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

/// A collector of findings, limited to the selected lints.
pub(super) struct Sink {
    options: Options,
    findings: Findings,
    /// The lint for parts that do not decode. `None` for the outer structure and for names, whose faults the decoder reports.
    encoding: Option<&'static Lint>,
}

impl Sink {
    pub(super) const fn new(options: &Options) -> Self {
        Self { options: *options, findings: Findings { found: Vec::new(), errors: 0, warnings: 0 }, encoding: None }
    }

    pub(super) fn done(self) -> Findings {
        self.findings
    }

    /// Reports a finding at the given offset.
    #[cold]
    #[inline(never)]
    pub(super) fn find(&mut self, lint: &'static Lint, offset: usize) {
        self.take(Finding { lint, offset, kind: None });
    }

    /// Reports a finding whose offset is computed only if its lint is selected.
    #[cold]
    #[inline(never)]
    pub(super) fn find_at(&mut self, lint: &'static Lint, offset: impl FnOnce() -> usize) {
        if self.options.has(lint) {
            self.take(Finding { lint, offset: offset(), kind: None });
        }
    }

    /// Reports a value that does not decode.
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

    /// Sets the lint under which values that do not decode are reported.
    pub(super) const fn encodings(&mut self, lint: Option<&'static Lint>) {
        self.encoding = lint;
    }
}
