import test from 'ava'
import { opensTo } from '../../src/http/request/access.ts'
import type { Route } from '../../src/http/request/route.ts'
import { BUILT_PAGES } from '../helpers/built-pages.ts'
import { bearer, HOST_ORIGIN, mint } from '../helpers/embeds.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { servedRoutes, titleOf } from '../helpers/served-routes.ts'

/** A path of the route. Its ids are well formed, and only that of the number exists. */
function pathOf({ path }: Route, world: World): string {
  const ofNumber = path.startsWith('/v1/numbers') ? world.number.id : 'msg_01kb0000000000000000000000'
  return path
    .replace('{id}', ofNumber)
    .replace(/\{token\}/, 'self')
    .replace(/\{\w+\}/g, 'unknown')
}

const routes = servedRoutes()
const ofEmbeds = routes.filter((route) => opensTo(route, 'embed'))

/** Tokens that open no inbox, each with its refusal. */
const TOKENS: Record<
  string,
  {
    readonly headers: (client: Client, world: World) => Promise<Record<string, string>>
    readonly status: number
    readonly code: string
  }
> = {
  'no token': { headers: async () => ({}), status: 401, code: 'INVALID_TOKEN' },
  "a tenant's key": {
    headers: async (_, world) => ({ 'x-api-key': world.tenantKey.raw }),
    status: 401,
    code: 'INVALID_TOKEN',
  },
  "a tenant's key as bearer token": {
    headers: async (_, world) => bearer(world.tenantKey.raw).headers,
    status: 401,
    code: 'INVALID_TOKEN',
  },
  'an unknown token': {
    headers: async () => bearer(`emb_00000000000000000000000000.${'x'.repeat(43)}`).headers,
    status: 401,
    code: 'INVALID_TOKEN',
  },
  'an expired token': {
    async headers(client, world) {
      const { token } = await mint(client, world, { ttlSeconds: 60 })
      world.clock.advance(60_000)
      return bearer(token).headers
    },
    status: 401,
    code: 'TOKEN_EXPIRED',
  },
  'a revoked token': {
    async headers(client, world) {
      const { id, token } = await mint(client, world)
      await world.embedSessions.revoke(world.tenantId, null, id)
      return bearer(token).headers
    },
    status: 401,
    code: 'TOKEN_REVOKED',
  },
  'a token on a page that is not allowed': {
    headers: async (client, world) => bearer((await mint(client, world)).token, 'https://evil.example').headers,
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
  },
  'a token of surface connect': {
    headers: async (client, world) => bearer((await mint(client, world, { surface: 'connect' })).token).headers,
    status: 403,
    code: 'SURFACE_NOT_ALLOWED',
  },
}

// [embeds.errors.1] [embeds.errors.2]
for (const [what, { headers, status, code }] of Object.entries(TOKENS)) {
  test(`${what} opens no route of embeds that it is not for`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const sent = await headers(client, world)
    const asked = ofEmbeds.filter(({ surface }) => code !== 'SURFACE_NOT_ALLOWED' || surface === 'chat')
    for (const route of asked) {
      const reply = await client.send(route.method.toUpperCase(), pathOf(route, world), {
        headers: sent,
        ...(route.method === 'get' ? {} : { body: {} }),
      })
      t.deepEqual([reply.status, reply.body?.code], [status, code], titleOf(route))
    }
    t.deepEqual(world.directory.asked, [])
  })
}

test('the routes of embeds are below /api/public/embed, and all but those of the session itself are for chat', (t) => {
  t.true(ofEmbeds.length >= 3)
  for (const { path, surface } of ofEmbeds) {
    t.true(path.startsWith('/api/public/embed/'), path)
    t.is(surface, /\/(?:session|refresh)$/.test(path) ? undefined : 'chat', path)
  }
})

// [embeds.tokens.5]
test('an embed token is no link: routes that anybody may call give it no data, and no fault of ours', async (t) => {
  const world = new World()
  const client = await serve(t, world, { builtAssets: BUILT_PAGES })
  const { token } = await mint(client, world, { surface: 'connect' })
  const asked = routes.filter(
    (route) => (opensTo(route, 'link') || opensTo(route, 'nobody')) && /^\/(?:v1|api)\//.test(route.path),
  )
  t.deepEqual(
    [asked.some((route) => opensTo(route, 'nobody')), asked.some((route) => opensTo(route, 'link'))],
    [true, true],
  )
  for (const route of asked) {
    const reply = await client.send(route.method.toUpperCase(), pathOf(route, world), {
      ...bearer(token, HOST_ORIGIN),
      ...(route.method === 'get' ? {} : { body: {} }),
    })
    t.true(reply.status < 500, titleOf(route))
    if (reply.status === 200) t.false(reply.text.includes(world.number.id), titleOf(route))
    else t.true(reply.status >= 400, titleOf(route))
  }
})
