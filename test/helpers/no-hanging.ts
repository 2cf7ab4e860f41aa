/** Loaded into every test file's process: a file that leaves something open fails instead of hanging. */
import { registerCompletionHandler } from 'ava'

/** Ms: longer than closing takes after a test on a busy machine. */
const PATIENCE_MS = 60_000

registerCompletionHandler(() => {
  // Only something left open keeps the process alive until then.
  setTimeout(() => {
    throw new Error('The tests are over, and something is still open')
  }, PATIENCE_MS).unref()
})
