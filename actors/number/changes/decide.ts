import type { NewEvent } from '../../../src/domain/events.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import { shownPeer } from '../../call/event-data.ts'
import { incomingCall, routeCallEvent } from '../calls/decide.ts'
import { changeMessage, namePeer, receiveMessage, reportStatus, takeVote } from '../receiving/decide.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step, stopWith } from '../state.ts'
import type { ChangesMessage, ReadChange, ReadEvent } from './messages.ts'
import type { Inbox, OpenChange } from './state.ts'

/**
 * our choice: most changes in one read, and most that are worked on at once. Each waits until its outcome is stored.
 */
export const CHANGES_PAGE = 100
const OPEN_CHANGES = 300
/**
 * our choice: a change whose outcome is not stored for this many ms is read and handed out again; calls recognise the
 * repetition.
 */
const STALE_MS = 30_000
/**
 * our choice: a change that was handed out this often without an end, which takes a minute and a half, is set aside.
 */
const STALE_TIMES = 3
const STUCK = 'STUCK'

export const EMPTY_INBOX: Inbox = {
  after: 0,
  open: [],
  reading: null,
  isToldAgain: false,
  settling: null,
  stuck: null,
  lastSeq: 0,
}

/** Reads changes that wait for the number, or may wait. */
export function receive(state: ReadyNumber, nowMs: number): Step<ReadyNumber> {
  const { inbox } = state
  const [head] = inbox.open
  if (head && inbox.settling === null && nowMs - head.sinceMs >= STALE_MS) return stale(state, head)
  const settling = settleHead(state)
  const reading = read(settling.state)
  return step(reading.state, [...settling.effects, ...reading.effects])
}

/** Handles the oldest change, which holds up the others and must not do so for ever. */
function stale(state: ReadyNumber, { position }: OpenChange): Step<ReadyNumber> {
  const { inbox } = state
  const times = inbox.stuck?.position === position ? inbox.stuck.times + 1 : 1
  if (times < STALE_TIMES) return readAgain({ ...state, inbox: { ...inbox, stuck: { position, times } } })
  const fault = { reason: STUCK, tries: times }
  const open = inbox.open.map((change) =>
    change.position === position ? { ...change, waiting: new Set<number>(), fault } : change,
  )
  return settleHead({ ...state, inbox: { ...inbox, open, stuck: null } })
}

/** Reads from the beginning again. Nothing unsettled is lost, and nothing settled comes again. */
export function readAgain(state: ReadyNumber): Step<ReadyNumber> {
  return read({ ...state, inbox: { ...state.inbox, after: 0, open: [], reading: null } })
}

function read(state: ReadyNumber): Step<ReadyNumber> {
  const { inbox } = state
  if (state.leaving) return step(state)
  if (inbox.reading !== null || inbox.open.length >= OPEN_CHANGES)
    return step({ ...state, inbox: { ...inbox, isToldAgain: true } })
  const attempt = state.attempts + 1
  // Without open changes it reads from the beginning, because a change may be stored late under a lower position.
  const after = inbox.open.length === 0 ? 0 : inbox.after
  return step({ ...state, attempts: attempt, inbox: { ...inbox, reading: attempt, isToldAgain: false } }, [
    { type: 'readChanges', attempt, after },
  ])
}

/** Takes changes, oldest first. Null when they could not be read; the next wake-up tries again. */
export function changesRead(
  state: ReadyNumber,
  attempt: number,
  changes: readonly ReadChange[] | null,
  nowMs: number,
): Step<ReadyNumber> {
  const { inbox } = state
  if (inbox.reading !== attempt) return step(state)
  const idle: ReadyNumber = { ...state, inbox: { ...inbox, reading: null } }
  // A leaving number leaves the changes to its next owner.
  if (changes === null || state.leaving) return step(idle)
  const known = new Set(inbox.open.map(({ position }) => position))
  let made = step(idle)
  for (const change of changes) if (!known.has(change.position)) made = join(made, open(made.state, change, nowMs))
  made = join(made, settleHead(made.state))
  return inbox.isToldAgain || changes.length >= CHANGES_PAGE ? join(made, read(made.state)) : made
}

/** One step after another. None of those of changes answers an ask. */
function join(before: Step<ReadyNumber>, after: Step<ReadyNumber>): Step<ReadyNumber> {
  return step(after.state, [...before.effects, ...after.effects])
}

/** Hands on the events of a change. They are numbered downwards from zero; those of a session rise from zero. */
function open(state: ReadyNumber, change: ReadChange, nowMs: number): Step<ReadyNumber> {
  const { inbox } = state
  const numbered = change.events.map((event, index) => ({ event, seq: inbox.lastSeq - 1 - index }))
  const waiting = new Set(numbered.filter(({ event }) => isWaitedFor(event)).map(({ seq }) => seq))
  const events = change.events.flatMap((event) => storedWith(event, change.receivedAt))
  const opened: OpenChange = { position: change.position, waiting, events, sinceMs: nowMs, fault: change.fault }
  let made = step<ReadyNumber>({
    ...state,
    inbox: {
      ...inbox,
      after: change.position,
      open: [...inbox.open, opened],
      lastSeq: inbox.lastSeq - numbered.length,
    },
  })
  for (const { event, seq } of numbered) made = join(made, route(made.state, event, seq))
  return made
}

function isWaitedFor({ type }: ReadEvent): boolean {
  return type !== 'permissionChanged' && type !== 'callsFailing'
}

function route(state: ReadyNumber, event: ReadEvent, seq: number): Step<ReadyNumber> {
  switch (event.type) {
    case 'incomingCall':
      return incomingCall(state, { ...event, seq }, event.callId)
    case 'callRinging':
    case 'callSdp':
    case 'callAccepted':
    case 'callEnded':
      return routeCallEvent(state, { ...event, seq })
    case 'messageReceived':
      return receiveMessage(state, event, seq)
    case 'messageStatus':
      return reportStatus(state, event, seq)
    case 'messageChanged':
      return changeMessage(state, event, seq)
    case 'pollVoted':
      return takeVote(state, event, seq)
    case 'peerNamed':
      return namePeer(state, event, seq)
    case 'callsFailing':
      return step(state, [{ type: 'reportFailing', codes: event.failures.map(({ code }) => code) }])
    case 'permissionChanged':
      return step(state)
  }
}

/** Events of a change that are stored in the write that settles it, because no call has to handle them. */
function storedWith(event: ReadEvent, receivedAt: Date): NewEvent[] {
  if (event.type !== 'permissionChanged') return []
  const { peer, status, expiresAt, at } = event
  return [
    {
      event: 'call.permission_updated',
      data: {
        peerNumber: shownPeer(peer),
        status,
        expiresAt: expiresAt?.toISOString() ?? null,
        createdAt: (at ?? receivedAt).toISOString(),
      },
    },
  ]
}

/** The outcome of an event is stored; with `fault`, it cannot be, for a reason of its own. */
export function eventSettled(state: ReadyNumber, seq: number, fault?: Fault): Step<ReadyNumber> {
  const { inbox } = state
  const open = inbox.open.map((change) =>
    change.waiting.has(seq)
      ? {
          ...change,
          waiting: new Set([...change.waiting].filter((other) => other !== seq)),
          fault: change.fault ?? fault ?? null,
        }
      : change,
  )
  return settleHead({ ...state, inbox: { ...inbox, open } })
}

/** Settles the oldest changes of which no event waits, or sets the oldest aside. One write at a time, in order. */
function settleHead(state: ReadyNumber): Step<ReadyNumber> {
  const { inbox } = state
  const [head] = inbox.open
  if (!head || inbox.settling !== null || head.waiting.size > 0) return step(state)
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, inbox: { ...inbox, settling: attempt } }, [
    head.fault === null
      ? { type: 'settleChanges', attempt, ...settledTogether(head, inbox.open) }
      : { type: 'setChangeAside', attempt, position: head.position, fault: head.fault },
  ])
}

/**
 * What one write settles: the oldest changes that are done and add no event, or the oldest alone with its events. Of
 * those a write whose answer was lost may have settled a part, so events of several would be stored twice.
 */
function settledTogether(
  head: OpenChange,
  open: readonly OpenChange[],
): { readonly positions: readonly number[]; readonly events: readonly NewEvent[] } {
  if (head.events.length > 0) return { positions: [head.position], events: head.events }
  const end = open.findIndex(({ waiting, events, fault }) => waiting.size > 0 || events.length > 0 || fault !== null)
  return { positions: open.slice(0, end < 0 ? undefined : end).map(({ position }) => position), events: [] }
}

/**
 * Handles the outcome of settling. `gone` means that the changes were settled before, by a write whose answer was lost.
 * After `failed` the next wake-up tries again; with `fault` a change that was settled alone is set aside.
 */
export function changesSettled(
  state: ReadyNumber,
  { attempt, positions, outcome, fault }: ChangesMessage & { type: 'ChangesSettled' },
): Step {
  const { inbox } = state
  if (inbox.settling !== attempt) return step(state)
  if (outcome === 'fenced') return stopWith(state, 'fenced', [{ type: 'endCalls', how: 'fence' }])
  const idle: ReadyNumber = { ...state, inbox: { ...inbox, settling: null } }
  if (outcome === 'failed') {
    if (fault === null || positions.length > 1) return step(idle)
    const failed = inbox.open.map((change) => (positions.includes(change.position) ? { ...change, fault } : change))
    return settleHead({ ...idle, inbox: { ...idle.inbox, open: failed } })
  }
  const settled = new Set(positions)
  const open = inbox.open.filter((change) => !settled.has(change.position))
  const next = settleHead({ ...idle, inbox: { ...idle.inbox, open } })
  // The limit was reached when changes were announced. The next read waits until there is room for some pages.
  const wantsMore = inbox.isToldAgain && inbox.reading === null && open.length <= OPEN_CHANGES / 2
  return wantsMore ? join(next, read(next.state)) : next
}

/** Whether the number has no change under way. */
export function isInboxIdle({ inbox }: ReadyNumber): boolean {
  return inbox.open.length === 0 && inbox.reading === null && inbox.settling === null
}
