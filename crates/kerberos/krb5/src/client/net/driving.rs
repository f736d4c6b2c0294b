//! A driver for exchanges on any runtime.

use core::future::Future;

use super::Exchange;
use crate::Credential;
use crate::client::{ClientError, Moment, Step};

/// A message to be sent to a KDC.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The realm.
    pub realm: String,
    /// The message.
    pub message: Vec<u8>,
    /// True to use TCP because the reply does not fit into a datagram.
    pub tcp: bool,
}

/// Runs an exchange to completion, using a function that sends a message and returns its reply. No particular runtime is required. It
/// blocks only if the function blocks.
///
/// ```
/// # use tagwise_krb5::client::{ClientError, net::{Exchange, Question, drive}};
/// # use tagwise_krb5::Credential;
/// async fn initial(exchange: &mut (dyn Exchange + Send)) -> Result<Credential, ClientError> {
///     drive(exchange, |question: Question| async move { ask_over_your_runtime(question).await }).await
/// }
/// # async fn ask_over_your_runtime(_: Question) -> Result<Vec<u8>, ClientError> { Ok(Vec::new()) }
/// ```
///
/// # Errors
/// Returns any [`ClientError`] from the function or the exchange.
pub async fn drive<F, T>(exchange: &mut (dyn Exchange + Send), mut ask: F) -> Result<Credential, ClientError>
where
    F: FnMut(Question) -> T,
    T: Future<Output = Result<Vec<u8>, ClientError>>,
{
    let mut step = exchange.start(Moment::now())?;
    loop {
        match step {
            Step::Done(credential) => return Ok(*credential),
            Step::Send { realm, message, tcp } => {
                let reply = ask(Question { realm, message, tcp }).await?;
                step = exchange.reply(Moment::now(), &reply)?;
            }
        }
    }
}
