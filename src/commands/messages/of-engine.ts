import { lacks, notOfEngine } from '../../domain/engine.ts'
import type { EngineCapability, EngineFacts } from '../../domain/engine.ts'
import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { NumberRef } from '../../domain/number.ts'
import { MODE_OF_ENGINES } from '../../domain/send-modes.ts'
import type { OrderedContent } from '../../domain/send-order.ts'
import { LIST_SENT_AS_TEXT } from '../../ports/stores/message-store.ts'
import type { SendNotice } from '../../ports/stores/message-store.ts'
import type { MessagePorts } from './ports.ts'

/**
 * What is to be said of a message before it is accepted, by what the engine of the number can do: null for nothing.
 * Only modes that not every engine has cost a read. Refusal: FEATURE_NOT_SUPPORTED ([message-verbs.modes.7]).
 */
export async function noticeOf(
  { numbers }: MessagePorts,
  number: NumberRef,
  { mode }: OrderedContent,
): Promise<Outcome<SendNotice | null>> {
  const needed = MODE_OF_ENGINES[mode]
  if (needed === undefined || !kindOf(number).can.pairing) return succeed(null)
  const engine = (await numbers.find(number.tenantId, number.id))?.engine ?? null
  if (mode === 'list') return succeed(says(engine, needed) ? null : LIST_SENT_AS_TEXT)
  return lacks(engine, needed) ? fail(notOfEngine(engine, needed)) : succeed(null)
}

/** An engine that says nothing of itself shows no lists, as the network does not. */
function says(engine: EngineFacts | null, capability: EngineCapability): boolean {
  return engine?.capabilities?.includes(capability) === true
}
