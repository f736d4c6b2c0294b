//! Records: systemd's "JSON User Records" and "JSON Group Records". Unknown fields are preserved.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::names;
use crate::query::Disposition;

/// A restricted section that contains password hashes or private data. It is preserved but never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sealed(Map<String, Value>);

impl Sealed {
    /// Reveals the content.
    #[must_use]
    pub const fn reveal(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl From<Map<String, Value>> for Sealed {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

/// A user.
///
/// ```
/// use tagwise_userdb::UserRecord;
/// let user: UserRecord = serde_json::from_str(r#"{"userName":"ann","uid":1000,"iconName":"cat"}"#)?;
/// assert_eq!((&*user.user_name, user.uid), ("ann", Some(1000)));
/// assert_eq!(user.rest["iconName"], "cat");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserRecord {
    /// The login name.
    pub user_name: String,
    /// The realm, for users that span several hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// Alternative names of the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_name: Option<String>,
    /// The user's email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email_address: Option<String>,
    /// The kind of user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disposition: Option<Disposition>,
    /// The UID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// The primary group's GID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
    /// The names of supplementary groups. The list may be incomplete, because memberships can also be recorded elsewhere, such as
    /// in group records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub member_of: Vec<String>,
    /// The home directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_directory: Option<String>,
    /// The login shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// True if login is disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
    /// The time before which login is not allowed, in microseconds since the Unix epoch.
    #[serde(rename = "notBeforeUSec", skip_serializing_if = "Option::is_none")]
    pub not_before: Option<u64>,
    /// The time after which login is not allowed, in microseconds since the Unix epoch.
    #[serde(rename = "notAfterUSec", skip_serializing_if = "Option::is_none")]
    pub not_after: Option<u64>,
    /// The service that manages the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The section that is visible only to the user and to root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privileged: Option<Sealed>,
    /// Secrets in plain text. Services never send them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<Sealed>,
    /// True if the service omitted sections that the caller is not allowed to see.
    #[serde(skip)]
    pub incomplete: bool,
    /// All other fields, including signatures.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl UserRecord {
    /// Creates a user record with only a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { user_name: name.into(), ..Self::default() }
    }

    /// Returns the kind of user, from the record or otherwise derived from the UID.
    #[must_use]
    pub fn kind(&self) -> Option<Disposition> {
        self.disposition.or_else(|| self.uid.map(Disposition::of_number))
    }

    /// Returns whether a name refers to the user: the login name, an alias, or `name@realm`.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        let with_realm = || {
            let realm = self.realm.as_deref()?;
            let (user, asked) = name.rsplit_once('@')?;
            Some(user == self.user_name && asked == realm)
        };
        self.user_name == name || self.aliases.iter().any(|alias| alias == name) || with_realm() == Some(true)
    }

    /// Removes the restricted sections.
    #[must_use]
    pub fn public(mut self) -> Self {
        (self.privileged, self.secret) = (None, None);
        self
    }

    /// Checks the common fields of user records.
    pub(crate) fn check(&self) -> Result<(), Error> {
        named("userName", &self.user_name)?;
        self.aliases.iter().try_for_each(|alias| named("aliases", alias))?;
        self.member_of.iter().try_for_each(|group| named("memberOf", group))?;
        numbered("uid", self.uid)?;
        numbered("gid", self.gid)?;
        path("homeDirectory", self.home_directory.as_deref())?;
        path("shell", self.shell.as_deref())
    }
}

/// A group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupRecord {
    /// The group name.
    pub group_name: String,
    /// The realm, for groups that span several hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// A human-readable description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kind of group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disposition: Option<Disposition>,
    /// The GID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
    /// The names of members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// The names of users who may modify the group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub administrators: Vec<String>,
    /// The service that manages the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The restricted section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privileged: Option<Sealed>,
    /// True if the service omitted sections that the caller is not allowed to see.
    #[serde(skip)]
    pub incomplete: bool,
    /// All other fields, including signatures.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl GroupRecord {
    /// Creates a group record with only a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { group_name: name.into(), ..Self::default() }
    }

    /// Returns the kind of group, from the record or otherwise derived from the GID.
    #[must_use]
    pub fn kind(&self) -> Option<Disposition> {
        self.disposition.or_else(|| self.gid.map(Disposition::of_number))
    }

    /// Returns whether a name refers to the group: its name, or `name@realm`.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        let with_realm = || {
            let realm = self.realm.as_deref()?;
            let (group, asked) = name.rsplit_once('@')?;
            Some(group == self.group_name && asked == realm)
        };
        self.group_name == name || with_realm() == Some(true)
    }

    /// Removes the restricted sections.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.privileged = None;
        self
    }

    /// Checks the common fields of group records.
    pub(crate) fn check(&self) -> Result<(), Error> {
        named("groupName", &self.group_name)?;
        self.members.iter().try_for_each(|member| named("members", member))?;
        self.administrators.iter().try_for_each(|member| named("administrators", member))?;
        numbered("gid", self.gid)
    }
}

/// The membership of a user in a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Membership {
    /// The user.
    pub user_name: String,
    /// The group.
    pub group_name: String,
}

impl Membership {
    /// Creates a membership.
    #[must_use]
    pub fn new(user: impl Into<String>, group: impl Into<String>) -> Self {
        Self { user_name: user.into(), group_name: group.into() }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        named("userName", &self.user_name)?;
        named("groupName", &self.group_name)
    }
}

fn named(field: &'static str, name: &str) -> Result<(), Error> {
    names::fault(name).map_or(Ok(()), |fault| Err(Error::Record(field, format!("{name:?} {fault}"))))
}

fn numbered(field: &'static str, number: Option<u32>) -> Result<(), Error> {
    let fault = number.and_then(|number| Some((number, names::number_fault(number)?)));
    fault.map_or(Ok(()), |(number, fault)| Err(Error::Record(field, format!("{number} {fault}"))))
}

fn path(field: &'static str, path: Option<&str>) -> Result<(), Error> {
    let is_odd = |path: &str| !path.starts_with('/') || path.contains(|char: char| char.is_control() || char == ':');
    match path {
        Some(path) if is_odd(path) => Err(Error::Record(field, format!("{path:?} is not an absolute path"))),
        _ => Ok(()),
    }
}
