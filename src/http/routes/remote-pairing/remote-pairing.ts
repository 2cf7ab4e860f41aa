import type { PairingCommands } from '../../../commands/pairing/pairing.ts'
import type { OwnBranding } from '../../../domain/branding.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { sentSettings } from '../numbers/settings-patch.ts'
import * as example from './examples.ts'
import { linkHolderRoutes } from './link-holder.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface RemotePairingDeps {
  readonly pairingCommands: PairingCommands
  /** Public base URL of REST, without a trailing slash. */
  readonly baseUrl: string
  /** Base URL of the connect page, without a trailing slash. */
  readonly connectEmbedUrl: string
}

const GROUP = 'Remote pairing'

/** Connect links: the tenant makes them, and the holder of the phone uses them (docs/contract/pairing.md). */
export function remotePairingRoutes(deps: RemotePairingDeps): Route[] {
  return [createLink(deps), ...linkHolderRoutes(deps.pairingCommands)]
}

function createLink({ pairingCommands, connectEmbedUrl, baseUrl }: RemotePairingDeps): Route {
  return route({
    method: 'post',
    path: '/v1/numbers/remote-pairing',
    name: 'createRemotePairing',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'tenant' },
    permission: 'numbers:manage',
    isIdempotent: true,
    summary: 'Make a connect link for a number, creating the number if needed',
    description:
      'The link lives 24 h and dies on success; its status can be read until then. A newer link for the number revokes the older. A number that exists keeps its name and settings.',
    body: schema.linkInput(baseUrl),
    bodyExamples: example.LINK,
    answer: { status: 201, description: 'The link', schema: schema.link, example: example.LINKED },
    refusals: ['ALREADY_CONNECTED', 'NUMBER_LIMIT_EXCEEDED', 'FEATURE_NOT_SUPPORTED'],
    async handle({ caller, body }) {
      const { name, number: digits, branding = null, redirectUrl = null } = body
      const settings = sentSettings(body.settings)
      const { number, token } = unwrap(
        await pairingCommands.issue({
          tenantId: caller.tenantId,
          name,
          number: digits,
          settings,
          branding: branding as OwnBranding | null,
          redirectUrl,
        }),
      )
      return { status: 201, body: present.presentLink(number, token, `${connectEmbedUrl}/connect`) }
    },
  })
}
