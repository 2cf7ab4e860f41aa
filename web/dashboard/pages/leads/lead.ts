import type { AutoSendStatus } from '../../../../src/domain/lead.ts'
import type { Tone } from '../../ground/shown.tsx'

/** A lead as the service answers it ([leads.object.1]); what the page uses of it. */
export interface ListedLead {
  readonly id: string
  readonly formId: string
  readonly formName: string | null
  readonly adId: string | null
  readonly adName: string | null
  /** Null when it is redacted, or was not asked for; so are `email` and `phone`. */
  readonly fullName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly autoSendStatus: AutoSendStatus
  readonly redacted: boolean
  /** Null: not known. */
  readonly isOrganic: boolean | null
  /** When the person submitted the form; the list is sorted and narrowed by it. */
  readonly createdAt: string
}

export const SEND_TONES: Readonly<Record<AutoSendStatus, Tone>> = {
  none: 'calm',
  pending: 'calm',
  sent: 'good',
  skipped: 'warn',
  failed: 'bad',
}

/** The cells of a lead in a file: id, name, e-mail, phone, form, ad, time. */
export function cellsOf(lead: ListedLead): readonly string[] {
  const { id, fullName, email, phone, formName, formId, adName, adId, createdAt } = lead
  return [id, fullName ?? '', email ?? '', phone ?? '', formName ?? formId, adName ?? adId ?? '', createdAt]
}
