//! KDC requests.

use std::fmt;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::mit::{krb5_address, krb5_authdata, krb5_kdc_req, krb5_pa_data};

use super::{PrincipalRef, TicketRef, moment};
use crate::host::lent::Lent;

/// A request borrowed from the KDC.
#[derive(Clone, Copy)]
pub struct RequestRef<'a>(pub(crate) Lent<'a, krb5_kdc_req>);

impl<'a> RequestRef<'a> {
    /// Returns the message type: 10 for an AS request, 12 for a TGS request.
    #[must_use]
    pub fn msg_type(self) -> u32 {
        self.0.get().msg_type
    }

    /// Returns the bits of `KDCOptions`.
    #[must_use]
    pub fn kdc_options(self) -> u32 {
        self.0.get().kdc_options.cast_unsigned()
    }

    /// Returns the client. TGS requests do not contain it.
    #[must_use]
    pub fn client(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|request| request.client.cast_const()).map(PrincipalRef)
    }

    /// Returns the server.
    #[must_use]
    pub fn server(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|request| request.server.cast_const()).map(PrincipalRef)
    }

    /// Returns the requested start time.
    #[must_use]
    pub fn from(self) -> Option<UnixTime> {
        moment(self.0.get().from)
    }

    /// Returns the requested end time.
    #[must_use]
    pub fn till(self) -> Option<UnixTime> {
        moment(self.0.get().till)
    }

    /// Returns the requested end of the renewable lifetime.
    #[must_use]
    pub fn rtime(self) -> Option<UnixTime> {
        moment(self.0.get().rtime)
    }

    /// Returns the nonce.
    #[must_use]
    pub fn nonce(self) -> u32 {
        self.0.get().nonce.cast_unsigned()
    }

    /// Returns the requested encryption types, in order of preference.
    #[must_use]
    pub fn enctypes(self) -> &'a [i32] {
        self.0.array(|request| (request.ktype.cast_const(), request.nktypes.into()))
    }

    /// Returns the preauthentication data.
    pub fn padata(self) -> impl Iterator<Item = PaDataRef<'a>> + Clone {
        self.0.list(|request| request.padata.cast_const()).map(PaDataRef)
    }

    /// Returns the requested addresses.
    pub fn addresses(self) -> impl Iterator<Item = AddressRef<'a>> + Clone {
        self.0.list(|request| request.addresses.cast_const()).map(AddressRef)
    }

    /// Returns the decrypted authorization data.
    pub fn authorization_data(self) -> impl Iterator<Item = AuthDataRef<'a>> + Clone {
        self.0.list(|request| request.unenc_authdata.cast_const()).map(AuthDataRef)
    }

    /// Returns the additional tickets.
    pub fn second_tickets(self) -> impl Iterator<Item = TicketRef<'a>> + Clone {
        self.0.list(|request| request.second_ticket.cast_const()).map(TicketRef)
    }
}

impl fmt::Debug for RequestRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RequestRef");
        shown.field("msg_type", &self.msg_type()).field("client", &self.client()).field("server", &self.server());
        shown.finish_non_exhaustive()
    }
}

/// Preauthentication data borrowed from the host.
#[derive(Clone, Copy)]
pub struct PaDataRef<'a>(pub(crate) Lent<'a, krb5_pa_data>);

impl<'a> PaDataRef<'a> {
    /// Returns the type.
    #[must_use]
    pub fn pa_type(self) -> i32 {
        self.0.get().pa_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|data| (data.contents.cast_const(), data.length.into()))
    }
}

impl fmt::Debug for PaDataRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PaDataRef({}, {} bytes)", self.pa_type(), self.contents().len())
    }
}

/// Owned preauthentication data.
#[derive(Clone, PartialEq, Eq)]
pub struct PaData {
    pa_type: i32,
    contents: Vec<u8>,
}

impl PaData {
    /// Creates preauthentication data.
    pub fn new(pa_type: i32, contents: impl Into<Vec<u8>>) -> Self {
        Self { pa_type, contents: contents.into() }
    }

    /// Returns the type.
    #[must_use]
    pub fn pa_type(&self) -> i32 {
        self.pa_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }
}

impl fmt::Debug for PaData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PaData({}, {} bytes)", self.pa_type, self.contents.len())
    }
}

/// Authorization data borrowed from the host.
#[derive(Clone, Copy)]
pub struct AuthDataRef<'a>(pub(crate) Lent<'a, krb5_authdata>);

impl<'a> AuthDataRef<'a> {
    /// Returns the type.
    #[must_use]
    pub fn ad_type(self) -> i32 {
        self.0.get().ad_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|data| (data.contents.cast_const(), data.length.into()))
    }
}

impl fmt::Debug for AuthDataRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthDataRef({}, {} bytes)", self.ad_type(), self.contents().len())
    }
}

/// Owned authorization data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthData {
    ad_type: i32,
    contents: Vec<u8>,
}

impl AuthData {
    /// Creates authorization data.
    pub fn new(ad_type: i32, contents: impl Into<Vec<u8>>) -> Self {
        Self { ad_type, contents: contents.into() }
    }

    /// Returns the type.
    #[must_use]
    pub fn ad_type(&self) -> i32 {
        self.ad_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }
}

/// An address borrowed from the host.
#[derive(Clone, Copy)]
pub struct AddressRef<'a>(pub(crate) Lent<'a, krb5_address>);

impl<'a> AddressRef<'a> {
    /// Returns the type: 2 for IPv4, 24 for IPv6.
    #[must_use]
    pub fn addrtype(self) -> i32 {
        self.0.get().addrtype
    }

    /// Returns the bytes of the address.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|address| (address.contents.cast_const(), address.length.into()))
    }

    /// Returns the IP address, or `None` for other address types.
    #[must_use]
    pub fn ip(self) -> Option<std::net::IpAddr> {
        match self.addrtype() {
            2 => <[u8; 4]>::try_from(self.contents()).ok().map(Into::into),
            24 => <[u8; 16]>::try_from(self.contents()).ok().map(Into::into),
            _ => None,
        }
    }
}

impl fmt::Debug for AddressRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AddressRef({}, {:?})", self.addrtype(), self.contents())
    }
}
