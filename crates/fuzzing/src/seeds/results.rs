//! Small files in the shapes of other tools' results, and the messages of a home.

/// Answers, verdicts, questions and accepted answers, with a zero byte between them.
pub(super) const BFCL: &[&str] = &[
    concat!(
        r#"{"id":"simple_0","result":[{"f":"{\"a\": 1, \"b\": \"x\"}"}],"input_token_count":[[3]],"latency":0.5}"#,
        "\n",
        r#"{"id":"simple_1","result":"I cannot."}"#,
        "\n\0",
        r#"{"accuracy":0.5,"correct_count":1,"total_count":2}"#,
        "\n",
        r#"{"id":"simple_1","valid":false,"error":["no call"],"error_type":"x"}"#,
        "\n\0",
        r#"{"id":"simple_0","question":[[{"role":"user","content":"go"}]],"function":[{"name":"f","description":"d","parameters":{"type":"dict","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"]}}]}"#,
        "\n\0",
        r#"{"id":"simple_0","ground_truth":[{"f":{"a":[1,2],"b":["x",""]}}]}"#,
        "\n",
    ),
    concat!(
        r#"{"id":"multi_turn_base_0","result":[[[{"g.h":"{\"c\": [1.5, null]}"}],["done"]],[[]]]}"#,
        "\n\0\0",
        r#"{"id":"multi_turn_base_0","question":[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]],"function":[{"name":"g.h","parameters":{"type":"dict","properties":{"c":{"type":"array","items":{"type":"float"}}}}}]}"#,
        "\n\0",
        r#"{"id":"multi_turn_base_0","ground_truth":[["g.h(c=[1.5])"],[]]}"#,
        "\n",
    ),
    concat!(
        r#"{"id":"0","result":[{"f":"{\"m\": {\"k\": 1}}"},{"f":"{}"}]}"#,
        "\n\0",
        r#"{"accuracy":0}"#,
        "\n",
        r#"{"id":1,"error":{"x":1}}"#,
        "\n\0",
        r#"{"question":"go","function":{"name":"f","parameters":{"type":"dict","properties":{"m":{"type":"dict"}},"required":[]}}}"#,
        "\n\0",
        r#"{"f_1":{"m":[{"k":[1,""]}]},"f_2":{}}"#,
        "\n",
    ),
];

/// A result of τ².
pub(super) const TAU2: &str = r#"{"info":{"agent_info":{"llm":"m"},"environment_info":{"domain_name":"d"}},"tasks":[{"id":"t","evaluation_criteria":{"actions":[{"action_id":"a","requestor":"assistant","name":"f","arguments":{"x":1},"compare_args":["x"]}],"communicate_info":["12"],"nl_assertions":["n"],"reward_basis":["DB","COMMUNICATE"]}}],"simulations":[{"id":"s","task_id":"t","trial":0,"duration":4.5,"termination_reason":"user_stop","reward_info":{"reward":1.0,"reward_breakdown":{"DB":1.0},"action_checks":[{"action_match":true}],"communicate_checks":[{"met":true}]},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","name":"f","arguments":{"x":1}}],"usage":{"prompt_tokens":3}},{"role":"tool","id":"c","content":"12","error":false},{"role":"assistant","content":"12"}]}]}"#;

/// What a Home Assistant says while it is read.
pub(super) const HOME_MESSAGES: &str = concat!(
    r#"{"type":"auth_required","ha_version":"2026.10.4"}"#,
    "\n",
    r#"{"type":"auth_ok","ha_version":"2026.10.4"}"#,
    "\n",
    r#"{"id":1,"type":"result","success":true,"result":[{"floor_id":"g","name":"Ground","aliases":["down"]}]}"#,
    "\n",
    r#"{"id":2,"type":"result","success":true,"result":[{"area_id":"k","name":"Kitchen","aliases":[],"floor_id":"g"}]}"#,
    "\n",
    r#"{"id":3,"type":"result","success":true,"result":[{"id":"d","name":"D","name_by_user":null,"area_id":"k","parent_device_id":null}]}"#,
    "\n",
    r#"{"id":4,"type":"result","success":true,"result":{"exposed_entities":{"light.a":{"conversation":true},"todo.s":{"conversation":true}}}}"#,
    "\n",
    r#"{"id":5,"type":"result","success":true,"result":[{"entity_id":"light.a","state":"on","attributes":{"friendly_name":"A","brightness":3}},{"entity_id":"todo.s","state":"1","attributes":{}}]}"#,
    "\n",
    r#"{"id":6,"type":"result","success":true,"result":{"time_zone":"Europe/Berlin"}}"#,
    "\n",
    r#"{"id":7,"type":"result","success":true,"result":[{"entity_id":"light.a"}]}"#,
    "\n",
    r#"{"id":8,"type":"result","success":true,"result":{"light.a":{"entity_id":"light.a","name":null,"original_name":"A","area_id":null,"device_id":"d","has_entity_name":true,"aliases":["Lamp",null],"options":{"conversation":{"should_expose":true}}}}}"#,
    "\n",
    r#"{"id":9,"type":"result","success":true,"result":{"script":{"greet":{"name":"Greet","description":"x","fields":{"who":{"required":true,"selector":{"text":null}}}}}}}"#,
    "\n",
    r#"{"id":10,"type":"result","success":true,"result":{"items":[{"summary":"milk","uid":"1","status":"needs_action"}]}}"#,
    "\n",
);

/// A log of Inspect AI in JSON, with two samples, one of which failed.
pub(super) const INSPECT_JSON: &str = r#"{"version":2,"status":"success","eval":{"run_id":"r","created":"2026-01-01T00:00:00+00:00","task":"sums","task_id":"t","model":"m","dataset":{"name":"d","samples":2,"sample_ids":["a",2]},"config":{"epochs":1}},"plan":{"steps":[]},"results":{"scores":[{"name":"match","metrics":{"accuracy":{"value":0.5}}}]},"stats":{"started_at":"2026-01-01T00:00:00+00:00"},"samples":[{"id":"a","epoch":1,"input":"2+2?","target":"4","messages":[{"role":"user","content":"2+2?"},{"role":"assistant","content":"4","tool_calls":[{"id":"1","function":"f","arguments":{"x":NaN}}]}],"output":{"model":"m","choices":[]},"scores":{"match":{"value":"C"}}},{"id":2,"epoch":1,"input":[{"role":"user","content":"3+3?"}],"target":["6","six"],"error":{"message":"no"},"scores":{"match":{"value":0.5}}}],"reductions":[]}"#;
