//! `toolgauge cluster`: its job files do what they promise. Slurm itself is tried by
//! `tools/check-slurm`; no Kubernetes runs here, and its manifests are held against the types below.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde::Deserialize;
use serde_json::Value;
use toolgauge_log::Log;

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

/// The fields of Kubernetes' `batch/v1` that the manifests use, and the values these may have, by
/// the API's reference. Unknown fields and values are errors.
mod kubernetes {
    use super::{BTreeMap, Deserialize};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct Job {
        pub(super) api_version: BatchVersion,
        pub(super) kind: JobKind,
        pub(super) metadata: Metadata,
        pub(super) spec: JobSpec,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    pub(super) enum BatchVersion {
        #[serde(rename = "batch/v1")]
        V1,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    pub(super) enum JobKind {
        Job,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Metadata {
        pub(super) name: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct JobSpec {
        pub(super) completion_mode: Option<CompletionMode>,
        pub(super) completions: Option<i32>,
        pub(super) parallelism: Option<i32>,
        pub(super) backoff_limit: Option<i32>,
        pub(super) backoff_limit_per_index: Option<i32>,
        pub(super) max_failed_indexes: Option<i32>,
        pub(super) template: PodTemplate,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    pub(super) enum CompletionMode {
        Indexed,
        NonIndexed,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct PodTemplate {
        pub(super) spec: PodSpec,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct PodSpec {
        pub(super) restart_policy: JobRestartPolicy,
        pub(super) termination_grace_period_seconds: Option<i64>,
        #[serde(default)]
        pub(super) init_containers: Vec<Container>,
        pub(super) containers: Vec<Container>,
        pub(super) volumes: Vec<Volume>,
    }

    /// Pods of Jobs may not have `Always`.
    #[derive(Deserialize, PartialEq, Debug)]
    pub(super) enum JobRestartPolicy {
        Never,
        OnFailure,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct Container {
        pub(super) name: String,
        pub(super) image: String,
        /// Of an init container alone: `Always` makes it a sidecar.
        pub(super) restart_policy: Option<SidecarPolicy>,
        #[serde(default)]
        pub(super) command: Vec<String>,
        #[serde(default)]
        pub(super) args: Vec<String>,
        #[serde(default)]
        pub(super) env: Vec<BTreeMap<String, String>>,
        #[serde(default)]
        pub(super) env_from: Vec<EnvFrom>,
        pub(super) working_dir: Option<String>,
        #[serde(default)]
        pub(super) volume_mounts: Vec<VolumeMount>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    pub(super) enum SidecarPolicy {
        Always,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct EnvFrom {
        pub(super) secret_ref: SecretRef,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct SecretRef {
        pub(super) name: String,
        pub(super) optional: bool,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct VolumeMount {
        pub(super) name: String,
        pub(super) mount_path: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct Volume {
        pub(super) name: String,
        pub(super) persistent_volume_claim: Claim,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct Claim {
        pub(super) claim_name: String,
    }
}

fn manifests(text: &str) -> Result<Vec<kubernetes::Job>, String> {
    text.split("\n---\n").map(|one| yaml_serde::from_str(one).map_err(|e| e.to_string())).collect()
}

#[test]
fn the_manifests_for_kubernetes_are_jobs_of_its_api() {
    let server = ["--server", "llama-server --port \"$PORT\"", "--server-image", "llama:server"];
    let run = ["--", "everyday", "-m", "qwen: 3 #4"];
    let base = ["kubernetes", "--shards", "16", "--image", "tg:1"];
    let text = job(&[&base[..], &server[..], &run[..]].concat());
    let jobs = manifests(&text).unwrap();
    let [shards, merge] = jobs.as_slice() else { panic!("{text}") };
    assert_eq!(shards.spec.completion_mode, Some(kubernetes::CompletionMode::Indexed));
    assert_eq!((shards.spec.completions, shards.spec.parallelism), (Some(16), Some(16)));
    assert!(
        shards.spec.backoff_limit_per_index > Some(0) && shards.spec.max_failed_indexes.is_some()
    );
    let pod = &shards.spec.template.spec;
    assert_eq!(pod.init_containers[0].restart_policy, Some(kubernetes::SidecarPolicy::Always));
    assert_eq!(pod.init_containers[0].command[2], "llama-server --port \"$PORT\"");
    assert_eq!(pod.init_containers[0].env[0]["value"], "8080");
    let main = &pod.containers[0];
    assert_eq!(main.args[..4], ["run", "everyday", "-m", "qwen: 3 #4"]);
    assert!(main.args.join(" ").contains("--shard auto/16"), "{:?}", main.args);
    assert!(
        main.env_from[0].secret_ref.optional && main.env_from[0].secret_ref.name == "toolgauge"
    );
    assert_eq!(main.volume_mounts[0].name, pod.volumes[0].name);
    assert_eq!(main.working_dir.as_deref(), Some(main.volume_mounts[0].mount_path.as_str()));
    assert_eq!(pod.volumes[0].persistent_volume_claim.claim_name, "toolgauge");
    assert!(pod.termination_grace_period_seconds.is_some() && main.image == "tg:1");
    assert_eq!(merge.spec.template.spec.containers[0].args[0], "merge");
    assert_eq!(merge.spec.template.spec.restart_policy, kubernetes::JobRestartPolicy::OnFailure);
    assert!(merge.spec.backoff_limit.is_some() && merge.metadata.name != shards.metadata.name);
    assert_eq!((&merge.api_version, &merge.kind), (&shards.api_version, &shards.kind));
    assert_ne!(main.name, pod.init_containers[0].name);
    // The types would notice.
    for wrong in [("Indexed\n", "Indexd\n"), ("completions: 16", "completions: many")] {
        assert!(manifests(&text.replacen(wrong.0, wrong.1, 1)).is_err(), "{wrong:?}");
    }
    let unknown = text.replacen("  completions:", "  completion:", 1);
    assert!(manifests(&unknown).err().unwrap().contains("unknown field"));
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
