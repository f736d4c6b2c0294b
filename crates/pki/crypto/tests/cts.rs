//! Ciphertext stealing: the examples of the standards, each backend, and every length.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_crypto::backends::all;
use tagwise_crypto::{Cipher, CtsCipher, Digest, Direction, ErrorKind, camellia_cmac};

fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// RFC 3962, appendix B: so many octets of one sentence.
const AES: [(usize, &str); 6] = [
    (17, "c6353568f2bf8cb4d8a580362da7ff7f97"),
    (31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"),
    (32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"),
    (47, "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5"),
    (48, "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8"),
    (
        64,
        "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a84807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03b\
         c103e1a194bbd8",
    ),
];

#[test]
fn aes_is_as_its_standard_has_it() {
    let text = b"I would like the General Gau's Chicken, please, and wonton soup.";
    let mut tried = 0;
    for backend in all() {
        for (len, expected) in AES {
            let plain = &text[..len];
            let sent = CtsCipher::Aes128.encrypt(backend, b"chicken teriyaki", &[0; 16], plain).unwrap();
            assert_eq!(sent, octets(expected), "{} {len}", backend.name());
            let read = CtsCipher::Aes128.decrypt(backend, b"chicken teriyaki", &[0; 16], &sent).unwrap();
            assert_eq!(read.expose(), plain, "{} {len}", backend.name());
            tried += 1;
        }
    }
    assert_eq!(tried, 6 * all().len());
}

/// KDF-FEEDBACK-CMAC (RFC 6803 §3).
fn derived(key: &[u8], usage: u32, kind: u8) -> Vec<u8> {
    let mut made: Vec<Vec<u8>> = vec![vec![0; 16]];
    for number in 1..=key.len() / 16 {
        let bits = u32::try_from(key.len() * 8).unwrap().to_be_bytes();
        let number = u32::try_from(number).unwrap().to_be_bytes();
        let input = [made.last().unwrap(), &number[..], &usage.to_be_bytes(), &[kind, 0], &bits].concat();
        made.push(camellia_cmac(key, &input).unwrap());
    }
    made[1..].concat()
}

#[test]
fn camellia_keys_are_as_their_standard_has_them() {
    for (key, expected) in [
        (
            "57D0297298FFD9D35DE5A47FB4BDE24B",
            [
                "D155775A209D05F02B38D42A389E5A56",
                "64DF83F85A532F17577D8C37035796AB",
                "3E4FBDF30FB8259C425CB6C96F1F4635",
            ],
        ),
        (
            "B9D6828B2056B7BE656D88A123B1FAC68214AC2B727ECF5F69AFE0C4DF2A6D2C",
            [
                "E467F9A9552BC7D3155A6220AF9C19220EEED4FF78B0D1E6A1544991461A9E50",
                "412AEFC362A7285FC3966C6A5181E7605AE675235B6D549FBFC9AB6630A4C604",
                "FA624FA0E523993FA388AEFDC67E67EBCD8C08E8A0246B1D73B0D1DD9FC582B0",
            ],
        ),
    ] {
        let made = [0x99, 0xAA, 0x55].map(|kind| derived(&octets(key), 2, kind));
        assert_eq!(made, expected.map(octets));
    }
}

/// RFC 6803 §10: a key, the number of its use, a block of random octets, a text, and what is sent: the ciphertext and its MAC.
const CAMELLIA: [(&str, u32, &str, &str, &str); 10] = [
    (
        "1DC46A8D763F4F93742BCBA3387576C3",
        0,
        "B69822A19A6B09C0EBC8557D1F1B6C0A",
        "",
        "C466F1871069921EDB7C6FDE244A52DB0BA10EDC197BDB8006658CA3CCCE6EB8",
    ),
    (
        "5027BC231D0F3A9D23333F1CA6FDBE7C",
        1,
        "6F2FC3C2A166FD8898967A83DE9596D9",
        "1",
        "842D21FD950311C0DD464A3F4BE8D6DA88A56D559C9B47D3F9A85067AF661559B8",
    ),
    (
        "A1BB61E805F9BA6DDE8FDBDDC05CDEA0",
        2,
        "A5B4A71E077AEEF93C8763C18FDB1F10",
        "9 bytesss",
        "619FF072E36286FF0A28DEB3A352EC0D0EDF5C5160D663C901758CCF9D1ED33D71DB8F23AABF8348A0",
    ),
    (
        "2CA27A5FAF5532244506434E1CEF6676",
        3,
        "19FEE40D810C524B5B22F01874C693DA",
        "13 bytes byte",
        "B8ECA3167AE6315512E59F98A7C500205E5F63FF3BB389AF1C41A21D640D8615C9ED3FBEB05AB6ACB67689B5EA",
    ),
    (
        "7824F8C16F83FF354C6BF7515B973F43",
        4,
        "CA7A7AB4BE192DABD603506DB19C39E2",
        "30 bytes bytes bytes bytes byt",
        "A26A3905A4FFD5816B7B1E27380D08090C8EC1F304496E1ABDCD2BDCD1DFFC660989E117A713DDBB57A4146C1587CBA4356665591D2240282F\
         5842B105A5",
    ),
    (
        "B61C86CC4E5D2757545AD423399FB7031ECAB913CBB900BD7A3C6DD8BF92015B",
        0,
        "3CBBD2B45917941067F96599BB98926C",
        "",
        "03886D03310B47A6D8F06D7B94D1DD837ECCE315EF652AFF620859D94A259266",
    ),
    (
        "1B97FE0A190E2021EB30753E1B6E1E77B0754B1D684610355864104963463833",
        1,
        "DEF487FCEBE6DE6346D4DA4521BBA2D2",
        "1",
        "2C9C1570133C99BF6A34BC1B0212002FD194338749DB4135497A347CFCD9D18A12",
    ),
    (
        "32164C5B434D1D1538E4CFD9BE8040FE8C4AC7ACC4B93D3314D2133668147A05",
        2,
        "AD4FF904D34E555384B14100FC465F88",
        "9 bytesss",
        "9C6DE75F812DE7ED0D28B2963557A115640998275B0AF5152709913FF52A2A9C8E63B872F92E64C839",
    ),
    (
        "B038B132CD8E06612267FAB7170066D88AECCBA0B744BFC60DC89BCA182D0715",
        3,
        "CF9BCA6DF1144E0C0AF9B8F34C90D514",
        "13 bytes byte",
        "EEEC85A9813CDC536772AB9B42DEFC5706F726E975DDE05A87EB5406EA324CA185C9986B42AABE794B84821BEE",
    ),
    (
        "CCFCD349BF4C6677E86E4B02B8EAB924A546AC731CF9BF6989B996E7D6BFBBA7",
        4,
        "644DEF38DA35007275878D216855E228",
        "30 bytes bytes bytes bytes byt",
        "0E44680985855F2D1F1812529CA83BFD8E349DE6FD9ADA0BAAA048D68E265FEBF34AD1255A344999AD37146887A6C6845731AC7F46376A0504\
         CD06571474",
    ),
];

#[test]
fn camellia_is_as_its_standard_has_it() {
    let backend = all()[0];
    for (key, usage, random, text, expected) in CAMELLIA {
        let key = octets(key);
        let cipher = if key.len() == 16 { CtsCipher::Camellia128 } else { CtsCipher::Camellia256 };
        let plain = [&octets(random)[..], text.as_bytes()].concat();
        let sent = cipher.encrypt(backend, &derived(&key, usage, 0xAA), &[0; 16], &plain).unwrap();
        let mac = camellia_cmac(&derived(&key, usage, 0x55), &plain).unwrap();
        assert_eq!([&sent[..], &mac].concat(), octets(expected), "{text}");
        let read = cipher.decrypt(backend, &derived(&key, usage, 0xAA), &[0; 16], &sent).unwrap();
        assert_eq!(read.expose(), plain);
    }
}

#[test]
fn every_length_comes_back() {
    let text: Vec<u8> = (0..=255).collect();
    for backend in all() {
        for &cipher in CtsCipher::ALL {
            let key = vec![7; cipher.key_len()];
            for len in 16..100 {
                let sent = cipher.encrypt(backend, &key, &[9; 16], &text[..len]).unwrap();
                assert_eq!(sent.len(), len);
                let read = cipher.decrypt(backend, &key, &[9; 16], &sent).unwrap();
                assert_eq!(read.expose(), &text[..len], "{} {cipher} {len}", backend.name());
            }
            let kind = |result: Result<Vec<u8>, tagwise_crypto::Error>| result.unwrap_err().kind();
            assert_eq!(kind(cipher.encrypt(backend, &key, &[9; 16], &text[..15])), ErrorKind::Length);
            assert_eq!(kind(cipher.encrypt(backend, &key, &[9; 15], &text)), ErrorKind::Length);
            assert_eq!(kind(cipher.encrypt(backend, &key[1..], &[9; 16], &text)), ErrorKind::Length);
            assert_eq!(cipher.decrypt(backend, &key, &[9; 16], &[]).unwrap_err().kind(), ErrorKind::Length);
        }
    }
    assert_eq!(camellia_cmac(&[0; 24], b"").unwrap_err().kind(), ErrorKind::Length);
}

/// A key that is ready does what one of its octets does, message after message, in its direction only.
#[test]
fn ready_keys_do_the_same() {
    let text: Vec<u8> = (0..=255).collect();
    for backend in all() {
        for &cipher in CtsCipher::ALL {
            let key = vec![7; cipher.key_len()];
            let encrypting = cipher.key(backend, Direction::Encrypt, &key).unwrap();
            let decrypting = cipher.key(backend, Direction::Decrypt, &key).unwrap();
            for len in [16, 17, 31, 32, 33, 64, 200] {
                let mut octets = text[..len].to_vec();
                encrypting.encrypt(backend, &[9; 16], &mut octets).unwrap();
                assert_eq!(octets, cipher.encrypt(backend, &key, &[9; 16], &text[..len]).unwrap());
                decrypting.decrypt(backend, &[9; 16], &mut octets).unwrap();
                assert_eq!(octets, &text[..len], "{} {cipher} {len}", backend.name());
            }
            let mut octets = [0; 20];
            let wrong = encrypting.decrypt(backend, &[9; 16], &mut octets).unwrap_err();
            assert_eq!(wrong.kind(), ErrorKind::WrongKey);
            let wrong = decrypting.encrypt(backend, &[9; 16], &mut octets).unwrap_err();
            assert_eq!(wrong.kind(), ErrorKind::WrongKey);
            assert_eq!(decrypting.decrypt(backend, &[9; 16], &mut octets[..15]).unwrap_err().kind(), ErrorKind::Length);
            assert_eq!(format!("{encrypting:?}"), format!("CtsKey({cipher}, Encrypt)"));
        }
        assert!(backend.ready_cbc(Cipher::Aes128Gcm, Direction::Encrypt, &[0; 16]).is_err());
        if let Some(mac) = backend.ready_hmac(Digest::Sha256, b"key").unwrap() {
            let mut fed = backend.hmac(Digest::Sha256, b"key").unwrap();
            fed.update(&text);
            assert_eq!(mac.mac(&[&text[..9], &text[9..]]).unwrap(), fed.finish().unwrap());
        }
        if let Some(blocks) = backend.ready_cbc(Cipher::Aes256Cbc, Direction::Decrypt, &[0; 32]).unwrap() {
            assert!(blocks.run(&[0; 16], &mut [0; 17]).is_err());
        }
    }
}
