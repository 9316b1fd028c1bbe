import { defineConfig } from 'vitest/config';

// Tests run as compiled: worker entry points resolve relative to dist/, and nothing is tested twice.
// The short form (PODLOOM_SHORT=1) leaves out the files named *.slow.test.ts.
const short = process.env.PODLOOM_SHORT === '1';

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
    execArgv: ['--enable-source-maps'],
    // What is under test is loaded by Node itself, as users and worker threads load it.
    server: { deps: { external: [/\/dist\/(src|workers|bench)\//] } },
  },
});
