import type { PlatformTemplate } from '../templates/template.ts'
import type { ObjectKind } from './object.ts'

/** A template: its fields, new wordings, and the end of a pause. */
export const template: ObjectKind<PlatformTemplate> = {
  find({ templates }, { id, accounts }) {
    const found = templates.shelf.find(id)
    return found && accounts.has(found.accountId) ? found : null
  },
  edges: {
    'GET ': ({ platform, on, query, url }) => ({ body: platform.templates.present(on, query.get('fields'), url) }),
    'POST ': ({ platform, on, body }) => {
      const account = platform.registry.account(on.accountId)
      if (!account) throw new Error('A template belongs to no account')
      return platform.templates.edit(account, on, body)
    },
    'POST unpause': ({ platform, on }) => platform.templates.unpause(on),
  },
}
