/** A network for one test: trusted by this process, closed when the test is over. */
import { type ExecutionContext, registerCompletionHandler } from 'ava'
import { type Network, openNetwork } from './network.ts'
import { silenceConsole } from './silent-logger.ts'

// The library leaves timers of half a minute behind (the limit of its publishing of keys): nothing of ours is still
// running then.
registerCompletionHandler(() => process.exit())

/** Starts a network; clients of this process trust it. */
export async function networkFor(t: ExecutionContext): Promise<Network> {
  silenceConsole()
  const network = await openNetwork()
  network.trust()
  t.teardown(() => network.close())
  return network
}
