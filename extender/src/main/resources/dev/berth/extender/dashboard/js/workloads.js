// Workloads as a list, and one with its timeline and explanation.
import { get } from "./api.js";
import { Badge, ProblemBox, ago, h, moment, number, path, query, time, useAnswer, useEffect, useState, useTurn, workloadLink } from "./ui.js";

const PHASES = ["Pending", "Queued", "Planned", "Starting", "Running", "Finished"];

export function WorkloadsPage({ live, filter }) {
  const [shown, setShown] = useState(100);
  const [turn, told] = useTurn();
  useEffect(() => live.on("workloads", told), []);
  const asked = query({ ...filter, limit: Math.min(shown, 1000) });
  const { answer, problem } = useAnswer((signal) => get(`workloads?${asked}`, signal), asked, turn);
  const queues = useAnswer((signal) => get("queues?limit=1000", signal), "").answer?.items ?? [];
  const set = (field) => (event) => {
    location.hash = `#/workloads?${query({ ...filter, [field]: event.target.value })}`;
  };
  const items = answer?.items ?? [];
  return h("div", null,
    h("h1", null, "Workloads"),
    h("div", { class: "sheet tools", role: "search" },
      h("label", null, "Phase", h("select", { value: filter.phase ?? "", onChange: set("phase") },
        h("option", { value: "" }, "all"), PHASES.map((phase) => h("option", { value: phase }, phase)))),
      h("label", null, "Queue", h("select", { value: filter.queue ?? "", onChange: set("queue") },
        h("option", { value: "" }, "all"), queues.map((queue) => h("option", { value: queue.name }, queue.name)))),
      h("label", null, "Namespace", h("input", { type: "search", value: filter.namespace ?? "", placeholder: "all", onChange: set("namespace") }))),
    h(ProblemBox, { problem }),
    answer && h("section", { class: "sheet" },
      items.length === 0 ? h("p", null, "There are none of these now.") :
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of workloads" }, h("table", { class: "stacks" },
        h("thead", null, h("tr", null, ["Workload", "Queue", "Phase", "Asks for", "Pods bound", "Age", "Why it waits"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, items.map((each) => h("tr", { key: `${each.namespace}/${each.name}` },
          h("th", { scope: "row" }, workloadLink(each.namespace, each.name), h("div", { class: "faint" }, each.namespace)),
          h("td", { "data-name": "Queue" }, each.queue),
          h("td", { class: "short", "data-name": "Phase" }, h(Badge, { phase: each.phase })),
          h("td", { class: "short", "data-name": "Asks for" }, each.asks),
          h("td", { class: "short", "data-name": "Pods bound" }, `${each.pods.bound} of ${each.pods.total}`),
          h("td", { class: "short", "data-name": "Age" }, ago(each.created)),
          h("td", { class: "reason" }, each.reason?.sentence)))))),
      answer.continue && shown < 1000 && h("p", null, h("button", { onClick: () => setShown(Math.min(1000, shown + 200)) }, "Show more")),
      answer.continue && shown >= 1000 && h("p", { class: "faint" }, "These are the first 1000: choose a queue, a namespace or a phase.")));
}

/** `8 pods bound`. */
function told({ what, pods }) {
  const count = `${pods} ${pods === 1 ? "pod" : "pods"}`;
  switch (what) {
    case "gated": return "created, waits behind its gate";
    case "planned": return `places decided for ${count}`;
    case "withdrawn": return `plans withdrawn of ${count}`;
    case "running": return `${count} ${pods === 1 ? "runs" : "run"}`;
    default: return `${count} ${what}`;
  }
}

function Timeline({ events, namespace, name }) {
  return h("ol", { class: "timeline" }, events.map((event, i) => h("li", { key: i, class: event.what },
    told(event),
    event.cause && [" (", h("a", { href: `#/evictions?${query({ namespace, workload: name })}`, "aria-label": `${event.cause}: why it was evicted` }, event.cause), ")"],
    h("time", { datetime: event.at }, time(event.at)))));
}

// They leave later than others.
function against({ evicts, againstBudgets }) {
  return againstBudgets > 0
    ? `${againstBudgets === evicts ? "" : `, ${againstBudgets} of them`} against a disruption budget, after evictions.budgetTimeout`
    : "";
}

function Explanation({ namespace, name }) {
  const [state, setState] = useState({});
  const ask = async () => {
    setState({ asking: true });
    try {
      setState({ answer: await get(`workloads/${path(namespace, name)}/explanation`) });
    } catch (problem) {
      setState({ problem });
    }
  };
  const { asking, answer, problem } = state;
  const groups = [["user", "You can"], ["administrator", "An administrator can"], ["time", "Time, or the end of others"]];
  return h("section", { class: "sheet" },
    h("h2", null, "What would let it start"),
    h("p", { class: "faint" }, "Each is proven by a plan over a copy of the cluster; it may take some seconds."),
    h("p", null, h("button", { class: "main", disabled: asking, onClick: ask }, asking ? "Planning…" : answer ? "Ask again" : "Explain")),
    h(ProblemBox, { problem }),
    h("div", { "aria-live": "polite" }, answer && [
      (answer.helps ?? []).length === 0 && h("p", null, answer.reason ? "Nothing that was tried lets it start." : "It does not wait any more."),
      groups.map(([by, title]) => {
        const helps = (answer.helps ?? []).filter((help) => (help.by.includes("administrator") ? "administrator" : help.by.includes("user") ? "user" : "time") === by);
        return helps.length > 0 && [h("h3", null, title), h("ul", { class: "helps" }, helps.map((help) =>
          h("li", null, help.remedies.join(", and "), help.evicts > 0 && h("span", { class: "faint" }, ` – evicts ${help.evicts} ${help.evicts === 1 ? "pod" : "pods"}${against(help)}`))))];
      }),
      answer.cutShort && h("p", { class: "faint" }, `Not everything was tried: ${answer.plans} plans were too few. berth explain --plans makes more.`),
      answer.hidden > 0 && h("p", { class: "faint" }, `${answer.hidden} more name what you may not see.`),
    ]));
}

const percent = ({ judged, held }) => `${Math.round((100 * held) / judged)} %`;

function Forecast({ forecast }) {
  const { answer } = useAnswer((signal) => get("forecasts", signal), "forecasts");
  return h("p", null,
    "Likely to start by ", h("time", { datetime: forecast.median }, moment(forecast.median)),
    " (even odds), and by ", h("time", { datetime: forecast.p90 }, moment(forecast.p90)), " (nine of ten).",
    answer?.p90.judged > 0 && h("span", { class: "faint" },
      ` From the waits of others: of ${answer.p90.judged} earlier forecasts ${percent(answer.median)} and ${percent(answer.p90)} held.`));
}

export function WorkloadPage({ live, namespace, name }) {
  const [turn, told] = useTurn();
  useEffect(() => live.on("workloads", (kind, data) =>
    (kind !== "changes" || [...(data.workloads ?? []), ...(data.workloadsGone ?? [])].some((each) => each.name === name && each.namespace === namespace)) && told()), [namespace, name]);
  const { answer: each, problem } = useAnswer((signal) => get(`workloads/${path(namespace, name)}`, signal), `${namespace}/${name}`, turn);
  return h("div", null,
    h("p", null, h("a", { href: "#/workloads" }, "Workloads"), " / ", h("a", { href: `#/workloads?namespace=${path(namespace)}` }, namespace)),
    h("h1", null, name, " ", each && h(Badge, { phase: each.phase })),
    h(ProblemBox, { problem: problem?.status === 404 && each ? { detail: "It is gone; this is what was last known." } : problem }),
    each && [
      each.reason && h("section", { class: "sheet" }, h("h2", null, "Why it waits"),
        h("p", { class: "reasoned" }, each.reason.sentence), h("p", { class: "faint" }, `Reason ${each.reason.code}`),
        each.forecast && h(Forecast, { forecast: each.forecast })),
      h("div", { class: "halves" },
        h("section", { class: "sheet" }, h("h2", null, "Workload"), h("dl", { class: "facts" },
          h("dt", null, "Queue"), h("dd", null, h("a", { href: `#/queues/${path(each.queue)}` }, each.queue)),
          h("dt", null, "Asks for"), h("dd", null, each.asks),
          h("dt", null, "Has"), h("dd", null, `${number(each.gpus)} GPUs`),
          h("dt", null, "Starts together"), h("dd", null, `${each.minMember} of ${each.pods.total}`),
          h("dt", null, "Priority"), h("dd", null, `${each.priority}, ${each.preemptible ? "preemptible" : "not preemptible"}`),
          h("dt", null, "Created"), h("dd", null, `${new Date(each.created).toLocaleString()} (${ago(each.created)} ago)`),
          each.end && [h("dt", null, "Ends"), h("dd", null, h("time", { datetime: each.end.at }, moment(each.end.at)), `, by ${each.end.rule}`,
            h("div", { class: "faint" }, each.end.warnedSince ? `warned since ${time(each.end.warnedSince)}` : "its pods are evicted then"))],
          each.staleSince && [h("dt", null, "Below its minimum"), h("dd", null, `since ${time(each.staleSince)}`)])),
        h("section", { class: "sheet" }, h("h2", null, "Timeline"),
          (each.timeline ?? []).length > 0 ? h(Timeline, { events: each.timeline, namespace, name })
            : h("p", { class: "faint" }, "Nothing happened since Berth looks."))),
      each.reason && h(Explanation, { namespace, name }),
      h("section", { class: "sheet" }, h("h2", null, "Pods"), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of pods" }, h("table", { class: "stacks" },
        h("thead", null, h("tr", null, ["Pod", "State", "Node", "Asks for", "Runs since", "kube-scheduler says"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", null, (each.members ?? []).map((pod) => h("tr", { key: pod.name },
          h("th", { scope: "row" }, pod.name), h("td", { "data-name": "State" }, pod.standing),
          h("td", { "data-name": "Node" }, pod.node), h("td", { "data-name": "Asks for" }, pod.asks),
          h("td", { "data-name": "Runs since" }, pod.running && time(pod.running)), h("td", { class: "reason" }, pod.refusal))))))),
    ]);
}
