//! `bitmesh serve`: the answers over HTTP, and the explorer in the browser.

use std::future;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::time::Duration;

use bitmesh_server::{Bound, Limits, Options};
use clap::ValueEnum;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::writer::MakeWriterExt as _;

use crate::console::{Console, Failure, Outcome};

/// Answer over HTTP and show the explorer in the browser.
///
/// Prints the address and answers until it gets SIGTERM or Ctrl-C; then it finishes the answers that are under
/// way. It listens only on this machine unless told otherwise, and reads no files by name.
///
/// Exit codes: 0 told to stop, 2 the address cannot be used.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh serve --open
  bitmesh serve --listen 8000
  bitmesh serve --listen 0.0.0.0:8000 --host chess.example")]
pub(crate) struct Args {
    /// Where to listen: a port of this machine alone, or ADDRESS:PORT; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8630")]
    listen: String,

    /// Open the explorer in the browser.
    #[arg(long)]
    open: bool,

    /// A name under which the server is reached, besides the names of this machine; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// An origin whose pages may ask, as in `https://club.example`; may be repeated.
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,

    /// How log lines on standard error are written.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    log: LogForm,

    /// Log every answer, not only refusals.
    #[arg(long)]
    log_answers: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum LogForm {
    /// One line for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
    /// No log lines.
    Off,
}

/// The bounds of [`Limits`], each as an option with the same default.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Bounds")]
struct LimitArgs {
    /// Bytes of a request's body, except for a scan.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().body)]
    max_body: usize,
    /// Bytes of a collection that is scanned.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().scan_body)]
    max_scan_body: u64,
    /// Bytes of the text of one position.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().text)]
    max_text: usize,
    /// Positions that one proof may look at.
    #[arg(long, value_name = "N", default_value_t = Limits::default().positions)]
    max_positions: u32,
    /// Positions that one decision may look at, for each colour.
    #[arg(long, value_name = "N", default_value_t = Limits::default().effort, value_parser = clap::value_parser!(u32).range(..=MOST_EFFORT))]
    max_effort: u32,
    /// Seconds for one answer, waiting included.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    answer_time: Duration,
    /// Seconds for one scan.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "300")]
    scan_time: Duration,
    /// Seconds for the head of a request.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    header_time: Duration,
    /// Seconds for the body of a request; for a scan, between two pieces of it.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    body_time: Duration,
    /// Seconds that running answers get when the server is told to stop.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    stop_time: Duration,
    /// Threads that compute answers [default: one for each core].
    #[arg(long, value_name = "N")]
    workers: Option<NonZeroUsize>,
    /// Long answers that wait for a thread.
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue)]
    max_waiting: usize,
    /// Scans at once.
    #[arg(long, value_name = "N", default_value_t = Limits::default().scans)]
    max_scans: usize,
    /// Connections at once.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.body = self.max_body;
        limits.scan_body = self.max_scan_body;
        limits.text = self.max_text;
        limits.positions = self.max_positions;
        limits.effort = self.max_effort;
        limits.answer_time = self.answer_time;
        limits.scan_time = self.scan_time;
        limits.header_time = self.header_time;
        limits.body_time = self.body_time;
        limits.stop_time = self.stop_time;
        limits.workers = self.workers.unwrap_or(limits.workers);
        limits.queue = self.max_waiting;
        limits.scans = self.max_scans;
        limits.connections = self.max_connections;
        limits
    }
}

/// What a decision can look at in all.
const MOST_EFFORT: i64 = bitmesh::decision::Effort::MAXIMUM.get() as i64;

/// A day: more than any answer takes.
const LONGEST: u64 = 86_400;

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| format!("a time is 1 to {LONGEST} seconds"))
}

fn parse_address(text: &str) -> Result<SocketAddr, Failure> {
    let loopback = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    port.parse().map(loopback).or_else(|_| text.parse()).map_err(|_| {
        Failure::Input(format!(
            "--listen {text}: not a port and not ADDRESS:PORT, as in 127.0.0.1:8000 or [::1]:8000"
        ))
    })
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let mut options = Options::default();
    options.address = parse_address(&args.listen)?;
    options.hosts.clone_from(&args.hosts);
    options.origins.clone_from(&args.origins);
    options.limits = args.limits.limits();
    let server = Bound::new(options).map_err(|error| Failure::Input(error.to_string()))?;
    start_log(args);

    let address = server.address();
    if !address.ip().is_loopback() {
        console.complain(format_args!(
            "warning: other machines can reach this server, without encryption and without a password; see docs/server.md"
        ));
    }
    let url = format!("http://{}/", reachable(address));
    let mut printed = Ok(());
    let ready = || {
        printed = writeln!(console, "serving  {url}").and_then(|()| console.flush());
        if args.open {
            // Without a browser the address is still there to be copied.
            if let Err(error) = open::that_detached(&url) {
                console.complain(format_args!("cannot open a browser: {error}"));
            }
        }
    };
    server.run(ready, future::pending()).map_err(|error| Failure::Input(error.to_string()))?;
    printed?;
    Ok(Outcome::Positive)
}

/// The address that a browser on this machine understands: "any address" is not one that it can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn start_log(args: &Args) {
    let level = if args.log_answers { LevelFilter::DEBUG } else { LevelFilter::INFO };
    let writer = io::stderr.with_filter(|metadata| metadata.target().starts_with("bitmesh"));
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(writer).with_ansi(false);
    match args.log {
        LogForm::Text => log.init(),
        LogForm::Json => log.json().flatten_event(true).init(),
        LogForm::Off => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_one_of_this_machine_alone() {
        let parsed =
            |text| parse_address(text).map(|address| address.to_string()).map_err(|error| error.to_string());
        assert_eq!(parsed("8000"), Ok("127.0.0.1:8000".to_owned()));
        assert_eq!(parsed("localhost:8000"), Ok("127.0.0.1:8000".to_owned()));
        assert_eq!(parsed("0.0.0.0:80"), Ok("0.0.0.0:80".to_owned()));
        assert_eq!(parsed("[::1]:80"), Ok("[::1]:80".to_owned()));
        for text in ["", "99999", "127.0.0.1", "chess.example:80", "::1:80:", "-1"] {
            let message = parsed(text).unwrap_err();
            assert!(message.starts_with("--listen ") && !message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        use clap::Parser as _;
        let cli = crate::args::Cli::parse_from(["bitmesh", "serve"]);
        let crate::args::Command::Serve(args) = cli.command else { panic!("another command") };
        assert_eq!(args.limits.limits(), Limits::default());
        assert_eq!(parse_address(&args.listen).unwrap(), Options::default().address);
    }
}
