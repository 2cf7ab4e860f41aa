import type { LeadNotice } from '../../ports/stores/lead-notice-store.ts'
import type { LeadPorts } from './ports.ts'

/**
 * Stores the notices of a webhook, which `secret` of the app has signed, to be fetched. Answers how many leads are new.
 */
export async function noticeLeads(
  { leadNotices, leadsDue }: LeadPorts,
  appId: string,
  secret: string,
  notices: readonly LeadNotice[],
): Promise<number> {
  const stored = notices.length === 0 ? 0 : await leadNotices.accept(appId, secret, notices)
  if (stored > 0) leadsDue()
  return stored
}
