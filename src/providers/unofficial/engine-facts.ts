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
 * Reads what an engine says of itself as it starts a session ([engines.bridge.1]); null when it says nothing. All of it
 * is optional: unknown words are left out, and a part of another form counts as not said.
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
    // Kept in the engine's order: calls are offered with the first that it names.
    callMedia:
      callMedia
      && CALL_MEDIA_KINDS.filter((known) => callMedia.includes(known)).toSorted(
        (a, b) => callMedia.indexOf(a) - callMedia.indexOf(b),
      ),
  }
}

/** The capability that an op needs; null when every engine can do it, or can refuse it itself. */
export function capabilityFor<O extends BridgeOp>(op: O, fields: BridgeOps[O]['fields']): EngineCapability | null {
  if (op === 'message.send' && 'content' in fields) {
    const { media, cards, poll } = fields.content
    return media || cards ? 'media' : poll ? 'polls' : null
  }
  return OP_CAPABILITIES[op] ?? null
}

const OP_CAPABILITIES: Readonly<Partial<Record<BridgeOp, EngineCapability | null>>> = {
  ...byWord(engineCapabilityOf),
  'call.offer': 'callAudio',
  'call.accept': 'callAudio',
}
