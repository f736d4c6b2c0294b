//! Certificates through `tagwise-pkix`.

use crate::peer::{AllFields, Fields, Input, Outcome, Task, accepted, decode_each, encode_each};
use std::hint::black_box;
use tagwise_codec::{BitStr, Decode, Encode, Error, Oid, encode, encode_into};
use tagwise_derive::Asn1;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateIndex, CertificateView, TbsCertificate};

pub(super) const POSITIONS: &str = "`CertificateView::outline`: where the parts are. Checks every tag and length of the frame, version, \
    serial, OIDs, both times to the calendar day, that both algorithms are the same or read apart, trailing bytes everywhere. \
    Leaves: names, parameters, extensions, key";

const TYPED: &str = "`Certificate::outline`, the typed struct: also refuses wrong versions and differing algorithms. Leaves the \
    same";

pub(super) const STRICT: &str = "`Certificate::from_der`: every byte. Also names to the alphabets of their strings, each extension and the \
    value of every known one, none twice, keys of known algorithms, parameters. Leaves: values and keys of unknown type";

const SEALED: &str =
    "`Certificate::from_der_sealed`: every byte but what is inside the values of extensions and the key";

const FIELDS: &str =
    "`CertificateView::outline`, RFC 4514 twice into fresh strings, algorithms as borrowed OIDs, times to seconds";

const FIELDS_IN_BULK: &str =
    "The same by `CertificateView::outline_all`, the three certificates that come next on their way from memory";

const TYPED_FIELDS: &str = "The same from `Certificate::outline`";

const REUSED: &str = "As the first, with both names written into one reused String";

const IN_BULK: &str = "`CertificateView::outline_all`: the same checks, while the three certificates that come next are on their way \
    from memory";

const TYPED_IN_BULK: &str =
    "`Certificate::outline_all`: the same, while the three certificates that come next are on their way from memory";

const STRICT_IN_BULK: &str =
    "`Certificate::from_der_all`: the same, while the three certificates that come next are on their way from memory";

const SEALED_IN_BULK: &str = "`Certificate::from_der_sealed_all`: the same, while the three certificates that come next are on their way \
    from memory";

const SOUND: &str = "`CertificateView::from_der`: every octet checked as `Certificate::from_der` does, positions kept";

const SOUND_IN_BULK: &str = "`CertificateView::from_der_all`: the same, while the three certificates that come next are on their way \
    from memory";

pub(super) fn outline(input: &Input) -> Vec<Task<'_>> {
    let typed = |der| Certificate::outline(der);
    vec![
        decode_each(POSITIONS, input, CertificateView::outline),
        all(IN_BULK, input, CertificateView::outline_all).named("in bulk"),
        decode_each(TYPED, input, typed).named("typed"),
        all(TYPED_IN_BULK, input, Certificate::outline_all).named("typed, in bulk"),
    ]
}

/// A task that reads all items, the next ones already on their way.
fn all<'a, O: Outcome, I: Iterator<Item = O>>(
    says: &'static str,
    input: &'a Input,
    read: impl Fn(&'a [&'a [u8]]) -> I + 'a,
) -> Task<'a> {
    Task::new(says, input.items.len(), move || {
        let mut count = 0;
        let mut values = read(black_box(&input.items));
        // Each is looked at where it was put, as in `decode_each`: `for` would move it first.
        while let Some(value) = &values.next() {
            count += accepted(value);
        }
        count
    })
}

pub(super) fn strict(input: &Input) -> Vec<Task<'_>> {
    let strict = |der| Certificate::from_der(der);
    let sealed = |der| Certificate::from_der_sealed(der);
    vec![
        decode_each(STRICT, input, strict),
        all(STRICT_IN_BULK, input, Certificate::from_der_all).named("in bulk"),
        decode_each(SEALED, input, sealed).named("sealed"),
        all(SEALED_IN_BULK, input, Certificate::from_der_sealed_all).named("sealed, in bulk"),
        decode_each(SOUND, input, CertificateView::from_der).named("positions"),
        all(SOUND_IN_BULK, input, CertificateView::from_der_all).named("positions, in bulk"),
    ]
}

pub(super) fn index(input: &Input) -> Vec<Task<'_>> {
    let mut entries: Vec<CertificateIndex> = Vec::with_capacity(input.items.len());
    let mut found: Vec<CertificateIndex> = Vec::with_capacity(input.items.len());
    let mut outlines = Vec::with_capacity(input.items.len());
    let entry = "`CertificateIndex::read`: where serial, names and key are, both times decoded, in 48 octets; everything is checked that \
        an outline checks";
    let in_bulk =
        "The same by `CertificateIndex::read_all`, the three certificates that come next on their way from memory";
    let whole = "The outlines themselves kept: positions of these five things and of the others";
    vec![
        Task::new(entry, input.items.len(), move || {
            entries.clear();
            let read = |der| CertificateIndex::read(black_box(der)).ok();
            entries.extend(input.items.iter().copied().filter_map(read));
            black_box(&entries);
            entries.len() as u64
        }),
        Task::new(in_bulk, input.items.len(), move || {
            found.clear();
            found.extend(CertificateIndex::read_all(black_box(&input.items)).filter_map(Result::ok));
            black_box(&found);
            found.len() as u64
        })
        .named("in bulk"),
        Task::new(whole, input.items.len(), move || {
            outlines.clear();
            let read = |der| CertificateView::outline(black_box(der)).ok();
            outlines.extend(input.items.iter().copied().filter_map(read));
            black_box(&outlines);
            outlines.len() as u64
        })
        .named("outlines"),
    ]
}

pub(super) fn fields(input: &Input) -> Vec<Task<'_>> {
    let mut text = String::with_capacity(1 << 12);
    vec![
        decode_each(FIELDS, input, |der| fields_of(&CertificateView::outline(der).ok()?)),
        Task::new(FIELDS_IN_BULK, input.items.len(), move || {
            let outlines = CertificateView::outline_all(black_box(&input.items)).filter_map(Result::ok);
            let accepted = outlines.filter_map(|outline| fields_of(&outline));
            accepted.inspect(|fields| _ = black_box(fields)).count() as u64
        })
        .named("in bulk"),
        Task::new(REUSED, input.items.len(), move || {
            let reused = |der| reused(der, &mut text).is_some();
            let items = input.items.iter().map(|der| black_box(*der));
            items.map(reused).map(u64::from).sum()
        })
        .named("reused buffer"),
        decode_each(TYPED_FIELDS, input, typed_fields).named("typed"),
    ]
}

fn fields_of<'a>(outline: &CertificateView<'a>) -> Option<Fields<Oid<'a>>> {
    let signature = outline.signature_algorithm().ok()?.algorithm;
    let key = outline.subject_public_key_info().ok()?.algorithm.algorithm;
    Some(read(outline, signature, key))
}

/// The fields with both names in one buffer.
fn reused(der: &[u8], text: &mut String) -> Option<()> {
    let outline = CertificateView::outline(der).ok()?;
    text.clear();
    outline.issuer().write_rfc4514(text).ok()?;
    let between = text.len();
    outline.subject().write_rfc4514(text).ok()?;
    black_box((
        text.as_str(),
        between,
        outline.serial_number().0.as_bytes().len(),
        outline.not_before().unix(),
        outline.not_after().unix(),
        outline.signature_algorithm().ok()?.algorithm,
        outline.subject_public_key_info().ok()?.algorithm.algorithm,
        outline.subject_public_key().as_bytes().len(),
        outline.signature_value().as_bytes().len(),
    ));
    Some(())
}

fn typed_fields(der: &[u8]) -> Option<Fields<Oid<'_>>> {
    let certificate = Certificate::outline(der).ok()?;
    let tbs = &certificate.tbs_certificate;
    let key = &tbs.subject_public_key_info;
    Some(Fields {
        serial: tbs.serial_number.0.as_bytes().len(),
        not_before: tbs.validity.not_before.unix().0,
        not_after: tbs.validity.not_after.unix().0,
        issuer: tbs.issuer.rfc4514().into(),
        subject: tbs.subject.rfc4514().into(),
        algorithm: certificate.signature_algorithm.algorithm,
        key_algorithm: key.algorithm.algorithm,
        key: key.subject_public_key.as_bytes().len(),
        signature: certificate.signature_value.as_bytes().len(),
    })
}

pub(super) fn all_fields(der: &[u8]) -> Option<AllFields> {
    let outline = CertificateView::outline(der).ok()?;
    let signature = outline.signature_algorithm().ok()?.algorithm.to_string();
    let key = outline.subject_public_key_info().ok()?.algorithm.algorithm.to_string();
    let mut all = AllFields {
        fields: read(&outline, signature, key),
        extensions: 0,
        critical: 0,
        value_octets: 0,
    };
    let Some(extensions) = outline.extensions() else {
        return Some(all);
    };
    for extension in extensions.iter() {
        let extension = extension.ok()?;
        all.extensions += 1;
        all.critical += usize::from(extension.critical);
        all.value_octets += extension.extn_value.as_bytes().len();
    }
    Some(all)
}

fn read<A>(outline: &CertificateView<'_>, algorithm: A, key_algorithm: A) -> Fields<A> {
    Fields {
        serial: outline.serial_number().0.as_bytes().len(),
        not_before: outline.not_before().unix().0,
        not_after: outline.not_after().unix().0,
        issuer: outline.issuer().rfc4514().into(),
        subject: outline.subject().rfc4514().into(),
        algorithm,
        key_algorithm,
        key: outline.subject_public_key().as_bytes().len(),
        signature: outline.signature_value().as_bytes().len(),
    }
}

/// A certificate whose signed part is written from its fields.
#[derive(Asn1)]
struct ByFields<'a> {
    tbs: TbsCertificate<'a>,
    algorithm: AlgorithmIdentifier<'a>,
    signature: BitStr<'a>,
}

fn by_fields(der: &[u8]) -> Result<ByFields<'_>, Error> {
    ByFields::from_der(der)
}

pub(super) fn encoding(input: &Input) -> Vec<Task<'_>> {
    let verbatim = "`encode` of a `Certificate` that was decoded: the signed part is copied as it came, the algorithm and the \
        signature are written from their fields";
    let fields = "The signed part field by field: names and extensions from raw bytes, the rest from values";
    vec![
        encode_each(verbatim, input, from_der, |value, _| encode(value).ok()),
        reusing(
            "The same by `encode_into` backwards into one reused buffer",
            input,
            from_der,
        )
        .named("reused buffer"),
        encode_each(fields, input, |der| by_fields(der).ok(), |value, _| encode(value).ok()).named("by fields"),
        reusing(
            "The same by `encode_into` backwards into one reused buffer",
            input,
            |der| by_fields(der).ok(),
        )
        .named("by fields, reused buffer"),
    ]
}

fn reusing<'a, T: Encode + 'a>(
    says: &'static str,
    input: &'a Input,
    decode: impl Fn(&'a [u8]) -> Option<T>,
) -> Task<'a> {
    let mut buffer = vec![0; 1 << 16];
    let encode = move |value: &T, _| encode_into(value, &mut buffer).ok().map(|bytes: &mut [u8]| bytes.len());
    encode_each(says, input, decode, encode)
}

pub(super) fn recoding(input: &Input) -> Vec<Task<'_>> {
    let outlined = "`Certificate::outline`, then `encode`: the signed part is copied as it came";
    let strict = "`Certificate::from_der`, every byte checked, then `encode`: the same copy";
    let fields = "`from_der`, then `encode` with the signed part field by field";
    vec![
        decode_each(outlined, input, |der| encode(&Certificate::outline(der).ok()?).ok()),
        decode_each(strict, input, |der| encode(&from_der(der)?).ok()).named("strict"),
        decode_each(fields, input, |der| encode(&by_fields(der).ok()?).ok()).named("strict, by fields"),
    ]
}

fn from_der(der: &[u8]) -> Option<Certificate<'_>> {
    Certificate::from_der(der).ok()
}
