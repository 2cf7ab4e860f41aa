import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { TemplatePorts } from './ports.ts'

/** Our choice, ms: an edit or a deletion waits at most so long for messages accepted before it, and looks so often. */
const MOST_MS = 5_000
const LOOK_MS = 100

/**
 * Waits until the messages accepted of a template are sent: upstream sends nothing of a template that it no longer has
 * or that it reviews anew, but accepted messages are to be left alone ([templates.send.3]). Messages that are
 * scheduled, or not sent in this time, are left to upstream.
 */
export async function drained({ messages, clock }: TemplatePorts, { id, owner }: StoredTemplate): Promise<void> {
  if (owner.kind !== 'ACCOUNT') return
  const untilMs = clock.monotonicMs() + MOST_MS
  while ((await messages.isQueued(owner.tenantId, owner.accountId, id)) && clock.monotonicMs() < untilMs) {
    await new Promise<void>((wake) => clock.after(LOOK_MS, wake))
  }
}
