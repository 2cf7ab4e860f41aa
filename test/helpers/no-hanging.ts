/** Loaded into every test file's process: one that a test left something open in fails, instead of being waited for. */
import { registerCompletionHandler } from 'ava'

/** Longer than what is closed behind a test takes on a busy machine. */
const PATIENCE_MS = 60_000

registerCompletionHandler(() => {
  // Nothing but what was left open keeps the process until then.
  setTimeout(() => {
    throw new Error('The tests are over, and something is still open')
  }, PATIENCE_MS).unref()
})
