import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { TemplatePorts } from './ports.ts'

/** Our choice: so long an edit or a deletion waits for messages that were accepted before. */
const MOST_MS = 5_000
const LOOK_MS = 100

/**
 * Upstream sends nothing of a template that it has no more, or that it reviews anew: what was accepted of it goes first
 * (contract 10, Send). What is put off to later, or does not go out in this time, is left to upstream.
 */
export async function drained({ messages, clock }: TemplatePorts, { id, owner }: StoredTemplate): Promise<void> {
  if (owner.kind !== 'ACCOUNT') return
  const untilMs = clock.monotonicMs() + MOST_MS
  while ((await messages.isQueued(owner.tenantId, owner.accountId, id)) && clock.monotonicMs() < untilMs) {
    await new Promise<void>((wake) => clock.after(LOOK_MS, wake))
  }
}
