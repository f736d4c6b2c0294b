//! The columns of certificates, CRLs, requests, OCSP responses and CMS messages, compared with the fields that `tagwise get` prints.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests: what they cannot do ends them")]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, Int32Array, LargeBinaryArray, LargeStringArray, NullArray,
    RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow_schema::DataType;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Decode, RuleSet, UnixTime};
use tagwise_columns::{ColumnsError, Kernel, Kind, Options, reference};
use tagwise_input::contents::{Contents, ContentsKind};
use tagwise_input::{Limits, ValueKind};
use tagwise_pkix::{Certificate, oids::files, pem};
use tagwise_show::named::{Named, field};
use tagwise_testing::archives::mtc_entry;
use tagwise_testing::corpus;

const LEAF: &[u8] = include_bytes!("../../../../docs/samples/leaf.pem");
const ROOT: &[u8] = include_bytes!("../../../../docs/samples/root.pem");
const NEGATIVE: &[u8] = include_bytes!("../../../../docs/samples/negative.pem");
const LIST: &[u8] = include_bytes!("../../../../docs/samples/list.pem");

fn certificate(text: &[u8]) -> Vec<u8> {
    pem::first(&files::CERTIFICATE, text).unwrap()
}

/// Returns the texts of a value: none for null, one for a value, any number for a list.
fn texts(array: &dyn Array, row: usize) -> Vec<String> {
    if array.is_null(row) {
        return Vec::new();
    }
    match array.data_type() {
        DataType::Boolean => vec![array.as_boolean().value(row).to_string()],
        DataType::Int32 => vec![array.as_primitive::<Int32Type>().value(row).to_string()],
        DataType::Int64 => vec![array.as_primitive::<Int64Type>().value(row).to_string()],
        DataType::Timestamp(..) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            vec![UnixTime(micros.div_euclid(1_000_000)).civil().unwrap().to_string()]
        }
        DataType::Utf8 => vec![array.as_string::<i32>().value(row).to_owned()],
        DataType::Dictionary(..) => {
            let keys = array.as_dictionary::<Int32Type>();
            texts(keys.values(), keys.keys().value(row) as usize)
        }
        DataType::Binary => vec![hex::encode(array.as_binary::<i32>().value(row))],
        DataType::BinaryView => vec![hex::encode(array.as_binary_view().value(row))],
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|item| texts(&items, item).join("")).collect()
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let one = |(field, column): (&Arc<arrow_schema::Field>, &ArrayRef)| {
                format!("{}={}", field.name(), texts(column, row).join(","))
            };
            vec![fields.iter().zip(columns).map(one).collect::<Vec<_>>().join(" ")]
        }
        other => panic!("{other}"),
    }
}

fn column(result: &StructArray, name: &str, row: usize) -> Vec<String> {
    texts(result.column_by_name(name).unwrap_or_else(|| panic!("no column {name}")), row)
}

/// Returns the error's kind, path and offset.
fn error(result: &StructArray, row: usize) -> Option<(String, String, String)> {
    let errors = result.column_by_name("error").unwrap().as_struct();
    let part = |name: &str| texts(errors.column_by_name(name).unwrap(), row).join("");
    errors.is_valid(row).then(|| (part("kind"), part("path"), part("offset")))
}

/// The columns and the fields of `tagwise get` with the same contents.
const SAME: &[(&str, &str)] = &[
    ("version", "version"),
    ("serial", "serial"),
    ("subject", "subject"),
    ("issuer", "issuer"),
    ("not_before", "notBefore"),
    ("not_after", "notAfter"),
    ("key_bits", "bits"),
    ("spki_sha256", "pin"),
    ("signature_algorithm", "sigalg"),
    ("san_dns", "dns"),
    ("key_usage", "keyusage"),
    ("extended_key_usage", "eku"),
    ("policies", "policies"),
    ("is_ca", "ca"),
    ("subject_key_id", "ski"),
    ("authority_key_id", "aki"),
    ("ocsp_urls", "ocsp"),
    ("issuer_urls", "ca-issuers"),
    ("crl_urls", "crldp"),
    ("sha256", "sha256"),
    ("sha1", "sha1"),
    ("crl_number", "crlNumber"),
    ("this_update", "thisUpdate"),
    ("next_update", "nextUpdate"),
];

/// Compares the columns of values with the fields that `tagwise get` prints, and returns how many values are well-formed.
fn compare(kind: Kind, of: ValueKind, values: &[Vec<u8>]) -> usize {
    let input = BinaryArray::from_iter_values(values);
    let result = Kernel::all(kind, Options::default()).run(&input).unwrap();
    let plain = Kernel::all(kind, Options::default().plain(true)).run(&input).unwrap();
    assert_eq!((result.len(), plain.len()), (values.len(), values.len()));
    let mut valid = 0;
    for (row, der) in values.iter().enumerate() {
        for column in kind.columns() {
            let one = texts(result.column_by_name(column.name()).unwrap(), row);
            assert_eq!(one, texts(plain.column_by_name(column.name()).unwrap(), row), "{} {row}", column.name());
        }
        let named = match Named::read(of, der, RuleSet::NONE) {
            Ok(named) => named.unwrap(),
            Err(expected) => {
                let expected = (expected.code().to_owned(), expected.path().to_owned(), expected.offset().to_string());
                assert_eq!(error(&result, row), Some(expected), "row {row}");
                for column in kind.columns() {
                    assert!(result.column_by_name(column.name()).unwrap().is_null(row), "{} {row}", column.name());
                }
                continue;
            }
        };
        valid += 1;
        assert_eq!(error(&result, row), None, "row {row}");
        for (name, known) in SAME.iter().filter(|(name, _)| result.column_by_name(name).is_some()) {
            let expected = field(known).unwrap().texts(&named).unwrap();
            assert_eq!(column(&result, name, row), expected, "{name} of row {row}");
        }
        if kind == Kind::Certificate {
            // The names by type are together all names.
            let all = field("san").unwrap().texts(&named).unwrap().len();
            let parts = ["san_dns", "san_ip", "san_email", "san_uri", "san_other"];
            assert_eq!(parts.iter().map(|name| column(&result, name, row).len()).sum::<usize>(), all, "row {row}");
            let ids = field("extensions").unwrap().texts(&named).unwrap().len();
            assert_eq!(column(&result, "extensions", row).len(), ids);
        }
        assert_eq!(column(&result, "size", row), [der.len().to_string()]);
        assert_eq!(column(&result, "der", row), [hex::encode(der)]);
    }
    valid
}

#[test]
fn columns_equal_the_fields_of_get() {
    let values: Vec<Vec<u8>> = [LEAF, ROOT, NEGATIVE].map(certificate).to_vec();
    assert_eq!(compare(Kind::Certificate, ValueKind::Certificate, &values), 2);
    let list = pem::first(&files::CRL, LIST).unwrap();
    assert_eq!(compare(Kind::Crl, ValueKind::CertificateList, &[list]), 1);
}

fn corpus_values(name: &str, kind: ContentsKind, step: usize) -> Vec<Vec<u8>> {
    let Some(folder) = corpus(name) else { return Vec::new() };
    let mut files = vec![folder];
    let mut values = Vec::new();
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            files.sort();
        } else if let Ok(octets) = std::fs::read(&path) {
            let contents = Contents::read(&octets, &Limits::DEFAULT);
            values.extend(contents.items().filter(|item| item.kind == kind).map(|item| item.der.to_vec()));
        }
    }
    let step = if std::env::var_os("TAGWISE_ALL").is_some() { 1 } else { step };
    values.into_iter().step_by(step).collect()
}

#[test]
fn columns_of_published_certificates_equal_the_fields_of_get() {
    for (name, step) in [("ccadb", 40), ("pyca/x509", 1), ("mozilla-roots", 2), ("rustcrypto-formats", 1)] {
        let values = corpus_values(name, ContentsKind::Certificate, step);
        let valid = compare(Kind::Certificate, ValueKind::Certificate, &values);
        assert!(valid * 2 >= values.len(), "{name}: {valid} of {}", values.len());
    }
}

#[test]
fn columns_of_published_crls_equal_the_fields_of_get() {
    let values = corpus_values("pyca/x509", ContentsKind::Crl, 1);
    compare(Kind::Crl, ValueKind::CertificateList, &values);
}

/// Every input layout has the same result, also a slice, which begins in the middle of the buffers.
#[test]
fn layouts_of_the_input_do_not_matter() {
    let (leaf, root) = (certificate(LEAF), certificate(ROOT));
    let names = ["subject", "san_dns", "extensions", "der", "issuer", "sha256"];
    let kernel = Kernel::new(Kind::Certificate, &names, Options::default()).unwrap();
    let values = [Some(leaf.as_slice()), None, Some(&[0x30, 0x00]), Some(root.as_slice())];
    let coded = values.map(|value| value.map(base64::encode));
    let labelled =
        [Some(LEAF), None, Some(b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"), Some(ROOT)];
    let labelled = labelled.map(|text| text.map(|text| std::str::from_utf8(text).unwrap()));
    let longer: Vec<Option<&[u8]>> = [Some(&b"x"[..])].into_iter().chain(values).chain([None]).collect();
    let inputs: Vec<ArrayRef> = vec![
        Arc::new(BinaryArray::from_iter(values)),
        Arc::new(LargeBinaryArray::from_iter(values)),
        Arc::new(BinaryViewArray::from_iter(values)),
        Arc::new(StringArray::from_iter(coded.clone())),
        Arc::new(LargeStringArray::from_iter(labelled)),
        Arc::new(StringViewArray::from_iter(labelled)),
        Arc::new(BinaryArray::from_iter(labelled.map(|text| text.map(str::as_bytes)))),
        Arc::new(BinaryArray::from_iter(longer).slice(1, 4)),
    ];
    let expected = kernel.run(&inputs[0]).unwrap();
    assert_eq!(column(&expected, "subject", 0).len(), 1);
    assert_eq!(error(&expected, 2).unwrap(), ("missing".into(), "tbsCertificate".into(), "2".into()));
    for input in &inputs {
        let result = kernel.run(input).unwrap();
        assert_eq!(result.len(), 4, "{}", input.data_type());
        for row in 0..4 {
            for name in names {
                assert_eq!(column(&result, name, row), column(&expected, name, row), "{name} {row}");
            }
            assert_eq!(error(&result, row), error(&expected, row), "{}", input.data_type());
        }
    }
    let nothing = kernel.run(&NullArray::new(3)).unwrap();
    assert_eq!((nothing.len(), nothing.column(0).null_count()), (3, 3));
    let number = kernel.run(&Int32Array::from(vec![1])).unwrap_err();
    assert!(matches!(number, ColumnsError::InputType(DataType::Int32)), "{number}");
}

/// Views refer to the input: the output contains no copy of the encoding.
#[test]
fn views_share_the_input() {
    let input = BinaryArray::from_iter_values([certificate(LEAF), certificate(ROOT)]);
    let kernel = Kernel::new(Kind::Certificate, &["der", "spki"], Options::default()).unwrap();
    let result = kernel.run(&input).unwrap();
    for name in ["der", "spki"] {
        let views = result.column_by_name(name).unwrap().as_binary_view();
        assert_eq!(views.data_buffers().len(), 1);
        assert_eq!(views.data_buffers()[0].as_ptr(), input.values().as_ptr());
    }
}

#[test]
fn malformed_text_has_its_error() {
    let kernel = Kernel::new(Kind::Certificate, &["subject"], Options::default()).unwrap();
    let other = "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n";
    let one = std::str::from_utf8(LEAF).unwrap();
    let (two, cut) = (one.repeat(2), format!("{one}-----BEGIN CERTIFICATE-----\nMAA=\n"));
    let input = StringArray::from(vec!["MA!=", other, "", "-----BEGIN CERTIFICATE-----\nMAA=\n", &two, &cut]);
    let result = kernel.run(&input).unwrap();
    let kinds: Vec<_> = (0..6).map(|row| error(&result, row).unwrap().0).collect();
    assert_eq!(
        kinds,
        ["base64-character", "label", "missing", "pem-unterminated", "trailing-data", "pem-unterminated"]
    );
}

#[test]
fn only_known_columns_can_be_requested() {
    let new = |names: &[&str]| Kernel::new(Kind::Certificate, names, Options::default());
    let message = new(&["subjct"]).unwrap_err().to_string();
    assert!(message.starts_with("unknown column \"subjct\", expected one of version, serial, "), "{message}");
    assert_eq!(new(&["serial", "serial"]).unwrap_err().to_string(), "duplicate column \"serial\"");
    let fields = new(&["error", "serial"]).unwrap().fields();
    assert_eq!(fields.iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), ["serial", "error"]);
    let none = new(&[]).unwrap().run(&BinaryArray::from_iter_values([certificate(LEAF), vec![]])).unwrap();
    assert_eq!((none.len(), error(&none, 0), error(&none, 1).is_some()), (2, None, true));
}

/// A certificate with a negative serial number: strictly an error, readable with the rule, and partly readable on request.
#[test]
fn deviating_rows_are_read_on_request() {
    let input = BinaryArray::from_iter_values([certificate(NEGATIVE)]);
    let run = |options| Kernel::new(Kind::Certificate, &["serial", "subject"], options).unwrap().run(&input).unwrap();
    let strict = run(Options::default());
    assert_eq!(error(&strict, 0).unwrap().0, "negative-serial");
    assert_eq!((column(&strict, "serial", 0), column(&strict, "subject", 0)), (vec![], vec![]));
    let allowed = run(Options::default().allow(&tagwise_pkix::profile::NEGATIVE_SERIAL));
    assert_eq!(error(&allowed, 0), None);
    assert!(column(&allowed, "serial", 0)[0].starts_with('-'));
    let partial = run(Options::default().partial(true));
    assert_eq!(error(&partial, 0), error(&strict, 0));
    assert_eq!(column(&partial, "serial", 0), column(&allowed, "serial", 0));
}

/// A malformed extension value: in an outline, it is an error only if a requested column needs it.
#[test]
fn an_outline_checks_what_is_requested() {
    let mut der = certificate(LEAF);
    // The value of subjectAltName: its first name gets the tag [9], which no name has.
    let at = der.windows(5).position(|window| window == [0x06, 0x03, 0x55, 0x1D, 0x11]).unwrap();
    let name = at + der[at..].iter().position(|octet| *octet == 0x82).unwrap();
    der[name] = 0x89;
    let input = BinaryArray::from_iter_values([der.clone()]);
    let run = |names: &[&str], options| Kernel::new(Kind::Certificate, names, options).unwrap().run(&input).unwrap();
    let expected = Certificate::from_der(&der).unwrap_err();
    let found = error(&run(&["serial"], Options::default()), 0).unwrap();
    assert_eq!(found, (expected.code().into(), expected.path().into(), name.to_string()));
    let outline = run(&["serial", "subject"], Options::default().outline(true));
    assert_eq!((error(&outline, 0), column(&outline, "subject", 0).len()), (None, 1));
    // The columns before the malformed one are null, too.
    let failed = run(&["serial", "extensions", "san_dns"], Options::default().outline(true));
    assert_eq!(error(&failed, 0).unwrap().2, name.to_string());
    for name in ["serial", "extensions", "san_dns"] {
        assert!(failed.column_by_name(name).unwrap().is_null(0), "{name}");
    }
    let partial = run(&["serial", "extensions", "san_dns"], Options::default().partial(true));
    assert_eq!(column(&partial, "serial", 0).len(), 1);
    assert!(!column(&partial, "extensions", 0).is_empty() && column(&partial, "san_dns", 0).is_empty());
    assert_eq!(error(&partial, 0).unwrap().2, name.to_string());
}

/// Every mutation of one byte and every truncation keeps its row, in all modes, and has the error of the decoder.
#[test]
fn no_row_is_lost() {
    let leaf = certificate(LEAF);
    let mut values: Vec<Vec<u8>> = (0..leaf.len()).map(|len| leaf[..len].to_vec()).collect();
    for (index, octet) in leaf.iter().enumerate() {
        for change in [0x01, 0x80] {
            let mut value = leaf.clone();
            value[index] = octet ^ change;
            values.push(value);
        }
    }
    let input = BinaryArray::from_iter_values(&values);
    let result = Kernel::all(Kind::Certificate, Options::default()).run(&input).unwrap();
    assert_eq!(result.len(), values.len());
    for (row, value) in values.iter().enumerate() {
        let expected = Certificate::from_der(value).err();
        let found = error(&result, row);
        if value.first().is_some_and(|first| *first == 0x30) {
            assert_eq!(found.as_ref().map(|(kind, ..)| kind.as_str()), expected.as_ref().map(|error| error.code()));
        } else {
            assert!(found.is_some());
        }
        assert_eq!(column(&result, "sha256", row).len(), usize::from(found.is_none()));
    }
    for options in [Options::default().partial(true), Options::default().outline(true).partial(true)] {
        for kind in Kind::ALL {
            assert_eq!(Kernel::all(*kind, options).run(&input).unwrap().len(), values.len());
        }
    }
}

/// The error of a malformed row does not depend on the requested columns.
#[test]
fn errors_do_not_depend_on_the_columns() {
    let message = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../doors/cli/tests/data/messages");
        std::fs::read(path.join(name)).unwrap()
    };
    for (kind, der) in [
        (Kind::Certificate, certificate(LEAF)),
        (Kind::Crl, pem::first(&files::CRL, LIST).unwrap()),
        (Kind::Request, pem::first(&files::CERTIFICATION_REQUEST, &message("request.pem")).unwrap()),
        (Kind::Ocsp, message("response.ocsp")),
        (Kind::Cms, pem::first(&files::CMS, &message("signed.pem")).unwrap()),
        (Kind::LogEntry, log_entry(&mtc_entry())),
    ] {
        let change = |index: usize| {
            let mut value = der.clone();
            value[index] ^= 0x01;
            value
        };
        let input = BinaryArray::from_iter_values((0..der.len()).map(change));
        let (one, all) =
            (Kernel::new(kind, &["size"], Options::default()).unwrap(), Kernel::all(kind, Options::default()));
        let (one, all) = (one.run(&input).unwrap(), all.run(&input).unwrap());
        for row in 0..der.len() {
            assert_eq!(error(&one, row), error(&all, row), "{kind:?}, byte {row}");
        }
        assert!((0..der.len()).any(|row| error(&one, row).is_some()));
    }
}

/// The attributes of a request have any type. An extension among them is checked all the same.
#[test]
fn malformed_extensions_of_requests_are_errors() {
    let text =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../doors/cli/tests/data/messages/request.pem"));
    let mut der = pem::first(&files::CERTIFICATION_REQUEST, &text.unwrap()).unwrap();
    // The value of subjectAltName: its first name gets the tag [9], which no name has.
    let at = der.windows(5).position(|window| window == [0x06, 0x03, 0x55, 0x1D, 0x11]).unwrap();
    let name = at + der[at..].iter().position(|octet| *octet == 0x82).unwrap();
    der[name] = 0x89;
    let input = BinaryArray::from_iter_values([der]);
    let run = |options| Kernel::new(Kind::Request, &["subject"], options).unwrap().run(&input).unwrap();
    let strict = run(Options::default());
    assert_eq!(error(&strict, 0).unwrap().2, name.to_string());
    assert!(column(&strict, "subject", 0).is_empty());
    let partial = run(Options::default().partial(true));
    assert_eq!((error(&partial, 0), column(&partial, "subject", 0).len()), (error(&strict, 0), 1));
    assert_eq!(error(&run(Options::default().outline(true)), 0), None);
}

#[test]
fn repeated_names_are_in_a_dictionary() {
    let input = BinaryArray::from_iter_values([certificate(LEAF), certificate(ROOT), certificate(LEAF)]);
    let kernel = Kernel::new(Kind::Certificate, &["issuer", "key_type"], Options::default()).unwrap();
    let result = kernel.run(&input).unwrap();
    let issuers = result.column_by_name("issuer").unwrap().as_dictionary::<Int32Type>();
    assert_eq!(issuers.keys().value(0), issuers.keys().value(2));
    assert!(issuers.values().len() <= 2);
}

#[test]
fn entries_of_a_crl_are_a_list() {
    let input = StringArray::from(vec![std::str::from_utf8(LIST).unwrap()]);
    let result = Kernel::all(Kind::Crl, Options::default()).run(&input).unwrap();
    let der = pem::first(&files::CRL, LIST).unwrap();
    let list = tagwise_pkix::CertificateList::from_der(&der).unwrap();
    let entries = column(&result, "entries", 0);
    assert_eq!(column(&result, "entry_count", 0), [entries.len().to_string()]);
    for (text, entry) in entries.iter().zip(list.entries()) {
        let entry = entry.unwrap();
        let start = format!("serial={} revoked_at={} ", entry.user_certificate.hex(), entry.revocation_date);
        assert!(text.starts_with(&start), "{text}");
    }
    assert_eq!(entries.len(), list.entries().count());
}

#[test]
fn an_ocsp_response_without_a_status_is_read() {
    let kernel = Kernel::all(Kind::Ocsp, Options::default());
    let input = BinaryArray::from_iter_values([&[0x30, 0x03, 0x0A, 0x01, 0x03][..], &[0x30, 0x03, 0x0A, 0x01, 0x04]]);
    let result = kernel.run(&input).unwrap();
    assert_eq!(column(&result, "response_status", 0), ["tryLater"]);
    assert!(result.column_by_name("responses").unwrap().is_null(0));
    assert_eq!((error(&result, 0), error(&result, 1).is_some()), (None, true));
}

#[test]
fn published_ocsp_responses_have_their_statuses() {
    let Some(folder) = corpus("rustcrypto-formats/x509-ocsp/tests/examples") else { return };
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let input =
        BinaryArray::from_iter_values([read("rsa-2048-sha256-revoked-ocsp-res.der"), read("ocsp-internal-error.der")]);
    let result = Kernel::all(Kind::Ocsp, Options::default()).run(&input).unwrap();
    let responses = column(&result, "responses", 0);
    assert!(responses[0].contains("status=revoked revoked_at=20"), "{responses:?}");
    assert_eq!(column(&result, "response_status", 1), ["internalError"]);
}

#[test]
fn a_cms_message_without_signers_is_read_in_der_and_ber() {
    let der = b"\x30\x23\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x16\x30\x14\x02\x01\x01\x31\x00\
        \x30\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\x31\x00";
    // The same with an indefinite length.
    let ber = [&[0x30, 0x80], &der[2..], &[0, 0]].concat();
    let result =
        Kernel::all(Kind::Cms, Options::default()).run(&BinaryArray::from_iter_values([&der[..], &ber])).unwrap();
    for row in 0..2 {
        assert_eq!(error(&result, row), None);
        assert_eq!(column(&result, "certificate_count", row), ["0"]);
        assert_eq!(column(&result, "is_detached", row), ["true"]);
        assert!(result.column_by_name("signers").unwrap().is_valid(row));
    }
    // The fingerprint is that of the message as it is.
    assert_ne!(column(&result, "sha256", 0), column(&result, "sha256", 1));
}

#[test]
fn signers_of_published_messages_are_listed() {
    let Some(file) = corpus("asn1crypto/fixtures/smime-signature-generated-by-thunderbird.p7s") else { return };
    let input = BinaryArray::from_iter_values([std::fs::read(file).unwrap()]);
    let result = Kernel::all(Kind::Cms, Options::default()).run(&input).unwrap();
    let signers = column(&result, "signers", 0);
    assert_eq!((error(&result, 0), signers.len()), (None, 1));
    let expected = " digest_algorithm=SHA-512 signature_algorithm=RSA signing_time=2022-02-12T19:15:45Z ";
    assert!(signers[0].contains(expected), "{signers:?}");
}

#[test]
fn published_requests_are_read() {
    let Some(folder) = corpus("asn1crypto/fixtures") else { return };
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let values = [read("test-inter-der.csr"), read("test-third-der.csr")];
    assert_eq!(compare(Kind::Request, ValueKind::CertificationRequest, &values), 2);
}

/// The entry of a Merkle Tree Certificate log with this content.
fn log_entry(content: &[u8]) -> Vec<u8> {
    let len = content.len() as u8;
    let header: &[u8] = if len > 0x7F { &[0x30, 0x81, len] } else { &[0x30, len] };
    [header, content].concat()
}

#[test]
fn entries_of_logs_have_the_fields_of_certificates() {
    let der = log_entry(&mtc_entry());
    let result = Kernel::all(Kind::LogEntry, Options::default()).run(&BinaryArray::from_iter_values([&der])).unwrap();
    assert_eq!(error(&result, 0), None);
    for (name, value) in [
        ("subject", ""),
        ("issuer", "CN=MTC1"),
        ("not_before", "2026-01-01T00:00:00Z"),
        ("not_after", "2026-04-01T00:00:00Z"),
        ("key_type", "EC"),
        ("key_curve", "P-256"),
        ("spki_sha256", &"aa".repeat(32)),
        ("san_dns", "www.example.org"),
        ("subject_der", "3000"),
        ("issuer_der", "300f310d300b06035504030c044d544331"),
        ("size", "146"),
        ("der", &hex::encode(&der)),
    ] {
        assert_eq!(column(&result, name, 0), [value], "{name}");
    }
    assert!(result.column_by_name("serial").is_none() && result.column_by_name("signature_algorithm").is_none());
    // A certificate is not an entry, and an entry not a certificate.
    let leaf = certificate(LEAF);
    let entries = Kernel::all(Kind::LogEntry, Options::default()).run(&BinaryArray::from_iter_values([&leaf]));
    let certificates = Kernel::all(Kind::Certificate, Options::default()).run(&BinaryArray::from_iter_values([&der]));
    assert!(error(&entries.unwrap(), 0).is_some() && error(&certificates.unwrap(), 0).is_some());
}

#[test]
fn malformed_entries_of_logs_have_their_error() {
    let good = mtc_entry();
    let hash = good.windows(2).position(|pair| pair == [0x04, 0x20]).unwrap();
    // A hash of 31 bytes.
    let mut short = good.clone();
    short[hash + 1] = 0x1F;
    short.remove(hash + 2);
    let input = BinaryArray::from_iter_values([log_entry(&short), log_entry(&good[..hash])]);
    let result = Kernel::new(Kind::LogEntry, &["issuer"], Options::default()).unwrap().run(&input).unwrap();
    let found = |row| error(&result, row).map(|(kind, path, _)| (kind, path));
    assert_eq!(found(0), Some(("size".to_owned(), "subjectPublicKeyInfoHash".to_owned())));
    assert_eq!(found(1), Some(("missing".to_owned(), "subjectPublicKeyInfoHash".to_owned())));
    assert!(column(&result, "issuer", 0).is_empty());
}

#[test]
fn a_batch_is_read_by_the_name_of_its_column() {
    let input: ArrayRef = Arc::new(BinaryArray::from_iter_values([certificate(LEAF)]));
    let batch = RecordBatch::try_from_iter([("der", input)]).unwrap();
    let kernel = Kernel::new(Kind::Certificate, &["is_ca"], Options::default()).unwrap();
    assert_eq!(column(&kernel.run_batch(&batch, "der").unwrap(), "is_ca", 0), ["false"]);
    assert!(kernel.run_batch(&batch, "pem").is_err());
}

/// The types of the result are those that the kernel announces.
#[test]
fn results_have_the_announced_types() {
    for kind in Kind::ALL {
        for options in [Options::default(), Options::default().plain(true)] {
            let kernel = Kernel::all(*kind, options);
            for input in [BinaryArray::from_iter_values([certificate(LEAF)]), BinaryArray::from_iter_values([&[]; 0])] {
                assert_eq!(kernel.run(&input).unwrap().fields(), &kernel.fields());
            }
        }
    }
    for kind in Kind::ALL {
        for column in kind.columns() {
            assert!(reference().contains(&format!("| `{}` |", column.name())));
            assert!(!column.about().is_empty() && !column.about().ends_with('.'));
        }
    }
}
