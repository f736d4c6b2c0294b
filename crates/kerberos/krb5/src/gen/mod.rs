/// Authorization data in a container that several keys authenticate, and authentication indicators.
pub mod cammac;
/// Preauthentication sets and FAST, flexible authentication secure tunneling.
pub mod fast;
/// The Kerberos Network Authentication Service (V5).
pub mod kerberos;
/// Extensions of Microsoft: MS-KILE §2.2, MS-SFU §2.2, MS-KKDCP §2.2.2.
pub mod microsoft;
/// Further messages of MIT's implementation: IAKERB (draft-ietf-kitten-iakerb §3), hardware tokens
pub mod mit;
/// One-time passwords in preauthentication.
pub mod otp;
/// Public key cryptography for initial authentication (PKINIT).
pub mod pkinit;
/// Algorithm agility of PKINIT.
pub mod pkinit_agility;
/// Preauthentication by SPAKE, a password-authenticated key exchange.
pub mod spake;
/// The Simple and Protected GSS-API Negotiation Mechanism.
pub mod spnego;
