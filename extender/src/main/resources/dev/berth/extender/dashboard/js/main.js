// The frame: pages by the part of the address behind #, the stream of events, the theme, the token.
import { follow, keepToken, token } from "./api.js";
import { ClusterPage } from "./cluster.js";
import { EvictionsPage, ReceiptPage } from "./evictions.js";
import { OffersPage } from "./offers.js";
import { QueuePage, QueuesPage } from "./queues.js";
import { h, render, useEffect, useMemo, useState } from "./ui.js";
import { WhatIfPage } from "./whatif.js";
import { WorkloadPage, WorkloadsPage } from "./workloads.js";

/** A further page is a line here, and its route below. */
const PAGES = [["cluster", "Cluster"], ["queues", "Queues"], ["workloads", "Workloads"], ["evictions", "Evictions"], ["offers", "Offers"], ["what-if", "What if"]];
/** Those follow no events. */
const ASKED = new Set(["offers", "what-if"]);
const THEMES = ["auto", "light", "dark"];

/**
 * One stream, of the kinds that the page wants. Each page hears `revision` or `reset` when it begins.
 * A page that is not visible has none: over HTTP/1.1 a browser has six connections for all of its tabs.
 */
class Live {
  constructor() {
    document.addEventListener("visibilitychange", () => this.restart(true));
    this.listeners = new Map();
    this.state = () => {};
    this.failed = () => {};
  }

  /** @return ends it */
  on(kind, listener) {
    const key = { kind, listener };
    this.listeners.set(key, listener);
    queueMicrotask(() => this.restart());
    return () => {
      this.listeners.delete(key);
      queueMicrotask(() => this.restart());
    };
  }

  restart(force) {
    const kinds = [...new Set([...this.listeners.keys()].map((key) => key.kind))].sort().join(",");
    if (kinds === this.kinds && !force) return;
    this.kinds = kinds;
    this.stop?.abort();
    if (!kinds || document.hidden) return;
    this.stop = new AbortController();
    const tell = (name) => (data) => [...this.listeners].forEach(([, listener]) => listener(name, data));
    follow(kinds, {
      revision: tell("revision"), reset: tell("reset"), changes: tell("changes"),
      state: (on) => this.state(on), failed: (problem) => this.failed(problem),
    }, this.stop.signal);
  }
}

const live = new Live();

function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => {
    const [names, query = ""] = hash.replace(/^#\/?/, "").split("?");
    return { names: names.split("/").map(decodeURIComponent), query: Object.fromEntries(new URLSearchParams(query)) };
  }, [hash]);
}

function useTheme() {
  const [theme, setTheme] = useState(localStorage.getItem("berth-theme") ?? "auto");
  const [, again] = useState(0);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => again((turn) => turn + 1);
    system.addEventListener("change", changed);
    return () => system.removeEventListener("change", changed);
  }, []);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const system = matchMedia("(prefers-color-scheme: dark)").matches;
  return [theme, (next) => { localStorage.setItem("berth-theme", next); setTheme(next); }, theme === "auto" ? `auto-${system}` : theme];
}

function SignIn({ problem, done }) {
  const [value, setValue] = useState("");
  return h("section", { class: "sheet" },
    h("h1", null, "Show a token"),
    h("p", null, problem.detail),
    h("p", { class: "faint" }, "For example of ", h("code", null, "kubectl create token NAME"), ". It stays in this tab, and goes with it. You see what its owner may read."),
    h("form", { class: "tools", onSubmit: (e) => { e.preventDefault(); keepToken(value.trim()); done(); } },
      h("label", null, "Token", h("input", { type: "password", autocomplete: "off", required: true, size: 50, value, onInput: (e) => setValue(e.target.value) })),
      h("button", { class: "main" }, "Show pages")));
}

function Page({ names, query, theme }) {
  const [page, one, two] = names;
  switch (page) {
    case "queues": return one ? h(QueuePage, { live, name: one, theme, key: one }) : h(QueuesPage, { live, theme });
    case "workloads": return two ? h(WorkloadPage, { live, namespace: one, name: two, key: `${one}/${two}` }) : h(WorkloadsPage, { live, filter: query });
    case "evictions": return two ? h(ReceiptPage, { live, namespace: one, pod: two, key: `${one}/${two}` }) : h(EvictionsPage, { live, filter: query });
    case "offers": return h(OffersPage);
    case "what-if": return h(WhatIfPage);
    default: return h(ClusterPage, { live, theme });
  }
}

function App() {
  const { names, query } = useRoute();
  const [theme, setTheme, shown] = useTheme();
  const [on, setOn] = useState(false);
  const [barred, setBarred] = useState();
  const [turn, setTurn] = useState(0);
  const page = PAGES.some(([name]) => name === names[0]) ? names[0] : "cluster";
  useEffect(() => {
    live.state = setOn;
    live.failed = setBarred;
  }, []);
  useEffect(() => {
    const title = names.slice(1).join("/") || PAGES.find(([name]) => name === page)[1];
    document.title = `${title} – Berth`;
  }, [names, page]);
  const unbar = () => {
    setBarred();
    setTurn(turn + 1);
    live.restart(true);
  };
  return [
    h("a", { class: "skip", href: "#main", onClick: (e) => { e.preventDefault(); document.getElementById("main").focus(); } }, "To the page"),
    h("header", null,
      h("a", { class: "brand", href: "#/cluster" }, h("img", { src: "icon.svg", alt: "" }), "Berth"),
      h("nav", { "aria-label": "Pages" }, h("ul", null, PAGES.map(([name, title]) =>
        h("li", { key: name }, h("a", { href: `#/${name}`, "aria-current": page === name ? "page" : undefined }, title))))),
      h("div", { class: "right" },
        !ASKED.has(page) && h("span", { class: `live ${on ? "on" : ""}`, role: "status" }, h("i", { "aria-hidden": "true" }), on ? "live" : "connecting"),
        h("label", { class: "theme" }, h("span", { class: "hidden" }, "Theme"), h("select", { value: theme, onChange: (e) => setTheme(e.target.value) },
          THEMES.map((each) => h("option", { value: each }, each)))))),
    h("main", { id: "main", tabindex: -1 },
      barred?.status === 401 || (barred && token()) ? h(SignIn, { problem: barred, done: unbar }) : h(Page, { names: [page, ...names.slice(1)], query, theme: shown, key: turn })),
  ];
}

const place = document.getElementById("app");
place.replaceChildren();
render(h(App), place);
