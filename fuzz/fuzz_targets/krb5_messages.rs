//! Messages of Kerberos: what decodes strictly by its type re-encodes to the same bytes; summaries and openers take anything.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Encode, Options, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment};
use tagwise_krb5::open::Opener;
use tagwise_krb5::{
    KerberosKind, Keytab, Principal, auth_data_elements, fast, messages, microsoft, rules, spake_messages, spnego,
    summary,
};
use tagwise_pkix::UnixTime;

static BACKEND: LazyLock<AwsLc> = LazyLock::new(AwsLc::new);

fn check<'a, T: Decode<'a> + Encode>(data: &'a [u8]) {
    match T::from_der(data) {
        Ok(value) => assert_eq!(encode(&value).as_deref(), Ok(data)),
        Err(error) => assert!(error.offset() <= data.len(), "{error}"),
    }
    if let Ok(read) = Options::der().rules(rules::PEERS).decode::<T>(data) {
        assert_eq!(read.deviations.is_empty(), T::from_der(data).is_ok());
    }
}

macro_rules! check {
    ($data:ident: $($type:ty),* $(,)?) => { $(check::<$type>($data);)* };
}

fuzz_target!(|data: &[u8]| {
    check!(data:
        messages::AsReq<'_>, messages::AsRep<'_>, messages::TgsReq<'_>, messages::TgsRep<'_>, messages::ApReq<'_>,
        messages::ApRep<'_>, messages::KrbError<'_>, messages::KrbCred<'_>, messages::KrbPriv<'_>, messages::KrbSafe<'_>,
        messages::EncTicketPart<'_>, messages::EncTgsRepPart<'_>, messages::Authenticator<'_>, messages::MethodData<'_>,
        fast::PaFxFastRequest<'_>, fast::KrbFastResponse<'_>, microsoft::PaForUser<'_>, spake_messages::PaSpake<'_>,
        spnego::NegotiationToken<'_>,
    );
    assert!(!summary(data).is_empty());
    let _ = KerberosKind::of(data);
    let _ = Opener::new(&*BACKEND, Keytab::default()).open(data);
    if let Ok(list) = messages::AuthorizationData::from_der(data)
        && let Ok(elements) = auth_data_elements(&list)
    {
        assert!(elements.len() <= 1024 + list.iter().count());
    }
    // A client with a clock that stands still: no reply of anybody makes a ticket, and none makes it panic.
    let client = Principal::new(1, *b"KRB.TEST", [&b"alice"[..]]);
    let mut options = AsOptions::new(client);
    options.limits.max_iterations = 4;
    let now = Moment { unix: UnixTime(1_795_255_200), micros: 1 };
    let mut exchange = AsExchange::new(&*BACKEND, options, Login::Password(Secret::from(&b"alicepw"[..])));
    if exchange.start(now).is_ok() {
        let done = exchange.reply(now, data);
        assert!(!matches!(done, Ok(tagwise_krb5::client::Step::Done(_))));
    }
});
