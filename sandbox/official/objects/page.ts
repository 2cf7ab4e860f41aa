import { DONE } from '../http/acted.ts'
import { GraphError } from '../http/graph-error.ts'
import { orderedPage } from '../http/ordered-page.ts'
import { formFields, pageFields } from '../leads/lead-fields.ts'
import type { PlatformPage } from '../leads/page.ts'
import { readFieldNames } from '../webhooks/field-names.ts'
import type { ObjectKind } from './object.ts'

/** A Page: its name, its forms, and its app's subscription. */
export const page: ObjectKind<PlatformPage> = {
  find: ({ leadAds: { pages } }, { id, opened }) => (opened.pages.has(id) ? pages.find(id) : null),
  edges: {
    'GET ': ({ on, query }) => ({ body: pageFields(on, query.get('fields')) }),
    'GET subscribed_apps': ({ on }) => ({
      body: {
        data: on.subscribedFields
          ? [
              {
                link: `https://sandbox.invalid/apps/${on.appId}`,
                name: 'Sandbox app',
                id: on.appId,
                subscribed_fields: [...on.subscribedFields],
              },
            ]
          : [],
      },
    }),
    // Named fields replace the old ones.
    'POST subscribed_apps': ({ on, query, body }) => {
      const fields = readFieldNames(body['subscribed_fields'] ?? query.get('subscribed_fields'))
      if (fields.length === 0)
        throw new GraphError(100, { message: '(#100) The parameter subscribed_fields is required.' })
      on.subscribedFields = new Set(fields)
      return DONE
    },
    'DELETE subscribed_apps': ({ on }) => {
      on.subscribedFields = null
      return DONE
    },
    'GET leadgen_forms': ({ platform, on, query, url }) => ({
      body: orderedPage(platform.leadAds.pages.formsOf(on), query, url, (form) =>
        formFields(form, query.get('fields')),
      ),
    }),
  },
}
