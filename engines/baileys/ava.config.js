export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--disable-warning=ExperimentalWarning'],
  // When nothing happened for so long, what hangs is named and the run is over.
  timeout: process.env.TEST_FULL === '1' ? '21m' : '5m',
  concurrency: 2,
}
