import type { MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import { mediaIn, shownSource, withSources } from '../../src/domain/outgoing.ts'
import { chance } from '../../src/domain/randomness.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { TellMediaKnown } from '../../src/ports/known-media.ts'
import type { MessageFiles, PreparedMedia } from '../../src/ports/message-media.ts'
import type { ProviderSession, SendableMessage, SendResult } from '../../src/ports/provider.ts'
import type { Traces } from '../../src/ports/traces.ts'
import type { NamedPeer } from '../../src/ports/stores/message-inbox.ts'
import type { QueuedMessage, SendQueue } from '../../src/ports/stores/send-queue.ts'
import { PATIENT_DELAYS_MS, persist, tried } from '../engine/persist.ts'
import { noteAside, outcomeOf, readHeads, type AsidePorts } from './aside.ts'
import { count, giveBack, type PlacePorts } from './place-effects.ts'
import type { PrepareOutcome, SendingMessage } from './messages.ts'
import type { RefusalPorts } from './refusal.ts'
import { tellRefusal } from './refusal.ts'
import type { SendingEffect } from './state.ts'

/** The ports of sending. */
export interface SendingPorts extends AsidePorts, RefusalPorts, PlacePorts {
  readonly queue: SendQueue
  readonly files: Pick<MessageFiles, 'prepare'>
  /** Called with the facts of a prepared file; the message does not wait for it. */
  readonly mediaKnown: TellMediaKnown
  readonly provider: ProviderKind
  readonly traces: Traces
  /** The number's current session; null while it has none. */
  session(): ProviderSession | null
  /** Counts messages with upstream: 1 when one is asked for, -1 when its outcome is known and stored. */
  inFlight(by: 1 | -1): void
  /**
   * Called with the recipient's phone number and id, when upstream names both. Nobody waits for it, because statuses
   * repeat it.
   */
  named(peer: NamedPeer): void
  report(isBusy: boolean, wakes: number): void
  /** The actor is gone. */
  stopped(why: 'drained' | 'fenced' | 'crashed'): void
}

type Tell = (message: SendingMessage) => void

export interface SendingEffects {
  run(effect: SendingEffect): void
  /**
   * Handles a message that upstream took while the actor stopped. It is stored all the same; otherwise it stays in
   * doubt.
   */
  sentLate(messageId: MessageId, externalMessageId: string): void
  /** Cancels timers and preparations. */
  stop(): void
}

/** Does the effects of one number's sending and tells it their outcomes. No other part of sending touches ports. */
export function createSendingEffects(ports: SendingPorts, tell: Tell): SendingEffects {
  const preparing = new Map<number, AbortController>()
  let timer: Timer | null = null
  const stop = () => {
    timer?.cancel()
    for (const controller of preparing.values()) controller.abort()
    preparing.clear()
  }
  return {
    stop,
    sentLate(messageId, externalMessageId) {
      void persist(ports, 'settle message', () =>
        ports.queue.settle(ports.fence, { kind: 'sent', messageId, externalMessageId }),
      )
    },
    run(effect) {
      switch (effect.type) {
        case 'readHeads':
        case 'readDue':
          return void read(ports, effect).then(tell)
        case 'prepare': {
          const controller = new AbortController()
          preparing.set(effect.attempt, controller)
          return void prepare(ports, effect.message, controller.signal).then((outcome) => {
            preparing.delete(effect.attempt)
            tell({ type: 'Prepared', attempt: effect.attempt, conversationId: effect.message.conversationId, outcome })
          })
        }
        case 'abandon':
          preparing.get(effect.attempt)?.abort()
          return void preparing.delete(effect.attempt)
        case 'count':
          return void count(ports, effect).then(tell)
        case 'giveBack':
          return void giveBack(ports, effect.place)
        case 'begin':
          return void begin(ports, effect).then(tell)
        case 'send':
          return void send(ports, effect).then(tell)
        case 'settle':
          return void settle(ports, effect).then(tell)
        case 'noteAside':
          return noteAside(ports, effect)
        case 'startTimer':
          timer?.cancel()
          timer = ports.clock.after(effect.delayMs, () => tell({ type: 'TimerFired' }))
          return
        case 'cancelTimer':
          return timer?.cancel()
        case 'report':
          return ports.report(effect.isBusy, effect.wakes)
        case 'stop':
          return stop()
      }
    },
  }
}

async function read(
  ports: SendingPorts,
  effect: SendingEffect & { type: 'readHeads' | 'readDue' },
): Promise<SendingMessage> {
  const {
    queue,
    clock,
    fence: { numberId },
  } = ports
  const { attempt } = effect
  if (effect.type === 'readDue') {
    const due = await persist(ports, 'read due time', () => queue.nextDueAt(numberId, effect.agoMs))
    const inMs = due?.value ? Math.max(0, due.value.getTime() - clock.now()) : null
    return { type: 'DueRead', attempt, inMs, isKnown: due !== null }
  }
  const heads = await readHeads(ports, () => queue.heads(numberId, effect.except, effect.limit, effect.batches))
  return { type: 'HeadsRead', attempt, heads }
}

const UNPREPARED: MessageFailure = {
  code: 'MEDIA_DOWNLOAD_FAILED',
  message: 'The media could not be prepared',
  details: null,
  upstreamCode: null,
}

async function prepare(ports: SendingPorts, message: QueuedMessage, signal: AbortSignal): Promise<PrepareOutcome> {
  const {
    files,
    tenantId,
    provider,
    fence: { numberId },
  } = ports
  const { outgoing } = message
  try {
    const prepared = await Promise.all(
      mediaIn(outgoing).map((media) => files.prepare({ tenantId, numberId, provider, ...media }, signal)),
    )
    const refused = prepared.find((preparation) => !preparation.ok)
    if (refused && !refused.ok) return refused
    const media = prepared.flatMap((preparation) => (preparation.ok ? [preparation.media] : []))
    tellMedia(ports, message, media)
    return { ok: true, content: withSources(outgoing, media) }
  } catch {
    // The port promises never to throw; should it throw, the message still goes on.
    return { ok: false, failure: UNPREPARED, isRetryable: true }
  }
}

/**
 * Tells the facts of prepared media. A file from an address is read by its message for as long as it is kept, and a
 * sound is shown with its measures.
 */
function tellMedia(
  { mediaKnown, fence: { numberId } }: SendingPorts,
  { id: messageId, outgoing }: QueuedMessage,
  [media]: readonly PreparedMedia[],
): void {
  const source = shownSource(outgoing)
  if (source === null || !media) return
  const isFetched = 'url' in source
  if (isFetched || media.sound)
    mediaKnown({
      numberId,
      messageId,
      fileId: media.fileId,
      sizeBytes: isFetched ? media.sizeBytes : null,
      sound: media.sound,
      isUnheard: false,
    })
}

async function begin(
  ports: SendingPorts,
  { attempt, message }: SendingEffect & { type: 'begin' },
): Promise<SendingMessage> {
  const begun = await tried(ports, 'begin sending', () => ports.queue.begin(ports.fence, message.id))
  return { type: 'Begun', attempt, conversationId: message.conversationId, ...outcomeOf(begun) }
}

const NO_SESSION: SendResult = {
  kind: 'unsent',
  failure: { code: 'DELIVERY_TIMEOUT', message: 'The number is not connected', details: null, upstreamCode: null },
}
const NO_ANSWER: SendResult = {
  kind: 'unknown',
  failure: { code: 'DELIVERY_TIMEOUT', message: 'Upstream gave no answer', details: null, upstreamCode: null },
}

/** Asks the session to send. Sessions promise never to throw; should one throw, the message is in doubt. */
async function ask(session: ProviderSession, message: SendableMessage): Promise<SendResult> {
  try {
    return await session.sendMessage(message)
  } catch {
    return NO_ANSWER
  }
}

/** The same, recorded as part of what caused the message. */
async function askTraced(
  { traces, tenantId, fence: { numberId } }: SendingPorts,
  session: ProviderSession,
  message: SendableMessage,
  attempt: number,
): Promise<SendResult> {
  const { messageId, trace = null } = message
  const span = traces.begin('message.send', trace, { tenantId, numberId, messageId, attempt })
  const result = await ask(session, span ? { ...message, trace: span.trace } : message)
  span?.end({ outcome: result.kind, ...('failure' in result ? { code: result.failure.code } : {}) })
  return result
}

async function send(
  ports: SendingPorts,
  { attempt, message, content }: SendingEffect & { type: 'send' },
): Promise<SendingMessage> {
  const session = ports.session()
  const { id: messageId, to, quotedMessageId, conversationId, trace = null } = message
  if (session) ports.inFlight(1)
  const result = session
    ? await askTraced(ports, session, { messageId, to, content, quotedMessageId, trace }, message.attempts + 1)
    : NO_SESSION
  // A message that upstream took counts until it is stored, because a status may name it before.
  if (session && result.kind !== 'sent') ports.inFlight(-1)
  if (result.kind === 'sent' && result.named) ports.named(result.named)
  if (content.mode === 'template' && result.kind === 'refused')
    tellRefusal(ports, result.failure, { tenantId: ports.tenantId, messageId })
  return {
    type: 'Answered',
    attempt,
    messageId,
    conversationId,
    result,
    hadSession: session !== null,
    luck: chance(),
  }
}

async function settle(
  ports: SendingPorts,
  { attempt, conversationId, settlement, place }: SendingEffect & { type: 'settle' },
): Promise<SendingMessage> {
  if (place !== null) await giveBack(ports, place)
  const settled = await tried(
    ports,
    'settle message',
    () => ports.queue.settle(ports.fence, settlement),
    PATIENT_DELAYS_MS,
  )
  if (settlement.kind === 'sent' && (settled.ok || settled.fault)) ports.inFlight(-1)
  return { type: 'Settled', attempt, conversationId, ...outcomeOf(settled) }
}
