use super::*;

/// The Access-Request of RFC 2865 §7.1: user `nemo`, password `arctangent`, secret `xyzzy5461`.
const NEMO: &[u8] = &[
    0x01, 0x00, 0x00, 0x38, // Access-Request, identifier 0, 56 bytes
    0x0f, 0x40, 0x3f, 0x94, 0x73, 0x97, 0x80, 0x57, 0xbd, 0x83, 0xd5, 0xcb, 0x98, 0xf4, 0x22,
    0x7a, // authenticator
    0x01, 0x06, 0x6e, 0x65, 0x6d, 0x6f, // User-Name
    0x02, 0x12, 0x0d, 0xbe, 0x70, 0x8d, 0x93, 0xd4, 0x13, 0xce, 0x31, 0x96, 0xe4, 0x3f, 0x78, 0x2a, 0x0a, 0xee, 0x04,
    0x06, 0xc0, 0xa8, 0x01, 0x10, // NAS-IP-Address
    0x05, 0x06, 0x00, 0x00, 0x00, 0x03, // NAS-Port
];
const SECRET: &[u8] = b"xyzzy5461";

/// The packet with an attribute behind it, and its length put right.
fn with(attribute: &[u8]) -> Vec<u8> {
    let mut packet = [NEMO, attribute].concat();
    packet[3] = u8::try_from(packet.len()).unwrap();
    packet
}

fn signed(secret: &[u8]) -> Vec<u8> {
    let mut packet = with(&[&[80, 18][..], &[0; 16]].concat());
    let mut mac = keyed(secret);
    mac.update(&packet);
    let at = packet.len() - 16;
    packet[at..].copy_from_slice(&mac.finalize().into_bytes());
    packet
}

#[test]
fn the_request_of_the_rfc() {
    let request = Request::parse(NEMO, SECRET, false).unwrap();
    assert_eq!((request.user(), request.password().expose()), ("nemo", &b"arctangent"[..]));
    assert!(!format!("{request:?}").contains("arctangent"));
    assert_eq!(Request::parse(NEMO, SECRET, true).unwrap_err(), Malformed::Absent(80));
    // With another secret it is another password, which is what a server cannot tell.
    assert_ne!(Request::parse(NEMO, b"", false).unwrap().password().expose(), b"arctangent");
}

#[test]
fn message_authenticators() {
    let packet = signed(SECRET);
    assert_eq!(Request::parse(&packet, SECRET, true).unwrap().user(), "nemo");
    assert_eq!(Request::parse(&packet, b"other", false).unwrap_err(), Malformed::Authenticator);
    for at in 0..packet.len() {
        let mut changed = packet.clone();
        changed[at] ^= 1;
        assert!(Request::parse(&changed, SECRET, true).is_err(), "byte {at} is not covered");
    }
}

#[test]
fn malformed_packets_are_discarded() {
    for (packet, why) in [
        (NEMO[..19].to_vec(), Malformed::Length),
        (NEMO[..55].to_vec(), Malformed::Length),
        ([NEMO, &[0]].concat(), Malformed::Length),
        ([&[4], &NEMO[1..]].concat(), Malformed::Code(4)),
        (with(&[18]), Malformed::Attribute { at: 56 }),
        (with(&[18, 1]), Malformed::Attribute { at: 56 }),
        (with(&[18, 3]), Malformed::Attribute { at: 56 }),
        (with(&[1, 3, b'x']), Malformed::Repeated(1)),
        (with(&[80, 3, 0]), Malformed::Attribute { at: 56 }),
        // An Access-Request with nothing in it.
        ([&[1, 0, 0, 20], &[0; 16][..]].concat(), Malformed::Absent(1)),
        ([&[1, 0, 0, 23], &[0; 16][..], &[1, 3, b'x']].concat(), Malformed::Absent(2)),
        ([&[1, 0, 0, 28], &[0; 16][..], &[1, 3, b'x', 2, 5, 1, 1, 1]].concat(), Malformed::Password),
        ([&[1, 0, 0, 41], &[0; 16][..], &[1, 3, b'\n', 2, 18], &[0; 16][..]].concat(), Malformed::Name),
        ([&[1, 0, 0, 40], &[0; 16][..], &[1, 2, 2, 18], &[0; 16][..]].concat(), Malformed::Name),
    ] {
        assert_eq!(Request::parse(&packet, SECRET, false).unwrap_err(), why, "{packet:02x?}");
    }
    let mut long = NEMO.to_vec();
    long.resize(MAX_LEN + 1, 0);
    assert_eq!(Request::parse(&long, SECRET, false).unwrap_err(), Malformed::Length);
}

#[test]
fn replies_are_signed_as_requests_are_and_carry_proxy_states() {
    let signed_request = signed(SECRET);
    for (packet, with_mac) in [(with(&[33, 4, 7, 8, 33, 3, 9]), false), (signed_request, true)] {
        let request = Request::parse(&packet, SECRET, false).unwrap();
        let reply = request.reply(Reply::Accept, SECRET);
        assert_eq!((reply[0], reply[1], usize::from(reply[3])), (2, 0, reply.len()));
        // RFC 2865 §3: MD5(Code+ID+Length+RequestAuth+Attributes+Secret).
        let expected = Md5::digest([&reply[..4], &NEMO[4..20], &reply[20..], SECRET].concat());
        assert_eq!(reply[4..20], expected[..]);
        if with_mac {
            assert_eq!(reply[20..22], [80, 18]);
            // RFC 2869 §5.14: over the packet with the request's authenticator and zeros.
            let mut mac = keyed(SECRET);
            mac.update(&[&reply[..4], &NEMO[4..20], &[80, 18], &[0; 16]].concat());
            mac.verify_slice(&reply[22..]).unwrap();
        } else {
            assert_eq!(reply[20..], [33, 4, 7, 8, 33, 3, 9]);
        }
        assert_eq!(request.reply(Reply::Reject, SECRET)[0], 3);
    }
}
