// `npm start`: for now it only tells what this clone can do.

const text = `podloom: the kubelet's pod workers and status manager on Node.js worker threads.

There is nothing to start yet. Available:
  npm test            the tests, on this Node
  npm run test:lts    the tests, on Node 24
  npm run lint        formatter, linter, type check
`;

process.stdout.write(text);
