import type { BridgeEngine } from '../../src/domain/device-bridge.ts'
import { CALL_MEDIA_KINDS, ENGINE_CAPABILITIES } from '../../src/domain/engine.ts'
import type { CallMediaKind, EngineCapability } from '../../src/domain/engine.ts'
import { BridgeRefusal } from './refusal.ts'

/** our choice: the sandbox has no releases of its own. */
const ENGINE = { name: 'sandbox', version: '1' } as const

/**
 * What the sandbox says of itself for a number that can do all it is told to, or less. `first`: the kind of audio its
 * phone offers; it speaks all.
 */
export function describeEngine(
  capabilities: readonly EngineCapability[] = ENGINE_CAPABILITIES,
  first: CallMediaKind = 'webrtc',
): BridgeEngine {
  return { engine: ENGINE, capabilities, callMedia: CALL_MEDIA_KINDS.toSorted((kind) => (kind === first ? -1 : 1)) }
}

/** Refuses calls of a number whose engine has no audio (contract 21). */
export function assertCallAudio(capabilities: readonly EngineCapability[]): void {
  if (!capabilities.includes('callAudio'))
    throw new BridgeRefusal('CALL_AUDIO_UNSUPPORTED', 'The engine has no audio for calls')
}
