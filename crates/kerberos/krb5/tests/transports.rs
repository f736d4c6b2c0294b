//! Every exchange of the client with each KDC over each transport: UDP, TCP, UNIX sockets, a proxy (MS-KKDCP). The table of the guide is
//! made of these tests.
#![cfg(all(unix, feature = "https", feature = "pkinit"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/exchanges.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod exchanges;
#[path = "common/heimdal.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod heimdal;
#[path = "common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;
#[path = "common/proxy.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod proxy;
#[path = "common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;
#[path = "common/servers.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod servers_of_the_test;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use exchanges::{Certificates, Peer, ROWS, Row, Way, referral};
use heimdal::Heimdal;
use realm::Realm;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::net::{Network, Proxies, Server, servers};
use tagwise_krb5::conf::{Config, NoIncludes};

/// The release of MIT's that has UNIX sockets of its own.
const SOCKETS: u32 = 22;

/// Where a realm's servers are, by transport.
struct Place {
    realm: &'static str,
    kdc: String,
    kpasswd: String,
}

impl Place {
    /// The servers of a realm as they are over TCP.
    fn tcp(realm: &'static str, config: &Config) -> Self {
        let first = |names: Vec<&str>| names[0].to_owned();
        Self { realm, kdc: first(config.kdcs(realm)), kpasswd: first(config.kpasswd_servers(realm)) }
    }

    fn address(name: &str) -> SocketAddr {
        match servers(&[name], 88).first() {
            Some(Server::Address { address, .. }) => *address,
            other => panic!("{other:?}"),
        }
    }

    /// The same behind UNIX sockets of the test.
    fn behind_sockets(&self, folder: &Path) -> Self {
        let socket = |name: &str, before: &str| {
            let path = folder.join(format!("{name}-{}", self.realm));
            servers_of_the_test::unix(&path, Self::address(before));
            path.display().to_string()
        };
        Self { realm: self.realm, kdc: socket("kdc", &self.kdc), kpasswd: socket("kpasswd", &self.kpasswd) }
    }
}

/// A configuration of realms, and the certificate of the proxy in it.
struct Setting {
    config: Config,
    https: Proxies,
}

impl Setting {
    fn new(places: &[Place], more: &str) -> Self {
        let sections = places.iter().map(|Place { realm, kdc, kpasswd }| {
            format!(" {realm} = {{\n  kdc = {kdc}\n  kpasswd_server = {kpasswd}\n }}\n")
        });
        let text = format!("[libdefaults]\n dns_lookup_kdc = false\n{more}[realms]\n{}", sections.collect::<String>());
        Self { config: Config::parse(&text, &mut NoIncludes).unwrap(), https: Proxies::new(&[]) }
    }

    /// The realms over a transport, by sockets and a proxy of the test.
    fn over(way: Way, places: Vec<Place>, folder: &Path) -> Option<Self> {
        match way {
            Way::Udp | Way::Tcp => Some(Self::new(&places, "")),
            Way::Unix => {
                Some(Self::new(&places.iter().map(|place| place.behind_sockets(folder)).collect::<Vec<_>>(), ""))
            }
            Way::Proxy => {
                let known: BTreeMap<&str, [SocketAddr; 2]> = places
                    .iter()
                    .map(|place| (place.realm, [Place::address(&place.kdc), Place::address(&place.kpasswd)]))
                    .collect();
                let proxy = proxy::start(
                    folder,
                    Box::new(move |framed, realm| {
                        // AS-REQ and TGS-REQ have tags of the class APPLICATION; others are for the server of passwords.
                        let is_kdc = framed.get(4).is_some_and(|tag| tag & 0xC0 == 0x40);
                        proxy::pass_on(known[realm][usize::from(!is_kdc)], framed)
                    }),
                )?;
                let url = format!("https://localhost:{}/KdcProxy", proxy.address.port());
                let through =
                    places.iter().map(|place| Place { realm: place.realm, kdc: url.clone(), kpasswd: url.clone() });
                let setting = Self::new(&through.collect::<Vec<_>>(), "");
                Some(Self { https: Proxies::new(&[proxy.certificate]), ..setting })
            }
        }
    }

    fn peer<'a>(&'a self, realm: &'static str, way: Way, folder: &'a Path, certificates: &'a Certificates) -> Peer<'a> {
        let network = Network::new(&self.config, way.limits()).with_https(&self.https);
        Peer { realm, network, way, folder, certificates, backend: AwsLc::new(), seen: RefCell::default() }
    }
}

fn mit(way: Way) {
    if !realm::plugin("pkinit", "krb5-pkinit") || !realm::plugin("otp", "krb5-otp") {
        return;
    }
    let certificates = Certificates::new(realm::REALM);
    let own_socket = way == Way::Unix && realm::release() >= SOCKETS;
    let lines = |folder: &Path| {
        certificates.write(folder);
        let at = folder.display();
        let listen = if own_socket { format!("  kdc_listen = {at}/kdc.sock\n") } else { String::new() };
        format!("{listen}  pkinit_identity = FILE:{at}/kdc.pem,{at}/kdc.pem\n  pkinit_anchors = FILE:{at}/ca.pem\n")
    };
    let queries = ["addprinc -pw pkpw +requires_preauth pkuser", "addprinc -randkey WELLKNOWN/ANONYMOUS"];
    let Some(realm) = Realm::start_with(&queries, lines) else { return };
    let folder = realm.folder.path();
    radius::start(&folder.join("radius.sock"), b"123456");
    let place = Place::tcp(realm::REALM, &realm.config);
    let setting = if own_socket {
        let socket = |name: &str| folder.join(name).display().to_string();
        Some(Setting::new(&[Place { kdc: socket("kdc.sock"), kpasswd: socket("kpasswd.sock"), ..place }], ""))
    } else {
        Setting::over(way, vec![place], folder)
    };
    let Some(setting) = setting else { return };
    let peer = setting.peer(realm::REALM, way, folder, &certificates);
    peer.play(|row| row.mit.is_some_and(|since| realm::release() >= since));
}

fn heimdal(way: Way) {
    let certificates = Certificates::new(heimdal::REALM);
    let lines = |folder: &Path| {
        certificates.write(folder);
        let at = folder.display();
        format!(
            " enable-pkinit = yes\n pkinit_identity = FILE:{at}/kdc.pem\n pkinit_anchors = FILE:{at}/ca.pem\n \
             pkinit_principal_in_certificate = yes\n allow-anonymous = yes\n"
        )
    };
    let Some(realm) = Heimdal::start_with(lines) else { return };
    realm.admin(&["add", "--password=pkpw", "--use-defaults", "pkuser"]);
    realm.admin(&["mod", "--attributes=requires-pre-auth", "pkuser"]);
    let folder = realm.folder.path();
    let places = vec![Place::tcp(heimdal::REALM, &realm.config)];
    let Some(setting) = Setting::over(way, places, folder) else { return };
    setting.peer(heimdal::REALM, way, folder, &certificates).play(|row| row.heimdal.contains(&way));
}

/// From a realm of MIT's to one of Heimdal's, both over the transport.
fn between(way: Way) {
    let Some(theirs) = Heimdal::start() else { return };
    let Some(mit) = Realm::start() else { return };
    let query = format!("addprinc -e aes256-cts:normal -pw \"{}\" krbtgt/HEIM.TEST@KRB.TEST", heimdal::SHARED);
    mit.run("kadmin.local", &["-r", realm::REALM, "-q", &query]);
    let (folder, certificates) = (mit.folder.path(), Certificates::new(realm::REALM));
    let places = vec![Place::tcp(realm::REALM, &mit.config), Place::tcp(heimdal::REALM, &theirs.config)];
    let Some(setting) = Setting::over(way, places, folder) else { return };
    let peer = setting.peer(realm::REALM, way, folder, &certificates);
    referral(&peer, "host/far.heim.test", "host/far.heim.test@HEIM.TEST");
}

macro_rules! tests {
    ($($name:ident = $play:ident($way:ident);)*) => {
        /// Tests with their functions and transports.
        const TESTS: &[(&str, &str, Way)] = &[$((stringify!($name), stringify!($play), Way::$way)),*];
        $(#[test]
        fn $name() {
            $play(Way::$way);
        })*
    };
}

tests! {
    mit_over_udp = mit(Udp);
    mit_over_tcp = mit(Tcp);
    mit_over_a_unix_socket = mit(Unix);
    mit_through_a_proxy = mit(Proxy);
    heimdal_over_udp = heimdal(Udp);
    heimdal_over_tcp = heimdal(Tcp);
    heimdal_over_a_unix_socket = heimdal(Unix);
    heimdal_through_a_proxy = heimdal(Proxy);
    between_realms_over_udp = between(Udp);
    between_realms_over_tcp = between(Tcp);
    between_realms_over_unix_sockets = between(Unix);
    between_realms_through_a_proxy = between(Proxy);
}

/// The part of the guide that is made of the rows and the tests.
fn table() -> String {
    let ways = |ways: &[Way]| match ways {
        [] => "-".to_owned(),
        ways if ways == Way::ALL => "all".to_owned(),
        ways => ways.iter().map(|way| way.name()).collect::<Vec<_>>().join(", "),
    };
    let mit = |row: &Row, release: u32| match row.mit {
        Some(since) if since <= release => "all",
        _ => "-",
    };
    let mut text = "| Exchange | MIT 1.20.1, 1.21.3 | MIT 1.22.1 | Heimdal 7.8 |\n|---|---|---|---|\n".to_owned();
    for row in ROWS {
        text += &format!("| {} | {} | {} | {} |\n", row.name, mit(row, 21), mit(row, SOCKETS), ways(row.heimdal));
    }
    text += "\n| Test | UDP | TCP | UNIX | KKDCP |\n|---|---|---|---|---|\n";
    for (play, what) in
        [("mit", "MIT's KDC"), ("heimdal", "Heimdal's KDC"), ("between", "A referral from MIT's realm to Heimdal's")]
    {
        let test = |way: &Way| TESTS.iter().find(|(_, of, over)| (*of, over) == (play, way)).unwrap().0;
        let names: Vec<String> = Way::ALL.iter().map(|way| format!("`{}`", test(way))).collect();
        text += &format!("| {what} | {} |\n", names.join(" | "));
    }
    text
}

#[test]
fn the_table_of_the_guide() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/src/kerberos.md");
    let text = fs::read_to_string(page).unwrap();
    assert!(text.contains(&table()), "the guide (docs/src/kerberos.md) lacks this table:\n{}", table());
}
