//! Tests without a server.

use super::*;

#[test]
fn connections_have_time_limits() {
    let own = config("host=db user=ca connect_timeout=3 tcp_user_timeout=4 keepalives_idle=5").unwrap();
    assert_eq!(own.get_connect_timeout().map(Duration::as_secs), Some(3));
    assert_eq!(own.get_tcp_user_timeout(), Some(&Duration::from_secs(4)));
    assert_eq!(own.get_keepalives_idle(), Duration::from_secs(5));
    let default = config("postgresql://ca@db/ca").unwrap();
    assert_eq!(default.get_connect_timeout(), Some(&UNREACHABLE));
    assert_eq!(default.get_tcp_user_timeout(), Some(&UNREACHABLE));
    assert_eq!(default.get_keepalives_idle(), UNREACHABLE);
}
