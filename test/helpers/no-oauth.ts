import type { RestDeps } from '../../src/http/server.ts'
import type { NounPorts } from './http-nouns.ts'

/** An installation without granted clients or requests; tests about those use the database. */
export const NO_OAUTH: Pick<
  RestDeps & NounPorts,
  'accessTokens' | 'grants' | 'oauthInteractions' | 'authorizationServer' | 'isRegistrationOpen'
> = {
  accessTokens: { prove: async () => null, find: async () => null },
  grants: { list: async () => [], endOwn: async () => false },
  oauthInteractions: {
    begin: async () => {},
    find: async () => null,
    allow: async () => ({ kind: 'unknown' }),
    deny: async () => null,
  },
  authorizationServer: {
    answer: async () => ({
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"invalid_client"}',
      endedGrants: [],
    }),
  },
  isRegistrationOpen: true,
}
