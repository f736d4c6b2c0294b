//! Options for an initial ticket, and the client's credentials.

use core::time::Duration;

use tagwise_crypto::Secret;

use crate::crypto::{EncType, StringToKeyLimits};
use crate::flags::kdc;
use crate::{Credential, Keytab, Principal};

use super::otp::OneTimePassword;

/// A client's credentials.
#[derive(Clone)]
pub enum Login {
    /// A UTF-8 password.
    Password(Secret),
    /// A keytab.
    Keytab(Keytab),
    /// A one-time password (RFC 6560). Requires armor and [`PreauthMethod::Otp`].
    OneTime(OneTimePassword),
    /// A certificate, or anonymous authentication (RFC 4556, RFC 8062). Requires [`PreauthMethod::Pkinit`].
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

/// A preauthentication method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreauthMethod {
    /// PA-SPAKE (RFC 9588), which resists offline password guessing.
    Spake,
    /// PA-ENCRYPTED-CHALLENGE (RFC 6113 §5.4.6). Used only in a FAST tunnel.
    EncryptedChallenge,
    /// PA-ENC-TIMESTAMP (RFC 4120 §5.2.7.2).
    EncTimestamp,
    /// PA-OTP-CHALLENGE (RFC 6560). Used only in a FAST tunnel and with [`Login::OneTime`].
    Otp,
    /// PA-PK-AS-REQ (RFC 4556), with `Login::Pkinit` (feature `pkinit`).
    Pkinit,
}

/// Options for an initial ticket.
#[derive(Clone, Debug)]
pub struct AsOptions {
    /// The client's principal.
    pub client: Principal,
    /// The service, or `None` for the ticket-granting service of the client's realm.
    pub service: Option<Principal>,
    /// The requested lifetime.
    pub lifetime: Duration,
    /// The requested renewable lifetime, or `None` for a ticket that is not renewable.
    pub renewable: Option<Duration>,
    /// The delay until the ticket becomes valid, for a postdated ticket.
    pub postdate: Option<Duration>,
    /// Additional KDC options by number ([`flags::kdc`](crate::flags::kdc)): forwardable, proxiable, canonicalize …
    pub options: Vec<u8>,
    /// The requested and accepted encryption types, in order of preference.
    pub enc_types: Vec<EncType>,
    /// The allowed preauthentication methods, in order of preference.
    pub methods: Vec<PreauthMethod>,
    /// An armor ticket. If set, the exchange takes place only inside its FAST tunnel.
    pub armor: Option<Credential>,
    /// Limits on the work that the KDC's parameters can cause. Default: [`StringToKeyLimits::CLIENT`].
    pub limits: StringToKeyLimits,
    /// The maximum clock skew.
    pub skew: Duration,
}

impl AsOptions {
    /// Creates options for a client with default values: a lifetime of ten hours, forwardable, the default encryption types, all
    /// preauthentication methods, and a clock skew of five minutes.
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
