//! Types by name and number, for programs that display values by their type.
//!
//! ```
//! use tagwise_krb5::{numbers::pa, types};
//! let ty = types::by_name("EncTicketPart").unwrap();
//! assert_eq!(&*ty.name, "EncTicketPart");
//! assert_eq!(&*types::padata(pa::ENC_TIMESTAMP, false).unwrap().name, "EncryptedData");
//! assert_eq!(&*types::message(&[0x6A, 0]).unwrap().name, "AS-REQ");
//! ```

use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{Decode, Options, SeqOf};

use crate::numbers::{ad, pa};
use crate::{cammac, fast, messages, microsoft, mit, otp, pkinit, pkinit_agility, spake_messages, spnego};

macro_rules! types {
    ($($name:literal => $ty:ty;)*) => {
        /// The names accepted by [`by_name`].
        pub const NAMES: &[&str] = &[$($name),*];

        /// Returns the type with the given ASN.1 name.
        #[must_use]
        pub fn by_name(name: &str) -> Option<&'static Type> {
            match name {
                $($name => Some(<$ty as Typed>::ty()),)*
                _ => None,
            }
        }
    };
}

types! {
    "AS-REQ" => messages::AsReq<'static>;
    "AS-REP" => messages::AsRep<'static>;
    "TGS-REQ" => messages::TgsReq<'static>;
    "TGS-REP" => messages::TgsRep<'static>;
    "AP-REQ" => messages::ApReq<'static>;
    "AP-REP" => messages::ApRep<'static>;
    "KRB-SAFE" => messages::KrbSafe<'static>;
    "KRB-PRIV" => messages::KrbPriv<'static>;
    "KRB-CRED" => messages::KrbCred<'static>;
    "KRB-ERROR" => messages::KrbError<'static>;
    "Ticket" => messages::Ticket<'static>;
    "EncTicketPart" => messages::EncTicketPart<'static>;
    "EncASRepPart" => messages::EncAsRepPart<'static>;
    "EncTGSRepPart" => messages::EncTgsRepPart<'static>;
    "EncAPRepPart" => messages::EncApRepPart<'static>;
    "EncKrbPrivPart" => messages::EncKrbPrivPart<'static>;
    "EncKrbCredPart" => messages::EncKrbCredPart<'static>;
    "Authenticator" => messages::Authenticator<'static>;
    "EncryptionKey" => messages::EncryptionKey<'static>;
    "EncryptedData" => messages::EncryptedData<'static>;
    "KDC-REQ" => messages::KdcReq<'static>;
    "KDC-REP" => messages::KdcRep<'static>;
    "KDC-REQ-BODY" => messages::KdcReqBody<'static>;
    "EncKDCRepPart" => messages::EncKdcRepPart<'static>;
    "KRB-SAFE-BODY" => messages::KrbSafeBody<'static>;
    "KrbCredInfo" => messages::KrbCredInfo<'static>;
    "PrincipalName" => messages::PrincipalName<'static>;
    "HostAddress" => messages::HostAddress<'static>;
    "TransitedEncoding" => messages::TransitedEncoding<'static>;
    "PA-DATA" => messages::PaData<'static>;
    "AuthorizationData" => messages::AuthorizationData<'static>;
    "METHOD-DATA" => messages::MethodData<'static>;
    "TYPED-DATA" => messages::TypedData<'static>;
    "ETYPE-INFO" => messages::EtypeInfo<'static>;
    "ETYPE-INFO2" => messages::EtypeInfo2<'static>;
    "PA-ENC-TS-ENC" => messages::PaEncTsEnc;
    "Checksum" => messages::Checksum<'static>;
    "AD-KDCIssued" => messages::AdKdcIssued<'static>;
    "AD-AND-OR" => messages::AdAndOr<'static>;
    "AD-CAMMAC" => cammac::AdCammac<'static>;
    "AD-AUTHENTICATION-INDICATOR" => cammac::AdAuthenticationIndicator<'static>;
    "AD-INITIAL-VERIFIED-CAS" => pkinit::AdInitialVerifiedCas<'static>;
    "KERB-AD-RESTRICTION-ENTRY" => microsoft::KerbAdRestrictionEntry<'static>;
    "IAKERB-HEADER" => mit::IakerbHeader<'static>;
    "IAKERB-FINISHED" => mit::IakerbFinished<'static>;
    "SecureCookie" => mit::SecureCookie<'static>;
    "ChangePasswdData" => mit::ChangePasswdData<'static>;
    "PA-SAM-CHALLENGE" => mit::PaSamChallenge<'static>;
    "PA-SAM-RESPONSE" => mit::PaSamResponse<'static>;
    "PA-SAM-CHALLENGE-2-BODY" => mit::PaSamChallenge2Body<'static>;
    "PA-ENC-SAM-RESPONSE-ENC" => mit::PaEncSamResponseEnc<'static>;
    "AD-SIGNEDPATH" => mit::AdSignedpath<'static>;
    "KrbKeySet" => mit::KrbKeySet<'static>;
    "PA-SAM-CHALLENGE-2" => mit::PaSamChallenge2<'static>;
    "PA-SAM-RESPONSE-2" => mit::PaSamResponse2<'static>;
    "PA-FOR-USER" => microsoft::PaForUser<'static>;
    "PA-S4U-X509-USER" => microsoft::PaS4uX509User<'static>;
    "PA-PAC-OPTIONS" => microsoft::PaPacOptions<'static>;
    "KERB-PA-PAC-REQUEST" => microsoft::KerbPaPacRequest;
    "KDC-PROXY-MESSAGE" => microsoft::KdcProxyMessage<'static>;
    "PA-FX-FAST-REQUEST" => fast::PaFxFastRequest<'static>;
    "PA-FX-FAST-REPLY" => fast::PaFxFastReply<'static>;
    "KrbFastReq" => fast::KrbFastReq<'static>;
    "KrbFastResponse" => fast::KrbFastResponse<'static>;
    "OTP-TOKENINFO" => otp::OtpTokenInfo<'static>;
    "PA-OTP-PIN-CHANGE" => otp::PaOtpPinChange<'static>;
    "PA-OTP-CHALLENGE" => otp::PaOtpChallenge<'static>;
    "PA-OTP-REQUEST" => otp::PaOtpRequest<'static>;
    "PA-OTP-ENC-REQUEST" => otp::PaOtpEncRequest<'static>;
    "PA-PK-AS-REQ" => pkinit::PaPkAsReq<'static>;
    "PA-PK-AS-REP" => pkinit::PaPkAsRep<'static>;
    "AuthPack" => pkinit::AuthPack<'static>;
    "KDCDHKeyInfo" => pkinit::KdcDhKeyInfo<'static>;
    "ReplyKeyPack" => pkinit::ReplyKeyPack<'static>;
    "OtherInfo" => pkinit_agility::OtherInfo<'static>;
    "PA-SPAKE" => spake_messages::PaSpake<'static>;
    "SPAKESecondFactor" => spake_messages::SpakeSecondFactor<'static>;
    "NegotiationToken" => spnego::NegotiationToken<'static>;
}

/// Returns the type of a message according to its outermost tag: one of those in RFC 4120 §5.10, or an SPNEGO token without framing.
#[must_use]
pub fn message(octets: &[u8]) -> Option<&'static Type> {
    by_name(match octets.first()? {
        0x61 => "Ticket",
        0x62 => "Authenticator",
        0x63 => "EncTicketPart",
        0x6A => "AS-REQ",
        0x6B => "AS-REP",
        0x6C => "TGS-REQ",
        0x6D => "TGS-REP",
        0x6E => "AP-REQ",
        0x6F => "AP-REP",
        0x74 => "KRB-SAFE",
        0x75 => "KRB-PRIV",
        0x76 => "KRB-CRED",
        0x79 => "EncASRepPart",
        0x7A => "EncTGSRepPart",
        0x7B => "EncAPRepPart",
        0x7C => "EncKrbPrivPart",
        0x7D => "EncKrbCredPart",
        0x7E => "KRB-ERROR",
        0xA0 | 0xA1 => "NegotiationToken",
        0x30 => return sequence(octets),
        _ => return None,
    })
}

fn sequence(octets: &[u8]) -> Option<&'static Type> {
    by_name(sequence_name(octets)?)
}

/// Returns the type name of a SEQUENCE, by trying to decode it completely. Only a few such types are sent on their own.
pub(crate) fn sequence_name(octets: &[u8]) -> Option<&'static str> {
    fn decodes<'a, T: Decode<'a>>(octets: &'a [u8]) -> Option<T> {
        Options::der().rules(crate::rules::PEERS).decode::<T>(octets).ok().map(|read| read.value)
    }
    /// Returns the numbers of a list's entries. Returns none for a list that is empty or cannot be decoded.
    fn numbers<'a, T: Decode<'a> + Clone>(list: Option<SeqOf<'a, T>>, number: impl Fn(T) -> i32) -> Vec<i32> {
        let entries = list.into_iter().flat_map(|list| list.iter().map(|entry| entry.map(&number)).collect::<Vec<_>>());
        entries.collect::<Result<_, _>>().unwrap_or_default()
    }
    let all = |list: &[i32], known: &dyn Fn(i32) -> bool| !list.is_empty() && list.iter().all(|number| known(*number));
    let request = |request: messages::KdcReq<'_>| matches!(request.msg_type, 10 | 12);
    let name = if decodes::<microsoft::KdcProxyMessage<'_>>(octets)
        .is_some_and(|body| proxied(body.kerb_message.as_bytes()).is_some())
    {
        "KDC-PROXY-MESSAGE"
    } else if decodes::<messages::KdcReq<'_>>(octets).is_some_and(request) {
        "KDC-REQ"
    } else if decodes::<messages::KdcRep<'_>>(octets).is_some_and(|reply| matches!(reply.msg_type, 11 | 13)) {
        "KDC-REP"
    } else if all(&numbers(decodes::<messages::MethodData<'_>>(octets), |entry| entry.padata_type), &|number| {
        pa::name(number).is_some()
    }) {
        "METHOD-DATA"
    } else if all(
        &numbers(decodes::<messages::TypedData<'_>>(octets).map(|list| list.0), |entry| entry.data_type),
        &|number| {
            // TD-TRUSTED-CERTIFIERS to TD-CMS-DATA-DIGEST-ALGORITHMS (RFC 4120 §7.5.4, RFC 4556, RFC 8636).
            (101..=115).contains(&number)
        },
    ) {
        "TYPED-DATA"
    } else if all(&numbers(decodes::<messages::AuthorizationData<'_>>(octets), |entry| entry.ad_type), &|number| {
        ad::name(number).is_some()
    }) {
        "AuthorizationData"
    } else {
        return None;
    };
    Some(name)
}

/// Extracts the message from a KKDCP body (MS-KKDCP §2.2.2), where it is length-prefixed as over TCP.
#[must_use]
pub(crate) fn proxied(body: &[u8]) -> Option<&[u8]> {
    let (len, message) = body.split_first_chunk()?;
    let fits = usize::try_from(u32::from_be_bytes(*len)) == Ok(message.len());
    let is_message = matches!(message.first(), Some(0x6A..=0x6D | 0x7E)) || is_kpasswd(message);
    (fits && is_message).then_some(message)
}

/// Returns whether a message has the framing of RFC 3244 §2: its length, and version 1 or FF80.
pub(crate) fn is_kpasswd(message: &[u8]) -> bool {
    match message {
        [a, b, 0, 1, ..] | [a, b, 0xFF, 0x80, ..] => usize::from(u16::from_be_bytes([*a, *b])) == message.len(),
        _ => false,
    }
}

/// Returns the type of a preauthentication data value. Some types differ in replies.
#[must_use]
pub fn padata(kind: i32, is_reply: bool) -> Option<&'static Type> {
    by_name(match (kind, is_reply) {
        (pa::TGS_REQ, _) => "AP-REQ",
        (pa::ENC_TIMESTAMP | pa::ENCRYPTED_CHALLENGE, _) => "EncryptedData",
        (pa::ETYPE_INFO, _) => "ETYPE-INFO",
        (pa::ETYPE_INFO2, _) => "ETYPE-INFO2",
        (pa::PK_AS_REQ, false) => "PA-PK-AS-REQ",
        (pa::PK_AS_REP, true) => "PA-PK-AS-REP",
        (pa::SAM_CHALLENGE, _) => "PA-SAM-CHALLENGE",
        (pa::SAM_RESPONSE, _) => "PA-SAM-RESPONSE",
        (pa::SAM_CHALLENGE2, _) => "PA-SAM-CHALLENGE-2",
        (pa::SAM_RESPONSE2, _) => "PA-SAM-RESPONSE-2",
        (pa::PAC_REQUEST, _) => "KERB-PA-PAC-REQUEST",
        (pa::FOR_USER, _) => "PA-FOR-USER",
        (pa::S4U_X509_USER, _) => "PA-S4U-X509-USER",
        (pa::FX_FAST, false) => "PA-FX-FAST-REQUEST",
        (pa::FX_FAST, true) => "PA-FX-FAST-REPLY",
        (pa::FX_ERROR, _) => "KRB-ERROR",
        (pa::OTP_CHALLENGE, _) => "PA-OTP-CHALLENGE",
        (pa::OTP_REQUEST, _) => "PA-OTP-REQUEST",
        (pa::REQ_ENC_PA_REP, true) => "Checksum",
        (pa::SPAKE, _) => "PA-SPAKE",
        (pa::PAC_OPTIONS, _) => "PA-PAC-OPTIONS",
        _ => return None,
    })
}

/// Returns the type of an authorization data element. A PAC is not ASN.1; see [`pac`](crate::pac).
#[must_use]
pub fn auth_data(kind: i32) -> Option<&'static Type> {
    by_name(match kind {
        ad::IF_RELEVANT | ad::MANDATORY_FOR_KDC => "AuthorizationData",
        ad::KDC_ISSUED => "AD-KDCIssued",
        ad::AND_OR => "AD-AND-OR",
        ad::CAMMAC => "AD-CAMMAC",
        ad::AUTHENTICATION_INDICATOR => "AD-AUTHENTICATION-INDICATOR",
        ad::INITIAL_VERIFIED_CAS => "AD-INITIAL-VERIFIED-CAS",
        ad::SIGNTICKET => "AD-SIGNEDPATH",
        ad::TOKEN_RESTRICTIONS => "KERB-AD-RESTRICTION-ENTRY",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_its_type() {
        for name in NAMES {
            let found = by_name(name).map(|ty| ty.name.to_string()).unwrap_or_default();
            let plain = |text: &str| text.replace('-', "").to_ascii_lowercase();
            // A list without a name of its own is the table of its items' list.
            assert!(plain(&found) == plain(name) || found == "SEQUENCE OF", "{name}: {found}");
        }
        assert!(by_name("ENC-TICKET").is_none());
    }
}
