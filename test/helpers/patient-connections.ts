/**
 * Loaded where a thread or its machine is busy for long: `fetch` and `undici` wait as long as that takes, because they
 * give up a connection that is not made within 10 s, even when it was this thread that stood still.
 */
import { Agent, setGlobalDispatcher } from 'undici'

/** Less than the `timeout` of ava.config.js, whose message would name no request. */
const PATIENCE_MS = 540_000

setGlobalDispatcher(
  new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: PATIENCE_MS } }),
)
