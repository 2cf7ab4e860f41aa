import type { RestDeps } from '../../src/http/server.ts'

/** No client was ever let in, and none asks. */
export const NO_OAUTH: Pick<RestDeps, 'grants' | 'oauthInteractions' | 'authorizationServer' | 'isRegistrationOpen'> = {
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
