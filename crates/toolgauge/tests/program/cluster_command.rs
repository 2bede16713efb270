//! `toolgauge cluster`: its job files do what they promise. Slurm itself is tried by
//! `tools/check-slurm`; no Kubernetes runs here, and its manifests are held against its API's types.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use k8s_openapi::api::batch::v1::{Job, JobSpec};
use k8s_openapi::api::core::v1::PodSpec;
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

/// The Jobs of a manifest, by the types of Kubernetes' own API. These pass over fields that they do not
/// know, so what was read is written again and compared.
fn jobs(manifest: &str) -> Result<Vec<Job>, String> {
    let read = |text: &str| {
        let said: Value = yaml_serde::from_str(text).map_err(|error| error.to_string())?;
        let job: Job = serde_json::from_value(said.clone()).map_err(|error| error.to_string())?;
        let known = serde_json::to_value(&job).unwrap();
        if said != known {
            return Err(format!("the API knows no more of it than {known}"));
        }
        check_values(&job).map(|()| job)
    };
    manifest.split("\n---\n").map(read).collect()
}

/// What the API server refuses though the types allow it, by the API's reference: they have a text where
/// it knows a few words.
fn check_values(job: &Job) -> Result<(), String> {
    let (spec, pod) = parts(job);
    let mode = spec.completion_mode.as_deref();
    let restart = pod.restart_policy.as_deref();
    let sidecars = pod.init_containers.iter().flatten();
    let containers = || pod.containers.iter().chain(pod.init_containers.iter().flatten());
    let volumes = pod.volumes.iter().flatten().map(|volume| &volume.name).collect::<Vec<_>>();
    let per_index = spec.backoff_limit_per_index.is_some();
    let rules = [
        ("completionMode", matches!(mode, None | Some("Indexed" | "NonIndexed"))),
        ("completions", mode != Some("Indexed") || spec.completions > Some(0)),
        ("restartPolicy", matches!(restart, Some("Never" | "OnFailure"))),
        ("backoffLimitPerIndex", !per_index || (mode, restart) == (Some("Indexed"), Some("Never"))),
        ("maxFailedIndexes", spec.max_failed_indexes <= spec.completions.filter(|_| per_index)),
        (
            "restartPolicy of a sidecar",
            sidecars.map(|one| one.restart_policy.as_deref()).all(|word| word == Some("Always")),
        ),
        ("image", containers().all(|one| one.image.is_some())),
        (
            "volumeMounts",
            containers()
                .flat_map(|one| one.volume_mounts.iter().flatten())
                .all(|mount| volumes.contains(&&mount.name) && mount.mount_path.starts_with('/')),
        ),
    ];
    let broken = rules.iter().find(|(_, kept)| !kept);
    broken.map_or(Ok(()), |(field, _)| Err(format!("the API refuses this {field}")))
}

fn parts(job: &Job) -> (&JobSpec, &PodSpec) {
    let spec = job.spec.as_ref().unwrap();
    (spec, spec.template.spec.as_ref().unwrap())
}

#[test]
fn the_manifests_for_kubernetes_are_jobs_of_its_api() {
    let server = ["--server", "llama-server --port \"$PORT\"", "--server-image", "llama:server"];
    let run = ["--", "everyday", "-m", "qwen: 3 #4"];
    let base = ["kubernetes", "--shards", "16", "--image", "tg:1"];
    assert_eq!(jobs(&job(&[&base[..], &run[..]].concat())).map(|jobs| jobs.len()), Ok(2));
    let text = job(&[&base[..], &server[..], &run[..]].concat());
    let jobs_of_run = jobs(&text).unwrap();
    let [shards, merge] = jobs_of_run.as_slice() else { panic!("{text}") };
    assert_ne!(shards.metadata.name, merge.metadata.name);
    let (spec, pod) = parts(shards);
    assert_eq!(spec.completion_mode.as_deref(), Some("Indexed"));
    assert_eq!((spec.completions, spec.parallelism), (Some(16), Some(16)));
    assert!(spec.backoff_limit_per_index > Some(0) && spec.max_failed_indexes.is_some());
    assert!(pod.termination_grace_period_seconds.is_some());
    let server = &pod.init_containers.as_deref().unwrap()[0];
    assert_eq!(server.image.as_deref(), Some("llama:server"));
    assert_eq!(server.command.as_deref().unwrap()[2], "llama-server --port \"$PORT\"");
    assert_eq!(server.env.as_deref().unwrap()[0].value.as_deref(), Some("8080"));
    let main = &pod.containers[0];
    assert_eq!((main.image.as_deref(), main.name == server.name), (Some("tg:1"), false));
    let arguments = main.args.as_deref().unwrap();
    assert_eq!(arguments[..4], ["run", "everyday", "-m", "qwen: 3 #4"]);
    assert!(arguments.join(" ").contains("--shard auto/16"), "{arguments:?}");
    let secret = main.env_from.as_deref().unwrap()[0].secret_ref.as_ref().unwrap();
    assert_eq!((secret.name.as_str(), secret.optional), ("toolgauge", Some(true)));
    let mount = &main.volume_mounts.as_deref().unwrap()[0];
    assert_eq!(main.working_dir.as_ref(), Some(&mount.mount_path));
    let claim = pod.volumes.as_deref().unwrap()[0].persistent_volume_claim.as_ref();
    assert_eq!(claim.unwrap().claim_name, "toolgauge");
    let (spec, pod) = parts(merge);
    assert_eq!(pod.containers[0].args.as_deref().unwrap()[0], "merge");
    assert_eq!(pod.restart_policy.as_deref(), Some("OnFailure"));
    assert!(spec.backoff_limit.is_some());
}

/// Types of a library may let pass what the API server does not.
#[test]
fn wrong_fields_and_values_of_a_manifest_would_be_found() {
    let base = ["kubernetes", "--shards", "16", "--server", "llama-server", "--", "everyday"];
    let text = job(&base);
    for (right, wrong, says) in [
        ("apiVersion: batch/v1", "apiVersion: batch/v2", "batch/v2"),
        ("kind: Job", "kind: CronJob", "CronJob"),
        ("completions: 16", "completion: 16", "the API knows no more"),
        ("workingDir:", "workDir:", "the API knows no more"),
        ("completions: 16", "completions: many", "invalid type"),
        ("parallelism: 16", "parallelism: 1.5", "invalid type"),
        ("optional: true", "optional: maybe", "invalid type"),
        ("completionMode: Indexed", "completionMode: Indexd", "completionMode"),
        ("completions: 16", "completions: 0", "completions"),
        ("restartPolicy: Never", "restartPolicy: Always", "restartPolicy"),
        ("restartPolicy: Never", "restartPolicy: OnFailure", "backoffLimitPerIndex"),
        ("maxFailedIndexes: 16", "maxFailedIndexes: 17", "maxFailedIndexes"),
        ("restartPolicy: Always", "restartPolicy: Sometimes", "sidecar"),
        ("image:", "#image:", "image"),
        ("name: work\n              mount", "name: wrk\n              mount", "volumeMounts"),
        ("mountPath: /work", "mountPath: work", "volumeMounts"),
    ] {
        assert!(text.contains(right), "{right}");
        let refused = jobs(&text.replacen(right, wrong, 1)).expect_err(wrong);
        assert!(refused.contains(says), "{wrong}: {refused}");
    }
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
