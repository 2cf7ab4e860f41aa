import { DONE } from '../http/acted.ts'
import { GraphError } from '../http/graph-error.ts'
import type { OfficialApp } from '../registry/registry.ts'
import { readFieldNames } from '../webhooks/field-names.ts'
import { verified } from '../webhooks/verified-callback.ts'
import type { ObjectKind } from './object.ts'

const VERSION = 'v24.0'

/** The webhooks of an app itself, for a token of its id and secret. */
export const appWebhooks: ObjectKind<OfficialApp> = {
  find({ registry }, { id, opened }) {
    const app = registry.appById(id)
    if (app && opened.appId !== id)
      throw new GraphError(15, { message: '(#15) This method must be called with an app access_token.' })
    return app
  },
  edges: {
    'GET subscriptions': ({ on: { pageWebhook } }) => ({
      body: {
        data: pageWebhook
          ? [
              {
                object: 'page',
                callback_url: pageWebhook.callbackUrl,
                active: true,
                fields: [...pageWebhook.fields].map((name) => ({ name, version: VERSION })),
              },
            ]
          : [],
      },
    }),
    // Named fields replace the old ones.
    'POST subscriptions': async ({ on, query, body }) => {
      const {
        object,
        callback_url: callbackUrl,
        verify_token: token,
        fields,
      } = { ...Object.fromEntries(query), ...body }
      if (object !== 'page') throw new GraphError(100, { message: '(#100) object must be page here' })
      const names = readFieldNames(fields)
      if (names.length === 0) throw new GraphError(100, { message: '(#100) The parameter fields is required.' })
      on.pageWebhook = { callbackUrl: await verified(callbackUrl, token, 'callback_url'), fields: new Set(names) }
      return DONE
    },
  },
}
