/** Go's concurrency primitives over shared memory. */
export { afterFunc } from './after-func.js';
export { Arena, arena, openArena } from './arena.js';
export type { ArenaOptions } from './arena.js';
export { attachCancel, attachContext, cancelHandle } from './attach-context.js';
export type { CancelHandle } from './attach-context.js';
export { withCancel, withCancelCause, withDeadline, withTimeout } from './cancel-context.js';
export type { CancelCauseFunc, CancelFunc, DeadlineOptions } from './cancel-context.js';
export { Chan } from './chan.js';
export type { ChanHandle, ChanOptions, Received } from './chan.js';
export { realClock } from './clock.js';
export type { Clock, ClockHandle, TimerHandle } from './clock.js';
export { Cond } from './cond.js';
export type { CondHandle } from './cond.js';
export { Context, background, cause, todo, withValue, withoutCancel } from './context.js';
export type { ContextHandle, ContextKey, RootOptions } from './context.js';
export { ContextError, canceled, deadlineExceeded } from './context-errors.js';
export { FakeClock } from './fake-clock.js';
export type { FakeClockOptions } from './fake-clock.js';
export { GoFatal, GoPanic, SyncError } from './errors.js';
export {
  deadlockReport,
  everybodyIsAsleep,
  go,
  goroutines,
  isSettled,
  onPanic,
  runMain,
  settled,
  watchGoroutines,
} from './goroutine.js';
export type { Goroutine, PanicHandler } from './goroutine.js';
export { Guard } from './guard.js';
export type { Locker } from './guard.js';
export { Mutex } from './mutex.js';
export type { MutexHandle, MutexOptions } from './mutex.js';
export { Once, OnceFunc, onceFunc, onceValue, onceValues } from './once.js';
export type { OnceHandle } from './once.js';
export { RWMutex } from './rwmutex.js';
export type { RWMutexHandle } from './rwmutex.js';
export { otherwise, recvFrom, select, selectAsync, sendTo } from './select.js';
export type { SelectCase, Selected } from './select.js';
export { openDedicated } from './thread.js';
export { Ticker, Timer, after } from './timer.js';
export { wait } from './until.js';
export type { JitterOptions } from './until.js';
export { WaitGroup } from './wait-group.js';
export type { WaitGroupHandle } from './wait-group.js';
