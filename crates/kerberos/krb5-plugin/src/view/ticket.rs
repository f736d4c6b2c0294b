//! Tickets and replies.

use std::fmt;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::mit::{krb5_enc_tkt_part, krb5_kdc_rep, krb5_ticket, krb5_ticket_times};

use super::{AddressRef, AuthDataRef, KeyRef, PaDataRef, PrincipalRef, moment};
use crate::host::lent::Lent;

/// The times of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The time of the initial authentication.
    pub authtime: Option<UnixTime>,
    /// The start time, if it differs from the authentication time.
    pub starttime: Option<UnixTime>,
    /// The end time.
    pub endtime: Option<UnixTime>,
    /// The end of the renewable lifetime.
    pub renew_till: Option<UnixTime>,
}

impl From<&krb5_ticket_times> for Times {
    fn from(times: &krb5_ticket_times) -> Self {
        Self {
            authtime: moment(times.authtime),
            starttime: moment(times.starttime),
            endtime: moment(times.endtime),
            renew_till: moment(times.renew_till),
        }
    }
}

/// A ticket borrowed from the host.
#[derive(Clone, Copy)]
pub struct TicketRef<'a>(pub(crate) Lent<'a, krb5_ticket>);

impl<'a> TicketRef<'a> {
    /// Returns the server.
    #[must_use]
    pub fn server(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|ticket| ticket.server.cast_const()).map(PrincipalRef)
    }

    /// Returns the encryption type and version of the server key with which the ticket is encrypted.
    #[must_use]
    pub fn sealed_under(self) -> (i32, u32) {
        let part = &self.0.get().enc_part;
        (part.enctype, part.kvno)
    }

    /// Returns the ciphertext.
    #[must_use]
    pub fn ciphertext(self) -> &'a [u8] {
        self.0.part(|ticket| &ticket.enc_part.ciphertext).bytes()
    }

    /// Returns the decrypted part of the ticket, if available.
    #[must_use]
    pub fn part(self) -> Option<TicketPartRef<'a>> {
        self.0.pointed(|ticket| ticket.enc_part2.cast_const()).map(TicketPartRef)
    }
}

impl fmt::Debug for TicketRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("TicketRef");
        shown.field("server", &self.server()).field("part", &self.part()).finish_non_exhaustive()
    }
}

/// The decrypted part of a ticket.
#[derive(Clone, Copy)]
pub struct TicketPartRef<'a>(pub(crate) Lent<'a, krb5_enc_tkt_part>);

impl<'a> TicketPartRef<'a> {
    /// Returns the bits of `TicketFlags`.
    #[must_use]
    pub fn flags(self) -> u32 {
        self.0.get().flags.cast_unsigned()
    }

    /// Returns the session key.
    #[must_use]
    pub fn session(self) -> Option<KeyRef<'a>> {
        self.0.pointed(|part| part.session.cast_const()).map(KeyRef)
    }

    /// Returns the client.
    #[must_use]
    pub fn client(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|part| part.client.cast_const()).map(PrincipalRef)
    }

    /// Returns the times.
    #[must_use]
    pub fn times(self) -> Times {
        Times::from(&self.0.get().times)
    }

    /// Returns the addresses from which the ticket is valid. If empty, all are allowed.
    pub fn addresses(self) -> impl Iterator<Item = AddressRef<'a>> + Clone {
        self.0.list(|part| part.caddrs.cast_const()).map(AddressRef)
    }

    /// Returns the authorization data.
    pub fn authorization_data(self) -> impl Iterator<Item = AuthDataRef<'a>> + Clone {
        self.0.list(|part| part.authorization_data.cast_const()).map(AuthDataRef)
    }

    /// Returns the transited realms, in encoded form.
    #[must_use]
    pub fn transited(self) -> &'a [u8] {
        self.0.part(|part| &part.transited.tr_contents).bytes()
    }
}

impl fmt::Debug for TicketPartRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("TicketPartRef");
        shown.field("client", &self.client()).field("flags", &self.flags()).field("times", &self.times());
        shown.finish_non_exhaustive()
    }
}

/// A reply borrowed from the KDC.
#[derive(Clone, Copy)]
pub struct ReplyRef<'a>(pub(crate) Lent<'a, krb5_kdc_rep>);

impl<'a> ReplyRef<'a> {
    /// Returns the message type: 11 for an AS reply, 13 for a TGS reply.
    #[must_use]
    pub fn msg_type(self) -> u32 {
        self.0.get().msg_type
    }

    /// Returns the client.
    #[must_use]
    pub fn client(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|reply| reply.client.cast_const()).map(PrincipalRef)
    }

    /// Returns the ticket.
    #[must_use]
    pub fn ticket(self) -> Option<TicketRef<'a>> {
        self.0.pointed(|reply| reply.ticket.cast_const()).map(TicketRef)
    }

    /// Returns the encryption type of the reply.
    #[must_use]
    pub fn enctype(self) -> i32 {
        self.0.get().enc_part.enctype
    }

    /// Returns the preauthentication data.
    pub fn padata(self) -> impl Iterator<Item = PaDataRef<'a>> + Clone {
        self.0.list(|reply| reply.padata.cast_const()).map(PaDataRef)
    }
}

impl fmt::Debug for ReplyRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ReplyRef");
        shown.field("client", &self.client()).field("ticket", &self.ticket()).finish_non_exhaustive()
    }
}
