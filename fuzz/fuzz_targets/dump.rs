//! Dumps of anything: what is printed can be looked at, JSON is JSON, and the exit code says whether a fault was marked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_cli::Dump;
use tagwise_codec::stream::Rules;

fuzz_target!(|data: &[u8]| {
    // From the octets themselves, so that files are seeds as they are.
    let how = data.iter().fold(0u8, |sum, octet| sum.rotate_left(3) ^ octet);
    let rules = match how % 3 {
        0 => Rules::Der,
        1 => Rules::Ber,
        _ => Rules::Cer,
    };
    let dump = Dump {
        files: Vec::new(),
        rules,
        json: how & 0x08 != 0,
        color: false,
        full: how & 0x10 != 0,
        offset: u64::from(how >> 5),
        depth: if how & 0x04 != 0 { 3 } else { usize::MAX },
        secrets: false,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = dump.octets(data, &mut out, &mut err).unwrap().code();
    let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
    assert_eq!(code == 0, err.is_empty());
    assert!(code <= 1 && err.lines().count() <= 1);
    assert!(out.chars().chain(err.chars()).all(|char| char == '\n' || !char.is_control()));
    if dump.json {
        for line in out.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(line.is_object());
        }
    } else {
        assert_eq!(code == 1, out.contains("malformed: "));
    }
});
