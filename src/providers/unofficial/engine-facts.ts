import { z } from 'zod'
import { beginningOf } from '../../domain/characters.ts'
import type { BridgeOp, BridgeOps } from '../../domain/device-bridge.ts'
import { byWord, engineCapabilityOf } from '../../domain/device-ops.ts'
import { ENGINE_CAPABILITIES } from '../../domain/engine.ts'
import { CALL_MEDIA_KINDS } from '../../domain/call-media.ts'
import type { EngineCapability, EngineFacts } from '../../domain/engine.ts'

/** Our choice: what an engine calls itself is shown; longer names are cut. */
const NAME_CHARACTERS = 100

const name = z
  .string()
  .trim()
  .min(1)
  .transform((text) => beginningOf(text, NAME_CHARACTERS))
  .nullable()
  .catch(null)
  .default(null)
const words = z.array(z.unknown()).nullable().catch(null).default(null)
const TOLD = z.object({
  engine: z.object({ name, version: name }).nullable().catch(null).default(null),
  capabilities: words,
  callMedia: words,
})

/**
 * What an engine says of itself as it starts a session (contract 21): null when it says nothing. All of it is optional;
 * words that are not known here are left out, what has another form counts as not said.
 */
export function readEngineFacts(result: unknown): EngineFacts | null {
  const told = TOLD.safeParse(result)
  if (!told.success) return null
  const { engine, capabilities, callMedia } = told.data
  if (!engine && !capabilities && !callMedia) return null
  return {
    name: engine?.name ?? null,
    version: engine?.version ?? null,
    capabilities: capabilities && ENGINE_CAPABILITIES.filter((known) => capabilities.includes(known)),
    // In its order: what it names first calls are offered with.
    callMedia:
      callMedia
      && CALL_MEDIA_KINDS.filter((known) => callMedia.includes(known)).toSorted(
        (a, b) => callMedia.indexOf(a) - callMedia.indexOf(b),
      ),
  }
}

/** What an engine must be able to do for an op; null: every engine can, or can say no itself. */
export function capabilityFor<O extends BridgeOp>(op: O, fields: BridgeOps[O]['fields']): EngineCapability | null {
  if (op === 'message.send' && 'content' in fields) return fields.content.media || fields.content.cards ? 'media' : null
  return OP_CAPABILITIES[op] ?? null
}

const OP_CAPABILITIES: Readonly<Partial<Record<BridgeOp, EngineCapability | null>>> = {
  ...byWord(engineCapabilityOf),
  'call.offer': 'callAudio',
  'call.accept': 'callAudio',
}
