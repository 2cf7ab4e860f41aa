/** Who starts the run may name a module that watches it. */
const observed = process.env.TEST_OBSERVER ? (await import(process.env.TEST_OBSERVER)).default : {}

export default {
  ...observed,
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--disable-warning=ExperimentalWarning'],
  // When nothing happened for so long, what hangs is named and the run is over.
  timeout: process.env.TEST_FULL === '1' ? '21m' : '5m',
  concurrency: 2,
}
