//! The contents of the configuration files.

use std::path::Path;

use super::layout::Layout;
use super::programs::Version;
use super::realm;
use crate::policy::{Database, FILE, OtpModule, Policy, VARIABLE};

/// The first line of each file, which identifies the program that wrote it.
const HEAD: &str = "# Written by `tagwise localkdc setup`; `tagwise localkdc teardown` removes it.\n";

/// The restrictions for every systemd service. No service needs the restricted capabilities, whichever modules PAM or the KDC load.
const HARDENING: &str = "LimitCORE=0
LockPersonality=yes
NoNewPrivileges=yes
PrivateMounts=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
UMask=0077
";

/// The KDC's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// A UNIX socket.
    Socket,
    /// A port on 127.0.0.1.
    Port(u16),
}

impl Endpoint {
    /// Returns whether the version supports UNIX sockets, which were introduced in version 1.22.
    pub(super) fn is_socket(version: Version) -> bool {
        version >= (1, 22)
    }
}

/// Returns the default policy, which is written if there is no policy.
pub(super) fn policy(layout: &Layout) -> String {
    let audit = layout.audit();
    format!(
        "# Policy of the local KDC. A key that is not known is an error; what is left out has the value that stands here.
# See localkdc in the guide.

realm = \"LOCALKDC\"
database = \"sqlite\"             # or \"db2\", or \"klmdb\" where MIT Kerberos has it

[tickets]
max_life = 36000                # seconds
max_renewable_life = 604800

[keys]
max_age = 90                    # days, after which `tagwise localkdc rotate` replaces a key
seal = \"auto\"                   # the master key; or \"systemd\", or \"none\"

[users]                         # users of the system who are principals
min_uid = 1000
max_uid = 60000
also = []                       # whatever their numbers
except = []

[hosts]
addresses = true                # host/ADDRESS for each address that this machine has
names = [\"localhost\"]

[passwords]
check = \"pam\"                   # or \"tokens\", or \"program\"
otp = \"mit\"                     # or \"own\": the KDC's module that takes passwords
service = \"localkdc\"            # a file of /etc/pam.d
timeout = 15                    # seconds
failures = 5                    # before a user has to wait

[audit]
file = \"{}\"
journal = true

# [[services]]
# name = \"HTTP/web.local\"
# delegates_to = [\"postgres/db.local\"]
",
        audit.display()
    )
}

/// Builds the KDC's configuration.
pub(super) fn kdc_conf(
    layout: &Layout,
    Policy { realm, tickets, passwords, .. }: &Policy,
    database: Database,
    endpoint: Endpoint,
    module: &Path,
) -> String {
    let listen = match endpoint {
        Endpoint::Socket => format!(" kdc_listen = {}\n kdc_tcp_listen = \"\"\n", layout.kdc_socket().display()),
        // No UDP: a client that gets an error by it asks again and again, for 17 seconds. Where the port is closed it learns so at once.
        Endpoint::Port(port) => format!(" kdc_listen = \"\"\n kdc_tcp_listen = 127.0.0.1:{port}\n"),
    };
    let show = |path: std::path::PathBuf| path.display().to_string();
    let (below, files) = match database {
        Database::Sqlite => (format!("database_name = {}", show(layout.database())), String::new()),
        mit => (
            "inner = files".to_owned(),
            format!(
                " files = {{
  db_library = {}
  database_name = {}
  disable_last_success = true
  disable_lockout = true
 }}
",
                mit.name(),
                show(layout.mit_database())
            ),
        ),
    };
    // The KDC waits longer than the check, so that the check's verdict comes in time.
    let timeout = passwords.timeout.saturating_add(5);
    format!(
        "{HEAD}[kdcdefaults]
{listen}[realms]
 {realm} = {{
  database_module = localkdc
  key_stash_file = {stash}
  max_life = {life}s
  max_renewable_life = {renewable}s
  supported_enctypes = aes256-cts-hmac-sha384-192:normal aes256-cts-hmac-sha1-96:normal
  default_principal_flags = +preauth
  pkinit_identity = FILE:{certificate},{key}
  pkinit_anchors = FILE:{ca}
  restrict_anonymous_to_tgt = true
 }}
[dbmodules]
 db_module_dir = {modules}
 localkdc = {{
  db_library = localkdc
  {below}
  policy = {policy}
 }}
{files}[otp]
 localkdc = {{
  server = {radius}
  timeout = {timeout}
  retries = 1
  strip_realm = true
 }}
[logging]
 kdc = FILE:{log}
[plugins]
 audit = {{
  module = localkdc:{module}
 }}
{otp}",
        stash = show(layout.stash()),
        life = tickets.max_life,
        renewable = tickets.max_renewable_life,
        certificate = show(layout.certificate()),
        key = show(layout.key()),
        ca = show(layout.ca()),
        modules = show(layout.modules()),
        policy = show(layout.policy()),
        radius = show(layout.radius()),
        log = show(layout.kdc_log()),
        module = module.display(),
        otp = otp(passwords.otp, module),
    )
}

/// Returns the KDC's configuration of one-time password modules. If ours is selected, MIT's is disabled.
fn otp(chosen: OtpModule, module: &Path) -> String {
    match chosen {
        OtpModule::Mit => String::new(),
        OtpModule::Own => {
            format!(" kdcpreauth = {{\n  module = localkdc_otp:{}\n  disable = otp\n }}\n", module.display())
        }
    }
}

/// Builds the realm's configuration for clients.
pub(super) fn snippet(layout: &Layout, policy: &Policy, endpoint: Endpoint) -> String {
    let kdc = match endpoint {
        Endpoint::Socket => layout.kdc_socket().display().to_string(),
        Endpoint::Port(port) => format!("127.0.0.1:{port}"),
    };
    let (realm, ca) = (&policy.realm, layout.ca());
    format!("{HEAD}[realms]\n {realm} = {{\n  kdc = {kdc}\n  pkinit_anchors = FILE:{}\n }}\n", ca.display())
}

/// Builds the complete client configuration used below a prefix.
pub(super) fn krb5_conf(layout: &Layout, policy: &Policy) -> String {
    let realm = &policy.realm;
    format!(
        "{HEAD}include {}
[libdefaults]
 default_realm = {realm}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
 default_keytab_name = FILE:{}
[domain_realm]
 localhost = {realm}
",
        layout.snippet().display(),
        layout.keytab().display()
    )
}

/// The programs that systemd units start.
pub(super) struct Programs<'a> {
    pub(super) kdc: &'a Path,
    pub(super) daemon: &'a Path,
    pub(super) tagwise: &'a Path,
}

/// Builds the systemd units, as pairs of name and text.
pub(super) fn units(
    layout: &Layout,
    policy: &Policy,
    endpoint: Endpoint,
    programs: &Programs<'_>,
) -> Vec<(&'static str, String)> {
    let (config, radius) = (layout.policy(), layout.radius());
    let config = config.display();
    let mut units = vec![
        (
            "localkdc-radius.socket",
            format!(
                "{HEAD}[Unit]
Description=Check of passwords for the local KDC

[Socket]
ListenStream={}
SocketMode=0600
DirectoryMode=0755

[Install]
WantedBy=sockets.target
",
                radius.display()
            ),
        ),
        (
            "localkdc-radius.service",
            format!(
                "{HEAD}[Unit]
Description=Check of passwords for the local KDC
Requires=localkdc-radius.socket

[Service]
ExecStart={} --config {config}
{HARDENING}ProtectSystem=full
ProtectHome=read-only
CapabilityBoundingSet=CAP_AUDIT_WRITE CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_SETGID CAP_SETUID
",
                programs.daemon.display()
            ),
        ),
    ];
    let sockets = match endpoint {
        Endpoint::Port(_) => "",
        Endpoint::Socket => {
            units.push((
                "localkdc.socket",
                format!(
                    "{HEAD}[Unit]
Description=Local KDC

[Socket]
ListenStream={}
SocketMode=0666
DirectoryMode=0755

[Install]
WantedBy=sockets.target
",
                    layout.kdc_socket().display()
                ),
            ));
            "Requires=localkdc.socket\nAfter=localkdc.socket\n"
        }
    };
    let variable =
        if layout.policy() == Path::new(FILE) { String::new() } else { format!("Environment={VARIABLE}={config}\n") };
    // The service manager opens the seal for the KDC; without the file the unit does not start.
    let sealed = layout.sealed_stash();
    let credential = match realm::seals(layout, policy) {
        true => format!("LoadCredentialEncrypted={}:{}\n", crate::seal::NAME, sealed.display()),
        false => String::new(),
    };
    units.extend(rotation(layout, programs.tagwise));
    units.push((
        "localkdc.service",
        format!(
            "{HEAD}[Unit]
Description=Local KDC
Requires=localkdc-radius.socket
After=localkdc-radius.socket
{sockets}
[Service]
ExecStart={} -n -r {}
Environment=KRB5_KDC_PROFILE={}
{variable}{credential}{HARDENING}ProtectSystem=strict
ReadWritePaths={} {}
ProtectHome=yes
PrivateDevices=yes
CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_NET_BIND_SERVICE

[Install]
WantedBy=multi-user.target
",
            programs.kdc.display(),
            policy.realm,
            layout.kdc_conf().display(),
            layout.state().display(),
            layout.logs().display(),
        ),
    ));
    units
}

/// Builds the systemd units that rotate keys.
fn rotation(layout: &Layout, tagwise: &Path) -> [(&'static str, String); 2] {
    let prefix = if layout.is_system() { String::new() } else { format!(" --prefix {}", layout.prefix().display()) };
    [
        (
            "localkdc-rotate.service",
            format!(
                "{HEAD}[Unit]
Description=Rotation of the local KDC's keys

[Service]
Type=oneshot
ExecStart={} localkdc rotate{prefix}
{HARDENING}ProtectSystem=yes
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER
",
                tagwise.display()
            ),
        ),
        (
            "localkdc-rotate.timer",
            format!(
                "{HEAD}[Unit]
Description=Rotation of the local KDC's keys

[Timer]
OnCalendar=daily
RandomizedDelaySec=1h
Persistent=true

[Install]
WantedBy=timers.target
"
            ),
        ),
    ]
}
