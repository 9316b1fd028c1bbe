/** What threads do for dispose.test.ts. */
import {
  Chan,
  type ChanHandle,
  Cond,
  type CondHandle,
  Mutex,
  type MutexHandle,
  Once,
  type OnceHandle,
  RWMutex,
  type RWMutexHandle,
  WaitGroup,
  type WaitGroupHandle,
  recvFrom,
  select,
} from '../../src/sync/index.js';

export interface Handles {
  readonly ready: WaitGroupHandle;
  readonly mutex: MutexHandle;
  readonly rwmutex: RWMutexHandle;
  readonly group: WaitGroupHandle;
  readonly once: OnceHandle;
  readonly l: MutexHandle;
  readonly cond: CondHandle;
  readonly chan: ChanHandle;
}

/** Says it is there, waits in the blocking form, and answers the code it was woken with. */
export function waitAt({ what, handles }: { what: string; handles: Handles }): string {
  const waits: Record<string, () => unknown> = {
    mutex: () => Mutex.attach(handles.mutex).lock(),
    reader: () => RWMutex.attach(handles.rwmutex).rLock(),
    writer: () => RWMutex.attach(handles.rwmutex).lock(),
    group: () => WaitGroup.attach(handles.group).wait(),
    once: () => Once.attach(handles.once).do(() => undefined),
    cond: () => {
      const l = Mutex.attach(handles.l);
      l.lock();
      Cond.attach(handles.cond, l).wait();
    },
    receiver: () => Chan.attach(handles.chan).recv(),
    select: () => select([recvFrom(Chan.attach(handles.chan))]),
  };
  WaitGroup.attach(handles.ready).done();
  try {
    waits[what]();
    return 'went on';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Attaches, says so, waits to be told that it is gone, and tries everything: the codes. */
export function useStale({ handles, gone }: { handles: Handles; gone: ChanHandle }): string[] {
  const mutex = Mutex.attach(handles.mutex);
  const rw = RWMutex.attach(handles.rwmutex);
  const group = WaitGroup.attach(handles.group);
  const once = Once.attach(handles.once);
  const cond = Cond.attach(handles.cond, mutex);
  const chan = Chan.attach<unknown>(handles.chan);
  WaitGroup.attach(handles.ready).done();
  Chan.attach(gone).recv();
  const attempts: (() => unknown)[] = [
    () => mutex.lock(),
    () => mutex.tryLock(),
    () => mutex.unlock(),
    () => mutex.handle(),
    () => rw.lock(),
    () => rw.rLock(),
    () => rw.tryLock(),
    () => rw.tryRLock(),
    () => rw.unlock(),
    () => rw.rUnlock(),
    () => group.add(1),
    () => group.wait(),
    () => once.do(() => undefined),
    () => once.isDone,
    () => cond.signal(),
    () => cond.wait(),
    () => chan.send(1),
    () => chan.recv(),
    () => chan.trySend(1),
    () => chan.tryRecv(),
    () => chan.close(),
    () => chan.len,
    () => select([recvFrom(chan)]),
    () => Mutex.attach(handles.mutex),
    () => Chan.attach(handles.chan),
  ];
  return attempts.map((attempt) => {
    try {
      attempt();
      return `went on: ${attempt.toString()}`;
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
}
