/** A network for one test: trusted by this process, closed when the test is over. */
import { type ExecutionContext, registerCompletionHandler } from 'ava'
import { type Network, openNetwork } from './network.ts'
import { silenceConsole } from './silent-logger.ts'

// The library leaves timers of half a minute running (the limit on publishing keys); none of our own code runs then.
registerCompletionHandler(() => process.exit())

/** Starts a network; clients of this process trust it. */
export async function networkFor(t: ExecutionContext): Promise<Network> {
  silenceConsole()
  const network = await openNetwork()
  network.trust()
  t.teardown(() => network.close())
  return network
}
