//! `localkdc-pam-auth`: the RADIUS server that checks passwords for a local KDC.
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    tagwise_localkdc::daemon::main(std::env::args_os().skip(1))
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!("localkdc-pam-auth: requires Linux");
    std::process::ExitCode::from(2)
}
