import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { Core } from './core.ts'
import type { OpenRest } from './open-rest.ts'

interface Drained {
  readonly rest: OpenRest
  readonly directory: Pick<RunningDirectory, 'drain'>
}

/**
 * The first step of a shutdown ([nodes.sigterm.1], [nodes.sigterm.2]): the node is no longer ready, takes no number,
 * and gives numbers without calls to the other nodes. Requests still run, and new ones are taken until balancers have
 * had SHUTDOWN_DELAY_SECONDS to notice; the owner of the number answers them. The rest closes in the reverse order of
 * opening: requests end, then the numbers with calls, then deliveries under way.
 */
export function addDrain(
  { closing, config, clock }: Pick<Core, 'closing' | 'config' | 'clock'>,
  { rest, directory }: Drained,
): void {
  closing.add('drain', async ({ isGentle }) => {
    rest.drain()
    // Not awaited here: the close of the directory awaits its numbers.
    void directory.drain()
    if (isGentle && config.shutdownDelayMs > 0)
      await new Promise<void>((resolve) => clock.after(config.shutdownDelayMs, resolve))
  })
}
