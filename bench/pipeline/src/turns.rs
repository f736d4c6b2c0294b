//! In which turn a stage and its floor run. What runs first pays for memory that the other then finds: what inserts takes turns in being
//! the first, everything else runs once uncounted.

use std::ops::Range;
use std::time::Duration;

use crate::Failure;
use crate::measure::{Sample, Took};
use crate::stage::Stage;

/// Both, the floor first or last.
pub(crate) fn both<A, B>(
    floor_first: bool,
    own: impl FnOnce() -> Result<A, Failure>,
    floor: impl FnOnce() -> Result<B, Failure>,
) -> Result<(A, B), Failure> {
    if floor_first {
        let floor = floor()?;
        Ok((own()?, floor))
    } else {
        let own = own()?;
        Ok((own, floor()?))
    }
}

/// A stage whose results its floor works on: once to warm up, then own, floor, floor, own. What was made first is given. Behind a
/// stage that waits for the disk both threads wake up on one processor, and may stay there until the work is done: whoever came first
/// would often run on one processor, and what comes second on two.
pub(crate) fn around<T>(
    mut own: impl FnMut() -> Result<(Took, T), Failure>,
    mut floor: impl FnMut(&T) -> Result<Took, Failure>,
) -> Result<(Took, Took, T), Failure> {
    let (_, made) = own()?;
    let (first, _) = own()?;
    let floors = floor(&made)? + floor(&made)?;
    let (second, _) = own()?;
    Ok(((first + second).part(2), floors.part(2), made))
}

/// How many of a batch are signed in a turn where that takes long, at least.
pub(crate) const SLICE: usize = 128;

/// How long a turn takes then, at least about.
const TURN: Duration = Duration::from_millis(40);

/// What takes longer than this is long: what else the machine does changes within that.
const LONG: Duration = Duration::from_millis(400);

/// The slices in which a batch is worked on, of which a first one of [`SLICE`] took so long; all of it at once where that is not
/// long. In order, nothing left out.
pub(crate) fn slices(first: Took, batch: usize) -> Vec<Range<usize>> {
    let count = u32::try_from(batch.div_ceil(SLICE)).unwrap_or(u32::MAX);
    let slice = if count > 1 && first.wall.saturating_mul(count) > LONG {
        let times = TURN.as_nanos().div_ceil(first.wall.as_nanos().max(1));
        SLICE.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
    } else {
        batch
    };
    let slice = slice.clamp(1, batch.max(1));
    let starts = (0..batch).step_by(slice);
    starts
        .map(|start| start..batch.min(start.saturating_add(slice)))
        .collect()
}

/// A stage that signs a batch, whose signatures its floor makes again: [`around`], or where that would take long each slice of the batch
/// once, own and floor in turn, so that each moment of the machine is in both. The first slice warms up.
pub(crate) fn signing<T>(
    batch: usize,
    mut own: impl FnMut(Range<usize>) -> Result<(Took, Vec<T>), Failure>,
    mut floor: impl FnMut(Range<usize>, &[T]) -> Result<Took, Failure>,
) -> Result<(Took, Took, Vec<T>), Failure> {
    let (first, _) = own(0..batch.min(SLICE))?;
    let slices = slices(first, batch);
    if slices.len() < 2 {
        return around(|| own(0..batch), |made| floor(0..batch, made));
    }
    let (mut owns, mut floors, mut all) = (Took::default(), Took::default(), Vec::with_capacity(batch));
    for slice in slices {
        let (took, made) = own(slice.clone())?;
        owns = owns + took;
        floors = floors + floor(slice, &made)?;
        all.extend(made);
    }
    Ok((owns, floors, all))
}

/// What was read, and how long it took.
type Read = Result<(Took, Vec<Vec<u8>>), Failure>;

/// How often a stage that changes nothing takes its turns in a round: it is short, and one moment of others would be all of it.
const TURNS: u32 = 3;

/// A stage that reads: both to warm up, for what came before may have been long, then own, floor, floor, own, a few times. Each must
/// read just this.
pub(crate) fn reading(
    stage: Stage,
    wanted: &[Vec<u8>],
    mut own: impl FnMut() -> Read,
    mut floor: impl FnMut() -> Read,
) -> Result<Sample, Failure> {
    let same = |(took, read): (Took, Vec<Vec<u8>>)| {
        if read == wanted {
            Ok(took)
        } else {
            Err(Failure::from(format!("{}: not what was written", stage.name())))
        }
    };
    same(floor()?)?;
    same(own()?)?;
    let (mut owns, mut floors) = (Took::default(), Took::default());
    for _ in 0..TURNS {
        owns = owns + same(own()?)?;
        floors = floors + same(floor()?)? + same(floor()?)?;
        owns = owns + same(own()?)?;
    }
    Ok(Sample::over(stage, owns.part(2 * TURNS), floors.part(2 * TURNS)))
}

/// A stage that verifies: once to warm up, then own, floor, floor, own, a few times.
pub(crate) fn verifying(
    stage: Stage,
    mut own: impl FnMut() -> Result<(Took, ()), Failure>,
    mut floor: impl FnMut() -> Result<(Took, ()), Failure>,
) -> Result<Sample, Failure> {
    own()?;
    let (mut owns, mut floors) = (Took::default(), Took::default());
    for _ in 0..TURNS {
        owns = owns + own()?.0;
        floors = floors + floor()?.0 + floor()?.0;
        owns = owns + own()?.0;
    }
    Ok(Sample::over(stage, owns.part(2 * TURNS), floors.part(2 * TURNS)))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn long_batches_in_slices() {
        let took = |wall| Took { wall, cpu: wall };
        let order = RefCell::new(Vec::new());
        let sign = |each: Duration, batch: usize| {
            order.borrow_mut().clear();
            let own = |range: Range<usize>| {
                order.borrow_mut().push(('o', range.clone()));
                Ok((took(each * range.len() as u32), range.collect::<Vec<usize>>()))
            };
            signing(batch, own, |range, made: &[usize]| {
                assert!(range.clone().eq(made.iter().copied()));
                order.borrow_mut().push(('f', range.clone()));
                Ok(took(each * 2 * range.len() as u32))
            })
            .unwrap()
        };
        // Signatures of two milliseconds: three slices, the last one shorter.
        let (own, floor, made) = sign(Duration::from_millis(2), 300);
        assert_eq!((own.wall.as_millis(), floor.wall.as_millis()), (600, 1200));
        assert!(made.into_iter().eq(0..300));
        let turns = [
            ('o', 0..128),
            ('o', 0..128),
            ('f', 0..128),
            ('o', 128..256),
            ('f', 128..256),
            ('o', 256..300),
            ('f', 256..300),
        ];
        assert_eq!(*order.borrow(), turns);
        // What is short goes as a whole, and so does what has one slice.
        let (own, floor, made) = sign(Duration::from_micros(10), 300);
        assert_eq!((own.wall.as_millis(), floor.wall.as_millis(), made.len()), (3, 6, 300));
        let whole = [
            ('o', 0..128),
            ('o', 0..300),
            ('o', 0..300),
            ('f', 0..300),
            ('f', 0..300),
            ('o', 0..300),
        ];
        assert_eq!(*order.borrow(), whole);
        // Slices are longer where a first one would be short.
        assert_eq!(sign(Duration::from_micros(100), 10_000).2.len(), 10_000);
        assert_eq!(order.borrow()[1..4], [('o', 0..512), ('f', 0..512), ('o', 512..1024)]);
        assert_eq!(sign(Duration::from_secs(1), 100).2.len(), 100);
        assert_eq!(order.borrow().len(), 6);
    }

    #[test]
    fn turns() {
        let order = RefCell::new(String::new());
        let say = |what: &'static str| {
            order.borrow_mut().push_str(what);
            Ok(())
        };
        both(false, || say("a"), || say("b")).unwrap();
        both(true, || say("c"), || say("d")).unwrap();
        assert_eq!(order.borrow().as_str(), "abdc");

        let took = |millis: u64| {
            let time = Duration::from_millis(millis);
            Took { wall: time, cpu: time }
        };
        // The first one warms up: what it made is taken, how long it took is not.
        let (mut own, mut floors) = ([100, 10, 30].into_iter(), [1, 3].into_iter());
        let own = || {
            own.next()
                .map(|millis| (took(millis), millis))
                .ok_or("too often".into())
        };
        let (stage, floor, made) = around(own, |first| {
            assert_eq!(*first, 100);
            floors.next().map(took).ok_or("too often".into())
        })
        .unwrap();
        assert_eq!((stage.wall.as_millis(), floor.wall.as_millis(), made), (20, 2, 100));
        let read = vec![vec![1]];
        // The first of each warms up and does not count.
        let mut times = [100, 4, 8, 4, 8, 4, 8].into_iter();
        let own = || {
            order.borrow_mut().push('o');
            Ok((took(times.next().unwrap()), read.clone()))
        };
        let mut floors = [100, 1, 3, 1, 3, 1, 3].into_iter();
        order.borrow_mut().clear();
        let sample = reading(Stage::DbReadCrl, &read, own, || {
            order.borrow_mut().push('f');
            Ok((took(floors.next().unwrap()), read.clone()))
        })
        .unwrap();
        assert_eq!(order.borrow().as_str(), "fooffooffooffo");
        assert_eq!((times.next(), floors.next()), (None, None));
        assert_eq!(
            (sample.own.wall.as_millis(), sample.floor.unwrap().wall.as_millis()),
            (6, 2)
        );
        let (mut times, mut floors) = (
            [100, 10, 30, 10, 30, 10, 30].into_iter(),
            [1, 3, 1, 3, 1, 3].into_iter(),
        );
        let own = || Ok((took(times.next().unwrap()), ()));
        let sample = verifying(Stage::CertVerify, own, || Ok((took(floors.next().unwrap()), ()))).unwrap();
        assert_eq!(
            (sample.own.wall.as_millis(), sample.floor.unwrap().wall.as_millis()),
            (20, 2)
        );
        assert_eq!((times.next(), floors.next()), (None, None));
        let other = || Ok((took(1), vec![vec![2]]));
        let error = reading(Stage::DbReadCrl, &read, other, || Ok((took(1), read.clone()))).unwrap_err();
        assert_eq!(error.to_string(), "db_read_crl: not what was written");
    }
}
