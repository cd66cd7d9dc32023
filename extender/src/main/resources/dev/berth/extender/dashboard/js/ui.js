// What all pages are made of.
export const { h, Fragment, render } = self.preact;
export const { useState, useEffect, useRef, useMemo, useCallback } = self.preactHooks;

export const time = (text) => new Date(text).toLocaleTimeString(undefined, { hour12: false });

/** `3 min`: how long ago, to the unit that matters. */
export function ago(text) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(text)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export const number = (value) =>
  (Math.round(100 * Number(value)) / 100 + 0 /* -0 is 0 */).toLocaleString(undefined, { maximumFractionDigits: 2 });

/** An amount of a queue as a number; unlimited and absent are what is told. */
export const gpus = (amounts, absent = 0) => {
  const text = amounts?.gpu;
  if (text === undefined) return absent;
  return text === "unlimited" ? Infinity : Number(text);
};

/** `14:32:10`, with its day where that is another one than today's. */
export function moment(text) {
  const at = new Date(text);
  return at.toDateString() === new Date().toDateString() ? time(text) : `${at.toLocaleDateString()} ${time(text)}`;
}

/** What follows the `?` of an address, of the fields that are set. */
export const query = (fields) => Object.entries(fields).filter(([, value]) => value)
  .map(([field, value]) => `${field}=${encodeURIComponent(value)}`).join("&");

export const path = (...names) => names.map(encodeURIComponent).join("/");

export const workloadLink = (namespace, name) =>
  h("a", { href: `#/workloads/${path(namespace, name)}` }, name);

export function ProblemBox({ problem }) {
  return problem && h("p", { class: "problem", role: "alert" }, problem.detail ?? String(problem));
}

/** Asks when it is first shown, when `what` changes, and when `turn` does. */
export function useAnswer(asking, what, turn) {
  const [state, setState] = useState({});
  useEffect(() => {
    const stop = new AbortController();
    asking(stop.signal).then(
      (answer) => setState({ answer }),
      (problem) => stop.signal.aborted || setState((before) => ({ ...before, problem })),
    );
    return () => stop.abort();
  }, [what, turn]);
  return state;
}

/** Grows at most once in two seconds while events come. @return [turn, told] */
export function useTurn() {
  const [turn, setTurn] = useState(0);
  const due = useRef(0);
  const told = useCallback(() => {
    due.current ||= setTimeout(() => {
      due.current = 0;
      setTurn((before) => before + 1);
    }, 2000);
  }, []);
  useEffect(() => () => clearTimeout(due.current), []);
  return [turn, told];
}

export function Badge({ phase }) {
  return h("span", { class: `badge ${phase}` }, phase);
}

export function Swatch({ colour }) {
  return h("span", { class: "swatch", style: { background: colour }, "aria-hidden": "true" });
}

export function Figures({ of }) {
  return h("dl", { class: "figures" }, of.map(([name, value, more]) =>
    h("div", { key: name }, h("dt", null, name), h("dd", null, value, more && h("small", null, " ", more)))));
}
