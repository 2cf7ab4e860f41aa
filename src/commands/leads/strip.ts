import type { LeadPorts } from './ports.ts'

/** Our choice: rows that one statement strips. */
const STRIPPED = 500

/** Strips leads of what privacy keeps no longer (contract 12, Privacy). Answers whether there may be more. */
export async function stripLeads({ leads }: LeadPorts): Promise<boolean> {
  return (await leads.strip(STRIPPED)) === STRIPPED
}
