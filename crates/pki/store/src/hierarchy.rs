//! The issuance hierarchy by names and key identifiers: a forest with one issuer per certificate.
//!
//! Each certificate has one group of possible issuers: those with the matching subject and key identifier, with the
//! named issuer and serial number, or with only the matching subject. A breadth-first search starts at the roots. The first
//! certificate reached in a group becomes the issuer of all certificates that refer to the group. Each certificate and
//! group is thus visited once, even with many equal names and keys, and each issuer is as close to a root as possible.
//! Loops of cross-certificates are never followed. For certificates that no root reaches, the search starts from those
//! without an issuer, and finally from the smallest remaining fingerprint.

use core::cmp::Reverse;
use std::collections::HashMap;

use super::store::{Groups, Store};

/// The criterion by which a certificate was identified as an issuer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    /// The subject matches the issuer, and the subject key identifier matches the authority key identifier.
    KeyIdentifier,
    /// The issuer and serial number match those in the authority key identifier, and the subject matches the issuer.
    IssuerAndSerial,
    /// The subject matches the issuer, and a key identifier is missing on either side.
    Name,
}

impl Link {
    /// Returns a description of the criterion.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KeyIdentifier => "key-identifier",
            Self::IssuerAndSerial => "issuer-and-serial",
            Self::Name => "name",
        }
    }
}

/// The role of a certificate in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A CA certificate that is its own issuer, by name and key identifier.
    Root,
    /// A CA certificate whose issuer is in the store.
    Intermediate,
    /// An end-entity certificate (see [`is_authority`](tagwise_pkix::Certificate::is_authority)). Its issuer is in the store
    /// or is the certificate itself.
    EndEntity,
    /// A certificate whose issuer is not in the store.
    Orphan,
    /// A copy of another certificate with a lower number.
    Duplicate,
}

impl Role {
    /// Returns the name of the role.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Intermediate => "intermediate",
            Self::EndEntity => "end-entity",
            Self::Orphan => "orphan",
            Self::Duplicate => "duplicate",
        }
    }
}

/// The issuance hierarchy of a store: see [`Store::hierarchy`].
#[derive(Clone, Debug)]
pub struct Hierarchy {
    nodes: Vec<Node>,
    children: Groups,
    /// The nodes without an issuer: roots, then orphans, then self-issued end entities, then one node of each loop.
    tops: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Option<u32>,
    link: Link,
    role: Role,
    /// The number of levels below the topmost certificate.
    level: u32,
    /// True if the topmost certificate is a root.
    anchored: bool,
    reached: bool,
    /// True for end-entity certificates.
    leaf: bool,
}

impl Hierarchy {
    /// Returns the role of a certificate.
    #[must_use]
    pub fn role(&self, number: u32) -> Option<Role> {
        self.node(number).map(|node| node.role)
    }

    /// Returns the issuer of a certificate, and the criterion by which it matches.
    #[must_use]
    pub fn parent(&self, number: u32) -> Option<(u32, Link)> {
        self.node(number).and_then(|node| Some((node.parent?, node.link)))
    }

    /// Returns the number of issuing certificates from a certificate up to its root: 0 for a root, or `None` if it has no root.
    #[must_use]
    pub fn depth(&self, number: u32) -> Option<u32> {
        self.node(number).filter(|node| node.anchored).map(|node| node.level)
    }

    /// Returns the number of issuing certificates from a certificate up to the topmost one, which need not be a root.
    #[must_use]
    pub fn level(&self, number: u32) -> u32 {
        self.node(number).map_or(0, |node| node.level)
    }

    /// Returns the numbers of the certificates that a certificate issued.
    #[must_use]
    pub fn children(&self, number: u32) -> &[u32] {
        self.children.get(number)
    }

    /// Returns the certificates without an issuer: roots, orphans, then self-issued end entities, each by number. They are followed
    /// by one certificate of each loop that does not lead to any of these.
    #[must_use]
    pub fn tops(&self) -> &[u32] {
        &self.tops
    }

    /// Iterates over the certificates with the given role, by number.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.role == role).map(|(number, _)| number as u32)
    }

    /// Iterates over the roots.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        self.of_role(Role::Root)
    }

    /// Iterates over the intermediates.
    pub fn intermediates(&self) -> impl Iterator<Item = u32> + '_ {
        self.of_role(Role::Intermediate)
    }

    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }
}

impl Store<'_> {
    /// Finds the issuer of each certificate, by names and key identifiers, without verifying signatures. If there are several
    /// candidates, they have the same name and usually the same key. The one closest to a root is then preferred, then the one
    /// that expires last, then the first.
    ///
    /// Takes linear time, except for sorting by date.
    #[must_use]
    pub fn hierarchy(&self) -> Hierarchy {
        let count = self.len();
        let plan = Plan::new(self);
        let waiting = Groups::new(count, plan.groups, |number| plan.waits.get(number)?.map(|(group, _)| group));
        let mut walk = Walk {
            nodes: (0..count as u32).map(|number| plan.node(self, number)).collect(),
            open: vec![true; plan.groups],
            next: Vec::new(),
            store: self,
            plan: &plan,
            waiting: &waiting,
        };
        let mut tops: Vec<u32> = Vec::new();
        for role in [Role::Root, Role::Orphan, Role::EndEntity] {
            let start = tops.len();
            // An end-entity certificate without an issuer group is its own issuer. Others are reached from their issuers.
            let waits =
                |number: u32| role == Role::EndEntity && plan.waits.get(number as usize).is_some_and(Option::is_some);
            tops.extend((0..count as u32).filter(|number| {
                let node = walk.nodes.get(*number as usize);
                node.is_some_and(|node| node.role == role && !node.reached && !waits(*number))
            }));
            walk.start(tops.get(start..).unwrap_or_default(), role == Role::Root);
        }
        // The remaining certificates are in loops, which are entered at the smallest fingerprint.
        let mut left: Vec<u32> = (0..count as u32)
            .filter(|number| {
                walk.nodes.get(*number as usize).is_some_and(|node| !node.reached && node.role != Role::Duplicate)
            })
            .collect();
        left.sort_unstable_by_key(|number| self.get(*number).map(|entry| *entry.record.fingerprint()));
        for number in left {
            if walk.nodes.get(number as usize).is_some_and(|node| !node.reached) {
                tops.push(number);
                walk.start(&[number], false);
            }
        }
        let nodes = walk.nodes;
        let children = Groups::new(count, count, |number| nodes.get(number)?.parent);
        Hierarchy { nodes, children, tops }
    }
}

/// The group of possible issuers that each certificate refers to, and the groups that contain it.
struct Plan {
    groups: usize,
    waits: Vec<Option<(u32, Link)>>,
    /// The three groups that contain each certificate: by subject, by subject and key identifier (or its absence), and by itself.
    member: Vec<[u32; 3]>,
    duplicate: Vec<bool>,
}

impl Plan {
    fn new(store: &Store<'_>) -> Self {
        let count = store.len();
        let names = store.names().len() as u32;
        // 0 to names: by subject. Then: by subject, without a key identifier. Then: by subject and key identifier.
        let mut keyed: HashMap<(u32, u32), u32> = HashMap::with_capacity(count);
        let mut has_members = vec![false; 2 * names as usize];
        let mut by_serial: HashMap<(u32, &[u8]), u32> = HashMap::new();
        let mut member = Vec::with_capacity(count);
        let duplicate: Vec<bool> = (0..count as u32)
            .map(|number| {
                store.get(number).and_then(|entry| store.by_fingerprint(entry.record.fingerprint())) != Some(number)
            })
            .collect();
        let numbered = store.entries().iter().zip(&store.subjects).zip(&store.subject_keys).zip(&duplicate).enumerate();
        for (number, (((entry, subject), key), twice)) in numbered {
            let next = 2 * names + keyed.len() as u32;
            let second = match key {
                Some(key) => *keyed.entry((*subject, *key)).or_insert(next),
                None => names + subject,
            };
            member.push([*subject, second, number as u32]);
            has_members.resize(has_members.len().max(second as usize + 1), false);
            if !entry.record.is_authority() || *twice {
                continue;
            }
            for group in [*subject, second] {
                if let Some(slot) = has_members.get_mut(group as usize) {
                    *slot = true;
                }
            }
            if let Some(issuer) = store.issuers.get(number) {
                by_serial.entry((*issuer, entry.record.serial(entry.der))).or_insert(number as u32);
            }
        }
        let singles = 2 * names + keyed.len() as u32;
        member.iter_mut().for_each(|[_, _, single]| *single += singles);
        let waits = (0..count)
            .map(|number| {
                let entry = store.entries().get(number)?;
                let issuer = *store.issuers.get(number)?;
                let has = |group: u32| has_members.get(group as usize).copied().unwrap_or_default();
                let authority = entry.record.authority_key_identifier(entry.der);
                if let Some(key) = authority {
                    let group = store.key(key).and_then(|key| keyed.get(&(issuer, key)));
                    if let Some(group) = group.filter(|group| has(**group)) {
                        return Some((*group, Link::KeyIdentifier));
                    }
                }
                if let Some((name, serial)) = entry.record.authority_issuer_and_serial(entry.der) {
                    let found = store.names().find(&name).and_then(|name| by_serial.get(&(name, serial)));
                    if let Some(found) = found.filter(|found| store.subjects.get(**found as usize) == Some(&issuer)) {
                        return Some((singles + found, Link::IssuerAndSerial));
                    }
                }
                let group = if authority.is_some() { names + issuer } else { issuer };
                has(group).then_some((group, Link::Name))
            })
            .collect();
        Self { groups: singles as usize + count, waits, member, duplicate }
    }

    /// Creates the initial node of a certificate.
    fn node(&self, store: &Store<'_>, number: u32) -> Node {
        let index = number as usize;
        let wait = self.waits.get(index).copied().flatten();
        let [_, _, single] = self.member.get(index).copied().unwrap_or_default();
        let entry = store.get(number);
        let self_issued = store.subjects.get(index) == store.issuers.get(index);
        let record = entry.map(|entry| (entry.der, &entry.record));
        // True if the authority key identifier is absent or matches the certificate's own key identifier.
        let own_key = record.is_some_and(|(der, record)| {
            let named = record.authority_key_identifier(der);
            let key = record.subject_key_identifier(der);
            let keys = named.is_none() || key.is_none() || named == key;
            // If both key identifiers are present, issuer and serial number need not match.
            let serial = record
                .authority_issuer_and_serial(der)
                .is_none_or(|(_, serial)| (named.is_some() && key.is_some()) || serial == record.serial(der));
            keys && serial
        });
        let leaf = !entry.is_some_and(|entry| entry.record.is_authority());
        let role = if self.duplicate.get(index).copied().unwrap_or_default() {
            Role::Duplicate
        } else if self_issued && own_key {
            if leaf { Role::EndEntity } else { Role::Root }
        } else if wait.is_none_or(|(group, _)| group == single) {
            Role::Orphan
        } else if leaf {
            Role::EndEntity
        } else {
            Role::Intermediate
        };
        let link = wait.map_or(Link::Name, |(_, link)| link);
        Node { parent: None, link, role, level: 0, anchored: false, reached: false, leaf }
    }
}

/// The breadth-first search from the topmost certificates down.
struct Walk<'p> {
    nodes: Vec<Node>,
    /// True for each group of which no certificate has been reached yet.
    open: Vec<bool>,
    /// The certificates on the next level.
    next: Vec<u32>,
    store: &'p Store<'p>,
    plan: &'p Plan,
    waiting: &'p Groups,
}

impl Walk<'_> {
    fn start(&mut self, tops: &[u32], anchored: bool) {
        for top in tops {
            if let Some(node) = self.nodes.get_mut(*top as usize) {
                (node.reached, node.anchored) = (true, anchored);
            }
        }
        let mut level: Vec<u32> = tops.to_vec();
        while !level.is_empty() {
            // Stable: in the order of the store where dates are the same.
            level.sort_by_key(|number| Reverse(self.store.get(*number).map(|entry| entry.record.not_after())));
            level.iter().for_each(|number| self.expand(*number));
            level.clear();
            core::mem::swap(&mut level, &mut self.next);
        }
    }

    fn expand(&mut self, number: u32) {
        let Some(issuer) = self.nodes.get(number as usize).copied() else { return };
        let Some(groups) = self.plan.member.get(number as usize) else { return };
        // An end entity has not issued any certificates.
        if issuer.leaf {
            return;
        }
        for group in groups {
            match self.open.get_mut(*group as usize) {
                Some(open) if *open => *open = false,
                _ => continue,
            }
            for child in self.waiting.get(*group) {
                let Some(node) = self.nodes.get_mut(*child as usize) else { continue };
                if node.reached || *child == number || node.role == Role::Duplicate {
                    continue;
                }
                node.reached = true;
                node.parent = Some(number);
                node.level = issuer.level.saturating_add(1);
                node.anchored = issuer.anchored;
                self.next.push(*child);
            }
        }
    }
}
