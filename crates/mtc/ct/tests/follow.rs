//! A monitor of logs in memory, with both APIs: proofs, continuation, and logs that violate their guarantees.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{BACKEND, TestLog};
use tagwise_ct::{Api, Client, Entry, Error, LogEntry, State, hash};
use tagwise_pkix::UnixTime;

const NOW: UnixTime = UnixTime(1_800_000_000);
const BOTH: [Api; 2] = [Api::Rfc6962, Api::Static];

/// Calls a function with a client of the log.
fn with<T>(log: &TestLog, api: Api, run: impl FnOnce(&Client<'_>) -> T) -> T {
    let own = log.log();
    let mut fetch = |path: &str| {
        let answer = if api == Api::Static { log.tiles(path) } else { log.rfc6962(path) };
        answer.ok_or_else(|| "status 404".to_owned())
    };
    run(&Client::new(&own, api, &BACKEND, &mut fetch))
}

/// Reads everything that is new, in batches.
fn read(log: &TestLog, api: Api, state: &mut State, batch: u64) -> Result<Vec<Entry>, Error> {
    with(log, api, |client| {
        state.accept(client, client.head()?, NOW)?;
        let mut all = Vec::new();
        loop {
            let found = state.read(client, batch)?;
            if found.is_empty() {
                return Ok(all);
            }
            all.extend(found);
        }
    })
}

#[test]
fn growing_logs_are_followed() {
    for api in BOTH {
        for batch in [7, 256, 1000] {
            let mut log = TestLog::new();
            let mut state = State::new(&log.log());
            assert_eq!(read(&log, api, &mut state, batch).unwrap(), []);
            let mut next = 0;
            for more in [1, 2, 253, 1, 600] {
                log.add_many(more, next as u8);
                log.time += 1000;
                let found = read(&log, api, &mut state, batch).unwrap();
                let indexes: Vec<u64> = found.iter().map(|entry| entry.index).collect();
                assert_eq!(indexes, (next..next + more as u64).collect::<Vec<_>>(), "{api:?} {batch}");
                next += more as u64;
                // A saved state is the same state.
                let saved = State::from_json(&state.to_json(), &log.log()).unwrap();
                assert_eq!(saved, state);
            }
            assert_eq!(state.next_index(), 857);
        }
    }
}

#[test]
fn a_monitor_can_start_anywhere() {
    for api in BOTH {
        let mut log = TestLog::new();
        log.add_many(700, 1);
        for start in [1, 2, 3, 255, 256, 257, 511, 512, 699, 700] {
            let mut state = State::new(&log.log());
            with(&log, api, |client| {
                state.accept(client, client.head().unwrap(), NOW).unwrap();
                state.skip(client, start).unwrap();
            });
            let found = read(&log, api, &mut state, 100).unwrap();
            assert_eq!(found.len() as u64, 700 - start, "{api:?} {start}");
        }
        let mut state = State::new(&log.log());
        let failed = with(&log, api, |client| {
            state.accept(client, client.head().unwrap(), NOW).unwrap();
            state.skip(client, 701)
        });
        assert!(matches!(failed, Err(Error::State(_))));
    }
}

#[test]
fn wrong_leaves_are_found() {
    for api in BOTH {
        for wrong in [0, 3, 256, 299] {
            let mut log = TestLog::new();
            log.add_many(300, 1);
            log.wrong = Some(wrong);
            let mut state = State::new(&log.log());
            let error = read(&log, api, &mut state, 400).unwrap_err();
            assert!(matches!(&error, Error::Violation(text) if text.starts_with("wrong leaves")), "{error:?}");
            assert_eq!(state.next_index(), 0);
            // Without the wrong leaf, the same state continues.
            log.wrong = None;
            assert_eq!(read(&log, api, &mut state, 400).unwrap().len(), 300);
        }
    }
}

#[test]
fn forks_and_rollbacks_are_found() {
    for api in BOTH {
        let mut log = TestLog::new();
        log.add_many(300, 1);
        let mut state = State::new(&log.log());
        read(&log, api, &mut state, 1000).unwrap();
        let before = state.clone();
        let mut fork = TestLog::new();
        fork.key = log.key.clone();
        fork.add_many(300, 2);
        for (size, words) in [(299, "rollback"), (300, "fork"), (0, "rollback")] {
            fork.size = Some(size);
            let error = read(&fork, api, &mut state, 1000).unwrap_err();
            assert!(matches!(&error, Error::Violation(text) if text.starts_with(words)), "{error:?}");
        }
        fork.size = None;
        fork.add_many(100, 2);
        let error = read(&fork, api, &mut state, 1000).unwrap_err();
        assert!(matches!(&error, Error::Violation(text) if text.starts_with("fork")), "{error:?}");
        assert_eq!(state, before);
        // The honest log is still accepted.
        log.add_many(100, 3);
        assert_eq!(read(&log, api, &mut state, 1000).unwrap().len(), 100);
    }
}

#[test]
fn tree_heads_of_other_keys_are_rejected() {
    for api in BOTH {
        let mut log = TestLog::new();
        log.add_many(3, 1);
        let own = log.log();
        log.key = TestLog::new().key;
        let mut fetch = |path: &str| {
            let answer = if api == Api::Static { log.tiles(path) } else { log.rfc6962(path) };
            answer.ok_or_else(String::new)
        };
        let error = Client::new(&own, api, &BACKEND, &mut fetch).head().unwrap_err();
        assert!(matches!(error, Error::Violation(_)), "{error:?}");
        let mut future = TestLog::new();
        future.time = 1_900_000_000_000;
        let error = read(&future, api, &mut State::new(&future.log()), 10).unwrap_err();
        assert!(matches!(error, Error::Violation(text) if text.contains("future")));
    }
}

#[test]
fn old_tree_heads_are_found() {
    for api in BOTH {
        let mut log = TestLog::new();
        log.add_many(3, 1);
        let mut state = State::new(&log.log());
        read(&log, api, &mut state, 10).unwrap();
        let before = state.clone();
        // The same tree, or a greater one, with an older signature.
        for more in [0, 2] {
            log.add_many(more, 1);
            log.time = 1_700_000_000_000 - 1;
            let error = read(&log, api, &mut state, 10).unwrap_err();
            assert!(matches!(&error, Error::Violation(text) if text.contains("older than the last one")), "{error:?}");
            assert_eq!(state, before);
        }
        log.time = 1_700_000_000_000;
        assert_eq!(read(&log, api, &mut state, 10).unwrap().len(), 2);
        let head = state.head().unwrap();
        for (seconds, is_stale) in [(0, false), (86_400, false), (86_700, false), (86_701, true), (-1000, false)] {
            assert_eq!(head.is_stale(UnixTime(1_700_000_000 + seconds)), is_stale, "{seconds}");
        }
        assert!(head.must_contain(1_699_913_599_999) && !head.must_contain(1_699_913_600_000));
    }
}

#[test]
fn states_of_other_logs_are_rejected() {
    let (one, other) = (TestLog::new(), TestLog::new());
    let json = State::new(&one.log()).to_json();
    assert!(State::from_json(&json, &one.log()).is_ok());
    assert!(matches!(State::from_json(&json, &other.log()), Err(Error::State(_))));
    for wrong in ["", "{}", &json.replace("\"next\":0", "\"next\":1"), &json.replace("\"version\":1", "\"version\":2")]
    {
        assert!(matches!(State::from_json(wrong, &one.log()), Err(Error::Malformed(_))), "{wrong}");
    }
}

#[test]
fn inclusion_is_verified() {
    for api in BOTH {
        let mut log = TestLog::new();
        log.add_many(300, 1);
        with(&log, api, |client| {
            let head = client.head().unwrap();
            for index in [0, 1, 255, 256, 299] {
                let leaf = hash::leaf(&[&[0, 0], log.entries[index as usize].entry.as_slice()].concat());
                assert_eq!(client.include(&leaf, Some(index), &head), Ok(index), "{api:?} {index}");
            }
            assert!(client.include(&hash::EMPTY, Some(5), &head).is_err());
            let beyond = client.include(&hash::EMPTY, Some(300), &head);
            assert!(api == Api::Rfc6962 && beyond.is_err() || matches!(beyond, Err(Error::Missing(_))), "{beyond:?}");
        });
    }
}

#[test]
fn malformed_entries_are_rejected() {
    let mut log = TestLog::new();
    log.add(&LogEntry::X509(vec![0x30, 0]), &[], vec![vec![0x30, 0]], 5);
    let leaf = [&[0, 0], log.entries[0].entry.as_slice()].concat();
    let extra = [0, 0, 5, 0, 0, 2, 0x30, 0];
    let entry = Entry::from_parts(0, &leaf, &extra).unwrap();
    assert_eq!(entry.unreadable, None);
    assert_eq!((entry.timestamp, entry.der(), entry.chain.len()), (5, &[0x30, 0][..], 1));
    for end in 0..leaf.len() {
        assert!(matches!(Entry::from_parts(0, &leaf[..end], &extra), Err(Error::Malformed(_))), "{end}");
    }
    for end in 0..extra.len() {
        // The tree does not protect the extra data, so an entry whose extra data is malformed is still one.
        let entry = Entry::from_parts(0, &leaf, &extra[..end]).unwrap();
        assert!(entry.unreadable.is_some() && entry.der() == [0x30, 0], "{end}");
    }
    assert!(Entry::from_parts(0, &[leaf.as_slice(), &[0]].concat(), &extra).is_err());
    // A static log's entries know their place.
    log.add_many(2, 1);
    log.entries.swap(1, 2);
    let mut state = State::new(&log.log());
    let error = read(&log, Api::Static, &mut state, 10).unwrap_err();
    assert!(matches!(&error, Error::Violation(text) if text.contains("leaf_index")), "{error:?}");
}

/// Only the log's signature makes a timestamp its promise (RFC 6962 §3.2).
#[test]
fn timestamps_need_the_signature_of_the_log_over_the_entry() {
    let log = TestLog::new();
    let (of, entry) = (log.log(), LogEntry::X509(vec![0x30, 0]));
    let sct = |signature| tagwise_pkix::ext::SctV1 {
        log_id: &of.id,
        timestamp: 7,
        extensions: &[],
        hash_algorithm: 4,
        signature_algorithm: 3,
        signature,
    };
    let signed = log.signed(&entry.signed(&sct(&[])).unwrap());
    // Behind the algorithms and the length.
    let signature = &signed[4..];
    let wrong = || Err(Error::Violation("timestamp: the signature does not verify with the log's key".to_owned()));
    let verified =
        |log: &tagwise_ct::Log, entry: &LogEntry| tagwise_ct::verify_timestamp(&sct(signature), log, entry, &BACKEND);
    assert_eq!(verified(&of, &entry), Ok(()));
    assert_eq!(verified(&of, &LogEntry::X509(vec![0x30, 1])), wrong());
    assert_eq!(verified(&TestLog::new().log(), &entry), wrong());
}
