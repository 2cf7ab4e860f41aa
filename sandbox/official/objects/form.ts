import { orderedPage } from '../http/ordered-page.ts'
import { filtered } from '../leads/filtering.ts'
import { formFields } from '../leads/lead-fields.ts'
import type { PlatformForm } from '../leads/page.ts'
import type { ObjectKind } from './object.ts'

/** A form of a Page: its questions, and its leads. */
export const form: ObjectKind<PlatformForm> = {
  find({ leadAds: { pages } }, { id, opened }) {
    const found = pages.form(id)
    return found && opened.pages.has(found.pageId) ? found : null
  },
  edges: {
    'GET ': ({ on, query }) => ({ body: formFields(on, query.get('fields')) }),
    'GET leads': ({ platform, on, query, url, opened }) => {
      const leads = filtered(platform.leadAds.leads.of(on), query.get('filtering'))
      return {
        body: orderedPage(leads, query, url, (lead) => platform.leadAds.present(lead, opened, query.get('fields'))),
      }
    },
  },
}
