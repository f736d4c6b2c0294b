//! Queries for users, groups and memberships.

use serde::{Deserialize, Serialize};

use crate::record::{GroupRecord, Membership, UserRecord};

/// The kind of a user or group, as defined by systemd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Disposition {
    /// The users `root` and `nobody`.
    Intrinsic,
    /// A system user.
    System,
    /// A temporary user of a running service.
    Dynamic,
    /// A regular user, such as a person.
    Regular,
    /// A user of a container.
    Container,
    /// A reserved UID or GID.
    Reserved,
    /// A user from another namespace.
    Foreign,
}

impl Disposition {
    /// Returns the kind of a user or group according to its UID or GID, for records that do not specify it. Uses the ranges in "Users,
    /// Groups, UIDs and GIDs on systemd Systems", with system users up to 999.
    ///
    /// ```
    /// use tagwise_userdb::Disposition;
    /// assert_eq!([0, 999, 1000, 61_184, 65_534].map(Disposition::of_number), [
    ///     Disposition::Intrinsic, Disposition::System, Disposition::Regular, Disposition::Dynamic, Disposition::Intrinsic,
    /// ]);
    /// ```
    #[must_use]
    pub const fn of_number(number: u32) -> Self {
        match number {
            0 | 65_534 => Self::Intrinsic,
            1..=999 => Self::System,
            61_184..=65_519 => Self::Dynamic,
            524_288..=1_879_048_191 => Self::Container,
            2_147_352_576..=2_147_418_111 => Self::Foreign,
            0x8000_0000.. => Self::Reserved,
            _ => Self::Regular,
        }
    }
}

/// Filters, supported by services in systemd 257 and later. Older services reject or ignore them, so the client filters the
/// results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// Substrings, at least one of which must occur in the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuzzy_names: Option<Vec<String>>,
    /// The requested kinds of users or groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disposition_mask: Option<Vec<Disposition>>,
    /// The minimum UID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid_min: Option<u32>,
    /// The maximum UID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid_max: Option<u32>,
    /// The minimum GID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gid_min: Option<u32>,
    /// The maximum GID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gid_max: Option<u32>,
}

impl Filter {
    fn takes(
        &self,
        texts: &[Option<&str>],
        disposition: Option<Disposition>,
        number: Option<u32>,
        range: (Option<u32>, Option<u32>),
    ) -> bool {
        let holds = |part: &String| {
            let part = part.to_lowercase();
            texts.iter().flatten().any(|text| text.to_lowercase().contains(&part))
        };
        let named = self.fuzzy_names.as_ref().is_none_or(|parts| parts.iter().any(holds));
        let kind = |kinds: &Vec<Disposition>| disposition.is_some_and(|kind| kinds.contains(&kind));
        let within = match (range, number) {
            ((None, None), _) => true,
            ((least, greatest), Some(number)) => {
                least.is_none_or(|least| number >= least) && greatest.is_none_or(|greatest| number <= greatest)
            }
            (_, None) => false,
        };
        named && within && self.disposition_mask.as_ref().is_none_or(kind)
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A query for users: by name, by UID, by both, or for all users.
///
/// ```
/// use tagwise_userdb::UserQuery;
/// let query = UserQuery::name("ann");
/// assert_eq!((query.name.as_deref(), query.uid), (Some("ann"), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserQuery {
    /// The requested name.
    pub name: Option<String>,
    /// The requested UID.
    pub uid: Option<u32>,
    /// Additional conditions.
    pub filter: Filter,
}

impl UserQuery {
    /// Creates a query for all users.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a query for a user by name.
    #[must_use]
    pub fn name(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Creates a query for a user by UID.
    #[must_use]
    pub fn uid(uid: u32) -> Self {
        Self { uid: Some(uid), ..Self::default() }
    }

    /// Returns whether the query enumerates users instead of looking up a single one.
    #[must_use]
    pub const fn is_enumeration(&self) -> bool {
        self.name.is_none() && self.uid.is_none()
    }

    /// Returns whether a record has the requested name and UID.
    #[must_use]
    pub fn names(&self, record: &UserRecord) -> bool {
        let is_named = |name: &String| record.has_name(name);
        self.name.as_ref().is_none_or(is_named) && self.uid.is_none_or(|uid| record.uid == Some(uid))
    }

    /// Returns whether a record passes the filter.
    #[must_use]
    pub fn takes(&self, record: &UserRecord) -> bool {
        let texts = [Some(&*record.user_name), record.real_name.as_deref(), record.email_address.as_deref()];
        let range = (self.filter.uid_min, self.filter.uid_max);
        self.filter.is_empty() || self.filter.takes(&texts, record.kind(), record.uid, range)
    }
}

/// A query for groups: by name, by GID, by both, or for all groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupQuery {
    /// The requested name.
    pub name: Option<String>,
    /// The requested GID.
    pub gid: Option<u32>,
    /// Additional conditions.
    pub filter: Filter,
}

impl GroupQuery {
    /// Creates a query for all groups.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a query for a group by name.
    #[must_use]
    pub fn name(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Creates a query for a group by GID.
    #[must_use]
    pub fn gid(gid: u32) -> Self {
        Self { gid: Some(gid), ..Self::default() }
    }

    /// Returns whether the query enumerates groups instead of looking up a single one.
    #[must_use]
    pub const fn is_enumeration(&self) -> bool {
        self.name.is_none() && self.gid.is_none()
    }

    /// Returns whether a record has the requested name and GID.
    #[must_use]
    pub fn names(&self, record: &GroupRecord) -> bool {
        let is_named = |name: &String| record.has_name(name);
        self.name.as_ref().is_none_or(is_named) && self.gid.is_none_or(|gid| record.gid == Some(gid))
    }

    /// Returns whether a record passes the filter.
    #[must_use]
    pub fn takes(&self, record: &GroupRecord) -> bool {
        let texts = [Some(&*record.group_name), record.description.as_deref()];
        let range = (self.filter.gid_min, self.filter.gid_max);
        self.filter.is_empty() || self.filter.takes(&texts, record.kind(), record.gid, range)
    }
}

/// A query for memberships: by user, by group, by both, or for all memberships.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MembershipQuery {
    /// The user whose memberships are requested.
    pub user: Option<String>,
    /// The group whose memberships are requested.
    pub group: Option<String>,
}

impl MembershipQuery {
    /// Creates a query for all memberships.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a query for the groups of a user.
    #[must_use]
    pub fn user(name: impl Into<String>) -> Self {
        Self { user: Some(name.into()), group: None }
    }

    /// Creates a query for the members of a group.
    #[must_use]
    pub fn group(name: impl Into<String>) -> Self {
        Self { user: None, group: Some(name.into()) }
    }

    /// Returns whether a membership matches.
    #[must_use]
    pub fn takes(&self, membership: &Membership) -> bool {
        self.user.as_ref().is_none_or(|user| *user == membership.user_name)
            && self.group.as_ref().is_none_or(|group| *group == membership.group_name)
    }
}
