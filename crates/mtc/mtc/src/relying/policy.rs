//! Policies: groups of cosigners with quorums.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Cosigner, GroupReport};
use crate::TrustAnchorId;

/// Cosigners and their groups. A group must be defined before it is used, so cycles are impossible.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    cosigners: Vec<Cosigner>,
    groups: Vec<Group>,
}

/// A group of cosigners or other groups, with a quorum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    name: String,
    needed: usize,
    members: Vec<Member>,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// A cosigner.
    Cosigner(TrustAnchorId),
    /// Another group, by its index in the policy.
    Group(usize),
}

/// The reason why an item cannot be added to a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyFault {
    /// The cosigner is already defined.
    DuplicateCosigner,
    /// The group name is already defined.
    DuplicateGroup,
    /// The member is neither a cosigner nor an earlier group.
    UnknownMember,
    /// A member is duplicated.
    DuplicateMember,
    /// The quorum is zero or exceeds the number of members.
    Quorum,
}

impl fmt::Display for PolicyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DuplicateCosigner => "duplicate cosigner",
            Self::DuplicateGroup => "duplicate group",
            Self::UnknownMember => "a member must be a cosigner or a group defined before",
            Self::DuplicateMember => "duplicate member",
            Self::Quorum => "the number of required members must be between 1 and the number of members",
        })
    }
}

impl core::error::Error for PolicyFault {}

impl Group {
    /// Returns the group's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the group's quorum: the required number of members.
    #[must_use]
    pub const fn needed(&self) -> usize {
        self.needed
    }

    /// Returns the group's members.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }
}

impl Policy {
    /// Adds a cosigner.
    ///
    /// # Errors
    /// Returns [`PolicyFault::DuplicateCosigner`] if the ID is already defined. Each ID has only one key.
    pub fn add_cosigner(&mut self, cosigner: Cosigner) -> Result<(), PolicyFault> {
        if self.cosigner(cosigner.id()).is_some() {
            return Err(PolicyFault::DuplicateCosigner);
        }
        self.cosigners.push(cosigner);
        Ok(())
    }

    /// Adds a group with a quorum of `needed` members, and returns its index.
    ///
    /// # Errors
    /// Returns a [`PolicyFault`] if the name, a member or the quorum is invalid.
    pub fn add_group(&mut self, name: &str, needed: usize, members: &[Member]) -> Result<usize, PolicyFault> {
        if self.group(name).is_some() {
            return Err(PolicyFault::DuplicateGroup);
        }
        if needed == 0 || needed > members.len() {
            return Err(PolicyFault::Quorum);
        }
        for (index, member) in members.iter().enumerate() {
            let known = match member {
                Member::Cosigner(id) => self.cosigner(id).is_some(),
                Member::Group(place) => *place < self.groups.len(),
            };
            if !known {
                return Err(PolicyFault::UnknownMember);
            }
            if members.iter().take(index).any(|other| other == member) {
                return Err(PolicyFault::DuplicateMember);
            }
        }
        self.groups.push(Group { name: name.to_string(), needed, members: members.to_vec() });
        Ok(self.groups.len().saturating_sub(1))
    }

    /// Returns the cosigner with the given ID.
    #[must_use]
    pub fn cosigner(&self, id: &TrustAnchorId) -> Option<&Cosigner> {
        self.cosigners.iter().find(|one| one.id() == id)
    }

    /// Returns the index of the group with the given name.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.name == name)
    }

    /// Returns the policy's cosigners.
    #[must_use]
    pub fn cosigners(&self) -> &[Cosigner] {
        &self.cosigners
    }

    /// Returns the policy's groups.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns whether a cosigner is in a group, directly or through other groups.
    pub(super) fn reaches(&self, group: usize, id: &TrustAnchorId) -> bool {
        let mut reached = alloc::vec![false; self.groups.len()];
        // Groups refer to those before them.
        for (place, group) in self.groups.iter().enumerate() {
            let found = group.members.iter().any(|member| match member {
                Member::Cosigner(one) => one == id,
                Member::Group(place) => reached.get(*place) == Some(&true),
            });
            if let Some(place) = reached.get_mut(place) {
                *place = found;
            }
        }
        reached.get(group) == Some(&true)
    }

    /// Evaluates a group, and the groups before it, against the given cosigners. The group's report is the last one. An unknown
    /// group yields no report.
    pub(super) fn evaluate(&self, group: usize, valid: &[TrustAnchorId]) -> Vec<GroupReport> {
        let mut reports: Vec<GroupReport> = Vec::new();
        if group >= self.groups.len() {
            return reports;
        }
        for one in self.groups.iter().take(group.saturating_add(1)) {
            let found = one.members.iter().filter(|member| match member {
                Member::Cosigner(id) => valid.contains(id),
                Member::Group(place) => reports.get(*place).is_some_and(GroupReport::is_met),
            });
            reports.push(GroupReport { name: one.name.clone(), needed: one.needed, found: found.count() });
        }
        reports
    }
}
