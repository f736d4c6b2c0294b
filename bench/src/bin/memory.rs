//! Heap and stack per item, counted and not timed: the counting would spoil the times, so this is a program of its own.
//!
//! The C library's allocator is replaced by one that counts and passes on, so that libraries in C are counted as those
//! in Rust are. Go's runtime counts its own heap.

use std::ffi::{c_int, c_void};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tagwise_bench::peer::Peer;
use tagwise_bench::report::{self, Memory, Report};
use tagwise_bench::{cli, inputs, machine, peers, rows};

static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

fn count(bytes: usize) {
    CALLS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes as u64, Relaxed);
}

/// The names by which glibc offers its own allocator to those who replace it.
mod glibc {
    use std::ffi::c_void;

    unsafe extern "C" {
        pub(super) fn __libc_malloc(size: usize) -> *mut c_void;
        pub(super) fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
        pub(super) fn __libc_realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
        pub(super) fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    }
}

/// # Safety
/// As C's.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    count(size);
    // SAFETY: passed on unchanged.
    unsafe { glibc::__libc_malloc(size) }
}

/// # Safety
/// As C's.
#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(number: usize, size: usize) -> *mut c_void {
    count(number.wrapping_mul(size));
    // SAFETY: passed on unchanged.
    unsafe { glibc::__libc_calloc(number, size) }
}

/// # Safety
/// As C's.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void {
    count(size);
    // SAFETY: passed on unchanged.
    unsafe { glibc::__libc_realloc(pointer, size) }
}

/// # Safety
/// As C's.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    count(size);
    // SAFETY: the caller gives a place for the pointer.
    unsafe {
        *out = glibc::__libc_memalign(align, size);
        if (*out).is_null() { libc::ENOMEM } else { 0 }
    }
}

/// The groups where a certificate is handled; small values say nothing more.
const GROUPS: [&str; 7] = ["outline", "strict", "index", "fields", "single", "walk", "encode"];

/// How large the stack is that runs are made on.
const STACK: usize = 4 << 20;

/// What the stack is filled with before a run.
const PAINT: u8 = 0xa5;

/// The octets of stack that `run` touches, by what is left of the paint.
fn stack(run: &mut dyn FnMut()) -> Option<usize> {
    extern "C" fn enter(state: *mut c_void) -> *mut c_void {
        // SAFETY: `stack` gives this pointer and waits for the end of the thread.
        let run = unsafe { &mut *state.cast::<&mut dyn FnMut()>() };
        run();
        std::ptr::null_mut()
    }
    let mut run = run;
    // SAFETY: the mapping is fresh and this large; the thread has ended before it is read and unmapped.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let base = libc::mmap(
            std::ptr::null_mut(),
            STACK,
            libc::PROT_READ | libc::PROT_WRITE,
            flags,
            -1,
            0,
        );
        if base == libc::MAP_FAILED {
            return None;
        }
        std::ptr::write_bytes(base.cast::<u8>(), PAINT, STACK);
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        let mut thread: libc::pthread_t = std::mem::zeroed();
        let started = libc::pthread_attr_init(&raw mut attributes) == 0
            && libc::pthread_attr_setstack(&raw mut attributes, base, STACK) == 0
            && libc::pthread_create(&raw mut thread, &raw const attributes, enter, (&raw mut run).cast()) == 0
            && libc::pthread_join(thread, std::ptr::null_mut()) == 0;
        let touched = std::slice::from_raw_parts(base.cast::<u8>(), STACK);
        let untouched = touched.iter().take_while(|octet| **octet == PAINT).count();
        libc::munmap(base, STACK);
        started.then_some(STACK - untouched)
    }
}

/// Every allocation so far, by whoever made it.
fn heap(peer: &dyn Peer) -> (u64, u64) {
    let (calls, bytes) = peer.own_heap().unwrap_or_default();
    (CALLS.load(Relaxed) + calls, BYTES.load(Relaxed) + bytes)
}

fn main() -> ExitCode {
    let peers = peers::all();
    let stem = machine::today();
    let mut report = Report::load(&stem);
    if report.head.is_empty() {
        report.head = report::head(&peers, 0);
    }
    report.memory.clear();
    let empty = stack(&mut || ()).unwrap_or(0);
    for row in rows::all() {
        if !GROUPS.contains(&row.group) || row.input == "ccadb" {
            continue;
        }
        let input = match inputs::by_name(&row.input) {
            Ok(input) => input,
            Err(missing) => {
                eprintln!("skipped {}: {missing}", row.id);
                continue;
            }
        };
        for peer in &peers {
            for (library, mut task) in cli::tasks_of(peer.as_ref(), &row, &input) {
                // The first run makes what is made once, such as tables and caches.
                (task.run)();
                let before = heap(peer.as_ref());
                (task.run)();
                let after = heap(peer.as_ref());
                let per_item = |count: u64| count as f64 / task.items.max(1) as f64;
                let deepest = stack(&mut || {
                    (task.run)();
                });
                let line = Memory {
                    row: row.id.clone(),
                    library,
                    allocations: per_item(after.0 - before.0),
                    octets: per_item(after.1 - before.1),
                    // Go's functions run on stacks that its runtime makes.
                    stack: if peer.own_heap().is_some() {
                        None
                    } else {
                        deepest.map(|deepest| deepest.saturating_sub(empty))
                    },
                };
                println!(
                    "{:<24} {:<28} {:>8.1} {:>10.0} {:>8}",
                    line.row,
                    line.library,
                    line.allocations,
                    line.octets,
                    line.stack.map_or_else(|| "–".to_owned(), |stack| stack.to_string())
                );
                report.memory.push(line);
            }
        }
    }
    match report.save(&stem) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
