/** What a crew's threads do for programs of the model. */
import { Chan, go } from '../../../src/sync/index.js';
import { type CrewProgram, type Order, obey } from './driver.js';
import { attachObjects } from './perform.js';
import type { Completed } from './world.js';

/** Starts this thread's goroutines of a program; they end when their orders are closed. */
export function joinProgram({ orders, reports, addresses, lOf }: CrewProgram): void {
  const objects = attachObjects(addresses, lOf);
  const out = Chan.attach<Completed>(reports);
  for (const [g, handle] of orders) {
    const mine = Chan.attach<Order>(handle);
    go(() =>
      obey(g, mine, objects, (done) => {
        if (!out.trySend(done)) throw new Error('nobody takes the reports');
      }),
    );
  }
}
