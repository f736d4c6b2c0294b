//! The request for an initial ticket, and what a client has to prove who it is.

use core::time::Duration;

use tagwise_crypto::Secret;

use crate::crypto::{EncType, StringToKeyLimits};
use crate::flags::kdc;
use crate::{Credential, Keytab, Principal};

use super::otp::OneTimePassword;

/// A client's credentials.
#[derive(Clone)]
pub enum Login {
    /// A password, in UTF-8.
    Password(Secret),
    /// The keys of a keytab.
    Keytab(Keytab),
    /// The value of a token (RFC 6560): needs armor, and is used for nothing but [`PreauthMethod::Otp`].
    OneTime(OneTimePassword),
    /// A certificate, or nothing for the anonymous principal (RFC 4556, RFC 8062): used for [`PreauthMethod::Pkinit`].
    #[cfg(feature = "pkinit")]
    Pkinit(Box<super::Pkinit>),
}

impl core::fmt::Debug for Login {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Password(_) => "Password",
            Self::Keytab(_) => "Keytab",
            Self::OneTime(_) => "OneTime",
            #[cfg(feature = "pkinit")]
            Self::Pkinit(_) => "Pkinit",
        })
    }
}

/// A way of preauthentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreauthMethod {
    /// PA-SPAKE (RFC 9588): gives an eavesdropper nothing to guess passwords with.
    Spake,
    /// PA-ENCRYPTED-CHALLENGE (RFC 6113 §5.4.6): in a FAST tunnel only.
    EncryptedChallenge,
    /// PA-ENC-TIMESTAMP (RFC 4120 §5.2.7.2).
    EncTimestamp,
    /// PA-OTP-CHALLENGE (RFC 6560): in a FAST tunnel only, with [`Login::OneTime`].
    Otp,
    /// PA-PK-AS-REQ (RFC 4556): with `Login::Pkinit`, of the feature `pkinit`.
    Pkinit,
}

/// The request, and what the client allows.
#[derive(Clone, Debug)]
pub struct AsOptions {
    /// The client's principal.
    pub client: Principal,
    /// The service; none means the ticket-granting service of the client's realm.
    pub service: Option<Principal>,
    /// The time for which the ticket is to be valid.
    pub lifetime: Duration,
    /// The time for which it is to be renewable.
    pub renewable: Option<Duration>,
    /// The time from now until it becomes valid.
    pub postdate: Option<Duration>,
    /// Further KDC options by number ([`flags::kdc`](crate::flags::kdc)): forwardable, proxiable, canonicalize …
    pub options: Vec<u8>,
    /// The encryption types that are asked for and accepted, the best first.
    pub enc_types: Vec<EncType>,
    /// The ways of preauthentication that may be used, the best first.
    pub methods: Vec<PreauthMethod>,
    /// A ticket that arms the exchange: with one, nothing goes outside of its FAST tunnel.
    pub armor: Option<Credential>,
    /// Limits on the work that the KDC's parameters may ask for: [`StringToKeyLimits::CLIENT`] unless it is changed.
    pub limits: StringToKeyLimits,
    /// The time by which clocks may differ at most.
    pub skew: Duration,
}

impl AsOptions {
    /// For this client: ten hours, forwardable, the default encryption types, all ways of preauthentication, five minutes of skew.
    #[must_use]
    pub fn new(client: Principal) -> Self {
        Self {
            client,
            service: None,
            lifetime: Duration::from_secs(36_000),
            renewable: None,
            postdate: None,
            options: vec![kdc::FORWARDABLE, kdc::RENEWABLE_OK],
            enc_types: EncType::DEFAULT.to_vec(),
            methods: vec![
                PreauthMethod::Spake,
                PreauthMethod::EncryptedChallenge,
                PreauthMethod::EncTimestamp,
                PreauthMethod::Otp,
                PreauthMethod::Pkinit,
            ],
            armor: None,
            limits: StringToKeyLimits::CLIENT,
            skew: Duration::from_secs(300),
        }
    }
}
