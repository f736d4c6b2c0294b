//! A slot with its sessions, through which all token operations run.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error as Failure, RvError};
use cryptoki::mechanism::{MechanismInfo, MechanismType};
use cryptoki::session::Session;
use cryptoki::slot::Slot as Number;

/// Loads a module and initializes it, unless this process has already done so.
///
/// # Errors
/// Returns an error if the library cannot be loaded or initialized.
pub(crate) fn open(path: &Path, arguments: Option<CInitializeArgs>) -> Result<Pkcs11, Failure> {
    let context = Pkcs11::new(path)?;
    let arguments = arguments.unwrap_or_else(|| CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK));
    match context.initialize(arguments) {
        Ok(()) | Err(Failure::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => Ok(context),
        Err(failure) => Err(failure),
    }
}

/// A slot, the capabilities of its token, and idle sessions.
pub(crate) struct Slot {
    context: Pkcs11,
    number: Number,
    mechanisms: Vec<(MechanismType, MechanismInfo)>,
    sessions: Mutex<Sessions>,
    returned: Condvar,
    /// The name in error messages.
    label: &'static str,
}

#[derive(Default)]
struct Sessions {
    idle: Vec<Session>,
    taken: usize,
}

impl Slot {
    pub(crate) fn new(context: &Pkcs11, number: Number, label: &'static str) -> Result<Arc<Self>, Failure> {
        let list = context.get_mechanism_list(number)?;
        // Modules list vendor mechanisms without information about them.
        let mechanisms = list.into_iter().filter_map(|one| Some((one, context.get_mechanism_info(number, one).ok()?)));
        Ok(Arc::new(Self {
            context: context.clone(),
            number,
            mechanisms: mechanisms.collect(),
            sessions: Mutex::default(),
            returned: Condvar::new(),
            label,
        }))
    }

    pub(crate) const fn label(&self) -> &'static str {
        self.label
    }

    /// Returns information about a mechanism, if the token supports it.
    pub(crate) fn mechanism(&self, wanted: MechanismType) -> Option<&MechanismInfo> {
        self.mechanisms.iter().find(|(one, _)| *one == wanted).map(|(_, info)| info)
    }

    /// Opens a separate session. Objects created in it exist until it is closed.
    pub(crate) fn session(&self) -> Result<Session, Failure> {
        self.context.open_ro_session(self.number)
    }

    /// Runs an operation in a session reserved for it. The session is closed if the operation fails.
    pub(crate) fn with<T>(&self, run: impl FnOnce(&Session) -> Result<T, Failure>) -> Result<T, Failure> {
        let session = self.take()?;
        let done = run(&session);
        let mut sessions = self.lock();
        sessions.taken -= 1;
        if done.is_ok() {
            sessions.idle.push(session);
        }
        drop(sessions);
        self.returned.notify_one();
        done
    }

    fn take(&self) -> Result<Session, Failure> {
        let mut sessions = self.lock();
        loop {
            if let Some(session) = sessions.idle.pop() {
                sessions.taken += 1;
                return Ok(session);
            }
            match self.session() {
                Ok(session) => {
                    sessions.taken += 1;
                    return Ok(session);
                }
                // Tokens limit the number of sessions, so wait for one of ours.
                Err(Failure::Pkcs11(RvError::SessionCount, _)) if sessions.taken > 0 => {
                    sessions = self.returned.wait(sessions).unwrap_or_else(PoisonError::into_inner);
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        // A thread that panicked while holding it left a consistent list of sessions.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
