import { advance } from './advance.ts'
import { remembered, withBatch, yields } from './batches.ts'
import { counted } from './daily.ts'
import type { SendingMessage } from './messages.ts'
import { answered, begun, named, prepared, settled, taken } from './outcomes.ts'
import { givingBack } from './places.ts'
import { afterStall } from './stall.ts'
import type { Hand, SendingEffect, SendingState, Step } from './state.ts'
import { isInFlight, step } from './state.ts'

/** our choice: a queue that could not be read is read again after this many ms. */
const STORE_RETRY_MS = 1_000

/** Decides what a message does to the sending of a number. Pure; `nowMs` is monotonic. */
export function decide(state: SendingState, message: SendingMessage, nowMs: number): Step {
  if (state.gate === 'STOPPED') return step(state)
  return advance(handle(afterStall(state, nowMs), message, nowMs), nowMs)
}

function handle(state: SendingState, message: SendingMessage, nowMs: number): Step {
  switch (message.type) {
    case 'Wake':
      return wake(state, message)
    case 'Shut':
      return state.gate === 'OPEN' ? shut(state, 'SHUT') : step(state)
    case 'HeadsRead':
      return headsRead(state, message, nowMs)
    case 'Prepared':
      return prepared(state, message, nowMs)
    case 'Counted':
      return counted(state, message, nowMs)
    case 'Begun':
      return begun(state, message, nowMs)
    case 'Answered':
      return answered(state, message, nowMs)
    case 'Settled':
      return settled(state, message, nowMs)
    case 'DueRead':
      return dueRead(state, message, nowMs)
    case 'TimerFired':
      return step({ ...state, timerMs: null })
    case 'Named':
      return named(state, message.messageId)
    case 'Drain':
      return shut(state, 'DRAINING')
    case 'Fenced':
      return step({ ...state, gate: 'STOPPED' }, [{ type: 'stop', why: 'fenced' }])
  }
}

function wake(state: SendingState, { wakes, rules = state.rules }: SendingMessage & { type: 'Wake' }): Step {
  if (state.gate === 'DRAINING') return step(state)
  return step({
    ...state,
    rules,
    gate: 'OPEN',
    wakes,
    look: { ...state.look, isWanted: true },
    due: { ...state.due, isKnown: false },
  })
}

/** Lets go of messages that are not with upstream. The rows say what is to be done, whoever does it next. */
function shut(state: SendingState, gate: 'SHUT' | 'DRAINING'): Step {
  const hands = new Map([...state.hands].filter(([, hand]) => isInFlight(hand)))
  const effects = [...state.hands.values()].filter((hand) => !isInFlight(hand)).flatMap(letGoOf)
  return step(
    {
      ...state,
      gate,
      hands,
      look: { ...state.look, reading: null, isWanted: false },
      due: { ...state.due, asking: null, isKnown: false, atMs: null },
    },
    effects,
  )
}

/** What is done as a message is let go of that is not with upstream. */
function letGoOf(hand: Hand): SendingEffect[] {
  const { phase } = hand
  return phase.at === 'PREPARING' ? [{ type: 'abandon', attempt: phase.attempt }] : givingBack(hand)
}

function headsRead(
  state: SendingState,
  { attempt, heads }: SendingMessage & { type: 'HeadsRead' },
  nowMs: number,
): Step {
  const { reading } = state.look
  if (reading?.attempt !== attempt) return step(state)
  const look = { ...state.look, reading: null }
  if (heads === null) return step({ ...state, look: { ...look, isWanted: true, notBeforeMs: nowMs + STORE_RETRY_MS } })
  const hands = new Map(state.hands)
  const effects: SendingEffect[] = []
  let batches = remembered(state, nowMs)
  for (const head of heads) {
    const { conversationId, batch } = head
    const held = hands.get(conversationId)
    if (held && !(batch === null && yields(held))) continue
    if (held) effects.push(...letGoOf(held))
    hands.set(conversationId, taken(head, state.rules, nowMs))
    batches = withBatch(batches, batch, nowMs)
  }
  const alone = heads.filter(({ batch }) => batch === null).length
  return step(
    { ...state, hands, batches, look: { ...look, isWanted: look.isWanted || alone >= reading.limit } },
    effects,
  )
}

function dueRead(
  state: SendingState,
  { attempt, inMs, isKnown }: SendingMessage & { type: 'DueRead' },
  nowMs: number,
): Step {
  const { due } = state
  if (due.asking !== attempt) return step(state)
  // A wake during the read may have brought an earlier time.
  return step({
    ...state,
    due: { ...due, asking: null, isKnown: due.isKnown && isKnown, atMs: inMs === null ? null : nowMs + inMs },
  })
}
