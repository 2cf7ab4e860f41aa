import { resourceUri, type Grant } from '../../../domain/oauth.ts'

/** A grant as lists show it (contract 14); nothing in it is a token. */
export function presentGrant(
  { id, client, user, resource, scopes, numberIds, createdAt, lastUsedAt }: Grant,
  baseUrl: string,
) {
  return {
    id,
    clientId: client.clientId,
    clientName: client.name,
    user,
    resource: resourceUri(baseUrl, resource),
    scopes,
    channelNumberIds: numberIds,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
