import type { SendingMessage } from '../sending/messages.ts'
import { rulesOf } from '../sending/rules.ts'
import type { SendingRef } from '../sending/sending-actor.ts'
import { spawnSending } from '../sending/sending-actor.ts'
import type { NumberEffect, StopReason } from './state.ts'
import type { NumberWorld } from './world.ts'

/** Wakes the actor that sends, and spawns it first where there is none. `gone`: it stopped. */
export function wakeSending(world: NumberWorld, { number, wakes }: NumberEffect & { type: 'wakeSending' }, gone: () => void): void {
  if (world.stopping) return
  world.sends.wakes = wakes
  world.sends.isBusy = true
  // What an earlier owner left in doubt is asked for again now, and its statuses may be here already.
  world.sends.lastMs = world.ports.clock.monotonicMs()
  world.sending ??= start(world, number, gone)
  world.sending.tell({ type: 'Wake', wakes })
}

function start(world: NumberWorld, number: (NumberEffect & { type: 'wakeSending' })['number'], gone: () => void): SendingRef {
  const { ports, self, sends } = world
  const { clock, log, fence, files, sendQueue: queue } = ports
  return spawnSending(ports.runtime, {
    clock, log, fence, files, queue, tenantId: number.tenantId, provider: number.provider,
    session: () => world.open?.session ?? null,
    inFlight(by) {
      sends.inFlight = Math.max(0, sends.inFlight + by)
      sends.lastMs = clock.monotonicMs()
    },
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
      gone()
    },
  }, rulesOf(number.provider, ports.sending))
}

export function tellSending({ sending }: NumberWorld, message: SendingMessage): void {
  sending?.tell(message)
}

/** What upstream was asked is still settled, unless another node owns the number. */
export function stopSending(world: NumberWorld, why: StopReason): void {
  tellSending(world, { type: why === 'fenced' ? 'Fenced' : 'Drain' })
}
