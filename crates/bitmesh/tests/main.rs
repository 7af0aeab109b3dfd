//! One test binary: what the library promises, seen from outside.

#[path = "main/assessment.rs"]
mod assessment;
#[path = "main/bytes.rs"]
mod bytes;
#[path = "main/comparison.rs"]
mod comparison;
#[path = "main/contract.rs"]
mod contract;
#[path = "main/decoders.rs"]
mod decoders;
#[cfg(feature = "serde")]
#[path = "main/evidence.rs"]
mod evidence;
#[path = "main/golden.rs"]
mod golden;
#[cfg(feature = "serde")]
#[path = "main/json.rs"]
mod json;
#[path = "main/positions.rs"]
mod positions;
#[path = "main/tolerances.rs"]
mod tolerances;
#[path = "main/trust.rs"]
mod trust;
#[path = "main/validation.rs"]
mod validation;
