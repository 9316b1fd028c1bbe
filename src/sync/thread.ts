/** What a thread says about itself. */
import { parker } from './parker.js';

/** This thread may use blocking forms although it hosts goroutines, which stand still meanwhile. Not on main. */
export function openDedicated(): void {
  parker().openDedicated();
}
