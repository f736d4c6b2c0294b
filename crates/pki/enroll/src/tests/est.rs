//! EST.

use tagwise_codec::text::base64;
use tagwise_pkix::cms::{CertificateChoices, Content, ContentInfo};

use super::net::Net;
use super::*;
use crate::{Est, Request, Response, Service, requests};

/// A request to the server.
pub(super) struct Sent<'a> {
    pub(super) operation: &'a str,
    pub(super) user: Option<(&'a str, &'a str)>,
    pub(super) certificate: Option<&'a [u8]>,
    pub(super) peer: Option<std::net::IpAddr>,
    pub(super) body: &'a [u8],
}

impl<'a> Sent<'a> {
    pub(super) fn new(operation: &'a str, body: &'a [u8]) -> Self {
        Self { operation, user: None, certificate: None, peer: None, body }
    }
}

pub(super) fn send(world: &mut World, sent: &Sent<'_>) -> Response {
    let est = Est::new(world.enrollment.clone());
    let authorization = sent.user.map(|(user, password)| {
        format!("Basic {}", base64::encode(format!("{user}:{password}").as_bytes())).into_bytes()
    });
    let chain: Vec<Vec<u8>> = sent.certificate.into_iter().map(<[u8]>::to_vec).collect();
    let body = base64::encode(sent.body).into_bytes();
    let path = format!("/.well-known/est/{}", sent.operation);
    let request = Request {
        method: "POST",
        path: &path,
        content_type: Some(b"application/pkcs10"),
        authorization: authorization.as_deref(),
        chain: &chain,
        peer: sent.peer,
        body: &body,
        ..Request::default()
    };
    est.answer(&mut world.store, &request, world.now)
}

fn get(world: &mut World, operation: &str) -> Response {
    let est = Est::new(world.enrollment.clone());
    let path = format!("/.well-known/est/{operation}");
    est.answer(&mut world.store, &Request { method: "GET", path: &path, ..Request::default() }, world.now)
}

/// The certificates in a message of the type certs-only.
fn certificates(body: &[u8]) -> Vec<Vec<u8>> {
    let der = base64::decode_wrapped(body.trim_ascii()).unwrap();
    let message = ContentInfo::from_der(&der).unwrap();
    let Content::SignedData(signed) = message.content.get().unwrap() else { panic!("no signed data") };
    let list = signed.certificates.unwrap().iter().collect::<Result<Vec<_>, _>>().unwrap();
    let der = |choice: &CertificateChoices<'_>| tagwise_codec::encode(choice).unwrap();
    list.iter().map(der).collect()
}

fn issued(response: &Response) -> Vec<u8> {
    assert_eq!(response.status, 200, "{} {:?}", String::from_utf8_lossy(&response.body), response.internal);
    assert_eq!(response.content_type, "application/pkcs7-mime; smime-type=certs-only");
    assert!(response.headers.contains(&("content-transfer-encoding", "base64".to_owned())));
    let list = certificates(&response.body);
    assert_eq!(list.len(), 1);
    list[0].clone()
}

#[test]
fn ca_certificates_need_no_authentication() {
    let mut world = World::new(POLICY);
    let response = get(&mut world, "cacerts");
    assert_eq!((response.status, response.content_type), (200, "application/pkcs7-mime"));
    assert_eq!(certificates(&response.body), [world.authority().certificate_der()]);
    assert_eq!(get(&mut world, "servers/cacerts").status, 200);
    assert_eq!(get(&mut world, "unknown/cacerts").status, 404);
}

#[test]
fn attributes_list_the_accepted_keys() {
    let mut world = World::new(POLICY);
    let response = get(&mut world, "csrattrs");
    assert_eq!((response.status, response.content_type), (200, "application/csrattrs"));
    let der = base64::decode_wrapped(response.body.trim_ascii()).unwrap();
    // id-ecPublicKey with secp256r1, and rsaEncryption with 2048.
    let curve = b"\x30\x15\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x31\x0A\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07";
    let rsa = b"\x30\x11\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01\x31\x04\x02\x02\x08\x00";
    assert_eq!(der, [&b"\x30\x2A"[..], curve, rsa].concat());
    assert_eq!(get(&mut world, "devices/csrattrs").status, 204);
}

#[test]
fn users_enroll_and_holders_renew() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&key, "CN=www.example.org,O=Example", &["www.example.org", "192.0.2.7"]);
    let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
    let first = issued(&send(&mut world, &sent));
    let read = Certificate::from_der(&first).unwrap();
    assert_eq!(read.tbs_certificate.subject.to_string(), "CN=www.example.org,O=Example");
    assert_eq!(read.tbs_certificate.validity.length(), tagwise_ca::Definition::VALIDITY);
    let serial = tagwise_ca::Serial::from_int(read.tbs_certificate.serial_number.0);
    let authority = world.authority();
    let requester = crate::requests::requester(&mut world.store, &authority, &serial).unwrap();
    assert_eq!(requester, Some(format!("secret/{user}")));
    // The same request receives the same certificate for an hour.
    assert_eq!(issued(&send(&mut world, &sent)), first);
    assert_eq!(world.count(), 1);
    world.now = UnixTime(world.now.0 + 3601);
    assert_ne!(issued(&send(&mut world, &sent)), first);

    let next = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&next, "CN=www.example.org,O=Example", &["192.0.2.7", "WWW.example.org"]);
    let renewed =
        issued(&send(&mut world, &Sent { certificate: Some(&first), ..Sent::new("simplereenroll", &request) }));
    let read = Certificate::from_der(&renewed).unwrap();
    assert_eq!(tagwise_codec::encode(&read.tbs_certificate.subject_public_key_info).unwrap(), next.public_key_info());
}

#[test]
fn holders_request_only_their_own_names() {
    let policy = "[[grants]]
name = 'devices'
profile = 'device'
dns = ['example.org']
certificates = ['device']
";
    let mut world = World::new(policy);
    let (key, own) = world.client("CN=d1.example.org", "device");
    let mut ask = |subject: &str, names: &[&str]| {
        let request = csr(&key, subject, names);
        send(&mut world, &Sent { certificate: Some(&own), ..Sent::new("simpleenroll", &request) }).status
    };
    assert_eq!(ask("CN=d1.example.org", &["D1.example.org"]), 200);
    assert_eq!(ask("CN=d2.example.org", &["d2.example.org"]), 403);
    assert_eq!(ask("CN=d1.example.org", &["d1.example.org", "d2.example.org"]), 403);
    assert_eq!(ask("CN=d2.example.org", &["d1.example.org"]), 403);
    // A registration authority requests the names of others.
    let mut world = World::new(&format!("{policy}registration-authority = true\n"));
    let (_, agent) = world.client("CN=ra.example.org", "device");
    let request = csr(&key, "CN=d2.example.org", &["d2.example.org"]);
    let sent = Sent { certificate: Some(&agent), ..Sent::new("simpleenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 200);
}

#[test]
fn renewal_needs_a_grant_for_the_subject() {
    let mut world = World::new(POLICY);
    let (key, own) = world.client("CN=Administrator,OU=Board", "device");
    let request = csr(&key, "CN=Administrator,OU=Board", &[]);
    let sent = Sent { certificate: Some(&own), ..Sent::new("simplereenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 403);
    let (key, own) = world.client("CN=device-7", "device");
    let request = csr(&key, "CN=device-7", &[]);
    let sent = Sent { certificate: Some(&own), ..Sent::new("simplereenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 200);
}

#[test]
fn a_request_to_another_resource_is_another_request() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&key, "CN=www.example.org", &["www.example.org"]);
    let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
    issued(&send(&mut world, &sent));
    // The secret is not for this grant.
    let sent = Sent { user: Some((&user, &password)), ..Sent::new("est-only/simpleenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 403);
}

#[test]
fn requests_without_names_are_the_clients_fault() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&key, "", &[]);
    let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
    let response = send(&mut world, &sent);
    assert_eq!((response.status, response.internal), (400, None));
}

#[test]
fn post_quantum_authorities_certify_post_quantum_keys() {
    let mut world = World::with_key(POLICY, KeyType::MlDsa44);
    let (user, password) = world.secret(Usage::User, "devices", false);
    let key = BACKEND.generate(KeyType::MlDsa65).unwrap();
    let request = csr(&key, "CN=device-1", &[]);
    let der =
        issued(&send(&mut world, &Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) }));
    let certificate = Certificate::from_der(&der).unwrap();
    let authority = world.authority();
    tagwise_crypto::VerifySigned::verify_signed_by(&certificate, authority.certificate(), &BACKEND).unwrap();
    let public = tagwise_codec::encode(&certificate.tbs_certificate.subject_public_key_info).unwrap();
    assert_eq!(public, key.public_key_info());
}

#[test]
fn chosen_passwords_are_hashed() {
    let mut world = World::new(POLICY);
    let expires = UnixTime(world.now.0 + DAY);
    let new = NewSecret { usage: Usage::User, grant: "servers", note: "", names: &[], expires, once: false };
    let (authority, now) = (world.authority(), world.now);
    let mut add = |name: &str, password: &[u8]| {
        let password = tagwise_crypto::Secret::from(password.to_vec());
        secret::add_chosen(&mut world.store, &authority, &BACKEND, name, &password, &new, now)
    };
    add("alice", b"correct horse").unwrap();
    assert!(add("alice", b"correct horse").is_err());
    assert!(add("bob", b"short").is_err());
    assert!(add("a:b", b"correct horse").is_err());
    let listed = secret::list(&mut world.store, &authority).unwrap();
    assert_eq!(listed.len(), 1);
    use tagwise_ca::Documents;
    let stored = world.store.document(authority.id(), "enroll-secret", "alice").unwrap().unwrap();
    assert!(!stored.content.contains("correct"), "{}", stored.content);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&key, "", &["www.example.org"]);
    for (password, status) in [("correct horse", 200), ("correct horsf", 401), ("", 401)] {
        let sent = Sent { user: Some(("alice", password)), ..Sent::new("simpleenroll", &request) };
        assert_eq!(send(&mut world, &sent).status, status, "{password}");
    }
    assert!(secret::remove(&mut world.store, &authority, "alice").unwrap());
    let sent = Sent { user: Some(("alice", "correct horse")), ..Sent::new("simpleenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 401);
}

#[test]
fn holders_of_certificates_use_grants_for_their_profile() {
    let mut world = World::new(POLICY);
    let (_, device) = world.client("CN=device-1", "device");
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&key, "", &["a.example.org"]);
    let sent = Sent { certificate: Some(&device), ..Sent::new("simpleenroll", &request) };
    issued(&send(&mut world, &sent));
    let (_, server) = world.client("CN=www.example.org", "server");
    let sent = Sent { certificate: Some(&server), ..Sent::new("simpleenroll", &request) };
    assert_eq!(send(&mut world, &sent).status, 403);
}

#[test]
fn generated_keys_match_their_certificates() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let temporary = BACKEND.generate(KeyType::P256).unwrap();
    let request = csr(&temporary, "", &["www.example.org"]);
    let sent = Sent { user: Some((&user, &password)), ..Sent::new("serverkeygen", &request) };
    let response = send(&mut world, &sent);
    assert_eq!(response.status, 200);
    assert_eq!(response.content_type, "multipart/mixed; boundary=\"==tagwise-est==\"");
    let text = String::from_utf8(response.body).unwrap();
    let parts: Vec<&str> = text.split("--==tagwise-est==").collect();
    let content = |part: &str| part.split_once("\r\n\r\n").unwrap().1.trim().as_bytes().to_vec();
    assert!(parts[1].contains("application/pkcs8\r\n") && parts[3].starts_with("--"));
    let key = BACKEND.private_key_from_pkcs8(&base64::decode_wrapped(&content(parts[1])).unwrap()).unwrap();
    let certificate = certificates(&content(parts[2])).remove(0);
    let read = Certificate::from_der(&certificate).unwrap();
    let public = tagwise_codec::encode(&read.tbs_certificate.subject_public_key_info).unwrap();
    assert_eq!(public, key.public_key_info());
    assert_ne!(public, temporary.public_key_info());
}

#[test]
fn operators_decide_about_pending_requests() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "reviewed", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let authority = world.authority();
    for (host, approved) in [("a.review.example.org", true), ("b.review.example.org", false)] {
        let request = csr(&key, "", &[host]);
        let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
        for _ in 0..2 {
            let response = send(&mut world, &sent);
            assert_eq!(response.status, 202);
            assert!(response.headers.contains(&("retry-after", "60".to_owned())));
        }
        let pending = requests::list(&mut world.store, &authority).unwrap();
        assert_eq!(pending.len(), 1);
        assert_eq!((&pending[0].request, pending[0].grant.as_deref()), (&request, Some("reviewed")));
        assert_eq!(pending[0].client, format!("secret/{user}"));
        let decide = if approved { requests::approve } else { requests::reject };
        assert!(decide(&mut world.store, &authority, &pending[0].id).unwrap());
        assert!(!decide(&mut world.store, &authority, &pending[0].id).unwrap());
        assert!(requests::list(&mut world.store, &authority).unwrap().is_empty());
        // The grant is deleted, or narrowed, before the client asks again.
        type Change = fn(&mut Policy);
        let changes: [Change; 4] = [
            |policy| policy.grants.retain(|grant| grant.name != "reviewed"),
            |policy| policy.grants.iter_mut().for_each(|grant| grant.dns = vec!["other.example".to_owned()]),
            |policy| policy.grants.iter_mut().for_each(|grant| grant.protocols = vec![crate::policy::Protocol::Cmp]),
            |policy| policy.grants.iter_mut().for_each(|grant| grant.profile = "device".to_owned()),
        ];
        for change in changes {
            let former = world.change_policy(change);
            assert_eq!(send(&mut world, &sent).status, 403);
            world.enrollment.policy = former;
        }
        let response = send(&mut world, &sent);
        if approved {
            issued(&response);
        } else {
            assert_eq!(response.status, 403);
        }
    }
    assert_eq!(world.count(), 1);
}

#[test]
fn other_resources_and_methods() {
    let mut world = World::new(POLICY);
    for (method, path, status) in [
        ("POST", "/.well-known/est/fullcmc", 501),
        ("GET", "/.well-known/est/simpleenroll", 405),
        ("DELETE", "/.well-known/est/cacerts", 405),
        ("GET", "/.well-known/est/", 404),
        ("GET", "/", 404),
        ("POST", "/.well-known/est/simpleenroll", 415),
    ] {
        let request = Request { method, path, ..Request::default() };
        let response = Est::new(world.enrollment.clone()).answer(&mut world.store, &request, world.now);
        assert_eq!(response.status, status, "{method} {path}");
    }
}

#[test]
fn curl_and_openssl_enroll() {
    if !has("openssl") || !has("curl") {
        return;
    }
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    let est = Arc::new(Est::new(world.enrollment.clone()));
    let net = Net::tls(world, est);
    let ca = file("ca.pem");
    let base = ["-sSf", "--cacert", &ca, "-o"];
    let curl = |output: &str, more: &[&str], operation: &str| {
        let url = format!("https://{}/.well-known/est/{operation}", net.address);
        run("curl", &[&base[..], &[output], more, &[&url]].concat());
        let der = base64::decode_wrapped(std::fs::read(output).unwrap().trim_ascii()).unwrap();
        std::fs::write(output, der).unwrap();
        run("openssl", &["pkcs7", "-inform", "DER", "-in", output, "-print_certs", "-out", &format!("{output}.pem")]);
    };
    curl(&file("cacerts"), &[], "cacerts");
    let request = |key: &str, output: &str| {
        let names = "subjectAltName=DNS:www.example.org";
        let all = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-subj"];
        run(
            "openssl",
            &[&all[..], &["/CN=www.example.org", "-addext", names, "-outform", "DER", "-out", output]].concat(),
        );
        run("openssl", &["base64", "-in", output, "-out", &format!("{output}.b64")]);
    };
    request(&file("one.key"), &file("one"));
    let (data, header) = (format!("@{}.b64", file("one")), "Content-Type: application/pkcs10");
    let login = format!("{user}:{password}");
    curl(&file("cert1"), &["-u", &login, "-H", header, "--data-binary", &data], "simpleenroll");
    run("openssl", &["verify", "-CAfile", &file("cacerts.pem"), &file("cert1.pem")]);
    // Renewal with the certificate, over TLS.
    request(&file("two.key"), &file("two"));
    let data = format!("@{}.b64", file("two"));
    let (cert, key) = (file("cert1.pem"), file("one.key"));
    curl(&file("cert2"), &["--cert", &cert, "--key", &key, "-H", header, "--data-binary", &data], "simplereenroll");
    run("openssl", &["verify", "-CAfile", &file("ca.pem"), &file("cert2.pem")]);
}

#[test]
fn strongswan_enrolls() {
    if !has("openssl") || !has("pki") || !run("pki", &["--help"]).contains("--est") {
        return;
    }
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let (key, certificate) = world.client("CN=device-1", "device");
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    std::fs::write(file("device.pem"), pem("CERTIFICATE", &certificate)).unwrap();
    std::fs::write(file("device.key"), pem("PRIVATE KEY", key.to_pkcs8().unwrap().expose())).unwrap();
    let est = Arc::new(Est::new(world.enrollment.clone()));
    let net = Net::tls(world, est);
    let url = format!("https://{}", net.address);
    let login = format!("{user}:{password}");
    let request = |name: &str, subject: &str| {
        run("openssl", &["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", &file(&format!("{name}.key"))]);
        let all = ["req", "-new", "-key", &file(&format!("{name}.key")), "-subj", subject, "-outform", "DER", "-out"];
        let names: &[&str] =
            if subject.contains('.') { &["-addext", "subjectAltName=DNS:www.example.org"] } else { &[] };
        run("openssl", &[&all[..], &[&file(name)], names].concat());
    };
    let enroll = |name: &str, more: &[&str]| {
        let common = ["--est", "--url", &url, "--in", &file(name), "--cacert", &file("ca.pem"), "--outform", "pem"];
        let output = std::process::Command::new("pki").args(common).args(more).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
        std::fs::write(file(&format!("{name}.pem")), output.stdout).unwrap();
        run("openssl", &["verify", "-CAfile", &file("ca.pem"), &file(&format!("{name}.pem"))]);
    };
    request("one", "/CN=www.example.org");
    enroll("one", &["--userpass", &login]);
    request("two", "/CN=device-1");
    enroll("two", &["--cert", &file("device.pem"), "--key", &file("device.key")]);
}

#[test]
#[ignore = "needs globalsign's estclient, which Debian does not package; `go install github.com/globalsign/est/cmd/estclient` builds it"]
fn estclient_enrolls() {
    if !has("openssl") || !has("estclient") {
        return;
    }
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    let est = Arc::new(Est::new(world.enrollment.clone()));
    let net = Net::tls(world, est);
    let (server, ca) = (net.address.to_string(), file("ca.pem"));
    let est = |command: &str, more: &[&str]| {
        run("estclient", &[&[command, "-server", &server, "-explicit", &ca], more].concat());
    };
    let request = |key: &str, output: &str| {
        run("openssl", &["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", key]);
        let name = ["-subj", "/CN=www.example.org", "-addext", "subjectAltName=DNS:www.example.org"];
        run("openssl", &[&["req", "-new", "-key", key, "-out", output], &name[..]].concat());
    };
    let login = ["-user", user.as_str(), "-pass", password.as_str()];
    est("cacerts", &["-out", &file("cacerts.pem")]);
    est("csrattrs", &[]);
    request(&file("one.key"), &file("one.csr"));
    est("enroll", &[&["-csr", &file("one.csr"), "-out", &file("one.pem")], &login[..]].concat());
    run("openssl", &["verify", "-CAfile", &file("cacerts.pem"), &file("one.pem")]);
    request(&file("two.key"), &file("two.csr"));
    let (certs, key) = (file("one.pem"), file("one.key"));
    est("reenroll", &["-csr", &file("two.csr"), "-out", &file("two.pem"), "-certs", &certs, "-key", &key]);
    run("openssl", &["verify", "-CAfile", &ca, &file("two.pem")]);
    let keyout = file("three.key");
    est(
        "serverkeygen",
        &[&["-csr", &file("one.csr"), "-out", &file("three.pem"), "-keyout", &keyout], &login[..]].concat(),
    );
    run("openssl", &["verify", "-CAfile", &ca, &file("three.pem")]);
    let public = run("openssl", &["pkey", "-in", &keyout, "-pubout"]);
    assert_eq!(run("openssl", &["x509", "-in", &file("three.pem"), "-noout", "-pubkey"]), public);
}
