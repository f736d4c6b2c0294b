//! A second implementation of RFC 5280 §6.1, written directly from its text: with the policy tree, and without budgets,
//! indexes or ordering. It considers only the properties in [`Model`], and decides by trying every path.
//!
//! It is deliberately slow and small. It shares nothing with the crate except the encoding of its inputs.

pub mod crl;
pub mod evidence;
pub mod generate;
pub mod ocsp;
pub mod tree;

use std::collections::BTreeSet;

use crate::*;
use tree::Tree;

/// The properties of a certificate that RFC 5280 §6.1 considers.
#[derive(Clone, Debug)]
pub struct Model {
    pub subject: &'static str,
    pub issuer: &'static str,
    pub key: &'static str,
    pub signer: &'static str,
    pub serial: u32,
    pub expired: bool,
    pub unknown_critical: bool,
    /// basicConstraints: cA, pathLenConstraint.
    pub basic: Option<(bool, Option<u8>)>,
    /// keyUsage: keyCertSign, cRLSign.
    pub usage: Option<(bool, bool)>,
    pub policies: Option<Vec<u8>>,
    pub mappings: Vec<(u8, u8)>,
    /// policyConstraints: requireExplicitPolicy, inhibitPolicyMapping.
    pub constraints: (Option<u8>, Option<u8>),
    pub inhibit_any: Option<u8>,
    /// The permitted and excluded subtrees: hosts, and distinguished names with one common name.
    pub permitted: Vec<Subtree>,
    pub excluded: Vec<Subtree>,
    pub hosts: Vec<&'static str>,
    /// extendedKeyUsage: OCSPSigning.
    pub ocsp_signing: bool,
    /// id-pkix-ocsp-nocheck.
    pub no_check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subtree {
    Host(&'static str),
    Directory(&'static str),
}

impl Model {
    pub fn new(subject: &'static str, key: &'static str, issuer: &'static str, signer: &'static str) -> Self {
        Self {
            subject,
            issuer,
            key,
            signer,
            serial: 1,
            expired: false,
            unknown_critical: false,
            basic: None,
            usage: None,
            policies: None,
            mappings: Vec::new(),
            constraints: (None, None),
            inhibit_any: None,
            permitted: Vec::new(),
            excluded: Vec::new(),
            hosts: Vec::new(),
            ocsp_signing: false,
            no_check: false,
        }
    }

    pub fn self_issued(&self) -> bool {
        self.subject == self.issuer
    }

    /// Creates the certificate.
    pub fn spec(&self) -> Spec {
        let mut spec = Spec::ca(self.subject, self.key, self.issuer, self.signer).without(19).without(15);
        spec.serial = self.serial;
        if self.expired {
            spec.not_after = "251231000000Z";
        }
        if let Some((ca, limit)) = self.basic {
            let limit = limit.map_or_else(Vec::new, |limit| vec![2, 1, limit]);
            spec = spec.with(extension(19, true, &sequence(&[if ca { &[1, 1, 0xFF] } else { &[] }, &limit])));
        }
        if let Some((certificates, crls)) = self.usage {
            let octet = 0x80 | if certificates { 4 } else { 0 } | if crls { 2 } else { 0 };
            spec = spec.with(extension(15, true, &[3, 2, u8::trailing_zeros(octet) as u8, octet]));
        }
        if let Some(numbers) = &self.policies {
            spec = spec.with(policies(numbers));
        }
        if !self.mappings.is_empty() {
            spec = spec.with(mappings(&self.mappings));
        }
        if self.constraints != (None, None) {
            let field = |tag: u8, value: Option<u8>| value.map_or_else(Vec::new, |value| vec![tag, 1, value]);
            let fields = [field(0x80, self.constraints.0), field(0x81, self.constraints.1)];
            spec = spec.with(extension(36, true, &sequence(&[&fields[0], &fields[1]])));
        }
        if let Some(skip) = self.inhibit_any {
            spec = spec.with(extension(54, true, &[2, 1, skip]));
        }
        if !self.permitted.is_empty() || !self.excluded.is_empty() {
            let list = |subtrees: &[Subtree]| -> Vec<(u8, Vec<u8>)> {
                subtrees
                    .iter()
                    .map(|subtree| match subtree {
                        Subtree::Host(host) => (DNS, host.as_bytes().to_vec()),
                        Subtree::Directory(common_name) => (DIRECTORY, name(common_name)),
                    })
                    .collect()
            };
            let (permitted, excluded) = (list(&self.permitted), list(&self.excluded));
            let view = |list: &[(u8, Vec<u8>)]| -> Vec<(u8, Vec<u8>)> { list.to_vec() };
            let (permitted, excluded) = (view(&permitted), view(&excluded));
            let permitted: Vec<(u8, &[u8])> = permitted.iter().map(|(tag, base)| (*tag, base.as_slice())).collect();
            let excluded: Vec<(u8, &[u8])> = excluded.iter().map(|(tag, base)| (*tag, base.as_slice())).collect();
            spec = spec.with(name_constraints(&permitted, &excluded));
        }
        if !self.hosts.is_empty() {
            let hosts: Vec<(u8, &[u8])> = self.hosts.iter().map(|host| (DNS, host.as_bytes())).collect();
            spec = spec.with(alt_names(&hosts));
        }
        if self.ocsp_signing {
            spec = spec.with(purposes(&[9]));
        }
        if self.no_check {
            spec.extensions.push(crate::evidence::no_check());
        }
        if self.unknown_critical {
            spec = spec.with(extension(99, true, b"\x05\x00"));
        }
        spec
    }
}

/// The inputs of RFC 5280 §6.1.1.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The user-initial-policy-set; `None` for any-policy.
    pub initial: Option<Vec<u8>>,
    pub explicit: bool,
    pub inhibit_mapping: bool,
    pub inhibit_any: bool,
    /// The trust anchor's name and key.
    pub anchor: (&'static str, &'static str),
}

/// The valid policies of a path; `None` for any.
pub type Policies = Option<BTreeSet<u8>>;

/// Implements RFC 5280 §6.1 for one path, with the end-entity certificate last. The caller checks revocation (§6.1.3
/// (a)(3)).
pub fn path(certificates: &[&Model], inputs: &Inputs) -> Option<Policies> {
    let n = certificates.len() as u8;
    // §6.1.2
    let mut tree = Some(Tree::new());
    let mut permitted: Vec<&[Subtree]> = Vec::new();
    let mut excluded: Vec<Subtree> = Vec::new();
    let mut explicit_policy = if inputs.explicit { 0 } else { n + 1 };
    let mut inhibit_any = if inputs.inhibit_any { 0 } else { n + 1 };
    let mut policy_mapping = if inputs.inhibit_mapping { 0 } else { n + 1 };
    let (mut working_name, mut working_key) = inputs.anchor;
    let mut max_path_length = n;
    for (index, certificate) in certificates.iter().enumerate() {
        let i = index as u8 + 1;
        let last = i == n;
        // §6.1.3 (a)
        if certificate.signer != working_key || certificate.expired || certificate.issuer != working_name {
            return None;
        }
        // (b), (c)
        if !certificate.self_issued() || last {
            for subtrees in &permitted {
                if !names(certificate).all(|name| is_permitted(name, subtrees)) {
                    return None;
                }
            }
            if names(certificate).any(|name| excluded.iter().any(|base| is_within(name, *base))) {
                return None;
            }
        }
        // (d), (e)
        tree = match (tree, &certificate.policies) {
            (Some(tree), Some(policies)) => {
                tree.certificate(i, policies, inhibit_any > 0 || (!last && certificate.self_issued()))
            }
            _ => None,
        };
        // (f)
        if explicit_policy == 0 && tree.is_none() {
            return None;
        }
        // §6.1.4 (o), §6.1.5 (f)
        if certificate.unknown_critical {
            return None;
        }
        if last {
            break;
        }
        // §6.1.4 (a)
        if certificate.mappings.iter().any(|(from, to)| *from == 0 || *to == 0) {
            return None;
        }
        // (b)
        if let Some(old) = tree.take() {
            tree = old.map(i, &certificate.mappings, policy_mapping > 0);
        }
        // (c) to (f)
        (working_name, working_key) = (certificate.subject, certificate.key);
        // (g)
        permitted.push(&certificate.permitted);
        excluded.extend(&certificate.excluded);
        // (h)
        if !certificate.self_issued() {
            explicit_policy = explicit_policy.saturating_sub(1);
            policy_mapping = policy_mapping.saturating_sub(1);
            inhibit_any = inhibit_any.saturating_sub(1);
        }
        // (i), (j)
        explicit_policy = explicit_policy.min(certificate.constraints.0.unwrap_or(u8::MAX));
        policy_mapping = policy_mapping.min(certificate.constraints.1.unwrap_or(u8::MAX));
        inhibit_any = inhibit_any.min(certificate.inhibit_any.unwrap_or(u8::MAX));
        // (k)
        let Some((true, limit)) = certificate.basic else { return None };
        // (l)
        if !certificate.self_issued() {
            max_path_length = max_path_length.checked_sub(1)?;
        }
        // (m)
        max_path_length = max_path_length.min(limit.unwrap_or(u8::MAX));
        // (n)
        if certificate.usage.is_some_and(|(certificates, _)| !certificates) {
            return None;
        }
    }
    // §6.1.5 (a), (b)
    explicit_policy = explicit_policy.saturating_sub(1);
    if certificates.last()?.constraints.0 == Some(0) {
        explicit_policy = 0;
    }
    // (g)
    let constrained = match &tree {
        None => Some(BTreeSet::new()),
        Some(tree) => tree.intersected(n, inputs.initial.as_deref()),
    };
    let is_null = constrained.as_ref().is_some_and(BTreeSet::is_empty);
    if explicit_policy == 0 && is_null { None } else { Some(constrained) }
}

fn names(certificate: &Model) -> impl Iterator<Item = Subtree> {
    let hosts = certificate.hosts.iter().map(|host| Subtree::Host(host));
    let subject = (!certificate.subject.is_empty()).then_some(Subtree::Directory(certificate.subject));
    hosts.chain(subject)
}

fn is_permitted(name: Subtree, subtrees: &[Subtree]) -> bool {
    let mut same = subtrees.iter().filter(|base| {
        matches!((name, base), (Subtree::Host(_), Subtree::Host(_)) | (Subtree::Directory(_), Subtree::Directory(_)))
    });
    let has_form = same.clone().next().is_some();
    !has_form || same.any(|base| is_within(name, *base))
}

fn is_within(name: Subtree, base: Subtree) -> bool {
    match (name, base) {
        (Subtree::Host(host), Subtree::Host(base)) => {
            host == base || base.is_empty() || host.strip_suffix(base).is_some_and(|rest| rest.ends_with('.'))
        }
        (Subtree::Directory(subject), Subtree::Directory(base)) => base.is_empty() || subject == base,
        _ => false,
    }
}

/// Returns every path from a certificate to the anchor, with the end-entity certificate last. A path does not contain two
/// certificates with the same subject and key.
pub fn paths<'m>(leaf: &'m Model, pool: &[&'m Model], inputs: &Inputs) -> Vec<Vec<&'m Model>> {
    let mut found = Vec::new();
    let mut open = vec![vec![leaf]];
    while let Some(path) = open.pop() {
        let top = path[0];
        // RFC 5280 §6.1: the self-signed certificate in which the anchor is given is no part of the path.
        let of_anchor = path.len() > 1 && (top.subject, top.key) == inputs.anchor;
        if (top.issuer, top.signer) == inputs.anchor && !of_anchor {
            found.push(path.clone());
        }
        for above in pool.iter().copied().filter(|above| (above.subject, above.key) == (top.issuer, top.signer)) {
            if !path.iter().any(|below| (below.subject, below.key) == (above.subject, above.key)) {
                open.push([&[above], &path[..]].concat());
            }
        }
    }
    found
}
