import type { LeadNotices, Splitting } from '../../../ports/official/changes.ts'
import { splitChanges } from './changes.ts'
import { readLeadNotices } from './lead-notices.ts'

/** The ways in which webhooks are read, with their results. */
export interface Read {
  readonly changes: Splitting
  readonly leads: LeadNotices
}

/** One webhook to read. */
export interface Job {
  readonly what: keyof Read
  readonly rawBody: Uint8Array
}

/** Readers of webhooks, run here or on the thread: pure, and never throwing. */
export const READERS: { readonly [What in keyof Read]: (rawBody: Uint8Array) => Read[What] } = {
  changes: splitChanges,
  leads: readLeadNotices,
}
