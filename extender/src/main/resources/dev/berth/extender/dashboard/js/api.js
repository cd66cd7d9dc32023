// Asks the REST API, and follows its events. The token lives as long as the tab.
const ROOT = "api/v1";
const KEY = "berth-token";

export const token = () => sessionStorage.getItem(KEY) ?? "";
export const keepToken = (value) => sessionStorage.setItem(KEY, value);

/** What the server says is wrong: `detail`, `field`, `status`. */
export class Problem extends Error {
  constructor(answer) {
    super(answer.detail);
    Object.assign(this, answer);
  }
}

const headers = () => (token() ? { Authorization: `Bearer ${token()}` } : {});

async function checked(response) {
  if (response.ok) return response;
  const isProblem = (response.headers.get("Content-Type") ?? "").includes("problem+json");
  throw new Problem(
    isProblem
      ? await response.json()
      : { status: response.status, detail: `The server answered ${response.status}.` },
  );
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(`${ROOT}/${path}`, { ...options, headers: { ...headers(), ...options.headers } });
  } catch (failed) {
    if (failed.name === "AbortError") throw failed;
    throw new Problem({ status: 0, detail: "Berth does not answer. The page goes on trying." });
  }
  return (await checked(response)).json();
}

export const get = (path, signal) => ask(path, { signal });

export const postText = (path, body, type) => ask(path, { method: "POST", body, headers: { "Content-Type": type } });

export const post = (path, body) => postText(path, JSON.stringify(body), "application/json");

/** All pages of a list. `shown` gets the items of each as they come. */
export async function all(path, shown, signal) {
  let next = "";
  do {
    const page = await get(`${path}?limit=1000${next && `&continue=${next}`}`, signal);
    shown(page.items, page.revision);
    next = page.continue ?? "";
  } while (next);
}

/** The number of a revision; of two instances they cannot be compared. */
export const isOlder = (one, other) => {
  const [a, n] = one.split("-");
  const [b, m] = other.split("-");
  return a === b && Number(n) < Number(m);
};

/**
 * Follows events until the signal is aborted, and connects anew where it breaks off.
 * EventSource cannot show a token, so the stream is read by hand.
 * @param on {revision|reset|changes: data => void, state: boolean => void, failed: problem => void}
 */
export async function follow(kinds, on, signal) {
  let last = "";
  let pause = 500;
  while (!signal.aborted) {
    try {
      const response = await checked(
        await fetch(`${ROOT}/events?kinds=${kinds}`, {
          signal,
          headers: { ...headers(), Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) },
        }),
      );
      on.state(true);
      pause = 500;
      for await (const event of events(response.body)) {
        last = event.id;
        on[event.name]?.(JSON.parse(event.data));
      }
    } catch (failed) {
      if (signal.aborted) return;
      if (failed instanceof Problem && [401, 403].includes(failed.status)) {
        on.failed(failed);
        return;
      }
    }
    on.state(false);
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(pause * 2, 10_000);
  }
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = {};
      for (const line of text.slice(0, end).split("\n")) {
        const [, field, value] = /^(\w+): (.*)$/.exec(line) ?? [];
        if (field) event[field === "event" ? "name" : field] = value;
      }
      text = text.slice(end + 2);
      if (event.data) yield event;
    }
  }
}
