//! Heap allocations and bytes per item, counted and not timed: the counting would spoil the times, so this is a
//! program of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tagwise_bench::{cli, inputs, peers, report, rows};

/// The system's allocator with two counters in front.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

fn count(bytes: usize) {
    CALLS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes as u64, Relaxed);
}

// SAFETY: every method hands its arguments unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The groups where a certificate is handled; small values say nothing more.
const GROUPS: [&str; 6] = ["outline", "strict", "index", "fields", "walk", "encode"];

fn main() -> ExitCode {
    let peers = peers::all();
    let mut text = String::from("# Heap allocations per certificate\n\n");
    report::facts(&mut text, &report::head(&peers, 0));
    text += "\nA reallocation counts as one, with its new size. The second run of each task is counted.\n";
    text += "\n| row | library | allocations | bytes |\n|---|---|--:|--:|\n";
    for row in rows::all()
        .into_iter()
        .filter(|row| GROUPS.contains(&row.group) && row.input != "ccadb")
    {
        let input = match inputs::by_name(row.input) {
            Ok(input) => input,
            Err(missing) => {
                eprintln!("skipped {}: {missing}", row.id);
                continue;
            }
        };
        for (library, mut task) in cli::tasks(&peers, &row, &input) {
            (task.run)();
            let (calls, bytes) = (CALLS.load(Relaxed), BYTES.load(Relaxed));
            (task.run)();
            let per_item = |counter: &AtomicU64, before| (counter.load(Relaxed) - before) as f64 / task.items as f64;
            let (calls, bytes) = (per_item(&CALLS, calls), per_item(&BYTES, bytes));
            let _ = writeln!(text, "| {} | {library} | {calls:.1} | {bytes:.0} |", row.id);
        }
    }
    println!("{text}");
    match report::save("allocations", "md", &text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
