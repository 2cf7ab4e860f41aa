import { shown, Unmet } from '../finding.ts'
import type { World } from '../world.ts'
import type { CheckRow } from './row.ts'

async function isRefused(world: World, token: string | null): Promise<string> {
  const end = world.connect(token)
  const ending = await end.opened()
  if (ending === 'open') throw new Unmet('the socket was opened')
  if (ending.refusedStatus !== 401)
    throw new Unmet(
      ending.refusedStatus === null
        ? 'no answer to the upgrade: is an engine there?'
        : `HTTP ${ending.refusedStatus} instead of 401`,
    )
  return 'HTTP 401'
}

/** Checks of who may open a session, and of requests before a session starts. */
export const HANDSHAKE: readonly CheckRow[] = [
  {
    name: 'handshake.none',
    says: 'An upgrade without a bearer token is refused with 401 [bridge.socket.2].',
    look: (world) => isRefused(world, null),
  },
  {
    name: 'handshake.wrong',
    says: 'An upgrade with a wrong bearer token is refused with 401 [bridge.socket.2].',
    look: (world) => isRefused(world, `${world.options.token}x`),
  },
  {
    name: 'handshake.right',
    says: 'The right bearer token opens a WebSocket at /sessions/{numberId} [bridge.socket.2].',
    async look(world) {
      await world.take(world.connect())
      return 'opened'
    },
  },
  {
    name: 'request.unknown',
    says: 'An op that the engine does not know is answered UNSUPPORTED [bridge.socket.6].',
    needs: ['handshake.right'],
    async look(world) {
      const answer = await world.current.ask('check.unknown', {})
      if (answer.ok) throw new Unmet('it was answered as if it had been done')
      if (answer.error.code !== 'UNSUPPORTED') throw new Unmet(shown(answer.error))
      return shown(answer.error)
    },
  },
  {
    name: 'request.each',
    says: 'Requests under way together are answered each under its own id, {re: id, ok} [bridge.socket.3].',
    needs: ['handshake.right'],
    async look(world) {
      const end = world.current
      const asked = ['check.one', 'check.two', 'check.three'].map((op) => ({ op, id: end.send(op, {}) }))
      for (const { id, op } of asked) await end.answerTo(id, op)
      if (end.strays.length > 0) throw new Unmet(`beside the answers, ${shown(end.strays[0])}`)
      return '3 of 3 answered'
    },
  },
]
