// One seed a run for everything random in tests: printed, and taken from PODLOOM_SEED to run it again.

let chosen: number | undefined;

export function seed(): number {
  if (chosen === undefined) {
    const given = process.env.PODLOOM_SEED;
    chosen = given === undefined ? (Math.random() * 2 ** 31) | 0 : Number(given) | 0;
    process.stderr.write(`PODLOOM_SEED=${chosen}\n`);
  }
  return chosen;
}

/** mulberry32: small, and good enough to choose with. */
export function random(from: number): (below: number) => number {
  let state = from | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
