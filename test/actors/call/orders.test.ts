import test from 'ava'
import fc from 'fast-check'
import type { CallMessage } from '../../../actors/call/messages.ts'
import { liveStatusOf } from '../../../actors/call/state.ts'
import { CALL_CARRIERS } from '../../../src/domain/call.ts'
import type { CallDirection } from '../../../src/domain/call.ts'
import { CALL_END_REASONS } from '../../../src/domain/device-bridge.ts'
import type { ProviderKind } from '../../../src/domain/number.ts'
import type { MediaEvent } from '../../../src/ports/media.ts'
import { ordersOf, type Order } from '../../helpers/orders.ts'
import { counted } from '../../helpers/size.ts'
import { OFFER, sessionIs } from './decide-rig.ts'
import { assertHolds } from './orders-owner.ts'
import { type Setting, World } from './orders-world.ts'
import type { Luck } from './stored-call.ts'

const DAY_MS = 90_000_000
const ENDS: readonly string[] = ['call.ended', 'call.missed']

const order = ordersOf<World>(assertAll)

function command(text: string, isPossible: (world: World) => boolean, run: (world: World) => void): Order<World> {
  return order(text, run, isPossible)
}

/** What is true of whoever holds the call, whatever happened. */
function assertAll({ owners, owner, store, hadMishap }: World): void {
  for (const one of owners) if (one.isRunning) assertHolds(one)
  const { state, isRunning: isHeld } = owner
  if (hadMishap || !isHeld || !store.row || state.write) return
  if (liveStatusOf(state.phase) !== store.row.status) throw new Error(`${state.phase.at} is ${store.row.status}`)
}

/** Everything answers, upstream ends what it still has, and time passes, until nobody holds the call. */
function finish(world: World): void {
  for (let turns = 0; turns < 40; turns++) {
    for (const owner of world.owners) if (world.isStale(owner)) world.say(owner, { type: 'Fenced' })
    for (const owner of world.owners)
      while (owner.underWay.length > 0) world.answer(owner, 0, { luck: 'done', pick: 0 })
    const { owner, told } = world
    if (turns > 0 && !world.hadMishap && [...owner.heard].some((seq) => told.has(seq)))
      throw new Error('an event that was heard is not settled')
    if (isOver(world)) return
    if (owner.isRunning && owner.state.awaitsUpstream && world.setting.kind === 'UNOFFICIAL') world.list()
    if (!owner.isRunning) world.takeUp()
    if (turns > 3) world.end('hangup')
    if (turns > 5) world.owner.heard.clear()
    while (world.unheard.length > 0 && (world.owner.isRunning || !world.store.isLive)) world.hear(0)
    world.pass(turns > 9 ? DAY_MS : 200_000)
  }
  throw new Error('the call never ends')
}

function isOver({ owners, store, told, upstream }: World): boolean {
  const isLeft = owners.some(({ isRunning, underWay }) => isRunning || underWay.length > 0)
  return !isLeft && !store.isLive && told.size === 0 && (!upstream.isLive || store.was.length > 0)
}

/** What is true once everything answered. */
function assertOver({ store, upstream, host, asks, owners, setting, hadMishap }: World): void {
  const { row, events } = store
  for (const { type, answers, owner } of asks.values())
    if (answers === 0 && !owner.isDead && !owner.stopped) throw new Error(`${type} is never answered`)
  if (row === null && events.length > 0 && !owners.some(({ crashes }) => crashes > 0))
    throw new Error('a call is gone that was told of')
  if (row && events.filter((name) => ENDS.includes(name)).length !== 1) throw new Error(`it ended as ${events.join()}`)
  if (row && setting.direction === 'INBOUND' && !setting.isDeclined && events[0] !== 'call.ringing')
    throw new Error(`it began as ${events.join()}`)
  if (row && setting.isDeclined && !hadMishap && row.status !== 'REJECTED') throw new Error(`declined as ${row.status}`)
  // The number ends what upstream began late, once it hears of it (actors/number/calls/decide.ts).
  const isStray = hadMishap && row !== null && row.externalCallId === null
  if (upstream.isLive && !isStray) throw new Error('the call goes on upstream')
  // The host ends by itself what it has of an owner that is gone or left, once nobody adopts it.
  const isHeld = host.by !== null && !host.by.isDead && !host.by.isLeaving && host.by.token === store.token
  if (host.has !== 'nothing' && isHeld) throw new Error(`the host still has ${host.has}`)
}

const isRunning = ({ owner }: World): boolean => owner.isRunning
const isCalling = ({ setting, upstream }: World): boolean => setting.direction === 'OUTBOUND' && upstream.isLive

const ASKS: readonly ((askId: number) => CallMessage)[] = [
  (askId) => ({ type: 'Accept', askId, sdp: null }),
  (askId) => ({ type: 'Accept', askId, sdp: 'answer' }),
  (askId) => ({ type: 'Accept', askId, sdp: null, media: 'bridge', record: true }),
  (askId) => ({ type: 'PreAccept', askId, sdp: 'answer' }),
  (askId) => ({ type: 'Play', askId, playbackId: `play_${askId}`, mediaUrl: 'http://a/b.mp3', hangupAfterPlay: true }),
  (askId) => ({ type: 'OpenSession', askId, mode: 'talk', by: 'key_1' }),
  (askId) => ({ type: 'GiveBack', askId }),
]
const asked = (make: (askId: number) => CallMessage) =>
  command(`ask ${JSON.stringify(make(0))}`, isRunning, (world) => world.ask(make))
const asking = fc.constantFrom(...ASKS).map(asked)

/** Most things go well, so that calls come far. */
const LUCKS: readonly Luck[] = [...Array.from({ length: 50 }, () => 'done' as const), 'refused', 'lost', 'faulty']
const answering = fc
  .record({
    owner: fc.nat({ max: 3 }),
    index: fc.nat({ max: 5 }),
    luck: fc.constantFrom(...LUCKS),
    pick: fc.nat({ max: 11 }),
  })
  .map(({ owner, index, luck, pick }) => {
    const waiting = (world: World) => world.owners.filter(({ underWay }) => underWay.length > 0)
    return command(
      `answer ${owner}.${index} ${luck} ${pick}`,
      (world) => waiting(world).length > 0,
      (world) => {
        const all = waiting(world)
        const chosen = all.at(-1 - (owner % all.length))
        if (chosen) world.answer(chosen, index, { luck, pick })
      },
    )
  })

const ringing = command('the phone rings', isCalling, (world) =>
  world.tell((seq) => ({ type: 'ProviderRinging', seq })),
)
const picked = command('the peer answers', isCalling, (world) => {
  world.upstream.isAnswered = true
  const sdp = world.setting.kind === 'OFFICIAL' ? null : 'answer'
  world.tell((seq) => ({ type: 'ProviderAnswered', seq, sdp }))
})
const described = command(
  'the platform describes its end',
  (world) => isCalling(world) && world.setting.kind === 'OFFICIAL',
  (world) => world.tell((seq) => ({ type: 'ProviderSdp', seq, sdp: 'answer' })),
)
const repeated = command(
  'the platform offers again',
  ({ setting, upstream }) => setting.direction === 'INBOUND' && setting.kind === 'OFFICIAL' && upstream.isLive,
  (world) => world.tell((seq) => ({ type: 'ProviderRepeated', seq, sdp: OFFER })),
)
const ending = fc.constantFrom(...CALL_END_REASONS).map((reason) =>
  command(
    `the peer ends it: ${reason}`,
    ({ upstream }) => upstream.isLive,
    (world) => world.end(reason),
  ),
)
/** A device network tells its events in order, the platform in any. */
const hearing = fc.nat({ max: 3 }).map((index) =>
  command(
    `hear ${index}`,
    (world) => world.unheard.length > 0 && (world.owner.isRunning || !world.store.isLive),
    (world) => world.hear(world.setting.kind === 'OFFICIAL' ? index % world.unheard.length : 0),
  ),
)

const played = (status: 'PLAYING' | 'FINISHED', hangupAfterPlay: boolean): MediaEvent => ({
  type: 'playback',
  callId: 'call_1',
  playbackId: 'play_x',
  mediaUrl: 'http://a/b.mp3',
  hangupAfterPlay,
  status,
})
const HOST: readonly MediaEvent[] = [
  { type: 'flowing', callId: 'call_1' },
  { type: 'accept', callId: 'call_1' },
  played('PLAYING', false),
  sessionIs('OPEN').event,
  sessionIs('FAILED').event,
  sessionIs('CLOSED').event,
]
const told = (event: MediaEvent) =>
  command(
    `the host tells ${JSON.stringify(event)}`,
    (world) => isRunning(world) && world.host.has !== 'nothing',
    (world) => {
      if (event.type === 'lost') world.host.has = 'nothing'
      world.say(world.owner, { type: 'Media', event })
    },
  )
const telling = fc.constantFrom(...HOST).map(told)

const saying = (message: CallMessage) =>
  command(message.type, isRunning, (world) => {
    world.hadMishap = true
    world.say(world.owner, { ...message })
  })
const isUnowned = ({ owner, store }: World): boolean => !owner.isRunning && store.isLive
const OWNERS: readonly Order<World>[] = [
  saying({ type: 'Leave' }),
  saying({ type: 'Crashed' }),
  saying({ type: 'Abandon', reason: 'INTERNAL_ERROR' }),
  command('the number takes it up', isUnowned, (world) => world.takeUp()),
  command('another node has the number', isRunning, (world) => world.move()),
  command(
    'a former owner hears of it',
    (world) => world.owners.some((owner) => owner.isRunning && world.isStale(owner)),
    (world) => {
      for (const owner of world.owners) if (world.isStale(owner)) world.say(owner, { type: 'Fenced' })
    },
  ),
  ...[true, false].map((isTaken) =>
    command(`the process is gone, ${isTaken ? 'after' : 'before'} it asked upstream`, isRunning, (world) => {
      world.kill(isTaken)
      world.move()
    }),
  ),
  command(
    'upstream lists its calls',
    ({ owner, setting }) => owner.isRunning && owner.state.awaitsUpstream && setting.kind === 'UNOFFICIAL',
    (world) => world.list(),
  ),
  command(
    'another call has the id',
    ({ setting, store }) => setting.direction === 'INBOUND' && store.was.length === 0,
    (world) => {
      world.store.isTaken = true
      world.upstream.isLive = false
    },
  ),
]

const passing = fc.constantFrom(1_000, 21_000, 61_000, 181_000).map((ms) =>
  command(
    `${ms} ms pass`,
    () => true,
    (world) => world.pass(ms),
  ),
)
/** What ends a call is rare, so that much happens before. */
const closing = fc.oneof(
  ending,
  fc.constantFrom(
    asked((askId) => ({ type: 'Reject', askId })),
    asked((askId) => ({ type: 'Terminate', askId })),
    told({ type: 'lost', callId: 'call_1', reason: 'HOST_GONE' }),
    told({ type: 'hangup', callId: 'call_1', reason: null }),
    told(played('FINISHED', true)),
  ),
)
const all = fc.commands(
  [
    fc.oneof(
      { weight: 60, arbitrary: answering },
      { weight: 24, arbitrary: hearing },
      { weight: 20, arbitrary: fc.constantFrom(ringing, picked, described, repeated) },
      { weight: 20, arbitrary: asking },
      { weight: 16, arbitrary: telling },
      { weight: 2, arbitrary: closing },
      { weight: 3, arbitrary: passing },
      { weight: 5, arbitrary: fc.constantFrom(...OWNERS) },
    ),
  ],
  { maxCommands: 100, size: 'max' },
)

const OUTLIVES = [true, true, false]
/** Few calls are declined, because those end at once. */
const RINGING = [false, false, false, false, true]

function settingsOf(kind: ProviderKind, direction: CallDirection): fc.Arbitrary<Setting> {
  const carriers = direction === 'OUTBOUND' && kind === 'OFFICIAL' ? CALL_CARRIERS : [null]
  return fc.record({
    kind: fc.constant(kind),
    direction: fc.constant(direction),
    outlives: fc.constantFrom(...OUTLIVES),
    media: fc.constantFrom(...carriers),
    isDeclined: direction === 'INBOUND' ? fc.constantFrom(...RINGING) : fc.constant(false),
  })
}

for (const kind of ['UNOFFICIAL', 'OFFICIAL'] as const)
  for (const direction of ['INBOUND', 'OUTBOUND'] as const)
    test(`${kind}, ${direction}: in any order a call ends once, as its row says, and nothing waits`, (t) => {
      fc.assert(
        fc.property(settingsOf(kind, direction), fc.nat({ max: 6 }), all, (setting, smooth, commands) => {
          const world = new World(setting, OFFER)
          for (let done = 0; done < smooth; done++) world.answer(world.owner, 0, { luck: 'done', pick: done })
          fc.modelRun(() => ({ model: world, real: world }), commands)
          finish(world)
          assertOver(world)
        }),
        { numRuns: counted(4_000, 700), includeErrorInReport: true },
      )
      t.pass()
    })
