//! NSS of the system, without a database.

use super::{Cert, Library, Native};
use crate::parsed::{Facts, Parsed, facts};
use crate::peer::{AllFields, Input, Peer, Task, decode_each};
use crate::rows::Op;
use std::sync::Once;

/// The adapter.
pub(in crate::peers) struct Nss;

unsafe extern "C" {
    safe static tagwise_bench_nss: Library;
    safe static tagwise_bench_nss_package: Library;
}

static STARTED: Once = Once::new();

pub(in crate::peers) struct Linked;

impl Native for Linked {
    const ACCESS: &'static str = "`CERT_NewTempCertificate`, then the fields of `CERTCertificate`; names by `CERT_NameToAscii`, OIDs by \
        `CERT_GetOidString`, times by `DER_DecodeTimeChoice`";

    fn table() -> &'static Library {
        super::start(&tagwise_bench_nss, &STARTED);
        &tagwise_bench_nss
    }
}

struct Package;

impl Native for Package {
    const ACCESS: &'static str = Linked::ACCESS;

    fn table() -> &'static Library {
        super::start(&tagwise_bench_nss_package, &STARTED);
        &tagwise_bench_nss_package
    }
}

const PARSE: &str = "`CERT_NewTempCertificate`: copied, decoded into an arena, both names written as text, key usage and other \
    extensions looked at, kept in the temporary store until it is destroyed";

const PACKAGE: &str = "`CERT_DecodeCertFromPackage`: the same after a look at what kind of package it is";

impl Peer for Nss {
    fn name(&self) -> &'static str {
        "nss"
    }

    fn crates(&self) -> &'static [&'static str] {
        &[]
    }

    fn versions(&self) -> Vec<String> {
        vec![format!("NSS {} (the system's)", super::version(Linked::table()))]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        let mut tasks = super::tasks::<Linked>(op, input, PARSE);
        if op == Op::Outline {
            tasks.push(decode_each(PACKAGE, input, Cert::<Package>::parse).named("package"));
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
