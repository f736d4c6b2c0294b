//! Messages, decoded by their types and encoded from the values.
//!
//! Tagwise decodes strictly: every byte is checked, strings and lists stay where they are, nothing is allocated. `walked` asks each
//! element of each list after that. rasn-kerberos and picky-krb make owned values. What Tagwise has decoded it encodes by copying lists
//! and the body of a request; `from elements` encodes them as clients make them.

use std::hint::black_box;

use tagwise_codec::{Captured, Decode, Encode, Options, SeqOf, encode};
use tagwise_krb5::messages::{
    ApReq, AsRep, AsReq, KdcRep, KdcReq, KdcReqBody, KrbError, PaData, PrincipalName, TgsReq, Ticket,
};
use tagwise_krb5::rules::PEERS;

use crate::captures::messages;
use crate::row::{Failure, Row};

type Messages = &'static [Vec<u8>];
type Encoder = Box<dyn Fn() -> Option<Vec<u8>>>;

fn leak<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}

/// A decoder whose result is dropped within the time.
fn each<T, E>(items: Messages, read: impl Fn(&'static [u8]) -> Result<T, E>) -> impl FnMut() -> u64 {
    move || {
        let read = |item: &'static Vec<u8>| u64::from(black_box(&read(black_box(item))).is_ok());
        items.iter().map(read).sum()
    }
}

/// An encoder of values that are there.
fn written<T: 'static>(values: Vec<T>, write: impl Fn(&T) -> Option<Vec<u8>>) -> impl FnMut() -> u64 {
    let values = leak(values);
    move || {
        values
            .iter()
            .map(|value| black_box(write(black_box(value))).map_or(0, |made| made.len() as u64))
            .sum()
    }
}

/// The walk through a type's lists, and the encoding of a value from its elements.
trait Message: Sized {
    fn walk(&self) -> u64;
    fn of_elements(self) -> Encoder;
}

fn name(of: &PrincipalName<'_>) -> u64 {
    of.name_string
        .iter()
        .flatten()
        .map(|part| part.as_bytes().len() as u64)
        .sum()
}

fn data(of: Option<&SeqOf<'_, PaData<'_>>>) -> u64 {
    let data = of.into_iter().flat_map(|list| list.iter()).flatten();
    data.map(|one| one.padata_value.as_bytes().len() as u64).sum()
}

fn list<T: Decode<'static> + Copy>(of: &SeqOf<'static, T>) -> SeqOf<'static, T> {
    SeqOf::from_slice(leak(of.iter().flatten().collect()))
}

fn named(of: &PrincipalName<'static>) -> PrincipalName<'static> {
    PrincipalName {
        name_string: list(&of.name_string),
        ..*of
    }
}

fn ticket(of: &Ticket<'static>) -> Ticket<'static> {
    Ticket {
        sname: named(&of.sname),
        ..*of
    }
}

fn encoder(value: impl Encode + 'static) -> Encoder {
    Box::new(move || encode(black_box(&value)).ok())
}

fn walk_request(of: &KdcReq<'_>) -> u64 {
    let types: u64 = of
        .req_body
        .etype
        .iter()
        .flatten()
        .map(|one| u64::from(one.unsigned_abs()))
        .sum();
    data(of.padata.as_ref())
        + types
        + [of.req_body.cname, of.req_body.sname]
            .iter()
            .flatten()
            .map(name)
            .sum::<u64>()
}

/// As clients make it: first the body, which is then read again, for replies are compared with it.
fn request(of: KdcReq<'static>, wrap: impl Fn(KdcReq<'_>) -> Option<Vec<u8>> + 'static) -> Encoder {
    let body = KdcReqBody {
        cname: of.req_body.cname.as_ref().map(named),
        sname: of.req_body.sname.as_ref().map(named),
        etype: list(&of.req_body.etype),
        ..*of.req_body
    };
    let padata = of.padata.as_ref().map(list);
    let (pvno, msg_type) = (of.pvno, of.msg_type);
    Box::new(move || {
        let body = encode(black_box(&body)).ok()?;
        wrap(KdcReq {
            pvno,
            msg_type,
            padata,
            req_body: Captured::from_octets(&body).ok()?,
        })
    })
}

impl Message for AsReq<'static> {
    fn walk(&self) -> u64 {
        walk_request(&self.0)
    }
    fn of_elements(self) -> Encoder {
        request(self.0, |made| encode(&AsReq(made)).ok())
    }
}

impl Message for TgsReq<'static> {
    fn walk(&self) -> u64 {
        walk_request(&self.0)
    }
    fn of_elements(self) -> Encoder {
        request(self.0, |made| encode(&TgsReq(made)).ok())
    }
}

impl Message for AsRep<'static> {
    fn walk(&self) -> u64 {
        data(self.0.padata.as_ref()) + name(&self.0.cname) + name(&self.0.ticket.sname)
    }
    fn of_elements(self) -> Encoder {
        let (padata, cname) = (self.0.padata.as_ref().map(list), named(&self.0.cname));
        encoder(AsRep(KdcRep {
            padata,
            cname,
            ticket: ticket(&self.0.ticket),
            ..self.0
        }))
    }
}

impl Message for ApReq<'static> {
    fn walk(&self) -> u64 {
        name(&self.ticket.sname)
    }
    fn of_elements(self) -> Encoder {
        encoder(ApReq {
            ticket: ticket(&self.ticket),
            ..self
        })
    }
}

impl Message for KrbError<'static> {
    fn walk(&self) -> u64 {
        name(&self.sname) + self.cname.iter().map(name).sum::<u64>()
    }
    fn of_elements(self) -> Encoder {
        encoder(KrbError {
            cname: self.cname.as_ref().map(named),
            sname: named(&self.sname),
            ..self
        })
    }
}

/// Reads a message and writes it again.
type Again = fn(&[u8]) -> Option<Vec<u8>>;

/// The messages that all libraries write as they came; says how many each of them does.
fn common(kind: &str, items: &[Vec<u8>], libraries: &[(&str, Again)]) -> Messages {
    let same = |again: Again, item: &[u8]| again(item).is_some_and(|made| made == item);
    let count = |again: Again| items.iter().filter(|item| same(again, item)).count();
    let counts: Vec<_> = libraries
        .iter()
        .map(|(name, again)| format!("{name} {}", count(*again)))
        .collect();
    let common = items
        .iter()
        .filter(|item| libraries.iter().all(|(_, again)| same(*again, item)));
    let common = leak(common.cloned().collect());
    let (all, kept, counts) = (items.len(), common.len(), counts.join(", "));
    eprintln!("{kind}: of {all} messages, written as they came by {counts}; rows have the {kept} of all");
    common
}

macro_rules! rows {
    ($($kind:literal $own:ident)*) => {
        /// Rows for all kinds of messages.
        pub(crate) fn rows() -> Result<Vec<Row>, Failure> {
            let mut rows = Vec::new();
            $({
                let items = common($kind, &messages($kind)?, &[
                    ("tagwise", |item| encode(&$own::from_der(item).ok()?).ok()),
                    #[cfg(feature = "peer-rasn-kerberos")]
                    ("rasn-kerberos", |item| rasn::der::encode(&rasn::der::decode::<rasn_kerberos::$own>(item).ok()?).ok()),
                    #[cfg(feature = "peer-picky-krb")]
                    ("picky-krb", |item| picky_asn1_der::to_vec(&picky_asn1_der::from_bytes::<picky_krb::messages::$own>(item).ok()?).ok()),
                ]);
                let lengths: Vec<usize> = items.iter().map(Vec::len).collect();
                let values = || items.iter().flat_map(|item| $own::from_der(item));
                let elements: Vec<Encoder> = values().map(Message::of_elements).collect();
                for (made, item) in elements.iter().zip(items) {
                    assert_eq!(made().as_ref(), Some(item), "encoding from elements");
                }
                let decode = Row::new(concat!("decode/", $kind), &lengths)
                    .way("tagwise", each(items, $own::from_der))
                    .way("tagwise, walked", each(items, |item| $own::from_der(item).map(|value| (black_box(value.walk()), value))))
                    .way("tagwise, as clients", each(items, |item| Options::der().rules(PEERS).decode::<$own<'_>>(item).map(|read| read.value)));
                let encoded = Row::new(concat!("encode/", $kind), &lengths)
                    .way("tagwise", written(values().collect(), |value| encode(value).ok()))
                    .way("tagwise, from elements", written(elements, |made| made()));
                #[cfg(feature = "peer-rasn-kerberos")]
                let (decode, encoded) = {
                    let values = items.iter().flat_map(|item| rasn::der::decode::<rasn_kerberos::$own>(item)).collect();
                    (
                        decode.way("rasn-kerberos", each(items, rasn::der::decode::<rasn_kerberos::$own>)),
                        encoded.way("rasn-kerberos", written(values, |value| rasn::der::encode(value).ok())),
                    )
                };
                #[cfg(feature = "peer-picky-krb")]
                let (decode, encoded) = {
                    let read = |item: &'static [u8]| picky_asn1_der::from_bytes::<picky_krb::messages::$own>(item);
                    let values = items.iter().flat_map(|item| read(item)).collect();
                    (
                        decode.way("picky-krb", each(items, read)),
                        encoded.way("picky-krb", written(values, |value| picky_asn1_der::to_vec(value).ok())),
                    )
                };
                rows.extend([decode, encoded]);
            })*
            Ok(rows)
        }
    };
}

rows! { "AS-REQ" AsReq "AS-REP" AsRep "TGS-REQ" TgsReq "AP-REQ" ApReq "KRB-ERROR" KrbError }
