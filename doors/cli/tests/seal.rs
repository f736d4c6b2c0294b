//! `tagwise cms`, `p12` and `tsp`, as a user does it: with files, passphrases and the `openssl` command as the other side.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Run, tagwise, tagwise_with};

/// A folder with keys and certificates of the command's making.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Option<Self> {
        if !tagwise_testing::tool("openssl", &["version"]) {
            return None;
        }
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("letter"), b"what is said\n").unwrap();
        fs::write(place.path("right"), "correct horse\n").unwrap();
        fs::write(place.path("wrong"), "battery staple\n").unwrap();
        place.party("me", &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], &[]);
        place.party("rsa", &["-newkey", "rsa:2048"], &[]);
        place.party(
            "tsa",
            &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
            &["-addext", "extendedKeyUsage=critical,timeStamping"],
        );
        Some(place)
    }

    fn party(&self, name: &str, kind: &[&str], more: &[&str]) {
        let (key, pem, subject) = (format!("{name}.key"), format!("{name}.pem"), format!("/CN={name}"));
        let args = ["req", "-x509", "-nodes", "-days", "3650", "-subj", &subject, "-keyout", &key, "-out", &pem];
        self.openssl(&[&args[..], kind, more].concat());
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn openssl(&self, args: &[&str]) {
        let mut command = Command::new("openssl");
        let output = command.current_dir(self.0.path()).args(args).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs the command; words with `@` in front are files of the folder.
    fn run(&self, line: &str) -> Run {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| self.path(name)))
            .collect();
        tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn good(&self, line: &str) -> Run {
        let run = self.run(line);
        assert_eq!(run.code, Some(0), "{line}: {}", run.err);
        run
    }

    /// The command fails with this code, says this, and leaves no file behind.
    fn bad(&self, line: &str, code: i32, said: &str) {
        let before = names(self.0.path());
        let run = self.run(line);
        assert_eq!(run.code, Some(code), "{line}: {}{}", run.out, run.err);
        assert!(run.err.contains(said) || run.out.contains(said), "{line}: {}{}", run.out, run.err);
        assert_eq!(names(self.0.path()), before, "{line}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn letters_are_signed_and_verified() {
    let Some(place) = Place::new() else { return };
    place.good("cms sign @letter --key @me.key --certificate @me.pem -o @signed");
    place.openssl(&[
        "cms", "-verify", "-in", "signed", "-inform", "DER", "-CAfile", "me.pem", "-purpose", "any", "-out", "out",
    ]);
    let run = place.good("cms verify @signed -o @content");
    assert!(run.out.contains("signature good, trust not checked: CN=me\n"), "{}", run.out);
    assert!(run.out.contains("ECDSA-SHA256") && run.out.contains("Trust:       not checked"), "{}", run.out);
    assert_eq!(place.read("content"), place.read("letter"));
    let run = place.good("cms verify @signed --json");
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&shown["schema"], &shown["good"]), (&"tagwise.cms-verify/3".into(), &true.into()));
    assert_eq!(shown["signers"][0]["subject"], "CN=me");
    assert_eq!(shown["content_length"], 13);
    // To standard output the content goes alone.
    let run = place.good("cms verify @signed -o -");
    assert_eq!(run.out, "what is said\n");
    assert!(run.err.contains("signature good, trust not checked: CN=me"), "{}", run.err);

    // Two signers, detached, in PEM, with PSS.
    place.good(
        "cms sign @letter --key @me.key --certificate @me.pem --key @rsa.key --certificate @rsa.pem --pss --detached \
         --pem --key-id -o @two",
    );
    assert!(place.read("two").starts_with(b"-----BEGIN CMS-----\n"));
    let args = ["cms", "-verify", "-in", "two", "-inform", "PEM", "-content", "letter", "-binary", "-noverify"];
    place.openssl(&[&args[..], &["-out", "out"]].concat());
    let run = place.good("cms verify @two --content @letter");
    assert_eq!(run.out.matches("signature good").count(), 2, "{}", run.out);
    place.bad("cms verify @two", 4, "the content is detached");
    place.bad("cms verify @two --content @right -o @none", 1, "NOT GOOD");
    place.bad("cms verify @signed --content @letter", 1, "content was given, but the message contains its own");

    // Whoever leaves the certificate out has to have it elsewhere.
    place.good("cms sign @letter --key @me.key --certificate @me.pem --no-certificates -o @bare");
    place.bad("cms verify @bare -o @none", 4, "the signer's certificate is missing");
    place.good("cms verify @bare --certificate @me.pem");
    place.bad("cms sign @letter --key @me.key --certificate @rsa.pem -o @none", 1, "not consistent");
    place.bad("cms sign @letter --key @me.key -o @none", 2, "--certificate");
    place.bad("cms verify @letter", 1, "letter");
    place.bad("cms verify @absent", 3, "cannot be read");
    place.openssl(&["cms", "-sign", "-in", "letter", "-signer", "me.pem", "-inkey", "me.key", "-out", "mail"]);
    place.good("cms verify @mail");
    let mail = fs::read_to_string(place.path("mail")).unwrap();
    fs::write(place.path("altered"), mail.replacen("what is said", "what is sad", 1)).unwrap();
    place.bad("cms verify @altered", 1, "NOT GOOD");
    place.openssl(&["cms", "-encrypt", "-aes128", "-in", "letter", "-out", "sealed.eml", "rsa.pem"]);
    place.good("cms decrypt @sealed.eml --key @rsa.key -o @opened");
    place.bad("cms decrypt @mail --key @rsa.key", 1, "mail");

    // A changed message: nothing is written.
    let mut changed = place.read("signed");
    *changed.last_mut().unwrap() ^= 1;
    fs::write(place.path("changed"), &changed).unwrap();
    place.bad("cms verify @changed -o @none", 1, "NOT GOOD");
}

/// A message in a message is verified, too, whether the outer one says so (RFC 5652 §5.2) or has it as data.
#[test]
fn messages_in_messages_are_verified() {
    let Some(place) = Place::new() else { return };
    let sign = |what: &str, key: &str, out: &str, more: &str| {
        place.good(&format!("cms sign @{what} --key @{key}.key --certificate @{key}.pem -o @{out}{more}"));
    };
    sign("letter", "me", "once", "");
    sign("once", "rsa", "twice", "");
    let run = place.good("cms verify @twice -o @content");
    assert!(run.out.contains("  Layers:        signed > signed\n"), "{}", run.out);
    assert!(run.out.contains("trust not checked: CN=me\n") && run.out.contains("CN=rsa\n"), "{}", run.out);
    assert_eq!(place.read("content"), place.read("letter"));
    // The outer signature is good, the inner one is not.
    let mut wrong = place.read("once");
    *wrong.last_mut().unwrap() ^= 1;
    fs::write(place.path("wrong"), &wrong).unwrap();
    sign("wrong", "rsa", "around", "");
    place.bad("cms verify @around -o @none", 1, "NOT GOOD");
    // A signature without its content, a bundle of certificates, and what only begins like a message.
    sign("letter", "me", "detached", " --detached");
    sign("detached", "rsa", "around", "");
    let run = place.good("cms verify @around -o @content");
    assert!(run.out.contains("Note:          the content is a signature of detached content, which was not verified"));
    assert_eq!(place.read("content"), place.read("detached"));
    place.openssl(&["crl2pkcs7", "-nocrl", "-certfile", "me.pem", "-outform", "DER", "-out", "bundle"]);
    sign("bundle", "rsa", "around", "");
    assert!(!place.good("cms verify @around").out.contains("Note:"));
    let whole = place.read("once");
    fs::write(place.path("half"), &whole[..whole.len() / 2]).unwrap();
    sign("half", "rsa", "around", "");
    let run = place.good("cms verify @around");
    assert!(run.out.contains("begins like a signed message, whose signatures were not verified"), "{}", run.out);

    // With the type id-signedData: a ContentInfo, its content alone, and neither.
    let typed = |what: &str| {
        let args = ["cms", "-sign", "-binary", "-nodetach", "-econtent_type", "pkcs7-signedData", "-outform", "DER"];
        place
            .openssl(&[&args[..], &["-signer", "rsa.pem", "-inkey", "rsa.key", "-in", what, "-out", "typed"]].concat());
    };
    // contentType, and the header of [0]: four bytes each, and the identifier of eleven.
    for (name, octets) in [("whole", &whole[..]), ("bare", &whole[19..])] {
        assert_eq!(octets[..2], [0x30, 0x82]);
        fs::write(place.path(name), octets).unwrap();
        typed(name);
        let run = place.good("cms verify @typed -o @content");
        assert!(run.out.contains("  Layers:        signed > signed\n"), "{name}: {}", run.out);
        assert_eq!(place.read("content"), place.read("letter"));
    }
    fs::write(place.path("bare"), &wrong[19..]).unwrap();
    typed("bare");
    place.bad("cms verify @typed -o @none", 1, "NOT GOOD");
    typed("letter");
    let said = "Not known:     the content is not signed data, against its type id-signedData";
    place.bad("cms verify @typed -o @none", 4, said);

    // The number of layers is limited.
    for (from, to) in [("twice", "three"), ("three", "four"), ("four", "five"), ("five", "six"), ("six", "seven")] {
        sign(from, "me", to, "");
    }
    sign("seven", "me", "eight", "");
    place.good("cms verify @eight");
    sign("eight", "me", "nine", "");
    place.bad("cms verify @nine", 4, "the message has more than 8 layers");
}

/// A signer whose certificate was not valid, or is for something else, is not good, unless that is allowed by name.
#[test]
fn signers_are_held_to_their_certificates() {
    let Some(place) = Place::new() else { return };
    let shown = |line: &str| -> serde_json::Value { serde_json::from_str(&place.run(line).out).unwrap() };
    // With a time in the message, and with none.
    place.good("cms sign @letter --key @me.key --certificate @me.pem -o @timed");
    place.good("cms sign @letter --key @me.key --certificate @me.pem --no-attributes -o @timeless");
    place.good("cms sign @letter --key @me.key --certificate @me.pem --at 2009-01-01 -o @early");
    for message in ["timed", "timeless"] {
        let shown = shown(&format!("cms verify @{message} --json"));
        let signer = &shown["signers"][0];
        assert_eq!((&shown["good"], &signer["judged_by"]), (&true.into(), &"clock".into()), "{shown}");
        assert_eq!((&shown["trust"], &signer["trust"]), (&"not-judged".into(), &"not-judged".into()));
        assert_eq!(signer["objections"].as_array().unwrap().len(), 0);
        place.bad(&format!("cms verify @{message} --at 2060-01-01 -o @none"), 1, "the certificate had expired");
        place.bad(
            &format!("cms verify @{message} --at 2001-01-01 -o @none"),
            1,
            "the certificate was not yet valid: its validity begins on",
        );
    }
    // What the signer claims decides nothing (RFC 5652 §11.3): only a time that the verifier states does.
    let claimed = shown("cms verify @early --json");
    assert_eq!(
        (&claimed["good"], &claimed["signers"][0]["signing_time"]),
        (&true.into(), &"2009-01-01T00:00:00Z".into())
    );
    place.bad(
        "cms verify @early --at 2009-01-01 -o @none",
        1,
        "the certificate was not yet valid: its validity begins on",
    );
    let early = shown("cms verify @early --at 2009-01-01 --json");
    let signer = &early["signers"][0];
    assert_eq!(
        (&early["good"], &signer["good"], &signer["signature_good"]),
        (&false.into(), &false.into(), &true.into())
    );
    assert_eq!((&signer["judged_at"], &signer["judged_by"]), (&"2009-01-01T00:00:00Z".into(), &"given".into()));
    assert_eq!(
        (&signer["objections"][0]["kind"], &signer["objections"][0]["allowed"]),
        (&"validity".into(), &false.into())
    );
    let run = place.good("cms verify @early --at 2009-01-01 --allow validity -o @content");
    assert!(run.out.contains("Allowed:     the certificate was not yet valid: its validity begins on"), "{}", run.out);
    assert!(run.out.contains("2009-01-01T00:00:00Z (the time given)"), "{}", run.out);
    place.bad(
        "cms verify @early --at 2009-01-01 --allow key-usage -o @none",
        1,
        "the certificate was not yet valid: its validity begins on",
    );

    // What the key is for.
    let kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
    place.party(
        "agree",
        &kind,
        &["-addext", "keyUsage=critical,keyAgreement", "-addext", "extendedKeyUsage=serverAuth"],
    );
    place.party("mail", &kind, &["-addext", "keyUsage=nonRepudiation", "-addext", "extendedKeyUsage=emailProtection"]);
    place.good("cms sign @letter --key @agree.key --certificate @agree.pem -o @agreed");
    place.bad("cms verify @agreed -o @none", 1, "neither digitalSignature nor nonRepudiation");
    place.good("cms verify @agreed --allow key-usage --purpose any");
    place.good("cms verify @agreed --allow key-usage,purpose");
    place.bad(
        "cms verify @agreed --allow key-usage --purpose email -o @none",
        1,
        "the extended key usage does not include the required purpose (RFC 5280 §4.2.1.12)",
    );
    place.good("cms sign @letter --key @mail.key --certificate @mail.pem -o @mailed");
    place.good("cms verify @mailed --purpose email");
    place.bad(
        "cms verify @mailed --purpose code-signing -o @none",
        1,
        "the extended key usage does not include the required purpose (RFC 5280 §4.2.1.12)",
    );
    // One without a list of purposes is for any.
    place.good("cms verify @timed --purpose email");
    place.bad("cms verify @timed --purpose luck", 2, "possible values: email, code-signing, document-signing");
}

/// The clock decides where nothing else does.
#[test]
fn the_clock_decides() {
    let Some(place) = Place::new() else { return };
    if !Command::new("faketime").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no faketime command");
        return;
    }
    place.good("cms sign @letter --key @me.key --certificate @me.pem --no-attributes -o @timeless");
    place.good("cms sign @letter --key @me.key --certificate @me.pem -o @timed");
    // A signer whose certificate has expired can claim any time.
    for message in ["timeless", "timed"] {
        let mut command = Command::new("faketime");
        command.args(["2060-01-01 00:00:00", env!("CARGO_BIN_EXE_tagwise"), "cms", "verify"]);
        let output = command.arg(place.path(message)).stdin(Stdio::null()).output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{message}: {out}");
        assert!(out.contains("the certificate had expired"), "{out}");
    }
}

/// A signature of attributes, presented as one of content, and the other way round (RFC 5652 §5.4).
#[test]
fn attributes_are_not_content() {
    let Some(place) = Place::new() else { return };
    // SET { messageDigest: 04 04 01020304 }
    let attributes =
        [&b"\x31\x15\x30\x13\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x04\x31\x06\x04\x04"[..], &[1, 2, 3, 4]];
    fs::write(place.path("set"), attributes.concat()).unwrap();
    let sign = "cms sign @set --key @me.key --certificate @me.pem";
    place.bad(&format!("{sign} --no-attributes -o @none"), 1, "could be read as signed attributes");
    place.good(&format!("{sign} -o @attributed"));
    place.good("cms verify @attributed");
    place.good(&format!("{sign} --no-attributes --allow-attributes-as-content -o @confusing"));
    place.bad("cms verify @confusing -o @none", 1, "could be read as signed attributes");
    place.good("cms verify @confusing --allow-attributes-as-content");
}

#[test]
fn letters_are_encrypted_and_decrypted() {
    let Some(place) = Place::new() else { return };
    for more in ["", " --cipher aes-128-cbc --rsa pkcs1", " --cipher aes-256-cbc --key-id --pem"] {
        place.good(&format!("cms encrypt @letter --to @me.pem --to @rsa.pem{more} -o @sealed"));
        let form = if more.contains("--pem") { "PEM" } else { "DER" };
        for name in ["me", "rsa"] {
            place.good(&format!("cms decrypt @sealed --key @{name}.key --certificate @{name}.pem --force -o @opened"));
            assert_eq!(place.read("opened"), place.read("letter"), "{name}{more}");
            let (key, pem) = (format!("{name}.key"), format!("{name}.pem"));
            let args = ["cms", "-decrypt", "-in", "sealed", "-inform", form, "-inkey", &key, "-recip", &pem];
            place.openssl(&[&args[..], &["-binary", "-out", "out"]].concat());
            assert_eq!(place.read("out"), place.read("letter"), "{name}{more}");
        }
        place.bad("cms decrypt @sealed --key @tsa.key --certificate @tsa.pem -o @none", 1, "not for this key");
    }
    place.good("cms encrypt @letter --password --passphrase-file @right -o @sealed");
    let run = place.good("cms decrypt @sealed --password --passphrase-file @right");
    assert_eq!(run.out, "what is said\n");
    place.bad("cms decrypt @sealed --password --passphrase-file @wrong -o @none", 1, "integrity check failed");
    place.bad("cms decrypt @sealed --password -o @none", 2, "no terminal to read it from");

    fs::write(place.path("shared"), "000102030405060708090a0b0c0d0e0f").unwrap();
    place.good("cms encrypt @letter --shared-key-file @shared --shared-key-id 0102 --cipher aes-128-cbc -o @sealed");
    let run = place.good("cms decrypt @sealed --shared-key-file @shared");
    assert!(run.err.contains("tagwise: note: this type of message has no integrity protection"), "{}", run.err);
    place.openssl(&[
        "cms",
        "-decrypt",
        "-in",
        "sealed",
        "-inform",
        "DER",
        "-secretkey",
        "000102030405060708090a0b0c0d0e0f",
        "-secretkeyid",
        "0102",
        "-binary",
        "-out",
        "out",
    ]);
    place.bad("cms encrypt @letter -o @none", 2, "no recipient");
    place.bad("cms encrypt @letter --to @me.key -o @none", 1, "no certificate found");
    place.bad("cms decrypt @letter --key @me.key -o @none", 1, "letter");
    place.bad("cms decrypt @sealed -o @none", 2, "required");
}

/// SHA-256 for the label and SHA-1 in the mask, as Java has it: not every backend does.
#[test]
fn two_digests_of_oaep() {
    let Some(place) = Place::new() else { return };
    let seal = "cms encrypt @letter --to @rsa.pem --rsa oaep-mgf1-sha1 -o @sealed";
    let how = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1"].map(|how| ["-keyopt", how]).concat();
    let encrypt = ["cms", "-encrypt", "-binary", "-in", "letter", "-outform", "DER", "-out", "theirs", "-aes256"];
    place.openssl(&[&encrypt[..], &["-recip", "rsa.pem"], &how].concat());
    let open = "cms decrypt @theirs --key @rsa.key --certificate @rsa.pem -o @opened";
    let decrypt = ["cms", "-decrypt", "-in", "sealed", "-inform", "DER", "-inkey", "rsa.key", "-recip", "rsa.pem"];
    let backends: &[&str] = if cfg!(feature = "openssl") { &["aws-lc", "openssl"] } else { &["aws-lc"] };
    for backend in backends {
        for file in ["opened", "sealed", "out"] {
            let _ = fs::remove_file(place.0.path().join(file));
        }
        place.good(&format!("{open} --backend {backend}"));
        assert_eq!(place.read("opened"), place.read("letter"));
        place.good(&format!("{seal} --backend {backend}"));
        place.openssl(&[&decrypt[..], &["-binary", "-out", "out"]].concat());
        assert_eq!(place.read("out"), place.read("letter"));
    }
}

#[test]
fn stores_are_made_and_opened() {
    let Some(place) = Place::new() else { return };
    for layout in ["modern", "pbmac1", "legacy-windows"] {
        let file = format!("{layout}.p12");
        place.good(&format!(
            "p12 create --layout {layout} --key @me.key --certificate @me.pem --certificate @rsa.pem --name mine \
             --passphrase-file @right -o @{file}"
        ));
        let run = place.good(&format!("p12 show @{file} --passphrase-file @right"));
        assert!(run.out.contains("PKCS #12, 3 items") && run.out.contains("verified"), "{}", run.out);
        assert!(run.out.contains("ecdsa-p256") && run.out.contains("CN=me"), "{}", run.out);
        let run = place.good(&format!("p12 show --json @{file} --passphrase-file @right"));
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((&shown["schema"], &shown["integrity"]), (&"tagwise.p12/2".into(), &"verified".into()));
        let names = shown["items"].as_array().unwrap().iter().filter(|item| item["friendly_name"] == "mine").count();
        assert_eq!(names, 2);
        place.bad(&format!("p12 show @{file} --passphrase-file @wrong"), 1, "wrong MAC");
        place.bad(&format!("p12 show @{file}"), 2, "no terminal to read it from");
        // It is not overwritten.
        let again = format!("p12 create --key @me.key --passphrase-file @right -o @{file}");
        place.bad(&again, 3, "it already exists");

        let mut args = vec!["pkcs12", "-in", &file, "-nodes", "-passin", "pass:correct horse", "-out", "out"];
        if layout == "pbmac1" {
            args.push("-nomacver");
        }
        place.openssl(&args);
        let said = String::from_utf8(place.read("out")).unwrap();
        assert_eq!((said.matches("BEGIN CERTIFICATE").count(), said.matches("BEGIN PRIVATE").count()), (2, 1));

        let run = place.good(&format!("p12 extract @{file} --keys --no-passphrase --passphrase-file @right"));
        assert!(run.out.starts_with("-----BEGIN PRIVATE KEY-----\n"), "{}", run.out);
        let out = format!("{layout}.pem");
        place.good(&format!("p12 extract @{file} --passphrase-file @right -o @{out}"));
        let said = String::from_utf8(place.read(&out)).unwrap();
        assert!(said.contains("BEGIN ENCRYPTED PRIVATE KEY") && said.matches("BEGIN CERTIFICATE").count() == 2);
        place.good(&format!("key show @{out} --passphrase-file @right"));
        place.bad(&format!("p12 extract @{file} --name other --passphrase-file @right"), 1, "no matching items found");
        let truncated = place.read(&file);
        fs::write(place.path("cut"), &truncated[..truncated.len() - 1]).unwrap();
        place.bad("p12 show @cut --passphrase-file @right", 1, "cut: ");
    }
    place.good(
        "p12 create --layout java-truststore --certificate @me.pem --certificate @rsa.pem --name root --passphrase-file \
         @right -o @trust.p12",
    );
    let run = place.good("p12 show @trust.p12 --passphrase-file @right");
    assert!(run.out.contains("root-1") && run.out.contains("root-2"), "{}", run.out);
    let java =
        "p12 create --layout java-truststore --key @me.key --certificate @me.pem --passphrase-file @right -o @none";
    place.bad(java, 1, "Java");
    place.bad(
        "p12 create --key @me.key --certificate @rsa.pem --passphrase-file @right -o @none",
        1,
        "no certificate matches the private key",
    );
    place.bad("p12 create --passphrase-file @right -o @none", 2, "the file would be empty");

    // What the command writes, in new and old ways; without a password nobody is asked.
    let export = ["pkcs12", "-export", "-in", "me.pem", "-inkey", "me.key", "-out", "theirs"];
    place.openssl(&[&export[..], &["-legacy", "-passout", "pass:correct horse"]].concat());
    let run = place.good("p12 show @theirs --passphrase-file @right");
    assert!(run.out.contains("2 items"), "{}", run.out);
    place.openssl(&[&export[..], &["-passout", "pass:"]].concat());
    place.good("p12 show @theirs");
}

#[test]
fn time_is_stamped() {
    let Some(place) = Place::new() else { return };
    place.good("tsp request @letter --digest sha512 -o @query");
    place.openssl(&["ts", "-query", "-in", "query", "-text", "-out", "out"]);
    let give = "tsp reply @query --key @tsa.key --certificate @tsa.pem --policy 1.3.6.1.4.1.99999.1";
    // Now, when the certificate is valid, and a time at which it is not.
    place.good(&format!("{give} --accuracy 1 -o @response"));
    let early = format!("{give} --at 2009-11-21T10:00:00Z -o @early");
    place.bad(&early, 1, "--allow validity tolerates this");
    assert!(!place.0.path().join("early").exists());
    place.bad(&format!("{early} --allow key-usage"), 2, "of the rules for paths, this command only checks validity");
    place.good(&format!("{early} --allow validity"));
    place.openssl(&["ts", "-verify", "-in", "response", "-queryfile", "query", "-CAfile", "tsa.pem"]);
    for against in ["--data @letter", "--request @query"] {
        let run = place.good(&format!("tsp verify @response {against}"));
        assert!(
            run.out.contains("stamp good, trust not checked") && run.out.contains("(the time stamp)"),
            "{}",
            run.out
        );
    }
    let run = place.good("tsp verify @response --data @letter --json");
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&shown["schema"], &shown["policy"]), (&"tagwise.tsp-verify/3".into(), &"1.3.6.1.4.1.99999.1".into()));
    assert_eq!((&shown["judged_by"], &shown["trust"]), (&"gen-time".into(), &"not-judged".into()));
    let run = place.run("tsp verify @early --data @letter --json");
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &shown["good"]), (Some(1), &false.into()));
    assert_eq!(shown["objections"][0]["kind"], "validity");
    place.bad("tsp verify @early --data @letter", 1, "the certificate was not yet valid: its validity begins on");
    place.good("tsp verify @early --data @letter --allow validity");
    place.good("tsp verify @early --data @letter --at 2030-01-01");
    place.bad("tsp verify @response --data @letter --at 2060-01-01", 1, "the certificate had expired");
    // A time stamp from the future proves nothing yet.
    place.good(&format!("{give} --accuracy 1 --at 2030-11-21T10:00:00Z -o @future"));
    place.bad(
        "tsp verify @future --data @letter",
        1,
        "the time stamp is from the future: its time is 2030-11-21T10:00:00Z",
    );
    let shown = place.run("tsp verify @future --data @letter --json");
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert!(shown["good"] == false && shown["error"].as_str().unwrap().contains("from the future"), "{shown}");
    place.good("tsp verify @future --data @letter --at 2030-11-21T10:00:00Z");
    // Its clock may be ahead by its accuracy.
    place.good("tsp verify @future --data @letter --at 2030-11-21T09:59:59Z");
    place.bad("tsp verify @future --data @letter --at 2030-11-21T09:59:58Z", 1, "from the future");
    let more = ["-addext", "extendedKeyUsage=critical,timeStamping", "-addext", "keyUsage=critical,keyAgreement"];
    place.party("odd", &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], &more);
    place.good(&format!("{} -o @odd", give.replace("@tsa", "@odd")));
    place.bad("tsp verify @odd --data @letter", 1, "neither digitalSignature nor nonRepudiation");
    place.good("tsp verify @odd --data @letter --allow key-usage");
    place.bad(
        "tsp verify @response --data @right",
        1,
        "the time stamp is for different data: its digest differs (RFC 3161 §2.2)",
    );
    place.good("tsp request @letter -o @other");
    place.bad("tsp verify @response --request @other", 1, "digest differs");
    place.bad("tsp verify @response", 2, "required");
    let run = place.good("tsp verify @response --data @letter --trust @tsa.pem");
    assert!(
        run.out.contains("stamp good, signer trusted") && run.out.contains("  Trust:       valid\n"),
        "{}",
        run.out
    );
    let run = place.run("tsp verify @response --data @letter --trust @me.pem");
    assert!(run.code == Some(1) && run.out.contains("NOT GOOD") && run.out.contains("no-issuer"), "{}", run.out);
    // A certificate that is for anything.
    place.bad(
        &give.replace("tsa.key", "me.key").replace("tsa.pem", "me.pem"),
        1,
        "critical extended key usage with timeStamping only",
    );
    // A request of rubbish is rejected, and the rejection is an answer.
    fs::write(place.path("rubbish"), b"\x30\x00").unwrap();
    let run = place.run(&format!("{} -o @rejection", give.replace("@query", "@rubbish")));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("rejected: the request is malformed"), "{}", run.err);
    place.bad("tsp verify @rejection --data @letter", 1, "no time stamp was issued: rejection");
    place.bad("tsp request @letter --policy 1.40 -o @none", 2, "OBJECT IDENTIFIER");
}

/// Standard input is a file too.
#[test]
fn pipes_work() {
    let Some(place) = Place::new() else { return };
    let (key, pem) = (place.path("me.key"), place.path("me.pem"));
    let run = tagwise_with(&["cms", "sign", "-", "--key", &key, "--certificate", &pem, "--pem"], b"piped");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise_with(&["cms", "verify", "-", "-o", "-"], run.out.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (Some(0), "piped"), "{}", run.err);
}
