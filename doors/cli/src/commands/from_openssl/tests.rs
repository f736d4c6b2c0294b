//! Translations of command lines of OpenSSL.

use super::*;

fn of(line: &str) -> (String, Vec<String>) {
    match translate(line) {
        Ok(Translation { line, left }) => (line, left),
        Err(error) => (error, vec!["error".to_owned()]),
    }
}

fn whole(line: &str) -> String {
    let (done, left) = of(line);
    assert!(left.is_empty(), "{line}: {done}: {left:?}");
    done
}

#[test]
fn fields() {
    assert_eq!(whole("openssl x509 -in cert.pem -noout -enddate"), "tagwise get --first notAfter cert.pem");
    assert_eq!(
        whole("openssl x509 -in cert.pem -noout -subject -enddate"),
        "tagwise show --first --subject --enddate cert.pem"
    );
    assert_eq!(whole("openssl x509 -noout -fingerprint -in a.pem"), "tagwise get --first sha1 a.pem");
    assert_eq!(whole("openssl x509 -noout -fingerprint -sha256 -in a.pem"), "tagwise get --first fingerprint a.pem");
}

#[test]
fn quoting() {
    assert_eq!(whole("openssl x509 -in 'my cert.pem' -noout -serial"), "tagwise get --first serial 'my cert.pem'");
    assert_eq!(whole("openssl x509 -in \"$CERT\" -noout -serial"), "tagwise get --first serial \"$CERT\"");
    assert_eq!(whole("openssl x509 -noout -serial < a.pem"), "tagwise get --first serial a.pem");
    assert_eq!(of("openssl x509 -in 'a").1, ["error"]);
}

#[test]
fn a_server() {
    assert_eq!(
        whole("echo | openssl s_client -connect example.org:443 2>/dev/null | openssl x509 -noout -enddate -subject"),
        "tagwise show --first --subject --enddate tls://example.org:443"
    );
}

#[test]
fn what_is_left_out_is_named() {
    let (line, left) = of("openssl x509 -in a.pem -noout -enddate -frobnicate");
    assert_eq!(line, "tagwise get --first notAfter a.pem");
    assert_eq!(left, ["-frobnicate: openssl x509 has no such option"]);
    let (_, left) = of("openssl x509 -in a.pem -noout -enddate -setalias x");
    assert_eq!(left, ["-setalias x"]);
    assert_eq!(of("openssl rand -hex 20").1, ["error"]);
    assert_eq!(of("rm -rf /").1, ["error"]);
}

/// Checks that keys are written unencrypted only if OpenSSL would do so.
#[test]
fn ciphers_of_keys() {
    assert_eq!(whole("openssl genrsa -aes256 -out a.key 2048"), "tagwise key new rsa2048 -o a.key");
    assert_eq!(
        whole("openssl genpkey -algorithm RSA -aes256 -pass file:word -out a.key"),
        "tagwise key new rsa2048 --passphrase-file word -o a.key"
    );
    assert_eq!(
        whole("openssl rsa -aes256 -in a.key -passout file:word -out b.key"),
        "tagwise key convert --to pkcs8 a.key --new-passphrase-file word -o b.key"
    );
    assert_eq!(
        whole("openssl dgst -sha384 -sign a.key -out b letter"),
        "tagwise key sign letter --digest sha384 --key a.key -o b"
    );
}

/// Checks that keys and passwords of messages are read from pipes, as passphrases are.
#[test]
fn secrets_of_messages() {
    for (line, expected) in [
        ("-decrypt -in m -secretkey 0011 -out x", "cms decrypt m --shared-key-file <(printf %s 0011) -o x"),
        (
            "-decrypt -in m -secretkey 0011 -secretkeyid AA -out x",
            "cms decrypt m --shared-key-file <(printf %s 0011) --shared-key-id AA -o x",
        ),
        (
            "-EncryptedData_decrypt -in m -secretkey 0011 -out x",
            "cms decrypt m --shared-key-file <(printf %s 0011) -o x",
        ),
        (
            "-decrypt -in m -pwri_password 'my word' -out x",
            "cms decrypt m --password --passphrase-file <(printf %s 'my word') -o x",
        ),
        (
            "-encrypt -binary -in m -aes-256-cbc -secretkey 0011 -secretkeyid AA -outform DER -out x",
            "cms encrypt m --shared-key-file <(printf %s 0011) --shared-key-id AA --cipher aes-256-cbc -o x",
        ),
        (
            "-encrypt -binary -in m -aes-256-cbc -pwri_password word -outform DER -out x",
            "cms encrypt m --password --passphrase-file <(printf %s word) --cipher aes-256-cbc -o x",
        ),
    ] {
        assert_eq!(whole(&format!("openssl cms {line}")), format!("tagwise {expected}"));
    }
}

/// Checks that copies of descriptors are not taken for files.
#[test]
fn copied_descriptors() {
    let line = "openssl x509 -in a.pem -noout -serial";
    assert_eq!(whole(&format!("{line} > log 2>&1")), "tagwise get --first serial a.pem > log");
    assert_eq!(whole(&format!("{line} 2>&1")), "tagwise get --first serial a.pem");
    for copy in [">&2", "1>&2", ">& log", "2>err&"] {
        assert_eq!(of(&format!("{line} {copy}")).1, ["error"], "{copy}");
    }
}

/// Checks that no value of a repeated option is lost without a word.
#[test]
fn repeated_options() {
    assert_eq!(
        whole(
            "openssl verify -CAfile a -CAfile b -CRLfile c -CRLfile d -trusted e -trusted f -untrusted g -untrusted h -policy 1.2.3 -policy 1.2.4 -purpose sslclient -purpose sslserver x"
        ),
        "tagwise verify --first --trust b --trust e --trust f --self-signed-anchors --enforce anchor-constraints --untrusted g --untrusted h --crl c --crl d --purpose server --policy 1.2.3 --policy 1.2.4 x"
    );
    for (line, signers) in [
        ("-signer a -inkey ka -signer b -inkey kb", "--key ka --certificate a --key kb --certificate b"),
        ("-inkey ka -signer a -inkey kb -signer b", "--key ka --certificate a --key kb --certificate b"),
        ("-signer a -signer b -inkey kb", "--key a --certificate a --key kb --certificate b"),
        ("-signer a", "--key a --certificate a"),
    ] {
        for tool in ["cms", "smime"] {
            assert_eq!(
                whole(&format!("openssl {tool} -sign -binary -in m {line} -outform DER")),
                format!("tagwise cms sign m {signers} --detached")
            );
        }
    }
    // OpenSSL reads the last file.
    assert_eq!(
        whole("openssl cms -sign -binary -in m -signer a -certfile b -certfile c -nodetach -outform PEM"),
        "tagwise cms sign m --key a --certificate a --with c --pem"
    );
    assert_eq!(whole("openssl x509 -in a -in b -noout -serial"), "tagwise get --first serial b");
    let (line, left) = of("openssl crl2pkcs7 -nocrl -certfile a -certfile b -out c");
    assert_eq!(line, "tagwise convert --to p7,pem a -o c");
    assert_eq!(left, ["-certfile b: only one -certfile is translated"]);
    let (line, left) = of("openssl dgst -sha256 -sign k -out s m n");
    assert_eq!((&*line, &*left), ("tagwise key sign m --digest sha256 --key k -o s", &["n".to_owned()][..]));
    assert_eq!(
        of("openssl ocsp -issuer a -cert b -cert c -url http://o.example/").1,
        ["-cert c: only one -cert is translated"]
    );
}

/// Checks that no file is taken for an option.
#[test]
fn names_that_begin_with_a_hyphen() {
    assert_eq!(whole("openssl x509 -in -h -noout -serial"), "tagwise get --first serial ./-h");
    assert_eq!(whole("openssl x509 -in - -noout -serial"), "tagwise get --first serial -");
    assert_eq!(
        whole("openssl verify -CAfile -r -partial_chain -- -x"),
        "tagwise verify --first --trust ./-r --enforce anchor-constraints ./-x"
    );
    assert_eq!(
        whole("openssl req -new -key -k -subj -x -passin file:-p -out -o"),
        "tagwise csr new --key ./-k --key-passphrase-file ./-p --subject=-x -o ./-o"
    );
    assert_eq!(
        whole("openssl cms -encrypt -binary -in -m -outform DER -out o -- -r"),
        "tagwise cms encrypt ./-m --to ./-r -o o"
    );
}

#[test]
fn subjects_that_openssl_asks_for() {
    for (line, expected) in [
        (
            "openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c",
            "tagwise cert self-signed --ca --new-key rsa2048 --key-out k --key-no-passphrase --days 30 -o c",
        ),
        // Without -nodes, openssl asks for a passphrase for the key.
        (
            "openssl req -x509 -newkey rsa:2048 -keyout k -out c",
            "tagwise cert self-signed --ca --new-key rsa2048 --key-out k --encrypt-key --days 30 -o c",
        ),
        (
            "openssl req -x509 -newkey rsa:2048 -passout file:p -keyout k -out c",
            "tagwise cert self-signed --ca --new-key rsa2048 --key-out k --key-passphrase-file p --days 30 -o c",
        ),
        ("openssl req -new -key k -out c", "tagwise csr new --key k -o c"),
    ] {
        let (line, left) = of(line);
        assert_eq!(line, expected);
        assert_eq!(left, ["the prompt for a subject: --subject NAME is needed"]);
    }
}

/// Checks that messages are mails, unless another form is named.
#[test]
fn mails() {
    for tool in ["cms", "smime"] {
        for (form, signed, opaque, encrypted) in [
            ("", " --smime", " --smime=opaque", " --smime"),
            (" -outform SMIME", " --smime", " --smime=opaque", " --smime"),
            (" -outform PEM", " --detached --pem", " --pem", " --pem"),
            (" -outform DER", " --detached", "", ""),
        ] {
            let sign = format!("openssl {tool} -sign -binary -in m -signer a -inkey k{form}");
            let expected = "tagwise cms sign m --key k --certificate a";
            assert_eq!(whole(&sign), format!("{expected}{signed}"));
            assert_eq!(whole(&format!("{sign} -nodetach")), format!("{expected}{opaque}"));
            let encrypt = format!("openssl {tool} -encrypt -binary -in m{form} b");
            assert_eq!(whole(&encrypt), format!("tagwise cms encrypt m --to b{encrypted}"));
        }
    }
}

#[test]
fn dsa_keys() {
    assert_eq!(whole("openssl dsa -in k -pubout"), "tagwise key convert --to public k");
    assert_eq!(whole("openssl dsa -in k -pubout -out p"), "tagwise key convert --to public k -o p");
    assert_eq!(whole("openssl dsa -in k -noout -text"), "tagwise key show k");
    assert_eq!(of("openssl dsa -in k").1, ["error"]);
}

/// Checks that a file's private key, and what follows the first certificate, are not copied.
#[test]
fn the_first_certificate_alone() {
    for (line, expected) in [
        ("openssl x509 -in both.pem -out c", "tagwise convert --to pem --first certificate both.pem -o c"),
        ("openssl x509 -in both.pem", "tagwise convert --to pem --first certificate both.pem"),
        ("openssl x509 -in both.pem -outform DER -out c", "tagwise convert --to der --first certificate both.pem -o c"),
        ("openssl crl -in a.crl -out c", "tagwise convert --to pem --first crl a.crl -o c"),
        ("openssl req -in a.csr -out c", "tagwise convert --to pem --first request a.csr -o c"),
    ] {
        assert_eq!(whole(line), expected);
    }
}

#[test]
fn trust_anchors() {
    assert_eq!(
        whole("openssl verify a"),
        "tagwise verify --first --self-signed-anchors --enforce anchor-constraints a"
    );
    assert_eq!(
        whole("openssl verify -no-CAfile -no-CApath -no-CAstore a"),
        "tagwise verify --first --trust /dev/null --self-signed-anchors --enforce anchor-constraints a"
    );
    assert_eq!(
        whole("openssl verify -CAfile c -no-CApath -no-CAstore -partial_chain a"),
        "tagwise verify --first --trust c --enforce anchor-constraints a"
    );
    // Without -no-CAstore, OpenSSL 3 still trusts the system's roots, and OpenSSL 1.1 nothing.
    let (line, left) = of("openssl verify -no-CAfile -no-CApath a");
    assert_eq!(
        (&*line, left.len()),
        ("tagwise verify --first --trust /dev/null --self-signed-anchors --enforce anchor-constraints a", 1)
    );
    assert_eq!(of("openssl verify -no-CAfile a").1.len(), 1);
    for tool in ["cms", "smime"] {
        assert_eq!(
            whole(&format!("openssl {tool} -verify -in m -no-CAfile -no-CApath -no-CAstore")),
            "tagwise cms verify m --trust /dev/null --self-signed-anchors"
        );
    }
    let ocsp = "openssl ocsp -issuer i -cert c -url http://o.example/";
    assert_eq!(of(&format!("{ocsp} -CAfile r")).1.len(), 1);
    assert!(whole(&format!("{ocsp} -CAfile i")).starts_with("tagwise ocsp ask c --issuer i"));
}

/// Checks that intermediates are trust anchors only with `-partial_chain`.
#[test]
fn anchors_of_messages() {
    for (line, expected) in [
        ("cms -verify -in m -CAfile r", "cms verify m --trust r --self-signed-anchors"),
        ("smime -verify -in m -CAfile r", "cms verify m --trust r --self-signed-anchors"),
        ("cms -verify -in m -CAfile r -partial_chain", "cms verify m --trust r"),
        ("smime -verify -in m -CAfile r -partial_chain", "cms verify m --trust r"),
        ("ts -verify -in t -data d -CAfile r", "tsp verify t --data d --trust r --self-signed-anchors"),
        ("ts -verify -in t -queryfile q -CAfile r", "tsp verify t --request q --trust r --self-signed-anchors"),
        ("ts -verify -in t -data d -CAfile r -partial_chain", "tsp verify t --data d --trust r"),
        (
            "ocsp -respin o -cert c -CAfile r",
            "verify --first c --trust r --self-signed-anchors --enforce anchor-constraints --ocsp o --revocation require --revocation-scope leaf",
        ),
        ("s_client -connect h:443 -CAfile r", "show tls://h:443 --trust r --self-signed-anchors"),
        ("s_client -connect h:443 -CAfile r -partial_chain", "show tls://h:443 --trust r"),
        (
            "s_client -connect h:443 -CAfile r -verify_return_error -verify_hostname h",
            "verify tls://h:443 --host h --trust r --self-signed-anchors --enforce anchor-constraints",
        ),
    ] {
        assert_eq!(whole(&format!("openssl {line}")), format!("tagwise {expected}"));
    }
}

/// Checks that no command with another digest is printed.
#[test]
fn other_digests() {
    for line in [
        "openssl dgst -sha1 -verify p -signature s m",
        "openssl dgst -md5 -sign k -out s m",
        "openssl dgst -ripemd160 -verify p -signature s m",
        "openssl dgst -sha256 -sha512 -verify p -signature s m",
        "openssl pkeyutl -verify -rawin -in m -pubin -inkey p -digest sha1 -sigfile s",
        "openssl ts -query -data d -sha1 -out q",
        "openssl x509 -in c -noout -fingerprint -sha512",
        "openssl crl -in c -noout -fingerprint -md5",
    ] {
        assert_eq!(of(line).1, ["error"], "{line}");
    }
    assert_eq!(
        whole("openssl dgst -SHA384 -verify p -signature s m"),
        "tagwise key verify m --digest sha384 --key p --signature s"
    );
}

#[test]
fn pipes() {
    let server = "openssl s_client -connect h.example:443 </dev/null 2>/dev/null | openssl";
    for (line, expected) in [
        ("x509 -noout -enddate", "tagwise get --first notAfter tls://h.example:443"),
        ("x509 -noout -enddate | cat", "error"),
        ("x509 -out c.pem", "tagwise convert --to pem --first certificate tls://h.example:443 -o c.pem"),
        ("x509 -noout -checkend 86400", "tagwise check --first --expires-within 1d tls://h.example:443"),
    ] {
        let (line, left) = of(&format!("{server} {line}"));
        assert!(line == expected || left == [expected], "{line}: {left:?}");
    }
    // The server's name and the client's certificate are options of the connection.
    assert_eq!(
        whole(
            "timeout 5 openssl s_client -connect 192.0.2.7:443 -servername h.example -cert c -CAfile r | openssl x509 -noout -serial"
        ),
        "tagwise get --first serial tls://192.0.2.7:443 --servername h.example --client-certificate c"
    );
    assert_eq!(
        whole("openssl x509 -in c.pem -noout -pubkey | openssl pkey -pubin -noout -text"),
        "tagwise get --first pubkey c.pem | tagwise key show -"
    );
    assert_eq!(whole("openssl x509 -in c.pem -noout -subject > s.txt"), "tagwise get --first subject c.pem > s.txt");
    assert_eq!(of("openssl x509 -in c.pem -noout -subject >> s.txt").1, ["error"]);
}

#[test]
fn addresses() {
    for (line, expected) in [
        ("-host h.example -port 443", "tls://h.example:443"),
        ("h.example:443", "tls://h.example:443"),
        ("-connect h.example", "tls://h.example:4433"),
        ("-connect [::1]:443", "'tls://[::1]:443'"),
        ("-connect [::1]", "'tls://[::1]:4433'"),
        ("-starttls smtp -connect h.example:25", "smtp+starttls://h.example:25"),
    ] {
        assert_eq!(whole(&format!("openssl s_client {line}")), format!("tagwise show {expected}"));
    }
}

/// Checks that an option that changes the result is reported if it has no equivalent.
#[test]
fn no_option_is_lost() {
    for line in [
        "openssl x509 -req -in r -CA c -CAkey k -out o",
        "openssl x509 -req -in r -CA c -CAkey k -copy_extensions copy -set_serial 7 -out o",
        "openssl ca -in r -policy policy_anything -out o",
        "openssl cms -sign -in m -signer a -outform DER",
        "openssl cms -sign -binary -in m -signer a -outform DER -md md5",
        "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_pubexp:3",
        "openssl x509 -in c -enddate",
        "openssl pkey -in k -text",
        "openssl x509 -in c -noout -checkhost h.example",
        "openssl s_client -connect h:443 -verify_return_error",
        "openssl ca -status 1000",
    ] {
        let (_, left) = of(line);
        assert!(!left.is_empty() && left != ["error"], "{line}: {left:?}");
    }
    for line in ["openssl x509 -in c -noout -hash", "openssl x509 -req -in r -signkey k"] {
        assert_eq!(of(line).1, ["error"], "{line}");
    }
}

#[test]
fn more_commands() {
    for (line, expected) in [
        (
            "cms -sign -binary -in m -signer a -md sha512 -outform DER",
            "cms sign m --key a --certificate a --digest sha512 --detached",
        ),
        ("pkcs12 -in a.p12 -noout", "p12 show a.p12"),
        ("pkcs7 -in a.p7 -print_certs -noout", "convert --to certs,pem a.p7 | tagwise show --subject --issuer -"),
        ("x509 -in c -noout -ext subjectAltName,keyUsage", "show --first --field subjectAltName --field keyUsage c"),
        (
            "req -x509 -key k -subj /CN=a -addext subjectAltName=DNS:a -out c",
            "cert self-signed --ca --key k --subject /CN=a --dns a --days 30 -o c",
        ),
        (
            "req -x509 -key k -subj /CN=a -addext basicConstraints=CA:FALSE -out c",
            "cert self-signed --key k --subject /CN=a --days 30 -o c",
        ),
        ("x509 -req -in r -CA c -CAkey k -copy_extensions copy -out o", "csr sign r --ca c --ca-key k --days 30 -o o"),
        ("pkcs8 -topk8 -nocrypt -in k -out p", "key convert --to pkcs8 --no-passphrase k -o p"),
        (
            "pkcs8 -topk8 -in k -v2 aes-256-cbc -passout file:w -out p",
            "key convert --to pkcs8 k --new-passphrase-file w -o p",
        ),
        ("pkeyutl -sign -rawin -in m -inkey k -digest sha256 -out s", "key sign m --digest sha256 --key k -o s"),
        ("pkeyutl -verify -rawin -in m -pubin -inkey p -sigfile s", "key verify m --key p --signature s"),
        ("cms -compress -in m -outform DER -out o", "cms compress m -o o"),
        ("verify -partial_chain -CAfile r a", "verify --first --trust r --enforce anchor-constraints a"),
    ] {
        assert_eq!(whole(&format!("openssl {line}")), format!("tagwise {expected}"));
    }
}

/// Checks that each example on the page is translated completely.
#[test]
fn every_example_is_translated() {
    for (_, lines) in page::EXAMPLES {
        for line in *lines {
            whole(line);
        }
    }
    let count: usize = page::EXAMPLES.iter().map(|(_, lines)| lines.len()).sum();
    assert!(count >= 50, "{count}");
}

/// Checks that each rule names only options of its tool.
#[test]
fn rules_name_options_of_their_tools() {
    for rule in RULES {
        let tool = line::tool(rule.tool);
        let known = |name: &str| {
            tool.as_ref().is_some_and(|tool| tool.flags.contains(&name) || tool.values.contains(&name))
                || line::is_algorithm(name)
        };
        let named = rule.needs.split([' ', '|', '!']).chain(rule.also.split(' ')).map(str::to_owned);
        let parts = rules::parts(rule.gives);
        let named = named.chain(parts.iter().flat_map(|part| part.names()).map(str::to_owned));
        for name in named.filter(|name| !name.is_empty() && name != "1" && name != "*") {
            assert!(known(&name), "{}: {name}: {}", rule.tool, rule.gives);
        }
    }
}
