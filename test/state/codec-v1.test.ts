import { describe, expect, test } from 'vitest';
import { fnv1a } from '../../src/state/checksum.js';
import { textChecksum } from '../../src/state/codec-v1.js';
import { codecV1, codecV129, MemoryState, type Checkpoint } from '../../src/state/index.js';

function checkpoint(
  pods: Readonly<Record<string, Readonly<Record<string, Record<string, string>>>>>,
): Checkpoint {
  const state = new MemoryState();
  for (const [podUID, containers] of Object.entries(pods)) {
    for (const [name, list] of Object.entries(containers))
      void state.setContainerResourceAllocation(podUID, name, list);
    void state.setPodResizeStatus(podUID, 'Proposed');
  }
  return { allocations: state.getPodResourceAllocation(), resizeStatuses: state.getResizeStatus() };
}

const decode = (text: string): Checkpoint => codecV1.decode(Buffer.from(text));
const requests = (of: Checkpoint): unknown => of.allocations.get('u1')?.get('a');

test('FNV-1a of nothing and of "foobar"', () => {
  expect(fnv1a(Buffer.from(''))).toBe(0x811c9dc5);
  expect(fnv1a(Buffer.from('foobar'))).toBe(0xbf9cf968);
});

test('the checksum is that of kubelets from v1.32 on', () => {
  const data = '{"allocationEntries":{"pod1":{"container1":{"requests":{"cpu":"1Ki","memory":"1Ki"}}}}}';
  expect(textChecksum(data)).toBe(1555601526);
});

test('quantities stay as they were given, and odd names are names', () => {
  const given = checkpoint({
    u1: { a: { cpu: '1000m', memory: '1.50Gi' }, '': {} },
    ['__proto__']: { ['__proto__']: { ['__proto__']: '1' } },
    '10': { constructor: { cpu: 'lots' } },
  });
  const text = codecV1.encode(given);
  expect(decode(text)).toEqual(given);
  expect(codecV1.encode(decode(text))).toBe(text);
});

test('what a file may hold beside that: null lists, null and number quantities', () => {
  const text =
    '{"allocationEntries":{"p":{"a":null,"b":{"cpu":null,"memory":1.5}}},"resizeStatusEntries":{}}';
  const file = JSON.stringify({ podloom: 1, data: text, checksum: textChecksum(text) });
  expect(decode(file).allocations.get('p')).toEqual(
    new Map([
      ['a', null],
      ['b', { cpu: null, memory: 1.5 }],
    ]),
  );
});

describe('what is refused', () => {
  const good = codecV1.encode(checkpoint({ u1: { a: { cpu: '1' } } }));
  const withData = (data: string): string =>
    JSON.stringify({ podloom: 1, data, checksum: textChecksum(data) });

  test.each([
    [
      'a changed digit',
      good.replace(String.raw`\"cpu\":\"1\"`, String.raw`\"cpu\":\"2\"`),
      'checksum-mismatch',
    ],
    ['another checksum', good.replace(/"checksum":\d+/, '"checksum":1'), 'checksum-mismatch'],
    ['no checksum', '{"podloom":1,"data":"{}"}', 'checksum-mismatch'],
    ['no data', '{"podloom":1,"checksum":1}', 'json-type'],
    ['a later format', '{"podloom":2,"entries":[]}', 'foreign'],
    ['something else', '{"kind":"Pod"}', 'foreign'],
    ['a list', '[]', 'json-type'],
    ['null', 'null', 'json-type'],
    ['nothing', '', 'json-syntax'],
    ['zeros', '\0\0\0\0', 'json-syntax'],
    ['data that is not JSON', withData('{'), 'json-syntax'],
    [
      'data of another shape',
      withData('{"allocationEntries":{"p":5},"resizeStatusEntries":{}}'),
      'json-type',
    ],
    [
      'a list of quantities',
      withData('{"allocationEntries":{"p":{"c":[]}},"resizeStatusEntries":{}}'),
      'json-type',
    ],
    [
      'a quantity that is a flag',
      withData('{"allocationEntries":{"p":{"c":{"cpu":true}}},"resizeStatusEntries":{}}'),
      'json-type',
    ],
    [
      'a status that is a number',
      withData('{"allocationEntries":{},"resizeStatusEntries":{"p":1}}'),
      'json-type',
    ],
    ['data without entries', withData('{}'), 'json-type'],
  ])('%s', (_, content, fault) => {
    expect(() => decode(content)).toThrow(expect.objectContaining({ fault }));
  });

  test('any cut', () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => decode(good.slice(0, length))).toThrow(expect.objectContaining({ fault: 'json-syntax' }));
    }
  });
});

describe("a v1.29 kubelet's file", () => {
  const written = (pods: Parameters<typeof checkpoint>[0]): string => codecV129.encode(checkpoint(pods));

  test('is read', () => {
    expect(requests(decode(written({ u1: { a: { cpu: '100m', memory: '64Mi' } } })))).toEqual({
      cpu: '100m',
      memory: '64Mi',
    });
    expect(decode('{"checksum":670531192}').allocations.size).toBe(0);
  });

  test.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['500000', '500k'],
    ['0.1', '100m'],
    ['2000m', '2'],
    ['10e-1', '1'],
    ['0.0', '0'],
    ['1500000000', '1500M'],
    ['0.0000000001', '1n'],
    ['9Ei', '9223372036854775807'],
    ['-1000m', '-1'],
  ])('is read though the kubelet could not: %s, written as %s', (given, canonical) => {
    const file = written({ u1: { a: { cpu: given, memory: '64Mi' } }, u2: { a: { cpu: given } } });
    expect(requests(decode(file))).toEqual({ cpu: canonical, memory: '64Mi' });
  });

  test('is read with several notations of its own', () => {
    const file = written({
      u1: { a: { cpu: '1000m', memory: '1024Mi' }, b: { cpu: '0.5', memory: '1Gi' } },
      u2: { a: { cpu: '0.25', memory: '64Mi' } },
    });
    expect(() => codecV129.decode(Buffer.from(file))).toThrow('checkpoint is corrupted');
    expect(requests(decode(file))).toEqual({ cpu: '1', memory: '1Gi' });
  });

  const odd = written({ u1: { a: { cpu: '1000m', memory: '64Mi' } } });
  test.each([
    ['another pod', odd.replaceAll('u1', 'u2')],
    ['another value', odd.replace('"1"', '"2"')],
    ['another status', odd.replace('Proposed', 'Deferred')],
    ['another checksum', odd.replace(/"checksum":\d+/, '"checksum":0')],
    ['no checksum', odd.replace(/"checksum":\d+/, '"checksum":null')],
    ['white space the kubelet does not write', `${odd}\n`],
  ])('is refused if its checksum fits no notation: %s', (_, content) => {
    expect(content).not.toBe(odd);
    expect(() => decode(content)).toThrow(expect.objectContaining({ fault: 'checksum-mismatch' }));
  });
});
