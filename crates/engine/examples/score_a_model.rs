//! Runs a shipped suite on a model and prints its score: `cargo run --example score_a_model -- MODEL`.
//! Without a name it runs the built-in baseline.

use toolgauge_engine::Evaluation;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints what it computes")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = std::env::args().nth(1).unwrap_or_else(|| "baseline".to_owned());
    let done = Evaluation::of_suite("everyday")?.on(&model).run().await?;
    let score = done.summary.score.ok_or("nothing was scored")?;
    println!("{model}: {:.3} [{:.3}, {:.3}]", score.mean, score.low, score.high);
    println!("the log is {}", done.log.display());
    Ok(())
}
