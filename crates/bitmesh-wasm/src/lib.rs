//! Bitmesh as a WebAssembly module.
//!
//! A caller asks with a JSON text and gets one back; `packages/bitmesh-js` does that for JavaScript.
//!
//! 1. [`bitmesh_input`] makes room for the bytes of a question and says where; the caller writes them there.
//! 2. [`bitmesh_answer`] answers. 0: the answer is a document. Negative: it is an error with a code and a message.
//! 3. [`bitmesh_output`] and [`bitmesh_output_length`] say where the answer is, until the next question.
//!
//! Memory may grow in every call, so a caller looks at it anew after each. A fault of the library traps, after which
//! an instance is of no more use. No function reads through a pointer: the caller writes into a buffer of this
//! module, and the module reads its own buffer.

mod answer;
mod question;

use std::cell::RefCell;

pub use question::{Failure, Question};

/// What is kept between the calls of one question.
#[derive(Debug, Default)]
struct Exchange {
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Makes room for a question of this many bytes and says where.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_input(length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.input.clear();
        exchange.input.resize(length, 0);
        exchange.input.as_mut_ptr()
    })
}

/// Answers the question: 0 with a document, negative with an error.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_answer() -> i32 {
    let question = EXCHANGE.with_borrow_mut(|exchange| std::mem::take(&mut exchange.input));
    let (status, output) = match answer_bytes(&question) {
        Ok(document) => (0, document),
        Err(failure) => (-1, failure.document()),
    };
    EXCHANGE.with_borrow_mut(|exchange| exchange.output = output);
    status
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_output() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.output.as_ptr())
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_output_length() -> usize {
    EXCHANGE.with_borrow(|exchange| exchange.output.len())
}

/// Answers a question, which is JSON, with a JSON document.
///
/// ```
/// let question = br#"{"ask":"analyze","text":"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"}"#;
/// let answer = String::from_utf8(bitmesh_wasm::answer_bytes(question)?)?;
/// assert!(answer.contains(r#""one_ply":"accepted""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the question is not one of [`Question`], or its text is not what it asks about.
pub fn answer_bytes(question: &[u8]) -> Result<Vec<u8>, Failure> {
    answer::answer(&Question::read(question)?)
}
