import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { PagePort, UpstreamForm } from '../../ports/official/pages.ts'
import type { Clock } from '../../ports/clock.ts'

/** contract 12, Stored: a form is read again after an hour. */
const KEPT_MS = 3_600_000
/** Our choice: a form that cannot be read is asked for again after a minute, whatever many leads it has meanwhile. */
const UNREAD_MS = 60_000
/** contract 12: a form that cannot be read delays nothing. Our choice: one that is slow delays a lead so long. */
const PATIENCE_MS = 2_000
/** Our choice: forms that a node remembers. */
const REMEMBERED = 1_000

/** The forms of leads, as this node read them of late. */
export interface LeadForms {
  /** Null: it cannot be read, or not soon. Never throws. */
  read(port: Pick<PagePort, 'form'>, pageId: string, formId: string): Promise<UpstreamForm | null>
}

/** Makes the memory of forms; leads of one form share one read. */
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
