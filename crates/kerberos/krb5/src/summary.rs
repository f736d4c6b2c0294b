//! One-line summaries of messages: kind, names, offers and requests, without secrets.

use tagwise_codec::{Decode, Options, SeqOf};

use crate::messages::{
    ApReq, AsRep, AsReq, EncryptedData, EtypeInfo2, KdcRep, KdcReq, KrbError, MethodData, PaData, TgsRep, TgsReq,
};
use crate::numbers::{enc_type, error, pa};
use crate::{Principal, UInt32, rules, types};

/// The maximum number of a list's entries to name.
const MAX_NAMED: usize = 16;

/// Summarizes a message on one line, for traces and lists. Malformed messages are reported as such.
///
/// ```
/// use tagwise_krb5::summary;
/// assert_eq!(summary(b"\x30\x00"), "not a Kerberos message, 2 bytes");
/// ```
#[must_use]
pub fn summary(message: &[u8]) -> String {
    let told = match message.first() {
        Some(0x6A) => read::<AsReq<'_>>(message).map(|request| kdc_req("AS-REQ", &request.0)),
        Some(0x6B) => read::<AsRep<'_>>(message).map(|reply| kdc_rep("AS-REP", &reply.0)),
        Some(0x6C) => read::<TgsReq<'_>>(message).map(|request| kdc_req("TGS-REQ", &request.0)),
        Some(0x6D) => read::<TgsRep<'_>>(message).map(|reply| kdc_rep("TGS-REP", &reply.0)),
        Some(0x6E) => read::<ApReq<'_>>(message).map(|request| {
            format!("AP-REQ for {}", name(Principal::from_message(&request.ticket.sname, &request.ticket.realm)))
        }),
        Some(0x7E) => read::<KrbError<'_>>(message).map(|error| krb_error(&error)),
        _ if types::is_kpasswd(message) => return format!("password-change message, {} bytes", message.len()),
        _ => return format!("not a Kerberos message, {} bytes", message.len()),
    };
    match told {
        Ok(text) => format!("{text}, {} bytes", message.len()),
        Err(error) => format!("malformed, {} bytes: {error}", message.len()),
    }
}

fn read<'a, T: Decode<'a>>(octets: &'a [u8]) -> Result<T, tagwise_codec::Error> {
    Options::der().rules(rules::PEERS).decode::<T>(octets).map(|read| read.value)
}

fn name(principal: Result<Principal, tagwise_codec::Error>) -> String {
    principal.map_or_else(|error| format!("malformed name ({error})"), |name| name.to_string())
}

/// Lists the names of numbers, separated by commas. Numbers without a name are listed as such.
fn list(numbers: impl Iterator<Item = i32>, of: fn(i32) -> Option<&'static str>) -> String {
    let named: Vec<String> =
        numbers.take(MAX_NAMED).map(|number| of(number).map_or_else(|| number.to_string(), str::to_owned)).collect();
    named.join(", ")
}

fn padata(data: Option<&SeqOf<'_, PaData<'_>>>) -> String {
    let kinds = data.into_iter().flat_map(SeqOf::iter).filter_map(Result::ok).map(|entry| entry.padata_type);
    list(kinds, pa::name)
}

fn kdc_req(kind: &str, request: &KdcReq<'_>) -> String {
    let body = &request.req_body;
    let client = body.cname.map(|cname| name(Principal::from_message(&cname, &body.realm)));
    let server = body.sname.map(|sname| name(Principal::from_message(&sname, &body.realm)));
    let client = client.map(|client| format!(" of {client}")).unwrap_or_default();
    let server = server.map(|server| format!(" for {server}")).unwrap_or_default();
    let offered = list(body.etype.iter().filter_map(Result::ok), enc_type::name);
    let data = padata(request.padata.as_ref());
    let data = if data.is_empty() { data } else { format!("; {data}") };
    format!("{kind}{client}{server}{data}; {offered}")
}

fn kdc_rep(kind: &str, reply: &KdcRep<'_>) -> String {
    let client = name(Principal::from_message(&reply.cname, &reply.crealm));
    let server = name(Principal::from_message(&reply.ticket.sname, &reply.ticket.realm));
    let ticket = encrypted(&reply.ticket.enc_part);
    format!("{kind} to {client} for {server}; ticket in {ticket}, reply in {}", encrypted(&reply.enc_part))
}

fn encrypted(data: &EncryptedData<'_>) -> String {
    let name = enc_type::name(data.etype).map_or_else(|| data.etype.to_string(), str::to_owned);
    match data.kvno {
        Some(kvno) => format!("{name} kvno {}", UInt32::get(kvno)),
        None => name,
    }
}

fn krb_error(said: &KrbError<'_>) -> String {
    let name = error::name(said.error_code).unwrap_or("unknown error");
    let text = said.e_text.map(|text| format!(": {}", text.to_string().escape_debug())).unwrap_or_default();
    let methods = said.e_data.and_then(|data| {
        let methods = read::<MethodData<'_>>(data.as_bytes()).ok()?;
        let info = methods.iter().filter_map(Result::ok).find(|entry| entry.padata_type == pa::ETYPE_INFO2);
        let info = info.and_then(|entry| {
            read::<EtypeInfo2<'_>>(entry.padata_value.as_bytes())
                .ok()
                .map(|info| list(info.0.iter().filter_map(Result::ok).map(|entry| entry.etype), enc_type::name))
        });
        let info = info.map(|info| format!("; keys of {info}")).unwrap_or_default();
        Some(format!("; offers {}{info}", padata(Some(&methods))))
    });
    format!("KRB-ERROR {name} ({}){text}{}", said.error_code, methods.unwrap_or_default())
}
