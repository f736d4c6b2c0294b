//! Key usage numbers (RFC 4120 §7.5.1, and the standards cited for each).

macro_rules! usages {
    ($($name:ident = $number:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub const $name: u32 = $number;)*
    };
}

usages! {
    PA_ENC_TIMESTAMP = 1, "PA-ENC-TIMESTAMP, with the client's key.";
    TICKET = 2, "A ticket's enc-part, with the service's key.";
    AS_REP = 3, "An AS-REP's enc-part, with the client's key or the one from preauthentication.";
    TGS_REQ_AUTH_DATA_SESSION = 4, "A TGS-REQ's authorization data, with the session key.";
    TGS_REQ_AUTH_DATA_SUBKEY = 5, "A TGS-REQ's authorization data, with the authenticator's subkey.";
    TGS_REQ_CHECKSUM = 6, "The checksum in a TGS-REQ's authenticator.";
    TGS_REQ_AUTHENTICATOR = 7, "A TGS-REQ's authenticator, with the session key.";
    TGS_REP_SESSION = 8, "A TGS-REP's enc-part, with the session key.";
    TGS_REP_SUBKEY = 9, "A TGS-REP's enc-part, with the authenticator's subkey.";
    AP_REQ_CHECKSUM = 10, "The checksum in an AP-REQ's authenticator.";
    AP_REQ_AUTHENTICATOR = 11, "An AP-REQ's authenticator, with the session key.";
    AP_REP = 12, "An AP-REP's enc-part, with the session key.";
    KRB_PRIV = 13, "A KRB-PRIV's enc-part.";
    KRB_CRED = 14, "A KRB-CRED's enc-part.";
    KRB_SAFE = 15, "A KRB-SAFE's checksum.";
    PA_FOR_USER = 17, "The checksum in PA-FOR-USER (MS-SFU §2.2.1) and in PAC signatures (MS-PAC §2.8).";
    AD_KDC_ISSUED = 19, "The checksum in AD-KDC-ISSUED.";
    GSS_ACCEPTOR_SEAL = 22, "Wrap tokens of an acceptor (RFC 4121 §2).";
    GSS_ACCEPTOR_SIGN = 23, "MIC tokens of an acceptor.";
    GSS_INITIATOR_SEAL = 24, "Wrap tokens of an initiator.";
    GSS_INITIATOR_SIGN = 25, "MIC tokens of an initiator.";
    PA_S4U_X509_USER_REQUEST = 26, "The checksum in a request's PA-S4U-X509-USER (MS-SFU §2.2.2).";
    PA_S4U_X509_USER_REPLY = 27, "The checksum in a reply's PA-S4U-X509-USER.";
    PA_PKINIT_KX = 44, "PA-PKINIT-KX (RFC 8062 §4.3).";
    PA_OTP_REQUEST = 45, "PA-OTP-REQUEST (RFC 6560 §4.2).";
    FAST_REQ_CHECKSUM = 50, "The checksum in KrbFastArmoredReq (RFC 6113 §5.4.2).";
    FAST_ENC = 51, "KrbFastReq, with the armor key.";
    FAST_REP = 52, "KrbFastResponse, with the armor key.";
    FAST_FINISHED = 53, "The checksum in KrbFastFinished.";
    ENC_CHALLENGE_CLIENT = 54, "The encrypted challenge of a client (RFC 6113 §5.4.6).";
    ENC_CHALLENGE_KDC = 55, "The encrypted challenge of a KDC.";
    AS_REQ_CHECKSUM = 56, "PA-REQ-ENC-PA-REP (RFC 6806 §11).";
    CAMMAC = 64, "AD-CAMMAC's verifiers (RFC 7751 §3).";
    SPAKE = 65, "SPAKE factors and keys (RFC 9588 §4.3).";
}
