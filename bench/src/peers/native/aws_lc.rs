//! AWS-LC, by the same calls as OpenSSL.

use super::{Cert, Library, Native};
use crate::parsed::{Facts, facts};
use crate::peer::{AllFields, Input, Peer, Task};
use crate::rows::Op;
use aws_lc_sys as _;

/// The adapter.
pub(in crate::peers) struct AwsLc;

unsafe extern "C" {
    safe static tagwise_bench_aws_lc: Library;
}

pub(in crate::peers) struct Linked;

impl Native for Linked {
    const ACCESS: &'static str = "`d2i_X509` and its getters; names by `X509_NAME_print_ex` (RFC 2253) through a memory BIO, OIDs by \
        `OBJ_obj2txt`, times by `ASN1_TIME_to_tm`";

    fn table() -> &'static Library {
        &tagwise_bench_aws_lc
    }
}

const PARSE: &str = "`d2i_X509`, then that nothing is left over. Copies all into C structures; names canonicalised; known \
    extensions decoded later, on the first question about one";

impl Peer for AwsLc {
    fn name(&self) -> &'static str {
        "aws-lc"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["aws-lc-sys"]
    }

    fn versions(&self) -> Vec<String> {
        vec![super::version(Linked::table())]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        super::tasks::<Linked>(op, input, PARSE)
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        crate::parsed::all_fields::<Cert<Linked>>(der)
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Cert<Linked>>(der)
    }
}
