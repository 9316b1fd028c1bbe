/** Host threads: their life, their mail, their run queue, their control plane. */
export { ControlLink, isThreadDied } from './control.js';
export { RuntimeError } from './errors.js';
export type { HostEnv, HostHook, HostMain } from './host-env.js';
export { Host } from './host.js';
export { DEFAULT_CREDITS, Mailbox, mailboxMemory } from './mailbox.js';
export type { MailHandler, MailboxOptions } from './mailbox.js';
export { defaultBackoff } from './place.js';
export type { Backoff } from './place.js';
export type { Fault, HostEnd, HostStats, Mail, MailKey, MailboxStats } from './protocol.js';
export { Scheduler } from './scheduler.js';
export type { Runnable, SchedulerOptions, SchedulerStats } from './scheduler.js';
export { Supervisor } from './supervisor.js';
export type { SupervisorOptions } from './supervisor.js';
