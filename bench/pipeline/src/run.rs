//! All kinds of keys on all backends, batch by batch.

use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tagwise_ca::{SqliteOptions, SqliteStore};
use tagwise_crypto::Backend;
use tagwise_crypto::backends::named;
use tagwise_pkix::UnixTime;

use crate::algorithm::Algorithm;
use crate::args::Args;
use crate::crypto::{CaKey, generate, lacks};
use crate::database::Floor;
use crate::measure::Sample;
use crate::report::{Batch, FORMAT, Report, Run};
use crate::round::{Setting, round};
use crate::work::Threads;
use crate::{Failure, machine, scaling};

/// How many keys are taken again and again.
const REUSED: usize = 4;

/// Rounds that a batch has at least, of which two make a ratio. Where keys are made in them, one is long.
const ROUNDS: usize = 6;

/// What all runs share.
struct Frame<'a> {
    args: &'a Args,
    threads: Threads,
    progress: ProgressBar,
    now: UnixTime,
    /// What makes labels of CAs differ from those that the database has.
    stamp: u128,
}

pub(crate) fn all(args: &Args) -> Result<Report, Failure> {
    let now = UnixTime::from(SystemTime::now());
    let steps = args.ca_key_algo.len() * args.backend.len() * args.batch.len();
    let progress = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    progress.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} {elapsed_precise} {msg}",
    )?);
    let frame = Frame {
        args,
        threads: Threads::new(args.jobs)?,
        progress,
        now,
        stamp: SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos(),
    };
    let mut runs = Vec::new();
    for algorithm in &args.ca_key_algo {
        for backend in &args.backend {
            runs.push(frame.run(*algorithm, backend)?);
        }
    }
    frame.progress.finish_and_clear();
    let facts = machine::facts(args, &runs);
    Ok(Report {
        format: FORMAT,
        started: now.0,
        facts,
        jobs: args.jobs,
        reuse_keys: args.reuse_keys,
        runs,
    })
}

impl Frame<'_> {
    fn run(&self, algorithm: Algorithm, name: &str) -> Result<Run, Failure> {
        let subscriber = self.args.subscriber_key_algo.unwrap_or(algorithm);
        let mut run = Run {
            algorithm: algorithm.to_string(),
            subscriber: subscriber.to_string(),
            backend: name.to_owned(),
            version: String::new(),
            not_offered: None,
            batches: Vec::new(),
            scaling: Vec::new(),
        };
        let backend = match named(name) {
            Ok(backend) => backend,
            Err(error) => {
                run.not_offered = Some(error.to_string());
                return Ok(self.without(run));
            }
        };
        run.version = backend.version();
        run.not_offered = lacks(backend, algorithm.key_type());
        if run.not_offered.is_some() {
            return Ok(self.without(run));
        }
        let what = |doing: &str| format!("{algorithm} on {name}: {doing}");
        self.progress.set_message(what("keys"));
        let key = CaKey::new(backend, algorithm.key_type()).map_err(|error| what(&error.to_string()))?;
        let reused = match self.args.reuse_keys {
            true => (0..REUSED)
                .map(|_| Ok(generate(backend, subscriber.key_type())?.public_key_info().to_vec()))
                .collect::<Result<Vec<_>, Failure>>()?,
            false => Vec::new(),
        };
        for batch in &self.args.batch {
            let batch = usize::try_from(*batch)?;
            self.progress.set_message(what(&format!("batches of {batch}")));
            let rounds = self.batch(&key, backend, (algorithm, subscriber), &reused, batch);
            let rounds = rounds.map_err(|error| what(&error.to_string()))?;
            run.batches.push(Batch::of(algorithm, batch, &rounds));
            self.progress.inc(1);
        }
        if self.args.jobs > 1
            && let Some(largest) = self.args.batch.iter().max()
        {
            self.progress.set_message(what("from one thread to two"));
            run.scaling = self.scaling(&key, backend, subscriber, usize::try_from(*largest)?)?;
        }
        Ok(run)
    }

    /// A run that there is not: it is told, also to who watches.
    fn without(&self, run: Run) -> Run {
        self.progress.inc(self.args.batch.len() as u64);
        run
    }

    fn batch(
        &self,
        key: &CaKey,
        backend: &dyn Backend,
        (algorithm, subscriber): (Algorithm, Algorithm),
        reused: &[Vec<u8>],
        batch: usize,
    ) -> Result<Vec<Vec<Sample>>, Failure> {
        let scratch = tempfile::tempdir()?;
        let temporary = scratch.path().join("pipeline.db");
        let path: &Path = self.args.db.as_deref().unwrap_or(&temporary);
        let mut setting = Setting {
            backend,
            key,
            subscriber: subscriber.key_type(),
            reused,
            batch,
            threads: &self.threads,
            store: SqliteStore::create(path, &SqliteOptions::DEFAULT)?,
            floor: Floor::beside(path)?,
            now: self.now,
            floors_first: false,
        };
        let label = |number: usize| format!("{algorithm} {} {batch} {} {number}", backend.name(), self.stamp);
        // The first one warms everything up. It counts only where one is so long that there are no others.
        let start = Instant::now();
        let mut rounds = vec![round(&mut setting, &label(0))?];
        if start.elapsed().as_secs_f64() >= self.args.min_seconds.max(20.0) {
            return Ok(rounds);
        }
        rounds.clear();
        let start = Instant::now();
        while rounds.len() < ROUNDS || start.elapsed().as_secs_f64() < self.args.min_seconds {
            rounds.push(round(&mut setting, &label(rounds.len() + 1))?);
        }
        Ok(rounds)
    }

    fn scaling(
        &self,
        key: &CaKey,
        backend: &dyn Backend,
        subscriber: Algorithm,
        batch: usize,
    ) -> Result<Vec<crate::report::Scaling>, Failure> {
        let scratch = tempfile::tempdir()?;
        let mut store = SqliteStore::create(&scratch.path().join("scaling.db"), &SqliteOptions::DEFAULT)?;
        let public = generate(backend, subscriber.key_type())?.public_key_info().to_vec();
        let keys = [public];
        let work = scaling::Work {
            key,
            backend,
            keys: &keys,
            subscriber: subscriber.key_type(),
            batch,
            now: self.now,
        };
        let seconds = self.args.scaling_seconds.unwrap_or(self.args.min_seconds);
        scaling::measure(&work, &mut store, seconds)
    }
}
