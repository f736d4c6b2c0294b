//! The machine, the compiler and the crates behind a result, as the report's head states them.

/// The processor's name, from `/proc/cpuinfo` where there is one.
#[must_use]
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(':').nth(1))
        .unwrap_or("unknown processor");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({cores} cores visible)", model.trim())
}

/// The system and its kernel.
#[must_use]
pub fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))
        .unwrap_or("unknown system");
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{}, kernel {}", name.trim_matches('"'), kernel.trim())
}

/// How many processes wanted to run over the last 1, 5 and 15 minutes: what else the machine did.
#[must_use]
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(", ")
}

/// The compiler on the path, which is the one cargo used unless it was told otherwise.
#[must_use]
pub fn rustc() -> String {
    std::process::Command::new("rustc")
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown rustc".to_owned(), |text| text.trim().to_owned())
}

/// The locked version of a crate, from this workspace's Cargo.lock.
#[must_use]
pub fn version(name: &str) -> Option<String> {
    let lock = include_str!("../Cargo.lock");
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    lines.next()?;
    let line = lines.next()?.strip_prefix("version = \"")?;
    Some(line.trim_end_matches('"').to_owned())
}

/// Today as `YYYY-MM-DD`, by UTC.
#[must_use]
pub fn today() -> String {
    let seconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The Gregorian date of a day counted from 1970-01-01 (Hinnant's algorithm, for days after that one).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}
