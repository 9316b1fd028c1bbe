import { expect, test } from 'vitest';
import { MemoryMetrics } from '../../src/observe/memory-metrics.js';

test('a histogram counts each value in every bucket it fits in', () => {
  const metrics = new MemoryMetrics();
  const histogram = metrics.histogram('h', { help: '', buckets: [10, 1] });
  expect(metrics.histogramValue('h')).toBeUndefined();
  for (const value of [0.5, 1, 7, 11]) histogram.observe(value);
  const { count, sum, buckets } = metrics.histogramValue('h')!;
  expect({ count, sum, buckets: [...buckets] }).toEqual({
    count: 4,
    sum: 19.5,
    buckets: [
      [1, 2],
      [10, 3],
    ],
  });
});

test('a histogram that names no buckets has the default ones', () => {
  const metrics = new MemoryMetrics();
  metrics.histogram('h', { help: '' }).observe(0.3);
  const { buckets } = metrics.histogramValue('h')!;
  expect([buckets.get(0.25), buckets.get(0.5), buckets.size]).toEqual([0, 1, 11]);
});

test('counters add up and gauges are set, by labels', () => {
  const metrics = new MemoryMetrics();
  const counter = metrics.counter('c', { help: 'counts', labels: ['verb', 'code'] });
  counter.add(1, 'get', '200');
  counter.add(2, 'get', '200');
  counter.add(1, 'get', '404');
  const gauge = metrics.gauge('g', { help: '' });
  gauge.set(3);
  gauge.set(2);
  expect(metrics.value('c', 'get', '200')).toBe(3);
  expect(metrics.value('c', 'get', '404')).toBe(1);
  expect(metrics.value('c', 'get', '500')).toBeUndefined();
  expect(metrics.value('g')).toBe(2);
  expect(metrics.snapshot()).toEqual([
    {
      name: 'c',
      type: 'counter',
      help: 'counts',
      labelNames: ['verb', 'code'],
      values: [
        { labels: ['get', '200'], value: 3 },
        { labels: ['get', '404'], value: 1 },
      ],
    },
    { name: 'g', type: 'gauge', help: '', labelNames: [], values: [{ labels: [], value: 2 }] },
  ]);
});

test('a name is one metric, of one type and one number of labels', () => {
  const metrics = new MemoryMetrics();
  metrics.counter('c', { help: '' }).add(1);
  metrics.counter('c', { help: '' }).add(1);
  expect(metrics.value('c')).toBe(2);
  expect(() => metrics.histogram('c', { help: '' })).toThrow('c is a counter already');
  expect(() => metrics.gauge('c', { help: '' })).toThrow('c is a counter already');
  expect(() => metrics.counter('c', { help: '' }).add(1, 'x')).toThrow('c takes 0 labels (), got 1');
});
