import { newId, type MessageId } from '../../../src/domain/ids.ts'
import { messageKey } from '../../../src/domain/message-key.ts'
import type { MessageContent } from '../../../src/domain/message.ts'
import { voteEvent } from '../../../src/domain/poll-vote.ts'
import { KeyedTurns, Turns } from '../../../src/domain/turns.ts'
import type { MessageFiles } from '../../../src/ports/message-media.ts'
import type { TellPeerTyping } from '../../../src/ports/peer-typing.ts'
import type {
  ChangeResult,
  InboxResult,
  MessageInbox,
  NamedPeer,
  StatusReport,
} from '../../../src/ports/stores/message-inbox.ts'
import { NO_TRACES, type Span, type Traces } from '../../../src/ports/traces.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import { faultOf, PATIENT_DELAYS_MS, persist, tried, type Persistence } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import { tellRefusal, type RefusalPorts } from '../../sending/refusal.ts'
import type { SendingRef } from '../../sending/sending-actor.ts'
import type { OpenSession } from '../open-session.ts'
import { setAside, settle, type AsidePorts, type SettleWorld } from '../settle.ts'
import { eventsOf, incomingOf, peerOf } from './decide.ts'
import { tellSound, type SoundPorts } from './sound.ts'
import type { ReceivingEffect } from './state.ts'

/** our choice: most media fetched from the engine at once, for one number. */
const REHOSTS = 8
/** our choice: a message waits this many ms for its media, then it is stored without it. */
const REHOST_MS = 30_000
/** our choice: pauses between tries that fill that time, while the database or the disk is away. */
const REHOST_DELAYS_MS = [...PATIENT_DELAYS_MS, 5_000, 5_000, 5_000, 5_000]
/** our choice: most writes of one number at once. Writes of all numbers share statements. */
const WRITES = 64
/**
 * our choice: a status may come before the answer that names its message, by as long as a paced repetition or a fetch
 * of media takes. It is tried again soon, then every 3 s for a minute, as long as messages are being sent, or were
 * sent, or a link came up, within OVERTAKEN_MS.
 */
const OVERTAKEN_DELAYS_MS = [200, 1_000, ...Array.from({ length: 20 }, () => 3_000)]
const OVERTAKEN_MS = 5_000

export interface Receiving {
  receive(effect: ReceivingEffect & { type: 'receiveMessage' }): void
  report(effect: ReceivingEffect & { type: 'reportStatus' }): void
  change(effect: ReceivingEffect & { type: 'changeMessage' }): void
  name(effect: ReceivingEffect & { type: 'namePeer' }): void
  vote(effect: ReceivingEffect & { type: 'tellVote' }): void
}

/** The ports of receiving. */
export interface ReceivingPorts extends AsidePorts, RefusalPorts, SoundPorts {
  readonly messageInbox: MessageInbox
  readonly files: Pick<MessageFiles, 'rehost'>
  readonly peerTyping: TellPeerTyping
  /** Default: nothing is recorded. */
  readonly traces?: Traces
}

/** The mutable state of receiving, and what it needs of the other facets. */
export interface ReceivingWorld extends SettleWorld {
  readonly ports: ReceivingPorts
  readonly self: SettleWorld['self'] & Pick<Self<{ readonly type: 'Fenced' }>, 'tell'>
  /** Made by the first message that comes in; null before. */
  receiving: Receiving | null
  /** Belongs to the sends; tells whether the row of a sent message may lack its upstream id. */
  readonly sends: { readonly isBusy: boolean; readonly inFlight: number; readonly lastMs: number }
  readonly sending: Pick<SendingRef, 'tell'> | null
}

/** Does the effects of receiving. */
export const RECEIVING_EFFECTS: EffectTable<ReceivingEffect, ReceivingWorld> = {
  receiveMessage: (world, effect) => receivingOf(world).receive(effect),
  reportStatus: (world, effect) => receivingOf(world).report(effect),
  changeMessage: (world, effect) => receivingOf(world).change(effect),
  namePeer: (world, effect) => receivingOf(world).name(effect),
  tellVote: (world, effect) => receivingOf(world).vote(effect),
  tellTyping: ({ ports }, { typing }) => ports.peerTyping(typing),
}

function receivingOf(world: ReceivingWorld): Receiving {
  return (world.receiving ??= createReceiving(world))
}

/** Stores upstream's events of messages: in order within a conversation and for one message, otherwise side by side. */
function createReceiving(world: ReceivingWorld): Receiving {
  const inOrder = createLines(world)
  const tools: Tools = { world, rehosting: new Turns(REHOSTS), writing: new Turns(WRITES) }
  return {
    receive(effect) {
      const { open } = world
      // Media of a conversation are fetched at once; only its messages wait for each other.
      const content = contentOf(tools, effect)
      inOrder(`in ${peerOf(effect.message)}`, effect.seq, async () => receive(tools, effect, await content, open))
    },
    report(effect) {
      const { open } = world
      inOrder(`of ${messageKey(effect.report.externalMessageId)}`, effect.seq, () => report(tools, effect, open))
    },
    change(effect) {
      const { open } = world
      inOrder(`of ${messageKey(effect.change.externalMessageId)}`, effect.seq, () => change(tools, effect, open))
    },
    name(effect) {
      const { open } = world
      inOrder(`as ${effect.peer.addresses.at(-1)}`, effect.seq, () => name(tools, effect, open))
    },
    vote(effect) {
      const { open } = world
      inOrder(`of ${effect.vote.externalMessageId}`, effect.seq, () => vote(tools, effect, open))
    },
  }
}

interface Tools {
  readonly world: ReceivingWorld
  readonly rehosting: Turns
  readonly writing: Turns
}

/** Runs work with the same key one after the other. */
function createLines(world: ReceivingWorld): (key: string, seq: number, run: () => Promise<void>) => void {
  const turns = new KeyedTurns()
  return (key, seq, run) => {
    const { open } = world
    const taken = async () => {
      try {
        await run()
      } catch (error) {
        // This is a bug. Another try would fail too, and everything after it would wait.
        world.ports.log.error(
          { numberId: world.ports.fence.numberId, errorName: error instanceof Error ? error.name : 'unknown' },
          'message could not be taken',
        )
        await setAside(world, world.open === open ? open : null, seq, faultOf(error, 1))
      }
    }
    void turns.run(key, taken)
  }
}

/** Settles the event, once its outcome is stored. A session that opened since knows nothing of it. */
function done(world: ReceivingWorld, open: OpenSession | null, seq: number): void {
  settle(world, world.open === open ? open : null, seq)
}

/** The event that a write is for. */
interface Of {
  readonly open: OpenSession | null
  readonly seq: number
}

/**
 * Writes until it succeeds, while the number lives and its store is away, because nothing may be left out and the rest
 * waits. A write that fails for a reason of its own is set aside. Null when nothing more is to be done for the event.
 */
async function write<T extends InboxResult | ChangeResult>(
  { world, writing }: Tools,
  { open, seq }: Of,
  operation: string,
  run: () => Promise<T>,
): Promise<T | null> {
  while (!world.stopping) {
    const result = await writing.run(() => tried(world.ports, operation, run, PATIENT_DELAYS_MS))
    if (result.ok && result.value !== 'fenced') return result.value
    if (result.ok) {
      world.self.tell({ type: 'Fenced' })
      return null
    }
    if (result.fault) {
      await setAside(world, world.open === open ? open : null, seq, result.fault)
      return null
    }
  }
  return null
}

async function receive(
  tools: Tools,
  effect: ReceivingEffect & { type: 'receiveMessage' },
  content: MessageContent,
  open: OpenSession | null,
): Promise<void> {
  const { world } = tools
  const { ports } = world
  const { number, message, keeping, seq } = effect
  // Stored first, so that the message begins no conversation that would have to be joined.
  if (message.named && (await nameOf(tools, message.named, { open, seq })) === null) return
  const id = newId('msg')
  const span = spanOf(ports, effect, id)
  const told = span ? { ...message, trace: span.trace } : message
  const result = await write(tools, { open, seq }, 'store message', () =>
    keeping.isStored
      ? ports.messageInbox.receive(ports.fence, incomingOf(number, told, keeping, id, content))
      : ports.messageInbox.tell(ports.fence, eventsOf(number, told, keeping, id, content)),
  )
  span?.end({ outcome: result ?? 'left' })
  if (result === null) return
  done(world, open, seq)
  if (keeping.isStored && result === 'applied') tellSound(ports, message, id, content)
  if (keeping.marksRead && result === 'applied' && open && world.open === open) {
    const outcome = await open.session.markRead([message.externalMessageId])
    if (!outcome.ok)
      ports.log.warn(
        { numberId: ports.fence.numberId, operation: 'markRead', code: outcome.error.code },
        'the provider refused an operation',
      )
  }
}

/** Records the message, as part of what brought it; a device begins a trace. */
function spanOf(
  { traces = NO_TRACES }: ReceivingPorts,
  { number: { tenantId, id: numberId }, message: { trace } }: ReceivingEffect & { type: 'receiveMessage' },
  messageId: MessageId,
): Span | null {
  const facts = { tenantId, numberId, messageId }
  return trace ? traces.begin('message.receive', trace, facts) : traces.arrived('message.receive', undefined, facts)
}

/**
 * The content of the message, with its media at an address that others can fetch. The engine's own address goes to
 * nobody else.
 */
async function contentOf(
  { world, rehosting }: Tools,
  { number, message, keeping }: ReceivingEffect & { type: 'receiveMessage' },
): Promise<MessageContent> {
  const { content } = message
  const { media } = content
  const url = media?.url ?? null
  if (!media || url === null) return content
  if (!keeping.isRehosted) return { ...content, media: { ...media, url: null } }
  const { files, clock } = world.ports
  const found = await rehosting.run(async () => {
    const late = Promise.withResolvers<null>()
    const timer = clock.after(REHOST_MS, () => late.resolve(null))
    const kept = rehostPatiently(
      () =>
        files.rehost(number.tenantId, number.id, {
          url,
          mimeType: media.mimeType ?? 'application/octet-stream',
          fileName: media.fileName,
        }),
      world.ports,
    )
    const first = await Promise.race([kept, late.promise])
    timer.cancel()
    return first
  })
  return { ...content, media: found ? { ...media, ...found } : { ...media, url: null } }
}

/** Keeps a received file; when its row or its bytes cannot be stored now, it is fetched again. */
async function rehostPatiently<T>(rehost: () => Promise<T | null>, ports: Persistence): Promise<T | null> {
  const done = await persist(ports, 'keep received file', rehost, REHOST_DELAYS_MS)
  return done?.value ?? null
}

function reportOf({
  externalMessageId,
  messageId,
  status,
  failure,
  at,
  priceCategory = null,
  recipient = null,
}: (ReceivingEffect & { type: 'reportStatus' })['report']): StatusReport {
  return { externalMessageId, messageId, status, failure, at, priceCategory, recipient }
}

async function report(
  tools: Tools,
  effect: ReceivingEffect & { type: 'reportStatus' },
  open: OpenSession | null,
): Promise<void> {
  const { world } = tools
  const { ports } = world
  const {
    tenantId,
    report: { failure, messageId, externalMessageId },
  } = effect
  for (const delayMs of [...OVERTAKEN_DELAYS_MS, null]) {
    const result = await write(tools, { open, seq: effect.seq }, 'store status', () =>
      ports.messageInbox.report(ports.fence, reportOf(effect.report)),
    )
    if (result === null) return
    // The report moved the row, or had moved it before, so the message is no longer in doubt.
    if (result !== 'unknown' && messageId !== null) world.sending?.tell({ type: 'Named', messageId })
    // This holds for a report that moves nothing too: upstream refuses the template whatever became of the message.
    if (result !== 'unknown' && failure)
      tellRefusal(ports, failure, { tenantId, messageId: messageId ?? externalMessageId })
    if (result !== 'unknown' || delayMs === null || !effect.mayOvertake || !mayBeOurs(world)) break
    await new Promise<void>((resolve) => void ports.clock.after(delayMs, resolve))
  }
  done(world, open, effect.seq)
}

/** Stores a change of a message, even before the message has come. */
async function change(
  tools: Tools,
  { change: told, seq }: ReceivingEffect & { type: 'changeMessage' },
  open: OpenSession | null,
): Promise<void> {
  const { world } = tools
  const result = await write(tools, { open, seq }, 'store change of message', () =>
    world.ports.messageInbox.change(world.ports.fence, told),
  )
  if (result !== null) done(world, open, seq)
}

async function name(
  tools: Tools,
  { peer, seq }: ReceivingEffect & { type: 'namePeer' },
  open: OpenSession | null,
): Promise<void> {
  if ((await nameOf(tools, peer, { open, seq })) !== null) done(tools.world, open, seq)
}

/** Stores what a peer is named by; null when nothing more is to be done for the event. */
function nameOf(tools: Tools, peer: NamedPeer, of: Of): Promise<InboxResult | null> {
  const { messageInbox, fence } = tools.world.ports
  return write<InboxResult>(tools, of, 'store name of peer', () => messageInbox.name(fence, peer))
}

async function vote(
  tools: Tools,
  { numberId, vote: told, seq }: ReceivingEffect & { type: 'tellVote' },
  open: OpenSession | null,
): Promise<void> {
  const { world } = tools
  const result = await write(tools, { open, seq }, 'store vote', () =>
    world.ports.messageInbox.tell(world.ports.fence, [voteEvent(numberId, told)]),
  )
  if (result !== null) done(world, open, seq)
}

/** Whether a status may be of a message sent just now, whose row has no upstream id yet. */
function mayBeOurs({ sends, ports }: ReceivingWorld): boolean {
  return sends.isBusy || sends.inFlight > 0 || ports.clock.monotonicMs() - sends.lastMs < OVERTAKEN_MS
}
