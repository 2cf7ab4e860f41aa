import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { askForTenants, askToCreateTenant, askToRotateTenant, listenForAdmin } from '../../src/gateway/admin-socket.ts'
import { tenantDesk } from '../../src/gateway/tenant-desk.ts'
import { KEY_ROTATED } from '../../src/http/request/caller-cache.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { MemoryTenants } from '../helpers/memory/keys.ts'

test('an operator creates, lists and rotates tenants of the running gateway, which forgets the replaced key at once', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-admin-'))
  t.is(await askForTenants(dataDir), null, 'nobody listens')
  const socket = await listenForAdmin(
    dataDir,
    tenantDesk({
      tenants: new MemoryTenants(world.rows, world.keys),
      keys: world.keys,
      revokeCallers: (tenantId) => world.broadcast.publish(KEY_ROTATED, tenantId),
    }),
  )
  t.teardown(async () => {
    socket.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const made = await askToCreateTenant(dataDir, 'Acme')
  if (!made) return t.fail('nobody listened')
  t.like(
    (await askForTenants(dataDir))?.find(({ tenantId }) => tenantId === made.tenantId),
    { name: 'Acme', numbers: 0 },
  )
  t.is((await client.send('GET', '/v1/numbers', { key: made.key })).status, 200)
  const rotated = await askToRotateTenant(dataDir, made.tenantId)
  t.is((await client.send('GET', '/v1/numbers', { key: made.key })).status, 401)
  t.is((await client.send('GET', '/v1/numbers', { key: rotated?.key ?? '' })).status, 200)
  await t.throwsAsync(askToRotateTenant(dataDir, newId('ten')), { message: /there is no tenant ten_/ })
  await t.throwsAsync(askToCreateTenant(dataDir, ''))
})
