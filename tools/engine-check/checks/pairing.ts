import { z } from 'zod'
import { CALL_MEDIA_KINDS } from '../../../src/domain/call-media.ts'
import { eventFault } from '../event-shapes.ts'
import { shown, Unmet } from '../finding.ts'
import { scan } from '../scan.ts'
import type { EngineWords, World } from '../world.ts'
import { WITH_NUMBER, WITH_ROTATION, type CheckRow } from './row.ts'

const WORDS = z.object({
  engine: z.object({ name: z.string().min(1), version: z.string().min(1) }).optional(),
  capabilities: z.array(z.string()).optional(),
  callMedia: z.array(z.enum(CALL_MEDIA_KINDS)).optional(),
})

function wordsIn(result: unknown): EngineWords {
  const parsed = WORDS.safeParse(result)
  if (!parsed.success)
    throw new Unmet(
      `the result ${shown(result)}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'result'}: ${message}`).join(', ')}`,
    )
  const { engine, capabilities = null, callMedia = null } = parsed.data
  return { name: engine ? `${engine.name} ${engine.version}` : null, capabilities, callMedia }
}

function wordsShown({ name, capabilities, callMedia }: EngineWords): string {
  return [
    name ?? 'an engine without a name',
    ...(capabilities ? [`capabilities ${capabilities.join(', ')}`] : []),
    ...(callMedia?.length ? [`calls over ${callMedia.join(', ')}`] : []),
  ].join('; ')
}

/** Waits for the state after a scan: OPEN, or the reason why not. */
async function settledState(world: World): Promise<string> {
  const settled = await world.current.event(
    'session.state OPEN',
    ({ ev, state }) => ev === 'session.state' && state !== 'CONNECTING',
    scan.patienceMs(world),
  )
  if (settled['state'] !== 'OPEN')
    throw new Unmet(`session.state ${String(settled['state'])}, reason ${String(settled['reason'] ?? 'none')}`)
  return 'session.state OPEN'
}

/** Checks of a session without credentials: it shows codes until a phone scans one, and tells its credentials. */
export const PAIRING: readonly CheckRow[] = [
  {
    name: 'start.unpaired',
    says: 'session.start without credentials is answered; the engine may say what it is and can do [bridge.ops.1] [engines.bridge.1].',
    needs: ['handshake.right'],
    asked: WITH_NUMBER,
    async look(world) {
      world.engine = wordsIn((await world.start(null)) ?? {})
      return wordsShown(world.engine)
    },
  },
  {
    name: 'pair.code',
    says: 'session.qr shows a text to draw, a pairing code or null, and for how many ms it can be scanned [bridge.events.1].',
    needs: ['start.unpaired'],
    asked: WITH_NUMBER,
    async look(world) {
      const code = await world.current.event('session.qr', ({ ev }) => ev === 'session.qr')
      const fault = eventFault(code)
      if (fault !== null) throw new Unmet(fault)
      return `a code for ${Number(code['expiresInMs']) / 1000} s, ${code['pairingCode'] ? 'with' : 'without'} a pairing code`
    },
  },
  {
    name: 'pair.typed',
    says: 'session.pairing_code has session.qr told with a code to type, or is UNSUPPORTED [bridge.events.1].',
    needs: ['pair.code'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = world.current
      await end.result('session.pairing_code', {}, true)
      const code = await end.event(
        'session.qr with a pairing code',
        ({ ev, pairingCode }) => ev === 'session.qr' && typeof pairingCode === 'string',
      )
      return `a code of ${String(code['pairingCode']).length} characters`
    },
  },
  {
    name: 'pair.rotation',
    says: 'A code that ran out is followed by another, or the session closes: CLOSE, qr_expired [bridge.events.2].',
    needs: ['pair.code'],
    asked: WITH_ROTATION,
    async look(world) {
      const end = world.current
      const first = await end.event('session.qr', ({ ev }) => ev === 'session.qr')
      const withinMs = Number(first['expiresInMs']) + world.options.patienceMs
      const next = await end.event(
        'another code',
        ({ ev, seq, reason }) =>
          seq > first.seq && (ev === 'session.qr' || (ev === 'session.state' && reason === 'qr_expired')),
        withinMs,
      )
      if (next.ev === 'session.qr' && next['qr'] === first['qr']) throw new Unmet('the same code again')
      return next.ev
    },
  },
  {
    name: 'pair.open',
    says: 'A phone that scans the code opens the session: session.state OPEN [bridge.events.2].',
    needs: ['pair.code'],
    asked: WITH_NUMBER,
    async look(world) {
      const stop = await scan.begin(world)
      try {
        const seen = await settledState(world)
        world.noteOpen()
        return seen
      } finally {
        stop()
      }
    },
  },
  {
    name: 'pair.credentials',
    says: 'A pairing tells session.credentials, any JSON value but null, with which it is resumed [bridge.events.3].',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const told = await world.current.event('session.credentials', ({ ev }) => ev === 'session.credentials')
      const fault = eventFault(told)
      if (fault !== null) throw new Unmet(fault)
      return `credentials of ${JSON.stringify(told['credentials']).length} characters, not shown here`
    },
  },
]
