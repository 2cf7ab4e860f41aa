/** Loaded where thousands of tests share a thread: `fetch` waits for an answer as long as a machine with too much to do takes for those before it. */
import { Agent, setGlobalDispatcher } from 'undici'

/** Less than the `timeout` of ava.config.js, which names no request. */
const PATIENCE_MS = 540_000

setGlobalDispatcher(new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: PATIENCE_MS } }))
