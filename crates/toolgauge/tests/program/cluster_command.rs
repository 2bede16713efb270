//! `toolgauge cluster`: its job files do what they promise. Slurm itself is tried by
//! `tools/check-slurm`; no Kubernetes runs here, and its manifests are held against its API's types.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use toolgauge_log::Log;

#[cfg(feature = "kubernetes-types")]
mod kubernetes;

#[cfg(not(feature = "kubernetes-types"))]
#[test]
fn the_manifests_for_kubernetes_are_jobs_of_its_api() {
    toolgauge_testkit::skip_check(
        "`--features toolgauge/kubernetes-types`, whose types take long to compile",
        "TOOLGAUGE_REQUIRE_KUBERNETES",
    );
}

fn cluster(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.arg("cluster").args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    command.output().unwrap()
}

fn job(arguments: &[&str]) -> String {
    let output = cluster(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a script as a scheduler would, with toolgauge in the `PATH`.
fn bash(folder: &Path, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_toolgauge")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let file = folder.join("job.sh");
    std::fs::write(&file, script).unwrap();
    let mut command = Command::new("bash");
    command.arg("-e").arg(file).args(arguments).current_dir(folder).env("PATH", path);
    command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap()
}

fn merged_trials(folder: &Path) -> usize {
    Log::open(&folder.join("run.eval")).unwrap().len()
}

#[cfg(unix)]
#[test]
fn the_script_for_slurm_runs_every_shard_and_merges() {
    let folder = tempfile::tempdir().unwrap();
    let script = job(&["slurm", "--shards", "3", "--", "everyday", "-m", "baseline", "-q"]);
    assert!(script.contains("#SBATCH --array=0-2\n"), "{script}");
    let refused = bash(folder.path(), &script, &["merge"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    for task in ["0", "1", "2"] {
        let variables = [("SLURM_ARRAY_TASK_ID", task), ("SLURM_ARRAY_TASK_COUNT", "1")];
        let ran = bash(folder.path(), &script, &[], &variables);
        assert!(ran.status.success(), "{ran:?}");
    }
    let merged = bash(folder.path(), &script, &["merge"], &[]);
    assert!(merged.status.success(), "{merged:?}");
    let whole = bash(folder.path(), "toolgauge run everyday -q --log-dir whole", &[], &[]);
    assert!(whole.status.success());
    let one = folder.path().join("whole").read_dir().unwrap().next().unwrap().unwrap().path();
    assert_eq!(merged_trials(folder.path()), Log::open(&one).unwrap().len());
}

#[cfg(unix)]
#[test]
fn scripts_for_slurm_are_clean_with_and_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = ["--server", "llama-server -m 'a b.gguf' --port $PORT"];
    for more in [&[][..], &server[..]] {
        let arguments = ["slurm", "--shards", "16", "--log-dir", "my shards"];
        let run = ["--", "my suite.yaml", "-m", "it's"];
        let script = job(&[&arguments[..], more, &run[..]].concat());
        assert!(!script.contains('@') || !script.contains("@COUNT@"), "{script}");
        let file = folder.path().join("toolgauge.sbatch");
        std::fs::write(&file, &script).unwrap();
        assert!(Command::new("bash").arg("-n").arg(&file).status().unwrap().success());
        // Where it is installed; CI has it.
        if let Ok(checked) = Command::new("shellcheck").arg("-s").arg("bash").arg(&file).output() {
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        }
    }
}

#[test]
fn what_run_would_refuse_is_refused_before_any_task_starts() {
    let refused = |arguments: &[&str], says: &str| {
        let output = cluster(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(says) && output.stdout.is_empty(), "{told}");
    };
    refused(&["slurm", "--", "everyday", "--no-such-flag"], "--no-such-flag");
    refused(&["slurm", "--", "everyday", "--resume"], "--resume");
    refused(&["slurm", "--shards", "0", "--", "everyday"], "0 is not in 1..=1000");
    refused(&["lsf", "--", "everyday"], "lsf");
}

#[cfg(unix)]
#[test]
fn the_pipelines_of_github_and_gitlab_run_every_shard_and_merge() {
    let arguments = ["--shards", "2", "--", "everyday", "-m", "baseline", "-q"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();

    let gitlab = job(&[&["gitlab"], &arguments[..]].concat());
    let gitlab: Value = yaml_serde::from_str(&gitlab).unwrap();
    assert_eq!(gitlab["shard"]["parallel"], 2);
    let folder = tempfile::tempdir().unwrap();
    for node in ["1", "2"] {
        let variables = [("CI_NODE_INDEX", node), ("CI_NODE_TOTAL", "2")];
        let ran = bash(folder.path(), &text(&gitlab["shard"]["script"][0]), &[], &variables);
        assert!(ran.status.success(), "{ran:?}");
    }
    let ran = bash(folder.path(), &text(&gitlab["merge"]["script"][0]), &[], &[]);
    assert!(ran.status.success() && merged_trials(folder.path()) > 40, "{ran:?}");

    let github = job(&[&["github"], &arguments[..]].concat());
    let github: Value = yaml_serde::from_str(&github).unwrap();
    let shards = github["jobs"]["shard"]["strategy"]["matrix"]["shard"].as_array().unwrap();
    let step = |job: &str, name: &str| {
        let steps = github["jobs"][job]["steps"].as_array().unwrap();
        text(&steps.iter().find(|step| step["name"] == name).unwrap()["run"])
    };
    let folder = tempfile::tempdir().unwrap();
    for shard in shards {
        let script = step("shard", "Run one shard");
        let script = script.replace("${{ matrix.shard }}", &shard.to_string());
        let ran = bash(folder.path(), &script, &[], &[]);
        assert!(ran.status.success(), "{ran:?}");
    }
    let ran = bash(folder.path(), &step("merge", "Merge"), &[], &[]);
    assert!(ran.status.success() && merged_trials(folder.path()) > 40, "{ran:?}");
}
