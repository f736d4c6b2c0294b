//! Opens PKCS #12 files: verifies the MAC, decrypts safes and keys, and returns the bags unchanged.

use core::fmt;

use tagwise_codec::{Decode, Error, OctetStr, Options, Rule, Typed, ber, encode};
use zeroize::Zeroizing;

use super::{
    AuthSafeContent, AuthenticatedSafe, CertBag, Cost, CostBudget, CostLimits, CrlBag, MacData, MacParameters, Pfx,
    Protection, SafeBag, SafeContent, SafeContents, SecretBag,
};
use crate::bundle::{BundleItem, BundleKind};
use crate::pkcs8::{EncryptedPrivateKeyInfo, PrivateKeyInfo};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::oids;

/// A PKCS #12 file that has been read but not opened.
///
/// ```no_run
/// use tagwise_messages::pkcs12::{Protection, Store};
/// use tagwise_messages::BundleKind;
/// # fn example<P: Protection>(password: &P) -> Result<(), Box<dyn std::error::Error>>
/// # where P::Error: std::error::Error + 'static {
/// let file = std::fs::read("keys.p12")?;
/// let opened = Store::read(&file)?.open(password)?;
/// for item in opened.items() {
///     println!("{:?} {}", item.kind, item.friendly_name().unwrap_or_default());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Store {
    /// The PFX, converted to DER as far as possible. Its outer structure is valid.
    der: Zeroizing<Vec<u8>>,
}

/// The outer structure of a file.
struct Frame<'a> {
    /// The AuthenticatedSafe, which the MAC covers.
    content: &'a [u8],
    mac: Option<MacData<'a>>,
    signed: bool,
}

fn frame(der: &[u8]) -> Result<Frame<'_>, Error> {
    let pfx = Pfx::outline(der)?;
    let (content, signed) = match pfx.auth_safe.content.get()? {
        AuthSafeContent::Data(octets) => (octets.as_bytes(), false),
        AuthSafeContent::SignedData(signed) => {
            (signed.encap_content_info.e_content.map(|content| content.as_bytes()).unwrap_or_default(), true)
        }
        AuthSafeContent::Unknown(unknown) => (unknown.bytes, false),
    };
    Ok(Frame { content, mac: pfx.mac_data, signed })
}

/// The integrity mode of a file, and the result of checking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integrity {
    /// The MAC is valid, so the password is correct.
    Verified,
    /// There is no MAC.
    Absent,
    /// The file is signed with a key (RFC 7292 §4, public-key integrity mode). The signature has not been verified.
    Signed,
}

/// The reason why a file could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError<E> {
    /// A malformed part. Offsets are relative to the part.
    Malformed {
        /// The name of the part.
        part: &'static str,
        /// The decoder's error.
        error: Error,
    },
    /// The MAC does not match: the password is wrong, or the file was modified.
    Mac,
    /// Decrypted content is malformed: the password is wrong, or the file was modified.
    Plaintext {
        /// The name of the part.
        part: &'static str,
        /// The decoder's error.
        error: Error,
    },
    /// Deriving the keys would exceed the limits. Contains the total cost, as far as known.
    Cost(Cost),
    /// A cryptographic operation failed.
    Protection {
        /// The affected part.
        part: &'static str,
        /// The error of the [`Protection`].
        error: E,
    },
}

impl<E: fmt::Display> fmt::Display for OpenError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { part, error } => write!(f, "{part}: {error}"),
            Self::Mac => f.write_str("wrong MAC: the password is wrong, or the file was modified (RFC 7292 §5.2)"),
            Self::Plaintext { part, error } => {
                write!(f, "{part}: the decrypted data is malformed, so the password may be wrong: {error}")
            }
            Self::Cost(cost) => write!(
                f,
                "opening the file requires {} iterations and {} bytes of memory in total, which exceeds the limits",
                cost.iterations, cost.memory
            ),
            Self::Protection { part, error } => write!(f, "{part}: {error}"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for OpenError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Malformed { error, .. } | Self::Plaintext { error, .. } => Some(error),
            Self::Protection { error, .. } => Some(error),
            Self::Mac | Self::Cost(_) => None,
        }
    }
}

/// The contents of an opened file. Keys are zeroized on drop.
#[derive(Clone)]
pub struct Opened {
    items: Vec<BagItem>,
    integrity: Integrity,
    unreadable: Vec<Unreadable>,
}

/// A part of an opened file that could not be read, because it has a different password or an unsupported algorithm, or is
/// malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the part.
    pub part: &'static str,
    /// The reason why the part could not be read.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.reason)
    }
}

#[derive(Clone)]
struct BagItem {
    kind: BundleKind,
    octets: Zeroizing<Vec<u8>>,
    attributes: Vec<u8>,
}

/// The nesting limit for safe contents, which are not nested in practice.
const MAX_DEPTH: usize = 16;

/// Returns the decoding options: BER, and surrogates in BMPStrings, which some programs write in friendly names.
fn options() -> Options<'static> {
    Options::ber_definite().allow(&Rule::STRING_ALPHABET)
}

/// Converts bytes to the DER of a type.
fn to_der<T: Typed>(octets: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Ok(Zeroizing::new(ber::to_der_with::<T>(octets, &options())?.into_bytes().into_owned()))
}

impl Store {
    /// Reads the outer structure. Safes are read when the file is opened.
    ///
    /// # Errors
    /// Returns an error, with its offset, if that structure is malformed.
    pub fn read(input: &[u8]) -> Result<Self, Error> {
        let canonical = ber::to_der_with::<Pfx<'_>>(input, &options())?;
        frame(&canonical.bytes).map_err(|error| canonical.original(error))?;
        Ok(Self { der: Zeroizing::new(canonical.into_bytes().into_owned()) })
    }

    /// Returns the MAC parameters, or `None` if there is no MAC.
    #[must_use]
    pub fn mac_parameters(&self) -> Option<MacParameters<'_>> {
        // It was read before.
        frame(&self.der).ok()?.mac.map(|mac| MacParameters::of(&mac))
    }

    /// Verifies the MAC, if any, and decrypts with the password.
    ///
    /// Certificates, CRLs and keys are not decoded, so a malformed one does not affect others. Once the MAC or any
    /// decryption has proven the password right, unreadable parts, such as a key with its own password, do not prevent
    /// reading others. The unreadable parts are listed in [`Opened::unreadable`], and their items remain encrypted.
    ///
    /// # Errors
    /// Returns an [`OpenError`] if the file is malformed, the password is wrong, a cryptographic operation fails, or the cost
    /// exceeds the limits.
    pub fn open<P>(&self, protection: &P) -> Result<Opened, OpenError<P::Error>>
    where
        P: Protection,
        P::Error: fmt::Display,
    {
        self.open_with(protection, CostLimits::DEFAULT)
    }

    /// Opens the file like [`Store::open`], but with the given limits.
    ///
    /// # Errors
    /// Returns any error from [`Store::open`].
    pub fn open_with<P>(&self, protection: &P, limits: CostLimits) -> Result<Opened, OpenError<P::Error>>
    where
        P: Protection,
        P::Error: fmt::Display,
    {
        self.open_within(protection, &[], &mut CostBudget::new(limits))
    }

    /// Opens the file like [`Store::open`], but with a budget shared by several attempts. The part of the cost that is known
    /// without decryption is checked before any key is derived. The MAC is that of the first password; the others are tried for
    /// parts that it does not decrypt.
    ///
    /// # Errors
    /// Returns any error from [`Store::open`].
    pub fn open_within<P>(
        &self,
        protection: &P,
        others: &[P],
        budget: &mut CostBudget,
    ) -> Result<Opened, OpenError<P::Error>>
    where
        P: Protection,
        P::Error: fmt::Display,
    {
        let frame = frame(&self.der).map_err(|error| OpenError::Malformed { part: "PFX", error })?;
        budget.check(visible_cost(&frame)).map_err(OpenError::Cost)?;
        let integrity = verify(&frame, protection, budget)?;
        let mut opening = Opening { protection, others, budget, items: Vec::new(), decrypted: 0, failures: Vec::new() };
        opening.authenticated_safe(frame.content)?;
        let Opening { items, decrypted, failures, .. } = opening;
        let verified = integrity == Integrity::Verified;
        let mut unreadable = Vec::new();
        for failure in failures {
            // Nothing shows that the password is right.
            if !verified && decrypted == 0 {
                return Err(failure);
            }
            unreadable.push(match failure {
                OpenError::Malformed { part, error } => Unreadable { part, reason: error.to_string() },
                OpenError::Plaintext { part, error } if verified => Unreadable { part, reason: error.to_string() },
                OpenError::Plaintext { part, .. } => Unreadable { part, reason: "wrong password".to_owned() },
                OpenError::Protection { part, error } => Unreadable { part, reason: error.to_string() },
                other => return Err(other),
            });
        }
        Ok(Opened { items, integrity, unreadable })
    }
}

/// Returns the cost of the MAC and of the unencrypted algorithm identifiers. Further costs become known during decryption.
fn visible_cost(frame: &Frame<'_>) -> Cost {
    let mut cost = frame.mac.as_ref().map(|mac| Cost::of_mac(&MacParameters::of(mac))).unwrap_or_default();
    // What is malformed is reported when it is read.
    let Ok(der) = to_der::<AuthenticatedSafe<'_>>(frame.content) else { return cost };
    let Ok(list) = AuthenticatedSafe::outline(&der) else { return cost };
    for info in list.iter().flatten() {
        match info.content.get() {
            Ok(SafeContent::EncryptedData(encrypted)) => {
                cost = cost.and(Cost::of(&encrypted.encrypted_content_info.content_encryption_algorithm));
            }
            Ok(SafeContent::Data(octets)) => {
                let Ok(der) = to_der::<SafeContents<'_>>(&octets) else { continue };
                let Ok(bags) = SafeContents::outline(&der) else { continue };
                for bag in bags.iter().flatten().filter(|bag| bag.bag_id == oids::PKCS8_SHROUDED_KEY_BAG) {
                    let shrouded = EncryptedPrivateKeyInfo::outline(bag.bag_value.as_bytes());
                    cost = cost.and(shrouded.map(|key| Cost::of(&key.encryption_algorithm)).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    cost
}

fn verify<P: Protection>(
    frame: &Frame<'_>,
    protection: &P,
    budget: &mut CostBudget,
) -> Result<Integrity, OpenError<P::Error>> {
    let Some(mac) = &frame.mac else {
        return Ok(if frame.signed { Integrity::Signed } else { Integrity::Absent });
    };
    let parameters = MacParameters::of(mac);
    budget.charge(Cost::of_mac(&parameters)).map_err(OpenError::Cost)?;
    let part = "macData";
    let computed = protection.mac(&parameters, frame.content).map_err(|error| OpenError::Protection { part, error })?;
    if is_same(&computed, &mac.mac.digest) { Ok(Integrity::Verified) } else { Err(OpenError::Mac) }
}

/// Compares two values in constant time. Empty values are never equal.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && !one.is_empty() && core::hint::black_box(differing) == 0
}

struct Opening<'p, P: Protection> {
    protection: &'p P,
    /// Tried for parts that the first does not decrypt.
    others: &'p [P],
    budget: &'p mut CostBudget,
    items: Vec<BagItem>,
    /// The number of parts that were decrypted to well-formed content.
    decrypted: usize,
    /// The reasons why parts are unreadable.
    failures: Vec<OpenError<P::Error>>,
}

/// The names of the file's parts, from the outside inwards.
const SAFE: &str = "authSafe";
const CONTENTS: &str = "a list of bags";
const BAG: &str = "a bag";
const KEY: &str = "an encrypted key";

impl<'p, P: Protection> Opening<'p, P> {
    /// Decrypts a part, and reads the plaintext. Each password is tried; the error is that of the first.
    fn decrypt<T>(
        &mut self,
        algorithm: &AlgorithmIdentifier<'_>,
        ciphertext: &[u8],
        part: &'static str,
        read: impl Fn(&mut Self, Zeroizing<Vec<u8>>) -> Result<T, OpenError<P::Error>>,
    ) -> Result<T, OpenError<P::Error>> {
        let (first, others): (&'p P, &'p [P]) = (self.protection, self.others);
        let mut failed = None;
        for protection in core::iter::once(first).chain(others) {
            match (self.budget.charge(Cost::of(algorithm)), failed.is_some()) {
                (Ok(()), _) => {}
                (Err(cost), false) => return Err(OpenError::Cost(cost)),
                // No work is left for other passwords: the part stays closed.
                (Err(_), true) => break,
            }
            let before = (self.items.len(), self.failures.len(), self.decrypted);
            let plain = protection.decrypt(algorithm, ciphertext);
            let plain = plain.map_err(|error| OpenError::Protection { part, error });
            match plain.and_then(|plain| read(self, plain)) {
                Ok(done) => return Ok(done),
                Err(OpenError::Cost(cost)) => return Err(OpenError::Cost(cost)),
                Err(error) => {
                    self.items.truncate(before.0);
                    self.failures.truncate(before.1);
                    self.decrypted = before.2;
                    failed.get_or_insert(error);
                }
            }
        }
        // There is a first one.
        failed.map_or(Err(OpenError::Mac), Err)
    }

    /// Reads `AuthenticatedSafe ::= SEQUENCE OF ContentInfo`.
    fn authenticated_safe(&mut self, octets: &[u8]) -> Result<(), OpenError<P::Error>> {
        let malformed = |error| OpenError::Malformed { part: SAFE, error };
        let der = to_der::<AuthenticatedSafe<'_>>(octets).map_err(malformed)?;
        let list = AuthenticatedSafe::outline(&der).map_err(malformed)?;
        for info in list.iter() {
            let info = info.map_err(malformed)?;
            let whole = |kind| BagItem {
                kind,
                octets: Zeroizing::new(encode(&info).unwrap_or_default()),
                attributes: Vec::new(),
            };
            match info.content.get().map_err(malformed)? {
                SafeContent::Data(octets) => {
                    self.safe_contents(&octets, |error| OpenError::Malformed { part: CONTENTS, error })?;
                }
                SafeContent::EncryptedData(encrypted) => {
                    let info = encrypted.encrypted_content_info;
                    let Some(ciphertext) = info.encrypted_content else { continue };
                    let algorithm = &info.content_encryption_algorithm;
                    let read =
                        self.decrypt(algorithm, ciphertext.as_bytes(), "encrypted bags", |opening, plaintext| {
                            opening.safe_contents(&plaintext, |error| OpenError::Plaintext { part: CONTENTS, error })
                        });
                    match read {
                        Ok(()) => self.decrypted += 1,
                        Err(error) => {
                            self.unreadable(error)?;
                            self.items.push(whole(BundleKind::Encrypted));
                        }
                    }
                }
                // Those are for a private key, not for a password.
                SafeContent::EnvelopedData(_) => self.items.push(whole(BundleKind::Encrypted)),
                SafeContent::Unknown(_) => self.items.push(whole(BundleKind::Other)),
            }
        }
        Ok(())
    }

    /// Records an unreadable part and continues, unless the limits are exceeded.
    fn unreadable(&mut self, error: OpenError<P::Error>) -> Result<(), OpenError<P::Error>> {
        if matches!(error, OpenError::Cost(_)) {
            return Err(error);
        }
        self.failures.push(error);
        Ok(())
    }

    /// Decrypts an EncryptedPrivateKeyInfo to a PrivateKeyInfo.
    fn shrouded(&mut self, value: &[u8]) -> Result<Zeroizing<Vec<u8>>, OpenError<P::Error>> {
        let shrouded =
            EncryptedPrivateKeyInfo::outline(value).map_err(|error| OpenError::Malformed { part: BAG, error })?;
        let key = self.decrypt(&shrouded.encryption_algorithm, &shrouded.encrypted_data, KEY, |_, key| {
            // Without a MAC, a wrong password is only recognized by the structure.
            PrivateKeyInfo::outline(&key).map_err(|error| OpenError::Plaintext { part: KEY, error })?;
            Ok(key)
        })?;
        self.decrypted += 1;
        Ok(key)
    }

    /// Reads `SafeContents ::= SEQUENCE OF SafeBag` and nested SafeContents.
    fn safe_contents(
        &mut self,
        octets: &[u8],
        wrong: impl Fn(Error) -> OpenError<P::Error>,
    ) -> Result<(), OpenError<P::Error>> {
        let der = to_der::<SafeContents<'_>>(octets).map_err(&wrong)?;
        let list = SafeContents::outline(&der).map_err(&wrong)?;
        let mut open = vec![list.iter()];
        while let Some(list) = open.last_mut() {
            let Some(bag) = list.next() else {
                open.pop();
                continue;
            };
            let bag = bag.map_err(&wrong)?;
            if bag.bag_id == oids::SAFE_CONTENTS_BAG && open.len() < MAX_DEPTH {
                open.push(bag.bag_value.decode_as::<Nested<'_>>().map_err(&wrong)?.iter());
            } else {
                let item = self.bag(&bag)?;
                self.items.push(item);
            }
        }
        Ok(())
    }

    fn bag(&mut self, bag: &SafeBag<'_>) -> Result<BagItem, OpenError<P::Error>> {
        let malformed = |error| OpenError::Malformed { part: BAG, error };
        let value = bag.bag_value.as_bytes();
        let (kind, octets) = if bag.bag_id == oids::KEY_BAG {
            (BundleKind::PrivateKey, Zeroizing::new(value.to_vec()))
        } else if bag.bag_id == oids::PKCS8_SHROUDED_KEY_BAG {
            match self.shrouded(value) {
                Ok(key) => (BundleKind::PrivateKey, key),
                Err(error) => {
                    self.unreadable(error)?;
                    (BundleKind::EncryptedPrivateKey, Zeroizing::new(value.to_vec()))
                }
            }
        } else if bag.bag_id == oids::CERT_BAG {
            let bag = CertBag::outline(value).map_err(malformed)?;
            typed(bag.cert_id == oids::X509_CERTIFICATE, bag.cert_value.as_bytes(), BundleKind::Certificate)
                .map_err(malformed)?
        } else if bag.bag_id == oids::CRL_BAG {
            let bag = CrlBag::outline(value).map_err(malformed)?;
            typed(bag.crl_id == oids::X509_CRL, bag.crlt_value.as_bytes(), BundleKind::CertificateList)
                .map_err(malformed)?
        } else if bag.bag_id == oids::SECRET_BAG {
            // Java encrypts its secret keys like private keys, inside an OCTET STRING.
            let secret = SecretBag::outline(value).map_err(malformed)?;
            match OctetStr::from_der(secret.secret_value.as_bytes()) {
                Ok(inside) if secret.secret_type_id == oids::PKCS8_SHROUDED_KEY_BAG => match self.shrouded(&inside) {
                    Ok(key) => (BundleKind::Secret, key),
                    Err(error) => {
                        self.unreadable(error)?;
                        (BundleKind::Secret, Zeroizing::new(value.to_vec()))
                    }
                },
                _ => (BundleKind::Secret, Zeroizing::new(value.to_vec())),
            }
        } else {
            (BundleKind::Other, Zeroizing::new(value.to_vec()))
        };
        let attributes = bag.bag_attributes.and_then(|list| list.content()).unwrap_or_default().to_vec();
        Ok(BagItem { kind, octets, attributes })
    }
}

type Nested<'a> = tagwise_codec::SeqOf<'a, SafeBag<'a>>;

/// Returns the content of the OCTET STRING of a certificate or CRL. A value of another type is returned unchanged.
fn typed(known: bool, value: &[u8], kind: BundleKind) -> Result<(BundleKind, Zeroizing<Vec<u8>>), Error> {
    if !known {
        return Ok((BundleKind::Other, Zeroizing::new(value.to_vec())));
    }
    Ok((kind, Zeroizing::new(OctetStr::from_der(value)?.to_vec())))
}

impl Opened {
    /// Iterates over all items in order. Keys are returned as decrypted PKCS #8.
    pub fn items(&self) -> impl Iterator<Item = BundleItem<'_>> {
        self.items.iter().map(|item| BundleItem::new(item.kind, &item.octets, &item.attributes))
    }

    /// Returns the parts that could not be read. Their items remain encrypted.
    #[must_use]
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }

    /// Returns the result of the integrity check.
    #[must_use]
    pub const fn integrity(&self) -> Integrity {
        self.integrity
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({} bytes)", self.der.len())
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.items()).finish()
    }
}
