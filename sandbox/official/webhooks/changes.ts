import { titleOf } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { Change } from './webhooks.ts'

/** Unix seconds as text, the form of times in webhooks. */
export function seconds(ms: number): string {
  return String(Math.floor(ms / 1_000))
}

function valueOf(number: OfficialNumber, parts: object): object {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.number, phone_number_id: number.phoneId },
    ...parts,
  }
}

/** A change of field `calls` of a number. */
export function callsChange(number: OfficialNumber, parts: object): Change {
  return { accountId: number.accountId, phoneId: number.phoneId, field: 'calls', value: valueOf(number, parts) }
}

/** A change of field `messages` of a number. */
export function messagesChange(number: OfficialNumber, parts: object): Change {
  return { accountId: number.accountId, phoneId: number.phoneId, field: 'messages', value: valueOf(number, parts) }
}

/**
 * A change that shows a message that the business wrote with the app on its own phone. `to` and `contact` name the
 * user.
 */
export function echoesChange(
  number: OfficialNumber,
  field: 'smb_message_echoes' | 'message_echoes',
  to: object,
  contact: object,
  message: object,
): Change {
  const value = valueOf(number, { contacts: [contact], message_echoes: [{ from: number.number, ...to, ...message }] })
  return { accountId: number.accountId, phoneId: number.phoneId, field, value }
}

/** A change of the account, without a phone number id. */
export function accountChange(number: OfficialNumber, field: string, value: object): Change {
  return { accountId: number.accountId, phoneId: null, field, value }
}

/** An error in the form of the `errors` of a webhook. */
export function webhookError(code: number, details: string): object {
  const title = titleOf(code)
  return { code, title, message: title, error_data: { details }, href: '/documentation/error-codes/' }
}
