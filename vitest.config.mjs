import { defineConfig } from 'vitest/config';

// Tests run as compiled: worker entry points resolve relative to dist/, and nothing is tested twice.
// The short form (PODLOOM_SHORT=1) leaves out the files named *.slow.test.ts.
const short = process.env.PODLOOM_SHORT === '1';

// Lock checks are on in every test and every thread a test starts: Node loads an --import into workers too.
// A file that must run without imports test/support/without-checks.ts; PODLOOM_CHECK=0 turns them off for a run.
process.env.PODLOOM_CHECK ??= '1';
const checks = new URL('./dist/src/check/auto.js', import.meta.url).href;

export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    exclude: short ? ['**/*.slow.test.js'] : [],
    pool: 'forks',
    maxWorkers: 2,
    // Generous, for loaded machines: a test never passes or fails by how long it took.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    allowOnly: false,
    execArgv: ['--enable-source-maps', '--import', checks],
    // What is under test is loaded by Node itself, as users and worker threads load it.
    server: { deps: { external: [/\/dist\/(src|workers|bench)\//] } },
  },
});
