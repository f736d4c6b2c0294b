//! A relying party's configuration as text, one statement per line.
//!
//! ```text
//! cosigner ID ALGORITHM BASE64          a cosigner and its key, a SubjectPublicKeyInfo
//! group NAME N|any|all MEMBER...        a quorum of cosigners and previously defined groups
//! require-cosigners CA|all GROUP        a group that must sign in addition to the CA
//! revoke-range CA MIN MAX               serial numbers: LOG:INDEX, a number, or `max`
//! trusted-subtree CA LOG START END BASE64 [EXPIRY]
//! # a comment
//! ```
//!
//! A line `CA LOG START END BASE64` also defines a trusted subtree.

use alloc::vec::Vec;
use core::fmt;

use tagwise_codec::text::base64;

use super::{Cosigner, Member, Policy, PolicyFault, RelyingParty, TrustedSubtree};
use crate::tree::{MAX_SIZE, Subtree};
use crate::{CosignerAlgorithm, Error, Hash, Serial, TrustAnchorId, landmark};

/// A configuration error, with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The line number, from 1.
    pub line: usize,
    /// The kind of error.
    pub fault: ConfigurationFault,
}

/// The kind of error in a configuration line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigurationFault {
    /// The statement is unknown.
    Statement,
    /// The statement has the wrong number of words.
    Words,
    /// A number is malformed or out of range.
    Number,
    /// The base64 is malformed, or its content has the wrong length.
    Base64,
    /// The cosigner algorithm is unknown.
    Algorithm,
    /// The CA is unknown.
    UnknownAuthority,
    /// The group is unknown.
    UnknownGroup,
    /// The CA's own cosigner is a member of the group, although it must not count toward the quorum (MTC §7.3).
    AuthorityInGroup,
    /// A group is already required for the CA.
    DuplicateRequirement,
    /// The subtree is already trusted with a different hash.
    DuplicateSubtree,
    /// The range is not a valid subtree.
    Subtree,
    /// A range ends before it begins.
    Range,
    /// The range contains no serial number that the CA may assign, so nothing would be revoked.
    NoSerial,
    /// An ID or key is malformed.
    Value(Error),
    /// The cosigner or group cannot be added to the policy.
    Policy(PolicyFault),
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        f.write_str(match &self.fault {
            ConfigurationFault::Value(error) => return error.fmt(f),
            ConfigurationFault::Policy(fault) => return fault.fmt(f),
            ConfigurationFault::Statement => {
                "expected cosigner, group, require-cosigners, revoke-range or trusted-subtree"
            }
            ConfigurationFault::Words => "wrong number of words in the statement",
            ConfigurationFault::Number => "expected a number within the allowed range",
            ConfigurationFault::Base64 => "expected base64",
            ConfigurationFault::Algorithm => "expected the signature algorithm of a cosigner",
            ConfigurationFault::UnknownAuthority => "unknown CA: its certificate must also be given",
            ConfigurationFault::UnknownGroup => "unknown group: it must be defined before it is used",
            ConfigurationFault::AuthorityInGroup => "the CA's own cosigner must not count for the group",
            ConfigurationFault::DuplicateRequirement => {
                "a group is already required for the CA: define a group of both, and require that"
            }
            ConfigurationFault::DuplicateSubtree => "the subtree is already trusted with a different hash",
            ConfigurationFault::Subtree => "start and end do not form a subtree",
            ConfigurationFault::Range => "the range is reversed",
            ConfigurationFault::NoSerial => {
                "the range contains no serial number of a log: expected LOG:INDEX, such as 1:0, or numbers from 2^48 on"
            }
        })
    }
}

impl core::error::Error for ConfigurationError {}

impl RelyingParty {
    /// Applies a configuration text. CAs must already have been added.
    ///
    /// # Errors
    /// Returns a `ConfigurationError` for the first invalid line. Preceding lines have already been applied.
    pub fn configure(&mut self, text: &str) -> Result<(), ConfigurationError> {
        for (index, line) in text.lines().enumerate() {
            let line = line.split_once('#').map_or(line, |(line, _comment)| line);
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let fail = |fault| ConfigurationError { line: index.saturating_add(1), fault };
            self.statement(&words).map_err(fail)?;
        }
        Ok(())
    }

    fn statement(&mut self, words: &[&str]) -> Result<(), ConfigurationFault> {
        match words {
            [] => Ok(()),
            ["cosigner", id, algorithm, key] => {
                let algorithm: CosignerAlgorithm =
                    algorithm.parse().map_err(|_unknown| ConfigurationFault::Algorithm)?;
                let cosigner = Cosigner::new(parsed_id(id)?, algorithm, &decoded(key)?);
                let cosigner = cosigner.map_err(ConfigurationFault::Value)?;
                self.policy_mut().add_cosigner(cosigner).map_err(ConfigurationFault::Policy)
            }
            ["group", name, needed, members @ ..] => {
                let needed = match *needed {
                    "any" => 1,
                    "all" => members.len(),
                    text => usize::try_from(number(text, u64::from(u32::MAX))?).unwrap_or(usize::MAX),
                };
                let members: Result<Vec<Member>, _> = members.iter().map(|name| member(self.policy(), name)).collect();
                let added = self.policy_mut().add_group(name, needed, &members?);
                added.map(drop).map_err(ConfigurationFault::Policy)
            }
            ["require-cosigners", ca, name] => self.require(ca, name),
            ["revoke-range", ca, first, last] => {
                let (first, last) = (serial(first)?, serial(last)?);
                if first > last {
                    return Err(ConfigurationFault::Range);
                }
                let ca = parsed_id(ca)?;
                let authority = self.authority_mut(&ca).ok_or(ConfigurationFault::UnknownAuthority)?;
                if !authority.may_give(first, last) {
                    return Err(ConfigurationFault::NoSerial);
                }
                authority.revoke(first, last);
                Ok(())
            }
            ["trusted-subtree", words @ ..] => self.trusted(words),
            ["cosigner" | "group" | "require-cosigners" | "revoke-range", ..] => Err(ConfigurationFault::Words),
            [first, ..] if first.starts_with(|sign: char| sign.is_ascii_digit()) => self.trusted(words),
            _ => Err(ConfigurationFault::Statement),
        }
    }

    fn require(&mut self, ca: &str, name: &str) -> Result<(), ConfigurationFault> {
        let group = self.policy().group(name).ok_or(ConfigurationFault::UnknownGroup)?;
        let wanted = if ca == "all" { None } else { Some(parsed_id(ca)?) };
        let ids: Vec<TrustAnchorId> =
            self.authorities().map(|one| *one.id()).filter(|id| wanted.is_none_or(|wanted| wanted == *id)).collect();
        if ids.is_empty() {
            return Err(ConfigurationFault::UnknownAuthority);
        }
        if ids.iter().any(|id| self.policy().reaches(group, id)) {
            return Err(ConfigurationFault::AuthorityInGroup);
        }
        // If a second group replaced the first, the requirement would be weaker than written.
        let has_another = |id| self.authority(id).is_some_and(|one| one.required().is_some_and(|there| there != group));
        if ids.iter().any(has_another) {
            return Err(ConfigurationFault::DuplicateRequirement);
        }
        for id in ids {
            if let Some(authority) = self.authority_mut(&id) {
                authority.require(group);
            }
        }
        Ok(())
    }

    fn trusted(&mut self, words: &[&str]) -> Result<(), ConfigurationFault> {
        let (ca, log, start, end, hash, expiry) = match words {
            [ca, log, start, end, hash] => (ca, log, start, end, hash, None),
            [ca, log, start, end, hash, expiry] => (ca, log, start, end, hash, Some(number(expiry, u64::MAX)?)),
            _ => return Err(ConfigurationFault::Words),
        };
        let log = u16::try_from(number(log, u64::from(u16::MAX))?).ok().filter(|log| *log != 0);
        let log = log.ok_or(ConfigurationFault::Number)?;
        let subtree = Subtree::new(number(start, MAX_SIZE)?, number(end, MAX_SIZE)?);
        let subtree = subtree.ok_or(ConfigurationFault::Subtree)?;
        let hash = Hash::try_from(decoded(hash)?.as_slice()).map_err(|_length| ConfigurationFault::Base64)?;
        let authority = self.authority_mut(&parsed_id(ca)?).ok_or(ConfigurationFault::UnknownAuthority)?;
        if authority.subtree(log, subtree).is_some_and(|there| there.hash != hash) {
            return Err(ConfigurationFault::DuplicateSubtree);
        }
        authority.trust(log, subtree, TrustedSubtree { hash, expiry });
        Ok(())
    }
}

fn parsed_id(text: &str) -> Result<TrustAnchorId, ConfigurationFault> {
    text.parse().map_err(ConfigurationFault::Value)
}

fn decoded(text: &str) -> Result<Vec<u8>, ConfigurationFault> {
    base64::decode(text.as_bytes()).map_err(|_fault| ConfigurationFault::Base64)
}

fn number(text: &str, max: u64) -> Result<u64, ConfigurationFault> {
    landmark::decimal(text, max).map_err(|_kind| ConfigurationFault::Number)
}

/// Returns the member with the given name: a cosigner by its ID, otherwise a group.
fn member(policy: &Policy, name: &str) -> Result<Member, ConfigurationFault> {
    if let Some(group) = policy.group(name) {
        return Ok(Member::Group(group));
    }
    let id = name.parse().ok().filter(|id| policy.cosigner(id).is_some());
    id.map(Member::Cosigner).ok_or(ConfigurationFault::Policy(PolicyFault::UnknownMember))
}

/// Parses a serial number: `LOG:INDEX`, a number, or `max`.
fn serial(text: &str) -> Result<u64, ConfigurationFault> {
    match text.split_once(':') {
        Some((log, "max")) => {
            let log = number(log, u64::from(u16::MAX))?;
            Ok(log << 48 | ((1 << 48) - 1))
        }
        Some((log, index)) => Ok(number(log, u64::from(u16::MAX))? << 48 | number(index, (1 << 48) - 1)?),
        None if text == "max" => Ok(Serial::MAX.number()),
        None => number(text, u64::MAX),
    }
}
