//! What several tests share: files of the corpora, names and types of messages.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::fs;
use std::path::Path;

use tagwise_codec::{Decode, Encode, Error, Options, RuleSet, encode};
use tagwise_krb5::{
    cammac, fast, messages, microsoft, mit, otp, pkinit, pkinit_agility, rules, spake_messages, spnego,
};

/// What became of octets: the octets they encode to again, or what is wrong.
pub type Outcome = Result<Vec<u8>, String>;

/// A name of a type and what decodes and encodes it.
pub type Row = (&'static str, fn(&[u8], RuleSet) -> Outcome);

fn round<'a, T: Decode<'a> + Encode>(octets: &'a [u8], rules: RuleSet) -> Outcome {
    let value = match rules.is_empty() {
        true => T::from_der(octets).map_err(|error: Error| error.to_string())?,
        false => Options::der().rules(rules).decode::<T>(octets).map_err(|error| error.to_string())?.value,
    };
    encode(&value).map_err(|error| error.to_string())
}

macro_rules! rows {
    ($($name:literal => $ty:ty;)*) => { &[$(($name, |octets, rules| round::<$ty>(octets, rules))),*] };
}

/// Types by their names in ASN.1.
pub const TYPES: &[Row] = rows! {
    "AS-REQ" => messages::AsReq<'_>;
    "AS-REP" => messages::AsRep<'_>;
    "TGS-REQ" => messages::TgsReq<'_>;
    "TGS-REP" => messages::TgsRep<'_>;
    "AP-REQ" => messages::ApReq<'_>;
    "AP-REP" => messages::ApRep<'_>;
    "KRB-SAFE" => messages::KrbSafe<'_>;
    "KRB-PRIV" => messages::KrbPriv<'_>;
    "KRB-CRED" => messages::KrbCred<'_>;
    "KRB-ERROR" => messages::KrbError<'_>;
    "Ticket" => messages::Ticket<'_>;
    "EncTicketPart" => messages::EncTicketPart<'_>;
    "EncTGSRepPart" => messages::EncTgsRepPart<'_>;
    "EncAPRepPart" => messages::EncApRepPart<'_>;
    "EncKrbPrivPart" => messages::EncKrbPrivPart<'_>;
    "EncKrbCredPart" => messages::EncKrbCredPart<'_>;
    "Authenticator" => messages::Authenticator<'_>;
    "EncryptionKey" => messages::EncryptionKey<'_>;
    "EncryptedData" => messages::EncryptedData<'_>;
    "KDC-REQ-BODY" => messages::KdcReqBody<'_>;
    "AuthorizationData" => messages::AuthorizationData<'_>;
    "METHOD-DATA" => messages::MethodData<'_>;
    "TYPED-DATA" => messages::TypedData<'_>;
    "ETYPE-INFO" => messages::EtypeInfo<'_>;
    "ETYPE-INFO2" => messages::EtypeInfo2<'_>;
    "PA-ENC-TS-ENC" => messages::PaEncTsEnc;
    "AD-KDCIssued" => messages::AdKdcIssued<'_>;
    "PA-SAM-CHALLENGE-2" => mit::PaSamChallenge2<'_>;
    "PA-SAM-CHALLENGE-2-BODY" => mit::PaSamChallenge2Body<'_>;
    "PA-SAM-RESPONSE-2" => mit::PaSamResponse2<'_>;
    "PA-ENC-SAM-RESPONSE-ENC" => mit::PaEncSamResponseEnc<'_>;
    "IAKERB-HEADER" => mit::IakerbHeader<'_>;
    "IAKERB-FINISHED" => mit::IakerbFinished<'_>;
    "SecureCookie" => mit::SecureCookie<'_>;
    "KrbKeySet" => mit::KrbKeySet<'_>;
    "ChangePasswdData" => mit::ChangePasswdData<'_>;
    "PA-FOR-USER" => microsoft::PaForUser<'_>;
    "PA-S4U-X509-USER" => microsoft::PaS4uX509User<'_>;
    "KDC-PROXY-MESSAGE" => microsoft::KdcProxyMessage<'_>;
    "KrbFastResponse" => fast::KrbFastResponse<'_>;
    "PA-FX-FAST-REPLY" => fast::PaFxFastReply<'_>;
    "OTP-TOKENINFO" => otp::OtpTokenInfo<'_>;
    "PA-OTP-CHALLENGE" => otp::PaOtpChallenge<'_>;
    "PA-OTP-REQUEST" => otp::PaOtpRequest<'_>;
    "PA-OTP-ENC-REQUEST" => otp::PaOtpEncRequest<'_>;
    "AD-CAMMAC" => cammac::AdCammac<'_>;
    "SPAKESecondFactor" => spake_messages::SpakeSecondFactor<'_>;
    "PA-SPAKE" => spake_messages::PaSpake<'_>;
    "NegotiationToken" => spnego::NegotiationToken<'_>;
    "PA-PK-AS-REQ" => pkinit::PaPkAsReq<'_>;
    "PA-PK-AS-REP" => pkinit::PaPkAsRep<'_>;
    "AuthPack" => pkinit::AuthPack<'_>;
    "KDCDHKeyInfo" => pkinit::KdcDhKeyInfo<'_>;
    "ReplyKeyPack" => pkinit::ReplyKeyPack<'_>;
    "OtherInfo" => pkinit_agility::OtherInfo<'_>;
    "PkinitSuppPubInfo" => pkinit_agility::PkinitSuppPubInfo<'_>;
};

/// Decodes as the type of that name and encodes again.
pub fn again(name: &str, octets: &[u8], rules: RuleSet) -> Outcome {
    let row = TYPES.iter().find(|(of, _)| *of == name);
    row.unwrap_or_else(|| panic!("no type {name}")).1(octets, rules)
}

/// All rules that a client allows its peers.
pub const PEERS: RuleSet = rules::PEERS;

/// The files of a folder by name, sorted.
pub fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Bytes of hexadecimal digits.
pub fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Compares rows that were found with those of a register, in both directions; `TAGWISE_BLESS=1` writes it.
pub fn compare(register: &str, header: &str, rows: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/register").join(register);
    let text = format!("{header}\n{}", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    if std::env::var_os("TAGWISE_BLESS").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{register} differs from what was found");
}
