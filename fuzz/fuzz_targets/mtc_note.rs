//! Signed notes, checkpoints, their keys, and requests to witnesses and mirrors: what is read is written as it came.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::note::{AddCheckpoint, AddEntries, Checkpoint, MirrorInfo, Note, NoteKey, NoteSignature, SignSubtree};
use tagwise_mtc::relying::RelyingParty;

fuzz_target!(|data: &[u8]| {
    if let Ok(request) = AddEntries::decode(data) {
        assert_eq!(request.encode().as_deref(), Ok(data));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(note) = Note::parse(text) {
        assert_eq!(note.to_string(), text);
        if let Ok(checkpoint) = Checkpoint::parse(note.text()) {
            assert_eq!(checkpoint.to_string(), note.text());
        }
        for signature in note.signatures() {
            assert_eq!(NoteSignature::parse(&signature.to_string()).as_ref(), Ok(signature));
        }
    }
    if let Ok(key) = NoteKey::parse(text) {
        assert_eq!(NoteKey::parse(&key.to_string()), Ok(key));
    }
    if let Ok(request) = AddCheckpoint::parse(text) {
        assert_eq!(request.to_string(), text);
    }
    if let Ok(request) = SignSubtree::parse(text) {
        assert_eq!(request.to_string(), text);
    }
    if let Ok(info) = MirrorInfo::parse(text) {
        assert_eq!(MirrorInfo::parse(&info.text()), Ok(info));
    }
    if let Err(error) = RelyingParty::new().configure(text) {
        assert!(error.line <= text.lines().count(), "{error}");
    }
});
