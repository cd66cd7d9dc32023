// Colours of queues, by their order in the tree, and of what has no queue.
const LIGHT = ["#1f77b4", "#d98a00", "#2a9d58", "#a855b5", "#d1495b", "#178f8f", "#7a6cd8", "#8c6239", "#5b8c00", "#c2417c"];
const DARK = ["#4ea1e0", "#f0b03f", "#52c585", "#c987d6", "#f07f8f", "#41c4c4", "#a79bf5", "#c49a6c", "#9ccc3c", "#ee82b4"];

export const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

export class Palette {
  /** @param queues as the API lists them */
  constructor(queues, dark = isDark()) {
    const [free, part, other, bad, ink, faint, sheet, unknown] = dark
      ? ["#2c333d", "#5c5434", "#59616d", "#f0645a", "#e6e9ee", "#a3adbb", "#1c2027", "#8b95a3"]
      : ["#e3e7ec", "#f6e7b0", "#a7afb9", "#c62f26", "#1a1f27", "#56606e", "#ffffff", "#79838f"];
    // part: what is free of a GPU that is shared, and fits shares alone
    Object.assign(this, { free, part, other, bad, ink, faint, sheet, unknown });
    this.byQueue = new Map();
    const colours = dark ? DARK : LIGHT;
    const parents = new Set(queues.map((queue) => queue.parent));
    queues
      .filter((queue) => !parents.has(queue.name))
      .forEach((queue, i) => this.byQueue.set(queue.name, colours[i % colours.length]));
  }

  queue(name) {
    return this.byQueue.get(name) ?? this.unknown;
  }
}
