import { jidNormalizedUser } from 'baileys'
import type { WACallEvent } from 'baileys'
import type { CallEndReason } from '../../../src/domain/device-bridge.ts'
import { errorFields } from '../process/log.ts'
import { lookUpLid } from '../session/lid-lookup.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Listen } from '../socket/immediate-events.ts'
import { lidIn, personOf } from '../translate-in/address.ts'
import { callsOf } from './call-book.ts'

/** our choice: longer than any phone rings, in ms; a call without an end until then is over. */
const LONGEST_RINGING_MS = 90_000

/** How a call ended for this number. A call that is answered on the phone is over for the engine too. */
const ENDS: Readonly<Partial<Record<WACallEvent['status'], CallEndReason>>> = {
  timeout: 'timeout',
  terminate: 'canceled',
  reject: 'declined',
  accept: 'hangup',
}

/**
 * Reports calls that ring and end; their audio is not carried. Group calls are not reported (our choice: the bridge has
 * none).
 */
export function hearCalls(live: LiveSession, listen: Listen): void {
  listen('call', (calls) => {
    for (const call of calls) {
      live
        .inTurn(() => hear(live, call))
        .catch((error: unknown) =>
          live.log.error(errorFields(error), 'an event of a call could not be handed to the gateway'),
        )
    }
  })
}

async function hear(live: LiveSession, call: WACallEvent): Promise<void> {
  const reason = ENDS[call.status]
  if (reason) return endCall(live, call.id, reason)
  if (call.status !== 'offer' || call.isGroup === true) return
  const jids = [call.callerPn, call.from, call.chatId]
  const from = await personBehind(live, jids)
  if (from === null) return
  const timer = setTimeout(() => {
    endCall(live, call.id, 'timeout').catch((error: unknown) =>
      live.log.error(errorFields(error), 'a call could not be ended'),
    )
  }, LONGEST_RINGING_MS)
  timer.unref()
  const isNew = callsOf(live).add({ callId: call.id, from: jidNormalizedUser(call.from), timer })
  if (!isNew) return clearTimeout(timer)
  await live.emit({ ev: 'call.incoming', callId: call.id, from })
}

async function personBehind(live: LiveSession, jids: readonly (string | undefined)[]): Promise<string | null> {
  const phones = new Map<string, string>()
  for (const lid of jids.flatMap((jid) => lidIn(jid) ?? [])) {
    const phone = (await live.lids.phoneOf(`${lid}@lid`)) ?? (await lookUpLid(live, lid))
    if (phone !== null) phones.set(lid, phone)
  }
  return personOf(jids, (lid) => phones.get(lid) ?? null)
}

/** Reports the end of a call, once. */
export async function endCall(live: LiveSession, callId: string, reason: CallEndReason): Promise<void> {
  if (callsOf(live).remove(callId)) await live.emit({ ev: 'call.ended', callId, reason })
}
