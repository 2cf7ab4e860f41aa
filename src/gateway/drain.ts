import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { Core } from './core.ts'
import type { OpenRest } from './open-rest.ts'

interface Drained {
  readonly rest: OpenRest
  readonly directory: Pick<RunningDirectory, 'drain'>
}

/**
 * What a shutdown does first (contract 20, SIGTERM): this node says that it is not ready, takes no number any more, and
 * gives those without calls to the other nodes. Requests go on beside it, new ones too until balancers have had
 * SHUTDOWN_DELAY_SECONDS to notice, and are answered by whoever has their number; what closes later is the mirror of
 * what was opened: requests end, then the numbers that have calls, then deliveries under way.
 */
export function addDrain(
  { closing, config, clock }: Pick<Core, 'closing' | 'config' | 'clock'>,
  { rest, directory }: Drained,
): void {
  closing.add('drain', async ({ isGentle }) => {
    rest.drain()
    // Not waited for: the numbers are waited for where they are closed.
    void directory.drain()
    if (isGentle && config.shutdownDelayMs > 0)
      await new Promise<void>((resolve) => clock.after(config.shutdownDelayMs, resolve))
  })
}
