//! Policy processing as a graph (RFC 9618, which replaces the tree of RFC 5280 §6.1). The graph has one node per policy and
//! depth, so size and time are linear in the number of certificates, regardless of the policy mappings.

use std::collections::HashMap;

use tagwise_codec::Oid;
use tagwise_codec::OidBuf;
use tagwise_pkix::ext::{CertificatePolicies, PolicyMappings};
use tagwise_pkix::oids;

use crate::budget::{Limit, Meter};
use crate::cert::{Cert, Ext};
use crate::policy::PolicyInputs;
use crate::refusal::{Refusal, Stop};
use crate::rules::{Rule, RuleSet};

/// A node of the graph. The `valid_policy` is the node's key in its level. Qualifiers are omitted, because they do not affect
/// the result.
struct Node<'p> {
    policy: Oid<'p>,
    /// The expected policies (expected_policy_set), or `None` for the policy itself.
    expected: Option<Vec<Oid<'p>>>,
    /// The indexes of the parent nodes in the level above.
    parents: Vec<u32>,
}

/// The nodes of one depth.
#[derive(Default)]
struct Level<'p> {
    nodes: Vec<Node<'p>>,
    by_policy: HashMap<Oid<'p>, u32>,
}

impl<'p> Level<'p> {
    fn find(&self, policy: Oid<'_>) -> Option<u32> {
        self.by_policy.get(&policy).copied()
    }

    fn add(&mut self, policy: Oid<'p>, parents: Vec<u32>, meter: &mut Meter) -> Result<(), Limit> {
        meter.policy_nodes(1 + parents.len() as u64)?;
        self.by_policy.insert(policy, self.nodes.len() as u32);
        self.nodes.push(Node { policy, expected: None, parents });
        Ok(())
    }

    /// Groups the nodes by their expected policies.
    fn by_expected(&self) -> HashMap<Oid<'p>, Vec<u32>> {
        let mut map: HashMap<Oid<'p>, Vec<u32>> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| self.is_in(node)) {
            match &node.expected {
                None => map.entry(node.policy).or_default().push(number as u32),
                Some(expected) => {
                    for policy in expected {
                        let nodes = map.entry(*policy).or_default();
                        if nodes.last() != Some(&(number as u32)) {
                            nodes.push(number as u32);
                        }
                    }
                }
            }
        }
        map
    }

    /// Returns whether the node was not deleted.
    fn is_in(&self, node: &Node<'_>) -> bool {
        self.by_policy.contains_key(&node.policy)
    }
}

/// The state of policy processing: §6.1.2 (a), (d), (e), (f).
pub(crate) struct Policies<'p> {
    /// The `valid_policy_graph`, by depth, or `None` for NULL.
    graph: Option<Vec<Level<'p>>>,
    explicit_policy: u64,
    inhibit_any_policy: u64,
    policy_mapping: u64,
}

impl<'p> Policies<'p> {
    /// Initializes §6.1.2 (a), (d), (e) and (f), for a path of `n` certificates.
    pub(crate) fn new(inputs: &PolicyInputs, n: u64) -> Self {
        let count = |inhibited: bool| if inhibited { 0 } else { n + 1 };
        let mut root = Level::default();
        root.by_policy.insert(oids::ANY_POLICY, 0);
        root.nodes.push(Node { policy: oids::ANY_POLICY, expected: None, parents: Vec::new() });
        Self {
            // (a)
            graph: Some(vec![root]),
            // (d)
            explicit_policy: count(inputs.explicit),
            // (e)
            inhibit_any_policy: count(inputs.inhibit_any),
            // (f)
            policy_mapping: count(inputs.inhibit_mapping),
        }
    }

    /// Applies RFC 9618 §5.3 and RFC 5280 §6.1.3 (d), (e) and (f) to certificate `i`. `last` is true for the end-entity
    /// certificate.
    pub(crate) fn certificate(
        &mut self,
        cert: &Cert<'p>,
        last: bool,
        rules: RuleSet,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        match (&cert.policies, &mut self.graph) {
            // (d)
            (Some(policies), Some(levels)) => {
                let any_allowed = self.inhibit_any_policy > 0 || (!last && cert.self_issued);
                let level = next_level(levels, &policies.value, any_allowed, meter)?;
                // (d)(3): nodes without children only matter if no node is left.
                if level.nodes.is_empty() {
                    self.graph = None;
                } else {
                    levels.push(level);
                }
            }
            // (e)
            (None, _) => self.graph = None,
            (Some(_), None) => {}
        }
        // (f)
        if self.explicit_policy == 0 && self.graph.is_none() && rules.has(Rule::ExplicitPolicy) {
            let refusal = Refusal::new(
                Rule::ExplicitPolicy,
                "an explicit policy is required, but none is valid up to this certificate",
            )
            .clause("RFC 5280 §6.1.3 (f)");
            return Err(refusal.at(policies_offset(cert)).into());
        }
        Ok(())
    }

    /// Applies RFC 5280 §6.1.4 (a) and (b), then (h) to (j), to prepare for the next certificate.
    pub(crate) fn prepare(&mut self, cert: &Cert<'p>, rules: RuleSet, meter: &mut Meter) -> Result<(), Stop> {
        if let Some(mappings) = &cert.mappings {
            // (a)
            self.no_any_policy(cert, mappings, rules)?;
            // (b)
            self.map(&mappings.value, meter)?;
        }
        // (h)
        if !cert.self_issued {
            self.explicit_policy = self.explicit_policy.saturating_sub(1);
            self.policy_mapping = self.policy_mapping.saturating_sub(1);
            self.inhibit_any_policy = self.inhibit_any_policy.saturating_sub(1);
        }
        self.limits(cert);
        Ok(())
    }

    /// Applies RFC 5280 §6.1.4 (i) and (j), and the constraints that RFC 5937 §3.2 derives from an anchor's certificate.
    pub(crate) fn limits(&mut self, cert: &Cert<'_>) {
        // (i)
        if let Some(constraints) = &cert.policy_constraints {
            // (1)
            if let Some(skip) = constraints.value.require_explicit_policy {
                self.explicit_policy = self.explicit_policy.min(skip.get());
            }
            // (2)
            if let Some(skip) = constraints.value.inhibit_policy_mapping {
                self.policy_mapping = self.policy_mapping.min(skip.get());
            }
        }
        // (j)
        if let Some(inhibit) = &cert.inhibit_any {
            self.inhibit_any_policy = self.inhibit_any_policy.min(inhibit.value.0.get());
        }
    }

    fn no_any_policy(
        &self,
        cert: &Cert<'p>,
        mappings: &Ext<PolicyMappings<'p>>,
        rules: RuleSet,
    ) -> Result<(), Refusal> {
        if !rules.has(Rule::PolicyMapping) {
            return Ok(());
        }
        for mapping in mappings.value.0.iter().map_while(Result::ok) {
            for policy in [mapping.issuer_domain_policy, mapping.subject_domain_policy] {
                if policy == oids::ANY_POLICY {
                    let refusal = Refusal::new(Rule::PolicyMapping, "anyPolicy must not be mapped");
                    return Err(refusal.at(cert.offset_of(policy.as_bytes())));
                }
            }
        }
        Ok(())
    }

    /// Applies RFC 5280 §6.1.4 (b), as updated by RFC 9618 §5.4.
    fn map(&mut self, mappings: &PolicyMappings<'p>, meter: &mut Meter) -> Result<(), Limit> {
        let Some(levels) = &mut self.graph else { return Ok(()) };
        let Some(level) = levels.last_mut() else { return Ok(()) };
        let mut targets: HashMap<Oid<'p>, Vec<Oid<'p>>> = HashMap::new();
        for mapping in mappings.0.iter().map_while(Result::ok) {
            meter.policy_nodes(1)?;
            targets.entry(mapping.issuer_domain_policy).or_default().push(mapping.subject_domain_policy);
        }
        for (policy, expected) in targets {
            if self.policy_mapping > 0 {
                // (1)
                if level.find(policy).is_none() {
                    let Some(any) = level.find(oids::ANY_POLICY) else { continue };
                    let parents = level.nodes.get(any as usize).map(|node| node.parents.clone()).unwrap_or_default();
                    level.add(policy, parents, meter)?;
                }
                let number = level.find(policy).map_or(usize::MAX, |number| number as usize);
                if let Some(node) = level.nodes.get_mut(number) {
                    node.expected = Some(expected);
                }
            } else {
                // (2)
                level.by_policy.remove(&policy);
            }
        }
        if level.by_policy.is_empty() {
            self.graph = None;
        }
        Ok(())
    }

    /// Applies RFC 5280 §6.1.5 (a), (b) and (g). Returns the user-constrained-policy-set, or `None` for any policy.
    pub(crate) fn wrap_up(
        mut self,
        cert: &Cert<'p>,
        initial: Option<&[OidBuf]>,
        rules: RuleSet,
    ) -> Result<Option<Vec<OidBuf>>, Refusal> {
        // (a)
        self.explicit_policy = self.explicit_policy.saturating_sub(1);
        // (b)
        if let Some(constraints) = &cert.policy_constraints
            && constraints.value.require_explicit_policy.is_some_and(|skip| skip.get() == 0)
        {
            self.explicit_policy = 0;
        }
        // (g)
        let constrained = match (self.authority_constrained(), initial) {
            (None, None) => None,
            (None, Some(initial)) => Some(initial.to_vec()),
            (Some(policies), None) => Some(policies.into_iter().map(OidBuf::from).collect()),
            (Some(policies), Some(initial)) => {
                let both = policies.into_iter().map(OidBuf::from).filter(|policy| initial.contains(policy));
                Some(both.collect::<Vec<_>>())
            }
        };
        let empty = constrained.as_ref().is_some_and(Vec::is_empty);
        if self.explicit_policy == 0 && empty && rules.has(Rule::ExplicitPolicy) {
            let refusal =
                Refusal::new(Rule::ExplicitPolicy, "an explicit policy is required, but no requested policy is valid");
            return Err(refusal.clause("RFC 5280 §6.1.5 (g)").at(policies_offset(cert)));
        }
        Ok(constrained)
    }

    /// Returns the authority-constrained-policy-set (RFC 9618 §5.5): policies in the anchor's domain that lead to a
    /// node at the last depth.
    fn authority_constrained(&self) -> Option<Vec<Oid<'p>>> {
        let Some(levels) = &self.graph else { return Some(Vec::new()) };
        let (last, above) = levels.split_last()?;
        if last.find(oids::ANY_POLICY).is_some() {
            return None;
        }
        let mut policies = Vec::new();
        let mut level = last;
        // The nodes of the level that lead to the last depth.
        let mut live: Vec<u32> = last.by_policy.values().copied().collect();
        for parents in above.iter().rev() {
            let mut next = vec![false; parents.nodes.len()];
            for node in live.iter().filter_map(|number| level.nodes.get(*number as usize)) {
                for parent in &node.parents {
                    let policy = parents.nodes.get(*parent as usize).map(|parent| parent.policy);
                    if policy == Some(oids::ANY_POLICY) {
                        // A child of anyPolicy is a policy of the anchor's domain.
                        policies.push(node.policy);
                    } else if let Some(slot) = next.get_mut(*parent as usize) {
                        *slot = true;
                    }
                }
            }
            live = next.iter().enumerate().filter(|(_, live)| **live).map(|(number, _)| number as u32).collect();
            level = parents;
        }
        policies.sort_unstable();
        policies.dedup();
        Some(policies)
    }
}

/// Creates the next level, as in RFC 9618 §5.3 (d)(1) and (d)(2).
fn next_level<'p>(
    levels: &[Level<'p>],
    policies: &CertificatePolicies<'p>,
    any_allowed: bool,
    meter: &mut Meter,
) -> Result<Level<'p>, Limit> {
    let empty = Level::default();
    let above = levels.last().unwrap_or(&empty);
    let expected = above.by_expected();
    let any = above.find(oids::ANY_POLICY);
    let mut level = Level::default();
    let mut has_any = false;
    for information in policies.0.iter().map_while(Result::ok) {
        let policy = information.policy_identifier;
        if policy == oids::ANY_POLICY {
            has_any = true;
            continue;
        }
        if level.find(policy).is_some() {
            continue;
        }
        match (expected.get(&policy), any) {
            // (1)(i)
            (Some(parents), _) => level.add(policy, parents.clone(), meter)?,
            // (1)(ii)
            (None, Some(any)) => level.add(policy, vec![any], meter)?,
            (None, None) => meter.policy_nodes(1)?,
        }
    }
    // (2)
    if has_any && any_allowed {
        for (policy, parents) in expected {
            if level.find(policy).is_none() {
                level.add(policy, parents, meter)?;
            }
        }
    }
    Ok(level)
}

/// Returns the offset of the certificate policies or, if they are absent, of the extensions.
fn policies_offset(cert: &Cert<'_>) -> usize {
    let extensions = cert.certificate.tbs_certificate.extensions.map(|extensions| extensions.as_seq_of().offset());
    cert.policies.as_ref().map(|policies| policies.offset).or(extensions).unwrap_or(0)
}
