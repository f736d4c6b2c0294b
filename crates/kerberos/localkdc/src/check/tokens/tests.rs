use std::os::unix::fs::PermissionsExt as _;

use super::*;

const SEED: &str = "12345678901234567890123456789012345678901234567890123456789012345678901234567890";

#[test]
fn the_vectors_of_rfc_4226() {
    let expected = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
    for (counter, value) in (0..).zip(expected) {
        assert_eq!(hotp(&SEED.as_bytes()[..20], counter, 6, Algorithm::Sha1).as_str(), value);
    }
}

#[test]
fn the_vectors_of_rfc_6238() {
    for (time, values) in [
        (59, ["94287082", "46119246", "90693936"]),
        (1_111_111_109, ["07081804", "68084774", "25091201"]),
        (1_111_111_111, ["14050471", "67062674", "99943326"]),
        (1_234_567_890, ["89005924", "91819424", "93441116"]),
        (2_000_000_000, ["69279037", "90698825", "38618901"]),
        (20_000_000_000_u64, ["65353130", "77737706", "47863826"]),
    ] {
        let algorithms = [(Algorithm::Sha1, 20), (Algorithm::Sha256, 32), (Algorithm::Sha512, 64)];
        for ((algorithm, len), value) in algorithms.into_iter().zip(values) {
            assert_eq!(hotp(&SEED.as_bytes()[..len], time / 30, 8, algorithm).as_str(), value, "{time} {algorithm:?}");
        }
    }
}

struct Lab {
    folder: tempfile::TempDir,
    check: TokenCheck,
}

impl Lab {
    fn new(text: &str) -> Result<Self, TokenError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let check = TokenCheck::open(&file, folder.path())?;
        Ok(Self { folder, check })
    }

    fn try_at(&self, user: &str, value: &str, now: u64) -> bool {
        self.check.judge(user, &Password::new(value.as_bytes().to_vec()), now).unwrap()
    }
}

const BOTH: &str = "[ann]\nkind = 'totp'\nsecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'\ndigits = 8\n\n\
    [bob]\nkind = 'hotp'\nsecret = 'gezdgnbvgy3tqojqgezdgnbvgy3tqojq'\n";

#[test]
fn a_value_is_accepted_once_and_for_a_while() {
    let lab = Lab::new(BOTH).unwrap();
    assert!(!lab.try_at("ann", "94287082", 59 + 60), "two steps late");
    assert!(!lab.try_at("carol", "94287082", 59), "no token");
    assert!(lab.try_at("ann", "94287082", 59));
    assert!(!lab.try_at("ann", "94287082", 59), "used");
    assert!(!lab.try_at("ann", "94287082", 61), "used, within the drift");
    let later = hotp(&SEED.as_bytes()[..20], 3, 8, Algorithm::Sha1);
    assert!(lab.try_at("ann", &later, 61), "the token's clock is a step ahead");
    // A clock that was put back does not bring values back.
    assert!(!lab.try_at("ann", "94287082", 59));
    // What was used is known to the next process.
    let again = TokenCheck::open(&lab.folder.path().join("tokens.toml"), lab.folder.path()).unwrap();
    assert!(!again.judge("ann", &Password::new(later.as_bytes().to_vec()), 61).unwrap());
}

#[test]
fn a_counter_moves_on() {
    let lab = Lab::new(BOTH).unwrap();
    assert!(lab.try_at("bob", "359152", 0), "counter 2, skipping two");
    assert!(!lab.try_at("bob", "287082", 0), "counter 1 is behind");
    assert!(!lab.try_at("bob", "359152", 0), "used");
    assert!(lab.try_at("bob", "969429", 0), "counter 3");
    let far = hotp(&SEED.as_bytes()[..20], 4 + LOOK_AHEAD + 1, 6, Algorithm::Sha1);
    assert!(!lab.try_at("bob", &far, 0), "beyond the window");
}

#[test]
fn state_that_cannot_be_kept_rejects() {
    let lab = Lab::new(BOTH).unwrap();
    fs::write(lab.folder.path().join("626f62"), "seven").unwrap();
    let verdict = lab.check.check("bob", &Password::new(b"755224".to_vec()), Duration::from_secs(1));
    assert!(matches!(verdict, Verdict::Unavailable(_)), "{verdict:?}");
}

#[test]
fn bad_files_are_refused_without_their_secrets() {
    let secret = "secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'";
    for (text, why) in [
        (format!("[ann]\nkind = 'totp'\n{secret}\nperoid = 30\n"), "unknown field `peroid`"),
        (format!("[ann]\nkind = 'sms'\n{secret}\n"), "unknown variant `sms`"),
        (format!("[ann]\nkind = 'totp'\n{secret}\ndigits = 5\n"), "digits must be"),
        (format!("[ann]\nkind = 'totp'\n{secret}\nperiod = 0\n"), "period must be"),
        ("[ann]\nkind = 'totp'\nsecret = 'GEZDGNBV'\n".into(), "128 bits"),
        ("[ann]\nkind = 'totp'\nsecret = '1'\n".into(), "base32"),
    ] {
        let said = Lab::new(&text).err().unwrap().to_string();
        assert!(said.contains(why) && !said.contains("GEZDGNBV"), "{said}");
    }
    let lab = Lab::new(BOTH).unwrap();
    let file = lab.folder.path().join("tokens.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(matches!(TokenCheck::open(&file, lab.folder.path()), Err(TokenError::Open(_))));
}
