import test from 'ava'
import { ROLES, permissionsOf, type Permission } from '../../src/domain/permissions.ts'
import type { Access, AccessBy } from '../../src/http/request/access.ts'
import { servedRoutes, titleOf } from '../helpers/served-routes.ts'

/**
 * The permission of a route. One belongs to sessions alone and is never granted to a client ([people.permissions.4]
 * [people.permissions.9]).
 */
type Needed = Permission | `${Permission} of sessions` | null

/**
 * Every route of /v1 with its scope and its permission, copied by hand from the tables of the contracts (3, 5, 12, 13,
 * 14) and not from the code.
 */
const SCOPES: Readonly<Record<string, readonly [Access['of'], Needed]>> = {
  'POST /v1/calls': ['number', 'calls:manage'],
  'GET /v1/calls': ['number', 'calls:read'],
  'GET /v1/calls/{callId}/recording': ['number', 'calls:read'],
  'DELETE /v1/calls/{callId}/recording': ['number', 'calls:manage'],
  'GET /v1/calls/{callId}': ['number', 'calls:read'],
  'POST /v1/calls/{callId}/accept': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/reject': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/terminate': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/realtime-session': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/takeover': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/play': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/pre-accept': ['number', 'calls:manage'],
  'GET /v1/calls/permissions': ['number', 'calls:read'],
  'POST /v1/calls/permissions/request': ['number', 'calls:manage'],
  'GET /v1/calls/settings': ['number', 'calls:read'],
  'PUT /v1/calls/settings': ['number', 'calls:manage'],
  'POST /v1/messages/send': ['number', 'chat:send'],
  'GET /v1/messages/{id}': ['number', 'chat:read'],
  'GET /v1/messages/history': ['number', 'chat:read'],
  'GET /v1/messages/unread': ['number', 'chat:read'],
  'GET /v1/messages/group': ['number', 'chat:read'],
  'POST /v1/messages/read': ['number', 'chat:send'],
  'DELETE /v1/messages/cancel': ['number', 'chat:send'],
  'PATCH /v1/messages/{id}': ['number', 'chat:send'],
  'DELETE /v1/messages/{id}': ['number', 'chat:send'],
  'POST /v1/messages/typing': ['number', 'chat:send'],
  'POST /v1/messages/batch': ['number', 'chat:send'],
  'GET /v1/messages/batch/{id}': ['number', 'chat:read'],
  'DELETE /v1/messages/batch/{id}': ['number', 'chat:send'],
  'GET /v1/conversations': ['number', 'chat:read'],
  'GET /v1/media/{mediaId}': ['number', 'chat:read'],
  'POST /v1/templates': ['number', 'templates:manage'],
  'POST /v1/templates/preview': ['number', 'templates:read'],
  'POST /v1/templates/sync': ['number', 'templates:manage'],
  'GET /v1/templates': ['number', 'templates:read'],
  'GET /v1/templates/{id}': ['number', 'templates:read'],
  'PUT /v1/templates/{id}': ['number', 'templates:manage'],
  'DELETE /v1/templates/{id}': ['number', 'templates:manage'],
  'POST /v1/flows': ['number', 'flows:manage'],
  'POST /v1/flows/sync': ['number', 'flows:manage'],
  'GET /v1/flows': ['number', 'flows:read'],
  'GET /v1/flows/{id}': ['number', 'flows:read'],
  'PATCH /v1/flows/{id}': ['number', 'flows:manage'],
  'GET /v1/flows/{id}/json': ['number', 'flows:read'],
  'POST /v1/flows/{id}/json': ['number', 'flows:manage'],
  'POST /v1/flows/{id}/publish': ['number', 'flows:manage'],
  'POST /v1/flows/{id}/deprecate': ['number', 'flows:manage'],
  'DELETE /v1/flows/{id}': ['number', 'flows:manage'],
  'GET /v1/flows/{id}/responses': ['number', 'flows:read'],
  'GET /v1/leads': ['namedNumber', 'chat:read'],
  'GET /v1/leads/{id}': ['namedNumber', 'chat:read'],
  'DELETE /v1/leads/{id}': ['namedNumber', 'leads:manage'],
  'POST /v1/lead-pages': ['tenant', 'leads:manage'],
  'GET /v1/lead-pages': ['tenant', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}': ['tenant', 'leads:manage'],
  'PATCH /v1/lead-pages/{pageId}': ['tenant', 'leads:manage'],
  'DELETE /v1/lead-pages/{pageId}': ['tenant', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}/forms': ['tenant', 'leads:manage'],
  'PUT /v1/lead-pages/{pageId}/forms/{formId}': ['tenant', 'leads:manage'],
  'POST /v1/lead-pages/{pageId}/forms/{formId}/backfill': ['tenant', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}/forms/{formId}/backfill': ['tenant', 'leads:manage'],
  'GET /v1/groups': ['number', 'chat:read'],
  'POST /v1/groups': ['number', 'chat:send'],
  'GET /v1/groups/{id}': ['number', 'chat:read'],
  'POST /v1/groups/{id}/participants': ['number', 'chat:send'],
  'DELETE /v1/groups/{id}/participants': ['number', 'chat:send'],
  'GET /v1/newsletters': ['number', 'chat:read'],
  'POST /v1/numbers/check': ['chosenNumber', 'chat:read'],
  'GET /v1/referrals/summary': ['number', 'ads:read'],
  'GET /v1/referrals': ['number', 'chat:read'],
  'PUT /v1/numbers/{id}/ad-access': ['pathNumber', 'numbers:manage'],
  'GET /v1/numbers/{id}/ad-access': ['pathNumber', 'ads:read'],
  'DELETE /v1/numbers/{id}/ad-access': ['pathNumber', 'numbers:manage'],
  'POST /v1/numbers/remote-pairing': ['tenant', 'numbers:manage'],
  'GET /v1/remote-pairing/{token}': ['link', null],
  'POST /v1/remote-pairing/{token}/connect': ['link', null],
  'GET /v1/remote-pairing/{token}/status': ['link', null],
  'GET /v1/branding': ['tenant', 'numbers:manage'],
  'PUT /v1/branding': ['tenant', 'numbers:manage'],
  'GET /v1/connect/{token}/branding': ['link', null],
  'POST /v1/embed/sessions': ['either', 'chat:send of sessions'],
  'GET /v1/embed/sessions': ['either', 'chat:send of sessions'],
  'DELETE /v1/embed/sessions/{id}': ['either', 'chat:send of sessions'],
  'POST /v1/numbers': ['tenant', 'numbers:manage'],
  'POST /v1/numbers/official': ['tenant', 'numbers:manage'],
  'GET /v1/numbers': ['numbers', 'numbers:read'],
  'GET /v1/numbers/{id}': ['pathNumber', 'numbers:read'],
  'GET /v1/numbers/{id}/limits': ['pathNumber', 'numbers:read'],
  'GET /v1/numbers/{id}/status': ['pathNumber', 'numbers:read'],
  'GET /v1/numbers/{id}/connect': ['pathNumber', 'numbers:read'],
  'POST /v1/numbers/{id}/connect': ['pathNumber', 'numbers:manage'],
  'PATCH /v1/numbers/{id}': ['pathNumber', 'numbers:manage'],
  'POST /v1/numbers/{id}/logout': ['pathNumber', 'numbers:manage'],
  'DELETE /v1/numbers/{id}': ['pathNumber', 'numbers:manage'],
  'GET /v1/status': ['number', 'numbers:read'],
  'GET /v1/subscription': ['tenant', 'account:manage'],
  'GET /v1/canned-replies': ['tenant', 'chat:send of sessions'],
  'POST /v1/canned-replies': ['tenant', 'chat:send of sessions'],
  'PATCH /v1/canned-replies/{id}': ['tenant', 'chat:send of sessions'],
  'DELETE /v1/canned-replies/{id}': ['tenant', 'chat:send of sessions'],
  'GET /v1/usage': ['tenant', 'numbers:read of sessions'],
  'GET /v1/api-keys': ['tenant', 'account:manage'],
  'POST /v1/api-keys': ['tenant', 'account:manage'],
  'POST /v1/api-keys/regenerate': ['either', 'account:manage'],
  'POST /v1/users': ['tenant', 'account:manage'],
  'GET /v1/users': ['tenant', 'account:manage'],
  'GET /v1/users/{id}': ['tenant', 'account:manage'],
  'PATCH /v1/users/{id}': ['tenant', 'account:manage'],
  'POST /v1/users/{id}/invite': ['tenant', 'account:manage'],
  'DELETE /v1/users/{id}': ['tenant', 'account:manage'],
  'POST /v1/webhooks': ['chosenNumber', 'webhooks:manage'],
  'GET /v1/webhooks': ['either', 'webhooks:read'],
  'GET /v1/webhooks/{id}': ['either', 'webhooks:read'],
  'PATCH /v1/webhooks/{id}': ['either', 'webhooks:manage'],
  'DELETE /v1/webhooks/{id}': ['either', 'webhooks:manage'],
  'POST /v1/webhooks/{id}/test': ['either', 'webhooks:manage'],
  'POST /v1/webhooks/{id}/secret': ['either', 'webhooks:manage'],
  'GET /v1/webhooks/{id}/logs': ['either', 'webhooks:read'],
  'POST /v1/webhooks/{id}/logs/{logId}/redeliver': ['either', 'webhooks:manage'],
  'POST /v1/webhooks/{id}/redeliver': ['either', 'webhooks:manage'],
  'GET /v1/events': ['either', 'webhooks:read'],
}

/**
 * The roles that have each permission: [people.permissions.1] [people.permissions.2] [people.permissions.3]
 * [people.permissions.4] [people.permissions.5] [people.permissions.6] [people.permissions.7] [people.permissions.8]
 * [people.permissions.9].
 */
const HELD: Readonly<Record<Permission, string>> = {
  'numbers:read': 'OWNER ADMIN AGENT ANALYST',
  'numbers:manage': 'OWNER ADMIN',
  'chat:read': 'OWNER ADMIN AGENT',
  'chat:send': 'OWNER ADMIN AGENT',
  'calls:read': 'OWNER ADMIN AGENT',
  'calls:manage': 'OWNER ADMIN AGENT',
  'templates:read': 'OWNER ADMIN AGENT ANALYST',
  'flows:read': 'OWNER ADMIN AGENT ANALYST',
  'ads:read': 'OWNER ADMIN AGENT ANALYST',
  'templates:manage': 'OWNER ADMIN',
  'flows:manage': 'OWNER ADMIN',
  'leads:manage': 'OWNER ADMIN',
  'webhooks:read': 'OWNER ADMIN',
  'webhooks:manage': 'OWNER ADMIN',
  'account:manage': 'OWNER ADMIN',
}

/** All other routes, by who may call them. Those without a caller are listed too, so that none is open by mistake. */
const OTHERS: Readonly<Record<Exclude<AccessBy, 'key' | 'grant'>, readonly string[]>> = {
  session: [
    'POST /api/branding/logo',
    'POST /api/session/password',
    'GET /api/session',
    'DELETE /api/session',
    'GET /api/sessions',
    'DELETE /api/sessions/{id}',
    'GET /api/oauth/interactions/{id}',
    'POST /api/oauth/interactions/{id}',
    'GET /api/grants',
    'DELETE /api/grants/{id}',
    'GET /api/overview',
    'GET /api/calls',
    'GET /api/calls/{callId}',
    'GET /api/calls/{callId}/recording',
    'GET /api/tenant-key',
    'GET /api/conversations/assigned',
    'GET /api/conversations/assignees',
    'GET /api/conversations/{id}/assignee',
    'PUT /api/conversations/{id}/assignee',
    'GET /api/conversations/{id}/notes',
    'POST /api/conversations/{id}/notes',
    'DELETE /api/conversations/{id}/notes/{noteId}',
    'GET /api/stream',
  ],
  embed: [
    'POST /api/public/embed/refresh',
    'GET /api/public/embed/session',
    'DELETE /api/public/embed/session',
    'GET /api/public/embed/conversations',
    'GET /api/public/embed/conversations/{id}',
    'POST /api/public/embed/conversations/{id}/read',
    'POST /api/public/embed/conversations/{id}/unread',
    'POST /api/public/embed/conversations/{id}/archive',
    'POST /api/public/embed/conversations/{id}/unarchive',
    'POST /api/public/embed/conversations/{id}/typing',
    'GET /api/public/embed/conversations/{id}/messages',
    'PATCH /api/public/embed/messages/{id}',
    'DELETE /api/public/embed/messages/{id}',
    'GET /api/public/embed/messages/{id}/media',
    'GET /api/public/embed/search',
    'GET /api/public/embed/templates',
    'GET /api/public/embed/canned-replies',
    'POST /api/public/embed/conversations/{id}/messages',
    'POST /api/public/embed/messages/{id}/retry',
    'GET /api/public/embed/numbers/{id}/conversations',
    'POST /api/public/embed/numbers/{id}/conversations',
    'GET /api/public/embed/stream',
  ],
  agent: ['POST /mcp'],
  link: ['GET /media/{fileId}/{fileName}', 'GET /branding/logos/{key}'],
  nobody: [
    'GET /api/public/embed/diagnose',
    'POST /api/session',
    'POST /api/invitations/read',
    'POST /api/invitations/accept',
    'GET /.well-known/oauth-authorization-server',
    'GET /oauth/authorize',
    'POST /oauth/token',
    'POST /oauth/revoke',
    'POST /oauth/register',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-protected-resource/v1',
    'GET /webhooks/official/{id}',
    'POST /webhooks/official/{id}',
    'GET /webhooks/official/pages/{appId}',
    'POST /webhooks/official/pages/{appId}',
    'POST /flows/exchange/{flowId}',
    'GET /',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
    'GET /assets/{file}',
    'GET /embed.js',
    'GET /embed/versions.json',
    'GET /embed/config.json',
    'GET /embed/{file}',
    'GET /connect/preview',
    'GET /connect/{token}',
    'GET /connect/{token}/qr',
    'GET /connect/{token}/code',
    'GET /connect',
    'GET /chat',
    'GET /dashboard',
    'GET /dashboard/numbers',
    'GET /dashboard/numbers/{id}',
    'GET /dashboard/webhooks',
    'GET /dashboard/webhooks/{id}',
    'GET /dashboard/keys',
    'GET /dashboard/people',
    'GET /dashboard/calls',
    'GET /dashboard/calls/{id}',
    'GET /dashboard/inbox',
    'GET /dashboard/branding',
    'GET /dashboard/inbox/replies',
    'GET /dashboard/embeds',
    'GET /dashboard/events',
    'GET /dashboard/templates',
    'GET /dashboard/templates/{id}',
    'GET /dashboard/flows',
    'GET /dashboard/flows/{id}',
    'GET /dashboard/leads',
    'GET /dashboard/leads/pages',
    'GET /dashboard/leads/pages/{id}',
    'GET /dashboard/leads/{id}',
    'GET /dashboard/ads',
    'GET /dashboard/usage',
    'GET /login',
    'GET /invite',
    'GET /consent/{id}',
    'GET /openapi.json',
    'GET /asyncapi.json',
    'GET /docs',
    'GET /docs/guides',
    'GET /docs/guides.css',
    'GET /docs/guides/{name}',
    'GET /docs/reference.js',
  ],
}

/**
 * The callers to whom a route of /v1 is open, by the permission that it needs. Sessions call the same routes below
 * /api.
 */
function keyedBy(of: Access['of'], needed: Needed): readonly AccessBy[] {
  if (of === 'link') return ['link']
  return needed === 'account:manage' || needed?.endsWith(' of sessions') ? ['key'] : ['key', 'grant']
}

const permissionIn = (needed: Needed) => needed?.replace(' of sessions', '') ?? null

// [templates.scope.6] [flows.scope.4] [leads.scope.8] [referrals.scope.3] [flows.data-exchange.1] [embeds.errors.4]
// [keys.scopes.1] [keys.scopes.2] [people.permissions.12]
test('the callers of each route of /v1 match the contracts, by key, and below /api by session', (t) => {
  const declared = servedRoutes().filter(({ path }) => /^(?:\/api)?\/v1\//.test(path))
  const rows = declared.map((route) => [titleOf(route), [route.access.by, route.access.of, route.permission ?? null]])
  const expected = Object.entries(SCOPES).flatMap(([title, [of, needed]]) => [
    [title, [keyedBy(of, needed), of, permissionIn(needed)]],
    [title.replace(' /', ' /api/'), [['session'], of, permissionIn(needed)]],
  ])
  t.deepEqual(Object.fromEntries(rows), Object.fromEntries(expected))
})

// [embeds.errors.4]
test('the callers of every other route are listed', (t) => {
  const declared = servedRoutes().filter(({ path }) => !/^(?:\/api)?\/v1\//.test(path))
  t.deepEqual(
    Object.fromEntries(declared.map((route) => [titleOf(route), route.access.by])),
    Object.fromEntries(Object.entries(OTHERS).flatMap(([by, titles]) => titles.map((title) => [title, [by]]))),
  )
})

// [people.permissions.12]
test('a role has the permissions that the contract gives it', (t) => {
  for (const role of ROLES)
    t.deepEqual(
      [...permissionsOf(role)].toSorted(),
      (Object.keys(HELD) as Permission[]).filter((permission) => HELD[permission].split(' ').includes(role)).toSorted(),
      role,
    )
})
