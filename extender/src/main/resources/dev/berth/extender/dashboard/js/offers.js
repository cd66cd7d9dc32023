// What a workload would get that is not submitted yet: a manifest, and what it would start with.
import { postText } from "./api.js";
import { ProblemBox, h, moment, query, useState } from "./ui.js";

const EXAMPLE = `apiVersion: batch/v1
kind: Job
metadata:
  name: train
…`;

const pods = (count) => `${count} ${count === 1 ? "pod" : "pods"}`;

/** `2 pods on n1, 1 on n2`; without nodes where one may not list them. */
function where(places = []) {
  const named = places.filter((each) => each.node);
  if (named.length === 0) return pods(places.reduce((sum, each) => sum + each.pods, 0));
  return named.map((each, i) => `${i === 0 ? pods(each.pods) : each.pods} on ${each.node}`).join(", ");
}

/** `2 pods (team/a, and 1 that you may not see)`. */
function evicted(victims = [], againstBudgets = 0) {
  if (victims.length === 0) return "";
  const names = victims.map((each) => each.pod).filter(Boolean);
  const unseen = victims.length - names.length;
  if (unseen > 0) names.push(`${unseen} that you may not see`);
  return `${pods(victims.length)} (${names.join(", ")})${againstBudgets > 0 ? `, ${againstBudgets} against a disruption budget` : ""}`;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** What makes the change of a file that holds this manifest. */
const command = ({ patch }) => `kubectl patch --local --type merge -o yaml -f FILE -p ${quoted(JSON.stringify(patch))}`;

function Patches({ of = [], words }) {
  return of.length > 0 && h("details", null,
    h("summary", { "aria-label": `Change of the manifest: ${words}` }, "Change of the manifest"),
    of.map((each) => h("div", { key: `${each.kind}/${each.name}` },
      h("div", { class: "faint" }, `${each.kind} ${each.name}`),
      h("pre", { tabindex: 0, role: "region", "aria-label": `Command for ${each.kind} ${each.name}: ${words}` }, command(each)))));
}

function Offers({ of, at }) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Offers" }, h("table", { class: "stacks" },
    h("caption", null, "It would start with each of these alone."),
    h("thead", null, h("tr", null, ["With", "By", "From", "Where", "Evicts"].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", null, of.map((each) => {
      const words = each.remedies.join(", and ");
      return h("tr", { key: words },
        h("th", { scope: "row" }, words, h(Patches, { of: each.patches, words })),
        h("td", { class: "short", "data-name": "By" }, each.by.join(", ")),
        h("td", { class: "short", "data-name": "From" }, each.at === at ? "now" : h("time", { datetime: each.at }, moment(each.at))),
        h("td", { "data-name": "Where" }, where(each.places)),
        h("td", { "data-name": "Evicts" }, evicted(each.victims, each.againstBudgets)));
    }))));
}

function Workload({ of, answer }) {
  const { at, plans } = answer;
  const offers = of.offers ?? [];
  const isOne = answer.workloads.length === 1 && !answer.more;
  return h("section", { class: "sheet" },
    h("h2", null, `${answer.kind} ${answer.name}`, isOne ? "" : `, ${of.name}`),
    h("p", { class: "faint" }, `${of.namespace}, queue ${of.queue}, ${of.asks}, priority ${of.priority}${of.preemptible ? ", preemptible" : ""}`),
    of.starts && h("p", { class: "starts" }, h("strong", null, "Starts now: "), where(of.places), of.victims ? `; evicts ${evicted(of.victims)}` : "", "."),
    of.reason && h("p", { class: "reasoned" }, of.reason.sentence),
    of.forecast && h("p", null, `As it is, it is likely to start by ${moment(of.forecast.median)} with even odds, by ${moment(of.forecast.p90)} with nine of ten.`),
    offers.length > 0 && h(Offers, { of: offers, at }),
    !of.starts && offers.length === 0 && h("p", null, "Nothing that was tried lets it start."),
    of.cutShort && h("p", { class: "faint" }, `Not everything was tried: ${plans} plans did not suffice.`),
    of.hidden > 0 && h("p", { class: "faint" }, `${of.hidden} more would help, and name what you may not see.`));
}

export function OffersPage() {
  const [namespace, setNamespace] = useState("default");
  const [manifest, setManifest] = useState("");
  const [state, setState] = useState({});
  const ask = async (event) => {
    event.preventDefault();
    setState({ asking: true });
    try {
      setState({ answer: await postText(`offers?${query({ namespace })}`, manifest, "application/yaml") });
    } catch (problem) {
      setState({ problem });
    }
  };
  const { asking, answer, problem } = state;
  return h("div", null,
    h("h1", null, "Offers"),
    h("p", { class: "faint" }, "What a workload would get that is not submitted yet: when and where it would start, and with which change. By the same planner over a copy of the cluster; nothing is submitted."),
    h("form", { class: "sheet", onSubmit: ask },
      h("div", { class: "tools" },
        h("label", null, "Namespace, where the manifest names none",
          h("input", { required: true, value: namespace, autocomplete: "off", onInput: (e) => setNamespace(e.target.value) }))),
      h("label", null, "Manifest of one workload, YAML or JSON",
        h("textarea", { required: true, rows: 14, spellcheck: false, placeholder: EXAMPLE, value: manifest, onInput: (e) => { setManifest(e.target.value); setState({}); } })),
      h("p", null, h("button", { class: "main", disabled: asking }, asking ? "Planning…" : "What would it get?"))),
    h(ProblemBox, { problem }),
    h("div", { "aria-live": "polite" }, answer && [
      answer.workloads.map((each) => h(Workload, { key: `${each.namespace}/${each.name}`, of: each, answer })),
      answer.more > 0 && h("p", { class: "faint" }, `It would form ${answer.more} more groups, which are not told.`)]));
}
