//! One test binary: the server as its clients see it, over real connections.

#[path = "main/answers.rs"]
mod answers;
#[path = "main/client.rs"]
mod client;
#[path = "main/description.rs"]
mod description;
#[path = "main/faults.rs"]
mod faults;
#[path = "main/limits.rs"]
mod limits;
#[path = "main/odd.rs"]
mod odd;
#[path = "main/scans.rs"]
mod scans;
#[path = "main/schema.rs"]
mod schema;
