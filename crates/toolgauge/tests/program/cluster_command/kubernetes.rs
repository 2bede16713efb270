//! The manifests of `toolgauge cluster kubernetes`, held against the types of the API.

use serde_json::Value;
use toolgauge_testkit::kubernetes::api::batch::v1::{Job, JobSpec};
use toolgauge_testkit::kubernetes::api::core::v1::PodSpec;

use super::job;

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
