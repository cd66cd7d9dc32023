// The cluster map, what is under the pointer, and the same as a table.
import { all, get, isOlder } from "./api.js";
import { ClusterMap } from "./map.js";
import { Palette } from "./palette.js";
import { Figures, ProblemBox, Swatch, h, number, useEffect, useMemo, useRef, useState, workloadLink } from "./ui.js";

const ROWS = 25;

/** All nodes, kept up to date by events. */
function useNodes(live) {
  const nodes = useRef(new Map());
  const sums = useRef(new Sums());
  const pending = useRef([]);
  const [state, setState] = useState({ loaded: false, turn: 0 });
  const listeners = useRef(new Set());

  useEffect(() => {
    const stop = new AbortController();
    let loading = false;
    let due = 0;
    const later = () => {
      due ||= setTimeout(() => {
        due = 0;
        setState((before) => ({ ...before, turn: before.turn + 1 }));
      }, 1000);
    };
    const apply = (changes) => {
      let moved = false;
      for (const node of changes.nodes ?? []) {
        const before = nodes.current.get(node.name);
        if (before) sums.current.count(before, -1);
        else moved = true;
        sums.current.count(node, 1);
        nodes.current.set(node.name, node);
        listeners.current.forEach((each) => each(node));
      }
      for (const name of changes.nodesGone ?? []) {
        const before = nodes.current.get(name);
        if (before) {
          sums.current.count(before, -1);
          nodes.current.delete(name);
          moved = true;
        }
      }
      if (moved) setState((before) => ({ ...before, placed: (before.placed ?? 0) + 1 }));
      later();
    };
    const load = async () => {
      loading = true;
      pending.current = [];
      const fresh = new Map();
      const revisions = new Map();
      try {
        await all("nodes", (items, revision) => items.forEach((node) => {
          fresh.set(node.name, node);
          revisions.set(node.name, revision);
        }), stop.signal);
        nodes.current = fresh;
        sums.current = Sums.of(fresh);
        for (const changes of pending.current) {
          apply({
            ...changes,
            nodes: changes.nodes?.filter((node) => !isOlder(changes.revision, revisions.get(node.name) ?? "")),
          });
        }
        setState((before) => ({ loaded: true, turn: before.turn + 1, placed: (before.placed ?? 0) + 1 }));
      } catch (problem) {
        if (!stop.signal.aborted) setState((before) => ({ ...before, problem }));
      }
      loading = false;
    };
    const off = live.on("nodes", (name, data) => {
      if (name === "changes") loading ? pending.current.push(data) : apply(data);
      else load();
    });
    return () => {
      off();
      stop.abort();
      clearTimeout(due);
    };
  }, []);
  return { nodes: nodes.current, sum: sums.current, listeners: listeners.current, ...state };
}

/** Sums over nodes, brought up to date by what changed. */
class Sums {
  constructor() {
    Object.assign(this, { gpus: 0, used: 0, planned: 0, free: 0, parts: 0, bad: 0 });
    this.nodesWithFree = [];
  }

  static of(nodes) {
    const sums = new Sums();
    for (const node of nodes.values()) sums.count(node, 1);
    return sums;
  }

  count(node, sign) {
    this.free += sign * node.freeGpus;
    this.parts += (sign * node.freeMillis) / 1000;
    this.nodesWithFree[node.freeGpus] = (this.nodesWithFree[node.freeGpus] ?? 0) + sign;
    for (const gpu of node.gpus ?? []) {
      this.gpus += sign;
      this.bad += gpu.state === "unhealthy" ? sign : 0;
      for (const share of gpu.shares ?? []) {
        this[share.stage === "planned" ? "planned" : "used"] += (sign * share.millis) / 1000;
      }
    }
  }

  /** Most GPUs that are free on one node. */
  get largest() {
    return Math.max(0, this.nodesWithFree.findLastIndex((count) => count > 0));
  }
}

function NodeDetail({ node, palette }) {
  if (!node) return h("p", { class: "faint" }, "Point at a node, or walk the map with the arrow keys.");
  const shares = (node.gpus ?? []).flatMap((gpu, index) => (gpu.shares ?? []).map((share) => ({ ...share, index })));
  return [
    h("h2", null, node.name),
    h("dl", { class: "facts" },
      h("dt", null, "GPUs"), h("dd", null, `${(node.gpus ?? []).length} ${node.model ?? ""}`),
      h("dt", null, "Free"), h("dd", null, `${node.freeGpus} whole`, node.freeMillis > 0 && `, ${number(node.freeMillis / 1000)} in parts`),
      Object.entries(node.topology ?? {}).map(([label, value]) => [h("dt", null, label.split("/").at(-1)), h("dd", null, value)]),
      !node.ready && [h("dt", null, "State"), h("dd", null, "not ready")],
      !node.schedulable && [h("dt", null, "State"), h("dd", null, "cordoned")],
      node.trouble && [h("dt", null, "Trouble"), h("dd", null, node.trouble)]),
    shares.length > 0 && h("table", null,
      h("caption", null, "Pods with GPUs"),
      h("thead", null, h("tr", null, ["GPU", "Workload", "Part"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, shares.map((share) => h("tr", { key: `${share.index}/${share.pod}` },
        h("td", null, share.index),
        h("td", null, h(Swatch, { colour: palette.queue(share.queue) }),
          share.workload ? workloadLink(share.namespace, share.workload) : "not yours to see",
          h("div", { class: "faint" }, [share.queue, share.stage].filter(Boolean).join(", "))),
        h("td", { class: "number" }, number(share.millis / 1000)))))),
  ];
}

function NodeTable({ nodes, placed, turn, onPick }) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState("name");
  const [page, setPage] = useState(0);
  const by = { free: (node) => -node.freeGpus, parts: (node) => -node.freeMillis }[sort];
  // names are sorted when nodes come and go; what is free, each time
  const named = useMemo(() => {
    const sought = search.toLowerCase();
    const matches = (node) => `${node.name} ${node.model} ${Object.values(node.topology ?? {}).join(" ")}`.toLowerCase().includes(sought);
    return [...nodes.keys()].sort().filter((name) => !sought || matches(nodes.get(name)));
  }, [nodes, placed, search]);
  const rows = useMemo(() => by
    ? named.filter((name) => nodes.has(name)).sort((one, other) => by(nodes.get(one)) - by(nodes.get(other)))
    : named, [named, by && turn, sort]);
  const last = Math.max(0, Math.ceil(rows.length / ROWS) - 1);
  const at = Math.min(page, last);
  return h("section", { class: "sheet" },
    h("div", { class: "tools" }, h("h2", null, "Nodes"),
      h("label", null, "Search", h("input", { type: "search", value: search, onInput: (e) => setSearch(e.target.value) })),
      h("label", null, "Sort by", h("select", { value: sort, onChange: (e) => setSort(e.target.value) },
        h("option", { value: "name" }, "name"), h("option", { value: "free" }, "whole GPUs free"), h("option", { value: "parts" }, "free in parts")))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of nodes" }, h("table", { class: "stacks" },
      h("thead", null, h("tr", null, ["Node", "Model", "GPUs", "Free", "In parts", "State"].map((name, i) =>
        h("th", { scope: "col", class: i > 1 && i < 5 ? "number" : "" }, name)))),
      h("tbody", null, rows.slice(at * ROWS, (at + 1) * ROWS).map((name) => nodes.get(name)).filter(Boolean).map((node) => h("tr", { key: node.name },
        h("th", { scope: "row" }, h("button", { class: "link", onClick: () => onPick(node) }, node.name)),
        h("td", null, node.model), h("td", { class: "number", "data-name": "GPUs" }, (node.gpus ?? []).length),
        h("td", { class: "number", "data-name": "Free" }, node.freeGpus), h("td", { class: "number", "data-name": "In parts" }, number(node.freeMillis / 1000)),
        h("td", null, node.trouble || (!node.ready && "not ready") || (!node.schedulable && "cordoned") || "takes pods")))))),
    last > 0 && h("div", { class: "tools" },
      h("button", { disabled: at === 0, onClick: () => setPage(at - 1) }, "Previous"),
      h("span", { "aria-live": "polite" }, `${at + 1} of ${last + 1}`),
      h("button", { disabled: at === last, onClick: () => setPage(at + 1) }, "Next")));
}

export function ClusterPage({ live, theme }) {
  const { nodes, sum, listeners, loaded, turn, placed, problem } = useNodes(live);
  const [queues, setQueues] = useState([]);
  const [level, setLevel] = useState("");
  const [selected, setSelected] = useState("");
  const canvas = useRef();
  const map = useRef();
  const palette = useMemo(() => new Palette(queues), [queues, theme]);
  const levels = useMemo(() => [...new Set([...nodes.values()].flatMap((node) => Object.keys(node.topology ?? {})))]
    .filter((label) => !label.endsWith("/hostname")), [nodes, placed]);

  useEffect(() => {
    get("queues?limit=1000").then((answer) => setQueues(answer.items), () => {});
  }, []);
  useEffect(() => {
    map.current = new ClusterMap(canvas.current);
    const change = (node) => map.current.change(node);
    listeners.add(change);
    return () => listeners.delete(change);
  }, []);
  useEffect(() => {
    const draw = () => loaded && map.current.show(nodes, palette, level);
    draw();
    let width = canvas.current.parentElement.clientWidth;
    const watch = new ResizeObserver(([entry]) => {
      if (Math.abs(entry.contentRect.width - width) > 1) {
        width = entry.contentRect.width;
        draw();
      }
    });
    watch.observe(canvas.current.parentElement);
    return () => watch.disconnect();
  }, [nodes, placed, loaded, palette, level]);

  const pick = (node) => {
    if (node) {
      map.current.select(node.name);
      setSelected(node.name);
    }
  };
  const percent = sum.gpus ? Math.round((100 * sum.used) / sum.gpus) : 0;
  const leaves = queues.filter((queue) => palette.byQueue.has(queue.name));

  return h("div", null,
    h("h1", null, "Cluster"),
    h(ProblemBox, { problem }),
    h("section", { class: "sheet", "aria-label": "Sums" }, h(Figures, { of: [
      ["Nodes", number(nodes.size)],
      ["GPUs", number(sum.gpus), sum.bad > 0 && `${sum.bad} unhealthy`],
      ["Used", number(sum.used), `${percent} %`],
      ["Planned", number(sum.planned)],
      ["Free, whole", number(sum.free), sum.free > 0 && `largest ${sum.largest} on a node`],
      ["Free, in parts", number(sum.parts), "fits shares alone"],
    ] })),
    h("div", { class: "columns" },
      h("section", { class: "sheet" },
        h("div", { class: "tools" }, h("h2", null, "Nodes and GPUs"),
          levels.length > 0 && h("label", null, "Group by", h("select", { value: level, onChange: (e) => setLevel(e.target.value) },
            h("option", { value: "" }, "nothing"), levels.map((label) => h("option", { value: label }, label.split("/").at(-1)))))),
        h("div", { class: "map" }, h("canvas", {
          ref: canvas, tabindex: 0, role: "application",
          "aria-label": `Map of ${nodes.size} nodes with ${sum.gpus} GPUs, ${percent} percent used. Arrow keys go from node to node; the table below has the same.`,
          onMouseMove: (e) => pick(map.current.at(e.offsetX, e.offsetY)),
          onClick: (e) => pick(map.current.at(e.offsetX, e.offsetY)),
          onKeyDown: (e) => {
            if (e.key.startsWith("Arrow") || e.key === "Home" || e.key === "End") {
              e.preventDefault();
              pick(map.current.beside(selected, e.key));
            }
          },
        })),
        h("ul", { class: "legend", "aria-label": "Colours" },
          leaves.slice(0, 16).map((queue) => h("li", { key: queue.name }, h(Swatch, { colour: palette.queue(queue.name) }), queue.name)),
          h("li", null, h(Swatch, { colour: palette.free }), "free"),
          h("li", null, h(Swatch, { colour: palette.part }), "free part of a shared GPU"),
          h("li", null, h(Swatch, { colour: palette.other }), "other schedulers"),
          h("li", null, h(Swatch, { colour: palette.bad }), "unhealthy, blocked or leaving"),
          h("li", null, "pale: planned"))),
      h("aside", { class: "sheet", "aria-live": "polite", "aria-label": "Node" }, h(NodeDetail, { node: nodes.get(selected), palette }))),
    h(NodeTable, { nodes, placed, turn, onPick: pick }));
}
