//! KERB_VALIDATION_INFO (MS-PAC §2.5): the user, their times and their groups.

use tagwise_pkix::UnixTime;

use crate::bin::FileError;

use super::info::Sid;
use super::ndr::Ndr;

/// A group's RID and attributes (MS-PAC §2.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMembership {
    /// The RID.
    pub rid: u32,
    /// The attributes.
    pub attributes: u32,
}

/// The user and the user's groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogonInfo {
    /// The time at which the user logged on.
    pub logon_time: Option<UnixTime>,
    /// The time at which the logon ends.
    pub logoff_time: Option<UnixTime>,
    /// The time at which the user is forcibly logged off.
    pub kick_off_time: Option<UnixTime>,
    /// The time at which the password was last set.
    pub password_last_set: Option<UnixTime>,
    /// The time from which the password may be changed.
    pub password_can_change: Option<UnixTime>,
    /// The time by which the password must be changed.
    pub password_must_change: Option<UnixTime>,
    /// The account's name.
    pub effective_name: String,
    /// The user's full name.
    pub full_name: String,
    /// The path of the logon script.
    pub logon_script: String,
    /// The path of the profile.
    pub profile_path: String,
    /// The path of the home directory.
    pub home_directory: String,
    /// The drive of the home directory.
    pub home_drive: String,
    /// The number of logons.
    pub logon_count: u16,
    /// The number of failed logons.
    pub bad_password_count: u16,
    /// The user's RID.
    pub user_id: u32,
    /// The primary group's RID.
    pub primary_group_id: u32,
    /// The user's groups in the domain.
    pub groups: Vec<GroupMembership>,
    /// The logon flags.
    pub user_flags: u32,
    /// The KDC's name.
    pub logon_server: String,
    /// The domain's NetBIOS name.
    pub logon_domain: String,
    /// The domain's SID.
    pub domain_id: Option<Sid>,
    /// The account flags.
    pub account_control: u32,
    /// Additional SIDs, such as groups of other domains, with their attributes.
    pub extra_sids: Vec<(Option<Sid>, u32)>,
    /// The domain of the resource groups.
    pub resource_domain: Option<Sid>,
    /// The resource domain's groups.
    pub resource_groups: Vec<GroupMembership>,
}

impl LogonInfo {
    pub(super) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let ndr = &mut Ndr::new(octets)?;
        let (logon_time, logoff_time, kick_off_time) = (ndr.time()?, ndr.time()?, ndr.time()?);
        let (password_last_set, password_can_change, password_must_change) = (ndr.time()?, ndr.time()?, ndr.time()?);
        let mut has = [false; 6];
        for has in &mut has {
            *has = ndr.string()?;
        }
        let (logon_count, bad_password_count) = (ndr.u16()?, ndr.u16()?);
        let (user_id, primary_group_id) = (ndr.u32()?, ndr.u32()?);
        let (group_count, has_groups) = (ndr.u32()?, ndr.pointer()?);
        let user_flags = ndr.u32()?;
        // The user's session key, which is for NTLM.
        ndr.bytes(16)?;
        let (has_server, has_domain, has_domain_id) = (ndr.string()?, ndr.string()?, ndr.pointer()?);
        // Reserved.
        ndr.u32()?;
        ndr.u32()?;
        let account_control = ndr.u32()?;
        // SubAuthStatus, LastSuccessfulILogon, LastFailedILogon, FailedILogonCount, reserved.
        for _ in 0..7 {
            ndr.u32()?;
        }
        let (extra_count, has_extra) = (ndr.u32()?, ndr.pointer()?);
        let (has_resource_domain, resource_count, has_resource_groups) = (ndr.pointer()?, ndr.u32()?, ndr.pointer()?);

        // What pointers point at, in the order of the pointers.
        let [effective_name, full_name, logon_script, profile_path, home_directory, home_drive] = {
            let mut texts = [const { String::new() }; 6];
            for (text, has) in texts.iter_mut().zip(has) {
                *text = ndr.string_content(has)?;
            }
            texts
        };
        let groups = groups(ndr, group_count, has_groups)?;
        let logon_server = ndr.string_content(has_server)?;
        let logon_domain = ndr.string_content(has_domain)?;
        let domain_id = has_domain_id.then(|| ndr.sid()).transpose()?;
        let mut extra_sids = Vec::new();
        if has_extra {
            let mut fixed = Vec::new();
            for _ in 0..ndr.count(extra_count)? {
                fixed.push((ndr.pointer()?, ndr.u32()?));
            }
            for (has, attributes) in fixed {
                extra_sids.push((has.then(|| ndr.sid()).transpose()?, attributes));
            }
        }
        let resource_domain = has_resource_domain.then(|| ndr.sid()).transpose()?;
        let resource_groups = self::groups(ndr, resource_count, has_resource_groups)?;
        Ok(Self {
            logon_time,
            logoff_time,
            kick_off_time,
            password_last_set,
            password_can_change,
            password_must_change,
            effective_name,
            full_name,
            logon_script,
            profile_path,
            home_directory,
            home_drive,
            logon_count,
            bad_password_count,
            user_id,
            primary_group_id,
            groups,
            user_flags,
            logon_server,
            logon_domain,
            domain_id,
            account_control,
            extra_sids,
            resource_domain,
            resource_groups,
        })
    }

    /// Returns the user's SID, composed of the domain's SID and the user's RID.
    #[must_use]
    pub fn user_sid(&self) -> Option<Sid> {
        self.domain_id.as_ref().map(|domain| domain.with(self.user_id))
    }
}

fn groups(ndr: &mut Ndr<'_>, count: u32, has: bool) -> Result<Vec<GroupMembership>, FileError> {
    if !has {
        return Ok(Vec::new());
    }
    (0..ndr.count(count)?).map(|_| Ok(GroupMembership { rid: ndr.u32()?, attributes: ndr.u32()? })).collect()
}
