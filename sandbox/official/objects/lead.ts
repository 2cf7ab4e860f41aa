import { GraphError } from '../http/graph-error.ts'
import type { PlatformLead } from '../leads/page.ts'
import type { ObjectKind } from './object.ts'

/** A field that upstream gives to few apps only. */
const HELD_BACK = /\bpost_submission_check_result\b/

/** What a person submitted. */
export const lead: ObjectKind<PlatformLead> = {
  find({ leadAds: { leads } }, { id, opened }) {
    const found = leads.find(id)
    return found && opened.pages.has(found.pageId) ? found : null
  },
  edges: {
    'GET ': ({ platform, on, query, opened }) => {
      const fields = query.get('fields')
      if (HELD_BACK.test(fields ?? ''))
        throw new GraphError(3, { message: '(#3) Application does not have the capability to make this API call.' })
      return { body: platform.leadAds.present(on, opened, fields) }
    },
  },
}
