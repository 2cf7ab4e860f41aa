import type { OfficialApp } from '../registry/registry.ts'
import type { ObjectKind } from './object.ts'

/** An app and its uploads. */
export const app: ObjectKind<OfficialApp> = {
  find({ registry }, { id, accounts }) {
    const own = [...accounts].map((accountId) => registry.account(accountId)).find((account) => account?.appId === id)
    return own ? registry.app(own) : null
  },
  edges: {
    'POST uploads': ({ platform, on, query, body }) => ({
      body: { id: platform.templates.uploads.start(on.id, { ...Object.fromEntries(query), ...body }) },
    }),
  },
}
