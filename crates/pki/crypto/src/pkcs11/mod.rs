//! PKCS #11 token keys: found by URI (RFC 7512), used inside the token, and shared between threads.
//!
//! The module is the vendor's library, which is loaded into this process and must be trusted. Keys that require their
//! PIN for each use (`CKA_ALWAYS_AUTHENTICATE`) are not supported. Objects in the token are never created, changed or
//! deleted.

pub(crate) mod operation;
pub(crate) mod public;
pub(crate) mod slot;
#[cfg(feature = "nss")]
pub(crate) mod transport;

use core::fmt::{self, Display};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use cryptoki::context::Pkcs11;
use cryptoki::error::{Error as Failure, RvError};
use cryptoki::object::{Attribute, AttributeType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::types::AuthPin;
use tagwise_codec::Decode;
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::pkcs11::Pkcs11Uri;

use crate::{Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, Scheme, Secret};
use slot::Slot;

/// The name in error messages.
const NAME: &str = "pkcs11";

fn failed(kind: ErrorKind, what: impl Display) -> Error {
    Error::new(kind, what).by(NAME)
}

fn token(failure: Failure) -> Error {
    failed(ErrorKind::Failed, "PKCS #11").because(failure)
}

/// A loaded PKCS #11 library.
///
/// ```no_run
/// use tagwise_crypto::pkcs11::Module;
/// use tagwise_crypto::{KeySigner, Secret, Signer};
/// use tagwise_pkix::pkcs11::Pkcs11Uri;
///
/// let uri: Pkcs11Uri = "pkcs11:token=CA;object=root?module-path=/usr/lib/softhsm/libsofthsm2.so".parse()?;
/// let key = Module::of_uri(&uri)?.private_key(&uri, |_token| Ok(Secret::from(b"1234".as_slice())))?;
/// let signature = KeySigner::preferred(key)?.sign(b"message")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Module {
    context: Pkcs11,
    path: PathBuf,
}

/// A certificate stored in a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenCertificate {
    /// The certificate's DER, as stored in the token.
    pub der: Vec<u8>,
    /// The certificate's `CKA_ID`, which is usually the same as its key's. May be empty.
    pub id: Vec<u8>,
}

impl Module {
    /// Loads a library by path, or by file name from the system's library search path. It remains loaded.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`], with the error of the system or the library, if the library cannot be loaded or
    /// initialized.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let failed = |failure: Failure| failed(ErrorKind::Failed, path.display()).because(failure);
        Ok(Self { context: slot::open(path, None).map_err(failed)?, path: path.to_owned() })
    }

    /// Loads the library named in a URI by `module-path` or `module-name` (RFC 7512 §2.3).
    ///
    /// # Errors
    /// Returns any error from [`load`](Self::load), or [`ErrorKind::Parameters`] if the URI does not name a library.
    pub fn of_uri(uri: &Pkcs11Uri) -> Result<Self, Error> {
        match (&uri.module_path, &uri.module_name) {
            (Some(path), _) => Self::load(Path::new(path)),
            (None, Some(name)) => Self::load(Path::new(&format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"))),
            (None, None) => Err(failed(ErrorKind::Parameters, "a URI without module-path or module-name")),
        }
    }

    /// Finds the private key that matches a URI. Exactly one token and key must match.
    ///
    /// If the token requires a PIN that is not in the URI, `pin` is called once, with the token's label.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] unless exactly one token and key match, and [`ErrorKind::Integrity`] for a wrong PIN.
    /// Returns [`ErrorKind::NotOffered`] if there is no public key or the PIN is required for each use. Returns
    /// [`ErrorKind::Failed`] if the token fails, or an error from `pin`.
    pub fn private_key(
        &self,
        uri: &Pkcs11Uri,
        pin: impl FnOnce(&str) -> Result<Secret, Error>,
    ) -> Result<Arc<dyn PrivateKey>, Error> {
        let (number, info) = self.token(uri)?;
        let slot = Slot::new(&self.context, number, NAME).map_err(token)?;
        let session = slot.session().map_err(token)?;
        if info.login_required() {
            login(&session, &info, uri, pin)?;
        }
        let object = find(&session, uri, ObjectClass::PRIVATE_KEY, "private key")?;
        let asks = session.get_attributes(object, &[AttributeType::AlwaysAuthenticate]).map_err(token)?;
        if asks.contains(&Attribute::AlwaysAuthenticate(true)) {
            return Err(failed(ErrorKind::NotOffered, "a key that requires its PIN at each use"));
        }
        let public = public::of_private(&session, object, NAME)?;
        let malformed = |error| failed(ErrorKind::MalformedKey, "public").because(error);
        let key = KeyType::of(&SubjectPublicKeyInfo::from_der(&public).map_err(malformed)?)?;
        Ok(Arc::new(TokenKey { key, public, object, slot, _login: Mutex::new(session) }))
    }

    /// Finds the certificate that matches a URI, and its key's identifier. Exactly one token and certificate must
    /// match. No PIN is requested. A certificate with `CKA_PRIVATE` set is therefore found only while a
    /// [key](Self::private_key) of the token is in use.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] unless exactly one token and certificate match, [`ErrorKind::NotOffered`] if the
    /// certificate is not stored in the token, or [`ErrorKind::Failed`] if the token fails.
    pub fn certificate(&self, uri: &Pkcs11Uri) -> Result<TokenCertificate, Error> {
        let (number, _) = self.token(uri)?;
        let slot = Slot::new(&self.context, number, NAME).map_err(token)?;
        let session = slot.session().map_err(token)?;
        let object = find(&session, uri, ObjectClass::CERTIFICATE, "certificate")?;
        let wanted = [AttributeType::Value, AttributeType::Id];
        let mut found = TokenCertificate { der: Vec::new(), id: Vec::new() };
        for attribute in session.get_attributes(object, &wanted).map_err(token)? {
            match attribute {
                Attribute::Value(der) => found.der = der,
                Attribute::Id(id) => found.id = id,
                _ => {}
            }
        }
        match found.der.is_empty() {
            // One that is elsewhere, by its address.
            true => Err(failed(ErrorKind::NotOffered, "a certificate that is not in its token")),
            false => Ok(found),
        }
    }

    /// Finds the only slot whose token and library match the URI.
    fn token(&self, uri: &Pkcs11Uri) -> Result<(cryptoki::slot::Slot, cryptoki::slot::TokenInfo), Error> {
        let mut wanted = uri.clone();
        (wanted.object, wanted.object_class, wanted.id) = (None, None, None);
        let library = self.context.get_library_info().map_err(token)?;
        let mut fits = Vec::new();
        for number in self.context.get_slots_with_token().map_err(token)? {
            let slot = self.context.get_slot_info(number).map_err(token)?;
            let Ok(info) = self.context.get_token_info(number) else { continue };
            let some = |text: &str| Some(text.to_owned());
            let mut found = Pkcs11Uri::default();
            found.token = some(info.label());
            found.manufacturer = some(info.manufacturer_id());
            found.serial = some(info.serial_number());
            found.model = some(info.model());
            found.slot_description = some(slot.slot_description());
            found.slot_manufacturer = some(slot.manufacturer_id());
            found.slot_id = Some(number.id());
            found.library_manufacturer = some(library.manufacturer_id());
            found.library_description = some(library.library_description());
            let version = library.library_version();
            found.library_version = Some((version.major(), version.minor()));
            if wanted.matches(&found) && info.token_initialized() {
                fits.push((number, info));
            }
        }
        one(fits, "token")
    }
}

/// Returns the only item of a list, or an error if there are none or several.
fn one<T>(mut found: Vec<T>, what: &str) -> Result<T, Error> {
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(failed(ErrorKind::Parameters, format_args!("the PKCS #11 URI (no matching {what})"))),
        (Some(_), more) => {
            Err(failed(ErrorKind::Parameters, format_args!("the PKCS #11 URI ({} matching {what}s)", more + 1)))
        }
    }
}

fn login(
    session: &Session,
    info: &cryptoki::slot::TokenInfo,
    uri: &Pkcs11Uri,
    pin: impl FnOnce(&str) -> Result<Secret, Error>,
) -> Result<(), Error> {
    let what = format!("the PIN of {}", info.label());
    let given = match &uri.pin_value {
        // The reader at the token has keys of its own.
        _ if info.protected_authentication_path() => None,
        Some(value) => Some(AuthPin::new(value.as_str().into())),
        None => {
            let secret = pin(info.label())?;
            let text = core::str::from_utf8(secret.expose());
            let text = text.map_err(|error| failed(ErrorKind::Parameters, &what).because(error))?;
            Some(AuthPin::new(text.into()))
        }
    };
    match session.login(UserType::User, given.as_ref()) {
        Ok(()) | Err(Failure::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(()),
        Err(failure @ Failure::Pkcs11(RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange, _)) => {
            Err(failed(ErrorKind::Integrity, what).because(failure))
        }
        Err(failure) => Err(failed(ErrorKind::Failed, what).because(failure)),
    }
}

/// Finds the only object of a class that matches a URI.
fn find(session: &Session, uri: &Pkcs11Uri, class: ObjectClass, what: &str) -> Result<ObjectHandle, Error> {
    let mut template = vec![Attribute::Class(class)];
    if let Some(label) = &uri.object {
        template.push(Attribute::Label(label.clone().into_bytes()));
    }
    if let Some(id) = &uri.id {
        template.push(Attribute::Id(id.clone()));
    }
    one(session.find_objects(&template).map_err(token)?, what)
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A private key in a token.
struct TokenKey {
    key: KeyType,
    public: Vec<u8>,
    object: ObjectHandle,
    slot: Arc<Slot>,
    /// A session that remains open, because a token logs its user out when the last session is closed.
    _login: Mutex<Session>,
}

impl TokenKey {
    fn stays(&self) -> Error {
        failed(ErrorKind::NotOffered, format_args!("export of the private key {}", self.key))
    }
}

impl PrivateKey for TokenKey {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        if scheme.is_legacy() || !operation::offers(&self.slot, scheme, self.key, true) {
            return Err(failed(ErrorKind::NotOffered, scheme));
        }
        operation::sign(&self.slot, self.object, scheme, message)
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        Err(self.stays())
    }

    fn to_pkcs8_as(&self, _: PostQuantumForm) -> Result<Secret, Error> {
        Err(self.stays())
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        let curve = matches!(self.key, KeyType::P256 | KeyType::P384 | KeyType::P521);
        if !curve || KeyType::of(peer).map_err(|error| error.by(NAME))? != self.key {
            return Err(failed(ErrorKind::WrongKey, self.key));
        }
        let point = peer.subject_public_key.octets().ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))?;
        operation::agree(&self.slot, self.object, self.key, point)
    }

    fn decapsulate(&self, _: &[u8]) -> Result<Secret, Error> {
        Err(failed(ErrorKind::WrongKey, self.key))
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
