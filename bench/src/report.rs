//! Tables for the page `docs/performance.md`.

use std::path::PathBuf;
use std::process::Command;

/// Puts a text between the two marks of a section of the page, whose other lines stay as they are.
///
/// # Panics
///
/// When the page cannot be read or written, or does not have the section.
pub fn write_section(name: &str, text: &str) {
    let page: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "docs", "performance.md"].iter().collect();
    let old = std::fs::read_to_string(&page).expect("the page can be read");
    let (start, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let (before, rest) = old.split_once(&start).expect("the section begins");
    let (_, after) = rest.split_once(&end).expect("the section ends");
    std::fs::write(&page, format!("{before}{start}\n{text}\n{end}{after}")).expect("the page can be written");
}

/// The date, the processor, the compiler and the version of the library.
#[must_use]
pub fn circumstances() -> String {
    let output = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok();
        let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
        text.map_or_else(|| format!("{program} unknown"), |text| text.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        line.split_once(": ").map(|(_, name)| name.to_owned())
    });
    format!(
        "Measured on {}, {}, {cores} cores, {}, `bitmesh` {} built for any processor of its kind (no `target-cpu`).",
        output("date", "+%F"),
        processor.unwrap_or_else(|| format!("unknown processor ({})", std::env::consts::ARCH)),
        output("rustc", "--version"),
        version(),
    )
}

/// The version of the library, which is not that of this crate: the lock file has it.
fn version() -> &'static str {
    let (_, rest) = include_str!("../Cargo.lock")
        .split_once("name = \"bitmesh\"\nversion = \"")
        .expect("the library is in the lock file");
    rest.split('"').next().unwrap_or_default()
}

/// A Markdown table, one row after the other.
#[derive(Debug)]
pub struct Table {
    text: String,
}

impl Table {
    /// A table with these headings; all columns but the first are numbers.
    #[must_use]
    pub fn new(headings: &[&str]) -> Self {
        let rule =
            headings.iter().enumerate().map(|(index, _)| if index == 0 { " --- |" } else { " ---: |" });
        let mut table = Self { text: String::new() };
        table.row(headings);
        table.text.push('|');
        table.text.extend(rule);
        table.text.push('\n');
        table
    }

    /// Adds a row.
    pub fn row(&mut self, cells: &[impl AsRef<str>]) {
        self.text.push('|');
        for cell in cells {
            self.text.push_str(&format!(" {} |", cell.as_ref()));
        }
        self.text.push('\n');
    }

    /// The whole table.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A time with three digits, in the unit that suits it.
#[must_use]
pub fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// How many times as long, in bold.
#[must_use]
pub fn ratio(ratio: f64) -> String {
    let digits = if ratio < 10.0 { 2 } else { 0 };
    format!("**{ratio:.digits$}**")
}

/// The table of how cost grows: for each number of positions, the row that this very program prints when it is given
/// the number as its only argument, the cells divided by tabs.
///
/// # Panics
///
/// When the program cannot be run again, or fails.
#[must_use]
pub fn growth_table(headings: &[&str]) -> Table {
    let mut table = Table::new(headings);
    let program = std::env::current_exe().expect("this program has a path");
    for number in [10_000, 100_000, 1_000_000, 10_000_000] {
        let output = Command::new(&program).arg(number.to_string()).output().expect("this program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        table.row(&line.split('\t').collect::<Vec<_>>());
        println!("{line}");
    }
    table
}

/// The number of instructions in what callgrind has said.
///
/// # Panics
///
/// When it is not there.
#[must_use]
pub fn collected_instructions(words: &str) -> f64 {
    let number = words.split_once("Collected :").and_then(|(_, rest)| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no count in {words}"))
}

/// Seconds of processor time that this process has used so far, those of ended threads included; in steps of a hundredth.
///
/// # Panics
///
/// When the kernel does not say.
#[must_use]
pub fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("the kernel says what it counts");
    // The name of the program, in brackets, may hold blanks.
    let (_, rest) = text.rsplit_once(')').expect("a name in brackets");
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) / 100.0
}

/// Most memory that the process has ever held, as the kernel says.
#[must_use]
pub fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: Option<f64> = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.map_or_else(|| "unknown".to_owned(), |kilobytes| format!("{:.1} MB", kilobytes / 1024.0))
}
