//! What people type: examples for every command. A test parses each of them.

/// The path of a command, what is typed, and what that does.
pub(super) const EXAMPLES: &[(&str, &str, &str)] = &[
    ("toolgauge", "toolgauge run", "Run a shipped suite on the built-in baseline; no model needed"),
    (
        "toolgauge",
        "toolgauge run everyday --base-url http://127.0.0.1:8080/v1",
        "Measure the model that a local server offers",
    ),
    ("toolgauge", "toolgauge view --open", "Look at every run and case in a browser"),
    (
        "toolgauge run",
        "toolgauge run everyday -m qwen3-8b --base-url http://127.0.0.1:8080/v1",
        "Measure a model behind an OpenAI-compatible server",
    ),
    (
        "toolgauge run",
        "toolgauge run bikes.yaml -m chatbot:http://localhost:8000/chat --fail-under 0.8",
        "Ask a chatbot your own questions and fail the build below 0.8",
    ),
    (
        "toolgauge run",
        "toolgauge run everyday -m qwen3-8b --failed-in last",
        "Run only the cases again that did not pass in the newest log",
    ),
    (
        "toolgauge run",
        "toolgauge run everyday -m qwen3-8b --case 'timer-*' --trials 5 --full",
        "Run some cases five times each and print every figure",
    ),
    (
        "toolgauge run",
        "toolgauge run my-home -m home-assistant:http://127.0.0.1:8123 --agent conversation.qwen",
        "Measure an agent of a Home Assistant that you marked as a test instance",
    ),
    ("toolgauge run", "toolgauge run --resume last", "Go on with an interrupted run"),
    (
        "toolgauge run",
        "toolgauge run everyday -m qwen3-8b --shard 3/16 --log-dir shards",
        "Run one of sixteen parts, or go on with it; each machine runs another",
    ),
    (
        "toolgauge partial",
        "toolgauge partial results.json",
        "Give partial credit to a tau-bench result file",
    ),
    (
        "toolgauge import",
        "toolgauge import results/ -o logs",
        "Turn results of another benchmark into logs",
    ),
    (
        "toolgauge atlas",
        "toolgauge atlas results/ --data bfcl_eval/data",
        "Find recorded verdicts and expected answers that are wrong",
    ),
    (
        "toolgauge export",
        "toolgauge export logs/run.eval --to promptfoo -o rows.jsonl",
        "Give the trials of a log to another tool",
    ),
    (
        "toolgauge export",
        "toolgauge export logs --format parquet -o tables",
        "Make tables of all logs, for DuckDB, Polars or Spark",
    ),
    (
        "toolgauge sql",
        "toolgauge sql 'SELECT model, avg(value) FROM trials GROUP BY model' logs",
        "Compare the models of all runs",
    ),
    (
        "toolgauge prompt",
        "toolgauge prompt everyday --case 'timer-*' --pretty",
        "See the exact request of a case",
    ),
    (
        "toolgauge score",
        "toolgauge score logs/run.eval --scorer tool_calls",
        "Score a log again by another scorer, without calling the model",
    ),
    (
        "toolgauge score",
        "toolgauge score --suite bikes.yaml --transcripts conversations.ndjson",
        "Score conversations that another program recorded",
    ),
    (
        "toolgauge merge",
        "toolgauge merge shards -o run.eval",
        "Make one log of all shards of a run",
    ),
    (
        "toolgauge cluster",
        "toolgauge cluster slurm --shards 16 -- everyday -m qwen3-8b > toolgauge.sbatch",
        "Print a Slurm array of sixteen tasks and its merge",
    ),
    (
        "toolgauge cluster",
        "toolgauge cluster slurm --server 'llama-server -m m.gguf --port $PORT' -- everyday -m m",
        "Start a model server for each task",
    ),
    ("toolgauge summary", "toolgauge summary last", "Print every figure of the newest run"),
    (
        "toolgauge summary",
        "toolgauge summary last --verbose",
        "Print every question with its answer as well",
    ),
    (
        "toolgauge compare",
        "toolgauge compare logs/before.eval logs/after.eval",
        "Say whether the second run is better than the first",
    ),
    (
        "toolgauge compare",
        "toolgauge compare last --gate 'broken<=0'",
        "Fail if a case broke since the pinned run",
    ),
    (
        "toolgauge report",
        "toolgauge report last -o report.html",
        "Write one page that opens from disk",
    ),
    (
        "toolgauge report",
        "toolgauge report logs/before.eval logs/after.eval -o comparison.md",
        "Write a comparison for a pull request",
    ),
    ("toolgauge view", "toolgauge view --open", "Look at the runs in `logs` in a browser"),
    ("toolgauge view", "toolgauge view nightly --port 9000", "Show another folder on another port"),
    (
        "toolgauge view",
        "toolgauge view --bind 0.0.0.0 --token",
        "Show the runs to a team, behind a token",
    ),
    (
        "toolgauge judge",
        "toolgauge judge logs/a.eval logs/b.eval --judge qwen3-32b",
        "Have a model say which of two runs answered better",
    ),
    ("toolgauge baseline", "toolgauge baseline set last", "Compare later runs with the newest one"),
    (
        "toolgauge baseline set",
        "toolgauge baseline set logs/release.eval",
        "Compare later runs of this suite with this one",
    ),
    ("toolgauge baseline show", "toolgauge baseline show", "Print which runs are pinned"),
    (
        "toolgauge baseline clear",
        "toolgauge baseline clear everyday",
        "Pin no run for this suite any more",
    ),
    (
        "toolgauge cases",
        "toolgauge cases logs/a.eval logs/b.eval logs/c.eval",
        "Find cases that are probably wrong themselves",
    ),
    (
        "toolgauge history",
        "toolgauge history everyday --last 10",
        "Show the score of a suite over its last ten runs",
    ),
    (
        "toolgauge feedback",
        "toolgauge feedback stats",
        "See how satisfied people are, and whether scores agree with them",
    ),
    (
        "toolgauge feedback add",
        "toolgauge feedback add logs/run.eval price-1 --down --correction 'The rent is $68.'",
        "Say that an answer is wrong, and what is right",
    ),
    (
        "toolgauge feedback import",
        "toolgauge feedback import thumbs.ndjson --log logs/run.eval",
        "Add what people said elsewhere",
    ),
    (
        "toolgauge feedback export",
        "toolgauge feedback export > feedback.ndjson",
        "Write all feedback to a file",
    ),
    (
        "toolgauge feedback stats",
        "toolgauge feedback stats --by category",
        "Count thumbs by category, and see what comments share",
    ),
    ("toolgauge feedback list", "toolgauge feedback list", "List feedback with its numbers"),
    (
        "toolgauge feedback list",
        "toolgauge feedback list --theme deposit",
        "List the comments that share a word, a cause, a tool or a category",
    ),
    (
        "toolgauge feedback promote",
        "toolgauge feedback promote 3 --into bikes.yaml",
        "Turn the third correction into a case of a suite",
    ),
    ("toolgauge check", "toolgauge check bikes.yaml", "Find every problem in a suite"),
    (
        "toolgauge check",
        "toolgauge check --schema > suite.schema.json",
        "Let an editor complete suite files",
    ),
    (
        "toolgauge check",
        "toolgauge check --judges replies --verbose",
        "See how often scorers are wrong about replies that people judged",
    ),
    ("toolgauge serve", "toolgauge serve", "Offer the baseline as a model on port 8080"),
    (
        "toolgauge serve",
        "toolgauge serve --chatbot bikes.yaml --faults flaky",
        "Offer a chatbot that fails now and then",
    ),
    ("toolgauge list", "toolgauge list", "List the shipped suites and the scorers"),
    ("toolgauge init", "toolgauge init my-suite", "Start a suite for tool calls"),
    (
        "toolgauge init",
        "toolgauge init bikes --template chatbot",
        "Start a suite of questions to a chatbot",
    ),
    (
        "toolgauge generate",
        "toolgauge generate home-assistant --seed 7 --count 50",
        "Make a home and 50 requests that no model has seen",
    ),
    (
        "toolgauge generate",
        "toolgauge generate questions --database company.db --documents papers",
        "Make golden questions over your own data, proved by queries and passages",
    ),
    (
        "toolgauge generate",
        "toolgauge generate --home my-home",
        "Make requests for your own home, after `toolgauge home import`",
    ),
    (
        "toolgauge generate",
        "toolgauge generate --home my-home --expose 20,40",
        "Make variants that expose fewer entities, to see whether that helps",
    ),
    (
        "toolgauge home",
        "toolgauge home import --url http://homeassistant.local:8123",
        "Read your own home into the folder my-home",
    ),
    (
        "toolgauge home import",
        "toolgauge home import --url http://homeassistant.local:8123 --private",
        "Read your own home and give everything other names",
    ),
    (
        "toolgauge home import",
        "toolgauge home import --storage /backup/config/.storage -o my-home",
        "Read it from a copy of Home Assistant's files",
    ),
    (
        "toolgauge home import",
        "toolgauge home import --prompt prompt.txt -o my-home",
        "Read it from a prompt copied out of the debug view",
    ),
    (
        "toolgauge home check",
        "toolgauge home check my-home",
        "Find names that will confuse a model",
    ),
    (
        "toolgauge home cost",
        "toolgauge home cost my-home",
        "See how much of the prompt each exposed entity takes",
    ),
    (
        "toolgauge try",
        "toolgauge try business --suite property-manager < calls.ndjson",
        "Make calls in the world of a suite",
    ),
    (
        "toolgauge try home-assistant",
        "toolgauge try home-assistant --inventory home.yaml < calls.ndjson",
        "Make calls in a home",
    ),
    (
        "toolgauge try business",
        "toolgauge try business --database rents.sqlite --documents docs < calls.ndjson",
        "Make calls against your own database and documents",
    ),
    (
        "toolgauge mcp",
        "toolgauge mcp --model qwen3-8b",
        "Let a coding agent measure the baseline and a model of your server",
    ),
    (
        "toolgauge mcp check",
        "toolgauge mcp check --mcp .mcp.json files",
        "Check the tools of a server that your agent uses",
    ),
    (
        "toolgauge mcp check",
        "toolgauge mcp check 'npx -y my-server' --model qwen3-8b --trials 5",
        "Count which of its tools a model confuses",
    ),
    (
        "toolgauge config",
        "toolgauge config --defaults > toolgauge.toml",
        "Start a settings file with every setting explained",
    ),
    (
        "toolgauge completions",
        "toolgauge completions bash > ~/.local/share/bash-completion/completions/toolgauge",
        "Complete commands in bash",
    ),
    ("toolgauge man", "toolgauge man | man -l -", "Read the manual"),
];
