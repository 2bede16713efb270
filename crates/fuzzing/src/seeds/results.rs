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

/// Files of records and of spans, one of every kind, each behind the byte that names its kind.
pub(super) const RECORDS: &[(u8, &str)] = &[
    (
        5,
        r#"{"version":3,"results":{"version":3,"results":[{"promptIdx":0,"testIdx":0,"success":true,"score":0.75,"latencyMs":1500,"provider":{"id":"p"},"vars":{"v":"x"},"prompt":{"raw":"[{\"role\": \"user\", \"content\": \"Hi\"}]"},"testCase":{"description":"d","assert":[{"type":"tool-call-f1","value":"f, g","threshold":0.5},{"type":"not-icontains","value":"no"},{"type":"regex","value":"^P"}]},"response":{"output":[{"function":{"name":"f","arguments":"{\"a\":1}"}}],"tokenUsage":{"prompt":3}},"gradingResult":{"pass":true,"reason":"r","componentResults":[{"pass":true,"score":0.75,"assertion":{"type":"tool-call-f1"}}]}}]}}"#,
    ),
    (
        6,
        r#"{"testRunData":{"testCases":[{"name":"a","input":"q","actualOutput":"o","expectedOutput":"e","toolsCalled":[{"name":"f","type":"FUNCTION","inputParameters":{"a":1},"output":[2]}],"expectedTools":[{"name":"f","inputParameters":{"a":1.5}}],"retrievalContext":["s"],"runDuration":0.5,"order":0,"metricsData":[{"name":"Tool Correctness","score":1,"threshold":0.5,"success":true,"reason":"r","error":null}]}],"conversationalTestCases":[{"name":"b","turns":[{"role":"user","content":"x"},{"role":"assistant","content":"y","toolsCalled":[]}],"metricsData":[]}]}}"#,
    ),
    (
        7,
        concat!(
            r#"{"id":"a","session_name":"s","inputs":{"question":"q"},"outputs":{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": NaN}"}}]},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"t"}]}]},"reference_outputs":"[{\"role\": \"assistant\", \"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": {}}}]}]","feedback":{"trajectory_strict_match":{"score":true,"comment":"c"}}}"#,
            "\n",
            r#"{"inputs":[1],"outputs":{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"g","args":{}}}]}}]},"reference_outputs":null,"feedback":[{"key":"k","score":2}]}"#,
        ),
    ),
    (
        8,
        r#"{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[{"traceId":"t","spanId":"1","parentSpanId":"","name":"s","startTimeUnixNano":"5","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c\",\"name\":\"f\",\"arguments\":{}}]}]"}}],"events":[{"name":"gen_ai.choice","attributes":[]}]},{"traceId":"t","spanId":"2","parentSpanId":"1","name":"f","startTimeUnixNano":"6","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"f"}},{"key":"gen_ai.tool.call.result","value":{"intValue":"7"}}]}]}]}]}"#,
    ),
    (
        9,
        r#"{"trace":{"id":"t","sessionId":"s","scores":[{"name":"good","value":1}]},"observations":[{"id":"g","traceId":"t","type":"GENERATION","startTime":"2026-01-01T00:00:00Z","model":"m","input":{"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]},"output":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"a":1}}]},"usage":{"input":1}},{"id":"h","traceId":"t","type":"TOOL","parentObservationId":"g","name":"f","input":"{}","output":"o"}]}"#,
    ),
    (
        10,
        r#"[{"name":"llm","context":{"trace_id":"t","span_id":"1"},"span_kind":"LLM","parent_id":null,"start_time":"2026-01-01T00:00:00","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"x","llm.output_messages":[{"message":{"role":"assistant","tool_calls":[{"tool_call":{"function":{"name":"f","arguments":"{}"}}}]}}],"llm.tools.0.tool.json_schema":"{}"}}]"#,
    ),
    (
        11,
        concat!(
            r#"{"custom_id":"a","response":{"status_code":200,"body":{"id":"1","object":"chat.completion","model":"m","metadata":{"case":"k"},"choices":[{"message":{"role":"assistant","content":null,"refusal":"no","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]}}],"usage":{"prompt_tokens":1}}},"error":null}"#,
            "\n",
            r#"{"custom_id":"b","response":{"status_code":429,"body":{"error":{"message":"slow"}}}}"#,
        ),
    ),
    (
        12,
        concat!(
            r#"{"spec":{"eval_name":"e.v0","completion_fns":["m"],"run_id":"r"}}"#,
            "\n",
            r#"{"sample_id":"a","type":"sampling","data":{"prompt":[{"role":"user","content":"x"}],"sampled":["y"]}}"#,
            "\n",
            r#"{"sample_id":"a","type":"match","data":{"correct":true,"expected":"y","picked":"y"}}"#,
            "\n",
            r#"{"sample_id":"a","type":"function_call","data":{"name":"f","arguments":{},"return_value":1}}"#,
            "\n",
            r#"{"final_report":{"accuracy":1}}"#,
        ),
    ),
    (
        13,
        r#"[{"id":"a","tools":"[{\"name\":\"f\"}]","conversations":[{"from":"system","value":"s"},{"from":"human","value":"x"},{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"},{"from":"observation","value":"1"},{"from":"gpt","value":"<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>"}]}]"#,
    ),
    (
        14,
        r#"{"schema_version":"ATIF-v1.4","session_id":"s","agent":{"name":"a","model_name":"m","tool_definitions":[]},"steps":[{"step_id":1,"source":"user","message":"x"},{"step_id":2,"source":"agent","message":[{"type":"text","text":"y"}],"reasoning_content":"r","tool_calls":[{"tool_call_id":"1","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"1","content":"o"}]},"metrics":{"prompt_tokens":1}}]}"#,
    ),
];

/// A trial of home-assistant-datasets and the labels beside it, with a zero byte between them.
pub(super) const HA_DATASETS: &[&str] = &[
    "uuid: u\ntask_id: home-close_it-0\nmodel_id: m\ncategory: cover\ntask:\n  input_text: Close it.\n  expect_changes:\n    cover.a:\n      state: closed\nresponse: Done.\ncontext:\n  unexpected_states: {}\n  duration_ms: 1500.0\n  conversation_trace:\n  - event_type: agent_detail\n    data:\n      messages:\n      - {role: user, content: Close it.}\n  - event_type: tool_call\n    data: {tool_name: HassTurnOff, tool_args: {name: a}}\n\0task_id,model_id,category,text,tool_call,response,task_name,label,details\nhome-close_it-0,m,cover,Close it.,,Done.,t,Good,\n",
    "task_id: [\0task_id,model_id,label,category,task_prefix\na,m,Good,c,p\n",
];
