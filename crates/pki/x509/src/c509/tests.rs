//! The examples of the draft (Appendix A), and what is neither read nor written.

use super::*;

/// §A.1: an X.509 certificate by the profile of RFC 7925.
const PROFILED: &str = "\
    308201383081dea003020102020301f50d300a06082a8648ce3d04030230163114301206035504030c0b52464320746573742043\
    41301e170d3233303130313030303030305a170d3236303130313030303030305a30223120301e06035504030c1730312d32332d\
    34352d46462d46452d36372d38392d41423059301306072a8648ce3d020106082a8648ce3d03010703420004b1216ab96e5b3b33\
    40f5bdf02e693f16213a04525ed44450b1019c2dfd3838abac4e14d86c0983ed5e9eef2448c6861cc406547177e6026030d051f7\
    792ac206a30f300d300b0603551d0f040403020780300a06082a8648ce3d0403020349003046022100d4320b1d6849e309219d30\
    037e138166f2508247dddae76cceea55053c108e90022100d551f6d60106f1abb484cfbe6256c178e4ac3314ea19191e8b607da5\
    ae3bda16\
";

/// §A.1.1: the same.
const PROFILED_C509: &str = "\
    034301f50d006b52464320746573742043411a63b0cd001a6955b900d830460123456789ab015821feb1216ab96e5b3b3340f5bd\
    f02e693f16213a04525ed44450b1019c2dfd3838ab015840d4320b1d6849e309219d30037e138166f2508247dddae76cceea5505\
    3c108e90d551f6d60106f1abb484cfbe6256c178e4ac3314ea19191e8b607da5ae3bda16\
";

/// §A.1.2: natively signed.
const NATIVE: &str = "\
    024301f50d006b52464320746573742043411a63b0cd001a6955b900d830460123456789ab01582102b1216ab96e5b3b3340f5bd\
    f02e693f16213a04525ed44450b1019c2dfd3838ab015840eb0d472731f689bc00f5880b12c68b3f9fd38b23fadfca20950f3f24\
    1b60a202579cac28cd3b7494d5fa5d8bbab4600357e550ab9fa9a65d9ba2b3b82e668cc6\
";

/// §A.2: an IEEE 802.1AR certificate.
const DEVICE: &str = "\
    3082023d308201e2a00302010202087e7661d7b54e4632300a06082a8648ce3d040302305d310b3009060355040613025553310b\
    300906035504080c02434131143012060355040a0c0b4578616d706c6520496e6331163014060355040b0c0d6365727469666963\
    6174696f6e3113301106035504030c0a3830322e3141522043413020170d3139303133313131323931365a180f39393939313233\
    313233353935395a305c310b3009060355040613025553310b300906035504080c024341310b300906035504070c024c41311430\
    12060355040a0c0b6578616d706c6520496e63310c300a060355040b0c03496f54310f300d060355040513065774313233343059\
    301306072a8648ce3d020106082a8648ce3d03010703420004c8b421f11c25e47e3ac57123bf2d9fdc494f028bc351cc80c03f15\
    0bf50cff958d75419d81a6a245dffae790be95cf75f602f9152618f816a2b23b5638e59fd9a3818a30818730090603551d130402\
    3000301d0603551d0e0416041496600d8716bf7fd0e752d0ac760777ad665d02a0301f0603551d2304183016801468d16551f951\
    bfc82a431d0d9f08bc2d205b1160300e0603551d0f0101ff0404030205a0302a0603551d1104233021a01f06082b060105050708\
    04a013301106092b06010401b43b0a01040401020304300a06082a8648ce3d0403020349003046022100c0d81996d2507d693f3c\
    48eaa5ee9491bda6db214099d98117c63b361374cd86022100a774989f4c321a5cf25d832a4d336a08ad67df20f1506421188a0a\
    de6d349236\
";

/// §A.2.1: the same.
const DEVICE_C509: &str = "\
    03487e7661d7b54e4632008a2362555306624341086b4578616d706c6520496e63096d63657274696669636174696f6e016a3830\
    322e3141522043411a5c52dc0cf68c236255530662434105624c41086b6578616d706c6520496e630963496f5422665774313233\
    34015821fdc8b421f11c25e47e3ac57123bf2d9fdc494f028bc351cc80c03f150bf50cff958a0421015496600d8716bf7fd0e752\
    d0ac760777ad665d02a0075468d16551f951bfc82a431d0d9f08bc2d205b1160210503822082492b06010401b43b0a0144010203\
    045840c0d81996d2507d693f3c48eaa5ee9491bda6db214099d98117c63b361374cd86a774989f4c321a5cf25d832a4d336a08ad\
    67df20f1506421188a0ade6d349236\
";

/// §A.3: a certificate of a web server.
const SERVER: &str = "\
    308204b53082045aa0030201020210047fa1e31928ee403ba0b83a395673fc300a06082a8648ce3d040302304a310b3009060355\
    04061302555331193017060355040a1310436c6f7564666c6172652c20496e632e3120301e06035504031317436c6f7564666c61\
    726520496e63204543432043412d33301e170d3230303732393030303030305a170d3231303732393132303030305a306d310b30\
    09060355040613025553310b3009060355040813024341311630140603550407130d53616e204672616e636973636f3119301706\
    0355040a1310436c6f7564666c6172652c20496e632e311e301c06035504031315736e692e636c6f7564666c61726573736c2e63\
    6f6d3059301306072a8648ce3d020106082a8648ce3d03010703420004963ecdd84dcd1b93a1cf432d1a7217d6c63bde3355a02f\
    8cfb5ad8994cd44e205f15f6e3d23b382ba6499bb17f341fa592fa21861f16d31206632405fd7042bda38202fd308202f9301f06\
    03551d23041830168014a5ce37eaebb0750e946788b445fad9241087961f301d0603551d0e04160414cc0b50e7d837dbf243f385\
    3d4860f53b39be9b2a302e0603551d11042730258215736e692e636c6f7564666c61726573736c2e636f6d820c7777772e696574\
    662e6f7267300e0603551d0f0101ff040403020780301d0603551d250416301406082b0601050507030106082b06010505070302\
    307b0603551d1f047430723037a035a0338631687474703a2f2f63726c332e64696769636572742e636f6d2f436c6f7564666c61\
    7265496e6345434343412d332e63726c3037a035a0338631687474703a2f2f63726c342e64696769636572742e636f6d2f436c6f\
    7564666c617265496e6345434343412d332e63726c304c0603551d2004453043303706096086480186fd6c0101302a302806082b\
    06010505070201161c68747470733a2f2f7777772e64696769636572742e636f6d2f4350533008060667810c010202307606082b\
    06010505070101046a3068302406082b060105050730018618687474703a2f2f6f6373702e64696769636572742e636f6d304006\
    082b060105050730028634687474703a2f2f636163657274732e64696769636572742e636f6d2f436c6f7564666c617265496e63\
    45434343412d332e637274300c0603551d130101ff0402300030820105060a2b06010401d6790204020481f60481f300f1007600\
    f65c942fd1773022145418083094568ee34d131933bfdf0c2f200bcc4ef164e3000001739c835f8e0000040300473045022100f8\
    d1b4a93d2f0d4c4176dfb488bcc73b86443d7de00e6ac8174d8948a8843668022029ff5a34068a240c69502788e8ee25ab7ed2cb\
    cf686ece7b5f96b431a90702fa0077005cdc4392fee6ab4544b15e9ad456e61037fbd5fa47dca17394b25ee6f6c70eca00000173\
    9c835fbe0000040300483046022100e891c197bfb0e3d30cb6cee60d94c3c75fd1175336931108d89812d4d29d81d0022100a159\
    d16c4647d1483757fcd6ce4e75ec7b5ef657efe028f8e5cc4792682dac43300a06082a8648ce3d0403020349003046022100bd63\
    cf4f7e5cfe6c29385ea71cfbfc1e3f7b1cd07251a221f77769c0f471dfea022100b5c06cc45854fa30b28288b1d3bb9a6661ed50\
    31725b1a8202e0da5b59f95402\
";

fn octets(hex: &str) -> Vec<u8> {
    tagwise_codec::text::hex::decode(hex.as_bytes()).unwrap()
}

#[test]
fn examples() {
    for (x509, c509) in [(PROFILED, PROFILED_C509), (DEVICE, DEVICE_C509)] {
        let (x509, c509) = (octets(x509), octets(c509));
        let read = C509Certificate::read(&c509).unwrap();
        assert_eq!((read.kind(), read.as_bytes()), (C509Kind::ReEncoded, &*c509));
        assert_eq!(read.to_x509().unwrap(), x509);
        assert_eq!(from_x509(&x509).unwrap(), c509);
        // As an array, and as COSE has it.
        let array = [&[0x8B], &*c509].concat();
        assert_eq!(C509Certificate::read(&array).unwrap(), read);
        let wrapped = item::write(&[CborItem::bytes(&c509)]);
        assert_eq!(C509Certificate::read(&wrapped).unwrap(), read);
    }
}

/// The draft says of this one how long it is, and what it has in diagnostic notation.
#[test]
fn a_server() {
    let x509 = octets(SERVER);
    let c509 = from_x509(&x509).unwrap();
    assert_eq!(c509.len(), 783);
    assert_eq!(C509Certificate::read(&c509).unwrap().to_x509().unwrap(), x509);
    let items = item::read(&c509).unwrap();
    let extensions = items[9].as_array().unwrap();
    assert_eq!(
        extensions[4..6],
        [
            CborItem::Int(3),
            CborItem::Array(vec![
                CborItem::Int(2),
                CborItem::text("sni.cloudflaressl.com"),
                CborItem::Int(2),
                CborItem::text("www.ietf.org"),
            ])
        ]
    );
    assert_eq!(
        extensions[6..10],
        [
            CborItem::Int(-2),
            CborItem::Int(1),
            CborItem::Int(8),
            CborItem::Array(vec![CborItem::Int(1), CborItem::Int(2)])
        ]
    );
    assert_eq!(extensions[16..18], [CborItem::Int(-4), CborItem::Int(-2)]);
    let stamps = extensions[19].as_array().unwrap();
    assert_eq!((stamps.len(), &stamps[1], &stamps[2]), (8, &CborItem::Int(77_922_190), &CborItem::Int(0)));
}

#[test]
fn natively_signed() {
    let c509 = octets(NATIVE);
    let read = C509Certificate::read(&c509).unwrap();
    assert_eq!((read.kind(), read.to_x509()), (C509Kind::Native, Err(Error::Native)));
    // Two octets and 64 of signature are not signed.
    assert_eq!(read.signed_part(), &c509[..c509.len() - 66]);
    let fields = Certificate::outline(read.fields()).unwrap();
    assert_eq!(fields.tbs_certificate.subject.oneline().to_string(), "CN=01-23-45-FF-FE-67-89-AB");
}

/// Every prefix is refused, and every octet that is changed is refused, or read as something that is written with it.
#[test]
fn damaged() {
    let c509 = octets(DEVICE_C509);
    for len in 0..c509.len() {
        assert!(C509Certificate::read(&c509[..len]).is_err(), "{len}");
    }
    for at in 0..c509.len() {
        for bit in 0..8 {
            let mut other = c509.clone();
            other[at] ^= 1 << bit;
            let Ok(read) = C509Certificate::read(&other) else { continue };
            assert_eq!(read.as_bytes(), other, "{at}");
            if let Ok(x509) = read.to_x509()
                && let Ok(again) = from_x509(&x509)
            {
                assert_eq!(C509Certificate::read(&again).unwrap().to_x509().unwrap(), x509, "{at}");
            }
        }
    }
}

#[test]
fn not_deterministic() {
    let c509 = octets(PROFILED_C509);
    // The type in two octets.
    let long = [&[0x18, 0x03], &c509[1..]].concat();
    assert!(matches!(C509Certificate::read(&long), Err(Error::Cbor { offset: 0, .. })));
    // Arrays in arrays, and one that says more than there is.
    assert!(matches!(C509Certificate::read(&[0x81; 4000]), Err(Error::Cbor { what: "nesting too deep", .. })));
    assert!(matches!(C509Certificate::read(b"\x9B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Err(Error::Cbor { .. })));
    assert!(matches!(C509Certificate::read(&[0x9F, 0xFF]), Err(Error::Cbor { .. })));
}

#[test]
fn texts_that_are_numbers() {
    let read = |text: &str| {
        let name = sequence(&[der::list(
            0x31,
            &[sequence(&[element(0x06, &[&[0x55, 4, 3]]), element(0x0C, &[text.as_bytes()])])],
        )]);
        let item = name::encode(&Any::from_der(&name).unwrap()).unwrap();
        assert_eq!(name::decode(&item, false).unwrap(), name, "{text}");
        item
    };
    assert_eq!(read("0a1b"), CborItem::Bytes(vec![0x0A, 0x1B]));
    for text in ["0A1B", "0a1", "", "a", "01-23-45-ff-fe-67-89-ab", "01-23", "01-23-45-FF-FE-67-89-AB-CD"] {
        assert_eq!(read(text), CborItem::text(text));
    }
    assert_eq!(
        read("01-23-45-67-89-AB-CD-EF"),
        CborItem::Tag(48, Box::new(CborItem::bytes(&[1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])))
    );
}

/// The form of an extension's value, which gives the same octets again; nothing if it has none.
fn form_of(number: i128, value: &[u8]) -> Option<CborItem> {
    let context = extension::Context { not_before: 0, native: false };
    let item = extension::form(number, value, context)?;
    assert_eq!(extension::spell(number, &item, context).unwrap(), value);
    Some(item)
}

#[test]
fn autonomous_systems() {
    let value = |elements: &[Vec<u8>]| sequence(&[der::list(0xA0, &[sequence(elements)])]);
    let range = |min, max| sequence(&[der::small(min), der::small(max)]);
    // Differences: 64496, 64500 to 64505, 65551.
    let some = value(&[der::small(64496), range(64500, 64505), der::small(65551)]);
    let ints = |numbers: &[i128]| numbers.iter().copied().map(CborItem::Int).collect::<Vec<_>>();
    let [first, last] = [64496, 1046].map(CborItem::Int);
    let expected = CborItem::Array(vec![first, CborItem::Array(ints(&[4, 5])), last]);
    for number in [33, 35] {
        assert_eq!(form_of(number, &some), Some(expected.clone()));
        assert_eq!(form_of(number, &[0x30, 4, 0xA0, 2, 5, 0]), Some(CborItem::Null));
    }
    // Numbers that fall, and routing domains.
    assert_eq!(form_of(33, &value(&[der::small(2), der::small(1)])), None);
    assert_eq!(form_of(33, &[0x30, 8, 0xA0, 2, 5, 0, 0xA1, 2, 5, 0]), None);
    let context = extension::Context { not_before: 0, native: true };
    for wrong in [vec![CborItem::Int(-1)], vec![CborItem::Array(ints(&[1]))], ints(&[i128::from(u64::MAX), 1])] {
        assert_eq!(extension::spell(33, &CborItem::Array(wrong), context), None);
    }
}

#[test]
fn directory_attributes() {
    let attribute = |oid: &[u8], values: &[Vec<u8>]| sequence(&[element(0x06, &[oid]), der::list(0x31, values)]);
    let (utf8, printable) = (|text: &[u8]| element(0x0C, &[text]), |text: &[u8]| element(0x13, &[text]));
    let title = [0x55, 4, 12];
    let value = sequence(&[
        attribute(&title, &[utf8(b"a"), utf8(b"b")]),
        attribute(&title, &[printable(b"c")]),
        // Of two types, which no number says; and an attribute without one.
        attribute(&title, &[utf8(b"d"), printable(b"e")]),
        attribute(&[0x2B, 6, 1, 5, 5, 7, 9, 4], &[printable(b"DE")]),
    ]);
    let texts = |texts: &[&str]| CborItem::Array(texts.iter().map(|text| CborItem::text(text)).collect());
    let octets = |values: &[Vec<u8>]| CborItem::Array(values.iter().map(|value| CborItem::bytes(value)).collect());
    let expected = vec![
        CborItem::Int(10),
        texts(&["a", "b"]),
        CborItem::Int(-10),
        texts(&["c"]),
        CborItem::bytes(&title),
        octets(&[utf8(b"d"), printable(b"e")]),
        CborItem::bytes(&[0x2B, 6, 1, 5, 5, 7, 9, 4]),
        octets(&[printable(b"DE")]),
    ];
    assert_eq!(form_of(24, &value), Some(CborItem::Array(expected)));
    let context = extension::Context { not_before: 0, native: false };
    for wrong in [vec![CborItem::Int(10)], vec![CborItem::Int(10), texts(&[])], vec![CborItem::Int(23), texts(&["a"])]]
    {
        assert_eq!(extension::spell(24, &CborItem::Array(wrong), context), None);
    }
}

#[test]
fn points() {
    // No point of the curve has that coordinate, none is that large, and none has another length.
    assert_eq!(point::decompress(1, false, &[0xFF; 32]), None);
    assert_eq!(point::decompress(1, false, &[0; 31]), None);
    let found = (0..20u8).filter(|x| {
        let mut coordinate = [0; 32];
        coordinate[31] = *x;
        point::decompress(1, true, &coordinate).is_some()
    });
    assert!((5..16).contains(&found.count()));
}
