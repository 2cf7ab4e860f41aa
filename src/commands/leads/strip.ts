import type { LeadPorts } from './ports.ts'

/** Our choice: rows that one statement strips. */
const STRIPPED = 500

/** Strips leads of what privacy no longer keeps ([leads.privacy.2]). Answers whether there may be more. */
export async function stripLeads({ leads }: LeadPorts): Promise<boolean> {
  return (await leads.strip(STRIPPED)) === STRIPPED
}
