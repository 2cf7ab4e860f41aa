import { SAID } from './flow-service.ts'
import { reachablePeer, send } from './message-service.ts'
import type { OfficialNumber } from './official-service.ts'
import type { Service } from './service.ts'

/** Sends a Flow to a peer of its own. */
export async function sendFlowFrom(service: Service, from: OfficialNumber, flowId: string, more: object = {}) {
  const peer = await reachablePeer(service, from)
  return { peer, sent: await send(service, from, { destinationNumber: peer, flow: { ...SAID, flowId, ...more } }) }
}

/** A webhook body with one answer, as the upstream posts it. */
export function webhookWith(
  { accountId, phoneId, digits }: OfficialNumber,
  from: string,
  id: string,
  quoted: string,
  response: object,
): string {
  const message = {
    context: { from: digits, id: quoted },
    from,
    id,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: 'interactive',
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { response_json: JSON.stringify(response), body: 'Sent', name: 'flow' },
    },
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: digits, phone_number_id: phoneId },
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [message],
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: accountId, changes: [{ field: 'messages', value }] }],
  })
}
