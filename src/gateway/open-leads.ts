import type { Cipher } from '../ports/cipher.ts'

interface LeadNeeds {
  readonly cipher: Cipher
}

/** What verify tokens of Pages are derived for. */
const VERIFY_TOKEN = 'page webhook'

/** Joins what leads are made of beside their rows. */
export function openLeads({ cipher }: LeadNeeds) {
  return {
    /** For REST. The same on every node, and after a restart: upstream may verify an address at any time. */
    pageVerifyToken: (appId: string): string => Buffer.from(cipher.token(appId, VERIFY_TOKEN)).toString('base64url'),
    leadsDue: (): void => {},
    backfillsDue: (): void => {},
  }
}
