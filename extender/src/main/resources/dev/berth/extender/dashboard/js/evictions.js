// Evictions as a list, the newest first, and all that is known of those of one pod.
import { get } from "./api.js";
import { ProblemBox, h, moment, path, query, useAnswer, useEffect, useState, useTurn, workloadLink } from "./ui.js";

const receiptLink = (namespace, pod) => h("a", { href: `#/evictions/${path(namespace, pod)}` }, pod);

/** `queue research, priority 50`. */
const standing = ({ queue, priority }) =>
  [queue && `queue ${queue}`, priority !== undefined && `priority ${priority}`].filter(Boolean).join(", ");

function Beneficiary({ of }) {
  if (!of) return "no other workload";
  return [of.name ? [workloadLink(of.namespace, of.name), h("span", { class: "faint" }, ` ${of.namespace}`)] : "one that you may not see",
    standing(of) && h("div", { class: "faint" }, standing(of))];
}

function progress(of) {
  switch (of?.progress) {
    case "started": return `it started ${moment(of.since)}`;
    case "gone": return `it is gone, seen ${moment(of.since)}`;
    case "waits": return "it has not started";
    default: return "";
  }
}

function Kept({ since }) {
  return h("p", { class: "faint" }, `All since ${moment(since)} are kept, unless Berth restarts or its leader changes. Of earlier ones `,
    h("code", null, "berth receipt"), " tells from a decision log.");
}

export function EvictionsPage({ live, filter }) {
  const [shown, setShown] = useState(100);
  const [turn, told] = useTurn();
  useEffect(() => live.on("workloads", told), []);
  const asked = query({ ...filter, limit: Math.min(shown, 1000) });
  const { answer, problem } = useAnswer((signal) => get(`receipts?${asked}`, signal), asked, turn);
  const queues = useAnswer((signal) => get("queues?limit=1000", signal), "").answer?.items ?? [];
  const set = (field) => (event) => {
    location.hash = `#/evictions?${query({ ...filter, [field]: event.target.value })}`;
  };
  const items = answer?.items ?? [];
  return h("div", null,
    h("h1", null, "Evictions"),
    h("div", { class: "sheet tools", role: "search" },
      h("label", null, "Queue", h("select", { value: filter.queue ?? "", onChange: set("queue") },
        h("option", { value: "" }, "all"), queues.map((queue) => h("option", { value: queue.name }, queue.name)))),
      h("label", null, "Namespace", h("input", { type: "search", value: filter.namespace ?? "", placeholder: "all", onChange: set("namespace") })),
      h("label", null, "Workload", h("input", { type: "search", value: filter.workload ?? "", placeholder: "all", onChange: set("workload") }))),
    h(ProblemBox, { problem }),
    answer && h("section", { class: "sheet" },
      items.length === 0 ? h("p", null, "There are none of these.") :
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of evictions" }, h("table", { class: "stacks" },
        h("thead", null, h("tr", null, ["Pod", "At", "Queue", "Why", "For", "Since then"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, items.map((each) => h("tr", { key: `${each.namespace}/${each.pod}/${each.at}` },
          h("th", { scope: "row" }, receiptLink(each.namespace, each.pod), h("div", { class: "faint" }, each.namespace)),
          h("td", { class: "short", "data-name": "At" }, h("time", { datetime: each.at }, moment(each.at))),
          h("td", { "data-name": "Queue" }, each.queue),
          h("td", { class: "reason" }, each.sentence),
          h("td", { "data-name": "For" }, h(Beneficiary, { of: each.beneficiary })),
          h("td", { "data-name": "Since then" }, progress(each.beneficiary))))))),
      answer.continue && shown < 1000 && h("p", null, h("button", { onClick: () => setShown(Math.min(1000, shown + 200)) }, "Show more")),
      answer.continue && shown >= 1000 && h("p", { class: "faint" }, "These are the latest 1000: choose a queue, a namespace or a workload."),
      h(Kept, { since: answer.since })));
}

/** `12 → 8`, or the number alone where it is the same. */
const change = (before, after) => (before === after ? before : `${before} → ${after}`);

function Queues({ of }) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Queues before and with the plan" }, h("table", { class: "stacks" },
    h("caption", null, `Before the plan → with all of it${of[0]?.pool ? `, in node pool ${of[0].pool}` : ""}, in the planner's own numbers.`),
    h("thead", null, h("tr", null, ["Queue", "Resource", "Allocated", "Quota", "Fair share"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, of.flatMap((queue) => Object.keys(queue.quota).map((resource) => h("tr", { key: `${queue.name}/${resource}` },
      h("th", { scope: "row" }, h("a", { href: `#/queues/${path(queue.name)}` }, queue.name)),
      h("td", { "data-name": "Resource" }, resource),
      h("td", { "data-name": "Allocated" }, change(queue.before.allocated[resource], queue.after.allocated[resource])),
      h("td", { "data-name": "Quota" }, queue.quota[resource]),
      h("td", { "data-name": "Fair share" }, change(queue.before.fairShare[resource], queue.after.fairShare[resource]))))))));
}

function Receipt({ receipt }) {
  const others = receipt.others ?? [];
  return h("section", { class: "sheet" },
    h("h2", null, receipt.moved ? `Moved${receipt.movedTo ? ` to ${receipt.movedTo}` : ""} at ` : "Evicted at ", h("time", { datetime: receipt.at }, moment(receipt.at))),
    h("p", { class: "reasoned" }, receipt.sentence),
    h("dl", { class: "facts" },
      receipt.workload && [h("dt", null, "Workload"), h("dd", null, workloadLink(receipt.namespace, receipt.workload), h("div", { class: "faint" }, standing(receipt)))],
      h("dt", null, "For"), h("dd", null, h(Beneficiary, { of: receipt.beneficiary })),
      receipt.beneficiary && [h("dt", null, "Since then"), h("dd", null, progress(receipt.beneficiary))],
      receipt.planned && [h("dt", null, "Planned"), h("dd", null, h("time", { datetime: receipt.planned }, receipt.planned))]),
    receipt.queues && [h("h3", null, "Queues"), h(Queues, { of: receipt.queues })],
    receipt.victims > 1 && [h("h3", null, "Other pods that leave by the same plan"), h("ul", { class: "helps" },
      others.map((each) => h("li", { key: each.pod }, each.pod, each.queue && h("span", { class: "faint" }, ` queue ${each.queue}${each.moved ? ", moved" : ""}`))),
      receipt.hidden > 0 && h("li", { class: "faint" }, `${receipt.hidden} more: too many to name, or you may not see them`))],
    receipt.victims === 0 && h("p", { class: "faint" }, "The numbers of its plan are not kept: too many plans followed each other, or it was handed on to another workload."));
}

export function ReceiptPage({ live, namespace, pod }) {
  const [turn, told] = useTurn();
  useEffect(() => live.on("workloads", told), []);
  const { answer, problem } = useAnswer((signal) => get(`receipts/${path(namespace, pod)}`, signal), `${namespace}/${pod}`, turn);
  return h("div", null,
    h("p", null, h("a", { href: "#/evictions" }, "Evictions"), " / ", h("a", { href: `#/evictions?namespace=${path(namespace)}` }, namespace)),
    h("h1", null, pod),
    h(ProblemBox, { problem }),
    answer && [
      answer.items.map((receipt) => h(Receipt, { receipt, key: receipt.at })),
      h("p", { class: "faint" }, "What would have happened without it: ", h("code", null, `berth receipt LOG ${namespace}/${pod}`), ", from a decision log."),
    ]);
}
