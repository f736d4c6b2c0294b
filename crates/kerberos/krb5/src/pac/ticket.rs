//! Extraction of a ticket's PAC, and of the bytes that the KDC's ticket signature covers.

use tagwise_codec::{OctetStr, Options, Rule, SeqOf, encode};
use tagwise_crypto::{Error, ErrorKind};

use crate::messages::{AuthorizationData, AuthorizationDataEntry, EncTicketPart};
use crate::numbers::ad;
use crate::rules;

/// A ticket's PAC, and the ticket without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketPac {
    /// The PAC.
    pub pac: Vec<u8>,
    /// The EncTicketPart in DER with one zero byte in place of the PAC, for
    /// [`Pac::verify_ticket`](super::Pac::verify_ticket).
    pub without_pac: Vec<u8>,
}

/// Extracts the PAC from an EncTicketPart in DER: the first AD-WIN2K-PAC in an AD-IF-RELEVANT (MS-PAC §2.1). Returns `None`
/// if there is none.
///
/// # Errors
/// Returns [`ErrorKind::Parameters`] if the part or its authorization data cannot be decoded.
pub fn of_ticket(enc_ticket_part: &[u8]) -> Result<Option<TicketPac>, Error> {
    let options = Options::der().rules(rules::PEERS).allow(&Rule::TRAILING_DATA);
    let ticket = options.decode::<EncTicketPart<'_>>(enc_ticket_part).map_err(malformed)?.value;
    let Some(data) = &ticket.authorization_data else { return Ok(None) };
    let outer: Vec<AuthorizationDataEntry<'_>> = data.iter().collect::<Result<_, _>>().map_err(malformed)?;
    for (at, container) in outer.iter().enumerate().filter(|(_, entry)| entry.ad_type == ad::IF_RELEVANT) {
        let list = options.decode::<AuthorizationData<'_>>(&container.ad_data).map_err(malformed)?.value;
        let inner: Vec<AuthorizationDataEntry<'_>> = list.iter().collect::<Result<_, _>>().map_err(malformed)?;
        let Some(place) = inner.iter().position(|entry| entry.ad_type == ad::WIN2K_PAC) else { continue };
        let emptied: Vec<_> = inner.iter().enumerate().map(|(index, entry)| blank(*entry, index == place)).collect();
        let emptied = encode(&SeqOf::from_slice(&emptied)).map_err(malformed)?;
        let around: Vec<_> = outer
            .iter()
            .enumerate()
            .map(|(index, entry)| match index == at {
                true => AuthorizationDataEntry { ad_data: OctetStr::new(&emptied), ..*entry },
                false => *entry,
            })
            .collect();
        let without = EncTicketPart { authorization_data: Some(SeqOf::from_slice(&around)), ..ticket };
        let without_pac = encode(&without).map_err(malformed)?;
        let pac = inner.get(place).map(|entry| entry.ad_data.to_vec()).unwrap_or_default();
        return Ok(Some(TicketPac { pac, without_pac }));
    }
    Ok(None)
}

/// Returns the entry, with its data replaced by one zero byte if it is the PAC.
fn blank(entry: AuthorizationDataEntry<'_>, is_pac: bool) -> AuthorizationDataEntry<'_> {
    if is_pac { AuthorizationDataEntry { ad_type: entry.ad_type, ad_data: OctetStr::new(&[0]) } } else { entry }
}

fn malformed(error: impl core::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::Parameters, "ticket").because(error)
}
