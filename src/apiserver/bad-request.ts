/** What Node's parser refuses never becomes a request. A method nobody heard of still gets the server's answer. */
import type { Duplex } from 'node:stream';
import { type StatusError, badRequest, methodNotAllowed } from './status-error.js';

export function answerBadRequest(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable) return;
  const { status }: StatusError =
    error.code === 'HPE_INVALID_METHOD' ? methodNotAllowed() : badRequest(error.message);
  const text = JSON.stringify(status);
  socket.end(
    `HTTP/1.1 ${status.code} ${status.reason}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
