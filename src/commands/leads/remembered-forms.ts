import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { PagePort, UpstreamForm } from '../../ports/official/pages.ts'
import type { Clock } from '../../ports/clock.ts'

/** A form is read again after an hour [leads.stored.4]. */
const KEPT_MS = 3_600_000
/** Our choice: a form that cannot be read is asked for again after a minute, however many leads it has meanwhile. */
const UNREAD_MS = 60_000
/**
 * Our choice: a slow form delays a lead by so much at most. A form that cannot be read delays none [leads.stored.4].
 */
const PATIENCE_MS = 2_000
/** Our choice: forms that a node remembers. */
const REMEMBERED = 1_000

/** The forms of leads, as this node has read them lately. */
export interface LeadForms {
  /** The form; null when it cannot be read, or not soon. Never throws. */
  read(port: Pick<PagePort, 'form'>, pageId: string, formId: string): Promise<UpstreamForm | null>
}

/** Makes the memory of forms. Leads of one form share one read. */
export function createLeadForms(clock: Clock): LeadForms {
  const remembered = new BoundedMemory<Promise<UpstreamForm | null>>({ most: REMEMBERED }, { ms: KEPT_MS, clock })
  const ask = (port: Pick<PagePort, 'form'>, key: string, formId: string): Promise<UpstreamForm | null> => {
    const form = port.form(formId).then((read) => (read.kind === 'read' ? read.value : null))
    remembered.set(key, form)
    void form.then((read) => read ?? remembered.set(key, form, { ms: UNREAD_MS }))
    return form
  }
  return {
    read(port, pageId, formId) {
      const key = `${pageId} ${formId}`
      const form = remembered.get(key) ?? ask(port, key, formId)
      return new Promise((resolve) => {
        const timer = clock.after(PATIENCE_MS, () => resolve(null))
        void form.then((read) => {
          timer.cancel()
          resolve(read)
        })
      })
    },
  }
}
