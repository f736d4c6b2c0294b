//! Policies: groups of cosigners with quorums.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Cosigner, GroupReport};
use crate::TrustAnchorId;

/// Cosigners and their groups. A group must be defined before it is used, so there are no cycles.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    cosigners: Vec<Cosigner>,
    groups: Vec<Group>,
}

/// A group with a quorum of members.
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

/// The reason that something cannot be added to a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyFault {
    /// A duplicate cosigner.
    DuplicateCosigner,
    /// A duplicate group name.
    DuplicateGroup,
    /// The member is neither a cosigner nor an earlier group.
    UnknownMember,
    /// A duplicate member.
    DuplicateMember,
    /// The quorum is zero or exceeds the number of members.
    Quorum,
}

impl fmt::Display for PolicyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DuplicateCosigner => "the cosigner is defined twice",
            Self::DuplicateGroup => "the group is defined twice",
            Self::UnknownMember => "a member must be a cosigner or a group defined before",
            Self::DuplicateMember => "a member occurs twice",
            Self::Quorum => "the number of members needed must be at least 1 and at most the number of members",
        })
    }
}

impl core::error::Error for PolicyFault {}

impl Group {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The quorum.
    #[must_use]
    pub const fn needed(&self) -> usize {
        self.needed
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }
}

impl Policy {
    /// Adds a cosigner.
    ///
    /// # Errors
    /// [`PolicyFault::DuplicateCosigner`]: an ID has one key.
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
    /// [`PolicyFault`].
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

    /// Returns the cosigner with an ID.
    #[must_use]
    pub fn cosigner(&self, id: &TrustAnchorId) -> Option<&Cosigner> {
        self.cosigners.iter().find(|one| one.id() == id)
    }

    /// Returns the index of the group with a name.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.name == name)
    }

    /// The cosigners.
    #[must_use]
    pub fn cosigners(&self) -> &[Cosigner] {
        &self.cosigners
    }

    /// The groups.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns whether a cosigner is in a group, directly or through others.
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

    /// Judges a group and those before it by these cosigners, the group last. A group that is not there has no report.
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
