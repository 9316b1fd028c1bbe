/**
 * Values of shared channels as bytes in the arena.
 *
 * A payload: its length in bytes, then what v8 serialized. Whatever would alias memory or carry a resource
 * (shared memory, also behind a view, ports, handles, functions) is refused before anything is written.
 */
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';
import { notSerializable, valueTooLarge } from './errors.js';
import { Block } from './layout.js';
import { parker } from './parker.js';

class Serializer extends DefaultSerializer {
  _writeHostObject(object: NodeJS.TypedArray): void {
    if (object.buffer instanceof SharedArrayBuffer) throw new TypeError('a view of shared memory');
    // DefaultSerializer's own method exists at run time; the types leave it out.
    (DefaultSerializer.prototype as unknown as { _writeHostObject(o: unknown): void })._writeHostObject.call(
      this,
      object,
    );
  }

  _getSharedArrayBufferId(): number {
    throw new TypeError('shared memory');
  }
}

/** Serializes `value` into a new payload, private to this thread until a channel takes it. */
export function encode(value: unknown): number {
  const { arena, slot } = parker();
  let bytes: Buffer;
  try {
    const serializer = new Serializer();
    serializer.writeHeader();
    serializer.writeValue(value);
    bytes = serializer.releaseBuffer();
  } catch (error) {
    throw notSerializable(error);
  }
  if (bytes.length > arena.maxValueBytes) throw valueTooLarge(bytes.length, arena.maxValueBytes);
  const block = arena.allocPayload(bytes.length + 4, slot);
  arena.words[block + Block.body] = bytes.length;
  arena.bytes.set(bytes, (block + Block.body + 1) * 4);
  return block;
}

/** The value of a payload, which stays. */
export function peek(block: number): unknown {
  const { arena } = parker();
  const start = (block + Block.body + 1) * 4;
  // Copied out: the deserializer makes typed arrays that alias what it reads from.
  const bytes = arena.bytes.slice(start, start + arena.words[block + Block.body]);
  const deserializer = new DefaultDeserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue() as unknown;
}

/** The value of a payload, which is freed. */
export function decode(block: number): unknown {
  const value = peek(block);
  release(block);
  return value;
}

export function release(block: number): void {
  const { arena, slot } = parker();
  arena.free(block, slot);
}
