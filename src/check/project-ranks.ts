/**
 * The lock order of podloom itself, low first. The only place where it is written down for the machine.
 *
 * A pod's slot is never locked under another pod's: what is needed of another pod stands in its flag word.
 */
export const PROJECT_RANKS = 'tableIndex < podSlot < staticNames < workQueue | mailbox | parker';
