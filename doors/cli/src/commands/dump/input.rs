//! The input of a dump: a file, standard input or bytes, without the part that `--offset` skips.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use tagwise_input::stream::{Input, look};

/// Opens a file, or standard input for `-`, and skips `offset` bytes of binary input.
pub(super) fn open(path: &Path, offset: u64) -> io::Result<Input<'static>> {
    if path.as_os_str() == "-" {
        let mut source = io::stdin();
        return look(&mut source)?.into_input(|front| passed(Box::new(Cursor::new(front).chain(source)), offset));
    }
    let mut source = File::open(path)?;
    if source.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    look(&mut source)?.into_input(|front| {
        // A pipe has no positions.
        if offset > 0 && source.seek(SeekFrom::Start(offset)).is_ok() {
            return Ok(Box::new(source) as Box<dyn Read>);
        }
        passed(Box::new(Cursor::new(front).chain(source)), offset)
    })
}

/// Creates an input from bytes in memory.
pub(super) fn of_octets(octets: &[u8], offset: u64) -> io::Result<Input<'_>> {
    let mut source = octets;
    look(&mut source)?.into_input(|front| passed(Box::new(Cursor::new(front).chain(source)), offset))
}

fn passed<'r>(mut source: Box<dyn Read + 'r>, offset: u64) -> io::Result<Box<dyn Read + 'r>> {
    io::copy(&mut source.by_ref().take(offset), &mut io::sink())?;
    Ok(source)
}
