//! The translations, as a table.
//!
//! A rule applies to a command with certain options. Its result is a command line with placeholders. `{name}` is the value of an option,
//! `{name|x}` defaults to `x`, `{name:filter}` converts the value, `{1}` is the first operand, and `{*}` is all operands. `[… {name}]` is
//! omitted if the option is absent, `[a|b? …]` if none of the flags is present, and `[!a|b? …]` if one of them is present. The text of
//! `[… NOTE: text]` is no part of the result, but a difference that is reported.

use super::Parsed;
use super::filters;
use super::line::{Word, file, quoted};

/// A translation rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) tool: &'static str,
    /// The required options, separated by spaces. Alternatives are separated by `|`. The rule does not apply to a command with an
    /// option after `!`.
    pub(super) needs: &'static str,
    /// Further options, which have no effect on the result.
    pub(super) also: &'static str,
    /// The resulting `tagwise` command line.
    pub(super) gives: &'static str,
}

/// Options of which each value counts, by command. Of the others, OpenSSL uses the last value.
pub(super) const LISTS: [(&str, &[&str]); 8] = [
    ("verify", &["trusted", "untrusted", "CRLfile", "policy", "vfyopt"]),
    ("cms", &["signer", "inkey", "policy", "keyopt"]),
    ("smime", &["signer", "inkey", "policy"]),
    ("crl2pkcs7", &["certfile"]),
    ("ocsp", &["cert", "issuer", "serial", "policy"]),
    ("req", &["addext", "pkeyopt", "sigopt", "vfyopt"]),
    ("genpkey", &["pkeyopt"]),
    ("ts", &["policy"]),
];

/// Options whose values are not files.
const NO_FILES: &str = "secretkey secretkeyid pwri_password checkhost checkip checkemail status subj days crldays name \
                        caname policy tspolicy url timeout offset verify_hostname verify_ip verify_email verify_depth";

/// The prefix of a part that describes a difference.
pub(super) const NOTE: &str = "NOTE: ";

/// Options without an equivalent because none is needed: formats are detected, and results go to one place.
pub(super) const IGNORED: [&str; 6] = ["noout", "inform", "keyform", "batch", "nameopt", "dateopt"];

const fn rule(tool: &'static str, needs: &'static str, gives: &'static str) -> Rule {
    Rule { tool, needs, also: "", gives }
}

const fn rule_also(tool: &'static str, needs: &'static str, also: &'static str, gives: &'static str) -> Rule {
    Rule { tool, needs, also, gives }
}

const FIELDS: &str = "show [subject? --subject] [issuer? --issuer] [serial? --serial] [startdate? --startdate] [enddate? --enddate] [dates? --dates] [pubkey? --pubkey] [email? --field email] [ocsp_uri? --field ocsp-uri] {in|-}";

/// The difference between the comparison of a name and the validation of a path.
macro_rules! chain {
    ($option:expr) => {
        concat!(
            "[",
            $option,
            "? NOTE: -",
            $option,
            ": openssl only compares the name; `tagwise verify` also validates the path, so pass --trust]"
        )
    };
}

/// The options of a command that only writes the certificate.
macro_rules! written {
    ($needs:expr) => {
        concat!(
            $needs,
            " !noout !req !signkey !key !x509toreq !CA !new !force_pubkey !addtrust !addreject !setalias !clrtrust !clrreject !trustout",
            " !text !checkend !checkhost !checkip !checkemail !purpose !hash !subject_hash !issuer_hash !ocspid !alias"
        )
    };
}

macro_rules! csr {
    ($key:expr) => {
        concat!("csr new ", $key, " {subj:subject} {addext:ext} {outform:der} [-o {out}]")
    };
}

macro_rules! self_signed {
    ($key:expr) => {
        concat!(
            "cert self-signed {:ca} ",
            $key,
            " {subj:subject} {addext:ext} --days {days|30} {outform:der} [-o {out}]"
        )
    };
}

macro_rules! new_key {
    () => {
        "--new-key {newkey:key} --key-out {keyout|privkey.pem} [nodes|noenc? --key-no-passphrase] [--key-passphrase-file {passout:pass}]"
    };
}

macro_rules! old_key {
    () => {
        "--key {key} [--key-passphrase-file {passin:pass}]"
    };
}

/// The difference between the ciphers of keys.
macro_rules! cipher {
    ($line:expr) => {
        concat!(
            $line,
            " [aes128|aes192|aes-128-cbc|aes-192-cbc|des3? NOTE: the key is encrypted with AES-256-CBC, whatever the cipher]"
        )
    };
}

/// The rules. If several apply, the one that omits the fewest options is used, or else the first.
pub(super) static RULES: &[Rule] = &[
    // Certificates.
    rule("x509", "text", "show --text openssl {in|-} [> {out}]"),
    rule("x509", "enddate", "get notAfter {in|-}"),
    rule("x509", "startdate", "get notBefore {in|-}"),
    rule("x509", "dates", "show --dates {in|-}"),
    rule("x509", "subject", "get subject {in|-}"),
    rule("x509", "issuer", "get issuer {in|-}"),
    rule("x509", "serial", "get serial {in|-}"),
    rule("x509", "pubkey", "get pubkey {in|-} [-o {out}]"),
    rule("x509", "modulus", "get modulus {in|-}"),
    rule("x509", "email", "get email {in|-}"),
    rule("x509", "ocsp_uri", "get ocsp-uri {in|-}"),
    rule("x509", "ext", "get {ext:field} {in|-}"),
    rule("x509", "ext", "show {ext:fields} {in|-}"),
    rule("x509", "fingerprint sha256", "get fingerprint {in|-}"),
    rule_also("x509", "fingerprint", "sha1", "get sha1 {in|-}"),
    rule_also(
        "x509",
        "subject|issuer|serial|startdate|enddate|dates|pubkey|email|ocsp_uri fingerprint",
        "sha1",
        "show [subject? --subject] [issuer? --issuer] [serial? --serial] [startdate? --startdate] [enddate? --enddate] [dates? --dates] --field sha1 {in|-}",
    ),
    rule(
        "x509",
        "subject|issuer|serial|startdate|enddate|dates fingerprint sha256",
        "show [subject? --subject] [issuer? --issuer] [serial? --serial] [startdate? --startdate] [enddate? --enddate] [dates? --dates] --fingerprint {in|-}",
    ),
    rule("x509", "subject|issuer|serial|startdate|enddate|dates|pubkey|email|ocsp_uri", FIELDS),
    rule("x509", "checkend", "check --expires-within {checkend:span} {in|-}"),
    rule("x509", "checkhost", concat!("verify --host {checkhost} {in|-} ", chain!("checkhost"))),
    rule("x509", "checkip", concat!("verify --ip {checkip} {in|-} ", chain!("checkip"))),
    rule("x509", "checkemail", concat!("verify --email {checkemail} {in|-} ", chain!("checkemail"))),
    rule(
        "x509",
        "purpose",
        "show {in|-} [purpose? NOTE: -purpose: `tagwise verify --purpose NAME` checks one purpose, with the path]",
    ),
    rule_also(
        "x509",
        "req CA CAkey",
        "CAcreateserial CAserial sha256 copy_extensions",
        "csr sign {in|-} --ca {CA} --ca-key {CAkey} [--ca-passphrase-file {passin:pass}] --days {days|30} {outform:der} {:copied} [-o {out}]",
    ),
    rule_also(
        "x509",
        "x509toreq signkey",
        "copy_extensions",
        "csr new --from {in} --key {signkey} {:copied} [-o {out}]",
    ),
    rule_also("x509", "x509toreq key", "copy_extensions", "csr new --from {in} --key {key} {:copied} [-o {out}]"),
    rule("x509", written!("outform"), "convert --to {outform:form} --first certificate {in|-} [-o {out}]"),
    rule("x509", written!("in"), "convert --to pem --first certificate {in} [-o {out}]"),
    rule(
        "x509",
        "in noout !checkhost !checkip !checkemail !hash !subject_hash !issuer_hash !ocspid !alias",
        "show {in}",
    ),
    // Requests.
    rule_also("req", "x509 newkey", "new", self_signed!(concat!(new_key!(), " [!nodes|noenc|passout? --encrypt-key]"))),
    rule_also("req", "x509 key", "new", self_signed!(old_key!())),
    rule_also("req", "newkey", "new", csr!(new_key!())),
    rule("req", "new key", csr!(old_key!())),
    rule(
        "req",
        "text",
        "csr show {in|-} [verify? NOTE: -verify: `tagwise csr show` prints the verdict, and `tagwise csr check` returns it]",
    ),
    rule("req", "verify", "csr check {in|-}"),
    rule("req", "subject", "get subject {in|-}"),
    rule("req", "pubkey", "get pubkey {in|-} [-o {out}]"),
    rule("req", "modulus", "get modulus {in|-}"),
    rule(
        "req",
        "outform !noout !new !x509 !newkey !text",
        "convert --to {outform:form} --first request {in|-} [-o {out}]",
    ),
    rule("req", "in !noout !new !x509 !newkey !text", "convert --to pem --first request {in} [-o {out}]"),
    rule("req", "in noout", "csr show {in}"),
    // A CA.
    rule_also("ca", "in", "notext", "ca issue {in} [--days {days}] [--passphrase-file {passin:pass}] [-o {out}]"),
    rule("ca", "gencrl", "ca crl [--days {crldays}] [--passphrase-file {passin:pass}] [-o {out}]"),
    rule("ca", "revoke", "ca revoke --certificate {revoke} [--reason {crl_reason:reason}]"),
    rule("ca", "updatedb", "ca list"),
    rule("ca", "status", "ca list [status? NOTE: -status: every certificate is listed; look for its serial number]"),
    // CRLs.
    rule("crl", "text", "show --text openssl {in|-} [> {out}]"),
    rule("crl", "lastupdate", "get thisUpdate {in|-}"),
    rule("crl", "nextupdate", "get nextUpdate {in|-}"),
    rule("crl", "issuer", "get issuer {in|-}"),
    rule("crl", "crlnumber", "get crlNumber {in|-}"),
    rule("crl", "fingerprint sha256", "get fingerprint {in|-}"),
    rule_also("crl", "fingerprint", "sha1", "get sha1 {in|-}"),
    rule(
        "crl",
        "issuer|lastupdate|nextupdate|crlnumber",
        "show [issuer? --issuer] [lastupdate? --startdate] [nextupdate? --enddate] [crlnumber? --field crlNumber] {in|-}",
    ),
    rule("crl", "outform !noout !text !CAfile", "convert --to {outform:form} --first crl {in|-} [-o {out}]"),
    rule("crl", "in !noout !text !CAfile", "convert --to pem --first crl {in} [-o {out}]"),
    // OCSP.
    rule_also("ocsp", "respin resp_text|text", "noverify", "show {respin}"),
    rule("ocsp", "reqin req_text|text", "show {reqin}"),
    rule_also(
        "ocsp",
        "respin cert CAfile",
        "no_nonce",
        "verify --first {cert} --trust {CAfile} [!partial_chain? --self-signed-anchors] --enforce anchor-constraints [--untrusted {issuer}] --ocsp {respin} --revocation require --revocation-scope leaf",
    ),
    rule_also(
        "ocsp",
        "issuer cert url",
        "no_nonce text resp_text req_text",
        "ocsp ask {cert} --issuer {issuer} --url {url} [nonce? --nonce] [--responder {VAfile}] [--timeout {timeout}] [-o {respout}] {:issuer}",
    ),
    // PKCS #12.
    rule(
        "pkcs12",
        "export inkey",
        "p12 create --key {inkey} --certificate {in} [--certificate {certfile}] [--name {name}] [legacy? --layout legacy-windows] [--key-passphrase-file {passin:pass}] [--passphrase-file {passout:pass}] -o {out}",
    ),
    rule(
        "pkcs12",
        "export nokeys",
        "p12 create --certificate {in} [--certificate {certfile}] [--name {caname}] [--passphrase-file {passout:pass}] -o {out}",
    ),
    rule(
        "pkcs12",
        "export",
        "p12 create --key {in} --certificate {in} [--certificate {certfile}] [--name {name}] [legacy? --layout legacy-windows] [--key-passphrase-file {passin:pass}] [--passphrase-file {passout:pass}] -o {out}",
    ),
    rule_also(
        "pkcs12",
        "in noout",
        "info legacy nokeys nocerts nodes noenc clcerts cacerts nomacver",
        "p12 show {in|-} [--passphrase-file {passin:pass}]",
    ),
    rule_also(
        "pkcs12",
        "nokeys !export",
        "info legacy nodes noenc",
        "p12 extract --certificates {in|-} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also(
        "pkcs12",
        "nocerts !export",
        "info legacy",
        "p12 extract --keys [nodes|noenc? --no-passphrase] {in|-} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]",
    ),
    rule_also(
        "pkcs12",
        "in !export",
        "info legacy",
        "p12 extract [nodes|noenc? --no-passphrase] {in} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]",
    ),
    // PKCS #7 and CMS.
    rule("pkcs7", "print_certs text", "show {in|-}"),
    rule("pkcs7", "print_certs noout", "convert --to certs,pem {in|-} | tagwise show --subject --issuer -"),
    rule("pkcs7", "print_certs", "convert --to certs,pem {in|-} [-o {out}]"),
    rule("pkcs7", "print|text", "show {in|-}"),
    rule("pkcs7", "outform !noout", "convert --to {outform:form} --first message {in|-} [-o {out}]"),
    rule_also("crl2pkcs7", "certfile", "nocrl", "convert --to p7,{outform:form} {certfile} [-o {out}]"),
    rule_also(
        "cms",
        "sign signer",
        "binary nosmimecap nodetach",
        "cms sign {in|-} {signer:signers} [--digest {md:md}] [--with {certfile}] {outform:detached} [nocerts? --no-certificates] [noattr? --no-attributes] [keyid? --key-id] [--passphrase-file {passin:pass}] {outform:signed} {outform:lines} [-o {out}]",
    ),
    rule_also(
        "cms",
        "verify noverify",
        "binary",
        "cms verify {in|-} [--content {content}] [--certificate {certfile}] [-o {out}]",
    ),
    rule_also(
        "cms",
        "verify",
        "binary",
        "cms verify {in|-} {:system} {:defaults} [!partial_chain? --self-signed-anchors] [--content {content}] [--certificate {certfile}] [--purpose {purpose:cms}] [--at {attime:time}] [-o {out}]",
    ),
    rule_also(
        "cms",
        "encrypt",
        "binary",
        "cms encrypt {in|-} {*:to} {:cipher} [keyid? --key-id] {outform:encrypted} {outform:lines} [-o {out}]",
    ),
    rule_also(
        "cms",
        "decrypt inkey",
        "binary",
        "cms decrypt {in|-} --key {inkey} [--certificate {recip}] [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also(
        "cms",
        "decrypt recip",
        "binary",
        "cms decrypt {in|-} --key {recip} --certificate {recip} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also(
        "cms",
        "decrypt|EncryptedData_decrypt secretkey",
        "binary",
        "cms decrypt {in|-} --shared-key-file {secretkey:printed} [--shared-key-id {secretkeyid}] [-o {out}]",
    ),
    rule_also(
        "cms",
        "decrypt pwri_password",
        "binary",
        "cms decrypt {in|-} --password --passphrase-file {pwri_password:printed} [-o {out}]",
    ),
    rule_also(
        "cms",
        "encrypt secretkey secretkeyid",
        "binary",
        "cms encrypt {in|-} --shared-key-file {secretkey:printed} --shared-key-id {secretkeyid} {:cipher} {outform:encrypted} {outform:lines} [-o {out}]",
    ),
    rule_also(
        "cms",
        "encrypt pwri_password",
        "binary",
        "cms encrypt {in|-} --password --passphrase-file {pwri_password:printed} {:cipher} {outform:encrypted} {outform:lines} [-o {out}]",
    ),
    rule("cms", "cmsout print", "show {in|-}"),
    rule("cms", "compress", "cms compress {in|-} {outform:encrypted} [-o {out}]"),
    rule("cms", "uncompress", "cms decompress {in|-} [-o {out}]"),
    rule_also(
        "smime",
        "sign signer",
        "binary nosmimecap nodetach",
        "cms sign {in|-} {signer:signers} [--digest {md:md}] [--with {certfile}] {outform:detached} [nocerts? --no-certificates] [noattr? --no-attributes] [--passphrase-file {passin:pass}] {outform:signed} {outform:lines} [-o {out}]",
    ),
    rule_also(
        "smime",
        "verify noverify",
        "binary",
        "cms verify {in|-} [--content {content}] [--certificate {certfile}] [-o {out}]",
    ),
    rule_also(
        "smime",
        "verify",
        "binary",
        "cms verify {in|-} {:system} {:defaults} [!partial_chain? --self-signed-anchors] [--content {content}] [--certificate {certfile}] [--purpose {purpose:cms}] [--at {attime:time}] [-o {out}]",
    ),
    rule_also(
        "smime",
        "encrypt",
        "binary",
        "cms encrypt {in|-} {*:to} {:cipher} {outform:encrypted} {outform:lines} [-o {out}]",
    ),
    rule_also(
        "smime",
        "decrypt inkey",
        "binary",
        "cms decrypt {in|-} --key {inkey} [--certificate {recip}] [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also(
        "smime",
        "decrypt recip",
        "binary",
        "cms decrypt {in|-} --key {recip} --certificate {recip} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    // Time stamps.
    rule("ts", "query data", "tsp request {data} {:digest} [--policy {tspolicy}] [!cert? --no-certificate] [-o {out}]"),
    rule("ts", "query in text", "show {in}"),
    rule("ts", "reply in text", "show {in}"),
    rule(
        "ts",
        "reply queryfile signer inkey tspolicy",
        "tsp reply {queryfile} --key {inkey} --certificate {signer} --policy {tspolicy} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule(
        "ts",
        "verify in data CAfile",
        "tsp verify {in} --data {data} --trust {CAfile} [!partial_chain? --self-signed-anchors] [--untrusted {untrusted}]",
    ),
    rule(
        "ts",
        "verify in queryfile CAfile",
        "tsp verify {in} --request {queryfile} --trust {CAfile} [!partial_chain? --self-signed-anchors] [--untrusted {untrusted}]",
    ),
    // Paths.
    rule_also(
        "verify",
        "",
        "show_chain verbose partial_chain trusted_first use_deltas extended_crl policy_check policy_print",
        "verify {:anchors} {:defaults} [!partial_chain? --self-signed-anchors] [!x509_strict? --enforce anchor-constraints] [x509_strict? --enforce conformance,anchor-extensions] [--untrusted {untrusted}] [--crl {CRLfile}] [crl_check? --revocation require --revocation-scope leaf] [crl_check_all? --revocation require] [--purpose {purpose:purpose}] [--host {verify_hostname}] [--ip {verify_ip}] [--email {verify_email}] [--max-depth {verify_depth}] [--at {attime:time}] [--policy {policy}] [explicit_policy? --require-explicit-policy] [inhibit_any? --inhibit-any] [inhibit_map? --inhibit-mapping] [no_check_time? --allow validity,anchor-validity] {*|-}",
    ),
    // Keys.
    rule_also("pkey", "pubout", "pubin", "key convert --to public {in|-} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also("pkey", "text|text_pub|check|pubcheck", "pubin", "key show {in|-} [--passphrase-file {passin:pass}]"),
    rule_also(
        "pkey",
        "passout",
        "aes128 aes192 aes256 des3",
        cipher!(
            "key convert --to pkcs8 {in|-} [--passphrase-file {passin:pass}] --new-passphrase-file {passout:pass} [-o {out}]"
        ),
    ),
    rule("pkey", "in", "key convert --to pkcs8 --no-passphrase {in} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule(
        "pkey",
        "aes128|aes192|aes256|aes-128-cbc|aes-192-cbc|aes-256-cbc|des3",
        cipher!(
            "key convert --to pkcs8 {in|-} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]"
        ),
    ),
    rule(
        "rsa",
        "aes128|aes192|aes256|aes-128-cbc|aes-192-cbc|aes-256-cbc|des3",
        cipher!(
            "key convert --to pkcs8 {in|-} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]"
        ),
    ),
    rule(
        "ec",
        "aes128|aes192|aes256|aes-128-cbc|aes-192-cbc|aes-256-cbc|des3",
        cipher!(
            "key convert --to pkcs8 {in|-} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]"
        ),
    ),
    rule_also("rsa", "pubout", "pubin", "key convert --to public {in|-} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also("rsa", "text|check", "pubin", "key show {in|-} [--passphrase-file {passin:pass}]"),
    rule(
        "rsa",
        "in traditional",
        "key convert --to pkcs1 --no-passphrase {in} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule("rsa", "in", "key convert --to pkcs8 --no-passphrase {in} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also("dsa", "pubout", "pubin", "key convert --to public {in|-} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also("dsa", "text", "pubin", "key show {in|-} [--passphrase-file {passin:pass}]"),
    rule_also("ec", "pubout", "pubin", "key convert --to public {in|-} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also("ec", "text|check", "pubin", "key show {in|-} [--passphrase-file {passin:pass}]"),
    rule("ec", "in", "key convert --to sec1 --no-passphrase {in} [--passphrase-file {passin:pass}] [-o {out}]"),
    rule_also(
        "pkcs8",
        "nocrypt",
        "topk8",
        "key convert --to pkcs8 --no-passphrase {in|-} {outform:text} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule(
        "pkcs8",
        "topk8 !nocrypt",
        "key convert --to pkcs8 {in|-} {v2:aes256} {outform:text} [--passphrase-file {passin:pass}] [--new-passphrase-file {passout:pass}] [-o {out}]",
    ),
    rule(
        "pkcs8",
        "!topk8 !nocrypt !traditional",
        "key convert --to pkcs8 --no-passphrase {in|-} {outform:text} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule(
        "pkeyutl",
        "sign rawin inkey",
        "key sign {in|-} [--digest {digest:md}] --key {inkey} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also(
        "pkeyutl",
        "verify rawin inkey sigfile",
        "pubin certin",
        "key verify {in|-} [--digest {digest:md}] --key {inkey} [--passphrase-file {passin:pass}] --signature {sigfile}",
    ),
    rule_also(
        "genpkey",
        "algorithm",
        "pkeyopt quiet",
        cipher!(
            "key new {algorithm:algorithm} [!pass|aes128|aes192|aes256|aes-128-cbc|aes-192-cbc|aes-256-cbc|des3? --no-passphrase] [--passphrase-file {pass:pass}] [-o {out}]"
        ),
    ),
    rule_also(
        "genrsa",
        "",
        "f4 F4",
        cipher!(
            "key new {1:bits} [!passout|aes128|aes192|aes256|aes-128-cbc|aes-192-cbc|aes-256-cbc|des3? --no-passphrase] [--passphrase-file {passout:pass}] [-o {out}]"
        ),
    ),
    rule_also("ecparam", "genkey name", "", "key new {name:curve} --no-passphrase [-o {out}]"),
    rule_also(
        "dgst",
        "sign",
        "binary",
        "key sign {1} {:dgst} --key {sign} [--passphrase-file {passin:pass}] [-o {out}]",
    ),
    rule_also("dgst", "verify signature", "binary", "key verify {1} {:dgst} --key {verify} --signature {signature}"),
    // Servers.
    rule_also(
        "s_client",
        "!verify_return_error !verify_hostname",
        "showcerts brief status quiet ign_eof",
        "show {:server} [--client-certificate {cert}] [--client-key {key}] [--trust {CAfile}] {:roots}",
    ),
    rule_also(
        "s_client",
        "verify_return_error|verify_hostname",
        "showcerts brief status quiet ign_eof verify_return_error",
        "verify {:server} [--host {verify_hostname}] [--client-certificate {cert}] [--client-key {key}] [--trust {CAfile}] [!partial_chain? --self-signed-anchors] --enforce anchor-constraints [!verify_hostname? NOTE: openssl verifies the host name with -verify_hostname only; `tagwise verify` always does]",
    ),
    // Any encoding.
    rule_also("asn1parse", "in", "i", "dump [--offset {offset}] {in}"),
    rule("version", "", "version"),
];

/// A part of a rule's result.
#[derive(Debug)]
pub(super) struct Part {
    /// The flags of the part's condition, and whether the condition is negated.
    flags: Option<(bool, Vec<&'static str>)>,
    /// True for a part that is omitted if its options are absent.
    is_optional: bool,
    text: &'static str,
}

/// The options of filters that have no name of their own.
const OF_FILTERS: [(&str, &[&str]); 8] = [
    (":roots}", &["partial_chain"]),
    (":server}", &["connect", "host", "port", "starttls", "servername", "1"]),
    (":signers}", &["inkey"]),
    (":anchors}", &["CAfile", "CApath", "CAstore", "trusted", "no-CAfile", "no-CApath", "no-CAstore"]),
    (":system}", &["CAfile", "CApath", "CAstore", "no-CAfile", "no-CApath", "no-CAstore"]),
    (":issuer}", &["CAfile"]),
    (":ca}", &["addext"]),
    (":lines}", &["binary"]),
];

/// Splits a result into words and groups in brackets.
pub(super) fn parts(gives: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = gives.trim_start();
    while !rest.is_empty() {
        let (text, after, is_optional) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            Some((inner, after)) => (inner, after, true),
            None => {
                let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
                (word, after, false)
            }
        };
        rest = after.trim_start();
        let condition = text.split_once("? ").filter(|_| is_optional);
        let (flags, text) = match condition {
            Some((flags, text)) => {
                let (is_not, flags) = flags.strip_prefix('!').map_or((false, flags), |flags| (true, flags));
                (Some((is_not, flags.split('|').collect())), text)
            }
            None => (None, text),
        };
        parts.push(Part { flags, is_optional, text });
    }
    parts
}

impl Part {
    /// Returns the placeholders: the text before each, the name, the filter and the default.
    fn placeholders(&self) -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
        let mut found = Vec::new();
        let mut rest = self.text;
        while let Some((front, after)) = rest.split_once('{') {
            let (inner, after) = after.split_once('}').unwrap_or((after, ""));
            let (inner, default) = inner.split_once('|').unwrap_or((inner, ""));
            let (name, filter) = inner.split_once(':').unwrap_or((inner, ""));
            found.push((front, name, filter, default));
            rest = after;
        }
        found.push((rest, "", "end", ""));
        found
    }

    /// Returns the names of the options on which the part depends.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> =
            self.placeholders().iter().map(|(_, name, ..)| *name).filter(|name| !name.is_empty()).collect();
        names.extend(self.flags.iter().flat_map(|(_, flags)| flags.iter().copied()));
        if self.placeholders().iter().any(|(_, _, filter, _)| matches!(*filter, "cipher" | "digest" | "dgst")) {
            names.extend(filters::OF_MESSAGES);
        }
        for (filter, options) in OF_FILTERS {
            if self.text.contains(filter) {
                names.extend(options);
            }
        }
        names
    }

    /// Returns the difference that the part describes.
    pub(super) fn note(&self) -> Option<&'static str> {
        self.text.strip_prefix(NOTE)
    }

    /// Returns whether the part's condition is met for a command.
    pub(super) fn is_wanted(&self, parsed: &Parsed) -> bool {
        if let Some((is_not, flags)) = &self.flags {
            return flags.iter().any(|flag| parsed.has(flag)) != *is_not;
        }
        let mut names = self.placeholders().into_iter().filter(|(_, name, ..)| !name.is_empty());
        !self.is_optional || names.all(|(_, name, ..)| parsed.has(name))
    }

    /// Returns how often the part is written: once for each value of a list, if it can be repeated.
    pub(super) fn times(&self, parsed: &Parsed) -> usize {
        match self.placeholders().as_slice() {
            [(_, name, ..), _end] if self.is_optional && parsed.is_list(name) => parsed.values(name).len(),
            _ => 1,
        }
    }

    /// Returns the values of lists that are not written. Filters use all values.
    pub(super) fn surplus<'p>(&self, parsed: &'p Parsed, times: usize) -> Vec<(&'static str, &'p Word)> {
        let plain =
            self.placeholders().into_iter().filter(|(_, name, filter, _)| !name.is_empty() && filter.is_empty());
        plain.flat_map(|(_, name, ..)| parsed.values(name).iter().skip(times).map(move |word| (name, word))).collect()
    }

    /// Returns the text with the values of options: of a list, with the value at an index.
    ///
    /// # Errors
    /// Returns the option whose value has no equivalent.
    pub(super) fn written(&self, parsed: &Parsed, index: usize) -> Result<String, String> {
        let mut text = String::new();
        for (front, name, filter, default) in self.placeholders() {
            text.push_str(front);
            if filter == "end" {
                break;
            }
            if !filter.is_empty() {
                text.push_str(&filters::apply(filter, name, parsed)?);
                continue;
            }
            let values: Vec<String> = match name {
                "1" => parsed.operands.iter().take(1).map(file).collect(),
                "*" => parsed.operands.iter().map(file).collect(),
                name if NO_FILES.split(' ').any(|other| other == name) => {
                    let value = parsed.values(name).get(index);
                    if value.is_some_and(|value| value.text.starts_with('-')) && text.ends_with(' ') {
                        text.pop();
                        text.push('=');
                    }
                    value.map(quoted).into_iter().collect()
                }
                name => parsed.values(name).get(index).map(file).into_iter().collect(),
            };
            match (values.is_empty(), default) {
                (false, _) => text.push_str(&values.join(" ")),
                (true, "") if name == "1" || name == "*" => return Err("an operand is missing".to_owned()),
                (true, "") => return Err(format!("-{name} is missing")),
                // Another option's value, or a word.
                (true, other) => match parsed.last(other) {
                    Some(word) => text.push_str(&file(word)),
                    None => text.push_str(other),
                },
            }
        }
        Ok(text)
    }
}

impl Rule {
    /// Returns whether a command has the options that the rule requires.
    pub(super) fn fits(&self, parsed: &Parsed) -> bool {
        let mut needs = self.needs.split(' ').filter(|need| !need.is_empty());
        needs.all(|need| match need.strip_prefix('!') {
            Some(name) => !parsed.has(name),
            None => need.split('|').any(|name| parsed.has(name)),
        })
    }
}
