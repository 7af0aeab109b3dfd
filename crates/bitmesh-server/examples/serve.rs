//! The server alone, without the rest of the command: `cargo run -p bitmesh-server --example serve -- 127.0.0.1:8630`.

use std::error::Error;
use std::io::Write as _;
use std::time::Duration;

use bitmesh_server::{Bound, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    // This is a development build as a rule, which takes its time.
    options.limits.answer_time = Duration::from_secs(120);
    if let Some(address) = std::env::args().nth(1) {
        options.address = address.parse()?;
    }
    let server = Bound::new(options)?;
    let address = server.address();
    let ready = || {
        let mut out = std::io::stdout();
        let _ = writeln!(out, "serving  http://{address}/").and_then(|()| out.flush());
    };
    server.run(ready, std::future::pending())?;
    Ok(())
}
