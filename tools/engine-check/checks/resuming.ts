import { isSameEvent, SETTINGS } from '../engine-end.ts'
import { Unmet } from '../finding.ts'
import { newId } from '../../../src/domain/ids.ts'
import { WITH_NUMBER, type CheckRow } from './row.ts'

const CLOSE_REPLACED = 4409

/** Checks of what a dropped socket, a newer socket and stored credentials do to a session. */
export const RESUMING: readonly CheckRow[] = [
  {
    name: 'events.repeated',
    says: 'Events that were not acknowledged are told again, the same and under the same seq, once the session is started on a new socket [bridge.socket.5].',
    needs: ['pair.credentials'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = world.current
      // An engine may repeat only the latest of several waiting states, but it always repeats the credentials.
      const at = end.events.findLastIndex(({ ev }) => ev === 'session.credentials')
      const [before, told] = [end.events[at - 1], end.events[at]]
      if (!before || !told) throw new Unmet('nothing was told before session.credentials')
      await end.acknowledge(before.seq)
      const next = await world.comeBack()
      const again = await next.event(
        `${told.ev} again, which was not acknowledged (seq ${told.seq})`,
        ({ seq }) => seq === told.seq,
      )
      if (!isSameEvent(told, again)) throw new Unmet(`seq ${told.seq} again, but as ${again.ev} with other content`)
      return `${told.ev} (seq ${told.seq}) again after ${before.seq} was acknowledged`
    },
  },
  {
    name: 'start.credentials',
    says: 'session.start with the credentials told last opens the session again, and shows no code [bridge.ops.1].',
    needs: ['pair.credentials'],
    asked: WITH_NUMBER,
    async look(world) {
      await world.comeBackOpen()
      return 'session.state OPEN, no code'
    },
  },
  {
    name: 'start.foreign',
    says: 'Credentials that the engine never told open nothing [bridge.ops.1].',
    needs: ['start.unpaired'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = world.connect(world.options.token, newId('num'))
      if ((await end.opened()) !== 'open') throw new Unmet(`a session of another number was refused: ${end.closedBy()}`)
      const answer = await end.ask('session.start', {
        number: world.options.number ?? '',
        credentials: 'never-told',
        settings: SETTINGS,
        historyImport: false,
      })
      if (!answer.ok) return `refused: ${answer.error.code}`
      const told = await end.event(
        'word of what came of it',
        ({ ev, state }) => ev === 'session.qr' || (ev === 'session.state' && state !== 'CONNECTING'),
      )
      if (told['state'] === 'OPEN') throw new Unmet('session.state OPEN')
      if (told.ev === 'session.qr') await end.ask('session.logout', {})
      return told.ev === 'session.qr'
        ? 'a code to pair anew'
        : `session.state CLOSE, reason ${String(told['reason'] ?? 'none')}`
    },
  },
  {
    name: 'session.replaced',
    says: 'A second socket of the same session takes the place of the first, which is closed with 4409 [engines.baileys-duties.3].',
    needs: ['start.credentials'],
    asked: WITH_NUMBER,
    async look(world) {
      const first = await world.open()
      await first.acknowledgeAll()
      const second = world.connect()
      if ((await second.opened()) !== 'open') throw new Unmet(`the second socket was refused: ${second.closedBy()}`)
      const { closeCode } = await first.closed()
      if (closeCode !== CLOSE_REPLACED) throw new Unmet(`the first socket was closed with ${closeCode}`)
      await world.take(second)
      await world.start(world.credentials)
      await world.openedNow()
      return 'the first closed with 4409, the session goes on with the second'
    },
  },
]
