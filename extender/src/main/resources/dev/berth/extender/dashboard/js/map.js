// The map on its canvas: a tile for each node, a cell for each GPU, and in it the shares to scale.
// Draws all once, then only the tiles of nodes that changed.
const SIZES = [30, 22, 16, 12, 9, 7, 5, 4, 3];
const LABEL = 20;
const NAME = 15; // above a tile, where cells are large enough for it

export class ClusterMap {
  /** @param canvas in the page; its width is that of its parent */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.tiles = new Map();
    this.order = [];
    this.selected = "";
    this.waiting = new Set();
  }

  /** Places and draws all nodes. @param level label to group by; empty = none */
  show(nodes, palette, level) {
    performance.mark("map-begin");
    this.palette = palette;
    this.place([...nodes.values()], level);
    this.paint();
    performance.measure("map-all", "map-begin");
  }

  place(nodes, level) {
    const groups = new Map();
    for (const node of nodes) {
      const name = level ? (node.topology?.[level] ?? "(without)") : "";
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(node);
    }
    const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
    const width = Math.max(200, this.canvas.parentElement.clientWidth);
    const most = Math.max(320, window.innerHeight * 1.1);
    this.size = SIZES.find((size) => this.arrange(sorted, size, width) <= most) ?? SIZES.at(-1);
    const height = this.arrange(sorted, this.size, width, true);
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  /** Where each tile is. @return the height of all */
  arrange(groups, size, width, keep = false) {
    const gap = size > 7 ? 8 : size > 4 ? 4 : 2;
    const tight = size > 4 ? 1 : 0;
    const name = size >= 16 ? NAME : 0;
    let x = 0;
    let y = 0;
    let tallest = 0;
    if (keep) {
      this.tiles.clear();
      this.order = [];
      this.labels = [];
      this.tight = tight;
      this.named = name > 0;
    }
    for (const [group, nodes] of groups) {
      if (group) {
        y += x > 0 ? tallest + gap : 0;
        x = 0;
        tallest = 0;
        if (keep) this.labels.push({ group, y });
        y += LABEL;
      }
      for (const node of nodes) {
        const count = Math.max(1, node.gpus?.length ?? 0);
        const across = count > 4 && count % 2 === 0 ? Math.min(count / 2, 8) : Math.min(count, 8);
        const w = across * (size + tight);
        const h = Math.ceil(count / across) * (size + tight);
        if (x + w > width) {
          x = 0;
          y += tallest + gap;
          tallest = 0;
        }
        if (keep) {
          const tile = { node, x, y: y + name, w, h, across, index: this.order.length };
          this.tiles.set(node.name, tile);
          this.order.push(tile);
        }
        x += w + gap;
        tallest = Math.max(tallest, h + name);
      }
      if (group) {
        y += tallest + gap;
        x = 0;
        tallest = 0;
      }
    }
    return Math.ceil(y + tallest + 2);
  }

  paint() {
    const { context, palette } = this;
    this.colour = "";
    this.fill(palette.sheet, 0, 0, this.canvas.width, this.canvas.height);
    context.textBaseline = "top";
    context.fillStyle = palette.ink;
    context.font = "600 13px system-ui, sans-serif";
    for (const label of this.labels) context.fillText(label.group, 0, label.y + 2);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = palette.faint;
    for (const tile of this.named ? this.order : []) {
      context.fillText(this.short(tile.node.name, tile.w), tile.x, tile.y - NAME + 1);
    }
    this.colour = "";
    for (const tile of this.order) this.tile(tile);
    this.mark();
  }

  /** As much of a name as fits, from its end: names of nodes differ there. */
  short(name, width) {
    let text = name;
    while (text.length > 1 && this.context.measureText(text).width > width) text = `…${text.replace(/^…/, "").slice(1)}`;
    return text;
  }

  tile(tile) {
    const step = this.size + this.tight;
    const gpus = tile.node.gpus ?? [];
    const blocked = tile.node.trouble || !tile.node.ready || !tile.node.schedulable;
    for (let i = 0; i < gpus.length; i++) {
      const x = tile.x + (i % tile.across) * step;
      const y = tile.y + Math.floor(i / tile.across) * step;
      this.gpu(gpus[i], x, y, blocked);
    }
    if (gpus.length === 0) {
      this.context.strokeStyle = this.palette.other;
      this.context.strokeRect(tile.x + 0.5, tile.y + 0.5, tile.w - 2, tile.h - 2);
    }
  }

  gpu(gpu, x, y, blocked) {
    const { palette, size } = this;
    switch (gpu.state) {
      case "whole":
        this.share(gpu.shares[0], x, y, size);
        break;
      case "shared": {
        this.fill(palette.part, x, y, size, size);
        let from = 0;
        for (const share of gpu.shares ?? []) {
          const width = (share.millis / 1000) * size;
          this.share(share, x + from, y, width);
          from += width;
          if (size > 7 && from < size) this.fill(palette.sheet, x + from - 0.5, y, 1, size);
        }
        break;
      }
      case "unhealthy":
        this.fill(palette.bad, x, y, size, size);
        break;
      case "other":
        this.fill(palette.other, x, y, size, size);
        break;
      default:
        this.fill(palette.free, x, y, size, size);
        if (blocked) this.fill(palette.bad, x, y, Math.max(1, size / 6), size);
    }
  }

  share(share, x, y, width) {
    const { size, palette } = this;
    if (share.stage === "planned") {
      this.fill(palette.part, x, y, width, size);
      this.context.globalAlpha = 0.5;
      this.fill(palette.queue(share.queue), x, y, width, size);
      this.context.globalAlpha = 1;
    } else {
      this.fill(palette.queue(share.queue), x, y, width, size);
    }
    if (share.stage === "leaving") {
      const height = Math.max(1, size / 5);
      this.fill(palette.bad, x, y + size - height, width, height);
    }
  }

  /** Sets the colour only where it is another: that is most of the time of a rectangle. */
  fill(colour, x, y, width, height) {
    if (colour !== this.colour) {
      this.context.fillStyle = colour;
      this.colour = colour;
    }
    this.context.fillRect(x, y, width, height);
  }

  /** A node is another: it is drawn with the next frame. @return whether its place is the same */
  change(node) {
    const tile = this.tiles.get(node.name);
    if (!tile || (tile.node.gpus?.length ?? 0) !== (node.gpus?.length ?? 0)) return false;
    tile.node = node;
    this.waiting.add(tile);
    if (this.waiting.size === 1) requestAnimationFrame(() => this.drawWaiting());
    return true;
  }

  drawWaiting() {
    performance.mark("map-begin");
    for (const tile of this.waiting) {
      this.clear(tile);
      this.tile(tile);
    }
    if ([...this.waiting].some((tile) => tile.node.name === this.selected)) this.mark();
    this.waiting.clear();
    performance.measure("map-some", "map-begin");
  }

  clear(tile, around = 0) {
    this.fill(this.palette.sheet, tile.x - around, tile.y - around, tile.w + 2 * around, tile.h + 2 * around);
  }

  select(name) {
    const before = this.tiles.get(this.selected);
    this.selected = name;
    if (before) {
      this.clear(before, 1.5);
      this.tile(before);
    }
    this.mark();
  }

  mark() {
    const tile = this.tiles.get(this.selected);
    if (!tile) return;
    this.context.strokeStyle = this.palette.ink;
    this.context.lineWidth = 1.5;
    this.context.strokeRect(tile.x - 0.5, tile.y - 0.5, tile.w - this.tight + 1, tile.h - this.tight + 1);
  }

  /** The node at a point of the canvas. */
  at(x, y) {
    return this.order.find((tile) => x >= tile.x && x < tile.x + tile.w && y >= tile.y && y < tile.y + tile.h)?.node;
  }

  /** The node that an arrow key leads to. */
  beside(name, key) {
    const tile = this.tiles.get(name);
    if (!tile) return this.order[0]?.node;
    if (key === "ArrowRight") return this.order[tile.index + 1]?.node ?? tile.node;
    if (key === "ArrowLeft") return this.order[tile.index - 1]?.node ?? tile.node;
    if (key === "Home") return this.order[0].node;
    if (key === "End") return this.order.at(-1).node;
    const down = key === "ArrowDown";
    const rows = this.order.filter((other) => (down ? other.y > tile.y : other.y < tile.y));
    const y = down ? Math.min(...rows.map((row) => row.y)) : Math.max(...rows.map((row) => row.y));
    const row = rows.filter((other) => other.y === y);
    row.sort((one, other) => Math.abs(one.x - tile.x) - Math.abs(other.x - tile.x));
    return row[0]?.node ?? tile.node;
  }
}
