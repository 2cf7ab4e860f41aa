import { readAsset } from '../flows/flow-request.ts'
import type { PlatformFlow } from '../flows/flow.ts'
import type { ObjectKind } from './object.ts'

/** A Flow: its fields, its document, and its status. */
export const flow: ObjectKind<PlatformFlow> = {
  find({ flows }, { id, accounts }) {
    const found = flows.shelf.find(id)
    return found && accounts.has(found.accountId) ? found : null
  },
  edges: {
    'GET ': ({ platform, on, query }) => ({ body: platform.flows.present(on, query.get('fields')) }),
    'POST ': ({ platform, on, body }) => platform.flows.update(on, body),
    'DELETE ': ({ platform, on }) => platform.flows.delete(on),
    'GET assets': ({ platform, on, url }) => ({ body: platform.flows.assets(on, new URL(url).origin) }),
    'POST assets': ({ platform, on, form }) => platform.flows.upload(on, readAsset(form)),
    'POST publish': ({ platform, on }) => platform.flows.publish(on),
    'POST deprecate': ({ platform, on }) => platform.flows.deprecate(on),
  },
}
