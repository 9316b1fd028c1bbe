/** Order statistics of small samples. */

export function percentile(samples: readonly number[], percent: number): number {
  if (samples.length === 0) return NaN;
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.ceil((percent / 100) * sorted.length) - 1;
  return sorted[Math.min(Math.max(rank, 0), sorted.length - 1)];
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median of the quotients round by round: what disturbed a round disturbed both sides of it. */
export function medianRatio(samples: readonly number[], base: readonly number[]): number {
  return median(samples.map((sample, round) => sample / base[round]));
}
