//! Nested messages: a registration authority adds its protection to a message, or sends several at once (RFC 9483 §5.2.2).

use tagwise_ca::Documents;
use tagwise_codec::{Decode, SeqOf};
use tagwise_pkix::cmp::{NestedMessageContent, PkiBody, PkiHeader, PkiMessage, PkiMessages};

use super::fault::{BAD_REQUEST, BAD_SENDER_NONCE, Fault, NOT_AUTHORIZED, TRANSACTION_ID_IN_USE, WRONG_INTEGRITY};
use super::{Answer, Arrival, Cmp, Context, check_header, protection};

/// The maximum number of messages in a batch.
const BATCH: usize = 16;

fn id<'a>(header: &PkiHeader<'a>) -> Option<&'a [u8]> {
    header.transaction_id.map(|id| id.as_bytes())
}

fn nonce<'a>(header: &PkiHeader<'a>) -> Option<&'a [u8]> {
    header.sender_nonce.map(|nonce| nonce.as_bytes())
}

impl Cmp {
    /// Answers the messages of a registration authority's clients. Each must have its own valid protection. The response to a
    /// single message is not nested (RFC 9483 §5.2.2.1).
    pub(super) fn nested(
        &self,
        store: &mut dyn Documents,
        outer: &PkiMessage<'_>,
        list: &NestedMessageContent<'_>,
        arrival: Arrival<'_>,
    ) -> Result<(Vec<u8>, Option<String>), Fault> {
        let mut fresh = [0; 16];
        self.enrollment.backend.random(&mut fresh).map_err(Fault::internal)?;
        let messages = match self.unnested(store, outer, list, arrival) {
            Ok(messages) => messages,
            Err(fault) => {
                let answer = Answer { body: fault.body()?, implicit: false };
                return Ok((self.finish(outer, &answer, None, fresh, arrival.now)?, fault.internal));
            }
        };
        if let [message] = messages.as_slice() {
            return self.respond(store, message, arrival);
        }
        let (mut responses, mut internal) = (Vec::with_capacity(messages.len()), None);
        for message in &messages {
            let (response, failed) = self.respond(store, message, arrival)?;
            responses.push(response);
            internal = internal.or(failed);
        }
        let responses = responses.iter().map(|der| PkiMessage::from_der(der));
        let responses = responses.collect::<Result<Vec<_>, _>>().map_err(Fault::internal)?;
        let answer = Answer::new(&PkiBody::Nested(PkiMessages(SeqOf::from_slice(&responses))))?;
        Ok((self.finish(outer, &answer, None, fresh, arrival.now)?, internal))
    }

    /// Checks the outer message, and returns those inside.
    fn unnested<'a>(
        &self,
        store: &mut dyn Documents,
        outer: &PkiMessage<'_>,
        list: &NestedMessageContent<'a>,
        Arrival { peer, now, .. }: Arrival<'_>,
    ) -> Result<Vec<PkiMessage<'a>>, Fault> {
        let transaction = check_header(&outer.header, now)?;
        let mut call = self.enrollment.call(store, peer, now);
        let (client, mac) = protection::authenticate(&mut call, outer)?;
        if mac.is_some() {
            return Err(Fault::new(WRONG_INTEGRITY, "a nested message must be signed (RFC 9483 §5.2.2)"));
        }
        let context =
            Context { call, message: outer, client, has_mac: false, transaction, nonce: [0; 16], grant: None };
        if !context.is_registration_authority()? {
            return Err(Fault::new(
                NOT_AUTHORIZED,
                "only a registration authority may nest messages (RFC 9483 §5.2.2)",
            ));
        }
        let messages = list.0.iter().take(BATCH.saturating_add(1)).collect::<Result<Vec<_>, _>>();
        let messages = messages.map_err(Fault::malformed)?;
        if messages.len() > BATCH {
            return Err(Fault::new(BAD_REQUEST, format!("too many nested messages, expected 1 to {BATCH}")));
        }
        // RFC 9483 §5.2.2.1: a single message shares both with the outer one. §5.2.2.2: in a batch, each has its own.
        let is_single = messages.len() == 1;
        let headers: Vec<&PkiHeader<'_>> =
            core::iter::once(&*outer.header).chain(messages.iter().map(|message| &*message.header)).collect();
        for (at, header) in headers.iter().enumerate() {
            let before = || headers.iter().take(at);
            if before().any(|other| (id(other) == id(header)) != is_single) {
                let (failure, what) = match is_single {
                    true => (BAD_REQUEST, "the transactionID differs from the nested message's (RFC 9483 §5.2.2.1)"),
                    false => (TRANSACTION_ID_IN_USE, "duplicate transactionID in the batch (RFC 9483 §5.2.2.2)"),
                };
                return Err(Fault::new(failure, what));
            }
            if before().any(|other| (nonce(other) == nonce(header)) != is_single) {
                let what = match is_single {
                    true => "the senderNonce differs from the nested message's (RFC 9483 §5.2.2.1)",
                    false => "duplicate senderNonce in the batch (RFC 9483 §5.2.2.2)",
                };
                return Err(Fault::new(BAD_SENDER_NONCE, what));
            }
        }
        Ok(messages)
    }
}
