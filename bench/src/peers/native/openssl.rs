//! OpenSSL, built from its sources: by `d2i_X509` itself, through the `openssl` crate, and through the `ossl` crate.

use super::{Cert, Library, Native};
use crate::parsed::{Extensions, Facts, Parsed, facts};
use crate::peer::{AllFields, Input, Peer, Task, decode_each, encode_each};
use crate::rows::Op;
use ::openssl::asn1::{Asn1Time, Asn1TimeRef};
use ::openssl::x509::{X509, X509NameRef};
use openssl_sys as _;
use std::borrow::Cow;

/// The adapter of all three.
pub(in crate::peers) struct OpenSsl;

unsafe extern "C" {
    safe static tagwise_bench_openssl: Library;
}

pub(in crate::peers) struct Linked;

impl Native for Linked {
    const ACCESS: &'static str = "`d2i_X509` and its getters; names by `X509_NAME_print_ex` (RFC 2253) through a memory BIO, OIDs by \
        `OBJ_obj2txt`, times by `ASN1_TIME_to_tm`";

    fn table() -> &'static Library {
        &tagwise_bench_openssl
    }
}

const PARSE: &str = "`d2i_X509`, then that nothing is left over. Copies all into C structures; names canonicalised, the key \
    decoded where its algorithm is known; extension values decoded later, on the first question about one";

const CRATE: &str = "`X509::from_der` of the `openssl` crate: the same call behind a safe type";

#[cfg(feature = "peer-ossl")]
const OSSL: &str =
    "`ossl::bindings::d2i_X509`: the bindings of the `ossl` crate, whose safe types have no certificates";

impl Peer for OpenSsl {
    fn name(&self) -> &'static str {
        "openssl"
    }

    fn crates(&self) -> &'static [&'static str] {
        if cfg!(feature = "peer-ossl") {
            &["openssl", "openssl-sys", "openssl-src", "ossl"]
        } else {
            &["openssl", "openssl-sys", "openssl-src"]
        }
    }

    fn versions(&self) -> Vec<String> {
        vec![super::version(Linked::table())]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        let mut tasks = super::tasks::<Linked>(op, input, PARSE);
        // These two stand beside the direct calls where a parse is all there is, and where the crate has accessors of its own.
        let mut safe = match op {
            Op::Outline => crate::peers::common::<Safe>(op, input, CRATE, Safe::ACCESS),
            Op::Access(_) => crate::peers::common::<Safe>(op, input, CRATE, Safe::ACCESS),
            Op::EncodeCert => vec![encode_each(
                "`X509::to_der` of the `openssl` crate",
                input,
                Safe::parse,
                |cert, _| cert.0.to_der().ok(),
            )],
            _ => Vec::new(),
        };
        tasks.extend(safe.drain(..).map(|task| task.named("rust-openssl")));
        #[cfg(feature = "peer-ossl")]
        if op == Op::Outline {
            tasks.push(decode_each(OSSL, input, ossl::parse).named("ossl"));
        }
        tasks
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        crate::parsed::all_fields::<Cert<Linked>>(der)
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Cert<Linked>>(der)
    }
}

/// A certificate of the `openssl` crate.
struct Safe(X509);

impl<'a> Parsed<'a> for Safe {
    const ACCESS: &'static str = "`X509::from_der` and its methods; names entry by entry as text, OIDs as short names by `to_string`, times \
        by their difference to 1970";

    fn parse(der: &'a [u8]) -> Option<Self> {
        X509::from_der(der).ok().map(Self)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.0.serial_number().to_bn().ok()?.to_vec().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        self.0.issuer_name().to_der().ok().map(Cow::Owned)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        self.0.subject_name().to_der().ok().map(Cow::Owned)
    }

    fn issuer_text(&self) -> Option<String> {
        as_text(self.0.issuer_name())
    }

    fn subject_text(&self) -> Option<String> {
        as_text(self.0.subject_name())
    }

    fn not_before(&self) -> Option<i64> {
        unix(self.0.not_before())
    }

    fn not_after(&self) -> Option<i64> {
        unix(self.0.not_after())
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.0.signature_algorithm().object().to_string())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.0.signature().as_slice().into())
    }

    // The crate neither lists extensions nor gives the bits of a key without decoding it.
    fn extensions(&self) -> Option<Extensions> {
        None
    }
}

fn unix(time: &Asn1TimeRef) -> Option<i64> {
    let since = Asn1Time::from_unix(0).ok()?.diff(time).ok()?;
    Some(i64::from(since.days) * 86_400 + i64::from(since.secs))
}

/// `CN=…, O=…` in encoded order: the crate has no formatter of whole names.
fn as_text(name: &X509NameRef) -> Option<String> {
    let mut text = String::new();
    for entry in name.entries() {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(entry.object().nid().short_name().unwrap_or("?"));
        text.push('=');
        text.push_str(&entry.data().to_string().ok()?);
    }
    Some(text)
}

#[cfg(feature = "peer-ossl")]
mod ossl {
    //! What the `ossl` crate offers for certificates: the C functions, as its bindings declare them.

    use ossl::bindings::{ERR_clear_error, X509, X509_free, d2i_X509};
    use std::ptr::NonNull;

    /// A certificate to be freed.
    pub(super) struct Owned(NonNull<X509>);

    impl Drop for Owned {
        fn drop(&mut self) {
            // SAFETY: the pointer came from `d2i_X509` and is freed once.
            unsafe { X509_free(self.0.as_ptr()) }
        }
    }

    pub(super) fn parse(der: &[u8]) -> Option<Owned> {
        let mut at = der.as_ptr();
        let len = der.len().try_into().ok()?;
        // SAFETY: the octets are valid for the call.
        let cert = unsafe { d2i_X509(std::ptr::null_mut(), &raw mut at, len) };
        let Some(cert) = NonNull::new(cert) else {
            // SAFETY: no arguments.
            unsafe { ERR_clear_error() };
            return None;
        };
        let cert = Owned(cert);
        (at == der.as_ptr_range().end).then_some(cert)
    }
}
