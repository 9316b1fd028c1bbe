// Slow: whether a watch stays quiet takes real time to see.
import { replayHttp } from './http/replay.js';

replayHttp({ watch: ['watch-as-table-resume', 'watch-leases', 'watch-namespaces'] });
