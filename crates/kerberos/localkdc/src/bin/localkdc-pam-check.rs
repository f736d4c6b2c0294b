//! `localkdc-pam-check SERVICE`: checks a user's password with PAM.
//!
//! Reads the name, a zero byte and the password from standard input. Exit codes: 0 for a valid password, 1 for an invalid
//! password or an unusable account, and 2 if PAM could not decide. Each check runs in its own process, because PAM modules
//! may hang, crash or retain passwords.
#![forbid(unsafe_code)]

use std::ffi::OsStr;
use std::io::{Read as _, stdin};
use std::os::unix::ffi::OsStrExt as _;
use std::process::ExitCode;

use nonstick::conv::{Exchange, conversation_func};
use nonstick::items::Items as _;
use nonstick::{AuthnFlags, ErrorCode, PamShared as _, Transaction as _, TransactionBuilder};
use zeroize::Zeroizing;

/// The maximum length of the input. It exceeds that of any name and password in RADIUS.
const MAX_INPUT: u64 = 1024;

fn main() -> ExitCode {
    match check() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Denied) => ExitCode::from(1),
        Err(Failure::Other(text)) => {
            eprintln!("localkdc-pam-check: {text}");
            ExitCode::from(2)
        }
    }
}

enum Failure {
    Denied,
    Other(String),
}

impl From<ErrorCode> for Failure {
    fn from(error: ErrorCode) -> Self {
        match error {
            ErrorCode::AuthenticationError
            | ErrorCode::UserUnknown
            | ErrorCode::MaxTries
            | ErrorCode::PermissionDenied
            | ErrorCode::AccountExpired
            | ErrorCode::NewAuthTokRequired
            | ErrorCode::AuthTokExpired
            | ErrorCode::CredentialsExpired => Self::Denied,
            other => Self::Other(format!("PAM: {other:?}")),
        }
    }
}

fn check() -> Result<(), Failure> {
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    tagwise_localkdc::process::seal().map_err(|error| other(&error))?;
    let service = std::env::args_os().nth(1).filter(|name| !name.is_empty());
    let service =
        service.ok_or_else(|| other(&"expected the name of a PAM service, as in localkdc-pam-check localkdc"))?;
    let mut input = Zeroizing::new(Vec::with_capacity(2 * MAX_INPUT as usize));
    stdin().take(MAX_INPUT).read_to_end(&mut input).map_err(|error| other(&error))?;
    let (user, password) = match input.iter().position(|byte| *byte == 0).map(|at| input.split_at(at)) {
        Some((user, [_, password @ ..])) if !user.is_empty() && !password.contains(&0) => (user, password),
        _ => return Err(other(&"expected a name, a zero byte and a password")),
    };
    let answer = |messages: &[Exchange<'_>]| {
        for message in messages {
            match message {
                Exchange::MaskedPrompt(prompt) => prompt.set_answer(Ok(OsStr::from_bytes(password).to_owned())),
                Exchange::Info(info) => info.set_answer(Ok(())),
                Exchange::Error(error) => error.set_answer(Ok(())),
                // A question that a password does not answer.
                question => question.set_error(ErrorCode::ConversationError),
            }
        }
    };
    let user = OsStr::from_bytes(user);
    let mut transaction =
        TransactionBuilder::new_with_service(service).username(user).build(conversation_func(answer))?;
    transaction.authenticate(AuthnFlags::DISALLOW_NULL_AUTHTOK | AuthnFlags::SILENT)?;
    transaction.account_management(AuthnFlags::DISALLOW_NULL_AUTHTOK | AuthnFlags::SILENT)?;
    // A module may put another user in place of this one; a ticket is for the one that was asked for.
    match transaction.items().user()? {
        Some(found) if found == user => Ok(()),
        _ => Err(Failure::Denied),
    }
}
