//! The host's own user files: UIDs in `/etc/passwd`, locked and expired accounts in `/etc/shadow`.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};

use tagwise_codec::UnixTime;
use zeroize::Zeroizing;

const USERS: &str = "/etc/passwd";
const FILE: &str = "/etc/shadow";
/// The maximum size of a file, in bytes.
const MAX_FILE: u64 = 64 << 20;
const DAY: i64 = 86_400;

/// Restrictions on an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shadow {
    /// True if the password or the account is locked.
    pub(super) is_locked: bool,
    /// The account's expiration time.
    pub(super) expires: Option<UnixTime>,
    /// The time by which the password must be changed.
    pub(super) password_expires: Option<UnixTime>,
}

/// Returns the UID of a user, if the user exists.
pub(super) fn uid(name: &str) -> io::Result<Option<u32>> {
    let mut text = Vec::new();
    File::open(USERS).and_then(|file| file.take(MAX_FILE).read_to_end(&mut text))?;
    Ok(line(&text, name).and_then(|fields| std::str::from_utf8(fields.get(2)?).ok()?.parse().ok()))
}

/// Returns the fields of a user's line.
fn line<'t>(text: &'t [u8], name: &str) -> Option<Vec<&'t [u8]>> {
    let mut lines = text.split(|byte| *byte == b'\n').map(|line| line.split(|byte| *byte == b':').collect::<Vec<_>>());
    lines.find(|fields| fields.first() == Some(&name.as_bytes()))
}

/// Reads a user's entry. Returns `None` if there is none, or if this process is not allowed to read the file. A system-wide
/// KDC runs as root, which is always allowed.
pub(super) fn read(name: &str) -> io::Result<Option<Shadow>> {
    let mut text = Zeroizing::new(Vec::new());
    match File::open(FILE).and_then(|file| file.take(MAX_FILE).read_to_end(&mut text)) {
        Ok(_) => Ok(find(&text, name)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Finds a user's line (shadow(5)).
fn find(text: &[u8], name: &str) -> Option<Shadow> {
    let fields = line(text, name)?;
    let password = fields.get(1).copied().unwrap_or_default();
    // `passwd -l` and `usermod -L` put a mark before the password. The mark alone is an account that never had one, which something
    // else may authenticate.
    let marks = password.iter().take_while(|byte| **byte == b'!').count();
    let days = |at: usize| {
        let field = fields.get(at).and_then(|days| std::str::from_utf8(days).ok()?.parse::<i64>().ok());
        field.filter(|days| *days >= 0)
    };
    // Day 0 of the last change stands for a change at the next login. 99999 days and more are no limit (login.defs(5)).
    let password_days = match (days(2), days(4)) {
        (Some(0), _) => Some(0),
        (Some(changed), Some(most)) if most < 99_999 => Some(changed.saturating_add(most)),
        _ => None,
    };
    let days = days(7);
    // `chage -E 0` and `-E 1` lock an account; both are in use.
    let is_locked = (marks > 0 && password.len() > marks) || days.is_some_and(|days| days <= 1);
    // A moment of 0 is no moment to a KDC.
    let moment = |days: i64| UnixTime(days.saturating_mul(DAY).max(1));
    Some(Shadow { is_locked, expires: days.map(moment), password_expires: password_days.map(moment) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_has_number_0() {
        assert_eq!(uid("root").ok().flatten(), Some(0));
        assert_eq!(uid("no-such-user").ok().flatten(), None);
    }

    #[test]
    fn locked_and_expired_accounts() {
        let text =
            b"root:*:19000:0:99999:7:::\nann:$y$j9T$abc:19000:0:99999:7:::\nlocked:!$y$j9T$abc:19000:0:99999:7:::\n\
            star:!*:19000::::::\nnever:!:19000:0:99999:7:::\nolder:!!:19000::::::\ndated:$6$x:1:0:9:7::20000:\n\
            zero:$6$x:1:0:9:7::0:\nodd\nbad:$6$x:1:0:9:7::-5:\n";
        let locked = |name| find(text, name).map(|found| found.is_locked);
        for (name, expected) in [
            ("root", Some(false)),
            ("ann", Some(false)),
            ("locked", Some(true)),
            ("star", Some(true)),
            ("never", Some(false)),
            ("older", Some(false)),
            ("dated", Some(false)),
            ("zero", Some(true)),
            ("odd", Some(false)),
            ("bad", Some(false)),
            ("an", None),
            ("nobody", None),
        ] {
            assert_eq!(locked(name), expected, "{name}");
        }
        assert_eq!(find(text, "dated").and_then(|found| found.expires), Some(UnixTime(20_000 * DAY)));
        let password = |name| find(text, name).and_then(|found| found.password_expires);
        assert_eq!(password("dated"), Some(UnixTime(10 * DAY)));
        assert_eq!([password("ann"), password("star"), password("odd")], [None; 3]);
        let aged = b"now:$6$x:0:0:99999:7:::\nsoon:$6$x:20000:0:90:7:::\n";
        assert_eq!(find(aged, "now").and_then(|found| found.password_expires), Some(UnixTime(1)));
        assert_eq!(find(aged, "soon").and_then(|found| found.password_expires), Some(UnixTime(20_090 * DAY)));
        assert_eq!(find(text, "bad").and_then(|found| found.expires), None);
    }
}
