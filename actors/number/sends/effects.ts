import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { ProviderSession } from '../../../src/ports/provider.ts'
import type { MessageInbox } from '../../../src/ports/stores/message-inbox.ts'
import type { SendQueue } from '../../../src/ports/stores/send-queue.ts'
import { NO_TRACES, type Traces } from '../../../src/ports/traces.ts'
import type { SetAsideStore } from '../../../src/ports/stores/set-aside-store.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import { persist, type Persistence } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import type { SendingPorts } from '../../sending/effects.ts'
import type { SendingMessage } from '../../sending/messages.ts'
import type { SendingOptions } from '../../sending/rules.ts'
import { rulesOf } from '../../sending/rules.ts'
import type { SendingRef } from '../../sending/sending-actor.ts'
import { spawnSending } from '../../sending/sending-actor.ts'
import type { StopReason } from '../state.ts'
import type { SendsMessage } from './messages.ts'
import type { SendsEffect } from './state.ts'

/** The ports of sends. */
export interface SendsPorts
  extends Persistence, Pick<SendingPorts, 'fence' | 'files' | 'templateRefused' | 'mediaKnown' | 'reach'> {
  readonly sendQueue: SendQueue
  readonly messageInbox: Pick<MessageInbox, 'name'>
  readonly setAside: Pick<SetAsideStore, 'note'>
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  /** Pace and limits of sending; defaults in sending/rules.ts. */
  readonly sending?: Partial<SendingOptions>
}

/** The state of the sending actor that the number knows. */
export interface Sends {
  /** Number of the last wake, and whether work may be under way since. */
  wakes: number
  isBusy: boolean
  /** Messages that upstream was asked to send. */
  inFlight: number
  /** Monotonic ms of the last message that left or was stored, of the last wake, or of the link coming up. */
  lastMs: number
}

/** The mutable state of sends, and what they need of the other facets. */
export interface SendsWorld {
  readonly ports: SendsPorts
  readonly self: Pick<Self<SendsMessage | { readonly type: 'Fenced' }>, 'tell' | 'spawn'>
  readonly sends: Sends
  sending: SendingRef | null
  /** Belongs to the link; messages go to this session. */
  readonly open: { readonly session: ProviderSession } | null
  readonly stopping: StopReason | null
  /** Called when the actor is gone, because a stopping number waits for its sends. */
  finishWhenDone(): void
}

/** Does the effects of sends. */
export const SENDS_EFFECTS: EffectTable<SendsEffect, SendsWorld> = {
  wakeSending,
  shutSending: (world) => tellSending(world, { type: 'Shut' }),
}

/** Wakes the sending actor, and spawns it first when there is none. */
function wakeSending(world: SendsWorld, { number, wakes }: SendsEffect & { type: 'wakeSending' }): void {
  if (world.stopping) return
  world.sends.wakes = wakes
  world.sends.isBusy = true
  // Messages that an earlier owner left in doubt are asked for again now, and their statuses may already be here.
  world.sends.lastMs = world.ports.clock.monotonicMs()
  world.sending ??= start(world, number)
  world.sending.tell({ type: 'Wake', wakes, rules: rulesOf(number, world.ports.sending) })
}

function start(world: SendsWorld, number: ChannelNumber): SendingRef {
  const { ports, self, sends } = world
  const { clock, log, traces = NO_TRACES, fenced, fence, files, templateRefused, mediaKnown, reach } = ports
  const { sendQueue: queue, setAside } = ports
  return spawnSending(
    self,
    {
      clock,
      log,
      traces,
      ...(fenced ? { fenced } : {}),
      fence,
      files,
      queue,
      setAside,
      templateRefused,
      mediaKnown,
      reach,
      tenantId: number.tenantId,
      provider: number.provider,
      session: () => world.open?.session ?? null,
      inFlight(by) {
        sends.inFlight = Math.max(0, sends.inFlight + by)
        sends.lastMs = clock.monotonicMs()
      },
      named: (peer) => void persist(ports, 'store name of peer', () => ports.messageInbox.name(fence, peer)),
      report(isBusy, wakes) {
        if (wakes === sends.wakes) sends.isBusy = isBusy
        self.tell({ type: 'SendingReported', isBusy, wakes })
      },
      stopped(why) {
        world.sending = null
        sends.inFlight = 0
        sends.isBusy = false
        if (why === 'fenced') self.tell({ type: 'Fenced' })
        if (why === 'crashed') self.tell({ type: 'SendingCrashed' })
        world.finishWhenDone()
      },
    },
    rulesOf(number, ports.sending),
  )
}

function tellSending({ sending }: SendsWorld, message: SendingMessage): void {
  sending?.tell(message)
}

/** Stops sending. Requests that are with upstream are still settled, unless another node owns the number. */
export function stopSending(world: SendsWorld, why: StopReason): void {
  tellSending(world, { type: why === 'fenced' ? 'Fenced' : 'Drain' })
}
