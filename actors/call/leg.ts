import { fail, refuse } from '../../src/domain/errors.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { CallEffect, CallFacts, CallState, Step } from './state.ts'
import { step } from './state.ts'

/**
 * Whether the call's audio leg is at our media host. Else it is at the tenant's own WebRTC client: its SDP comes
 * with the commands, and the call outlives this node.
 */
export function hasOwnLeg(call: Pick<CallFacts, 'provider'>): boolean {
  return kindOf(call).can.callAudio
}

const LEG_EFFECTS: ReadonlySet<CallEffect['type']> = new Set<CallEffect['type']>([
  'mediaOffer',
  'mediaAnswer',
  'mediaConnect',
  'mediaAnnounce',
  'mediaStatus',
  'mediaMint',
  'mediaPlay',
  'mediaClose',
  'mediaAdopt',
  'mediaLeave',
])

/** Leaves out what concerns a leg of ours where there is none: the upstream watches over its media by itself. */
export function withoutLeg(made: Step): Step {
  if (hasOwnLeg(made.state.facts)) return made
  const effects = made.effects.filter((effect) => !LEG_EFFECTS.has(effect.type))
  return step(made.state, effects, made.replies)
}

/** Refused by capability before it gets here; should it get here, it is answered. */
export function noLeg(state: CallState, askId: number): Step {
  return step(
    state,
    [],
    [{ askId, outcome: fail(refuse('FEATURE_NOT_SUPPORTED', 'The audio of this call is not at the service')) }],
  )
}
