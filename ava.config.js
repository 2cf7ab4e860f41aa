/** Stories of the whole service, which wait more than they work, begin first; the rest fills what they leave of the processors. */
function storiesFirst(a, b) {
  return Number(b.includes('/test/e2e/')) - Number(a.includes('/test/e2e/')) || a.localeCompare(b)
}

export default {
  files: ['test/**/*.test.ts', '!test/helpers/**'],
  extensions: ['ts'],
  nodeArguments: ['--disable-warning=ExperimentalWarning'],
  require: ['./test/helpers/file-times.ts'],
  timeout: '10m',
  // Two for each of two processors: more wait for each other, fewer leave a processor idle (measured).
  concurrency: 4,
  sortTestFiles: storiesFirst,
}
