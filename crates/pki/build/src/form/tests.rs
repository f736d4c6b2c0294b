use tagwise_codec::{BitStr, Ia5, Int, NamedBits, oid};

use super::*;
use crate::ExtensionList;
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::cert::Extensions;
use tagwise_x509::ext::{BasicConstraints, ExtKeyUsage, GeneralName, KeyUsage};
use tagwise_x509::name::NameBuf;
use tagwise_x509::oids;
use tagwise_x509::time::{Time, UnixTime};

const ED25519: AlgorithmIdentifier<'static> = AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None };

/// A form's certificate made as any other: what filling a form must give.
fn by_hand(ca: bool, critical: bool, fields: &CertificateFields<'_>) -> Result<Unsigned, BuildError> {
    with(ca, critical, fields, certificate)
}

fn with<T>(
    ca: bool,
    critical: bool,
    fields: &CertificateFields<'_>,
    make: impl Fn(&TbsCertificate<'_>) -> Result<T, BuildError>,
) -> Result<T, BuildError> {
    let issuer = NameBuf::parse("CN=Example CA,O=Example").unwrap();
    let mut list = ExtensionList::new();
    let by = AuthorityKeyIdentifier { key_identifier: Some(b"issuer"[..].into()), ..Default::default() };
    if ca {
        list.add(true, &BasicConstraints { ca, path_len_constraint: None })?;
    }
    list.add(true, &KeyUsage(NamedBits::from_mask(if ca { 1 << 5 } else { 1 })))?;
    if let Some(key) = fields.key_identifier {
        list.add(false, &SubjectKeyIdentifier(key.into()))?;
    }
    list.add(false, &by)?;
    if let Some(names) = fields.alt_names {
        list.add(critical, &SubjectAltName(names))?;
    }
    if !ca {
        list.add(false, &ExtKeyUsage([oids::KP_SERVER_AUTH].as_slice().into()))?;
    }
    let extensions = list.extensions();
    make(&TbsCertificate {
        version: Version::V3,
        serial_number: fields.serial_number,
        signature: ED25519,
        issuer: issuer.name(),
        validity: fields.validity,
        subject: fields.subject,
        subject_public_key_info: fields.subject_public_key_info,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    })
}

fn time(seconds: i64) -> Time<'static> {
    Time::from_unix(UnixTime(seconds)).unwrap()
}

fn serial(octets: &[u8]) -> CertificateSerialNumber<'_> {
    CertificateSerialNumber(Int::from_signed(octets))
}

/// Whatever is filled in, good or bad: what comes out, or what is said, is the same as by hand.
#[test]
fn as_by_hand() {
    let (subject, other, nobody) =
        (NameBuf::parse("CN=one").unwrap(), NameBuf::parse("O=ä\\, b,C=DE").unwrap(), NameBuf::parse("").unwrap());
    let mail = NameBuf::parse("emailAddress=a@example.org,CN=one").unwrap();
    let long = NameBuf::parse(&format!("CN={}", "x".repeat(65))).unwrap();
    let country = NameBuf::parse("C=Germany").unwrap();
    let host = |name| GeneralName::DnsName(Ia5::new(name).unwrap());
    let (plain, blank, bad) = ([host("one.example.org")], [host(" ")], [host("-.example..org")]);
    let uri = [GeneralName::UniformResourceIdentifier(Ia5::new("no uri").unwrap())];
    let mailbox = [host("a.example"), GeneralName::Rfc822Name(Ia5::new("a@example.org").unwrap())];
    let latin = [GeneralName::DirectoryName(country.name())];
    let names = |list| Some(GeneralNames(tagwise_codec::SeqOf::from_slice(list)));
    let key = SubjectPublicKeyInfo { algorithm: ED25519, subject_public_key: BitStr::from_octets(&[7; 32]) };
    let base = CertificateFields {
        serial_number: serial(&[5]),
        validity: Validity { not_before: time(1_790_000_000), not_after: time(1_800_000_000) },
        subject: subject.name(),
        subject_public_key_info: key,
        key_identifier: Some(b"one"),
        alt_names: names(&plain[..]),
    };
    let (first, long_key) = ([0xFF; 20], [1; 21]);
    let late = Validity { not_after: time(2_600_000_000), ..base.validity };
    let reversed = Validity { not_before: base.validity.not_after, not_after: base.validity.not_before };
    let wrong_form = Validity {
        not_after: Time::General(tagwise_codec::GeneralizedTime::new(base.validity.not_after.civil())),
        ..base.validity
    };
    let short = SubjectPublicKeyInfo { subject_public_key: BitStr::from_octets(&[7; 31]), ..key };
    let cases = [
        base,
        CertificateFields { serial_number: serial(&[0x7F; 20]), ..base },
        CertificateFields { serial_number: serial(&[0]), ..base },
        CertificateFields { serial_number: serial(&[0x80]), ..base },
        CertificateFields { serial_number: serial(&first[..1]), ..base },
        CertificateFields { serial_number: serial(&long_key), ..base },
        CertificateFields { validity: late, ..base },
        CertificateFields { validity: reversed, ..base },
        CertificateFields { validity: wrong_form, ..base },
        CertificateFields { subject: other.name(), ..base },
        CertificateFields { subject: nobody.name(), ..base },
        CertificateFields { subject: mail.name(), ..base },
        CertificateFields { subject: mail.name(), alt_names: names(&mailbox[..]), ..base },
        CertificateFields { subject: long.name(), ..base },
        CertificateFields { subject: country.name(), ..base },
        CertificateFields { subject_public_key_info: short, ..base },
        CertificateFields { key_identifier: None, ..base },
        CertificateFields { key_identifier: Some(&[]), ..base },
        CertificateFields { alt_names: None, ..base },
        CertificateFields { alt_names: names(&[]), ..base },
        CertificateFields { alt_names: names(&blank[..]), ..base },
        CertificateFields { alt_names: names(&bad[..]), ..base },
        CertificateFields { alt_names: names(&uri[..]), ..base },
        CertificateFields { alt_names: names(&latin[..]), ..base },
        CertificateFields { alt_names: names(&mailbox[..]), ..base },
    ];
    let (mut good, mut wrong) = (0, 0);
    for ca in [false, true] {
        for (critical, of) in [(false, base), (true, CertificateFields { subject: nobody.name(), ..base })] {
            // A CA without a name is no CA.
            let Ok(form) = with(ca, critical, &of, CertificateForm::of) else {
                assert!(ca && critical);
                continue;
            };
            for (at, fields) in cases.iter().enumerate() {
                match (form.fill(fields), by_hand(ca, critical, fields)) {
                    (Ok(filled), Ok(made)) => {
                        assert_eq!(filled, made, "{at}");
                        good += 1;
                    }
                    (Err(filled), Err(made)) => {
                        assert_eq!(filled.to_string(), made.to_string(), "{at}");
                        wrong += 1;
                    }
                    (filled, made) => panic!("case {at}: {filled:?}, by hand {made:?}"),
                }
            }
        }
    }
    assert!(good > 20 && wrong > 30, "{good} {wrong}");
}

#[test]
fn forms_that_are_none() {
    let subject = NameBuf::parse("CN=one").unwrap();
    let key = SubjectPublicKeyInfo { algorithm: ED25519, subject_public_key: BitStr::from_octets(&[7; 32]) };
    let fields = CertificateFields {
        serial_number: serial(&[5]),
        validity: Validity { not_before: time(1_790_000_000), not_after: time(1_800_000_000) },
        subject: subject.name(),
        subject_public_key_info: key,
        key_identifier: None,
        alt_names: None,
    };
    let refused = |change: fn(&mut TbsCertificate<'_>)| {
        let changed = |tbs: &TbsCertificate<'_>| {
            let mut tbs = *tbs;
            change(&mut tbs);
            CertificateForm::of(&tbs)
        };
        with(false, false, &fields, changed).unwrap_err().to_string()
    };
    assert_eq!(refused(|tbs| tbs.version = Version::V1), "a template must have version 3 (RFC 5280 §4.1)");
    let unique = refused(|tbs| tbs.subject_unique_id = Some(BitStr::from_octets(&[1])));
    assert_eq!(unique, "a template must not have unique identifiers (RFC 5280 §4.1)");
    // Self-issued certificates may do without an authority key identifier; forms may not.
    let own = refused(|tbs| {
        tbs.subject = tbs.issuer;
        tbs.extensions = None;
        tbs.version = Version::V3;
    });
    assert!(own.contains("RFC 5280"), "{own}");
    let form = with(false, false, &fields, CertificateForm::of).unwrap();
    let named = form.fill(&CertificateFields { key_identifier: Some(b"x"), ..fields }).unwrap_err();
    assert_eq!(named.to_string(), "the template has no subject key identifier (RFC 5280 §4.2.1.2)");
    let text = [GeneralName::DnsName(Ia5::new("a.example").unwrap())];
    let named =
        form.fill(&CertificateFields { alt_names: Some(GeneralNames(text.as_slice().into())), ..fields }).unwrap_err();
    assert_eq!(named.to_string(), "the template has no subject alternative name (RFC 5280 §4.2.1.6)");
}

/// The first certificate of a form is short enough, and the next is a second too long.
#[test]
fn forms_limit_the_validity_of_public_servers() {
    use tagwise_x509::ext::{CertificatePolicies, PolicyInformation};
    let (subject, limit) = (NameBuf::parse("CN=one").unwrap(), 1_800_000_000 + 200 * 86_400 - 1);
    let key = SubjectPublicKeyInfo { algorithm: ED25519, subject_public_key: BitStr::from_octets(&[7; 32]) };
    let fields = |not_after| CertificateFields {
        serial_number: serial(&[5]),
        validity: Validity { not_before: time(1_800_000_000), not_after: time(not_after) },
        subject: subject.name(),
        subject_public_key_info: key,
        key_identifier: Some(b"one"),
        alt_names: None,
    };
    for (policy, is_limited) in
        [(oids::CABF_DOMAIN_VALIDATED, true), (oids::CABF_SMIME_MAILBOX_VALIDATED_STRICT, false)]
    {
        let form = with(false, false, &fields(limit), |tbs| {
            let mut list = ExtensionList::new();
            for extension in tbs.extensions.unwrap().iter().map(Result::unwrap) {
                list.add_der(extension.extn_id, extension.critical, extension.extn_value.as_bytes())?;
            }
            let policies = [PolicyInformation { policy_identifier: policy, policy_qualifiers: None }];
            list.add(false, &CertificatePolicies(policies.as_slice().into()))?;
            let extensions = list.extensions();
            CertificateForm::of(&TbsCertificate { extensions: Extensions::new(&extensions), ..*tbs })
        });
        let form = form.unwrap();
        assert!(form.fill(&fields(limit)).is_ok());
        match form.fill(&fields(limit + 1)) {
            Err(error) if is_limited => assert!(error.to_string().contains("CA/Browser Forum BR §6.3.2"), "{error}"),
            filled => assert!(filled.is_ok() && !is_limited),
        }
    }
}
