//! What the tests by Wycheproof's sets share: tests are counted, done and not offered, and the counts are held, so that nothing
//! goes missing unseen.
#![allow(dead_code, reason = "each test file uses a part")]

use tagwise_crypto::{Backend, Digest, Error, ErrorKind, KeyType};
use wycheproof::{HashFunction, TestResult};

/// A kind of sets, whose count it is, and the tests done and not offered: what changes here has changed in a backend, or in the sets.
pub(crate) type Held = (&'static str, &'static str, usize, usize);

/// How a backend did in one kind of sets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) tests: usize,
    pub(crate) not_offered: usize,
}

impl Count {
    /// One test: whether it was done, and came out as it must.
    pub(crate) fn judge(&mut self, set: &str, id: usize, expected: &TestResult, done: Result<(), Error>) {
        let error = match done {
            Err(error) if matches!(error.kind(), ErrorKind::NotOffered | ErrorKind::KeySize) => {
                self.not_offered += 1;
                return;
            }
            done => done.err(),
        };
        self.tests += 1;
        match expected {
            TestResult::Valid => assert!(error.is_none(), "{set} {id}: {}", error.unwrap()),
            TestResult::Invalid => assert!(error.is_some(), "{set} {id}: taken"),
            TestResult::Acceptable => {}
        }
    }

    /// Holds the count of a backend; of one that lacks something, that nothing went missing.
    pub(crate) fn hold(&self, held: &[Held], sets: &str, backend: &dyn Backend) {
        self.hold_as(held, sets, backend.name(), backend, is_whole(backend));
    }

    /// The same, beside the row of somebody: of whoever is not whole, that nothing went missing.
    pub(crate) fn hold_as(&self, held: &[Held], sets: &str, who: &str, backend: &dyn Backend, whole: bool) {
        let row = held.iter().find(|(name, of, ..)| (*name, *of) == (sets, who));
        let (.., tests, not_offered) = row.unwrap_or_else(|| panic!("nothing is held of {who} in {sets}"));
        let what = format!("{sets}, {} {}: {self:?}", backend.name(), backend.version());
        println!("{what}");
        if whole {
            assert_eq!((self.tests, self.not_offered), (*tests, *not_offered), "{what}");
        } else {
            assert_eq!(self.tests + self.not_offered, tests + not_offered, "{what}");
        }
    }
}

/// Whether a backend has all that the counts were taken with. An OpenSSL may be built or configured with less; of NSS they are
/// those of one version.
fn is_whole(backend: &dyn Backend) -> bool {
    let kinds =
        [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::Ed25519, KeyType::Ed448, KeyType::X25519, KeyType::X448];
    match backend.name() {
        "aws-lc" | "rust" => true,
        "openssl" => {
            Digest::ALL.iter().copied().all(|digest| backend.hasher(digest).is_ok())
                && kinds.into_iter().all(|kind| backend.generates(kind))
        }
        _ => backend.version() == "NSS 3.87",
    }
}

/// The backends that verify: all of them, and the one that does nothing else.
pub(crate) fn verifiers() -> Vec<&'static dyn Backend> {
    let mut backends = tagwise_crypto::backends::all();
    #[cfg(feature = "rust")]
    backends.push(&const { tagwise_crypto::backends::PureRust::new() });
    backends
}

/// The digest of a set.
pub(crate) fn digest(hash: HashFunction) -> Option<Digest> {
    Some(match hash {
        HashFunction::Sha1 => Digest::Sha1,
        HashFunction::Sha2_224 => Digest::Sha224,
        HashFunction::Sha2_256 => Digest::Sha256,
        HashFunction::Sha2_384 => Digest::Sha384,
        HashFunction::Sha2_512 => Digest::Sha512,
        HashFunction::Sha2_512_256 => Digest::Sha512_256,
        HashFunction::Sha3_256 => Digest::Sha3_256,
        HashFunction::Sha3_384 => Digest::Sha3_384,
        HashFunction::Sha3_512 => Digest::Sha3_512,
        _ => return None,
    })
}

/// That two are the same.
pub(crate) fn same(one: &[u8], other: &[u8]) -> Result<(), Error> {
    if one == other { Ok(()) } else { Err(Error::new(ErrorKind::Integrity, "what came out")) }
}
