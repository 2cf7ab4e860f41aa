import { Unmet } from '../finding.ts'
import { openOn } from '../world.ts'
import { WITH_NUMBER, type CheckRow } from './row.ts'

/** Checks of the events of all connections, and of the end of a session. */
export const ENDING: readonly CheckRow[] = [
  {
    name: 'session.logout',
    says: 'session.logout unlinks the device: it is answered, and session.state CLOSE, logged_out is told [bridge.ops.2] [bridge.events.2].',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = await world.open()
      await end.acknowledgeAll()
      const before = world.watch.highestSeq
      await end.result('session.logout', {})
      const { reason } = await end.event(
        'session.state CLOSE',
        ({ ev, seq, state }) => ev === 'session.state' && seq > before && state === 'CLOSE',
      )
      if (reason !== 'logged_out') throw new Unmet(`session.state CLOSE, reason ${String(reason ?? 'none')}`)
      return 'CLOSE, logged_out'
    },
  },
  {
    name: 'start.revoked',
    says: 'After a logout its credentials open nothing any more [bridge.ops.2].',
    needs: ['session.logout', 'pair.credentials'],
    asked: WITH_NUMBER,
    async look(world) {
      const before = world.watch.highestSeq
      if (world.isLive) await world.current.acknowledgeAll()
      const end = await world.comeBack().catch(refused)
      if (typeof end === 'string') return end
      const outcome = await openOn(end, before).then(() => 'session.state OPEN', refused)
      if (outcome === 'session.state OPEN') throw new Unmet(outcome)
      return outcome
    },
  },
  {
    name: 'events.order',
    says: 'Events are numbered: on each connection seq only rises [bridge.socket.4].',
    needs: ['pair.code'],
    asked: WITH_NUMBER,
    look: ({ watch: { disordered, seen } }) => none(disordered, `${seen} events in order`),
  },
  {
    name: 'events.acknowledged',
    says: 'An event that was acknowledged is not told again [bridge.socket.5].',
    needs: ['pair.code'],
    asked: WITH_NUMBER,
    look: ({ watch: { toldAgain } }) => none(toldAgain, 'none told again'),
  },
  {
    name: 'events.shape',
    says: 'Each event has the fields that the protocol names [bridge.socket.4].',
    needs: ['pair.code'],
    asked: WITH_NUMBER,
    look: ({ watch: { misshapen, seen } }) => none(misshapen, `${seen} events read`),
  },
]

async function none(faults: readonly string[], seen: string): Promise<string> {
  if (faults.length > 0) throw new Unmet(faults.join('; '))
  return seen
}

/** Turns the wanted refusal into what was seen; rethrows anything else. */
function refused(error: unknown): string {
  if (!(error instanceof Unmet)) throw error
  return error.message
}
