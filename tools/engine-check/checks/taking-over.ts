import type { SocketEnding } from '../../../src/net/json-socket.ts'
import { isSameEvent, SETTINGS, type EngineEnd, type SeenEvent } from '../engine-end.ts'
import { shown, Unmet } from '../finding.ts'
import { killHolder } from '../kill.ts'
import { assertOpen, type Struck, type World } from '../world.ts'
import { WITH_TAKEOVER, WITH_TAKEOVER_AND_PEER, type CheckRow } from './row.ts'
import { assertNoStrangers, assertOne, idOf, statusOf, textMessage } from './sent.ts'

/** How an engine refuses a number that another one holds ([engine-fleet.register.7]). */
const HELD_ELSEWHERE = 421
/** In ms: how long it may take until a dead engine's number is open elsewhere ([engine-fleet.takeover.1]). */
const TAKEOVER_MS = 30_000
/** our choice, in ms: the shortest pause before an engine is asked again, and that after one that did not say when. */
const ASK_AGAIN_MS = 1_000

function othersOf({ options: { takeover } }: World): readonly string[] {
  return takeover?.others ?? []
}

function struckOf({ struck }: World): Struck {
  if (!struck) throw new Unmet('no engine was killed')
  return struck
}

/** The seconds of `retry-after`; null without them, or when it is a date. */
function retryAfterOf({ refusedHeaders }: SocketEnding): number | null {
  const value = refusedHeaders['retry-after']
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null
}

/** What an engine says of the holder as it refuses the number. Throws `Unmet` when it opens it, or says less. */
async function refusalAt(world: World, url: string): Promise<{ holder: string; retryAfter: number }> {
  const end = world.connectAt(url)
  const ending = await end.opened()
  if (ending === 'open') {
    await end.drop()
    throw new Unmet(`the socket was opened at ${url}, while another engine holds the number`)
  }
  if (ending.refusedStatus === null) throw new Unmet(`no answer to the upgrade at ${url}: is an engine there?`)
  if (ending.refusedStatus !== HELD_ELSEWHERE)
    throw new Unmet(`HTTP ${ending.refusedStatus} instead of ${HELD_ELSEWHERE} at ${url}: is it of the same fleet?`)
  const [holder, retryAfter] = [ending.refusedHeaders['engine-id'], retryAfterOf(ending)]
  if (typeof holder !== 'string' || holder === '') throw new Unmet(`${HELD_ELSEWHERE} without engine-id at ${url}`)
  if (retryAfter === null) throw new Unmet(`${HELD_ELSEWHERE} without retry-after in seconds at ${url}`)
  return { holder, retryAfter }
}

/**
 * Leaves to the next engine what it must go on with: events that nobody acknowledged and, with a peer, a message that
 * was sent and one that is being sent. Why one could not be sent is a matter of the checks of sending.
 */
async function leaveBehind(world: World): Promise<Struck> {
  // On a new connection everything before it is known to be acknowledged, and nothing on it is.
  const end = await world.comeBackOpen()
  if (world.options.peer === null) return { end, sends: [] }
  const ask = (words: string): Struck['sends'][number] => {
    const message = textMessage(world, words)
    return { message, requestId: end.send('message.send', message) }
  }
  const sent = ask('sent before its engine died')
  try {
    const id = await idOf(end, sent.requestId)
    world.sentIds.push(id)
    await statusOf(world, id)
  } catch (error) {
    if (!(error instanceof Unmet)) throw error
    return { end, sends: [] }
  }
  return { end, sends: [sent, ask('asked for as its engine died')] }
}

/** How long to wait until an engine that refused the number is asked again, in ms. */
function pauseMs(ending: SocketEnding): number {
  return Math.max(ASK_AGAIN_MS, (retryAfterOf(ending) ?? 0) * 1_000)
}

/** Asks the other engines in turn until one takes the number; gives its address. Throws `Unmet` when none does. */
async function takenBy(world: World, untilMs: number): Promise<string> {
  const { clock } = world.parts
  const others = othersOf(world)
  for (let tries = 0; ; tries++) {
    const url = others[tries % others.length] ?? ''
    const end = world.connectAt(url)
    const ending = await end.opened()
    if (ending === 'open') {
      await world.takeAt(url, end)
      return url
    }
    const leftMs = untilMs - clock.monotonicMs()
    if (leftMs <= 0) throw new Unmet(`no engine took the number in time: at last ${end.closedBy()} at ${url}`)
    await new Promise<void>((resolve) => clock.after(Math.min(pauseMs(ending), leftMs), resolve))
  }
}

/** Waits until the session is OPEN at its new engine. What it tells again of the old one says nothing of that. */
async function openAnew(world: World, struck: Struck, untilMs: number): Promise<void> {
  const isNews = (event: SeenEvent): boolean => !struck.end.events.some((told) => isSameEvent(told, event))
  const settled = await world.current.event(
    'session.state OPEN',
    (event) =>
      isNews(event) && (event.ev === 'session.qr' || (event.ev === 'session.state' && event['state'] !== 'CONNECTING')),
    Math.max(0, untilMs - world.parts.clock.monotonicMs()),
  )
  assertOpen(settled)
  world.noteOpen()
}

/** An event without the address of its media, which is of the engine that tells it. */
function withoutAddress(event: SeenEvent): SeenEvent {
  const content = event['content'] as { media?: object } | undefined
  if (!content?.media) return event
  return { ...event, content: { ...content, media: { ...content.media, url: null } } }
}

function isSameTelling(a: SeenEvent, b: SeenEvent): boolean {
  return isSameEvent(withoutAddress(a), withoutAddress(b))
}

/** The ids that one message was answered with, by the engine that died and by the one that took over. */
async function idsOf(
  { end: old }: Struck,
  end: EngineEnd,
  { message, requestId }: Struck['sends'][number],
): Promise<string[]> {
  const first = await idOf(old, requestId).catch((error: unknown) => {
    // It died before it answered.
    if (!(error instanceof Unmet)) throw error
    return null
  })
  const again = [end.send('message.send', message), end.send('message.send', message)]
  const ids = [await idOf(end, again[0] ?? ''), await idOf(end, again[1] ?? '')]
  return first === null ? ids : [first, ...ids]
}

/** Checks of a fleet: one engine holds a number, and another one goes on with it when that engine dies. */
export const TAKING_OVER: readonly CheckRow[] = [
  {
    name: 'takeover.refused',
    says: 'While one engine holds the number, another one refuses its upgrade with 421, the engine-id of the holder and retry-after in seconds [engine-fleet.register.7].',
    needs: ['start.credentials'],
    asked: WITH_TAKEOVER,
    async look(world) {
      const holder = await world.open()
      const refusals = []
      for (const url of othersOf(world)) refusals.push(await refusalAt(world, url))
      const named = [...new Set(refusals.map((refusal) => refusal.holder))]
      if (named.length > 1) throw new Unmet(`the engines name different holders: ${named.map(shown).join(', ')}`)
      await holder.result('settings.set', { settings: SETTINGS })
      return `HTTP ${HELD_ELSEWHERE}, held by ${shown(named[0])}, retry-after ${refusals[0]?.retryAfter} s`
    },
  },
  {
    name: 'takeover.open',
    says: 'When its engine dies, another one opens the number within 30 s, with the same credentials and no code [engine-fleet.takeover.1].',
    needs: ['start.credentials'],
    asked: WITH_TAKEOVER,
    async look(world) {
      const { clock } = world.parts
      const struck = await leaveBehind(world)
      const goneMs = await killHolder(world)
      world.struck = struck
      const untilMs = goneMs + Math.max(TAKEOVER_MS, world.options.patienceMs)
      const url = await takenBy(world, untilMs)
      await world.start(world.credentials)
      await openAnew(world, struck, untilMs)
      const seconds = ((clock.monotonicMs() - goneMs) / 1_000).toFixed(1)
      return `session.state OPEN at ${url} after ${seconds} s, no code`
    },
  },
  {
    name: 'takeover.events',
    says: 'Events of messages that nobody acknowledged before the death are told again by the other engine, the same and under the same seq, and seq goes on rising [bridge.socket.5] [engine-fleet.takeover.1].',
    needs: ['takeover.open', 'send.status'],
    asked: WITH_TAKEOVER_AND_PEER,
    async look(world) {
      const end = await world.open()
      const told = struckOf(world).end.events
      // States of the session are overtaken by those that the other engine tells.
      const waiting = told.filter(({ ev }) => !ev.startsWith('session.'))
      if (waiting.length === 0) throw new Unmet('no event of a message was told before the engine died')
      for (const event of waiting) {
        const again = await end.event(
          `${event.ev} again, which was not acknowledged (seq ${event.seq})`,
          ({ seq }) => seq === event.seq,
        )
        if (!isSameTelling(event, again))
          throw new Unmet(`seq ${event.seq} again, but as ${again.ev} with other content`)
      }
      const last = Math.max(...told.map(({ seq }) => seq))
      const fresh = end.events.filter((event) => !told.some((before) => isSameTelling(before, event)))
      const back = fresh.find(({ seq }) => seq <= last)
      if (back) throw new Unmet(`${back.ev} has seq ${back.seq}, although ${last} was told before the engine died`)
      return `${waiting.length} told again, then seq on from ${last}`
    },
  },
  {
    name: 'takeover.send',
    says: 'A message that the dead engine was asked to send, and the other one is asked for again, is answered the same and sent once [bridge.ops.4] [engine-fleet.takeover.1].',
    needs: ['takeover.open', 'send.status'],
    asked: WITH_TAKEOVER_AND_PEER,
    async look(world) {
      const end = await world.open()
      const struck = struckOf(world)
      if (struck.sends.length === 0) throw new Unmet('no message was sent before the engine died')
      const sent: string[] = []
      for (const send of struck.sends) {
        const ids = await idsOf(struck, end, send)
        assertOne(ids)
        sent.push(...ids.slice(0, 1))
      }
      world.sentIds.push(...sent)
      // Statuses are told in order: those of a message that was sent again come before that of a later one.
      const last = await idOf(end, end.send('message.send', textMessage(world, 'sent by the engine that took over')))
      world.sentIds.push(last)
      await statusOf(world, last)
      assertNoStrangers(world, sent)
      return `${sent.map(shown).join(' and ')}, asked for again`
    },
  },
]
