import type { CallAnswer, CallCarrier } from '../../domain/call.ts'
import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { askLive } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts } from './ports.ts'
import { recordingRefusal } from './record.ts'

/** What a call is accepted with. */
export interface Acceptance {
  /** Null when it was sent before, or when the media host makes the answer. */
  readonly sdp: string | null
  /** `bridge` has the media host carry the audio of a call of an OFFICIAL number. */
  readonly media?: CallCarrier
  readonly record?: boolean
}

/** Accepts an inbound call that rings. Refusals: those of askLive and of recordingRefusal. */
export function acceptCall(
  ports: CallPorts,
  name: CallName,
  { sdp, media, record = false }: Acceptance,
): Promise<Outcome<CallAnswer>> {
  return askLive(ports, name, async ({ numberId, id, provider }) => {
    const refusal = record ? await recordingRefusal(ports, { id: numberId, provider }, media ?? null) : null
    return refusal
      ? fail(refusal)
      : ports.directory.askCall(numberId, id, 'Accept', {
          sdp,
          trace: name.trace,
          ...(record && { record }),
          ...(media && { media }),
        })
  })
}
