//! Depth-first path search from the end-entity certificate to the anchors, most likely issuer first.
//!
//! The search only considers certificates whose issuers lead to an anchor by name, which is determined by one walk over the
//! pool. An edge is a verified signature, and each pair of key and certificate is checked once. A certificate that did not lead to
//! an anchor is not visited again. Loops are recorded at the certificate that closes them, as in Tarjan's algorithm
//! for strongly connected components. A search that finds no anchor is therefore linear in the number of edges. Any other
//! search is bounded by the budget.

use std::rc::Rc;

use tagwise_pkix::{CertificateBuf, profile};

use crate::anchors::{self, Anchor, Anchors};
use crate::budget::{Limit, Meter};
use crate::candidates::Above;
use crate::cert::Cert;
use crate::numbers::NumberMap;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool::Pool;
use crate::refusal::{Refusal, Stop};
use crate::report::{Candidate, Explanation, Inner, Outcome, Report};
use crate::revocation::{Accounts, RevocationAnswer};
use crate::rules::Rule;
use crate::sct::SctAnswer;
use crate::signatures::Signatures;
use crate::validate;
use crate::verifier::Verifier;
use crate::{peer, usage, web};

/// The source of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Leaf,
    Pool(u32),
    Anchor(u32),
}

/// The state of one validation call, or of the nested validation of a signer.
pub(crate) struct Engine<'p, V: ?Sized> {
    pub(crate) leaf: &'p CertificateBuf,
    /// True if every byte of the end-entity certificate is known to conform.
    is_strict: bool,
    pub(crate) pool: &'p Pool,
    pub(crate) anchors: &'p Anchors,
    pub(crate) policy: &'p Policy,
    pub(crate) verifier: &'p V,
    pub(crate) meter: Meter,
    /// The nesting depth of this validation.
    pub(crate) depth: u64,
    /// The anchor at which the path must end, or `None` for any.
    pub(crate) only_anchor: Option<u32>,
    certs: NumberMap<Source, Result<Rc<Cert<'p>>, Refusal>>,
    /// The distances of names from anchors, once computed. They are valid for this pool and these anchors.
    pub(crate) distances: NumberMap<Option<u32>, Rc<[u32]>>,
    issuers: NumberMap<u32, Result<(), Refusal>>,
    /// The outcome of checking each anchor against the rules about anchors.
    checked_anchors: NumberMap<u32, Result<(), Refusal>>,
    pub(crate) signatures: Signatures,
    candidates: Vec<Candidate>,
    omitted: u64,
    /// True if a candidate was rejected because something is unknown, even if the report omits it.
    undecided: bool,
    /// True if the end-entity certificate is revoked.
    revoked: bool,
    pub(crate) assumptions: Vec<String>,
    /// The revocation status of the valid path's certificates.
    pub(crate) revocation: Vec<RevocationAnswer>,
    /// The recorded use of each CRL and OCSP response.
    pub(crate) accounts: Accounts,
    /// The checked timestamps.
    pub(crate) timestamps: Vec<SctAnswer>,
    /// True if a path was longer than the budget allows.
    capped: bool,
    /// The valid paths so far, if all paths are requested.
    every: Option<Vec<Path>>,
}

/// The search's record of a certificate that did not lead to an anchor.
#[derive(Clone, Copy)]
struct Visit {
    /// The minimum depth at which another visit is skipped.
    depth: usize,
    /// The depth of the certificate to which a loop leads back. The record is valid while that certificate has not reached an anchor.
    low: usize,
}

const NO_CIRCLE: usize = usize::MAX;

/// A certificate of the current path.
struct Frame<'p> {
    cert: Rc<Cert<'p>>,
    number: Option<u32>,
    /// The name index of the subject, if the pool contains the name.
    subject: Option<u32>,
    above: std::vec::IntoIter<Above>,
    /// True if an anchor was reached from this certificate.
    live: bool,
    low: usize,
    capped: bool,
    /// The visits that are valid only if this certificate does not lead to an anchor.
    pending: Vec<u32>,
}

/// The anchor of a valid path, and the policies that the path is valid for.
type Accepted = (Anchor, Option<Vec<crate::OidBuf>>);

impl<'p, V: Verifier + ?Sized> Engine<'p, V> {
    pub(crate) fn new(
        (leaf, is_strict): (&'p CertificateBuf, bool),
        pool: &'p Pool,
        anchors: &'p Anchors,
        policy: &'p Policy,
        verifier: &'p V,
        meter: Meter,
    ) -> Self {
        Self {
            leaf,
            is_strict,
            pool,
            anchors,
            policy,
            verifier,
            meter,
            depth: 0,
            only_anchor: None,
            certs: NumberMap::default(),
            distances: NumberMap::default(),
            issuers: NumberMap::default(),
            checked_anchors: NumberMap::default(),
            signatures: Signatures::default(),
            candidates: Vec::new(),
            omitted: 0,
            undecided: false,
            revoked: false,
            assumptions: Vec::new(),
            revocation: Vec::new(),
            accounts: Accounts::default(),
            timestamps: Vec::new(),
            capped: false,
            every: None,
        }
    }

    /// Returns every valid path, and the report on the other candidates.
    pub(crate) fn run_all(&mut self) -> (Vec<Path>, Report) {
        self.every = Some(Vec::new());
        let outcome = match self.search() {
            Ok(_) if self.capped => Outcome::Exhausted(Limit::PathLength),
            Ok(_) => Outcome::Refused,
            Err(limit) => Outcome::Exhausted(limit),
        };
        let paths = self.every.take().unwrap_or_default();
        // These results belong to a candidate that was rejected afterwards.
        self.revocation.clear();
        self.timestamps.clear();
        let explanation = self.explanation();
        (paths, Report(Box::new(Inner { outcome, undecided: self.undecided, explanation })))
    }

    /// Creates a valid path. Its explanation includes the previously rejected candidates.
    fn path(&mut self, chain: &[Rc<Cert<'p>>], anchor: Anchor, policies: Option<Vec<crate::OidBuf>>) -> Path {
        if self.policy.evidence_time().is_none() {
            self.assumptions.insert(0, "revocation was not checked: no certificate is known to be revoked".to_owned());
        }
        for (index, cert) in chain.iter().enumerate() {
            // RFC 5280 §4.1.2.5 requires users to process both forms of time, so this is not a leniency.
            let allowed = cert.tolerated.iter().filter(|deviation| *deviation.rule != profile::TIME_CHOICE);
            self.assumptions.extend(allowed.map(|deviation| format!("tolerated in certificate {index}: {deviation}")));
        }
        let certificates = chain.iter().map(|cert| cert.buf.clone()).collect();
        // In a survey, the report lists the rejected candidates once, for all paths.
        let candidates = if self.every.is_some() { Vec::new() } else { core::mem::take(&mut self.candidates) };
        let omitted = if self.every.is_some() { 0 } else { self.omitted };
        let explanation = Explanation { candidates, omitted, ..self.explanation_of(Vec::new()) };
        Path { certificates, anchor, policies, explanation }
    }

    /// Returns the first valid path, or a report on why there is none.
    pub(crate) fn run(&mut self) -> Result<Path, Report> {
        let found = self.search();
        let outcome = match found {
            Ok(Some((chain, anchor, policies))) => return Ok(self.path(&chain, anchor, policies)),
            Ok(None) if self.capped => Outcome::Exhausted(Limit::PathLength),
            Ok(None) => Outcome::Refused,
            Err(limit) => Outcome::Exhausted(limit),
        };
        // They belong to a candidate that was rejected later.
        self.revocation.clear();
        self.timestamps.clear();
        let explanation = self.explanation();
        Err(Report(Box::new(Inner { outcome, undecided: self.undecided, explanation })))
    }

    fn explanation(&mut self) -> Explanation {
        let candidates = core::mem::take(&mut self.candidates);
        self.explanation_of(candidates)
    }

    fn explanation_of(&mut self, candidates: Vec<Candidate>) -> Explanation {
        Explanation {
            profile: self.policy.profile,
            time: self.policy.time,
            evidence_time: self.policy.evidence_time(),
            rules: self.policy.rules,
            candidates,
            omitted: self.omitted,
            assumptions: core::mem::take(&mut self.assumptions),
            revocation: core::mem::take(&mut self.revocation),
            evidence: self.accounts.clone().answers(&self.policy.revocation, self.policy.evidence_time().is_some()),
            timestamps: core::mem::take(&mut self.timestamps),
            spent: self.meter.spent,
        }
    }

    #[expect(clippy::type_complexity, reason = "the parts of a path, once")]
    fn search(&mut self) -> Result<Option<(Vec<Rc<Cert<'p>>>, Anchor, Option<Vec<crate::OidBuf>>)>, Limit> {
        self.meter.bytes(0)?;
        let leaf = match self.leaf_cert() {
            Ok(leaf) => leaf,
            Err(Stop::Refusal(refusal)) => {
                self.reject(&[], Some(self.leaf), None, || refusal.within(0, self.leaf.as_der()));
                self.meter.bytes(0)?;
                return Ok(None);
            }
            Err(Stop::Limit(limit)) => return Err(limit),
        };
        let distances = self.known_distances();
        let mut visits: NumberMap<u32, Visit> = NumberMap::default();
        let frame = self.frame(leaf.clone(), None, &distances, &[])?;
        let mut stack = vec![frame];
        while let Some(frame) = stack.last_mut() {
            match frame.above.next() {
                None => {
                    if let Some(done) = stack.pop() {
                        leave(done, &mut stack, &mut visits);
                    }
                }
                Some(Above::Anchor(number)) => {
                    if let Some(policies) = self.try_anchor(number, &mut stack)? {
                        // Checks the limit once more, because the last certificates read count too.
                        self.meter.bytes(0)?;
                        let Some(anchor) = self.anchors.get(number).cloned() else { continue };
                        let found = chain(&stack);
                        if self.every.is_none() {
                            return Ok(Some((found, anchor, policies)));
                        }
                        let path = self.path(&found, anchor, policies);
                        if let Some(every) = &mut self.every {
                            every.push(path);
                        }
                    }
                }
                Some(Above::Pool(number)) => {
                    let depth = stack.len();
                    if let Some(visit) = visits.get(&number).filter(|visit| depth >= visit.depth)
                        && let Some(frame) = stack.last_mut()
                    {
                        frame.low = frame.low.min(visit.low);
                        continue;
                    }
                    if let Some(cert) = self.try_issuer(number, &mut stack)? {
                        let frame = self.frame(cert, Some(number), &distances, &stack)?;
                        stack.push(frame);
                    }
                }
            }
        }
        if let Some((anchor, policies)) = self.try_itself(&leaf)? {
            let found = vec![leaf];
            if self.every.is_none() {
                self.meter.bytes(0)?;
                return Ok(Some((found, anchor, policies)));
            }
            let path = self.path(&found, anchor, policies);
            if let Some(every) = &mut self.every {
                every.push(path);
            }
        }
        self.meter.bytes(0)?;
        Ok(None)
    }

    /// Decodes the end-entity certificate and checks it individually.
    fn leaf_cert(&mut self) -> Result<Rc<Cert<'p>>, Stop> {
        let leaf = self.cert(Source::Leaf)?;
        self.trusted(self.leaf)?;
        usage::common(&leaf, self.policy, self.itself().is_some())?;
        // Checked before the requirements on issuers, because a wrong purpose or host name is the more relevant error.
        usage::purpose(&leaf, self.policy)?;
        peer::check(&leaf, self.policy, &mut self.meter)?;
        usage::leaf(&leaf, self.policy)?;
        usage::conformance(&leaf, self.policy.rules, self.policy.lints)?;
        web::leaf(&leaf, self.policy)?;
        Ok(leaf)
    }

    /// Returns the anchor that is the end-entity certificate itself, if any. For signers of CRLs and OCSP responses, returns `None`.
    fn itself(&self) -> Option<u32> {
        let numbers = self.anchors.numbers(&self.leaf.get().tbs_certificate.subject.match_key());
        let is_leaf = |number: &&u32| self.anchors.get(**number).and_then(Anchor::certificate) == Some(self.leaf);
        numbers.iter().find(is_leaf).copied().filter(|_| self.depth == 0)
    }

    /// Tries the end-entity certificate as its own anchor, after all other candidates. A revoked certificate is rejected even then.
    fn try_itself(&mut self, leaf: &Rc<Cert<'p>>) -> Result<Option<Accepted>, Limit> {
        let found = self.itself().and_then(|number| Some((number, self.anchors.get(number)?)));
        let Some((number, anchor)) = found.filter(|_| !self.revoked) else { return Ok(None) };
        if let Err(refusal) = self.anchor_is_good(anchor, number, leaf) {
            self.reject(&[], Some(leaf.buf), Some(anchor), || refusal.within(1, leaf.der()));
            return Ok(None);
        }
        self.meter.paths(1)?;
        match validate::validate(self, core::slice::from_ref(leaf), number) {
            Ok(policies) => Ok(Some((anchor.clone(), policies))),
            Err(Stop::Limit(limit)) => Err(limit),
            Err(Stop::Refusal(refusal)) => {
                self.reject(&[], Some(leaf.buf), Some(anchor), || refusal);
                Ok(None)
            }
        }
    }

    /// Checks that a certificate is not a distrusted one.
    fn trusted(&self, buf: &CertificateBuf) -> Result<(), Refusal> {
        if self.policy.rules.has(Rule::Distrusted) && self.anchors.is_distrusted(buf) {
            return Err(Refusal::new(Rule::Distrusted, "the certificate is explicitly distrusted").at(0));
        }
        Ok(())
    }

    fn cert(&mut self, source: Source) -> Result<Rc<Cert<'p>>, Refusal> {
        let (policy, meter) = (self.policy, &mut self.meter);
        let (leaf, is_strict, pool, anchors) = (self.leaf, self.is_strict, self.pool, self.anchors);
        let read = || {
            let (buf, is_strict) = match source {
                Source::Leaf => (Some(leaf), is_strict),
                Source::Pool(number) => (pool.get(number), pool.is_strict(number)),
                Source::Anchor(number) => {
                    let anchor = anchors.get(number);
                    (anchor.and_then(Anchor::certificate), anchor.is_some_and(Anchor::is_strict))
                }
            };
            let buf = buf.ok_or_else(|| Refusal::new(Rule::Malformed, "no certificate was given"))?;
            meter.note_bytes(buf.as_der().len());
            Cert::read(buf, is_strict, policy.tolerate, &policy.understood).map(Rc::new)
        };
        self.certs.entry(source).or_insert_with(read).clone()
    }

    /// Decodes the certificate of an anchor, if it has one and the policy checks it.
    pub(crate) fn anchor_cert(&mut self, number: u32) -> Result<Option<Rc<Cert<'p>>>, Refusal> {
        let certificate = self.anchors.get(number).and_then(Anchor::certificate);
        let wanted = self.policy.rules.applies_anchor();
        if certificate.is_some() && wanted { self.cert(Source::Anchor(number)).map(Some) } else { Ok(None) }
    }

    /// Creates the frame of a certificate, with its possible issuers in order. Records a rejected candidate if there are none.
    fn frame(
        &mut self,
        cert: Rc<Cert<'p>>,
        number: Option<u32>,
        distances: &[u32],
        below: &[Frame<'p>],
    ) -> Result<Frame<'p>, Limit> {
        let above = self.issuers_of(&cert, distances)?;
        if above.is_empty() {
            self.no_issuer(&cert, below)?;
        }
        let subject = match number {
            Some(number) => self.pool.subject_of(number),
            None => self.pool.number_of(&cert.certificate.tbs_certificate.subject),
        };
        Ok(Frame {
            cert,
            number,
            subject,
            above: above.into_iter(),
            live: false,
            low: NO_CIRCLE,
            capped: false,
            pending: Vec::new(),
        })
    }

    /// Records the rejection of a candidate whose possible issuers do not lead to an anchor.
    fn no_issuer(&mut self, cert: &Rc<Cert<'p>>, below: &[Frame<'p>]) -> Result<(), Limit> {
        let mut chain: Vec<CertificateBuf> =
            below.iter().map(|frame| &frame.cert).chain([cert]).map(|cert| cert.buf.clone()).collect();
        let mut last = cert.buf;
        let message = loop {
            let issuer = last.get().tbs_certificate.issuer;
            let numbers = self.pool.numbers(&issuer.match_key());
            self.meter.name_comparisons(1)?;
            let next = numbers.iter().filter_map(|number| self.pool.get(*number)).find(|next| !chain.contains(next));
            match next {
                Some(next) if (chain.len() as u64) < self.meter.limits.path_length => {
                    chain.push(next.clone());
                    last = next;
                }
                Some(_) => {
                    break format!("no path within the length limit leads to an anchor named {}", issuer.oneline());
                }
                None if last.get().tbs_certificate.subject.matches(&issuer) => {
                    break format!("{} is self-issued and not a trust anchor", issuer.oneline());
                }
                None if numbers.is_empty() => {
                    let unreadable = match self.pool.unreadable().len() {
                        0 => String::new(),
                        count => format!("; {count} certificates of the pool do not decode"),
                    };
                    break format!("no certificate or trust anchor has the subject {}{unreadable}", issuer.oneline());
                }
                None => {
                    break format!("the issuers form a cycle at {} without a trust anchor", issuer.oneline());
                }
            }
        };
        let offset = last.get().tbs_certificate.issuer.0.offset();
        let refusal = Refusal::new(Rule::NoIssuer, message).at(offset).within(chain.len() - 1, last.as_der());
        self.keep(Candidate { certificates: chain, anchor: None, refusal });
        Ok(())
    }

    /// Tries an anchor above the current path: checks the signature, then validates the path. Returns the policies if it is valid.
    #[expect(clippy::option_option, reason = "a valid path may be valid for any policy")]
    fn try_anchor(
        &mut self,
        number: u32,
        stack: &mut [Frame<'p>],
    ) -> Result<Option<Option<Vec<crate::OidBuf>>>, Limit> {
        let Some(anchor) = self.anchors.get(number) else { return Ok(None) };
        self.meter.bytes(0)?;
        let (Some(leaf), Some(top)) = (stack.first(), stack.last()) else { return Ok(None) };
        let (leaf, top) = (leaf.cert.clone(), top.cert.clone());
        let key = match anchors::key(anchor, self.policy) {
            Ok(key) => key,
            Err(error) => {
                let mut refusal = Refusal::new(Rule::Malformed, format!("the anchor's key: {error}"));
                refusal.decoding = error.rule();
                self.reject(stack, None, Some(anchor), || refusal);
                return Ok(None);
            }
        };
        // RFC 5280 §6.1: the self-signed certificate in which an anchor is given is not part of the path. The path without it was
        // tried.
        let tbs = &top.certificate.tbs_certificate;
        if stack.len() > 1 && tbs.subject_public_key_info == key && tbs.subject.matches(&anchor.name()) {
            return Ok(None);
        }
        // Before the signature, which costs more.
        let is_itself = anchor.certificate() == Some(top.buf);
        let may_issue = if is_itself { Ok(()) } else { anchors::may_issue(anchor, self.policy) };
        if let Err(refusal) = may_issue.and_then(|()| self.anchor_is_good(anchor, number, &leaf)) {
            let der = anchor.certificate().map(CertificateBuf::as_der).unwrap_or_default();
            self.reject(stack, None, Some(anchor), || refusal.within(stack.len(), der));
            return Ok(None);
        }
        if let Err(refusal) = self.issued(anchor, &top, &key, stack.len())? {
            let refusal = refusal.within(stack.len() - 1, top.der());
            self.reject_path(stack, None, Some(anchor), refusal);
            return Ok(None);
        }
        stack.iter_mut().for_each(|frame| frame.live = true);
        self.meter.paths(1)?;
        match validate::validate(self, &chain(stack), number) {
            Ok(policies) => Ok(Some(policies)),
            Err(Stop::Limit(limit)) => Err(limit),
            Err(Stop::Refusal(refusal)) => {
                self.reject_path(stack, None, Some(anchor), refusal);
                Ok(None)
            }
        }
    }

    /// Checks the anchor's own certificate and constraints (RFC 5914, RFC 5937 §3), which depend on the end certificate
    /// at most.
    fn anchor_is_good(&mut self, anchor: &Anchor, number: u32, leaf: &Cert<'p>) -> Result<(), Refusal> {
        if let Some(known) = self.checked_anchors.get(&number) {
            return known.clone();
        }
        let policy = self.policy;
        let cert = self.anchor_cert(number);
        let checked = cert.and_then(|cert| anchors::check(anchor, cert.as_deref(), leaf, policy));
        self.checked_anchors.insert(number, checked.clone());
        checked
    }

    /// Tries a pool certificate as the next issuer. Returns it if it is acceptable.
    fn try_issuer(&mut self, number: u32, stack: &mut [Frame<'p>]) -> Result<Option<Rc<Cert<'p>>>, Limit> {
        let Some(buf) = self.pool.get(number) else { return Ok(None) };
        let Some(top) = stack.last().map(|frame| frame.cert.clone()) else { return Ok(None) };
        self.meter.name_comparisons(1)?;
        self.meter.bytes(0)?;
        // RFC 4158 §2.4.2: a subject with a key already in the path leads to no new certificate.
        let (tbs, subject) = (&buf.get().tbs_certificate, self.pool.subject_of(number));
        let same = |frame: &Frame<'p>| {
            let key = &frame.cert.certificate.tbs_certificate.subject_public_key_info;
            frame.subject == subject && *key == tbs.subject_public_key_info
        };
        if let Some(at) = stack.iter().position(same) {
            if let Some(frame) = stack.last_mut() {
                frame.low = frame.low.min(at);
            }
            self.reject(stack, Some(buf), None, || {
                let message = format!("{} with this key is already in the path", tbs.subject.oneline());
                Refusal::new(Rule::Loop, message).at(tbs.subject.0.offset()).within(stack.len(), buf.as_der())
            });
            return Ok(None);
        }
        let checked = self.trusted(buf).and_then(|()| self.cert(Source::Pool(number))).and_then(|cert| {
            let policy = self.policy;
            let check = || {
                usage::common(&cert, policy, false)?;
                usage::issuer(&cert, policy)?;
                usage::conformance(&cert, policy.rules, policy.lints)
            };
            self.issuers.entry(number).or_insert_with(check).clone().map(|()| cert.clone())
        });
        let cert = match checked {
            Ok(cert) => cert,
            Err(refusal) => {
                self.reject(stack, Some(buf), None, || refusal.within(stack.len(), buf.as_der()));
                return Ok(None);
            }
        };
        let key = cert.certificate.tbs_certificate.subject_public_key_info;
        // A key without parameters has the issuer's, which are known when the path is validated.
        if !usage::inherits(&key)
            && let Err(refusal) = self.signed(&top, &key)?
        {
            let refusal = refusal.within(stack.len() - 1, top.der());
            self.reject_path(stack, Some(buf), None, refusal);
            return Ok(None);
        }
        if stack.len() as u64 >= self.meter.limits.path_length {
            self.capped = true;
            stack.iter_mut().for_each(|frame| frame.capped = true);
            return Ok(None);
        }
        Ok(Some(cert))
    }

    /// Records a rejected candidate, if the report has room.
    fn reject(
        &mut self,
        stack: &[Frame<'p>],
        next: Option<&CertificateBuf>,
        anchor: Option<&Anchor>,
        refusal: impl FnOnce() -> Refusal,
    ) {
        if self.is_full() {
            self.omitted += 1;
            return;
        }
        let certificates = stack.iter().map(|frame| frame.cert.buf).chain(next).cloned().collect();
        self.keep(Candidate { certificates, anchor: anchor.map(Anchor::label), refusal: refusal() });
    }

    /// Records a rejected candidate whose validity may be unknown. The first such candidate is always listed in the report,
    /// replacing another one if necessary.
    fn reject_path(
        &mut self,
        stack: &[Frame<'p>],
        next: Option<&CertificateBuf>,
        anchor: Option<&Anchor>,
        refusal: Refusal,
    ) {
        self.revoked |= refusal.rule == Rule::Revocation && !refusal.undecided && refusal.certificate == Some(0);
        let is_first = refusal.undecided && !self.undecided;
        self.undecided |= refusal.undecided;
        if is_first && self.is_full() && self.candidates.pop().is_some() {
            self.omitted += 1;
        }
        self.reject(stack, next, anchor, || refusal);
    }

    fn keep(&mut self, candidate: Candidate) {
        if self.is_full() {
            self.omitted += 1;
        } else {
            self.candidates.push(candidate);
        }
    }

    fn is_full(&self) -> bool {
        self.candidates.len() as u64 >= self.meter.limits.reported
    }
}

/// Returns the certificates of the current path, starting with the end-entity certificate.
fn chain<'p>(stack: &[Frame<'p>]) -> Vec<Rc<Cert<'p>>> {
    stack.iter().map(|frame| frame.cert.clone()).collect()
}

/// Records the outcome for a certificate, and updates the frame below.
fn leave(mut done: Frame<'_>, stack: &mut [Frame<'_>], visits: &mut NumberMap<u32, Visit>) {
    let depth = stack.len();
    if done.live {
        // They may lead to an anchor through this one.
        done.pending.iter().for_each(|number| _ = visits.remove(number));
        done.pending.clear();
    } else if let Some(number) = done.number {
        let low = if done.low < depth { done.low } else { NO_CIRCLE };
        visits.insert(number, Visit { depth: if done.capped { depth } else { 0 }, low });
        done.pending.push(number);
    }
    // Results that do not depend on the certificates below are final.
    done.pending.retain(|number| match visits.get_mut(number) {
        Some(visit) if visit.low != NO_CIRCLE && visit.low < depth => true,
        Some(visit) => {
            visit.low = NO_CIRCLE;
            false
        }
        None => false,
    });
    if let Some(below) = stack.last_mut() {
        below.pending.append(&mut done.pending);
        if done.low < depth {
            below.low = below.low.min(done.low);
        }
    }
}
