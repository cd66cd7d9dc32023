// The tree of queues, and one queue over time.
import { get } from "./api.js";
import { Palette } from "./palette.js";
import { Figures, ProblemBox, Swatch, gpus, h, number, path, useAnswer, useEffect, useMemo, useRef, useState, useTurn } from "./ui.js";

/** Queues in the order of the tree, each with its depth. */
function tree(queues) {
  const names = new Set(queues.map((queue) => queue.name));
  const rows = [];
  const add = (parent, depth, seen) => queues
    .filter((queue) => (names.has(queue.parent) ? queue.parent : undefined) === parent && !seen.has(queue.name))
    .forEach((queue) => {
      rows.push({ queue, depth });
      add(queue.name, depth + 1, new Set([...seen, queue.name]));
    });
  add(undefined, 0, new Set());
  queues.filter((queue) => !rows.some((row) => row.queue === queue)).forEach((queue) => rows.push({ queue, depth: 0 })); // a cycle
  return rows;
}

/** A node pool; without a name the nodes without the label of pools. */
const poolName = ({ name }) => (name ? `pool ${name}` : "no pool");

const amount = (value) => (value === Infinity ? "unlimited" : number(value));

/** @param whole of a queue in several node pools together, of which quota and limit are not */
function Bar({ queue, most, colour, whole }) {
  const has = gpus(queue.allocated);
  const wants = gpus(queue.requested);
  const quota = whole ? 0 : gpus(queue.quota);
  const fair = gpus(queue.fairShare);
  const at = (value) => `${Math.min(100, (100 * value) / most)}%`;
  return h("div", { class: "bar", role: "img",
    "aria-label": `${number(has)} GPUs allocated, ${number(Math.max(0, wants - has))} more requested, ${whole ? "" : `quota ${amount(quota)}, `}fair share ${number(fair)}` },
    wants > has && h("i", { class: "wait", style: { left: at(has), width: at(Math.min(wants, most) - has) } }),
    h("i", { style: { left: 0, width: at(has), background: colour } }),
    quota > 0 && quota < Infinity && h("b", { style: { left: at(quota) }, title: "quota" }),
    h("b", { class: "fair", style: { left: at(fair) }, title: "fair share" }));
}

/** What holds in each node pool on its own, where there are such. */
const bound = (queue, value) => amount(value) + (queue.pools && value < Infinity ? " each" : "");

const figures = (queue) => [["Allocated", number(gpus(queue.allocated))], ["Requested", number(gpus(queue.requested))],
  ["Quota", bound(queue, gpus(queue.quota))], ["Limit", bound(queue, gpus(queue.limit, Infinity))],
  ["Fair share", number(gpus(queue.fairShare))]];

export function QueuesPage({ live, theme }) {
  const [turn, told] = useTurn();
  const [byPool, setByPool] = useState(true);
  useEffect(() => live.on("queues", told), []);
  const { answer, problem } = useAnswer((signal) => get("queues?limit=1000", signal), "", turn);
  const queues = answer?.items ?? [];
  const palette = useMemo(() => new Palette(queues), [answer, theme]);
  const divided = queues.some((queue) => queue.pools);
  const rows = tree(queues).flatMap((row) => [row, ...(byPool ? row.queue.pools ?? [] : []).map((pool) => ({ ...row, pool }))]);
  const most = Math.max(1, ...queues.flatMap((queue) =>
    [gpus(queue.allocated), gpus(queue.quota), gpus(queue.limit), gpus(queue.fairShare)].filter((value) => value < Infinity)));
  return h("div", null,
    h("h1", null, "Queues"),
    h(ProblemBox, { problem }),
    answer && h("section", { class: "sheet" },
      divided && h("label", { class: "check" }, h("input", { type: "checkbox", checked: byPool, onChange: (event) => setByPool(event.target.checked) }), "Each node pool"),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tree of queues" }, h("table", { class: "stacks" },
        h("caption", null, "GPUs. The bar: allocated, and hatched what is requested beyond it; line in the colour of the text: quota; orange line: fair share, over it where both are equal.",
          divided && " Quota and limit hold in each node pool on its own."),
        h("thead", null, h("tr", null, ["Queue", "Use", "Allocated", "Requested", "Quota", "Limit", "Fair share", "Running", "Pending"].map((name, i) =>
          h("th", { scope: "col", class: i > 1 ? "number" : "" }, name)))),
        h("tbody", null, rows.map(({ queue, depth, pool }) => pool ? h("tr", { key: `${queue.name}/${pool.name ?? ""}` },
          h("th", { scope: "row", class: "pool" }, h("span", { style: { paddingLeft: `${(depth + 1) * 1.4}rem` } }),
            h("span", { class: "hidden" }, `${queue.name} in `), poolName(pool)),
          h("td", null, h(Bar, { queue: pool, most, colour: palette.queue(queue.name) })),
          figures(pool).map(([name, value]) => h("td", { class: "number", "data-name": name, key: name }, value)),
          h("td", null), h("td", null)) : h("tr", { key: queue.name },
          h("th", { scope: "row" }, h("span", { style: { paddingLeft: `${depth * 1.4}rem` } }),
            h("span", { class: "hidden" }, `level ${depth + 1}: `),
            palette.byQueue.has(queue.name) && h(Swatch, { colour: palette.queue(queue.name) }),
            h("a", { href: `#/queues/${path(queue.name)}` }, queue.name),
            (queue.problems ?? []).length > 0 && h("div", { class: "faint" }, queue.problems.join(" "))),
          h("td", null, h(Bar, { queue, most, colour: palette.queue(queue.name), whole: queue.pools })),
          [...figures(queue), ["Running", queue.running]]
            .map(([name, value]) => h("td", { class: "number", "data-name": name, key: name }, value)),
          h("td", { class: "number", "data-name": "Pending" }, queue.pending > 0 ? h("a", { href: `#/workloads?queue=${path(queue.name)}` }, queue.pending) : 0))))))));
}

/** Whose max-runtime it is, and when workloads are warned. */
const ends = ({ name, maxRuntimeOf, maxRuntimeWarning }) => [
  maxRuntimeOf !== name && `of ${maxRuntimeOf}`, maxRuntimeWarning && `warned ${maxRuntimeWarning} before`].filter(Boolean).join(", ");

const resourceFields = ["allocated", "allocatedNonPreemptible", "requested", "quota", "limit", "fairShare", "overQuota"];

const resourceTitles = ["Allocated", "Not preemptible", "Requested", "Quota", "Limit", "Fair share", "Over quota"];

/** Resources of which something is said. */
const resources = (of) => [...new Set([of.quota, of.limit, of.allocated, of.requested].flatMap((each) => Object.keys(each ?? {})))].sort();

function Pools({ pools }) {
  return h("section", { class: "sheet" },
    h("h2", null, "Node pools"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Node pools" }, h("table", { class: "stacks" },
      h("caption", null, "Quota and limit hold in each pool on its own."),
      h("thead", null, h("tr", null, ["Pool", "Resource", ...resourceTitles].map((each, i) => h("th", { scope: "col", class: i > 1 ? "number" : "" }, each)))),
      h("tbody", null, pools.flatMap((pool) => resources(pool).map((resource) =>
        h("tr", { key: `${pool.name ?? ""}/${resource}` }, h("th", { scope: "row" }, poolName(pool)), h("td", { "data-name": "Resource" }, resource),
          resourceFields.map((field, i) => h("td", { class: "number", "data-name": resourceTitles[i] }, pool[field]?.[resource] ?? "–")))))))));
}

function Chart({ history, theme }) {
  const place = useRef();
  useEffect(() => {
    const style = getComputedStyle(place.current);
    const [ink, line] = [style.color, style.borderTopColor];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const chart = new self.uPlot({
      width: place.current.clientWidth, height: 230,
      cursor: { y: false },
      scales: { y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [axis, { ...axis, size: 45 }],
      series: [{}, { label: "allocated", stroke: "#2f86d6", fill: "#2f86d633", width: 2 },
        { label: "requested", stroke: "#8a939f", width: 1.5, dash: [4, 4] }, { label: "fair share", stroke: "#d98a00", width: 1.5 }],
    }, [history.map((one) => new Date(one.at) / 1000), ...["allocated", "requested", "fairShare"].map((field) => history.map((one) => one[field]))],
    place.current);
    const watch = new ResizeObserver(() => chart.setSize({ width: place.current.clientWidth, height: 230 }));
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [history, theme]);
  return h("div", { class: "chart", ref: place });
}

export function QueuePage({ live, name, theme }) {
  const [turn, told] = useTurn();
  useEffect(() => live.on("queues", told), []);
  const { answer: queue, problem } = useAnswer((signal) => get(`queues/${path(name)}`, signal), name, turn);
  const history = queue?.history ?? [];
  return h("div", null,
    h("p", null, h("a", { href: "#/queues" }, "Queues"), queue?.parent && [" / ", h("a", { href: `#/queues/${path(queue.parent)}` }, queue.parent)]),
    h("h1", null, name),
    h(ProblemBox, { problem }),
    queue && [
      h("section", { class: "sheet", "aria-label": "Sums" }, h(Figures, { of: [
        ["Allocated", number(gpus(queue.allocated)), "GPUs"],
        ["Requested", number(gpus(queue.requested))],
        ["Quota", amount(gpus(queue.quota)), queue.pools && "in each pool"],
        ["Limit", amount(gpus(queue.limit, Infinity)), queue.pools && "in each pool"],
        ["Fair share", number(gpus(queue.fairShare))],
        ["Workloads", `${queue.running} running`, queue.pending > 0 && `${queue.pending} pending`],
        ...(queue.maxRuntime ? [["Max-runtime", queue.maxRuntime, ends(queue)]] : []),
      ] }), (queue.problems ?? []).map((sentence) => h("p", { class: "reasoned" }, sentence))),
      h("section", { class: "sheet" },
        h("h2", null, "Use over time"),
        history.length > 1 ? [
          h(Chart, { history, theme }),
          h("details", null, h("summary", null, "As a table"), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Use over time" }, h("table", null,
            h("thead", null, h("tr", null, ["At", "Allocated", "Requested", "Fair share"].map((each) => h("th", { scope: "col" }, each)))),
            h("tbody", null, history.slice(-60).reverse().map((one) => h("tr", { key: one.at },
              h("td", null, new Date(one.at).toLocaleTimeString()), ["allocated", "requested", "fairShare"].map((field) => h("td", null, number(one[field])))))))))]
          : h("p", { class: "faint" }, "There are samples each 5 s; the chart begins with the second.")),
      queue.pools && h(Pools, { pools: queue.pools }),
      h("section", { class: "sheet" },
        h("h2", null, queue.pools ? "All resources, in all pools together" : "All resources"),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All resources" }, h("table", null,
          h("thead", null, h("tr", null, ["Resource", ...resourceTitles].map((each) => h("th", { scope: "col" }, each)))),
          h("tbody", null, resources(queue).map((resource) =>
            h("tr", { key: resource }, h("th", { scope: "row" }, resource),
              resourceFields.map((field) => h("td", null, queue[field]?.[resource] ?? "–")))))))),
      h("p", null, h("a", { href: `#/workloads?queue=${path(name)}` }, `Workloads of ${name}`)),
    ]);
}
