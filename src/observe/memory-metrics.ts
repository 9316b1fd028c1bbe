/**
 * Metrics that are kept in memory, for tests and for exporters at the edge to read.
 *
 * A name is one metric: asked for again, the same one is handed out; asked for as something else, or used with another
 * number of labels than it names, it is an error. Buckets count as Prometheus' do: each has everything up to its bound.
 */
import { PodloomError } from './errors.js';
import type { Counter, Gauge, Histogram, MetricOptions, Metrics } from './metrics.js';

/** Prometheus' default bounds. */
const DEFAULT_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface HistogramValue {
  readonly count: number;
  readonly sum: number;
  /** By upper bound, in ascending order; what is above the last bound is only in `count`. */
  readonly buckets: ReadonlyMap<number, number>;
}

type MetricType = 'histogram' | 'counter' | 'gauge';

/** One metric: a value for each combination of labels. */
class Series<V> {
  readonly type: MetricType;
  readonly options: MetricOptions;
  readonly #name: string;
  readonly #values = new Map<string, { readonly labels: readonly string[]; value: V }>();

  constructor(type: MetricType, name: string, options: MetricOptions) {
    this.type = type;
    this.#name = name;
    this.options = options;
  }

  change(labels: readonly string[], next: (value: V | undefined) => V): void {
    const names = this.options.labels ?? [];
    if (labels.length !== names.length) {
      throw new PodloomError(
        'ERR_BAD_METRIC',
        `${this.#name} takes ${names.length} labels (${names.join(', ')}), got ${labels.length}`,
      );
    }
    const key = JSON.stringify(labels);
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, { labels: [...labels], value: next(undefined) });
    else known.value = next(known.value);
  }

  get(labels: readonly string[]): V | undefined {
    return this.#values.get(JSON.stringify(labels))?.value;
  }

  all(): { readonly labels: readonly string[]; readonly value: V }[] {
    return [...this.#values.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

export interface MetricSnapshot {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly values: readonly {
    readonly labels: readonly string[];
    readonly value: number | HistogramValue;
  }[];
}

export class MemoryMetrics implements Metrics {
  readonly #histograms = new Map<string, Series<HistogramValue>>();
  readonly #numbers = new Map<string, Series<number>>();

  histogram(name: string, options: MetricOptions): Histogram {
    const series = this.#series(this.#histograms, 'histogram', name, options);
    const bounds = [...(series.options.buckets ?? DEFAULT_BUCKETS)].sort((a, b) => a - b);
    return {
      observe: (value, ...labels) =>
        series.change(labels, (old) => ({
          count: (old?.count ?? 0) + 1,
          sum: (old?.sum ?? 0) + value,
          buckets: new Map(
            bounds.map((le) => [le, (old?.buckets.get(le) ?? 0) + (value <= le ? 1 : 0)] as const),
          ),
        })),
    };
  }

  counter(name: string, options: MetricOptions): Counter {
    const series = this.#series(this.#numbers, 'counter', name, options);
    return { add: (amount, ...labels) => series.change(labels, (old) => (old ?? 0) + amount) };
  }

  gauge(name: string, options: MetricOptions): Gauge {
    const series = this.#series(this.#numbers, 'gauge', name, options);
    return { set: (value, ...labels) => series.change(labels, () => value) };
  }

  /** What a histogram has seen; undefined if nothing yet, or there is none of that name. */
  histogramValue(name: string, ...labels: readonly string[]): HistogramValue | undefined {
    return this.#histograms.get(name)?.get(labels);
  }

  /** A counter's or gauge's value; undefined if it was never set, or there is none of that name. */
  value(name: string, ...labels: readonly string[]): number | undefined {
    return this.#numbers.get(name)?.get(labels);
  }

  snapshot(): MetricSnapshot[] {
    return [...this.#histograms, ...this.#numbers].map(([name, series]) => ({
      name,
      type: series.type,
      help: series.options.help,
      labelNames: series.options.labels ?? [],
      values: series.all(),
    }));
  }

  #series<V>(
    among: Map<string, Series<V>>,
    type: MetricType,
    name: string,
    options: MetricOptions,
  ): Series<V> {
    const known = this.#histograms.get(name) ?? this.#numbers.get(name);
    if (known !== undefined && known.type !== type) {
      throw new PodloomError('ERR_BAD_METRIC', `${name} is a ${known.type} already, it cannot be a ${type}`);
    }
    let series = among.get(name);
    if (series === undefined) among.set(name, (series = new Series<V>(type, name, options)));
    return series;
  }
}
