// What would follow from changes: a form, and the workloads that would fare otherwise.
import { get, post } from "./api.js";
import { ProblemBox, h, useAnswer, useState, workloadLink } from "./ui.js";

const inPool = ({ pool }) => (pool ? ` in pool ${pool}` : "");

const KINDS = {
  limit: { title: "Limit of a queue", fields: ["queue", "pool", "amount"], words: (c) => `limit of ${c.queue}${inPool(c)}: ${c.amount} GPUs` },
  quota: { title: "Quota of a queue", fields: ["queue", "pool", "amount"], words: (c) => `quota of ${c.queue}${inPool(c)}: ${c.amount} GPUs` },
  removeQueue: { title: "A queue is deleted", fields: ["queue"], words: (c) => `queue ${c.queue} is deleted` },
  drain: { title: "A node is drained", fields: ["node"], words: (c) => `node ${c.node} is drained` },
  addNodes: { title: "Nodes are added", fields: ["node", "count"], words: (c) => `${c.count} more nodes like ${c.node}` },
  end: { title: "A workload ends", fields: ["namespace", "name"], words: (c) => `${c.namespace}/${c.name} ends` },
  later: { title: "Time passes", fields: ["seconds"], words: (c) => `${c.seconds} s pass` },
};
const LABELS = { queue: "Queue", pool: "Node pool, or empty for all", amount: "GPUs, or unlimited", node: "Node", count: "How many", namespace: "Namespace", name: "Name", seconds: "Seconds" };
const NUMBERS = new Set(["count", "seconds"]);
const OPTIONAL = new Set(["pool"]);

function words(outcome) {
  const pods = (count) => `${count} ${count === 1 ? "pod" : "pods"}`;
  const victims = (outcome.victims ?? []).length;
  switch (outcome.what) {
    case "starts": return `starts with ${pods(outcome.pods)}${victims ? `, for which ${pods(victims)} would be evicted` : ""}`;
    case "is evicted": return `is evicted, ${pods(outcome.pods)}`;
    case "waits": return outcome.sentence;
    case "stays": return "stays as it is";
    default: return outcome.what;
  }
}

function Named({ namespace, name, queue }) {
  return [h("th", { scope: "row" }, workloadLink(namespace, name), h("div", { class: "faint" }, namespace)), h("td", { "data-name": "Queue" }, queue)];
}

/** Workloads that lose pods, as `berth what-if` tells of them. */
const losing = (answer) => [
  ...(answer?.gone ?? []).map((each) => ({ ...each, sentence: "is gone" })),
  ...(answer?.losses ?? []),
  ...(answer?.departures ?? []),
];

export function WhatIfPage() {
  const [kind, setKind] = useState("limit");
  const [fields, setFields] = useState({});
  const [changes, setChanges] = useState([]);
  const [state, setState] = useState({});
  const queues = useAnswer((signal) => get("queues?limit=1000", signal), "").answer?.items ?? [];
  const nodes = useAnswer((signal) => get("nodes?limit=200", signal), "").answer?.items ?? [];
  const pools = [...new Set(queues.flatMap((each) => (each.pools ?? []).map((pool) => pool.name)).filter(Boolean))].sort();
  const asked = KINDS[kind].fields.filter((field) => field !== "pool" || pools.length > 0);
  const options = { queue: queues.map((each) => each.name), node: nodes.map((each) => each.name), pool: pools };

  const add = (event) => {
    event.preventDefault();
    const change = { kind };
    for (const field of asked) if (fields[field] || !OPTIONAL.has(field)) change[field] = NUMBERS.has(field) ? Number(fields[field]) : fields[field];
    setChanges([...changes, change]);
    setFields({});
    setState({});
  };
  const ask = async () => {
    setState({ asking: true });
    try {
      setState({ answer: await post("what-if", { changes }) });
    } catch (problem) {
      setState({ problem });
    }
  };
  const { asking, answer, problem } = state;
  const differs = answer?.differs ?? [];
  const losers = losing(answer);
  return h("div", null,
    h("h1", null, "What if"),
    h("p", { class: "faint" }, "What would follow from changes to the cluster, by the same planner over a copy of it. Nothing is changed."),
    h("section", { class: "sheet" },
      h("h2", null, "Changes"),
      h("form", { class: "tools", onSubmit: add },
        h("label", null, "Change", h("select", { value: kind, onChange: (e) => { setKind(e.target.value); setFields({}); } },
          Object.entries(KINDS).map(([value, each]) => h("option", { value }, each.title)))),
        asked.map((field) => h("label", { key: `${kind}/${field}` }, LABELS[field],
          h("input", {
            required: !OPTIONAL.has(field), value: fields[field] ?? "", list: options[field] ? `of-${field}` : undefined, autocomplete: "off",
            ...(NUMBERS.has(field) ? { type: "number", min: 1 } : field === "amount" ? { pattern: "unlimited|\\d+(\\.\\d{1,3})?" } : {}),
            onInput: (e) => { const { value } = e.target; setFields((before) => ({ ...before, [field]: value })); },
          }))),
        Object.entries(options).map(([field, names]) => h("datalist", { id: `of-${field}`, key: field }, names.map((name) => h("option", { value: name })))),
        h("button", null, "Add")),
      h("ol", { class: "changes" }, changes.map((change, i) => h("li", { key: i }, KINDS[change.kind].words(change),
        h("button", { class: "link", "aria-label": `Remove: ${KINDS[change.kind].words(change)}`, onClick: () => { setChanges(changes.filter((_, j) => j !== i)); setState({}); } }, "remove")))),
      h("button", { class: "main", disabled: asking || changes.length === 0, onClick: ask }, asking ? "Planning…" : "What would follow?")),
    h(ProblemBox, { problem }),
    h("div", { "aria-live": "polite" }, answer && h("section", { class: "sheet" },
      h("h2", null, "What would follow"),
      differs.length + losers.length === 0 && !answer.hidden && h("p", null, "The plan would be the same."),
      losers.length > 0 && [h("h3", null, "Workloads that lose pods"),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Workloads that lose pods" }, h("table", { class: "stacks" },
          h("thead", null, h("tr", null, ["Workload", "Queue", "What it loses"].map((title) => h("th", { scope: "col" }, title)))),
          h("tbody", null, losers.map((each, i) => h("tr", { key: i }, h(Named, each), h("td", { "data-name": "Loses" }, each.sentence))))))],
      differs.length > 0 && [h("h3", null, "Workloads with another decision"),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Workloads with another decision" }, h("table", { class: "stacks" },
          h("thead", null, h("tr", null, ["Workload", "Queue", "Would be", "Now"].map((title) => h("th", { scope: "col" }, title)))),
          h("tbody", null, differs.map((each) => h("tr", { key: `${each.namespace}/${each.name}` }, h(Named, each),
            h("td", { "data-name": "Would be" }, words(each.after)),
            h("td", { class: "faint", "data-name": "Now" }, words(each.before)))))))],
      answer.hidden > 0 && h("p", { class: "faint" }, `${answer.hidden} more workloads that you may not see would fare otherwise.`))));
}
