import { fail, refuse } from '../../src/domain/errors.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { Call } from '../../src/domain/call.ts'
import type { CallEffect, CallState, Step } from './state.ts'
import { step } from './state.ts'

/**
 * Whether the audio leg of a call is at our media host. Otherwise it is in the tenant's own WebRTC client: its SDP
 * comes with the commands, and the call outlives this node.
 */
export function isCarried({ provider, media }: Pick<Call, 'provider' | 'media'>): boolean {
  return media === 'bridge' || kindOf({ provider }).can.callAudio
}

/** The same of a call of this node. */
export function hasOwnLeg({ facts, media }: Pick<CallState, 'facts' | 'media'>): boolean {
  return isCarried({ provider: facts.provider, media })
}

/** Whether upstream times the ringing of the call itself, and takes and gives descriptions of WebRTC ends. */
export function isOfPlatform({ facts }: Pick<CallState, 'facts'>): boolean {
  return kindOf(facts).can.callSdp
}

const LEG_EFFECTS: ReadonlySet<CallEffect['type']> = new Set<CallEffect['type']>([
  'mediaOffer',
  'mediaAnswer',
  'mediaConnect',
  'mediaUpdate',
  'mediaAnnounce',
  'mediaStatus',
  'mediaMint',
  'mediaGiveBack',
  'mediaDialVoice',
  'mediaDial',
  'mediaPlay',
  'mediaClose',
  'mediaAdopt',
  'mediaLeave',
])

/** Removes the effects on a leg of ours when there is none: upstream watches over its media itself. */
export function withoutLeg(made: Step): Step {
  if (hasOwnLeg(made.state) || made.state.isAtHost) return made
  const effects = made.effects.filter((effect) => !LEG_EFFECTS.has(effect.type))
  return step(made.state, effects, made.replies)
}

/** Answers a command that needs a leg of ours. Capabilities refuse it earlier, so this is a net. */
export function noLeg(state: CallState, askId: number): Step {
  return step(
    state,
    [],
    [
      {
        askId,
        outcome: fail(
          refuse(
            'FEATURE_NOT_SUPPORTED',
            'The service does not carry the audio of this call: it runs between your own end and the official platform. Place or accept calls with media bridge to have it carried',
          ),
        ),
      },
    ],
  )
}
