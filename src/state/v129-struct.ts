/**
 * v1.29's `PodResourceAllocationCheckpoint` as Go's encoding/json reads it, before the checksum is looked at.
 *
 * Go tells nil maps from empty ones, and the checksum depends on it. Keys of the struct match in any case; unknown
 * ones are skipped; an entry that comes twice counts the second time, a field that comes twice goes on filling
 * its map. The first wrong type is told when all was read, a bad quantity at once.
 */
import { BadQuantityError, parseQuantity } from '../kube/quantity.js';
import type { PodResizeStatus, QuantityText, ResourceList } from '../kube/types.js';
import { CheckpointContentError } from './errors.js';
import { goSyntaxError } from './go-json-syntax.js';

type GoMap<V> = ReadonlyMap<string, V> | null;

export interface V129Entries {
  readonly allocationEntries: GoMap<GoMap<ResourceList | null>>;
  readonly resizeStatusEntries: GoMap<PodResizeStatus>;
}

export interface V129Struct extends V129Entries {
  readonly checksum: bigint;
}

const STRUCT = 'PodResourceAllocationCheckpoint';
const MAX_UINT64 = 2n ** 64n - 1n;

/** Go folds the Kelvin sign and the long s into ASCII; lower case alone leaves the latter. */
const fold = (key: string): string => key.toLowerCase().replaceAll('\u017f', 's');

/** Throws CheckpointContentError. */
export function readV129Struct(content: Buffer): V129Struct {
  const latin1 = content.toString('latin1');
  const syntax = goSyntaxError(latin1);
  if (syntax !== undefined) throw new CheckpointContentError('json-syntax', syntax);
  return new StructReader(latin1).read();
}

/** Walks over text that is known to be JSON, one character a byte. */
class StructReader {
  readonly #text: string;
  #at = 0;
  #field = '';
  #typeError: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): V129Struct {
    let allocationEntries: GoMap<GoMap<ResourceList | null>> = new Map();
    let resizeStatusEntries: GoMap<PodResizeStatus> = new Map();
    let checksum = 0n;
    if (this.#startsObject(`state.${STRUCT}`)) {
      this.#eachEntry((key) => {
        this.#field = fold(key);
        switch (this.#field) {
          case 'allocationentries':
            this.#field = 'allocationEntries';
            allocationEntries = this.#map(allocationEntries, 'map[string]map[string]v1.ResourceList', () =>
              this.#map<ResourceList | null>(null, 'map[string]v1.ResourceList', () => this.#resourceList()),
            );
            return;
          case 'resizestatusentries':
            this.#field = 'resizeStatusEntries';
            resizeStatusEntries = this.#map(resizeStatusEntries, 'map[string]v1.PodResizeStatus', () =>
              this.#resizeStatus(),
            );
            return;
          case 'checksum':
            checksum = this.#checksum(checksum);
            return;
          default:
            this.#skip();
        }
      });
    }
    if (this.#typeError !== undefined) throw new CheckpointContentError('json-type', this.#typeError);
    return { allocationEntries, resizeStatusEntries, checksum };
  }

  #map<V>(into: GoMap<V>, type: string, element: () => V): GoMap<V> {
    if (this.#peek() === 'n') {
      this.#skip();
      return null;
    }
    if (!this.#startsObject(type)) return into;
    const map = new Map<string, V>(into);
    this.#eachEntry((key) => map.set(key, element()));
    return map;
  }

  #resourceList(): ResourceList | null {
    const list = this.#map<QuantityText>(null, 'v1.ResourceList', () => this.#quantity());
    return list === null ? null : Object.fromEntries(list);
  }

  /** Kept as it was written. A null is kept, too: Go has a zero for it that no text gives. */
  #quantity(): QuantityText {
    const raw = this.#skip();
    if (raw === 'null') return null as unknown as QuantityText;
    // Go does not undo escapes here.
    const text = Buffer.from(raw.startsWith('"') ? raw.slice(1, -1) : raw, 'latin1').toString();
    try {
      parseQuantity(text);
    } catch (error) {
      if (error instanceof BadQuantityError)
        throw new CheckpointContentError('quantity-parse', error.reason, { cause: error });
      throw error;
    }
    return text;
  }

  #resizeStatus(): PodResizeStatus {
    if (this.#peek() === '"') return this.#string();
    this.#mismatch('v1.PodResizeStatus');
    return '';
  }

  #checksum(before: bigint): bigint {
    const first = this.#peek();
    if (first !== '-' && !/[0-9]/.test(first)) {
      this.#mismatch('checksum.Checksum');
      return before;
    }
    const literal = this.#skip();
    if (/^[0-9]+$/.test(literal) && BigInt(literal) <= MAX_UINT64) return BigInt(literal);
    this.#wrongType(`number ${literal}`, 'checksum.Checksum');
    return before;
  }

  /** Steps into an object, or over whatever else is here. */
  #startsObject(type: string): boolean {
    if (this.#peek() !== '{') {
      this.#mismatch(type);
      return false;
    }
    this.#at += 1;
    return true;
  }

  /** Steps over a value of another type. null fits everywhere and changes nothing. */
  #mismatch(type: string): void {
    const first = this.#peek();
    this.#skip();
    if (first === 'n') return;
    const kinds: Readonly<Record<string, string>> = {
      '"': 'string',
      '[': 'array',
      '{': 'object',
      t: 'bool',
      f: 'bool',
    };
    this.#wrongType(kinds[first] ?? 'number', type);
  }

  #wrongType(seen: string, type: string): void {
    const target = this.#field === '' ? 'Go value' : `Go struct field ${STRUCT}.${this.#field}`;
    this.#typeError ??= `json: cannot unmarshal ${seen} into ${target} of type ${type}`;
  }

  /** The object was stepped into; afterwards it is behind. */
  #eachEntry(entry: (key: string) => void): void {
    while (this.#peek() !== '}') {
      const key = this.#string();
      this.#expect(':');
      entry(key);
      if (this.#peek() === ',') this.#at += 1;
    }
    this.#expect('}');
  }

  #string(): string {
    const text = JSON.parse(Buffer.from(this.#skip(), 'latin1').toString()) as string;
    return text.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  /** Steps over one value of any depth; gives its text. */
  #skip(): string {
    this.#peek();
    const start = this.#at;
    let depth = 0;
    do {
      const char = this.#peek();
      this.#at += 1;
      if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') depth -= 1;
      else if (char === '"') this.#skipString();
      else if (char !== ',' && char !== ':')
        while (/[\w.+-]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    } while (depth > 0);
    return this.#text.slice(start, this.#at);
  }

  #skipString(): void {
    while (this.#text.charAt(this.#at) !== '"') this.#at += this.#text.charAt(this.#at) === '\\' ? 2 : 1;
    this.#at += 1;
  }

  /** The next character that is not white space, which is stepped over. */
  #peek(): string {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.charAt(this.#at);
  }

  #expect(char: string): void {
    if (this.#peek() !== char)
      throw new Error(`expected ${char} at ${String(this.#at)}: the text was not checked`);
    this.#at += 1;
  }
}
