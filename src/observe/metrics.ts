/**
 * What is counted, as the layers see it. Exporters live at the edge: a layer takes a Metrics and is handed what it
 * asked for by name; who asks for nothing gets the default, which forgets.
 */
export interface Histogram {
  /** Labels in the order the histogram names them. */
  observe(value: number, ...labels: readonly string[]): void;
}

export interface Counter {
  add(amount: number, ...labels: readonly string[]): void;
}

export interface Gauge {
  set(value: number, ...labels: readonly string[]): void;
}

export interface MetricOptions {
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

export interface Metrics {
  histogram(name: string, options: MetricOptions): Histogram;
  counter(name: string, options: MetricOptions): Counter;
  gauge(name: string, options: MetricOptions): Gauge;
}

const nothing = { observe() {}, add() {}, set() {} };

export const noMetrics: Metrics = {
  histogram: () => nothing,
  counter: () => nothing,
  gauge: () => nothing,
};
