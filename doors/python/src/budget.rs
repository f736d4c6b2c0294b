//! The limits on the cost of decoding and encoding that `with tagwise.budget(…)` sets.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use tagwise::codec::{Budget, Options};

/// The number of `budget` blocks that are currently active in any thread. While it is 0, no Python code is called to look up the budget.
static ENTERED: AtomicUsize = AtomicUsize::new(0);

/// Records that a `budget` block is entered or left.
#[pyfunction]
fn limited(is_entered: bool) {
    if is_entered {
        ENTERED.fetch_add(1, Ordering::Relaxed);
    } else {
        // More are left than were entered only if somebody calls this by its private name.
        let _ = ENTERED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
    }
}

/// Returns whether a non-default budget may be in effect.
pub(crate) fn is_limited() -> bool {
    ENTERED.load(Ordering::Relaxed) > 0
}

/// Returns the budget of the current context.
pub(crate) fn in_force() -> PyResult<Budget> {
    if !is_limited() {
        return Ok(Budget::DEFAULT);
    }
    Python::attach(|py| {
        let set = py.import("tagwise._budget")?.getattr("_IN_FORCE")?.call_method0("get")?;
        let set: Option<(u8, u64, u64, u64)> = set.extract()?;
        Ok(set.map_or(Budget::DEFAULT, |(depth, elements, output, values)| Budget { depth, elements, output, values }))
    })
}

/// Applies the current budget to options.
pub(crate) fn under(options: Options<'static>) -> PyResult<Options<'static>> {
    Ok(if is_limited() { options.budget(in_force()?) } else { options })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(limited, module)?)
}
