//! `bitmesh verify`: does a certificate say what it should, and of which position?

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitmesh::{
    Against, DecompositionCertificate, Evidence, Examination, ExaminationOutcome, Input, Need,
    examine_evidence,
};
use bitmesh_corpus::Printable;

use crate::console::{Console, Failure, Outcome};
use crate::files::read_evidence_file;
use crate::{document, documents};

/// Verify a certificate or a proof record, and say what was checked and what was not.
///
/// Reads the binary formats BMDCERT, BMDPOSCERT, BMCOMPOSE, BMPERSIST and BMMATE, their bytes as hexadecimal
/// text, and the JSON documents of this program, also several in one file. Evidence that needs a board takes it from --fen, or
/// from the position text inside the file.
///
/// The first word is the verdict: `verified`, `refused` with the reason, or `nothing-claimed` for an answer
/// that is undecided or not proved: it holds together, and shows nothing. A valid certificate
/// may differ from the one that this program makes. What differs in a structure is listed as a finding: a root that
/// another producer chose, regions that the barrier does not give, a component that is not connected. A claim for ever
/// has many proofs, and no finding compares them.
///
/// Exit codes: 0 verified, 1 refused or nothing claimed, 2 a file that is in none of these forms, or a missing board.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh certify --json '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1' | bitmesh verify -
  bitmesh decide --json - < positions.fen | bitmesh verify -
  bitmesh verify wall.bmdcert --fen '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
  bitmesh verify wall.bmdposcert --certificate wall.bmdcert")]
pub(crate) struct Args {
    /// The file, or `-` for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The position or board that it is said to belong to.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// The structural certificate that it names by its digest, if this program did not make it.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Print one JSON document for each piece of evidence (schema `bitmesh.verify.v1`).
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let input = args.fen.as_deref().map(|fen| read_input(fen, console)).transpose()?;
    let certificate = args.certificate.as_deref().map(read_certificate).transpose()?;
    let file = read_evidence_file(&args.file)?;
    let bytes = file.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&file);
    let against = Against { input: input.as_ref(), certificate: certificate.as_ref() };
    let name = args.file.display();
    let Some(several) = documents::several(bytes) else {
        return verify(&file, against, None, args, console).map_err(|error| match error {
            Failure::Input(error) => Failure::Input(format!("{name}: {error}")),
            other => other,
        });
    };
    let mut outcome = Outcome::Positive;
    for (line, document) in several {
        outcome = outcome.and(match verify(&bytes[document], against, Some(line), args, console) {
            Err(Failure::Input(error)) => {
                console.flush()?;
                console.complain(format_args!("error: {name}, line {line}: {error}"));
                Outcome::InputError
            }
            answered => answered?,
        });
    }
    Ok(outcome)
}

/// Examines one piece of evidence, which is the one in a line or all that there is.
fn verify(
    bytes: &[u8],
    against: Against<'_>,
    line: Option<u64>,
    args: &Args,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let examination = examine_evidence(bytes, against).map_err(|error| Failure::Input(error.to_string()))?;
    let outcome = match examination.outcome() {
        ExaminationOutcome::Verified => Outcome::Positive,
        ExaminationOutcome::Refused | ExaminationOutcome::NothingClaimed => Outcome::Negative,
        ExaminationOutcome::Incomplete => {
            let missing = examination.refusal().map(ToString::to_string).unwrap_or_default();
            return Err(Failure::Input(format!("{missing}: give it with --fen")));
        }
    };
    if args.json {
        document::write(&mut *console, &examination)?;
    } else {
        print(&examination, line, console)?;
    }
    Ok(outcome)
}

/// The option that gives what an examination lacks.
const fn option_for(need: Option<Need>) -> &'static str {
    match need {
        Some(Need::Position) => " (give --fen)",
        Some(Need::PositionOrCertificate) => " (give --certificate or --fen)",
        Some(Need::Certificate) => " (give the certificate of another producer with --certificate)",
        _ => "",
    }
}

/// Why the evidence is not verified.
fn reason(examination: &Examination) -> String {
    examination.refusal().map(|refusal| format!("{refusal}{}", option_for(refusal.need))).unwrap_or_default()
}

fn print(examination: &Examination, line: Option<u64>, console: &mut Console) -> Result<(), Failure> {
    let (word, kind) = (examination.outcome().word(), examination.kind().describe());
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    match examination.refusal() {
        None if examination.outcome() == ExaminationOutcome::NothingClaimed => {
            writeln!(
                console,
                "{word}  {place}{kind}: it holds together and claims nothing, which is not a no\n"
            )?;
        }
        None => writeln!(console, "{word}  {place}{kind}\n")?,
        Some(refusal) => {
            let reason = reason(examination);
            writeln!(console, "{word}  {place}{kind}: {} [{}]\n", Printable(&reason), refusal.code)?;
        }
    }
    for fact in examination.facts() {
        writeln!(console, "{:<18}{}", fact.name, Printable(&fact.value))?;
    }
    for what in examination.checked() {
        writeln!(console, "{:<18}{what}", "checked")?;
    }
    for finding in examination.findings() {
        writeln!(console, "{:<18}{} [{}]", "finding", Printable(&finding.message), finding.code)?;
    }
    for not in examination.not_checked() {
        writeln!(console, "{:<18}{}{}", "not checked", not.what, option_for(not.need))?;
    }
    Ok(())
}

fn read_input(fen: &str, console: &Console) -> Result<Input, Failure> {
    let reading = bitmesh::read_position(fen).map_err(|error| Failure::Input(format!("--fen: {error}")))?;
    for note in &reading.notes {
        console.complain(format_args!("note: {note}"));
    }
    Ok(reading.input)
}

fn read_certificate(path: &Path) -> Result<DecompositionCertificate, Failure> {
    let failure = |message: &dyn std::fmt::Display| {
        Failure::Input(format!("--certificate {}: {message}", path.display()))
    };
    let evidence = Evidence::read(&read_evidence_file(path)?).map_err(|error| failure(&error))?;
    let Some(certificate) = evidence.structure() else {
        return Err(failure(&format_args!("is {}", evidence.kind().describe())));
    };
    certificate.validate().map_err(|error| failure(&error))?;
    Ok(certificate.clone())
}
