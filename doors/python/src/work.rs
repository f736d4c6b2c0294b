//! Distribution of work among threads.

/// Applies a function to each input, on all processors, and returns the results in order. If a thread cannot be started,
/// returns an error after the running threads have ended.
pub(crate) fn shared<T: Send>(inputs: &[&[u8]], work: &(impl Fn(&[u8]) -> T + Sync)) -> std::io::Result<Vec<T>> {
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = inputs.len().div_ceil(workers).max(1);
    let run = move |part: &[&[u8]]| part.iter().map(|input| work(input)).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let mut parts = inputs.chunks(share);
        let own = parts.next().unwrap_or_default();
        let start = |part| std::thread::Builder::new().spawn_scoped(scope, move || run(part));
        let running = parts.map(start).collect::<Result<Vec<_>, _>>()?;
        let mut done = run(own);
        for thread in running {
            done.extend(thread.join().ok().ok_or_else(|| std::io::Error::other("a worker thread ended early"))?);
        }
        Ok(done)
    })
}
