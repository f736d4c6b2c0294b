//! `cms verify`, `tsp verify` and `verify` on signers whose certificate was revoked: which moments count.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::{Run, tagwise};
use tagwise_codec::{Any, Decode, SetOf, encode};
use tagwise_pkix::cms::{
    Attribute, Attributes, Content, ContentInfo, OtherRevocationInfoFormat, RevocationInfoChoice, SignedData,
    SignerInfo,
};
use tagwise_pkix::ocsp::OcspResponse;
use tagwise_pkix::tsp::{ID_AA_TIME_STAMP_TOKEN, TimeStampResp};

/// A database of OpenSSL's `ca`, whose revocations have any date.
const CONFIG: &str = "\
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
crlnumber = crlnumber
crl_extensions = list
unique_subject = no
[any]
commonName = supplied
[list]
authorityKeyIdentifier = keyid
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[signer]
keyUsage = critical, digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
";

/// The claimed time of the signature, and the time in the stamp.
const SIGNED: &str = "2024-01-01";
/// A time at which the CRLs are current: they were made now, for a hundred years.
const LATER: &str = "2060-01-01";

/// A root, a signer with serial number 2 and a time-stamping authority with number 3, valid from 2020 to 2099; a message and a stamp.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Option<Self> {
        if !tagwise_testing::tool("openssl", &["version"]) {
            return None;
        }
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("config"), CONFIG).unwrap();
        fs::write(place.path("letter"), b"what is said\n").unwrap();
        fs::write(place.path("index.txt"), "").unwrap();
        fs::write(place.path("serial"), "01\n").unwrap();
        fs::write(place.path("crlnumber"), "01\n").unwrap();
        for name in ["root", "signer", "tsa"] {
            let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
            place.openssl(&format!("req -new {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
            let issuer =
                if name == "root" { "-selfsign -keyfile root.key" } else { "-cert root.pem -keyfile root.key" };
            let dates = "-startdate 20200101000000Z -enddate 20990101000000Z";
            let made = format!("-in {name}.csr -out {name}.pem -extensions {name} -notext");
            place.openssl(&format!("ca -batch -config config {issuer} {dates} {made}"));
        }
        place.good(&format!("cms sign @letter --key @signer.key --certificate @signer.pem --at {SIGNED} -o @message"));
        place.good("cms sign @letter --key @signer.key --certificate @signer.pem --no-attributes -o @plain");
        place.good("tsp request @letter -o @query");
        let give = "tsp reply @query --key @tsa.key --certificate @tsa.pem --policy 1.3.6.1.4.1.99999.1";
        place.good(&format!("{give} --at {SIGNED} -o @stamp"));
        Some(place)
    }

    /// A CRL on which the signer and the authority are revoked: `250601000000Z,superseded`.
    fn crl(&self, name: &str, revoked: Option<&str>) {
        let mut index = "V\t990101000000Z\t\t01\tunknown\t/CN=root\n".to_owned();
        for (serial, subject) in [("02", "signer"), ("03", "tsa")] {
            let kind = if revoked.is_some() { "R" } else { "V" };
            index += &format!("{kind}\t990101000000Z\t{}\t{serial}\tunknown\t/CN={subject}\n", revoked.unwrap_or(""));
        }
        fs::write(self.path("index.txt"), index).unwrap();
        self.openssl(&format!(
            "ca -config config -gencrl -cert root.pem -keyfile root.key -crldays 36500 -out {name}.crl"
        ));
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn openssl(&self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = Command::new("openssl");
        let output = command.current_dir(self.0.path()).args(&words).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs the command; words with `@` in front are files of the folder.
    fn run(&self, line: &str) -> Run {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| self.path(name)))
            .collect();
        tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn good(&self, line: &str) {
        let run = self.run(line);
        assert_eq!(run.code, Some(0), "{line}: {}{}", run.out, run.err);
    }

    /// The command fails with exit code 1 and says this.
    #[track_caller]
    fn bad(&self, line: &str, said: &str) {
        let run = self.run(line);
        assert_eq!(run.code, Some(1), "{line}: {}{}", run.out, run.err);
        assert!(run.out.contains(said), "{line}: {}{}", run.out, run.err);
    }
}

/// CRLs by their name: date and reason of the revocation.
const LISTS: [(&str, Option<&str>); 7] = [
    ("none", None),
    ("before", Some("230601000000Z,superseded")),
    ("after", Some("250601000000Z,superseded")),
    ("unspecified", Some("250601000000Z,unspecified")),
    ("compromised", Some("250601000000Z,keyCompromise")),
    ("hold", Some("250601000000Z,certificateHold")),
    ("unexplained", Some("250601000000Z")),
];

#[test]
fn revoked_signers() {
    let Some(place) = Place::new() else { return };
    LISTS.iter().for_each(|(name, revoked)| place.crl(name, *revoked));
    let asked = |what: &str, list: &str, more: &str| {
        format!("{what} --trust @root.pem --crl @{list}.crl --revocation require --revocation-scope leaf{more}")
    };

    // The time that a signer claims does not rescue it: it is revoked now.
    for message in ["cms verify @message", "cms verify @plain"] {
        place.good(&asked(message, "none", ""));
        for (list, _) in &LISTS[1..] {
            place.bad(&asked(message, list, ""), "revocation: revoked on 202");
            // Nor does it where nothing has to be known.
            place.bad(&format!("{message} --trust @root.pem --crl @{list}.crl"), "revocation: revoked on 202");
        }
    }
    // A time that the verifier states is a proof, by evidence of later: then the date counts, and the reason.
    let stated = format!(" --at {SIGNED} --evidence-at {LATER}");
    for what in ["cms verify @message", "verify @signer.pem"] {
        place.good(&asked(what, "none", &stated));
        for list in ["before", "compromised", "hold", "unexplained"] {
            place.bad(&asked(what, list, &stated), "revocation: revoked on 202");
        }
        place.good(&asked(what, "after", &stated));
        // In so many words, which is not the same as nothing.
        place.good(&asked(what, "unspecified", &stated));
        // The evidence is of after that time.
        let run = place.run(&asked(what, "none", &format!(" --at {SIGNED}")));
        assert!(run.code != Some(0) && run.out.contains("is in the future"), "{}", run.out);
        assert!(run.out.contains("--evidence-at TIME sets another time"), "{}", run.out);
    }
    // Without --evidence-at, a CRL of later that states a compromise leaves it open, and a harmless reason does not.
    for what in ["cms verify @message", "verify @signer.pem"] {
        let early = |list: &str| place.run(&format!("{what} --trust @root.pem --crl @{list}.crl --at {SIGNED}"));
        for list in ["before", "compromised", "hold", "unexplained"] {
            let run = early(list);
            assert_eq!(run.code, Some(4), "{what} {list}: {}{}", run.out, run.err);
            assert!(run.out.contains("--evidence-at TIME sets another time"), "{}", run.out);
        }
        for list in ["none", "after", "unspecified"] {
            assert_eq!(early(list).code, Some(0), "{what} {list}");
        }
    }
    // CRLs beside a trust anchor or the certificate are used like those of --crl.
    let read = |name: &str| fs::read(place.path(name)).unwrap();
    fs::write(place.path("anchors"), [read("root.pem"), read("compromised.crl")].concat()).unwrap();
    fs::write(place.path("both"), [read("signer.pem"), read("compromised.crl")].concat()).unwrap();
    for line in [
        "cms verify @message --trust @anchors",
        "verify @signer.pem --trust @anchors",
        "verify @both --trust @root.pem",
        "verify @signer.pem --trust @root.pem --untrusted @both",
    ] {
        place.bad(line, "revocation: revoked on 202");
        place.good(&format!("{line} --revocation ignore"));
    }
    let run = place.run(&asked("cms verify @message", "after", &stated));
    assert!(run.out.contains("after the proven time 2024-01-01T00:00:00Z"), "{}", run.out);
    assert!(
        run.out.contains(
            "profile rfc5280 with purpose-chain at 2024-01-01T00:00:00Z; evidence at 2060-01-01T00:00:00Z; purpose emailProtection\n"
        ),
        "{}",
        run.out
    );
    // Evidence of now about the certificate of now.
    place.bad(&asked("verify @signer.pem", "after", ""), "revocation: revoked on 2025-06-01");

    // RFC 3161 §4: the time of a stamp is the authority's own word, and enough where its key was not harmed.
    let stamp = "tsp verify @stamp --data @letter";
    place.good(&asked(stamp, "none", ""));
    place.good(&asked(stamp, "after", ""));
    for list in ["before", "compromised", "hold", "unexplained"] {
        place.bad(&asked(stamp, list, ""), "revocation: revoked on 202");
    }

    let run = place.run("cms verify @message --evidence-at 2060-01-01");
    assert!(run.code == Some(2) && run.err.contains("also pass --trust"), "{}", run.err);
}

/// What a signer's certificate is for, as S/MIME has it (RFC 8550 §4.4.4), and other purposes by name.
#[test]
fn purposes() {
    let Some(place) = Place::new() else { return };
    let judged = "cms verify @message --trust @root.pem";
    place.good(judged);
    for purposes in
        ["", "serverAuth", "emailProtection", "anyExtendedKeyUsage", "codeSigning", "emailProtection,serverAuth"]
    {
        let extension = if purposes.is_empty() { String::new() } else { format!("extendedKeyUsage = {purposes}\n") };
        fs::write(place.path("config"), format!("{CONFIG}[other]\nkeyUsage = critical, digitalSignature\n{extension}"))
            .unwrap();
        place.openssl("req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -out other.csr -subj /CN=other");
        place.openssl("ca -batch -config config -cert root.pem -keyfile root.key -days 3650 -in other.csr -out other.pem -extensions other -notext");
        let _ = fs::remove_file(place.path("other"));
        place.good("cms sign @letter --key @other.key --certificate @other.pem -o @other");
        let mail = purposes.is_empty() || purposes.contains("emailProtection") || purposes.contains("any");
        let asked = "cms verify @other --trust @root.pem";
        match mail {
            true => place.good(asked),
            false => place.bad(asked, "the extended key usage does not"),
        }
        place.good(&format!("{asked} --purpose any"));
        // Without trust, the purpose is required, too.
        match mail {
            true => place.good("cms verify @other"),
            false => place.bad("cms verify @other", "the extended key usage does not"),
        }
        let stamps = format!("{asked} --purpose timestamping");
        place.bad(&stamps, "time");
    }
}

/// The time that a signer claims does not bring an expired certificate back; what the verifier states does.
#[test]
fn claimed_times() {
    let Some(place) = Place::new() else { return };
    place.openssl(
        "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout old.key -out old.csr -subj /CN=old",
    );
    let dates = "-startdate 20200101000000Z -enddate 20250101000000Z";
    place.openssl(&format!("ca -batch -config config -cert root.pem -keyfile root.key {dates} -in old.csr -out old.pem -extensions signer -notext"));
    place.good(&format!("cms sign @letter --key @old.key --certificate @old.pem --at {SIGNED} -o @backdated"));
    for trust in ["", " --trust @root.pem"] {
        let run = place.run(&format!("cms verify @backdated{trust}"));
        assert!(run.code == Some(1) && run.out.contains("had expired"), "{}", run.out);
        assert!(run.out.contains("Signed:      2024-01-01T00:00:00Z (as the signer claims)"), "{}", run.out);
        place.good(&format!("cms verify @backdated{trust} --at {SIGNED}"));
    }
    // Nobody has stamped it.
    place.bad("cms verify @backdated --trust @root.pem --tsa-trust @root.pem", "had expired");
    // The option of `verify`, and its former name.
    for option in ["--untrusted", "--certificate"] {
        place.good(&format!("tsp verify @stamp --data @letter --trust @root.pem {option} @tsa.pem"));
    }
}

/// A message with time stamps over the signature of its only signer (RFC 3161 appendix A).
fn stamped(message: &[u8], stamps: &[Vec<u8>]) -> Vec<u8> {
    let values: Vec<Any<'_>> = stamps.iter().map(|stamp| Any::from_der(stamp).unwrap()).collect();
    with(message, &[Attribute { attr_type: ID_AA_TIME_STAMP_TOKEN, attr_values: SetOf::from_slice(&values) }], None)
}

/// A message with unsigned attributes of its only signer, and with revocation information.
fn with(message: &[u8], attributes: &[Attribute<'_>], revocation: Option<RevocationInfoChoice<'_>>) -> Vec<u8> {
    let read = ContentInfo::from_der(message).unwrap();
    let Content::SignedData(data) = read.content.get().unwrap() else { panic!("no signed data") };
    let info = data.signer_infos.iter().next().unwrap().unwrap();
    let unsigned_attrs = (!attributes.is_empty()).then(|| Attributes(SetOf::from_slice(attributes)));
    let info = [SignerInfo { unsigned_attrs, ..info }];
    let list = revocation.map(|choice| [choice]);
    let crls = list.as_ref().map(|list| SetOf::from_slice(list));
    let data = encode(&SignedData { signer_infos: SetOf::from_slice(&info), crls, ..data }).unwrap();
    let id = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";
    element(0x30, &[&id[..], &element(0xA0, &data)].concat())
}

/// An element in DER.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = match content.len() {
        len @ ..0x80 => vec![u8::try_from(len).unwrap()],
        len @ ..0x100 => vec![0x81, u8::try_from(len).unwrap()],
        len => [&[0x82][..], &u16::try_from(len).unwrap().to_be_bytes()].concat(),
    };
    [&[tag][..], &len, content].concat()
}

/// Only a time stamp of a trusted authority brings an expired certificate back.
#[test]
fn time_stamps_of_signatures() {
    let Some(place) = Place::new() else { return };
    let dates = "-startdate 20200101000000Z -enddate 20250101000000Z";
    place.openssl(
        "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout old.key -out old.csr -subj /CN=old",
    );
    place.openssl(&format!("ca -batch -config config -cert root.pem -keyfile root.key {dates} -in old.csr -out old.pem -extensions signer -notext"));
    place.openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -out other.pem -subj /CN=other",
    );
    place.good("cms sign @letter --key @old.key --certificate @old.pem -o @unstamped");
    let message = fs::read(place.path("unstamped")).unwrap();
    let signature = {
        let read = ContentInfo::from_der(&message).unwrap();
        let Content::SignedData(data) = read.content.get().unwrap() else { panic!("no signed data") };
        data.signer_infos.iter().next().unwrap().unwrap().signature.to_vec()
    };
    let stamp_with = |data: &[u8], at: &str, more: &str| {
        fs::write(place.path("imprint"), data).unwrap();
        for name in ["imprint.tsq", "imprint.tsr"] {
            let _ = fs::remove_file(place.path(name));
        }
        place.good("tsp request @imprint -o @imprint.tsq");
        let give = "tsp reply @imprint.tsq --key @tsa.key --certificate @tsa.pem --policy 1.3.6.1.4.1.99999.1";
        place.good(&format!("{give} --at {at}{more} -o @imprint.tsr"));
        let reply = fs::read(place.path("imprint.tsr")).unwrap();
        encode(&TimeStampResp::from_der(&reply).unwrap().time_stamp_token.unwrap()).unwrap()
    };
    let stamp = |data: &[u8], at: &str| stamp_with(data, at, "");
    let good = stamp(&signature, SIGNED);
    fs::write(place.path("stamped"), stamped(&message, std::slice::from_ref(&good))).unwrap();
    let judged = "cms verify @stamped --trust @root.pem";
    // A stamp that nobody trusts, or that nobody asked about, proves nothing.
    place.bad(judged, "had expired");
    place.bad(&format!("{judged} --tsa-trust @other.pem"), "Stamped:     not trusted: 2024-01-01T00:00:00Z by CN=tsa");
    let trusted = format!("{judged} --tsa-trust @root.pem");
    place.good(&trusted);
    let run = place.run(&trusted);
    assert!(run.out.contains("Checked at:  2024-01-01T00:00:00Z (the time stamp)"), "{}", run.out);
    assert!(run.out.contains("Stamped:     2024-01-01T00:00:00Z by CN=tsa"), "{}", run.out);
    // The earliest of several counts, and what is not of this signature does not.
    let later = stamp(&signature, "2026-01-01");
    fs::write(place.path("stamped"), stamped(&message, &[later.clone(), good])).unwrap();
    place.good(&trusted);
    fs::write(place.path("stamped"), stamped(&message, &[later])).unwrap();
    place.bad(&trusted, "had expired");
    // A stamp from the future proves nothing, not even for a certificate that is valid then.
    let future = stamp(&signature, "2090-01-01");
    fs::write(place.path("stamped"), stamped(&message, &[future])).unwrap();
    place.bad(&trusted, "the time stamp is from the future: its time is 2090-01-01T00:00:00Z");
    place.good("tsp verify @imprint.tsr --data @imprint --trust @root.pem --at 2091-01-01");
    for trust in ["", " --trust @root.pem"] {
        place.bad(&format!("tsp verify @imprint.tsr --data @imprint{trust}"), "the time stamp is from the future");
    }
    // RFC 3161 §2.4.2: the signature existed at the end of the accuracy, which is to be within the signer's validity.
    for (accuracy, code) in [(3600, 0), (366 * 86_400, 0), (366 * 86_400 + 1, 1), (3_000_000_000_u32, 1)] {
        let wide = stamp_with(&signature, SIGNED, &format!(" --accuracy {accuracy}"));
        fs::write(place.path("stamped"), stamped(&message, &[wide])).unwrap();
        let run = place.run(&trusted);
        assert_eq!(run.code, Some(code), "{accuracy}: {}", run.out);
        if accuracy == 3600 {
            let latest = "Stamped:     2024-01-01T00:00:00Z (at the latest 2024-01-01T01:00:00Z) by CN=tsa";
            assert!(run.out.contains(latest), "{}", run.out);
        }
        assert_eq!(run.out.contains("had expired"), code == 1, "{}", run.out);
    }
    // However wide its accuracy, a stamp is ahead of the clock by no more than 5 minutes.
    stamp_with(&signature, "2090-01-01", " --accuracy 3000000000");
    place.bad("tsp verify @imprint.tsr --data @imprint --trust @root.pem", "the time stamp is from the future");
    let run = place.run("tsp verify @imprint.tsr --data @imprint --at 2089-12-31T23:55:00Z");
    assert!(run.out.contains("Time:        2090-01-01T00:00:00Z (accuracy 3000000000 s)\n"), "{}", run.out);
    assert_eq!(run.code, Some(0), "{}", run.out);
    place.bad("tsp verify @imprint.tsr --data @imprint --at 2089-12-31T23:54:59Z", "the time stamp is from the future");
    fs::write(place.path("stamped"), stamped(&message, &[stamp(b"another signature", SIGNED)])).unwrap();
    place.bad(&trusted, "the time stamp is for different data: its digest differs (RFC 3161 §2.2)");
    let run = place.run("cms verify @stamped --tsa-trust @root.pem");
    assert_eq!(run.code, Some(2), "{}", run.err);
}

/// CRLs and OCSP responses count wherever a message has them.
#[test]
fn revocation_information_in_messages() {
    let Some(place) = Place::new() else { return };
    let id = tagwise_pkix::oids::RI_OCSP_RESPONSE;
    let message = fs::read(place.path("message")).unwrap();
    let evidence = |revoked: Option<&str>| {
        place.crl("own", revoked);
        place.openssl(
            "ocsp -index index.txt -CA root.pem -rsigner root.pem -rkey root.key -issuer root.pem -cert signer.pem \
             -ndays 36500 -noverify -respout response",
        );
        let pem = fs::read(place.path("own.crl")).unwrap();
        let crl = tagwise_codec::pem::blocks(&pem).next().unwrap().unwrap().decode().unwrap();
        (crl, fs::read(place.path("response")).unwrap())
    };
    let verify = |message: &[u8], said: Option<&str>| {
        fs::write(place.path("changed"), message).unwrap();
        match said {
            Some(said) => place.bad("cms verify @changed --trust @root.pem", said),
            None => place.good("cms verify @changed --trust @root.pem"),
        }
        // The signer's certificate, wherever it is, is revoked by what the message has.
        let status = if said.is_some() { "revoked on 2025-06-01" } else { "not revoked" };
        for line in ["verify @changed", "verify @signer.pem --untrusted @changed"] {
            let run = place.run(&format!("{line} --trust @root.pem"));
            assert_eq!(run.code, Some(i32::from(said.is_some())), "{line}: {}{}", run.out, run.err);
            assert!(run.out.contains(status), "{line}: {}", run.out);
        }
        let run = place.run("cms verify @message --certificate @changed --trust @root.pem");
        assert_eq!(run.code, Some(i32::from(said.is_some())), "{}{}", run.out, run.err);
        assert!(said.is_none_or(|said| run.out.contains(said)), "{}", run.out);
    };
    let other = |format, response: &[u8]| {
        let format = OtherRevocationInfoFormat {
            other_rev_info_format: format,
            other_rev_info: Any::from_der(response).unwrap(),
        };
        with(&message, &[], Some(RevocationInfoChoice::Other(format)))
    };
    for revoked in [None, Some("250601000000Z,keyCompromise")] {
        let said = revoked.map(|_| "revocation: revoked on 2025-06-01");
        let (crl, response) = evidence(revoked);
        // RFC 5940 §2.1.
        verify(&other(id, &response), said);
        // ETSI EN 319 122-1 §A.1.5.2 with BasicOCSPResponse, ISO 32000-2 §12.8.3.3.2 with OCSPResponse.
        let read = OcspResponse::from_der(&response).unwrap();
        let basic = read.response_bytes.unwrap().response.as_bytes().to_vec();
        for (attr_type, response) in [
            (tagwise_pkix::oids::AA_ETS_REVOCATION_VALUES, &basic),
            (tagwise_pkix::oids::ADOBE_REVOCATION_INFO_ARCHIVAL, &response),
        ] {
            for field in [element(0xA0, &element(0x30, &crl)), element(0xA1, &element(0x30, response))] {
                let value = element(0x30, &field);
                let values = [Any::from_der(&value).unwrap()];
                let attribute = Attribute { attr_type, attr_values: SetOf::from_slice(&values) };
                verify(&with(&message, &[attribute], None), said);
            }
        }
        // RFC 3161 §4: the CRL that comes with a time stamp.
        let reply = fs::read(place.path("stamp")).unwrap();
        let token = encode(&TimeStampResp::from_der(&reply).unwrap().time_stamp_token.unwrap()).unwrap();
        let choice = RevocationInfoChoice::outline(&crl).unwrap();
        fs::write(place.path("token"), with(&token, &[], Some(choice))).unwrap();
        match said {
            Some(said) => place.bad("tsp verify @token --data @letter --trust @root.pem", said),
            None => place.good("tsp verify @token --data @letter --trust @root.pem"),
        }
    }
    // Of what is not read, there is a note.
    let scvp = other(tagwise_pkix::oids::RI_SCVP, b"\x30\x00");
    fs::write(place.path("changed"), scvp).unwrap();
    let run = place.run("cms verify @changed --trust @root.pem");
    assert!(run.out.contains("Note:          revocation information is not used: id-ri-scvp\n"), "{}", run.out);
    assert_eq!(run.code, Some(0), "{}", run.out);
    let run = place.run("cms verify @message --certificate @changed --trust @root.pem");
    assert!(run.out.contains("Note:          revocation information is not used: id-ri-scvp\n"), "{}", run.out);
    let run = place.run("verify @changed --trust @root.pem");
    assert!(run.err.ends_with("changed: warning: revocation information is not used: id-ri-scvp\n"), "{}", run.err);
    assert_eq!(run.code, Some(0), "{}", run.out);
    let run = place.run("verify @changed --trust @root.pem --revocation require");
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
}

/// `--allow validity` is about the whole path: the signer, those above it, and the anchor.
#[test]
fn expired_paths() {
    let Some(place) = Place::new() else { return };
    let late = "--at 2100-01-01 --trust @root.pem";
    for (what, said) in
        [("cms verify @message", "the certificate had expired"), ("tsp verify @stamp --data @letter", "had expired")]
    {
        place.bad(&format!("{what} {late}"), said);
        place.bad(&format!("{what} {late}"), "Trust:       NOT VALID");
        place.good(&format!("{what} {late} --allow validity"));
        // The rule of that name is about certificates below the anchor.
        place.bad(&format!("{what} {late} --allow-rule validity"), "had expired");
    }
    let run = place.run("verify @signer.pem --trust @root.pem --at 2100-01-01 --allow validity");
    assert!(run.code == Some(1) && run.out.contains("anchor-validity: expired on 2099-01-01"), "{}", run.out);
    place.good("verify @signer.pem --trust @root.pem --at 2100-01-01 --allow validity,anchor-validity");
}
