//! S/MIME mails, compressed data and header protection, with `openssl` as the other side.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::{Run, tagwise};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Option<Self> {
        if !tagwise_testing::tool("openssl", &["version"]) {
            return None;
        }
        let place = Self(tempfile::tempdir().unwrap());
        place.party("eva", "emailProtection", "email:eva@example.org");
        place.party("ben", "emailProtection", "email:ben@example.org");
        place.party("code", "codeSigning", "DNS:code.example.org");
        fs::write(place.path("letter"), "Dear Ben,\nlunch?\n").unwrap();
        fs::write(
            place.path("mail"),
            "From: Eva <eva@example.org>\nTo: ben@example.org\nSubject: Lunch\nContent-Type: text/plain\n\nAt noon?\n",
        )
        .unwrap();
        Some(place)
    }

    fn party(&self, name: &str, usage: &str, san: &str) {
        let line = format!(
            "req -x509 -nodes -days 3650 -newkey rsa:2048 -subj /CN={name} -keyout {name}.key -out {name}.pem \
             -addext extendedKeyUsage={usage} -addext subjectAltName={san}"
        );
        self.openssl(&line);
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    fn openssl(&self, line: &str) {
        let mut command = Command::new("openssl");
        let command = command.current_dir(self.0.path()).args(line.split(' ').filter(|word| !word.is_empty()));
        let output = command.stdin(Stdio::null()).output().unwrap();
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

    fn code(&self, line: &str, code: i32) -> String {
        let run = self.run(line);
        assert_eq!(run.code, Some(code), "{line}: {}{}", run.out, run.err);
        format!("{}{}", run.out, run.err)
    }

    fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.run(line).out).unwrap()
    }
}

/// Mails of this program are read by openssl, and its own by this program.
#[test]
fn signed_mails_in_both_directions() {
    let Some(place) = Place::new() else { return };
    for form in ["--smime", "--smime=opaque"] {
        place.code(&format!("cms sign @mail {form} --key @eva.key --certificate @eva.pem -o @signed"), 0);
        let mail = place.text("signed");
        assert!(mail.starts_with("From: Eva <eva@example.org>\r\nTo: ben@example.org\r\nSubject: Lunch\r\n"), "{mail}");
        assert_eq!(mail.contains("At noon?"), form == "--smime", "{mail}");
        assert_eq!(mail.contains("micalg=sha-256"), form == "--smime", "{mail}");
        place.openssl("cms -verify -in signed -CAfile eva.pem -out content");
        assert_eq!(place.text("content"), "Content-Type: text/plain\r\n\r\nAt noon?\r\n");
        place.code("cms verify @signed --trust @eva.pem -o @content", 0);
        assert_eq!(place.text("content"), "Content-Type: text/plain\r\n\r\nAt noon?\r\n");
        let changed = mail.replacen("At noon?", "At nine?", 1);
        fs::write(place.path("changed"), changed).unwrap();
        place.code("cms verify @changed", i32::from(form == "--smime"));
    }
    for line in ["cms -sign -in letter -text", "cms -sign -nodetach -in letter -text", "smime -sign -in letter -text"] {
        place.openssl(&format!("{line} -signer eva.pem -inkey eva.key -out signed"));
        let out = place.code("cms verify @signed --trust @eva.pem -o @content", 0);
        assert!(out.contains("signature good, signer trusted: CN=eva"), "{out}");
        assert!(place.text("content").ends_with("\r\n\r\nDear Ben,\r\nlunch?\r\n"));
    }
    // Text that is not ASCII survives transport.
    fs::write(place.path("greeting"), "Grüße\n").unwrap();
    place.code("cms sign @greeting --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    assert!(place.text("signed").is_ascii());
    place.openssl("cms -verify -in signed -CAfile eva.pem -out content");
    assert!(place.text("content").contains("Content-Transfer-Encoding: base64"));
    fs::write(place.path("eight"), "Content-Type: text/plain; charset=utf-8\n\nGrüße\n").unwrap();
    place.code("cms sign @eight --smime --key @eva.key --certificate @eva.pem -o @signed --force", 1);
    place.code("cms sign @eight --smime=opaque --key @eva.key --certificate @eva.pem -o @signed", 0);
}

#[test]
fn signed_and_encrypted_in_either_order() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    for cipher in ["aes-256-cbc", "aes-256-gcm"] {
        place.code(&format!("cms encrypt @signed --smime --cipher {cipher} --rsa pkcs1 --to @ben.pem -o @sealed"), 0);
        let mail = place.text("sealed");
        assert!(mail.starts_with("From: Eva <eva@example.org>\r\n") && !mail.contains("noon"), "{mail}");
        place.openssl("cms -decrypt -in sealed -recip ben.pem -inkey ben.key -out inner");
        place.openssl("cms -verify -in inner -CAfile eva.pem -out content");
        assert!(place.text("content").ends_with("At noon?\r\n"));
        // All layers at once.
        let out = place.code("cms verify @sealed --key @ben.key --trust @eva.pem -o @plain", 0);
        assert!(out.contains("Layers:        encrypted > signed"), "{out}");
        assert!(place.text("plain").ends_with("At noon?\r\n"));
        fs::remove_file(place.path("plain")).unwrap();
        // Without the key, the answer is not known.
        let out = place.code("cms verify @sealed", 4);
        assert!(out.contains("pass --key"), "{out}");
        place.code("cms verify @sealed --key @eva.key", 1);
    }
    // Encrypted by openssl, signed by openssl.
    place.openssl("cms -encrypt -aes128 -in letter -text -out sealed ben.pem");
    place.openssl("cms -sign -in sealed -signer eva.pem -inkey eva.key -out outer");
    let out = place.code("cms verify @outer --trust @eva.pem", 0);
    assert!(out.contains("the content is encrypted; pass --key to read it"), "{out}");
    let shown = place.json("cms verify @outer --key @ben.key --trust @eva.pem --json");
    assert_eq!(shown["layers"], serde_json::json!(["signed", "encrypted"]));
    assert_eq!(shown["good"], true);
    let out = place.code("cms decrypt @outer --key @ben.key -o @opened", 0);
    assert!(out.contains("the signature around the encrypted message is not checked"), "{out}");
    assert!(place.text("opened").ends_with("lunch?\r\n"));
    // Triple wrapped (RFC 2634 §1.1): both signatures are verified.
    place.code("cms sign @signed --smime=opaque --key @eva.key --certificate @eva.pem -o @one", 0);
    place.code("cms encrypt @one --smime --to @ben.pem -o @two", 0);
    place.code("cms sign @two --smime --key @ben.key --certificate @ben.pem -o @three", 0);
    let shown = place.json("cms verify @three --key @ben.key --allow-headers --json");
    assert_eq!(shown["layers"], serde_json::json!(["signed", "encrypted", "signed", "signed"]));
    let of: Vec<_> = shown["signers"].as_array().unwrap().iter().map(|signer| signer["of"].as_str().unwrap()).collect();
    assert_eq!(of, ["layer 1", "layer 3", "layer 4"]);
}

#[test]
fn compressed_data() {
    let Some(place) = Place::new() else { return };
    let long = "A line that repeats.\n".repeat(1000);
    fs::write(place.path("long"), &long).unwrap();
    place.code("cms compress @long -o @packed", 0);
    assert!(fs::read(place.path("packed")).unwrap().len() < 1000);
    place.code("cms decompress @packed -o @unpacked", 0);
    assert_eq!(place.text("unpacked"), long);
    let out = place.code("cms decompress @packed --max-size 20999", 4);
    assert!(out.contains("limit"), "{out}");
    place.code("cms decompress @packed --max-size 21000 -o @unpacked", 0);
    place.code("cms decompress @letter", 1);
    // A signed mail, compressed, and the other way round.
    place.code("cms sign @mail --smime=opaque --key @eva.key --certificate @eva.pem -o @signed", 0);
    place.code("cms compress @signed --smime -o @packed.eml", 0);
    assert!(place.text("packed.eml").contains("smime-type=compressed-data"));
    let shown = place.json("cms verify @packed.eml --trust @eva.pem --json");
    assert_eq!((&shown["layers"], &shown["good"]), (&serde_json::json!(["compressed", "signed"]), &true.into()));
    place.code("cms compress @mail --smime -o @packed.eml", 0);
    place.code("cms sign @packed.eml --smime --key @eva.key --certificate @eva.pem -o @outer", 0);
    place.code("cms verify @outer --trust @eva.pem -o @content", 0);
    assert_eq!(place.text("content"), "Content-Type: text/plain\r\n\r\nAt noon?\r\n");
}

/// Mails whose header is protected are read again, and OpenSSL verifies and decrypts them.
#[test]
fn headers_are_protected() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --protect-headers --key @eva.key --certificate @eva.pem -o @clear.eml", 0);
    assert!(place.text("clear.eml").contains(" hp=\"clear\""));
    let out = place.code("cms verify @clear.eml --trust @eva.pem", 0);
    assert!(out.contains("hp=\"clear\" (RFC 9788)"), "{out}");
    place.openssl("cms -verify -in clear.eml -CAfile eva.pem -out plain.txt");
    // The subject outside is changed in transit.
    fs::write(place.path("changed.eml"), place.text("clear.eml").replacen("Subject: Lunch", "Subject: Dinner", 1))
        .unwrap();
    let out = place.code("cms verify @changed.eml --trust @eva.pem", 1);
    assert!(out.contains("Subject differs outside"), "{out}");
    // Encrypted, the subject is hidden outside.
    place.code("cms encrypt @mail --smime --protect-headers --to @ben.pem -o @cipher.eml", 0);
    let text = place.text("cipher.eml");
    assert!(text.contains("Subject: [...]\r\n") && text.contains("From: Eva") && !text.contains("Lunch"), "{text}");
    place.code("cms decrypt @cipher.eml --key @ben.key -o @opened", 0);
    let opened = place.text("opened");
    assert!(opened.contains("Subject: Lunch\r\n") && opened.contains("HP-Outer: Subject: [...]\r\n"), "{opened}");
    // Signed, then encrypted.
    place.code(
        "cms sign @mail --smime=opaque --protect-headers=cipher --key @eva.key --certificate @eva.pem -o @signed.eml",
        0,
    );
    place.code("cms encrypt @signed.eml --smime --to @ben.pem -o @both.eml", 0);
    assert!(place.text("both.eml").contains("Subject: [...]") && !place.text("both.eml").contains("Lunch"));
    let out = place.code("cms verify @both.eml --key @ben.key --trust @eva.pem", 0);
    assert!(out.contains("hp=\"cipher\"") && out.contains("Lunch"), "{out}");
    // A signed mail has its fields inside already, or not at all.
    let out = place.code("cms encrypt @signed.eml --smime --protect-headers --to @ben.pem -o @wrong.eml", 1);
    assert!(out.contains("already signed"), "{out}");
    let out =
        place.code("cms sign @letter --smime --protect-headers --key @eva.key --certificate @eva.pem -o @wrong.eml", 1);
    assert!(out.contains("no mail header"), "{out}");
}

/// RFC 9788: what the message protects is what a reader must see.
#[test]
fn protected_headers() {
    let Some(place) = Place::new() else { return };
    let payload =
        "Content-Type: text/plain; hp=\"clear\"\r\nFrom: Eva <eva@example.org>\r\nSubject: Lunch\r\n\r\nAt noon?\r\n";
    fs::write(place.path("payload"), payload).unwrap();
    let sign = "cms -sign -binary -in payload -signer eva.pem -inkey eva.key -out signed";
    place.openssl(sign);
    let mail = |header: &str| fs::write(place.path("mail.eml"), format!("{header}{}", place.text("signed"))).unwrap();
    mail("From: Eva <eva@example.org>\nTo: ben@example.org\nSubject: Lunch\n");
    let out = place.code("cms verify @mail.eml --trust @eva.pem", 0);
    assert!(out.contains("Headers:       protected, hp=\"clear\" (RFC 9788)"), "{out}");
    assert!(out.contains("Subject: Lunch (signed)") && out.contains("not protected: To"), "{out}");
    for (header, what) in [
        ("From: Eva <eva@example.org>\nSubject: Dinner\n", "Subject differs outside: \"Dinner\", expected \"Lunch\""),
        ("From: Mallory <m@example.org>\nSubject: Lunch\n", "From differs outside"),
        ("Subject: Lunch\n", "From differs outside: absent"),
    ] {
        mail(header);
        let out = place.code("cms verify @mail.eml --trust @eva.pem -o @none", 1);
        assert!(out.contains(what), "{out}");
        assert!(!fs::exists(place.path("none")).unwrap());
        let out = place.code("cms verify @mail.eml --trust @eva.pem --allow-headers", 0);
        assert!(out.contains("Allowed:") && out.contains(what), "{out}");
    }
    // Encrypted: the subject outside is obscured on purpose.
    let payload = "Content-Type: text/plain; hp=\"cipher\"\r\nFrom: eva@example.org\r\nSubject: Secret\r\nHP-Outer: From: \
                   eva@example.org\r\nHP-Outer: Subject: [...]\r\n\r\nAt noon?\r\n";
    fs::write(place.path("payload"), payload).unwrap();
    place.openssl(sign);
    place.code("cms encrypt @signed --smime --to @ben.pem -o @sealed", 0);
    let sealed = place.text("sealed");
    let mail = |header: &str| fs::write(place.path("mail.eml"), format!("{header}{sealed}")).unwrap();
    mail("From: eva@example.org\r\nSubject: [...]\r\n");
    let shown = place.json("cms verify @mail.eml --key @ben.key --trust @eva.pem --json");
    assert_eq!(shown["good"], true, "{shown}");
    assert_eq!(shown["headers"]["scheme"], "cipher");
    let fields = shown["headers"]["fields"].as_array().unwrap();
    let subject = fields.iter().find(|field| field["name"] == "Subject").unwrap();
    assert_eq!((&subject["value"], &subject["outside"]), (&"Secret".into(), &"[...]".into()));
    assert_eq!((&subject["confidential"], &subject["changed"]), (&true.into(), &false.into()));
    mail("From: eva@example.org\r\nSubject: Win a prize\r\n");
    let shown = place.json("cms verify @mail.eml --key @ben.key --trust @eva.pem --json");
    assert_eq!((&shown["good"], &shown["findings"][0]["kind"]), (&false.into(), &"header-difference".into()));
}

/// RFC 8551 §3.1: message/rfc822 as the signed entity protects its header.
#[test]
fn headers_in_a_wrapped_mail() {
    let Some(place) = Place::new() else { return };
    let inner = "Content-Type: text/plain\r\nFrom: Eva <eva@example.org>\r\nSubject: Lunch\r\n\r\nAt noon?\r\n";
    fs::write(place.path("payload"), format!("Content-Type: message/rfc822\r\n\r\n{inner}")).unwrap();
    place.openssl("cms -sign -binary -in payload -signer eva.pem -inkey eva.key -out signed");
    let verify = |header: &str, code: i32| {
        fs::write(place.path("mail.eml"), format!("{header}{}", place.text("signed"))).unwrap();
        place.code("cms verify @mail.eml --trust @eva.pem --allow-headers", 0);
        place.code("cms verify @mail.eml --trust @eva.pem", code)
    };
    let out = verify("From: Eva <eva@example.org>\nSubject: Lunch\n", 0);
    assert!(out.contains("Headers:       protected, in message/rfc822 (RFC 8551 §3.1)"), "{out}");
    let out = verify("From: Eva <eva@example.org>\nSubject: Dinner\n", 1);
    assert!(
        out.contains("Finding:       Subject differs outside: \"Dinner\", expected \"Lunch\" (RFC 8551 §3.1)"),
        "{out}"
    );
    let out = verify("From: Mallory <m@example.org>\nSubject: Lunch\n", 1);
    assert!(out.contains("Finding:       From differs outside"), "{out}");
}

/// Signatures inside signed and encrypted content are verified, too.
#[test]
fn signatures_inside_parts() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    let signed = place.text("signed");
    let changed = signed.replacen("At noon?", "At nine?", 1);
    let mixed = |part: &str, more: &str| {
        let header = "From: eva@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=QQ\r\n\r\n";
        format!("{header}--QQ\r\n{part}\r\n{more}--QQ--\r\n")
    };
    let text = "--QQ\r\n\r\nAnd more\r\n";
    let forwarded = |mail: &str| mixed(&format!("Content-Type: message/rfc822\r\n\r\n{mail}"), text);
    let (_, entity) = signed.split_once("MIME-Version: 1.0\r\n").unwrap();
    let (_, other) = changed.split_once("MIME-Version: 1.0\r\n").unwrap();
    let cases = [(mixed(entity, text), 0), (mixed(other, text), 1), (forwarded(&signed), 0), (forwarded(&changed), 1)];
    for (number, (mail, code)) in cases.iter().enumerate() {
        let name = format!("outer{number}");
        fs::write(place.path("inner"), mail).unwrap();
        place.code(&format!("cms sign @inner --smime --key @eva.key --certificate @eva.pem -o @{name}"), 0);
        let out = place.code(&format!("cms verify @{name} --trust @eva.pem"), *code);
        assert!(out.contains("message 1: signature good") && out.contains("message 2: "), "{out}");
        assert_eq!(out.contains("the content does not match its signed digest"), *code == 1, "{out}");
    }
    // Encrypted without a signature around it, other parts are not signed.
    for (part, more, code, allowed) in
        [(entity, text, 1, 0), (other, text, 1, 1), (entity, "", 0, 0), (other, "", 1, 1)]
    {
        fs::write(place.path("inner"), mixed(part, more)).unwrap();
        let _ = fs::remove_file(place.path("sealed"));
        place.code("cms encrypt @inner --smime --to @ben.pem -o @sealed", 0);
        let out = place.code("cms verify @sealed --key @ben.key --trust @eva.pem", code);
        assert_eq!(out.contains("1 part of the mail is not signed"), !more.is_empty(), "{out}");
        place.code("cms verify @sealed --key @ben.key --trust @eva.pem --allow-unsigned-parts", allowed);
    }
    // The sender outside is compared with the signer inside.
    let mail = place.text("sealed").replacen("From: eva@example.org", "From: boss@example.org", 1);
    fs::write(place.path("inner"), mixed(entity, "")).unwrap();
    fs::write(place.path("other"), mail).unwrap();
    let out = place.code("cms verify @other --key @ben.key --trust @eva.pem", 1);
    assert!(out.contains("the sender boss@example.org is not in the signer's certificate"), "{out}");
}

/// Only the first mail of a file is verified, and text after its parts is ignored (RFC 2046 §5.1.1).
#[test]
fn what_follows_a_mail() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    let signed = place.text("signed");
    let verify = |mail: String, code: i32| {
        fs::write(place.path("other"), mail).unwrap();
        place.code("cms verify @other --trust @eva.pem", code)
    };
    let out = verify(format!("{signed}\r\nPay Mallory\r\n"), 0);
    assert!(
        out.contains(
            "Note:          text after the last part of the mail is not signed, and ignored (RFC 2046 §5.1.1)"
        ),
        "{out}"
    );
    for mail in [format!("{signed}{signed}"), format!("{signed}\r\nFrom eva Thu\r\nSubject: x\r\n\r\nPay")] {
        let out = verify(mail, 1);
        assert!(out.contains("Finding:       1 part of the mail is not signed"), "{out}");
    }
    let (open, _) = signed.trim_end().rsplit_once("\r\n").unwrap();
    let out = verify(open.to_owned(), 1);
    assert!(out.contains("multipart/signed has no closing boundary (RFC 2046 §5.1.1)"), "{out}");
}

/// A key alone finds its recipient among many, and its certificate does so among several RSA keys of its size.
#[test]
fn many_recipients() {
    let Some(place) = Place::new() else { return };
    let mut to = String::new();
    for number in 0..20 {
        place.openssl(&format!(
            "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN={number} -keyout {number}.key -out {number}.pem"
        ));
        to += &format!(" --to @{number}.pem");
    }
    place.code(&format!("cms encrypt @letter{to} -o @sealed"), 0);
    place.code("cms decrypt @sealed --key @19.key -o @opened", 0);
    assert_eq!(place.text("opened"), place.text("letter"));
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    place.code("cms encrypt @signed --smime --rsa pkcs1 --to @eva.pem --to @ben.pem -o @two", 0);
    let out = place.code("cms verify @two --key @ben.key --trust @eva.pem", 4);
    assert!(out.contains("pass --certificate to select the recipient"), "{out}");
    place.code("cms verify @two --key @ben.key --certificate @ben.pem --trust @eva.pem", 0);
}

/// Missing content, keys and certificates, and limits, leave the answer open.
#[test]
fn what_is_missing_is_not_known() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @letter --detached --key @eva.key --certificate @eva.pem -o @detached", 0);
    let out = place.code("cms verify @detached", 4);
    assert!(out.contains("the content is detached and was not supplied; pass --content to supply it"), "{out}");
    place.code("cms sign @letter --no-certificates --key @eva.key --certificate @eva.pem -o @bare", 0);
    for trust in ["", " --trust @eva.pem"] {
        let out = place.code(&format!("cms verify @bare{trust}"), 4);
        assert!(out.contains("NOT KNOWN: an unknown signer") && out.contains("certificate is missing"), "{out}");
    }
    place.code("cms verify @bare --certificate @eva.pem", 0);
    let mut mail = "mail".to_owned();
    for layer in 1..=9 {
        let next = format!("layer{layer}");
        place.code(&format!("cms sign @{mail} --smime=opaque --key @eva.key --certificate @eva.pem -o @{next}"), 0);
        mail = next;
    }
    let out = place.code("cms verify @layer9 --trust @eva.pem", 4);
    assert!(out.contains("the message has more than 8 layers"), "{out}");
    place.code("cms verify @layer8 --trust @eva.pem", 0);
}

/// RFC 5322 §3.6: a second From or Subject outside is not what was signed.
#[test]
fn surplus_fields_outside() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --protect-headers --key @eva.key --certificate @eva.pem -o @clear.eml", 0);
    for (field, code) in [
        ("From: Boss <boss@example.org>", 1),
        ("FROM : Boss <boss@example.org>", 1),
        ("Subject: Pay now", 1),
        ("subject\t: Pay now", 1),
        ("Received: by x.example; Thu, 1 Jan 2026 10:00:00 +0000", 0),
    ] {
        let mail = place.text("clear.eml").replacen("Subject: Lunch\r\n", &format!("Subject: Lunch\r\n{field}\r\n"), 1);
        fs::write(place.path("more.eml"), mail).unwrap();
        let out = place.code("cms verify @more.eml --trust @eva.pem", code);
        assert_eq!(out.contains("is outside once more"), code == 1, "{out}");
        assert!(out.contains("not protected: "), "{out}");
        place.code("cms verify @more.eml --trust @eva.pem --allow-headers", 0);
    }
}

/// A signature covers its own part of a mail alone (RFC 1847 §2.1, RFC 8551 §3.5.3).
#[test]
fn unsigned_parts() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    let signed = place.text("signed");
    let (_, entity) = signed.split_once("MIME-Version: 1.0\r\n").unwrap();
    let mixed = |parts: &[&str]| {
        let parts: String = parts.iter().map(|part| format!("--QQ\r\n{part}\r\n")).collect();
        let header = "From: eva@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=QQ\r\n\r\n";
        fs::write(place.path("mixed"), format!("{header}{parts}--QQ--\r\n")).unwrap();
    };
    mixed(&[entity]);
    place.code("cms verify @mixed --trust @eva.pem", 0);
    for parts in [&["\r\nPay Mallory", entity][..], &[entity, "\r\nA footer"]] {
        mixed(parts);
        let out = place.code("cms verify @mixed --trust @eva.pem", 1);
        assert!(out.contains("1 part of the mail is not signed; pass --allow-unsigned-parts"), "{out}");
        let out = place.code("cms verify @mixed --trust @eva.pem --allow-unsigned-parts", 0);
        assert!(out.contains("Allowed:       1 part of the mail is not signed"), "{out}");
    }
    mixed(&[entity, entity]);
    let out = place.code("cms verify @mixed --trust @eva.pem", 0);
    assert!(out.contains("message 1: ") && out.contains("message 2: "), "{out}");
    place.code("cms verify @mixed --trust @eva.pem -o @none", 2);
    let changed = entity.replacen("At noon?", "At nine?", 1);
    for parts in [[entity, changed.as_str()], [changed.as_str(), entity]] {
        mixed(&parts);
        place.code("cms verify @mixed --trust @eva.pem --allow-unsigned-parts", 1);
    }
    // A third part inside.
    let at = signed.rfind("\r\n--").unwrap();
    let boundary = signed[at..].trim().strip_suffix("--").unwrap();
    fs::write(place.path("third"), format!("{}\r\n{boundary}\r\n\r\nPay Mallory{}", &signed[..at], &signed[at..]))
        .unwrap();
    let out = place.code("cms verify @third --trust @eva.pem --allow-unsigned-parts", 1);
    assert!(out.contains("multipart/signed has 3 parts, expected 2 (RFC 1847 §2.1)"), "{out}");
}

/// RFC 8550 §3: the sender is among the mailboxes of the certificate, if it has any.
#[test]
fn the_sender_is_in_the_certificate() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @mail --smime --key @ben.key --certificate @ben.pem -o @signed", 0);
    let out = place.code("cms verify @signed", 1);
    assert!(out.contains("the sender eva@example.org is not in the signer's certificate"), "{out}");
    place.code("cms verify @signed --allow-headers", 0);
    // The domain's case does not count, the mailbox's does.
    place.code("cms sign @mail --smime --key @eva.key --certificate @eva.pem -o @signed", 0);
    for (from, code) in [
        ("eva@EXAMPLE.org", 0),
        ("Eva@example.org", 1), // All authors, or else the sender (RFC 5322 §3.6.2).
        ("x@y.example, eva@example.org", 1),
        ("eva@example.org, x@y.example", 1),
        ("x@y.example, eva@example.org\r\nSender: eva@example.org", 0),
        ("x@y.example\r\nSender: Eva <eva@example.org>", 0),
        ("x@y.example\r\nSender: z@y.example", 1),
        ("x@y.example\r\nSender: eva@example.org\r\nSender: z@y.example", 1),
        ("x@y.example\r\nSender: eva@example.org, z@y.example", 1),
        // One field From (§3.6), which can be read (§3.4); white space before the colon is allowed (§4.5.2).
        ("x@y.example\r\nFrom: eva@example.org", 1),
        ("eva@example.org\r\nFrom : x@y.example", 1),
        ("<eva@example.org>x@y.example", 1),
        ("x@y.example <eva@example.org>", 1),
        ("nobody", 1),
        ("", 1),
        ("\"Eva (work)\" <eva@example.org> (at home)", 0),
        ("Team: eva@example.org;", 0),
    ] {
        let mail = place.text("signed").replacen("Eva <eva@example.org>", from, 1);
        fs::write(place.path("other"), mail).unwrap();
        place.code("cms verify @other", code);
        place.code("cms verify @other --allow-headers", 0);
    }
    let signed = place.text("signed");
    let verify = |mail: String, code: i32| {
        fs::write(place.path("other"), mail).unwrap();
        place.code("cms verify @other", code)
    };
    let out = verify(signed.replacen("Eva <eva@example.org>", "x@y.example\r\nSender: eva@example.org", 1), 0);
    assert!(
        out.contains("Note:          signed by the sender eva@example.org (field Sender) for the author x@y.example"),
        "{out}"
    );
    let out = verify(signed.replacen("From: Eva <eva@example.org>\r\n", "", 1), 1);
    assert!(out.contains("the mail has no field From, expected 1 (RFC 5322 §3.6)"), "{out}");
    verify(signed.replacen("From: ", "From : ", 1), 0);
    verify(format!("From : x@y.example\r\n{signed}"), 1);
    verify(format!("From x@y.example Thu Jan  1 10:00:00 2026\r\n{signed}"), 0);
    assert!(verify(format!("\r\n{signed}"), 1).contains("begins with an empty line"));
    // The entity alone shows no sender.
    let (_, entity) = signed.split_once("Subject: Lunch\r\n").unwrap();
    assert!(verify(entity.to_owned(), 0).contains("the sender was not checked: the file has no mail header"));
}

/// Mail needs e-mail protection without any option, and other purposes on request.
#[test]
fn purposes_are_required_by_default() {
    let Some(place) = Place::new() else { return };
    place.code("cms sign @letter --key @code.key --certificate @code.pem -o @signed", 0);
    let out = place.code("cms verify @signed", 1);
    assert!(out.contains("the extended key usage does not include the required purpose"), "{out}");
    place.code("cms verify @signed --trust @code.pem", 1);
    for permission in ["--purpose code-signing", "--purpose any", "--allow purpose"] {
        place.code(&format!("cms verify @signed {permission}"), 0);
    }
    place.code("cms sign @letter --key @eva.key --certificate @eva.pem -o @signed", 0);
    place.code("cms verify @signed", 0);
    place.code("cms verify @signed --purpose code-signing", 1);
}
