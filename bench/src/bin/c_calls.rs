//! What a call through the C library costs, against the same question to the Rust library.
//!
//! ```text
//! cargo run --release --bin c_calls            the table, into the page
//! cargo run --release --bin c_calls -- show    the table, to the terminal
//! ```
//!
//! Both begin with the text of a position and end with the same answer, which is compared first. The C functions are
//! called through pointers that the compiler cannot see through, as a program in C calls them.

use std::cell::RefCell;
use std::ffi::c_char;
use std::fmt::Debug;
use std::hint::black_box;
use std::ptr::null_mut;
use std::time::Duration;

use bitmesh::decision::{Decider, Decision, Effort, Verdict};
use bitmesh::persistent::Bound;
use bitmesh::shakmaty::Color;
use bitmesh::{Assessment, OnePlyVerdict, read_position};
use bitmesh_bench::measure::{contender, races};
use bitmesh_bench::positions;
use bitmesh_bench::report::{self, Table};

/// How often everything is measured; the page shows medians.
const RACES: usize = 7;

const BUDGET: Duration = Duration::from_millis(400);

/// The structs of the header, as a caller declares them.
mod header {
    #[repr(C)]
    pub struct Verdicts {
        pub interface_version: u32,
        pub bytes: [u8; 8],
        pub reserved: u32,
        pub barrier: u64,
        pub frozen: u64,
    }

    #[repr(C)]
    pub struct Decision {
        pub interface_version: u32,
        pub verdict: i32,
        pub plies: u32,
        pub looked_at: u32,
    }

    #[repr(C)]
    pub struct Bytes {
        pub data: *mut u8,
        pub length: usize,
    }
}

/// Region count, verdict of layers 1 and 2, who can never mate, barrier, frozen pieces.
type Glance = (u8, u8, bool, bool, u64, u64);

fn analyze(text: &str) -> Glance {
    let assessment = Assessment::read(text).expect("a position");
    let outline = assessment.outline().expect("a position");
    let one_ply = match assessment.verdict() {
        OnePlyVerdict::Rejected => 0,
        OnePlyVerdict::Refused => 1,
        OnePlyVerdict::Accepted => 2,
    };
    let regions = assessment.structure().active_component_count;
    let unwinnable = outline.unwinnable;
    (regions, one_ply, unwinnable.white, unwinnable.black, assessment.barrier().0, outline.frozen.0)
}

fn analyze_through_c(text: &str) -> Glance {
    let function = black_box(bitmesh_c::bitmesh_analyze as unsafe extern "C" fn(_, _, _, _) -> _);
    let mut verdicts =
        header::Verdicts { interface_version: 1, bytes: [0; 8], reserved: 0, barrier: 0, frozen: 0 };
    // SAFETY: the text is as long as is said, and the struct is that of the header.
    let status = unsafe { function(chars(text), text.len(), (&raw mut verdicts).cast(), null_mut()) };
    assert_eq!(status, 0);
    let [_, one_ply, regions, _, _, white, black, _] = verdicts.bytes;
    (regions, one_ply, white == 1, black == 1, verdicts.barrier, verdicts.frozen)
}

/// The certificate, if anything is proved by one witness.
fn prove(text: &str) -> Option<Vec<u8>> {
    let assessment = Assessment::read(text).expect("a position").within(Bound::nodes(0));
    let checked = assessment.permanent().expect("a position");
    let claims = checked.conclusions();
    let is_proved = claims.decomposed() || claims.unwinnable.white || claims.unwinnable.black;
    is_proved.then(|| checked.certificate().canonical_payload())
}

fn prove_through_c(text: &str) -> Option<Vec<u8>> {
    let function = black_box(bitmesh_c::bitmesh_prove as unsafe extern "C" fn(_, _, u32, _, _) -> _);
    let mut bytes = header::Bytes { data: null_mut(), length: 0 };
    // SAFETY: as above.
    let status = unsafe { function(chars(text), text.len(), 0, (&raw mut bytes).cast(), null_mut()) };
    assert!(status == 0 || status == 1);
    taken(bytes)
}

/// Verdict and number of plies.
type Decided = (i32, u32);

fn told(verdict: Verdict) -> Decided {
    match verdict {
        Verdict::Undecided { .. } => (0, 0),
        Verdict::Winnable { plies } => (1, plies.into()),
        Verdict::Unwinnable => (2, 0),
    }
}

fn decide(decider: &mut Decider, text: &str) -> Decided {
    let reading = read_position(text).expect("a position");
    told(decider.verdict(reading.input.position().expect("a position").chess(), Color::White))
}

fn decide_through_c(decider: *mut Decider, text: &str) -> Decided {
    decided(decider, text, null_mut())
}

fn decide_with_evidence(decider: &mut Decider, text: &str) -> (Decided, Option<Vec<u8>>) {
    let reading = read_position(text).expect("a position");
    let decision = decider.decide(reading.input.position().expect("a position").chess(), Color::White);
    let evidence = match &decision {
        Decision::Winnable(line) => Some(line.canonical_payload()),
        Decision::Unwinnable(certificate) => Some(certificate.canonical_payload()),
        Decision::Undecided { .. } => None,
    };
    (told(decision.verdict()), evidence)
}

fn decide_with_evidence_through_c(decider: *mut Decider, text: &str) -> (Decided, Option<Vec<u8>>) {
    let mut bytes = header::Bytes { data: null_mut(), length: 0 };
    let told = decided(decider, text, &raw mut bytes);
    (told, taken(bytes))
}

fn decided(decider: *mut Decider, text: &str, evidence: *mut header::Bytes) -> Decided {
    let function = black_box(bitmesh_c::bitmesh_decide as unsafe extern "C" fn(_, _, _, _, _, _, _) -> _);
    let mut decision = header::Decision { interface_version: 1, verdict: 0, plies: 0, looked_at: 0 };
    let result = (&raw mut decision).cast();
    // SAFETY: as above, and the decider was made by the library.
    let status =
        unsafe { function(decider, chars(text), text.len(), 0, result, evidence.cast(), null_mut()) };
    assert_eq!(status, 0);
    (decision.verdict, decision.plies)
}

fn chars(text: &str) -> *const c_char {
    text.as_ptr().cast()
}

/// Copies bytes out and gives them back, as a caller does.
fn taken(mut bytes: header::Bytes) -> Option<Vec<u8>> {
    let function = black_box(bitmesh_c::bitmesh_bytes_free as unsafe extern "C" fn(_));
    if bytes.data.is_null() {
        return None;
    }
    // SAFETY: the library has just handed them out.
    let copied = unsafe { std::slice::from_raw_parts(bytes.data, bytes.length) }.to_vec();
    // SAFETY: the same, and they are given back once.
    unsafe { function((&raw mut bytes).cast()) };
    Some(copied)
}

fn main() {
    let mut table = Table::new(&["", "positions", "Rust", "through C", "times as long"]);
    for set in [positions::games(), positions::blocked()] {
        let texts = &set.texts;
        add(&mut table, "`bitmesh_analyze`", set.name, texts, analyze, analyze_through_c);
        add(&mut table, "`bitmesh_prove`", set.name, texts, prove, prove_through_c);
        let rust = RefCell::new(Decider::new(Effort::default()));
        let through_c = bitmesh_c::bitmesh_decider_new(Effort::default().get());
        add(
            &mut table,
            "`bitmesh_decide`",
            set.name,
            texts,
            |text| decide(&mut rust.borrow_mut(), text),
            |text| decide_through_c(through_c, text),
        );
        add(
            &mut table,
            "`bitmesh_decide` with evidence",
            set.name,
            texts,
            |text| decide_with_evidence(&mut rust.borrow_mut(), text),
            |text| decide_with_evidence_through_c(through_c, text),
        );
        // SAFETY: it is not used any more.
        unsafe { bitmesh_c::bitmesh_decider_free(through_c) };
    }
    if std::env::args().nth(1).as_deref() == Some("show") {
        println!("{}", table.text());
    } else {
        let circumstances = report::circumstances();
        report::write_section("calls through C", &format!("{circumstances}\n\n{}", table.text()));
    }
}

fn add<R: Debug + PartialEq>(
    table: &mut Table,
    what: &str,
    set: &str,
    texts: &[String],
    rust: impl Fn(&str) -> R,
    through_c: impl Fn(&str) -> R,
) {
    for text in texts {
        assert_eq!(rust(text), through_c(text), "{what}, {text}");
    }
    let mut contenders =
        [contender(texts, |text: &String| rust(text)), contender(texts, |text: &String| through_c(text))];
    let medians = races(&mut contenders, RACES, BUDGET);
    table.row(&[
        format!("{what}, {set}"),
        texts.len().to_string(),
        report::time(medians.nanoseconds[0]),
        report::time(medians.nanoseconds[1]),
        report::ratio(medians.ratios[1]),
    ]);
}
