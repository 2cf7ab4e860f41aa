import test from 'ava'
import fc from 'fast-check'
import type { ReadEvent } from '../../../actors/number/changes/messages.ts'
import { isSilent } from '../../../actors/number/link/opening.ts'
import type { NumberMessage } from '../../../actors/number/messages.ts'
import type { SessionReason } from '../../../src/domain/device-bridge.ts'
import { NO_CONTENT } from '../../../src/domain/message.ts'
import type { NumberState, ProviderKind } from '../../../src/domain/number.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { ordersOf, type Order } from '../../helpers/orders.ts'
import { counted } from '../../helpers/size.ts'
import { assertHolds } from './orders-owner.ts'
import { World } from './orders-world.ts'
import { NO_END, type Luck } from './stored-number.ts'

const order = ordersOf<World>(assertAll)

function command(text: string, isPossible: (world: World) => boolean, run: (world: World) => void): Order<World> {
  return order(text, run, isPossible)
}

/** What is true of whoever holds the number, whatever happened. */
function assertAll({ owners, owner, store, hadMishap }: World): void {
  for (const one of owners) if (one.isRunning) assertHolds(one)
  const { state, isRunning } = owner
  if (hadMishap || !isRunning || state.at !== 'READY' || state.write || !store.row) return
  const { number } = state
  if (number.state !== store.row.state) throw new Error(`the number is ${number.state}, and its row ${store.row.state}`)
}

/** Everything answers, the device connects, and time passes, until nothing waits. */
function finish(world: World): void {
  for (let turns = 0; turns < 60; turns++) {
    for (const owner of world.owners) if (world.isStale(owner)) world.say(owner, { type: 'Fenced' })
    for (const owner of world.owners) while (owner.underWay.length > 0) world.answer(owner, 0, 'done')
    assertAll(world)
    if (isQuiet(world)) return
    finishCalls(world, turns > 5)
    const { owner, store } = world
    if (!owner.isRunning && store.row) world.restart()
    connect(world)
    // What failed is tried again at the next wake-up.
    if (store.row && world.hadMishap) world.say(world.owner, { type: 'Receive' })
    world.pass(11_000)
  }
  throw new Error('something waits for ever')
}

function finishCalls(world: World, areEnding: boolean): void {
  for (const owner of world.owners) {
    for (const child of owner.children.values())
      if (areEnding || (owner.state.at === 'READY' && owner.state.leaving)) world.endCall(owner, child, 'stored')
      else world.storeCall(owner, child)
    if (owner.state.at === 'READY' && owner.state.sending.isBusy)
      world.say(owner, { type: 'SendingReported', isBusy: false, wakes: owner.state.sending.wakes })
  }
}

/** A session repeats what was not settled, and connects. */
function connect(world: World): void {
  const { owner } = world
  const { state } = owner
  for (const event of world.told.values()) if (owner.session && !owner.session.told.has(event.seq)) world.hear(event)
  if (owner.session && state.at === 'READY' && (isSilent(state) || state.number.state === 'CONNECTING'))
    world.raise((seq) => ({ type: 'state', seq, state: 'OPEN', reason: null }))
}

function isQuiet({ owner, owners, store, told, asks, hadMishap }: World): boolean {
  if (owners.some(({ underWay, isRunning, state }) => underWay.length > 0 || (isRunning && state.stash.length > 0)))
    return false
  if ([...asks.values()].some(({ answers }) => answers === 0)) return false
  if (!store.row) return !owner.isRunning
  const { state } = owner
  if (state.at !== 'READY' || state.calls.size > 0 || state.sending.isBusy) return false
  if ([...owner.timers.keys()].some((timer) => timer !== 'idle')) return false
  const isHeard = owner.session === null || told.size === 0 || hadMishap
  return (
    isHeard
    && state.number.state !== 'CONNECTING'
    && !isSilent(state)
    && store.changes.length === 0
    && state.inbox.open.length === 0
  )
}

/** What is true once everything answered. */
function assertOver({ owner, store, asks, hadMishap }: World): void {
  for (const { type, answers } of asks.values()) if (answers !== 1) throw new Error(`${type} has ${answers} answers`)
  const { state, timers, session } = owner
  if (state.at !== 'READY' || !store.row) return
  const { number, inbox, link, logouts, logoutAttempt, deviceAsks, parked, unconfirmed } = state
  const asking = [inbox.reading, inbox.settling, logoutAttempt].filter((attempt) => attempt !== null)
  if (asking.length > 0 || logouts.length > 0 || deviceAsks.size > 0 || inbox.open.length > 0 || parked.length > 0)
    throw new Error('something waits for nothing')
  if (link.at === 'UP' && link.waiters.length > 0) throw new Error('a code is waited for')
  if (unconfirmed.length > 0) throw new Error('calls are to be confirmed that are over')
  const others = [...timers.keys()].filter((timer) => timer !== 'idle')
  if (others.length > 0) throw new Error(`${others.join()} goes on`)
  if (number.settings !== store.row.settings) throw new Error('the settings are not those of the row')
  if (session && !hadMishap && session.settings !== store.row.settings) throw new Error('the device has other settings')
  if (!hadMishap && state.credentials !== store.credentials) throw new Error('the credentials are not those of the row')
}

/** Most things go well, so that numbers come far. */
const LUCKS: readonly Luck[] = [...Array.from({ length: 50 }, () => 'done' as const), 'refused', 'lost', 'faulty']
const answering = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 5 }), fc.constantFrom(...LUCKS))
  .map(([of, index, luck]) => {
    const waiting = (world: World) => world.owners.filter(({ underWay }) => underWay.length > 0)
    return command(
      `answer ${of}.${index} ${luck}`,
      (world) => waiting(world).length > 0,
      (world) => {
        const all = waiting(world)
        const owner = all.at(-1 - (of % all.length))
        if (owner) world.answer(owner, index, luck)
      },
    )
  })

const isThere = ({ store }: World): boolean => store.row !== null
const asked = (make: (askId: number, world: World) => NumberMessage, text: string, isPossible = isThere) =>
  command(`ask ${text}`, isPossible, (world) => world.ask((askId) => make(askId, world)))
/** Changes of settings are asked for one after the other (actors/hosting/answer-here.ts). */
const isSettled = (world: World): boolean =>
  isThere(world) && [...world.asks.values()].every(({ type, answers }) => type !== 'ApplySettings' || answers > 0)
const isPairable = (world: World): boolean => isThere(world) && !world.isStateless
const typing = { op: 'showTyping', input: { to: '5511', lastInboundId: null, state: 'typing' } } as const
const asking = fc.constantFrom(
  asked((askId) => ({ type: 'Pair', askId, waitMs: 10_000 }), 'Pair', isPairable),
  asked((askId) => ({ type: 'Pair', askId, waitMs: 10_000, isTyped: true }), 'Pair by typing', isPairable),
  asked((askId) => ({ type: 'CurrentCode', askId }), 'CurrentCode'),
  asked(
    (askId, world) => ({
      type: 'PlaceCall',
      askId,
      callId: `call_${world.nextId()}`,
      to: '5511',
      bizOpaqueCallbackData: null,
      sdp: 'v=0',
    }),
    'PlaceCall',
  ),
  asked((askId) => ({ type: 'AskDevice', askId, ...typing }), 'AskDevice'),
  asked((askId) => ({ type: 'ReadMessages', askId, externalMessageIds: ['m'] }), 'ReadMessages'),
  asked((askId) => ({ type: 'AwaitReady', askId }), 'AwaitReady'),
  ...[true, false].map((isOn) =>
    command(`ask for settings ${isOn}`, isSettled, (world) => {
      const { row } = world.store
      if (!row) return
      const settings = { ...row.settings, readMessages: isOn, rejectCall: isOn }
      world.store.row = { ...row, settings }
      world.ask((askId) => ({ type: 'ApplySettings', askId, settings }))
    }),
  ),
)
const leaving = fc.constantFrom(
  asked((askId) => ({ type: 'Logout', askId }), 'Logout'),
  asked((askId) => ({ type: 'Remove', askId }), 'Remove'),
  asked((askId) => ({ type: 'HandOver', askId, isStopping: true }), 'HandOver of a node that stops'),
  asked((askId) => ({ type: 'HandOver', askId, isStopping: false }), 'HandOver'),
  command(
    'ask for other credentials',
    (world) => isThere(world) && world.isStateless,
    (world) => {
      world.store.credentials = `credentials ${world.nextId()}`
      world.ask((askId) => ({ type: 'Reopen', askId }))
    },
  ),
)

const hasSession = (world: World): boolean => world.owner.session !== null && !world.isStale(world.owner)
const isPaired = (world: World): boolean => hasSession(world) && !world.isStateless
const raised = (text: string, make: (seq: number, world: World) => ProviderEvent) =>
  command(`the device: ${text}`, isPaired, (world) => world.raise((seq) => make(seq, world)))
const reported = (state: NumberState, reason: SessionReason | null, isPossible: (world: World) => boolean) =>
  command(`it is ${state} ${reason ?? ''}`, isPossible, (world) =>
    world.raise((seq) => ({ type: 'state', seq, state, reason })),
  )
const isOfPlatform = (world: World): boolean => hasSession(world) && world.isStateless
const connecting = fc.constantFrom(
  reported('OPEN', null, isPaired),
  reported('OPEN', null, isPaired),
  reported('CONNECTING', null, isPaired),
  reported('CONNECTING', 'passkey_required', isPaired),
  reported('CLOSE', 'network', isPaired),
  raised('linkDown', () => ({ type: 'linkDown' })),
  raised('qr', (seq) => ({ type: 'qr', seq, qr: `qr ${seq}`, pairingCode: null, expiresInMs: 20_000 })),
  raised('qr to type', (seq) => ({ type: 'qr', seq, qr: `qr ${seq}`, pairingCode: 'ABCD', expiresInMs: 20_000 })),
  raised('credentials', (seq) => ({ type: 'credentials', seq, credentials: `blob ${seq}` })),
  raised('health', (seq) => ({ type: 'health', seq, health: { level: 'ok', code: String(seq), text: null } })),
  reported('OPEN', null, isOfPlatform),
  reported('OPEN', null, isOfPlatform),
  reported('CLOSE', 'banned', isOfPlatform),
)
const closing = fc
  .constantFrom('logged_out', 'replaced', 'qr_expired', 'wrong_number', 'banned')
  .map((reason) => reported('CLOSE', reason, isPaired))

/** The calls of the number that are live, by upstream's id, and one that nobody knows. */
function anyCall(world: World, pick: number): string {
  const ids = [...world.store.calls.values()].flatMap(({ isLive, call }) => (isLive ? (call.externalCallId ?? []) : []))
  return ids[pick % (ids.length + 1)] ?? `unknown ${world.nextId()}`
}
const FROM = { from: '5511', sdp: 'v=0' }
const happening = fc.tuple(fc.constantFrom('in', 'rings', 'ends', 'message'), fc.nat({ max: 3 })).map(([what, pick]) =>
  command(
    `upstream: ${what} ${pick}`,
    (world) => isThere(world) && (world.isStateless || hasSession(world)),
    (world) => {
      const externalCallId = what === 'in' && pick > 0 ? `in ${world.nextId()}` : anyCall(world, pick)
      const event = eventOf(what, externalCallId)
      if (!world.isStateless) return world.raise((seq) => ({ ...event, seq }) as ProviderEvent)
      world.addChange(event as ReadEvent)
      world.say(world.owner, { type: 'Receive' })
    },
  ),
)

function eventOf(what: 'in' | 'rings' | 'ends' | 'message', externalCallId: string): object {
  if (what === 'in') return { type: 'incomingCall', externalCallId, callId: null, fromName: null, at: null, ...FROM }
  if (what === 'rings') return { type: 'callRinging', externalCallId, at: null }
  if (what === 'message') return { type: 'messageReceived', ...MESSAGE }
  return { type: 'callEnded', externalCallId, reason: 'hangup', at: null, end: NO_END }
}

const MESSAGE = {
  externalMessageId: 'm',
  from: '5511',
  fromName: null,
  to: '5522',
  isFromMe: false,
  group: null,
  newsletter: null,
  isStory: false,
  isHistorical: false,
  at: new Date(0),
  messageType: 'text',
  content: NO_CONTENT,
  quotedMessageId: null,
}

const calling = fc
  .tuple(fc.constantFrom('stores', 'ends', 'fails', 'is left upstream'), fc.nat({ max: 2 }))
  .map(([what, pick]) =>
    command(
      `call ${pick} ${what}`,
      ({ owner }) => owner.children.size > 0,
      (world) => {
        const { owner } = world
        const children = [...owner.children.values()]
        const child = children[pick % children.length]
        if (!child) return
        if (what === 'stores') return world.storeCall(owner, child)
        if (what !== 'is left upstream') return world.endCall(owner, child, what === 'ends' ? 'stored' : 'failed')
        world.say(owner, { type: 'CallLeft', externalCallId: 'left' })
      },
    ),
  )

const isRunning = ({ owner }: World): boolean => owner.isRunning
const saying = (message: NumberMessage) =>
  command(message.type, isRunning, (world) => world.say(world.owner, { ...message }))
const working = fc.constantFrom(
  saying({ type: 'Send' }),
  saying({ type: 'Receive' }),
  ...[true, false].map((isBusy) =>
    command(`sending is ${isBusy ? '' : 'not '}busy`, isRunning, (world) => {
      const { state } = world.owner
      if (state.at === 'READY') world.say(world.owner, { type: 'SendingReported', isBusy, wakes: state.sending.wakes })
    }),
  ),
  command(
    'sending crashed',
    (world) => isRunning(world) && world.owner.sending === 'awake',
    (world) => world.say(world.owner, { type: 'SendingCrashed' }),
  ),
)
const owning = fc.constantFrom(
  saying({ type: 'Drain' }),
  saying({ type: 'Crashed' }),
  command('another node has the number', isThere, (world) => world.restart()),
  command(
    'a former owner hears of it',
    (world) => world.owners.some((owner) => owner.isRunning && world.isStale(owner)),
    (world) => {
      for (const owner of world.owners) if (world.isStale(owner)) world.say(owner, { type: 'Fenced' })
    },
  ),
  command('the process is gone', isThere, (world) => {
    world.kill()
    world.restart()
  }),
)
const passing = fc.constantFrom(1_000, 6_000, 11_000, 31_000, 61_000).map((ms) =>
  command(
    `${ms} ms pass`,
    () => true,
    (world) => world.pass(ms),
  ),
)

const all = fc.commands(
  [
    fc.oneof(
      { weight: 60, arbitrary: answering },
      { weight: 30, arbitrary: connecting },
      { weight: 20, arbitrary: asking },
      { weight: 20, arbitrary: happening },
      { weight: 14, arbitrary: calling },
      { weight: 8, arbitrary: working },
      { weight: 6, arbitrary: passing },
      { weight: 3, arbitrary: closing },
      { weight: 2, arbitrary: leaving },
      { weight: 2, arbitrary: owning },
    ),
  ],
  { maxCommands: 100, size: 'max' },
)

for (const kind of ['UNOFFICIAL', 'OFFICIAL'] as const satisfies readonly ProviderKind[])
  test(`${kind}: in any order every command has one answer, rows say what is so, and nothing waits`, (t) => {
    fc.assert(
      fc.property(fc.constantFrom(true, true, true, false), all, (isPairedBefore, commands) => {
        const world = new World(kind, isPairedBefore)
        fc.modelRun(() => ({ model: world, real: world }), commands)
        finish(world)
        assertOver(world)
      }),
      { numRuns: counted(4_000, 800), includeErrorInReport: true },
    )
    t.pass()
  })
